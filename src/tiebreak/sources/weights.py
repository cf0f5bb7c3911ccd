"""Sums of weights that do not depend on the order of the rows or on the engine.

Adding floating-point numbers in another order gives other last digits, and parallel engines add in any order. So each
weight w becomes the integer ⌊w·2^s⌋ below 2^52, with s from the largest weight, and that integer is cut into two halves
of 26 bits whose sums fit 64 bits for 10¹¹ rows. Integers add the same in every order; the total is divided once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._format import counted, quoted
from tiebreak.errors import TiebreakError

HALF = 2.0**26


@dataclass(frozen=True, slots=True)
class Scale:
    """The powers of two by which weights and squared weights are multiplied.

    Examples
    --------
    >>> scale = Scale.for_largest(3.0)
    >>> scale.total(*scale.halves(np.array([3.0, 0.5])).sum(axis=1), scale.weight)
    3.5
    """

    weight: float
    square: float

    @classmethod
    def for_largest(cls, largest: float) -> Scale:
        """Choose the scale under which `largest` stays below 2^52."""
        if not 1e-100 < largest < 1e100:
            raise TiebreakError(
                f"the largest weight is {largest:g}: divide all weights by it first, only ratios matter"
            )
        exponent = math.frexp(largest)[1]
        return cls(2.0 ** (52 - exponent), 2.0 ** (52 - 2 * exponent))

    def halves(self, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the upper and lower halves of the scaled weights; every value is an integer."""
        scaled = np.floor(weights * self.weight)
        upper = np.floor(scaled / HALF)
        return np.stack([upper, scaled - upper * HALF])

    def square_halves(self, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the same for the squared weights."""
        return Scale(self.square, self.square).halves(weights * weights)

    @staticmethod
    def total(upper: float, lower: float, scale: float) -> float:
        """Return the sum that two sums of halves stand for, rounded once."""
        exact = int(upper) * int(HALF) + int(lower)
        exponent = round(math.log2(scale))
        return exact / 2**exponent if exponent >= 0 else float(exact * 2**-exponent)


def checked_weights(values: object, name: str, length: int) -> npt.NDArray[np.float64]:
    """Return sample weights as float64: finite, none negative, not all zero.

    Examples
    --------
    >>> checked_weights([1, 0.5], "sample_weight", 2)
    array([1. , 0.5])
    """
    try:
        weights = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TiebreakError(f"{name} holds something that is no number: every weight must be a number ≥ 0") from None
    if weights.shape != (length,):
        raise TiebreakError(
            f"{name} has shape {weights.shape}: it needs one weight for each of the {counted(length)} rows"
        )
    wrong = ~(weights >= 0) | np.isinf(weights)
    if wrong.any():
        row = int(wrong.argmax())
        refuse_weight(name, float(weights[row]), f"row {row + 1}")
    if not weights.any():
        refuse_zero_weights(name)
    return weights


def refuse_weight(name: str, value: float | None, where: str) -> None:
    """Raise the error for a weight that is missing, negative, NaN or infinite."""
    shown = "missing" if value is None else quoted(value)
    raise TiebreakError(f"weight {quoted(name)} is {shown} in {where}: every weight must be a finite number ≥ 0")


def refuse_zero_weights(name: str) -> None:
    """Raise the error for weights that are all zero."""
    raise TiebreakError(f"weight {quoted(name)} is 0 in every row: at least one weight must be positive")
