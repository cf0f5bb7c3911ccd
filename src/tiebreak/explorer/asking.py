"""From a view to its rows, and from a number to one instance.

In file order a page continues after a row number, which costs the same anywhere in the file. A sorted or searched view
is a list of row numbers, at most `MOST` long, that is asked for once and then paged through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tiebreak.explorer.address import Selection, View
from tiebreak.explorer.columns import Column
from tiebreak.explorer.counting import Counting, Counts
from tiebreak.explorer.ground import ROW, Ground
from tiebreak.explorer.remembered import Remembered
from tiebreak.explorer.selecting import MOST, Selecting
from tiebreak.explorer.senses import Mark

SIZE = 50
# Columns of a list; the page of one instance shows them all.
LISTED = 30
# Characters of a cell in a list, and on the page of one instance.
CUT, LONG_CUT = 160, 20_000


@dataclass(frozen=True, slots=True)
class Shown:
    """One value as it is shown: its text, None where it is missing, and its whole length where it was cut."""

    text: str | None
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One instance: its number in the file, its values by column, the models' marks, and the gap where it is shown."""

    number: int
    values: dict[str, Shown]
    marks: dict[str, Mark]
    gap: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """A page of rows, and the views before and after it."""

    rows: tuple[Row, ...]
    previous: View | None
    following: View | None


class Asking:
    """What the pages ask the file."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.selecting = Selecting(ground)
        self._remembered = Remembered()
        self._counting = Counting(ground, self.selecting, self._remembered, self.numbers)

    @property
    def _relation(self) -> str:
        return self.ground.locked.relation

    def page(self, view: View) -> Page:
        """Return the rows of a view."""
        if view.capped:
            return self._numbered_page(view)
        if view.before is not None:
            return self._page_before(view, view.before)
        condition, values = self.selecting.where(view.selection)
        if view.after is not None:
            condition, values = f"{ROW} > ? AND {condition}", [view.after, *values]
        rows = self._fetch(f"WHERE {condition} LIMIT {SIZE + 1}", values, view.selection)
        further = len(rows) > SIZE
        rows = rows[:SIZE]
        return Page(
            rows,
            None if view.after is None else _at(view, before=rows[0].number if rows else view.after + 1),
            _at(view, after=rows[-1].number) if further else None,
        )

    def _page_before(self, view: View, before: int) -> Page:
        """The page that ends before a row: looked for in windows that grow, so that only what is near is read."""
        numbers = self._numbers_before(view.selection, before)
        if len(numbers) <= SIZE:
            return self.page(view.first_page())
        rows = self._by_numbers(numbers[-SIZE:], view.selection)
        return Page(rows, _at(view, before=rows[0].number), _at(view, after=rows[-1].number))

    def _numbers_before(self, selection: Selection, before: int) -> list[int]:
        condition, values = self.selecting.where(selection)
        found: list[int] = []
        high, window = before, 1 << 12
        while high > 0 and len(found) <= SIZE:
            low = max(0, high - window)
            sql = f"SELECT {ROW} FROM {self._relation} WHERE {ROW} >= ? AND {ROW} < ? AND {condition} "
            rows = self.ground.locked.rows(sql + f"ORDER BY {ROW} DESC LIMIT {SIZE + 1}", values=[low, high, *values])
            found += [row[0] for row in rows]
            high, window = low, window * 8
        return sorted(found)[-SIZE - 1 :]

    def _numbered_page(self, view: View) -> Page:
        numbers = self.numbers(view)
        pages = max(1, -(-len(numbers) // SIZE))
        page = min(max(view.page, 1), pages)
        rows = self._by_numbers(numbers[(page - 1) * SIZE : page * SIZE], view.selection)
        return Page(
            rows,
            replace(view, page=page - 1) if page > 1 else None,
            replace(view, page=page + 1) if page < pages else None,
        )

    def numbers(self, view: View) -> Sequence[int]:
        """Return the row numbers of a sorted or searched view, at most `MOST`."""
        key = ("numbers", view.selection, view.sort, view.descending)
        return self._remembered(key, lambda: self._ask_numbers(view))

    def _ask_numbers(self, view: View) -> tuple[int, ...]:
        condition, values = self.selecting.where(view.selection)
        order = f"ORDER BY {self.selecting.order(view)}, {ROW}" if view.sort else ""
        sql = f"SELECT {ROW} FROM {self._relation} WHERE {condition} {order} LIMIT {MOST}"
        return tuple(row[0] for row in self.ground.locked.rows(sql, values=values))

    def _by_numbers(self, numbers: Sequence[int], selection: Selection) -> tuple[Row, ...]:
        """Rows by their numbers, in the order of the numbers."""
        if not numbers:
            return ()
        wanted = f"WHERE {ROW} IN (SELECT unnest(?::BIGINT[])) AND {ROW} BETWEEN {min(numbers)} AND {max(numbers)}"
        found = {row.number: row for row in self._fetch(wanted, [list(numbers)], selection)}
        return tuple(found[number] for number in numbers)

    def _fetch(self, tail: str, values: Sequence[object], selection: Selection, cut: int = CUT) -> tuple[Row, ...]:
        ground = self.ground
        columns = self.listed_columns(selection) if cut == CUT else list(ground.columns)
        shown = [f"left({column.shown}, {cut + 1}), length({column.shown})" for column in columns]
        # A right answer is right by itself; the best of a row is known only from all models.
        own = [column.name for column in columns if column.name in ground.names]
        models = own if ground.sense.has_labels else list(ground.names)
        gap = ground.sense.gap(selection.primary, selection.alternative)
        selected = ", ".join([ROW, *shown, gap, *ground.sense.measured(models)])
        found = ground.locked.rows(f"SELECT {selected} FROM {self._relation} {tail}", values=values)
        return tuple(self._row(row, columns, models, cut) for row in found)

    def _row(self, row: Sequence[Any], columns: Sequence[Column], models: Sequence[str], cut: int) -> Row:
        sense, width = self.ground.sense, 1 + 2 * len(columns)
        texts = zip(columns, row[1:width:2], row[2:width:2], strict=True)
        values = {column.name: _shown(text, length, cut) for column, text, length in texts}
        marks = dict(zip(models, sense.marks(row[width + 1 :]), strict=True))
        return Row(row[0], values, marks, sense.gap_shown(row[width]))

    def listed_columns(self, selection: Selection) -> list[Column]:
        """The columns of a list: id, truth, the two models, the other models, everything else; at most `LISTED`."""
        ground = self.ground
        first = [ground.id, ground.truth, selection.primary, selection.alternative, *ground.names]
        others = [column.name for column in ground.columns]
        names = dict.fromkeys(column for column in (*first, *others) if column is not None)
        return [ground.by_name[column] for column in names][:LISTED]

    def counts(self, selection: Selection, column: str) -> Counts:
        """Return how many rows of a selection hold each value of a column."""
        return self._counting.counts(selection, column)

    def instance(self, number: int, selection: Selection) -> Row | None:
        """Return one instance with every column, None where the file has no such row."""
        found = self._fetch(f"WHERE {ROW} = ?", [number], selection, LONG_CUT)
        return found[0] if found else None

    def is_among(self, number: int, selection: Selection) -> bool:
        """Whether a row belongs to a selection."""
        condition, values = self.selecting.where(selection)
        sql = f"SELECT count(*) FROM {self._relation} WHERE {ROW} = ? AND {condition}"
        return bool(self.ground.locked.rows(sql, values=[number, *values])[0][0])

    def neighbours(self, number: int, view: View) -> tuple[int | None, int | None]:
        """Return the rows of the view before and after one of it."""
        if view.capped:
            numbers = self.numbers(view)
            if number not in numbers:
                return None, None
            place = numbers.index(number)
            return (
                numbers[place - 1] if place else None,
                numbers[place + 1] if place + 1 < len(numbers) else None,
            )
        condition, values = self.selecting.where(view.selection)
        sql = f"SELECT {ROW} FROM {self._relation} WHERE {ROW} > ? AND {condition} LIMIT 1"
        after = self.ground.locked.rows(sql, values=[number, *values])
        before = self._numbers_before(view.selection, number)
        return before[-1] if before else None, after[0][0] if after else None


def _at(view: View, *, after: int | None = None, before: int | None = None) -> View:
    return replace(view, after=after, before=before, page=1)


def _shown(text: str | None, length: int | None, cut: int) -> Shown:
    if text is None or length is None or length <= cut:
        return Shown(text)
    return Shown(text[:cut], length)
