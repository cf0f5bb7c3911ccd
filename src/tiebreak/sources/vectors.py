"""One column in memory as integer codes, by the cheapest way its type allows and without a copy where there is none.

Small integers, booleans and categoricals already are codes. Floats that are whole numbers become codes. Text is encoded
by a hash table: the user's own pandas for a pandas column, Python's for a short one; a long NumPy column of text stays
as it is (`Text`) and is counted by the engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from tiebreak._format import counted, quoted
from tiebreak.errors import TiebreakError, UnpairedInstances
from tiebreak.sources.fused import BLOCK
from tiebreak.sources.grouped import encode_objects
from tiebreak.sources.labels import DAMAGED, is_missing, kind_of, one_kind
from tiebreak.sources.moments import is_day, is_point, moment_of, read_moment

# Integers spread wider than this are ranked first; their range would make a table mostly of empty cells.
_DENSE_SPAN = 1 << 20
# From here on the engine counts text faster than Python encodes it, its start-up included.
LONG_TEXT = 1 << 17


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """A column as codes `low`, `low` + 1, …, with the raw value each code stands for (None where missing).

    Examples
    --------
    >>> vector = vector_of(np.array([3, 5, 3]), "y")
    >>> vector.low, list(vector.values)
    (3, [3, 4, 5])
    """

    codes: npt.NDArray[np.integer]
    low: int
    values: Sequence[object]
    ordered: bool = False

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def raw(self) -> npt.NDArray[np.integer]:
        """The column as something the engine can group by."""
        return self.codes

    def decoded(self, code: Any) -> object:
        """Return the raw value of a code."""
        return self.values[code - self.low]

    def encoded(self) -> Vector:
        """Return itself: it has codes already."""
        return self


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A long column of Python strings (and None), not encoded: the engine groups the strings themselves.

    Examples
    --------
    >>> Text(np.array(["a", None], dtype=object)).encoded().values
    ['a', None]
    """

    raw: npt.NDArray[np.generic]
    ordered: bool = False

    def __len__(self) -> int:
        return len(self.raw)

    def decoded(self, value: object) -> object:
        """Return the value itself."""
        return value

    def encoded(self) -> Vector:
        """Encode after all, where codes are needed row by row."""
        codes, values = encode_objects(self.raw.tolist())
        return Vector(codes, 0, values)


Column = Vector | Text


def vector_of(data: Any, name: str) -> Column:
    """Return any one-dimensional data as a column: array, list, Series of any library, categorical, nullable.

    Examples
    --------
    >>> list(vector_of(["b", None, "a"], "knn").values)
    ['b', None, 'a']
    """
    if type(data) is np.ndarray:
        return _from_array(data, name)
    series = nw.from_native(data, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return _from_series(series, name)
    if isinstance(data, str | bytes) or np.isscalar(data):
        raise TiebreakError(f"{name} is {quoted(data)}: it must be a column of values, one per instance")
    if isinstance(data, set | frozenset | Mapping):
        raise TiebreakError(f"{name} is a {type(data).__name__}, which has no order: it must be a column of values")
    if isinstance(data, np.ma.MaskedArray):
        return _from_objects(data.tolist(), name)
    if isinstance(data, Sequence) or not hasattr(data, "__array__"):
        return _from_objects(list(data), name)
    return _from_array(np.asarray(data), name)


def _from_array(array: npt.NDArray[Any], name: str) -> Column:
    if array.ndim != 1:
        raise TiebreakError(
            f"{name} has shape {array.shape}: it must hold one value per instance; for a single column use .ravel(), "
            "for probabilities the label of the largest"
        )
    kind = array.dtype.kind
    if kind == "b":
        return Vector(array.view(np.uint8), 0, (False, True))
    if kind in "iu":
        return _from_integers(array)
    if kind == "f":
        return _from_floats(array)
    if kind == "M":
        return _from_moments(array)
    if kind == "U":
        return _text(array) if len(array) >= LONG_TEXT else _from_objects(array.tolist(), name)
    if kind == "O" and len(array) >= LONG_TEXT and _all_text(array):
        return _text(array)
    return _from_objects(array.tolist(), name)


def _text(array: npt.NDArray[Any]) -> Text:
    """A column that stays as it is, in one piece: the engine cannot read one that runs backwards."""
    return Text(np.ascontiguousarray(array))


def _from_moments(array: npt.NDArray[Any]) -> Vector:
    """NumPy's dates and points in time: those of two resolutions are the same labels."""
    distinct, codes = np.unique(array, return_inverse=True, equal_nan=True)
    values: list[object]
    if is_day(array.dtype):
        values = distinct.astype("M8[D]").tolist()
    else:
        values = [None if np.isnat(value) else moment_of(value) for value in distinct]
    return Vector(codes.reshape(-1), 0, values)


def _from_integers(array: npt.NDArray[Any]) -> Vector:
    if not len(array):
        return Vector(np.zeros(0, dtype=np.int64), 0, ())
    low, high = _bounds(array)
    if high - low < _DENSE_SPAN and high < 2**62 and low > -(2**62):
        return Vector(array, low, range(low, high + 1))
    distinct, codes = np.unique(array, return_inverse=True)
    return Vector(codes.reshape(-1), 0, distinct.tolist())


def _bounds(array: npt.NDArray[Any]) -> tuple[int, int]:
    """Return codes between which all values lie; one pass where one byte is wide enough and nothing is negative."""
    if array.itemsize == 1 and (high := int(array.view(np.uint8).max())) < 2**7:
        return 0, high
    return int(array.min()), int(array.max())


def _from_floats(array: npt.NDArray[Any]) -> Vector:
    """Whole numbers (a column of integers with gaps, usually) become codes block by block; NaN is code `low`."""
    missing = np.isnan(array)
    low, high = _range(array, missing)
    if 0 <= high - low < _DENSE_SPAN and max(abs(low), abs(high)) < DAMAGED and _all_whole(array, missing):
        wide = np.int32 if abs(low) + _DENSE_SPAN < 2**31 else np.int64
        codes: npt.NDArray[np.integer] = np.full(len(array), low - 1, dtype=wide)
        np.copyto(codes, array, where=~missing, casting="unsafe")
        return Vector(codes, int(low) - 1, (None, *range(int(low), int(high) + 1)))
    distinct, ranks = np.unique(array, return_inverse=True, equal_nan=True)
    return Vector(ranks.reshape(-1), 0, [None if value != value else value for value in distinct.tolist()])


def _range(array: npt.NDArray[Any], missing: npt.NDArray[np.bool_]) -> tuple[float, float]:
    if missing.all() or not np.isfinite(array[~missing]).all():
        return 0.0, -1.0
    return float(np.nanmin(array)), float(np.nanmax(array))


def _all_whole(array: npt.NDArray[Any], missing: npt.NDArray[np.bool_]) -> bool:
    return all(
        ((part == np.floor(part)) | missing[start : start + BLOCK]).all()
        for start in range(0, len(array), BLOCK)
        for part in [array[start : start + BLOCK]]
    )


def _all_text(array: npt.NDArray[Any]) -> bool:
    """Whether every object is a plain string that the engine can hold, or None; members of enumerations are not."""
    for start in range(0, len(array), BLOCK):
        block = array[start : start + BLOCK].tolist()
        types = set(map(type, block))
        if not types <= {str, type(None)}:
            return False
        try:
            "".join(block if types == {str} else filter(None, block)).encode()
        except UnicodeEncodeError:
            return False
    return True


def _from_objects(values: list[Any], name: str) -> Vector:
    types = set(map(type, values))
    if types == {bool}:
        return Vector(np.array(values, dtype=np.uint8), 0, (False, True))
    if types == {int}:
        try:
            return _from_integers(np.array(values, dtype=np.int64))
        except OverflowError:
            pass
    if types - {str, type(None)}:
        _refuse_mixture(values, name)
        if any(is_point(value) for value in values):
            # Two times of one zone may be equal to Python and an hour apart, where its clocks are put back.
            values = [moment_of(value) if is_point(value) and not is_missing(value) else value for value in values]
    try:
        codes, distinct = encode_objects(values)
    except TypeError:
        wrong = next(value for value in values if not _hashable(value))
        raise TiebreakError(
            f"{name} holds {quoted(wrong)}, a {type(wrong).__name__}: a label must be one value"
        ) from None
    return Vector(codes, 0, distinct)


def _refuse_mixture(values: list[Any], name: str) -> None:
    first = {kind_of(value): value for value in reversed(values) if not is_missing(value)}
    one_kind({name: reversed(first.values())}, within=True)


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _from_series(series: nw.Series[Any], name: str) -> Column:
    refuse_no_label(series.dtype, name)
    if series.dtype in (nw.Categorical, nw.Enum):
        return _from_categorical(series, name)
    if series.implementation.is_pandas_like():
        return _from_pandas(series.to_native(), name)
    if isinstance(series.dtype, nw.Datetime):
        zone = series.dtype.time_zone
        return _from_objects([read_moment(text, zone) for text in series.cast(nw.String).to_list()], name)
    if series.dtype.is_integer() and not series.null_count():
        return _from_integers(np.asarray(series.to_numpy()))
    return _from_objects(series.to_list(), name)


def _from_categorical(series: nw.Series[Any], name: str) -> Column:
    native = series.to_native()
    if series.implementation.is_pandas_like() and not hasattr(native.dtype, "categories"):
        # An Arrow dictionary inside pandas: its values are found by pandas' hash table, like any other.
        return _from_pandas(native, name)
    if not series.implementation.is_pandas_like():
        levels = list(series.dtype.categories) if isinstance(series.dtype, nw.Enum) else []
        place: dict[object, int] = {None: -1} | {level: code for code, level in enumerate(levels)}
        if not levels:
            return _from_objects(series.to_list(), name)
        codes = np.array([place[value] for value in series.to_list()], dtype=np.int64)
        return Vector(codes, -1, (None, *levels), ordered=True)
    values = (None, *native.cat.categories.tolist())
    return Vector(native.cat.codes.to_numpy(), -1, values, ordered=bool(native.cat.ordered))


def _from_pandas(series: Any, name: str) -> Column:
    """A pandas column: NumPy's types as arrays, everything else through pandas' own hash table."""
    if isinstance(series.dtype, np.dtype) and series.dtype.kind != "O":
        return _from_array(series.to_numpy(), name)
    if isinstance(series.dtype, np.dtype) and not (len(series) >= LONG_TEXT and _all_text(series.to_numpy())):
        return _from_objects(series.tolist(), name)
    codes, distinct = series.factorize()
    values = (moment_of(value) if is_point(value) else value for value in distinct.tolist())
    return Vector(np.asarray(codes), -1, (None, *values))


def refuse_no_label(dtype: Any, name: str) -> None:
    """Refuse a data frame type whose values are not one label each, or cannot be told apart to the last digit.

    Examples
    --------
    >>> refuse_no_label(nw.String(), "y")
    """
    if isinstance(dtype, nw.List | nw.Struct | nw.Array | nw.Binary | nw.Time | nw.Duration):
        raise TiebreakError(f"column {quoted(name)} holds {dtype}, which is no label: make it text or numbers first")


def same_length(columns: Mapping[str, Sized], first: str, what: str = "prediction") -> int:
    """Return the common length of the columns, or say which one differs from the first.

    Examples
    --------
    >>> same_length({"y": vector_of([1, 2], "y"), "knn": vector_of([1, 1], "knn")}, "y")
    2
    """
    length = len(columns[first])
    for name, column in columns.items():
        if len(column) != length:
            raise TiebreakError(
                f"{name} has {counted(len(column), 'value')} but {first} has {counted(length)}: "
                f"every model needs one {what} per instance, in the same order"
            )
    return length


def check_order(first: Any, second: Any, name: str) -> None:
    """Refuse two pandas Series that hold the same index in another order: by position or by index is not ours to guess.

    Examples
    --------
    >>> check_order([1, 2], [2, 1], "knn")
    """
    one: Any = getattr(first, "index", None)
    other: Any = getattr(second, "index", None)
    if not (hasattr(one, "equals") and hasattr(other, "equals")) or one.equals(other):
        return
    if len(one) == len(other) and one.sort_values().equals(other.sort_values()):
        raise UnpairedInstances(
            f"the index of {name} is that of the truth in another order: pass .to_numpy() to compare by position, "
            "or one frame with both columns to compare by index"
        )
