"""From columns of numbers to `Losses`: residuals taken, the policy for missing numbers applied, nonsense refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._format import quoted
from tiebreak.errors import EmptyComparison, MissingPredictions, TiebreakError
from tiebreak.sources.ask import Ask, Roles
from tiebreak.sources.numbers import AnyNumbers, numbers_from
from tiebreak.sources.tallying import (
    refuse_empty,
    refuse_missing,
    refuse_missing_group,
    refuse_missing_truth,
    without_any,
)
from tiebreak.tables import Losses, Mass

Floats = npt.NDArray[np.floating[Any]]

# Above this many bytes of numbers, files and lazy frames are summed where they are.
COLLECT_BYTES = 2e8


def losses_of(source: AnyNumbers, ask: Ask, roles: Roles) -> Losses:
    """Read the numbers, and do with missing ones what the policy says.

    "wrong" makes a missing score 0, the worst there is, and keeps a missing prediction as a failure (NaN): it is worse
    than every other by any factor, and its model has no mean. An infinite prediction is a failure too.

    Examples
    --------
    >>> from tiebreak.sources.numbers import NumbersInMemory
    >>> source = NumbersInMemory({"a": [0.5, None], "b": [1, 0]})
    >>> losses_of(source, Ask(task="scores", missing="wrong"), Roles(None, ("a", "b"))).values.tolist()
    [[0.5, 1.0], [0.0, 0.0]]
    """
    found = numbers_from(source, ask, roles)
    values = np.column_stack([found.columns[model] for model in roles.models])
    if found.truth is None:
        refuse_infinite(values, roles)
    else:
        values = _residuals(values, found.truth, roles, source.where)
    absent = np.isnan(values)
    missing = tuple(absent.sum(axis=0).tolist())
    refuse_missing(missing, ask, roles)
    kind = "residuals" if ask.task == "regression" else "scores"
    losses = Losses(roles.models, values, missing, weights=found.weights, kind=kind)
    marks = found.marks
    if any(missing) and ask.missing == "drop":
        complete = np.asarray(~absent.any(axis=1))
        marks = None if marks is None else marks.where(complete)
        weights = None if found.weights is None else found.weights[complete]
        excluded = int((~complete).sum())
        losses = replace(losses, values=values[complete], weights=weights, excluded=excluded)
    elif any(missing) and kind == "scores":
        refuse_negative_scores(np.nanmin(values, axis=0, initial=0.0), roles)
        losses = replace(losses, values=np.where(absent, values.dtype.type(0), values))
    refuse_empty(losses.n, losses.excluded, source.where, without_any(roles.models, missing, len(values)))
    refuse_weightless_losses(losses.total, source.where)
    if marks is None:
        return losses
    refuse_missing_group(Mass(np.ones(losses.n, dtype=np.int64)), marks, roles, source.where)
    used = marks.occurring()
    return replace(losses, groups=used.codes, names=tuple(used.values))


def _residuals(values: Floats, truth: Floats, roles: Roles, where: str) -> Floats:
    """Prediction − truth, NaN where the prediction is missing or infinite."""
    refuse_missing_truth(int(np.isnan(truth).sum()), roles, where)
    if np.isinf(truth).any():
        refuse_infinite_truth(roles)
    with np.errstate(over="ignore", invalid="ignore"):
        residuals = values - truth[:, None]
    residuals[~np.isfinite(residuals)] = np.nan
    return np.asarray(residuals)


def refuse_infinite_truth(roles: Roles) -> None:
    """Raise the error for a truth that no prediction can come near.

    Examples
    --------
    >>> refuse_infinite_truth(Roles("y", ("a", "b")))
    Traceback (most recent call last):
    tiebreak.errors.TiebreakError: truth 'y' is infinite in some rows: every true number must be finite; remove them
    """
    raise TiebreakError(
        f"truth {quoted(roles.truth)} is infinite in some rows: every true number must be finite; remove them"
    )


def refuse_infinite(values: Floats, roles: Roles) -> None:
    """Refuse infinite scores: no mean survives one.

    Examples
    --------
    >>> refuse_infinite(np.array([[1.0, 2.0]]), Roles(None, ("a", "b")))
    """
    if np.isinf(values).any():
        row, model = (int(where[0]) for where in np.nonzero(np.isinf(values)))
        raise TiebreakError(
            f"column {quoted(roles.models[model])} is {values[row, model]:g} in row {row + 1}: every score must be "
            "finite"
        )


def refuse_negative_scores(lowest: npt.ArrayLike, roles: Roles) -> None:
    """Refuse a missing score as 0 where 0 is not the worst there is.

    Examples
    --------
    >>> refuse_negative_scores([0.0, 0.5], Roles(None, ("a", "b")))
    """
    for model, low in zip(roles.models, np.asarray(lowest).tolist(), strict=True):
        if low < 0:
            raise MissingPredictions(
                f"missing is wrong, which makes a missing score 0, but column {quoted(model)} holds {low:g}: 0 is not "
                "the worst; use --missing drop, or fill the scores in"
            )


def refuse_weightless_losses(total: float, where: str) -> None:
    """Refuse a comparison of instances that weigh nothing, as dropping may leave them.

    Examples
    --------
    >>> refuse_weightless_losses(2.0, "preds.csv")
    """
    if not total > 0:
        raise EmptyComparison(f"the instances of {where} that are left weigh 0 together: there is nothing to compare")
