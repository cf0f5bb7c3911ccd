"""Planning: how many instances settle a difference, what a test set can detect, how many more a tie needs.

For a paired difference δ and a discordant share ψ, with two-sided level 1 − α and power 1 − β:
N = (z_{1−α/2} √ψ + z_{1−β} √(ψ − δ²))² / δ².
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import is_number, whole_count
from tiebreak._format import Shown
from tiebreak.errors import TiebreakError
from tiebreak.inference.posterior import Array


@dataclass(frozen=True, slots=True)
class Plan(Shown):
    """A test set and what it can tell: any three of the first four fix the other.

    Attributes
    ----------
    n : instances
    difference : the true difference of the accuracies
    disagreement : the share of instances on which exactly one model is right
    power : the probability that the difference will be called real
    level : of the two-sided decision
    """

    n: int
    difference: float
    disagreement: float
    power: float
    level: float


def plan(
    *,
    disagreement: float,
    difference: float | None = None,
    n: int | None = None,
    power: float | None = None,
    level: float = 0.95,
) -> Plan:
    """Find what is left out: the instances needed, the power, or the smallest difference that can be detected.

    Give two of `difference`, `n` and `power` (power is 0.8 unless given).

    Parameters
    ----------
    disagreement : share of instances on which exactly one of the two models is right
    difference : true difference of the two accuracies; it cannot exceed the disagreement
    n : how many instances
    power : probability of finding the difference
    level : of the two-sided decision

    Examples
    --------
    >>> plan(disagreement=0.15, difference=0.05).n
    469
    >>> round(plan(disagreement=0.15, difference=0.05, n=469).power, 3)
    0.8
    >>> round(plan(disagreement=0.15, n=469).difference, 3)
    0.05
    """
    n = None if n is None else whole_count(n, "n", "plan whole instances")
    _share(disagreement, "disagreement", most=1.0)
    _share(level, "level", most=1.0, open_end=True)
    if power is not None:
        _share(power, "power", most=1.0, open_end=True)
    if n is not None and n < 1:
        raise TiebreakError(f"n is {n}: a plan needs at least one instance")
    if difference is not None:
        _share(abs(difference) if is_number(difference) else difference, "difference", most=disagreement)
    if difference is not None and n is not None and power is None:
        found = float(power_of(n, difference, disagreement, level))
        return Plan(n, difference, disagreement, found, level)
    wanted = 0.8 if power is None else power
    if difference is not None and n is None:
        needed = float(needed_instances(difference, disagreement, level, wanted))
        return Plan(math.ceil(needed), difference, disagreement, wanted, level)
    if difference is None and n is not None:
        return Plan(n, _detectable(n, disagreement, level, wanted), disagreement, wanted, level)
    raise TiebreakError("plan takes two of difference, n and power, and finds the third: leave exactly one out")


def _share(value: float, argument: str, *, most: float, open_end: bool = False) -> None:
    inside = is_number(value) and (0 < value < most if open_end else 0 < value <= most)
    if not inside:
        rule = "lie strictly between 0 and 1" if open_end else f"be above 0 and at most {most:g}"
        raise TiebreakError(f"{argument} is {value!r}: it must {rule}")


def needed_instances(difference: npt.ArrayLike, disagreement: npt.ArrayLike, level: float, power: float) -> Array:
    """N for a power; infinite where the difference is 0.

    Examples
    --------
    >>> needed_instances([0.05, 0.0], 0.15, 0.95, 0.8).round(1)
    array([468.6,   inf])
    """
    from scipy.special import ndtri

    delta, psi = np.asarray(difference, dtype=np.float64), np.asarray(disagreement, dtype=np.float64)
    z, z_power = ndtri((1 + level) / 2), ndtri(power)
    with np.errstate(divide="ignore", invalid="ignore"):
        n = ((z * np.sqrt(psi) + z_power * np.sqrt(np.maximum(psi - delta**2, 0.0))) / delta) ** 2
    return np.where(delta == 0, np.inf, n)


def power_of(n: npt.ArrayLike, difference: npt.ArrayLike, disagreement: npt.ArrayLike, level: float) -> Array:
    """The power of n instances, the inverse of `needed_instances`.

    Examples
    --------
    >>> power_of(469, 0.05, 0.15, 0.95).round(3)
    np.float64(0.8)
    """
    from scipy.special import ndtr, ndtri

    n, delta, psi = (np.asarray(value, dtype=np.float64) for value in (n, difference, disagreement))
    reach = np.abs(delta) * np.sqrt(n) - ndtri((1 + level) / 2) * np.sqrt(psi)
    spread = np.sqrt(np.maximum(psi - delta**2, 0.0))
    found = ndtr(reach / np.where(spread > 0, spread, 1.0))
    return np.asarray(np.where(spread > 0, found, (reach > 0) * 1.0))


def _detectable(n: int, disagreement: float, level: float, power: float) -> float:
    """The smallest difference found with that power; needed instances fall as the difference grows."""
    if needed_instances(disagreement, disagreement, level, power) > n:
        raise TiebreakError(
            f"n is {n}: even if every disagreement went one way, {n} instances would not show it with power "
            f"{power:g} at level {level:g}; plan with more, or with less power"
        )
    low, high = 0.0, disagreement
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if needed_instances(middle, disagreement, level, power) <= n else (middle, high)
    return high


def more_needed(
    estimate: npt.ArrayLike, se: npt.ArrayLike, n: float, level: npt.ArrayLike, power: float = 0.8
) -> Array:
    """How many more instances like these would settle the observed difference; infinite where there is none.

    The effect is taken as observed: δ = d and ψ = n se² + d², so that dependence and weights count as they did.

    Examples
    --------
    >>> more_needed([0.1, 0.0], [0.0707, 0.01], 50, 0.95)
    array([152.,  inf])
    """
    d, spread = np.asarray(estimate, dtype=np.float64), np.asarray(se, dtype=np.float64)
    levels = np.asarray(level, dtype=np.float64)
    needed = needed_instances(d, n * spread**2 + d**2, levels, power)  # type: ignore[arg-type]
    return np.maximum(np.ceil(needed) - n, 1.0)
