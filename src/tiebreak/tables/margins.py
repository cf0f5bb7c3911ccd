"""The margins of a confusion matrix: all that most of its measures need, whatever the number of classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Margins:
    """Right, true and predicted counts of k classes; leading axes are further tables.

    Where some instances were left unanswered and nobody says to which class they belong, or where there are more
    predictions than instances, the true counts are not known: `true` is then NaN, and `total` is still known.

    Attributes
    ----------
    right : a_r, how often class r is predicted rightly (…, k)
    true : m_r, how many instances belong to class r, answered or not (…, k)
    predicted : s_r, how often class r is predicted (…, k)
    total : w, how many instances there are (…)

    Examples
    --------
    >>> margins = Margins.of([[50, 3, 2], [4, 30, 1], [0, 5, 5]])
    >>> margins.true, margins.predicted, margins.total
    (array([55., 35., 10.]), array([54., 38.,  8.]), array(100.))
    """

    right: Floats
    true: Floats
    predicted: Floats
    total: Floats

    @classmethod
    def of(cls, table: npt.ArrayLike, omitted: npt.ArrayLike | None = None, n: npt.ArrayLike | None = None) -> Margins:
        """Take the margins of dense tables (…, k, k), true labels in rows; `omitted` (…, k), `n` all instances (…)."""
        cells = np.asarray(table, dtype=np.float64)
        right = np.diagonal(cells, axis1=-2, axis2=-1)
        true = cells.sum(axis=-1) + (0.0 if omitted is None else np.asarray(omitted, dtype=np.float64))
        return cls(np.asarray(right), true, cells.sum(axis=-2), np.asarray(true.sum(axis=-1))).counted(n)

    def counted(self, n: npt.ArrayLike | None) -> Margins:
        """Return the same margins over `n` instances; the true counts stay only where they add up to that."""
        if n is None:
            return self
        total = np.broadcast_to(np.asarray(n, dtype=np.float64), self.total.shape)
        # Sums of weights may differ in the last digits.
        same = _equal(total, self.total)
        true = np.where(same[..., None], self.true, np.nan)
        return Margins(self.right, true, self.predicted, total)

    @property
    def answered(self) -> Floats:
        """How many predictions there are (…): `total` unless some instances were omitted."""
        return np.asarray(self.predicted.sum(axis=-1))

    @property
    def complete(self) -> npt.NDArray[np.bool_]:
        """Whether every instance has exactly one prediction (…); sums of weights may differ in the last digits."""
        return _equal(self.answered, self.total)

    @property
    def wrong(self) -> Floats:
        """How many predictions are wrong (…)."""
        return np.asarray(self.answered - self.right.sum(axis=-1))

    def one_against_rest(self) -> Floats:
        """Return a 2 × 2 table a class (…, k, 2, 2): [[right, missed], [false alarms, right elsewhere]].

        Omitted instances of a class are missed; those of other classes are no false alarm.
        """
        missed, alarms = self.true - self.right, self.predicted - self.right
        elsewhere = self.total[..., None] - self.right - missed - alarms
        return np.stack([np.stack([self.right, missed], -1), np.stack([alarms, elsewhere], -1)], -2)


def _equal(one: Floats, other: Floats) -> npt.NDArray[np.bool_]:
    """The same up to the last digits of a sum."""
    return np.asarray(np.abs(one - other) <= 1e-12 * np.abs(other))


def margins_of(table: Margins | Any) -> Margins:
    """Return margins as they are, those of `ConfusionCounts`, or those of dense tables.

    Examples
    --------
    >>> margins_of([[5, 1], [0, 4]]).right
    array([5., 4.])
    """
    if isinstance(table, Margins):
        return table
    found: Margins = table.margins() if hasattr(table, "margins") else Margins.of(table)
    return found
