"""A selection counted by one column: by label where the column holds labels, by its texts otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tiebreak.explorer.address import Condition, Selection, View
from tiebreak.explorer.columns import Column
from tiebreak.explorer.ground import ROW, Ground
from tiebreak.explorer.remembered import Remembered
from tiebreak.explorer.selecting import MOST, Selecting
from tiebreak.tables import CELLS
from tiebreak.tables.confusion import OMITTED

# Values that are counted one by one, and characters by which they are told apart.
VALUES, VALUE_CUT = 30, 80
# Rows that are looked at before the values of a column are counted, and the share of new ones that is too large.
GLANCE, TOO_MANY = 20_000, 0.5


@dataclass(frozen=True, slots=True)
class Count:
    """How many rows of a selection hold a value; `filtered` is the selection of exactly those, where one exists."""

    value: str | None
    rows: int
    filtered: Selection | None


@dataclass(frozen=True, slots=True)
class Counts:
    """A selection counted by one column: the most frequent values, and how many rows have others.

    `too_many` says that nearly every row has a value of its own, so that only the rows were counted.
    """

    total: int
    values: tuple[Count, ...]
    others: int = 0
    too_many: bool = False


class Counting:
    """What is counted, and remembered."""

    def __init__(
        self,
        ground: Ground,
        selecting: Selecting,
        remembered: Remembered,
        numbers: Callable[[View], Sequence[int]],
    ) -> None:
        self.ground = ground
        self._selecting = selecting
        self._numbers = numbers
        self._remembered = remembered

    def counts(self, selection: Selection, column: str) -> Counts:
        """Return how many rows of a selection hold each value of a column."""
        return self._remembered(("counts", selection, column), lambda: self._ask_counts(selection, column))

    def _ask_counts(self, selection: Selection, column: str) -> Counts:
        if column in self.ground.keys and column == self.ground.truth and selection.bare:
            return self._counts_of_cells(selection)
        if column in self.ground.keys:
            read = self.ground.source.columns[column].expression
            condition, values = self._where(selection)
            sql = f"SELECT {read}, count(*) FROM {self.ground.locked.relation} WHERE {condition} GROUP BY 1"
            return self._by_label(self.ground.locked.rows(sql, values=values), selection, column)
        return self._by_value(selection, self.ground.by_name[column])

    def _where(self, selection: Selection) -> tuple[str, list[object]]:
        """The condition of a selection; one that was searched for and is short is known by its row numbers."""
        if selection.searches and len(numbers := self._numbers(View(selection))) < MOST:
            return f"{ROW} IN (SELECT unnest(?::BIGINT[]))", [list(numbers)]
        return self._selecting.where(selection)

    def _counts_of_cells(self, selection: Selection) -> Counts:
        """True classes within the cells of a pair are counted once, for all cells."""
        pair = (selection.primary, selection.alternative)
        table = self._remembered(("cells", *pair), lambda: self._ask_cells(*pair))
        truth = str(self.ground.truth)
        found: dict[object, int] = {}
        for raw, cell, rows in table:
            if selection.cell is None or (cell is not None and CELLS[cell] == selection.cell):
                found[raw] = found.get(raw, 0) + rows
        if selection.truth is not None:
            spelled = {(type(raw), raw) for raw in self.ground.reading.spellings(truth, selection.truth)}
            found = {raw: rows for raw, rows in found.items() if (type(raw), raw) in spelled}
        return self._by_label(list(found.items()), selection, truth)

    def _ask_cells(self, primary: str, alternative: str) -> list[tuple[Any, ...]]:
        truth = str(self.ground.truth)
        known = self.ground.cells_by_class(primary, alternative)
        if known is not None:
            return [
                (self.ground.reading.spellings(truth, code)[0], cell, int(count))
                for code, cells in enumerate(known)
                for cell, count in enumerate(cells)
                if count
            ]
        cells = " ".join(
            f"WHEN {self.ground.sense.in_cell(primary, alternative, cell)} THEN {place}"
            for place, cell in enumerate(CELLS)
        )
        read = self.ground.source.columns[truth].expression
        sql = f"SELECT {read}, CASE {cells} END, count(*) FROM {self.ground.locked.relation} GROUP BY 1, 2"
        return self.ground.locked.rows(sql)

    def _by_label(self, raw: Sequence[tuple[Any, ...]], selection: Selection, column: str) -> Counts:
        """Raw values that are one label are one line, in the labels' own order."""
        codes = self.ground.reading.code(column, [value for value, _ in raw]).tolist()
        rows: dict[int, int] = {}
        for code, (_, count) in zip(codes, raw, strict=True):
            rows[code] = rows.get(code, 0) + count
        labels = self.ground.comparison.labels
        counts = [
            Count(
                None if code == OMITTED else str(labels[code]),
                rows[code],
                self._narrowed(selection, column, None if code == OMITTED else code),
            )
            for code in sorted(rows, key=lambda code: (code == OMITTED, code))
        ]
        return _most_frequent(counts)

    def _narrowed(self, selection: Selection, column: str, code: int | None) -> Selection:
        if code is None:
            return replace(selection, conditions=(*selection.conditions, Condition(column, "missing")))
        if column == self.ground.truth:
            return replace(selection, truth=code)
        if selection.said is None:
            return replace(selection, by=column, said=code)
        label = str(self.ground.comparison.labels[code])
        return replace(selection, conditions=(*selection.conditions, Condition(column, "is", label)))

    def _by_value(self, selection: Selection, column: Column) -> Counts:
        condition, values = self._where(selection)
        value = f"left({column.shown}, {VALUE_CUT + 1}) AS value"
        rows = f"SELECT {value} FROM {self.ground.locked.relation} WHERE {condition}"
        glance = f"SELECT count(DISTINCT value), count(*) FROM ({rows} LIMIT {GLANCE})"
        distinct, seen = self.ground.locked.rows(glance, values=values)[0]
        if seen == GLANCE and distinct > TOO_MANY * seen:
            sql = f"SELECT count(*) FROM {self.ground.locked.relation} WHERE {condition}"
            return Counts(int(self.ground.locked.rows(sql, values=values)[0][0]), (), too_many=True)
        sql = f"SELECT value, count(*) AS n, sum(count(*)) OVER () FROM ({rows}) GROUP BY 1 ORDER BY n DESC, value"
        found = self.ground.locked.rows(f"{sql} LIMIT {VALUES}", values=values)
        counts = tuple(Count(value, n, self._with_value(selection, column, value)) for value, n, _ in found)
        total = int(found[0][2]) if found else 0
        return Counts(total, counts, total - sum(count.rows for count in counts))

    def _with_value(self, selection: Selection, column: Column, value: str | None) -> Selection | None:
        if value is not None and len(value) > VALUE_CUT:
            return None
        condition = Condition(column.name, "missing" if value is None else "is", value or "")
        return replace(selection, conditions=(*selection.conditions, condition))


def _most_frequent(counts: Sequence[Count]) -> Counts:
    total = sum(count.rows for count in counts)
    if len(counts) > VALUES:
        counts = sorted(counts, key=lambda count: -count.rows)[:VALUES]
    return Counts(total, tuple(counts), total - sum(count.rows for count in counts))
