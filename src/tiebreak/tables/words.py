"""The words plan: right/wrong patterns of all models at once, and one confusion table per model.

It is what remains small when there are many models: 50 models over 1,000 labels have as many joint outcomes as rows.
What it gives up is which wrong label went with which, so `both_wrong_same` and tables by class need a count of that
pair alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.tables.bits import Bits, unpack
from tiebreak.tables.confusion import OMITTED, ConfusionCounts
from tiebreak.tables.mass import Integers, Mass
from tiebreak.tables.outcomes import Outcomes, distinct_patterns


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Packed right/wrong patterns (models × words) with their mass, and per model its confusion counts.

    Patterns may repeat: 100,000 instances of 500 models hardly ever share one, and looking for it costs more than it
    saves. Sums do not notice.

    Examples
    --------
    >>> from tiebreak.tables.bits import pack
    >>> cells = Words(pack(np.array([[True, False]])), Mass(np.array([1, 1])), ())
    >>> cells.right()
    array([[ True, False]])
    """

    bits: Bits
    mass: Mass
    confusions: tuple[ConfusionCounts, ...]

    plan = "words"

    def restricted(self, models: Sequence[int]) -> Words:
        """Keep some models only."""
        return Words(self.bits[list(models)], self.mass, tuple(self.confusions[model] for model in models))

    def relabelled(self, new_code: Integers) -> Words:
        """Replace label code c by `new_code[c]` in the confusion tables."""
        return Words(self.bits, self.mass, tuple(_relabelled(table, new_code) for table in self.confusions))

    def followed_by(self, other: Words) -> Words:
        """Add further instances of the same models over the same labels."""
        right = np.concatenate([self.right(), other.right()], axis=1)
        bits, mass = distinct_patterns(right, self.mass.followed_by(other.mass))
        return Words(bits, mass, added_confusions(self, other))

    def right(self) -> npt.NDArray[np.bool_]:
        """Return who is right in which pattern (models × patterns)."""
        return unpack(self.bits, len(self.mass.counts))

    def patterns(self) -> tuple[Bits, Mass]:
        """Return the right/wrong patterns as packed bits, and their mass."""
        return self.bits, self.mass

    def confusion(self, model: int, size: int) -> ConfusionCounts:
        """Return one model's confusion counts over `size` labels."""
        table = self.confusions[model]
        return ConfusionCounts(size, table.rows, table.columns, table.mass)

    def both_wrong_same(self, primary: int, alternative: int) -> None:
        """Return None: right/wrong words do not say which wrong label was given."""

    def cells_by_class(self, primary: int, alternative: int, size: int) -> None:
        """Return None: right/wrong words do not say which label was the true one."""


def added_confusions(first: Words, second: Words) -> tuple[ConfusionCounts, ...]:
    """Add the confusion tables of two words plans, model by model.

    Examples
    --------
    >>> added_confusions(Words(np.zeros((0, 1), dtype=np.uint64), Mass(np.array([1])), ()), Words(
    ...     np.zeros((0, 1), dtype=np.uint64), Mass(np.array([1])), ()))
    ()
    """
    return tuple(one + two for one, two in zip(first.confusions, second.confusions, strict=True))


def as_words(cells: Outcomes | Words, labels: int) -> Words:
    """Return either plan as the words plan, which every joint table contains.

    Examples
    --------
    >>> cells = Outcomes.merged(np.array([[0, 0], [0, 1]]), Mass(np.array([3, 1])))
    >>> as_words(cells, 2).right().tolist()
    [[False, True]]
    """
    if isinstance(cells, Words):
        return cells
    bits, mass = cells.patterns()
    return Words(bits, mass, tuple(cells.confusion(model, labels) for model in range(len(bits))))


def _relabelled(table: ConfusionCounts, new_code: Integers) -> ConfusionCounts:
    columns = np.where(table.columns == OMITTED, OMITTED, new_code[table.columns])
    return ConfusionCounts(table.size, new_code[table.rows], columns, table.mass)
