"""Sums of weights that do not depend on the order of the rows or on the engine, and that add and subtract exactly.

Adding floating-point numbers in another order gives other last digits, and parallel engines add in any order. So each
weight w becomes the integer ⌊w·2^s⌋ below 2^52, with s from the largest weight, and that integer is cut into two
halves of 26 bits whose sums fit 64 bits for 10¹¹ rows. Integers add the same in every order, cells are differences of
integers, and a total is divided once, when it is read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.errors import TiebreakError

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

HALF_BITS = 26
HALF = 2.0**HALF_BITS
_BITS = 52


@dataclass(frozen=True, slots=True)
class Scale:
    """The exponents of the powers of two by which weights and squared weights are multiplied.

    Examples
    --------
    >>> scale = Scale.for_largest(3.0)
    >>> scale.weights(scale.halves(np.array([3.0, 0.5])).sum(axis=1))
    np.float64(3.5)
    """

    weight: int
    square: int

    @classmethod
    def for_largest(cls, largest: float) -> Scale:
        """Choose the scale under which `largest` and its square stay below 2^52."""
        if not 1e-100 < largest < 1e100:
            raise TiebreakError(
                f"the largest weight is {largest:g}: divide all weights by it first, only ratios matter"
            )
        exponent = math.frexp(largest)[1]
        return cls(_BITS - exponent, _BITS - 2 * exponent)

    def halves(self, weights: Floats) -> Floats:
        """Return upper and lower halves of scaled weights, then of scaled squares; every value is an integer."""
        scaled = np.floor([weights * 2.0**self.weight, weights * weights * 2.0**self.square])
        upper = np.floor(scaled / HALF)
        lower = scaled - upper * HALF
        return np.stack([upper[0], lower[0], upper[1], lower[1]])

    def weights(self, halves: npt.NDArray[np.generic]) -> Floats:
        """Return the sums of weights that sums of halves (first axis) stand for."""
        return _value(halves[0], halves[1], self.weight)

    def squares(self, halves: npt.NDArray[np.generic]) -> Floats:
        """Return the sums of squared weights that sums of halves (first axis) stand for."""
        return _value(halves[2], halves[3], self.square)


def _value(upper: npt.NDArray[np.generic], lower: npt.NDArray[np.generic], exponent: int) -> Floats:
    """Rounding is monotone here, so a part is never shown larger than its whole."""
    return np.ldexp(np.asarray(upper, dtype=np.float64), HALF_BITS - exponent) + np.ldexp(
        np.asarray(lower, dtype=np.float64), -exponent
    )


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Exact sums of weights and squared weights of K patterns: integer halves (4 × K) under a common scale."""

    halves: Integers
    scale: Scale

    @property
    def sums(self) -> Floats:
        """The sum of weights of each pattern."""
        return self.scale.weights(self.halves)

    @property
    def squares(self) -> Floats:
        """The sum of squared weights of each pattern."""
        return self.scale.squares(self.halves)

    @classmethod
    def ones(cls, counts: Integers, scale: Scale) -> Weights:
        """Return unweighted rows as rows of weight 1."""
        one = scale.halves(np.ones(1)).astype(np.int64)
        return cls(one * counts, scale)

    def rescaled(self, scale: Scale) -> Weights:
        """Return the same sums under a coarser scale, cut off below its unit (2^−52 of the largest weight)."""
        if scale == self.scale:
            return self
        halves = np.empty_like(self.halves)
        for first, shift in ((0, self.scale.weight - scale.weight), (2, self.scale.square - scale.square)):
            for pattern, (upper, lower) in enumerate(self.halves[first : first + 2].T.tolist()):
                whole = ((upper << HALF_BITS) + lower) >> shift
                halves[first, pattern], halves[first + 1, pattern] = whole >> HALF_BITS, whole & (int(HALF) - 1)
        return Weights(halves, scale)
