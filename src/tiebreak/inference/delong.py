"""Areas under ROC curves with their doubt, and how sure one model's area is the larger: DeLong's method by one sort.

The area is the mean over positives of V = the share of negatives that score lower, ties half, and equally the mean
over negatives of W = the share of positives that score higher. These placements come from ranks, so a million
instances cost a sort. The covariance of the areas of several models on the same instances is cov(V)/m + cov(W)/n.
Source: DeLong, DeLong & Clarke-Pearson 1988; Sun & Xu 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tiebreak.errors import NotDefined
from tiebreak.inference.estimates import Estimate, Interval
from tiebreak.inference.laws import FlatPosterior, StudentLaw
from tiebreak.inference.posterior import Array

ONE_POSITIVE = "there is one positive instance: how far positives scatter cannot be estimated"
ONE_GROUP = "there is one group: how far groups scatter cannot be estimated"
ONE_NEGATIVE = "there is one negative instance: how far negatives scatter cannot be estimated"
# A variance of placements below this is rounding.
_ROUNDING = 1e-15
_HALVINGS = 80


@dataclass(frozen=True, eq=False)
class DeLong:
    """The areas of M models on the same instances and their covariance.

    Attributes
    ----------
    areas : of each model (M)
    covariance : of the areas (M × M); NaN with a single positive or a single negative instance
    positives, negatives : how many instances of either kind
    level : of the intervals
    groups : how many groups the instances come in, None where they are independent

    Examples
    --------
    >>> found = delong([0, 0, 0, 1, 1, 1], [[0.1, 0.4, 0.3, 0.35, 0.8, 0.7], [0.2, 0.1, 0.3, 0.6, 0.5, 0.25]])
    >>> found.areas.round(4), round(found.pair(0, 1).p_value, 4)
    (array([0.8889, 0.8889]), 1.0)
    """

    areas: Array
    covariance: Array
    positives: int
    negatives: int
    level: float = 0.95
    groups: int | None = None

    @property
    def undefined(self) -> dict[str, str]:
        """Why there are no standard errors, if there are none."""
        if self.groups == 1:
            return {"se": ONE_GROUP}
        if min(self.positives, self.negatives) > 1:
            return {}
        return {"se": ONE_POSITIVE if self.positives == 1 else ONE_NEGATIVE}

    @cached_property
    def se(self) -> Array:
        """The standard error of each area (M)."""
        return np.asarray(np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0)))

    def area(self, model: int) -> Estimate:
        """Return one area with its interval.

        The interval is DeLong's on the logit scale, so that it never leaves [0, 1]; where the standard error is 0 or
        unknown (a perfect model, a single positive) it is Newcombe's score interval, which never has width 0.
        """
        area, se = float(self.areas[model]), float(self.se[model])
        if se > 0 and 0 < area < 1:
            low, high = _logit_ends(area, se, self.level)
            return Estimate(area, Interval(low, high, self.level, "delong_logit"))
        few = self.groups or self.positives + self.negatives
        low, high = newcombe_area(area, min(self.positives, few), min(self.negatives, few), self.level)
        return Estimate(area, Interval(low, high, self.level, "newcombe_area"))

    def pair(self, primary: int, alternative: int) -> AreaDifference:
        """Return the difference of two areas, the first minus the second."""
        v = self.covariance
        variance = v[primary, primary] + v[alternative, alternative] - 2 * v[primary, alternative]
        scale = v[primary, primary] + v[alternative, alternative]
        se = 0.0 if variance <= 1e-12 * scale else float(np.sqrt(variance))
        se = float("nan") if np.isnan(variance) else se
        estimate = float(self.areas[primary] - self.areas[alternative])
        units = min(self.positives, self.negatives, self.groups or self.positives)
        return AreaDifference(estimate, se, units, self.level, self.groups)


@dataclass(frozen=True)
class AreaDifference:
    """One area minus another on the same instances; positive means that the first model ranks better.

    Where the two never differ, the standard error is 0: the law is then that of as many pairs of instances as the rarer
    kind has, none of them discordant, so that no interval has width 0 and the p-value of equal models is 1.

    Attributes
    ----------
    estimate : the difference
    se : DeLong's standard error; NaN with a single positive or negative instance, and all that follows from it
    units : how many independent pairs of a positive and a negative there are
    level : of the interval
    groups : how many groups the instances come in, None where they are independent
    """

    estimate: float
    se: float
    units: int
    level: float = 0.95
    groups: int | None = None

    @cached_property
    def law(self) -> StudentLaw:
        """The law of the true difference."""
        discordant = np.asarray(abs(self.estimate) * self.units), np.asarray(0.0)
        rw, wr = discordant if self.estimate >= 0 else discordant[::-1]
        flat = FlatPosterior(rw[None], wr[None], np.asarray([float(self.units)]))
        df = np.inf if self.groups is None else max(self.groups - 1.0, 1.0)
        return StudentLaw(np.asarray([self.estimate]), np.asarray([self.se]), df, "delong", degenerate=flat)

    @property
    def z(self) -> float:
        """The difference in standard errors; 0 where there is no difference at all."""
        return 0.0 if self.estimate == 0 and self.se == 0 else self.estimate / self.se if self.se else float("nan")

    @property
    def p_better(self) -> float:
        """The probability that the first model's true area is the larger."""
        return float(self.law.p_better[0])

    @property
    def p_value(self) -> float:
        """The two-sided p-value of equal areas."""
        return float(self.law.p_value[0])

    @property
    def interval(self) -> Interval:
        """The interval of the difference, which excludes 0 exactly where the p-value is below 1 − level."""
        low, high = self.law.ends(self.level)[0].tolist()
        return Interval(low, high, self.level, "delong")

    @property
    def difference(self) -> Estimate:
        """The difference with its interval."""
        return Estimate(self.estimate, self.interval)


def delong(
    truth: npt.ArrayLike, scores: npt.ArrayLike, level: float = 0.95, groups: npt.ArrayLike | None = None
) -> DeLong:
    """Return the areas of several models and their covariance.

    Instances of one group are not independent: what they add to the scatter is added up within the group first, and the
    law of a difference is Student's with one degree of freedom less than there are groups. Source: Obuchowski 1997.

    Parameters
    ----------
    truth : which instances are positive (N)
    scores : of each model (M × N), higher where the positive class is more likely
    level : of the intervals
    groups : a code for each instance (N); without them instances are independent

    Examples
    --------
    >>> found = delong([0, 0, 1, 1], [[0.1, 0.4, 0.35, 0.8]])
    >>> found.areas, found.se.round(4)
    (array([0.75]), array([0.3536]))
    """
    positive = np.asarray(truth, dtype=np.bool_)
    rows = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    m, n = int(positive.sum()), int((~positive).sum())
    if not m or not n:
        kind = "positive" if not m else "negative"
        raise NotDefined(f"no instance is {kind}: an area under the curve needs both kinds")
    areas, influences = _influences(positive, rows)
    covariance, size = _products(influences, groups)
    return DeLong(areas, covariance, m, n, level, size)


def macro_delong(
    truth: npt.ArrayLike, shares: Sequence[npt.ArrayLike], level: float = 0.95, groups: npt.ArrayLike | None = None
) -> DeLong:
    """Return the models' macro areas, the mean over classes of each against the rest, and their covariance.

    Parameters
    ----------
    truth : the code of each instance's class (N); every class must occur
    shares : per model, its scores of every class (N × k)
    level : of the intervals
    groups : a code for each instance (N); without them instances are independent

    Examples
    --------
    >>> shares = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.3, 0.6, 0.1], [0.5, 0.4, 0.1], [0.2, 0.3, 0.5]]
    >>> macro_delong([0, 1, 2, 0, 2], [shares]).areas.round(4)
    array([0.8056])
    """
    codes = np.asarray(truth)
    given = [np.asarray(values, dtype=np.float64) for values in shares]
    classes = given[0].shape[1]
    counts = np.bincount(codes, minlength=classes)
    if not counts.all() or classes < 2:
        raise NotDefined("a class has no instance: the mean over classes needs the area of every class")
    total, influences = np.zeros(len(given)), np.zeros((len(given), len(codes)))
    for label in range(classes):
        areas, added = _influences(codes == label, np.array([values[:, label] for values in given]))
        total += areas / classes
        influences += added / classes
    rarest = int(counts.min())
    covariance, size = _products(influences, groups)
    return DeLong(total, covariance, rarest, len(codes) - int(counts.max()), level, size)


def _influences(positive: npt.NDArray[np.bool_], rows: Array) -> tuple[Array, Array]:
    """The areas (M), and what every instance adds to their scatter (M × N): the sum of products is the covariance.

    A positive adds (V − A)/√(m(m − 1)), a negative (W − A)/√(n(n − 1)); NaN where there is only one of its kind.
    """
    areas, found = np.empty(len(rows)), np.empty(rows.shape)
    for place, row in enumerate(rows):
        above, below = placements(positive, row)
        areas[place] = above.mean()
        for kind, values in ((positive, above), (~positive, below)):
            size = len(values)
            scale = np.sqrt(size * (size - 1.0)) if size > 1 else np.nan
            found[place, kind] = (values - values.mean()) / scale
    return areas, found


def _products(influences: Array, groups: npt.ArrayLike | None) -> tuple[Array, int | None]:
    """Σ e eᵀ, exactly 0 where influences are rounding; of G groups G/(G − 1) Σ_g e_g e_gᵀ with their sums, and G."""
    found, size = influences @ influences.T, None
    if groups is not None:
        names, places = np.unique(np.asarray(groups), return_inverse=True)
        size = len(names)
        sums = np.array([np.bincount(places.reshape(-1), row, size) for row in influences])
        grouped = sums @ sums.T * (size / (size - 1) if size > 1 else np.nan)
        # A model whose every instance is alike has no scatter in any grouping.
        found = np.where(np.diagonal(found)[:, None] < _ROUNDING, 0.0, grouped)
    flat = np.diagonal(found) < _ROUNDING
    found[flat] = 0.0
    found[:, flat] = 0.0
    return np.asarray(found), size


def placements(positive: npt.NDArray[np.bool_], score: Array) -> tuple[Array, Array]:
    """Return, for every positive, the share of negatives below it, and for every negative, of positives above it.

    Ties count half. A rank among all less the rank among one's own kind is a count of the other kind.

    Examples
    --------
    >>> placements(np.array([False, True, True]), np.array([0.5, 0.5, 0.9]))
    (array([0.5, 1. ]), array([0.75]))
    """
    everyone, first, second = _midranks(score), score[positive], score[~positive]
    lower = everyone[positive] - _midranks(first)
    higher = len(first) - (everyone[~positive] - _midranks(second))
    return lower / len(second), higher / len(first)


def _midranks(values: Array) -> Array:
    """Ranks from 1, equal values sharing the mean of theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[place.reshape(-1)])


def _logit_ends(area: float, se: float, level: float) -> tuple[float, float]:
    from scipy.special import expit, logit, ndtri

    reach = float(ndtri((1 + level) / 2)) * se / (area * (1 - area))
    return float(expit(logit(area) - reach)), float(expit(logit(area) + reach))


def newcombe_area(area: float, positives: int, negatives: int, level: float = 0.95) -> tuple[float, float]:
    """Return a score interval of an area from the numbers of instances alone: all θ with |A − θ| ≤ z √v(θ).

    v(θ) = θ(1 − θ)(1 + (N − 1)((1 − θ)/(2 − θ) + θ/(1 + θ))) / (m n), N the mean of m and n. Range [0, 1], never of
    width 0. Source: Newcombe 2006, method 5; Hanley & McNeil 1982.

    Examples
    --------
    >>> low, high = newcombe_area(1.0, 10, 20)
    >>> round(low, 4), high
    (0.8489, 1.0)
    """
    from scipy.special import ndtri

    z, size = float(ndtri((1 + level) / 2)), (positives + negatives) / 2

    def inside(theta: float) -> bool:
        more = 1 + (size - 1) * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        return (area - theta) ** 2 <= z * z * theta * (1 - theta) * more / (positives * negatives)

    def end(outer: float) -> float:
        inner = area
        if area == outer:
            return outer
        for _ in range(_HALVINGS):
            middle = (inner + outer) / 2
            inner, outer = (middle, outer) if inside(middle) else (inner, middle)
        return inner

    return end(0.0), end(1.0)
