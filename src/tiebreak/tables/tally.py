"""The tally: everything that a comparison of classifiers needs to know about its rows, once they have been counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import place_of
from tiebreak._format import listed
from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.tables.bits import Bits, joint_right
from tiebreak.tables.confusion import OMITTED, ConfusionCounts
from tiebreak.tables.crossed import Crossed, added, relabelled, restricted
from tiebreak.tables.groups import Crossing, GroupSums
from tiebreak.tables.labels import Label, ordered, refuse_kinds, union
from tiebreak.tables.mass import Mass
from tiebreak.tables.outcomes import Outcomes
from tiebreak.tables.prayatul import PrayatulCounts, pair_cells
from tiebreak.tables.weights import LIMBS
from tiebreak.tables.words import Words

NEEDS_OUTCOMES = "the rows were counted as right/wrong words; count this pair alone to have its joint outcomes"


@dataclass(frozen=True, eq=False)
class Tally:
    """Distinct outcomes of `models` on the counted instances, and how often each occurred.

    Tallies of the same models add: the tally of two batches is the sum of their tallies. With sample weights every
    outcome carries Σw and Σw² beside its count.

    Attributes
    ----------
    models : the models' names, in order
    labels : the labels that occur, in order; a code in a table is a place in this tuple
    cells : the counts themselves, as joint `Outcomes` or as right/wrong `Words` (the counting plan)
    truth : the name of the truth, None where answers came already graded
    missing : how many predictions each model lacks, whatever the policy made of them
    excluded : how many instances the policy left out of the tally
    crossing : which patterns occur in which group, None where instances are independent

    Examples
    --------
    >>> import tiebreak as tb
    >>> tally = tb.Tally.of({("cat", "cat", "dog"): 3, ("dog", "dog", "dog"): 5}, models=("knn", "tree"))
    >>> tally.n, tally.labels, tally.pair("knn", "tree").right_wrong
    (8, ('cat', 'dog'), 3)
    >>> (tally + tally).n
    16
    """

    models: tuple[str, ...]
    labels: tuple[Label, ...]
    cells: Outcomes | Words
    truth: str | None = None
    missing: tuple[int, ...] = ()
    excluded: int = 0
    crossing: Crossing | None = None

    @classmethod
    def of(cls, outcomes: Mapping[Sequence[Label], int], *, models: Sequence[str], truth: str = "truth") -> Tally:
        """Build a tally from a mapping of (true label, label of each model in order) to its count; None is missing."""
        rows = [tuple(row) for row in outcomes]
        for row in rows:
            if len(row) != len(models) + 1:
                raise TiebreakError(f"outcome {row!r} has {len(row)} labels: it needs the truth and one per model")
        labels = ordered(label for row in rows for label in row if label is not None)
        code: dict[Label, int] = {label: place for place, label in enumerate(labels)} | {None: OMITTED}
        codes = (
            np.array([[code[label] for label in row] for row in rows], dtype=np.int64).reshape(-1, len(models) + 1).T
        )
        counts = np.array(list(outcomes.values()), dtype=np.int64)
        missing = tuple(int(counts[row == OMITTED].sum()) for row in codes[1:])
        return cls(tuple(models), labels, Outcomes.merged(codes, Mass(counts)), truth, missing)

    @property
    def n(self) -> int:
        """How many instances were compared."""
        return self.cells.mass.n

    @property
    def plan(self) -> str:
        """How the rows were counted, `outcomes` or `words`."""
        return self.cells.plan

    @property
    def weighted(self) -> bool:
        """Whether the instances carry sample weights."""
        return self.cells.mass.weights is not None

    @property
    def total(self) -> float:
        """The sum of the weights, which is `n` where there are none."""
        return self.cells.mass.total

    @property
    def total_of_squares(self) -> float:
        """The sum of the squared weights, which is `n` where there are none."""
        return self.cells.mass.total_of_squares

    def index(self, model: str) -> int:
        """Return a model's place, or say which models there are."""
        return place_of(model, self.models)

    def restrict(self, models: Iterable[str]) -> Tally:
        """Keep some models only, in the given order; the instances stay the same."""
        kept = tuple(models)
        places = [self.index(model) for model in kept]
        missing = tuple(self.missing[place] for place in places) if self.missing else ()
        cells, crossing = restricted(self.cells, self.crossing, places)
        return replace(self, models=kept, cells=cells, missing=missing, crossing=crossing)

    def reordered(self, named: Sequence[object]) -> Tally:
        """Put the labels into the given order, which names every one; text may name a number, as in a shell."""
        by_text = {str(label): label for label in self.labels}
        known = set(self.labels)
        order: list[Label] = [by_text.get(n, n) if isinstance(n, str) and n not in known else n for n in named]
        left_out = known - set(order)
        if left_out or len(set(order)) < len(order):
            raise TiebreakError(f"labels must name every class once, and leaves out {listed(left_out) or 'none'}")
        cells, crossing = self._over(tuple(order))
        return replace(self, labels=tuple(order), cells=cells, crossing=crossing)

    def __add__(self, other: Tally) -> Tally:
        """Add a tally of the same models over other instances."""
        if self.models != other.models or (self.truth is None) != (other.truth is None):
            raise TiebreakError(
                f"a tally of {listed(self.models)} and one of {listed(other.models)} do not add: both must be of the "
                "same models, and both of labels or both of graded answers"
            )
        refuse_kinds(self.labels, other.labels)
        labels = union(self.labels, other.labels)
        (first, one), (second, two) = self._over(labels), other._over(labels)
        cells, crossing = added(first, second, (one, two), len(labels))
        lacking = [tally.missing or (0,) * len(self.models) for tally in (self, other)]
        missing = tuple(map(sum, zip(*lacking, strict=True)))
        excluded = self.excluded + other.excluded
        return replace(self, labels=labels, cells=cells, missing=missing, excluded=excluded, crossing=crossing)

    def __radd__(self, other: object) -> Tally:
        """Let `sum` add tallies: it begins with 0."""
        return self if other == 0 and type(other) is int else NotImplemented

    def _over(self, labels: tuple[Label, ...]) -> Crossed:
        if labels == self.labels:
            return self.cells, self.crossing
        place = {label: code for code, label in enumerate(labels)}
        new_code = np.array([place[label] for label in self.labels], dtype=np.int64)
        return relabelled(self.cells, self.crossing, new_code)

    @cached_property
    def _cells(self) -> npt.NDArray[np.int64]:
        """The integer cells of all ordered pairs: counts, or the limbs of weights."""
        bits, mass = self.patterns()
        amounts = mass.counts[None] if mass.weights is None else mass.weights.limbs[:LIMBS]
        return np.array([pair_cells(joint_right(bits, part), int(part.sum())) for part in amounts])

    def _amounts(self, cells: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        weights = self.cells.mass.weights
        return cells[0] if weights is None else weights.scale.weights(cells)

    @cached_property
    def squares(self) -> npt.NDArray[Any]:
        """The sums of squared weights in the four cells of every ordered pair; the counts where nothing is weighted."""
        bits, mass = self.patterns()
        if mass.weights is None:
            return np.asarray(self._cells[0])
        limbs = [pair_cells(joint_right(bits, part), int(part.sum())) for part in mass.weights.limbs[LIMBS:]]
        return np.asarray(mass.weights.scale.squares(np.concatenate([np.zeros_like(limbs), np.array(limbs)])))

    @cached_property
    def group_sums(self) -> GroupSums:
        """The size and the right answers of every group; NotDefined where the instances are independent."""
        if self.crossing is None:
            raise NotDefined("these instances are not grouped: name the group column with --group (groups= in Python)")
        return self.crossing.sums(self.cells.right())

    def right_counts(self) -> npt.NDArray[Any]:
        """Return how often, or with what weight, each model is right."""
        return self._amounts(np.diagonal(self._cells[..., 0], axis1=1, axis2=2))

    def pairs(self) -> npt.NDArray[Any]:
        """Return the four Prayatul cells of every ordered pair of models (models × models × 4), in one step."""
        return self._amounts(self._cells)

    def pair(self, primary: str, alternative: str) -> PrayatulCounts:
        """Return the Prayatul counts of one ordered pair."""
        p, q = self.index(primary), self.index(alternative)
        return PrayatulCounts.of(self._amounts(self._cells[:, p, q]), self.cells.both_wrong_same(p, q))

    def pair_by_class(self, primary: str, alternative: str) -> npt.NDArray[Any]:
        """Return the Prayatul cells of one pair within each true label (labels × 4)."""
        cells = self.cells.cells_by_class(self.index(primary), self.index(alternative), len(self.labels))
        if cells is None:
            raise NotDefined(f"tables by class are not defined here: {NEEDS_OUTCOMES}")
        return cells

    def patterns(self) -> tuple[Bits, Mass]:
        """Return the right/wrong patterns of all models as packed bits, and their mass."""
        return self.cells.patterns()

    def confusion(self, model: str) -> ConfusionCounts:
        """Return one model's confusion counts over `labels`."""
        if self.truth is None:
            raise NotDefined("a confusion matrix needs labels, and these answers came already graded right or wrong")
        return self.cells.confusion(self.index(model), len(self.labels))
