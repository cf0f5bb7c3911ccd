"""How much each distinct pattern weighs: how often it occurred and, with sample weights, Σw and Σw² over those rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.integer]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Mass:
    """Counts of K patterns, and their sums of weights and of squared weights where rows are weighted.

    Examples
    --------
    >>> mass = Mass(np.array([2, 1, 4]))
    >>> mass.n, mass.grouped(np.array([0, 1, 0]), 2).counts
    (7, array([6, 1]))
    """

    counts: npt.NDArray[np.int64]
    sums: Floats | None = None
    squares: Floats | None = None

    @property
    def n(self) -> int:
        """How many instances all patterns have together."""
        return int(self.counts.sum())

    @property
    def amounts(self) -> Floats | npt.NDArray[np.int64]:
        """What a cell of a table adds up: weights where there are any, else counts."""
        return self.counts if self.sums is None else self.sums

    def grouped(self, group: Integers, size: int) -> Mass:
        """Add up the patterns of each group."""
        counts = np.zeros(size, dtype=np.int64)
        np.add.at(counts, group, self.counts)
        if self.sums is None or self.squares is None:
            return Mass(counts)
        return Mass(
            counts,
            _sums(group, self.sums, size),
            _sums(group, self.squares, size),
        )

    def where(self, kept: npt.NDArray[np.bool_]) -> Mass:
        """Keep some patterns only."""
        return Mass(
            self.counts[kept],
            None if self.sums is None else self.sums[kept],
            None if self.squares is None else self.squares[kept],
        )

    def followed_by(self, other: Mass) -> Mass:
        """Put another part's patterns behind these; unweighted rows count as weight 1 beside weighted ones."""
        counts = np.concatenate([self.counts, other.counts])
        if self.sums is None and other.sums is None:
            return Mass(counts)
        first, second = self._weighted(), other._weighted()
        return Mass(counts, np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]]))

    def _weighted(self) -> tuple[Floats, Floats]:
        ones = self.counts.astype(np.float64)
        return ones if self.sums is None else self.sums, ones if self.squares is None else self.squares


def _sums(group: Integers, values: Floats, size: int) -> Floats:
    return np.bincount(group, weights=values, minlength=size).astype(np.float64, copy=False)


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
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return codes[:, first], place.reshape(-1)


def _digits(row: Integers) -> tuple[Integers, int]:
    """Return a row as non-negative integers below a span that fits 31 bits."""
    if not len(row):
        return row.astype(np.int64), 1
    low, high = int(row.min()), int(row.max())
    if high - low < 2**31:
        return row.astype(np.int64) - low, high - low + 1
    distinct, rank = np.unique(row, return_inverse=True)
    return rank.reshape(-1), len(distinct)
