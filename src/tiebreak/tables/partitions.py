"""The partitions: everything that a comparison of clusterings needs to know about its rows, once they are counted.

A pair of instances is right in a clustering if it is together there exactly when it is together in the truth. How many
pairs are right in one clustering and wrong in another follows from the sizes of the clusters and of their two-way
intersections alone, so M clusterings need M (M + 1) / 2 two-way tables, never a pair of instances.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of, place_of
from tiebreak._format import listed, quoted
from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.tables.contingency import Contingency, cluster_totals
from tiebreak.tables.crosstable import NOBODY, Counts, CrossTable, pairs_of
from tiebreak.tables.labels import Label, ordered, union
from tiebreak.tables.prayatul import PrayatulCounts

NOISES = ("cluster", "singleton")
# The label that density-based clusterings give to what belongs to no cluster, as a number and as text files write it.
NOISE_LABELS = (-1, "-1")
# Their pairs are still below 2^63.
MOST_INSTANCES = 2**32

NEEDS_CELLS = "the two-way tables do not say which three clusters met; count this pair alone to have its cells"
NEEDS_TRUTH = "right and wrong need a truth, and these clusterings were counted without one: name it with --truth"


@dataclass(frozen=True, eq=False)
class Partitions:
    """Clusterings of the same instances, and the truth if there is one, as two-way tables of their clusters.

    Partitions of the same clusterings add: those of two batches are the sum of theirs, clusters matched by their
    labels. Every clustering has labels of its own kind; nothing is compared across them.

    Attributes
    ----------
    models : the clusterings' names, in order
    clusters : the cluster labels of every labelling, the truth's in front if there is one
    tables : the two-way table of every two labelings, in the order of `itertools.combinations`
    truth : the name of the truth, None without one
    missing : how many labels each model lacks, whatever the policy made of them
    excluded : how many instances the policy left out
    noise : whether label −1 is a cluster like any other ("cluster") or each such instance one of its own ("singleton")
    joint : the cells of all labelings at once, with the groups if instances are grouped; None where they are too many

    Examples
    --------
    >>> cells = {(0, 5, 1): 1, (0, 5, 2): 1, (1, 5, 1): 1, (1, 7, 2): 1}
    >>> partitions = Partitions.of(cells, models=("p", "q"))
    >>> partitions.n, partitions.total_pairs, partitions.pair("p", "q").cells().tolist()
    (4, 6, [1, 2, 1, 2])
    >>> (partitions + partitions).pair("p", "q").n
    28
    """

    models: tuple[str, ...]
    clusters: tuple[Sequence[Label], ...]
    tables: tuple[CrossTable, ...]
    truth: str | None = None
    missing: tuple[int, ...] = ()
    excluded: int = 0
    noise: str = "cluster"
    joint: CrossTable | None = None

    def __post_init__(self) -> None:
        one_of(self.noise, "noise", NOISES)
        if self.n > MOST_INSTANCES:
            raise TiebreakError(
                f"the clusterings have {self.n:,} instances: the pairs of at most {MOST_INSTANCES:,} can be counted; "
                "compare a sample"
            )

    @classmethod
    def of(
        cls,
        outcomes: Mapping[Sequence[Label], int],
        *,
        models: Sequence[str],
        truth: str | None = "truth",
        noise: str = "cluster",
    ) -> Partitions:
        """Build partitions from a mapping of (true label, label of each model in order) to its count."""
        rows = [tuple(row) for row in outcomes]
        width = len(models) + (truth is not None)
        for row in rows:
            if len(row) != width:
                raise TiebreakError(f"outcome {row!r} has {len(row)} labels: it needs {width}, one per labelling")
        columns = list(zip(*rows, strict=True)) or [()] * width
        clusters = tuple(ordered(column) for column in columns)
        coded = [_new_codes(column, labels) for column, labels in zip(columns, clusters, strict=True)]
        codes = np.array(coded, dtype=np.int64).reshape(width, -1)
        counts = np.array(list(outcomes.values()), dtype=np.int64)
        joint = CrossTable.merged(codes, counts, noise_codes(clusters, noise))
        return cls.of_joint(joint, clusters, models=tuple(models), truth=truth, noise=noise)

    @classmethod
    def of_joint(cls, joint: CrossTable, clusters: Sequence[Sequence[Label]], **facts: Any) -> Partitions:
        """Build partitions from the cells of all labelings at once."""
        flat = joint.restricted(range(len(joint.codes)), grouped=False) if joint.groups is not None else joint
        places = itertools.combinations(range(len(joint.codes)), 2)
        tables = tuple(flat.restricted(pair) for pair in places) if len(joint.codes) > 2 else (flat,)
        return cls(clusters=tuple(clusters), tables=tables, joint=joint, **facts)

    @property
    def n(self) -> int:
        """How many instances were compared."""
        return self.tables[0].n

    @property
    def total_pairs(self) -> int:
        """N (N − 1) / 2, how many pairs they have."""
        return self.n * (self.n - 1) // 2

    @property
    def labelings(self) -> tuple[str, ...]:
        """The names of all labelings: the truth, if there is one, and the models."""
        return self.models if self.truth is None else (self.truth, *self.models)

    @property
    def grouped(self) -> bool:
        """Whether the joint cells say which group their instances belong to."""
        return self.joint is not None and self.joint.groups is not None

    def index(self, labelling: str) -> int:
        """Return a labelling's place, or say which there are; a model of the truth's name is never meant by it."""
        return place_of(labelling, self.labelings, "clustering")

    def table(self, first: str, second: str) -> CrossTable:
        """Return the two-way table of two labelings, the first in row 0."""
        one, two = self.index(first), self.index(second)
        if one == two:
            beside = self._beside(one)
            place = beside.index(one)
            return self.tables[self._place(*beside)].restricted((place, place))
        found = self.tables[self._place(min(one, two), max(one, two))]
        return found if one < two else found.restricted((1, 0))

    def contingency(self, first: str, second: str) -> Contingency:
        """Return the same as the measures want it, noise that stands alone in closed form."""
        return Contingency.of(self.table(first, second))

    def sizes(self, labelling: str) -> Counts:
        """Return how many instances each cluster of a labelling holds, in the order of its labels."""
        place = self.index(labelling)
        beside = self._beside(place)
        table = self.tables[self._place(*beside)]
        totals = cluster_totals(table.codes[beside.index(place)], table.counts)
        return np.pad(totals, (0, len(self.clusters[place]) - len(totals)))

    def pair_sums(self, first: str, second: str) -> tuple[int, int, int, int]:
        """Return all pairs, those together in the first, in the second, and in both labelings."""
        sums = self._sums
        one, two = self.index(first), self.index(second)
        return self.total_pairs, int(sums[one, one]), int(sums[two, two]), int(sums[one, two])

    def pair(self, primary: str, alternative: str) -> PrayatulCounts:
        """Return the Prayatul counts of one ordered pair of models, over pairs of instances: exact integers."""
        self._judged()
        p, q = self.index(primary), self.index(alternative)
        return PrayatulCounts(*(int(cell) for cell in self._cells(p, q)))

    def pairs(self) -> npt.NDArray[np.int64]:
        """Return the four Prayatul cells of every ordered pair of models (models × models × 4)."""
        self._judged()
        places = np.arange(1, 1 + len(self.models))
        cells = self._cells(places[:, None], places[None, :])
        return np.stack([np.asarray(cell, dtype=np.int64) for cell in cells], axis=-1)

    def cells(self, primary: str, alternative: str) -> CrossTable:
        """Return the (truth, primary, alternative) cells of one pair, or (primary, alternative) without a truth.

        NotDefined where all models were not counted at once: the source counts one pair's cells on demand.
        """
        if self.joint is None:
            raise NotDefined(f"the cells of {quoted(primary)} and {quoted(alternative)} are not known: {NEEDS_CELLS}")
        truth = [] if self.truth is None else [0]
        return self.joint.restricted([*truth, self.index(primary), self.index(alternative)])

    def restrict(self, models: Sequence[str]) -> Partitions:
        """Keep some models only, in the given order; the instances stay the same."""
        kept = ([] if self.truth is None else [self.truth]) + list(models)
        places = [self.index(name) for name in kept]
        missing = tuple(self.missing[self.models.index(model)] for model in models) if self.missing else ()
        return replace(
            self,
            models=tuple(models),
            clusters=tuple(self.clusters[place] for place in places),
            tables=tuple(self.table(one, two) for one, two in itertools.combinations(kept, 2)),
            missing=missing,
            joint=None if self.joint is None else self.joint.restricted(places),
        )

    def __add__(self, other: Partitions) -> Partitions:
        """Add the partitions of the same clusterings over other instances, clusters matched by their labels."""
        if (self.models, self.truth is None, self.noise) != (other.models, other.truth is None, other.noise):
            raise TiebreakError(
                f"partitions of {listed(self.labelings)} and of {listed(other.labelings)} do not add: both must be of "
                "the same clusterings, with or without a truth, and treat noise alike"
            )
        clusters = tuple(union(one, two) for one, two in zip(self.clusters, other.clusters, strict=True))
        first, second = self._over(clusters), other._over(clusters)
        joint = None
        if first.joint is not None and second.joint is not None and self.grouped == other.grouped:
            joint = first.joint.followed_by(second.joint)
        lacking = [part.missing or (0,) * len(self.models) for part in (self, other)]
        return replace(
            self,
            clusters=clusters,
            tables=tuple(one.followed_by(two) for one, two in zip(first.tables, second.tables, strict=True)),
            missing=tuple(map(sum, zip(*lacking, strict=True))),
            excluded=self.excluded + other.excluded,
            joint=joint,
        )

    def _over(self, clusters: tuple[Sequence[Label], ...]) -> Partitions:
        """The same tables with codes into other cluster labels, which contain its own."""
        new = [_new_codes(old, labels) for old, labels in zip(self.clusters, clusters, strict=True)]
        noise = noise_codes(clusters, self.noise)
        places = itertools.combinations(range(len(clusters)), 2)
        tables = tuple(
            table.relabelled([new[one], new[two]], (noise[one], noise[two]))
            for table, (one, two) in zip(self.tables, places, strict=True)
        )
        joint = None if self.joint is None else self.joint.relabelled(new, noise)
        return replace(self, clusters=clusters, tables=tables, joint=joint)

    @cached_property
    def _sums(self) -> npt.NDArray[np.object_]:
        """S: pairs that are together in labelling x (diagonal), or in x and y at once, as Python's own integers."""
        size = len(self.labelings)
        sums = np.zeros((size, size), dtype=object)
        for (one, two), table in zip(itertools.combinations(range(size), 2), self.tables, strict=True):
            sums[one, two] = sums[two, one] = table.pairs((0, 1))
        noise = noise_codes(self.clusters, self.noise)
        for place, name in enumerate(self.labelings):
            together = pairs_of(self.sizes(name))
            if noise[place] != NOBODY:
                together[noise[place]] = 0
            sums[place, place] = int(together.sum())
        return sums

    def _cells(self, p: Any, q: Any) -> tuple[Any, Any, Any, Any]:
        """The closed form in the sums of pairs; broadcasts over arrays of places."""
        s = self._sums
        g, gp, gq, pq = s[0, 0], s[0, p], s[0, q], s[p, q]
        sp, sq = s[p, p], s[q, q]
        return (
            self.total_pairs - g - sp - sq + gp + gq + pq,
            gp + sq - gq - pq,
            gq + sp - gp - pq,
            pq + g - gp - gq,
        )

    def _judged(self) -> None:
        if self.truth is None:
            raise NotDefined(f"the Prayatul matrix is not defined: {NEEDS_TRUTH}")

    def _beside(self, place: int) -> tuple[int, int]:
        """Two places in order, one of which is the given one: a table that knows its clusters."""
        return (0, place) if place else (0, 1)

    def _place(self, one: int, two: int) -> int:
        """Where the table of two labelings stands among all combinations."""
        size = len(self.labelings)
        return one * size - one * (one + 1) // 2 + two - one - 1


def noise_codes(clusters: Sequence[Sequence[Label]], noise: str) -> tuple[int, ...]:
    """Return per labelling the code of the cluster whose instances stand alone, −1 where none does.

    Examples
    --------
    >>> noise_codes([(0, 1), (-1, 0)], "singleton"), noise_codes([(0, 1), (-1, 0)], "cluster")
    ((-1, 0), (-1, -1))
    """
    if noise == "cluster":
        return (NOBODY,) * len(clusters)
    return tuple(
        next((labels.index(label) for label in NOISE_LABELS if label in labels), NOBODY) for labels in clusters
    )


def _new_codes(old: Sequence[Label], new: Sequence[Label]) -> npt.NDArray[np.int64]:
    if old is new:
        return np.arange(len(old), dtype=np.int64)
    place = {label: code for code, label in enumerate(new)}
    return np.array([place[label] for label in old], dtype=np.int64)
