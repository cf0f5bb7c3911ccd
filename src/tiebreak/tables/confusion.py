"""One model's counts of (true label, predicted label), kept as the non-empty cells only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.tables.margins import Margins
from tiebreak.tables.mass import Integers, Mass, group_columns
from tiebreak.tables.weights import Scale, Weights

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

    def margins(self, n: float | None = None) -> Margins:
        """Return the margins, in time and memory proportional to the non-empty cells and the classes."""
        return self._margins(lambda kept, codes: self.mass.where(kept).table([codes], (self.size,))).counted(n)

    def squared_margins(self) -> Margins:
        """Return the margins of the sums of squared weights; those of the counts where nothing is weighted."""
        weights = self.mass.weights
        if weights is None:
            return self.margins()
        squares = weights.squares
        return self._margins(lambda kept, codes: np.bincount(codes, squares[kept], self.size))

    def _margins(self, added: Callable[[npt.NDArray[np.bool_], Integers], npt.NDArray[Any]]) -> Margins:
        given, hit = self.columns != OMITTED, self.rows == self.columns
        every = np.ones_like(hit)
        right, true, predicted = (
            added(kept, codes[kept]).astype(np.float64)
            for kept, codes in ((hit, self.rows), (every, self.rows), (given, self.columns))
        )
        return Margins(right, true, predicted, np.asarray(true.sum()))

    def __add__(self, other: ConfusionCounts) -> ConfusionCounts:
        """Add a table of further instances over the same labels."""
        cells = np.concatenate([[self.rows, self.columns], [other.rows, other.columns]], axis=1)
        distinct, place = group_columns(cells)
        mass = self.mass.followed_by(other.mass).grouped(place, distinct.shape[1])
        return ConfusionCounts(max(self.size, other.size), distinct[0], distinct[1], mass)

    def largest_errors(self, most: int) -> list[tuple[int, int, float]]:
        """Return the most frequent confusions as (true code, predicted code, amount), the largest first."""
        wrong = np.flatnonzero((self.rows != self.columns) & (self.columns != OMITTED))
        amounts = self.mass.amounts[wrong]
        order = np.lexsort((self.columns[wrong], self.rows[wrong], -amounts))[:most]
        return [
            (int(self.rows[place]), int(self.columns[place]), amounts[rank].item())
            for rank, place in zip(order.tolist(), wrong[order].tolist(), strict=True)
        ]

    @classmethod
    def of(cls, table: npt.ArrayLike, omitted: npt.ArrayLike | None = None) -> ConfusionCounts:
        """Keep the non-empty cells of a dense table, and the omissions of each true label; fractions are weights."""
        cells = np.asarray(table)
        left_out = np.zeros(len(cells), dtype=cells.dtype) if omitted is None else np.asarray(omitted)
        rows, columns = np.nonzero(cells)
        return cls.of_cells(len(cells), rows, columns, cells[rows, columns], left_out)

    @classmethod
    def of_cells(
        cls, size: int, rows: Integers, columns: Integers, amounts: npt.NDArray[Any], omitted: npt.NDArray[Any]
    ) -> ConfusionCounts:
        """Build the table of `size` labels from its non-empty cells and the omissions of each true label."""
        unanswered = np.flatnonzero(omitted)
        places = np.concatenate([columns, np.full(len(unanswered), OMITTED)])
        every = np.concatenate([amounts, omitted[unanswered]])
        return cls(size, np.concatenate([rows, unanswered]), places, _mass(every))


def _mass(amounts: npt.NDArray[Any]) -> Mass:
    counts = amounts.astype(np.int64)
    if np.array_equal(counts, amounts):
        return Mass(counts)
    scale = Scale.for_range(float(amounts.min()), float(amounts.max()))
    return Mass(np.ones_like(counts), Weights(scale.limbs(amounts).astype(np.int64), scale))
