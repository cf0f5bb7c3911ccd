"""What remains of residuals, losses or scores that are too many to be held: sums, wins, and a profile on a grid.

Everything adds: the sums of two batches are the sums of both together (groups must not be split between them).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._format import listed
from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.tables.groups import GroupSums
from tiebreak.tables.losses import TIE, Losses
from tiebreak.tables.prayatul import pair_cells

Array = npt.NDArray[np.float64]

# Grid points from 1 up to 10⁴, 256 for each factor of ten: neighbours differ by 0.9 %.
DECADE = 256
BINS = 4 * DECADE
LOG_STEP = math.log(10) / DECADE
# A ratio this far above a grid point, in steps, is at it: engines take logarithms with different last digits.
NEAR = 1e-9


def grid() -> Array:
    """Return the grid on which ratios are counted: 10^(k / 256) for k = 0, …, 1024, so 1, 10, … are exact points.

    Examples
    --------
    >>> grid()[[0, 256, 1024]]
    array([1.e+00, 1.e+01, 1.e+04])
    """
    return np.asarray(10.0 ** (np.arange(BINS + 1) / DECADE))


@dataclass(frozen=True, slots=True, eq=False)
class LossSums:
    """Sums over instances of M models' numbers.

    Attributes
    ----------
    models : the models' names, in order
    n : how many instances were compared
    kind : "residuals" or "scores"
    loss : what was averaged, "absolute" or "squared"; scores are taken as they are
    solved : on how many instances each model has a number (M)
    solved_mass : the weight of those instances (M)
    all_failed : instances on which no model has a number
    wins : weight on which each model is the best or ties for it (M)
    ties : instances on which several models tie for the best
    zeros : instances on which the best loss, or the best score, is 0
    total, total_of_squares : of the weights; both are `n` where there are none
    lowest : the smallest score, or the smallest absolute residual
    residuals, absolutes, squares : Σ w e, Σ w |e|, Σ w e² (M)
    sums : Σ w x with x the loss or score (M); the next three belong to it
    along, own : Σ w² x and Σ w² x² (M)
    differences : Σ w² (x_p − x_q)² of every pair (M × M)
    steps : weight of each model's ratios at the points of the grid, between 10⁴ and ∞, and at ∞ (M × 1027)
    within : weight on which both models of a pair are within the tolerance (M × M); None without a tolerance
    groups : the group sums of goodness, None where instances are independent
    names : the groups' own values, in the order of `groups`
    missing, excluded : how many numbers each model lacks, and how many instances the policy left out
    weighted : whether instances carry weights

    Examples
    --------
    >>> losses = Losses(("a", "b"), np.array([[1.0, -2.0], [3.0, 3.0]]), kind="residuals")
    >>> found = loss_sums(losses)
    >>> found.wins, found.ties, (found + found).n
    (array([2., 1.]), 1, 4)
    """

    models: tuple[str, ...]
    n: int
    kind: str
    loss: str
    solved: npt.NDArray[np.int64]
    solved_mass: Array
    all_failed: int
    wins: Array
    ties: int
    zeros: int
    total: float
    total_of_squares: float
    lowest: float
    residuals: Array
    absolutes: Array
    squares: Array
    sums: Array
    along: Array
    own: Array
    differences: Array
    steps: Array
    within: Array | None = None
    groups: GroupSums | None = None
    names: tuple[Any, ...] = ()
    missing: tuple[int, ...] = ()
    excluded: int = 0
    weighted: bool = False

    @property
    def lower_is_better(self) -> bool:
        """Whether a model wants its numbers low."""
        return self.kind != "scores"

    @property
    def effective(self) -> float:
        """How many instances of one weight these are worth: Kish's (Σw)² / Σw²."""
        return self.total**2 / self.total_of_squares

    @property
    def failed(self) -> npt.NDArray[np.bool_]:
        """Which models lack a number somewhere, so that they have no mean."""
        return np.asarray(self.solved < self.n)

    def pairs(self) -> npt.NDArray[Any]:
        """Return the four Prayatul cells of every ordered pair (M × M × 4) under the tolerance named before."""
        if self.within is None:
            raise NotDefined("no tolerance was named before the numbers were added up: name it to have right and wrong")
        return pair_cells(self.within, self.total)

    def __add__(self, other: LossSums) -> LossSums:
        """Add the sums of the same models over other instances."""
        if (self.models, self.kind, self.loss) != (other.models, other.kind, other.loss):
            raise TiebreakError(
                f"sums of {listed(self.models)} and of {listed(other.models)} do not add: both must be of the same "
                "models, task and loss"
            )
        if (self.groups is None) != (other.groups is None) or (self.within is None) != (other.within is None):
            raise TiebreakError("sums with and without groups, or with and without a tolerance, do not add")
        summed = {name: getattr(self, name) + getattr(other, name) for name in _SUMMED}
        both = self.missing and other.missing
        missing = tuple(map(sum, zip(self.missing, other.missing, strict=True))) if both else ()
        return replace(
            self,
            **summed,
            lowest=min(self.lowest, other.lowest),
            within=None if self.within is None or other.within is None else self.within + other.within,
            groups=None if self.groups is None or other.groups is None else self.groups + other.groups,
            names=self.names + other.names,
            missing=missing,
            weighted=self.weighted or other.weighted,
        )


_SUMMED = (
    "n", "solved", "solved_mass", "all_failed", "wins", "ties", "zeros", "total", "total_of_squares", "residuals",
    "absolutes", "squares", "sums", "along", "own", "differences", "steps", "excluded",
)  # fmt: skip


def loss_sums(losses: Losses, loss: str = "absolute", tolerance: float | None = None) -> LossSums:
    """Add numbers that are in memory up; what an engine does with those that are not.

    Examples
    --------
    >>> loss_sums(Losses(("a", "b"), np.array([[1.0, 0.5], [0.0, 0.5]]), kind="scores")).sums
    array([1., 1.])
    """
    if losses.kind == "losses":
        raise NotDefined("sums are of residuals or scores; take means of plain losses directly")
    w = np.ones(len(losses.values)) if losses.amounts is None else losses.amounts.astype(np.float64)
    squared = losses.squared_amounts
    v = w if squared is None else squared.astype(np.float64)
    raw = losses.values.T.astype(np.float64)
    raw[~np.isfinite(raw)] = np.nan
    counted = np.ones(len(w)) if losses.counts is None else losses.counts.astype(np.float64)
    ratio, zero, tied = ratios_of(np.abs(raw) if losses.lower_is_better else raw, lower=losses.lower_is_better)
    return LossSums(
        models=losses.models,
        n=losses.n,
        kind=losses.kind,
        loss=loss,
        solved=np.asarray((~np.isnan(raw) * counted).sum(axis=1), dtype=np.int64),
        solved_mass=np.asarray((~np.isnan(raw) * w).sum(axis=1)),
        all_failed=int(counted[np.isnan(raw).all(axis=0)].sum()),
        wins=np.asarray(((ratio == 1) * w).sum(axis=1)),
        ties=int(counted[tied].sum()),
        zeros=int(counted[zero].sum()),
        total=losses.total,
        total_of_squares=float(v.sum()),
        lowest=float(np.nanmin(np.abs(raw) if losses.lower_is_better else raw, initial=np.inf)),
        **_moments(losses, loss, raw, (w, v)),
        steps=np.array([np.bincount(bins_of(row), w, BINS + 3) for row in ratio]),
        within=None if tolerance is None else _joint(losses.within(tolerance).astype(np.float64), w),
        groups=None if losses.groups is None else losses.group_sums(loss),
        names=losses.names,
        missing=losses.missing,
        excluded=losses.excluded,
        weighted=losses.weighted,
    )


def _moments(losses: Losses, loss: str, raw: Array, weights: tuple[Array, Array]) -> dict[str, Array]:
    """Sums of the numbers themselves, of what is averaged, and of squared differences."""
    w, v = weights
    x = np.array([losses.column(place, loss) for place in range(len(losses.models))])
    return {
        "residuals": raw @ w, "absolutes": np.abs(raw) @ w, "squares": raw**2 @ w, "sums": x @ w, "along": x @ v,
        "own": x**2 @ v, "differences": np.array([((x - row) ** 2) @ v for row in x]),
    }  # fmt: skip


def _joint(right: Array, w: Array) -> Array:
    return np.asarray((right * w) @ right.T)


def ratios_of(
    part: Array, *, lower: bool = True, floor: float = 0.0
) -> tuple[Array, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return ratios to the best (M × N), where the best is 0, and where several tie for it.

    With losses e / min e, with scores max s / s; 0 / 0 is 1, anything else over 0 is ∞, and so is a failure (NaN or
    infinite). Ratios that exceed 1 by rounding only are 1. `floor` raises losses to at least that before all else.

    Examples
    --------
    >>> ratio, zero, tied = ratios_of(np.array([[0.0, 2.0], [3.0, 1.0]]))
    >>> ratio, zero, tied
    (array([[ 1.,  2.],
           [inf,  1.]]), array([ True, False]), array([False, False]))
    """
    failed = ~np.isfinite(part)
    if lower:
        part = np.where(failed, np.inf, np.maximum(part, floor) if floor else part)
        best = part.min(axis=0)
        over, under = part, best
    else:
        part = np.where(failed, -np.inf, part)
        best = part.max(axis=0)
        over, under = np.broadcast_to(best, part.shape), part
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = over / under
    equal = np.abs(part - best) <= TIE * np.abs(best) if np.isfinite(best).all() else _equal(part, best)
    ratio = np.where(equal, 1.0, ratio)
    ratio[failed] = np.inf
    # Scores below 0 are no ratio; their wins are right, and the rest is beyond every factor.
    ratio[~(ratio >= 1)] = np.inf
    winners = (equal & ~failed).sum(axis=0)
    return ratio, best == 0, winners > 1


def _equal(part: Array, best: Array) -> npt.NDArray[np.bool_]:
    """The same where an instance has no number at all, whose best is infinite."""
    known = np.where(np.isfinite(best), best, 0.0)
    return np.asarray(np.abs(part - known) <= TIE * np.abs(known)) & np.isfinite(best)


def bins_of(ratio: Array) -> npt.NDArray[np.int64]:
    """Return the first grid point at or above each ratio; 1025 beyond the grid, 1026 for an infinite ratio.

    Examples
    --------
    >>> bins_of(np.array([1.0, 1.001, 10.0, 1e5, np.inf])).tolist()
    [0, 1, 256, 1025, 1026]
    """
    finite = np.isfinite(ratio)
    steps = np.ceil(np.log(np.where(finite, ratio, 1.0)) / LOG_STEP - NEAR)
    steps = np.where(ratio > 1, np.clip(steps, 1, BINS + 1), 0)
    return np.asarray(np.where(finite, steps, BINS + 2), dtype=np.int64)
