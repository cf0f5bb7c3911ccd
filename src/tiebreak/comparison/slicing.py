"""Slices: one comparison for each value of a column, ranked with a correction for the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.entries import estimate_entry, number_entry, plain_label, read_estimate, read_number
from tiebreak.errors import NotDefined
from tiebreak.inference import Slice, SliceTable, slice_table
from tiebreak.sources import Opened, sliced
from tiebreak.tables import CELLS, PrayatulCounts, Tally

By = Sequence[str | tuple[str, str]]
# Up to this many models every pair is sliced; above, the leader against each other model.
MOST_OF_ALL_PAIRS = 5


def with_slices(comparison: Comparison, rows: Opened, by: By, values: Mapping[str, Any] | None = None) -> Comparison:
    """Return a comparison with its pairs compared in every slice; one pass over the rows a column.

    Examples
    --------
    >>> import tiebreak as tb
    >>> data = {"y_true": [1, 0] * 40, "a": [1, 0] * 40, "b": [1, 1, 1, 0] * 20, "site": ["n", "s", "s", "n"] * 20}
    >>> found = tb.compare(data, models=["a", "b"], by=["site"])
    >>> [(each.value, each.better) for each in found.slices[0]]
    [('n', None), ('s', 'a')]
    """
    if not isinstance(comparison.table, Tally):
        raise NotDefined(f"by is of answers that are right or wrong, and the task is {comparison.task}: leave it out")
    tallies = {_name(columns): sliced(rows, columns, values) for columns in by}
    ranked = [model.name for model in comparison.ranked]
    pairs = list(combinations(ranked, 2))
    if len(ranked) > MOST_OF_ALL_PAIRS:
        pairs = [(ranked[0], other) for other in ranked[1:]]
    tables = tuple(slice_table(tallies, *pair, comparison.level) for pair in pairs)
    notes = () if comparison.groups is None else (_GROUPED,)
    return replace(comparison, slices=tables, warnings=(*comparison.warnings, *notes))


_GROUPED = "within slices instances are taken for independent: groups play no part there"


def _name(columns: str | tuple[str, str]) -> str:
    return columns if isinstance(columns, str) else " × ".join(columns)


def slices_entry(tables: Sequence[SliceTable]) -> list[dict[str, Any]]:
    """Return slices in the words of the JSON format: one entry a slice, with all its pairs.

    Examples
    --------
    >>> slices_entry([])
    []
    """
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for table in tables:
        for each in table:
            key = (each.column, repr(each.value))
            entry = found.setdefault(
                key, {"column": each.column, "value": _plain(each.value), "n": each.n, "pairs": []}
            )
            entry["pairs"].append(_pair_entry(table, each))
    return list(found.values())


def _pair_entry(table: SliceTable, each: Slice) -> dict[str, Any]:
    return {
        "primary": table.primary,
        "alternative": table.alternative,
        **{cell: getattr(each.prayatul, cell) for cell in CELLS},
        "difference": estimate_entry(each.difference),
        "p_better": number_entry(each.p_better),
        "p_value": number_entry(each.p_value),
        "p_value_adjusted": number_entry(each.p_value_adjusted),
        "better": each.better,
    }


def _plain(value: object) -> object:
    """A slice's value as JSON knows it; a conjunction is a list."""
    return [plain_label(part) for part in value] if isinstance(value, tuple) else plain_label(value)


def read_slices(entries: Sequence[Mapping[str, Any]], level: float) -> tuple[SliceTable, ...]:
    """Undo `slices_entry`.

    Examples
    --------
    >>> read_slices([], 0.95)
    ()
    """
    found: dict[tuple[str, str], list[Slice]] = {}
    for entry in entries:
        for pair in entry["pairs"]:
            found.setdefault((pair["primary"], pair["alternative"]), []).append(_read_slice(entry, pair, level))
    return tuple(SliceTable(*names, tuple(slices), level) for names, slices in found.items())


def _read_slice(entry: Mapping[str, Any], pair: Mapping[str, Any], level: float) -> Slice:
    value = entry["value"]
    return Slice(
        entry["column"],
        tuple(value) if isinstance(value, list) else value,
        entry["n"],
        PrayatulCounts(pair["both_right"], pair["right_wrong"], pair["wrong_right"], pair["both_wrong"]),
        read_estimate(pair["difference"], level),
        read_number(pair["p_better"]),
        read_number(pair["p_value"]),
        read_number(pair["p_value_adjusted"]),
        pair["better"],
    )
