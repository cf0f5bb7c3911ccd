"""How a number, a label and a short list are written, everywhere the same.

Labels come from users' files and may hold anything, so `visible` makes every character harmless for a terminal before
a label is shown or put into an error.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tiebreak.views import Document, Plots

_BEYOND_ASCII = re.compile(r"[^\x00-\x7e]")
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


def json_text(document: object) -> str:
    r"""Return a JSON document in which no label is a control character, a direction mark or a line separator.

    Examples
    --------
    >>> json_text({"label": "a\u202eb é"})
    '{\n  "label": "a\\u202eb é"\n}'
    """
    written = json.dumps(document, ensure_ascii=False, indent=2, default=str, allow_nan=False)
    return _BEYOND_ASCII.sub(lambda found: _json_character(found[0]), written)


def _json_character(character: str) -> str:
    if unicodedata.category(character)[0] in _SHOWN_CATEGORIES:
        return character
    return json.dumps(character)[1:-1]


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


def points(share: float, *, plus: bool = False) -> str:
    """Return a difference of shares in percentage points, with two decimals.

    Examples
    --------
    >>> points(-0.0123), points(0.1, plus=True)
    ('−1.23', '+10.00')
    """
    return signed(100 * share, 2) if plus else measure(100 * share, 2)


def point_ends(low: float, high: float) -> str:
    """Return both ends of an interval in percentage points, with more decimals where an end would be shown as 0.

    Examples
    --------
    >>> point_ends(-0.0123, 0.1), point_ends(0.00002, 0.1), point_ends(float("nan"), 0.0)
    ('−1.23 to +10.00', '+0.002 to +10.000', '–')
    """
    if low != low or high != high:
        return "–"
    ends, digits = (100 * low, 100 * high), 2
    while digits < 9 and any(end and not float(f"{end:.{digits}f}") for end in ends):
        digits += 1
    return " to ".join(signed(end, digits) for end in ends)


def number(value: float, *, plus: bool = False) -> str:
    """Return a score of any size with four significant digits.

    Examples
    --------
    >>> number(63.1524), number(-0.000123, plus=True), number(0.5, plus=True), number(-0.0)
    ('63.15', '−0.000123', '+0.5', '0')
    """
    if value != value:
        return "–"
    value = value or 0.0
    text = f"{value:,.4g}" if abs(value) < 1e5 else f"{value:,.0f}"
    text = text.replace("-", "−")
    return f"+{text}" if plus and value > 0 else text


def p_text(p: float, alpha: float = 0.05) -> str:
    """Return `p = 0.18`: two significant digits, more where rounding would put it on the other side of `alpha`.

    Examples
    --------
    >>> p_text(0.1796), p_text(0.04996), p_text(3.2e-9), p_text(0.0), p_text(float("nan"))
    ('p = 0.18', 'p = 0.04996', 'p = 3.2e−9', 'p < 1e−300', 'p = –')
    """
    if p != p:
        return "p = –"
    if p < 1e-300:
        return "p < 1e−300"
    digits = 2
    while digits < 15 and (float(f"{p:.{digits}g}") < alpha) != (p < alpha):
        digits += 1
    return f"p = {_plain_exponent(f'{p:.{digits}g}')}"


def _plain_exponent(text: str) -> str:
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}{e}{int(exponent)}".replace("-", "−") if e else mantissa


def certainty(probability: float) -> str:
    """Return a posterior probability; one that is too near to 0 or 1 for six digits is shown as a bound.

    Examples
    --------
    >>> certainty(0.91022), certainty(1.0), certainty(1e-12)
    ('91.0 %', 'above 99.9999 %', 'below 0.0001 %')
    """
    if probability > 1 - 5e-7:
        return "above 99.9999 %"
    return "below 0.0001 %" if probability < 5e-7 else percent(probability)


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

    def _repr_html_(self) -> str:
        return self._document().html()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    @property
    def plot(self) -> Plots:
        """The figures of this result: each draws on the axes it is given, or on new ones, and returns them.

        `result.plot.X(ax=None)` draws, `result.plot.X.data()` returns exactly what would be drawn, and `result.plot()`
        draws the first figure. Needs matplotlib, which comes with `pip install 'tiebreak[plot]'`.
        """
        from tiebreak.views import plots

        return plots(self)

    def to_frame(self, what: str = "") -> Any:
        """Return one table of the result in the caller's data frame library.

        That is the library the predictions came in; for arrays and files the first of pandas, polars and pyarrow that
        is installed.

        Parameters
        ----------
        what : of a comparison "models" (default), "pairs" or "classes"; other results have one table
        """
        from tiebreak.views import frame

        return frame(self, what)

    def report(self, path: str | PathLike[str], *, force: bool = False) -> Path:
        """Write the page of a comparison: one file with everything in it, which needs no network and no JavaScript.

        Parameters
        ----------
        path : where to; a file that exists is refused, unless `force`
        force : replace it
        """
        from tiebreak.views import report

        return report(self, path, force=force)

    def _document(self) -> Document:
        from tiebreak.views import document

        return document(self)
