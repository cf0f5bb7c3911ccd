"""How much each distinct pattern weighs: how often it occurred and, with sample weights, Σw and Σw² over those rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.tables.weights import Scale, Weights

Integers = npt.NDArray[np.integer]

# A table of this many ranks is filled faster than a few keys are sorted.
_DENSE = 1 << 12


@dataclass(frozen=True, eq=False)
class Mass:
    """Counts of K patterns, and their exact sums of weights and of squared weights where rows are weighted.

    Examples
    --------
    >>> mass = Mass(np.array([2, 1, 4]))
    >>> mass.n, mass.grouped(np.array([0, 1, 0]), 2).counts
    (7, array([6, 1]))
    """

    counts: npt.NDArray[np.int64]
    weights: Weights | None = None

    @cached_property
    def n(self) -> int:
        """How many instances all patterns have together."""
        return int(self.counts.sum())

    @cached_property
    def total(self) -> float:
        """What all patterns weigh together: `n`, or the sum of the weights."""
        if self.weights is None:
            return self.n
        return float(self.weights.scale.weights(self.weights.limbs.sum(axis=1)))

    @cached_property
    def total_of_squares(self) -> float:
        """The sum of the squared weights, which is `n` where there are none."""
        if self.weights is None:
            return self.n
        return float(self.weights.scale.squares(self.weights.limbs.sum(axis=1)))

    @property
    def amounts(self) -> npt.NDArray[Any]:
        """What each pattern adds to a cell of a table: its weight where there are weights, else its count."""
        return self.counts if self.weights is None else self.weights.sums

    def table(self, cells: Sequence[Integers], shape: tuple[int, ...]) -> npt.NDArray[Any]:
        """Add the patterns up in the cells of a table, exactly."""
        if self.weights is None:
            return _added(self.counts, cells, shape)
        limbs = [_added(limb, cells, shape) for limb in self.weights.limbs]
        return self.weights.scale.weights(np.array(limbs))

    def grouped(self, group: Integers, size: int) -> Mass:
        """Add up the patterns of each group."""
        counts = _added(self.counts, [group], (size,))
        if self.weights is None:
            return Mass(counts)
        limbs = np.array([_added(limb, [group], (size,)) for limb in self.weights.limbs])
        return Mass(counts, Weights(limbs, self.weights.scale))

    def where(self, kept: npt.NDArray[np.bool_]) -> Mass:
        """Keep some patterns only."""
        return self.at(np.flatnonzero(kept))

    def at(self, places: Integers) -> Mass:
        """Return the patterns at some places, in their order."""
        if self.weights is None:
            return Mass(self.counts[places])
        return Mass(self.counts[places], Weights(self.weights.limbs[:, places], self.weights.scale))

    def followed_by(self, other: Mass) -> Mass:
        """Put another part's patterns behind these; unweighted rows count as weight 1 beside weighted ones."""
        counts = np.concatenate([self.counts, other.counts])
        scales = [mass.weights.scale for mass in (self, other) if mass.weights is not None]
        if not scales:
            return Mass(counts)
        # The coarser scale belongs to the larger weights; where one part is unweighted its rows weigh 1.
        scale = min([*scales, *([Scale.for_range(1.0, 1.0)] if len(scales) == 1 else [])], key=lambda s: s.weight)
        parts = [_weighted(mass, scale).limbs for mass in (self, other)]
        return Mass(counts, Weights(np.concatenate(parts, axis=1), scale))


def _weighted(mass: Mass, scale: Scale) -> Weights:
    return Weights.ones(mass.counts, scale) if mass.weights is None else mass.weights.rescaled(scale)


def _added(amounts: Integers, cells: Sequence[Integers], shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    table = np.zeros(shape, dtype=np.int64)
    np.add.at(table, tuple(cells), amounts)
    return table


def group_columns(codes: Integers) -> tuple[Integers, Integers]:
    """Return the distinct columns of a matrix of integers, in lexicographic order, and each column's place among them.

    Rows are folded one by one into a single integer key. Whenever the key would outgrow 62 bits it is replaced by its
    rank, which keeps the order and is never longer than the number of columns.

    Examples
    --------
    >>> distinct, place = group_columns(np.array([[1, 0, 1], [5, 2, 5]]))
    >>> distinct, place
    (array([[0, 1],
           [2, 5]]), array([1, 0, 1]))
    """
    key = np.zeros(codes.shape[1], dtype=np.int64)
    size = 1
    for row in codes:
        digits, span = _digits(row)
        if size * span >= 2**62:
            distinct, key = np.unique(key, return_inverse=True)
            size = len(distinct)
        key = key * span + digits
        size *= span
    if bool((key[1:] > key[:-1]).all()):
        # As engines and tables hand them over: distinct and in order already.
        return codes, np.arange(len(key))
    if size <= max(_DENSE, 4 * len(key)):
        return _ranked(codes, key, size)
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return codes[:, first], place.reshape(-1)


def _ranked(codes: Integers, key: Integers, size: int) -> tuple[Integers, Integers]:
    """Rank keys below `size` by a table of all of them, which spares the sorting."""
    occurs = np.zeros(size, dtype=np.bool_)
    occurs[key] = True
    place = (np.cumsum(occurs) - 1)[key]
    first = np.empty(int(occurs.sum()), dtype=np.int64)
    first[place] = np.arange(len(key))
    return codes[:, first], place


def _digits(row: Integers) -> tuple[Integers, int]:
    """Return a row as non-negative integers below a span that fits 31 bits."""
    if not len(row):
        return row.astype(np.int64), 1
    low, high = int(row.min()), int(row.max())
    if high - low < 2**31:
        return row.astype(np.int64) - low, high - low + 1
    distinct, rank = np.unique(row, return_inverse=True)
    return rank.reshape(-1), len(distinct)
