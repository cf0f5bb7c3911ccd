"""One confusion matrix as numbers: its mean cell, the dispersion of its cells, its eigenvalues, Youden's J."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.errors import EmptyComparison, TiebreakError
from tiebreak.inference.posterior import Array


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A square matrix of counts, rows the true class and columns the predicted one.

    Attributes
    ----------
    counts : the matrix (k × k)

    Examples
    --------
    >>> cells = Cells.of([[62, 36], [51, 51]])
    >>> cells.n, cells.trace, cells.mean, round(cells.dispersion, 6)
    (200, 113, 50.0, 114.0)
    """

    counts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, matrix: Any, argument: str = "matrix") -> Cells:
        """Check a matrix: square, at least 2 × 2, whole counts ≥ 0, not empty."""
        try:
            given = np.asarray(matrix, dtype=np.float64)
        except (TypeError, ValueError):
            raise TiebreakError(f"{argument} is no matrix of numbers: give a square confusion matrix") from None
        if given.ndim != 2 or given.shape[0] != given.shape[1] or len(given) < 2:
            raise TiebreakError(f"{argument} has shape {given.shape}: a confusion matrix is square, at least 2 × 2")
        wrong = ~((given >= 0) & (given == np.floor(given)) & np.isfinite(given))
        if wrong.any():
            raise TiebreakError(f"{argument} holds {given[wrong][0]:g}: every cell must be an integer ≥ 0")
        if not given.any():
            raise EmptyComparison(f"{argument} is all 0: a confusion matrix needs at least one instance")
        return cls(given.astype(np.int64))

    @property
    def k(self) -> int:
        """The number of classes."""
        return len(self.counts)

    @property
    def n(self) -> int:
        """The number of instances."""
        return int(self.counts.sum())

    @property
    def trace(self) -> int:
        """The number of right answers."""
        return int(np.trace(self.counts))

    @property
    def shares(self) -> Array:
        """Each cell as a share of all instances."""
        return np.asarray(self.counts / self.n)

    @property
    def mean(self) -> float:
        """The mean of the k² cells, n / k²: the same for every matrix of n instances."""
        return self.n / self.k**2

    @property
    def dispersion(self) -> float:
        """The sample variance s² of the k² cells: how unequal they are, which grows as n², not as n."""
        squares = sum(count * count for count in self.counts.reshape(-1).tolist())
        return float(dispersion(float(squares), float(self.n), self.k))


def dispersion(squares: npt.ArrayLike, n: float, k: int) -> Array:
    """s² = (Σ cells² − n² / k²) / (k² − 1), from the sum of the squared cells.

    Examples
    --------
    >>> dispersion(62**2 + 36**2 + 51**2 + 51**2, 200, 2)
    array(114.)
    """
    return np.asarray(np.maximum(np.asarray(squares, dtype=np.float64) - n * n / k**2, 0.0) / (k**2 - 1))


@dataclass(frozen=True, slots=True)
class Spectrum:
    """The eigenvalues of a confusion matrix, and the one spectral summary that means something.

    Attributes
    ----------
    eigenvalues : of the counts, largest real part first; their sum is the number of right answers
    symmetrised : of (A + Aᵀ)/2, which are others
    normalised : of the matrix whose rows sum to 1: 1 first, and for two classes Youden's J second; NaN with an empty
        true class
    youden_j : (sum of the recalls − 1) / (k − 1), which for two classes is sensitivity + specificity − 1
    """

    eigenvalues: tuple[complex, ...]
    symmetrised: tuple[float, ...]
    normalised: tuple[complex, ...]
    youden_j: float


def spectrum(matrix: Any) -> Spectrum:
    """Return the eigenvalues of a confusion matrix: as it is, symmetrised, and with rows that sum to 1.

    Examples
    --------
    >>> found = spectrum([[62, 36], [51, 51]])
    >>> [round(value, 4) for value in found.eigenvalues], round(found.youden_j, 6)
    ([99.7001, 13.2999], 0.132653)
    """
    counts = Cells.of(matrix).counts.astype(np.float64)
    rows = counts.sum(axis=1, keepdims=True)
    normalised = counts / np.where(rows > 0, rows, 1.0)
    symmetric = np.linalg.eigvalsh((counts + counts.T) / 2)[::-1]
    known = bool((rows > 0).all())
    return Spectrum(
        _sorted(np.linalg.eigvals(counts)),
        tuple(symmetric.tolist()),
        _sorted(np.linalg.eigvals(normalised)) if known else (float("nan"),) * len(counts),
        youden_j(matrix),
    )


def _sorted(values: npt.NDArray[Any]) -> tuple[complex, ...]:
    ordered = sorted(values.tolist(), key=lambda value: (-value.real, -value.imag))
    return tuple(value.real if value.imag == 0 else value for value in ordered)


def youden_j(matrix: Any) -> float:
    """Youden's J = (Σ recalls − 1) / (k − 1): for two classes sensitivity + specificity − 1.

    Range [−1/(k − 1), 1]; 0 for guessing; NaN where a true class is empty. It is the second eigenvalue of the
    row-normalised 2 × 2 matrix.

    Examples
    --------
    >>> round(youden_j([[62, 36], [51, 51]]), 6), youden_j([[5, 1], [0, 0]])
    (0.132653, nan)
    """
    counts = Cells.of(matrix).counts.astype(np.float64)
    rows = counts.sum(axis=1)
    if not (rows > 0).all():
        return float("nan")
    return float(((np.diagonal(counts) / rows).sum() - 1) / (len(counts) - 1))
