"""What a profile cannot say: the order of two models that are not the best may turn when a third leaves the pool.

Every ratio is to the best of the pool, so a profile compares each model with that best, and no two others with each
other. Source: Gould and Scott 2016. Here every model is left out once, and the orders that turn are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._format import percent, visible
from tiebreak.tables import TIE, Losses

Array = npt.NDArray[np.float64]

# Factors at which orders are looked at, beside those where a short profile jumps.
TAUS = (1.0, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Flip:
    """An order of two models that turns.

    Attributes
    ----------
    ahead, behind : the order within the whole pool
    left_out : the model without which it is the other way round
    tau : where
    shares : of the two within τ in the whole pool
    shares_without : the same without `left_out`

    Examples
    --------
    >>> Flip("B", "C", "A", 1.5, (0.5, 0.0), (0.5, 1.0)).left_out
    'A'
    """

    ahead: str
    behind: str
    left_out: str
    tau: float
    shares: tuple[float, float]
    shares_without: tuple[float, float]

    def __str__(self) -> str:
        a, b, c = visible(self.ahead), visible(self.behind), visible(self.left_out)
        return (
            f"at tau = {self.tau:g} {a} is ahead of {b} ({percent(self.shares[0])} against {percent(self.shares[1])}), "
            f"but behind it once {c} is left out ({percent(self.shares_without[0])} against "
            f"{percent(self.shares_without[1])}): a profile ranks models against the best of their pool only"
        )


def flips(losses: Losses, taus: Sequence[float] = TAUS, floor: float = 0.0) -> list[Flip]:
    """Return the orders of two models that turn when a third is left out.

    One for each two models, the clearest: where the smaller of its two distances is largest. Cost: O(N M) for each τ.

    Examples
    --------
    >>> losses = Losses(("A", "B", "C"), np.array([[1.0, 6.0, 2.0], [2.0, 3.0, 4.0]]), kind="losses")
    >>> found = flips(losses)[0]
    >>> found.ahead, found.behind, found.left_out, found.tau
    ('B', 'C', 'A', 1.5)
    """
    if len(losses.models) < 3:
        return []
    whole, without = _masses(losses, np.asarray(taus, dtype=np.float64), floor)
    found: dict[tuple[int, int], tuple[float, Flip]] = {}
    for place, tau in enumerate(taus):
        rho, rest = whole[place] / losses.total, without[place] / losses.total
        for p, q, k, clear in _turned(rho, rest):
            flip = Flip(
                losses.models[p], losses.models[q], losses.models[k], float(tau), (float(rho[p]), float(rho[q])),
                (float(rest[k, p]), float(rest[k, q])),
            )  # fmt: skip
            key = (min(p, q), max(p, q))
            if key not in found or clear > found[key][0]:
                found[key] = (clear, flip)
    return [flip for _, flip in sorted(found.values(), key=lambda item: -item[0])]


def _turned(rho: Array, rest: Array) -> list[tuple[int, int, int, float]]:
    """The orders p before q that turn without k; with the smaller distance."""
    gap = rho[:, None] - rho[None, :]
    gaps = rest[:, :, None] - rest[:, None, :]
    clear = np.minimum(gap[None], -gaps)
    allowed = clear > TIE
    every = np.arange(len(rho))
    allowed[every, every, :] = False
    allowed[every, :, every] = False
    return [(int(p), int(q), int(k), float(clear[k, p, q])) for k, p, q in np.argwhere(allowed)]


def _masses(losses: Losses, taus: Array, floor: float) -> tuple[Array, Array]:
    """The mass within each τ of every model (T × M), and the same without each model (T × left out × M).

    Leaving a model out changes an instance only where that model alone is the best: the second best takes its place.
    """
    models = len(losses.models)
    whole, change = np.zeros((len(taus), models)), np.zeros((len(taus), models, models))
    for place, block in losses.blocks():
        part, best, second, who = _two_best(block, floor, lower=losses.lower_is_better)
        amounts = None if losses.amounts is None else losses.amounts[place].astype(np.float64)
        alone = (who == np.arange(models)[:, None]).astype(np.float64)
        alone = alone if amounts is None else alone * amounts
        for row, tau in enumerate(taus * (1 + TIE)):
            now, then = (_inside(part, to, tau, lower=losses.lower_is_better) for to in (best, second))
            whole[row] += now.sum(axis=1) if amounts is None else now @ amounts
            change[row] += alone @ (then.astype(np.float64) - now).T
    return whole, whole[:, None, :] + change


def _two_best(part: Array, floor: float, *, lower: bool) -> tuple[Array, Array, Array, npt.NDArray[np.intp]]:
    """Losses with failures as ∞ (scores: −∞), the best two of each instance, and whose the best is."""
    failed = ~np.isfinite(part)
    if lower:
        part = np.where(failed, np.inf, np.maximum(part, floor))
        who, two = part.argmin(axis=0), np.partition(part, 1, axis=0)
        return part, two[0], two[1], who
    part = np.where(failed, -np.inf, part)
    who, two = part.argmax(axis=0), np.partition(part, len(part) - 2, axis=0)
    return part, two[-1], two[-2], who


def _inside(part: Array, best: Array, tau: float, *, lower: bool) -> npt.NDArray[np.bool_]:
    """Who is within the factor; a failure never is, and beside a best of 0 only another 0."""
    known = np.isfinite(best)
    to = np.where(known, best, 0.0)
    inside = part <= tau * to if lower else to <= tau * part
    return np.asarray(inside & known & np.isfinite(part))
