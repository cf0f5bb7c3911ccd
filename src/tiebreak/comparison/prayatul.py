"""The Prayatul matrix at the door: a table of two models with its measures, and the function that counts it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from tiebreak._checks import one_of
from tiebreak._format import Shown
from tiebreak.errors import EmptyComparison, TiebreakError
from tiebreak.measures import (
    PrayatulMeasures,
    accuracy_difference,
    balanced_cells,
    disagreement,
    double_fault,
    phi,
    prayatul_measures,
    yule_q,
)
from tiebreak.sources import POLICIES, Ask, opened
from tiebreak.tables import PrayatulCounts


@dataclass(frozen=True, slots=True)
class PrayatulMatrix(Shown):
    """Both right, right/wrong, wrong/right, both wrong: the primary model's answers against the alternative's.

    `np.asarray` gives [[both_right, right_wrong], [wrong_right, both_wrong]], rows the primary, columns the
    alternative, right before wrong. Cells are counts, or sums of weights where instances are weighted.

    Attributes
    ----------
    both_right, right_wrong, wrong_right, both_wrong : the cells; the first word is the primary's
    both_wrong_same : the part of `both_wrong` in which both give the same wrong label; None where it was not counted
    primary, alternative : the models' names

    Examples
    --------
    >>> import numpy as np
    >>> import tiebreak as tb
    >>> matrix = tb.PrayatulMatrix(30, 9, 4, 7)
    >>> matrix.measures().comparative_deviation
    0.38461538461538464
    >>> matrix.swap().right_wrong, np.asarray(matrix).tolist()
    (4, [[30, 9], [4, 7]])
    """

    both_right: float
    right_wrong: float
    wrong_right: float
    both_wrong: float
    both_wrong_same: float | None = None
    primary: str = "primary"
    alternative: str = "alternative"

    def __post_init__(self) -> None:
        cells = [self.both_right, self.right_wrong, self.wrong_right, self.both_wrong]
        if not all(0 <= cell < math.inf for cell in cells):
            raise TiebreakError(f"the cells are {cells}: every count must be a finite number ≥ 0")
        if not sum(cells):
            raise EmptyComparison("all four cells are 0: a Prayatul matrix needs at least one instance")
        same = self.both_wrong_same
        if same is not None and not 0 <= same <= self.both_wrong:
            raise TiebreakError(f"both_wrong_same is {same}: it must lie between 0 and both_wrong, {self.both_wrong}")

    @classmethod
    def of(cls, counts: PrayatulCounts, primary: str = "primary", alternative: str = "alternative") -> PrayatulMatrix:
        """Wrap bare counts."""
        return cls(
            counts.both_right,
            counts.right_wrong,
            counts.wrong_right,
            counts.both_wrong,
            counts.both_wrong_same,
            primary,
            alternative,
        )

    @property
    def counts(self) -> PrayatulCounts:
        """The bare cells."""
        return PrayatulCounts(
            self.both_right, self.right_wrong, self.wrong_right, self.both_wrong, self.both_wrong_same
        )

    @property
    def n(self) -> float:
        """The sum of the cells: how many instances, or their weight."""
        return self.counts.n

    @property
    def discordant(self) -> float:
        """How often exactly one of the two is right."""
        return self.counts.discordant

    @property
    def both_wrong_different(self) -> float | None:
        """How often both are wrong with different labels."""
        return self.counts.both_wrong_different

    @property
    def difference(self) -> float:
        """The primary's accuracy minus the alternative's, (RW − WR) / N; its sign alone says who is better."""
        return float(accuracy_difference(self.counts.cells()))

    @property
    def disagreement(self) -> float:
        """(RW + WR) / N."""
        return float(disagreement(self.counts.cells()))

    @property
    def double_fault(self) -> float:
        """BW / N."""
        return float(double_fault(self.counts.cells()))

    @property
    def yule_q(self) -> float:
        """Yule's Q of the two models' rightness; NaN where both products of the cells are 0."""
        return float(yule_q(self.counts.cells()))

    @property
    def phi(self) -> float:
        """Correlation of the two models' rightness; NaN where a model is always right or always wrong."""
        return float(phi(self.counts.cells()))

    def measures(self) -> PrayatulMeasures:
        """Return the five measures, seen from the primary."""
        return prayatul_measures(self.counts.cells())

    def swap(self) -> PrayatulMatrix:
        """Return the matrix with the roles exchanged."""
        return PrayatulMatrix.of(self.counts.swap(), self.alternative, self.primary)

    def __add__(self, other: PrayatulMatrix) -> PrayatulMatrix:
        """Pool the counts of further instances, as of another fold; measures are taken of the sum, never averaged."""
        return PrayatulMatrix.of(self.counts + other.counts, self.primary, self.alternative)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:  # noqa: FBT001
        return self.counts.cells().reshape(2, 2).astype(dtype) if dtype else self.counts.cells().reshape(2, 2)


def prayatul_matrix(
    y_true: Any,
    y_pred: Any,
    y_alternative: Any,
    *,
    sample_weight: Any = None,
    missing: str = "raise",
    balanced: bool = False,
) -> PrayatulMatrix:
    """Count how two models' right and wrong answers meet.

    Parameters
    ----------
    y_true, y_pred, y_alternative : the true labels, the primary model's and the alternative's, of equal length
    sample_weight : one number ≥ 0 per instance; the cells are then sums of weights
    missing : what a missing prediction means: "raise", "wrong" or "drop"
    balanced : average the cell shares over the true classes, so that no measure depends on how frequent they are

    Examples
    --------
    >>> import tiebreak as tb
    >>> matrix = tb.prayatul_matrix(list("aabbc"), list("abbba"), list("aacbc"))
    >>> matrix.both_right, matrix.right_wrong, matrix.wrong_right, matrix.both_wrong
    (2, 1, 2, 0)
    """
    ask = Ask(missing=one_of(missing, "missing", POLICIES))
    names = ("y_pred", "y_alternative")
    tally = opened(y_true, dict(zip(names, (y_pred, y_alternative), strict=True)), ask, sample_weight).tally
    if balanced:
        return PrayatulMatrix(*balanced_cells(tally.pair_by_class(*names)).tolist())
    return PrayatulMatrix.of(tally.pair(*names))
