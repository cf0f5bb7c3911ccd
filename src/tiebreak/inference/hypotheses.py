"""Tests of equal accuracy on the discordant instances: McNemar's, in all its versions, and Cochran's for many models.

Given RW + WR discordant instances and equal accuracies, RW is Bin(RW + WR, 1/2). With no discordant instance, and with
RW = WR, nothing speaks against equality: every p-value is 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.inference.posterior import Array, mid_p, p_better


@dataclass(frozen=True, slots=True)
class McNemar:
    """The p-values of one table, two-sided but for the last two.

    Attributes
    ----------
    exact : min(1, 2 P(Bin ≤ min(RW, WR))), conservative
    mid_p : the same with half the weight on the observed count; the default everywhere in this package
    statistic, asymptotic : χ² = (RW − WR)² / (RW + WR) and its p-value with one degree of freedom
    corrected_statistic, corrected : χ² = max(0, |RW − WR| − 1)² / (RW + WR) and its p-value
    greater : P(Bin ≥ RW), the one-sided exact p-value against "the primary is not better"
    greater_mid_p : its mid-p version, one minus the probability that the primary is better

    Examples
    --------
    >>> tests = mcnemar(15, 5)
    >>> round(tests.exact, 7), round(tests.mid_p, 7), round(tests.asymptotic, 7), round(tests.corrected, 7)
    (0.0413895, 0.0266037, 0.0253473, 0.0441713)
    """

    exact: float
    mid_p: float
    statistic: float
    asymptotic: float
    corrected_statistic: float
    corrected: float
    greater: float
    greater_mid_p: float


def mcnemar(right_wrong: float, wrong_right: float) -> McNemar:
    """Return McNemar's test in all its versions.

    Examples
    --------
    >>> mcnemar(0, 0).exact, mcnemar(0, 0).asymptotic, mcnemar(5, 5).corrected
    (1.0, 1.0, 1.0)
    """
    from scipy.special import betainc

    rw, wr = float(right_wrong), float(wrong_right)
    statistic = (rw - wr) ** 2 / (rw + wr) if rw + wr else 0.0
    corrected = max(0.0, abs(rw - wr) - 1) ** 2 / (rw + wr) if rw + wr else 0.0
    return McNemar(
        float(exact_p(rw, wr)),
        float(mid_p(rw, wr)),
        statistic,
        float(_chi_squared_tail(statistic, 1)),
        corrected,
        float(_chi_squared_tail(corrected, 1)),
        # P(Bin(n, 1/2) ≥ RW) is an incomplete beta function, except that everything is ≥ 0.
        float(betainc(rw, wr + 1, 0.5)) if rw else 1.0,
        float(p_better(wr, rw)),
    )


def exact_p(right_wrong: npt.ArrayLike, wrong_right: npt.ArrayLike) -> Array:
    """Two-sided exact p-value of McNemar's test, min(1, 2 P(Bin(RW + WR, 1/2) ≤ min(RW, WR))).

    Range (0, 1]; by an incomplete beta function, so also for 10⁹ discordant instances.

    Examples
    --------
    >>> exact_p([15, 5, 0], [5, 0, 0]).round(7)
    array([0.0413895, 0.0625   , 1.       ])
    """
    from scipy.special import betainc

    rw, wr = np.asarray(right_wrong, dtype=np.float64), np.asarray(wrong_right, dtype=np.float64)
    fewer, more = np.minimum(rw, wr), np.maximum(rw, wr)
    # P(Bin(a + b, 1/2) ≤ a) = I_{1/2}(b, a + 1) for b > 0.
    tail = betainc(np.where(more > 0, more, 1.0), fewer + 1, 0.5)
    return np.asarray(np.where(more > 0, np.minimum(1.0, 2 * tail), 1.0))


@dataclass(frozen=True, slots=True)
class CochranQ:
    """Cochran's test that all models are equally accurate.

    Attributes
    ----------
    statistic : Q = (M − 1)(M Σ_j c_j² − S²) / (M S − Σ_i r_i²), 0 where every instance is right for all or for none,
        and for a single model
    df : M − 1
    p_value : from the χ² law with `df` degrees of freedom
    """

    statistic: float
    df: int
    p_value: float


def cochran_q(right: npt.ArrayLike, instances_by_rights: npt.ArrayLike) -> CochranQ:
    """Return Cochran's Q from two small tables; nothing is enumerated over patterns.

    Parameters
    ----------
    right : how many instances each of the M models gets right
    instances_by_rights : how many instances 0, 1, …, M models get right

    Examples
    --------
    >>> cochran_q([39, 34], [7, 13, 30])
    CochranQ(statistic=1.9230769230769231, df=1, p_value=0.16551785869746605)
    """
    c = [int(count) for count in np.asarray(right)]
    rows = [int(count) for count in np.asarray(instances_by_rights)]
    models, total = len(c), sum(c)
    # Python's integers: squares of sums outgrow 64 bits.
    denominator = models * total - sum(k * k * count for k, count in enumerate(rows))
    numerator = (models - 1) * (models * sum(count * count for count in c) - total * total)
    if not denominator or models < 2:
        return CochranQ(0.0, models - 1, 1.0)
    statistic = numerator / denominator
    return CochranQ(statistic, models - 1, float(_chi_squared_tail(statistic, models - 1)))


def _chi_squared_tail(statistic: npt.ArrayLike, df: float) -> Array:
    from scipy.special import chdtrc

    return np.asarray(chdtrc(df, statistic))
