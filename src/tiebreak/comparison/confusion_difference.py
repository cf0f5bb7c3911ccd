"""One confusion matrix minus another: which cells and which classes changed, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._format import Shown
from tiebreak.measures import confusion as measures
from tiebreak.tables import ConfusionCounts, Label, Margins, group_columns
from tiebreak.tables.labels import union

Side = tuple[ConfusionCounts, tuple[Label, ...], Margins]
MEASURES = {
    "precision": measures.precision,
    "recall": measures.recall,
    "f1": measures.f_beta,
    "r_prime": measures.r_prime,
}


@dataclass(frozen=True, slots=True)
class ClassChange:
    """How one class differs, the first matrix minus the second; NaN where either has no value."""

    label: Label
    predicted: float
    right: float
    precision: float
    recall: float
    f1: float
    r_prime: float


@dataclass(frozen=True, eq=False)
class ConfusionDifference(Shown):
    """The first matrix minus the second, over the labels of both; only the cells that differ are kept.

    Two matrices alone do not say which instances they share, so nothing here has an interval: the joint counts of a
    comparison do (`inference.class_differences` and `inference.cell_differences`).

    Attributes
    ----------
    labels : the classes of both
    rows, columns, changes : true code, predicted code and difference of every cell that differs
    classes : one record a class

    Examples
    --------
    >>> from tiebreak.comparison.confusion import ConfusionMatrix
    >>> found = ConfusionMatrix([[5, 1], [2, 4]]) - ConfusionMatrix([[4, 2], [2, 4]])
    >>> np.asarray(found).tolist(), round(found.classes[0].recall, 4)
    ([[1, -1], [0, 0]], 0.1667)
    """

    labels: tuple[Label, ...]
    rows: npt.NDArray[np.integer]
    columns: npt.NDArray[np.integer]
    changes: npt.NDArray[Any]
    classes: tuple[ClassChange, ...]

    @classmethod
    def of(cls, first: Side, second: Side) -> ConfusionDifference:
        """Subtract the second matrix from the first, each as table, labels and margins."""
        labels = union(first[1], second[1])
        one, two = _over(first, labels), _over(second, labels)
        rows, columns, changes = _subtracted(one[0], two[0])
        return cls(labels, rows, columns, changes, _changes(labels, one[1], two[1]))

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:  # noqa: FBT001
        full = np.zeros((len(self.labels), len(self.labels)), dtype=dtype or self.changes.dtype)
        full[self.rows, self.columns] = self.changes
        return full


def _over(side: Side, labels: tuple[Label, ...]) -> tuple[npt.NDArray[Any], Margins]:
    """Cells (true, predicted, amount) and margins over the labels of both."""
    table, own, margins = side
    place = {label: code for code, label in enumerate(labels)}
    new = np.array([place[label] for label in own], dtype=np.int64)
    given = table.columns >= 0
    cells = np.stack([new[table.rows[given]], new[table.columns[given]], table.mass.amounts[given]])
    wider = np.zeros((3, len(labels)))
    wider[:, new] = margins.right, margins.true, margins.predicted
    return cells, Margins(wider[0], wider[1], wider[2], margins.total)


def _subtracted(one: npt.NDArray[Any], two: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    places = np.concatenate([one[:2], two[:2]], axis=1).astype(np.int64)
    amounts = np.concatenate([one[2], -two[2]])
    distinct, place = group_columns(places)
    changes = np.zeros(distinct.shape[1], dtype=amounts.dtype)
    np.add.at(changes, place, amounts)
    kept = changes != 0
    return distinct[0, kept], distinct[1, kept], changes[kept]


def _changes(labels: tuple[Label, ...], one: Margins, two: Margins) -> tuple[ClassChange, ...]:
    columns = [one.predicted - two.predicted, one.right - two.right]
    columns += [measure(one) - measure(two) for measure in MEASURES.values()]
    rows = np.stack(columns, axis=-1).tolist()
    return tuple(ClassChange(label, *row) for label, row in zip(labels, rows, strict=True))
