"""The two-way table of two clusterings as the measures want it: cell sizes beside the sizes of their two clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.tables.crosstable import Counts, CrossTable
from tiebreak.tables.mass import Integers


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """Cluster sizes of one labelling: `times` clusters of `sizes` instances each.

    Examples
    --------
    >>> sizes = Sizes(np.array([3, 1]), np.array([2, 4]))
    >>> sizes.clusters, sizes.n
    (6, 10)
    """

    sizes: Counts
    times: Counts

    @property
    def clusters(self) -> int:
        """How many clusters there are."""
        return int(self.times.sum())

    @property
    def n(self) -> int:
        """How many instances there are."""
        return int((self.sizes * self.times).sum())

    def distinct(self) -> Sizes:
        """Return the same with every size once."""
        sizes, place = np.unique(self.sizes, return_inverse=True)
        times = np.zeros(len(sizes), dtype=np.int64)
        np.add.at(times, place.reshape(-1), self.times)
        return Sizes(sizes, times)


@dataclass(frozen=True, slots=True, eq=False)
class Contingency:
    """Non-empty cells of two clusterings; `times` cells look alike where noise instances stand alone.

    Attributes
    ----------
    counts : instances in each cell
    rows, columns : the sizes of the two clusters that meet in it
    times : how many such cells there are
    first, second : the cluster sizes of either clustering
    table : the cells with their cluster codes, from which all of this was read

    Examples
    --------
    >>> table = CrossTable.merged(np.array([[0, 0, 1], [0, 1, 1]]), np.array([3, 1, 2]))
    >>> found = Contingency.of(table)
    >>> found.n, found.rows.tolist(), found.columns.tolist()
    (6, [4, 4, 2], [3, 3, 3])
    """

    counts: Counts
    rows: Counts
    columns: Counts
    times: Counts
    first: Sizes
    second: Sizes
    table: CrossTable

    @classmethod
    def of(cls, table: CrossTable) -> Contingency:
        """Read it from a table of two labelings; noise that stands alone is counted in closed form."""
        alone = table.alone((0, 1))
        counts, times = np.where(alone, 1, table.counts), np.where(alone, table.counts, 1)
        first, second = (_sizes(table, place) for place in (0, 1))
        return cls(counts, table.sizes((0,)), table.sizes((1,)), times, first, second, table)

    @property
    def n(self) -> int:
        """How many instances there are."""
        return self.table.n


def _sizes(table: CrossTable, place: int) -> Sizes:
    """The cluster sizes of one labelling of a table."""
    totals = cluster_totals(table.codes[place], table.counts)
    noise = table.noise[place]
    if not 0 <= noise < len(totals) or not totals[noise]:
        sizes = totals[totals > 0]
        return Sizes(sizes, np.ones(len(sizes), dtype=np.int64))
    others = np.delete(totals, noise)
    others = others[others > 0]
    return Sizes(np.append(others, 1), np.append(np.ones(len(others), dtype=np.int64), totals[noise]))


def cluster_totals(codes: Integers, counts: npt.NDArray[np.int64]) -> Counts:
    """Return how many instances each cluster code has.

    Examples
    --------
    >>> cluster_totals(np.array([0, 2, 2]), np.array([1, 2, 3]))
    array([1, 0, 5])
    """
    totals = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    np.add.at(totals, codes, counts)
    return totals
