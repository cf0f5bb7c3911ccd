"""Checks of a bare confusion matrix at the counter: each returns the clean value or raises one clear line."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from tiebreak._format import counted, quoted
from tiebreak.errors import EmptyComparison, TiebreakError
from tiebreak.tables import ConfusionCounts, Label


def plain_labels(labels: Any) -> list[Label]:
    """Return the names as Python values, whatever holds them.

    Examples
    --------
    >>> plain_labels(np.array(["b", "a"]))
    ['b', 'a']
    """
    return cast("list[Label]", np.asarray(labels).tolist() if hasattr(labels, "dtype") else list(labels))


def whole(value: float) -> float:
    """Return a count as an integer, a weight as it is.

    Examples
    --------
    >>> whole(3.0), whole(2.5)
    (3, 2.5)
    """
    return int(value) if value == value and float(value).is_integer() else value


def wholes(values: npt.NDArray[np.float64]) -> list[float]:
    """Return counts as integers, weights as they are.

    Examples
    --------
    >>> wholes(np.array([3.0, 2.0])), wholes(np.array([3.0, 2.5]))
    ([3, 2], [3, 2.5])
    """
    if np.array_equal(values, np.floor(values)):
        return cast("list[float]", values.astype(np.int64).tolist())
    return [whole(value) for value in values.tolist()]


def square(counts: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return a square table of numbers ≥ 0.

    Examples
    --------
    >>> square([[1, 0], [2, 3]]).shape
    (2, 2)
    """
    try:
        cells = np.asarray(counts)
        numbers = cells.astype(np.float64)
    except (TypeError, ValueError):
        raise TiebreakError("counts holds something that is no number: every cell must be a number ≥ 0") from None
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise TiebreakError(f"counts has shape {cells.shape}: it must be square, one row and one column a class")
    wrong = ~(numbers >= 0) | np.isinf(numbers)
    if wrong.any():
        raise TiebreakError(f"counts holds {numbers[wrong][0]:g}: every cell must be a number ≥ 0")
    return numbers if cells.dtype.kind not in "iu" else cells


def omissions(omitted: npt.ArrayLike, counts: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return how many instances of each true class have no prediction.

    Examples
    --------
    >>> omissions([1, 0], [[1, 0], [2, 3]])
    array([1., 0.])
    """
    given = np.asarray(omitted, dtype=np.float64)
    classes = len(np.asarray(counts))
    if given.shape != (classes,) or not (given >= 0).all() or np.isinf(given).any():
        raise TiebreakError(
            f"omitted is {omitted!r}: it must hold one number ≥ 0 for each of the {classes} true classes"
        )
    return given


def supported(support: npt.ArrayLike, n: float | None, table: ConfusionCounts) -> tuple[float, ...]:
    """Return how many instances each class has, where an instance may get several predictions.

    Examples
    --------
    >>> supported([6, 4], 10, ConfusionCounts.of([[5, 2], [3, 3]]))
    (6, 4)
    """
    given = np.asarray(support, dtype=np.float64)
    if given.shape != (table.size,) or not (given >= 0).all() or np.isinf(given).any():
        raise TiebreakError(f"support is {support!r}: it must hold one number ≥ 0 for each of the {table.size} classes")
    if n is not None and not np.isclose(given.sum(), n, rtol=1e-12, atol=0.0):
        raise TiebreakError(f"n is {n} but support holds {counted(whole(float(given.sum())))}: give one of the two")
    if (table.columns < 0).any():
        raise TiebreakError("support and omitted are both given: an omission is counted by support already")
    if (table.margins().right > given).any():
        raise TiebreakError("support has fewer instances of a class than are right: an instance is right at most once")
    return tuple(wholes(given))


def instances(n: float | None, table: ConfusionCounts) -> float:
    """Return how many instances there are: as told, or as many as cells and omissions hold.

    Examples
    --------
    >>> instances(None, ConfusionCounts.of([[1, 0], [2, 3]]))
    6
    """
    known = table.mass.total
    if n is None:
        if not known:
            raise EmptyComparison("all cells are 0: a confusion matrix needs at least one instance")
        return known
    if isinstance(n, bool | str) or not 0 < n < float("inf"):
        raise TiebreakError(f"n is {quoted(n)}: it must be the number of instances, above 0")
    if n != known and (table.columns < 0).any():
        raise TiebreakError(f"n is {n} but counts and omitted hold {counted(known)}: give one of n and omitted")
    if n < table.right:
        raise TiebreakError(
            f"n is {n} but {counted(table.right)} predictions are right: an instance is right at most once"
        )
    return whole(float(n))
