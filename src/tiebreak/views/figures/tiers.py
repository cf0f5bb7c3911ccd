"""Tiers, as a critical-difference diagram from instances: scores with intervals, bars over what is not separable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tiebreak._format import measure, number, percent
from tiebreak.comparison import KINDS, Comparison, Kind, Numbered
from tiebreak.errors import NotDefined
from tiebreak.views.cells import said_score, score_words
from tiebreak.views.figures.style import (
    COLOURS,
    INK,
    MARKERS,
    MUTED,
    RULE,
    SMALL,
    frame,
    put,
    short,
    ticks,
    tip,
    words,
)  # fmt: skip
from tiebreak.views.grid import Cell, Grid, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class Standing:
    """One model's line: its name, score, interval and tier (None where only a baseline is compared)."""

    model: str
    score: float
    low: float
    high: float
    tier: int | None


@dataclass(frozen=True, slots=True)
class Tiers:
    """The models from the best to the worst, and which runs of them are not separable.

    Attributes
    ----------
    models : one line a model
    bars : (first, last) of every longest run of neighbours no two of which differ significantly
    level : of the intervals, and of the test
    kind : how the task speaks of scores
    lower_is_better : whether scores are losses or costs, shown as they are
    """

    models: tuple[Standing, ...]
    bars: tuple[tuple[int, int], ...]
    level: float
    kind: Kind = KINDS["classification"]
    lower_is_better: bool = False

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (7.4, min(14.0, 1.2 + 0.27 * len(self.models)))

    def text(self, value: float) -> str:
        """Return a score in words."""
        if self.kind.unit == "points":
            return percent(value)
        return measure(value) if self.kind.unit == "share" else number(value)

    def grid(self) -> Grid:
        """Return the lines as a table, with the bars that each is part of."""
        rows = tuple(
            (
                label(each.model),
                *(Cell(self.text(value), value) for value in (each.score, each.low, each.high)),
                "–" if each.tier is None else str(each.tier),
                ", ".join(str(k + 1) for k, (first, last) in enumerate(self.bars) if first <= place <= last) or "–",
            )
            for place, each in enumerate(self.models)
        )
        return Grid("Tiers", ("model", "score", "low", "high", "tier", "bars"), rows)


def runs(separable: npt.NDArray[np.bool_]) -> tuple[tuple[int, int], ...]:
    """Return every longest run of at least two neighbours of which no two are separable.

    Examples
    --------
    >>> runs(np.array([[False, False, True], [False, False, False], [True, False, False]]))
    ((0, 1), (1, 2))
    """
    size, found, reached = len(separable), list[tuple[int, int]](), 0
    for first in range(size):
        last = first
        while last + 1 < size and not separable[first : last + 1, last + 1].any():
            last += 1
        if last > first and last > reached:
            found.append((first, last))
            reached = last
    return tuple(found)


def separable(comparison: Comparison) -> npt.NDArray[np.bool_]:
    """Return which models, the best first, differ significantly (M × M).

    Examples
    --------
    >>> import tiebreak as tb
    >>> separable(tb.compare(["a"] * 9, {"p": ["a"] * 9, "q": ["b"] * 9})).tolist()
    [[False, True], [True, False]]
    """
    if comparison.settings.baseline is not None:
        raise NotDefined("tiers are of all pairs, and here only the baseline was compared: leave baseline out")
    ranked = comparison.ranked
    at = [comparison.names.index(model.name) for model in ranked]
    adjusted = np.stack([comparison.pairs.adjusted_against(model.name)[at] for model in ranked])
    differ = adjusted < 1 - comparison.level
    # A document of many models knows the pairs with the leader only; a pair is known from either side.
    return np.asarray(differ | differ.T)


def tiers(comparison: Comparison) -> Tiers:
    """Return what the diagram of a comparison shows.

    Examples
    --------
    >>> import tiebreak as tb
    >>> tiers(tb.compare(["a"] * 9, {"p": ["a"] * 9, "q": ["b"] * 9})).bars
    ()
    """
    bars = runs(separable(comparison))
    models = tuple(
        Standing(model.name, float(mean), mean.low, mean.high, model.tier)
        for model, mean in ((model, said_score(model)) for model in comparison.ranked)
    )
    lower = any(isinstance(model, Numbered) and model.lower_is_better for model in comparison.models)
    return Tiers(models, bars, comparison.level, comparison.kind, lower)


def draw_tiers(data: Tiers, ax: Axes) -> Axes:
    """Draw a line a model, marked by its tier; models joined by a bar on the right are not separable."""
    for y, each in enumerate(data.models):
        tier = (each.tier or 1) - 1
        colour, marker = COLOURS[tier % len(COLOURS)], MARKERS[tier % len(MARKERS)]
        ax.plot([each.low, each.high], [y, y], color=colour, linewidth=1.4, alpha=0.7, solid_capstyle="butt")
        (mark,) = ax.plot([each.score], [y], marker=marker, markersize=6, color=colour, linestyle="")
        said = "" if each.tier is None else f", tier {each.tier}"
        tip(mark, f"{short(each.model)}: {data.text(each.score)} "
                  f"({data.text(each.low)} to {data.text(each.high)}){said}")  # fmt: skip
        put(ax, 1.02, y, f"{data.text(each.score)}{said and f'  ·  {each.tier}'}", ha="left",
            transform=ax.get_yaxis_transform(), fontsize=SMALL + 0.5)  # fmt: skip
        ax.axhline(y, color=RULE, linewidth=0.4, zorder=0)
    step = min(0.025, 0.35 / max(1, len(data.bars)))
    for k, (first, last) in enumerate(data.bars):
        x = 1.25 + step * k
        ax.plot([x, x], [first - 0.25, last + 0.25], color=INK, linewidth=min(3.2, 130 * step), clip_on=False,
                transform=ax.get_yaxis_transform(), solid_capstyle="butt")  # fmt: skip
    names = [short(each.model) for each in data.models]
    frame(ax, "bottom")
    ticks(ax, "y", range(len(names)), names)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(names) - 0.4, -0.9)
    put(ax, 1.02, -0.75, "score  ·  tier" + (",  bar: not separable" if data.bars else ""), ha="left", color=MUTED,
        transform=ax.get_yaxis_transform(), fontsize=SMALL)  # fmt: skip
    if data.kind.unit == "points":
        _percent_axis(ax)
    words(ax, score_words(data.kind) + (", lower is better" if data.lower_is_better else ""))
    return ax


def _percent_axis(ax: Axes) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator(6))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.4g} %"))
