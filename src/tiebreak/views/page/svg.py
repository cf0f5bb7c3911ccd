"""A figure as a small piece of SVG: text stays text, colours are classes, and only known elements come through.

Matplotlib's own SVG is parsed, never patched as text: what is written here is escaped here. Colours become classes so
that the page can turn dark, coordinates are rounded, and every mark that has a text gets it as its title.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from tiebreak.views.figures.style import BLACK, COLOURS, GREY, INK, LEVELS, MUTED, PAPER, RULE, heat, tips
from tiebreak.views.markup import escaped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What the page's style sheet knows: fills are .f-…, strokes .s-….
NAMES: Mapping[str, str] = {
    **{heat(step): f"{'p' if step > 0 else 'n'}{abs(step)}" for step in range(-LEVELS, LEVELS + 1) if step},
    **{colour: f"c{place}" for place, colour in enumerate(COLOURS)},
    INK: "ink", MUTED: "muted", RULE: "rule", PAPER: "paper", GREY: "grey", "#dbe4ec": "both", "#8d99a5": "none",
    BLACK: "black",
}  # fmt: skip
# Cells of a heat map, which all have the same border, are too many for two classes each.
_CELLS = {"grey", *(f"{sign}{step}" for sign in "pn" for step in range(1, LEVELS + 1))}
_PARAMETERS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "tiebreak",
    "text.usetex": False,
    "path.simplify": True,
    "font.size": 9.0,
}
_SHAPES = {"path", "rect", "use", "clipPath", "pattern", "defs", "g", "text"}
_KEPT = ("d", "x", "y", "width", "height", "transform", "points", "patternUnits")
_STYLES = (
    "fill-opacity",
    "stroke-opacity",
    "opacity",
    "stroke-width",
    "stroke-dasharray",
    "text-anchor",
    "font-weight",
)
# Pixels of the page for a point of the figure: its small text is as large as the page's small text.
_SCALE = 1.5
_NUMBER = re.compile(r"-?\d*\.\d+(?:e-?\d+)?")
_SPACES = re.compile(r"\s+")
_RECTANGLE = re.compile(r"M (\S+) (\S+) L (\S+) (\S+) L (\S+) (\S+) L (\S+) (\S+) z")
_URL = re.compile(r"url\(#([\w-]+)\)")


def figure_svg(draw: Callable[[Any, Axes], Axes], data: Any, key: str, title: str) -> str:
    """Draw a record and return it as an `svg` element; `key` makes its ids its own on a page.

    The same record gives the same text, whatever the user's settings of matplotlib are.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    held = io.StringIO()
    with mpl.rc_context(), warnings.catch_warnings():
        # A font that lacks a letter matters to pictures, not to a browser, which has others.
        warnings.simplefilter("ignore")
        mpl.rcdefaults()
        mpl.rcParams.update(_PARAMETERS)
        canvas = Figure(figsize=data.size, layout="constrained")
        FigureCanvasSVG(canvas)
        canvas.patch.set_visible(False)
        ax = canvas.add_subplot()
        ax.patch.set_visible(False)
        draw(data, ax)
        # Laid out once; left to the engine, everything would be drawn twice.
        engine = canvas.get_layout_engine()
        if engine is not None:
            engine.execute(canvas)
        canvas.set_layout_engine("none")
        canvas.savefig(held, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
        texts = list(tips(canvas))
    root = ET.fromstring(held.getvalue())  # noqa: S314 it was written a line above
    return "".join(_Writer(key, texts).element(root, title))


class _Writer:
    """Writes one figure; ids are numbered in the order in which they are met."""

    def __init__(self, key: str, texts: Sequence[str]) -> None:
        self._key, self._texts = key, texts
        self._ids: dict[str, str] = {}

    def element(self, root: ET.Element, title: str) -> Iterator[str]:
        _, _, width, height = root.get("viewBox", "0 0 1 1").split()
        size = f'viewBox="0 0 {_rounded(width)} {_rounded(height)}" width="{float(width) * _SCALE:.0f}"'
        name = f"{self._key}-t"
        yield f'<svg {size} role="img" aria-labelledby="{name}"><title id="{name}">{escaped(title)}</title>'
        for child in root:
            yield from self._any(child)
        yield "</svg>"

    def _any(self, node: ET.Element) -> Iterator[str]:
        name = node.tag.rsplit("}", 1)[-1]
        if name not in _SHAPES:
            return
        inside = "".join(part for child in node for part in self._any(child))
        gid = node.get("id", "")
        if name == "g":
            yield from self._group(node, gid, inside)
            return
        if name == "text":
            inside = escaped(node.text or "")
        if name == "defs" and not inside:
            return
        attributes = "".join(f' {key}="{value}"' for key, value in self._attributes(node, name))
        yield f"<{name}{attributes}>{inside}</{name}>" if inside else f"<{name}{attributes}/>"

    def _group(self, node: ET.Element, gid: str, inside: str) -> Iterator[str]:
        """Only groups that carry a text or clip their content are kept."""
        if not inside:
            return
        clip = node.get("clip-path")
        title = f"<title>{escaped(self._texts[int(gid[4:])])}</title>" if gid.startswith("tip-") else ""
        if title and not clip and inside.count("<") == 1:
            yield f"{inside.removesuffix('/>')}>{title}</{inside[1 : inside.index(' ')]}>"
        elif title or clip:
            clipped = f' clip-path="{self._own_urls(clip)}"' if clip else ""
            yield f"<g{clipped}>{title}{inside}</g>"
        else:
            yield inside

    def _attributes(self, node: ET.Element, name: str) -> Iterator[tuple[str, str]]:
        style = dict(_declarations(node.get("style", "")))
        style |= {key: node.get(key, "") for key in ("fill", "stroke") if node.get(key)}
        if name != "text" and "id" in node.attrib:
            yield "id", self._own(node.attrib["id"])
        for key in _KEPT:
            if key in node.attrib and not (key == "transform" and node.attrib[key].startswith("rotate(-0 ")):
                yield key, escaped((_path if key == "d" else _rounded)(_SPACES.sub(" ", node.attrib[key]).strip()))
        target = node.get("{http://www.w3.org/1999/xlink}href")
        if target:
            yield "href", f"#{self._own(target[1:])}"
        if "clip-path" in node.attrib:
            yield "clip-path", self._own_urls(node.attrib["clip-path"])
        yield from self._colours(style, text=name == "text")
        for key in _STYLES:
            if key in style:
                yield key, escaped(_rounded(style[key].strip()))
        if "font-size" in style:
            yield "font-size", _rounded(style["font-size"].removesuffix("px"))

    def _colours(self, style: Mapping[str, str], *, text: bool) -> Iterator[tuple[str, str]]:
        classes = []
        for key, letter in (("fill", "f"), ("stroke", "s")):
            value = style.get(key)
            if value is not None and value in NAMES:
                classes.append(f"{letter}-{NAMES[value]}")
            elif value is not None:
                yield key, escaped(self._own_urls(value))
        if classes[1:] == ["s-paper"] and classes[0].removeprefix("f-") in _CELLS:
            classes = [classes[0].removeprefix("f-")]
        if "fill" not in style and text:
            classes.append("f-ink")
        if classes:
            yield "class", " ".join(classes)

    def _own(self, name: str) -> str:
        return self._ids.setdefault(name, f"{self._key}-{len(self._ids)}")

    def _own_urls(self, value: str) -> str:
        return _URL.sub(lambda found: f"url(#{self._own(found[1])})", value)


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    for declaration in style.split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            yield name.strip(), value.strip()


def _path(text: str) -> str:
    """Round a path; one that is a rectangle along the axes is written by its sides."""
    found = _RECTANGLE.fullmatch(text)
    if found is None:
        return _rounded(text)
    a, b, c, d, e, f, g, h = map(float, found.groups())
    if (b, c, f, g) != (d, e, h, a):
        return _rounded(text)
    x, y, width, height = (f"{value:.1f}".removesuffix(".0") for value in (a, b, c - a, f - d))
    return f"M{x} {y}h{width}v{height}H{x}z"


def _rounded(text: str) -> str:
    """Round every number in a text to a tenth of a point."""
    return _NUMBER.sub(lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), text)
