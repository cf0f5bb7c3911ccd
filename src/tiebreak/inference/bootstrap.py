"""Bootstrap of any function of a table: counts are drawn, rows never.

A resample of N independent instances holds each kind of instance as often as a multinomial draw says, so the draw of
the counts is the resampling of the instances, exactly. The same holds for groups and for weighted instances once a
unit says what it adds to the table: `Units`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of, open_share
from tiebreak.errors import TiebreakError
from tiebreak.inference.estimates import Estimate, Interval
from tiebreak.inference.posterior import Array

METHODS = {"percentile": "bootstrap_percentile", "bca": "bootstrap_bca"}
RESAMPLES = 5000
# Table entries drawn or evaluated at a time.
_AT_ONCE = 1 << 21

Statistic = Callable[[Array], npt.ArrayLike]


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is resampled: kinds of units, how often each occurred, and what one of them adds to the table.

    Attributes
    ----------
    times : how often each kind of unit occurred (U)
    holds : the table that one unit of each kind adds (U × K), dense or sparse; None where unit k adds 1 to cell k

    Examples
    --------
    >>> Units(np.array([30, 9, 4, 7])).table()
    array([30.,  9.,  4.,  7.])
    """

    times: npt.NDArray[np.int64]
    holds: npt.NDArray[np.float64] | None = None

    def table(self) -> Array:
        """The observed table."""
        return np.asarray(self.of(self.times[None].astype(np.float64))[0])

    def of(self, times: Array) -> Array:
        """Return the tables of several draws of the units (B × U to B × K)."""
        return times if self.holds is None else np.asarray(times @ self.holds)

    @property
    def width(self) -> int:
        """How many numbers one draw or one table holds."""
        return len(self.times) if self.holds is None else max(len(self.times), self.holds.shape[1])

    def without_one(self, kinds: npt.NDArray[np.intp]) -> Array:
        """Return the tables with one unit of each of these kinds taken out (kinds × K)."""
        table, held = self.table(), self.holds
        if held is None:
            tables = np.repeat(table[None], len(kinds), axis=0)
            tables[np.arange(len(kinds)), kinds] -= 1
            return tables
        part = held[kinds]
        return np.asarray(table - (part.toarray() if hasattr(part, "toarray") else part))


@dataclass(frozen=True, slots=True, eq=False)
class Bootstrap:
    """A statistic, its value on the observed table and on every resample.

    Attributes
    ----------
    estimate : the observed value
    replicates : the values of the resamples
    units : what was resampled
    statistic : the function of the table

    Examples
    --------
    >>> counts = np.array([30, 9, 4, 7])
    >>> found = bootstrap(counts, lambda t: (t[..., 1] - t[..., 2]) / t.sum(axis=-1), np.random.default_rng(0))
    >>> found.interval(0.95).method, round(found.p_positive, 2)
    ('bootstrap_percentile', 0.92)
    """

    estimate: float
    replicates: Array
    units: Units
    statistic: Statistic

    @property
    def undefined(self) -> int:
        """On how many resamples the statistic has no value; they are left out of everything."""
        return int(np.isnan(self.replicates).sum())

    @property
    def se(self) -> float:
        """The standard deviation of the replicates."""
        known = self._known
        return float(known.std(ddof=1)) if len(known) > 1 else float("nan")

    @property
    def p_positive(self) -> float:
        """The share of resamples with a positive value, those with 0 counted half."""
        known = self._known
        return float(((known > 0) + (known == 0) / 2).mean()) if len(known) else float("nan")

    def interval(self, level: float = 0.95, method: str = "percentile") -> Interval:
        """Return the percentile or the BCa interval.

        BCa shifts the percentiles by the median bias of the replicates and by the skewness of the jackknife, which
        takes out one unit at a time. NaN where the observed value itself is undefined.
        """
        name, level = METHODS[one_of(method, "method", METHODS)], open_share(level, "level")
        known = self._known
        if self.estimate != self.estimate or not len(known):
            return Interval(float("nan"), float("nan"), level, name)
        shares = np.array([(1 - level) / 2, (1 + level) / 2])
        if method == "bca":
            shares = self._bca(known, shares)
        low, high = np.quantile(known, shares).tolist()
        return Interval(low, high, level, name)

    def value(self, level: float = 0.95, method: str = "percentile") -> Estimate:
        """Return the observed value with its interval."""
        return Estimate(self.estimate, self.interval(level, method))

    @property
    def _known(self) -> Array:
        return self.replicates[~np.isnan(self.replicates)]

    def _bca(self, known: Array, shares: Array) -> Array:
        from scipy.special import ndtr, ndtri

        below = ((known < self.estimate) + (known == self.estimate) / 2).mean()
        if not 0 < below < 1:
            return shares
        bias, skew = ndtri(below), self._acceleration()
        z = bias + ndtri(shares)
        return np.asarray(ndtr(bias + z / (1 - skew * z)))

    def _acceleration(self) -> float:
        """Σ (θ̄ − θ_i)³ / (6 (Σ (θ̄ − θ_i)²)^{3/2}) over the values without one unit; 0 where they do not differ."""
        if self.units.times.sum() < 2:
            return 0.0
        units, kinds = self.units, np.flatnonzero(self.units.times)
        if units.times.sum() < 2:
            # Without its only unit nothing is left to evaluate.
            return 0.0
        step = max(1, _AT_ONCE // units.width)
        parts = (units.without_one(kinds[k : k + step]) for k in range(0, len(kinds), step))
        values = np.concatenate([_values(self.statistic, tables) for tables in parts])
        known = ~np.isnan(values)
        values, times = values[known], units.times[kinds][known]
        if not len(values):
            return 0.0
        away = np.average(values, weights=times) - values
        spread = float((times * away**2).sum())
        return float((times * away**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0


def bootstrap(
    counts: npt.ArrayLike | Units,
    statistic: Statistic,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> Bootstrap:
    """Resample a table of counts and evaluate a function of it.

    Parameters
    ----------
    counts : a vector of counts, one a kind of instance, or the `Units` of dependent or weighted instances
    statistic : takes tables (…, K) and returns values (…); it is called on many resamples at once
    rng : where the draws come from
    resamples : how many

    Examples
    --------
    >>> found = bootstrap([40, 10], lambda t: t[..., 0] / t.sum(axis=-1), np.random.default_rng(0), resamples=2000)
    >>> found.estimate, found.interval(0.9, "bca").low < 0.8 < found.interval(0.9, "bca").high
    (0.8, True)
    """
    units = counts if isinstance(counts, Units) else Units(checked_counts(counts))
    if resamples < 1:
        raise TiebreakError(f"n_resamples is {resamples}: it must be at least 1")
    n = int(units.times.sum())
    observed = float(_values(statistic, units.table()[None])[0])
    replicates = np.empty(resamples)
    step = max(1, _AT_ONCE // units.width)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        drawn = rng.multinomial(n, units.times / n, size).astype(np.float64)
        replicates[start : start + size] = _values(statistic, units.of(drawn))
    return Bootstrap(observed, replicates, units, statistic)


def _values(statistic: Statistic, tables: Array) -> Array:
    values = np.asarray(statistic(tables), dtype=np.float64)
    if values.shape != (len(tables),):
        raise TiebreakError(
            f"statistic returned shape {values.shape} for {len(tables)} tables: it must return one value a table, "
            "so index cells as t[..., k] and sum over axis=-1"
        )
    return values


def checked_counts(counts: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return counts as a flat vector of integers, or say what is wrong with them.

    Examples
    --------
    >>> checked_counts([[30, 9], [4, 7]])
    array([30,  9,  4,  7])
    """
    try:
        given = np.asarray(counts, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        raise TiebreakError("counts holds something that is no number: every count must be an integer ≥ 0") from None
    wrong = ~((given >= 0) & (given == np.floor(given)) & np.isfinite(given))
    if wrong.any():
        raise TiebreakError(f"counts holds {given[wrong][0]:g}: every count must be an integer ≥ 0")
    if not given.sum():
        raise TiebreakError("counts are all 0: there is nothing to resample")
    return given.astype(np.int64)
