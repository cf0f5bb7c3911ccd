"""All models against all: the comparative deviation of every ordered pair, pairs that are not settled greyed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tiebreak._format import measure
from tiebreak.comparison import Comparison, Pair, listed_pairs
from tiebreak.views.figures.matrix import Array, draw_cells, inches, name_cells, scale
from tiebreak.views.figures.style import short, words
from tiebreak.views.grid import Cell, Grid, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False)
class Deviations:
    """Comparative deviation σ_c of every model (row) against every other (column), the best model first.

    Attributes
    ----------
    models : in the order of rows and columns
    values : σ_c; NaN on the diagonal and where a pair is not known
    settled : whether the adjusted p-value of the pair is below one minus the level
    level : of the comparison
    """

    models: tuple[str, ...]
    values: Array
    settled: npt.NDArray[np.bool_]
    level: float

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return inches(self.models, 0.5 if len(self.models) <= 12 else 0.22)

    def grid(self) -> Grid:
        """Return the values as a table; those that are not settled in brackets."""
        rows = tuple((label(name), *map(self._cell, self.values[k], self.settled[k]))
                     for k, name in enumerate(self.models))  # fmt: skip
        return Grid("Comparative deviation σ_c of row against column", ("", *map(label, self.models)), rows)

    @staticmethod
    def _cell(value: float, settled: bool) -> Cell:  # noqa: FBT001
        text = measure(float(value), 2)
        return Cell(text if settled or value != value else f"({text})", float(value))


def deviations(comparison: Comparison, pairs: Sequence[Pair] | None = None) -> Deviations:
    """Return what the heat map of a comparison shows; `pairs` are all its pairs, if they are at hand.

    Examples
    --------
    >>> import tiebreak as tb
    >>> deviations(tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")})).values.round(3)
    array([[   nan,  0.333],
           [-0.333,    nan]])
    """
    names = tuple(model.name for model in comparison.ranked)
    place = {name: k for k, name in enumerate(names)}
    values, settled = np.full((len(names),) * 2, np.nan), np.zeros((len(names),) * 2, dtype=np.bool_)
    for pair in listed_pairs(comparison, all_pairs=True) if pairs is None else pairs:
        at = place[pair.primary], place[pair.alternative]
        values[at] = pair.measures.comparative_deviation
        settled[at] = pair.p_value_adjusted < 1 - comparison.level
    return Deviations(names, values, settled, comparison.level)


def draw_deviations(data: Deviations, ax: Axes) -> Axes:
    """Draw the heat map: blue where the row's model is right more often where they differ, grey where that is open."""
    models, values = data.models, data.values

    def say(row: int, column: int) -> str:
        pair = f"{short(models[row], 20)} / {short(models[column], 20)}"
        return f"{pair}: {measure(values[row, column], 3)}{'' if data.settled[row, column] else ' (open)'}"

    draw_cells(ax, values, lambda row, column: measure(values[row, column], 2), say, grey=~data.settled)
    name_cells(ax, models)
    scale(ax, (1.0, 0.5, -0.5, -1.0, float("nan")), ("1", "0.5", "−0.5", "−1", "not settled"), words="σ_c")
    words(ax, "against", "model")
    return ax
