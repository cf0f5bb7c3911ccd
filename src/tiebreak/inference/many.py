"""Many models at once: adjusted p-values, tiers, ranks, and the probability of being the best of all.

A comparison of M models makes M(M − 1)/2 tests, or M − 1 against a baseline; every adjusted p-value is labelled with
that number. Tiers and ranks rest on adjusted p-values; intervals are per pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.inference.posterior import Array

CORRECTIONS = ("holm", "romano-wolf", "none")


def holm(p_values: npt.ArrayLike) -> Array:
    """Holm's step-down adjustment: the k-th smallest of m is multiplied by m − k + 1, then made monotone, at most 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    steps = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    adjusted = np.empty_like(p)
    adjusted[order] = steps
    return adjusted


def romano_wolf(statistics: Array, resampled: Iterable[Array]) -> Array:
    """Romano and Wolf's step-down adjustment by resampling, which uses how the tests depend on each other.

    Parameters
    ----------
    statistics : |d / se| of each of m comparisons
    resampled : |d* − d| / se of the same comparisons in B resamples, some of them at a time (b × m)

    A p-value is (1 + how often the largest resampled statistic of the comparisons not yet decided reaches the observed
    one) / (B + 1), so never 0, made monotone. Source: Romano & Wolf 2005, 2016.

    Examples
    --------
    >>> resampled = np.abs(np.random.default_rng(0).standard_normal((999, 2)))
    >>> romano_wolf(np.array([4.0, 0.1]), [resampled]).round(2)
    array([0.  , 0.92])
    """
    order = np.argsort(-statistics, kind="stable")
    reached, count = np.zeros(len(statistics), dtype=np.int64), 0
    for part in resampled:
        # Largest over the comparisons that are still open when each one is reached, the weakest last.
        largest = np.maximum.accumulate(part[:, order[::-1]], axis=1)[:, ::-1]
        reached += (largest >= statistics[order] * (1 - 1e-12)).sum(axis=0)
        count += len(part)
    steps = np.maximum.accumulate((1 + reached) / (count + 1))
    adjusted = np.empty(len(statistics))
    adjusted[order] = steps
    return adjusted


def studentised(differences: Array, se: Array) -> Array:
    """Return |d| / se; 0 where nothing differs, and infinite where a difference has no spread.

    Examples
    --------
    >>> studentised(np.array([-0.2, 0.0, 0.1]), np.array([0.1, 0.0, 0.0]))
    array([ 2.,  0., inf])
    """
    size = np.abs(differences)
    sure = np.where(size > 0, np.inf, 0.0)
    return np.where(se > 0, size / np.where(se > 0, se, 1.0), sure)


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Which pairs of M models are tested: all of them, or each against one baseline.

    Examples
    --------
    >>> Comparisons(4).count, Comparisons(4, baseline=0).count
    (6, 3)
    """

    models: int
    baseline: int | None = None

    @property
    def count(self) -> int:
        """How many tests are made."""
        return self.models - 1 if self.baseline is not None else self.models * (self.models - 1) // 2

    def places(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return the first and second model of each test."""
        if self.baseline is None:
            return np.triu_indices(self.models, 1)
        others = np.delete(np.arange(self.models), self.baseline)
        return others, np.full(len(others), self.baseline)

    def spread(self, values: Array) -> Array:
        """Put one value a test into a symmetric matrix (M × M); NaN where no test is made."""
        matrix = np.full((self.models, self.models), np.nan)
        first, second = self.places()
        matrix[first, second] = matrix[second, first] = values
        return matrix


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one model stands among all.

    Attributes
    ----------
    tier : 1 for the models not separable from the best; each next tier is led by the first model that is separable
        from the leader of the one above
    separable_from_best : whether the model with the highest score is significantly better
    rank_low, rank_high : 1 + the number of models significantly better, and M − the number significantly worse
    """

    tier: int
    separable_from_best: bool
    rank_low: int
    rank_high: int


def standings(scores: npt.ArrayLike, adjusted: Array, names: Sequence[str], alpha: float) -> tuple[Standing, ...]:
    """Return every model's standing, in the order of the models; `adjusted` are all pairs' p-values (M × M).

    Sorted by score (ties: the larger adjusted p-value against the leader first, then the name), a tier runs down the
    list until the first model with an adjusted p-value below `alpha` against the tier's leader; that model leads the
    next. So tiers are monotone in the score, and identical models share one.

    Examples
    --------
    >>> p = np.array([[1, 0.4, 0.01], [0.4, 1, 0.2], [0.01, 0.2, 1]])
    >>> [standing.tier for standing in standings([0.9, 0.85, 0.8], p, ("a", "b", "c"), 0.05)]
    [1, 1, 2]
    """
    score = np.asarray(scores, dtype=np.float64)
    order = ranking(score, adjusted, names)
    real = adjusted < alpha
    better = score[:, None] > score[None, :]
    tier, leader, tiers = 1, order[0], np.ones(len(score), dtype=np.int64)
    for model in order[1:]:
        if real[leader, model]:
            tier, leader = tier + 1, model
        tiers[model] = tier
    best = order[0]
    return tuple(
        Standing(
            int(tiers[model]),
            bool(real[best, model] and model != best),
            1 + int((real[:, model] & better[:, model]).sum()),
            len(score) - int((real[model] & better[model]).sum()),
        )
        for model in range(len(score))
    )


def ranking(scores: Array, adjusted: Array, names: Sequence[str]) -> list[int]:
    """Return the models' places from best to worst; ties by the larger p-value against the leader, then by name.

    Examples
    --------
    >>> ranking(np.array([0.5, 0.9, 0.5]), np.ones((3, 3)), ("b", "a", "c"))
    [1, 0, 2]
    """
    leader = min(range(len(scores)), key=lambda m: (-scores[m], names[m]))
    against = np.where(np.isnan(adjusted[leader]), 1.0, adjusted[leader])
    return sorted(range(len(scores)), key=lambda m: (-scores[m], m != leader, -against[m], names[m]))


@dataclass(frozen=True, slots=True)
class BestOfAll:
    """The probability that each model has the highest true score, from draws; ties are shared.

    Attributes
    ----------
    p_best : one probability a model; they sum to 1
    errors : their Monte-Carlo standard errors
    draws : how many draws, 0 where the probability is exact
    """

    p_best: Array
    errors: Array
    draws: int


def best_of_all(draws: Array) -> BestOfAll:
    """Count how often each model is the best (draws × models).

    Examples
    --------
    >>> best_of_all(np.array([[0.9, 0.8], [0.7, 0.7]])).p_best
    array([0.75, 0.25])
    """
    best = draws == draws.max(axis=1, keepdims=True)
    share = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    return BestOfAll(share, np.sqrt(share * (1 - share) / len(draws)), len(draws))


def exact_best(p_better: float, p_worse: float) -> BestOfAll:
    """Return the same for two models, exactly: what is neither better nor worse is shared.

    Examples
    --------
    >>> exact_best(0.9, 0.1).p_best
    array([0.9, 0.1])
    """
    tie = max(0.0, 1 - p_better - p_worse) / 2
    return BestOfAll(np.array([p_better + tie, p_worse + tie]), np.zeros(2), 0)
