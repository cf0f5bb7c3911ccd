"""A performance profile as it is drawn and written down: factors, and every model's share at each of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tiebreak.profiles import TAU_MAX, PerformanceProfile


@dataclass(frozen=True, slots=True)
class ProfileCurve:
    """What remains of a profile in a document.

    Attributes
    ----------
    taus : the factors, from 1
    shares : of every model, the share of instances on which it is within each factor of the best
    wins, area, solved, never_more_than : per model: its share at 1, the area up to `tau_max`, the share on which it has
        a value at all, and how many times worse than the best it ever is
    ties_for_best, best_is_zero : on how many instances several models tie, and the best is 0
    tau_max : how far the area goes

    Examples
    --------
    >>> from tiebreak.profiles import performance_profile
    >>> curve = ProfileCurve.of(performance_profile([[12, 8, 4], [5, 5, 6]], names=["a", "b", "c"]))
    >>> curve.taus, curve.wins["a"]
    ((1.0, 1.2, 2.0, 3.0), 0.5)
    """

    taus: tuple[float, ...]
    shares: Mapping[str, tuple[float, ...]]
    wins: Mapping[str, float]
    area: Mapping[str, float]
    solved: Mapping[str, float]
    never_more_than: Mapping[str, float]
    ties_for_best: int
    best_is_zero: int
    tau_max: float = TAU_MAX

    @classmethod
    def of(cls, profile: PerformanceProfile) -> ProfileCurve:
        """Write a profile down."""
        taus = profile.taus()
        return cls(
            tuple(taus.tolist()),
            {name: tuple(shares) for name, shares in profile.curve(taus).items()},
            profile.wins,
            profile.area(),
            profile.solved,
            profile.never_more_than,
            profile.ties_for_best,
            profile.best_is_zero,
        )

    def entry(self) -> dict[str, Any]:
        """Return the curve as the JSON format has it; a factor without end is null."""
        return {
            "tau": list(self.taus),
            "models": {name: list(shares) for name, shares in self.shares.items()},
            "tau_max": self.tau_max,
            "best_is_zero": self.best_is_zero,
            "ties_for_best": self.ties_for_best,
            "wins": dict(self.wins),
            "area": dict(self.area),
            "solved": dict(self.solved),
            "never_more_than": {
                name: None if math.isinf(factor) else factor for name, factor in self.never_more_than.items()
            },
        }

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> ProfileCurve:
        """Undo `entry`."""
        worst = {name: math.inf if factor is None else factor for name, factor in entry["never_more_than"].items()}
        return cls(
            tuple(entry["tau"]),
            {name: tuple(shares) for name, shares in entry["models"].items()},
            entry["wins"],
            entry["area"],
            entry["solved"],
            worst,
            entry["ties_for_best"],
            entry["best_is_zero"],
            entry["tau_max"],
        )
