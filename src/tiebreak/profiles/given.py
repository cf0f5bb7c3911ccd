"""What a caller gives a profile, checked: a matrix, a dict of columns or a frame become `Losses`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import distinct, is_number
from tiebreak._format import counted, quoted
from tiebreak.errors import EmptyComparison, TiebreakError
from tiebreak.tables import Losses


def losses_given(data: Any, names: Sequence[str] | None = None) -> Losses:
    """Return the losses that a caller means.

    Examples
    --------
    >>> losses_given({"a": [1, 2], "b": [2, None]}).values
    array([[ 1.,  2.],
           [ 2., nan]])
    """
    if isinstance(data, Losses):
        if names is not None:
            raise TiebreakError("names are given, but the losses have names already: leave them out")
        if not data.values.size or not data.total > 0:
            raise EmptyComparison("losses are empty or weigh 0: a profile needs at least one instance and one model")
        return data
    if isinstance(data, Mapping):
        columns = {str(name): _numbers(column, 1) for name, column in data.items()}
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise TiebreakError("losses have columns of different lengths: every model needs one loss per instance")
        found, own = list(columns), None if not columns else np.column_stack(list(columns.values()))
    else:
        found, own = [str(name) for name in getattr(data, "columns", ())], _numbers(data, 2)
    if own is None or not own.size:
        raise EmptyComparison("losses are empty: a profile needs at least one instance and one model")
    if names is not None and len(names) != own.shape[1]:
        raise TiebreakError(
            f"names holds {counted(len(names), 'name')} but losses have {counted(own.shape[1], 'column')}: one a model"
        )
    given = tuple(map(str, names)) if names is not None else tuple(found)
    models = given if len(given) == own.shape[1] else tuple(f"model_{place + 1}" for place in range(own.shape[1]))
    return Losses(distinct(models, "names"), own, kind="losses")


def _numbers(data: Any, axes: int) -> Any:
    """An array of float32 or float64, anything else widened; None, NA and masked entries are NaN."""
    if isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(data.astype(np.float64), np.nan)
    try:
        array = data if isinstance(data, np.ndarray) else np.asarray(data)
        if array.dtype.kind in "USMmc" or (array.dtype == object and any(isinstance(v, str) for v in array.flat)):
            raise TypeError  # noqa: TRY301
        if array.dtype not in (np.float32, np.float64):
            array = array.astype(np.float64) if array.dtype != object else _objects(array)
    except (TypeError, ValueError):
        raise TiebreakError(
            "losses hold something that is no number, or rows of different lengths: give instances × models, one "
            "number each, NaN where a model failed"
        ) from None
    if array.ndim != axes:
        raise TiebreakError(
            f"losses have shape {array.shape}: give one row per instance and one column per model, or a dict of columns"
        )
    return array


def _objects(array: Any) -> Any:
    missing = {"NAType", "NaTType", "NoneType"}
    values = [math.nan if type(value).__name__ in missing else float(value) for value in array.flat]
    return np.array(values, dtype=np.float64).reshape(array.shape)


def checked_floor(floor: Any) -> float:
    """Return a floor if it is one.

    Examples
    --------
    >>> checked_floor(0.5)
    0.5
    """
    if not is_number(floor) or not 0 <= floor < math.inf:
        raise TiebreakError(f"floor is {quoted(floor)}: it must be a number ≥ 0, the smallest loss that matters")
    return float(floor)


def checked_tau(tau: Any) -> float:
    """Return a factor if it is one.

    Examples
    --------
    >>> checked_tau(2)
    2.0
    """
    if not is_number(tau) or not tau >= 1:
        raise TiebreakError(
            f"tau is {quoted(tau)}: it must be a factor ≥ 1; no model is better than the best, whose ratio is 1"
        )
    return float(tau)


def checked_part(share: Any) -> float:
    """Return a share above 0 and at most 1 if it is one.

    Examples
    --------
    >>> checked_part(1)
    1.0
    """
    if not is_number(share) or not 0 < share <= 1:
        raise TiebreakError(f"share is {quoted(share)}: it must be above 0 and at most 1, such as 0.9")
    return float(share)


def checked_taus(taus: Any) -> npt.NDArray[np.float64]:
    """Return factors if all of them are.

    Examples
    --------
    >>> checked_taus([1, 2.5])
    array([1. , 2.5])
    """
    return np.array([checked_tau(tau) for tau in np.asarray(taus, dtype=object).reshape(-1)], dtype=np.float64)
