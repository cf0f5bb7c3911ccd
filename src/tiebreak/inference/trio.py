"""How sure is one better: the headline trio of two models from their discordant counts, and what stands beside it.

With the flat prior, the probability of being better, the interval and the p-value are one statement in three forms:
the 95 % interval excludes 0 exactly where the probability is above 0.975 or below 0.025, which is exactly where the
two-sided mid-p value is below 0.05.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tiebreak._checks import is_number, one_of, open_share, whole_count
from tiebreak._checks import margin as checked_margin
from tiebreak._format import Shown
from tiebreak.errors import EmptyComparison, TiebreakError
from tiebreak.inference import intervals, posterior
from tiebreak.inference.estimates import Estimate, Interval
from tiebreak.inference.hypotheses import McNemar, mcnemar
from tiebreak.inference.laws import FlatPosterior, Law
from tiebreak.inference.planning import more_needed

# Ways to an interval that need nothing but the discordant counts.
BY_COUNTS = {"tango": intervals.tango, "bonett_price": intervals.bonett_price, "wald": intervals.wald}


@dataclass(frozen=True, slots=True)
class Rope:
    """Where the difference lies, relative to a region of practical equivalence ±`half_width`; the three sum to 1."""

    half_width: float
    p_better: float
    p_equivalent: float
    p_worse: float


@dataclass(frozen=True, slots=True)
class PriorScale:
    """The probability of being better when differences are known to be about `tau` in size, and its interval."""

    tau: float
    p_better: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class MarginTest:
    """Whether the primary is at most `margin` worse, or within `margin` either way.

    Attributes
    ----------
    margin : the largest difference that does not matter
    probability : the posterior probability of the claim
    holds : whether the interval at `level` shows it
    level : of that interval
    """

    margin: float
    probability: float
    holds: bool
    level: float


@dataclass(frozen=True)
class Superiority(Shown):
    """Two models' discordant counts and everything that follows about which is better; computed when asked for.

    Attributes
    ----------
    right_wrong, wrong_right : instances on which only the primary, only the alternative is right
    n : all instances
    prior : the Dirichlet parameter of each cell; 1 is flat, 1/2 is Jeffreys'
    level : of the intervals

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.superiority(9, 4, 50)
    >>> round(found.p_better, 5), round(found.p_value, 5), found.interval.method
    (0.91022, 0.17957, 'flat_posterior')
    """

    right_wrong: int
    wrong_right: int
    n: int
    prior: float = 1.0
    level: float = 0.95

    @cached_property
    def law(self) -> FlatPosterior:
        """The posterior law of the difference."""
        rw, wr, n = (np.asarray(float(count)) for count in (self.right_wrong, self.wrong_right, self.n))
        return FlatPosterior(rw, wr, n, self.prior)

    @property
    def estimate(self) -> float:
        """The observed difference (RW − WR) / n."""
        return (self.right_wrong - self.wrong_right) / self.n

    @property
    def difference(self) -> Estimate:
        """The observed difference with its interval."""
        return Estimate(self.estimate, self.interval)

    @cached_property
    def p_better(self) -> float:
        """P(primary truly better | data) = I_{1/2}(WR + a, RW + a). Range [0, 1]; 1/2 without discordant instances."""
        return float(self.law.p_better)

    @cached_property
    def p_worse(self) -> float:
        """P(alternative truly better | data), with all its digits where `p_better` is near 1."""
        return float(self.law.p_worse)

    @property
    def log_p_better(self) -> float:
        """The natural logarithm of `p_better`, finite also where that underflows."""
        return float(posterior.log_p_better(self.right_wrong, self.wrong_right, self.prior))

    @property
    def log_p_worse(self) -> float:
        """The natural logarithm of `p_worse`, finite also where that underflows."""
        return float(posterior.log_p_better(self.wrong_right, self.right_wrong, self.prior))

    @cached_property
    def p_value(self) -> float:
        """The two-sided mid-p value of McNemar's test; NaN unless the prior is flat (no test belongs to another)."""
        return float(self.law.p_value)

    @property
    def undefined(self) -> dict[str, str]:
        """What has no value here, with the reason."""
        reason = f"the p-value belongs to the flat prior, and the prior is {self.prior:g}"
        return {} if self.prior == 1 else {"p_value": reason}

    @cached_property
    def interval(self) -> Interval:
        """The posterior interval of the difference at `level`, which agrees with `p_better` and `p_value`."""
        low, high = self.law.ends(self.level).tolist()
        return Interval(low, high, self.level, "flat_posterior")

    @cached_property
    def mcnemar(self) -> McNemar:
        """McNemar's test in all its versions."""
        return mcnemar(self.right_wrong, self.wrong_right)

    def interval_by(self, method: str) -> Interval:
        """Return another interval: "tango", "bonett_price" or "wald".

        Each is good alone (Wald for reference only) and may contradict the p-value near its limit. Newcombe's needs
        all four cells: see `PrayatulMatrix.interval`.

        Examples
        --------
        >>> import tiebreak as tb
        >>> round(tb.superiority(12, 2, 50).interval_by("tango").low, 4)
        0.0611
        """
        ends = BY_COUNTS[one_of(method, "method", BY_COUNTS)](self.right_wrong, self.wrong_right, self.n, self.level)
        low, high = ends.tolist()
        return Interval(low, high, self.level, method)

    def rope(self, half_width: float) -> Rope:
        """Return how probable it is that the difference is above, within and below ±`half_width`.

        Examples
        --------
        >>> import tiebreak as tb
        >>> rope = tb.superiority(9, 4, 50).rope(0.05)
        >>> round(rope.p_better, 4), round(rope.p_equivalent, 4), round(rope.p_worse, 4)
        (0.7313, 0.248, 0.0207)
        """
        half_width = checked_margin(half_width, "rope")
        above = float(self.law.above(half_width))
        below = float(FlatPosterior(self.law.wr, self.law.rw, self.law.n, self.prior).above(half_width))
        return Rope(half_width, above, max(0.0, 1 - above - below), below)

    def with_prior_scale(self, tau: float) -> PriorScale:
        """Return the probability under a prior N(0, tau²) for the difference.

        A flat prior is over-confident where true differences are small beside their standard error; a `tau` within a
        factor of two of their true spread repairs that. P = Φ(d/se · τ / √(τ² + se²)).

        Examples
        --------
        >>> import tiebreak as tb
        >>> round(tb.superiority(9, 4, 50).with_prior_scale(0.03).p_better, 4)
        0.7097
        """
        return prior_scaled(self.law, checked_tau(tau), self.level)[0]

    def non_inferiority(self, margin: float) -> MarginTest:
        """Tell whether the primary is at most `margin` worse: P(Δ > −margin), shown where the interval's low end is.

        Examples
        --------
        >>> import tiebreak as tb
        >>> tb.superiority(9, 4, 50).non_inferiority(0.05).holds
        True
        """
        margin = checked_margin(margin, "margin")
        return MarginTest(margin, float(self.law.above(-margin)), self.interval.low >= -margin, self.level)

    def equivalence(self, margin: float) -> MarginTest:
        """Tell whether the two are within `margin`: P(|Δ| ≤ margin), shown where the whole interval is inside ±margin.

        Two one-sided tests at 5 % each are this at level 0.90.

        Examples
        --------
        >>> import tiebreak as tb
        >>> tb.superiority(9, 4, 50).equivalence(0.05).holds
        False
        """
        margin = checked_margin(margin, "margin")
        inside = -margin <= self.interval.low and self.interval.high <= margin
        return MarginTest(margin, self.rope(margin).p_equivalent, inside, self.level)

    def more_needed(self, power: float = 0.8) -> int | None:
        """How many more instances like these would settle it with that power; 0 if settled, None if nothing differs.

        Examples
        --------
        >>> import tiebreak as tb
        >>> tb.superiority(9, 4, 50).more_needed()
        152
        """
        if 2 * min(self.p_better, self.p_worse) < 1 - self.level:
            return 0
        d, n = self.estimate, self.n
        spread = math.sqrt(max(0.0, (self.right_wrong + self.wrong_right) / n - d * d) / n)
        more = float(more_needed(d, spread, n, self.level, open_share(power, "power")))
        return None if math.isinf(more) else int(more)

    def swap(self) -> Superiority:
        """Return the same from the alternative's side: everything is negated or mirrored."""
        return Superiority(self.wrong_right, self.right_wrong, self.n, self.prior, self.level)


def superiority(right_wrong: int, wrong_right: int, n: int, *, prior: float = 1.0, level: float = 0.95) -> Superiority:
    """Return how sure it is that the primary is better, from its discordant counts.

    Parameters
    ----------
    right_wrong, wrong_right : instances on which only the primary, only the alternative is right
    n : all instances compared
    prior : Dirichlet parameter of each cell; 1 (flat) makes probability, interval and p-value agree
    level : of the interval

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.superiority(30, 10, 200)
    >>> round(found.p_better, 4), found.interval.low > 0, found.p_value < 0.05
    (0.9993, True, True)
    """
    rw, wr, total = (
        whole_count(value, name, "for weights or groups compare the predictions")
        for value, name in ((right_wrong, "right_wrong"), (wrong_right, "wrong_right"), (n, "n"))
    )
    if not total:
        raise EmptyComparison("n is 0: a comparison needs at least one instance")
    if total < rw + wr:
        raise TiebreakError(
            f"n is {total} but right_wrong + wrong_right is {rw + wr}: n counts all instances, these among them"
        )
    if not is_number(prior) or not 0 < prior < math.inf:
        raise TiebreakError(f"prior is {prior!r}: it must be a number above 0; 1 is flat, 0.5 is Jeffreys'")
    return Superiority(rw, wr, total, float(prior), open_share(level, "level"))


def prior_scaled(law: Law, tau: float, level: float) -> list[PriorScale]:
    """Return the probability of being better under a prior N(0, tau²), with its interval, for each pair of a law.

    Examples
    --------
    >>> law = FlatPosterior(np.array([9.0]), np.array([4.0]), np.array([50.0]))
    >>> prior_scaled(law, 0.03, 0.95)[0].interval.method
    'prior_scale'
    """
    from scipy.special import ndtr, ndtri

    mean, sd = law.shrunk(tau)
    reach = float(ndtri((1 + level) / 2)) * sd
    # Where nothing is uncertain the sign is all there is.
    p = np.where(sd > 0, ndtr(mean / np.where(sd > 0, sd, 1.0)), (1 + np.sign(mean)) / 2)
    rows = np.stack([p, mean - reach, mean + reach], axis=-1).reshape(-1, 3).tolist()
    return [PriorScale(tau, found, Interval(low, high, level, "prior_scale")) for found, low, high in rows]


def checked_tau(tau: Any) -> float:
    """Return a prior scale if it is one.

    Examples
    --------
    >>> checked_tau(0.03)
    0.03
    """
    if not is_number(tau) or not 0 < tau < math.inf:
        raise TiebreakError(f"tau is {tau!r}: it must be a number above 0, the usual size of a true difference")
    return float(tau)
