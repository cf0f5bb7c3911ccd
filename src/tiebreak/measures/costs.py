"""What mistakes cost: expected costs from confusion counts, and the prices at which a verdict turns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.tables import CostMatrix, Label, Tally

Array = npt.NDArray[np.float64]


def expected_cost(tally: Tally, costs: CostMatrix) -> Array:
    """(1/N) Σ_cd n_cd W_cd of every model, n its confusion counts and W the costs: the mean cost of an answer.

    Range from the smallest to the largest cost; NaN where a prediction is missing. Needs no joint outcomes.

    Examples
    --------
    >>> from tiebreak.tables import cost_matrix
    >>> tally = Tally.of({("g", "g", "r"): 3, ("r", "g", "r"): 1}, models="pq")
    >>> expected_cost(tally, cost_matrix(["g", "r"], [[0, 4], [10, 0]]))
    array([2.5, 3. ])
    """
    table = costs.over(tally.labels).costs
    found = []
    for model in tally.models:
        counts = tally.confusion(model)
        sums = float((counts.matrix() * table).sum())
        found.append(np.nan if counts.omitted().any() else sums / tally.total)
    return np.array(found)


@dataclass(frozen=True, slots=True, eq=False)
class BreakEven:
    """At which price the cheaper of two models turns.

    Attributes
    ----------
    labels : of rows and columns
    difference : expected cost of the primary minus that of the alternative; negative: the primary is cheaper
    factors : by how much the cost of one mistake alone (row true, column predicted) must be multiplied until both
        models cost the same (K × K); NaN where no price above 0 does that, and on the diagonal
    ratio : with two classes, the ratio of the costs of the two mistakes (second label taken for the first, over the
        first for the second) at which both cost the same; NaN otherwise

    Examples
    --------
    >>> from tiebreak.tables import cost_matrix
    >>> tally = Tally.of({("n", "n", "y"): 6, ("y", "n", "y"): 2}, models="pq")
    >>> found = break_even(tally, cost_matrix(["n", "y"], [[0, 1], [5, 0]]), "p", "q")
    >>> found.difference, found.ratio, found.nearest
    (0.5, 3.0, ('n', 'y', 1.6666666666666665))
    """

    labels: tuple[Label, ...]
    difference: float
    factors: Array
    ratio: float

    @property
    def nearest(self) -> tuple[Label, Label, float] | None:
        """The mistake (true label, predicted label) whose cost must change least, and the factor; None if none does."""
        # Of two that are equally near up to rounding, the first.
        away = np.abs(np.log(self.factors)).round(12)
        if np.isnan(away).all():
            return None
        row, column = np.unravel_index(int(np.nanargmin(away)), away.shape)
        return self.labels[row], self.labels[column], float(self.factors[row, column])


def break_even(tally: Tally, costs: CostMatrix, primary: str, alternative: str) -> BreakEven:
    """Return the prices at which two models cost the same.

    With δ the difference of two confusion matrices and D = Σ W δ, the cost of mistake cd must be multiplied by
    1 − D / (W_cd δ_cd). Undefined where that is not above 0: no price of that mistake alone turns the verdict.

    Examples
    --------
    >>> from tiebreak.tables import cost_matrix
    >>> tally = Tally.of({("n", "n", "y"): 6, ("y", "n", "y"): 2}, models="pq")
    >>> break_even(tally, cost_matrix(["n", "y"], [[0, 1], [5, 0]]), "p", "q").factors
    array([[       nan, 1.66666667],
           [0.6       ,        nan]])
    """
    table = costs.over(tally.labels)
    first, second = (tally.confusion(model) for model in (primary, alternative))
    nothing = np.full(table.costs.shape, np.nan)
    if first.omitted().any() or second.omitted().any():
        return BreakEven(table.labels, float("nan"), nothing, float("nan"))
    parts = table.costs * (first.matrix() - second.matrix())
    difference = float(parts.sum())
    turns = (parts != 0) & ~np.eye(len(parts), dtype=np.bool_)
    factors = np.where(turns, 1 - difference / np.where(turns, parts, 1.0), np.nan)
    factors = np.where(factors > 0, factors, np.nan)
    # What both mistakes cost in relation, once the second has changed; or, from the other side, once the first has.
    ratio = float("nan")
    if len(parts) == 2 and table.costs[0, 1] > 0:
        ratio = float(table.costs[1, 0] * factors[1, 0] / table.costs[0, 1])
        if ratio != ratio and factors[0, 1] == factors[0, 1]:
            ratio = float(table.costs[1, 0] / (table.costs[0, 1] * factors[0, 1]))
    return BreakEven(table.labels, difference / tally.total, factors, ratio)
