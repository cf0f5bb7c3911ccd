"""Numbers too many to be held, added up where they are: one aggregation a question, and no row leaves the engine.

Wins, ties and counts are exact, in the same arithmetic as in memory; sums of floats are those of the engine. Ratios are
counted on the grid of `LossSums`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.errors import TiebreakError
from tiebreak.sources.ask import Ask, Roles
from tiebreak.sources.frames import FrameSource
from tiebreak.sources.grouped import Marks, encode
from tiebreak.sources.losses import (
    refuse_infinite_truth,
    refuse_negative_scores,
    refuse_weightless_losses,
)
from tiebreak.sources.numbers import number
from tiebreak.sources.sql import SqlSource
from tiebreak.sources.sum_frames import FrameAnswers
from tiebreak.sources.sum_sql import SqlAnswers
from tiebreak.sources.tallying import (
    refuse_empty,
    refuse_missing,
    refuse_missing_group,
    refuse_missing_truth,
    without_any,
)
from tiebreak.tables import GroupSums, LossSums, Mass

Array = npt.NDArray[np.float64]


# The sums that are one number a model, and what the engine's columns are called.
_COLUMNS = {
    "solved_mass": "mass", "residuals": "e", "absolutes": "a", "squares": "s", "sums": "x", "along": "v", "own": "o",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is known before anything is added up."""

    rows: int
    missing: tuple[int, ...]
    infinite: tuple[int, ...]
    lowest: tuple[float, ...]


def sums_of(source: SqlSource | FrameSource, ask: Ask, roles: Roles) -> LossSums:
    """Add the numbers of a file or a lazy frame up.

    Examples
    --------
    >>> import pyarrow as pa
    >>> source = FrameSource(pa.table({"y": [0.0, 1.0], "a": [1.0, 1.5], "b": [2.0, 1.0]}))
    >>> found = sums_of(source, Ask(task="regression"), Roles("y", ("a", "b")))
    >>> found.absolutes, found.wins
    (array([1.5, 2. ]), array([1., 1.]))
    """
    answers = SqlAnswers(source, ask, roles) if isinstance(source, SqlSource) else FrameAnswers(source, ask, roles)
    facts, sums, drop = _added(answers, ask, roles, source.where)
    n = int(number(sums["n"]))
    excluded = facts.rows - n
    refuse_empty(n, excluded, source.where, without_any(roles.models, facts.missing, facts.rows))
    total = number(sums["total"])
    refuse_weightless_losses(total, source.where)
    models = len(roles.models)
    steps = answers.steps(sums, drop=drop)
    groups, names = _groups(answers.groups(drop=drop), roles, source.where, models)
    return LossSums(
        models=roles.models,
        n=n,
        kind="scores" if roles.truth is None else "residuals",
        loss=ask.loss,
        solved=np.array([int(number(sums[f"solved{m}"])) for m in range(models)], dtype=np.int64),
        all_failed=int(number(sums["failed"])),
        wins=steps[:, 0].copy(),
        ties=int(number(sums["ties"])),
        zeros=int(number(sums["zeros"])),
        total=total,
        total_of_squares=number(sums["squared_total"]),
        lowest=number(sums["lowest"], np.inf),
        **{name: _each(sums, column, models) for name, column in _COLUMNS.items()},
        differences=_pairs(sums, "d", models),
        steps=steps,
        within=None if ask.tolerance is None else _pairs(sums, "t", models),
        groups=groups,
        names=names,
        missing=facts.missing,
        excluded=excluded,
        weighted=roles.weight is not None,
    )


def _added(
    answers: SqlAnswers | FrameAnswers, ask: Ask, roles: Roles, where: str
) -> tuple[_Facts, Mapping[str, Any], bool]:
    """The facts and the sums, and whether instances are left out; where every sum is over all rows, in one go."""
    models = range(len(roles.models))
    fills = roles.truth is None and ask.missing == "wrong"
    sums = {} if fills else answers.sums(drop=False)
    if sums and all(number(sums[f"solved{m}"]) == number(sums["n"]) for m in models):
        nothing = (0,) * len(models)
        return _Facts(int(number(sums["n"])), nothing, nothing, (0.0,) * len(models)), sums, False
    facts = _facts(answers.facts(), roles)
    _refuse(facts, answers.facts(), ask, roles, where)
    if fills and any(facts.missing):
        refuse_negative_scores(facts.lowest, roles)
    drop = ask.missing == "drop" and any(facts.missing)
    return facts, answers.sums(drop=drop) if drop or not sums else sums, drop


def _facts(found: Mapping[str, Any], roles: Roles) -> _Facts:
    models = range(len(roles.models))
    return _Facts(
        int(number(found["rows"])),
        tuple(int(number(found[f"missing{m}"])) for m in models),
        tuple(int(number(found[f"infinite{m}"])) for m in models),
        tuple(number(found[f"low{m}"]) for m in models),
    )


def _refuse(facts: _Facts, found: Mapping[str, Any], ask: Ask, roles: Roles, where: str) -> None:
    refuse_empty(facts.rows, 0, where)
    if roles.truth is not None:
        refuse_missing_truth(int(number(found["no_truth"])), roles, where)
        if number(found["infinite_truth"]):
            refuse_infinite_truth(roles)
    else:
        for model, infinite in zip(roles.models, facts.infinite, strict=True):
            if infinite:
                raise TiebreakError(f"column '{model}' is infinite in some rows of {where}: every score must be finite")
    refuse_missing(facts.missing, ask, roles)


def _each(sums: Mapping[str, Any], what: str, models: int) -> Array:
    return np.array([number(sums[f"{what}{model}"]) for model in range(models)])


def _pairs(sums: Mapping[str, Any], what: str, models: int) -> Array:
    table = np.zeros((models, models))
    for p in range(models):
        for q in range(p, models):
            table[p, q] = table[q, p] = number(sums.get(f"{what}{p}_{q}", 0.0))
    return table


def _groups(
    found: tuple[npt.NDArray[Any], Sequence[Any]] | None, roles: Roles, where: str, models: int
) -> tuple[GroupSums | None, tuple[Any, ...]]:
    """The groups' sizes and sums (columns: count, size, sum of each model) as `GroupSums`."""
    if found is None:
        return None, ()
    table, values = found
    codes, distinct = encode(np.array([*values, None], dtype=object)[:-1])
    marks = Marks(codes, distinct)
    refuse_missing_group(Mass(table[0].astype(np.int64)), marks, roles, where)
    return GroupSums(table[1], table[2 : 2 + models]), tuple(distinct)
