"""Scatter of two models' losses: below the diagonal the first is worse, above it the second."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tiebreak._format import counted, number, percent
from tiebreak.errors import NotDefined
from tiebreak.views.figures.style import COLOURS, INK, MUTED, cell, frame, heat, level, put, short, tip, words
from tiebreak.views.grid import Cell, Grid, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = npt.NDArray[np.float64]
# Up to so many instances each is a dot; of more, squares tell by their area how many they hold.
DOTS, SQUARES = 1500, 36


@dataclass(frozen=True, slots=True, eq=False)
class Scatter:
    """Two models' losses on the same instances.

    Attributes
    ----------
    primary, alternative : the models
    x, y : losses of the primary and of the alternative: of every instance, or the middles of squares
    counts : how many instances stand at each place
    lower, higher, equal : on how many the primary's number is the lower, the higher, the same
    left_out : how many have no finite number for one of the two
    word : what the numbers are
    lower_is_better : whether they are losses
    """

    primary: str
    alternative: str
    x: Array
    y: Array
    counts: npt.NDArray[np.int64]
    lower: int
    higher: int
    equal: int
    left_out: int = 0
    word: str = "loss"
    lower_is_better: bool = True

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (5.2, 4.8)

    @property
    def n(self) -> int:
        """How many instances are drawn."""
        return self.lower + self.higher + self.equal

    def grid(self) -> Grid:
        """Return who is better how often as a table."""
        a, b = label(self.primary), label(self.alternative)
        first, second = (a, b) if self.lower_is_better else (b, a)
        parts = ((f"{first} better", self.lower), (f"{second} better", self.higher), ("equal", self.equal))
        rows = tuple((name, Cell(counted(k), k), Cell(percent(k / self.n), k / self.n)) for name, k in parts)
        return Grid(f"{a} against {b}", ("", "instances", "share"), rows)


def scatter(
    primary: str,
    alternative: str,
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    word: str = "loss",
    lower_is_better: bool = True,
) -> Scatter:
    """Return what the scatter of two models shows; `word` says what their numbers are.

    Examples
    --------
    >>> scatter("a", "b", [0.1, 0.4], [0.2, 0.4]).lower
    1
    """
    one, two = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    finite = np.isfinite(one) & np.isfinite(two)
    if not finite.any():
        raise NotDefined("no instance has a finite number for both models: there is nothing to draw")
    lost, one, two = int((~finite).sum()), one[finite], two[finite]
    lower, higher = int((one < two).sum()), int((one > two).sum())
    told = (lower, higher, len(one) - lower - higher, lost, word, lower_is_better)
    if len(one) <= DOTS:
        return Scatter(primary, alternative, one, two, np.ones(len(one), dtype=np.int64), *told)
    ends = float(min(one.min(), two.min())), float(max(one.max(), two.max()))
    heights, edges, _ = np.histogram2d(one, two, bins=SQUARES, range=(ends, ends))
    middles = (edges[1:] + edges[:-1]) / 2
    places = np.nonzero(heights)
    return Scatter(
        primary, alternative, middles[places[0]], middles[places[1]], heights[places].astype(np.int64), *told
    )


def draw_scatter(data: Scatter, ax: Axes) -> Axes:
    """Draw dots, or squares by how many they hold, and the diagonal on which the two are equal."""
    low = float(min(data.x.min(), data.y.min()))
    high = float(max(data.x.max(), data.y.max()))
    high = high if high > low else low + 1.0
    room = 0.04 * (high - low)
    dots = bool((data.counts == 1).all())
    if dots:
        cloud = ax.scatter(data.x, data.y, s=12.0, color=COLOURS[0], alpha=0.5, linewidths=0)
        tip(cloud, f"{counted(data.n, 'instance')}, {counted(data.equal)} equal")
    else:
        _squares(data, ax)
    ax.plot([low, high], [low, high], color=INK, linewidth=0.9)
    a, b = short(data.primary, 18), short(data.alternative, 18)
    above, below = (a, b) if data.lower_is_better else (b, a)
    counts = f"above the line {above} is better: {counted(data.lower)}; below {below}: {counted(data.higher)}"
    put(ax, 0, 1.03, counts, transform=ax.transAxes, ha="left", va="bottom", color=MUTED)
    ax.set_xlim(low - room, high + room)
    ax.set_ylim(low - room, high + room)
    ax.set_aspect("equal")
    frame(ax, "bottom", "left")
    left_out = f" ({counted(data.left_out)} without a number)" if data.left_out else ""
    words(ax, f"{data.word} of {a}, up to {number(high)}{left_out}", f"{data.word} of {b}")
    return ax


def _squares(data: Scatter, ax: Axes) -> None:
    side = float(np.diff(np.unique(np.concatenate([data.x, data.y]))).min())
    shades = np.log1p(data.counts) / np.log1p(data.counts.max())
    for x, y, count, shade in zip(data.x.tolist(), data.y.tolist(), data.counts.tolist(), shades.tolist(), strict=True):
        tip(cell(ax, x, y, heat(level(shade)), (side, side), linewidth=0), counted(count, "instance"))
