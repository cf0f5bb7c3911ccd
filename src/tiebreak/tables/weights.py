"""Sums of weights that do not depend on the order of the rows or on the engine, and that add and subtract exactly.

Adding floating-point numbers in another order gives other last digits, and parallel engines add in any order. So each
weight w becomes the integer ⌊w·2^s⌋ below 2^78, with s from the largest weight, and that integer is cut into three
limbs of 26 bits whose sums fit 64 bits for 10¹¹ rows. Integers add the same in every order, cells are differences of
integers, and a total is divided once, when it is read. Weights up to 2^26 times smaller than the largest keep all their
digits, and up to 2^54 times smaller those of six decimal places; a wider range is refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.errors import TiebreakError

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

LIMB_BITS = 26
LIMB = 2.0**LIMB_BITS
LIMBS = 3
_BITS = LIMB_BITS * LIMBS
# The smallest positive weight may be this much smaller than the largest.
WIDEST = 2.0**54


@dataclass(frozen=True, slots=True)
class Scale:
    """The exponents of the powers of two by which weights and squared weights are multiplied.

    Examples
    --------
    >>> scale = Scale.for_range(0.5, 3.0)
    >>> float(scale.weights(scale.limbs(np.array([3.0, 0.5])).sum(axis=1)))
    3.5
    """

    weight: int
    square: int

    @classmethod
    def for_range(cls, smallest: float, largest: float) -> Scale:
        """Choose the scale under which the largest weight and its square stay below 2^78."""
        if not 1e-100 < largest < 1e100:
            raise TiebreakError(f"the largest weight is {largest:g}: divide all weights by it, only ratios matter")
        if smallest * WIDEST < largest:
            raise TiebreakError(
                f"weights range from {smallest:g} to {largest:g}: the small ones have no digit left beside the large "
                "ones; leave these rows out, or narrow the range"
            )
        exponent = math.frexp(largest)[1]
        return cls(_BITS - exponent, _BITS - 2 * exponent)

    def limbs(self, weights: Floats) -> Floats:
        """Return the limbs of scaled weights, then of scaled squares, highest first; every value is an integer."""
        return np.concatenate([_limbs(weights * 2.0**self.weight), _limbs(weights * weights * 2.0**self.square)])

    def weights(self, limbs: npt.NDArray[np.generic]) -> Floats:
        """Return the sums of weights that sums of limbs (first axis) stand for."""
        return _value(limbs[:LIMBS], self.weight)

    def squares(self, limbs: npt.NDArray[np.generic]) -> Floats:
        """Return the sums of squared weights that sums of limbs (first axis) stand for."""
        return _value(limbs[LIMBS:], self.square)


def _limbs(scaled: Floats) -> Floats:
    """Every step is exact: a float below 2^78 loses nothing by taking a multiple of a power of two away."""
    high = np.floor(scaled / LIMB**2)
    rest = scaled - high * LIMB**2
    middle = np.floor(rest / LIMB)
    return np.stack([high, middle, np.floor(rest - middle * LIMB)])


def _value(limbs: npt.NDArray[np.generic], exponent: int) -> Floats:
    """Small limbs first; rounding is monotone, so a part is never shown larger than its whole."""
    high, middle, low = (np.asarray(limb, dtype=np.float64) for limb in limbs)
    rest = np.ldexp(low, -exponent) + np.ldexp(middle, LIMB_BITS - exponent)
    return np.asarray(rest + np.ldexp(high, 2 * LIMB_BITS - exponent))


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Exact sums of weights and squared weights of K patterns: integer limbs (6 × K) under a common scale.

    Examples
    --------
    >>> Weights(np.zeros((6, 2), dtype=np.int64), Scale.for_range(1.0, 1.0)).limbs.shape
    (6, 2)
    """

    limbs: Integers
    scale: Scale

    @property
    def sums(self) -> Floats:
        """The sum of weights of each pattern."""
        return self.scale.weights(self.limbs)

    @property
    def squares(self) -> Floats:
        """The sum of squared weights of each pattern."""
        return self.scale.squares(self.limbs)

    @classmethod
    def ones(cls, counts: Integers, scale: Scale) -> Weights:
        """Return unweighted rows as rows of weight 1."""
        one = scale.limbs(np.ones(1)).astype(np.int64)
        return cls(one * counts, scale)

    def rescaled(self, scale: Scale) -> Weights:
        """Return the same sums under a coarser scale, cut off below its unit (2^−78 of the largest weight)."""
        if scale == self.scale:
            return self
        parts = [
            _shifted(self.limbs[:LIMBS], self.scale.weight - scale.weight),
            _shifted(self.limbs[LIMBS:], self.scale.square - scale.square),
        ]
        return Weights(np.concatenate(parts), scale)


def _shifted(limbs: Integers, shift: int) -> Integers:
    """Integers wider than 64 bits, so Python's own."""
    mask = int(LIMB) - 1
    whole = [((high << 2 * LIMB_BITS) + (middle << LIMB_BITS) + low) >> shift for high, middle, low in limbs.T.tolist()]
    return np.array([[w >> 2 * LIMB_BITS, (w >> LIMB_BITS) & mask, w & mask] for w in whole], dtype=np.int64).T
