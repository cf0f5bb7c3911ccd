"""How a number, a label and a short list are written, everywhere the same.

Labels come from users' files and may hold anything, so `visible` makes every character harmless for a terminal before
a label is shown or put into an error.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiebreak.views import Document

# Letters, marks, numbers, punctuation and symbols, and the plain space, are shown as they are. Everything else
# (control characters, terminal escapes, direction marks, line separators, unassigned code points) is escaped.
_SHOWN_CATEGORIES = frozenset("LMNPS")


def visible(value: object, limit: int = 60) -> str:
    r"""Return `value` as one harmless line of at most `limit` characters.

    Examples
    --------
    >>> visible("cat\x1b[31m\n")
    'cat\\x1b[31m\\n'
    """
    text = value if isinstance(value, str) else str(value)
    shown = "".join(map(_visible_character, text[:limit]))
    return shown if len(shown) <= limit and len(text) <= limit else shown[: limit - 1] + "…"


def _visible_character(character: str) -> str:
    if character == " " or unicodedata.category(character)[0] in _SHOWN_CATEGORIES:
        return character
    return character.encode("unicode_escape").decode("ascii")


def quoted(value: object) -> str:
    """Return a value for an error text: text in quotes, anything else bare, so that `'1'` and `1` differ."""
    return f"'{visible(value)}'" if isinstance(value, str) else visible(value)


def listed(values: Iterable[object], most: int = 8) -> str:
    """Return `a, b, c and 4 more`.

    Examples
    --------
    >>> listed(range(12), most=3)
    '0, 1, 2 and 9 more'
    """
    shown = [visible(value) for value in values]
    more = len(shown) - most
    return ", ".join(shown) if more <= 0 else f"{', '.join(shown[:most])} and {counted(more)} more"


def counted(number: float, noun: str = "", plural: str = "") -> str:
    """Return a count with its noun: `1 row`, `1,024 rows`, and weights with up to six significant digits.

    Examples
    --------
    >>> counted(1, "row"), counted(1024, "row"), counted(2.5), counted(1e6)
    ('1 row', '1,024 rows', '2.5', '1,000,000')
    """
    figure = f"{number:,}" if isinstance(number, int) else _six_digits(number)
    if not noun:
        return figure
    return f"{figure} {noun if number == 1 else plural or noun + 's'}"


def _six_digits(number: float) -> str:
    """Write a weight with six significant digits, all of them before an exponent would be needed."""
    decimals = max(0, 6 - len(str(int(abs(number)))))
    text = f"{number:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def percent(share: float) -> str:
    """Return a share as `93.0 %`, with more digits where a rounded 0 or 100 would claim too much.

    Examples
    --------
    >>> percent(0.93), percent(0.99996), percent(1.0), percent(float("nan"))
    ('93.0 %', '99.996 %', '100.0 %', '–')
    """
    if share != share:
        return "–"
    digits = 1
    while digits < 15 and 0 < share < 1 and round(100 * share, digits) in {0.0, 100.0}:
        digits += 1
    text = f"{100 * share:.{digits}f}"
    return f"{text} %" if digits == 1 else f"{_three_figures(share, digits)} %"


def _three_figures(share: float, digits: int) -> str:
    """Two more digits than the first one that tells the share from 0 or 100, without trailing zeros."""
    return f"{100 * share:.{digits + 2}f}".rstrip("0")


def measure(value: float, digits: int = 4) -> str:
    """Return a measure with a fixed number of decimals and a true minus sign; `–` where it is undefined.

    Examples
    --------
    >>> measure(-1 / 3), measure(float("nan"))
    ('−0.3333', '–')
    """
    if value != value:
        return "–"
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def signed(value: float, digits: int = 4) -> str:
    """Return `measure` with a plus sign in front of positive values.

    Examples
    --------
    >>> signed(0.25, 2), signed(0.0, 2)
    ('+0.25', '0.00')
    """
    text = measure(value, digits)
    return f"+{text}" if value > 0 and float(text) != 0 else text


class Shown:
    """What every result can do to show itself: the room `views` is loaded only when one of these is called."""

    __slots__ = ()

    def __str__(self) -> str:
        return self._document().text()

    def to_markdown(self) -> str:
        """Return the result as GitHub-flavoured Markdown."""
        return self._document().markdown()

    def to_latex(self) -> str:
        """Return the result as LaTeX `tabular` environments."""
        return self._document().latex()

    def _document(self) -> Document:
        from tiebreak.views import document

        return document(self)
