"""Class probabilities at the counter: arrays or columns, each a number in [0, 1], summing to one over the classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from tiebreak._format import counted, listed, quoted
from tiebreak.errors import ColumnNotFound, MissingPredictions, NotDefined, TiebreakError
from tiebreak.sources.ask import ProbaColumn
from tiebreak.sources.frames import FrameSource
from tiebreak.sources.grouped import Codes, Marks, encode
from tiebreak.sources.loaded import LoadedSource
from tiebreak.sources.memory import MemorySource
from tiebreak.sources.opening import Opened
from tiebreak.sources.sql import SqlSource
from tiebreak.tables import Label, Scores

# Rows of probabilities are rounded when they are written: a sum may be this far from one.
TOLERANCE = 1e-3
Floats = npt.NDArray[np.float64]


def proba_column(argument: str) -> ProbaColumn:
    """Read MODEL=COL or MODEL:LABEL=COL.

    Examples
    --------
    >>> proba_column("knn=p"), proba_column("knn:cat=p_cat")
    (ProbaColumn(model='knn', label=None, column='p'), ProbaColumn(model='knn', label='cat', column='p_cat'))
    """
    left, equals, column = argument.partition("=")
    model, colon, label = left.partition(":")
    if not equals or not model or not column or (colon and not label):
        raise TiebreakError(
            f"proba is {quoted(argument)}: write MODEL=COLUMN for the probability of the positive class, or "
            "MODEL:LABEL=COLUMN for each class"
        )
    return ProbaColumn(model, label if colon else None, column)


def scores_of(rows: Opened, y_proba: Mapping[str, Any] | None = None, *, positive: Label | None = None) -> Scores:
    """Return the probabilities of an open source as checked scores.

    Parameters
    ----------
    rows : an open source, whose `ask.proba` names columns if `y_proba` is not given
    y_proba : per model, one probability an instance (of the positive class, two classes only) or one a class, in the
        order of the labels
    positive : the positive class where there are two; the last one by default

    Examples
    --------
    >>> from tiebreak.sources import Ask, opened
    >>> rows = opened(["no", "yes"], {"a": ["no", "yes"], "b": ["no", "no"]}, Ask())
    >>> scores_of(rows, {"a": [0.2, 0.9], "b": [[0.6, 0.4], [0.7, 0.3]]}).of("b", 1)
    array([0.4, 0.3])
    """
    tally = rows.tally
    if tally.truth is None:
        raise NotDefined("probabilities need true labels, and these answers came already graded right or wrong")
    labels, place = tally.labels, _positive(tally.labels, positive)
    truth, columns, weights, groups, kept = _columns(rows, rows.ask.proba if y_proba is None else ())
    if y_proba is None:
        given = _by_model(rows.ask.proba, columns, labels, place)
    else:
        for model in y_proba:
            tally.index(str(model))
        given = {str(model): _array(values, str(model))[kept] for model, values in y_proba.items()}
    values = {model: checked(array, model, len(truth), labels) for model, array in given.items()}
    return Scores(tuple(values), labels, truth, _one_form(tuple(values.values()), place), place, weights, groups)


def _positive(labels: Sequence[Label], positive: Label | None) -> int | None:
    """The place of the positive class, None where there are not two."""
    if len(labels) != 2:
        if positive is not None:
            raise TiebreakError(f"positive is {quoted(positive)}, but there are {len(labels)} classes, not two")
        return None
    if positive is None:
        return 1
    names = [str(label) for label in labels]
    if positive not in labels and str(positive) not in names:
        raise TiebreakError(f"positive is {quoted(positive)}: it must be one of the classes {listed(labels)}")
    return list(labels).index(positive) if positive in labels else names.index(str(positive))


def _one_form(values: tuple[Floats, ...], positive: int | None) -> tuple[Floats, ...]:
    """With two classes the number of the positive one says all."""
    if positive is None:
        return values
    return tuple(array[:, positive] if array.ndim == 2 else array for array in values)


def checked(values: Floats, model: str, n: int, labels: Sequence[Label]) -> Floats:
    """Return probabilities in [0, 1], one an instance or one a class that sum to one.

    Examples
    --------
    >>> checked(np.array([0.25, 1.0]), "knn", 2, ("no", "yes"))
    array([0.25, 1.  ])
    """
    who = f"y_proba of {quoted(model)}"
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    wide = values.ndim == 2 and values.shape[1] == len(labels)
    if len(values) != n or not (wide or (values.ndim == 1 and len(labels) == 2)):
        one = f"({n},) or " if len(labels) == 2 else ""
        raise TiebreakError(
            f"{who} has shape {values.shape}: it must be {one}({n}, {len(labels)}), one column for each of the classes "
            f"{listed(labels)}, in this order"
        )
    absent = np.isnan(values)
    if absent.any():
        rows = int(absent.reshape(n, -1).any(axis=1).sum())
        raise MissingPredictions(f"{who} is missing in {counted(rows, 'row')}: give every instance a probability")
    wrong = (values < 0) | (values > 1)
    if wrong.any():
        raise TiebreakError(
            f"{who} holds {values[wrong][0]:g}: a probability lies between 0 and 1; apply the sigmoid or the softmax "
            "to scores first"
        )
    if not wide:
        return values
    sums = values.sum(axis=1)
    off = np.abs(sums - 1) > TOLERANCE
    if off.any():
        row = int(np.flatnonzero(off)[0])
        raise TiebreakError(
            f"{who} sums to {sums[row]:g} in row {row} (counted from 0), off in {counted(int(off.sum()), 'row')}: the "
            "probabilities of all classes sum to 1"
        )
    # As they are: a division would part numbers that are tied, and with them the areas under curves.
    return values


def _array(values: Any, model: str) -> Floats:
    frame = nw.from_native(values, pass_through=True)
    try:
        given = frame.to_numpy() if isinstance(frame, nw.DataFrame | nw.Series) else values
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise TiebreakError(
            f"y_proba of {quoted(model)} holds something that is no number: give one probability an instance, or one a "
            "class"
        ) from None


def _by_model(
    asked: Sequence[ProbaColumn], columns: Mapping[str, Floats], labels: Sequence[Label], positive: int | None
) -> dict[str, Floats]:
    """Bring the columns of each model together: the positive class alone, or every class."""
    if not asked:
        raise NotDefined("no probabilities were given: name their columns with --proba, or give y_proba")
    found: dict[str, dict[int | None, Floats]] = {}
    for given in asked:
        place = None if given.label is None else _place(given, labels)
        mine = found.setdefault(given.model, {})
        if place in mine:
            raise TiebreakError(f"proba names {quoted(given.model)} twice for the same class: name each class once")
        mine[place] = columns[given.column]
    return {model: _joined(model, parts, labels, positive) for model, parts in found.items()}


def _place(given: ProbaColumn, labels: Sequence[Label]) -> int:
    names = [str(label) for label in labels]
    if given.label not in names:
        raise ColumnNotFound(f"proba names the class {quoted(given.label)}: the classes are {listed(labels, 20)}")
    return names.index(given.label)


def _joined(model: str, parts: Mapping[int | None, Floats], labels: Sequence[Label], positive: int | None) -> Floats:
    if set(parts) == set(range(len(labels))):
        return np.stack([parts[place] for place in range(len(labels))], axis=1)
    if positive is not None and len(parts) == 1:
        place, values = next(iter(parts.items()))
        return values if place in {None, positive} else 1.0 - values
    lacking = [label for place, label in enumerate(labels) if place not in parts]
    raise TiebreakError(
        f"proba gives {quoted(model)} no column for {listed(lacking)}: with {len(labels)} classes name one column "
        "each, as MODEL:LABEL=COLUMN"
    )


def _columns(
    rows: Opened, asked: Sequence[ProbaColumn]
) -> tuple[Codes, dict[str, Floats], Floats | None, Codes | None, npt.NDArray[np.bool_] | slice]:
    """The codes of the truth, the probabilities, the weights and the groups, over the rows that were compared."""
    for given in asked:
        rows.tally.index(given.model)
    roles = rows.roles
    complete = roles.models if rows.ask.missing == "drop" else ()
    names = list(dict.fromkeys(given.column for given in asked))
    source: Any = rows.source.relation if isinstance(rows.source, LoadedSource) else rows.source
    keys = [str(roles.truth), *([] if roles.group is None else [roles.group])]
    marks, numbers, weights, kept = _read(source, keys, names, complete)
    codes, values = marks[0]
    labels = rows.counted.reading.code(str(roles.truth), values)[codes]
    groups = Marks(*marks[1]).occurring().codes if len(marks) > 1 else None
    return labels, dict(zip(names, numbers, strict=True)), weights, groups, kept


Columns = tuple[list[tuple[Codes, Sequence[object]]], list[Floats], Floats | None, Any]


@singledispatch
def _read(source: Any, keys: Sequence[str], names: Sequence[str], complete: Sequence[str]) -> Columns:
    """Return encoded key columns, columns of numbers, the weights, and which rows of the caller's arrays these are."""
    raise TypeError(f"nothing reads {keys}, {names} of a {type(source).__name__} where {complete} are given")


@_read.register
def _(source: MemorySource, keys: Sequence[str], names: Sequence[str], complete: Sequence[str]) -> Columns:
    kept: Any = slice(None)
    missing = [source.missing(name) for name in complete]
    if missing:
        kept = ~np.logical_or.reduce(missing)
    vectors = [source.vectors[key].encoded() for key in keys]
    marks = [(vector.codes[kept].astype(np.int64) - vector.low, vector.values) for vector in vectors]
    numbers = [_array(source.raw(name), name)[kept] for name in names]
    weights = None if source.weights is None else source.weights[kept]
    return marks, numbers, weights, kept


@_read.register
def _(source: SqlSource, keys: Sequence[str], names: Sequence[str], complete: Sequence[str]) -> Columns:
    marks, numbers, weights = source.numbers(keys, names, complete)
    return [encode(mark) for mark in marks], numbers, weights, slice(None)


@_read.register
def _(source: FrameSource, keys: Sequence[str], names: Sequence[str], complete: Sequence[str]) -> Columns:
    marks, numbers, weights = source.numbers(keys, names, complete)
    return [encode(mark) for mark in marks], numbers, weights, slice(None)
