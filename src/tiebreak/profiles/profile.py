"""The performance profile: for every model, the share of instances on which it is within a factor τ of the best.

ρ_m(τ) = (1/N) #{i : e_im ≤ τ min_j e_ij}, τ ≥ 1: an exact step function, continuous from the right. Source: Dolan and
Moré 2002, for learners PPML. Ratios have no mean; nothing here averages them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import open_share
from tiebreak._format import Shown, counted, listed, visible
from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.inference import Interval
from tiebreak.profiles.bands import Bands, bands_of, intervals_at
from tiebreak.profiles.given import checked_floor, checked_part, checked_tau, checked_taus, losses_given
from tiebreak.profiles.paired import PairAtTau, pair_at
from tiebreak.profiles.pool import TAUS, flips
from tiebreak.profiles.steps import Steps, steps_of, within_factor
from tiebreak.tables import BINS, LOG_STEP, TIE, Losses, LossSums, grid

Array = npt.NDArray[np.float64]

# The area is taken up to this factor.
TAU_MAX = 10.0
# A curve of at most so many points is exact; a longer one is drawn on a grid.
MOST_POINTS = 512
# A drawn curve ends here: beyond, a model is as bad as absent.
_FAR = 1e4
_NAMED_FLIPS = 3
_UNCHECKED = (
    "whether the order of two models turns without a third was not looked into, because only sums were kept: a profile "
    "ranks models against the best of their pool only"
)
NO_ROWS = "only sums of these losses were kept, as there were too many to hold: compare fewer instances to have it"


@dataclass(frozen=True, eq=False)
class PerformanceProfile(Shown):
    """The performance profiles of several models; computed by `performance_profile`.

    Attributes
    ----------
    models : their names, in order
    steps : where each model's profile jumps
    n : how many instances
    total : the sum of the weights, which is `n` where there are none
    floor : losses below it were raised to it, before any ratio
    ties_for_best : on how many instances several models tie for the best
    best_is_zero : on how many instances the best is 0 (0/0 is 1, anything else over 0 is ∞)
    all_failed : on how many instances no model has a number; they count against every model
    source : the losses, or their sums

    Examples
    --------
    >>> from tiebreak.profiles import performance_profile
    >>> profile = performance_profile([[12, 8, 4], [5, 5, 6], [18, 6, 3]], names=["a", "b", "c"])
    >>> {name: round(share, 4) for name, share in profile.at(2).items()}
    {'a': 0.3333, 'b': 1.0, 'c': 1.0}
    """

    models: tuple[str, ...]
    steps: tuple[Steps, ...]
    n: int
    total: float
    floor: float
    ties_for_best: int
    best_is_zero: int
    all_failed: int
    solved_mass: Array
    source: Losses | LossSums

    def at(self, tau: float) -> dict[str, float]:
        """Return each model's share of instances within the factor τ: ρ_m(τ). Range [0, 1], τ from 1 to ∞."""
        tau = checked_tau(tau)
        return {name: float(step.mass_within(tau)) / self.total for name, step in self._named}

    @property
    def wins(self) -> dict[str, float]:
        """ρ_m(1): the share on which each model is the best or ties for it; with ties they sum to more than 1."""
        return self.at(1.0)

    @cached_property
    def solved(self) -> dict[str, float]:
        """The share on which each model has a finite number at all; never below ρ_m(∞)."""
        return dict(zip(self.models, (self.solved_mass / self.total).tolist(), strict=True))

    def area(self, tau_max: float = TAU_MAX) -> dict[str, float]:
        """Return (1 / ln τ_max) ∫ ρ_m d ln τ from 1 to τ_max: one number for a curve. Range [0, 1].

        Exact from steps; from a grid within half its step, 0.2 % at τ_max = 10.
        """
        tau_max = checked_tau(tau_max)
        if not 1 < tau_max < math.inf:
            raise TiebreakError(f"tau_max is {tau_max:g}: it must be a number above 1, such as 10")
        return {name: self._area(step, math.log(tau_max)) for name, step in self._named}

    def _area(self, step: Steps, reach: float) -> float:
        logs = np.log(step.ratios) - (LOG_STEP / 2 if self.resolution else 0.0)
        left = np.maximum(reach - logs, 0.0)
        held = left.sum() if step.masses is None else left @ step.own_masses
        return float((step.wins + held / reach) / self.total)

    def quantile(self, share: float) -> dict[str, float]:
        """Return the smallest factor within which each model is on at least that share; ∞ where none is enough."""
        share = checked_part(share)
        return {name: step.ratio_at(share * self.total) for name, step in self._named}

    @property
    def never_more_than(self) -> dict[str, float]:
        """How many times worse than the best each model ever is: its largest ratio, ∞ where it fails or meets a 0."""
        return self.quantile(1.0)

    @property
    def resolution(self) -> float | None:
        """By which factor neighbours on the grid differ; None where the steps are exact.

        On a grid ρ is exact at its points (10^(k/256), up to 10⁴), and between two of them at least the value at the
        lower and at most that at the upper one.
        """
        return math.exp(LOG_STEP) if isinstance(self.source, LossSums) else None

    def taus(self, most: int = MOST_POINTS) -> Array:
        """Return where to draw: 1 and every exact jump, if they are at most `most`; else a log grid of that many."""
        jumps = [np.array([1.0])]
        for step in self.steps:
            keep = np.ones(len(step.ratios), dtype=np.bool_)
            keep[1:] = step.ratios[1:] > step.ratios[:-1] * (1 + TIE)
            jumps.append(step.ratios[keep][: most + 1])
        distinct = np.unique(np.concatenate(jumps))
        distinct = distinct[np.concatenate([[True], distinct[1:] > distinct[:-1] * (1 + TIE)])]
        if len(distinct) <= most:
            return np.asarray(distinct)
        last = max(float(step.ratios[-1]) for step in self.steps if len(step.ratios))
        return np.asarray(np.geomspace(1.0, min(last, _FAR), most))

    def curve(self, taus: npt.ArrayLike | None = None) -> dict[str, list[float]]:
        """Return every model's shares at `taus`, by default where `taus()` says."""
        at = self.taus() if taus is None else checked_taus(taus)
        return {name: (step.mass_within(at) / self.total).tolist() for name, step in self._named}

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should know before ranking by a profile, above all orders that turn with the pool."""
        return (*self._facts(), *self._flips())

    def _facts(self) -> list[str]:
        found = []
        if self.best_is_zero and len(self.models) > 1:
            found.append(
                f"the best is 0 on {counted(self.best_is_zero, 'instance')}, where any other value is infinitely "
                "worse; floor= names the smallest loss that matters"
            )
        if self.all_failed:
            found.append(f"no model has a number on {counted(self.all_failed, 'instance')}, which count against all")
        absent = [visible(name) for name, share in self.solved.items() if share == 0]
        return [*found, *([f"no finite number at all: {listed(absent)}"] if absent else [])]

    def _flips(self) -> list[str]:
        if isinstance(self.source, LossSums):
            asked = len(self.models) > 2
            return [_UNCHECKED] if asked else []
        jumps = self.taus(64)
        taus = sorted({*TAUS, *jumps.tolist()}) if len(jumps) <= 64 and self.n <= 10_000 else TAUS
        found = flips(self.source, taus, self.floor)
        more = len(found) - _NAMED_FLIPS
        named = [str(flip) for flip in found[:_NAMED_FLIPS]]
        return [*named, *([f"{counted(more, 'more order')} of two models turn in the same way"] if more > 0 else [])]

    def pair(self, primary: str, alternative: str) -> PerformanceProfile:
        """Return the profile of two models alone, whose order no third model can turn."""
        return performance_profile(self._rows.restrict([primary, alternative]), floor=self.floor)

    def pairwise(self) -> dict[tuple[str, str], PerformanceProfile]:
        """Return the profile of every two models alone."""
        names = self.models
        return {(a, b): self.pair(a, b) for k, a in enumerate(names) for b in names[k + 1 :]}

    def compare_at(self, primary: str, alternative: str, tau: float, *, level: float = 0.95) -> PairAtTau:
        """Tell how sure it is that one model is more often within τ of this pool's best than another; paired."""
        tau, level = checked_tau(tau), open_share(level, "level")
        if primary == alternative:
            raise TiebreakError(f"primary and alternative are both {visible(primary)!r}: name two models")
        rows = self._rows
        two = rows.restrict([primary, alternative])
        return pair_at(two, within_factor(rows, tau, [primary, alternative], self.floor), tau, level)

    def interval_at(self, tau: float, *, level: float = 0.95) -> dict[str, Interval]:
        """Return the interval of each model's share at one τ: Wilson's, over as many instances as these are worth."""
        tau = checked_tau(tau)
        ends = intervals_at(self, tau, open_share(level, "level"))
        rows = zip(self.models, ends.tolist(), strict=True)
        return {name: Interval(low, high, level, "wilson") for name, (low, high) in rows}

    def bands(
        self,
        level: float = 0.95,
        *,
        method: str = "simultaneous",
        taus: npt.ArrayLike | None = None,
        rng: np.random.Generator | None = None,
        resamples: int = 999,
    ) -> Bands:
        """Return bands round every model's profile.

        Parameters
        ----------
        level : of the bands
        method : "simultaneous" covers a model's whole curve at once: ρ ± c with Kolmogorov's c for independent
            instances that count alike, the bootstrap's for others; "bootstrap" resamples instances, or groups, and is
            narrower where the curve begins high; "wilson" holds at each τ alone
        taus : where; `taus()` by default
        rng : where the bootstrap draws from; a generator of seed 0 by default
        resamples : how many
        """
        at = self.taus() if taus is None else checked_taus(taus)
        return bands_of(self, open_share(level, "level"), method, at, (rng or np.random.default_rng(0), resamples))

    @property
    def _named(self) -> list[tuple[str, Steps]]:
        return list(zip(self.models, self.steps, strict=True))

    @property
    def _rows(self) -> Losses:
        if isinstance(self.source, LossSums):
            raise NotDefined(NO_ROWS)
        return self.source


def performance_profile(
    losses: Losses | LossSums | Mapping[str, Any] | Sequence[Any] | Any,
    *,
    names: Sequence[str] | None = None,
    floor: float = 0.0,
) -> PerformanceProfile:
    """Return the performance profiles of several models.

    Parameters
    ----------
    losses : instances × models, ≥ 0, lower is better, NaN or infinite where a model failed; or a dict of one column a
        model, a data frame, `Losses` (residuals count by their absolute value, of scores the ratio is best / score),
        or `LossSums`, whose profile is on a grid
    names : the models' names; by default those of the columns, or model_1, model_2, …
    floor : losses below it are raised to it before anything else, so that luck near 0 is harmless

    Examples
    --------
    >>> from tiebreak.profiles import performance_profile
    >>> profile = performance_profile([[1, 6, 2], [2, 3, 4]], names=["A", "B", "C"])
    >>> profile.at(1.5), profile.pair("B", "C").at(1.5)
    ({'A': 1.0, 'B': 0.5, 'C': 0.0}, {'B': 0.5, 'C': 1.0})
    >>> profile.warnings[0]
    'at tau = 1.5 B is ahead of C (50.0 % against 0.0 %), but behind it once A is left out (50.0 % against 100.0 %): \
a profile ranks models against the best of their pool only'
    """
    floor = checked_floor(floor)
    if isinstance(losses, LossSums):
        return _on_grid(losses, floor)
    held = losses_given(losses, names)
    if floor and not held.lower_is_better:
        raise TiebreakError("floor raises small losses, and these are scores: leave it out")
    found = steps_of(held, floor)
    return PerformanceProfile(
        held.models, found.steps, held.n, held.total, floor, found.ties, found.zeros, found.all_failed, found.solved,
        held,
    )  # fmt: skip


def _on_grid(sums: LossSums, floor: float) -> PerformanceProfile:
    if floor:
        raise TiebreakError("floor needs the losses themselves, and these are sums: leave it out")
    if not sums.lower_is_better and sums.lowest < 0:
        raise TiebreakError(
            f"scores go down to {sums.lowest:g}: a ratio to the best needs scores ≥ 0; shift the scores"
        )
    steps = tuple(Steps(grid()[1:], float(row[0]), row[0] + np.cumsum(row[1 : BINS + 1])) for row in sums.steps)
    return PerformanceProfile(
        sums.models, steps, sums.n, sums.total, 0.0, sums.ties, sums.zeros, sums.all_failed, sums.solved_mass, sums
    )
