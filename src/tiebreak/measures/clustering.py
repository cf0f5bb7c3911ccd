"""How well two clusterings agree about pairs: Rand, adjusted Rand, Fowlkes-Mallows, and what chance alone would give.

Every function takes `sums`, an array (…, 4) of all pairs T, the pairs together in the first clustering S_X, in the
second S_Y, and in both S_XY (`Partitions.pair_sums`), and returns an array (…). Integers are calculated with exactly:
only the last division rounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.measures.prayatul import Array

NO_PAIR_TOGETHER = "no pair of instances is together in one of the clusterings, so there is nothing to recover"
NO_PAIR = "fewer than two instances have no pair"


def rand(sums: npt.ArrayLike) -> Array:
    """R = (T − S_X − S_Y + 2 S_XY) / T: the share of pairs that are together in both clusterings or apart in both.

    Range [0, 1]; undefined without a pair. Two unrelated halvings agree on half of all pairs: see `chance_rand`.
    Source: Rand 1971.

    Examples
    --------
    >>> rand([6, 2, 3, 1])
    array(0.5)
    """
    t, x, y, xy = _split(sums)
    return _ratio(t - x - y + 2 * xy, t)


def adjusted_rand(sums: npt.ArrayLike) -> Array:
    """(S_XY − S_X S_Y / T) / ((S_X + S_Y) / 2 − S_X S_Y / T): the Rand index on a scale where chance is 0.

    Range (−1, 1]; 1 where the denominator is 0, which only equal clusterings reach (all in one, or all alone).
    Undefined without a pair. Source: Hubert & Arabie 1985.

    Examples
    --------
    >>> adjusted_rand([6, 2, 3, 1]).round(12), adjusted_rand([6, 0, 0, 0])
    (np.float64(0.0), array(1.))
    """
    t, x, y, xy = _split(sums)
    found = _ratio(2 * (t * xy - x * y), t * (x + y) - 2 * x * y, otherwise=1.0)
    return np.where(_floats(t) == 0, np.nan, found)


def fowlkes_mallows(sums: npt.ArrayLike) -> Array:
    """S_XY / √(S_X S_Y): the geometric mean of precision and recall over the pairs that are together.

    Range [0, 1]; undefined where no pair is together in one of the clusterings. Source: Fowlkes & Mallows 1983.

    Examples
    --------
    >>> fowlkes_mallows([6, 2, 3, 1]).round(6), fowlkes_mallows([6, 0, 3, 0])
    (np.float64(0.408248), array(nan))
    """
    _, x, y, xy = _split(sums)
    return _ratio(_floats(xy), np.sqrt(_floats(x) * _floats(y)))


def chance_rand(sums: npt.ArrayLike) -> Array:
    """(T − S_X − S_Y + 2 S_X S_Y / T) / T: the Rand index expected when one clustering's labels are shuffled.

    Range [0, 1]; it is about 1/2 for two balanced halvings and near 1 for many small clusters. Source: Hubert & Arabie
    1985.

    Examples
    --------
    >>> chance_rand([6, 2, 3, 1]), chance_rand([4950, 2450, 2450, 0]).round(6)
    (array(0.5), np.float64(0.500051))
    """
    t, x, y, _ = _split(sums)
    return _ratio(t * (t - x - y) + 2 * x * y, t * t)


def chance_cells(total: float, truth: float, primary: float, alternative: float) -> Array:
    """Return the Prayatul cells expected when truth, primary and alternative are shuffled independently.

    The arguments are T, S_G, S_P and S_Q. With the three labelings independent, the expected number of pairs together
    in two of them is the product of their sums over T; the cells follow from it. They sum to T.

    Examples
    --------
    >>> chance_cells(6, 2, 3, 2).round(4)
    array([1.6667, 1.3333, 1.6667, 1.3333])
    """
    g, p, q = (together / total if total else np.nan for together in (truth, primary, alternative))
    gp, gq, pq = g * p, g * q, p * q
    cells = [1 - g - p - q + gp + gq + pq, gp + q - gq - pq, gq + p - gp - pq, pq + g - gp - gq]
    return np.asarray(cells, dtype=np.float64) * total


def _split(sums: npt.ArrayLike) -> tuple[Any, Any, Any, Any]:
    """The four sums; integers as Python's own, because a product of two of them passes 64 bits."""
    table = np.asarray(sums)
    if table.dtype.kind in "iu":
        table = table.astype(object)
    return table[..., 0], table[..., 1], table[..., 2], table[..., 3]


def _floats(values: Any) -> Array:
    return np.asarray(values, dtype=np.float64)


def _ratio(numerator: Any, denominator: Any, otherwise: float = np.nan) -> Array:
    # A product of two integers of an array without axes is a bare integer of any size.
    above, below = (np.asarray(x, dtype=object if isinstance(x, int) else None) for x in (numerator, denominator))
    empty = np.asarray(below == 0, dtype=np.bool_)
    divided = np.asarray(above / np.where(empty, 1, below), dtype=np.float64)
    return np.where(empty, otherwise, divided)
