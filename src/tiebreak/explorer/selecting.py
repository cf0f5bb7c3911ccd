"""From a selection to the SQL that selects: checked columns, bound values, and the library's own word for a cell."""

from __future__ import annotations

from tiebreak.explorer.address import GAP, Condition, Selection, View
from tiebreak.explorer.columns import Column
from tiebreak.explorer.ground import Ground
from tiebreak.sources.engine import name
from tiebreak.sources.sql import literal
from tiebreak.tables.confusion import OMITTED

# A sorted or searched view shows this many rows.
MOST = 10_000

Sql = tuple[str, list[object]]


class Selecting:
    """The conditions and orders of one ground's selections."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground

    def where(self, selection: Selection) -> Sql:
        """Return the condition of a selection, and the values to bind."""
        ground, parts, values = self.ground, ["true"], []
        if selection.cell is not None:
            parts.append(ground.sense.in_cell(selection.primary, selection.alternative, selection.cell))
        if selection.truth is not None and ground.truth is not None:
            parts.append(self._labelled(ground.truth, selection.truth))
        if selection.said is not None:
            parts.append(self._labelled(selection.by, selection.said))
        further = [self._passes(condition) for condition in selection.conditions]
        if selection.id and ground.id is not None:
            further.append(ground.by_name[ground.id].holds("is", selection.id))
        if selection.text:
            further.append(self._searched(selection.text, selection.within))
        for condition, bound in further:
            parts.append(condition)
            values += bound
        return " AND ".join(f"({part})" for part in parts), values

    def _labelled(self, column: str, code: int) -> str:
        """The condition that a column holds a label, in any spelling the file has for it."""
        read = self.ground.source.columns[column].expression
        raw = [value for value in self.ground.reading.spellings(column, code) if _is_value(value)]
        return f"coalesce({read} IN ({', '.join(map(literal, raw))}), false)" if raw else "false"

    def _passes(self, condition: Condition) -> Sql:
        column = self.ground.by_name[condition.column]
        is_label = column.name in self.ground.keys
        if is_label and condition.test in {"missing", "present"}:
            spelled = f"({column.missing} OR {self._labelled(column.name, OMITTED)})"
            return (spelled if condition.test == "missing" else f"NOT {spelled}"), []
        labels = [str(label) for label in self.ground.comparison.labels]
        if is_label and condition.test in {"is", "is-not"} and condition.value in labels:
            same = self._labelled(column.name, labels.index(condition.value))
            return (same if condition.test == "is" else f"NOT {same} AND NOT {column.missing}"), []
        return column.holds(condition.test, condition.value)

    def _searched(self, text: str, within: str) -> Sql:
        ground = self.ground
        columns = [ground.by_name[within]] if within else self.searchable
        found = [column.holds("contains", text) for column in columns]
        return " OR ".join(sql for sql, _ in found) or "false", [value for _, bound in found for value in bound]

    @property
    def searchable(self) -> list[Column]:
        """The columns that are searched unless one is named: text that is no label, or else every text."""
        texts = [column for column in self.ground.columns if column.is_text]
        return [column for column in texts if column.name not in self.ground.keys] or texts

    def order(self, view: View) -> str:
        """Return the ORDER BY terms of a sorted view; equal rows stay in file order."""
        if view.sort != GAP:
            return self.ground.by_name[view.sort.removeprefix("=")].order(descending=view.descending)
        gap = self.ground.sense.gap(view.selection.primary, view.selection.alternative)
        return f"{gap} {'DESC' if view.descending else 'ASC'}"

    def export(self, selection: Selection, form: str) -> Sql:
        """Return the SELECT of a selection as it is exported: every column under its own name, in file order."""
        condition, values = self.where(selection)
        columns = self.ground.columns
        selected = ", ".join(f"{self._exported(column, form)} AS {name(column.name)}" for column in columns)
        return f"SELECT {selected} FROM {self.ground.locked.relation} WHERE {condition}", values

    @staticmethod
    def _exported(column: Column, form: str) -> str:
        if column.read.written != "json":
            return column.raw
        return f"CAST({column.raw} AS JSON)" if form == "jsonl" else column.shown


def _is_value(value: object) -> bool:
    return value is not None and value == value
