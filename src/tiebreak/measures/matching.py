"""Clusters matched to true clusters one to one, and how each true cluster was split and merged.

Raw accuracy, precision and recall compare labels that mean nothing: a perfect clustering with its labels exchanged has
accuracy 0. After a matching they mean something, and what the matching leaves over is a split or a merger.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.measures.prayatul import Array
from tiebreak.tables import Contingency, CrossTable, cluster_totals, pairs_of

# A connected part of the two-way table with at most this many cells is matched as a full matrix.
_DENSE = 1 << 22

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """A one-to-one matching of true clusters and clusters that keeps as many instances together as any.

    Attributes
    ----------
    n : how many instances there are
    right : how many of them lie in a true cluster and in the cluster matched to it
    rows, columns : the matched codes of true clusters and clusters; noise that stands alone is matched but not listed
    precision : mean over all clusters of the share of their instances that are right, 0 for a cluster matched to none
    recall : mean over all true clusters of the share of their instances that are right, 0 for one matched to none

    Examples
    --------
    >>> table = CrossTable.merged(np.array([[0, 0, 1, 1], [1, 2, 0, 2]]), np.array([4, 1, 2, 3]))
    >>> found = matching(Contingency.of(table))
    >>> found.accuracy, round(found.precision, 6), found.recall
    (0.7, 0.583333, 0.7)
    """

    n: int
    right: int
    rows: Integers
    columns: Integers
    precision: float
    recall: float

    @property
    def accuracy(self) -> float:
        """`right` as a share of all instances; NaN without any."""
        return self.right / self.n if self.n else float("nan")


def matching(table: Contingency) -> Matching:
    """Match clusters to true clusters (the first labelling of the table) by the Hungarian method.

    Maximises Σ n_xy over one-to-one matchings. Noise that stands alone takes part as clusters of one. Sparse tables are
    matched one connected part at a time, so a million small clusters are no obstacle. Undefined without instances.

    Examples
    --------
    >>> exchanged = CrossTable.merged(np.array([[0, 1], [1, 0]]), np.array([7, 5]))
    >>> matching(Contingency.of(exchanged)).accuracy
    1.0
    """
    if not table.n:
        nothing = np.zeros(0, dtype=np.int64)
        return Matching(0, 0, nothing, nothing, float("nan"), float("nan"))
    rows, columns, gains, free = _edges(table)
    chosen = _assigned(rows, columns, gains)
    rows, columns, gains = rows[chosen], columns[chosen], gains[chosen]
    first, second = (_sizes_by_code(table.table, place) for place in (0, 1))
    recall = (free + _shares(gains, rows, first)) / table.first.clusters
    precision = (free + _shares(gains, columns, second)) / table.second.clusters
    listed = (rows < len(first)) & (columns < len(second))
    right = int(gains.sum()) + free
    return Matching(table.n, right, rows[listed], columns[listed], precision, recall)


def _sizes_by_code(table: CrossTable, place: int) -> Array:
    return cluster_totals(table.codes[place], table.counts).astype(np.float64)


def _shares(gains: Integers, codes: Integers, sizes: Array) -> float:
    """Sum of the matched shares of the clusters; a code beyond them stands for instances that stand alone."""
    listed = codes < len(sizes)
    return float((gains[listed] / sizes[codes[listed]]).sum() + gains[~listed].sum())


def _edges(table: Contingency) -> tuple[Integers, Integers, Integers, int]:
    """Whom each cluster can be matched with, for how many instances; and how many instances match themselves.

    An instance that stands alone on both sides is matched with itself. One that stands alone on one side only is worth
    1 to the cluster it lies in on the other, which needs no more than one of them: a partner with a code of its own.
    """
    cells, counts = table.table.codes.astype(np.int64), table.table.counts
    first, second = (table.table.alone((place,)) for place in (0, 1))
    plain, left, right = ~(first | second), first & ~second, second & ~first
    row_span, column_span = (int(row.max(initial=-1)) + 1 for row in cells)
    rows = np.concatenate([cells[0, plain], row_span + np.arange(left.sum()), cells[0, right]])
    columns = np.concatenate([cells[1, plain], cells[1, left], column_span + np.arange(right.sum())])
    ones = np.ones(int(left.sum() + right.sum()), dtype=np.int64)
    return rows, columns, np.concatenate([counts[plain], ones]), int(counts[first & second].sum())


def _assigned(rows: Integers, columns: Integers, gains: Integers) -> npt.NDArray[np.intp]:
    """Return the places of the edges of a matching with the largest sum."""
    if not len(gains):
        return np.zeros(0, dtype=np.intp)
    part = _parts(rows, columns)
    order = np.argsort(part, kind="stable")
    bounds = np.flatnonzero(np.diff(part[order])) + 1
    sizes = np.diff(np.concatenate([[0], bounds, [len(order)]]))
    starts = np.concatenate([[0], bounds])
    # A part of one edge is its own matching: most of a sparse table.
    found = [order[starts[sizes == 1]]]
    found += [
        _assigned_part(order[s : s + k], rows, columns, gains) for s, k in zip(starts, sizes, strict=True) if k > 1
    ]
    return np.sort(np.concatenate(found))


def _parts(rows: Integers, columns: Integers) -> Integers:
    """The connected part that each edge belongs to."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    span = int(rows.max()) + 1
    size = span + int(columns.max()) + 1
    graph = coo_array((np.ones(len(rows), dtype=np.int8), (rows, span + columns)), shape=(size, size))
    _, part = connected_components(graph, directed=False)
    return np.asarray(part[rows], dtype=np.int64)


def _assigned_part(edges: Any, rows: Integers, columns: Integers, gains: Integers) -> npt.NDArray[np.intp]:
    row_codes, r = np.unique(rows[edges], return_inverse=True)
    column_codes, c = np.unique(columns[edges], return_inverse=True)
    shape, gain = (len(row_codes), len(column_codes)), gains[edges]
    if min(shape) == 1:
        return np.asarray(edges[[int(gain.argmax())]])
    if shape[0] * shape[1] <= _DENSE:
        return _assigned_full(edges, r, c, gain, shape)
    return _assigned_sparse(edges, r, c, gain, shape)


def _assigned_full(edges: Any, r: Any, c: Any, gain: Integers, shape: tuple[int, int]) -> npt.NDArray[np.intp]:
    from scipy.optimize import linear_sum_assignment

    place = np.full(shape, -1, dtype=np.int64)
    place[r, c] = np.arange(len(edges))
    matrix = np.zeros(shape, dtype=np.float64)
    matrix[r, c] = gain
    taken = place[linear_sum_assignment(matrix, maximize=True)]
    return np.asarray(edges[taken[taken >= 0]])


def _assigned_sparse(edges: Any, r: Any, c: Any, gain: Integers, shape: tuple[int, int]) -> npt.NDArray[np.intp]:
    """Match a large sparse part; every row has a partner of its own that is worth nothing, so a full matching exists.

    A constant on all edges changes no choice, because every row is matched exactly once; it keeps zeros written down.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    height, width = shape
    idle = np.arange(height)
    weights = np.concatenate([gain + 1, np.ones(height, dtype=np.int64)]).astype(np.float64)
    places = (np.concatenate([r, idle]), np.concatenate([c, width + idle]))
    graph = csr_array((weights, places), shape=(height, width + height))
    row, column = min_weight_full_bipartite_matching(graph, maximize=True)
    numbered = csr_array((np.arange(1, len(edges) + 1), (r, c)), shape=shape)
    real = column < width
    return np.asarray(edges[np.asarray(numbered[row[real], column[real]]).reshape(-1) - 1])


@dataclass(frozen=True, slots=True, eq=False)
class SplitsAndMerges:
    """What became of each true cluster: one entry a true cluster, in the order of their codes.

    Attributes
    ----------
    sizes : instances of the true cluster
    parts : how many clusters they were spread over; 1 is no split
    shared : how many of these clusters hold instances of other true clusters too; 0 is no merger
    split_pairs : pairs of its instances that were put apart, n(n−1)/2 − Σ n_xy(n_xy−1)/2
    merged_pairs : pairs of one of its instances and a foreign one that were put together, Σ n_xy (n_y − n_xy)

    All wrong pairs are the split pairs and half of the merged pairs.

    Examples
    --------
    >>> table = CrossTable.merged(np.array([[0, 0, 1], [0, 1, 1]]), np.array([3, 1, 2]))
    >>> found = splits_and_merges(Contingency.of(table))
    >>> found.parts.tolist(), found.shared.tolist(), found.split_pairs.tolist(), found.merged_pairs.tolist()
    ([2, 1], [1, 1], [3, 0], [2, 2])
    """

    sizes: Integers
    parts: Integers
    shared: Integers
    split_pairs: Integers
    merged_pairs: Integers


def splits_and_merges(table: Contingency) -> SplitsAndMerges:
    """Return how each true cluster, the first labelling of the table, was split and merged by the second.

    Truth that is noise standing alone is one entry: its instances belong together with nobody, so they cannot be split,
    and two of them put together are merged, each with the other.

    Examples
    --------
    >>> whole = Contingency.of(CrossTable.merged(np.array([[0, 1], [0, 0]]), np.array([2, 2])))
    >>> splits_and_merges(whole).merged_pairs.tolist()
    [4, 4]
    """
    codes, counts = table.table.codes[0], table.table.counts
    sizes = cluster_totals(codes, counts)
    lone_truth, lone = table.table.alone((0,)), table.table.alone((1,))
    together = np.where(lone, 0, pairs_of(counts))
    foreign = np.where(lone, 0, counts * (table.columns - counts)) + np.where(lone_truth, 2 * together, 0)
    apart = _summed(codes, np.where(lone_truth, 0, pairs_of(counts) - together), len(sizes))
    # Pairs of one true cluster in different cells are apart too.
    between = pairs_of(sizes) - _summed(codes, pairs_of(counts), len(sizes))
    between[codes[lone_truth]] = 0
    return SplitsAndMerges(
        sizes,
        _summed(codes, np.where(lone, counts, 1), len(sizes)),
        _summed(codes, (foreign > 0).astype(np.int64), len(sizes)),
        apart + between,
        _summed(codes, foreign, len(sizes)),
    )


def _summed(codes: Any, amounts: Integers, size: int) -> Integers:
    totals = np.zeros(size, dtype=np.int64)
    np.add.at(totals, codes, amounts)
    return totals
