"""One reading of all label columns: which label each raw value is, and the labels' common order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import distinct
from tiebreak._format import listed, quoted
from tiebreak.errors import TiebreakError
from tiebreak.sources.ask import Ask, Roles
from tiebreak.sources.grouped import Grouped
from tiebreak.sources.labels import DAMAGED, given_values, graded, labels_of, one_kind, plain
from tiebreak.tables import Label
from tiebreak.tables.confusion import OMITTED
from tiebreak.tables.labels import ordered

# A column with more distinct values than this, some of them not integral, holds measurements and not classes.
CONTINUOUS = 30

Values = Mapping[str, Sequence[object]]


@dataclass(frozen=True, slots=True)
class Reading:
    """The labels of a comparison, and per column the label code of each raw value (−1 where missing).

    Examples
    --------
    >>> reading = read_values({"y": [1, 2], "knn": [2.0, None]}, None, Ask(), Roles("y", ("knn",)))
    >>> reading.labels, reading.code("knn", [None, 2.0])
    ((1, 2), array([-1,  1]))
    """

    labels: tuple[Label, ...]
    _codes: Mapping[str, Mapping[tuple[type, object], int]]

    def code(self, column: str, values: Sequence[object]) -> npt.NDArray[np.int64]:
        """Return the label codes of raw values of a column; a value that never occurs has none, like a missing one."""
        known = self._codes[column]
        return np.array([known.get((type(value), value), OMITTED) for value in values], dtype=np.int64)

    @property
    def wide(self) -> bool:
        """Whether a label is an integer beyond what a float holds exactly."""
        return any(isinstance(label, int) and abs(label) >= DAMAGED for label in self.labels)

    def one_spelling(self, first: str, second: str) -> bool:
        """Tell whether labels and their spellings in both columns go one to one, so that equal means written alike."""
        spelled: dict[int, object] = {}
        meant: dict[object, int] = {}
        pairs = [pair for column in (first, second) for pair in self._codes[column].items() if pair[1] != OMITTED]
        return all(
            spelled.setdefault(code, raw) == raw and meant.setdefault(raw, code) == code for (_, raw), code in pairs
        )

    def raw(self, column: str) -> list[object]:
        """Return the distinct raw values of a column."""
        return [value for _, value in self._codes[column]]

    def matches(self, truth: str, model: str) -> list[tuple[object, object]]:
        """Return the pairs of raw values, true and predicted, that are the same label."""
        spellings: dict[int, list[object]] = {}
        for (_, raw), code in self._codes[truth].items():
            spellings.setdefault(code, []).append(raw)
        spellings.pop(OMITTED, None)
        return [(g, p) for (_, p), code in self._codes[model].items() for g in spellings.get(code, ())]

    def spellings(self, column: str, code: int) -> list[object]:
        """Return the raw values of a column that are one label, given by its code; −1 for those that are missing."""
        return [raw for (_, raw), known in self._codes[column].items() if known == code]

    def right_values(self, model: str) -> list[object]:
        """Return the raw values that mean "right" in a column of graded answers."""
        return [raw for (_, raw), code in self._codes[model].items() if code == 1]

    def of(self, part: Grouped) -> npt.NDArray[np.int64]:
        """Return the label codes of grouped rows (columns × rows)."""
        columns = zip(part.names, part.values, part.codes, strict=True)
        return np.array([self.code(name, values)[codes] for name, values, codes in columns])


def read_values(raw: Values, values: Values | None, ask: Ask, roles: Roles, order: Sequence[Label] = ()) -> Reading:
    """Read the distinct raw values of all columns as labels.

    `values` are the raw ones after their file format has been read (text typed, JSON parsed); `order` is the order of
    an ordered categorical, used unless the caller names one.

    Examples
    --------
    >>> read_values({"y": ["b", "a"], "knn": ["a", None]}, None, Ask(), Roles("y", ("knn",))).labels
    ('a', 'b')
    """
    values = values or raw
    if ask.graded:
        read: dict[str, list[Label]] = {column: list(graded(given, column)) for column, given in values.items()}
        labels: tuple[Label, ...] = (False, True)
    else:
        read = {column: labels_of(given, column) for column, given in values.items()}
        one_kind({f"column {quoted(column)}": given_values(given) for column, given in values.items()})
        _refuse_continuous(read, roles)
        labels = _label_order(read, ask, order)
    place: dict[Label, int] = {label: code for code, label in enumerate(labels)} | {None: OMITTED}
    codes = {
        column: {(type(given), given): place[label] for given, label in zip(raw[column], found, strict=True)}
        for column, found in read.items()
    }
    return Reading(labels, codes)


def _refuse_continuous(read: Mapping[str, Sequence[Label]], roles: Roles) -> None:
    """Refuse measurements among the labels; what the truth holds as text are classes, however they are spelled."""
    classes = {label for label in read.get(str(roles.truth), ()) if isinstance(label, str)}
    for column, labels in read.items():
        if all(type(label) is int for label in labels):
            continue
        broken = [label for label in labels if is_fraction(label) and label not in classes]
        if broken and len(set(labels) - classes) > CONTINUOUS:
            _refuse_measurements(column, broken[0], truth=column == roles.truth)


def is_fraction(label: Label) -> bool:
    """Tell whether a label is a number that is not whole, or the text of one.

    Examples
    --------
    >>> [is_fraction(label) for label in (0.25, "0.250", 3, "3", "1.2.3", "cat")]
    [True, True, False, False, False, False]
    """
    if isinstance(label, str):
        try:
            return not float(label).is_integer() and math.isfinite(float(label)) and "_" not in label
        except ValueError:
            return False
    return isinstance(label, float)


def _refuse_measurements(column: str, value: Label, *, truth: bool) -> None:
    found = f"looks continuous (more than {CONTINUOUS} values, among them {quoted(value)})"
    if truth:
        raise TiebreakError(
            f"truth {quoted(column)} {found}: labels are classes; for numbers use --task regression, for graded "
            "answers --task scores"
        )
    raise TiebreakError(
        f"column {quoted(column)} {found}: predictions are labels; class probabilities belong to --proba (y_proba), "
        "predicted numbers to --task regression, graded scores to --task scores"
    )


def _label_order(read: Mapping[str, Sequence[Label]], ask: Ask, order: Sequence[Label]) -> tuple[Label, ...]:
    seen = dict.fromkeys(label for labels in read.values() for label in labels if label is not None)
    if ask.labels is not None:
        return _named_order(ask.labels, seen)
    if order and set(seen) <= set(order):
        return tuple(order)
    return ordered(seen)


def _named_order(named: Sequence[object], seen: Mapping[Label, None]) -> tuple[Label, ...]:
    """The caller's order of the labels; on the command line numbers arrive as text, so they are matched by both."""
    by_text = {str(label): label for label in seen}
    named = [plain(name) if isinstance(name, str) else name for name in named]
    order = [by_text.get(name, name) if isinstance(name, str) and name not in seen else name for name in named]
    left_out = [label for label in seen if label not in set(order)]
    if left_out:
        raise TiebreakError(f"labels leaves out {listed(left_out)}, which the data hold: name every label")
    return distinct(order, "labels")
