"""What a bootstrap resamples: instances, groups, or weighted instances, and what one of them adds to a small table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.errors import NotDefined
from tiebreak.inference.bootstrap import Units
from tiebreak.tables import NEEDS_OUTCOMES, Crossing, GroupSums, Outcomes, Tally
from tiebreak.tables.confusion import OMITTED


def pair_units(tally: Tally, primary: str, alternative: str, by_weight: Tally | None = None) -> Units:
    """Return the units of one pair's four Prayatul cells.

    `by_weight` is the tally counted once more with the weight as its group, which weighted instances need.

    Examples
    --------
    >>> tally = Tally.of({("a", "a", "a"): 30, ("a", "a", "b"): 9, ("a", "b", "a"): 4, ("a", "b", "b"): 7}, models="pq")
    >>> pair_units(tally, "p", "q").times
    array([30,  9,  4,  7])
    """
    crossing = _crossing(tally, by_weight)
    if crossing is None:
        cells = tally.pairs()[tally.index(primary), tally.index(alternative)]
        return Units(np.asarray(cells, dtype=np.int64))
    source = tally if by_weight is None else by_weight
    right = source.cells.right()
    cell = 2 * ~right[source.index(primary)] + ~right[source.index(alternative)]
    return _crossed(crossing, cell[None], 4, weighted=by_weight is not None)


def confusion_units(tally: Tally, models: Sequence[str], by_weight: Tally | None = None) -> Units:
    """Return the units of the confusion matrices of some models, one behind the other (k² cells each).

    A missing prediction belongs to no cell.

    Examples
    --------
    >>> tally = Tally.of({("a", "a", "a"): 3, ("b", "a", "b"): 2}, models="pq")
    >>> confusion_units(tally, ["p"]).table()
    array([3., 0., 2., 0.])
    """
    part = (tally if by_weight is None else by_weight).restrict(models)
    if not isinstance(part.cells, Outcomes):
        raise NotDefined(f"a bootstrap of confusion matrices needs the joint outcomes: {NEEDS_OUTCOMES}")
    truth, *answers = part.cells.codes.astype(np.int64)
    k = len(part.labels)
    given = [
        np.where(answer == OMITTED, -1, place * k * k + truth * k + answer) for place, answer in enumerate(answers)
    ]
    cells, size = np.array(given), len(models) * k * k
    crossing = _crossing(part, None if by_weight is None else part)
    if crossing is None:
        patterns = np.arange(cells.shape[1])
        return Units(part.cells.mass.counts, _indicator(patterns, cells, np.ones(len(patterns)), size, len(patterns)))
    return _crossed(crossing, cells, size, weighted=by_weight is not None)


def mean_units(sums: GroupSums, primary: int, alternative: int, times: npt.NDArray[np.int64] | None = None) -> Units:
    """Return the units of a difference of two means: instances or groups, each with its size and two models' sums.

    Examples
    --------
    >>> mean_units(GroupSums(np.array([2.0, 3.0]), np.array([[2.0, 1.0], [1.0, 1.0]])), 0, 1).table()
    array([5., 3., 2.])
    """
    holds = np.stack([sums.sizes, sums.sums[primary], sums.sums[alternative]], axis=1)
    kept = np.ones(len(holds), dtype=np.int64) if times is None else times
    # The order in which an engine returned the rows must not decide which draw belongs to which of them.
    order = np.lexsort((*holds.T, kept))
    return Units(kept[order], holds[order])


def _crossing(tally: Tally, by_weight: Tally | None) -> Crossing | None:
    if tally.weighted and tally.crossing is None and by_weight is None:
        raise NotDefined(
            "weighted instances are resampled from their rows, and no rows remain: compare the predictions again"
        )
    return tally.crossing if by_weight is None else by_weight.crossing


def _crossed(crossing: Crossing, cells: npt.NDArray[np.int64], size: int, *, weighted: bool) -> Units:
    """Units that are groups, each of which holds several cells; or rows of one weight and one outcome."""
    if weighted:
        weight = np.array(crossing.names, dtype=np.float64)[crossing.groups]
        # The order in which an engine returned the rows must not decide which draw belongs to which of them.
        order = np.lexsort((weight, crossing.patterns))
        patterns, rows = crossing.patterns[order], np.arange(len(weight))
        return Units(crossing.mass.counts[order], _indicator(patterns, cells, weight[order], size, len(rows), rows))
    amounts = crossing.mass.amounts.astype(np.float64)
    held = _indicator(crossing.patterns, cells, amounts, size, crossing.size, crossing.groups)
    return Units(np.ones(crossing.size, dtype=np.int64), held)


def _indicator(
    patterns: npt.NDArray[np.integer],
    cells: npt.NDArray[np.int64],
    amounts: npt.NDArray[np.float64],
    size: int,
    units: int,
    rows: npt.NDArray[np.integer] | None = None,
) -> Any:
    """A sparse matrix (units × cells): each pattern adds its amount to its cell of every model's matrix."""
    from scipy.sparse import csr_array

    rows = np.arange(units) if rows is None else rows
    columns = cells[:, patterns]
    known = columns >= 0
    place = np.broadcast_to(rows, columns.shape)[known]
    data = np.broadcast_to(amounts, columns.shape)[known]
    return csr_array((data, (place, columns[known])), shape=(units, size))
