"""A document to be shown: lines of text and grids of cells, in four written forms.

Cells are data. Each form escapes what would be markup in it; `visible` has already made control characters harmless.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Self

from tiebreak._format import visible
from tiebreak.views.markup import STYLE, escaped, headed, latex, markdown, paragraph

# Sentences are wrapped here; grids are as wide as their cells.
_LINE = 100


class Cell(str):
    """A cell that also knows the number it was written from, a tag, and marks that are raised above the line.

    Terminals show the text alone.

    Examples
    --------
    >>> cell = Cell("84.0 %", 0.84, marks="bc")
    >>> cell, cell.value, cell.marks
    ('84.0 %', 0.84, 'bc')
    """

    __slots__ = ("marks", "tag", "value")

    value: float | None
    marks: str
    tag: str

    def __new__(cls, text: str, value: float | None = None, *, marks: str = "", tag: str = "") -> Self:
        """Join a text, its number, its marks and its tag; what is no finite number is none."""
        made = super().__new__(cls, text)
        made.value = value if value is not None and math.isfinite(value) else None
        made.marks = marks
        made.tag = tag
        return made


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: a title, a header, rows of cells; `align` has an l or an r for each column.

    Without it the first column is aligned to the left and the others to the right. A `note` stands below the table in
    every form but a terminal's.

    Examples
    --------
    >>> print(Grid("Models", ("model", "right"), (("knn", "39"), ("tree", "4"))).text())
    Models
    model  right
    knn       39
    tree       4
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    align: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if not self.align:
            object.__setattr__(self, "align", "l" + "r" * (len(self.header) - 1))

    def text(self) -> str:
        """Return aligned columns for a terminal, wide characters counted as two."""
        lines = [self.header, *self.rows]
        widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
        return "\n".join([self.title, *(self._line(line, widths) for line in lines)])

    def _line(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        padded = [
            cell + " " * (width - _width(cell)) if side == "l" else " " * (width - _width(cell)) + cell
            for side, cell, width in zip(self.align, cells, widths, strict=True)
        ]
        return "  ".join(padded).rstrip()

    def markdown(self) -> str:
        """Return a Markdown table."""
        rule = ["---" if side == "l" else "---:" for side in self.align]
        lines = [map(_markdown, self.header), rule, *(map(_markdown, row) for row in self.rows)]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return f"**{markdown(self.title)}**\n\n{table}" + (f"\n\n{paragraph(self.note)}" if self.note else "")

    def latex(self) -> str:
        """Return a LaTeX `tabular` with rules from booktabs."""
        lines = [" & ".join(map(_latex, line)) + r" \\" for line in (self.header, *self.rows)]
        body = "\n".join([r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"])
        table = f"% {latex(self.title)}\n\\begin{{tabular}}{{{self.align}}}\n{body}\n\\end{{tabular}}"
        return table + (f"\n\n{latex(self.note)}" if self.note else "")

    def html(self) -> str:
        """Return an HTML table: header cells have a scope, `data` elements carry the digits that a cell leaves out."""
        head = "".join(
            f'<th scope="col"{_side(side)}>{html_cell(cell)}</th>' for side, cell in self._sided(self.header)
        )
        rows = "\n".join(f"<tr>{self._html_row(row)}</tr>" for row in self.rows)
        note = f"\n<p>{escaped(self.note)}</p>" if self.note else ""
        table = f"<caption>{escaped(self.title)}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>"
        return f"<table>\n{table}\n</table>{note}"

    def _html_row(self, row: Sequence[str]) -> str:
        (_, first), *rest = self._sided(row)
        cells = "".join(f"<td{_side(side)}>{html_cell(cell)}</td>" for side, cell in rest)
        return f'<th scope="row">{html_cell(first)}</th>{cells}'

    def _sided(self, row: Sequence[str]) -> list[tuple[str, str]]:
        return list(zip(self.align, row, strict=True))


@dataclass(frozen=True, slots=True)
class Document:
    """Paragraphs and grids, in order.

    Examples
    --------
    >>> print(Document(("knn is ahead.", Grid("t", ("a",), (("1",),)))).text())
    knn is ahead.
    <BLANKLINE>
    t
    a
    1
    """

    parts: tuple[str | Grid, ...]

    def text(self) -> str:
        """Return the document for a terminal."""
        return "\n\n".join(fill(part, _LINE) if isinstance(part, str) else part.text() for part in self.parts)

    def markdown(self) -> str:
        """Return the document as Markdown."""
        return "\n\n".join(paragraph(part) if isinstance(part, str) else part.markdown() for part in self.parts) + "\n"

    def latex(self) -> str:
        """Return the document as LaTeX; it needs the package booktabs."""
        parts = [latex(part) if isinstance(part, str) else part.latex() for part in self.parts]
        return headed("\n\n".join(parts) + "\n")

    def html(self) -> str:
        """Return the document as a fragment of HTML for a notebook, with a style that reaches nothing else."""
        parts = (f"<p>{escaped(part)}</p>" if isinstance(part, str) else part.html() for part in self.parts)
        return f'<div class="tiebreak">\n<style>{STYLE}</style>\n' + "\n".join(parts) + "\n</div>"


def _width(cell: str) -> int:
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in cell
    )


def _extras(cell: str) -> tuple[str, str]:
    """What written forms add to a cell: its tag on the line, its marks above it."""
    return (f" ({cell.tag})" if cell.tag else "", cell.marks) if isinstance(cell, Cell) else ("", "")


def _markdown(cell: str) -> str:
    tag, marks = _extras(cell)
    return markdown(cell) + markdown(tag) + (f"<sup>{markdown(marks)}</sup>" if marks else "")


def _latex(cell: str) -> str:
    tag, marks = _extras(cell)
    return latex(cell) + latex(tag) + (rf"\textsuperscript{{{latex(marks)}}}" if marks else "")


def html_cell(cell: str) -> str:
    """Return a cell as HTML: its number with up to twelve digits, its tag, its marks.

    Examples
    --------
    >>> print(html_cell(Cell("33.3 %", 1 / 3, marks="b")))
    <data value="0.333333333333">33.3 %</data><sup>b</sup>
    """
    tag, marks = _extras(cell)
    value = cell.value if isinstance(cell, Cell) else None
    digits = "" if value is None else f"{value:.12g}"
    shown = escaped(cell) if digits in {"", cell} else f'<data value="{digits}">{escaped(cell)}</data>'
    return shown + (f"<small>{escaped(tag)}</small>" if tag else "") + (f"<sup>{escaped(marks)}</sup>" if marks else "")


def _side(side: str) -> str:
    return ' class="r"' if side == "r" else ""


def label(value: object) -> str:
    """Return a label or a field as one harmless cell.

    Examples
    --------
    >>> label(None), len(label("tab" + chr(9)))
    ('–', 5)
    """
    return "–" if value is None else visible(value, 80)
