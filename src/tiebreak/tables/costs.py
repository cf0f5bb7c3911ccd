"""What every answer costs, by true and predicted label: a small table that turns a tally into costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import distinct
from tiebreak._format import counted, listed, quoted
from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.tables.confusion import OMITTED
from tiebreak.tables.labels import Label
from tiebreak.tables.losses import Losses
from tiebreak.tables.mass import Mass
from tiebreak.tables.outcomes import Outcomes
from tiebreak.tables.tally import NEEDS_OUTCOMES, Tally

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CostMatrix:
    """The cost of each answer; rows are true labels, columns predicted ones, in the same order. Need not be symmetric.

    Attributes
    ----------
    labels : of rows and columns
    costs : what predicting the column costs where the row is true (K × K), ≥ 0

    Examples
    --------
    >>> costs = CostMatrix(("green", "red"), np.array([[1.0, 4.0], [10.0, 1.0]]))
    >>> costs.over(("red", "green")).costs
    array([[ 1., 10.],
           [ 4.,  1.]])
    """

    labels: tuple[Label, ...]
    costs: Array

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is allowed and strange: a right answer that costs more than a wrong one."""
        own = np.diagonal(self.costs)
        dear = [
            f"{quoted(label)} right costs {own[place]:g}, predicting {quoted(self.labels[cheapest])} instead "
            f"{self.costs[place, cheapest]:g}"
            for place, label in enumerate(self.labels)
            if self.costs[place, cheapest := int(self.costs[place].argmin())] < own[place]
        ]
        return (f"a right answer costs more than a wrong one: {'; '.join(dear[:4])}",) if dear else ()

    def over(self, labels: Sequence[Label]) -> CostMatrix:
        """Return the costs of some labels in their order; labels of a file are matched by their text."""
        place = {str(label): k for k, label in enumerate(self.labels)}
        absent = [label for label in labels if str(label) not in place]
        if absent:
            raise TiebreakError(
                f"the costs have no row for {listed(map(quoted, absent))}: every label of the data needs its row and "
                f"column (they have {listed(map(quoted, self.labels), 20)})"
            )
        kept = [place[str(label)] for label in labels]
        return CostMatrix(tuple(labels), self.costs[np.ix_(kept, kept)])

    @property
    def cheapest_mistake(self) -> float:
        """The least that a wrong answer costs; ∞ where there is only one label."""
        wrong = ~np.eye(len(self.labels), dtype=np.bool_)
        return float(self.costs[wrong].min(initial=np.inf))

    def with_right(self, cost: float) -> CostMatrix:
        """Return the same with every right answer at one cost."""
        changed = self.costs.copy()
        np.fill_diagonal(changed, cost)
        return CostMatrix(self.labels, changed)


def cost_matrix(labels: Sequence[Label], costs: npt.ArrayLike) -> CostMatrix:
    """Return a cost matrix, checked: square, one row a label, finite, none negative.

    Examples
    --------
    >>> cost_matrix(["a", "b"], [[0, 1], [5, 0]]).costs[1, 0]
    np.float64(5.0)
    """
    names = distinct(tuple(labels), "labels of the costs")
    try:
        table = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise TiebreakError("costs hold something that is no number, or rows of different lengths") from None
    if table.shape != (len(names), len(names)) or not len(names):
        raise TiebreakError(
            f"costs have shape {table.shape} and {counted(len(names), 'label')}: a cost matrix is square, one row "
            "and one column a label"
        )
    wrong = ~((table >= 0) & np.isfinite(table))
    if wrong.any():
        row, column = (int(where[0]) for where in np.nonzero(wrong))
        raise TiebreakError(
            f"the cost of predicting {quoted(names[column])} where {quoted(names[row])} is true is "
            f"{table[row, column]:g}: every cost must be a finite number ≥ 0"
        )
    return CostMatrix(names, table)


def cost_losses(tally: Tally, costs: CostMatrix, *, right: float | None = None) -> Losses:
    """Return what each model's answers cost, one row a distinct outcome with its count: losses like any others.

    `right=1` puts every right answer at 1, which is the cost-weighted profile of PPML: then no best is 0. A missing
    prediction has no cost: NaN. Means, paired differences and profiles follow as from any `Losses`.

    Examples
    --------
    >>> tally = Tally.of({("g", "g", "r"): 3, ("r", "g", "r"): 1}, models="pq")
    >>> found = cost_losses(tally, cost_matrix(["g", "r"], [[1, 4], [10, 1]]))
    >>> found.values.tolist(), found.counts.tolist()
    ([[1.0, 4.0], [10.0, 1.0]], [3, 1])
    """
    if tally.truth is None:
        raise NotDefined("costs need labels, and these answers came already graded right or wrong")
    if not isinstance(tally.cells, Outcomes):
        raise NotDefined(f"costs of several models need the joint outcomes: {NEEDS_OUTCOMES}")
    found = costs.over(tally.labels)
    table = found.costs if right is None else found.with_right(right).costs
    truth, *answers = tally.cells.codes.astype(np.int64)
    values = np.column_stack([np.where(given == OMITTED, np.nan, table[truth, given]) for given in answers])
    facts: dict[str, Any] = {"missing": tally.missing, "excluded": tally.excluded, "kind": "losses"}
    mass, crossing = tally.cells.mass, tally.crossing
    if crossing is not None:
        values, mass = values[crossing.patterns], crossing.mass
        facts |= {"groups": crossing.groups, "names": crossing.names}
    return Losses(tally.models, values, **facts, **_amounts(mass))


def _amounts(mass: Mass) -> dict[str, Any]:
    if mass.weights is None:
        return {"counts": mass.counts}
    return {"counts": mass.counts, "weights": mass.weights.sums, "squares": mass.weights.squares}
