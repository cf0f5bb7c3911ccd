"""Dependent instances: how much each group (a document, a patient, a question) holds of everything that is averaged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.tables.labels import Label
from tiebreak.tables.mass import Integers, Mass

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class GroupSums:
    """Groups × models: the size of each group and what each model scores in it (right answers, or a sum of scores).

    It is all that a standard error of dependent instances needs. Sums of batches that do not split a group add by
    putting one behind the other; where instances are independent, every instance is a group of its own.

    Attributes
    ----------
    sizes : instances, or weight, of each group (G)
    sums : right answers or scores of each model in each group (M × G)

    Examples
    --------
    >>> sums = GroupSums(np.array([2.0, 3.0]), np.array([[2.0, 1.0], [1.0, 1.0]]))
    >>> sums.groups, sums.total, sums.means
    (2, 5.0, array([0.6, 0.4]))
    """

    sizes: Floats
    sums: Floats

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return len(self.sizes)

    @property
    def total(self) -> float:
        """All sizes together."""
        return float(self.sizes.sum())

    @property
    def means(self) -> Floats:
        """The mean score of each model, over instances and not over groups."""
        return np.asarray(self.sums.sum(axis=1) / self.sizes.sum())

    def __add__(self, other: GroupSums) -> GroupSums:
        """Put the groups of another batch, none of which is split, behind these."""
        return GroupSums(np.concatenate([self.sizes, other.sizes]), np.concatenate([self.sums, other.sums], axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """Which patterns of a tally occur in which group, and how often: the tally with one more key.

    Attributes
    ----------
    patterns, groups : the place of a pattern, and of its group, for each non-empty cell
    mass : how often that pattern occurred in that group
    names : the groups' own values, in their order

    Examples
    --------
    >>> crossing = Crossing(np.array([0, 1, 0]), np.array([0, 0, 1]), Mass(np.array([2, 1, 4])), ("doc1", "doc2"))
    >>> crossing.sums(np.array([[True, False]])).sums
    array([[2., 4.]])
    """

    patterns: Integers
    groups: Integers
    mass: Mass
    names: tuple[Label, ...]

    @property
    def size(self) -> int:
        """How many groups there are."""
        return len(self.names)

    def sums(self, right: npt.NDArray[np.bool_]) -> GroupSums:
        """Return the group sums of models that are right on these patterns (models × patterns)."""
        amounts = self.mass.amounts.astype(np.float64)
        rows = [np.bincount(self.groups, amounts * row[self.patterns], self.size) for row in right]
        sizes = np.bincount(self.groups, amounts, self.size).astype(np.float64)
        return GroupSums(sizes, np.array(rows, dtype=np.float64).reshape(len(right), self.size))

    def cells(self, primary: npt.NDArray[np.bool_], alternative: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
        """Return the four Prayatul cells of one pair in every group (groups × 4), exactly.

        `primary` and `alternative` say on which patterns each is right.
        """
        cell = (2 * ~primary + ~alternative).astype(np.int64)
        return self.mass.table([self.groups, cell[self.patterns]], (self.size, 4))

    def squares(self, primary: npt.NDArray[np.bool_], alternative: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
        """Return the sums of squared weights in the same cells; the counts where nothing is weighted."""
        weights = self.mass.weights
        if weights is None:
            return self.cells(primary, alternative)
        cell = (2 * ~primary + ~alternative).astype(np.int64)[self.patterns]
        return np.bincount(self.groups * 4 + cell, weights.squares, self.size * 4).reshape(self.size, 4)
