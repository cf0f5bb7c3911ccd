"""R′ by class: bars, a radar, and box plots over the models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of
from tiebreak._format import measure
from tiebreak.errors import NotDefined
from tiebreak.views.figures.style import (
    COLOURS,
    HATCHES,
    INK,
    LINES,
    MARKERS,
    MUTED,
    PAPER,
    RULE,
    SMALL,
    frame,
    legend,
    put,
    short,
    ticks,
    tip,
    words,
)  # fmt: skip
from tiebreak.views.grid import Cell, Grid, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = npt.NDArray[np.float64]
KINDS = ("bars", "radar")
# So many models are told apart within one class.
MOST = 7
# Of more classes, those in which the models differ most are drawn.
MOST_CLASSES = 40
# Up to this many bars a number fits on each.
_NUMBERS = 24


@dataclass(frozen=True, slots=True, eq=False)
class ByClass:
    """A measure of every class for some models.

    Attributes
    ----------
    models : in order
    labels : the classes
    values : one row a model, NaN where undefined
    kind : "bars" or "radar"
    measure : its name
    left_out : how many models are not drawn
    classes_left_out : how many classes are not drawn: those in which the models are most alike
    """

    models: tuple[str, ...]
    labels: tuple[Any, ...]
    values: Array
    kind: str = "bars"
    measure: str = "R′"
    left_out: int = 0
    classes_left_out: int = 0

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        if self.kind == "radar":
            return (6.4, 5.2)
        return (7.4, min(14.0, 1.4 + len(self.labels) * max(0.3, 0.13 * len(self.models))))

    def grid(self) -> Grid:
        """Return the values as a table, one row a class."""
        rows = tuple(
            (label(name), *(Cell(measure(float(value)), float(value)) for value in self.values[:, k]))
            for k, name in enumerate(self.labels)
        )
        return Grid(f"{self.measure} by class", ("class", *map(label, self.models)), rows)


def by_class(
    models: Sequence[str], labels: Sequence[Any], values: npt.ArrayLike, *, kind: str = "bars", measure: str = "R′"
) -> ByClass:
    """Return what a figure of a measure by class shows: of many models the first ones.

    Examples
    --------
    >>> by_class(["knn", "tree"], ["cat", "dog"], [[0.9, 0.7], [0.8, 0.75]]).values.shape
    (2, 2)
    """
    one_of(kind, "kind", KINDS)
    values = np.atleast_2d(np.asarray(values, dtype=np.float64))
    if kind == "radar" and len(labels) < 3:
        raise NotDefined(f"a radar needs three classes and these are {len(labels)}: draw bars, with kind='bars'")
    kept = _most_different(values)
    names = tuple(labels[k] for k in kept)
    left_out = max(0, len(models) - MOST), len(labels) - len(kept)
    return ByClass(tuple(models[:MOST]), names, values[:MOST, kept], kind, measure, *left_out)


def _most_different(values: Array) -> npt.NDArray[np.intp]:
    """The places of at most MOST_CLASSES classes, in their order: the widest spread first; of one model the lowest."""
    known = np.isfinite(values)
    low, high = np.where(known, values, np.inf).min(axis=0), np.where(known, values, -np.inf).max(axis=0)
    spread = high - low if len(values) > 1 else -low
    order = np.argsort(-np.where(known.any(axis=0), spread, -np.inf), kind="stable")
    return np.sort(order[:MOST_CLASSES])


def draw_by_class(data: ByClass, ax: Axes) -> Axes:
    """Draw bars or a radar."""
    return _draw_radar(data, ax) if data.kind == "radar" else _draw_bars(data, ax)


def _draw_bars(data: ByClass, ax: Axes) -> Axes:
    models, classes = len(data.models), len(data.labels)
    height, marks = 0.82 / models, list[tuple[Any, str]]()
    for m, name in enumerate(data.models):
        places = np.arange(classes) - 0.41 + height * (m + 0.5)
        bars = ax.barh(places, np.nan_to_num(data.values[m]), height, color=COLOURS[m], hatch=HATCHES[m],
                       edgecolor=PAPER, linewidth=0.4)  # fmt: skip
        for bar, place, value, cls in zip(bars, places, data.values[m], data.labels, strict=True):
            tip(bar, f"{short(name)}, {short(cls)}: {data.measure} {measure(float(value))}")
            if models * classes <= _NUMBERS or value != value:
                text = "undefined" if value != value else measure(float(value), 2)
                put(ax, max(0.0, np.nan_to_num(value)) + 0.01, place, text, ha="left", color=MUTED)
        marks.append((bars[0], short(name)))
    frame(ax, "bottom")
    ticks(ax, "y", range(classes), [short(cls) for cls in data.labels], fontsize=SMALL + 0.5)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(classes - 0.45, -0.55)
    lowest = float(np.nanmin(data.values)) if np.isfinite(data.values).any() else 0.0
    ax.set_xlim(min(0.0, lowest) * 1.05, 1.06)
    ax.axvline(0, color=INK, linewidth=0.6)
    return _explained(data, ax, marks)


def _explained(data: ByClass, ax: Axes, marks: list[tuple[Any, str]]) -> Axes:
    fewer = f"; the {len(data.labels)} classes that differ most" if data.classes_left_out else ""
    words(ax, data.measure + fewer if data.kind == "bars" else fewer.removeprefix("; "))
    if data.left_out:
        (nothing,) = ax.plot([], [], linestyle="")
        marks.append((nothing, f"({data.left_out} more not drawn)"))
    legend(ax, marks, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=min(4, len(marks)), borderpad=0)
    return ax


def _draw_radar(data: ByClass, ax: Axes) -> Axes:
    """Draw spokes and rings by hand, so that any axes will do."""
    classes, marks = len(data.labels), list[tuple[Any, str]]()
    angles = np.pi / 2 - 2 * np.pi * np.arange(classes) / classes
    round_ = np.append(angles, angles[0])
    for ring in (0.25, 0.5, 0.75, 1.0):
        ax.plot(ring * np.cos(round_), ring * np.sin(round_), color=RULE, linewidth=0.6)
        put(ax, 0.012, ring, f"{ring:g}", ha="left", va="bottom", color=MUTED, fontsize=SMALL - 1)
    for angle, name in zip(angles, data.labels, strict=True):
        x, y = np.cos(angle), np.sin(angle)
        ax.plot([0, x], [0, y], color=RULE, linewidth=0.6)
        side = "center" if abs(x) < 0.2 else "left" if x > 0 else "right"
        put(ax, 1.06 * x, 1.09 * y, short(name, 16), ha=side, fontsize=SMALL + 0.5)
    for m, name in enumerate(data.models):
        reach = np.maximum(data.values[m], 0.0)
        reach = np.append(reach, reach[0])
        (line,) = ax.plot(reach * np.cos(round_), reach * np.sin(round_), color=COLOURS[m], linewidth=1.6,
                          linestyle=LINES[m % len(LINES)], marker=MARKERS[m], markersize=4)  # fmt: skip
        values = zip(data.labels[:20], data.values[m].tolist(), strict=False)
        tip(line, f"{short(name)}: " + ", ".join(f"{short(cls, 12)} {measure(value, 2)}" for cls, value in values))
        marks.append((line, short(name)))
    ax.set_aspect("equal")
    ax.set_xlim(-1.35, 1.35)
    ax.set_ylim(-1.2, 1.2)
    frame(ax)
    ax.set_xticks([])
    ax.set_yticks([])
    return _explained(data, ax, marks)


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """How a measure of every class spreads over the models.

    Attributes
    ----------
    models : the models
    labels : the classes
    values : one row a model, NaN where undefined
    quartiles : lowest, first quartile, median, third quartile, highest of every class (K × 5)
    measure : its name
    classes_left_out : how many classes are not drawn: those in which the models are most alike
    """

    models: tuple[str, ...]
    labels: tuple[Any, ...]
    values: Array
    quartiles: Array
    measure: str = "R′"
    classes_left_out: int = 0

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (7.4, min(14.0, 1.2 + 0.32 * len(self.labels)))

    def grid(self) -> Grid:
        """Return the five numbers of every class as a table."""
        rows = tuple(
            (label(name), *(Cell(measure(float(value)), float(value)) for value in row))
            for name, row in zip(self.labels, self.quartiles, strict=True)
        )
        header = ("class", "lowest", "first quartile", "median", "third quartile", "highest")
        return Grid(f"{self.measure} by class over {len(self.models)} models", header, rows)


def boxes(models: Sequence[str], labels: Sequence[Any], values: npt.ArrayLike, measure: str = "R′") -> Boxes:
    """Return what the box plots of a measure by class show.

    Examples
    --------
    >>> boxes(["a", "b", "c"], ["cat"], [[0.2], [0.4], [0.9]]).quartiles.round(6).tolist()
    [[0.2, 0.3, 0.4, 0.65, 0.9]]
    """
    values = np.atleast_2d(np.asarray(values, dtype=np.float64))
    kept = _most_different(values)
    values = values[:, kept]
    five = [np.quantile(held, (0, 0.25, 0.5, 0.75, 1)) if len(held) else np.full(5, np.nan)
            for held in (column[np.isfinite(column)] for column in values.T)]  # fmt: skip
    return Boxes(
        tuple(models), tuple(labels[k] for k in kept), values, np.array(five), measure, len(labels) - len(kept)
    )


def draw_boxes(data: Boxes, ax: Axes) -> Axes:
    """Draw one box a class, from quartile to quartile, whiskers to the extremes, and every model as a dot."""
    from matplotlib.patches import Rectangle

    for y, (low, first, middle, third, high) in enumerate(data.quartiles.tolist()):
        if low != low:
            across = ax.get_yaxis_transform()
            put(ax, 0.01, y, "undefined for every model", ha="left", color=MUTED, transform=across)
            continue
        ax.plot([low, high], [y, y], color=COLOURS[0], linewidth=1)
        box = Rectangle(
            (first, y - 0.27), third - first, 0.54, facecolor=PAPER, edgecolor=COLOURS[0], linewidth=1.2, zorder=2
        )
        ax.add_patch(box)
        tip(box, f"{short(data.labels[y])}: median {measure(middle)}, {measure(low)} to {measure(high)}")
        ax.plot([middle, middle], [y - 0.27, y + 0.27], color=COLOURS[3], linewidth=2, zorder=4)
        dots, line = data.values[:, y], np.full(len(data.models), float(y))
        ax.plot(dots, line, marker="o", markersize=3, linestyle="", color=INK, alpha=0.55, zorder=3)
    frame(ax, "bottom")
    ticks(ax, "y", range(len(data.labels)), [short(name) for name in data.labels])
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(data.labels) - 0.4, -0.6)
    fewer = f"; the {len(data.labels)} classes that differ most" if data.classes_left_out else ""
    words(ax, f"{data.measure} of {len(data.models)} models: quartiles, median, extremes; one dot a model{fewer}")
    return ax
