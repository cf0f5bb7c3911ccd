"""Wilcoxon's signed-rank test of paired numbers, with ties and zeros treated as what they are.

Under "no difference" the sign of each non-zero difference is a fair coin, given all absolute values: the law of the
rank sum is that of coins with these very ranks, tied ones included, and is added up exactly while they are few.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of
from tiebreak._format import counted
from tiebreak.errors import EmptyComparison, NotDefined, TiebreakError
from tiebreak.inference.posterior import Array
from tiebreak.tables import Losses

# "wilcoxon" leaves zeros out before ranking; "pratt" ranks them and then leaves them out.
ZEROS = ("wilcoxon", "pratt")
# Non-zero differences up to which the law is added up exactly.
EXACT = 200
# Absolute differences that differ by less than this share are tied.
_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class SignedRank:
    """The test's result.

    Attributes
    ----------
    statistic : the sum of the ranks of the positive differences
    p_value : two-sided; 1 where no difference is other than 0
    greater : one-sided p-value against "the primary's numbers are not larger"
    n : how many differences are not 0
    zeros : how many are
    method : "exact", or "normal" with the variance of tied ranks
    """

    statistic: float
    p_value: float
    greater: float
    n: int
    zeros: int
    method: str


def signed_rank(differences: npt.ArrayLike, *, zeros: str = "wilcoxon") -> SignedRank:
    """Return the signed-rank test of paired differences.

    W = Σ ranks of |d| over d > 0, ranks of tied |d| averaged. Exact up to 200 non-zero differences, also with ties;
    above that normal with mean Σr/2 and variance Σr²/4, which is the variance of coins with tied ranks. The p-value is
    never NaN: two identical series give 1. Source: Wilcoxon 1945, Pratt 1959.

    Examples
    --------
    >>> found = signed_rank([6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75])
    >>> found.statistic, round(found.p_value, 6), found.method
    (96.0, 0.04126, 'exact')
    >>> signed_rank([0, 0, 0]).p_value
    1.0
    """
    one_of(zeros, "zeros", ZEROS)
    try:
        d = np.asarray(differences, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        raise TiebreakError("differences hold something that is no number: give one number an instance") from None
    if not len(d):
        raise EmptyComparison("differences are empty: a test needs at least one instance")
    if not np.isfinite(d).all():
        failed = int((~np.isfinite(d)).sum())
        raise NotDefined(
            f"{counted(failed, 'difference')} of {counted(len(d))} have no finite value: leave these instances out"
        )
    ranks = _ranks(np.abs(d) if zeros == "pratt" else np.abs(d[d != 0]))
    positive = d > 0 if zeros == "pratt" else d[d != 0] > 0
    ranks, positive = (ranks[d != 0], positive[d != 0]) if zeros == "pratt" else (ranks, positive)
    statistic = float(ranks[positive].sum())
    absent = int((d == 0).sum())
    if not len(ranks):
        return SignedRank(0.0, 1.0, 1.0, 0, absent, "exact")
    exact = len(ranks) <= EXACT
    low, high = _exact(ranks, statistic) if exact else _normal(ranks, statistic)
    return SignedRank(statistic, min(1.0, 2 * min(low, high)), high, len(ranks), absent, "exact" if exact else "normal")


def signed_rank_of(
    losses: Losses, primary: str, alternative: str, *, loss: str = "absolute", zeros: str = "wilcoxon"
) -> SignedRank:
    """Return the test of two models of a comparison; `greater` is against "the primary is not better".

    Not defined for groups and weights, under which signs are no independent fair coins, and where a model failed.

    Examples
    --------
    >>> losses = Losses(("a", "b"), np.array([[0.1, -0.4], [-0.2, 0.4], [0.3, 0.1]]), kind="residuals")
    >>> signed_rank_of(losses, "a", "b").p_value
    0.75
    """
    if losses.groups is not None or losses.weighted:
        what = "grouped" if losses.groups is not None else "weighted"
        raise NotDefined(f"these instances are {what}: a signed-rank test needs independent ones that count alike")
    sign = -1.0 if losses.lower_is_better else 1.0
    p, q = (losses.column(losses.index(model), loss) for model in (primary, alternative))
    with np.errstate(invalid="ignore"):
        difference = sign * (p - q)
    # What floating point leaves of equal numbers is no difference.
    difference[np.abs(difference) <= _TIE * np.maximum(np.abs(p), np.abs(q))] = 0.0
    return signed_rank(difference if losses.counts is None else np.repeat(difference, losses.counts), zeros=zeros)


def _ranks(sizes: Array) -> Array:
    """Ranks from 1, tied ones averaged; sizes within rounding of each other are tied."""
    order = np.argsort(sizes, kind="stable")
    found = sizes[order]
    starts = np.concatenate([[True], found[1:] > found[:-1] * (1 + _TIE)]) if len(found) else np.empty(0, np.bool_)
    block = np.cumsum(starts) - 1
    counts = np.bincount(block)
    last = np.cumsum(counts)
    ranks = np.empty(len(sizes))
    ranks[order] = (last - (counts - 1) / 2)[block] if len(sizes) else 0.0
    return ranks


def _exact(ranks: Array, statistic: float) -> tuple[float, float]:
    """P(W ≤ w) and P(W ≥ w) over all signs: doubled ranks are integers, and their sums are added up one by one."""
    doubled = np.rint(2 * ranks).astype(np.int64)
    law = np.zeros(int(doubled.sum()) + 1)
    law[0], reach = 1.0, 0
    for rank in np.sort(doubled).tolist():
        moved = law[: reach + 1] / 2
        law[: reach + 1] = moved
        law[rank : rank + reach + 1] += moved
        reach += rank
    place = int(np.rint(2 * statistic))
    return float(law[: place + 1].sum()), float(law[place:].sum())


def _normal(ranks: Array, statistic: float) -> tuple[float, float]:
    from scipy.special import ndtr

    z = (statistic - ranks.sum() / 2) / np.sqrt(np.square(ranks).sum() / 4)
    return float(ndtr(z)), float(ndtr(-z))
