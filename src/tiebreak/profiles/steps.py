"""From losses to the steps of every model's profile, in blocks that stay in the cache.

Each block is widened to float64 and divided by the best of its instances; the ratios of a model are then sorted once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._format import counted, quoted
from tiebreak.errors import TiebreakError
from tiebreak.tables import TIE, Losses, ratios_of

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """One model's profile: where it jumps above τ = 1, and how high.

    Attributes
    ----------
    ratios : the finite ratios above 1, ascending
    wins : the mass of ratio 1
    masses : the mass of all ratios, wins included, up to and with each one; None where each is one instance

    Examples
    --------
    >>> steps = Steps(np.array([1.5, 2.0, 2.0]), 4.0)
    >>> steps.mass_within(np.array([1.0, 2.0])), steps.finite
    (array([4., 7.]), 7.0)
    """

    ratios: Array
    wins: float
    masses: Array | None = None

    def mass_within(self, tau: npt.ArrayLike) -> Array:
        """Return the mass of ratios ≤ τ, up to rounding (1e-12 of τ)."""
        at = np.asarray(tau, dtype=np.float64)
        place = np.searchsorted(self.ratios, at * (1 + TIE), side="right")
        if self.masses is None:
            return np.asarray(self.wins + place)
        return np.asarray(np.where(place > 0, np.append(self.masses, self.wins)[place - 1], self.wins))

    @property
    def finite(self) -> float:
        """The mass of all finite ratios."""
        return float(self.mass_within(np.inf))

    @property
    def own_masses(self) -> Array:
        """The mass of each ratio."""
        return np.ones(len(self.ratios)) if self.masses is None else np.diff(self.masses, prepend=self.wins)

    def ratio_at(self, mass: float) -> float:
        """Return the smallest τ within which at least that mass lies; ∞ where no factor reaches it."""
        wanted = mass - self.wins
        # Sums of weights reach their own total up to rounding.
        slack = 1e-12 * mass
        if wanted <= slack:
            return 1.0
        if self.masses is None:
            place = int(np.ceil(wanted - slack)) - 1
        else:
            place = int(np.searchsorted(self.masses, mass - slack, side="left"))
        return float(self.ratios[place]) if place < len(self.ratios) else float("inf")


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What one pass over the losses finds.

    Attributes
    ----------
    steps : of each model
    solved : the mass on which each model has a finite number
    ties : instances on which several models tie for the best
    zeros : instances on which the best is 0
    all_failed : instances on which no model has a number

    Examples
    --------
    >>> steps_of(Losses(("a", "b"), np.array([[1.0, 1.0], [2.0, 3.0]]), kind="scores")).ties
    1
    """

    steps: tuple[Steps, ...]
    solved: Array
    ties: int
    zeros: int
    all_failed: int


def steps_of(losses: Losses, floor: float = 0.0) -> Found:
    """Return every model's steps.

    Examples
    --------
    >>> found = steps_of(Losses(("a", "b"), np.array([[1.0, 2.0], [3.0, 3.0]]), kind="losses"))
    >>> found.steps[1].ratios, found.steps[1].wins, found.ties
    (array([2.]), 1.0, 1)
    """
    rows, models = losses.values.shape
    ratios = np.empty((models, rows))
    failed, seen = np.zeros(models), np.zeros(3, dtype=np.int64)
    for place, part in losses.blocks():
        counts = None if losses.counts is None else losses.counts[place]
        tied = _plain(part, floor, ratios[:, place]) if losses.lower_is_better else None
        if tied is not None:
            seen[0] += tied.sum() if counts is None else counts[tied].sum()
            continue
        refuse_negative(losses, part, place.start)
        ratios[:, place], *facts = ratios_of(part, lower=losses.lower_is_better, floor=floor)
        zero, several = facts
        absent = ~np.isfinite(part)
        amounts = None if losses.amounts is None else losses.amounts[place]
        failed += absent.sum(axis=1) if amounts is None else absent @ amounts
        times = np.ones(part.shape[1], dtype=np.int64) if counts is None else counts
        seen += [times[fact].sum() for fact in (several, zero, absent.all(axis=0))]
    steps = tuple(_sorted(row, losses.amounts, losses.total) for row in ratios)
    return Found(steps, losses.total - failed, *seen.tolist())


def _plain(part: Array, floor: float, out: Array) -> npt.NDArray[np.bool_] | None:
    """Write the ratios of a block in which nothing is 0, negative, NaN or infinite; return where models tie.

    None, and nothing written, where something is. Ratios that exceed 1 by rounding are told from others by `_sorted`.
    """
    lowest = part.min(axis=0)
    # A NaN makes the minimum NaN, which fails the comparison too.
    if not (lowest.min() >= 0 and part.max() < np.inf):
        return None
    best = np.maximum(lowest, floor)
    if not best.min() > 0:
        return None
    if floor:
        np.maximum(part, floor, out=part)
    np.divide(part, best, out=out)
    winners = out <= 1 + TIE
    if np.count_nonzero(winners) == len(best):
        return np.zeros(len(best), dtype=np.bool_)
    return np.asarray(winners.sum(axis=0) > 1)


def _sorted(found: Array, amounts: npt.NDArray[Any] | None, total: float) -> Steps:
    """The steps of one model, whose ratios are sorted in place; those within rounding of 1 are its wins."""
    if amounts is None:
        found.sort()
        wins, finite = np.searchsorted(found, [1 + TIE, np.finfo(np.float64).max], side="right").tolist()
        return Steps(found[wins:finite], float(wins))
    order = np.argsort(found, kind="stable")
    sums = np.cumsum(amounts[order].astype(np.float64))
    # Sums taken in another order end with other last digits; the whole must stay the whole.
    sums = np.minimum(sums * (total / sums[-1]), total) if sums[-1] != total else sums
    found = found[order]
    wins, finite = np.searchsorted(found, [1 + TIE, np.finfo(np.float64).max], side="right").tolist()
    won = float(sums[wins - 1]) if wins else 0.0
    return Steps(found[wins:finite], won, sums[wins:finite])


def refuse_negative(losses: Losses, part: Array, start: int) -> None:
    """Refuse what has no ratio: negative losses, negative scores.

    Examples
    --------
    >>> refuse_negative(Losses(("a",), np.array([[-1.0]]), kind="losses"), np.array([[-1.0]]), 0)
    Traceback (most recent call last):
    tiebreak.errors.TiebreakError: losses of 'a' hold -1 in row 1: a ratio to the best needs losses ≥ 0; give absolute \
errors, or shift the losses
    """
    negative = part < 0
    if not negative.any():
        return
    model, row = (int(where[0]) for where in np.nonzero(negative))
    what = "losses" if losses.lower_is_better else "scores"
    mend = "give absolute errors, or shift the losses" if losses.lower_is_better else "shift the scores"
    raise TiebreakError(
        f"{what} of {quoted(losses.models[model])} hold {part[model, row]:g} in row {counted(start + row + 1)}: a "
        f"ratio to the best needs {what} ≥ 0; {mend}"
    )


def within_factor(
    losses: Losses, tau: float, models: Sequence[str] | None = None, floor: float = 0.0
) -> npt.NDArray[np.bool_]:
    """Return who is within the factor τ of the best of the whole pool, instance by instance (models × N).

    Examples
    --------
    >>> losses = Losses(("a", "b", "c"), np.array([[1.0, 6.0, 2.0], [2.0, 3.0, 4.0]]), kind="losses")
    >>> within_factor(losses, 1.5, ["b", "c"])
    array([[False,  True],
           [False, False]])
    """
    places = list(range(len(losses.models))) if models is None else [losses.index(model) for model in models]
    found = np.empty((len(places), len(losses.values)), dtype=np.bool_)
    for place, part in losses.blocks():
        refuse_negative(losses, part, place.start)
        ratio = ratios_of(part, lower=losses.lower_is_better, floor=floor)[0][places]
        found[:, place] = (ratio <= tau * (1 + TIE)) & np.isfinite(ratio)
    return found
