"""How sure: every model's interval, every pair's probability and p-value, the tiers; computed when first asked for.

The hall hands the evidence and a generator to the room of inference and keeps what comes back; no formula lives here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import margin as checked_margin
from tiebreak._checks import one_of, open_share
from tiebreak._checks import seed as checked_seed
from tiebreak._checks import tolerance as checked_tolerance
from tiebreak._format import counted
from tiebreak.errors import NotDefined
from tiebreak.inference import (
    CORRECTIONS,
    BestOfAll,
    Comparisons,
    Estimate,
    Evidence,
    Interval,
    Law,
    PriorScale,
    Rope,
    Standing,
    best_of_all,
    checked_tau,
    exact_best,
    holm,
    more_needed,
    prior_scaled,
    romano_wolf,
    standings,
    studentised,
)
from tiebreak.tables import LOSSES, NOISES

Array = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

# Draws for the probability of being the best of all: its Monte-Carlo error is below 0.005.
DRAWS = 10_000
# Resamples for Romano and Wolf's adjustment: no adjusted p-value is below 1 / (RESAMPLES + 1).
RESAMPLES = 10_000
# Why a pair has no probability, interval and p-value, unless there is another reason.
NO_SPREAD = "the two differ by the same amount on every instance or group, so the difference has no standard error"
# Every use of randomness has a stream of its own, so that none depends on which was asked for first.
_BEST, _STEP_DOWN = 1, 2


@dataclass(frozen=True, slots=True)
class Settings:
    """The caller's words about doubt.

    Attributes
    ----------
    level, seed : of every interval and draw
    baseline : compare every model with this one only
    correction : of the p-values for their number, "holm", "romano-wolf" or "none"
    interval : another way to a pair's interval, None for the one that agrees with probability and p-value
    rope : half the width of the region of practical equivalence
    tau : the usual size of a true difference
    loss : of regression, "absolute" or "squared"
    tolerance : within it a number counts as right
    noise : what label −1 of a clustering is, "cluster" or "singleton"
    floor : of a performance profile, the smallest loss that matters

    Examples
    --------
    >>> Settings(correction="none").checked(("a", "b")).correction
    'none'
    """

    level: float = 0.95
    seed: int = 0
    baseline: str | None = None
    correction: str = "holm"
    interval: str | None = None
    rope: float | None = None
    tau: float | None = None
    loss: str = "absolute"
    tolerance: float | None = None
    noise: str = "cluster"
    floor: float = 0.0

    def checked(self, models: Sequence[str]) -> Settings:
        """Return these settings if they make sense for the models."""
        open_share(self.level, "level")
        one_of(self.correction, "correction", CORRECTIONS)
        checked_seed(self.seed)
        if self.baseline is not None:
            one_of(self.baseline, "baseline", models)
        if self.rope is not None:
            checked_margin(self.rope, "rope")
        if self.tau is not None:
            checked_tau(self.tau)
        one_of(self.loss, "loss", LOSSES)
        one_of(self.noise, "noise", NOISES)
        if self.tolerance is not None:
            checked_tolerance(self.tolerance)
        return self


@dataclass(frozen=True, eq=False)
class Doubts:
    """Everything uncertain about a comparison of M models; `no_spread` says why a pair without a p-value has none.

    Examples
    --------
    >>> from tiebreak.inference import evidence_of
    >>> from tiebreak.tables import Tally
    >>> tally = Tally.of({("a", "a", "a"): 30, ("a", "a", "b"): 9, ("a", "b", "a"): 4, ("a", "b", "b"): 7}, models="pq")
    >>> doubts = Doubts(tally.models, evidence_of(tally), Settings())
    >>> float(doubts.p_value[0, 1].round(6)), [standing.tier for standing in doubts.standings]
    (0.179565, [1, 1])
    """

    names: tuple[str, ...]
    evidence: Evidence
    settings: Settings
    no_spread: str = NO_SPREAD

    @property
    def alpha(self) -> float:
        """The p-value below which a difference is called real."""
        return 1 - self.settings.level

    @cached_property
    def comparisons(self) -> Comparisons:
        """Which pairs are tested."""
        baseline = self.settings.baseline
        return Comparisons(len(self.names), None if baseline is None else self.names.index(baseline))

    @cached_property
    def _upper(self) -> tuple[Places, Law]:
        places = np.array(np.triu_indices(len(self.names), 1))
        return places, self.evidence.law(places[0], places[1])

    def _mirrored(self, upper: Array, lower: Array, diagonal: float) -> Array:
        (p, q), matrix = self._upper[0], np.full((len(self.names),) * 2, diagonal)
        matrix[p, q], matrix[q, p] = upper, lower
        return matrix

    @cached_property
    def p_better(self) -> Array:
        """The probability that the row's model is truly better than the column's (M × M)."""
        law = self._upper[1]
        return self._mirrored(law.p_better, law.p_worse, 0.5)

    @cached_property
    def p_value(self) -> Array:
        """The p-value of every pair alone (M × M)."""
        p = self._upper[1].p_value
        return self._mirrored(p, p, 1.0)

    @cached_property
    def adjusted(self) -> Array:
        """The p-values adjusted for the number of comparisons (M × M); NaN where a pair is not tested."""
        first, second = self.comparisons.places()
        # Models that never differ, whose test has no standard error, are certainly not separable.
        plain = np.nan_to_num(self.p_value[first, second], nan=1.0)
        if self.settings.correction == "romano-wolf":
            # Resampling and the law of the pair differ a little; an adjustment never makes a p-value smaller.
            plain = np.maximum(plain, self._stepped_down(first, second))
        elif self.settings.correction == "holm":
            plain = holm(plain)
        return self.comparisons.spread(plain)

    def _stepped_down(self, first: Places, second: Places) -> Array:
        scores, se = self.evidence.scores, self.evidence.se[first, second]
        observed = scores[first] - scores[second]
        rng = np.random.default_rng([self.settings.seed, _STEP_DOWN])

        def resampled() -> Iterator[Array]:
            for part in self.evidence.resampled(rng, RESAMPLES):
                yield studentised(part[:, first] - part[:, second] - observed, se)

        return romano_wolf(studentised(observed, se), resampled())

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Every model's tier and rank interval."""
        if self.settings.baseline is not None:
            raise NotDefined(BASELINE_ONLY)
        return standings(known_or_last(self.evidence.scores), self.adjusted, self.names, self.alpha)

    @cached_property
    def best(self) -> BestOfAll:
        """The probability that each model is truly the best of all."""
        if len(self.names) == 2:
            return exact_best(self.p_better[0, 1], self.p_better[1, 0])
        draws = self.evidence.draws(np.random.default_rng([self.settings.seed, _BEST]), DRAWS)
        return best_of_all(known_or_last(draws))

    def best_of(self, place: int) -> Callable[[], tuple[float, float]]:
        """Return what draws one model's probability of being the best, and its Monte-Carlo error, when called."""
        return partial(self._best_of, place)

    def _best_of(self, place: int) -> tuple[float, float]:
        return float(self.best.p_best[place]), float(self.best.errors[place])

    def scores(self) -> list[Estimate]:
        """Return every model's score with its interval."""
        level, method = self.settings.level, self.evidence.method
        ends = self.evidence.score_ends(level).tolist()
        values = self.evidence.scores.tolist()
        return [
            Estimate(value, Interval(low, high, level, method)) for value, (low, high) in zip(values, ends, strict=True)
        ]

    def models(self) -> list[dict[str, Any]]:
        """Return what every model's record says of doubt, as its arguments."""
        return [
            {"name": name, "n": self.evidence.n, "score": score, "drawn": self.best_of(place), **standing}
            for place, (name, score, standing) in enumerate(zip(self.names, self.scores(), self._places(), strict=True))
        ]

    def _places(self) -> list[dict[str, Any]]:
        """Each model's tier and rank; nothing for a model without a score, and for all where a baseline is named."""
        if self.settings.baseline is not None:
            return [{}] * len(self.names)
        return [
            {
                "tier": found.tier,
                "separable_from_best": found.separable_from_best,
                "rank": (found.rank_low, found.rank_high),
            }
            if score == score
            else {}
            for found, score in zip(self.standings, self.evidence.scores.tolist(), strict=True)
        ]

    def warnings(self) -> list[str]:
        """Say where two readings of one pair could be taken for a contradiction."""
        tests, alpha = self.comparisons, self.alpha
        first, second = tests.places()
        alone = (self.p_value[first, second] < alpha) & (self.adjusted[first, second] >= alpha)
        if tests.count < 2 or not alone.any():
            return []
        found = (
            f"{counted(int(alone.sum()), 'pair')} of {counted(tests.count)} would be settled alone (its own interval "
            "excludes 0), but not among so many comparisons: intervals are per pair, tiers use the adjusted p-values"
        )
        return [found]

    def intervals(self, p: Places, q: Places) -> list[Interval]:
        """Return the interval of every difference p − q."""
        law, level = self.evidence.law(p, q), self.settings.level
        return [Interval(low, high, level, law.method) for low, high in law.ends(level).tolist()]

    def ropes(self, p: Places, q: Places) -> list[Rope] | None:
        """Return where each difference lies relative to the region of practical equivalence, if one is named."""
        width = self.settings.rope
        if width is None:
            return None
        above = self.evidence.law(p, q).above(width).tolist()
        below = self.evidence.law(q, p).above(width).tolist()
        return [Rope(width, high, max(0.0, 1 - high - low), low) for high, low in zip(above, below, strict=True)]

    def prior_scales(self, p: Places, q: Places) -> list[PriorScale] | None:
        """Return each probability under a prior of the named scale, if one is named."""
        tau = self.settings.tau
        return None if tau is None else prior_scaled(self.evidence.law(p, q), tau, self.settings.level)

    def more_needed(self, p: Places, q: Places) -> list[int | None]:
        """Return how many more instances would settle each pair; 0 where it is settled, None where nothing differs."""
        tests = 1 if self.settings.correction == "none" else self.comparisons.count
        d = self.evidence.scores[p] - self.evidence.scores[q]
        found = more_needed(d, self.evidence.se[p, q], self.evidence.n, 1 - self.alpha / tests)
        settled = self.adjusted[p, q] < self.alpha
        return [
            0 if done else int(more) if np.isfinite(more) else None for done, more in zip(settled, found, strict=True)
        ]


def known_or_last(scores: Array) -> Array:
    """Return scores in which one that is not known counts as the worst.

    Examples
    --------
    >>> known_or_last(np.array([0.5, np.nan]))
    array([ 0.5, -inf])
    """
    return np.where(np.isnan(scores), -np.inf, scores)


BASELINE_ONLY = "the models were compared with the baseline only: leave it out to have tiers of all of them"
