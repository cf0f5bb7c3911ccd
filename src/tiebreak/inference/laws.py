"""The law of a difference: one distribution from which probability, interval and p-value are read, so that they agree.

Unweighted, ungrouped counts have the flat posterior (`FlatPosterior`), whose three readings agree by identity.
Everything else (groups, weights, graded scores) has Student's t at (d, se) (`StudentLaw`), whose three readings agree
by construction. All arrays broadcast, one entry a pair; nothing is computed before it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tiebreak.inference import difference, posterior
from tiebreak.inference.posterior import Array


class Law(Protocol):
    """What a pair's doubt is read from; Δ is the primary's true score minus the alternative's."""

    @property
    def method(self) -> str:
        """The name of the law."""

    @property
    def estimate(self) -> Array:
        """The observed difference."""

    @property
    def p_better(self) -> Array:
        """P(Δ > 0)."""

    @property
    def p_worse(self) -> Array:
        """P(Δ < 0), with all its digits where `p_better` is near 1."""

    @property
    def p_value(self) -> Array:
        """The two-sided p-value of Δ = 0."""

    def ends(self, level: float) -> Array:
        """Both ends of the interval (…, 2)."""

    def above(self, y: npt.ArrayLike) -> Array:
        """P(Δ > y)."""

    def shrunk(self, tau: float) -> tuple[Array, Array]:
        """Mean and standard deviation of Δ under a prior N(0, τ²) for it."""


@dataclass(frozen=True, slots=True)
class FlatPosterior:
    """The posterior of Δ = θ_RW − θ_WR under a Dirichlet prior of `prior` on each cell; 1 is flat.

    Examples
    --------
    >>> law = FlatPosterior(np.array(9.0), np.array(4.0), np.array(50.0))
    >>> float(law.p_better.round(6)), float(law.p_value.round(6)), law.ends(0.95).round(4)
    (0.910217, 0.179565, array([-0.0442,  0.2319]))
    """

    rw: Array
    wr: Array
    n: Array
    prior: float = 1.0

    method = "flat_posterior"

    def where(self, kept: npt.NDArray[np.bool_]) -> FlatPosterior:
        """Keep some pairs only."""
        rw, wr, n = (np.broadcast_to(part, kept.shape)[kept] for part in (self.rw, self.wr, self.n))
        return FlatPosterior(rw, wr, n, self.prior)

    @property
    def estimate(self) -> Array:
        """(RW − WR) / n."""
        return np.asarray((self.rw - self.wr) / self.n)

    @property
    def p_better(self) -> Array:
        """P(Δ > 0), one incomplete beta function."""
        return posterior.p_better(self.rw, self.wr, self.prior)

    @property
    def p_worse(self) -> Array:
        """P(Δ < 0), the same function of the exchanged models."""
        return posterior.p_better(self.wr, self.rw, self.prior)

    @property
    def p_value(self) -> Array:
        """The two-sided mid-p value; NaN unless the prior is flat, because no test corresponds to another one."""
        found = posterior.mid_p(self.rw, self.wr)
        return found if self.prior == 1 else np.full_like(found, np.nan)

    def ends(self, level: float) -> Array:
        """Return the equal-tailed posterior interval, extended to contain the estimate."""
        return difference.interval(self.rw, self.wr, self.n, level, self.prior)

    def above(self, y: npt.ArrayLike) -> Array:
        """P(Δ > y)."""
        return difference.tail(y, self.rw, self.wr, self.n, self.prior)

    def shrunk(self, tau: float) -> tuple[Array, Array]:
        """Return mean and standard deviation of Δ under a prior N(0, tau²) for it."""
        return posterior.prior_scale_law(self.rw, self.wr, self.n, tau)


@dataclass(frozen=True, slots=True)
class StudentLaw:
    """Δ = d + se · t with `df` degrees of freedom, the interval clipped to `low`, `high`; `df` infinite is the normal.

    Degrees of freedom are one number, or one an entry.

    Where se is 0 there is no t: `degenerate` holds what stands in its place there, entry by entry. Without it, models
    that never differ are at the limit (probability 1/2, p-value 1, interval [0, 0]), and a constant difference, which
    says nothing about its own spread, is NaN.

    Examples
    --------
    >>> law = StudentLaw(np.array(0.1), np.array(0.05), 20.0, "cluster_t")
    >>> float(law.p_better.round(4)), float(law.p_value.round(4)), law.ends(0.95).round(4)
    (0.9704, 0.0593, array([-0.0043,  0.2043]))
    """

    estimate: Array
    se: Array
    df: float | Array
    method: str
    low: float = -1.0
    high: float = 1.0
    degenerate: FlatPosterior | None = None

    @property
    def p_better(self) -> Array:
        """P(Δ > 0) = F(d / se)."""
        return self._read(self._cdf(self._z(0.0)), lambda law: law.p_better, 0.5)

    @property
    def p_worse(self) -> Array:
        """P(Δ < 0) = F(−d / se)."""
        return self._read(self._cdf(-self._z(0.0)), lambda law: law.p_worse, 0.5)

    @property
    def p_value(self) -> Array:
        """2 F(−|d / se|)."""
        return self._read(2 * self._cdf(-np.abs(self._z(0.0))), lambda law: law.p_value, 1.0)

    def ends(self, level: float) -> Array:
        """D ± q se, clipped to the range of the difference."""
        from scipy.special import ndtri, stdtrit

        share, normal = (1 + level) / 2, np.isinf(self.df)
        reach = np.where(normal, ndtri(share), stdtrit(np.where(normal, 1.0, self.df), share)) * self.se
        ends = np.stack([self.estimate - reach, self.estimate + reach], axis=-1)
        ends = np.asarray(np.clip(ends, self.low, self.high))
        degenerate = self.degenerate
        if degenerate is None:
            return np.where((self._flat & (self.estimate != 0))[..., None], np.nan, ends)
        if self._flat.any():
            ends[self._flat] = degenerate.where(self._flat).ends(level)
        return ends

    def above(self, y: npt.ArrayLike) -> Array:
        """P(Δ > y) = F((d − y) / se)."""
        at = np.broadcast_to(np.asarray(y, dtype=np.float64), self.se.shape)
        return self._read(self._cdf(self._z(at)), lambda law: law.above(at[self._flat]), (1 - np.sign(at)) / 2)

    def shrunk(self, tau: float) -> tuple[Array, Array]:
        """Return mean and standard deviation of Δ under a prior N(0, tau²) for it."""
        mean, sd = posterior.shrunk(self.estimate, self.se, tau)
        parts = (lambda law: law.shrunk(tau)[0], lambda law: law.shrunk(tau)[1])
        return self._read(mean, parts[0], 0.0), self._read(sd, parts[1], 0.0)

    @property
    def _flat(self) -> npt.NDArray[np.bool_]:
        return np.asarray(self.se == 0)

    def _z(self, y: Array | float) -> Array:
        return np.asarray((self.estimate - y) / np.where(self._flat, 1.0, self.se))

    def _cdf(self, z: Array) -> Array:
        from scipy.special import ndtr, stdtr

        normal = np.isinf(self.df)
        return np.asarray(np.where(normal, ndtr(z), stdtr(np.where(normal, 1.0, self.df), z)))

    def _read(self, values: Array, reading: Callable[[FlatPosterior], Array], limit: Array | float) -> Array:
        """Put what `degenerate` says where se is 0; without it the limit of models that never differ, or NaN."""
        if not self._flat.any():
            return values
        if self.degenerate is None:
            return np.where(self._flat, np.where(self.estimate == 0, limit, np.nan), values)
        values = np.array(values)
        values[self._flat] = reading(self.degenerate.where(self._flat))
        return values
