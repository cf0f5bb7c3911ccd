"""One number for all classes: accuracy and R′, what omissions cost, and the averages of the measures per class.

A macro average is the plain mean over the classes that occur, as true labels or as predictions. Where a class has no
value the house's convention is: precision counts as 0 (the class was never found), recall and F leave the class out.
`zero_division` replaces that by scikit-learn's: every class counts, an undefined one with that value, or not at all if
the value is NaN.
"""

from __future__ import annotations

import numpy as np

from tiebreak.measures.confusion.classes import Table, f_beta, jaccard, precision, recall
from tiebreak.measures.prayatul import Array, _ratio
from tiebreak.tables import Margins, margins_of


def accuracy(table: Table) -> Array:
    """Σ a_r / w: the share of all instances that is right; an omission is not (…). Range [0, 1].

    Examples
    --------
    >>> accuracy([[50, 3, 2], [4, 30, 1], [0, 5, 5]])
    array(0.85)
    """
    margins = margins_of(table)
    return _ratio(margins.right.sum(axis=-1), margins.total)


def overall_r_prime(table: Table) -> Array:
    """R′ = Σ a_r / w + (w − s) / w = 1 − wrong / w, s the number of predictions (…).

    With one prediction an instance it is the accuracy, identically. Every omission counts as a success: a model that
    never answers has R′ = 1, so R′ ranks nothing where a model may abstain. More predictions than instances lower it,
    below 0 if need be. It is not a mean of the R′ of the classes. Source: R′ paper, eq. 23.

    Examples
    --------
    >>> overall_r_prime([[50, 3, 2], [4, 30, 1], [0, 5, 5]])
    array(0.85)
    >>> overall_r_prime(Margins.of([[50, 3, 2], [4, 30, 1], [0, 5, 5]], omitted=[5, 0, 10])).round(6)
    np.float64(0.869565)
    """
    margins = margins_of(table)
    omitted = np.where(margins.complete, 0.0, margins.total - margins.answered)
    return _ratio(margins.right.sum(axis=-1) + omitted, margins.total)


def coverage(table: Table) -> Array:
    """Return s / w, the share of instances that got an answer; above 1 where some got several (…).

    Examples
    --------
    >>> coverage(Margins.of([[8, 0], [0, 1]], omitted=[1, 0]))
    array(0.9)
    """
    margins = margins_of(table)
    return _ratio(margins.answered, margins.total)


def selective_accuracy(table: Table) -> Array:
    """Σ a_r / s: the share of the answers that is right, omissions left out (…). Range [0, 1]; NaN without answers.

    Examples
    --------
    >>> selective_accuracy(Margins.of([[8, 1], [0, 1]], omitted=[5, 0]))
    array(0.9)
    """
    margins = margins_of(table)
    return _ratio(margins.right.sum(axis=-1), margins.answered)


def macro_precision(table: Table, zero_division: float | None = None) -> Array:
    """Return the mean of the classes' precisions, a class that is never predicted counting as 0 (…). Range [0, 1].

    Examples
    --------
    >>> macro_precision([[0, 9], [0, 1]])
    array(0.05)
    """
    return _mean(precision(table), table, zero_division, missing=0.0)


def macro_recall(table: Table, zero_division: float | None = None) -> Array:
    """Return the mean of the recalls of the classes that have instances (…). Range [0, 1].

    Examples
    --------
    >>> macro_recall([[0, 9], [0, 1]])
    array(0.5)
    """
    return _mean(recall(table), table, zero_division, missing=np.nan)


def balanced_accuracy(table: Table) -> Array:
    """Return the mean recall of the classes that have instances, which is `macro_recall` by another name (…).

    Examples
    --------
    >>> balanced_accuracy([[80, 20], [5, 5]])
    array(0.65)
    """
    return macro_recall(table)


def f1_of_means(table: Table, zero_division: float | None = None) -> Array:
    """2PR/(P + R) of macro precision P and macro recall R (…): the macro F1 of the R′ paper. Range [0, 1].

    The harmonic mean is concave, so this is never below `mean_f1`, the other convention, where every class has both.

    Examples
    --------
    >>> f1_of_means([[80, 20], [5, 5]]).round(4), mean_f1([[80, 20], [5, 5]]).round(4)
    (np.float64(0.6077), np.float64(0.5753))
    """
    p, r = macro_precision(table, zero_division), macro_recall(table, zero_division)
    return np.where((p == 0) & (r == 0), 0.0, _ratio(2 * p * r, p + r))


def mean_f1(table: Table, zero_division: float | None = None) -> Array:
    """Return the mean of the classes' F1 (…): the macro F1 of scikit-learn. Range [0, 1].

    Examples
    --------
    >>> mean_f1([[80, 20], [5, 5]]).round(4)
    np.float64(0.5753)
    """
    return _mean(f_beta(table), table, zero_division, missing=np.nan)


def macro_jaccard(table: Table, zero_division: float | None = None) -> Array:
    """Return the mean of the classes' Jaccard indices (…). Range [0, 1].

    Examples
    --------
    >>> macro_jaccard([[80, 20], [5, 5]]).round(4)
    np.float64(0.4643)
    """
    return _mean(jaccard(table), table, zero_division, missing=np.nan)


def micro_precision(table: Table) -> Array:
    """Σ a_r / Σ s_r (…): `selective_accuracy` by another name, the accuracy where nothing is omitted.

    Examples
    --------
    >>> micro_precision([[80, 20], [5, 5]]).round(4)
    np.float64(0.7727)
    """
    return selective_accuracy(table)


def micro_recall(table: Table) -> Array:
    """Σ a_r / Σ m_r (…): the accuracy by another name.

    Examples
    --------
    >>> micro_recall([[80, 20], [5, 5]]).round(4)
    np.float64(0.7727)
    """
    return accuracy(table)


def micro_f1(table: Table) -> Array:
    """2 Σ a_r / (w + s) (…): F1 of all decisions of all classes together; the accuracy where nothing is omitted.

    Examples
    --------
    >>> micro_f1(Margins.of([[8, 1], [0, 1]], omitted=[5, 0]))
    array(0.72)
    """
    margins = margins_of(table)
    return _ratio(2 * margins.right.sum(axis=-1), margins.total + margins.answered)


def weighted_precision(table: Table, zero_division: float = 0.0) -> Array:
    """Return the mean of the precisions weighted by how many instances the class has (…). Range [0, 1].

    Examples
    --------
    >>> weighted_precision([[80, 20], [5, 5]]).round(4)
    np.float64(0.8738)
    """
    return _weighted(precision(table), table, zero_division)


def weighted_recall(table: Table) -> Array:
    """Return the mean of the recalls weighted by how many instances the class has (…): the accuracy once more.

    Examples
    --------
    >>> weighted_recall([[80, 20], [5, 5]]).round(4)
    np.float64(0.7727)
    """
    return _weighted(recall(table), table, 0.0)


def weighted_f1(table: Table, beta: float = 1.0) -> Array:
    """Return the mean of the F_β weighted by how many instances the class has (…). Range [0, 1].

    Examples
    --------
    >>> weighted_f1([[80, 20], [5, 5]]).round(4)
    np.float64(0.8122)
    """
    return _weighted(f_beta(table, beta), table, 0.0)


def _mean(values: Array, table: Table, zero_division: float | None, missing: float) -> Array:
    """The mean over classes, under the house's convention or scikit-learn's; NaN values are left out."""
    if zero_division is None:
        occurs = _occurring(margins_of(table))
        values = np.where(occurs & np.isnan(values), missing, values)
    else:
        values = np.where(np.isnan(values), zero_division, values)
    known = ~np.isnan(values)
    return _ratio(np.where(known, values, 0.0).sum(axis=-1), known.sum(axis=-1).astype(np.float64))


def _occurring(margins: Margins) -> np.ndarray:
    return (np.nan_to_num(margins.true, nan=1.0) > 0) | (margins.predicted > 0)


def _weighted(values: Array, table: Table, undefined: float) -> Array:
    true = margins_of(table).true
    kept = true > 0
    values = np.where(kept & np.isnan(values), undefined, values)
    found = _ratio(np.where(kept, values * true, 0.0).sum(axis=-1), np.where(kept, true, 0.0).sum(axis=-1))
    return np.where(np.isnan(true).any(axis=-1), np.nan, found)
