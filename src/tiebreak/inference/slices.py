"""In which slice of the data two models differ most, with a correction for having looked into all of them.

Within a slice the question is that of the whole: the trio of the flat posterior from the pair's discordant counts. The
p-values of all slices of all columns are adjusted together by Holm's method, which holds whatever the slices share.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak._checks import open_share
from tiebreak._format import Shown
from tiebreak.errors import NotDefined
from tiebreak.inference.estimates import Estimate, Interval
from tiebreak.inference.laws import FlatPosterior, Law, StudentLaw
from tiebreak.inference.many import holm
from tiebreak.inference.posterior import Array
from tiebreak.tables import Label, PrayatulCounts, Tally


@dataclass(frozen=True, slots=True)
class Slice:
    """Two models within one slice.

    Attributes
    ----------
    column, value : the slice; two columns joined by " × " and a pair of values where it is a conjunction
    n : how many instances, or what weight, it holds
    prayatul : the pair's four cells in it
    difference : the primary's accuracy minus the alternative's, with its interval
    p_better : the probability that the primary is truly better there
    p_value, p_value_adjusted : two-sided, alone and for all slices of the table
    better : the model that is better once adjusted, None where that is open
    """

    column: str
    value: Label
    n: float
    prayatul: PrayatulCounts
    difference: Estimate
    p_better: float
    p_value: float
    p_value_adjusted: float
    better: str | None


@dataclass(frozen=True, eq=False)
class SliceTable(Shown):
    """Every slice of every column for one pair of models, in the order of columns and values.

    Attributes
    ----------
    primary, alternative : the models
    slices : one record each
    level : of the intervals; a model is better in a slice at 1 − level once adjusted

    Examples
    --------
    >>> from tiebreak.tables import Crossing, Mass, Outcomes
    >>> cells, places = Outcomes.placed(np.array([[0, 0], [0, 0], [0, 1]]), Mass(np.array([50, 12])))
    >>> crossing = Crossing(places[[0, 0, 1]], np.array([0, 1, 1]), Mass(np.array([30, 20, 12])), ("day", "night"))
    >>> found = slice_table({"hour": Tally(("p", "q"), ("a", "b"), cells, "y", (0, 0), 0, crossing)}, "p", "q")
    >>> found.ranked(1)[0].value, round(found.ranked(1)[0].difference, 3), found.ranked(1)[0].better
    ('night', 0.375, 'p')
    """

    primary: str
    alternative: str
    slices: tuple[Slice, ...]
    level: float

    def __len__(self) -> int:
        return len(self.slices)

    def __iter__(self) -> Iterator[Slice]:
        return iter(self.slices)

    def ranked(self, most: int | None = None) -> list[Slice]:
        """The slices by how far the primary is ahead, the largest difference first."""
        return sorted(self.slices, key=lambda each: (-float(each.difference), each.p_value))[:most]

    def settled(self) -> list[Slice]:
        """The slices in which one model is better once adjusted, the smallest p-value first."""
        found = [each for each in self.slices if each.better is not None]
        return sorted(found, key=lambda each: each.p_value)


def slice_table(tallies: Mapping[str, Tally], primary: str, alternative: str, level: float = 0.95) -> SliceTable:
    """Compare two models in every slice.

    Parameters
    ----------
    tallies : for each column (or conjunction) a tally whose groups are its slices, as `sources.sliced` counts it
    primary, alternative : the models
    level : of the intervals
    """
    level = open_share(level, "level")
    parts = [_compared(column, tally, primary, alternative, level) for column, tally in tallies.items()]
    p_values = np.array([row.p_value for part in parts for row in part])
    adjusted = iter(holm(p_values).tolist())
    slices = tuple(_adjusted(row, next(adjusted), (primary, alternative), level) for part in parts for row in part)
    return SliceTable(primary, alternative, slices, level)


def _adjusted(row: Slice, p: float, models: tuple[str, str], level: float) -> Slice:
    better = None if not p < 1 - level else models[0] if row.difference > 0 else models[1]
    return Slice(row.column, row.value, row.n, row.prayatul, row.difference, row.p_better, row.p_value, p, better)


def _compared(column: str, tally: Tally, primary: str, alternative: str, level: float) -> list[Slice]:
    crossing = tally.crossing
    if crossing is None:
        raise NotDefined(f"column {column!r} was not counted by slice: count it with sources.sliced")
    right = tally.cells.right()
    p, q = right[tally.index(primary)], right[tally.index(alternative)]
    cells = crossing.cells(p, q)
    law = _law(cells, crossing.squares(p, q), weighted=tally.weighted)
    ends = law.ends(level)
    rows = zip(
        crossing.names,
        cells,
        law.estimate.tolist(),
        ends.tolist(),
        law.p_better.tolist(),
        law.p_value.tolist(),
        strict=True,
    )
    return [
        Slice(
            column,
            value,
            own.sum().item(),
            PrayatulCounts.of(own),
            Estimate(estimate, Interval(low, high, level, law.method)),
            better,
            p_value,
            float("nan"),
            None,
        )
        for value, own, estimate, (low, high), better, p_value in rows
    ]


def _law(cells: npt.NDArray[np.generic], squares: npt.NDArray[np.generic], *, weighted: bool) -> Law:
    """The law of the difference in every slice: counts have the flat posterior, weights Student's t."""
    amounts = np.asarray(cells, dtype=np.float64)
    n = amounts.sum(axis=-1)
    if not weighted:
        return FlatPosterior(amounts[:, 1], amounts[:, 2], n)
    square = np.asarray(squares, dtype=np.float64)
    moments = [_weighted(own, others) for own, others in zip(amounts, square, strict=True)]
    estimate, se, effective = (np.array(column) for column in zip(*moments, strict=True))
    share = effective / np.where(n > 0, n, 1.0)
    flat = FlatPosterior(amounts[:, 1] * share, amounts[:, 2] * share, effective)
    return StudentLaw(estimate, se, np.maximum(effective - 1.0, 1.0), "weighted_t", degenerate=flat)


def _weighted(cells: Array, squares: Array) -> tuple[float, float, float]:
    """Difference, standard error and effective number of one slice."""
    total, total_of_squares = float(cells.sum()), float(squares.sum())
    if not total:
        return 0.0, 0.0, 1.0
    d = (cells[1] - cells[2]) / total
    # Every term is ≥ 0, and all are 0 where the models never differ.
    variance = (squares[1] * (1 - d) ** 2 + squares[2] * (1 + d) ** 2 + (squares[0] + squares[3]) * d**2) / total**2
    return float(d), float(np.sqrt(variance)), total**2 / total_of_squares
