"""What a source hands over: the distinct rows of some columns as raw values, and how much each weighs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.errors import TiebreakError
from tiebreak.sources.labels import is_missing
from tiebreak.tables import Mass

Codes = npt.NDArray[np.integer]


class TooManyCells(TiebreakError):
    """A source gave up a joint count because it grew beyond what was estimated.

    Examples
    --------
    >>> issubclass(TooManyCells, TiebreakError)
    True
    """


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Distinct rows: `codes[c, k]` is the place in `values[c]` of what row k holds in column c.

    Values are raw: nothing has been decided about equality yet, so two places may turn out to hold the same label.

    Examples
    --------
    >>> part = Grouped(("y", "knn"), (["a", "b"], ["a", None]), np.array([[0, 1], [0, 1]]), Mass(np.array([5, 2])))
    >>> part.column("knn")
    ['a', None]
    """

    names: tuple[str, ...]
    values: tuple[Sequence[object], ...]
    codes: Codes
    mass: Mass

    def column(self, name: str) -> Sequence[object]:
        """Return the distinct raw values of a column."""
        return self.values[self.names.index(name)]

    def split(self, name: str | None) -> tuple[Grouped, Marks | None]:
        """Take one column away and return it beside the rest, row by row; nothing is taken away without a name."""
        if name is None:
            return self, None
        place = self.names.index(name)
        others = [k for k in range(len(self.names)) if k != place]
        rest = Grouped(
            tuple(self.names[k] for k in others),
            tuple(self.values[k] for k in others),
            self.codes[others],
            self.mass,
        )
        return rest, Marks(self.codes[place], self.values[place])


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The group that each counted row belongs to: its place in `values`.

    Examples
    --------
    >>> Marks(np.array([2, 0]), ["a", "b", "c"]).occurring().values
    ['a', 'c']
    """

    codes: Codes
    values: Sequence[object]

    def where(self, kept: npt.NDArray[np.bool_]) -> Marks:
        """Keep some rows only."""
        return Marks(self.codes[kept], self.values)

    def occurring(self) -> Marks:
        """Return the same without the groups that no row belongs to."""
        used, codes = np.unique(self.codes, return_inverse=True)
        return Marks(codes.reshape(-1), [self.values[place] for place in used.tolist()])


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Right/wrong patterns as packed bits (models × words), their mass, and their groups if instances are grouped.

    Examples
    --------
    >>> Patterns(np.array([[1], [3]], dtype=np.uint64), Mass(np.array([1, 1]))).mass.n
    2
    """

    bits: npt.NDArray[np.uint64]
    mass: Mass
    marks: Marks | None = None


def from_columns(names: Sequence[str], columns: Sequence[npt.NDArray[Any]], mass: Mass) -> Grouped:
    """Encode the columns of an engine's answer (one array a column, masked or None where missing).

    Examples
    --------
    >>> from_columns(["y"], [np.array(["a", "b", "a"], dtype=object)], Mass(np.array([1, 2, 3]))).values
    (['a', 'b'],)
    """
    encoded = [encode(column) for column in columns]
    codes = np.array([codes for codes, _ in encoded], dtype=np.int64).reshape(len(names), -1)
    return Grouped(tuple(names), tuple(values for _, values in encoded), codes, mass)


def occurring(values: Sequence[object], places: Codes) -> tuple[list[object], Codes]:
    """Keep the values that occur: a range of integers has gaps, a categorical has levels nobody uses.

    Examples
    --------
    >>> occurring("abc", np.array([2, 0, 2]))
    (['a', 'c'], array([1, 0, 1]))
    """
    occurs = np.zeros(len(values), dtype=np.bool_)
    occurs[places] = True
    used = np.flatnonzero(occurs).tolist()
    if len(used) == len(values):
        return list(values), places
    return [values[place] for place in used], (np.cumsum(occurs) - 1)[places]


def encode(column: npt.NDArray[Any]) -> tuple[Codes, Sequence[object]]:
    """Return codes and distinct values of a column, exactly: 1, 1.0, True and "1" stay four values.

    Examples
    --------
    >>> encode(np.array([3, 1, 3]))[1]
    [1, 3]
    >>> encode(np.array(["a", None, 1, True], dtype=object))[1]
    ['a', None, 1, True]
    """
    if isinstance(column, np.ma.MaskedArray) and column.dtype.kind in "iub" and not np.ma.is_masked(column):
        column = np.asarray(column.data)
    if column.dtype.kind in "iub" and not isinstance(column, np.ma.MaskedArray):
        distinct, codes = np.unique(column, return_inverse=True)
        return codes.reshape(-1), distinct.tolist()
    return encode_objects(column.tolist())


def encode_objects(values: Sequence[object]) -> tuple[Codes, Sequence[object]]:
    """Do the same for Python objects; everything that means "missing" is one value.

    Examples
    --------
    >>> encode_objects(["b", "a", "b"])
    (array([0, 1, 0]), ['b', 'a'])
    """
    place: dict[object, int] = {}
    if set(map(type, values)) <= {str, type(None)}:
        # One type and None cannot be confused, so the values themselves are the keys: eight times faster.
        codes = np.fromiter((place.setdefault(value, len(place)) for value in values), np.int64, len(values))
        return codes, list(place)
    typed: dict[tuple[type, object], int] = {}
    keys = ((type(value), value) for value in (None if is_missing(raw) else raw for raw in values))
    codes = np.fromiter((typed.setdefault(key, len(typed)) for key in keys), np.int64, len(values))
    return codes, [value for _, value in typed]
