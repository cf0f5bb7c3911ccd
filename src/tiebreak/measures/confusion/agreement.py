"""Agreement beyond chance: Cohen's kappa, plain and weighted, and Matthews' correlation.

All of them need one prediction for every instance; with omissions they are NaN. Weighted kappa is computed from the
non-empty cells and the margins, so that 100,000 classes cost what their cells cost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of
from tiebreak.errors import TiebreakError
from tiebreak.measures.confusion.classes import Table
from tiebreak.measures.prayatul import Array, _ratio
from tiebreak.tables import ConfusionCounts, Margins, margins_of

# Table 2 of the R′ paper: the upper end of each band, which belongs to it.
BANDS = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"), (1.0, "perfect"))


def chance_agreement(table: Table) -> Array:
    """p_e = Σ m_r s_r / w² (…): how often truth and predictions would agree if they were independent. Range [0, 1].

    Examples
    --------
    >>> chance_agreement([[80, 20], [5, 5]]).round(4)
    np.float64(0.7231)
    """
    margins = margins_of(table)
    total = margins.total[..., None]
    return np.asarray((_ratio(margins.true, total) * _ratio(margins.predicted, total)).sum(axis=-1))


def kappa(table: Table) -> Array:
    """κ = (p_o − p_e) / (1 − p_e) (…): agreement beyond chance. Range [−1, 1].

    NaN where p_e = 1 (one class, predicted always) and where instances are omitted. Source: R′ paper, eq. 6.

    Examples
    --------
    >>> kappa([[80, 20], [5, 5]]).round(4)
    np.float64(0.1791)
    """
    margins = margins_of(table)
    w, right = margins.total, margins.right.sum(axis=-1)
    by_chance = (margins.true * margins.predicted).sum(axis=-1)
    # Integers up to 2^53 make both terms exact, so that a table at chance gives exactly 0.
    return np.where(margins.complete, _ratio(w * right - by_chance, w * w - by_chance), np.nan)


def kappa_band(value: float) -> str | None:
    """Name the consistency of a kappa: slight, fair, moderate, substantial, perfect; none below 0, None where NaN.

    Source: R′ paper, Table 2.

    Examples
    --------
    >>> kappa_band(0.1791), kappa_band(0.9784), kappa_band(-0.1), kappa_band(float("nan"))
    ('slight', 'perfect', 'none', None)
    """
    if value != value:
        return None
    return "none" if value < 0 else next(name for end, name in BANDS if value <= end or end == 1.0)


def matthews(table: Table) -> Array:
    """MCC = (w Σ a_r − Σ m_r s_r) / √((w² − Σ s_r²)(w² − Σ m_r²)) (…): correlation of truth and predictions.

    Range [−1, 1]; NaN where only one class is true or only one is predicted, and where instances are omitted.

    Examples
    --------
    >>> matthews([[80, 20], [5, 5]]).round(4)
    np.float64(0.2058)
    """
    margins = margins_of(table)
    w, right = margins.total, margins.right.sum(axis=-1)
    above = w * right - (margins.true * margins.predicted).sum(axis=-1)
    truth = w * w - (margins.true**2).sum(axis=-1)
    said = w * w - (margins.predicted**2).sum(axis=-1)
    # Square roots first, so that the product cannot overflow; then a perfect table may be off by its last digit.
    spread = np.sqrt(np.maximum(truth, 0.0)) * np.sqrt(np.maximum(said, 0.0))
    return np.where(margins.complete, np.clip(_ratio(above, spread), -1.0, 1.0), np.nan)


def weighted_kappa(table: ConfusionCounts | npt.ArrayLike, weights: str | npt.ArrayLike = "linear") -> Array:
    """κ_w = 1 − Σ w_rc n_rc / Σ w_rc m_r s_c / w: kappa where some confusions are worse than others (…).

    `weights` is "linear" (|r − c|), "quadratic" ((r − c)²), for classes in an order, or a k × k table of
    disagreements ≥ 0 with zeros on the diagonal. Range (−∞, 1]; NaN where no disagreement is expected by chance, and
    where instances are omitted.

    Examples
    --------
    >>> table = [[50, 3, 2], [4, 30, 1], [0, 5, 5]]
    >>> weighted_kappa(table).round(4), weighted_kappa(table, "quadratic").round(4)
    (np.float64(0.7424), np.float64(0.7547))
    """
    margins = margins_of(table)
    size = margins.true.shape[-1]
    given = one_of(weights, "weights", ("linear", "quadratic")) if isinstance(weights, str) else _custom(weights, size)
    expected = _expected(margins, given)
    return np.where(margins.complete, 1.0 - _ratio(_observed(table, given) * margins.total, expected), np.nan)


def _custom(weights: npt.ArrayLike, size: int) -> Array:
    costs = np.asarray(weights, dtype=np.float64)
    if costs.shape != (size, size):
        raise TiebreakError(f"weights has shape {costs.shape}: it must be 'linear', 'quadratic' or {size} × {size}")
    if not (costs >= 0).all() or np.diagonal(costs).any() or not np.isfinite(costs).all():
        raise TiebreakError("weights must be disagreements: finite numbers ≥ 0, with zeros on the diagonal")
    return costs


def _observed(table: ConfusionCounts | npt.ArrayLike, weights: str | Array) -> Array:
    """Σ w_rc n_rc over the cells."""
    if isinstance(table, ConfusionCounts):
        given = table.columns >= 0
        rows, columns = table.rows[given].astype(np.int64), table.columns[given].astype(np.int64)
        return np.asarray((_costs(rows, columns, weights) * table.mass.amounts[given]).sum())
    cells: npt.NDArray[Any] = np.asarray(table, dtype=np.float64)
    place = np.arange(cells.shape[-1])
    down, across = np.meshgrid(place, place, indexing="ij")
    return np.asarray((_costs(down, across, weights) * cells).sum(axis=(-2, -1)))


def _costs(rows: npt.NDArray[np.integer], columns: npt.NDArray[np.integer], weights: str | Array) -> Array:
    if not isinstance(weights, str):
        return np.asarray(weights[rows, columns])
    away = np.abs(rows - columns).astype(np.float64)
    return away if weights == "linear" else away**2


def _expected(margins: Margins, weights: str | Array) -> Array:
    """Σ w_rc m_r s_c without the k² products, where the weights have a form."""
    m, s = margins.true, margins.predicted
    if not isinstance(weights, str):
        return np.asarray(((m @ weights) * s).sum(axis=-1))
    if weights == "linear":
        # |r − c| counts the cuts between r and c, and each cut divides both margins.
        below, under = np.cumsum(m, axis=-1)[..., :-1], np.cumsum(s, axis=-1)[..., :-1]
        m_all, s_all = m.sum(axis=-1)[..., None], s.sum(axis=-1)[..., None]
        return np.asarray((below * (s_all - under) + (m_all - below) * under).sum(axis=-1))
    place = np.arange(m.shape[-1], dtype=np.float64)
    # About the middle of the truth, so that the terms are no larger than they must be.
    place = place - _ratio((m * place).sum(axis=-1), m.sum(axis=-1))[..., None]
    first, second = (m * place).sum(axis=-1), (s * place).sum(axis=-1)
    squares = (m * place**2).sum(axis=-1) * s.sum(axis=-1) + (s * place**2).sum(axis=-1) * m.sum(axis=-1)
    return np.asarray(squares - 2 * first * second)
