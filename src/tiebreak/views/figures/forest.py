"""Forest of paired differences: every difference with its interval, settled or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak._format import number, point_ends, points
from tiebreak.comparison import Comparison, Gate, Pair, listed_pairs
from tiebreak.comparison.verdict import interval_words
from tiebreak.views.figures.style import (
    COLOURS,
    INK,
    MUTED,
    PAPER,
    RULE,
    SMALL,
    frame,
    legend,
    put,
    short,
    ticks,
    tip,
    words,
)  # fmt: skip
from tiebreak.views.grid import Cell, Grid, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Up to this many models every pair has a row; above, those with the leader.
_ALL_PAIRS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One difference, the better model first.

    Attributes
    ----------
    primary, alternative : the models
    value, low, high : the difference and its interval, NaN where it has none
    settled : whether the adjusted p-value is below one minus the level
    """

    primary: str
    alternative: str
    value: float
    low: float
    high: float
    settled: bool


@dataclass(frozen=True, slots=True)
class Forest:
    """Differences with their intervals.

    Attributes
    ----------
    rows : one a pair
    level : of the intervals
    shares : whether the differences are of shares, shown in percentage points
    margin : the largest loss that does not matter, where a gate decides
    """

    rows: tuple[Row, ...]
    level: float
    shares: bool = True
    margin: float | None = None

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (7.4, min(14.0, 1.3 + 0.27 * len(self.rows)))

    def text(self, row: Row) -> str:
        """Return one difference in words."""
        if self.shares:
            return f"{points(row.value, plus=True)} pp ({point_ends(row.low, row.high)})"
        return f"{number(row.value, plus=True)} ({number(row.low, plus=True)} to {number(row.high, plus=True)})"

    def grid(self) -> Grid:
        """Return the differences as a table."""
        rows = tuple(
            (
                label(row.primary),
                label(row.alternative),
                Cell(points(row.value, plus=True) if self.shares else number(row.value, plus=True), row.value),
                Cell(points(row.low, plus=True) if self.shares else number(row.low, plus=True), row.low),
                Cell(points(row.high, plus=True) if self.shares else number(row.high, plus=True), row.high),
                "yes" if row.settled else "no",
            )
            for row in self.rows
        )
        header = ("better", "against", "difference", "low", "high", "settled")
        return Grid(f"Differences with {interval_words(self.level)}s", header, rows, "llrrrl")


def forest(comparison: Comparison, against: str | None = None, pairs: Sequence[Pair] | None = None) -> Forest:
    """Return what the forest of a comparison shows.

    Parameters
    ----------
    comparison : the comparison
    against : draw the differences with this model only; by default all pairs of up to five models, of more those with
        the leader, and with a baseline those with it
    pairs : all pairs, if they are at hand
    """
    place = {model.name: rank for rank, model in enumerate(comparison.ranked)}
    if against is not None:
        comparison.model(against)
    elif len(place) > _ALL_PAIRS and comparison.settings.baseline is None:
        against = comparison.leader.name
    found = [
        pair
        for pair in (listed_pairs(comparison, all_pairs=True) if pairs is None else pairs)
        if place[pair.primary] < place[pair.alternative] and against in {None, pair.primary, pair.alternative}
    ]
    found.sort(key=lambda pair: (place[pair.primary], place[pair.alternative]))
    rows = tuple(_row(pair, 1 - comparison.level) for pair in found)
    return Forest(rows, comparison.level, shares=found[0].matrix is not None)


def forest_of_pair(pair: Pair) -> Forest:
    """Return what the forest of one head-to-head shows."""
    level = pair.difference.interval.level
    return Forest((_row(pair, 1 - level),), level, shares=pair.matrix is not None)


def forest_of_gate(gate: Gate) -> Forest:
    """Return what the forest of a gate shows: the candidate's difference, and the margin."""
    alone = forest_of_pair(gate.pair)
    return Forest(alone.rows, alone.level, alone.shares, gate.margin)


def _row(pair: Pair, alpha: float) -> Row:
    p = pair.p_value if pair.p_value_adjusted != pair.p_value_adjusted else pair.p_value_adjusted
    d = pair.difference
    return Row(pair.primary, pair.alternative, float(d), d.low, d.high, settled=p < alpha)


def draw_forest(data: Forest, ax: Axes) -> Axes:
    """Draw one line a pair: filled where the difference is settled, hollow where it is not."""
    unit = 100.0 if data.shares else 1.0
    sample: dict[bool, object] = {}
    for y, row in enumerate(data.rows):
        colour = COLOURS[0] if row.settled else MUTED
        if row.low == row.low:
            ax.plot([unit * row.low, unit * row.high], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt",
                    linestyle="-" if row.settled else (0, (4, 1.5)))  # fmt: skip
        (mark,) = ax.plot([unit * row.value], [y], marker="s", markersize=5.5, color=colour, linestyle="",
                          markerfacecolor=colour if row.settled else PAPER)  # fmt: skip
        tip(mark, f"{short(row.primary)} − {short(row.alternative)}: {data.text(row)}")
        sample.setdefault(row.settled, mark)
        put(ax, 1.02, y, data.text(row), ha="left", transform=ax.get_yaxis_transform(), fontsize=SMALL)
    ax.axvline(0, color=INK, linewidth=0.8)
    if data.margin is not None:
        ax.axvline(-unit * data.margin, color=COLOURS[3], linewidth=1.1, linestyle=(0, (4, 2)))
        put(ax, -unit * data.margin, -0.62, "−margin", fontsize=SMALL, color=COLOURS[3], va="bottom")
    frame(ax, "bottom")
    names = [f"{short(row.primary, 20)} − {short(row.alternative, 20)}" for row in data.rows]
    ticks(ax, "y", range(len(names)), names, fontsize=SMALL + 0.5)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(names) - 0.4, -0.7)
    for y in range(len(names)):
        ax.axhline(y, color=RULE, linewidth=0.4, zorder=0)
    words(ax, "difference in percentage points" if data.shares else "difference")
    said = {True: "settled", False: "not settled"}
    legend(ax, [(sample[key], said[key]) for key in (True, False) if key in sample], loc="lower left", ncols=2,
           bbox_to_anchor=(0, 1.0), borderpad=0, borderaxespad=0.2)  # fmt: skip
    return ax
