"""The beta law where parameters are enormous: its density, and the logarithm of a tail that no float can hold.

Textbook formulas subtract logarithms of gamma functions as large as the parameters and keep no digit of the rest. Here
everything is relative to the mean m = a / (a + b), where Stirling's formula cancels by hand.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

# A tail that underflows is so far out that its continued fraction converges in a few hundred steps at most.
_STEPS = 10_000
_NOTHING = 1e-300


def density(x: Array, a: Array, b: Array) -> Array:
    """Return the density of Beta(a, b), exact to a few units of the last place of its exponent up to 10^15.

    Range [0, ∞); 0 outside (0, 1) and where it is infinite.

    Examples
    --------
    >>> density(np.array([0.5, 0.5]), np.array([2.0, 1e9]), np.array([2.0, 1e9])).round(3)
    array([1.5000000e+00, 3.5682482e+04])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.exp(log_density(x, a, b))
    return np.where((x < 0) | (x > 1) | ~np.isfinite(value), 0.0, value)


def log_density(x: Array, a: Array, b: Array) -> Array:
    """Return the natural logarithm of the density of Beta(a, b) for 0 < x < 1.

    Examples
    --------
    >>> log_density(np.array(0.5), np.array(1e6), np.array(1e5)).round(3)
    np.float64(-427356.015)
    """
    total = a + b
    log_peak = 1.5 * np.log(total) - 0.5 * np.log(2 * np.pi * a * b)
    log_peak = log_peak - (_stirling_rest(a) + _stirling_rest(b) - _stirling_rest(total))
    mean, other = a / total, b / total
    with np.errstate(divide="ignore", invalid="ignore"):
        # Far below the mean x − m is m to all digits, and the logarithm is taken of x itself.
        left = (a - 1) * np.where(x < mean / 2, np.log(x / mean), np.log1p((x - mean) / mean))
        right = (b - 1) * np.log1p((mean - x) / other)
    # 0 · log 0 is 0: a parameter of 1 has no power.
    return np.asarray(log_peak + np.where(a == 1, 0.0, left) + np.where(b == 1, 0.0, right))


def _stirling_rest(x: Array) -> Array:
    """Log Γ(x) − ((x − ½) log x − x + ½ log 2π): what Stirling's formula leaves."""
    from scipy.special import gammaln

    inverse = 1 / (x * x)
    series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / x
    if (x >= 15).all():
        return np.asarray(series)
    small = np.minimum(x, 15.0)
    direct = gammaln(small) - ((small - 0.5) * np.log(small) - small + 0.5 * np.log(2 * np.pi))
    return np.where(x < 15, direct, series)


def log_lower_half(a: Array, b: Array) -> Array:
    """Return log I_{1/2}(a, b) for a > b, finite where I_{1/2} itself underflows.

    I_x(a, b) = x^a (1 − x)^b / (a B(a, b)) · 1/(1 + d_1/(1 + d_2/(1 + …))), a continued fraction that converges the
    faster the further x is below the mean.

    Examples
    --------
    >>> log_lower_half(np.array(5001.0), np.array(1.0)).round(3)
    np.float64(-3466.429)
    """
    half = np.full_like(a, 0.5)
    return np.asarray(log_density(half, a, b) - np.log(4.0) - np.log(a) + np.log(_fraction(a, b)))


def _fraction(a: Array, b: Array) -> Array:
    """The continued fraction at x = 1/2 by Lentz's method."""
    value, above, below = np.ones_like(a), np.ones_like(a), np.zeros_like(a)
    for step in range(1, _STEPS):
        part = _part(step, a, b) / 2
        below = 1 / _away(1 + part * below)
        above = _away(1 + part / above)
        value = value * above * below
        if (np.abs(above * below - 1) < 1e-15).all():
            break
    return np.asarray(1 / value)


def _part(step: int, a: Array, b: Array) -> Array:
    m = step // 2
    if step % 2:
        return -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1))
    return m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m))


def _away(x: Array) -> Array:
    return np.where(np.abs(x) < _NOTHING, _NOTHING, x)
