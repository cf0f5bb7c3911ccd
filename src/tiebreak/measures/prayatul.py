"""The five Prayatul measures, functions of (both right, right/wrong, wrong/right, both wrong).

Only the sign of right/wrong − wrong/right, which is the sign of the comparative deviation, says which model is better.
The other four describe the primary model and are high whenever it is accurate: on the cells (90, 0, 5, 5) the
alternative is never wrong where the primary is right, and still effective superiority is 0.85.

Every function takes cells as an array of shape (…, 4) and returns an array of shape (…).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.errors import EmptyComparison

Array = npt.NDArray[np.float64]

NOBODY_RIGHT = "both models are wrong on every instance, so there is no right decision to share"


def accuracy_difference(cells: npt.ArrayLike) -> Array:
    """(RW − WR) / N: the primary's accuracy minus the alternative's. Range [−1, 1]; its sign alone says who is better.

    Examples
    --------
    >>> accuracy_difference([30, 9, 4, 7])
    array(0.1)
    """
    br, rw, wr, bw = _split(cells)
    return _ratio(rw - wr, br + rw + wr + bw)


def comparative_deviation(cells: npt.ArrayLike) -> Array:
    """σ_c = (RW − WR) / (RW + WR): which way the models deviate where exactly one is right.

    Range [−1, 1]; antisymmetric in the two models; times the discordant share it is the difference of the accuracies.
    With no discordant instance it is 0, the papers' convention and the only value that antisymmetry allows.
    Source: Prayatul matrix of supervised models, definition 2.3.

    Examples
    --------
    >>> comparative_deviation([30, 9, 4, 7]), comparative_deviation([10, 0, 0, 0])
    (array(0.38461538), array(0.))
    """
    _, rw, wr, _ = _split(cells)
    return _ratio(rw - wr, rw + wr, otherwise=0.0)


def polarization(cells: npt.ArrayLike) -> Array:
    """α = (BR + RW − BW) / N: how far the primary's decisions lean towards right, joint failures subtracted.

    Range [−1, 1]; equals the primary's accuracy minus the share of joint failures. Source: definition 2.4.

    Examples
    --------
    >>> polarization([30, 9, 4, 7])
    array(0.64)
    """
    br, rw, wr, bw = _split(cells)
    return _ratio(br + rw - bw, br + rw + wr + bw)


def comparative_rightness(cells: npt.ArrayLike, zero_division: float = np.nan) -> Array:
    """ξ_c = (BR + RW) / (BR + RW + WR): the primary's share of the instances on which at least one is right.

    Range [0, 1]; undefined (`zero_division`, NaN unless given) where nobody is ever right. 1/2 is the value that keeps
    every identity, where a number is required. Source: definition 2.5.

    Examples
    --------
    >>> comparative_rightness([30, 9, 4, 7]), comparative_rightness([0, 0, 0, 10])
    (array(0.90697674), array(nan))
    """
    br, rw, wr, _ = _split(cells)
    return _ratio(br + rw, br + rw + wr, otherwise=zero_division)


def effective_rightness(cells: npt.ArrayLike, zero_division: float = np.nan) -> Array:
    """ξ_e = (BR + RW − WR) / (BR + RW + WR) = 2 ξ_c − 1: comparative rightness on a scale from −1 to 1.

    Range [−1, 1]; undefined (`zero_division`, NaN unless given) where nobody is ever right; 0 is the value that keeps
    every identity, where a number is required. Source: definition 2.6.

    Examples
    --------
    >>> effective_rightness([30, 9, 4, 7])
    array(0.81395349)
    """
    br, rw, wr, _ = _split(cells)
    return _ratio(br + rw - wr, br + rw + wr, otherwise=zero_division)


def effective_superiority(cells: npt.ArrayLike) -> Array:
    """φ_e = (BR + RW − WR) / N: the primary's accuracy minus the share it alone gets wrong.

    Range [−1, 1]. It does not say that the primary is superior: it ignores what the alternative gets wrong.
    Source: definition 2.7.

    Examples
    --------
    >>> effective_superiority([30, 9, 4, 7])
    array(0.7)
    """
    br, rw, wr, bw = _split(cells)
    return _ratio(br + rw - wr, br + rw + wr + bw)


MEASURES = {
    "comparative_deviation": comparative_deviation,
    "polarization": polarization,
    "comparative_rightness": comparative_rightness,
    "effective_rightness": effective_rightness,
    "effective_superiority": effective_superiority,
}


@dataclass(frozen=True, slots=True)
class PrayatulMeasures:
    """The five measures of one pair, seen from the primary model; NaN where undefined, with the reason in `undefined`.

    Examples
    --------
    >>> from tiebreak.measures import prayatul_measures
    >>> prayatul_measures([30, 9, 4, 7]).effective_superiority
    0.7
    """

    comparative_deviation: float
    polarization: float
    comparative_rightness: float
    effective_rightness: float
    effective_superiority: float

    @property
    def undefined(self) -> dict[str, str]:
        """The measures that have no value here, each with the reason."""
        return {name: NOBODY_RIGHT for name in MEASURES if getattr(self, name) != getattr(self, name)}


def prayatul_measures(cells: npt.ArrayLike) -> PrayatulMeasures:
    """Return all five measures of one table of four cells.

    Examples
    --------
    >>> prayatul_measures([0, 0, 0, 10]).undefined["comparative_rightness"]
    'both models are wrong on every instance, so there is no right decision to share'
    """
    return PrayatulMeasures(**{name: float(measure(cells)) for name, measure in MEASURES.items()})


def balanced_cells(cells_by_class: npt.ArrayLike) -> Array:
    """Average the cell shares over the true classes: (1/K) Σ_c D_c / N_c, classes without instances left out.

    The classes are the last axis but one; further axes in front are further tables.

    The measures of the result do not depend on how frequent the classes are, which none of the five does by itself.

    Examples
    --------
    >>> balanced_cells([[80, 10, 5, 5], [20, 5, 25, 50]])
    array([0.5  , 0.075, 0.15 , 0.275])
    """
    tables = np.asarray(cells_by_class, dtype=np.float64)
    sizes = tables.sum(axis=-1, keepdims=True)
    held = sizes > 0
    if not held.any(axis=-2).all():
        raise EmptyComparison("no class holds an instance: there is nothing to balance")
    shares = np.where(held, tables / np.where(held, sizes, 1.0), 0.0)
    return np.asarray(shares.sum(axis=-2) / held.sum(axis=-2))


def recovered_cells(
    polarization: npt.ArrayLike, effective_superiority: npt.ArrayLike, comparative_deviation: npt.ArrayLike
) -> Array:
    """Return the four cells as shares of N from three of the measures, the inverse of the definitions.

    With A = (1 + α + φ_e)/3 the primary's accuracy, WR = A − φ_e, BW = A − α and RW = WR (1 + σ_c)/(1 − σ_c).
    Where WR = 0 the five measures do not determine how BR + RW divides: both are NaN. This is why a report must always
    give the counts.

    Examples
    --------
    >>> recovered_cells(0.64, 0.7, 5 / 13).round(12)
    array([0.6 , 0.18, 0.08, 0.14])
    >>> recovered_cells(0.95, 0.975, 1.0)[[0, 1]]
    array([nan, nan])
    """
    alpha, phi_e, sigma = (np.asarray(m, float) for m in (polarization, effective_superiority, comparative_deviation))
    accuracy = (1 + alpha + phi_e) / 3
    wr, bw = accuracy - phi_e, accuracy - alpha
    # A WR of 0 comes back from rounded measures as a few units of the last place.
    determined = (wr > 1e-12) & (sigma < 1)
    rw = np.where(determined, wr * (1 + sigma) / np.where(determined, 1 - sigma, 1.0), np.nan)
    return np.stack([accuracy - rw, rw, wr, bw], axis=-1)


def _split(cells: npt.ArrayLike) -> tuple[Array, Array, Array, Array]:
    """The four cells as float arrays; counts stay exact up to 2^53."""
    table = np.asarray(cells, dtype=np.float64)
    if (table.sum(axis=-1) == 0).any():
        raise EmptyComparison("a Prayatul matrix without instances has no measures")
    return table[..., 0], table[..., 1], table[..., 2], table[..., 3]


def _ratio(numerator: Array, denominator: Array, otherwise: float = np.nan) -> Array:
    empty = denominator == 0
    return np.where(empty, otherwise, numerator / np.where(empty, 1.0, denominator))
