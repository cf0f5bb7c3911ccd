"""The tally: everything that a comparison of classifiers needs to know about its rows, once they have been counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.errors import ColumnNotFound, NotDefined, TiebreakError
from tiebreak.tables.bits import Bits, joint_right, joint_right_weight
from tiebreak.tables.confusion import OMITTED, ConfusionCounts
from tiebreak.tables.labels import Label, ordered, union
from tiebreak.tables.mass import Mass
from tiebreak.tables.outcomes import Outcomes
from tiebreak.tables.prayatul import PrayatulCounts, pair_cells
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
        return self.cells.mass.sums is not None

    @property
    def total(self) -> float:
        """The sum of the weights, which is `n` where there are none."""
        return self.cells.mass.amounts.sum().item()  # type: ignore[no-any-return]

    @property
    def total_of_squares(self) -> float:
        """The sum of the squared weights, which is `n` where there are none."""
        squares = self.cells.mass.squares
        return self.n if squares is None else float(squares.sum())

    def index(self, model: str) -> int:
        """Return a model's place, or say which models there are."""
        try:
            return self.models.index(model)
        except ValueError:
            known = ", ".join(self.models)
            raise ColumnNotFound(f"{model!r} is no model of this comparison: its models are {known}") from None

    def restrict(self, models: Iterable[str]) -> Tally:
        """Keep some models only, in the given order; the instances stay the same."""
        kept = tuple(models)
        places = [self.index(model) for model in kept]
        missing = tuple(self.missing[place] for place in places) if self.missing else ()
        return replace(self, models=kept, cells=self.cells.restricted(places), missing=missing)

    def __add__(self, other: Tally) -> Tally:
        """Add a tally of the same models over other instances."""
        if self.models != other.models:
            raise TiebreakError(f"tallies of different models do not add: {self.models} and {other.models}")
        if self.plan != other.plan:
            raise TiebreakError(
                f"a tally of plan {self.plan!r} and one of plan {other.plan!r} do not add: count both alike"
            )
        labels = union(self.labels, other.labels)
        first, second = self._over(labels), other._over(labels)
        # Each side is one of the two plans, and the check above has made them the same one.
        cells = first.followed_by(second)  # type: ignore[arg-type]
        missing = tuple(map(sum, zip(self.missing, other.missing, strict=True)))
        return replace(self, labels=labels, cells=cells, missing=missing, excluded=self.excluded + other.excluded)

    def _over(self, labels: tuple[Label, ...]) -> Outcomes | Words:
        if labels == self.labels:
            return self.cells
        place = {label: code for code, label in enumerate(labels)}
        return self.cells.relabelled(np.array([place[label] for label in self.labels], dtype=np.int64))

    @cached_property
    def joint_right(self) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
        """How often, or with what weight, each pair of models is right together (models × models)."""
        bits, mass = self.patterns()
        return joint_right(bits, mass.counts) if mass.sums is None else joint_right_weight(bits, mass.sums)

    def right_counts(self) -> npt.NDArray[Any]:
        """Return how often, or with what weight, each model is right."""
        return np.diagonal(self.joint_right).copy()

    def pairs(self) -> npt.NDArray[Any]:
        """Return the four Prayatul cells of every ordered pair of models (models × models × 4), in one step."""
        return pair_cells(self.joint_right, self.total)

    def pair(self, primary: str, alternative: str) -> PrayatulCounts:
        """Return the Prayatul counts of one ordered pair."""
        p, q = self.index(primary), self.index(alternative)
        joint = self.joint_right
        cells = pair_cells(joint[np.ix_([p, q], [p, q])], self.total)[0, 1]
        return PrayatulCounts.of(cells, self.cells.both_wrong_same(p, q))

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
