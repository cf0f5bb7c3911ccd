"""What mistakes cost: the same models judged by the mean cost of their answers, and where that verdict turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from os import PathLike
from typing import Any

import numpy as np

from tiebreak._format import quoted
from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.curves import ProfileCurve
from tiebreak.comparison.doubts import Settings
from tiebreak.comparison.entries import plain_label
from tiebreak.comparison.numbering import compared_numbers
from tiebreak.errors import TiebreakError
from tiebreak.measures import break_even
from tiebreak.profiles import performance_profile
from tiebreak.sources import read_costs
from tiebreak.tables import CostMatrix, Tally, cost_losses, cost_matrix

_NO_PROFILE = (
    "the costs have no profile: in it a right answer costs 1, and the cheapest mistake costs {:g}; give costs in a "
    "unit in which every mistake costs more than 1"
)
_AS_GOOD_AS_RIGHT = (
    "in the profile of the costs a right answer costs 1, and so does the cheapest mistake; give costs in a unit in "
    "which every mistake costs more than 1 to tell them apart"
)


@dataclass(frozen=True, slots=True)
class Price:
    """At which price of its mistakes the cheaper of two models turns; None where no price does that.

    Attributes
    ----------
    primary, alternative : the models
    true, predicted : the mistake whose cost must change least
    factor : by how much
    ratio : of two classes, the ratio of the costs of the two mistakes at which both models cost the same
    """

    primary: str
    alternative: str
    true: Any
    predicted: Any
    factor: float | None
    ratio: float | None

    def entry(self) -> dict[str, Any]:
        """Return the record in the words of the JSON format."""
        return asdict(self)


def costs_of(given: Any) -> CostMatrix:
    """Return costs from a path, a pair (labels, matrix), a frame whose index and columns are labels, or as they are.

    Examples
    --------
    >>> costs_of((["a", "b"], [[0, 1], [5, 0]])).costs[1, 0]
    np.float64(5.0)
    """
    if isinstance(given, CostMatrix):
        return given
    if hasattr(given, "index") and hasattr(given, "columns"):
        ordered = given.loc[list(given.columns)]
        return cost_matrix(list(given.columns), np.asarray(ordered))
    if isinstance(given, tuple | list) and len(given) == 2:
        return cost_matrix(*given)
    if not isinstance(given, str | PathLike):
        raise TiebreakError(
            f"cost is {quoted(given)}: it must be the path of a square CSV, a pair (labels, matrix), or a frame whose "
            "index and columns are the labels"
        )
    return read_costs(str(given))


def with_costs(comparison: Comparison, costs: CostMatrix, settings: Settings) -> Comparison:
    """Return a comparison with the same models judged by what their mistakes cost beside it.

    Examples
    --------
    >>> from tiebreak.comparison.judging import compared
    >>> tally = Tally.of({("g", "g", "r"): 30, ("r", "g", "r"): 4, ("g", "g", "g"): 60}, models=("p", "q"))
    >>> found = with_costs(compared(tally), cost_matrix(["g", "r"], [[0, 1], [20, 0]]), Settings())
    >>> found.leader.name, found.costed.leader.name, found.costed.prices[0].ratio
    ('p', 'q', 7.5)
    """
    tally = comparison.tally
    # A cost names a price, not a tolerance of numbers or their loss.
    plain = replace(settings, tolerance=None, loss="absolute", interval=None)
    costed = compared_numbers(cost_losses(tally, costs), comparison.source, settings=plain, task="cost")
    turning = prices(tally, costs, [model.name for model in costed.ranked])
    judged = replace(costed, prices=turning, truth=tally.truth, curve=None, table=None)
    warnings = (*comparison.warnings, *costs.warnings)
    cheapest = costs.cheapest_mistake
    if cheapest < 1:
        return replace(comparison, costed=judged, warnings=(*warnings, _NO_PROFILE.format(cheapest)))
    if cheapest == 1:
        warnings = (*warnings, _AS_GOOD_AS_RIGHT)
    # In a profile a right answer costs 1, as published, so that no best is 0 and every factor means something.
    relative = cost_losses(tally, costs, right=1.0)
    judged = replace(judged, curve=ProfileCurve.of(performance_profile(relative)), table=relative)
    return replace(comparison, costed=judged, warnings=warnings)


def prices(tally: Tally, costs: CostMatrix, ranked: Sequence[str], most: int = 10) -> tuple[Price, ...]:
    """Return the break-even prices of the pairs of the first `most` models, the cheaper first.

    Examples
    --------
    >>> tally = Tally.of({("n", "n", "y"): 6, ("y", "n", "y"): 2}, models=("p", "q"))
    >>> prices(tally, cost_matrix(["n", "y"], [[0, 1], [5, 0]]), ["q", "p"])[0].ratio
    3.0
    """
    return tuple(_price(tally, costs, *pair) for pair in combinations(ranked[:most], 2))


def _price(tally: Tally, costs: CostMatrix, primary: str, alternative: str) -> Price:
    found = break_even(tally, costs, primary, alternative)
    true, predicted, factor = found.nearest or (None, None, None)
    ratio = None if found.ratio != found.ratio else found.ratio
    return Price(primary, alternative, plain_label(true), plain_label(predicted), factor, ratio)
