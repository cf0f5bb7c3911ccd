"""The superiority probability of two traces, why it is no probability, and what two matrices alone really say.

The published closed form is Φ(z) with z = (tr A − tr B) / √(k(s_A² + s_B²)), s² the dispersion of the cells. It
ignores that both models saw the same instances and does not depend on how many there were: multiplied matrices give the
same z, and |z| never exceeds z_k = √(2(k − 1)(k² − 1) / k), √3 for two classes: it stays within 0.042 and 0.958.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._format import Shown
from tiebreak.errors import TiebreakError
from tiebreak.inference.posterior import Array, p_better
from tiebreak.inference.spectra.matrix import Cells, dispersion
from tiebreak.inference.spectra.traces import same_total


@dataclass(frozen=True, slots=True)
class SuperiorityRange:
    """What two confusion matrices of one test set say about who is better: a range, not a number.

    The matrices do not tell on how many instances exactly one model is right, only between which limits that lies.

    Attributes
    ----------
    discordant : fewest and most discordant instances
    z : smallest and largest (R_A − R_B) / √discordant
    p_better : smallest and largest probability that A is better, over the same limits
    """

    discordant: tuple[int, int]
    z: tuple[float, float]
    p_better: tuple[float, float]


@dataclass(frozen=True, slots=True)
class TraceSuperiority(Shown):
    """The published superiority probability of model A over model B, with what it lacks beside it.

    Attributes
    ----------
    probability : Φ(z), the version of the worked example and of theorem 3
    lemma_4 : Φ with the variance of lemma 4 instead, which contradicts it
    z, bound : the statistic, and the largest absolute value it can have for k classes
    range : what the two matrices really allow; None where their class totals differ
    warnings : what has to be known before it is quoted
    """

    probability: float
    lemma_4: float
    z: float
    bound: float
    range: SuperiorityRange | None
    warnings: tuple[str, ...]


def trace_superiority(a: Any, b: Any) -> TraceSuperiority:
    """Return the superiority probability of two confusion matrices, as published, and the range they really allow.

    It is not calibrated: it does not depend on the number of instances, |z| ≤ √(2(k − 1)(k² − 1)/k), which is √3 for
    two classes, so that it never leaves 0.0416 to 0.9584, and it takes the two models for independent. Where the
    predictions are known, `tb.superiority` answers the question. Source: theorem 3 and the worked example.

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.trace_superiority([[62, 36], [51, 51]], [[50, 53], [50, 47]])
    >>> round(found.probability, 5), round(found.lemma_4, 5), round(found.bound**2, 6)
    (0.84915, 0.92794, 3.0)
    >>> found.range is None, found.warnings[1]
    (True, 'the true classes hold 98, 102 in a and 103, 97 in b: they are not of the same test set')
    """
    from scipy.special import ndtr

    one, two = Cells.of(a, "a"), Cells.of(b, "b")
    same_total(one, two)
    z = float(_z(one.trace, two.trace, one.dispersion + two.dispersion, one.k))
    warnings = [
        "the closed form ignores the pairing and the number of instances: it is not the probability of being better"
    ]
    same_set = np.array_equal(one.counts.sum(axis=1), two.counts.sum(axis=1))
    if not same_set:
        warnings.append(f"{_totals(one, two)}: they are not of the same test set")
    return TraceSuperiority(
        float(ndtr(z)),
        float(ndtr(z * math.sqrt(one.k))),
        z,
        z_bound(one.k),
        superiority_range(a, b) if same_set else None,
        tuple(warnings),
    )


def superiority_range(a: Any, b: Any) -> SuperiorityRange:
    """Return what two confusion matrices of the same test set allow: a range of z and of the probability.

    Per true class the instances that both get right lie between max(0, R_A + R_B − m) and min(R_A, R_B); summed over
    the classes this bounds the discordant instances. A single number is not identified: it takes the predictions.

    Examples
    --------
    >>> found = superiority_range([[62, 38], [49, 51]], [[50, 50], [53, 47]])
    >>> found.discordant, round(found.z[0], 2), round(found.z[1], 2)
    ((16, 186), 1.17, 4.0)
    """
    one, two = Cells.of(a, "a"), Cells.of(b, "b")
    same_total(one, two)
    totals = one.counts.sum(axis=1)
    if not np.array_equal(totals, two.counts.sum(axis=1)):
        raise TiebreakError(
            f"{_totals(one, two)}: two matrices of one test set have the same class totals; compare the predictions"
        )
    right_a, right_b = np.diagonal(one.counts), np.diagonal(two.counts)
    most_both = int(np.minimum(right_a, right_b).sum())
    fewest_both = int(np.maximum(0, right_a + right_b - totals).sum())
    rights = one.trace + two.trace
    fewest, most = rights - 2 * most_both, rights - 2 * fewest_both
    d = one.trace - two.trace
    z = [d / math.sqrt(count) if count else 0.0 for count in (most, fewest)]
    p = [float(p_better((count + d) / 2, (count - d) / 2)) for count in (most, fewest)]
    return SuperiorityRange((fewest, most), (min(z), max(z)), (min(p), max(p)))


def _totals(one: Cells, two: Cells) -> str:
    first, second = (", ".join(map(str, cells.counts.sum(axis=1).tolist())) for cells in (one, two))
    return f"the true classes hold {first} in a and {second} in b"


def z_bound(k: int) -> float:
    """Return the largest |z| for k classes, √(2(k − 1)(k² − 1)/k), attained where tr A − n/k = n/k − tr B.

    Examples
    --------
    >>> [round(z_bound(k), 3) for k in (2, 3, 4)]
    [1.732, 3.266, 4.743]
    """
    return math.sqrt(2 * (k - 1) * (k * k - 1) / k)


def trace_probability(
    trace_a: npt.ArrayLike, trace_b: npt.ArrayLike, squares_a: npt.ArrayLike, squares_b: npt.ArrayLike, n: float, k: int
) -> Array:
    """Return the closed form for many pairs at once, from traces and sums of squared cells.

    Examples
    --------
    >>> trace_probability(113, 97, 10342, 10018, 200, 2).round(5)
    np.float64(0.84915)
    """
    from scipy.special import ndtr

    variance = dispersion(squares_a, n, k) + dispersion(squares_b, n, k)
    return np.asarray(ndtr(_z(trace_a, trace_b, variance, k)))


def _z(trace_a: npt.ArrayLike, trace_b: npt.ArrayLike, variance: npt.ArrayLike, k: int) -> Array:
    """0 where both matrices have equal cells, which makes their traces equal too."""
    away = np.asarray(trace_a, dtype=np.float64) - np.asarray(trace_b, dtype=np.float64)
    spread = np.asarray(variance, dtype=np.float64)
    return np.where(spread > 0, away / np.sqrt(np.where(spread > 0, k * spread, 1.0)), 0.0)
