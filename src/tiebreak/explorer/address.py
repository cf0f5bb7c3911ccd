"""The address bar is the state: a view is read from the parameters of an address and written back to one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from tiebreak._format import listed, quoted
from tiebreak.errors import TiebreakError
from tiebreak.explorer.columns import TESTS, WITHOUT_VALUE
from tiebreak.explorer.ground import Ground

# Longer texts stand in the address by their number.
_LONGEST = 80
_NUMBERED = "№"
GAP = "gap"
# Filters of columns in one address.
_MOST_CONDITIONS = 12
# Characters of one value that is searched for.
_LONGEST_VALUE = 4000


class BadAddress(TiebreakError):
    """An address that names what is not there."""


class Keys:
    """Texts of the file as short keys for an address: the text itself, or its number where it is long or empty.

    Examples
    --------
    >>> keys = Keys(["cat", "", "d" * 100], "class")
    >>> [keys.key(place) for place in range(3)]
    ['cat', '№1', '№2']
    >>> keys.place("cat"), keys.place("№2")
    (0, 2)
    """

    def __init__(self, texts: Iterable[str], what: str, plural: str = "", reserved: Iterable[str] = ()) -> None:
        self._texts = tuple(texts)
        self._what, self._plural = what, plural or f"{what}s"
        self._reserved = frozenset(reserved)
        self._places = {text: place for place, text in reversed(list(enumerate(self._texts)))}

    def key(self, place: int) -> str:
        """Return the key of a text by its place."""
        text = self._texts[place]
        plain = text.strip() == text != "" and len(text) <= _LONGEST and not text.startswith(_NUMBERED)
        if plain and text.isprintable() and text not in self._reserved and self._places[text] == place:
            return text
        return f"{_NUMBERED}{place}"

    def place(self, key: str) -> int:
        """Return the place that a key stands for."""
        if key.startswith(_NUMBERED):
            number = key.removeprefix(_NUMBERED)
            if number.isascii() and number.isdigit() and len(number) < 10 and int(number) < len(self._texts):
                return int(number)
        elif key in self._places:
            return self._places[key]
        raise BadAddress(f"{quoted(key)} is no {self._what} of this file: its {self._plural} are {listed(self._texts)}")


@dataclass(frozen=True, slots=True)
class Condition:
    """One filter of a column: a test, and the value it takes if it takes one."""

    column: str
    test: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which rows: those that pass every filter.

    `truth` and `said` are label codes; `said` is what the model `by` predicts.
    """

    primary: str
    alternative: str
    cell: str | None = None
    truth: int | None = None
    said: int | None = None
    by: str = ""
    conditions: tuple[Condition, ...] = ()
    id: str = ""
    text: str = ""
    within: str = ""

    @property
    def searches(self) -> bool:
        """Whether text is searched, which reads every row."""
        return bool(self.text) or any(condition.test == "contains" for condition in self.conditions)

    @property
    def bare(self) -> bool:
        """Whether it is told by the truth and the cell alone."""
        return self.said is None and not (self.conditions or self.id or self.text)


@dataclass(frozen=True, slots=True)
class View:
    """A selection and how it is shown: order, place, and the column it is counted by."""

    selection: Selection
    sort: str = ""
    descending: bool = False
    counts: str = ""
    after: int | None = None
    before: int | None = None
    page: int = 1

    @property
    def capped(self) -> bool:
        """Whether only the first rows of the view are shown."""
        return bool(self.sort) or self.selection.searches

    def first_page(self) -> View:
        """Return the same view from its beginning."""
        return replace(self, after=None, before=None, page=1)


class Addresses:
    r"""The two directions between views and addresses of one file.

    Examples
    --------
    >>> import tiebreak as tb
    >>> from pathlib import Path
    >>> from tiebreak.explorer.ground import ground_of
    >>> _ = Path("preds.csv").write_text("y_true,knn,tree\n1,1,0\n0,0,0\n")
    >>> ground = ground_of(tb.compare("preds.csv"), ["preds.csv"])
    >>> addresses = Addresses(ground)
    >>> view = addresses.read([("cell", "right_wrong"), ("true", "1")])
    >>> view.selection.cell, addresses.write(view)
    ('right_wrong', 'primary=knn&alternative=tree&cell=right_wrong&true=1')
    >>> ground.close()
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self.columns = Keys([column.name for column in ground.columns], "column", reserved=[GAP])
        self.models = Keys(ground.names, "model")
        self.labels = Keys([str(label) for label in ground.comparison.labels], "class", "classes")

    @cached_property
    def _column_places(self) -> dict[str, int]:
        return {column.name: place for place, column in enumerate(self._ground.columns)}

    def column_key(self, name: str) -> str:
        """Return the key of a column."""
        return self.columns.key(self._column_places[name])

    def model_key(self, name: str) -> str:
        """Return the key of a model."""
        return self.models.key(self._ground.names.index(name))

    def read(self, parameters: Sequence[tuple[str, str]]) -> View:
        """Return the view of an address; parameters that nobody knows are passed over."""
        given = {name: value for name, value in parameters if value}
        if not self._ground.sense.has_labels:
            given = {name: value for name, value in given.items() if name not in {"true", "said"}}
        primary, alternative = self._pair(given)
        selection = Selection(
            primary,
            alternative,
            cell=_one_of(given, "cell", self._ground.sense.cells),
            truth=self.labels.place(given["true"]) if "true" in given and self._ground.truth else None,
            said=self.labels.place(given["said"]) if "said" in given else None,
            by=self._model(given["by"]) if "by" in given else primary,
            conditions=self._conditions(parameters),
            id=_short(given, "id") if self._ground.id else "",
            text=_short(given, "text"),
            within=self._column(given["within"]) if "within" in given else "",
        )
        return View(
            selection,
            sort=self._sort(given),
            descending=given.get("order") == "desc",
            counts=self._column(given["counts"]) if "counts" in given else self._counted_first,
            after=_whole(given, "after"),
            before=_whole(given, "before"),
            page=_whole(given, "page") or 1,
        )

    def write(self, view: View) -> str:
        """Return the parameters of a view, as they stand behind the question mark."""
        return urlencode(self.parameters(view))

    def parameters(self, view: View) -> list[tuple[str, str]]:
        """Return the parameters of a view, defaults left out."""
        chosen = view.selection
        said = "" if chosen.said is None else self.labels.key(chosen.said)
        found = [
            ("primary", self.model_key(chosen.primary)),
            ("alternative", self.model_key(chosen.alternative)),
            ("cell", chosen.cell or ""),
            ("true", "" if chosen.truth is None else self.labels.key(chosen.truth)),
            ("by", self.model_key(chosen.by) if said else ""),
            ("said", said),
            ("id", chosen.id),
            ("text", chosen.text),
            ("within", self.column_key(chosen.within) if chosen.within and chosen.text else ""),
            ("sort", view.sort if view.sort in {"", GAP} else self.column_key(view.sort.removeprefix("="))),
            ("order", "desc" if view.sort and view.descending else ""),
            ("counts", "" if view.counts == self._counted_first else self.column_key(view.counts)),
            ("after", "" if view.after is None else str(view.after)),
            ("before", "" if view.before is None else str(view.before)),
            ("page", "" if view.page == 1 else str(view.page)),
        ]
        return [pair for pair in found if pair[1]] + [
            pair for condition in chosen.conditions for pair in self.triple(condition)
        ]

    def triple(self, condition: Condition) -> list[tuple[str, str]]:
        """Return the three parameters of one filter."""
        column = self.column_key(condition.column)
        return [("column", column), ("test", condition.test), ("value", condition.value)]

    @cached_property
    def _counted_first(self) -> str:
        """The truth, or what right answers are counted by; of numbers, the first column that is none of the answers."""
        ground = self._ground
        if ground.sense.has_labels:
            return ground.truth or ground.names[0]
        others = [
            column.name for column in ground.columns if column.name not in {ground.truth, ground.id, *ground.names}
        ]
        return next((name for name in others if ground.by_name[name].kind != "number"), (others or ground.names)[0])

    def _pair(self, given: Mapping[str, str]) -> tuple[str, str]:
        names = self._ground.names
        primary = self._model(given["primary"]) if "primary" in given else None
        alternative = self._model(given["alternative"]) if "alternative" in given else None
        first = primary or next(name for name in names if name != alternative)
        second = alternative or next(name for name in names if name != first)
        if first == second:
            raise BadAddress(f"primary and alternative are both {quoted(first)}: choose two models")
        return first, second

    def _model(self, key: str) -> str:
        return self._ground.names[self.models.place(key)]

    def _column(self, key: str) -> str:
        return self._ground.columns[self.columns.place(key)].name

    def _sort(self, given: Mapping[str, str]) -> str:
        """A column is marked, so that one called like the gap stays a column."""
        key = given.get("sort", "")
        return key if key in {"", GAP} else f"={self._column(key)}"

    def _conditions(self, parameters: Sequence[tuple[str, str]]) -> tuple[Condition, ...]:
        """Column, test and value come three by three, in the order of the form."""
        parts: Any = [[value for name, value in parameters if name == part] for part in ("column", "test", "value")]
        if len({len(part) for part in parts}) != 1:
            raise BadAddress("a filter is incomplete: column, test and value belong together, three by three")
        if len(parts[0]) > _MOST_CONDITIONS:
            raise BadAddress(f"there are {len(parts[0])} filters: at most {_MOST_CONDITIONS} are taken")
        found = []
        for key, test, value in zip(*parts, strict=True):
            if not key:
                continue
            if test not in TESTS:
                raise BadAddress(f"test is {quoted(test)}: it must be one of {listed(TESTS, 20)}")
            _refuse_long(value, "value")
            found.append(Condition(self._column(key), test, "" if test in WITHOUT_VALUE else value))
        return tuple(dict.fromkeys(found))


def _one_of(given: Mapping[str, str], name: str, options: Sequence[str]) -> str | None:
    if name not in given:
        return None
    if given[name] not in options:
        raise BadAddress(f"{name} is {quoted(given[name])}: it must be one of {listed(options)}")
    return given[name]


def _short(given: Mapping[str, str], name: str) -> str:
    value = given.get(name, "")
    _refuse_long(value, name)
    return value


def _refuse_long(value: str, name: str) -> None:
    if len(value) > _LONGEST_VALUE:
        raise BadAddress(f"{name} has {len(value):,} characters: at most {_LONGEST_VALUE:,} are taken")


def _whole(given: Mapping[str, str], name: str) -> int | None:
    if name not in given:
        return None
    value = given[name].strip()
    if not (value.isascii() and value.isdigit()) or len(value) > 15:
        raise BadAddress(f"{name} is {quoted(given[name])}: it must be a whole number ≥ 0")
    return int(value)
