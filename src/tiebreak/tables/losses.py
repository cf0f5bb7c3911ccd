"""Numbers for every instance and model, where right or wrong says too little: residuals, losses or graded scores.

A row is an instance; or, where rows repeat (the costs of a tally, grades on a grid), a distinct row with its count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of, place_of
from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.tables.bits import pack
from tiebreak.tables.groups import Crossing, GroupSums
from tiebreak.tables.labels import Label
from tiebreak.tables.mass import Integers, Mass
from tiebreak.tables.prayatul import PrayatulCounts
from tiebreak.tables.tally import Tally
from tiebreak.tables.weights import Scale, Weights
from tiebreak.tables.words import Words

Floats = npt.NDArray[np.floating[Any]]

KINDS = ("scores", "residuals", "losses")
LOSSES = ("absolute", "squared")
# Two losses that differ by less than this share are tied: it is what floating point makes of equal ones.
TIE = 1e-12
# Values worked on at a time, few enough to stay in the cache when they are widened.
BLOCK = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """Instances × models, and what is known about every instance.

    Attributes
    ----------
    models : the models' names, in order
    values : one number an instance and model (N × M), float32 or float64 as they came; NaN where a model failed
    missing : how many numbers each model lacks, whatever the policy made of them
    excluded : how many instances the policy left out
    groups : the place of each instance's group in `names`; None where instances are independent
    names : the groups' own values
    weights : the weight of each row; None where instances count alike
    kind : "scores" (higher is better), "residuals" (prediction − truth, signed) or "losses" (≥ 0, lower is better)
    counts : how often each row occurred; None where every row is one instance
    squares : the sum of squared weights of each row, where rows are both weighted and counted

    Examples
    --------
    >>> values = np.array([[1.0, 0.5], [0.0, 0.5], [1.0, 1.0]])
    >>> losses = Losses(("a", "b"), values, groups=np.array([0, 0, 1]), names=(7, 9), kind="scores")
    >>> losses.n, losses.group_sums().sums.tolist()
    (3, [[1.0, 1.0], [1.0, 1.0]])
    """

    models: tuple[str, ...]
    values: Floats
    missing: tuple[int, ...] = ()
    excluded: int = 0
    groups: Integers | None = None
    names: tuple[Label, ...] = ()
    weights: npt.NDArray[np.float64] | None = None
    kind: str = "losses"
    counts: Integers | None = None
    squares: npt.NDArray[np.float64] | None = None

    @property
    def n(self) -> int:
        """How many instances were compared."""
        return len(self.values) if self.counts is None else int(self.counts.sum())

    @property
    def weighted(self) -> bool:
        """Whether the instances carry sample weights."""
        return self.weights is not None

    @property
    def amounts(self) -> npt.NDArray[Any] | None:
        """What each row adds to a sum: its weight, or its count; None where every row adds 1."""
        return self.counts if self.weights is None else self.weights

    @property
    def total(self) -> float:
        """The sum of the weights, which is `n` where there are none."""
        return float(self.n if self.weights is None else self.weights.sum())

    @property
    def squared_amounts(self) -> npt.NDArray[Any] | None:
        """The sum of squared weights of each row, which is its count where nothing is weighted."""
        if self.weights is None:
            return self.counts
        return self.weights**2 if self.squares is None else self.squares

    @property
    def effective(self) -> float:
        """How many instances of one weight these are worth: Kish's (Σw)² / Σw², `n` where nothing is weighted."""
        squares = self.squared_amounts
        return float(self.n) if self.weights is None or squares is None else float(self.total**2 / squares.sum())

    @property
    def lower_is_better(self) -> bool:
        """Whether a model wants its numbers low."""
        return self.kind != "scores"

    def index(self, model: str) -> int:
        """Return a model's place, or say which models there are."""
        return place_of(model, self.models)

    def restrict(self, models: Iterable[str]) -> Losses:
        """Keep some models only, in the given order; the instances stay the same."""
        kept = tuple(models)
        places = [self.index(model) for model in kept]
        missing = tuple(self.missing[place] for place in places) if self.missing else ()
        return replace(self, models=kept, values=self.values[:, places], missing=missing)

    def blocks(self) -> Iterator[tuple[slice, npt.NDArray[np.float64]]]:
        """Yield rows as float64 (models × some rows): scores as they are, of everything else the absolute value."""
        step = max(1, BLOCK // max(1, len(self.models)))
        for start in range(0, len(self.values), step):
            place = slice(start, min(start + step, len(self.values)))
            part = np.array(self.values[place].T, dtype=np.float64, order="C")
            yield place, np.abs(part, out=part) if self.kind == "residuals" else part

    def column(self, model: int, loss: str = "absolute") -> npt.NDArray[np.float64]:
        """Return one model's numbers as what is averaged: its scores, or its losses; NaN where it failed."""
        one_of(loss, "loss", LOSSES)
        values = self.values[:, model].astype(np.float64)
        values[~np.isfinite(values)] = np.nan
        if self.kind == "scores":
            return values
        return np.square(values) if loss == "squared" else np.abs(values)

    def goodness(self, loss: str = "absolute") -> npt.NDArray[np.float64]:
        """Return what is averaged so that more is better: scores, or negative losses (M × N)."""
        sign = -1.0 if self.lower_is_better else 1.0
        return np.array([sign * self.column(place, loss) for place in range(len(self.models))])

    def group_sums(self, loss: str = "absolute") -> GroupSums:
        """Return the sums of every group, more being better; independent instances are groups of one."""
        values = self.goodness(loss)
        amounts = self.amounts
        sums = values if amounts is None else values * amounts
        if self.groups is None:
            return GroupSums(np.ones(len(self.values)) if amounts is None else amounts.astype(np.float64), sums)
        size = len(self.names)
        sizes = np.bincount(self.groups, amounts, minlength=size).astype(np.float64)
        return GroupSums(sizes, np.array([np.bincount(self.groups, row, size) for row in sums]))

    def within(self, tolerance: float) -> npt.NDArray[np.bool_]:
        """Return who is as good as right (M × N): a loss ≤ `tolerance`, or a score that near to the instance's best.

        A number that is over by no more than rounding (1e-12 of itself) is within; a failure never is.
        """
        if isinstance(tolerance, bool | str) or not 0 <= tolerance < np.inf:
            raise TiebreakError(f"tolerance is {tolerance!r}: it must be a number ≥ 0 in the unit of the values")
        found = np.zeros((len(self.models), len(self.values)), dtype=np.bool_)
        for place, part in self.blocks():
            known = np.isfinite(part)
            part[~known] = np.inf if self.lower_is_better else -np.inf
            best = 0.0 if self.lower_is_better else part.max(axis=0, initial=-np.inf)
            away = np.where(known, np.abs(part - np.where(np.isfinite(best), best, 0.0)), np.inf)
            slack = TIE * np.where(known, np.maximum(tolerance, np.abs(part)), 0.0)
            found[:, place] = away <= tolerance + slack
        return found


def tally_within(losses: Losses, tolerance: float) -> Tally:
    """Return the tally of right and wrong that a tolerance makes of numbers, from which Prayatul counts follow.

    Right is a loss of at most `tolerance`; with scores, a score at most `tolerance` below the best of its instance.

    Examples
    --------
    >>> losses = Losses(("a", "b"), np.array([[0.1, -0.6], [-0.2, 0.4], [2.0, 0.5]]), kind="residuals")
    >>> tally_within(losses, 0.5).pair("a", "b").cells()
    array([1, 1, 1, 0])
    """
    return tally_of_right(losses, losses.within(tolerance))


def tally_of_right(losses: Losses, right: npt.NDArray[np.bool_]) -> Tally:
    """Return the tally of right and wrong given by a matrix (M × N), with the groups and weights of some losses.

    Examples
    --------
    >>> losses = Losses(("a", "b"), np.array([[0.1, 0.6], [0.2, 0.4]]), kind="scores")
    >>> tally_of_right(losses, np.array([[True, False], [True, True]])).right_counts()
    array([1, 2])
    """
    mass, crossing = _mass(losses), None
    if losses.groups is not None:
        crossing = Crossing(np.arange(right.shape[1]), losses.groups, mass, losses.names)
    cells = Words(pack(right), mass, ())
    return Tally(losses.models, (False, True), cells, None, losses.missing, losses.excluded, crossing)


def prayatul_within(losses: Losses, primary: str, alternative: str, tolerance: float) -> PrayatulCounts:
    """Return the Prayatul counts of two models under a tolerance; see `tally_within`.

    Examples
    --------
    >>> losses = Losses(("a", "b"), np.array([[0.1, -0.6], [-0.2, 0.4], [2.0, 0.5]]), kind="residuals")
    >>> prayatul_within(losses, "a", "b", 0.5).right_wrong
    1
    """
    return tally_within(losses, tolerance).pair(primary, alternative)


def _mass(losses: Losses) -> Mass:
    """The mass of every row, in the exact sums that tallies are made of."""
    counts = np.ones(len(losses.values), dtype=np.int64) if losses.counts is None else losses.counts.astype(np.int64)
    if losses.weights is None:
        return Mass(counts)
    if losses.counts is not None:
        raise NotDefined("distinct rows with weights have no exact sums any more: compare the predictions again")
    positive = losses.weights[losses.weights > 0]
    scale = Scale.for_range(float(positive.min()), float(positive.max()))
    return Mass(counts, Weights(scale.limbs(losses.weights).astype(np.int64), scale))
