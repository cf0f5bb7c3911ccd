"""The trace of a random confusion matrix, and the difference of two traces.

The trace is the number of right answers, so its exact law is Bin(n, θ). The published law is N(k Ā, k s²) with Ā the
mean cell and s² the dispersion of the cells. Its mean is n / k for every matrix, and its variance grows as n²: it
describes no classifier but one that guesses. It is here for comparison, never for inference.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of
from tiebreak._format import Shown
from tiebreak.errors import TiebreakError
from tiebreak.inference.posterior import Array
from tiebreak.inference.spectra.matrix import Cells

METHODS = ("paper", "corrected", "exact")
DIFFERENCES = ("paper", "theorem_3", "lemma_4", "exact")
# Products of two laws' probabilities summed one by one; above that by Fourier transforms, which round to 1e-16.
_DIRECT = 1 << 26
_ROOT_2PI = math.sqrt(2 * math.pi)


class _Normal:
    """A normal law with density, distribution function, quantiles and draws; a point where the deviation is 0."""

    def __init__(self, mean: float, sd: float) -> None:
        self.mean, self.sd = mean, sd

    def pdf(self, x: npt.ArrayLike) -> Array:
        z = (np.asarray(x, dtype=np.float64) - self.mean) / self.sd if self.sd else np.full(np.shape(x), np.nan)
        return np.asarray(np.exp(-(z**2) / 2) / (_ROOT_2PI * self.sd)) if self.sd else z

    def cdf(self, x: npt.ArrayLike) -> Array:
        from scipy.special import ndtr

        away = np.asarray(x, dtype=np.float64) - self.mean
        return np.asarray(ndtr(away / self.sd) if self.sd else (away >= 0) * 1.0)

    def quantile(self, share: npt.ArrayLike) -> Array:
        from scipy.special import ndtri

        return np.asarray(self.mean + self.sd * ndtri(np.asarray(share, dtype=np.float64)))

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        return rng.normal(self.mean, self.sd, size)


class _Lattice:
    """A law on consecutive integers, given by its probabilities."""

    def __init__(self, first: int, masses: Array) -> None:
        self.first, self.masses = first, masses
        self.cumulated = np.minimum(np.cumsum(masses), 1.0)
        places = np.arange(first, first + len(masses))
        self.mean = float(places @ masses)
        self.sd = math.sqrt(max(0.0, float((places - self.mean) ** 2 @ masses)))

    def pdf(self, x: npt.ArrayLike) -> Array:
        place = np.asarray(x, dtype=np.float64) - self.first
        last = len(self.masses) - 1
        inside = (place >= 0) & (place <= last) & (place == np.floor(place))
        return np.where(inside, self.masses[np.where(inside, place, 0).astype(np.int64)], 0.0)

    def cdf(self, x: npt.ArrayLike) -> Array:
        place = np.floor(np.asarray(x, dtype=np.float64)) - self.first
        inside = np.clip(place, 0, len(self.masses) - 1).astype(np.int64)
        return np.where(place < 0, 0.0, np.where(place >= len(self.masses) - 1, 1.0, self.cumulated[inside]))

    def quantile(self, share: npt.ArrayLike) -> Array:
        share = np.asarray(share, dtype=np.float64)
        place = np.searchsorted(self.cumulated, share * (1 - 1e-12))
        return self.first + np.minimum(place, len(self.masses) - 1).astype(np.float64)

    def sample(self, rng: np.random.Generator, size: int) -> Array:
        return self.quantile(rng.random(size))


class _Law(Shown):
    """Density, distribution function, quantiles and draws of one of the laws above."""

    _law: _Normal | _Lattice

    @property
    def mean(self) -> float:
        """The mean."""
        return self._law.mean

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return self._law.sd

    def pdf(self, x: npt.ArrayLike) -> Array:
        """Return the density, or the probability of x where the law is exact and lives on integers."""
        return self._law.pdf(x)

    def cdf(self, x: npt.ArrayLike) -> Array:
        """Return P(value ≤ x)."""
        return self._law.cdf(x)

    def quantile(self, share: npt.ArrayLike) -> Array:
        """Return the smallest x with P(value ≤ x) ≥ share."""
        return self._law.quantile(share)

    def sample(self, rng: np.random.Generator, size: int = 1) -> Array:
        """Draw from the law."""
        return self._law.sample(rng, size)


class TraceDistribution(_Law):
    """The law of the trace of a random k × k confusion matrix.

    Parameters
    ----------
    matrix : the confusion matrix it is fitted to
    method : "paper" is N(k Ā, k s²); "corrected" is the trace of s Z + Ā J (every cell shifted, J all ones), which is
        the same law, because the shift by J moves the eigenvalues and not the trace; "exact" is Bin(n, θ) with θ the
        observed accuracy

    The published law has mean n / k whatever the accuracy, and a standard deviation that grows as n.
    Source: Eigenvalue distributions in random confusion matrices, theorem 2.

    Examples
    --------
    >>> import tiebreak as tb
    >>> paper = tb.TraceDistribution([[62, 36], [51, 51]], method="paper")
    >>> exact = tb.TraceDistribution([[62, 36], [51, 51]], method="exact")
    >>> paper.mean, round(paper.sd, 3), round(exact.mean, 6), round(exact.sd, 3)
    (100.0, 15.1, 113.0, 7.011)
    """

    def __init__(self, matrix: Any, method: str = "paper") -> None:
        cells = Cells.of(matrix)
        self.method = one_of(method, "method", METHODS)
        if method == "exact":
            self._law = _binomial(cells.n, cells.trace / cells.n)
        else:
            self._law = _Normal(cells.k * cells.mean, math.sqrt(cells.k * cells.dispersion))


class TraceDifference(_Law):
    """The law of tr(A) − tr(B) for two random confusion matrices of the same number of instances.

    Parameters
    ----------
    a, b : the matrices
    method : "paper" is the law of the worked example, N(tr A − tr B, k(s_A² + s_B²)); "theorem_3" has the mean of the
        theorem, which is 0 for every pair; "lemma_4" has that mean and the variance s_A² + s_B²; "exact" is the
        difference of two independent binomials, which the two are not when they saw the same instances

    The three published versions contradict each other. The law of a paired difference is in `tb.superiority`.

    Examples
    --------
    >>> a, b = [[62, 36], [51, 51]], [[50, 53], [50, 47]]
    >>> round(float(1 - TraceDifference(a, b).cdf(0)), 5), round(float(1 - TraceDifference(a, b, "exact").cdf(0)), 4)
    (0.84915, 0.9401)
    """

    def __init__(self, a: Any, b: Any, method: str = "paper") -> None:
        one, two = Cells.of(a, "a"), Cells.of(b, "b")
        self.method = one_of(method, "method", DIFFERENCES)
        same_total(one, two)
        if method == "exact":
            law, other = (_binomial(cells.n, cells.trace / cells.n) for cells in (one, two))
            self._law = _difference(law, other)
            return
        variance = one.dispersion + two.dispersion
        mean = one.trace - two.trace if method == "paper" else one.k * (one.mean - two.mean)
        self._law = _Normal(mean, math.sqrt(variance if method == "lemma_4" else one.k * variance))


def same_total(one: Cells, two: Cells) -> None:
    """Refuse two matrices of different size or of different numbers of instances.

    Examples
    --------
    >>> same_total(Cells.of([[1, 0], [0, 1]]), Cells.of([[2, 0], [0, 0]]))
    """
    if one.k != two.k:
        raise TiebreakError(f"a has {one.k} classes and b {two.k}: two matrices are compared over the same classes")
    if one.n != two.n:
        raise TiebreakError(
            f"a holds {one.n} instances and b {two.n}: the traces of two models compare on the same number of instances"
        )


def _binomial(n: int, share: float) -> _Lattice:
    from scipy.special import gammaln, xlog1py, xlogy

    # Beyond this reach, 38 standard deviations and more, no probability is left in a float.
    reach = 38 * math.sqrt(n * share * (1 - share)) + 750
    first, last = max(0, math.floor(n * share - reach)), min(n, math.ceil(n * share + reach))
    t = np.arange(first, last + 1)
    log = gammaln(n + 1) - gammaln(t + 1) - gammaln(n - t + 1) + xlogy(t, share) + xlog1py(n - t, -share)
    masses = np.exp(log)
    return _Lattice(first, masses / masses.sum())


def _difference(one: _Lattice, two: _Lattice) -> _Lattice:
    """The law of one variable minus an independent other."""
    from scipy.signal import oaconvolve

    first = one.first - (two.first + len(two.masses) - 1)
    if len(one.masses) * len(two.masses) <= _DIRECT:
        return _Lattice(first, np.convolve(one.masses, two.masses[::-1]))
    masses = np.maximum(oaconvolve(one.masses, two.masses[::-1]), 0.0)
    return _Lattice(first, masses / masses.sum())
