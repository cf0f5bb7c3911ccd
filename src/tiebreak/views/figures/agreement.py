"""Agreement of labelings: a symmetric heat map, the labelings most alike next to each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tiebreak._format import measure
from tiebreak.views.figures.matrix import Array, draw_cells, inches, name_cells, scale
from tiebreak.views.figures.style import short
from tiebreak.views.grid import Cell, Grid, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """How much every two labelings agree.

    Attributes
    ----------
    labelings : in the order of rows and columns
    values : the index (M × M), symmetric
    index : its name
    """

    labelings: tuple[str, ...]
    values: Array
    index: str = "adjusted Rand index"

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return inches(self.labelings, 0.5 if len(self.labelings) <= 12 else 0.22)

    def grid(self) -> Grid:
        """Return the values as a table."""
        rows = tuple(
            (label(name), *(Cell(measure(float(value), 3), float(value)) for value in row))
            for name, row in zip(self.labelings, self.values, strict=True)
        )
        return Grid(self.index.capitalize(), ("", *map(label, self.labelings)), rows)


def agreement(labelings: Sequence[str], values: npt.ArrayLike, index: str = "adjusted Rand index") -> Agreement:
    """Return what the heat map shows: from the first labelling on, each followed by the one most like it.

    Examples
    --------
    >>> agreement(["truth", "a", "b"], [[1, 0.1, 0.8], [0.1, 1, 0.2], [0.8, 0.2, 1]]).labelings
    ('truth', 'b', 'a')
    """
    given = np.asarray(values, dtype=np.float64)
    left, order = list(range(1, len(labelings))), [0]
    while left:
        nearest = max(left, key=lambda k: (np.nan_to_num(given[order[-1], k], nan=-2.0), -k))
        order.append(nearest)
        left.remove(nearest)
    return Agreement(tuple(labelings[k] for k in order), given[np.ix_(order, order)], index)


def draw_agreement(data: Agreement, ax: Axes) -> Axes:
    """Draw the heat map: the darker, the more alike."""
    names = data.labelings

    def say(row: int, column: int) -> str:
        return f"{short(names[row])} and {short(names[column])}: {measure(float(data.values[row, column]))}"

    draw_cells(ax, data.values, lambda row, column: measure(float(data.values[row, column]), 2), say)
    name_cells(ax, names)
    scale(ax, (0.0, 0.5, 1.0), ("0", "0.5", "1"), words=data.index)
    return ax
