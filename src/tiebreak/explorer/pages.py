"""The pages: what the templates are given. Everything from the file is text there, and nothing is ever markup."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from tiebreak._format import counted, percent, visible
from tiebreak.errors import TiebreakError
from tiebreak.explorer.address import GAP, Addresses, Condition, Selection, View
from tiebreak.explorer.asking import LISTED, LONG_CUT, SIZE, Asking, Shown
from tiebreak.explorer.columns import TESTS, WITHOUT_VALUE
from tiebreak.explorer.exporting import FORMS
from tiebreak.explorer.selecting import MOST
from tiebreak.explorer.senses import Standing

# A list of more classes than this is typed and not chosen.
MOST_OPTIONS = 300
_KEPT_CONTROLS = "\n\t"


@dataclass(frozen=True, slots=True)
class ModelLine:
    """One line of the models' table."""

    name: str
    standing: Standing
    role: str


@dataclass(frozen=True, slots=True)
class CellLink:
    """One cell of the matrix: its count, and where it leads."""

    which: str
    count: str
    share: str
    said: str
    address: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """One filter in force, in words, and the address without it."""

    said: str
    without: str


@dataclass(frozen=True, slots=True)
class Head:
    """One column of the list: its name, how it is sorted, and the address that sorts by it."""

    name: str
    role: str
    sorted: str
    address: str


class NoSuchRow(TiebreakError):
    """An address of a row that the file does not have."""


class Pages:
    """Every page of one ground."""

    def __init__(self, asking: Asking, base: str) -> None:
        self.asking = asking
        self.ground = asking.ground
        self.addresses = Addresses(asking.ground)
        self._base = base
        self._environment = Environment(
            loader=PackageLoader("tiebreak.explorer"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
            lstrip_blocks=True,
        )  # fmt: skip
        self._environment.filters |= {"harmless": harmless, "counted": counted, "named": visible}
        self._environment.globals |= {"base": base, "title": self.ground.title, "list_address": self._list_address}

    def listing(self, view: View) -> str:
        """Return the page with the models, the matrix, the filters and the rows."""
        page = self.asking.page(view)
        selection = view.selection
        counts = self.asking.counts(selection, view.counts)
        bare = self.addresses.write(View(selection, counts=view.counts))
        return self._environment.get_template("list.html").render(
            comparison=self.ground.comparison,
            ground=self.ground,
            view=view,
            models=self._models(selection),
            matrix=self._matrix(view),
            counts=counts,
            most_counted=max((count.rows for count in counts.values), default=0),
            count_address=lambda count: self._list_address(replace(view, selection=count.filtered).first_page()),
            page=page,
            chips=self._chips(view),
            heads=self._heads(view),
            gap_head=None if self.ground.sense.has_labels else self._head(view, GAP, "gap", ""),
            hidden_columns=max(0, len(self.ground.columns) - LISTED),
            forms=FORMS,
            numbers=self._numbers,
            export_address=lambda form: f"{self._base}/export.{form}?{bare}",
            cap=self._cap(view, counts.total),
            clear=self._list_address(View(Selection(selection.primary, selection.alternative), counts=view.counts)),
            row_address=lambda number: self._row_address(number, view),
            options=self._options(view),
        )

    def instance(self, number: int, view: View) -> str:
        """Return the page of one instance, with all models' answers."""
        found = self.asking.instance(number, view.selection)
        if found is None:
            raise NoSuchRow(f"row {number:,} does not exist: the rows of {self.ground.title} are counted from 0")
        before, after = self.asking.neighbours(number, view)
        ground = self.ground
        others = [c.name for c in ground.columns if c.name not in {ground.truth, ground.id, *ground.names}]
        return self._environment.get_template("instance.html").render(
            ground=ground,
            view=view,
            row=found,
            among=self.asking.is_among(number, view.selection),
            others=others,
            summed_up=ground.sense.summed_up(found.marks),
            long=LONG_CUT,
            back=self._list_address(view),
            previous=None if before is None else self._row_address(before, view),
            following=None if after is None else self._row_address(after, view),
            chips=self._chips(view),
        )

    @property
    def _numbers(self) -> frozenset[str]:
        ground = self.ground
        kinds = {"number", "digits"}
        return frozenset(c.name for c in ground.columns if c.kind in kinds and c.name not in ground.keys)

    def message(self, title: str, text: str) -> str:
        """Return a page that says one thing."""
        return self._environment.get_template("message.html").render(heading=title, text=text)

    def _list_address(self, view: View | None = None) -> str:
        return f"{self._base}/" if view is None else f"{self._base}/?{self.addresses.write(view)}"

    def _row_address(self, number: int, view: View) -> str:
        return f"{self._base}/row/{number}?{self.addresses.write(view)}"

    def _models(self, selection: Selection) -> Iterator[ModelLine]:
        roles = {selection.primary: "primary", selection.alternative: "alternative"}
        for model in self.ground.comparison.models:
            standing = self.ground.sense.standing(self.ground.comparison, model.name)
            yield ModelLine(model.name, standing, roles.get(model.name, ""))

    def _matrix(self, view: View) -> dict[str, CellLink]:
        """The cells as links; the one in force leads back to all of them."""
        chosen = view.selection
        counts = self.ground.cell_counts(chosen.primary, chosen.alternative)
        whole, links = sum(counts.values()), {}
        for cell, count in counts.items():
            is_chosen = chosen.cell == cell
            target = replace(view, selection=replace(chosen, cell=None if is_chosen else cell)).first_page()
            said = self.ground.sense.said(chosen.primary, chosen.alternative, cell)
            address = self._list_address(target)
            links[cell] = CellLink(cell, counted(count), percent(count / whole), said, address, is_chosen)
        return links

    def _chips(self, view: View) -> Iterator[Chip]:
        chosen = view.selection
        labels = self.ground.comparison.labels
        if chosen.cell is not None:
            yield self._chip(view, self.ground.sense.said(chosen.primary, chosen.alternative, chosen.cell), cell=None)
        if chosen.truth is not None:
            yield self._chip(view, f"{visible(self.ground.truth)} is {visible(labels[chosen.truth])}", truth=None)
        if chosen.said is not None:
            yield self._chip(view, f"{visible(chosen.by)} says {visible(labels[chosen.said])}", said=None)
        if chosen.id:
            yield self._chip(view, f"{visible(self.ground.id)} is {visible(chosen.id)}", id="")
        if chosen.text:
            within = f"{visible(chosen.within)} contains" if chosen.within else "text contains"
            yield self._chip(view, f"{within} “{visible(chosen.text)}”", text="", within="")
        for condition in chosen.conditions:
            rest = tuple(other for other in chosen.conditions if other != condition)
            yield self._chip(view, condition_in_words(condition), conditions=rest)

    def _chip(self, view: View, words: str, /, **without: Any) -> Chip:
        rest = replace(view, selection=replace(view.selection, **without)).first_page()
        return Chip(words, self._list_address(rest))

    def _heads(self, view: View) -> Iterator[Head]:
        ground = self.ground
        roles = {ground.truth: "truth", ground.id: "id"} | dict.fromkeys(ground.names, "model")
        for column in self.asking.listed_columns(view.selection):
            yield self._head(view, f"={column.name}", column.name, roles.get(column.name, "") or "")

    def _head(self, view: View, key: str, shown: str, role: str) -> Head:
        is_sorted = ("descending" if view.descending else "ascending") if view.sort == key else ""
        # A third click goes back to file order.
        following = replace(view, sort="" if is_sorted == "descending" else key, descending=is_sorted == "ascending")
        return Head(shown, role, is_sorted, self._list_address(following.first_page()))

    def _cap(self, view: View, total: int) -> str | None:
        """What a sorted or searched view says about its length."""
        if not view.capped:
            return None
        kind = "sorted" if view.sort else "searched"
        shown = f"{SIZE} to a page"
        if total <= MOST:
            return f"A {kind} view: all {counted(total, 'row')}, {shown}."
        return f"A {kind} view shows its first {MOST:,} rows of {total:,}; the export holds them all, in file order."

    def _options(self, view: View) -> dict[str, Any]:
        """What the form offers: keys and names, and the parameters that it carries on unseen."""
        ground, addresses = self.ground, self.addresses
        labels = ground.comparison.labels
        models = [(addresses.model_key(name), name) for name in ground.names]
        few = len(labels) <= MOST_OPTIONS
        classes = [(addresses.labels.key(place), str(label)) for place, label in enumerate(labels)] if few else None
        return {
            "models": models,
            "labels": classes,
            "columns": [(addresses.column_key(column.name), column.name) for column in ground.columns],
            "texts": [(addresses.column_key(c.name), c.name) for c in ground.columns if c.is_text],
            "tests": TESTS,
            "primary": addresses.model_key(view.selection.primary),
            "alternative": addresses.model_key(view.selection.alternative),
            "by": addresses.model_key(view.selection.by),
            "truth": "" if view.selection.truth is None else addresses.labels.key(view.selection.truth),
            "said": "" if view.selection.said is None else addresses.labels.key(view.selection.said),
            "within": addresses.column_key(view.selection.within) if view.selection.within else "",
            "sort": view.sort if view.sort in {"", GAP} else addresses.column_key(view.sort.removeprefix("=")),
            "counts": addresses.column_key(view.counts),
            "triples": [addresses.triple(condition) for condition in view.selection.conditions],
            "carried": self._carried(view),
        }

    def _carried(self, view: View) -> list[tuple[str, str]]:
        """Parameters of the whole state, for the small forms that change one thing."""
        return self.addresses.parameters(view.first_page())


def condition_in_words(condition: Condition) -> str:
    """Say what a filter of a column asks.

    Examples
    --------
    >>> condition_in_words(Condition("age", "at-least", "18")), condition_in_words(Condition("age", "missing"))
    ('age ≥ 18', 'age is missing')
    """
    said = f"{visible(condition.column)} {TESTS[condition.test]}"
    return said if condition.test in WITHOUT_VALUE else f"{said} {visible(condition.value) or '“”'}"


def harmless(value: Shown | str, *, lines: bool = False) -> str:
    r"""Return a text without characters that a page cannot hold or that change how it reads.

    Line breaks stay where `lines` are wanted and are spaces otherwise; direction marks and controls become escapes.

    Examples
    --------
    >>> harmless("a\x00b\u202ec\nd"), harmless("a\nb", lines=True)
    ('a\\x00b\\u202ec d', 'a\nb')
    """
    text = value if isinstance(value, str) else value.text or ""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_harmless_character(character, lines=lines) for character in text)


def _harmless_character(character: str, *, lines: bool) -> str:
    if character in _KEPT_CONTROLS or character == "\r":
        return ("" if character == "\r" else character) if lines else " "
    # Joiners hold emoji and letters of some scripts together.
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"} and character not in "\u200c\u200d":
        return character.encode("unicode_escape", "surrogatepass").decode("ascii")
    return character
