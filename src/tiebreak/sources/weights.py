"""Sample weights at the counter: finite, none negative, not all zero; and how an engine sums them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._format import counted, quoted
from tiebreak.errors import TiebreakError
from tiebreak.tables import Mass, Scale, Weights

# The columns in which an engine hands back the sums of the limbs.
SUMS = tuple(f"_tiebreak_{what}{limb}" for what in "wq" for limb in (2, 1, 0))


def mass_of(counts: npt.NDArray[np.int64], answer: Mapping[str, Any], scale: Scale | None) -> Mass:
    """Return the mass of an engine's groups; `answer` holds the sums of limbs where rows are weighted.

    Examples
    --------
    >>> mass_of(np.array([2, 1]), {}, None).n
    3
    """
    if scale is None:
        return Mass(counts)
    limbs = np.array([np.asarray(answer[name], dtype=np.int64) for name in SUMS])
    return Mass(counts, Weights(limbs, scale))


def checked_weights(values: object, name: str, length: int) -> npt.NDArray[np.float64]:
    """Return sample weights as float64: finite, none negative, not all zero.

    Examples
    --------
    >>> checked_weights([1, 0.5], "sample_weight", 2)
    array([1. , 0.5])
    """
    try:
        if isinstance(values, np.ma.MaskedArray):
            values = np.ma.filled(values.astype(np.float64), np.nan)
        weights = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TiebreakError(f"{name} holds something that is no number: every weight must be a number ≥ 0") from None
    if weights.shape != (length,):
        rows = counted(length, "row")
        raise TiebreakError(f"{name} has shape {weights.shape}: it needs one weight for each of the {rows}")
    wrong = ~(weights >= 0) | np.isinf(weights)
    if wrong.any():
        row = int(wrong.argmax())
        refuse_weight(name, float(weights[row]), f"row {row + 1}")
    if not weights.any():
        refuse_zero_weights(name)
    return weights


def refuse_weight(name: str, value: object, where: str) -> None:
    """Raise the error for a weight that is missing, negative, NaN or infinite.

    Examples
    --------
    >>> refuse_weight("w", -1.0, "row 3")
    Traceback (most recent call last):
    tiebreak.errors.TiebreakError: weight 'w' is -1.0 in row 3: every weight must be a finite number ≥ 0
    """
    shown = "missing" if value is None else quoted(value)
    raise TiebreakError(f"weight {quoted(name)} is {shown} in {where}: every weight must be a finite number ≥ 0")


def refuse_zero_weights(name: str) -> None:
    """Raise the error for weights that are all zero.

    Examples
    --------
    >>> refuse_zero_weights("w")
    Traceback (most recent call last):
    tiebreak.errors.TiebreakError: weight 'w' is 0 in every row: at least one weight must be positive
    """
    raise TiebreakError(f"weight {quoted(name)} is 0 in every row: at least one weight must be positive")
