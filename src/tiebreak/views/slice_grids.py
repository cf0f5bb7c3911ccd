"""The grids of parts of the data: slices, test sets, and the total over test sets."""

from __future__ import annotations

from tiebreak._format import counted
from tiebreak.comparison import KINDS
from tiebreak.comparison.strata import Stratified
from tiebreak.comparison.verdict import interval_words
from tiebreak.inference import Slice, SliceTable
from tiebreak.views.cells import certainty_cell, count_cell, p_cell
from tiebreak.views.grid import Cell, Grid, label

# Slices of which a terminal shows both ends.
MOST_SLICES = 30
# Slices and test sets are of answers that are right or wrong: their differences are of accuracies.
_KIND = KINDS["classification"]


def slices_grid(table: SliceTable, most: int = MOST_SLICES) -> Grid:
    """Return one row a slice, those in which the first model is furthest ahead first; of many those at both ends."""
    ranked = table.ranked()
    shown = ranked if len(ranked) <= most else [*ranked[: most // 2], *ranked[-most // 2 :]]
    title = f"Slices, {label(table.primary)} against {label(table.alternative)}"
    if len(shown) < len(ranked):
        title += f" (the {counted(len(shown))} at both ends of {counted(len(ranked))}; --json has all)"
    rows = tuple(_row(each, table.level) for each in shown)
    return Grid(title, _header(table.level), rows, "ll" + "r" * 7 + "l")


def _header(level: float) -> tuple[str, ...]:
    cells = ("instances", "right/wrong", "wrong/right", "difference", interval_words(level), "P(better)", "adjusted p")
    return ("column", "value", *cells, "better")


def _row(each: Slice, level: float) -> tuple[str, ...]:
    return (
        *(label(each.column), _value(each.value)),
        *(count_cell(each.n), count_cell(each.prayatul.right_wrong), count_cell(each.prayatul.wrong_right)),
        Cell(_KIND.said(each.difference), float(each.difference)),
        _KIND.ends(each.difference),
        certainty_cell(each.p_better),
        p_cell(each.p_value_adjusted, level),
        "open" if each.better is None else label(each.better),
    )


def _value(value: object) -> str:
    return " × ".join(label(part) for part in value) if isinstance(value, tuple) else label(value)


def strata_grid(strata: Stratified, level: float, leader: str | None = None) -> Grid:
    """Return every pair on every test set; with a `leader` its pairs only."""
    rows = tuple(
        (f"{label(table.primary)} against {label(table.alternative)}", *_row(each, level)[1:])
        for table in strata.tables
        if leader in {None, table.primary, table.alternative}
        for each in table
    )
    return Grid(_of("Test sets", leader), ("pair", *_header(level)[1:]), rows, "ll" + "r" * 7 + "l")


def _of(title: str, leader: str | None) -> str:
    return title if leader is None else f"{title}, pairs with {label(leader)}"


def totals_grid(strata: Stratified, level: float, leader: str | None = None) -> Grid:
    """Return every pair over all test sets, each of which counts alike; with a `leader` its pairs only."""
    header = ("model", "against", "difference", interval_words(level), "P(better)", "p")
    rows = tuple(
        (
            *(label(total.primary), label(total.alternative)),
            Cell(_KIND.said(total.difference), float(total.difference)),
            _KIND.ends(total.difference),
            certainty_cell(total.p_better),
            p_cell(total.p_value, level),
        )
        for total in strata.totals
        if leader in {None, total.primary, total.alternative}
    )
    return Grid(_of("Stratified total", leader), header, rows, "llrrrr")
