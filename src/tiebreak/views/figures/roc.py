"""ROC curves: how many positives are found for how many false alarms, whatever the threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiebreak._format import measure
from tiebreak.errors import NotDefined
from tiebreak.views.figures.style import COLOURS, INK, LINES, MARKERS, RULE, frame, legend, short, tip, words
from tiebreak.views.grid import Cell, Grid, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = npt.NDArray[np.float64]
# So many curves are told apart by colour, stroke and marker; the others are thin and grey.
MOST = 7
# Of more thresholds so many are drawn, closer than an eye can tell.
_POINTS, _MARKS = 240, 8


@dataclass(frozen=True, slots=True, eq=False)
class RocCurves:
    """Curves of some models, the largest area first.

    Attributes
    ----------
    models : their names
    alarms, hits : per model, the shares of negatives and of positives at or above each threshold
    areas : under the curves
    positive : the class that is found, against all others
    """

    models: tuple[str, ...]
    alarms: tuple[Array, ...]
    hits: tuple[Array, ...]
    areas: tuple[float, ...]
    positive: str

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (5.2, 4.8)

    def grid(self) -> Grid:
        """Return the areas, and what is found at some shares of false alarms, as a table."""
        at = (0.01, 0.05, 0.1, 0.2, 0.5)
        rows = []
        for name, alarms, hits, area in zip(self.models, self.alarms, self.hits, self.areas, strict=True):
            found = np.interp(at, alarms, hits).tolist()
            rows.append((label(name), Cell(measure(area), area), *(Cell(measure(share, 3), share) for share in found)))
        header = ("model", "area", *(f"found at {share:g} alarms" for share in at))
        return Grid(f"ROC curves of {label(self.positive)}", header, tuple(rows))


def roc_curves(
    models: Sequence[str],
    alarms: Sequence[npt.ArrayLike],
    hits: Sequence[npt.ArrayLike],
    areas: Sequence[float],
    positive: str,
) -> RocCurves:
    """Return what a figure of ROC curves shows.

    Examples
    --------
    >>> roc_curves(["a", "b"], [[0, 1], [0, 0, 1]], [[0, 1], [0, 1, 1]], [0.5, 1.0], "yes").models
    ('b', 'a')
    """
    if not any(area == area for area in areas):
        raise NotDefined("a ROC curve needs instances of the class and of others")
    order = sorted(range(len(models)), key=lambda k: (-areas[k], k))
    pairs = [_thinned(np.asarray(alarms[k], dtype=np.float64), np.asarray(hits[k], dtype=np.float64)) for k in order]
    drawn = tuple(x for x, _ in pairs), tuple(y for _, y in pairs)
    return RocCurves(tuple(models[k] for k in order), *drawn, tuple(areas[k] for k in order), positive)


def _thinned(alarms: Array, hits: Array) -> tuple[Array, Array]:
    """Keep points at even steps along the curve."""
    if len(alarms) <= _POINTS:
        return alarms, hits
    along = alarms + hits
    places = np.unique(np.searchsorted(along, np.linspace(0.0, along[-1], _POINTS)).clip(0, len(along) - 1))
    return alarms[places], hits[places]


def draw_roc(data: RocCurves, ax: Axes) -> Axes:
    """Draw the curves and the diagonal of scores that say nothing."""
    ax.plot([0, 1], [0, 1], color=INK, linewidth=0.8, linestyle=(0, (2, 2)))
    marks: list[tuple[Any, str]] = []
    for k in reversed(range(len(data.models))):
        x, y = data.alarms[k], data.hits[k]
        if k >= MOST:
            ax.plot(x, y, color=RULE, linewidth=0.8, zorder=1)
            continue
        (line,) = ax.plot(x, y, color=COLOURS[k], linewidth=1.6, linestyle=LINES[k % len(LINES)], marker=MARKERS[k],
                          markersize=4.5, markevery=max(1, len(x) // _MARKS), zorder=3)  # fmt: skip
        area = measure(data.areas[k], 3)
        tip(line, f"{short(data.models[k])}: area {area}")
        marks.append((line, f"{short(data.models[k])}  {area}"))
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.02, 1.02)
    ax.set_aspect("equal")
    frame(ax, "bottom", "left")
    words(ax, "false alarms: share of all others", f"found: share of {short(data.positive)}")
    legend(ax, marks[::-1])
    return ax
