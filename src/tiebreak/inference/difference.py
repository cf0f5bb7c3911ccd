"""The posterior law of Δ = θ_RW − θ_WR, the true difference of two accuracies: its tails and its quantiles.

With a Dirichlet prior of parameter a on all four cells, (θ_RW, θ_WR, the rest) is Dirichlet too, and Δ is S (2B − 1)
with S ~ Beta(RW + WR + 2a, BR + BW + 2a) and B ~ Beta(RW + a, WR + a) independent. Nothing is drawn at random: the tail
is one integral over the rarest of the three parts, for example over θ_WR = t, given which θ_RW / (1 − t) is
Beta(RW + a, BR + BW + 2a):

    P(Δ > y) = ∫_0^{(1−y)/2} f_WR(t) P(θ_RW / (1 − t) > (y + t) / (1 − t)) dt.

The rarest part has the narrowest law, so the other factor is smooth across it, and Gauss-Legendre nodes over its
effective support give twelve digits. A quantile is where that integral has its value: found from the first four moments
by Halley's steps, which need the density and its slope at the same nodes.

Every function takes arrays, broadcasts them and works through them in chunks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tiebreak.inference.beta import density
from tiebreak.inference.posterior import Array, as_floats, p_better

# Nodes of a first look and of the integral that decides.
_ROUGH, _FINE = 28, 44
# How many times more nodes a prior that is no integer takes, for each unit of √power: the substitution leaves the
# middle steeper as the power grows.
_THINNED = 1.8
# Half the effective support of a beta law on the scale of its arc sine, in units of 1 / √(parameters).
_HALF = 3.9
# A Halley step leaves about the cube of its own size, in standard deviations; one as small as this is the last.
_LAST_STEP = 3e-4
_ROUNDS = 100
# Pairs solved together, so that the nodes of all of them stay in the cache.
_CHUNK = 512
# Beyond this many instances the third moment drowns in rounding, and the law is normal to seven digits.
_NORMAL = 1e8


def tail(y: npt.ArrayLike, rw: npt.ArrayLike, wr: npt.ArrayLike, n: npt.ArrayLike, prior: float = 1.0) -> Array:
    """P(Δ > y | data) for −1 ≤ y ≤ 1.

    Examples
    --------
    >>> tail([0.0, 0.1], 9, 4, 50).round(6)
    array([0.910217, 0.453689])
    """
    given = as_floats(y, rw, wr, n)
    y, rw, wr, n = (value.reshape(-1) for value in given)
    found = [_tail(y[k], rw[k], wr[k], n[k], prior) for k in _chunks(len(y))]
    return np.concatenate([np.empty(0), *found]).reshape(given[0].shape)


def quantile(share: float, rw: npt.ArrayLike, wr: npt.ArrayLike, n: npt.ArrayLike, prior: float = 1.0) -> Array:
    """Return the y with P(Δ ≤ y | data) = `share`, to 1e-8 and better.

    It is on the same side of 0 as `p_better` says, exactly: positive only where P(Δ ≤ 0) is below `share`.

    Examples
    --------
    >>> quantile(0.025, [9, 0], [4, 0], [50, 10]).round(8)
    array([-0.0442146 , -0.20581667])
    """
    given = as_floats(rw, wr, n)
    rw, wr, n = (value.reshape(-1) for value in given)
    found = [_quantile(share, rw[k], wr[k], n[k], prior) for k in _chunks(len(rw))]
    return np.concatenate([np.empty(0), *found]).reshape(given[0].shape)


def interval(rw: npt.ArrayLike, wr: npt.ArrayLike, n: npt.ArrayLike, level: float, prior: float = 1.0) -> Array:
    """Return both ends of the equal-tailed interval of Δ (…, 2), extended to contain (RW − WR) / n.

    It excludes 0 exactly where the two-sided mid-p value is below 1 − level (prior 1). The extension only ever acts on
    the side away from 0, where the posterior shrinks off an extreme difference.

    Examples
    --------
    >>> interval(9, 4, 50, 0.95).round(4)
    array([-0.0442,  0.2319])
    """
    rw, wr, n = as_floats(rw, wr, n)
    d, share = (rw - wr) / n, (1 - level) / 2
    low = np.minimum(quantile(share, rw, wr, n, prior), d)
    # The upper end is the lower end of the exchanged models, so that swapping mirrors to the last bit.
    high = np.maximum(-quantile(share, wr, rw, n, prior), d)
    return np.stack([low, high], axis=-1)


def _chunks(size: int) -> list[slice]:
    return [slice(start, start + _CHUNK) for start in range(0, size, _CHUNK)]


def _tail(y: Array, rw: Array, wr: Array, n: Array, prior: float) -> Array:
    """P(Δ > y): above 0 the integral itself, below 0 one minus that of the exchanged models."""
    below = y < 0
    problem = _Problem.of(np.where(below, wr, rw), np.where(below, rw, wr), n, prior)
    beyond = problem.beyond(np.abs(y), _FINE)[0]
    return np.where(below, 1 - beyond, beyond)


def _quantile(share: float, rw: Array, wr: Array, n: Array, prior: float) -> Array:
    """Turn the sought quantile into one of θ_1 − θ_2 > 0 whose upper tail is known, solve, and turn back."""
    below_zero = np.asarray(p_better(wr, rw, prior))
    negative = below_zero > share
    one, two = np.where(negative, wr, rw), np.where(negative, rw, wr)
    beyond = np.where(negative, share, 1 - share)
    y = np.where(below_zero == share, 0.0, _solved(beyond, one, two, n, prior))
    return np.where(negative, -y, y)


def _solved(beyond: Array, one: Array, two: Array, n: Array, prior: float) -> Array:
    """Return the y > 0 with P(θ_1 − θ_2 > y) = `beyond`: Halley's steps, bisection where they leave the bracket."""
    problem, y, spread = _Problem.of(one, two, n, prior), *_first_guess(beyond, one, two, n, prior)
    last = _LAST_STEP if problem.power == 1 else 1e-9
    low, high = np.zeros_like(y), np.ones_like(y)
    left = np.arange(len(y))
    for step in range(_ROUNDS):
        part = problem if len(left) == len(y) else problem.where(left)
        at = y[left]
        found, height, slope = part.beyond(at, _ROUGH if step == 0 else _FINE)
        excess = found - beyond[left]
        if step:
            low[left] = np.where(excess >= 0, at, low[left])
            high[left] = np.where(excess <= 0, at, high[left])
        moved = at + _halley(excess, height, slope)
        inside = (moved > low[left]) & (moved < high[left])
        y[left] = np.where(inside, moved, (low[left] + high[left]) / 2)
        close = inside & (np.abs(moved - at) <= last * spread[left])
        close |= high[left] - low[left] <= 1e-15
        left = left[~close] if step else left
        if not len(left):
            break
    return y


def _halley(excess: Array, height: Array, slope: Array) -> Array:
    """The step that solves tail(y) = target to third order, from the tail's excess, the density and its slope."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        newton = excess / height
        bent = 1 + newton * slope / (2 * height)
        step = np.where(np.abs(bent - 1) < 0.5, newton / bent, newton)
    return np.where(np.isfinite(step), step, np.inf)


def _first_guess(beyond: Array, one: Array, two: Array, n: Array, prior: float) -> tuple[Array, Array]:
    """Cornish-Fisher from the moments of the Dirichlet law; also its standard deviation."""
    from scipy.special import ndtri

    mean, spread, skewness, kurtosis = _moments(one + prior, two + prior, n + 4 * prior)
    z = -np.asarray(ndtri(beyond))
    bent = z + skewness * (z**2 - 1) / 6 + kurtosis * (z**3 - 3 * z) / 24 - skewness**2 * (2 * z**3 - 5 * z) / 36
    guess = mean + spread * bent
    # Far out in a skewed law the expansion may leave the possible values.
    return np.clip(guess, 1e-3 * spread, np.maximum(1 - 1e-3 * spread, 0.5)), spread


def _moments(a: Array, b: Array, total: Array) -> tuple[Array, Array, Array, Array]:
    """Mean, standard deviation, skewness and excess kurtosis of x − y, (x, y, rest) ~ Dirichlet(a, b, total − a − b).

    E x^i y^j is a product of rising factorials, and so is every moment of the difference.
    """
    rising = [np.ones_like(a)] * 5, [np.ones_like(a)] * 5
    raw = [np.ones_like(a)]
    of_total = np.ones_like(a)
    for k in range(1, 5):
        rising[0][k] = rising[0][k - 1] * (a + k - 1)
        rising[1][k] = rising[1][k - 1] * (b + k - 1)
        of_total = of_total * (total + k - 1)
        terms = [(-1) ** (k - i) * _BINOMIAL[k][i] * rising[0][i] * rising[1][k - i] for i in range(k + 1)]
        raw.append(sum(terms, np.zeros_like(a)) / of_total)
    _, m, m2, m3, m4 = raw
    # Not m2 − m², whose digits cancel.
    share, other = a / total, b / total
    variance = (share + other - (share - other) ** 2) / (total + 1)
    third = m3 - 3 * m * m2 + 2 * m**3
    fourth = m4 - 4 * m * m3 + 6 * m**2 * m2 - 3 * m**4
    known = total < _NORMAL
    skewness = np.where(known, third / variance**1.5, 0.0)
    kurtosis = np.where(total < np.sqrt(_NORMAL), fourth / variance**2 - 3, 0.0)
    return m, np.sqrt(variance), np.clip(skewness, -2, 2), np.clip(kurtosis, -2, 6)


_BINOMIAL = ((1,), (1, 1), (1, 2, 1), (1, 3, 3, 1), (1, 4, 6, 4, 1))


@dataclass(frozen=True, slots=True)
class _Problem:
    """Integrals P(θ_1 − θ_2 > y), y ≥ 0, one a row, each over the rarest of θ_1, θ_2 and the rest, called t.

    t has the law Beta(`cell`, `others`). Given t, the event is that a Beta(`first`, `second`) variable falls below
    z = (`offset` + `slope` t − y) / (`scale` (1 − t)).
    """

    cell: Array
    others: Array
    first: Array
    second: Array
    offset: Array
    slope: Array
    scale: Array
    power: int = 1

    @classmethod
    def of(cls, one: Array, two: Array, n: Array, prior: float) -> _Problem:
        """Choose the rarest part, and with it the form of z."""
        a, b, c = one + prior, two + prior, n - one - two + 2 * prior
        over_two, over_one = (b <= a) & (b <= c), (a < b) & (a <= c)

        def chosen(for_two: Array, for_one: Array, for_rest: Array) -> Array:
            return np.where(over_two, for_two, np.where(over_one, for_one, for_rest))

        unit, two_units, zero = np.ones_like(a), np.full_like(a, 2.0), np.zeros_like(a)
        cell = chosen(b, a, c)
        return cls(
            cell=cell,
            others=a + b + c - cell,
            first=chosen(c, b, b),
            second=chosen(a, c, a),
            offset=chosen(unit, zero, unit),
            slope=chosen(-two_units, unit, -unit),
            scale=chosen(unit, unit, two_units),
            power=_power(one, two, n, prior),
        )

    def where(self, kept: npt.NDArray[np.intp]) -> _Problem:
        """Keep some rows only."""
        return _Problem(
            self.cell[kept],
            self.others[kept],
            self.first[kept],
            self.second[kept],
            self.offset[kept],
            self.slope[kept],
            self.scale[kept],
            self.power,
        )

    def beyond(self, y: Array, nodes: int) -> tuple[Array, Array, Array]:
        """Return P(θ_1 − θ_2 > y), the density of θ_1 − θ_2 at y, and the slope of the density."""
        from scipy.special import betainc, betaincc

        low, high = self._support()
        rising = self.slope > 0
        # z runs from 0 to 1: it falls with t unless t is θ_1, whose other end is where nothing can make up for it.
        ends = np.where(rising, (1 + y) / 2, (self.offset - y) / -self.slope)
        start = np.maximum(low, np.where(rising, y, 0.0))
        length = np.maximum(np.minimum(high, ends) - start, 0.0)
        certain = np.where(rising, betaincc(self.cell, self.others, np.clip(ends, 0.0, 1.0)), 0.0)
        v, weights = _nodes(nodes, self.power)
        cell, others, first, second, offset, slope, scale = (
            column[:, None]
            for column in (self.cell, self.others, self.first, self.second, self.offset, self.slope, self.scale)
        )
        # At y = 1 nothing is left to integrate, and t must not be 1.
        t = np.minimum(start[:, None] + length[:, None] * v, 1 - 2.0**-53)
        steepness = 1 / (scale * (1 - t))
        z = np.clip((offset + slope * t - y[:, None]) * steepness, 0.0, 1.0)
        law = density(t, cell, others) * (weights * length[:, None])
        inner = law * density(z, first, second) * steepness
        with np.errstate(divide="ignore", invalid="ignore"):
            bend = np.where(inner > 0, inner * ((first - 1) / z - (second - 1) / (1 - z)) * steepness, 0.0)
        return (law * betainc(first, second, z)).sum(axis=1) + certain, inner.sum(axis=1), -bend.sum(axis=1)

    def _support(self) -> tuple[Array, Array]:
        """Where t is, but for 1e-13: an interval about its mean on the scale of the arc sine."""
        total = self.cell + self.others
        middle, width = np.arcsin(np.sqrt(self.cell / total)), _HALF / np.sqrt(total)
        return np.sin(np.maximum(middle - width, 0.0)) ** 2, np.sin(np.minimum(middle + width, np.pi / 2)) ** 2


def _power(one: Array, two: Array, n: Array, prior: float) -> int:
    """Return 1 where all parameters are integers; others have powers that a substitution flattens at the ends."""
    if float(prior).is_integer() and all((count == np.floor(count)).all() for count in (one, two, n)):
        return 1
    return 2 * int(np.ceil(2 / min(prior, 1)))


@lru_cache
def _nodes(count: int, power: int) -> tuple[Array, Array]:
    """Nodes on (0, 1) and their weights, after the substitution v ↦ I_v(power, power), whose ends are flat."""
    from scipy.special import beta, betainc

    # The substitution thins the nodes out where most of the law is, so it needs more of them.
    nodes, weights = np.polynomial.legendre.leggauss(count if power == 1 else int(count * _THINNED * power**0.5))
    v = (nodes + 1) / 2
    return betainc(power, power, v), weights / 2 * (v * (1 - v)) ** (power - 1) / beta(power, power)
