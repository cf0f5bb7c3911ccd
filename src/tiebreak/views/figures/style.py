"""The look of every figure: colours that survive colour blindness and a black-and-white printer, labels that are data.

Matplotlib is imported inside functions only. Every text goes through `put`, `ticks` or `legend`, which never read a
label as a formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tiebreak._format import visible
from tiebreak.errors import NotDefined

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

INK, MUTED, RULE, PAPER, GREY, BLACK = "#1f2933", "#56616b", "#c9d1d9", "#ffffff", "#e3e7eb", "#000000"
# Okabe and Ito's colours without yellow and black, which vanish on white and among the text.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#7a6a4f")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.3)), (0, (5, 1.5, 1, 1.5)), (0, (9, 2, 2, 2)), (0, (3, 1)))
# Strokes only: dots are written as circles, each of which takes a kilobyte.
HATCHES = ("", "////", "||||", "\\\\\\\\", "----", "xx", "++")
POSITIVE, NEGATIVE = "#0b5fa5", "#c2500a"
# Colours of cells come in so many steps to either side of nothing.
LEVELS = 10
SMALL, MEDIUM = 7.5, 9.0
# Names on axes are cut to so many characters.
NAME = 26

_TIPS: WeakKeyDictionary[Canvas, list[str]] = WeakKeyDictionary()


def short(name: object, limit: int = NAME) -> str:
    """Return a label that is harmless and not too long for an axis.

    Examples
    --------
    >>> short("a very long name of a model indeed")
    'a very long name of a mod…'
    """
    return visible(name, limit)


def level(value: float) -> int:
    """Return the step of a value in [−1, 1], from −LEVELS to LEVELS; 0 only for what is (nearly) nothing.

    Examples
    --------
    >>> level(0.03), level(-1.0), level(0.0)
    (1, -10, 0)
    """
    step = round(abs(value) * LEVELS) or (1 if abs(value) > 1e-9 else 0)
    return min(step, LEVELS) if value > 0 else -min(step, LEVELS)


def heat(step: int) -> str:
    """Return the colour of a step: white at 0, blue upwards, brown-red downwards.

    Examples
    --------
    >>> heat(0), heat(10)
    ('#ffffff', '#0b5fa5')
    """
    strong, share = (POSITIVE if step > 0 else NEGATIVE), abs(step) / LEVELS
    parts = ((int(PAPER[k : k + 2], 16), int(strong[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(white + (dark - white) * share):02x}" for white, dark in parts)


def on(step: int) -> str:
    """Return the colour of a number on a cell of that step: black or white, whichever is read more easily.

    Examples
    --------
    >>> on(2) == BLACK, on(9) == PAPER
    (True, True)
    """
    light = luminance(heat(step))
    return BLACK if (light + 0.05) ** 2 > 1.05 * 0.05 else PAPER


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, from 0 (black) to 1 (white). Source: WCAG 2.

    Examples
    --------
    >>> luminance(PAPER), luminance(BLACK)
    (1.0, 0.0)
    """
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return round(0.2126 * red + 0.7152 * green + 0.0722 * blue, 12)


def axes(given: Axes | None, size: tuple[float, float]) -> Axes:
    """Return the axes to draw on: the given ones, or new ones of a size in inches, or say what is missing."""
    if given is not None:
        return given
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise NotDefined(NO_MATPLOTLIB) from None
    return plt.subplots(figsize=size, layout="constrained")[1]


NO_MATPLOTLIB = "figures need matplotlib, which is not installed: pip install 'tiebreak[plot]'"


def put(ax: Axes, x: float, y: float, text: str, **how: Any) -> Artist:
    """Write a text at a place; dollar signs and backslashes in it are what they look like."""
    how = {"fontsize": SMALL, "color": INK, "ha": "center", "va": "center", **how}
    return ax.text(x, y, text, parse_math=False, usetex=False, **how)


def words(ax: Axes, x: str = "", y: str = "") -> None:
    """Name the axes."""
    ax.set_xlabel(x, fontsize=MEDIUM, color=MUTED, parse_math=False, usetex=False)
    ax.set_ylabel(y, fontsize=MEDIUM, color=MUTED, parse_math=False, usetex=False)


def ticks(ax: Axes, which: str, places: Sequence[float], labels: Sequence[str] | None = None, **how: Any) -> None:
    """Put labels on an axis ("x" or "y"), as they are."""
    axis = ax.xaxis if which == "x" else ax.yaxis
    how = {"fontsize": SMALL + 0.5, "color": INK, **how}
    axis.set_ticks(list(places))
    if labels is not None:
        axis.set_ticks(list(places), labels=list(labels), parse_math=False, usetex=False, **how)
    axis.set_tick_params(labelsize=how["fontsize"], color=RULE, labelcolor=how["color"])


def frame(ax: Axes, *sides: str) -> None:
    """Keep only the named sides of the frame, thin, and no ticks' lines."""
    for name, spine in ax.spines.items():
        spine.set_visible(name in sides)
        spine.set_color(RULE)
    ax.tick_params(length=0 if not sides else 3, color=RULE, labelcolor=INK, labelsize=SMALL + 0.5)
    ax.grid(visible=False)


def legend(ax: Axes, marks: Sequence[tuple[Any, str]], **how: Any) -> None:
    """Explain marks, each an artist and a text; texts are shown as they are, whatever they begin with."""
    if not marks:
        return
    how = {"frameon": False, "fontsize": SMALL + 0.5, "labelcolor": INK, "handlelength": 2.6, **how}
    made = ax.legend([artist for artist, _ in marks], [str(place) for place in range(len(marks))], **how)
    for text, (_, words_) in zip(made.get_texts(), marks, strict=True):
        text.set_parse_math(False)
        text.set_usetex(False)
        text.set_text(words_)


def tip(artist: Any, text: str) -> None:
    """Give a mark a text that a page shows when it is pointed at."""
    held = _TIPS.setdefault(artist.figure, [])
    artist.set_gid(f"tip-{len(held)}")
    held.append(text)


def tips(canvas: Canvas) -> Sequence[str]:
    """Return the texts of a figure's marks, in the order of their ids."""
    return _TIPS.get(canvas, [])


def cell(ax: Axes, x: float, y: float, colour: str, size: tuple[float, float] = (1.0, 1.0), **how: Any) -> Any:
    """Draw a rectangle whose middle is at a place."""
    from matplotlib.patches import Rectangle

    width, height = size
    how = {"edgecolor": PAPER, "linewidth": 1.0, "clip_on": False, **how}
    made = Rectangle((x - width / 2, y - height / 2), width, height, facecolor=colour, **how)
    # What lies inside the axes takes no part in the layout, which would ask each of thousands for its extent.
    made.set_in_layout(False)
    return ax.add_artist(made)
