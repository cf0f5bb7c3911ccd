"""How far predictions of numbers are off, and graded scores: means, bias, shares within a tolerance, wins.

Every function takes `Losses` (or the `LossSums` of those too many to hold) and returns one number a model. A model that
failed on an instance has no mean there is, so its means are NaN; what counts instances (wins, shares) goes on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._format import counted, percent
from tiebreak.errors import NotDefined
from tiebreak.tables import Losses, LossSums, ratios_of

Array = npt.NDArray[np.float64]
AnyLosses = Losses | LossSums

NO_SIGN = "losses have no sign any more: a bias needs the residuals"
_NEEDS_TOLERANCE = "the share within a tolerance was not added up: name the tolerance before the losses are summed"


def mean_absolute_error(losses: AnyLosses) -> Array:
    """(1/N) Σ |e|, e = prediction − truth. Range [0, ∞); NaN where a model failed on an instance.

    Examples
    --------
    >>> mean_absolute_error(Losses(("a", "b"), np.array([[1.0, -2.0], [-3.0, 2.0]]), kind="residuals"))
    array([2., 2.])
    """
    if isinstance(losses, LossSums):
        return _mean_of_sums(losses, losses.absolutes)
    return _means(losses, [losses.column(place) for place in range(len(losses.models))])


def mean_squared_error(losses: AnyLosses) -> Array:
    """(1/N) Σ e². Range [0, ∞); NaN where a model failed on an instance.

    Examples
    --------
    >>> mean_squared_error(Losses(("a", "b"), np.array([[1.0, -2.0], [-3.0, 2.0]]), kind="residuals"))
    array([5., 4.])
    """
    if isinstance(losses, LossSums):
        return _mean_of_sums(losses, losses.squares)
    return _means(losses, [losses.column(place, "squared") for place in range(len(losses.models))])


def root_mean_squared_error(losses: AnyLosses) -> Array:
    """√((1/N) Σ e²), in the unit of the truth. Range [0, ∞), never below the mean absolute error.

    Examples
    --------
    >>> root_mean_squared_error(Losses(("a", "b"), np.array([[3.0, -2.0], [-3.0, 2.0]]), kind="residuals"))
    array([3., 2.])
    """
    return np.asarray(np.sqrt(mean_squared_error(losses)))


def bias(losses: AnyLosses) -> Array:
    """(1/N) Σ e, e = prediction − truth: above 0 where a model predicts too much on average. NaN without residuals.

    Examples
    --------
    >>> bias(Losses(("a", "b"), np.array([[1.0, -2.0], [-3.0, 2.0]]), kind="residuals"))
    array([-1.,  0.])
    """
    if isinstance(losses, LossSums):
        return _mean_of_sums(losses, losses.residuals)
    if losses.kind != "residuals":
        return np.full(len(losses.models), np.nan)
    return _means(losses, [np.where(np.isfinite(column), column, np.nan) for column in losses.values.T])


def mean_score(losses: AnyLosses) -> Array:
    """(1/N) Σ s of graded scores, higher is better.

    Examples
    --------
    >>> mean_score(Losses(("a", "b"), np.array([[1.0, 0.5], [0.0, 0.25]]), kind="scores"))
    array([0.5  , 0.375])
    """
    if isinstance(losses, LossSums):
        return _mean_of_sums(losses, losses.sums)
    return _means(losses, [losses.column(place) for place in range(len(losses.models))])


def share_within(losses: AnyLosses, tolerance: float) -> Array:
    """Share of instances with |e| ≤ ε: one point of the REC curve, the absolute-scale companion of a profile.

    Range [0, 1]; a failure is never within. With scores: at most ε below the best of the instance. From sums only at
    the tolerance that was named before.

    Examples
    --------
    >>> share_within(Losses(("a", "b"), np.array([[0.1, -2.0], [-3.0, 0.5]]), kind="residuals"), 0.5)
    array([0.5, 0.5])
    """
    if isinstance(losses, LossSums):
        if losses.within is None:
            raise NotDefined(_NEEDS_TOLERANCE)
        return np.asarray(np.diagonal(losses.within) / losses.total)
    return _shares(losses, losses.within(tolerance))


def wins(losses: AnyLosses) -> Array:
    """Share of instances on which a model is the best of all, or ties for it (1e-12 of the best); ρ(1) of its profile.

    Range [0, 1]; with ties they sum to more than 1.

    Examples
    --------
    >>> wins(Losses(("a", "b"), np.array([[0.1, -2.0], [0.5, -0.5]]), kind="residuals"))
    array([1. , 0.5])
    """
    if isinstance(losses, LossSums):
        return np.asarray(losses.wins / losses.total)
    best = np.empty((len(losses.models), len(losses.values)), dtype=np.bool_)
    for place, part in losses.blocks():
        best[:, place] = ratios_of(part, lower=losses.lower_is_better)[0] == 1
    return _shares(losses, best)


@dataclass(frozen=True, slots=True)
class RegressionMeasures:
    """One model's measures; NaN where undefined, with the reason in `undefined`.

    Attributes
    ----------
    model : its name
    mean_absolute_error, mean_squared_error, root_mean_squared_error, bias : of the errors
    solved : the share of instances on which it has a number
    wins : the share on which it is the best of all, or ties for it

    Examples
    --------
    >>> losses = Losses(("a", "b"), np.array([[1.0, np.nan], [-3.0, 2.0]]), kind="residuals")
    >>> one, two = regression_measures(losses)
    >>> one.mean_absolute_error, two.solved, two.undefined["bias"]
    (2.0, 0.5, 'b has no finite number on 50.0 % of the instances: drop them for every model with --missing drop')
    """

    model: str
    mean_absolute_error: float
    mean_squared_error: float
    root_mean_squared_error: float
    bias: float
    solved: float
    wins: float

    @property
    def undefined(self) -> dict[str, str]:
        """The measures that have no value here, each with the reason."""
        if self.solved < 1:
            share = percent(1 - self.solved)
            reason = f"{self.model} has no finite number on {share} of the instances: drop them for every model with "
            reason += "--missing drop"
        else:
            reason = NO_SIGN
        means = ("mean_absolute_error", "mean_squared_error", "root_mean_squared_error", "bias")
        return {name: reason for name in means if getattr(self, name) != getattr(self, name)}


def regression_measures(losses: AnyLosses) -> tuple[RegressionMeasures, ...]:
    """Return every model's measures.

    Examples
    --------
    >>> regression_measures(Losses(("a",), np.array([[1.0], [-3.0]]), kind="residuals"))[0].bias
    -1.0
    """
    if losses.kind == "scores":
        raise NotDefined(f"{counted(len(losses.models), 'model')} with graded scores have no errors: see mean_score")
    columns = (
        mean_absolute_error(losses), mean_squared_error(losses), root_mean_squared_error(losses), bias(losses),
        solved(losses), wins(losses),
    )  # fmt: skip
    rows = np.array(columns).T.tolist()
    return tuple(RegressionMeasures(model, *row) for model, row in zip(losses.models, rows, strict=True))


def solved(losses: AnyLosses) -> Array:
    """Share of instances on which a model has a finite number. Range [0, 1].

    Examples
    --------
    >>> solved(Losses(("a", "b"), np.array([[0.1, np.nan], [0.5, -0.5]]), kind="residuals"))
    array([1. , 0.5])
    """
    if isinstance(losses, LossSums):
        return np.asarray(losses.solved_mass / losses.total)
    return _shares(losses, np.isfinite(losses.values.T))


def _shares(losses: Losses, which: npt.NDArray[np.bool_]) -> Array:
    amounts = losses.amounts
    return np.asarray((which.sum(axis=1) if amounts is None else which @ amounts) / losses.total)


def _means(losses: Losses, columns: list[npt.NDArray[np.floating]]) -> Array:
    amounts = losses.amounts
    sums = [float(c.sum(dtype=np.float64) if amounts is None else c.astype(np.float64) @ amounts) for c in columns]
    return np.array(sums) / losses.total


def _mean_of_sums(sums: LossSums, total: Array) -> Array:
    return np.asarray(np.where(sums.failed, np.nan, total / sums.total))
