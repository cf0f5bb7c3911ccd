"""Checks at the counter: each returns the clean value or raises one clear line."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from tiebreak._format import listed, quoted
from tiebreak.errors import ColumnNotFound, TiebreakError

Value = TypeVar("Value")


def one_of(value: str, argument: str, options: Iterable[str]) -> str:
    """Return `value` if it is one of `options`.

    Examples
    --------
    >>> one_of("drop", "missing", ("raise", "wrong", "drop"))
    'drop'
    """
    known = tuple(options)
    if value not in known:
        raise TiebreakError(f"{argument} is {quoted(value)}: it must be one of {listed(known)}")
    return value


def is_number(value: Any) -> bool:
    """Tell whether `value` is a real number; booleans and text that looks like one are not.

    Examples
    --------
    >>> is_number(0.5), is_number("0.5"), is_number(True), is_number(None)
    (True, False, False, False)
    """
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def whole_count(value: Any, argument: str, remedy: str) -> int:
    """Return a count as an integer, or say why it is none and what to do.

    Examples
    --------
    >>> whole_count(4.0, "n", "count whole instances")
    4
    """
    whole = is_number(value) and value >= 0 and math.isfinite(value) and value == math.floor(value)
    if not whole:
        raise TiebreakError(f"{argument} is {quoted(value)}: it must be an integer ≥ 0; {remedy}")
    return int(value)


def open_share(value: Any, argument: str) -> float:
    """Return `value` if it lies strictly between 0 and 1.

    Examples
    --------
    >>> open_share(0.95, "level")
    0.95
    """
    if not is_number(value) or not 0 < value < 1:
        raise TiebreakError(f"{argument} is {quoted(value)}: it must lie strictly between 0 and 1, for example 0.95")
    return float(value)


def margin(value: Any, argument: str) -> float:
    """Return `value` if it is a difference of shares that can be tolerated: a number from 0 to 1.

    Examples
    --------
    >>> margin(0.005, "margin")
    0.005
    """
    if not is_number(value) or not 0 <= value <= 1:
        raise TiebreakError(
            f"{argument} is {quoted(value)}: it must be a number from 0 to 1, such as 0.005 for half a point"
        )
    return float(value)


def distinct(values: Sequence[Value], argument: str) -> tuple[Value, ...]:
    """Return `values` as a tuple if none of them is repeated.

    Examples
    --------
    >>> distinct(["knn", "tree"], "models")
    ('knn', 'tree')
    """
    repeated = (
        sorted({str(value) for value in values if values.count(value) > 1}) if len(set(values)) < len(values) else []
    )
    if repeated:
        raise TiebreakError(f"{argument} names {listed(repeated)} more than once: name each once")
    return tuple(values)


def names(value: Any, argument: str) -> tuple[str, ...]:
    """Return several names as a tuple of texts; one bare text is no list of its letters.

    Examples
    --------
    >>> names(["knn", 2], "models")
    ('knn', '2')
    >>> names("ab", "models")
    Traceback (most recent call last):
    tiebreak.errors.TiebreakError: models is 'ab', one name: give a list of names, such as ['ab']
    """
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        one = quoted(value)
        raise TiebreakError(f"{argument} is {one}, one name: give a list of names, such as [{one}]")
    return tuple(str.__str__(name) if isinstance(name, str) else str(name) for name in value)


def place_of(model: str, models: Sequence[str], what: str = "model") -> int:
    """Return a model's place, or say which models there are.

    Examples
    --------
    >>> place_of("tree", ("knn", "tree"))
    1
    """
    if model not in models:
        known = f"{'its models' if what == 'model' else 'they'} are {listed(models, 20)}"
        raise ColumnNotFound(f"{quoted(model)} is no {what} of this comparison: {known}")
    return models.index(model)


def existing(names: Iterable[str], columns: Sequence[str], argument: str, where: str) -> None:
    """Refuse a name that is no column, with the columns that exist.

    Examples
    --------
    >>> existing(["y"], ["y", "knn"], "truth", "preds.csv")
    """
    known = set(columns)
    for name in names:
        if name not in known:
            raise ColumnNotFound(
                f"{argument} names {quoted(name)}, which is no column of {where}: its columns are {listed(columns, 20)}"
            )


def seed(value: Any, argument: str = "seed") -> int:
    """Return `value` if it can seed a random generator.

    Examples
    --------
    >>> seed(0)
    0
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 0:
        raise TiebreakError(f"{argument} is {quoted(value)}: it must be an integer ≥ 0")
    return int(value)


def tolerance(value: Any, argument: str = "tolerance") -> float:
    """Return `value` if it is a distance within which a number can count as right.

    Examples
    --------
    >>> tolerance(0.5)
    0.5
    """
    if isinstance(value, bool | str) or not 0 <= value < math.inf:
        raise TiebreakError(f"{argument} is {quoted(value)}: it must be a number ≥ 0, in the unit of the values")
    return float(value)
