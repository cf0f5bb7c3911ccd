"""Slices: one more key in the count, the value of a column, or of two; numbers of many values in tenths of the rows.

Each column costs one pass of the engine over the rows, however many slices it has: what comes back is a tally whose
groups are the slices, and every pair's four cells in every slice are read from it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce, singledispatch
from itertools import product
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from tiebreak._checks import distinct
from tiebreak._format import counted as spelled
from tiebreak._format import quoted
from tiebreak.errors import ColumnNotFound, TiebreakError
from tiebreak.sources.collected import collected
from tiebreak.sources.frames import FrameSource, count_rows
from tiebreak.sources.labels import is_missing, label_of
from tiebreak.sources.loaded import LoadedSource
from tiebreak.sources.memory import MemorySource
from tiebreak.sources.opening import Opened
from tiebreak.sources.plan import counted
from tiebreak.sources.sql import SqlColumn, SqlSource
from tiebreak.sources.vectors import Vector, vector_of
from tiebreak.tables import Label, Tally

# A column of numbers with more values than this is cut into tenths; with fewer, every value is a slice.
MOST_VALUES = 20
# More slices than this are no slices: each needs instances of its own.
MOST_SLICES = 1000
_DECILES = tuple(k / 10 for k in range(1, 10))
# Between and instead of the two values of a conjunction, where an engine writes it as one text.
_BETWEEN, _ABSENT = "\x1f", "\x1e"
_KEY = "_tiebreak_slice"

Edges = tuple[float, ...]
Naming = Callable[[Label], Label]


def sliced(rows: Opened, columns: str | Sequence[str], values: Mapping[str, Any] | None = None) -> Tally:
    """Count the rows once more with the values of a column, or of a conjunction of two, as groups of the tally.

    Parameters
    ----------
    rows : an open source
    columns : one column, or two for the slices in which both hold
    values : the columns themselves where the data are arrays

    Returns
    -------
    Tally
        whose `crossing.names` are the slices: values as they are, tenths of many-valued numbers as "(3, 5]", a missing
        value as None, conjunctions as pairs

    Examples
    --------
    >>> from tiebreak.sources import Ask, opened
    >>> rows = opened([1, 0, 1], {"knn": [1, 1, 1], "tree": [0, 0, 1]}, Ask())
    >>> sliced(rows, "site", {"site": ["north", "south", "north"]}).crossing.names
    ('north', 'south')
    """
    names = distinct([columns] if isinstance(columns, str) else list(columns), "by")
    if not 1 <= len(names) <= 2:
        raise TiebreakError(f"by holds {len(names)} columns: slices are of one column, or of a conjunction of two")
    source: Any = rows.source.relation if isinstance(rows.source, LoadedSource) else rows.source
    for name, given in (values or {}).items():
        source = source.with_column(name, vector_of(given, name))
    key, naming = _keyed(source, names, key=_KEY)
    roles = replace(rows.roles, group=_KEY, guessed={}, open_group=True)
    tally = counted(key, replace(rows.ask, group=None), roles).tally
    return _named(tally, naming, names)


def _named(tally: Tally, naming: Naming, columns: Sequence[str]) -> Tally:
    """Give the slices their names, in their order."""
    crossing = tally.crossing
    if crossing is None:
        raise AssertionError("a tally was counted by slice and has no slices")
    if crossing.size > MOST_SLICES:
        raise TiebreakError(
            f"by names {quoted(' and '.join(columns))}, which has {spelled(crossing.size, 'value')}: slices are of "
            f"columns with at most {MOST_SLICES}; group its values first"
        )
    named = [naming(value) for value in crossing.names]
    order = sorted(range(crossing.size), key=lambda place: _sorting(named[place]))
    rank = np.empty(crossing.size, dtype=np.int64)
    rank[order] = np.arange(crossing.size)
    names = tuple(named[place] for place in order)
    return replace(tally, crossing=replace(crossing, groups=rank[crossing.groups], names=names))


def _sorting(value: Label) -> tuple[Any, ...]:
    """Numbers by size, then text, then what is missing; pairs by their parts."""
    if isinstance(value, tuple):
        return tuple(part for each in value for part in _sorting(each))
    if is_missing(value):
        return (2, 0.0, "")
    if isinstance(value, int | float | Tenth):
        return (0, float(value.place if isinstance(value, Tenth) else value), "")
    return (1, 0.0, str(value))


@singledispatch
def _keyed(source: Any, columns: tuple[str, ...], key: str) -> tuple[Any, Naming]:
    """Return the source with one more column `key` that tells the slices apart, and how its values are named."""
    raise TypeError(f"nothing slices a {type(source).__name__} by {columns} as {key}")


@_keyed.register
def _(source: MemorySource, columns: tuple[str, ...], key: str) -> tuple[MemorySource, Naming]:
    vectors = [_vector_of_slices(source, column) for column in columns]
    if len(vectors) == 1:
        return source.with_column(key, vectors[0]), lambda value: value
    first, second = vectors
    wide = len(second.values)
    codes = (first.codes.astype(np.int64) - first.low) * wide + (second.codes.astype(np.int64) - second.low)
    pairs = list(product(first.values, second.values))
    return source.with_column(key, Vector(codes, 0, pairs)), lambda value: value


def _vector_of_slices(source: MemorySource, column: str) -> Vector:
    """A column in memory with one code a slice."""
    try:
        vector = source.column(column).encoded()
    except KeyError:
        raise ColumnNotFound(f"by names {quoted(column)}, which is no column of the data") from None
    used, codes = np.unique(vector.codes, return_inverse=True)
    labels = [_label(vector.values[code - vector.low], column) for code in used.tolist()]
    codes = codes.reshape(-1)
    known = [label for label in labels if label is not None]
    if len(known) <= MOST_VALUES or not all(_is_number(label) for label in known):
        _refuse_many(column, len(labels))
        return _merged(codes, labels)
    numbers = np.array([np.nan if label is None else float(label) for label in labels])  # type: ignore[arg-type]
    edges = deciles(numbers, np.bincount(codes, minlength=len(labels)))
    bins = np.where(np.isnan(numbers), len(edges) + 1, np.searchsorted(edges, numbers, side="left"))
    return Vector(bins[codes], 0, [*(Tenth(k, edges) for k in range(len(edges) + 1)), None])


def _merged(codes: npt.NDArray[np.integer], labels: Sequence[Label]) -> Vector:
    """One code a label: raw values that mean the same are one slice."""
    place: dict[Label, int] = {}
    new = np.array([place.setdefault(label, len(place)) for label in labels], dtype=np.int64)
    return Vector(new[codes], 0, list(place))


def _label(value: object, column: str) -> Label:
    return None if is_missing(value) else label_of(value, column)


def _is_number(label: Label) -> bool:
    return isinstance(label, int | float) and not isinstance(label, bool)


def _refuse_many(column: str, values: int) -> None:
    if values > MOST_SLICES:
        raise TiebreakError(
            f"by names {quoted(column)}, which has {spelled(values, 'value')}: slices are of columns with at most "
            f"{MOST_SLICES}; group its values first"
        )


class Tenth(str):
    """The name of one tenth of a column of numbers, such as "(3, 5]"; tenths are ordered by their place.

    Examples
    --------
    >>> Tenth(0, (2.0, 4.0)), Tenth(1, (2.0, 4.0)), Tenth(2, (2.0, 4.0)).place
    ('≤ 2', '(2, 4]', 2)
    """

    __slots__ = ("place",)

    place: int

    def __new__(cls, place: int, edges: Sequence[float]) -> Tenth:  # noqa: PYI034
        """Name the interval between two edges; the first and the last are open."""
        below = f"≤ {edges[0]:.6g}" if place == 0 else None
        above = f"> {edges[-1]:.6g}" if place == len(edges) else None
        made = super().__new__(cls, below or above or f"({edges[place - 1]:.6g}, {edges[place]:.6g}]")
        made.place = place
        return made


def deciles(values: npt.NDArray[np.float64], counts: npt.NDArray[np.integer]) -> Edges:
    """Return the upper edges of the first nine tenths of the rows; ties belong to the lower one, so some may merge.

    Examples
    --------
    >>> deciles(np.arange(1.0, 101.0), np.ones(100, dtype=np.int64))[:3]
    (10.0, 20.0, 30.0)
    """
    known = np.flatnonzero(~np.isnan(values))
    known = known[np.argsort(values[known])]
    reached = np.cumsum(counts[known])
    places = np.searchsorted(reached, np.array(_DECILES) * reached[-1] * (1 - 1e-12))
    return _distinct_edges(values[known][places].tolist(), float(values[known][-1]))


def _distinct_edges(edges: Sequence[float], largest: float) -> Edges:
    """Edges that separate something: rising, and below the largest value."""
    return tuple(sorted({float(edge) for edge in edges if edge < largest})) or (float(edges[0]),)


@_keyed.register
def _(source: SqlSource, columns: tuple[str, ...], key: str) -> tuple[SqlSource, Naming]:
    parts = [_sql_part(source, column) for column in columns]
    if len(parts) == 1:
        return source.with_column(key, SqlColumn(parts[0].expression, "typed")), parts[0].naming
    texts = [f"coalesce(CAST({part.expression} AS VARCHAR), '{_ABSENT}')" for part in parts]
    joined = f"({texts[0]} || '{_BETWEEN}' || {texts[1]})"
    return source.with_column(key, SqlColumn(joined, "typed")), _pair_naming(parts)


@dataclass(frozen=True, slots=True)
class _Part:
    """One column of a key: what the engine groups by, how its values are named, and its engine's text of each."""

    expression: Any
    naming: Naming
    texts: Mapping[str, Label]


def _pair_naming(parts: Sequence[_Part]) -> Naming:
    def named(text: Label) -> Label:
        values = zip(parts, str(text).split(_BETWEEN), strict=True)
        return tuple(None if value == _ABSENT else part.texts[value] for part, value in values)

    return named


def _sql_part(source: SqlSource, column: str) -> _Part:
    if column not in source.columns:
        raise ColumnNotFound(f"by names {quoted(column)}, which is no column of {source.where}")
    read, number = source.columns[column], f"TRY_CAST({source.columns[column].as_text} AS DOUBLE)"
    many = f"SELECT DISTINCT {read.expression} AS v FROM {source.relation} LIMIT {MOST_SLICES + 2}"
    values = int(source.runner.rows(f"SELECT count(v) FROM ({many})", source.where)[0][0])
    if values > MOST_VALUES and _sql_numeric(source, read, number):
        known = f"{number} IS NOT NULL AND NOT isnan({number})"
        shares = ", ".join(map(str, _DECILES))
        found, largest = source.runner.rows(
            f"SELECT quantile_disc({number}, [{shares}]), max({number}) FROM {source.relation} WHERE {known}",
            source.where,
        )[0]
        edges = _distinct_edges(found, largest)
        cases = " ".join(f"WHEN {number} <= {edge!r} THEN {k}" for k, edge in enumerate(edges))
        return _tenths(f"(CASE WHEN NOT ({known}) THEN NULL {cases} ELSE {len(edges)} END)", edges)
    _refuse_many(column, values)
    return _sql_values(source, column, read)


def _sql_numeric(source: SqlSource, read: SqlColumn, number: str) -> bool:
    """Whether every value is a number."""
    other = f"{read.expression} IS NOT NULL AND {number} IS NULL"
    return not source.runner.rows(f"SELECT 1 FROM {source.relation} WHERE {other} LIMIT 1", source.where)


def _sql_values(source: SqlSource, column: str, read: SqlColumn) -> _Part:
    """Raw values as the labels they would be: fields of text files typed, all of the column together."""
    e = read.expression
    found = source.runner.rows(f"SELECT DISTINCT {e}, CAST({e} AS VARCHAR) FROM {source.relation}", source.where)
    raw = [row[0] for row in found]
    labels = [_label(value, column) for value in source.read({column: raw})[column]]
    by_value = dict(zip(raw, labels, strict=True))
    texts = {row[1]: label for row, label in zip(found, labels, strict=True)}
    return _Part(e, by_value.get, texts)


def _tenths(expression: Any, edges: Edges) -> _Part:
    names = [Tenth(k, edges) for k in range(len(edges) + 1)]
    return _Part(
        expression,
        lambda value: None if value is None else names[int(value)],  # type: ignore[call-overload]
        # Where an engine has no integer that may be missing, a place is a float.
        {spelling: name for k, name in enumerate(names) for spelling in (str(k), f"{k}.0")},
    )


@_keyed.register
def _(source: FrameSource, columns: tuple[str, ...], key: str) -> tuple[FrameSource, Naming]:
    parts = [_frame_part(source, column) for column in columns]
    if len(parts) == 1:
        return source.with_column(key, parts[0].expression), parts[0].naming
    texts = [part.expression.cast(nw.String).fill_null(_ABSENT) for part in parts]
    return source.with_column(key, nw.concat_str(*texts, separator=_BETWEEN)), _pair_naming(parts)


def _frame_part(source: FrameSource, column: str) -> _Part:
    if column not in source.schema:
        raise ColumnNotFound(f"by names {quoted(column)}, which is no column of the frame")
    raw = nw.col(column)
    if source.schema[column].is_float():
        raw = nw.when(~raw.is_nan()).then(raw)
    given = source.frame.select(raw.alias(column)).drop_nulls()
    values = len(collected(given.unique().head(MOST_SLICES + 2))[column])
    if values > MOST_VALUES and source.schema[column].is_numeric():
        edges = _frame_edges(source, given, column)
        # Added one by one: not every engine sums horizontally under a condition.
        above = reduce(operator.add, [(raw > edge).cast(nw.Int64) for edge in edges])
        return _tenths(nw.when(~raw.is_null()).then(above), edges)
    _refuse_many(column, values)
    key = source.key(column) if not source.schema[column].is_float() else raw
    found = collected(source.frame.select(key.alias("v"), key.cast(nw.String).alias("t")).unique())
    raws = found["v"].to_list()
    labels = [_label(value, column) for value in source.shown_values(column, raws)]
    known = {raw: label for raw, label in zip(raws, labels, strict=True) if label is not None}
    texts = dict(zip(found["t"], labels, strict=True))
    return _Part(key, lambda value: None if is_missing(value) else known[value], texts)


def _frame_edges(source: FrameSource, given: nw.LazyFrame[Any], column: str) -> Edges:
    """Nine quantiles by the frame's own engine; where it has none, from the distinct values and their counts.

    The value at place ⌈n q⌉ of the sorted ones is asked for as the quantile that lies exactly there, so that every
    engine gives the same edges whatever it does between two values.
    """
    n, value = count_rows(given), nw.col(column)
    shares = [(max(math.ceil(n * share * (1 - 1e-12)), 1) - 1) / max(n - 1, 1) for share in _DECILES]
    for interpolation in ("nearest", "linear"):
        wanted = [value.quantile(share, interpolation).alias(f"q{k}") for k, share in enumerate(shares)]
        try:
            found = _row(given, [*wanted, value.max().alias("largest")])
            if interpolation == "linear":
                # Interpolated to a value, up to rounding: the value itself is the largest that is not beyond it.
                near = (
                    nw.when(value <= edge + 1e-9 * abs(edge)).then(value).max().alias(f"q{k}")
                    for k, edge in enumerate(found[:-1])
                )
                found = [*_row(given, list(near)), found[-1]]
        except Exception:  # noqa: BLE001, S112 engines refuse what they lack each in their own way
            continue
        return _distinct_edges(found[:-1], found[-1])
    part = source.count([column])
    numbers = np.array([np.nan if is_missing(v) else float(v) for v in part.values[0]])  # type: ignore[arg-type]
    return deciles(numbers[part.codes[0]], part.mass.counts)


def _row(frame: nw.LazyFrame[Any], expressions: Sequence[nw.Expr]) -> list[float]:
    """The numbers that some aggregates come to."""
    answer = collected(frame.select(*expressions))
    return [float(answer[column].to_list()[0]) for column in answer.columns]
