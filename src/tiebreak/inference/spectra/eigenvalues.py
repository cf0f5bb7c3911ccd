"""The eigenvalues of a random confusion matrix: the published law, the corrected one, and the exact one.

With Z from the Gaussian orthogonal ensemble (diagonal N(0, 1), off-diagonal N(0, 1/2)), the published model is
λ(s Z) + Ā: the eigenvalues are shifted. But subtracting the mean cell shifts every cell, A = s Z + Ā J with J all ones,
and J has one eigenvalue k and the others 0: the corrected law. For two classes both are a trace t and an independent
spacing d, λ = (t ± d)/2, with t ~ N(2Ā, 2s²); the published spacing is Rayleigh(√2 s), the corrected one
Rice(2Ā, √2 s). The exact law is that of the multinomial counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of
from tiebreak._format import Shown
from tiebreak.errors import NotDefined
from tiebreak.inference.posterior import Array
from tiebreak.inference.spectra.matrix import Cells
from tiebreak.inference.spectra.traces import METHODS

WHICH = ("largest", "smallest", "random", "spacing")
# Above this many instances the exact law has more atoms than are worth writing out.
MOST_EXACT = 3000
_ROOT_PI = math.sqrt(math.pi)


@dataclass(frozen=True, slots=True, eq=False)
class Marginal:
    """The law of one number: `pdf` and `cdf`; an exact law lives on atoms and has no density."""

    which: str
    cdf: Callable[[npt.ArrayLike], Array]
    pdf: Callable[[npt.ArrayLike], Array]


class EigenvalueDistribution(Shown):
    """The law of the eigenvalues of a random k × k confusion matrix.

    Parameters
    ----------
    matrix : the confusion matrix it is fitted to: Ā is its mean cell, s² the dispersion of its cells
    method : "paper", "corrected" or "exact" (of the symmetrised multinomial matrix)

    For two classes every method has marginals and spacing; for more, "paper" has the joint density, and every method
    draws. Neither "paper" nor "corrected" describes a classifier that is better than guessing: use them to reproduce,
    not to infer. Source: Eigenvalue distributions in random confusion matrices, theorem 1.

    Examples
    --------
    >>> import tiebreak as tb
    >>> law = tb.EigenvalueDistribution([[62, 36], [51, 51]], method="corrected")
    >>> law.mean, round(law.s, 4), round(float(law.marginal("largest").cdf(100.0)), 4)
    (50.0, 10.6771, 0.4786)
    """

    def __init__(self, matrix: Any, method: str = "paper") -> None:
        self.cells = Cells.of(matrix)
        self.method = one_of(method, "method", METHODS)
        self.k = self.cells.k
        self.mean = self.cells.mean
        self.s = math.sqrt(self.cells.dispersion)

    def pdf(self, *eigenvalues: npt.ArrayLike) -> Array:
        """Return the joint density of the unordered eigenvalues on R^k; it integrates to 1.

        "paper": exp(−Σ x²/2) Π |x_i − x_j| / (c_k s^k), x = (λ − Ā)/s, c_k = (2π)^{k/2} Π_j Γ(1 + j/2)/Γ(3/2).
        "corrected" for two classes: the product of the densities of trace and spacing.

        Examples
        --------
        >>> law = EigenvalueDistribution([[62, 36], [51, 51]])
        >>> law.pdf(60.0, 45.0).round(8)
        np.float64(0.00100461)
        """
        if len(eigenvalues) != self.k:
            raise NotDefined(f"the joint density takes {self.k} eigenvalues, and {len(eigenvalues)} were given")
        self._refuse("exact", "a density; its counts are integers: use cdf of a marginal, or sample")
        values = np.broadcast_arrays(*(np.asarray(value, dtype=np.float64) for value in eigenvalues))
        if not self.s:
            raise NotDefined("all cells are equal: the fitted law has no spread and no density")
        if self.method == "corrected":
            self._two_classes("the joint density of the corrected law")
            t, d = values[0] + values[1], np.abs(values[0] - values[1])
            return self._trace_density(t) * self._spacing_density(d)
        x = (np.stack(values) - self.mean) / self.s
        gaps = np.ones(x.shape[1:])
        for i in range(self.k):
            for j in range(i):
                gaps = gaps * np.abs(x[i] - x[j])
        return np.asarray(np.exp(-(x**2).sum(axis=0) / 2) * gaps / (_normaliser(self.k) * self.s**self.k))

    def printed_pdf(self, first: npt.ArrayLike, second: npt.ArrayLike) -> Array:
        """Return the joint density as printed, with 1/(4 s² √π) for 1/(4 s³ √π): it integrates to s, not to 1.

        Examples
        --------
        >>> law = EigenvalueDistribution([[62, 36], [51, 51]])
        >>> float((law.printed_pdf(60.0, 45.0) / law.pdf(60.0, 45.0)).round(6)) == round(law.s, 6)
        True
        """
        self._two_classes("the printed density")
        return EigenvalueDistribution(self.cells.counts, "paper").pdf(first, second) * self.s

    def marginal(self, which: str = "largest") -> Marginal:
        """Return the law of the "largest", the "smallest", a "random" eigenvalue, or of the "spacing" between them.

        Examples
        --------
        >>> law = EigenvalueDistribution([[62, 36], [51, 51]])
        >>> float(law.marginal("spacing").cdf(2 * law.s).round(6))
        0.632121
        """
        one_of(which, "which", WHICH)
        self._two_classes("marginals")
        if self.method == "exact":
            return self._exact_marginal(which)
        if not self.s:
            raise NotDefined("all cells are equal: the fitted law has no spread")
        if which == "spacing":
            return Marginal(which, self._spacing_cdf, self._spacing_density)
        return self._paper_marginal(which) if self.method == "paper" else self._corrected_marginal(which)

    def sample(self, rng: np.random.Generator, size: int = 1) -> Array:
        """Draw eigenvalues (size × k), largest first.

        Examples
        --------
        >>> law = EigenvalueDistribution([[62, 36], [51, 51]], "exact")
        >>> law.sample(np.random.default_rng(0), 1).sum().round(6)
        np.float64(104.0)
        """
        if self.method == "exact":
            shares = self.cells.shares.reshape(-1)
            counts = rng.multinomial(self.cells.n, shares, size).reshape(size, self.k, self.k).astype(np.float64)
            return _largest_first((counts + counts.transpose(0, 2, 1)) / 2)
        normal = rng.standard_normal((size, self.k, self.k))
        ensemble = self.s * (normal + normal.transpose(0, 2, 1)) / 2
        shift = np.eye(self.k) if self.method == "paper" else np.ones((self.k, self.k))
        return _largest_first(ensemble + self.mean * shift)

    # Two classes: a trace and an independent spacing.

    def _trace_density(self, t: Array) -> Array:
        variance = 2 * self.s**2
        return np.asarray(np.exp(-((t - 2 * self.mean) ** 2) / (2 * variance)) / math.sqrt(2 * math.pi * variance))

    @property
    def _rice_centre(self) -> float:
        return 0.0 if self.method == "paper" else 2 * self.mean

    def _spacing_density(self, d: npt.ArrayLike) -> Array:
        """Rice with scale √2 s, which is Rayleigh where its centre is 0."""
        from scipy.special import i0e

        d, variance, centre = np.asarray(d, dtype=np.float64), 2 * self.s**2, self._rice_centre
        tilted = i0e(d * centre / variance) * np.exp(-((d - centre) ** 2) / (2 * variance))
        return np.where(d > 0, d / variance * tilted, 0.0)

    def _spacing_cdf(self, d: npt.ArrayLike) -> Array:
        from scipy.special import chndtr

        d, variance, centre = np.asarray(d, dtype=np.float64), 2 * self.s**2, self._rice_centre
        if centre == 0:
            return np.where(d > 0, -np.expm1(-(d**2) / (2 * variance)), 0.0)
        ratio = centre**2 / variance
        if ratio > 1e4:
            # Far from 0 the Rice law is integrated: the series of the noncentral law would take too long.
            return self._integrated_spacing(d)
        return np.where(d > 0, chndtr(np.maximum(d, 0.0) ** 2 / variance, 2.0, ratio), 0.0)

    def _integrated_spacing(self, d: Array) -> Array:
        low, high = self._spacing_reach
        length = np.clip(d, low, high) - low
        nodes, weights = _legendre(100)
        inner = self._spacing_density(low + length[..., None] * (nodes + 1) / 2) @ weights
        return np.asarray(np.minimum(inner * length / 2, 1.0))

    @property
    def _spacing_reach(self) -> tuple[float, float]:
        reach = 9 * math.sqrt(2) * self.s
        return max(0.0, self._rice_centre - reach), self._rice_centre + reach

    @cached_property
    def _spacing_nodes(self) -> tuple[Array, Array]:
        """Nodes over the effective support of the spacing, and the probability that each stands for."""
        low, high = self._spacing_reach
        nodes, weights = _legendre(400)
        places = low + (high - low) * (nodes + 1) / 2
        return places, weights * (high - low) / 2 * self._spacing_density(places)

    def _corrected_marginal(self, which: str) -> Marginal:
        """Integrals over the spacing of the normal law of the trace."""
        from scipy.special import ndtr

        d, weights = self._spacing_nodes
        scale = math.sqrt(2) * self.s
        signs = {"largest": (1.0,), "smallest": (-1.0,), "random": (1.0, -1.0)}[which]

        def standard(x: npt.ArrayLike, sign: float) -> Array:
            return np.asarray((2 * np.asarray(x, dtype=np.float64)[..., None] - sign * d - 2 * self.mean) / scale)

        def cdf(x: npt.ArrayLike) -> Array:
            return np.asarray(sum((ndtr(standard(x, sign)) * weights).sum(axis=-1) for sign in signs) / len(signs))

        def pdf(x: npt.ArrayLike) -> Array:
            parts = [(_phi(standard(x, sign)) * weights).sum(axis=-1) * 2 / scale for sign in signs]
            return np.asarray(sum(parts) / len(signs))

        return Marginal(which, cdf, pdf)

    def _paper_marginal(self, which: str) -> Marginal:
        """Closed forms of the standard ensemble, shifted and scaled."""
        standard_cdf, standard_pdf = _STANDARD[which]

        def scaled(x: npt.ArrayLike) -> Array:
            return np.asarray((np.asarray(x, dtype=np.float64) - self.mean) / self.s)

        return Marginal(which, lambda x: standard_cdf(scaled(x)), lambda x: standard_pdf(scaled(x)) / self.s)

    @cached_property
    def _atoms(self) -> tuple[Array, Array, Array]:
        """Trace, spacing and probability of every outcome of the symmetrised 2 × 2 matrix.

        The trace is Bin(n, θ), the first cell given the trace again binomial; b + c = n − trace is then known.
        """
        n = self.cells.n
        if n > MOST_EXACT:
            raise NotDefined(
                f"the exact law of {n} instances has {(n + 1) * (n + 2) // 2} atoms: draw from it with sample, or use "
                f"at most {MOST_EXACT}"
            )
        from scipy.special import gammaln, xlog1py, xlogy

        (a, _), (_, d) = self.cells.shares.tolist()
        theta = min(1.0, a + d)
        first = a / theta if theta > 0 else 0.0
        t, x = np.tril_indices(n + 1)
        log = gammaln(n + 1) - gammaln(n - t + 1) - gammaln(x + 1) - gammaln(t - x + 1)
        log = log + xlogy(t, theta) + xlog1py(n - t, -theta) + xlogy(x, first) + xlog1py(t - x, -first)
        mass = np.exp(log)
        spacing = np.sqrt((2.0 * x - t) ** 2 + (n - t) ** 2.0)
        return t.astype(np.float64), spacing, mass / mass.sum()

    def _exact_marginal(self, which: str) -> Marginal:
        t, d, mass = self._atoms
        values = {
            "largest": [(t + d) / 2],
            "smallest": [(t - d) / 2],
            "random": [(t + d) / 2, (t - d) / 2],
            "spacing": [d],
        }[which]
        atoms, masses = np.concatenate(values), np.concatenate([mass] * len(values)) / len(values)
        order = np.argsort(atoms, kind="stable")
        atoms, cumulated = atoms[order], np.concatenate([[0.0], np.cumsum(masses[order])])

        def cdf(x: npt.ArrayLike) -> Array:
            # Eigenvalues are square roots: equal ones may differ in their last digit.
            x = np.asarray(x, dtype=np.float64)
            return np.asarray(np.minimum(cumulated[np.searchsorted(atoms, x + 1e-9 * np.maximum(np.abs(x), 1))], 1.0))

        def pdf(_: npt.ArrayLike) -> Array:
            raise NotDefined("the exact law lives on atoms and has no density: use cdf, or sample")

        return Marginal(which, cdf, pdf)

    def _two_classes(self, what: str) -> None:
        if self.k != 2:
            raise NotDefined(f"{what} of {self.k} classes: no closed form is known; draw with sample")

    def _refuse(self, method: str, why: str) -> None:
        if self.method == method:
            raise NotDefined(f"the {method} law has no {why}".replace("no a ", "no "))


def _largest_first(matrices: Array) -> Array:
    return np.asarray(np.linalg.eigvalsh(matrices)[:, ::-1])


@lru_cache
def _legendre(count: int) -> tuple[Array, Array]:
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, weights


def _normaliser(k: int) -> float:
    """c_k = (2π)^{k/2} Π_j Γ(1 + j/2) / Γ(3/2); 4 √π for two classes."""
    gammas = math.prod(math.gamma(1 + j / 2) / math.gamma(1.5) for j in range(1, k + 1))
    return float((2 * math.pi) ** (k / 2) * gammas)


def _phi(x: Array) -> Array:
    return np.asarray(np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi))


def _largest_cdf(x: Array) -> Array:
    from scipy.special import ndtr

    return np.asarray(ndtr(math.sqrt(2) * x) - _ROOT_PI * _phi(x) * ndtr(x))


def _largest_pdf(x: Array) -> Array:
    from scipy.special import ndtr

    return np.asarray(_ROOT_PI * _phi(x) * (x * ndtr(x) + _phi(x)))


# The smallest eigenvalue is the largest of the mirrored ensemble; a random one is either, half the time.
_STANDARD: dict[str, tuple[Callable[[Array], Array], Callable[[Array], Array]]] = {
    "largest": (_largest_cdf, _largest_pdf),
    "smallest": (lambda x: 1 - _largest_cdf(-x), lambda x: _largest_pdf(-x)),
    "random": (
        lambda x: (_largest_cdf(x) + 1 - _largest_cdf(-x)) / 2,
        lambda x: (_largest_pdf(x) + _largest_pdf(-x)) / 2,
    ),
}
