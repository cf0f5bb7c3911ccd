"""Two models at the same factor: within τ of the best or not is right or wrong, and the same instances judge both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.inference import Estimate, FlatPosterior, Interval, Law, Superiority, evidence_of, superiority
from tiebreak.tables import Losses, PrayatulCounts, Tally, tally_of_right


@dataclass(frozen=True, slots=True)
class PairAtTau:
    """How sure it is that one model is more often within a factor τ of the best than another.

    Attributes
    ----------
    primary, alternative : the two models
    tau : the factor
    counts : on how many instances, or with what weight, both, one, the other or neither is within τ
    law : of the difference of the two shares: the flat posterior, or Student's with groups or weights
    level : of the interval

    Examples
    --------
    >>> from tiebreak.profiles import performance_profile
    >>> profile = performance_profile([[1.0, 2.0], [1.0, 3.0], [2.0, 1.0]], names=["a", "b"])
    >>> found = profile.compare_at("a", "b", 1.5)
    >>> round(found.difference, 4), round(found.p_better, 4), found.superiority.right_wrong
    (0.3333, 0.6875, 2)
    """

    primary: str
    alternative: str
    tau: float
    counts: PrayatulCounts
    law: Law
    level: float = 0.95

    @property
    def difference(self) -> Estimate:
        """The primary's share within τ minus the alternative's, with its interval."""
        low, high = self.law.ends(self.level).reshape(-1).tolist()
        value = float(np.asarray(self.law.estimate).reshape(-1)[0])
        return Estimate(value, Interval(low, high, self.level, self.law.method))

    @property
    def p_better(self) -> float:
        """The probability that the primary truly is within τ more often."""
        return float(np.asarray(self.law.p_better).reshape(-1)[0])

    @property
    def p_value(self) -> float:
        """The two-sided p-value of equal shares."""
        return float(np.asarray(self.law.p_value).reshape(-1)[0])

    @property
    def superiority(self) -> Superiority | None:
        """Everything that follows from the discordant counts; None where instances have groups or weights."""
        if not isinstance(self.law, FlatPosterior):
            return None
        counts = self.counts
        return superiority(int(counts.right_wrong), int(counts.wrong_right), int(counts.n), level=self.level)


def pair_at(losses: Losses, right: npt.NDArray[np.bool_], tau: float, level: float) -> PairAtTau:
    """Return the comparison of the two models of `losses`, given who is within τ of the best (2 × N).

    Examples
    --------
    >>> losses = Losses(("a", "b"), np.array([[1.0, 2.0], [1.0, 1.0]]), kind="losses")
    >>> pair_at(losses, np.array([[True, True], [False, True]]), 1.0, 0.95).counts.right_wrong
    1
    """
    tally: Tally = tally_of_right(losses, right)
    first, second = losses.models
    law = evidence_of(tally).law(np.array([0]), np.array([1]))
    return PairAtTau(first, second, tau, tally.pair(first, second), law, level)
