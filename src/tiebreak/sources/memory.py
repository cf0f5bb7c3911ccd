"""Columns in memory: arrays, lists, Series of any library, the columns of a pandas frame."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.sources.engine import Engine, Limits
from tiebreak.sources.fused import count_codes
from tiebreak.sources.grouped import Grouped, Marks, Patterns, from_columns, occurring
from tiebreak.sources.labels import plain
from tiebreak.sources.reading import Reading
from tiebreak.sources.rows import Cell, Found, Instances, Wanted
from tiebreak.sources.vectors import Column, Text, Vector, same_length, vector_of
from tiebreak.sources.weights import checked_weights
from tiebreak.tables import Label, Mass
from tiebreak.tables.bits import pack


class MemorySource:
    """Named columns of equal length in memory.

    Examples
    --------
    >>> from tiebreak.sources.vectors import vector_of
    >>> source = MemorySource({"y": vector_of([1, 0, 1], "y"), "knn": vector_of([1, 1, 1], "knn")})
    >>> source.count(["y", "knn"]).mass.counts
    array([1, 2])
    """

    where = "the data"

    def __init__(
        self,
        columns: Mapping[str, Column],
        weights: tuple[str, Any] | None = None,
        *,
        everything: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.vectors = dict(columns)
        self._everything = everything or {}
        self._limits = limits
        self.length = same_length(self.vectors, next(iter(columns)))
        self._weights = None if weights is None else checked_weights(weights[1], weights[0], self.length)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.length

    @property
    def given(self) -> Mapping[str, Any]:
        """The columns as the caller gave them."""
        return self._everything

    def weight_as_key(self, name: str) -> MemorySource:
        """Return the same rows unweighted, with their weights as one more column to count by."""
        other = copy(self)
        other.vectors = {**self.vectors, name: vector_of(self._weights, name)}
        other._weights = None  # noqa: SLF001 its own class
        return other

    def read(self, values: Mapping[str, Sequence[object]]) -> Mapping[str, Sequence[object]]:
        """Return the values as they are: Python's own need no reading."""
        return values

    def shown_values(self, column: str, values: Sequence[object]) -> Sequence[object]:  # noqa: ARG002
        """Return the values as they are, members of an enumeration of strings as plain ones."""
        return [plain(value) if isinstance(value, str) and isinstance(value, Enum) else value for value in values]

    def remarks(self, values: Mapping[str, Sequence[object]], truth: str) -> tuple[str, ...]:  # noqa: ARG002
        """Return nothing: Python's values were read as they are."""
        return ()

    def order(self, keys: Sequence[str]) -> Sequence[Label]:
        """Return the levels of the first ordered categorical among the columns."""
        for key in keys:
            vector = self.vectors[key]
            if isinstance(vector, Vector) and vector.ordered:
                return [value for value in vector.values if value is not None]
        return []

    def column(self, name: str) -> Column:
        """Return any column the caller's table has, whether or not it is counted."""
        return self.vectors[name] if name in self.vectors else vector_of(self._everything[name], name)

    def raw(self, name: str) -> Any:
        """Return a column as the caller gave it."""
        return self._everything[name]

    @property
    def weights(self) -> npt.NDArray[np.float64] | None:
        """The weights of the rows, if they have any."""
        return self._weights

    def with_column(self, name: str, column: Column) -> MemorySource:
        """Return the same rows with one more column to count by."""
        other = copy(self)
        other.vectors = {**self.vectors, name: column}
        same_length(other.vectors, next(iter(self.vectors)))
        return other

    def sample(self, keys: Sequence[str], size: int) -> Grouped:
        """Count about `size` rows spread evenly over all of them."""
        step = max(1, self.length // size)
        return MemorySource({key: _every(self.vectors[key], step) for key in keys}).count(keys)

    def count(self, keys: Sequence[str], *, complete: Iterable[str] = (), most: int | None = None) -> Grouped:  # noqa: ARG002
        """Count the distinct rows of the key columns, over the rows in which no `complete` column is missing."""
        rows = self._complete_rows(complete)
        columns = [self.vectors[key] for key in keys]
        if rows is None and self._weights is None and any(isinstance(column, Text) for column in columns):
            return _count_text(keys, columns, self._limits)
        vectors = [column.encoded() for column in columns]
        codes = [vector.codes if rows is None else vector.codes[rows] for vector in vectors]
        weights = self._weights if rows is None or self._weights is None else self._weights[rows]
        places, mass = count_codes(codes, [(vector.low, len(vector.values)) for vector in vectors], weights)
        if mass.n != (self.length if rows is None else int(rows.sum())):
            raise AssertionError(f"{mass.n} of {self.length} rows were counted")
        found = [occurring(vector.values, place) for vector, place in zip(vectors, places, strict=True)]
        return Grouped(tuple(keys), tuple(values for values, _ in found), np.array([place for _, place in found]), mass)

    def words(
        self,
        truth: str | None,
        models: Sequence[str],
        reading: Reading,
        *,
        complete: Iterable[str] = (),
        group: str | None = None,
    ) -> Patterns:
        """Return every row's right/wrong pattern; patterns are only added up where rows are weighted."""
        rows = self._complete_rows(complete)
        kept = self.length if rows is None else int(rows.sum())
        marks = None if group is None else self._marks(group, rows)
        if self._weights is not None:
            right = np.array([self.right(truth, model, reading) for model in models])
            right = right if rows is None else right[:, rows]
            weights = self._weights if rows is None else self._weights[rows]
            columns, spans = list(right.view(np.uint8)), [(0, 2)] * len(models)
            if marks is not None:
                columns, spans = [*columns, marks.codes], [*spans, (0, len(marks.values))]
            patterns, mass = count_codes(columns, spans, weights)
            if marks is not None:
                patterns, marks = patterns[:-1], Marks(patterns[-1], marks.values)
            return Patterns(pack(patterns.astype(np.bool_)), mass, marks)
        bits = np.empty((len(models), -(-kept // 64)), dtype=np.uint64)
        for row, model in zip(bits, models, strict=True):
            right = self.right(truth, model, reading)
            row[:] = pack((right if rows is None else right[rows])[None, :])[0]
        return Patterns(bits, Mass(np.ones(kept, dtype=np.int64)), marks)

    def _marks(self, group: str, rows: npt.NDArray[np.bool_] | None) -> Marks:
        vector = self.vectors[group].encoded()
        codes = vector.codes if rows is None else vector.codes[rows]
        return Marks(codes.astype(np.int64) - vector.low, vector.values)

    def right(self, truth: str | None, model: str, reading: Reading) -> npt.NDArray[np.bool_]:
        """Return on which rows a model's label is the true one, or its graded answer is "right"."""
        second = self.vectors[model].encoded()
        answers = reading.code(model, second.values)
        if truth is None:
            return np.asarray((answers == 1)[second.codes - second.low])
        first = self.vectors[truth].encoded()
        if isinstance(first.values, range) and isinstance(second.values, range):
            # Plain integers on both sides are their own labels.
            return np.asarray(first.codes == second.codes)
        truths = reading.code(truth, first.values)
        answer = answers[second.codes - second.low]
        return np.asarray((truths[first.codes - first.low] == answer) & (answer >= 0))

    def instances(self, cell: Cell, reading: Reading, limit: int | None) -> Instances:
        """Return the rows of one cell, with every column there is and their place, counted from 0."""
        p, q = (self.right(cell.truth, model, reading) for model in cell.models)
        chosen = (p == cell.primary_right) & (q == cell.alternative_right)
        if cell.policy == "drop":
            chosen &= self._complete_rows(cell.all_models)
        if cell.only is not None and cell.id is not None:
            chosen &= np.isin(
                [str(value) for value in picked(self._everything[cell.id], np.arange(self.length))], cell.only
            )
        places = np.flatnonzero(chosen)
        shown = places[:limit]
        first = [column for column in (cell.id, cell.truth, *cell.models) if column is not None]
        columns = [*first, *(column for column in self._everything if column not in first)]
        values = [picked(self._everything[column], shown) for column in columns]
        rows = zip(shown.tolist(), *values, strict=True)
        place = next(name for name in ("row", "row_number", "place", "_row") if name not in columns)
        return Instances(cell, len(places), (place, *columns), tuple(rows))

    def span(self, keys: Sequence[str]) -> int:
        """Return how many cells a table of these columns has, filled or not; a column of text might have any number."""
        vectors = [self.vectors[key] for key in keys]
        sizes = [len(vector.values) if isinstance(vector, Vector) else len(vector) for vector in vectors]
        return math.prod(max(size, 1) for size in sizes)

    def wanted(
        self, keys: Sequence[str], wanted: Wanted, complete: Sequence[str], first: Sequence[str], limit: int
    ) -> Found:
        """Return rows whose key columns hold one of the wanted combinations of raw values, best rank first."""
        vectors = [self.vectors[key].encoded() for key in keys]
        places = [[_code_of(vector, values[column]) for values, _ in wanted] for column, vector in enumerate(vectors)]
        # Most rows lie in no wanted cell; those that might are looked at cell by cell.
        likely = [np.isin(vector.codes, place) for vector, place in zip(vectors, places, strict=True)]
        complete_rows = self._complete_rows(complete)
        near = np.flatnonzero(np.logical_and.reduce(likely if complete_rows is None else [*likely, complete_rows]))
        codes = [vector.codes[near] for vector in vectors]
        ranks = np.full(len(near), len(wanted), dtype=np.int64)
        for cell, rank in zip(zip(*places, strict=True), (rank for _, rank in wanted), strict=True):
            ranks[np.logical_and.reduce([row == code for row, code in zip(codes, cell, strict=True)])] = rank
        order = np.argsort(ranks, kind="stable")[: min(limit, int((ranks < len(wanted)).sum()))]
        shown = near[order]
        columns = [*first, *(column for column in self._everything if column not in first)]
        found = [picked(self._everything[column], shown) for column in columns]
        place_name = next(name for name in ("row", "row_number", "place", "_row") if name not in columns)
        rows = tuple(zip(shown.tolist(), *found, strict=True))
        return Found((place_name, *columns), rows, tuple(ranks[order].tolist()))

    def missing(self, name: str) -> npt.NDArray[np.bool_]:
        """Return on which rows a column has no value."""
        vector = self.vectors[name].encoded()
        if isinstance(vector.values, range):
            return np.zeros(self.length, dtype=np.bool_)
        absent = np.array([value is None for value in vector.values], dtype=np.bool_)
        return np.asarray(absent[vector.codes - vector.low])

    def _complete_rows(self, names: Iterable[str]) -> npt.NDArray[np.bool_] | None:
        missing = [self.missing(name) for name in names]
        return ~np.logical_or.reduce(missing) if missing else None


def _code_of(vector: Vector, value: object) -> int:
    """The code of a raw value that the column holds."""
    if isinstance(vector.values, range):
        return int(value)  # type: ignore[call-overload,no-any-return]
    found = (place for place, known in enumerate(vector.values) if type(known) is type(value) and known == value)
    return vector.low + next(found)


def picked(column: Any, places: npt.NDArray[np.integer]) -> list[object]:
    """Return the values of a column at some places, as Python values.

    Examples
    --------
    >>> picked([5, 7, 9], np.array([2, 0]))
    [9, 5]
    """
    if hasattr(column, "iloc"):
        return list(column.iloc[places].tolist())
    if hasattr(column, "__array__") and not isinstance(column, Sequence):
        return list(np.asarray(column)[places].tolist())
    return [column[place] for place in places.tolist()]


def _every(column: Column, step: int) -> Vector:
    if isinstance(column, Text):
        return Text(column.raw[::step]).encoded()
    return Vector(column.codes[::step], column.low, column.values)


def _count_text(keys: Sequence[str], columns: Sequence[Column], limits: Limits | None) -> Grouped:
    """Long columns of Python strings: the engine's hash table over the raw columns, no encoding step at all."""
    with Engine(limits) as engine:
        engine.register("columns", {f"c{k}": np.ascontiguousarray(column.raw) for k, column in enumerate(columns)})
        # The engine makes an enumeration of a fixed-width column, which it could only hand back to pandas.
        keys_of = [f"CAST(c{k} AS VARCHAR)" if isinstance(c, Text) else f"c{k}" for k, c in enumerate(columns)]
        selected = ", ".join(f"{key} AS k{place}" for place, key in enumerate(keys_of))
        answer = engine.fetch(f"SELECT {selected}, count(*) AS n FROM columns GROUP BY ALL")
    found = from_columns(
        keys, [answer[f"k{place}"] for place in range(len(columns))], Mass(answer["n"].astype(np.int64))
    )
    decoded = tuple([column.decoded(v) for v in values] for column, values in zip(columns, found.values, strict=True))
    return Grouped(found.names, decoded, found.codes, found.mass)
