"""How sure the signs are: P(Δ > 0 | data) for Δ = θ_RW − θ_WR, the true difference of two accuracies.

With a Dirichlet prior of parameter a on the two discordant cells, whatever it is on the other two, the share of the
primary among the discordant instances is Beta(RW + a, WR + a), and Δ > 0 exactly where that share exceeds 1/2. With
a = 1 the probability is one minus the one-sided mid-p value of McNemar's test: one incomplete beta function is both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.inference.beta import log_lower_half

Array = npt.NDArray[np.float64]

# Below this the probability is about to underflow.
_TINY = 1e-290


def p_better(rw: npt.ArrayLike, wr: npt.ArrayLike, prior: float = 1.0) -> Array:
    """P(Δ > 0 | data) = I_{1/2}(WR + a, RW + a): the posterior probability that the primary is truly better.

    Range [0, 1]; 1/2 where no instance is discordant. The probability that the alternative is better is
    `p_better(wr, rw)`, never one minus this, which would lose all digits where this is near 1.

    Examples
    --------
    >>> p_better(9, 4)
    array(0.91021729)
    >>> p_better(0, 0)
    array(0.5)
    """
    from scipy.special import betainc

    rw, wr = np.asarray(rw, dtype=np.float64), np.asarray(wr, dtype=np.float64)
    # Equal counts leave rounding of the function, and a p-value beside 1.
    return np.where(rw == wr, 0.5, betainc(wr + prior, rw + prior, 0.5))


def mid_p(rw: npt.ArrayLike, wr: npt.ArrayLike) -> Array:
    """Return the two-sided mid-p value of McNemar's test, 2 min(P, 1 − P) with P of the flat prior.

    It is twice the one-sided value, so 1 where RW = WR. Range [0, 1]; 0 only where it underflows.

    Examples
    --------
    >>> mid_p([15, 5, 0], [5, 5, 0]).round(7)
    array([0.0266037, 1.       , 1.       ])
    """
    # The smaller of P and 1 − P belongs to the model that is right alone less often.
    return np.minimum(1.0, 2 * p_better(np.minimum(rw, wr), np.maximum(rw, wr)))


def log_p_better(rw: npt.ArrayLike, wr: npt.ArrayLike, prior: float = 1.0) -> Array:
    """Return the natural logarithm of `p_better`, also where the probability itself is too small for a float.

    Examples
    --------
    >>> log_p_better([4, 0], [9, 5000]).round(3)
    array([-2.410000e+00, -3.466429e+03])
    """
    rw, wr = np.broadcast_arrays(np.asarray(rw, dtype=np.float64), np.asarray(wr, dtype=np.float64))
    plain = p_better(rw, wr, prior)
    with np.errstate(divide="ignore"):
        direct = np.where(plain > 0.5, np.log1p(-p_better(wr, rw, prior)), np.log(plain))
    small = plain < _TINY
    if not small.any():
        return np.asarray(direct)
    # Anything else than a tail stands in where none is asked for.
    return np.where(small, log_lower_half(np.where(small, wr + prior, 2.0), np.where(small, rw + prior, 1.0)), direct)


def prior_scale_law(rw: npt.ArrayLike, wr: npt.ArrayLike, n: npt.ArrayLike, tau: float) -> tuple[Array, Array]:
    """Return mean and standard deviation of Δ given the data and a prior N(0, τ²): the normal law that τ shrinks.

    With p, q = (RW + ½, WR + ½) / (n + 2), se² = (p + q − (p − q)²) / (n + 2) and d = (RW − WR) / n the law is
    N(d τ²/(τ² + se²), se² τ²/(τ² + se²)). A flat prior is over-confident where true differences are small beside their
    standard error; a τ within a factor of two of their true spread repairs that.

    Examples
    --------
    >>> [float(value.round(4)) for value in prior_scale_law(9, 4, 50, tau=0.03)]
    [0.0153, 0.0276]
    """
    rw, wr, n = (np.asarray(value, dtype=np.float64) for value in (rw, wr, n))
    p, q = (rw + 0.5) / (n + 2), (wr + 0.5) / (n + 2)
    return shrunk((rw - wr) / n, np.sqrt((p + q - (p - q) ** 2) / (n + 2)), tau)


def shrunk(estimate: npt.ArrayLike, se: npt.ArrayLike, tau: float) -> tuple[Array, Array]:
    """Return mean and standard deviation of Δ given an estimate with its standard error and a prior N(0, τ²).

    Examples
    --------
    >>> [float(value.round(4)) for value in shrunk(0.1, 0.07, tau=0.03)]
    [0.0155, 0.0276]
    """
    d, variance = np.asarray(estimate, dtype=np.float64), np.asarray(se, dtype=np.float64) ** 2
    kept = tau**2 / (tau**2 + variance)
    return np.asarray(kept * d), np.asarray(np.sqrt(kept * variance))


def as_floats(*values: Any) -> tuple[Array, ...]:
    """Broadcast numbers and arrays to float arrays of one shape.

    Examples
    --------
    >>> [array.tolist() for array in as_floats([1, 2], 3)]
    [[1.0, 2.0], [3.0, 3.0]]
    """
    return tuple(np.broadcast_arrays(*(np.asarray(value, dtype=np.float64) for value in values)))
