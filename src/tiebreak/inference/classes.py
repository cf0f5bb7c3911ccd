"""Where two models differ: class by class and cell by cell, paired, from the joint counts of the two.

Within one true class, and within one cell, the question is that of two accuracies: how often only one of the two is
there. Its answer is the trio of the flat posterior (`superiority`). Precision, F1 and R′ are ratios of counts that
both models share in part; their differences have the delta method's standard error from the joint counts, with half an
instance added to each kind that either model predicts, so that two equal models are not certain to be equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of, open_share
from tiebreak._format import Shown
from tiebreak.errors import NotDefined
from tiebreak.inference.estimates import Estimate, Interval
from tiebreak.inference.intervals import wilson
from tiebreak.inference.joint_classes import JointClasses, joint_classes
from tiebreak.inference.laws import FlatPosterior, Law, StudentLaw
from tiebreak.inference.many import holm
from tiebreak.inference.posterior import Array
from tiebreak.tables import NEEDS_OUTCOMES, Label, Margins, Outcomes, Tally, group_columns

CLASS_MEASURES = ("recall", "precision", "f1", "r_prime")


@dataclass(frozen=True, slots=True)
class PlaceDifference:
    """How two models differ in one class or in one cell.

    Attributes
    ----------
    label : the class; a pair (true, predicted) where cells are compared
    support : how many instances, or what weight, the difference is of
    difference : the primary's value minus the alternative's, with its interval
    p_better : the probability that the primary's true value is the larger
    p_value, p_value_adjusted : two-sided, alone and for as many as were compared
    winner : the model whose value is larger once adjusted, None where that is open
    """

    label: Label
    support: float
    difference: Estimate
    p_better: float
    p_value: float
    p_value_adjusted: float
    winner: str | None


@dataclass(frozen=True, eq=False)
class PlaceDifferences(Shown):
    """The differences of two models over all classes, or over all cells that either fills; arrays in one order.

    Undefined entries (a class without instances; one that neither model predicts) are NaN, take no part in the
    adjustment and win nothing.

    Attributes
    ----------
    measure : "recall", "precision", "f1", "r_prime", or "cell"
    primary, alternative : the models
    labels : the classes, or (true, predicted) pairs
    support, estimate, low, high, p_better, p_value, p_value_adjusted : one entry each
    level, method : of the intervals

    Examples
    --------
    >>> outcomes = {("a", "a", "a"): 30, ("a", "a", "b"): 12, ("a", "b", "a"): 1, ("b", "b", "b"): 20}
    >>> found = class_differences(Tally.of(outcomes, models=("p", "q")), "p", "q")
    >>> found.winners, round(found.records()[0].difference, 4), found.records()[0].difference.method
    ({'a': 'p'}, 0.2558, 'flat_posterior')
    """

    measure: str
    primary: str
    alternative: str
    labels: tuple[Label, ...]
    support: Array
    estimate: Array
    low: Array
    high: Array
    p_better: Array
    p_value: Array
    p_value_adjusted: Array
    level: float
    method: str

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[PlaceDifference]:
        return iter(self.records())

    @property
    def winners(self) -> dict[Label, str]:
        """Which model wins which class or cell once adjusted; a cell is won by the model that is there more often."""
        won = np.flatnonzero(self.p_value_adjusted < 1 - self.level)
        return {self.labels[k]: self.primary if self.estimate[k] > 0 else self.alternative for k in won.tolist()}

    def records(self) -> list[PlaceDifference]:
        """One record a class or cell, in their order."""
        winners = self.winners
        columns = (self.support, self.estimate, self.low, self.high, self.p_better, self.p_value, self.p_value_adjusted)
        return [
            PlaceDifference(
                label,
                support,
                Estimate(value, Interval(low, high, self.level, self.method)),
                better,
                p,
                adjusted,
                winners.get(label),
            )
            for label, support, value, low, high, better, p, adjusted in zip(
                self.labels, *(column.tolist() for column in columns), strict=True
            )
        ]

    def ranked(self, most: int | None = None) -> list[PlaceDifference]:
        """The records with the smallest adjusted p-values first, larger differences first among equals."""
        known = np.nan_to_num(self.p_value, nan=np.inf)
        order = np.lexsort((-np.abs(np.nan_to_num(self.estimate)), known))
        records = self.records()
        return [records[place] for place in order[:most].tolist()]


def class_differences(
    tally: Tally, primary: str, alternative: str, measure: str = "recall", level: float = 0.95
) -> PlaceDifferences:
    """Return how two models differ in every class, adjusted by Holm's method for the number of classes.

    Parameters
    ----------
    tally : counted as joint outcomes
    measure : "recall" (within the class; the flat posterior), "precision", "f1" or "r_prime" (the delta method)
    level : of the intervals; a class is won at 1 − level once adjusted

    Examples
    --------
    >>> outcomes = {("a", "a", "a"): 30, ("a", "a", "b"): 12, ("b", "b", "a"): 9, ("b", "b", "b"): 20}
    >>> found = class_differences(Tally.of(outcomes, models=("p", "q")), "p", "q", "precision")
    >>> found.estimate.round(4), found.winners
    (array([0.2308, 0.375 ]), {'a': 'p', 'b': 'p'})
    """
    one_of(measure, "measure", CLASS_MEASURES)
    level = open_share(level, "level")
    joint = joint_classes(tally, primary, alternative)
    law: Law = joint.recall_law() if measure == "recall" else joint.ratio_law(measure)
    names = (measure, primary, alternative)
    return _placed(names, tally.labels, joint.support, law, joint.defined(measure), level)


def cell_differences(tally: Tally, primary: str, alternative: str, level: float = 0.95) -> PlaceDifferences:
    """Return how the two confusion matrices differ in every cell that either model fills, as shares of all instances.

    In a cell only instances count that one model puts there and the other does not; the trio is that of `superiority`,
    adjusted by Holm's method for the number of cells. A cell off the diagonal is an error: winning it is no merit.

    Examples
    --------
    >>> outcomes = {("a", "a", "a"): 30, ("a", "a", "b"): 12, ("a", "b", "a"): 1, ("b", "b", "b"): 20}
    >>> found = cell_differences(Tally.of(outcomes, models=("p", "q")), "p", "q")
    >>> found.labels, found.estimate.round(4)
    ((('a', 'a'), ('a', 'b'), ('b', 'b')), array([ 0.1746, -0.1746,  0.    ]))
    """
    level = open_share(level, "level")
    codes, amounts = _joint(tally, primary, alternative)
    truth, p, q = codes
    apart = p != q
    # An instance is in a cell for the primary only, for the alternative only, or for both.
    places = [np.stack([truth[apart], p[apart]]), np.stack([truth[apart], q[apart]]), np.stack([truth, p])[:, ~apart]]
    kinds = np.repeat([0, 1, 2], [part.shape[1] for part in places])
    every = np.concatenate(places, axis=1)
    weight = np.concatenate([amounts[apart], amounts[apart], amounts[~apart]])
    given = every[1] >= 0
    cells, place = group_columns(every[:, given])
    found = np.zeros((cells.shape[1], 3))
    np.add.at(found, (place, kinds[given]), weight[given])
    labels = tuple((tally.labels[row], tally.labels[column]) for row, column in cells.T.tolist())
    total = np.full(len(labels), float(tally.total))
    law = FlatPosterior(found[:, 0], found[:, 1], total)
    return _placed(("cell", primary, alternative), labels, total, law, total > 0, level)


def _placed(
    names: tuple[str, str, str],
    labels: Sequence[Label],
    support: Array,
    law: Law,
    defined: npt.NDArray[np.bool_],
    level: float,
) -> PlaceDifferences:
    """File a law's answers, with NaN where nothing is defined."""
    estimate, low, high, better, p = (np.where(defined, column, np.nan) for column in _read(law, level))
    adjusted = np.full(len(labels), np.nan)
    adjusted[defined] = holm(p[defined])
    return PlaceDifferences(*names, tuple(labels), support, estimate, low, high, better, p, adjusted, level, law.method)


def _read(law: Law, level: float) -> Array:
    """Return estimate, both ends, p_better and p-value (5 × K), each posterior solved once however often it occurs."""
    if not isinstance(law, FlatPosterior):
        ends = law.ends(level)
        return np.stack([law.estimate, ends[..., 0], ends[..., 1], law.p_better, law.p_value])
    counts, place = np.unique(np.stack([law.rw, law.wr, law.n]), axis=1, return_inverse=True)
    once = FlatPosterior(counts[0], counts[1], counts[2])
    ends = once.ends(level)
    found = np.stack([once.estimate, ends[..., 0], ends[..., 1], once.p_better, once.p_value])
    return np.asarray(found[:, place.reshape(-1)])


def _joint(tally: Tally, primary: str, alternative: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    if not isinstance(tally.cells, Outcomes):
        raise NotDefined(f"differences by cell are not defined here: {NEEDS_OUTCOMES}")
    if tally.weighted or tally.crossing is not None:
        raise NotDefined(
            "differences by cell are of independent instances that count alike: leave out weights and groups, or "
            "compare by class"
        )
    two = tally.cells.restricted([tally.index(primary), tally.index(alternative)])
    return two.codes.astype(np.int64), two.mass.counts


def balanced_difference(cells_by_class: npt.ArrayLike, level: float = 0.95) -> tuple[Estimate, Law]:
    """Return the mean over classes of the difference of two recalls, with its interval, and its law.

    It is the difference of two balanced accuracies: every class counts alike however frequent it is. Each class adds
    the posterior variance of its difference over K²; with one class it is the flat posterior itself. `cells_by_class`
    are the four Prayatul cells of each class (K × 4); empty classes are left out.

    Examples
    --------
    >>> difference, law = balanced_difference([[80, 10, 5, 5], [20, 5, 25, 50]])
    >>> round(difference, 4), round(difference.low, 4), round(difference.high, 4), difference.method
    (-0.075, -0.1378, -0.0122, 'balanced_delta')
    """
    cells = np.asarray(cells_by_class, dtype=np.float64)
    sizes = cells.sum(axis=-1)
    cells, sizes = cells[sizes > 0], sizes[sizes > 0]
    if not len(cells):
        raise NotDefined("no class holds an instance: there is nothing to balance")
    rw, wr = cells[:, 1], cells[:, 2]
    law: Law
    if len(cells) == 1:
        law = FlatPosterior(rw, wr, sizes)
    else:
        estimate = ((rw - wr) / sizes).mean()
        variance = flat_variance(rw, wr, sizes).sum() / len(cells) ** 2
        law = StudentLaw(np.array([estimate]), np.sqrt([variance]), np.inf, "balanced_delta")
    low, high = law.ends(level)[0].tolist()
    return Estimate(float(law.estimate[0]), Interval(low, high, open_share(level, "level"), law.method)), law


def flat_variance(rw: Array, wr: Array, n: Array) -> Array:
    """Return the variance of θ_RW − θ_WR under the flat posterior; never 0.

    Examples
    --------
    >>> flat_variance(np.array([0.0]), np.array([0.0]), np.array([10.0])).round(5)
    array([0.00952])
    """
    total = n + 4
    p, q = (rw + 1) / total, (wr + 1) / total
    return np.asarray((p + q - (p - q) ** 2) / (total + 1))


@dataclass(frozen=True, slots=True, eq=False)
class ClassIntervals:
    """Wilson intervals of every class's precision and recall (K × 2 each): within [0, 1], never of width 0.

    A class without instances has no recall, and one that is never predicted no precision: NaN.
    """

    precision: Array
    recall: Array
    level: float
    method: str = "wilson"


def class_intervals(margins: Margins, level: float = 0.95, squares: Margins | None = None) -> ClassIntervals:
    """Return intervals of every class's precision and recall.

    `squares` are the margins of the squared weights where instances are weighted: Kish's effective numbers stand in for
    the counts.

    Examples
    --------
    >>> class_intervals(Margins.of([[9, 1], [0, 10]])).recall.round(4)
    array([[0.5958, 0.9821],
           [0.7225, 1.    ]])
    """
    level = open_share(level, "level")
    weights = margins if squares is None else squares
    precision = _shares(margins.right, margins.predicted, weights.predicted, level)
    return ClassIntervals(precision, _shares(margins.right, margins.true, weights.true, level), level)


def _shares(part: Array, whole: Array, squares: Array, level: float) -> Array:
    known = whole > 0
    safe = np.where(known, whole, 1.0)
    effective = safe**2 / np.where(known, squares, 1.0)
    # A share of exactly 1 must stay one when it is multiplied by an effective number.
    right = np.where(part == whole, effective, np.where(known, part, 0.0) / safe * effective)
    return np.where(known[..., None], wilson(right, effective, level), np.nan)


__all__ = [
    "CLASS_MEASURES",
    "ClassIntervals",
    "JointClasses",
    "PlaceDifference",
    "PlaceDifferences",
    "balanced_difference",
    "cell_differences",
    "class_differences",
    "class_intervals",
    "flat_variance",
    "joint_classes",
]
