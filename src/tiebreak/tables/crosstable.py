"""The non-empty cells of several labelings of the same instances: which clusters met, and in how many instances.

Noise that stands alone needs no cells of its own: every instance of a noise cluster is then a cluster of one, so a cell
of c such instances is c cells of one instance each, and every sum below is known without writing them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.tables.labels import Label
from tiebreak.tables.mass import Integers, group_columns

Counts = npt.NDArray[np.int64]

# No cluster of this labelling holds instances that stand alone.
NOBODY = -1


def pairs_of(counts: npt.ArrayLike) -> Counts:
    """Return n (n − 1) / 2 of every count, exact as long as the result is below 2⁶³, where the product would not be.

    Examples
    --------
    >>> pairs_of([0, 1, 2, 5, 2**32])
    array([                  0,                   0,                   1,
                            10, 9223372034707292160])
    """
    n = np.asarray(counts, dtype=np.int64)
    # n/2 · (n − 1) where n is even, (n − 1)/2 · n where it is odd: the odd factor is (n − 1) with its last bit set.
    return np.asarray((n // 2) * ((n - 1) | 1))


@dataclass(frozen=True, slots=True, eq=False)
class CrossTable:
    """Distinct combinations of the clusters of K labelings, and how many instances have each.

    Attributes
    ----------
    codes : the cluster of each labelling in each cell (K × C), columns distinct and in lexicographic order
    counts : how many instances each cell holds
    noise : per labelling the code of the cluster whose instances stand alone, −1 where there is none
    groups : the place of each cell's group where instances are dependent, as one more row of what is distinct
    group_names : the groups' own values

    Examples
    --------
    >>> table = CrossTable.merged(np.array([[0, 0, 1, 1], [2, 2, 2, 0]]), np.array([3, 1, 2, 5]))
    >>> table.codes.tolist(), table.counts.tolist()
    ([[0, 1, 1], [2, 0, 2]], [4, 5, 2])
    >>> table.pairs((0,)), table.pairs((1,)), table.pairs((0, 1))
    (27, 25, 17)
    """

    codes: Integers
    counts: Counts
    noise: tuple[int, ...] = ()
    groups: Integers | None = None
    group_names: tuple[Label, ...] = ()

    @classmethod
    def merged(
        cls,
        codes: Integers,
        counts: Counts,
        noise: tuple[int, ...] = (),
        groups: Integers | None = None,
        group_names: tuple[Label, ...] = (),
    ) -> CrossTable:
        """Build the table from cells that may repeat."""
        keys = codes if groups is None else np.concatenate([codes, np.asarray(groups)[None]])
        distinct, place = group_columns(keys)
        summed = _added(place, np.asarray(counts, dtype=np.int64), distinct.shape[1])
        noise = noise or (NOBODY,) * len(codes)
        if groups is None:
            return cls(distinct, summed, noise)
        return cls(distinct[:-1], summed, noise, distinct[-1], group_names)

    @property
    def n(self) -> int:
        """How many instances there are."""
        return int(self.counts.sum())

    def restricted(self, places: Sequence[int], *, grouped: bool = True) -> CrossTable:
        """Keep some labelings only, and the groups unless told otherwise."""
        noise = tuple(self.noise[place] for place in places)
        groups = self.groups if grouped else None
        return CrossTable.merged(self.codes[list(places)], self.counts, noise, groups, self.group_names)

    def relabelled(self, new_codes: Sequence[Integers], noise: tuple[int, ...]) -> CrossTable:
        """Replace code c of labelling k by `new_codes[k][c]`."""
        codes = np.array([new[row] for new, row in zip(new_codes, self.codes, strict=True)])
        return CrossTable.merged(codes, self.counts, noise, self.groups, self.group_names)

    def followed_by(self, other: CrossTable) -> CrossTable:
        """Add the cells of further instances over the same clusters; a group of both parts is one group."""
        codes = np.concatenate([self.codes, other.codes], axis=1)
        counts = np.concatenate([self.counts, other.counts])
        if self.groups is None or other.groups is None:
            return CrossTable.merged(codes, counts, self.noise)
        names = tuple(dict.fromkeys((*self.group_names, *other.group_names)))
        place = {name: code for code, name in enumerate(names)}
        groups = [np.array([place[name] for name in t.group_names], np.int64)[t.groups] for t in (self, other)]
        return CrossTable.merged(codes, counts, self.noise, np.concatenate(groups), names)

    def alone(self, places: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Tell in which cells the instances stand alone in any of these labelings."""
        marks = [self.codes[place] == self.noise[place] for place in places if self.noise[place] != NOBODY]
        return np.logical_or.reduce(marks) if marks else np.zeros(self.codes.shape[1], dtype=np.bool_)

    def sizes(self, places: Sequence[int]) -> Counts:
        """Return for every cell how many instances share the clusters of its instances in all these labelings."""
        return np.where(self.alone(places), 1, self._totals(places)[1])

    def pairs(self, places: Sequence[int]) -> int:
        """Return how many pairs of instances are together in all these labelings at once, exactly."""
        if self.groups is None and len(set(places)) == len(self.codes):
            return int(pairs_of(self.counts)[~self.alone(places)].sum())
        distinct, place = group_columns(self.codes[list(places)])
        totals = _added(place, self.counts, distinct.shape[1])
        # All cells of one combination are alike: their instances stand alone, or none of them does.
        together = np.ones(len(totals), dtype=np.bool_)
        together[place] = ~self.alone(places)
        return int(pairs_of(totals)[together].sum())

    def _totals(self, places: Sequence[int]) -> tuple[Integers, Counts]:
        """The rank of each cell's combination of clusters, and how many instances have that combination."""
        distinct, place = group_columns(self.codes[list(places)])
        return place, _added(place, self.counts, distinct.shape[1])[place]


def _added(place: Integers, counts: Counts, size: int) -> Counts:
    """Sums of counts by place; in integers, because a float would lose a pair from 2^53 instances on."""
    totals = np.zeros(size, dtype=np.int64)
    np.add.at(totals, place, counts)
    return totals
