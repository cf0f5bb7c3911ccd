"""Rows that SQL can reach: files, joined files, long layouts, a DuckDB relation of the user's own.

The engine groups and counts raw values. It compares two columns only for right/wrong words and for showing rows, after
`Reading` has settled what the values are, and then both sides are brought to one type without missing values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tiebreak._format import quoted
from tiebreak.errors import TiebreakError
from tiebreak.sources.engine import name, text, translated
from tiebreak.sources.grouped import Grouped, Marks, Patterns, TooManyCells, encode, from_columns
from tiebreak.sources.labels import odd_numeral, read_date, read_digits, read_json, text_reader
from tiebreak.sources.moments import read_moment
from tiebreak.sources.reading import Reading
from tiebreak.sources.rows import Cell, Found, Instances, Wanted
from tiebreak.sources.weights import SUMS, mass_of, refuse_weight, refuse_zero_weights
from tiebreak.tables import LIMB, Label, Mass, Scale
from tiebreak.tables.bits import pack

# Models in one right/wrong word: as many as fit a signed 64-bit integer on every engine.
WORD = 62
_RANK, _PLACE = "_tiebreak_rank", "_tiebreak_place"
# Patterns unpacked at a time, a multiple of 64.
_PACKED = 1 << 17
TYPED = frozenset({"typed", "float"})
_LEVEL = re.compile(r"'((?:[^']|'')*)'")


class Runner(Protocol):
    """Whatever runs SQL: our own engine, or the connection behind a user's relation.

    Examples
    --------
    >>> from tiebreak.sources.engine import Engine
    >>> hasattr(Engine, "fetch") and hasattr(Borrowed, "rows")
    True
    """

    def fetch(self, sql: str, where: str = ...) -> Mapping[str, Any]:
        """Return one array a column."""

    def rows(self, sql: str, where: str = ...) -> list[tuple[Any, ...]]:
        """Return rows."""


@dataclass(frozen=True, slots=True)
class SqlColumn:
    r"""How a column is read: as a SQL expression, and how its values are written.

    `written` is "typed", "typed-text" or "float" (the engine's own types), "text" (a field of a text file, typed by
    us), "json" (a JSON literal), "digits" (a number too wide for the engine's floats, as text), "date" or "moment" (as
    text), or "nested" (no label). `levels` is the order of an enumeration; a `nameless` column has a name of ours.

    Examples
    --------
    >>> SqlColumn('"y"', "json").as_text, SqlColumn("c0", "text").without("NA").expression
    ('("y" ->> \'$\')', "nullif(c0, 'NA')")
    """

    expression: str
    written: str
    levels: tuple[str, ...] = ()
    nameless: bool = False

    @property
    def as_text(self) -> str:
        """The column as plain text, whatever it is written in."""
        return f"({self.expression} ->> '$')" if self.written == "json" else f"CAST({self.expression} AS VARCHAR)"

    def without(self, na: str | None) -> SqlColumn:
        """Read one more text as missing."""
        if na is None or self.written not in {"text", "typed-text", "json"}:
            return self
        if self.written == "json":
            # A number is missing by its value, as a file may write −1 as -1 or as -1.0.
            same = f"TRY_CAST(CAST({self.expression} AS VARCHAR) AS DOUBLE) = TRY_CAST({text(na)} AS DOUBLE)"
            missing = f"{self.expression} = {text(json.dumps(na))} OR {same}"
            return SqlColumn(f"CASE WHEN {missing} THEN NULL ELSE {self.expression} END", self.written, self.levels)
        return SqlColumn(f"nullif({self.expression}, {text(na)})", self.written, self.levels)


@dataclass(frozen=True, slots=True)
class Beside:
    """Columns that are shown and never counted: SQL that joins them to the rows `page` by `id`, and how they read.

    Examples
    --------
    >>> Beside("LEFT JOIN texts USING (id)", {"text": SqlColumn("texts.x0", "text")}).columns["text"].written
    'text'
    """

    joins: str
    columns: Mapping[str, SqlColumn]


def column_of(column: str, type_name: str) -> SqlColumn:
    """Return how a column of one of the engine's own types is read.

    Examples
    --------
    >>> column_of("y", "DECIMAL(10,2)").written, column_of("y", "ENUM('low', 'high')").levels
    ('digits', ('low', 'high'))
    """
    plain = name(column)
    if type_name in {"HUGEINT", "UHUGEINT"} or type_name.startswith("DECIMAL"):
        return SqlColumn(f"CAST({plain} AS VARCHAR)", "digits")
    if type_name == "VARCHAR":
        return SqlColumn(plain, "typed-text")
    if type_name.startswith("ENUM"):
        return SqlColumn(f"CAST({plain} AS VARCHAR)", "typed-text", tuple(_LEVEL.findall(type_name)))
    if type_name == "DATE" or type_name.startswith("TIMESTAMP"):
        return SqlColumn(f"CAST({plain} AS VARCHAR)", "date" if type_name == "DATE" else "moment")
    if type_name.startswith(("TIME", "INTERVAL")):
        return SqlColumn(plain, "nested")
    if type_name == "UUID":
        return SqlColumn(f"CAST({plain} AS VARCHAR)", "typed-text")
    if type_name in {"FLOAT", "DOUBLE"}:
        return SqlColumn(plain, "float")
    if type_name == "JSON":
        return SqlColumn(plain, "json")
    if type_name.startswith(("STRUCT", "MAP", "UNION")) or type_name.endswith("]") or type_name == "BLOB":
        return SqlColumn(plain, "nested")
    return SqlColumn(plain, "typed")


def described(runner: Runner, relation: str, where: str) -> dict[str, SqlColumn]:
    """Return the columns of a relation.

    Examples
    --------
    >>> from tiebreak.sources.engine import Engine
    >>> with Engine() as engine:
    ...     {name: read.written for name, read in described(engine, "(SELECT 1 AS y, 'a' AS p)", "rows").items()}
    {'y': 'typed', 'p': 'typed-text'}
    """
    return {row[0]: column_of(row[0], row[1]) for row in runner.rows(f"DESCRIBE SELECT * FROM {relation}", where)}


class SqlSource:
    """A relation whose rows are counted where they are.

    Examples
    --------
    >>> from tiebreak.sources.engine import Engine
    >>> with Engine() as engine:
    ...     source = SqlSource(engine, "(SELECT i % 2 AS y, i % 3 AS p FROM range(12) t(i))")
    ...     source.count(["y"]).mass.counts.tolist()
    [6, 6]
    """

    def __init__(
        self,
        runner: Runner,
        relation: str,
        columns: Mapping[str, SqlColumn] | None = None,
        *,
        where: str = "the data",
        weight: str | None = None,
        na: str | None = None,
        labels: Sequence[object] | None = None,
        beside: Callable[[], Beside] | None = None,
        files: Sequence[str] = (),
    ) -> None:
        self._labels = labels
        # The Parquet files that the relation is and nothing else: they know how many rows they have.
        self.files = tuple(files)
        self._make_beside = beside
        self.runner, self.relation, self.where = runner, relation, where
        known = described(runner, relation, where) if columns is None else columns
        self.columns = {column: read.without(na) for column, read in known.items()}
        self._weight = weight
        self._scale = self._checked_scale() if weight else None

    def weight_as_key(self, name: str) -> SqlSource:
        """Return the same rows unweighted, so that their weights are one more column to count by."""
        other = copy(self)
        other._weight, other._scale = None, None  # noqa: SLF001 its own class
        other.columns = {**self.columns, name: self.columns[name]}
        return other

    @cached_property
    def rows(self) -> int:
        """How many rows there are; Parquet files say so themselves."""
        return int(self.runner.rows(f"SELECT count(*) FROM {self.relation}", self.where)[0][0])

    def read(self, values: Mapping[str, Sequence[object]]) -> Mapping[str, Sequence[object]]:
        """Type the fields of text files, all label columns together; parse JSON literals."""
        written = {column: self.columns[column].written for column in values}
        as_text = text_reader({c: given for c, given in values.items() if written[c] == "text"}, self._labels)
        readers = {"text": as_text, "digits": read_digits, "json": read_json, "date": read_date, "moment": read_moment}
        return {
            column: [readers[written[column]](value) for value in given] if written[column] in readers else given
            for column, given in values.items()
        }

    def order(self, keys: Sequence[str]) -> Sequence[Label]:
        """Return the levels of the first enumeration among the columns, which is an order."""
        return next((self.columns[key].levels for key in keys if self.columns[key].levels), ())

    def with_column(self, name: str, column: SqlColumn) -> SqlSource:
        """Return the same rows with one more column to count by."""
        other = copy(self)
        other.columns = {**self.columns, name: column}
        return other

    def columns_of(self, keys: Sequence[str]) -> tuple[list[npt.NDArray[Any]], npt.NDArray[Any] | None]:
        """Return whole key columns, and the weights if rows are weighted; for tables known to be small."""
        selected = [f"{self._key(key)} AS c{place}" for place, key in enumerate(keys)]
        selected += [f"{self.columns[self._weight].expression} AS w"] if self._weight else []
        answer = self.runner.fetch(f"SELECT {', '.join(selected)} FROM {self.relation}", self.where)
        return [answer[f"c{place}"] for place in range(len(keys))], answer.get("w")

    def numbers(
        self, keys: Sequence[str], names: Sequence[str], complete: Iterable[str] = ()
    ) -> tuple[list[npt.NDArray[Any]], list[npt.NDArray[np.float64]], npt.NDArray[np.float64] | None]:
        """Return key columns, whole columns of numbers (NaN where missing) and the weights, row by row."""
        selected = [f"{self._key(key)} AS k{place}" for place, key in enumerate(keys)]
        for place, column in enumerate(names):
            number = f"TRY_CAST({self.columns[column].as_text} AS DOUBLE)"
            self._refuse_no_number(column, number)
            selected.append(f"{number} AS c{place}")
        selected += [f"{self.columns[self._weight].expression} AS w"] if self._weight else []
        answer = self.runner.fetch(f"SELECT {', '.join(selected)} FROM {self._complete(complete)}", self.where)
        found = [_floats(answer[f"c{place}"]) for place in range(len(names))]
        weights = _floats(answer["w"]) if self._weight else None
        return [answer[f"k{place}"] for place in range(len(keys))], found, weights

    def _refuse_no_number(self, column: str, number: str) -> None:
        given = self.columns[column].expression
        wrong = self.runner.rows(
            f"SELECT {given} FROM {self.relation} WHERE {given} IS NOT NULL AND {number} IS NULL LIMIT 1", self.where
        )
        if wrong:
            raise TiebreakError(
                f"column {quoted(column)} of {self.where} holds {quoted(wrong[0][0])}, which is no number"
            )

    def sample(self, keys: Sequence[str], size: int) -> Grouped:
        """Count the first `size` rows."""
        return self._grouped(keys, f"(SELECT * FROM {self.relation} LIMIT {size})", weighted=False)

    def count(self, keys: Sequence[str], *, complete: Iterable[str] = (), most: int | None = None) -> Grouped:
        """Count the distinct rows of the key columns, over the rows in which no `complete` column is missing."""
        return self._grouped(keys, self._complete(complete), weighted=self._weight is not None, most=most)

    def _grouped(self, keys: Sequence[str], rows: str, *, weighted: bool, most: int | None = None) -> Grouped:
        expressions = [self._key(key) for key in keys]
        columns, mass = self._aggregate(expressions, rows, weighted=weighted, most=most)
        return from_columns(keys, columns, mass)

    def _aggregate(
        self, expressions: Sequence[str], rows: str, *, weighted: bool, most: int | None = None
    ) -> tuple[list[npt.NDArray[Any]], Mass]:
        """Group by expressions, and compare with the total: a group that an engine lost would show in the sum.

        The total comes out of the same job, except where it is read from the end of the files for nothing.
        """
        selected = [f"{expression} AS c{place}" for place, expression in enumerate(expressions)]
        sums = self._weight_sums() if weighted else []
        selected += [f"{self.columns[str(self._weight)].expression} AS w"] if weighted else []
        names = ", ".join(f"c{place}" for place in range(len(expressions)))
        limit = f" LIMIT {most + 2}" if most is not None else ""
        known = rows == self.relation and bool(self.files)
        total_of, grouped_by = ("0", names) if known else ("grouping(c0)", f"GROUPING SETS (({names}), ())")
        answer = self.runner.fetch(
            f"SELECT {names}, count(*) AS n, {total_of} AS total{''.join(', ' + s for s in sums)} "
            f"FROM (SELECT {', '.join(selected)} FROM {rows}) GROUP BY {grouped_by}{limit}",
            self.where,
        )
        counts = np.asarray(answer["n"], dtype=np.int64)
        groups = np.asarray(answer["total"]) == 0
        if most is not None and groups.sum() > most:
            raise TooManyCells(f"{self.where} has more than {most} distinct outcomes")
        total = self.rows if known else counts[~groups].sum()
        if counts[groups].sum() != total:
            raise AssertionError(f"{self.where}: the groups hold {counts[groups].sum()} of {total} rows")
        columns = [answer[f"c{place}"][groups] for place in range(len(expressions))]
        totals = {label: np.asarray(answer[label])[groups] for label in SUMS if label in answer}
        return columns, mass_of(counts[groups], totals, self._scale if weighted else None)

    def words(
        self,
        truth: str | None,
        models: Sequence[str],
        reading: Reading,
        *,
        complete: Iterable[str] = (),
        group: str | None = None,
    ) -> Patterns:
        """Count the right/wrong patterns; which raw values are equal has been settled by the reading."""
        right = [self.right(truth, model, reading) for model in models]
        words = [
            " + ".join(f"CASE WHEN {expression} THEN {1 << bit} ELSE 0 END" for bit, expression in enumerate(part))
            for part in (right[start : start + WORD] for start in range(0, len(right), WORD))
        ]
        keys = [f"CAST({word} AS BIGINT)" for word in words]
        if group is not None:
            keys.append(self._key(group))
        columns, mass = self._aggregate(keys, self._complete(complete), weighted=self._weight is not None)
        marks = None if group is None else Marks(*encode(columns[-1]))
        return Patterns(bits_of_words(columns[: len(words)], len(models)), mass, marks)

    def right(self, truth: str | None, model: str, reading: Reading) -> str:
        """Return the SQL condition under which a model's label is the true one, never NULL.

        Columns of plain engine types, or written in one way, are compared as they are; otherwise the pairs of raw
        values that are the same label are listed.
        """
        p = self._key(model)
        if truth is None:
            values = [literal(value) for value in reading.right_values(model)]
            return f"coalesce({p} IN ({', '.join(values)}), false)" if values else "false"
        g = self._key(truth)
        written = {self.columns[truth].written, self.columns[model].written}
        alike = written <= TYPED and not reading.wide
        if alike or (_one_way(written) and reading.one_spelling(truth, model)):
            # The same as coalesce(p = g, false), and faster to filter and to count by.
            return f"({p} IS NOT NULL AND {p} IS NOT DISTINCT FROM {g})"
        pairs = [f"({literal(true)}, {literal(said)})" for true, said in reading.matches(truth, model)]
        return f"coalesce(({g}, {p}) IN (VALUES {', '.join(pairs)}), false)" if pairs else "false"

    def _complete(self, columns: Iterable[str]) -> str:
        kept = " AND ".join(f"NOT {self._missing(column)}" for column in columns)
        return f"(SELECT * FROM {self.relation} WHERE {kept})" if kept else self.relation

    def condition(self, cell: Cell, reading: Reading) -> str:
        """Return the SQL condition under which a row lies in a cell, never NULL."""
        p, q = (self.right(cell.truth, model, reading) for model in cell.models)
        condition = f"{p if cell.primary_right else f'NOT {p}'} AND {q if cell.alternative_right else f'NOT {q}'}"
        if cell.policy == "drop":
            condition += "".join(f" AND NOT {self._missing(model)}" for model in cell.all_models)
        if cell.only is not None and cell.id is not None:
            condition += f" AND {self.columns[cell.id].as_text} IN ({', '.join(map(text, cell.only))})"
        return condition

    def instances(self, cell: Cell, reading: Reading, limit: int | None) -> Instances:
        """Return the rows of one cell, with every column the source has."""
        first = [column for column in (cell.id, cell.truth, *cell.models) if column is not None]
        columns = self.from_first(first)
        condition = self.condition(cell, reading)
        total = self.runner.rows(f"SELECT count(*) FROM {self.relation} WHERE {condition}", self.where)[0][0]
        tail = "" if limit is None else f" LIMIT {int(limit)}"
        rows = self.page(f"SELECT * FROM {self.relation} WHERE {condition}{tail}", columns)
        return Instances(cell, total, tuple(columns), tuple(rows))

    @cached_property
    def _beside(self) -> Beside:
        return Beside("", {}) if self._make_beside is None else self._make_beside()

    def from_first(self, first: Sequence[str]) -> list[str]:
        """Return all columns there are to show, some of them in front."""
        return [*first, *(column for column in (*self.columns, *self._beside.columns) if column not in first)]

    def page(self, rows: str, columns: Sequence[str], also: str | None = None) -> list[tuple[object, ...]]:
        """Return chosen rows, in their order, as a reader should see them; `also` is one more expression at the end."""
        known = {**self._beside.columns, **self.columns}
        shown = ", ".join([*(known[column].expression for column in columns), *([] if also is None else [also])])
        if not self._beside.columns:
            found = self.runner.rows(f"SELECT {shown} FROM ({rows})", self.where)
        else:
            page = f"WITH page AS MATERIALIZED (SELECT *, row_number() OVER () AS {_PLACE} FROM ({rows})) "
            found = self.runner.rows(
                f"{page}SELECT {shown} FROM page {self._beside.joins} ORDER BY {_PLACE}", self.where
            )
        return [
            (*(_shown(known[column], value) for column, value in zip(columns, row, strict=False)), *row[len(columns) :])
            for row in found
        ]

    def wanted(
        self, keys: Sequence[str], wanted: Wanted, complete: Sequence[str], first: Sequence[str], limit: int
    ) -> Found:
        """Return rows whose key columns hold one of the wanted combinations of raw values, best rank first."""
        columns = self.from_first(first)
        expressions = [self._key(key) for key in keys]
        cases = " ".join(
            f"WHEN {' AND '.join(f'{e} = {literal(v)}' for e, v in zip(expressions, values, strict=True))} THEN {rank}"
            for values, rank in wanted
        )
        ranked = f"SELECT *, CASE {cases} END AS {_RANK} FROM {self._complete(complete)}"
        best = f"SELECT * FROM ({ranked}) WHERE {_RANK} IS NOT NULL ORDER BY {_RANK} LIMIT {int(limit)}"
        rows = self.page(best, columns, _RANK)
        return Found(tuple(columns), tuple(row[:-1] for row in rows), tuple(int(str(row[-1])) for row in rows))

    def shown(self, column: str, value: object) -> object:
        """Return a raw value as a reader should see it."""
        return _shown(self.columns[column], value)

    def shown_values(self, column: str, values: Sequence[object]) -> Sequence[object]:
        """Return raw values of a column as a reader should see them; a structure stays as it is written."""
        read = [self.shown(column, value) for value in values]
        return [raw if isinstance(value, list | dict) else value for raw, value in zip(values, read, strict=True)]

    def remarks(self, values: Mapping[str, Sequence[object]], truth: str) -> tuple[str, ...]:
        """Say why label columns of a text file were read as text, where only the spelling of numbers speaks for it."""
        texts = {column: given for column, given in values.items() if self.columns[column].written == "text"}
        found = odd_numeral(texts, truth)
        if found is None:
            return ()
        return (f"labels are read as text because column {quoted(found[0])} holds {quoted(found[1])}",)

    def _key(self, column: str) -> str:
        read = self.columns[column]
        if read.written == "nested":
            raise TiebreakError(
                f"column {quoted(column)} of {self.where} holds what is no label (lists, structures, binary data, "
                "times of day): name the model columns with --models"
            )
        return read.expression

    def _missing(self, column: str) -> str:
        expression = self._key(column)
        is_nan = f" OR isnan({expression})" if self.columns[column].written == "float" else ""
        return f"({expression} IS NULL{is_nan})"

    def _checked_scale(self) -> Scale:
        """Look at the weights once: all finite, none negative, not all zero; return the scale of their sums."""
        column = str(self._weight)
        read = self.columns[column]
        number = f"TRY_CAST({read.as_text} AS DOUBLE)"
        self.columns[column] = SqlColumn(number, "float")
        bad = f"({number} IS NULL OR isnan({number}) OR isinf({number}) OR {number} < 0)"
        ends = f"min({number}) FILTER ({number} > 0), max({number})"
        found = f"{ends}, count(*) FILTER ({bad}), any_value({read.expression}) FILTER ({bad})"
        smallest, largest, wrong, example = self.runner.rows(f"SELECT {found} FROM {self.relation}", self.where)[0]
        if wrong:
            refuse_weight(column, example, f"{wrong} of the rows of {self.where}")
        if not largest:
            refuse_zero_weights(column)
        return Scale.for_range(float(smallest), float(largest))

    def _weight_sums(self) -> list[str]:
        """SQL for the sums of limbs; every limb is an integer, so the order of the additions does not matter."""
        if self._scale is None:
            return []
        limbs = []
        for scaled in (f"(w * {2.0**self._scale.weight!r})", f"(w * w * {2.0**self._scale.square!r})"):
            high = f"floor({scaled} / {LIMB**2!r})"
            rest = f"({scaled} - {high} * {LIMB**2!r})"
            middle = f"floor({rest} / {LIMB!r})"
            limbs += [high, middle, f"floor({rest} - {middle} * {LIMB!r})"]
        sums = (f"CAST(sum(CAST({limb} AS BIGINT)) AS BIGINT)" for limb in limbs)
        return [f"{total} AS {label}" for total, label in zip(sums, SUMS, strict=True)]


def _shown(read: SqlColumn, value: object) -> object:
    return {"json": read_json, "digits": read_digits}.get(read.written, lambda v: v)(value)


def _floats(column: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """An engine's column of numbers, NaN where it is masked."""
    return np.asarray(np.ma.filled(column.astype(np.float64), np.nan))


class Borrowed:
    """The connection behind a relation that the user handed over; it stays the user's, and nothing is set on it.

    Examples
    --------
    >>> import duckdb
    >>> Borrowed(duckdb.sql("SELECT 1 AS y")).rows("SELECT y FROM rows")
    [(1,)]
    """

    def __init__(self, relation: Any) -> None:
        self._relation = relation

    def fetch(self, sql: str, where: str = "the relation") -> Mapping[str, Any]:
        """Return one array a column."""
        with translated(where):
            found: Mapping[str, Any] = self._relation.query("rows", sql).fetchnumpy()
            return found

    def rows(self, sql: str, where: str = "the relation") -> list[tuple[Any, ...]]:
        """Return rows."""
        with translated(where):
            found: list[tuple[Any, ...]] = self._relation.query("rows", sql).fetchall()
            return found


def _one_way(written: set[str]) -> bool:
    """Whether two columns write a value alike, as far as the way of writing goes."""
    return len(written) == 1 or written <= {"text", "typed-text"}


def literal(value: object) -> str:
    """Return a raw value as a SQL literal.

    Examples
    --------
    >>> literal("it's"), literal(True), literal(0.5)
    ("'it''s'", 'true', '0.5::DOUBLE')
    >>> literal("a" + chr(0))
    "'a' || chr(0) || ''"
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value!r}::DOUBLE"
    if isinstance(value, int):
        return str(value)
    # A quoted text ends at NUL.
    return " || chr(0) || ".join(map(text, str(value).split("\0")))


def bits_of_words(words: Sequence[npt.NDArray[Any]], models: int) -> npt.NDArray[np.uint64]:
    """Turn engine words (`WORD` models each, one value per pattern) into packed bits per model.

    Examples
    --------
    >>> bits_of_words([np.array([3, 1])], 2).tolist()
    [[3], [1]]
    """
    patterns = len(words[0])
    found = np.empty((models, -(-patterns // 64)), dtype=np.uint64)
    for start in range(0, patterns, _PACKED):
        block = slice(start, start + _PACKED)
        for place, column in enumerate(words):
            part = np.asarray(column[block], dtype="<i8")
            # 64 bits a pattern, the lowest first; a row of them is a model.
            bits = np.unpackbits(part.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little").T
            held = slice(place * WORD, min(models, (place + 1) * WORD))
            packed = pack(np.ascontiguousarray(bits[: held.stop - held.start]).view(np.bool_))
            found[held, start // 64 : start // 64 + packed.shape[1]] = packed
    return found
