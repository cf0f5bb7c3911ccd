"""Forest of paired differences: every difference with its interval, settled or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiebreak.comparison import KINDS, Comparison, Gate, Kind, Pair, listed_pairs
from tiebreak.comparison.verdict import interval_words
from tiebreak.inference import Estimate
from tiebreak.views.cells import difference_words
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
    difference : with its interval, NaN where it has none
    settled : whether the adjusted p-value is below one minus the level
    name : of the place, where the same two models are compared in several
    """

    primary: str
    alternative: str
    difference: Estimate
    settled: bool
    name: str = ""

    @property
    def written(self) -> str:
        """The name of the line."""
        return self.name or f"{short(self.primary, 20)} − {short(self.alternative, 20)}"

    @property
    def value(self) -> float:
        """The difference."""
        return float(self.difference)

    @property
    def low(self) -> float:
        """The lower end of its interval."""
        return self.difference.low

    @property
    def high(self) -> float:
        """The upper end of its interval."""
        return self.difference.high


@dataclass(frozen=True, slots=True)
class Forest:
    """Differences with their intervals.

    Attributes
    ----------
    rows : one a pair
    level : of the intervals
    kind : how the task speaks of differences
    margin : the largest loss that does not matter, where a gate decides
    left_out : how many places are not drawn
    """

    rows: tuple[Row, ...]
    level: float
    kind: Kind = KINDS["classification"]
    margin: float | None = None
    left_out: int = 0

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (7.4, min(14.0, 1.3 + 0.27 * len(self.rows)))

    def text(self, row: Row) -> str:
        """Return one difference in words."""
        said = self.kind.said(row.difference)
        return said if row.low != row.low else f"{said} ({self.kind.ends(row.difference)})"

    def grid(self) -> Grid:
        """Return the differences as a table."""
        placed = bool(self.rows[0].name)
        rows = tuple(
            (
                *((label(row.name),) if placed else ()),
                label(row.primary),
                label(row.alternative),
                *(Cell("–" if end != end else self.kind.said(end), end) for end in (row.value, row.low, row.high)),
                "yes" if row.settled else "no",
            )
            for row in self.rows
        )
        names = ("place", "model", "against") if placed else ("better", "against")
        header = (*names, "difference", "low", "high", "settled")
        return Grid(f"Differences with {interval_words(self.level)}s", header, rows, "l" * len(names) + "rrrl")


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
    return Forest(rows, comparison.level, comparison.kind)


def forest_of_pair(pair: Pair) -> Forest:
    """Return what the forest of one head-to-head shows."""
    level = pair.difference.interval.level
    return Forest((_row(pair, 1 - level),), level, pair.kind)


def forest_of_gate(gate: Gate) -> Forest:
    """Return what the forest of a gate shows: the candidate's difference, and the margin."""
    alone = forest_of_pair(gate.pair)
    return Forest(alone.rows, alone.level, alone.kind, gate.margin)


def _row(pair: Pair, alpha: float) -> Row:
    p = pair.p_value if pair.p_value_adjusted != pair.p_value_adjusted else pair.p_value_adjusted
    return Row(pair.primary, pair.alternative, pair.difference, settled=p < alpha)


def draw_forest(data: Forest, ax: Axes) -> Axes:
    """Draw one line a pair: filled where the difference is settled, hollow where it is not."""
    unit = 100.0 if data.kind.unit == "points" else 1.0
    sample: dict[bool, object] = {}
    for y, row in enumerate(data.rows):
        colour = COLOURS[0] if row.settled else MUTED
        if row.low == row.low:
            ax.plot([unit * row.low, unit * row.high], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt",
                    linestyle="-" if row.settled else (0, (4, 1.5)))  # fmt: skip
        (mark,) = ax.plot([unit * row.value], [y], marker="s", markersize=5.5, color=colour, linestyle="",
                          markerfacecolor=colour if row.settled else PAPER)  # fmt: skip
        tip(mark, f"{row.written}: {data.text(row)}")
        sample.setdefault(row.settled, mark)
        put(ax, 1.02, y, data.text(row), ha="left", transform=ax.get_yaxis_transform(), fontsize=SMALL)
    ax.axvline(0, color=INK, linewidth=0.8)
    if data.margin is not None:
        ax.axvline(-unit * data.margin, color=COLOURS[3], linewidth=1.1, linestyle=(0, (4, 2)))
        put(ax, -unit * data.margin, -0.62, "−margin", fontsize=SMALL, color=COLOURS[3], va="bottom")
    frame(ax, "bottom")
    names = [row.written for row in data.rows]
    ticks(ax, "y", range(len(names)), names, fontsize=SMALL + 0.5)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(names) - 0.4, -0.7)
    for y in range(len(names)):
        ax.axhline(y, color=RULE, linewidth=0.4, zorder=0)
    fewer = f"; the {len(names)} clearest places" if data.left_out else ""
    words(ax, difference_words(data.kind) + fewer)
    said = {True: "settled", False: "not settled"}
    legend(ax, [(sample[key], said[key]) for key in (True, False) if key in sample], loc="lower left", ncols=2,
           bbox_to_anchor=(0, 1.0), borderpad=0, borderaxespad=0.2)  # fmt: skip
    return ax
