"""Columns of numbers instead of labels: graded scores, or predictions beside the numbers they predict.

A number is what it is, so nothing is grouped. Only the model columns, the truth, the group and the weight leave their
frame or file, four or eight bytes a value; of more than can be held, sums are made where they are (`summed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from tiebreak._format import counted, quoted
from tiebreak.errors import TiebreakError
from tiebreak.sources.ask import Ask, Roles
from tiebreak.sources.collected import collected
from tiebreak.sources.frames import FrameSource
from tiebreak.sources.grouped import Marks, encode
from tiebreak.sources.labels import is_missing
from tiebreak.sources.sql import SqlSource
from tiebreak.sources.vectors import same_length, vector_of
from tiebreak.sources.weights import checked_weights

Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """The columns of a comparison of numbers.

    Attributes
    ----------
    columns : one array a model, NaN where a number is missing
    truth : the numbers that were predicted; None where models have graded scores
    marks : the instances' groups, None where they are independent
    weights : None where instances count alike

    Examples
    --------
    >>> Numbers({"knn": np.array([0.5, 1.0])}).weights is None
    True
    """

    columns: Mapping[str, Floats]
    truth: Floats | None = None
    marks: Marks | None = None
    weights: npt.NDArray[np.float64] | None = None


class NumbersInMemory:
    """Named columns of numbers in memory: arrays, lists, Series, the columns of a pandas frame.

    Examples
    --------
    >>> source = NumbersInMemory({"a": [0.5, None], "b": [1, 0]})
    >>> source.numbers(Ask(task="scores"), Roles(None, ("a", "b"))).columns["a"]
    array([0.5, nan])
    """

    where = "the data"

    def __init__(self, columns: Mapping[str, Any], weights: Any = None) -> None:
        self.everything, self._weights = columns, weights

    def numbers(self, ask: Ask, roles: Roles) -> Numbers:
        """Return the models' numbers, with truth, groups and weights."""
        found = {name: numbers_of(self.everything[name], name, ask) for name in roles.keys}
        length = same_length(found, roles.keys[0], "number")
        truth = None if roles.truth is None else found.pop(roles.truth)
        marks = None if roles.group is None else self._marks(roles.group, length)
        weights = self._weights
        if weights is not None:
            weights = checked_weights(weights, roles.weight or "sample_weight", length)
        return Numbers(found, truth, marks, weights)

    def _marks(self, group: str, length: int) -> Marks:
        vector = vector_of(self.everything[group], group).encoded()
        if len(vector) != length:
            raise TiebreakError(
                f"{group} has {counted(len(vector), 'value')} but there are {counted(length, 'instance')}: "
                "every instance needs its group, in the same order"
            )
        return Marks(vector.codes.astype(np.int64) - vector.low, vector.values)


def numbers_of(data: Any, name: str, ask: Ask) -> Floats:
    """Return a column of numbers, float32 kept and all else float64, NaN where missing; text is refused unless `na`.

    Examples
    --------
    >>> numbers_of([1, None, True, "x"], "a", Ask(task="scores", na="x"))
    array([ 1., nan,  1., nan])
    """
    series = nw.from_native(data, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        numeric = series.dtype.is_numeric() or series.dtype == nw.Boolean
        if numeric and (not series.null_count() or series.dtype.is_float()):
            data = series.to_numpy()
        else:
            data = series.to_list()
    elif isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(data.astype(np.float64), np.nan)
    if isinstance(data, np.ndarray) and data.dtype.kind in "fiub":
        if data.dtype.kind == "b":
            _refuse_boolean(name, ask)
        array = data if data.dtype in (np.float32, np.float64) else data.astype(np.float64)
    else:
        values = data.tolist() if isinstance(data, np.ndarray) else list(data)
        array = np.array([_number(value, name, ask) for value in values], dtype=np.float64)
    if array.ndim != 1:
        raise TiebreakError(f"{name} has shape {array.shape}: it must hold one number per instance")
    return array


def _number(value: object, name: str, ask: Ask) -> float:
    if is_missing(value) or (ask.na is not None and value == ask.na):
        return float("nan")
    if isinstance(value, bool | np.bool_):
        _refuse_boolean(name, ask)
    if isinstance(value, str | bytes):
        refuse_no_number(value, name, ask)
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        refuse_no_number(value, name, ask)
        raise


def _refuse_boolean(name: str, ask: Ask) -> None:
    if ask.task == "regression":
        refuse_no_number(True, name, ask)  # noqa: FBT003


def refuse_no_number(value: object, name: str, ask: Ask) -> None:
    """Raise the error for something that is no number.

    Examples
    --------
    >>> refuse_no_number("good", "knn", Ask(task="scores"))
    Traceback (most recent call last):
    tiebreak.errors.TiebreakError: column 'knn' holds 'good': with task scores every value is a number; name the model \
columns with --models, or say with --na which text means missing
    """
    raise TiebreakError(
        f"column {quoted(name)} holds {quoted(value)}: with task {ask.task} every value is a number; name the model "
        "columns with --models, or say with --na which text means missing"
    )


def refuse_kind(kind: str, name: str, ask: Ask) -> None:
    """Raise the error for a column whose type is none of numbers.

    Examples
    --------
    >>> refuse_kind("VARCHAR", "knn", Ask(task="scores"))
    Traceback (most recent call last):
    tiebreak.errors.TiebreakError: column 'knn' holds VARCHAR: with task scores every column of a model is numbers; \
name the model columns with --models
    """
    raise TiebreakError(
        f"column {quoted(name)} holds {kind}: with task {ask.task} every column of a model is numbers; name the model "
        "columns with --models"
    )


AnyNumbers = NumbersInMemory | FrameSource | SqlSource


def numbers_from(source: AnyNumbers, ask: Ask, roles: Roles) -> Numbers:
    """Read the numbers of any source into memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> source = FrameSource(pa.table({"a": [0.5, None], "b": [1, 0]}))
    >>> numbers_from(source, Ask(task="scores"), Roles(None, ("a", "b"))).columns["a"]
    array([0.5, nan])
    """
    if isinstance(source, NumbersInMemory):
        return source.numbers(ask, roles)
    if isinstance(source, FrameSource):
        return _from_frame(source, ask, roles)
    return _from_sql(source, ask, roles)


def _from_frame(source: FrameSource, ask: Ask, roles: Roles) -> Numbers:
    for name in roles.keys:
        check_frame_column(source, name, ask)
    types = [source.schema[name] for name in roles.keys]
    narrow = all(dtype == nw.Float32 for dtype in types)
    kept = [nw.col(name) if narrow else nw.col(name).cast(nw.Float64) for name in roles.keys]
    others = [nw.col(name) for name in (*roles.marks, *((roles.weight,) if roles.weight else ()))]
    answer = collected(source.frame.select(*kept, *others))
    found = {name: _plain(answer[name]) for name in roles.keys}
    truth = None if roles.truth is None else found.pop(roles.truth)
    marks = None
    if roles.group is not None:
        vector = vector_of(answer[roles.group].to_native(), roles.group).encoded()
        marks = Marks(vector.codes.astype(np.int64) - vector.low, vector.values)
    weights = None
    if roles.weight:
        weights = checked_weights(_plain(answer[roles.weight].cast(nw.Float64)), roles.weight, len(answer))
    return Numbers(found, truth, marks, weights)


def _plain(series: nw.Series[Any]) -> Floats:
    """A column as floats; null becomes NaN."""
    found = series.to_numpy()
    if found.dtype == object:
        found = np.array([np.nan if value is None else value for value in found], dtype=np.float64)
    return np.asarray(found)


def check_frame_column(source: FrameSource, name: str, ask: Ask) -> None:
    """Refuse a column of a frame that holds no numbers.

    Examples
    --------
    >>> import pyarrow as pa
    >>> check_frame_column(FrameSource(pa.table({"a": [0.5]})), "a", Ask(task="regression"))
    """
    dtype = source.schema[name]
    if dtype == nw.Boolean:
        _refuse_boolean(name, ask)
    elif not dtype.is_numeric() and not (dtype == nw.Unknown and not _filled_rows(source, name)):
        refuse_kind(str(dtype), name, ask)


def _filled_rows(source: FrameSource, name: str) -> int:
    """How many values a column has; a column without any has no type in some libraries."""
    return int(collected(source.frame.select(nw.col(name).count()))[name].to_list()[0])


def sql_numbers(source: SqlSource, ask: Ask, roles: Roles) -> dict[str, str]:
    """Return how each column is read as a number by SQL, after looking that it can be; FLOAT stays FLOAT if all are.

    Examples
    --------
    >>> from tiebreak.sources.engine import Engine
    >>> with Engine() as engine:
    ...     source = SqlSource(engine, "(SELECT 0.5::DOUBLE AS a, 1 AS b)")
    ...     sql_numbers(source, Ask(task="scores"), Roles(None, ("a", "b")))["b"]
    'CAST("b" AS DOUBLE)'
    """
    reads = {name: source.columns[name] for name in roles.keys}
    asked = ", ".join(f"typeof({read.expression})" for read in reads.values())
    row = source.runner.rows(f"SELECT {asked} FROM {source.relation} LIMIT 1", source.where)
    types = dict(zip(reads, row[0] if row else ["DOUBLE"] * len(reads), strict=True))
    found, texts = {}, {}
    narrow = set(types.values()) == {"FLOAT"}
    for name, read in reads.items():
        if read.written not in {"typed", "float", "digits", "text", "json"}:
            refuse_kind("text" if read.written == "typed-text" else read.written, name, ask)
        if types[name] == "BOOLEAN":
            _refuse_boolean(name, ask)
        if read.written in {"text", "json"}:
            found[name] = f"TRY_CAST({read.as_text} AS DOUBLE)"
            texts[name] = f"any_value({read.as_text}) FILTER ({read.as_text} IS NOT NULL AND {found[name]} IS NULL)"
        else:
            found[name] = read.expression if narrow else f"CAST({read.expression} AS DOUBLE)"
    if texts:
        wrong = source.runner.rows(f"SELECT {', '.join(texts.values())} FROM {source.relation}", source.where)[0]
        for name, value in zip(texts, wrong, strict=True):
            if value is not None:
                refuse_no_number(value, name, ask)
    return found


def number(value: Any, otherwise: float = 0.0) -> float:
    """Return a number of an engine's answer; a sum over nothing is null.

    Examples
    --------
    >>> number(2), number(None), number(np.ma.masked, np.inf)
    (2.0, 0.0, inf)
    """
    return otherwise if value is None or value is np.ma.masked or value != value else float(value)


def _from_sql(source: SqlSource, ask: Ask, roles: Roles) -> Numbers:
    read = sql_numbers(source, ask, roles)
    selected = [f"{expression} AS x{place}" for place, expression in enumerate(read.values())]
    selected += [f"{source.columns[roles.group].expression} AS mark"] if roles.group else []
    selected += [f"{source.columns[roles.weight].expression} AS w"] if roles.weight else []
    answer = source.runner.fetch(f"SELECT {', '.join(selected)} FROM {source.relation}", source.where)
    found = {name: _filled(answer[f"x{place}"]) for place, name in enumerate(read)}
    truth = None if roles.truth is None else found.pop(roles.truth)
    marks = None
    if roles.group:
        codes, values = encode(answer["mark"])
        marks = Marks(codes, [source.shown(roles.group, value) for value in values])
    return Numbers(found, truth, marks, np.asarray(answer["w"], dtype=np.float64) if roles.weight else None)


def _filled(column: Any) -> Floats:
    return np.ma.filled(column, np.nan) if isinstance(column, np.ma.MaskedArray) else np.asarray(column)
