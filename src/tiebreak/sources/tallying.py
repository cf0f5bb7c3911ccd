"""From grouped raw values to a tally: the policy for missing predictions applied, strangers refused.

This is the one place where right and wrong are decided for counted rows: two labels are equal when their values are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._format import counted, listed, quoted
from tiebreak.errors import EmptyComparison, MissingPredictions, TiebreakError
from tiebreak.sources.ask import Ask, Roles
from tiebreak.sources.grouped import Grouped, Marks, Patterns
from tiebreak.sources.labels import is_missing
from tiebreak.sources.reading import Reading
from tiebreak.tables import ConfusionCounts, Crossing, Mass, Outcomes, Tally, Words
from tiebreak.tables.confusion import OMITTED


def tally_of_outcomes(
    part: Grouped, ask: Ask, roles: Roles, reading: Reading, where: str, marks: Marks | None = None
) -> Tally:
    """Build the tally of the joint plan from grouped (truth, model 1, …, model M); `marks` are the rows' groups.

    Examples
    --------
    >>> from tiebreak.sources import opened
    >>> rows = opened([1, 0], {"a": [1, 1], "b": [0, 0]}, Ask())
    >>> part = rows.source.count(rows.roles.keys)
    >>> tally_of_outcomes(part, rows.ask, rows.roles, rows.counted.reading, "the data").n
    2
    """
    codes = reading.of(part)
    if roles.truth is None:
        codes = np.concatenate([np.full((1, codes.shape[1]), 1), codes])
    missing = tuple(int(part.mass.counts[row == OMITTED].sum()) for row in codes[1:])
    refuse_missing(missing, ask, roles)
    mass, excluded = part.mass, 0
    if ask.missing == "drop":
        complete = (codes[1:] != OMITTED).all(axis=0)
        excluded = int(mass.counts[~complete].sum())
        codes, mass = codes[:, complete], mass.where(complete)
        marks = None if marks is None else marks.where(complete)
    refuse_missing_truth(int(mass.counts[codes[0] == OMITTED].sum()), roles, where)
    refuse_empty(mass.n, excluded, where, without_any(roles.models, missing, mass.n + excluded))
    refuse_weightless(mass, where)
    refuse_strangers({model: meets(codes[0], row) for model, row in zip(roles.models, codes[1:], strict=True)}, roles)
    refuse_missing_group(mass, marks, roles, where)
    cells, places = Outcomes.placed(_narrow(codes), mass)
    crossing = None if marks is None else _crossing(places, mass, marks)
    return Tally(roles.models, reading.labels, cells, roles.truth, missing, excluded, crossing)


def _crossing(places: npt.NDArray[np.integer], mass: Mass, marks: Marks) -> Crossing:
    used = marks.occurring()
    order = np.lexsort((places, used.codes))
    places, groups, mass = places[order], used.codes[order], mass.at(order)
    ranked = _by_content(places, groups, mass)
    rank = np.empty(len(ranked), dtype=np.int64)
    rank[ranked] = np.arange(len(ranked))
    again = np.argsort(rank[groups], kind="stable")
    names = tuple(used.values[place] for place in ranked)
    return Crossing(places[again], rank[groups[again]], mass.at(again), names)


def _by_content(places: npt.NDArray[np.integer], groups: npt.NDArray[np.integer], mass: Mass) -> list[int]:
    """The groups ordered by what they hold and never by name or by how an engine returned them.

    Groups that hold the same are exchangeable, so every engine and every file format gives the same draws and the same
    last digits.
    """
    limbs = [] if mass.weights is None else list(mass.weights.limbs)
    rows = np.stack([places, mass.counts, *limbs], axis=1).astype(">i8")
    ends = np.flatnonzero(np.diff(groups, append=-1)) + 1
    starts = np.concatenate([[0], ends[:-1]])
    held = [rows[start:end].tobytes() for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return sorted(range(len(held)), key=held.__getitem__)


def _narrow(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.integer]:
    """The narrowest signed type that holds the codes; a million outcomes of nine columns need 9 MB, not 72."""
    return codes.astype(np.min_scalar_type(-1 - int(codes.max(initial=0))))


def tally_of_words(patterns: Patterns, tables: Mapping[str, ConfusionCounts], roles: Roles, **facts: Any) -> Tally:
    """Build the tally of the words plan; each model's right count must agree with the diagonal of its own table.

    Examples
    --------
    >>> one = ConfusionCounts(2, np.array([0]), np.array([0]), Mass(np.array([3])))
    >>> bits = np.array([[1], [1]], dtype=np.uint64)
    >>> patterns = Patterns(bits, Mass(np.array([3])))
    >>> tally_of_words(patterns, {"a": one, "b": one}, Roles("y", ("a", "b")), labels=("x", "z")).n
    3
    """
    cells = Words(patterns.bits, patterns.mass, tuple(tables[model] for model in roles.models))
    crossing = None
    if patterns.marks is not None:
        crossing = _crossing(np.arange(len(patterns.mass.counts)), patterns.mass, patterns.marks)
    tally = Tally(roles.models, cells=cells, truth=roles.truth, crossing=crossing, **facts)
    diagonal = np.array([table.right for table in cells.confusions])
    if not np.allclose(tally.right_counts(), diagonal, rtol=1e-9, atol=0):
        raise AssertionError("right/wrong words and confusion tables disagree about the number of right answers")
    return tally


def refuse_missing_truth(count: int, roles: Roles, where: str) -> None:
    """Refuse rows without a true label, whatever the policy for predictions is.

    Examples
    --------
    >>> refuse_missing_truth(0, Roles("y", ("a", "b")), "preds.csv")
    """
    if count and roles.truth is not None:
        raise MissingPredictions(
            f"truth {quoted(roles.truth)} is missing in {counted(count, 'row')} of {where}: an instance without a true "
            "label cannot be judged; remove these rows"
        )


def refuse_missing_group(mass: Mass, marks: Marks | None, roles: Roles, where: str) -> None:
    """Refuse instances that belong to no group: each would be one of its own, or all of them one.

    Examples
    --------
    >>> refuse_missing_group(Mass(np.array([1])), None, Roles("y", ("a", "b")), "preds.csv")
    """
    if marks is None or roles.open_group:
        return
    absent = np.array([is_missing(value) for value in marks.values], dtype=np.bool_)
    count = int(mass.counts[absent[marks.codes]].sum()) if absent.any() else 0
    if count:
        raise TiebreakError(
            f"group {quoted(roles.group)} is missing in {counted(count, 'row')} of {where}: every instance needs a "
            "group; give instances that stand alone a value of their own, or remove them"
        )


_POLICY = (
    "say what that means with --missing wrong (counts as wrong) or --missing drop (leaves the instance out for every "
    "model); missing= in Python"
)


def refuse_missing(
    missing: Sequence[int], ask: Ask, roles: Roles, what: str = "predictions", next_step: str = _POLICY
) -> None:
    """Refuse missing predictions, or whatever the models give, unless a policy says what they mean.

    Examples
    --------
    >>> refuse_missing((0, 2), Ask(missing="wrong"), Roles("y", ("a", "b")))
    """
    if ask.missing != "raise" or not any(missing):
        return
    lacking = [f"{quoted(model)} {counted(count)}" for model, count in zip(roles.models, missing, strict=True) if count]
    raise MissingPredictions(f"{what} are missing: {', '.join(lacking[:8])}; {next_step}")


def without_any(models: Sequence[str], missing: Sequence[int], rows: int) -> list[str]:
    """Return the models that have no prediction at all.

    Examples
    --------
    >>> without_any(("a", "b"), (3, 10), 10)
    ['b']
    """
    return [model for model, count in zip(models, missing, strict=True) if count >= rows]


def refuse_empty(n: int, excluded: int, where: str, absent: Sequence[str] = ()) -> None:
    """Refuse a comparison without a single instance; `absent` are the models that have no prediction at all.

    Examples
    --------
    >>> refuse_empty(1, 0, "preds.csv")
    """
    if n:
        return
    if excluded and absent:
        raise EmptyComparison(
            f"{where} has nothing at all from {listed(map(quoted, absent), 12)}, so that dropping left nothing of "
            f"{counted(excluded, 'row')}: name the other models with --models, or use --missing wrong"
        )
    if excluded:
        raise EmptyComparison(
            f"{where} has no instance on which every model has a prediction: dropping left nothing of "
            f"{counted(excluded, 'row')}; use --missing wrong, or name fewer models"
        )
    raise EmptyComparison(f"{where} holds no rows: there is nothing to compare")


def refuse_weightless(mass: Mass, where: str) -> None:
    """Refuse a comparison of instances that weigh nothing, as dropping may leave them.

    Examples
    --------
    >>> refuse_weightless(Mass(np.array([1])), "preds.csv")
    """
    if not mass.total:
        raise EmptyComparison(f"the instances of {where} that are left weigh 0 together: there is nothing to compare")


def refuse_strangers(met: Mapping[str, bool], roles: Roles) -> None:
    """Refuse a column that became a model only because nobody named it, if it shares no value with the truth.

    Examples
    --------
    >>> refuse_strangers({"knn": True}, Roles("y", ("knn", "tree")))
    """
    strangers = [roles.guessed[model] for model, shares in met.items() if not shares and model in roles.guessed]
    if roles.truth is not None and strangers:
        raise TiebreakError(
            f"column {quoted(strangers[0].column)} shares no value with the truth {quoted(roles.truth)}, so it does "
            f"not look like predictions: {strangers[0].remedy}"
        )


def meets(truth: npt.NDArray[np.integer], answers: npt.NDArray[np.integer]) -> bool:
    """Tell whether any given answer is one of the true labels; a model that gives none is no stranger.

    Examples
    --------
    >>> meets(np.array([0, 1]), np.array([-1, 1])), meets(np.array([0]), np.array([2]))
    (True, False)
    """
    is_given = answers != OMITTED
    if len(truth) == len(answers) and bool((is_given & (answers == truth)).any()):
        # A model that is right anywhere has said a true label.
        return True
    given = answers[is_given]
    return not len(given) or bool(np.isin(given, truth).any())
