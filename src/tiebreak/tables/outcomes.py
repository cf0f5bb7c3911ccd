"""The joint plan: every distinct (truth, prediction of model 1, …, prediction of model M), and how often it came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.tables.bits import Bits, pack
from tiebreak.tables.confusion import OMITTED, ConfusionCounts
from tiebreak.tables.mass import Integers, Mass, group_columns

# Up to this many cells a full table costs less than sorting the outcomes.
_DENSE_CELLS = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Label codes of K distinct outcomes (row 0 the truth, then one row per model; −1 is missing) and their mass.

    Examples
    --------
    >>> cells = Outcomes.merged(np.array([[0, 0, 1], [0, 0, 1], [1, 1, 1]]), Mass(np.array([3, 1, 2])))
    >>> cells.codes, cells.mass.counts
    (array([[0, 1],
           [0, 1],
           [1, 1]]), array([4, 2]))
    """

    codes: Integers
    mass: Mass

    plan = "outcomes"

    @classmethod
    def merged(cls, codes: Integers, mass: Mass) -> Outcomes:
        """Build the table from outcomes that may repeat; the result is sorted, so equal data give equal tables."""
        return cls.placed(codes, mass)[0]

    @classmethod
    def placed(cls, codes: Integers, mass: Mass) -> tuple[Outcomes, Integers]:
        """Do the same, and say where each given outcome went."""
        distinct, place = group_columns(codes)
        return cls(distinct, mass.grouped(place, distinct.shape[1])), place

    def restricted(self, models: Sequence[int]) -> Outcomes:
        """Keep some models only and add up the outcomes that become the same."""
        return Outcomes.merged(self.codes[[0, *(1 + model for model in models)]], self.mass)

    def relabelled(self, new_code: Integers) -> Outcomes:
        """Replace label code c by `new_code[c]`; missing stays missing."""
        codes = np.where(self.codes == OMITTED, OMITTED, new_code[self.codes])
        return Outcomes.merged(codes, self.mass)

    def followed_by(self, other: Outcomes) -> Outcomes:
        """Add the outcomes of further instances over the same labels."""
        codes = np.concatenate([self.codes, other.codes], axis=1)
        return Outcomes.merged(codes, self.mass.followed_by(other.mass))

    def right(self) -> npt.NDArray[np.bool_]:
        """Return who is right on which outcome (models × outcomes)."""
        return np.asarray(self.codes[1:] == self.codes[0])

    def patterns(self) -> tuple[Bits, Mass]:
        """Return the distinct right/wrong patterns as packed bits, and their mass."""
        return distinct_patterns(self.right(), self.mass)

    def confusion(self, model: int, size: int) -> ConfusionCounts:
        """Return one model's confusion counts over `size` labels."""
        if self.mass.weights is None and size * (size + 1) <= _DENSE_CELLS:
            return self._dense_confusion(model, size)
        distinct, place = group_columns(self.codes[[0, 1 + model]])
        return ConfusionCounts(size, distinct[0], distinct[1], self.mass.grouped(place, distinct.shape[1]))

    def _dense_confusion(self, model: int, size: int) -> ConfusionCounts:
        """The same by one full table instead of a sort; sums of counts below 2^53 are exact in it."""
        key = self.codes[0].astype(np.int64) * (size + 1) + (self.codes[1 + model].astype(np.int64) - OMITTED)
        table = np.bincount(key, self.mass.counts, size * (size + 1))
        filled = np.flatnonzero(table)
        rows, columns = np.divmod(filled, size + 1)
        return ConfusionCounts(size, rows, columns + OMITTED, Mass(table[filled].astype(np.int64)))

    def both_wrong_same(self, primary: int, alternative: int) -> float:
        """Return how often two models give the same wrong label."""
        truth, first, second = self.codes[0], self.codes[1 + primary], self.codes[1 + alternative]
        same = (first == second) & (first != truth) & (first != OMITTED)
        return self.mass.where(same).total

    def cells_by_class(self, primary: int, alternative: int, size: int) -> npt.NDArray[Any]:
        """Return the four Prayatul cells within each true label (labels × 4)."""
        right = self.right()
        cell = 2 * ~right[primary] + ~right[alternative]
        return self.mass.table([self.codes[0], cell], (size, 4))


def distinct_patterns(right: npt.NDArray[np.bool_], mass: Mass) -> tuple[Bits, Mass]:
    """Add up equal columns of a right/wrong matrix; `pack` the distinct ones.

    Examples
    --------
    >>> bits, mass = distinct_patterns(np.array([[True, True], [False, False]]), Mass(np.array([2, 3])))
    >>> bits.tolist(), mass.counts
    ([[1], [0]], array([5]))
    """
    words = pack(np.ascontiguousarray(right.T)).T.view(np.int64)
    _, place = group_columns(words)
    size = int(place.max(initial=-1)) + 1
    first = np.zeros(size, dtype=np.int64)
    first[place[::-1]] = np.arange(len(place))[::-1]
    return pack(right[:, first]), mass.grouped(place, size)
