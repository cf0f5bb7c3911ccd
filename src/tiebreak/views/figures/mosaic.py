"""The Prayatul matrix as a mosaic: four rectangles whose areas are the counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tiebreak._format import counted, percent
from tiebreak.comparison import PrayatulMatrix
from tiebreak.views.figures.style import INK, MEDIUM, MUTED, PAPER, SMALL, cell, frame, put, short, tip
from tiebreak.views.grid import Cell, Grid, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colour and hatch of both right, right/wrong, wrong/right, both wrong.
_LOOKS = (("#dbe4ec", ""), ("#0072b2", "////"), ("#e69f00", "\\\\\\\\"), ("#8d99a5", "xx"))
# What fits into a rectangle of at least this width and height (as shares of the whole), on two lines and on one.
_TWO_LINES, _ONE_LINE, _WIDE = 0.13, 0.062, 0.3


class Tile(NamedTuple):
    """A rectangle in the unit square, (0, 0) at the lower left."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Mosaic:
    """The four cells of two models, and where their rectangles lie.

    Attributes
    ----------
    primary, alternative : the models
    both_right, right_wrong, wrong_right, both_wrong : the cells
    """

    primary: str
    alternative: str
    both_right: float
    right_wrong: float
    wrong_right: float
    both_wrong: float
    things: str = "instance"

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (6.4, 4.2)

    @property
    def cells(self) -> tuple[float, float, float, float]:
        """The counts in the order of the attributes."""
        return self.both_right, self.right_wrong, self.wrong_right, self.both_wrong

    @property
    def words(self) -> tuple[str, str, str, str]:
        """What each cell means."""
        a, b = short(self.primary, 18), short(self.alternative, 18)
        return "both right", f"only {a} right", f"only {b} right", "both wrong"

    @property
    def tiles(self) -> tuple[Tile, Tile, Tile, Tile]:
        """The rectangles, in the order of the cells: the primary is right above and wrong below."""
        n = sum(self.cells)
        above = (self.both_right + self.right_wrong) / n
        found = []
        for left, right, y, height in (
            (self.both_right, self.right_wrong, 1 - above, above),
            (self.wrong_right, self.both_wrong, 0.0, 1 - above),
        ):
            split = left / (left + right) if left + right else 0.5
            found += [Tile(0.0, y, split, height), Tile(split, y, 1 - split, height)]
        return found[0], found[1], found[2], found[3]

    def grid(self) -> Grid:
        """Return the counts as a table."""
        n = sum(self.cells)
        rows = tuple(
            (name, Cell(counted(count), count), Cell(percent(count / n), count / n))
            for name, count in zip(self.words, self.cells, strict=True)
        )
        title = f"{label(self.primary)} against {label(self.alternative)}"
        return Grid(title, ("cell", f"{self.things}s", "share"), rows)


def mosaic(matrix: PrayatulMatrix, things: str = "instance") -> Mosaic:
    """Return what the mosaic of a Prayatul matrix shows.

    Examples
    --------
    >>> mosaic(PrayatulMatrix(30, 9, 4, 7)).tiles[1].width.__round__(3)
    0.231
    """
    names = (matrix.primary, matrix.alternative)
    return Mosaic(*names, matrix.both_right, matrix.right_wrong, matrix.wrong_right, matrix.both_wrong, things)


def draw_mosaic(data: Mosaic, ax: Axes) -> Axes:
    """Draw the four rectangles, each with its count; what does not fit inside stands beside."""
    n, spots = sum(data.cells), [_spot(tile, place) for place, tile in enumerate(data.tiles)]
    for place, (words, count, tile) in enumerate(zip(data.words, data.cells, data.tiles, strict=True)):
        colour, hatch = _LOOKS[place]
        number = f"{counted(count)} ({percent(count / n)})"
        if tile.width * tile.height:
            middle = (tile.x + tile.width / 2, tile.y + tile.height / 2)
            patch = cell(ax, *middle, colour, (tile.width, tile.height), linewidth=2, hatch=hatch)
            tip(patch, f"{words}: {number}")
        _name(ax, tile, (words, number), spots[place], last=bool(place % 2))
    a, b = short(data.primary, 22), short(data.alternative, 22)
    above = (data.both_right + data.right_wrong) / n
    for y, share, word in ((1 - above / 2, above, "right"), ((1 - above) / 2, 1 - above, "wrong")):
        if share:
            joint = "\n" if share > _TWO_LINES else " "
            put(ax, -0.03, y, f"{a}{joint}{word} {percent(share)}", ha="right", color=MUTED)
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.02, 1.02)
    frame(ax)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_title(f"{a} against {b}: {counted(n, data.things)}", loc="left", fontsize=MEDIUM + 1, color=INK,
                 parse_math=False, usetex=False, pad=36 if "above" in spots else 6)  # fmt: skip
    return ax


def _spot(tile: Tile, place: int) -> str:
    """Where a cell's words go: where they fit."""
    if tile.width >= _WIDE and tile.height >= _ONE_LINE:
        return "inside"
    if tile.width >= _ONE_LINE and tile.height >= 2 * _WIDE:
        return "upright"
    if place % 2 and tile.height >= _TWO_LINES:
        return "beside"
    return "below" if place > 1 else "above"


def _name(ax: Axes, tile: Tile, texts: tuple[str, str], spot: str, *, last: bool) -> None:
    words, number = texts
    x, y = tile.x + tile.width / 2, tile.y + tile.height / 2
    box = {"boxstyle": "round,pad=0.25", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.88}
    how = {"fontsize": SMALL + 1}
    joint = "\n" if tile.height >= _TWO_LINES else "  "
    if spot == "inside":
        put(ax, x, y, f"{words}{joint}{number}", bbox=box, **how)
    elif spot == "upright":
        put(ax, x, y, f"{words}  {number}", bbox=box, rotation=90, **how)
    elif spot == "beside":
        put(ax, 1.03, y, f"{words}\n{number}", ha="left", **how)
    else:
        # The cell on the right has a line of its own, so that two long names never meet.
        away = 0.04 + 0.06 * last
        at, side = (-away, "top") if spot == "below" else (1 + away, "bottom")
        put(ax, 1.0 if last else 0.0, at, f"{words}: {number}", ha="right" if last else "left", va=side, **how)
