"""A table taken apart into plain facts and arrays of integers, and put together again with every law of it checked.

It is what a file format needs and no format itself: facts are what JSON can hold, arrays are exact integers of the
narrowest type that holds them, and equal tables give equal parts. What is not a table of this kind is refused in one
line, whoever wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._format import quoted
from tiebreak.errors import TiebreakError
from tiebreak.tables.bits import WORD
from tiebreak.tables.confusion import OMITTED, ConfusionCounts
from tiebreak.tables.groups import Crossing
from tiebreak.tables.labels import Label
from tiebreak.tables.mass import Mass
from tiebreak.tables.outcomes import Outcomes
from tiebreak.tables.tally import Tally
from tiebreak.tables.weights import LIMBS, Scale, Weights
from tiebreak.tables.words import Words

Facts = dict[str, Any]
Arrays = dict[str, npt.NDArray[np.integer]]

_KINDS: dict[str, type] = {"bool": bool, "int": int, "float": float, "text": str}
# Σ of limbs and of counts stays below this, as for 10¹¹ rows.
_MOST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Parts:
    """The kind of a table, its facts and its arrays.

    Examples
    --------
    >>> parts = parts_of(Tally.of({("x", "x", "z"): 3}, models=("a", "b")))
    >>> parts.kind, parts.facts["labels"], parts.arrays["codes"].tolist()
    ('tally', [['text', ['x', 'z']]], [[0], [0], [1]])
    """

    kind: str
    facts: Facts
    arrays: Arrays


class Torn(TiebreakError):
    """Parts that do not make a table.

    Examples
    --------
    >>> raise Torn("the counts are missing")
    Traceback (most recent call last):
    tiebreak.tables.parts.Torn: the counts are missing
    """


@singledispatch
def parts_of(table: object) -> Parts:
    """Take a table apart.

    Examples
    --------
    >>> parts_of(Tally.of({("x", "x", "z"): 3}, models=("a", "b"))).facts["n"]
    3
    """
    raise TiebreakError(f"a {type(table).__name__} has no parts that could be kept: keep a Tally")


def table_of(parts: Parts) -> Tally:
    """Put a table together again, or raise `Torn`.

    Examples
    --------
    >>> table_of(parts_of(Tally.of({("x", "x", "z"): 3}, models=("a", "b")))).pair("a", "b").right_wrong
    3
    """
    made = _MAKERS.get(parts.kind)
    _require(made is not None, f"a table of the unknown kind {quoted(parts.kind)}")
    try:
        return made(parts.facts, parts.arrays)  # type: ignore[misc]
    except (KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise Torn(f"a part is missing or of the wrong kind ({type(error).__name__})") from None
    except ValueError as error:
        if isinstance(error, TiebreakError):
            raise
        raise Torn("a part has the wrong form") from None


def _require(holds: object, what: str) -> None:
    if not holds:
        raise Torn(what)


@parts_of.register
def _(table: Tally) -> Parts:
    facts: Facts = {
        "models": list(table.models),
        "labels": _kinds(table.labels),
        "truth": table.truth,
        "task": "correct" if table.truth is None else "classification",
        "plan": table.plan,
        "n": table.n,
        "missing": list(table.missing),
        "excluded": table.excluded,
        "scale": None,
        "groups": None,
    }
    arrays: Arrays = {}
    _put_mass(facts, arrays, "", table.cells.mass)
    if isinstance(table.cells, Outcomes):
        arrays["codes"] = _narrow(table.cells.codes)
    else:
        facts["confusions"] = len(table.cells.confusions)
        arrays["bits"] = table.cells.bits.astype("<u8", copy=False)
        for place, confusion in enumerate(table.cells.confusions):
            arrays[f"confusion_{place}"] = _narrow(np.array([confusion.rows, confusion.columns]))
            _put_mass(facts, arrays, f"confusion_{place}_", confusion.mass)
    if table.crossing is not None:
        facts["groups"] = _kinds(table.crossing.names)
        arrays["crossing"] = _narrow(np.array([table.crossing.patterns, table.crossing.groups]))
        _put_mass(facts, arrays, "crossing_", table.crossing.mass)
    return Parts("tally", facts, arrays)


def _put_mass(facts: Facts, arrays: Arrays, name: str, mass: Mass) -> None:
    """All masses of a table have one scale."""
    arrays[f"{name}counts"] = _narrow(mass.counts)
    if mass.weights is not None:
        facts["scale"] = [mass.weights.scale.weight, mass.weights.scale.square]
        arrays[f"{name}limbs"] = _narrow(mass.weights.limbs)


def _narrow(values: npt.NDArray[Any]) -> npt.NDArray[np.integer]:
    """The narrowest signed little-endian type, so that equal tables have equal parts however they were made."""
    low, high = int(values.min(initial=0)), int(values.max(initial=0))
    dtype = np.min_scalar_type(min(low, -1 - high))
    return np.ascontiguousarray(values, dtype=dtype.newbyteorder("<"))


def _kinds(labels: Sequence[Label]) -> list[list[Any]]:
    """Labels in runs of one kind, so that 1, '1', True and 1.0 stay what they are."""
    return [[kind, [_kept(label) for label in run]] for kind, run in groupby(labels, _kind)]


def _kind(label: Label) -> str:
    for kind, known in _KINDS.items():
        if isinstance(label, known):
            return kind
    raise TiebreakError(
        f"label {quoted(label)} is a {type(label).__name__}, which a file cannot keep: make labels and groups numbers, "
        "text or booleans"
    )


def _kept(label: Any) -> Any:
    """Every digit of a float; a subclass of text as plain text."""
    return label.hex() if isinstance(label, float) else str(label) if isinstance(label, str) else label


def _labels(runs: list[list[Any]]) -> tuple[Label, ...]:
    found: list[Label] = []
    for kind, values in runs:
        _require(kind in _KINDS, f"labels of the unknown kind {quoted(kind)}")
        read = [float.fromhex(value) for value in values] if kind == "float" else values
        _require(all(type(value) is _KINDS[kind] for value in read), f"labels that are not all {kind}")
        found += read
    keys = [(type(label), label) for label in found]
    _require(len(set(keys)) == len(keys), "a label that occurs twice")
    return tuple(found)


def _tally(facts: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[np.integer]]) -> Tally:
    models, labels = tuple(facts["models"]), _labels(facts["labels"])
    _require(models and len(set(models)) == len(models), "models that are not distinct")
    _require(all(isinstance(model, str) for model in models), "a model without a name")
    mass = _mass(facts, arrays, "")
    cells: Outcomes | Words
    if facts["plan"] == "outcomes":
        cells = _outcomes(arrays["codes"], mass, len(models), len(labels))
    else:
        _require(facts["plan"] == "words", f"the unknown plan {quoted(facts['plan'])}")
        cells = _words(facts, arrays, mass, (len(models), len(labels)))
    missing, excluded = tuple(facts["missing"]), facts["excluded"]
    whole = all(type(count) is int and count >= 0 for count in (*missing, excluded))
    _require(whole and len(missing) in {0, len(models)}, "counts of missing predictions that are none")
    _require(facts["n"] == mass.n, f"{mass.n} instances where its head says {facts['n']}")
    truth = facts["truth"]
    _require(truth is None or isinstance(truth, str), "a truth without a name")
    crossing = None if facts["groups"] is None else _crossing(facts, arrays, mass)
    return Tally(models, labels, cells, truth, missing, excluded, crossing)


def _mass(facts: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[np.integer]], name: str) -> Mass:
    counts = arrays[f"{name}counts"].astype(np.int64)
    _require(counts.ndim == 1 and (counts >= 0).all(), "counts below zero")
    _require(float(counts.sum(dtype=np.float64)) < _MOST, "counts that are too large")
    if facts["scale"] is None:
        return Mass(counts)
    limbs = arrays[f"{name}limbs"].astype(np.int64)
    _require(limbs.shape == (2 * LIMBS, len(counts)) and (limbs >= 0).all(), "sums of weights that are none")
    weight, square = facts["scale"]
    _require(type(weight) is int and type(square) is int, "a scale that is none")
    return Mass(counts, Weights(limbs, Scale(weight, square)))


def _outcomes(codes: npt.NDArray[np.integer], mass: Mass, models: int, labels: int) -> Outcomes:
    _require(codes.shape == (models + 1, len(mass.counts)), "outcomes of another number of models")
    _within(codes[0], 0, labels)
    _within(codes, OMITTED, labels)
    return Outcomes(codes.astype(codes.dtype.newbyteorder("=")), mass)


def _words(
    facts: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[np.integer]], mass: Mass, shape: tuple[int, int]
) -> Words:
    models, labels = shape
    bits, patterns = arrays["bits"], len(mass.counts)
    _require(bits.dtype == np.uint64 and bits.shape == (models, -(-patterns // WORD)), "words of another length")
    spare = np.uint64(2**64 - (1 << (patterns % WORD))) if patterns % WORD else np.uint64(0)
    _require(not bits.size or not (bits[:, -1] & spare).any(), "words with bits beyond their patterns")
    _require(facts["confusions"] in {0, models}, "confusion counts of another number of models")
    tables = []
    for place in range(facts["confusions"]):
        rows, columns = arrays[f"confusion_{place}"].astype(np.int64)
        part = _mass(facts, arrays, f"confusion_{place}_")
        _require(rows.shape == part.counts.shape and part.n == mass.n, "confusion counts of other instances")
        _within(rows, 0, labels)
        _within(columns, OMITTED, labels)
        tables.append(ConfusionCounts(labels, rows, columns, part))
    return Words(bits.astype(np.uint64), mass, tuple(tables))


def _crossing(facts: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[np.integer]], mass: Mass) -> Crossing:
    patterns, groups = arrays["crossing"].astype(np.int64)
    part, names = _mass(facts, arrays, "crossing_"), _labels(facts["groups"])
    _require(patterns.shape == part.counts.shape, "groups of another number of instances")
    _within(patterns, 0, len(mass.counts))
    _within(groups, 0, len(names))
    together = part.grouped(patterns, len(mass.counts))
    _require(np.array_equal(together.counts, mass.counts), "groups that do not add up to all instances")
    return Crossing(patterns, groups, part, names)


def _within(codes: npt.NDArray[np.integer], low: int, high: int) -> None:
    _require(int(codes.min(initial=low)) >= low and int(codes.max(initial=-1)) < high, "a code without a label")


_MAKERS: dict[str, Callable[[Mapping[str, Any], Mapping[str, npt.NDArray[np.integer]]], Tally]] = {"tally": _tally}
