"""Several test sets in one file: every pair on each of them, and a total in which each test set counts alike.

Counts of different test sets are not added up: which model is ahead in the sum can be behind in every part.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.entries import estimate_entry, number_entry, read_estimate, read_number
from tiebreak.comparison.slicing import read_slices, slices_entry
from tiebreak.errors import NotDefined
from tiebreak.inference import Estimate, SliceTable, balanced_difference, slice_table
from tiebreak.sources import Opened, sliced
from tiebreak.tables import Tally


@dataclass(frozen=True, slots=True)
class StratifiedTotal:
    """Two models over several test sets, each of which counts alike, however many instances it has.

    Attributes
    ----------
    primary, alternative : the models
    difference : the mean over the test sets of the difference of the accuracies, with its interval
    p_better, p_value : the probability that it is truly positive, and the two-sided p-value
    """

    primary: str
    alternative: str
    difference: Estimate
    p_better: float
    p_value: float

    def entry(self) -> dict[str, Any]:
        """Return the total in the words of the JSON format."""
        return {
            "primary": self.primary,
            "alternative": self.alternative,
            "difference": estimate_entry(self.difference),
            "p_better": number_entry(self.p_better),
            "p_value": number_entry(self.p_value),
        }

    @classmethod
    def read(cls, entry: Mapping[str, Any], level: float) -> StratifiedTotal:
        """Undo `entry`."""
        numbers = (read_number(entry["p_better"]), read_number(entry["p_value"]))
        return cls(entry["primary"], entry["alternative"], read_estimate(entry["difference"], level), *numbers)


@dataclass(frozen=True, slots=True)
class Stratified:
    """The test sets of a comparison.

    Attributes
    ----------
    column : whose values name the test sets
    tables : every pair on each test set, p-values adjusted for their number
    totals : every pair over all test sets
    """

    column: str
    tables: tuple[SliceTable, ...]
    totals: tuple[StratifiedTotal, ...]

    def entry(self) -> dict[str, Any]:
        """Return the test sets in the words of the JSON format."""
        totals = [total.entry() for total in self.totals]
        return {"column": self.column, "strata": slices_entry(self.tables), "totals": totals}

    @classmethod
    def read(cls, entry: Mapping[str, Any], level: float) -> Stratified:
        """Undo `entry`."""
        totals = tuple(StratifiedTotal.read(total, level) for total in entry["totals"])
        return cls(entry["column"], read_slices(entry["strata"], level), totals)


def with_strata(
    comparison: Comparison, rows: Opened, column: str, values: Mapping[str, Any] | None = None
) -> Comparison:
    """Return a comparison with its pairs on each test set and their stratified totals.

    Examples
    --------
    >>> import tiebreak as tb
    >>> data = {"y_true": [1] * 80, "a": [1] * 70 + [0] * 10, "b": [1] * 60 + [0] * 20, "set": ["x", "y"] * 40}
    >>> found = tb.compare(data, models=["a", "b"], stratify="set")
    >>> total = found.strata.totals[0]
    >>> total.primary, round(total.difference, 4)
    ('a', 0.125)
    """
    if not isinstance(comparison.table, Tally):
        raise NotDefined(f"stratify is of answers that are right or wrong, and the task is {comparison.task}")
    tally, names = sliced(rows, column, values), [model.name for model in comparison.ranked]
    pairs = list(combinations(names, 2))
    tables = tuple(slice_table({column: tally}, *pair, comparison.level) for pair in pairs)
    totals = tuple(_total(tally, *pair, comparison.level) for pair in pairs)
    return replace(comparison, strata=Stratified(column, tables, totals))


def _total(tally: Tally, primary: str, alternative: str, level: float) -> StratifiedTotal:
    right, crossing = tally.cells.right(), tally.crossing
    if crossing is None:
        raise AssertionError("a stratified tally has groups")
    cells = crossing.cells(right[tally.index(primary)], right[tally.index(alternative)])
    difference, law = balanced_difference(cells, level)
    p_better, p_value = (float(np.ravel(reading)[0]) for reading in (law.p_better, law.p_value))
    return StratifiedTotal(primary, alternative, difference, p_better, p_value)
