"""The figures of every kind of result, under the names that users type after `.plot`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from tiebreak.comparison import (
    Agreements,
    Comparison,
    ConfusionDifference,
    ConfusionMatrix,
    Gate,
    Pair,
    PrayatulMatrix,
)  # fmt: skip
from tiebreak.errors import NotDefined
from tiebreak.inference import EigenvalueDistribution, PlaceDifferences, SliceTable, TraceDifference, TraceDistribution
from tiebreak.profiles import PerformanceProfile
from tiebreak.views.figures import collect
from tiebreak.views.figures.agreement import Agreement, draw_agreement
from tiebreak.views.figures.classes import Boxes, ByClass, by_class, draw_boxes, draw_by_class
from tiebreak.views.figures.confusion import (
    ConfusionChange,
    Confusions,
    confusion_change,
    confusions,
    draw_confusion_change,
    draw_confusions,
)  # fmt: skip
from tiebreak.views.figures.deviations import Deviations, deviations, draw_deviations
from tiebreak.views.figures.figure import Figure
from tiebreak.views.figures.forest import Forest, draw_forest, forest, forest_of_gate, forest_of_pair
from tiebreak.views.figures.losses import Scatter, draw_scatter
from tiebreak.views.figures.mosaic import Mosaic, draw_mosaic, mosaic
from tiebreak.views.figures.places import places
from tiebreak.views.figures.profile import Curves, draw_curves, profile_curves
from tiebreak.views.figures.roc import RocCurves, draw_roc
from tiebreak.views.figures.spectrum import Spectrum, draw_spectrum, eigenvalue_spectrum, trace_spectrum
from tiebreak.views.figures.tiers import Tiers, draw_tiers, tiers

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Plots:
    """The figures of one result. Every figure draws when it is called, and says with `data()` what it would draw."""

    first: ClassVar[str]

    def __init__(self, result: Any) -> None:
        self._result = result

    def __call__(self, *arguments: Any, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the first figure."""
        made: Axes = getattr(self, self.first)(*arguments, ax=ax, **options)
        return made

    def data(self, *arguments: Any, **options: Any) -> Any:
        """Return what the first figure would draw."""
        return getattr(self, self.first).data(*arguments, **options)

    @property
    def names(self) -> tuple[str, ...]:
        """The figures there are, the first in front."""
        found = (name for name, member in vars(type(self)).items() if isinstance(member, property))
        return tuple(sorted(found, key=lambda name: (name != self.first, name)))

    def __repr__(self) -> str:
        return f"<figures of a {type(self._result).__name__}: {', '.join(self.names)}>"

    def __getattr__(self, name: str) -> Figure[Any]:
        raise AttributeError(f"a {type(self._result).__name__} has no figure {name!r}: it has {', '.join(self.names)}")

    def _of(self, gather: Callable[..., Any], draw: Callable[..., Axes]) -> Figure[Any]:
        return Figure(partial(gather, self._result), draw)


class ComparisonPlots(Plots):
    """The figures of a comparison.

    Examples
    --------
    >>> import tiebreak as tb
    >>> comparison = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")})
    >>> comparison.plot.differences.data().rows[0].primary
    'q'
    """

    first = "tiers"

    @property
    def tiers(self) -> Figure[Tiers]:
        """Scores with intervals; a bar joins models that are not separable (a critical-difference diagram)."""
        return self._of(tiers, draw_tiers)

    @property
    def differences(self) -> Figure[Forest]:
        """Forest of paired differences; `against=` one model only."""
        return self._of(forest, draw_forest)

    @property
    def deviations(self) -> Figure[Deviations]:
        """All against all: comparative deviation, pairs that are not settled greyed."""
        return self._of(deviations, draw_deviations)

    @property
    def prayatul(self) -> Figure[Mosaic]:
        """Mosaic of the Prayatul matrix of two models, by default of those that the verdict speaks of."""
        return self._of(_mosaic_of_two, draw_mosaic)

    @property
    def confusion(self) -> Figure[Confusions]:
        """Confusion matrices of up to four models side by side on one colour range."""
        return self._of(collect.confusion_data, draw_confusions)

    @property
    def confusion_difference(self) -> Figure[ConfusionChange]:
        """The confusion matrix of one model minus that of another."""
        return self._of(collect.change_data, draw_confusion_change)

    @property
    def r_prime(self) -> Figure[ByClass]:
        """R′ by class, as bars or, with `kind="radar"`, as a radar."""
        return self._of(collect.r_prime_data, draw_by_class)

    @property
    def r_prime_boxes(self) -> Figure[Boxes]:
        """R′ by class: a box plot over the models for every class."""
        return self._of(collect.box_data, draw_boxes)

    @property
    def profile(self) -> Figure[Curves]:
        """Performance profiles on a log axis, with bands."""
        return self._of(collect.profile_data, draw_curves)

    @property
    def roc(self) -> Figure[RocCurves]:
        """ROC curves of class probabilities; of several classes `label=` names the one that is found."""
        return self._of(collect.roc_data, draw_roc)

    @property
    def losses(self) -> Figure[Scatter]:
        """Scatter of two models' losses or scores."""
        return self._of(collect.loss_data, draw_scatter)

    @property
    def agreement(self) -> Figure[Agreement]:
        """Agreement of clusterings with each other and with the truth."""
        return self._of(collect.agreement_data, draw_agreement)

    @property
    def spectrum(self) -> Figure[Spectrum]:
        """Densities of the trace, or with `of="eigenvalues"` of the eigenvalues, of confusion matrices."""
        return self._of(collect.spectrum_data, draw_spectrum)


def _mosaic_of_two(comparison: Comparison, *models: str) -> Mosaic:
    return _mosaic_of_pair(comparison.pair(*collect.two(comparison, models)))


def _mosaic_of_pair(pair: Pair) -> Mosaic:
    return mosaic(pair.prayatul, pair.kind.things)


class PrayatulPlots(Plots):
    """The figure of a Prayatul matrix."""

    first = "prayatul"

    @property
    def prayatul(self) -> Figure[Mosaic]:
        """Mosaic whose areas are the counts."""
        return self._of(mosaic, draw_mosaic)


class PairPlots(Plots):
    """The figures of one head-to-head."""

    first = "prayatul"

    @property
    def prayatul(self) -> Figure[Mosaic]:
        """Mosaic whose areas are the counts."""
        return self._of(_mosaic_of_pair, draw_mosaic)

    @property
    def differences(self) -> Figure[Forest]:
        """The difference with its interval."""
        return self._of(forest_of_pair, draw_forest)


class GatePlots(Plots):
    """The figures of a gate."""

    first = "differences"

    @property
    def differences(self) -> Figure[Forest]:
        """The candidate's difference with its interval, and the margin."""
        return self._of(forest_of_gate, draw_forest)

    @property
    def prayatul(self) -> Figure[Mosaic]:
        """Mosaic whose areas are the counts, seen from the candidate."""
        return self._of(lambda gate: _mosaic_of_pair(gate.pair), draw_mosaic)


class LawPlots(Plots):
    """The figure of the law of a trace, of a difference of traces, or of eigenvalues."""

    first = "spectrum"

    @property
    def spectrum(self) -> Figure[Spectrum]:
        """Its density or, with `curve="cdf"`, its distribution function."""
        if isinstance(self._result, EigenvalueDistribution):
            return self._of(eigenvalue_spectrum, draw_spectrum)
        return self._of(lambda law, curve="pdf": trace_spectrum({law.method: law}, curve=curve), draw_spectrum)


class ConfusionPlots(Plots):
    """The figures of one confusion matrix."""

    first = "confusion"

    @property
    def confusion(self) -> Figure[Confusions]:
        """The matrix, every cell shaded by its share of the true class."""
        return self._of(lambda m: confusions(["predictions"], m.labels, [m]), draw_confusions)

    @property
    def r_prime(self) -> Figure[ByClass]:
        """R′ by class, as bars or, with `kind="radar"`, as a radar."""
        return self._of(lambda m, kind="bars": by_class(["R′"], m.labels, [m.r_prime()], kind=kind), draw_by_class)


class ChangePlots(Plots):
    """The figure of the difference of two confusion matrices."""

    first = "confusion_difference"

    @property
    def confusion_difference(self) -> Figure[ConfusionChange]:
        """The changes, cell by cell."""
        return self._of(
            lambda change: confusion_change("first", "second", change.labels, change), draw_confusion_change
        )


class PlacePlots(Plots):
    """The figure of two models by class, by cell or by slice."""

    first = "differences"

    @property
    def differences(self) -> Figure[Forest]:
        """The differences with their intervals, those that are clearest in front."""
        return self._of(places, draw_forest)


class ProfilePlots(Plots):
    """The figure of a performance profile."""

    first = "profile"

    @property
    def profile(self) -> Figure[Curves]:
        """The profiles on a log axis, with bands."""
        return self._of(profile_curves, draw_curves)


class AgreementPlots(Plots):
    """The figure of clusterings without a truth."""

    first = "agreement"

    @property
    def agreement(self) -> Figure[Agreement]:
        """How much every two of them agree."""
        return self._of(collect.agreements_data, draw_agreement)


_KINDS: tuple[tuple[tuple[type, ...], type[Plots]], ...] = (
    ((Comparison,), ComparisonPlots),
    ((PrayatulMatrix,), PrayatulPlots),
    ((Pair,), PairPlots),
    ((Gate,), GatePlots),
    ((TraceDistribution, TraceDifference, EigenvalueDistribution), LawPlots),
    ((ConfusionMatrix,), ConfusionPlots),
    ((ConfusionDifference,), ChangePlots),
    ((PlaceDifferences, SliceTable), PlacePlots),
    ((PerformanceProfile,), ProfilePlots),
    ((Agreements,), AgreementPlots),
)


def plots(result: Any) -> Plots:
    """Return the figures of a result.

    Examples
    --------
    >>> import tiebreak as tb
    >>> plots(tb.PrayatulMatrix(30, 9, 4, 7))
    <figures of a PrayatulMatrix: prayatul>
    """
    for kinds, made in _KINDS:
        if isinstance(result, kinds):
            return made(result)
    raise NotDefined(f"nothing draws a {type(result).__name__}: print it, or draw the comparison that it came from")


__all__ = ["ComparisonPlots", "Plots", "plots"]
