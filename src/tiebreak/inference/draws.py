"""Draws of all models' true scores at once, from the joint law in which every pair has the law of its own doubt."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak.inference.moments import Moments
from tiebreak.inference.posterior import Array

# The prior's mass on all patterns together: 4 / 2^M on each, so that every pair's marginal is flat on its four cells.
PRIOR_MASS = 4.0
# After this many sticks less than a millionth of the prior's own share is left.
_STICKS = 64
# Values drawn at a time.
_AT_ONCE = 1 << 22
# With more patterns than this the joint posterior of the accuracies is normal to all digits that draws can show.
MOST_PATTERNS = 1 << 12


def posterior_accuracies(
    right: npt.NDArray[np.bool_], counts: npt.NDArray[np.int64], rng: np.random.Generator, draws: int
) -> Array:
    """Draw the accuracies of M models (draws × M) from their joint posterior over right/wrong patterns.

    The patterns have a Dirichlet prior of mass 4 / 2^M each. The posterior is w Dir(counts) + (1 − w) DP(4, uniform)
    with w ~ Beta(N, 4): a draw over the patterns that occurred, and a draw of the prior over all 2^M, made by breaking
    a stick into pieces, each with a pattern of its own.

    Examples
    --------
    >>> right, counts = np.array([[True, True, False, False], [True, False, True, False]]), np.array([30, 9, 4, 7])
    >>> drawn = posterior_accuracies(right, counts, np.random.default_rng(0), 4000)
    >>> bool(abs((drawn[:, 0] > drawn[:, 1]).mean() - 0.9102) < 0.02)
    True
    """
    models, patterns = right.shape
    n = int(counts.sum())
    step = max(1, _AT_ONCE // max(patterns, _STICKS * models))
    found = np.empty((draws, models))
    as_numbers = right.T.astype(np.float64)
    for start in range(0, draws, step):
        size = min(step, draws - start)
        gammas = rng.standard_gamma(counts, (size, patterns))
        seen = (gammas @ as_numbers) / gammas.sum(axis=1, keepdims=True)
        kept = rng.beta(n, PRIOR_MASS, (size, 1))
        found[start : start + size] = kept * seen + (1 - kept) * _prior(models, rng, size)
    return found


def _prior(models: int, rng: np.random.Generator, draws: int) -> Array:
    """Draw from the prior alone by stick breaking; what is left of the stick goes to its last piece."""
    cuts = rng.beta(1.0, PRIOR_MASS, (draws, _STICKS))
    cuts[:, -1] = 1.0
    rest = np.cumprod(np.concatenate([np.ones((draws, 1)), 1 - cuts[:, :-1]], axis=1), axis=1)
    patterns = rng.integers(0, 2, (draws, _STICKS, models), dtype=np.uint8)
    return np.asarray(np.einsum("ds,dsm->dm", cuts * rest, patterns, optimize=True))


def normal_scores(moments: Moments, rng: np.random.Generator, draws: int) -> Array:
    """Draw the scores of M models (draws × M) from Student's t about their means.

    All models share one χ² variable a draw, so that every pair's difference has the law of its own doubt. A model
    without a mean has draws of NaN.

    Examples
    --------
    >>> from tiebreak.inference.moments import weighted_moments
    >>> cells = np.array([[[39.0, 0, 0, 11], [30, 9, 4, 7]], [[30, 4, 9, 7], [34, 0, 0, 16]]])
    >>> moments = weighted_moments(cells, cells, 50.0, 50.0)
    >>> normal_scores(moments, np.random.default_rng(0), 3).shape
    (3, 2)
    """
    # A model without a mean would leave no eigenvalue to the others.
    values, vectors = np.linalg.eigh(np.where(np.isnan(moments.covariance), 0.0, moments.covariance))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    noise = rng.standard_normal((draws, len(moments.means))) @ root.T
    if np.isfinite(moments.df):
        noise *= np.sqrt(moments.df / rng.chisquare(moments.df, (draws, 1)))
    return np.asarray(moments.means + noise)


def resampled_means(
    times: npt.NDArray[np.int64], sums: Array, sizes: Array, rng: np.random.Generator, draws: int
) -> Array:
    """Resample units (patterns or groups) and return the means of M models in each resample (draws × M).

    `times` says how often each kind of unit occurred, `sums` (M × units) and `sizes` what one such unit holds.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> resampled_means(np.array([6, 4]), np.array([[1.0, 0.0]]), np.array([1.0, 1.0]), rng, 3)
    array([[0.5],
           [0.7],
           [0.9]])
    """
    n, found = int(times.sum()), np.empty((draws, len(sums)))
    step = max(1, _AT_ONCE // len(times))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        drawn = rng.multinomial(n, times / n, size).astype(np.float64)
        found[start : start + size] = (drawn @ sums.T) / (drawn @ sizes)[:, None]
    return found
