"""What a raw value means as a label: equality of values, nothing coerced, missing recognised, kinds never mixed.

Engines disagree about equality (1 and "1", True and 1, NaN and NaN), so every distinct value comes here before anything
is compared. There are few distinct values, so this costs nothing.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import numbers
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from decimal import Decimal

import numpy as np

from tiebreak._format import quoted, visible
from tiebreak.errors import MixedLabels, TiebreakError
from tiebreak.sources.moments import is_point, moment_of
from tiebreak.tables import Label

# Above this a float has already lost digits of the integer it was made from.
DAMAGED = 2**53

_INTEGER = re.compile(r"-?[1-9][0-9]*|0")
# Spellings of "missing" that tools write beside numbers. They are not read as missing unasked; they explain an error.
MISSING_SPELLINGS = frozenset({"na", "n/a", "#n/a", "nan", "-nan", "null", "none", "<na>", "nat"})
# How text files write right and wrong.
_GRADES = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}
_KIND_NAMES = {"number": "numbers", "text": "text", "boolean": "booleans", "date": "dates", "moment": "points in time"}


def is_missing(value: object) -> bool:
    """Tell whether a raw value stands for no value: None, NaN, pandas' NA and NaT, NumPy's NaT.

    Examples
    --------
    >>> is_missing(None), is_missing(float("nan")), is_missing("")
    (True, True, False)
    """
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    if isinstance(value, np.datetime64):
        return bool(np.isnat(value))
    return isinstance(value, numbers.Real | Decimal) and math.isnan(value)


def kind_of(value: object) -> str:
    """Return the kind of a label: boolean, number, text, date, moment (a date with a time), or the name of its type.

    Examples
    --------
    >>> kind_of(True), kind_of(1), kind_of("1")
    ('boolean', 'number', 'text')
    """
    if isinstance(value, bool) or type(value).__name__ in {"bool_", "bool"}:
        return "boolean"
    if isinstance(value, numbers.Real | Decimal):
        return "number"
    if is_point(value):
        return "moment"
    if isinstance(value, str):
        return "text"
    if isinstance(value, dt.date | np.datetime64):
        return "date"
    return type(value).__name__


def label_of(value: object, column: str) -> Label:
    """Return a raw value as a label: integral numbers as int, dates and points in time as text, None where missing.

    Examples
    --------
    >>> label_of(1.0, "y"), label_of("01", "y"), label_of(float("nan"), "y")
    (1, '01', None)
    """
    if is_missing(value):
        return None
    kind = kind_of(value)
    if kind == "boolean":
        return bool(value)
    if kind == "text":
        return plain(value)
    if kind == "moment":
        return plain(moment_of(value))
    if kind == "date":
        return str(value.astype("M8[D]")) if isinstance(value, np.datetime64) else str(value)
    if kind == "number":
        return _number(value, column)
    if isinstance(value, Hashable):
        return value
    raise TiebreakError(
        f"column {quoted(column)} holds {quoted(value)}, a {kind}: a label must be one value; split it first"
    )


def plain(value: object) -> str:
    """Return a text as a plain string, which members of an enumeration of strings are too; anything else as `str` does.

    Examples
    --------
    >>> from enum import Enum
    >>> Colour = Enum("Colour", {"RED": "red"}, type=str)
    >>> plain(Colour.RED), str(Colour.RED), plain(1)
    ('red', 'Colour.RED', '1')
    """
    return str.__str__(value) if isinstance(value, str) else str(value)


def _number(value: object, column: str) -> Label:
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    number = float(value)  # type: ignore[arg-type]
    if abs(number) >= DAMAGED and math.isfinite(number):
        raise TiebreakError(
            f"column {quoted(column)} holds {number:.0f} as a floating-point number: integers of 2^53 and above lose "
            "digits that way; store the column as integers or text"
        )
    return int(number) if number.is_integer() else number


def labels_of(values: Sequence[object], column: str) -> list[Label]:
    """Return the labels of a column's distinct raw values, all of one kind.

    Examples
    --------
    >>> labels_of([1, 2.0, None], "knn")
    [1, 2, None]
    """
    if set(map(type, values)) == {int}:
        # Integers are their own labels, and there may be very many.
        return list(values)
    one_kind({f"column {quoted(column)}": given_values(values)}, within=True)
    return [label_of(value, column) for value in values]


def given_values(values: Sequence[object]) -> Sequence[object]:
    """Return the values that are not missing.

    Examples
    --------
    >>> given_values([1, None, 2.0]), given_values([1, 2])
    ([1, 2.0], [1, 2])
    """
    if set(map(type, values)) <= {int, str, bool}:
        return values
    return [value for value in values if not is_missing(value)]


def one_kind(values: Mapping[str, Iterable[object]], *, within: bool = False) -> None:
    """Refuse columns that hold different kinds of label, by name and with an example of each.

    Examples
    --------
    >>> one_kind({"y": [1, 2], "knn": [1.0]})
    """
    seen: dict[str, tuple[str, object]] = {}
    known: set[type] = set()
    for column, column_values in values.items():
        for value in column_values:
            # The kind is that of the type, so one value of each is enough.
            if type(value) not in known:
                known.add(type(value))
                seen.setdefault(kind_of(value), (column, value))
    if len(seen) < 2:
        return
    (kind, (column, value)), (other, (other_column, other_value)) = list(seen.items())[:2]
    kind, other = _KIND_NAMES.get(kind, kind), _KIND_NAMES.get(other, other)
    if within:
        text = f"{column} holds {kind} ({quoted(value)}) and {other} ({quoted(other_value)})"
    else:
        text = f"{column} holds {kind} ({quoted(value)}) but {other_column} holds {other} ({quoted(other_value)})"
    raise MixedLabels(f"{text}: labels are compared as they are and never converted; make them one kind")


def is_numeral(text: str) -> bool:
    """Tell whether a text is a number written in the one canonical way: as Python writes it.

    Examples
    --------
    >>> [is_numeral(text) for text in ("7", "-1", "1.0", "0.25")]
    [True, True, True, True]
    >>> [is_numeral(text) for text in ("01", "+1", "1.10", "1e5", "-0", "inf", " 1")]
    [False, False, False, False, False, False, False]
    """
    if _INTEGER.fullmatch(text):
        return True
    try:
        number = float(text)
    except ValueError:
        return False
    return math.isfinite(number) and repr(number) == text


def text_reader(
    columns: Mapping[str, Sequence[object]], declared: Iterable[object] | None = None
) -> Callable[[object], object]:
    """Return how the label columns of a text file are to be read, all of them alike.

    If every value of every column is a canonical integer or decimal, they are numbers. Otherwise they are text, so that
    `01` never becomes 1 and `1.10` never 1.1. A column of numbers with a few spellings of "missing" is refused, because
    either reading would be a guess, unless the spelling is among the `declared` labels.

    Examples
    --------
    >>> text_reader({"y": ["1", "2"], "knn": ["1.0", None]})("1.0")
    1.0
    >>> text_reader({"y": ["01", "2"]})("2")
    '2'
    """
    numeric, known = True, set(map(str, declared or ()))
    for column, values in columns.items():
        given = [str(value) for value in values if value is not None]
        others = [text for text in given if not is_numeral(text)]
        numeric &= not others
        _refuse_spelled_missing(column, given, [text for text in others if text not in known])
    return _read_number if numeric else _read_text


def odd_numeral(columns: Mapping[str, Sequence[object]], truth: str) -> tuple[str, str] | None:
    """Return the column and the spelling for which columns of numbers are read as text; None where there is no doubt.

    There is none where something else than a number is among the labels, and none where the truth itself spells its
    labels so and nothing spells the same number differently.

    Examples
    --------
    >>> odd_numeral({"y": ["1", "2"], "knn": ["01", "2"]}, "y"), odd_numeral({"y": ["01"], "knn": ["01"]}, "y")
    (('knn', '01'), None)
    """
    given = {column: [str(value) for value in values if value is not None] for column, values in columns.items()}
    odd = [(column, text) for column, texts in given.items() for text in texts if not is_numeral(text)]
    spellings = {text for texts in given.values() for text in texts}
    if not odd or not all(map(_looks_numeric, spellings)):
        return None
    known = set(given.get(truth, ()))
    if all(text in known for _, text in odd) and len(set(map(float, spellings))) == len(spellings):
        return None
    return odd[0]


def _looks_numeric(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and "_" not in text
    except ValueError:
        return False


def _refuse_spelled_missing(column: str, given: list[str], others: list[str]) -> None:
    if 0 < len(others) < len(given) and all(text.strip().lower() in MISSING_SPELLINGS for text in others):
        if not all(is_numeral(text) for text in given if text not in others):
            return
        raise MixedLabels(
            f"column {quoted(column)} holds numbers and {quoted(others[0])}: if that means missing, say --na "
            f"{visible(others[0])} (na= in Python); if it is a class, name all classes with --labels"
        )


def _read_number(text: object) -> object:
    if text is None:
        return None
    return int(str(text)) if _INTEGER.fullmatch(str(text)) else float(str(text))


def _read_text(text: object) -> object:
    return text


def read_digits(text: object) -> object:
    """Return a number that an engine handed over as text because its floats are too narrow for it.

    Examples
    --------
    >>> read_digits("9007199254740993"), read_digits("1.50")
    (9007199254740993, Decimal('1.50'))
    """
    return None if text is None else int(str(text)) if _INTEGER.fullmatch(str(text)) else Decimal(str(text))


def read_date(text: object) -> object:
    """Return a date that an engine handed over as text.

    Examples
    --------
    >>> read_date("2026-01-02")
    datetime.date(2026, 1, 2)
    """
    return None if text is None else dt.date.fromisoformat(str(text))


def read_json(text: object) -> object:
    """Return the value of a JSON literal.

    Examples
    --------
    >>> read_json('"1"'), read_json("1")
    ('1', 1)
    """
    return None if text is None else json.loads(str(text))


def graded(values: Sequence[object], column: str) -> list[bool | None]:
    """Return already graded answers as right or wrong: 0/1 or booleans, in text files also true/false.

    Examples
    --------
    >>> graded([1, 0, True, "False", None], "knn")
    [True, False, True, False, None]
    """
    return [None if is_missing(value) else _grade(value, column) for value in values]


def _grade(value: object, column: str) -> bool:
    if isinstance(value, str) and value.lower() in _GRADES:
        return _GRADES[value.lower()]
    if kind_of(value) in {"boolean", "number"} and value in (0, 1):
        return bool(value)
    raise TiebreakError(
        f"column {quoted(column)} holds {quoted(value)}: with task correct every answer is 0 or 1, or a boolean; "
        "for labels give the truth and leave the task out"
    )
