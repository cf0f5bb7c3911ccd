"""Intervals beside the default: Tango, Newcombe, Bonett-Price and Wald for a paired difference, Wilson for a share.

The default interval of a difference is that of the flat posterior, which never contradicts the probability and the
p-value beside it (`difference`). These are good intervals taken alone, and can contradict a mid-p value near its limit.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tiebreak.inference.posterior import Array, as_floats

# Half-widths of the bracket shrink to this in bisection.
_HALVINGS = 60
_EDGE = 1e-10


def wilson(successes: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Array:
    """Wilson's score interval of a share (…, 2): all p with |p̂ − p| ≤ z √(p(1 − p)/n).

    Range [0, 1], never of width 0; `successes` and `n` may be effective numbers. Source: Wilson 1927.

    Examples
    --------
    >>> wilson([39, 50], 50).round(4)
    array([[0.6476, 0.8725],
           [0.9287, 1.    ]])
    """
    x, n = as_floats(successes, n)
    z = _z(level)
    centre, spread = (x + z**2 / 2) / (n + z**2), z / (n + z**2) * np.sqrt(x * (n - x) / n + z**2 / 4)
    low, high = np.where(x == 0, 0.0, centre - spread), np.where(x == n, 1.0, centre + spread)
    return np.stack([np.maximum(low, 0.0), np.minimum(high, 1.0)], axis=-1)


def tango(rw: npt.ArrayLike, wr: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Array:
    """Tango's score interval of the difference (…, 2): every δ that the score test at it does not reject.

    T(δ) = (RW − WR − Nδ) / √(N(2 q + δ(1 − δ))) with q the maximum-likelihood share of wrong/right under δ; T falls
    in δ, and the ends are found by bisection. Range [−1, 1]. Source: Tango 1998.

    Examples
    --------
    >>> tango([36 - 24, 0], [2, 1], [50, 44]).round(4)
    array([[ 0.0611,  0.3447],
           [-0.1181,  0.0594]])
    """
    rw, wr, n = as_floats(rw, wr, n)
    z, d = _z(level), (rw - wr) / n
    low = _falling_root(lambda x: _tango_statistic(x, rw, wr, n) - z, np.full_like(d, -1 + _EDGE), d)
    high = _falling_root(lambda x: _tango_statistic(x, rw, wr, n) + z, d, np.full_like(d, 1 - _EDGE))
    return np.stack([np.where(d == -1, -1.0, low), np.where(d == 1, 1.0, high)], axis=-1)


def _tango_statistic(delta: Array, rw: Array, wr: Array, n: Array) -> Array:
    b = -rw - wr + (2 * n - rw + wr) * delta
    c = -wr * delta * (1 - delta)
    q = (np.sqrt(np.maximum(b**2 - 8 * n * c, 0.0)) - b) / (4 * n)
    variance = n * (2 * q + delta * (1 - delta))
    above = rw - wr - n * delta
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = above / np.sqrt(np.maximum(variance, 0.0))
    return np.where(above == 0, 0.0, np.where(variance > 0, statistic, np.sign(above) * np.inf))


def _falling_root(f: Callable[[Array], Array], low: Array, high: Array) -> Array:
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        above = f(middle) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return (low + high) / 2


def newcombe(br: npt.ArrayLike, rw: npt.ArrayLike, wr: npt.ArrayLike, bw: npt.ArrayLike, level: float = 0.95) -> Array:
    """Newcombe's method 10 for the difference (…, 2): Wilson limits of the two shares, joined by the corrected φ.

    Range [−1, 1]. Source: Newcombe 1998.

    Examples
    --------
    >>> newcombe(36, 12, 2, 0).round(4)
    array([0.0569, 0.3404])
    """
    br, rw, wr, bw = as_floats(br, rw, wr, bw)
    n = br + rw + wr + bw
    p, q = (br + rw) / n, (br + wr) / n
    (p_low, p_high), (q_low, q_high) = (np.moveaxis(wilson(share * n, n, level), -1, 0) for share in (p, q))
    phi = _corrected_phi(br, rw, wr, bw, n)
    down = (p - p_low) ** 2 - 2 * phi * (p - p_low) * (q_high - q) + (q_high - q) ** 2
    up = (p_high - p) ** 2 - 2 * phi * (p_high - p) * (q - q_low) + (q - q_low) ** 2
    d = (rw - wr) / n
    ends = np.stack([d - np.sqrt(np.maximum(down, 0.0)), d + np.sqrt(np.maximum(up, 0.0))], axis=-1)
    return np.asarray(np.clip(ends, -1.0, 1.0))


def _corrected_phi(br: Array, rw: Array, wr: Array, bw: Array, n: Array) -> Array:
    margins = np.sqrt(br + rw) * np.sqrt(wr + bw) * np.sqrt(br + wr) * np.sqrt(rw + bw)
    excess = br * bw - rw * wr
    excess = np.where(excess > n / 2, excess - n / 2, np.where(excess > 0, 0.0, excess))
    return np.where(margins > 0, excess / np.where(margins > 0, margins, 1.0), 0.0)


def bonett_price(rw: npt.ArrayLike, wr: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Array:
    """Bonett and Price's interval of the difference (…, 2): Wald's after one instance is added to each discordant cell.

    Clipped to [−1, 1]. Source: Bonett & Price 2012.

    Examples
    --------
    >>> bonett_price(9, 4, 50).round(4)
    array([-0.0475,  0.2398])
    """
    rw, wr, n = as_floats(rw, wr, n)
    p, q = (rw + 1) / (n + 2), (wr + 1) / (n + 2)
    return _around(p - q, np.sqrt((p + q - (p - q) ** 2) / (n + 2)), level)


def wald(rw: npt.ArrayLike, wr: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Array:
    """The textbook interval of the difference (…, 2), for reference only: it covers too rarely in small samples.

    Examples
    --------
    >>> wald(9, 4, 50).round(4)
    array([-0.0386,  0.2386])
    """
    rw, wr, n = as_floats(rw, wr, n)
    d = (rw - wr) / n
    return _around(d, np.sqrt((rw + wr - (rw - wr) * d) / n**2), level)


def _around(centre: Array, se: Array, level: float) -> Array:
    reach = _z(level) * se
    return np.clip(np.stack([centre - reach, centre + reach], axis=-1), -1.0, 1.0)


def _z(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))
