"""Means of several models with their standard errors where instances are dependent or weighted.

Both come from influences: what one independent unit (a group, or a weighted instance) adds to a mean. With e_g the
sums of group g minus its size times the mean, and W all sizes together, the covariance of the means is
G / (G − 1) Σ_g e_g e_gᵀ / W²; with independent weights it is Σ_i w_i² (x_i − x̄)(x_i − x̄)ᵀ / W².
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.errors import NotDefined
from tiebreak.inference.laws import FlatPosterior, StudentLaw
from tiebreak.inference.posterior import Array
from tiebreak.tables import GroupSums, LossSums

Places = npt.NDArray[np.intp]

# A variance that is this much smaller than what it is a difference of is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Means of M models, their covariance, and the standard error of every paired difference.

    Attributes
    ----------
    means : of each model
    covariance : of the means (M × M)
    se : of the difference of every pair (M × M), exactly 0 where the two never differ from their mean difference
    df : degrees of freedom of Student's t
    method : "cluster_t", "weighted_t" or "t"
    """

    means: Array
    covariance: Array
    se: Array
    df: float
    method: str

    @property
    def differences(self) -> Array:
        """Mean of the row's model minus mean of the column's (M × M)."""
        return np.asarray(self.means[:, None] - self.means[None, :])

    def law(self, p: Places, q: Places, low: float, high: float, degenerate: FlatPosterior | None = None) -> StudentLaw:
        """Return the law of some differences; `degenerate` stands where a standard error is 0."""
        return StudentLaw(self.means[p] - self.means[q], self.se[p, q], self.df, self.method, low, high, degenerate)

    def mean_ends(self, level: float, low: float, high: float, degenerate: Array) -> Array:
        """Return the interval of each mean (M × 2); `degenerate` stands where its standard error is 0."""
        from scipy.special import stdtrit

        se = np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))
        reach = stdtrit(self.df, (1 + level) / 2) * se
        ends = np.clip(np.stack([self.means - reach, self.means + reach], axis=-1), low, high)
        return np.where((se <= 1e-12 * np.abs(self.means))[:, None], degenerate, ends)


def grouped_moments(sums: GroupSums, method: str = "cluster_t") -> Moments:
    """Return the moments of dependent instances, or of independent ones as groups of one.

    Undefined with fewer than two groups: one group says nothing about how groups differ. With method "weighted_t" each
    group is one weighted instance; its weight is known, so the factor G / (G − 1) falls away, and Kish's effective
    number less one is the degrees of freedom.

    Examples
    --------
    >>> moments = grouped_moments(GroupSums(np.array([2.0, 3, 1]), np.array([[2.0, 1, 1], [1.0, 2, 0]])))
    >>> moments.differences[0, 1].round(4), moments.se[0, 1].round(4), moments.df
    (np.float64(0.1667), np.float64(0.3758), 2.0)
    """
    groups = sums.groups
    if groups < 2:
        raise NotDefined(
            f"group has {groups} value: a standard error needs at least two groups; leave --group out if the instances "
            "are independent, or give more groups"
        )
    means, total, factor, df = sums.means, sums.total, groups / (groups - 1), float(groups - 1)
    if method == "weighted_t":
        factor, df = 1.0, _kish_df(total, float(sums.sizes @ sums.sizes))
    residuals = sums.sums - means[:, None] * sums.sizes
    covariance = factor * (residuals @ residuals.T) / total**2
    variance = factor * _squares_of_differences(sums, means) / total**2
    return Moments(means, covariance, np.sqrt(variance), df, method)


def valued_moments(values: Array, amounts: Array, squares: Array, *, weighted: bool) -> Moments:
    """Return the moments of independent instances whose distinct rows are counted or weighted.

    Parameters
    ----------
    values : one number a model and distinct row (M × K)
    amounts, squares : Σw and Σw² of each row; both are its count where nothing is weighted
    weighted : whether they are weights

    Examples
    --------
    >>> counts = np.array([3.0, 1.0])
    >>> valued_moments(np.array([[1.0, 0.0], [0.0, 1.0]]), counts, counts, weighted=False).se[0, 1]
    np.float64(0.5)
    """
    total = float(amounts.sum())
    means = values @ amounts / total
    away = values - means[:, None]
    variance = np.array([((away - row) ** 2) @ squares for row in away])
    return _scaled(means, (away * squares) @ away.T, variance, total, float(squares.sum()), weighted=weighted)


def summed_moments(sums: LossSums) -> Moments:
    """Return the moments of independent instances of which only sums are left, more being better.

    Examples
    --------
    >>> from tiebreak.tables import Losses, loss_sums
    >>> values = np.array([[1.0, 0.5], [0.0, 0.5], [1.0, 0.0]])
    >>> summed_moments(loss_sums(Losses(("a", "b"), values, kind="scores"))).se[0, 1].round(6)
    np.float64(0.440959)
    """
    sign = -1.0 if sums.lower_is_better else 1.0
    known = np.where(sums.failed, np.nan, 1.0)
    means = known * sign * sums.sums / sums.total
    along, own, squares = sign * sums.along, sums.own, sums.total_of_squares
    d, cross = means[:, None] - means[None, :], along[:, None] - along[None, :]
    found = sums.differences - 2 * d * cross + d**2 * squares
    variance = np.where(found <= _ROUNDING * (sums.differences + d**2 * squares), 0.0, found)
    products = (own[:, None] + own[None, :] - sums.differences) / 2
    covariance = products - means[None, :] * along[:, None] - means[:, None] * along[None, :]
    covariance = covariance + means[:, None] * means[None, :] * squares
    return _scaled(means, covariance, variance, sums.total, squares, weighted=sums.weighted)


def _scaled(
    means: Array, covariance: Array, variance: Array, total: float, squares: float, *, weighted: bool
) -> Moments:
    """Sums of squares over instances become the moments of means."""
    if weighted:
        factor, df, method = 1.0, _kish_df(total, squares), "weighted_t"
    else:
        factor, df, method = total / (total - 1), total - 1, "t"
    return Moments(means, factor * covariance / total**2, np.sqrt(factor * variance) / total, df, method)


def _kish_df(total: float, squares: float) -> float:
    return max(total**2 / squares - 1.0, 1e-3)


def _squares_of_differences(sums: GroupSums, means: Array) -> Array:
    """Σ_g (D_g − d n_g)² for every pair, D the difference of two models' sums; exactly 0 where it should be.

    Right counts are integers, so every product below is exact for them; what remains of a difference of nearly equal
    terms is rounding, and no variance.
    """
    products, along = sums.sums @ sums.sums.T, sums.sums @ sums.sizes
    own = np.diagonal(products)
    d = means[:, None] - means[None, :]
    squares = own[:, None] + own[None, :] - products - products.T
    cross, sizes = along[:, None] - along[None, :], float(sums.sizes @ sums.sizes)
    found = squares - 2 * d * cross + d**2 * sizes
    scale = np.abs(squares) + 2 * np.abs(d * cross) + d**2 * sizes
    fractional = own[:, None] + own[None, :] if not np.array_equal(sums.sums, np.rint(sums.sums)) else 0.0
    return np.where(found <= _ROUNDING * np.maximum(scale, fractional), 0.0, found)


def weighted_moments(cells: Array, squares: Array, total: float, total_of_squares: float) -> Moments:
    """Return the moments of independent, weighted instances from the pairs' cells.

    Parameters
    ----------
    cells : sums of weights in both right, right/wrong, wrong/right, both wrong (M × M × 4)
    squares : sums of squared weights in the same cells
    total, total_of_squares : of all weights; Kish's effective number less one is the degrees of freedom

    Examples
    --------
    >>> cells = np.array([[[5.0, 0, 0, 3], [4, 1, 2, 1]], [[4, 2, 1, 1], [6, 0, 0, 2]]])
    >>> weighted_moments(cells, cells, 8.0, 8.0).se[0, 1].round(4)
    np.float64(0.2119)
    """
    right = np.diagonal(cells[..., 0])
    means = right / total
    d = means[:, None] - means[None, :]
    br, rw, wr, bw = np.moveaxis(squares, -1, 0)
    # Every term is ≥ 0, and all are 0 for models that never differ.
    variance = (rw * (1 - d) ** 2 + wr * (1 + d) ** 2 + (br + bw) * d**2) / total**2
    own = np.diagonal(br)
    covariance = br - means[None, :] * own[:, None] - means[:, None] * own[None, :]
    covariance = (covariance + means[:, None] * means[None, :] * total_of_squares) / total**2
    return Moments(means, covariance, np.sqrt(variance), _kish_df(total, total_of_squares), "weighted_t")
