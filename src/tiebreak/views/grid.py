"""A document to be shown: lines of text and grids of cells, in three written forms.

Cells are data. Each form escapes what would be markup in it; `visible` has already made control characters harmless.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

from tiebreak._format import visible

# Sentences are wrapped here; grids are as wide as their cells.
_LINE = 100


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: a title, a header, rows of cells; `align` has an l or an r for each column.

    Without it the first column is aligned to the left and the others to the right.

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
        lines = [_escaped_row(self.header), rule, *map(_escaped_row, self.rows)]
        return f"**{_markdown(self.title)}**\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def latex(self) -> str:
        """Return a LaTeX `tabular` with rules from booktabs."""
        lines = [" & ".join(map(_latex, line)) + r" \\" for line in (self.header, *self.rows)]
        body = "\n".join([r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"])
        return f"% {_latex(self.title)}\n\\begin{{tabular}}{{{self.align}}}\n{body}\n\\end{{tabular}}"


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
        return "\n\n".join(_markdown(part) if isinstance(part, str) else part.markdown() for part in self.parts) + "\n"

    def latex(self) -> str:
        """Return the document as LaTeX; it needs the package booktabs."""
        return "\n\n".join(_latex(part) if isinstance(part, str) else part.latex() for part in self.parts) + "\n"


def _width(cell: str) -> int:
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in cell
    )


def _escaped_row(cells: Sequence[str]) -> list[str]:
    return [_markdown(cell) for cell in cells]


def _markdown(value: str) -> str:
    """Escape what Markdown or the HTML inside it would read as markup."""
    for mark in "\\`*_[]|~#":
        value = value.replace(mark, "\\" + mark)
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "σ": r"$\sigma$", "α": r"$\alpha$", "ξ": r"$\xi$", "φ": r"$\phi$", "−": r"$-$", "–": "--", "…": r"\dots{}",
}  # fmt: skip


def _latex(value: str) -> str:
    return "".join(_LATEX.get(character, character) for character in value)


def label(value: object) -> str:
    """Return a label or a field as one harmless cell.

    Examples
    --------
    >>> label(None), len(label("tab" + chr(9)))
    ('–', 5)
    """
    return "–" if value is None else visible(value, 80)
