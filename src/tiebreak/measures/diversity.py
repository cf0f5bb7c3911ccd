"""How differently two models err: four statistics of the same four cells, each symmetric in the two models."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tiebreak.measures.prayatul import Array, _ratio, _split


def disagreement(cells: npt.ArrayLike) -> Array:
    """(RW + WR) / N: how often exactly one of the two is right. Range [0, 1].

    Examples
    --------
    >>> disagreement([30, 9, 4, 7])
    array(0.26)
    """
    br, rw, wr, bw = _split(cells)
    return _ratio(rw + wr, br + rw + wr + bw)


def double_fault(cells: npt.ArrayLike) -> Array:
    """BW / N: how often both are wrong. Range [0, 1].

    Examples
    --------
    >>> double_fault([30, 9, 4, 7])
    array(0.14)
    """
    br, rw, wr, bw = _split(cells)
    return _ratio(bw, br + rw + wr + bw)


def yule_q(cells: npt.ArrayLike) -> Array:
    """Yule's Q = (BR·BW − RW·WR) / (BR·BW + RW·WR): association of the two models' rightness.

    Range [−1, 1], 0 for independence; NaN where both products are 0.

    Examples
    --------
    >>> yule_q([30, 9, 4, 7]).round(6), yule_q([10, 0, 0, 0])
    (np.float64(0.707317), array(nan))
    """
    br, rw, wr, bw = _split(cells)
    return _ratio(br * bw - rw * wr, br * bw + rw * wr)


def phi(cells: npt.ArrayLike) -> Array:
    """φ = (BR·BW − RW·WR) / √((BR+RW)(WR+BW)(BR+WR)(RW+BW)): correlation of the two models' rightness.

    Range [−1, 1]; NaN where a model is always right or always wrong.

    Examples
    --------
    >>> phi([30, 9, 4, 7]), phi([10, 0, 5, 0])
    (array(0.36018129), array(nan))
    """
    br, rw, wr, bw = _split(cells)
    # Square roots first, so that the product cannot overflow; each pair of margins is symmetric in the two models.
    margins = (np.sqrt(br + rw) * np.sqrt(br + wr)) * (np.sqrt(wr + bw) * np.sqrt(rw + bw))
    # The root of a product is not quite the product of roots: a perfect correlation would be off by its last digit.
    return np.asarray(np.clip(_ratio(br * bw - rw * wr, margins), -1.0, 1.0))
