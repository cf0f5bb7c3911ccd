"""Any data frame that narwhals reads: polars (eager and lazy), Arrow, Dask, Spark (classic and Connect), ibis …

A frame is never collected: it groups and counts itself, and only the distinct rows leave it. On a cluster nothing but
group-by-and-count and plain sums runs, no user-defined function, nothing of ours on the workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from tiebreak._format import quoted
from tiebreak.errors import TiebreakError, UnreadableSource
from tiebreak.sources.collected import collected, schema_of
from tiebreak.sources.grouped import Grouped, Patterns, TooManyCells, from_columns
from tiebreak.sources.labels import read_digits
from tiebreak.sources.moments import read_moment
from tiebreak.sources.reading import Reading
from tiebreak.sources.rows import Cell, Found, Instances, Wanted
from tiebreak.sources.sql import WORD, bits_of_words
from tiebreak.sources.vectors import refuse_no_label
from tiebreak.sources.weights import SUMS, mass_of, refuse_weight, refuse_zero_weights
from tiebreak.tables import LIMB, Label, Scale

_COUNT, _TOTAL, _WEIGHT = "_tiebreak_n", "_tiebreak_total", "_tiebreak_w"
_GROUP, _RANK = "_tiebreak_group", "_tiebreak_rank"


# Types whose Python values are not the engine's: they are grouped by their text, and read from it.
_READ_TYPES = (nw.Decimal, nw.Datetime)


class FrameSource:
    """A narwhals lazy frame.

    Examples
    --------
    >>> import pyarrow as pa
    >>> source = FrameSource(pa.table({"y": [1, 0, 1], "knn": [1, 1, 1]}))
    >>> sorted(source.count(["y"]).mass.counts.tolist())
    [1, 2]
    """

    where = "the frame"

    def __init__(self, native: Any, *, weight: str | None = None, na: str | None = None) -> None:
        frame = nw.from_native(native)
        self.eager = isinstance(frame, nw.DataFrame)
        self.frame: nw.LazyFrame[Any] = frame.lazy()
        self.schema = schema_of(self.frame)
        self._na = na
        self._weight = weight
        self._scale = self._checked_scale() if weight else None

    def weight_as_key(self, name: str) -> FrameSource:  # noqa: ARG002 the column exists
        """Return the same rows unweighted, so that their weights are one more column to count by."""
        other = copy(self)
        other._weight, other._scale = None, None  # noqa: SLF001 its own class
        return other

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.schema)

    def with_column(self, name: str, expression: nw.Expr) -> FrameSource:
        """Return the same rows with one more column to count by."""
        other = copy(self)
        other.frame = self.frame.with_columns(expression.alias(name))
        other.schema = schema_of(other.frame)
        return other

    def key(self, column: str) -> nw.Expr:
        """Return a column as it is grouped."""
        return self._key(column)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return count_rows(self.frame)

    def read(self, values: Mapping[str, Sequence[object]]) -> Mapping[str, Sequence[object]]:
        """Return the values as they are, but decimals and points in time, which were grouped by their text."""
        return {column: self.shown_values(column, given) for column, given in values.items()}

    def shown_values(self, column: str, values: Sequence[object]) -> Sequence[object]:
        """Return raw values of a column as a reader should see them."""
        dtype = self.schema[column]
        if isinstance(dtype, nw.Datetime):
            return [read_moment(value, dtype.time_zone) for value in values]
        return [read_digits(value) for value in values] if isinstance(dtype, nw.Decimal) else values

    def remarks(self, values: Mapping[str, Sequence[object]], truth: str) -> tuple[str, ...]:  # noqa: ARG002
        """Return nothing: a frame's columns have types."""
        return ()

    def order(self, keys: Sequence[str]) -> Sequence[Label]:
        """Return the categories of the first enumeration among the columns; its categories are ordered."""
        for key in keys:
            dtype = self.schema[key]
            if isinstance(dtype, nw.Enum):
                return list(dtype.categories)
        return []

    def numbers(
        self, keys: Sequence[str], names: Sequence[str], complete: Iterable[str] = ()
    ) -> tuple[list[npt.NDArray[Any]], list[npt.NDArray[np.float64]], npt.NDArray[np.float64] | None]:
        """Return key columns, whole columns of numbers (NaN where missing) and the weights, row by row."""
        for name in names:
            if not self.schema[name].is_numeric():
                raise TiebreakError(f"column {quoted(name)} holds {self.schema[name]}, which is no number")
        numbers = [nw.col(name).cast(nw.Float64).alias(f"_tiebreak_c{place}") for place, name in enumerate(names)]
        marks = [self._key(key).alias(f"{_GROUP}{place}") for place, key in enumerate(keys)]
        rows = collected(self._complete(complete).select(*marks, *numbers, *self._weight_column()))
        found = [np.array(rows[f"_tiebreak_c{k}"].to_list(), dtype=np.float64) for k in range(len(names))]
        weights = np.array(rows[_WEIGHT].to_list(), dtype=np.float64) if self._weight else None
        return [_array(rows[f"{_GROUP}{place}"].to_list()) for place in range(len(keys))], found, weights

    def sample(self, keys: Sequence[str], size: int) -> Grouped:
        """Count the first `size` rows."""
        return self._grouped(keys, self._keyed(keys, self.frame.head(size)), weighted=False)

    def count(self, keys: Sequence[str], *, complete: Iterable[str] = (), most: int | None = None) -> Grouped:
        """Count the distinct rows of the key columns, over the rows in which no `complete` column is missing."""
        rows = self._complete(complete)
        with _meanwhile(rows, count_rows) as counted_rows:
            part = self._grouped(keys, self._keyed(keys, rows), weighted=self._weight is not None)
        if most is not None and len(part.mass.counts) > most:
            raise TooManyCells(f"{self.where} has more than {most} distinct outcomes")
        total = counted_rows()
        if part.mass.n != total:
            raise UnreadableSource(
                f"{self.where} was counted as {part.mass.n} rows and has {total}: it changes from one reading to the "
                "next, or its engine loses rows; compute or cache it first"
            )
        return part

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
        names, words = [], []
        for start in range(0, len(models), WORD):
            names.append(f"_tiebreak_word{start}")
            bits = [
                nw.when(self.right(truth, model, reading))
                .then(nw.lit(1 << bit, dtype=nw.Int64))
                .otherwise(nw.lit(0, dtype=nw.Int64))
                for bit, model in enumerate(models[start : start + WORD])
            ]
            words.append(nw.sum_horizontal(*bits).alias(names[-1]))
        mark = [] if group is None else [_GROUP]
        marked = [] if group is None else [self._key(group).alias(_GROUP)]
        rows = self._complete(complete).select(*words, *marked, *self._weight_column())
        found = self._grouped([*names, *mark], rows, weighted=self._weight is not None)
        part, marks = found.split(None if group is None else _GROUP)
        columns = [np.array(values)[codes] for values, codes in zip(part.values, part.codes, strict=True)]
        return Patterns(bits_of_words(columns, len(models)), part.mass, marks)

    def right(self, truth: str | None, model: str, reading: Reading) -> nw.Expr:
        """Return the expression under which a model's label is the true one, never null.

        Columns of one type are compared as they are; otherwise the raw values that are the same label are listed.
        """
        p = self._key(model)
        if truth is None:
            right = [p == value for value in reading.right_values(model)]
        elif self._alike(truth, model, reading):
            right = [p == self._key(truth)]
        else:
            right = [(self._key(truth) == true) & (p == given) for true, given in reading.matches(truth, model)]
        some = nw.any_horizontal(*right, ignore_nulls=True) if right else nw.lit(value=False)
        missing = self._missing(model) if truth is None else self._missing(model) | self._missing(truth)
        return nw.when(missing).then(nw.lit(value=False)).otherwise(some)

    def _alike(self, truth: str, model: str, reading: Reading) -> bool:
        """Whether the engine's own equality of two columns is that of their labels."""
        one, two = self.schema[truth], self.schema[model]
        if isinstance(one, _READ_TYPES) or isinstance(two, _READ_TYPES):
            return type(one) is type(two) and reading.one_spelling(truth, model)
        texts = (nw.String, nw.Categorical, nw.Enum)
        if isinstance(one, texts) or isinstance(two, texts):
            return isinstance(one, texts) and isinstance(two, texts)
        return (
            one == two
            or (one.is_integer() and two.is_integer())
            or (one.is_numeric() and two.is_numeric() and not reading.wide)
        )

    def instances(self, cell: Cell, reading: Reading, limit: int | None) -> Instances:
        """Return the rows of one cell, with every column the frame has."""
        first = [column for column in (cell.id, cell.truth, *cell.models) if column is not None]
        columns = [*first, *(column for column in self.columns if column not in first)]
        p, q = (self.right(cell.truth, model, reading) for model in cell.models)
        rows = self.frame.filter(p if cell.primary_right else ~p, q if cell.alternative_right else ~q)
        if cell.policy == "drop":
            rows = rows.filter(*(~self._missing(model) for model in cell.all_models))
        if cell.only is not None and cell.id is not None:
            rows = rows.filter(nw.col(cell.id).cast(nw.String).is_in(cell.only))
        total = count_rows(rows)
        shown = collected(rows.select(*columns).head(total if limit is None else limit))
        values = [shown[column].to_list() for column in columns]
        return Instances(cell, total, tuple(columns), tuple(zip(*values, strict=True)))

    def wanted(
        self, keys: Sequence[str], wanted: Wanted, complete: Sequence[str], first: Sequence[str], limit: int
    ) -> Found:
        """Return rows whose key columns hold one of the wanted combinations of raw values, best rank first."""
        columns = [*first, *(column for column in self.columns if column not in first)]
        nothing = nw.lit(0, dtype=nw.Int64)
        marks = []
        for values, rank in wanted:
            alike = nw.all_horizontal(
                *(self._key(key) == value for key, value in zip(keys, values, strict=True)), ignore_nulls=False
            )
            marks.append(nw.when(alike).then(nw.lit(rank + 1, dtype=nw.Int64)).otherwise(nothing))
        ranked = self._complete(complete).with_columns(nw.sum_horizontal(*marks).alias(_RANK))
        found = collected(ranked.filter(nw.col(_RANK) > 0).sort(_RANK).head(limit).select(_RANK, *columns))
        values_of = [found[column].to_list() for column in columns]
        ranks = tuple(int(rank) - 1 for rank in found[_RANK].to_list())
        return Found(tuple(columns), tuple(zip(*values_of, strict=True)), ranks)

    def _key(self, column: str) -> nw.Expr:
        """A key column as it is grouped: categoricals by their text, nested types not at all."""
        dtype = self.schema[column]
        refuse_no_label(dtype, column)
        key = nw.col(column)
        if isinstance(dtype, nw.Datetime) and dtype.time_zone and self.frame.implementation.is_spark_like():
            # Spark's own text leaves out the zone of the session, in which one time comes twice a year.
            key = nw.concat_str(key.cast(nw.String), key.dt.to_string("%z"))
        elif isinstance(dtype, nw.Categorical | nw.Enum | nw.Decimal | nw.Datetime):
            key = key.cast(nw.String)
        if self._na is not None and isinstance(dtype, nw.Categorical | nw.Enum | nw.String):
            key = nw.when(key != self._na).then(key)
        return key

    def _missing(self, column: str) -> nw.Expr:
        key = self._key(column)
        return (key.is_null() | key.is_nan()) if self.schema[column].is_float() else key.is_null()

    def _keyed(self, keys: Sequence[str], rows: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        return rows.select(*(self._key(key).alias(key) for key in keys), *self._weight_column())

    def _weight_column(self) -> list[nw.Expr]:
        return [] if self._weight is None else [nw.col(self._weight).cast(nw.Float64).alias(_WEIGHT)]

    def _complete(self, names: Iterable[str]) -> nw.LazyFrame[Any]:
        conditions = [~self._missing(column) for column in names]
        return self.frame.filter(*conditions) if conditions else self.frame

    def _grouped(self, keys: Sequence[str], rows: nw.LazyFrame[Any], *, weighted: bool) -> Grouped:
        sums = self._limbs() if weighted else {}
        if sums:
            rows = rows.with_columns(**sums)
        totals = [nw.col(limb).sum().alias(limb) for limb in sums]
        grouped = rows.group_by(*keys, drop_null_keys=False).agg(nw.len().alias(_COUNT), *totals)
        answer = collected(grouped)
        counts = np.array(answer[_COUNT].to_list(), dtype=np.int64)
        mass = mass_of(counts, {limb: answer[limb].to_list() for limb in sums}, self._scale if weighted else None)
        return from_columns(keys, [_array(answer[key].to_list()) for key in keys], mass)

    def _limbs(self) -> dict[str, nw.Expr]:
        """The weights' integer limbs, whose sums are the same in every order."""
        if self._scale is None:
            return {}
        w, limbs = nw.col(_WEIGHT), []
        for scaled in (w * 2.0**self._scale.weight, w * w * 2.0**self._scale.square):
            high = (scaled / LIMB**2).floor()
            rest = scaled - high * LIMB**2
            middle = (rest / LIMB).floor()
            limbs += [high, middle, (rest - middle * LIMB).floor()]
        return {label: limb.cast(nw.Int64) for label, limb in zip(SUMS, limbs, strict=True)}

    def _checked_scale(self) -> Scale:
        column = str(self._weight)
        if not self.schema[column].is_numeric():
            raise TiebreakError(
                f"weight {quoted(column)} holds {self.schema[column]}: every weight must be a number ≥ 0"
            )
        w = nw.col(column).cast(nw.Float64)
        bad = w.is_null() | w.is_nan() | (w < 0) | (w == float("inf"))
        wrong = collected(self.frame.filter(bad).select(w).head(1))[column].to_list()
        if wrong:
            refuse_weight(column, wrong[0], self.where)
        ends = collected(self.frame.filter(w > 0).select(w.min().alias("low"), w.max().alias("high")))
        smallest, largest = ends["low"].to_list()[0], ends["high"].to_list()[0]
        if not largest:
            refuse_zero_weights(column)
        return Scale.for_range(float(smallest), float(largest))


def _array(values: list[Any]) -> npt.NDArray[np.generic]:
    """A column of the answer as objects, so that nothing is converted on the way."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


@contextmanager
def _meanwhile(frame: nw.LazyFrame[Any], ask: Callable[[nw.LazyFrame[Any]], int]) -> Iterator[Callable[[], int]]:
    """Ask a frame beside what else is asked of it: a cluster has room for two jobs, any other engine answers after."""
    if not (frame.implementation.is_pyspark() or frame.implementation.is_pyspark_connect()):
        yield lambda: ask(frame)
        return
    with ThreadPoolExecutor(1) as beside:
        yield beside.submit(ask, frame).result


def count_rows(frame: nw.LazyFrame[Any]) -> int:
    """Return the number of rows of a frame.

    Examples
    --------
    >>> import pyarrow as pa
    >>> count_rows(nw.from_native(pa.table({"id": [1, 2]})).lazy())
    2
    """
    return int(collected(frame.select(nw.len().alias(_TOTAL)))[_TOTAL].to_list()[0])
