"""Confusion matrices side by side on one colour range, and the difference of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiebreak._format import counted
from tiebreak.views.figures.matrix import NUMBERS, Array, draw_cells, inches, name_cells, scale
from tiebreak.views.figures.style import short, words
from tiebreak.views.grid import Cell, Grid, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Of more classes, those with the most errors are drawn.
MOST = 40
# So many matrices stand side by side.
SIDE_BY_SIDE = 4


@dataclass(frozen=True, slots=True, eq=False)
class Confusions:
    """Confusion matrices of some models over the same classes.

    Attributes
    ----------
    models : one a matrix
    labels : the classes that are drawn
    counts : true classes in rows (models × K × K)
    totals : instances of every class (K)
    left_out : how many classes are not drawn: those with the fewest errors
    models_left_out : how many models are not drawn
    """

    models: tuple[str, ...]
    labels: tuple[Any, ...]
    counts: npt.NDArray[Any]
    totals: Array
    left_out: int = 0
    models_left_out: int = 0

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return inches(self.labels, 0.34 if len(self.labels) <= 12 else 0.14, 16.0, len(self.models))

    @property
    def shares(self) -> Array:
        """Every cell as a share of its true class."""
        return np.asarray(self.counts / np.maximum(self.totals, 1e-300)[:, None], dtype=np.float64)

    def grid(self) -> Grid:
        """Return all cells as one table, a row for every model and true class."""
        rows = tuple(
            (label(name), label(true), *(Cell(counted(cell), cell) for cell in row.tolist()))
            for name, matrix in zip(self.models, self.counts, strict=True)
            for true, row in zip(self.labels, matrix, strict=True)
        )
        header = ("model", "true", *(label(name) for name in self.labels))
        return Grid("Confusion matrices, predictions in columns", header, rows, "ll" + "r" * len(self.labels))


def confusions(models: Sequence[str], labels: Sequence[Any], matrices: Sequence[npt.ArrayLike]) -> Confusions:
    """Return what confusion matrices side by side show.

    Examples
    --------
    >>> confusions(["knn"], ["cat", "dog"], [[[5, 1], [2, 4]]]).shares[0, 0].round(3).tolist()
    [0.833, 0.167]
    """
    counts = np.stack([np.asarray(matrix) for matrix in matrices[:SIDE_BY_SIDE]])
    kept = _most_confused(counts)
    totals = counts[0].sum(axis=1, dtype=np.float64)
    for matrix in counts[1:]:
        totals = np.maximum(totals, matrix.sum(axis=1, dtype=np.float64))
    part = counts[:, kept][:, :, kept]
    return Confusions(
        tuple(models[:SIDE_BY_SIDE]), tuple(labels[k] for k in kept), part, totals[kept], len(labels) - len(kept),
        max(0, len(matrices) - SIDE_BY_SIDE),
    )  # fmt: skip


def _most_confused(counts: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """The places of at most MOST classes: those in whose rows and columns the most errors lie, in their order."""
    wrong = counts * (1 - np.eye(counts.shape[-1], dtype=counts.dtype))
    errors = np.abs(wrong).sum(axis=(0, 2)) + np.abs(wrong).sum(axis=(0, 1))
    return np.sort(np.argsort(-errors, kind="stable")[:MOST])


def draw_confusions(data: Confusions, ax: Axes) -> Axes:
    """Draw the matrices side by side; the root of a cell's share of its class is its shade, so that errors show."""
    size, lefts = len(data.labels), list[float]()
    for m in range(len(data.models)):
        left = m * (size + max(0.6, 0.06 * size))
        counts, shares = data.counts[m], data.shares[m]
        shades = np.where(counts > 0, np.sqrt(shares), 0.0)
        _one(ax, data.labels, counts, shades, left)
        lefts.append(left)
    name_cells(ax, data.labels, lefts, [short(name, max(8, 3 * size)) for name in data.models])
    more = f" · {counted(data.models_left_out, 'more model')} not drawn" if data.models_left_out else ""
    fewer = f" · the {size} classes with the most errors" if data.left_out else ""
    words(ax, f"predicted{fewer}{more}", "true")
    shares = (0.01, 0.1, 0.5, 1.0)
    scale(ax, [share**0.5 for share in shares], [f"{share:.0%}" for share in shares], words="share of the true class")
    return ax


def _one(ax: Axes, labels: Sequence[Any], counts: npt.NDArray[Any], shades: Array, left: float) -> None:
    def write(row: int, column: int) -> str:
        return _brief(counts[row, column]) if counts[row, column] else ""

    def say(row: int, column: int) -> str:
        count = counted(counts[row, column].item())
        # Of many classes the cells are thousands: their rows and columns are named beside them.
        return count if len(labels) > NUMBERS else f"{short(labels[row])} → {short(labels[column])}: {count}"

    draw_cells(ax, shades, write, say, left=left)


def _brief(count: Any) -> str:
    """Write a count in at most four characters or so."""
    value = float(count)
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e4)):
        if abs(value) >= size:
            return f"{value / (1e3 if unit == 'k' else size):.3g}{unit}"
    return f"{value:.4g}".replace("-", "−")


@dataclass(frozen=True, slots=True, eq=False)
class ConfusionChange:
    """One confusion matrix minus another over the same classes.

    Attributes
    ----------
    primary, alternative : the models
    labels : the classes that are drawn
    changes : counts of the primary minus those of the alternative (K × K)
    left_out : how many classes are not drawn: those that changed least
    """

    primary: str
    alternative: str
    labels: tuple[Any, ...]
    changes: npt.NDArray[Any]
    left_out: int = 0

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return inches(self.labels, 0.42 if len(self.labels) <= 12 else 0.22)

    def grid(self) -> Grid:
        """Return the changes as a table."""
        rows = tuple(
            (label(true), *(Cell(_signed(cell), cell) for cell in row.tolist()))
            for true, row in zip(self.labels, self.changes, strict=True)
        )
        title_ = f"{label(self.primary)} minus {label(self.alternative)}, predictions in columns"
        return Grid(title_, ("true", *(label(name) for name in self.labels)), rows)


def confusion_change(primary: str, alternative: str, labels: Sequence[Any], changes: npt.ArrayLike) -> ConfusionChange:
    """Return what the difference of two confusion matrices shows.

    Examples
    --------
    >>> confusion_change("knn", "tree", ["cat", "dog"], [[1, -1], [0, 0]]).left_out
    0
    """
    full = np.asarray(changes)
    kept = _most_confused(full[None])
    names = tuple(labels[k] for k in kept)
    return ConfusionChange(primary, alternative, names, full[np.ix_(kept, kept)], len(labels) - len(kept))


def draw_confusion_change(data: ConfusionChange, ax: Axes) -> Axes:
    """Draw the difference: on the diagonal more is better for the primary, off it less is."""
    top = float(np.abs(data.changes).max()) if data.changes.size else 0.0
    good = np.where(np.eye(len(data.labels), dtype=bool), 1, -1)
    shades = good * data.changes / top if top else np.zeros(data.changes.shape)
    a, b = short(data.primary, 20), short(data.alternative, 20)

    def write(row: int, column: int) -> str:
        return _signed(data.changes[row, column].item()) if data.changes[row, column] else ""

    def say(row: int, column: int) -> str:
        true, predicted = short(data.labels[row]), short(data.labels[column])
        return f"{true} → {predicted}: {_signed(data.changes[row, column].item())}"

    draw_cells(ax, np.asarray(shades, dtype=np.float64), write, say)
    name_cells(ax, data.labels)
    fewer = f" (the {len(data.labels)} classes that changed most)" if data.left_out else ""
    words(ax, f"predicted{fewer}", "true")
    scale(ax, (0.8, -0.8), (a, b), words="better for")
    return ax


def _signed(count: float) -> str:
    text = _brief(count)
    return f"+{text}" if count > 0 else text
