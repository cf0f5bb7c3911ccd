"""What a comparison rests on: each model's score, and the law of every paired difference, read from the tables.

Unweighted, independent counts have the flat posterior (`CountEvidence`); groups, weights and graded scores have means
with standard errors (`MeanEvidence`). Draws and resamples of all models at once come from the same tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tiebreak.errors import NotDefined
from tiebreak.inference.draws import MOST_PATTERNS, normal_scores, posterior_accuracies, resampled_means
from tiebreak.inference.intervals import wilson
from tiebreak.inference.laws import FlatPosterior, Law
from tiebreak.inference.moments import (
    Moments,
    Places,
    grouped_moments,
    summed_moments,
    valued_moments,
    weighted_moments,
)
from tiebreak.inference.posterior import Array
from tiebreak.tables import GroupSums, Losses, LossSums, Tally
from tiebreak.tables.bits import unpack

# Resamples handed over at a time.
_AT_ONCE = 500


class Evidence(Protocol):
    """What every doubt about M models is computed from."""

    @property
    def method(self) -> str:
        """How the scores' own intervals are made."""

    @property
    def n(self) -> int:
        """How many instances, which is what planning counts in."""

    @property
    def scores(self) -> Array:
        """Each model's score: accuracy, or mean of graded scores."""

    @property
    def se(self) -> Array:
        """The standard error of every paired difference (M × M)."""

    def score_ends(self, level: float) -> Array:
        """Both ends of each score's interval (M × 2)."""

    def law(self, p: Places, q: Places) -> Law:
        """The law of the differences p − q."""

    def draws(self, rng: np.random.Generator, size: int) -> Array:
        """Draw the true scores of all models (size × M)."""

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Array]:
        """Resample instances or groups; yield all models' scores in some of the resamples at a time."""


@dataclass(frozen=True, eq=False)
class CountEvidence:
    """Right and wrong answers on independent instances that count alike.

    Examples
    --------
    >>> tally = Tally.of({("a", "a", "a"): 30, ("a", "a", "b"): 9, ("a", "b", "a"): 4, ("a", "b", "b"): 7}, models="pq")
    >>> CountEvidence(tally).law(np.array([0]), np.array([1])).p_better.round(6)
    array([0.910217])
    """

    tally: Tally

    method = "wilson"

    @property
    def n(self) -> int:
        """How many instances."""
        return self.tally.n

    @cached_property
    def scores(self) -> Array:
        """Each model's accuracy."""
        return np.asarray(self.tally.right_counts() / self.n)

    @cached_property
    def _cells(self) -> npt.NDArray[Any]:
        return self.tally.pairs()

    @cached_property
    def se(self) -> Array:
        """√(((RW + WR)/n − d²)/n) of every pair."""
        rw, wr = self._cells[..., 1] / self.n, self._cells[..., 2] / self.n
        return np.asarray(np.sqrt(np.maximum(rw + wr - (rw - wr) ** 2, 0.0) / self.n))

    def score_ends(self, level: float) -> Array:
        """Wilson's interval of each accuracy."""
        return wilson(self.tally.right_counts(), self.n, level)

    def law(self, p: Places, q: Places) -> FlatPosterior:
        """The flat posterior of each pair."""
        cells = self._cells[p, q].astype(np.float64)
        return FlatPosterior(cells[..., 1], cells[..., 2], np.full(cells.shape[:-1], float(self.n)))

    def draws(self, rng: np.random.Generator, size: int) -> Array:
        """Draw from the joint posterior over patterns; with very many patterns, from the normal law it has become."""
        bits, mass = self.tally.patterns()
        if len(mass.counts) <= MOST_PATTERNS:
            return posterior_accuracies(unpack(bits, len(mass.counts)), mass.counts, rng, size)
        moments = weighted_moments(self._cells, self._cells, float(self.n), float(self.n))
        return normal_scores(moments, rng, size)

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Array]:
        """Draw multinomial counts of the patterns."""
        bits, mass = self.tally.patterns()
        right = unpack(bits, len(mass.counts)).astype(np.float64)
        ones = np.ones(len(mass.counts))
        for start in range(0, size, _AT_ONCE):
            yield resampled_means(mass.counts, right, ones, rng, min(_AT_ONCE, size - start))


@dataclass(frozen=True, eq=False)
class MeanEvidence:
    """Means with standard errors: dependent or weighted instances, and graded scores.

    Attributes
    ----------
    moments : means, covariance and standard errors
    n : how many instances
    low, high : the range of a difference of two scores
    sums : the groups to resample; None where only the law of the means is known (weights)
    cells, units : of right/wrong answers, the pairs' cells (M × M × 4), and how many independent units they are worth:
        groups, or Kish's effective number; they stand in where a standard error is 0
    times : how often each of `sums` occurred; None where once each

    Examples
    --------
    >>> found = evidence_of_scores(Losses(("a", "b"), np.array([[1.0, 0.0], [0.0, 0.5], [1.0, 0.5]]), kind="scores"))
    >>> found.scores.round(3), found.law(np.array([0]), np.array([1])).method
    (array([0.667, 0.333]), 't')
    """

    moments: Moments
    n: int
    low: float
    high: float
    sums: GroupSums | None = None
    cells: npt.NDArray[Any] | None = None
    units: float = float("nan")
    times: npt.NDArray[np.int64] | None = None

    @property
    def method(self) -> str:
        """How the intervals are made."""
        return self.moments.method

    @property
    def scores(self) -> Array:
        """Each model's mean."""
        return self.moments.means

    @property
    def se(self) -> Array:
        """The standard error of every paired difference."""
        return self.moments.se

    def score_ends(self, level: float) -> Array:
        """Student's interval of each mean; Wilson's over the units where the standard error of an accuracy is 0."""
        models = len(self.moments.means)
        flat = np.full((models, 2), np.nan) if self.cells is None else self._wilson(level)
        # Differences of shares lie within ±1, and so shares do between 0 and 1.
        low, high = (0.0, 1.0) if self.low == -1.0 else (-np.inf, np.inf)
        return self.moments.mean_ends(level, low, high, flat)

    def _wilson(self, level: float) -> Array:
        return wilson(np.clip(self.moments.means, 0.0, 1.0) * self.units, self.units, level)

    def law(self, p: Places, q: Places) -> Law:
        """Student's law of each difference; where its standard error is 0, the flat posterior over the units."""
        if self.cells is None:
            return self.moments.law(p, q, self.low, self.high)
        cells = self.cells[p, q].astype(np.float64)
        share = self.units / cells.sum(axis=-1)
        flat = FlatPosterior(cells[..., 1] * share, cells[..., 2] * share, np.full(share.shape, self.units))
        return self.moments.law(p, q, self.low, self.high, flat)

    def draws(self, rng: np.random.Generator, size: int) -> Array:
        """Draw from Student's law of all means at once."""
        return normal_scores(self.moments, rng, size)

    def resampled(self, rng: np.random.Generator, size: int) -> Iterator[Array]:
        """Resample groups; weighted instances, whose rows the tables do not hold, by the law of their means."""
        for start in range(0, size, _AT_ONCE):
            part = min(_AT_ONCE, size - start)
            if self.sums is None:
                yield normal_scores(self.moments, rng, part)
            else:
                times = np.ones(self.sums.groups, dtype=np.int64) if self.times is None else self.times
                yield resampled_means(times, self.sums.sums, self.sums.sizes, rng, part)


def evidence_of(tally: Tally) -> Evidence:
    """Return what a tally says: as counts, or with groups or weights as means.

    Examples
    --------
    >>> evidence_of(Tally.of({("a", "a", "b"): 3}, models=("p", "q"))).method
    'wilson'
    """
    if tally.crossing is not None:
        sums = tally.group_sums
        return MeanEvidence(grouped_moments(sums), tally.n, -1.0, 1.0, sums, tally.pairs(), float(sums.groups))
    if tally.weighted:
        cells = tally.pairs()
        moments = weighted_moments(cells, tally.squares, tally.total, tally.total_of_squares)
        effective = tally.total**2 / tally.total_of_squares
        return MeanEvidence(moments, tally.n, -1.0, 1.0, None, cells, effective)
    return CountEvidence(tally)


def evidence_of_scores(losses: Losses | LossSums, loss: str = "absolute") -> MeanEvidence:
    """Return what graded scores, losses or residuals say about means, more being better.

    Residuals count by the negative mean of their `loss` ("absolute" or "squared"), so that a positive difference always
    means that the primary is better. A model that failed on an instance has no mean: NaN. A single instance or group
    says nothing about its own spread.

    Examples
    --------
    >>> evidence_of_scores(Losses(("a", "b"), np.array([[1.0, 0.0], [0.0, 0.5]]), kind="scores")).method
    't'
    >>> residuals = Losses(("a", "b"), np.array([[0.1, -0.4], [-0.2, 0.4], [0.3, 0.1]]), kind="residuals")
    >>> evidence_of_scores(residuals).law(np.array([0]), np.array([1])).estimate.round(6)
    array([0.1])
    """
    if losses.groups is None and losses.n < 2:
        raise NotDefined("there is one instance: graded scores need at least two to show how far they scatter")
    inf = float("inf")
    if isinstance(losses, LossSums):
        if loss != losses.loss and losses.lower_is_better:
            raise NotDefined(f"the sums are of {losses.loss} losses: name the loss before they are added up")
        found = summed_moments(losses) if losses.groups is None else grouped_moments(_known(losses))
        return MeanEvidence(found, losses.n, -inf, inf, losses.groups)
    if losses.counts is not None and losses.groups is None:
        return _tallied(losses, loss)
    sums = losses.group_sums(loss)
    method = "cluster_t" if losses.groups is not None else "weighted_t" if losses.weighted else "t"
    return MeanEvidence(grouped_moments(sums, method), losses.n, -inf, inf, sums)


def _tallied(losses: Losses, loss: str) -> MeanEvidence:
    """Distinct rows with counts: every count is an instance of its own."""
    inf, values = float("inf"), losses.goodness(loss)
    amounts, squares = (
        np.ones(values.shape[1]) if part is None else part.astype(np.float64)
        for part in (losses.amounts, losses.squared_amounts)
    )
    moments = valued_moments(values, amounts, squares, weighted=losses.weighted)
    if losses.weighted or losses.counts is None:
        return MeanEvidence(moments, losses.n, -inf, inf)
    sums = GroupSums(np.ones(values.shape[1]), values)
    return MeanEvidence(moments, losses.n, -inf, inf, sums, times=losses.counts.astype(np.int64))


def _known(sums: LossSums) -> GroupSums:
    """Group sums in which a model that failed somewhere has no number."""
    groups = sums.groups
    if groups is None:
        raise AssertionError("these sums have no groups")
    return GroupSums(groups.sizes, np.where(sums.failed[:, None], np.nan, groups.sums))
