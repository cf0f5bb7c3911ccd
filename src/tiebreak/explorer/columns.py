"""The columns of the file that is explored: how each is shown, compared, sorted and exported, as SQL."""

from __future__ import annotations

from dataclasses import dataclass

from tiebreak._format import quoted
from tiebreak.errors import TiebreakError
from tiebreak.sources.sql import SqlColumn

COMPARISONS = {"is": "=", "is-not": "<>", "below": "<", "at-most": "<=", "above": ">", "at-least": ">="}
TESTS = {
    "is": "is",
    "is-not": "is not",
    "below": "<",
    "at-most": "≤",
    "above": ">",
    "at-least": "≥",
    "contains": "contains",
    "missing": "is missing",
    "present": "is there",
}
WITHOUT_VALUE = frozenset({"missing", "present"})
ORDERED = frozenset({"below", "at-most", "above", "at-least"})

_NUMBERS = (
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
    "FLOAT",
    "DOUBLE",
)


class BadFilter(TiebreakError):
    """A filter that does not fit its column, or names none."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes
    ----------
    name : as the file calls it
    read : how the library reads it
    raw : the column itself, as it is exported
    kind : "number", "truth-value", "digits" (numbers written as text), "moment", "text" or "nested"
    """

    name: str
    read: SqlColumn
    raw: str
    kind: str

    @property
    def is_text(self) -> bool:
        """Whether the column holds text of any length."""
        return self.kind == "text"

    @property
    def shown(self) -> str:
        """The column as the text that is shown."""
        return self.read.as_text

    @property
    def missing(self) -> str:
        """The condition that a value is missing, never NULL."""
        is_nan = f" OR isnan({self.read.expression})" if self.read.written == "float" else ""
        return f"({self.shown} IS NULL{is_nan})"

    @property
    def number(self) -> str:
        """The column as a number, NULL where it is none."""
        return self.read.expression if self.kind == "number" else f"TRY_CAST({self.shown} AS DOUBLE)"

    def order(self, *, descending: bool) -> str:
        """Return the ORDER BY terms: numbers as numbers also where a text file writes them, missing values last."""
        way = "DESC" if descending else "ASC"
        terms = [self.shown]
        if self.kind in {"number", "truth-value"}:
            terms = [self.read.expression]
        elif self.kind == "digits" or self.read.written in {"text", "json"}:
            terms = [self.number, self.shown]
        return ", ".join(f"{term} {way} NULLS LAST" for term in terms)

    def holds(self, test: str, value: str) -> tuple[str, list[object]]:
        """Return the condition of a filter and the values to bind.

        Examples
        --------
        >>> Column("age", SqlColumn('"age"', "typed"), '"age"', "number").holds("at-least", "18")
        ('coalesce("age" >= ?, false)', [18])
        """
        if test == "missing":
            return self.missing, []
        if test == "present":
            return f"NOT {self.missing}", []
        if test == "contains":
            return f"coalesce(contains({self.shown}, ?), false)", [value]
        sign = COMPARISONS[test]
        if self.kind == "number":
            return f"coalesce({self.read.expression} {sign} ?, false)", [self._as_number(value)]
        if self.kind == "truth-value" and test in {"is", "is-not"}:
            return f"coalesce({self.read.expression} {sign} ?, false)", [self._as_truth(value)]
        if test in ORDERED and self.kind != "moment":
            return f"coalesce({self.number} {sign} ?, false)", [float(self._as_number(value))]
        return f"coalesce({self.shown} {sign} ?, false)", [value]

    def _as_number(self, value: str) -> int | float:
        # Python reads 1_0 as 10, and nobody else does.
        for kind in () if "_" in value else (int, float):
            try:
                found: int | float = kind(value.strip().replace("−", "-"))
            except ValueError:
                continue
            if isinstance(found, float) or abs(found) < 2**63:
                return found
        raise BadFilter(f"column {quoted(self.name)} is compared with {quoted(value)}: it needs a number, such as 0.5")

    def _as_truth(self, value: str) -> bool:
        known = {"true": True, "1": True, "false": False, "0": False}
        if value.strip().lower() not in known:
            raise BadFilter(f"column {quoted(self.name)} is compared with {quoted(value)}: it holds true or false")
        return known[value.strip().lower()]


def column_kind(read: SqlColumn, type_name: str) -> str:
    """Return how a column behaves; its type is known where the file itself is read.

    Examples
    --------
    >>> column_kind(SqlColumn('"age"', "typed"), "INTEGER"), column_kind(SqlColumn("c0", "text"), "")
    ('number', 'text')
    """
    if read.written in {"digits", "nested"}:
        return read.written
    if read.written in {"date", "moment"}:
        return "moment"
    if type_name in _NUMBERS:
        return "number"
    return "truth-value" if type_name == "BOOLEAN" else "text"
