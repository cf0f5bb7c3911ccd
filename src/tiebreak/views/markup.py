"""What would be markup in Markdown, LaTeX or HTML, escaped; and the look of a fragment in a notebook."""

from __future__ import annotations

import html
import re
import unicodedata

# Borders and stripes are made of the text's own colour, so that they suit a light page and a dark one.
STYLE = (
    ".tiebreak table{border-collapse:collapse;margin:.5em 0 1em;font-size:.92em}"
    ".tiebreak caption{text-align:left;font-weight:600;padding:.3em 0;caption-side:top}"
    ".tiebreak th,.tiebreak td{padding:.2em .7em;text-align:left;border:0;white-space:nowrap;background:none}"
    ".tiebreak thead th{border-bottom:1px solid currentColor}"
    ".tiebreak tbody th{font-weight:400}"
    ".tiebreak .r{text-align:right;font-variant-numeric:tabular-nums}"
    ".tiebreak tbody tr:nth-child(even){background:rgba(128,128,128,.08)}"
    ".tiebreak tbody tr:last-child>*{border-bottom:1px solid currentColor}"
    ".tiebreak sup{line-height:0}"
    ".tiebreak p{max-width:46em}"
)


def escaped(value: str) -> str:
    """Return text as HTML text, safe within an element and within a quoted attribute.

    Examples
    --------
    >>> escaped('<b title="x">')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    return html.escape(value, quote=True)


def paragraph(value: str) -> str:
    r"""Return `markdown` of a text that begins a line, where a dash or a number would begin a list.

    Examples
    --------
    >>> print(paragraph("- a"), paragraph("1. b"))
    \- a 1\. b
    """
    return _LIST.sub(r"\1\\\2", markdown(value))


def markdown(value: str) -> str:
    r"""Escape what Markdown, or the HTML and the formulas inside it, would read as markup.

    Examples
    --------
    >>> print(markdown("a_b|<i>"))
    a\_b\|&lt;i&gt;
    """
    for mark in "\\`*_[]|~#$":
        value = value.replace(mark, "\\" + mark)
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


_LIST = re.compile(r"^(\d*)([-+.)=])")

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "σ": r"$\sigma$", "α": r"$\alpha$", "ξ": r"$\xi$", "φ": r"$\phi$", "τ": r"$\tau$", "ρ": r"$\rho$", "κ": r"$\kappa$",
    "Σ": r"$\Sigma$", "−": r"$-$", "±": r"$\pm$", "×": r"$\times$", "≤": r"$\leq$", "≥": r"$\geq$", "′": r"$'$",
    "–": "--", "—": "---", "…": r"\dots{}", "\u00a0": "~", "\u200b": "{}",
}  # fmt: skip

# Up to here every letter is one that the T1 encoding of a plain LaTeX run has.
_LATIN = 0x17F


def latex(value: str) -> str:
    r"""Return text as LaTeX text that compiles whatever it holds.

    Letters beyond the Latin ones are kept for engines that read Unicode fonts; pictures and other symbols, for which
    a usual font has no glyph, are written as their code points.

    Examples
    --------
    >>> print(latex("50 % of {x_1}"), latex("☃"))
    50 \% of \{x\_1\} U+2603
    """
    return "".join(map(_latex_character, value.replace("--", "-\u200b-").replace("--", "-\u200b-")))


def headed(written: str) -> str:
    r"""Put a comment before LaTeX whose letters a plain run of pdflatex does not know.

    Examples
    --------
    >>> print(headed("a & b"))
    a & b
    >>> print(headed("д").splitlines()[0])
    % holds letters beyond the Latin ones: compile with lualatex or xelatex and a font that has them
    """
    beyond = any(ord(character) > _LATIN for character in written)
    what = "% holds letters beyond the Latin ones: compile with lualatex or xelatex and a font that has them\n"
    return what + written if beyond else written


def _latex_character(character: str) -> str:
    if character in _LATEX:
        return _LATEX[character]
    if ord(character) <= _LATIN or unicodedata.category(character)[0] in "LMN":
        return character
    return f"U+{ord(character):04X}"
