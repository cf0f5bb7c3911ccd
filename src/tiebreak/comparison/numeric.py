"""The cells and intervals of numbers: a tolerance makes right and wrong of them, resampling an interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.comparison.agreement import Agreement
from tiebreak.comparison.cells import BOOTSTRAPS, Named, Places
from tiebreak.comparison.doubts import Settings
from tiebreak.comparison.prayatul import PrayatulMatrix
from tiebreak.comparison.resampling import generator
from tiebreak.errors import NotDefined
from tiebreak.inference import Interval, MeanEvidence, bootstrap, mean_units
from tiebreak.tables import Losses, LossSums, PrayatulCounts, pair_cells, tally_within

_NUMBERS = "the difference is of means, whose test is Student's; signed_rank tests the same numbers by their ranks"
_NO_TRACE = "numbers have no confusion matrix"


@dataclass(frozen=True, eq=False)
class NumberCells:
    """What numbers say beside the difference of their means.

    Attributes
    ----------
    evidence : means with their standard errors
    within : the four cells of every pair under the tolerance (M × M × 4); None without one

    Examples
    --------
    >>> from tiebreak.inference import evidence_of_scores
    >>> losses = Losses(("a", "b"), np.array([[0.1, -0.6], [-0.2, 0.4], [2.0, 0.5]]), kind="residuals")
    >>> cells = NumberCells(evidence_of_scores(losses), cells_within(losses, 0.5))
    >>> cells.matrices([("a", "b")], np.array([0]), np.array([1]))[0].right_wrong
    1
    """

    evidence: MeanEvidence
    within: npt.NDArray[Any] | None = None

    def matrices(self, pairs: Sequence[Named], p: Places, q: Places) -> list[PrayatulMatrix | None]:
        """Return the tables under the tolerance."""
        if self.within is None:
            return [None] * len(pairs)
        cells = self.within[p, q]
        return [PrayatulMatrix.of(PrayatulCounts.of(row), *names) for row, names in zip(cells, pairs, strict=True)]

    def intervals(self, pairs: Sequence[Named], p: Places, q: Places, settings: Settings) -> list[Interval]:  # noqa: ARG002
        """Return the intervals of the differences of means by resampling instances or groups."""
        method, sums = str(settings.interval), self.evidence.sums
        if method not in BOOTSTRAPS:
            raise NotDefined(f"interval {method} is of right and wrong answers: use {' or '.join(BOOTSTRAPS)}")
        if sums is None:
            raise NotDefined("only sums of these numbers were kept, as there were too many to hold: leave interval out")
        rng, found = generator(settings.seed), []
        for one, two in zip(p.tolist(), q.tolist(), strict=True):
            units = mean_units(sums, one, two, self.evidence.times)
            found.append(bootstrap(units, _mean_difference, rng).interval(settings.level, BOOTSTRAPS[method]))
        return found

    def exact(self, p: Places, q: Places) -> tuple[list[float], str]:  # noqa: ARG002
        """Return NaN with the reason."""
        return [float("nan")] * len(p), _NUMBERS

    def trace(self, p: Places, q: Places) -> tuple[list[float], str]:  # noqa: ARG002
        """Return NaN with the reason."""
        return [float("nan")] * len(p), _NO_TRACE

    def agreements(self, pairs: Sequence[Named]) -> list[Agreement | None]:
        """Return nothing: numbers are no clusterings."""
        return [None] * len(pairs)


def _mean_difference(tables: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Tables hold a size and two models' sums."""
    return np.asarray((tables[..., 1] - tables[..., 2]) / tables[..., 0])


def cells_within(losses: Losses | LossSums, tolerance: float | None) -> npt.NDArray[Any] | None:
    """Return the four cells of every pair of models under a tolerance; None without one.

    Examples
    --------
    >>> losses = Losses(("a", "b"), np.array([[0.1, -0.6], [-0.2, 0.4], [2.0, 0.5]]), kind="residuals")
    >>> cells_within(losses, 0.5)[0, 1].tolist()
    [1, 1, 1, 0]
    """
    if tolerance is None:
        return None
    if isinstance(losses, Losses):
        return tally_within(losses, tolerance).pairs()
    if losses.within is None:
        raise NotDefined(
            "the share within a tolerance was not added up: name the tolerance before the losses are summed"
        )
    whole = np.rint(losses.within).astype(np.int64) if not losses.weighted else losses.within
    return pair_cells(whole, losses.n if not losses.weighted else losses.total)
