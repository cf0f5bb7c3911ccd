"""Figures: records of what is drawn, and functions that draw them on axes; data apart from drawing.

Every figure is a module with a record, a function that collects it from plain values or results, and a function that
draws it. Matplotlib is imported only to draw.
"""

from tiebreak.views.figures.agreement import Agreement, agreement, draw_agreement
from tiebreak.views.figures.classes import Boxes, ByClass, boxes, by_class, draw_boxes, draw_by_class
from tiebreak.views.figures.confusion import (
    ConfusionChange,
    Confusions,
    confusion_change,
    confusions,
    draw_confusion_change,
    draw_confusions,
)
from tiebreak.views.figures.deviations import Deviations, deviations, draw_deviations
from tiebreak.views.figures.figure import Figure
from tiebreak.views.figures.forest import Forest, draw_forest, forest
from tiebreak.views.figures.losses import Scatter, draw_scatter, scatter
from tiebreak.views.figures.mosaic import Mosaic, draw_mosaic, mosaic
from tiebreak.views.figures.places import places
from tiebreak.views.figures.plots import ComparisonPlots, Plots, plots
from tiebreak.views.figures.profile import Curves, curves, draw_curves, profile_curves
from tiebreak.views.figures.roc import RocCurves, draw_roc, roc_curves
from tiebreak.views.figures.spectrum import Spectrum, draw_spectrum, eigenvalue_spectrum, spectrum, trace_spectrum
from tiebreak.views.figures.tiers import Tiers, draw_tiers, tiers

__all__ = [
    "Agreement",
    "Boxes",
    "ByClass",
    "ComparisonPlots",
    "ConfusionChange",
    "Confusions",
    "Curves",
    "Deviations",
    "Figure",
    "Forest",
    "Mosaic",
    "Plots",
    "RocCurves",
    "Scatter",
    "Spectrum",
    "Tiers",
    "agreement",
    "boxes",
    "by_class",
    "confusion_change",
    "confusions",
    "curves",
    "deviations",
    "draw_agreement",
    "draw_boxes",
    "draw_by_class",
    "draw_confusion_change",
    "draw_confusions",
    "draw_curves",
    "draw_deviations",
    "draw_forest",
    "draw_mosaic",
    "draw_roc",
    "draw_scatter",
    "draw_spectrum",
    "draw_tiers",
    "eigenvalue_spectrum",
    "forest",
    "mosaic",
    "places",
    "plots",
    "profile_curves",
    "roc_curves",
    "scatter",
    "spectrum",
    "tiers",
    "trace_spectrum",
]
