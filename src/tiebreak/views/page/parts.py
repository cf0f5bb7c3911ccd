"""What the page is made of: sections of prose, tables, Prayatul matrices and figures; records only, no markup."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from tiebreak.views.grid import Grid, html_cell
from tiebreak.views.markup import escaped


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs, or with `listed` the items of a list."""

    paragraphs: tuple[str, ...]
    listed: bool = False
    kind: str = "prose"


@dataclass(frozen=True, slots=True)
class Table:
    """A grid with an id of its own; long ones can be filtered, and `folded` ones are opened on demand.

    Attributes
    ----------
    id : of the element
    grid : what it shows
    rows : an id for every row, or nothing
    folded : whether it stands folded under its title
    """

    id: str
    grid: Grid
    rows: tuple[str, ...] = ()
    folded: bool = False
    kind: str = "table"

    @property
    def body(self) -> Markup:
        """The rows as HTML: every cell has been escaped on the way."""
        ids = self.rows or ("",) * len(self.grid.rows)
        return Markup("\n".join(map(self._row, ids, self.grid.rows)))  # noqa: S704

    def _row(self, own: str, cells: tuple[str, ...]) -> str:
        heads = self.grid.align.startswith("ll") + 1
        written = "".join(
            f'<th scope="row">{html_cell(cell)}</th>' if place < heads and side == "l"
            else f"<td>{html_cell(cell)}</td>" if side == "r" else f'<td class="l">{html_cell(cell)}</td>'
            for place, (side, cell) in enumerate(zip(self.grid.align, cells, strict=True))
        )  # fmt: skip
        return f'<tr id="{escaped(own)}">{written}</tr>' if own else f"<tr>{written}</tr>"


@dataclass(frozen=True, slots=True)
class Matrix:
    """One Prayatul matrix, and what its measures say seen from either side.

    Attributes
    ----------
    id : of the element
    primary, alternative : the models
    cells : both right, right/wrong, wrong/right, both wrong
    same : both wrong with the same label, or nothing
    measures : name, seen from the primary, seen from the alternative
    """

    id: str
    primary: str
    alternative: str
    cells: tuple[str, str, str, str]
    same: str
    measures: tuple[tuple[str, str, str], ...]
    kind: str = "matrix"

    def cell(self, place: int) -> Markup:
        """Return one count as HTML."""
        return Markup(html_cell(self.cells[place]))  # noqa: S704 escaped there


@dataclass(frozen=True, slots=True)
class Matrices:
    """Several Prayatul matrices next to each other."""

    matrices: tuple[Matrix, ...]
    kind: str = "matrices"

    @staticmethod
    def html(cell: str) -> Markup:
        """Return a cell as HTML."""
        return Markup(html_cell(cell))  # noqa: S704 escaped there


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure: its SVG, what it shows in words, and its numbers as a table; without SVG the reason stands there."""

    id: str
    svg: Markup
    caption: str
    grid: Grid
    kind: str = "figure"

    @property
    def table(self) -> Table:
        """The same numbers."""
        return Table(f"{self.id}-data", self.grid)


@dataclass(frozen=True, slots=True)
class Picture:
    """A field of an instance: a text, or a small image that the data themselves hold."""

    text: str
    image: str = ""
    more: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """Some instances of one cell.

    Attributes
    ----------
    id : of the element
    title : which cell, and how many it holds
    columns : the names of the columns
    rows : fields, one tuple a row
    """

    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Picture, ...], ...]
    kind: str = "sample"


Block = Prose | Table | Matrices | Drawing | Sample


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page with a heading that can be linked to."""

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The whole page.

    Attributes
    ----------
    title, verdict : its head
    notes : what has to be known before a number is quoted
    sections : its parts, in order
    version : of tiebreak
    """

    title: str
    verdict: str
    notes: tuple[str, ...]
    sections: tuple[Section, ...]
    version: str
