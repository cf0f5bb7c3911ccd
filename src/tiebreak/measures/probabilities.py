"""What scores and probabilities are worth: curves and areas from one sort, losses per instance first, then averaged.

A score is higher where the positive class is more likely; equal scores are ties, and count half. `truth` says which
instances are positive. Weights, where given, count instances as if they occurred that often.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.measures.prayatul import Array, _ratio

Truth = npt.NDArray[np.bool_]

# A probability below this counts as this: the logarithm of 0 would outweigh every other instance.
SMALLEST = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class RocCurve:
    """The points of a curve, one a distinct score, from the strictest threshold to the loosest.

    Attributes
    ----------
    false_positive_rate, true_positive_rate : shares of the negatives and of the positives at or above the threshold
    thresholds : the scores, the first one infinite

    Examples
    --------
    >>> roc_points([False, True], [0.2, 0.9]).thresholds
    array([inf, 0.9, 0.2])
    """

    false_positive_rate: Array
    true_positive_rate: Array
    thresholds: Array


def roc_points(truth: npt.ArrayLike, score: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> RocCurve:
    """Return the ROC curve from (0, 0) to (1, 1); a rate without instances of its kind is NaN.

    Examples
    --------
    >>> curve = roc_points([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.false_positive_rate, curve.true_positive_rate
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    """
    hits, alarms, thresholds = _counts_down(truth, score, weights)
    hits, alarms = np.concatenate([[0.0], hits]), np.concatenate([[0.0], alarms])
    rates = [_ratio(counts, np.full_like(counts, counts[-1])) for counts in (alarms, hits)]
    return RocCurve(rates[0], rates[1], np.concatenate([[np.inf], thresholds]))


def roc_auc(truth: npt.ArrayLike, score: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
    """P(positive's score > negative's) + P(equal)/2: the area under the ROC curve.

    Range [0, 1], 1/2 for scores that say nothing; NaN unless both kinds of instance occur.

    Examples
    --------
    >>> roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), roc_auc([1, 1], [0.2, 0.9])
    (0.75, nan)
    """
    hits, alarms, _ = _counts_down(truth, score, weights)
    if not len(hits) or not hits[-1] or not alarms[-1]:
        return float("nan")
    step = np.diff(alarms, prepend=0.0)
    before = np.concatenate([[0.0], hits[:-1]])
    return float((step * (hits + before)).sum() / (2 * hits[-1] * alarms[-1]))


def average_precision(truth: npt.ArrayLike, score: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
    """Σ (R_k − R_{k−1}) P_k over the thresholds: the area under the steps of precision against recall.

    Range [0, 1], the share of positives for scores that say nothing; NaN without positives. The accuracy, which some
    papers call average precision, is something else.

    Examples
    --------
    >>> round(average_precision([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.8333
    """
    hits, alarms, _ = _counts_down(truth, score, weights)
    if not len(hits) or not hits[-1]:
        return float("nan")
    return float((np.diff(hits, prepend=0.0) * _ratio(hits, hits + alarms, 0.0)).sum() / hits[-1])


def _counts_down(
    truth: npt.ArrayLike, score: npt.ArrayLike, weights: npt.ArrayLike | None
) -> tuple[Array, Array, Array]:
    """Positives and negatives at or above each distinct score, highest first."""
    positive, values = np.asarray(truth, dtype=np.bool_), np.asarray(score, dtype=np.float64)
    order = np.argsort(-values, kind="stable")
    values, positive = values[order], positive[order]
    heavy = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64)[order]
    ends = np.flatnonzero(np.append(values[1:] != values[:-1], [True] * bool(len(values))))
    hits, alarms = np.cumsum(np.where(positive, heavy, 0.0)), np.cumsum(np.where(positive, 0.0, heavy))
    return hits[ends], alarms[ends], values[ends]


def log_losses(truth: npt.ArrayLike, shares: npt.ArrayLike) -> Array:
    """−ln p of the true class of every instance (N); `truth` holds codes, `shares` one probability a class (N × k).

    Range [0, 36.04]: a probability below 2.2e−16 counts as that. Minus their sum is the conditional log likelihood.
    Source: R′ paper, eq. 8.

    Examples
    --------
    >>> log_losses([0, 1], [[0.5, 0.5], [0.1, 0.9]]).round(4)
    array([0.6931, 0.1054])
    """
    given = np.asarray(shares, dtype=np.float64)
    of_truth = given[np.arange(len(given)), np.asarray(truth)]
    return np.asarray(-np.log(np.clip(of_truth, SMALLEST, 1.0)))


def brier_scores(truth: npt.ArrayLike, shares: npt.ArrayLike) -> Array:
    """Σ_c (p_c − [c is true])² of every instance (N); with two classes half of that, (p − y)² of either one.

    Range [0, 2], with two classes [0, 1].

    Examples
    --------
    >>> brier_scores([0, 1], [[0.5, 0.5], [0.1, 0.9]]).round(4)
    array([0.25, 0.01])
    >>> brier_scores([2], [[0.5, 0.25, 0.25]])
    array([0.875])
    """
    given, codes = np.asarray(shares, dtype=np.float64), np.asarray(truth)
    of_truth = given[np.arange(len(given)), codes]
    total = np.einsum("nk,nk->n", given, given) - of_truth**2 + (1.0 - of_truth) ** 2
    return np.asarray(total / 2 if given.shape[1] == 2 else total)


def mean_of(values: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
    """Return the mean over instances, weighted where weights are given.

    Examples
    --------
    >>> mean_of([1.0, 0.0], [3.0, 1.0])
    0.75
    """
    heavy = None if weights is None else np.asarray(weights, dtype=np.float64)
    return float(np.average(np.asarray(values, dtype=np.float64), weights=heavy))


def macro_auc(truth: npt.ArrayLike, shares: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
    """Return the mean over classes of the area of each against the rest; NaN unless every class occurs.

    Range [0, 1]. `truth` holds codes, `shares` one score a class (N × k).

    Examples
    --------
    >>> macro_auc([0, 1, 2], [[0.6, 0.2, 0.2], [0.1, 0.8, 0.1], [0.5, 0.2, 0.3]]).__round__(4)
    1.0
    """
    codes, given = np.asarray(truth), np.asarray(shares, dtype=np.float64)
    areas = [roc_auc(codes == label, given[:, label], weights) for label in range(given.shape[1])]
    return float(np.mean(areas))
