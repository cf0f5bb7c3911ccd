"""One model's counts of (true label, predicted label), kept as the non-empty cells only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from tiebreak.tables.mass import Integers, Mass

OMITTED = -1


@dataclass(frozen=True, slots=True, eq=False)
class ConfusionCounts:
    """The non-empty cells of a confusion matrix over `size` labels; column code −1 is a missing prediction.

    Examples
    --------
    >>> import numpy as np
    >>> table = ConfusionCounts(2, np.array([0, 0, 1]), np.array([0, 1, -1]), Mass(np.array([5, 2, 1])))
    >>> table.matrix(), table.omitted(), table.right
    (array([[5, 2],
           [0, 0]]), array([0, 1]), 5)
    """

    size: int
    rows: Integers
    columns: Integers
    mass: Mass

    @property
    def right(self) -> float:
        """The sum of the diagonal."""
        return self.mass.where(self.rows == self.columns).total

    def matrix(self) -> npt.NDArray[Any]:
        """Return the full matrix, true labels in rows, predicted labels in columns, omissions left out."""
        given = self.columns != OMITTED
        return self.mass.where(given).table([self.rows[given], self.columns[given]], (self.size, self.size))

    def omitted(self) -> npt.NDArray[Any]:
        """Return how many instances of each true label have no prediction."""
        left_out = self.columns == OMITTED
        return self.mass.where(left_out).table([self.rows[left_out]], (self.size,))
