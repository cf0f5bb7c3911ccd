"""Square tables as coloured cells, one after another on one colour scale; used by every heat map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiebreak.views.figures.style import (
    GREY,
    INK,
    MUTED,
    RULE,
    SMALL,
    cell,
    frame,
    heat,
    level,
    on,
    put,
    short,
    ticks,
    tip,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = npt.NDArray[np.float64]
# Inches that a scale may take.
_SCALE = 3.9
# Up to this many rows a number fits into every cell; up to the other, a name beside every row.
NUMBERS, NAMES = 12, 60


def inches(names: Sequence[object], cell: float, most: float = 13.0, panels: int = 1) -> tuple[float, float]:
    """Return the size of a figure of one or several matrices: cells of a side, and room for the longest name.

    Examples
    --------
    >>> inches(["knn", "tree"], 0.5)
    (5.12, 2.92)
    """
    room = 0.08 * max(len(short(name, 22 if len(names) < 30 else 14)) for name in names)
    side = max(1.6, cell * len(names))
    # The scale above the cells wants its width too, and names of matrices a line.
    width, height = max(_SCALE, side * (1.06 * panels if panels > 1 else 1)), side + (0.4 if panels > 1 else 0.0)
    return (round(min(most, width + room + 0.9), 2), round(min(most, height + room + 1.0), 2))


def draw_cells(
    ax: Axes,
    shades: Array,
    write: Callable[[int, int], str],
    say: Callable[[int, int], str],
    *,
    left: float = 0.0,
    grey: npt.NDArray[np.bool_] | None = None,
) -> None:
    """Draw a matrix of shades in [−1, 1] with its first cell at (left, 0); NaN is an empty cell, grey an unsure one."""
    size = len(shades)
    for row, column in np.argwhere(~np.isnan(shades)).tolist():
        shade, unsure = float(shades[row, column]), grey is not None and bool(grey[row, column])
        number = write(row, column) if size <= NUMBERS else ""
        if not shade and not unsure and not number:
            continue
        step = level(shade)
        made = cell(ax, left + column, row, GREY if unsure else heat(step))
        _hatched(made, step, size, unsure=unsure)
        tip(made, say(row, column))
        if number:
            text = put(ax, left + column, row, number, color=MUTED if unsure else on(step), fontsize=_font(size))
            text.set_in_layout(False)


def _hatched(made: Any, step: int, size: int, *, unsure: bool) -> None:
    """Where no number tells the sign, strokes tell it in black and white."""
    if size > NUMBERS and step < 0 and not unsure:
        made.set_hatch("///")
        made.set_hatch_linewidth(0.4)


def _font(size: int) -> float:
    return SMALL + 1 if size <= 6 else SMALL if size <= 9 else SMALL - 1.5


def name_cells(ax: Axes, rows: Sequence[object], lefts: Sequence[float] = (0.0,), headings: Sequence[str] = ()) -> None:
    """Name rows, columns and, side by side, the matrices themselves."""
    size = len(rows)
    names = [short(name, 22 if size < 30 else 14) for name in rows]
    font = SMALL + 0.5 if size <= 20 else max(4.5, 10 - size / 14)
    columns = [left + column for left in lefts for column in range(size)]
    ticks(ax, "y", range(size), names if size <= NAMES else [""] * size, fontsize=font)
    shown = names * len(lefts) if size * len(lefts) <= 2 * NAMES else [""] * len(columns)
    slanted = {} if max(map(len, names)) <= 3 and size <= 12 else {"rotation": 90}
    ticks(ax, "x", columns, shown, fontsize=font, **slanted)
    room = max(0.7, 0.09 * size) if headings else 0.0
    for left, heading in zip(lefts if headings else (), headings, strict=True):
        put(ax, left + (size - 1) / 2, -0.5 - 0.45 * room, heading, fontsize=SMALL + 1)
    ax.set_xlim(-0.5, max(lefts) + size - 0.5)
    ax.set_ylim(size - 0.5, -0.5 - room)
    ax.set_aspect("equal")
    frame(ax)
    ax.tick_params(axis="both", labelsize=font)


def scale(ax: Axes, shades: Sequence[float], texts: Sequence[str], *, words: str) -> None:
    """Explain the shades by a row of samples below the figure."""
    from matplotlib.offsetbox import AnchoredOffsetbox, DrawingArea, HPacker, TextArea
    from matplotlib.patches import Rectangle
    from matplotlib.transforms import Bbox

    class Tall(AnchoredOffsetbox):
        """Takes room above the cells, and none beside them: they must not shrink for a wide scale."""

        def get_tightbbox(self, renderer: Any = None) -> Bbox:
            whole = super().get_tightbbox(renderer) or Bbox.null()
            return Bbox.from_extents(whole.x0, whole.y0, whole.x0 + 1, whole.y1)

    props = {"fontsize": SMALL, "color": INK, "parse_math": False}
    parts: list[Any] = [TextArea(words, textprops={**props, "color": MUTED})]
    for shade, text in zip(shades, texts, strict=True):
        area = DrawingArea(12, 9)
        colour = GREY if shade != shade else heat(level(shade))
        area.add_artist(Rectangle((0, 0), 12, 9, facecolor=colour, edgecolor=RULE, linewidth=0.6))
        parts += [area, TextArea(text, textprops=props)]
    packed = HPacker(children=parts, align="center", pad=0, sep=4)
    box = Tall(
        "lower left", child=packed, frameon=False, bbox_to_anchor=(0, 1.0), bbox_transform=ax.transAxes, borderpad=0.2
    )
    ax.add_artist(box)
