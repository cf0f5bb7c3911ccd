"""Two models and one class at a time: eight counts a class, from which every difference by class has its law."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from tiebreak.errors import NotDefined
from tiebreak.inference.laws import FlatPosterior, Law, StudentLaw
from tiebreak.inference.posterior import Array
from tiebreak.tables import NEEDS_OUTCOMES, Crossing, Outcomes, Tally

# Which of the eight kinds of instance belongs to the class (T), and which model predicts it (P, Q).
_T, _P, _Q = (np.indices((2, 2, 2)).reshape(3, 8)).astype(np.float64)
_RW, _WR, _NEITHER = 0b110, 0b101, 0b000


@dataclass(frozen=True, eq=False)
class JointClasses:
    """For every class, how often an instance is of it or not, × the primary predicts it or not, × the alternative.

    Attributes
    ----------
    cells : amounts (K × 8), in the binary order of (is of the class, primary predicts it, alternative predicts it)
    total : of all instances
    squares : the squared weights in the same cells; the amounts themselves where nothing is weighted
    spread : of dependent instances: how the influences of whole groups scatter; None where instances are independent

    Examples
    --------
    >>> outcomes = {("a", "a", "a"): 30, ("a", "a", "b"): 12, ("b", "b", "a"): 9, ("b", "b", "b"): 20}
    >>> joint = joint_classes(Tally.of(outcomes, models=("p", "q")), "p", "q")
    >>> joint.cells.astype(int)
    array([[20,  9,  0,  0,  0,  0, 12, 30],
           [30, 12,  0,  0,  0,  0,  9, 20]])
    """

    cells: Array
    total: float
    squares: Array
    grouped: Grouped | None = None

    @cached_property
    def support(self) -> Array:
        """How many instances each class has (K)."""
        return np.asarray(self.cells @ _T)

    @cached_property
    def predicted(self) -> tuple[Array, Array]:
        """How often each model predicts each class."""
        return self.cells @ _P, self.cells @ _Q

    @cached_property
    def right(self) -> tuple[Array, Array]:
        """How often each model predicts each class rightly."""
        return self.cells @ (_T * _P), self.cells @ (_T * _Q)

    def defined(self, measure: str) -> npt.NDArray[np.bool_]:
        """Return for which classes both models have the measure."""
        (p, q), m = self.predicted, self.support
        if measure == "precision":
            return np.asarray((p > 0) & (q > 0))
        return np.asarray(((m + p > 0) & (m + q > 0)) if measure == "f1" else m > 0)

    def recall_law(self) -> Law:
        """Return the law of the difference of the recalls: the flat posterior where counts allow it."""
        if self.grouped is not None or self.squares is not self.cells:
            return self.ratio_law("recall")
        size = np.where(self.support > 0, self.support, 1.0)
        return FlatPosterior(self.cells[:, _RW], self.cells[:, _WR], size)

    def ratio_law(self, measure: str) -> StudentLaw:
        """Return the law of the difference of a ratio of counts, by the delta method.

        What is estimated from a handful of instances is as unsure as that: the degrees of freedom are one less than
        the instances that bear on the class, those that belong to it or that either model takes for it.
        """
        observed = self._difference(self.cells, measure)
        cells, squares = self._smoothed()
        influences = self._influences(cells, measure)
        if self.grouped is None:
            variance, df = (squares * influences**2).sum(axis=-1), self._bearing() - 1.0
        else:
            own = (self.grouped.smoothing(cells - self.cells) * influences**2).sum(axis=-1)
            variance = self.grouped.variance(influences) + own
            df = np.minimum(float(self.grouped.crossing.size - 1), np.maximum(self._bearing() - 1.0, 1.0))
        # A measure without a value has no law; what stands here is masked by `defined`.
        se = np.sqrt(np.where(variance > 0, variance, 1.0))
        low, high = (-2.0, 2.0) if measure == "r_prime" else (-1.0, 1.0)
        return StudentLaw(observed, se, df, "delta", low, high)

    def _bearing(self) -> Array:
        """How many instances of one weight bear on each class, at least two."""
        bears = np.arange(8) != _NEITHER
        amount, square = self.cells @ bears, self.squares @ bears
        return np.asarray(np.maximum(amount**2 / np.where(square > 0, square, 1.0), 2.0))

    def _smoothed(self) -> tuple[Array, Array]:
        """Half an instance more of each kind that either model predicts."""
        unit = self.squares.sum(axis=-1, keepdims=True) / self.cells.sum(axis=-1, keepdims=True)
        extra = unit * (((_P + _Q) > 0) * 0.5)
        return self.cells + extra, self.squares + unit * extra

    def _difference(self, cells: Array, measure: str) -> Array:
        values = [self._values(cells, model, measure) for model in (_P, _Q)]
        return values[0] - values[1]

    def _values(self, cells: Array, says: Array, measure: str) -> Array:
        right, said, true = cells @ (_T * says), cells @ says, cells @ _T
        if measure == "precision":
            return _over(right, said)
        if measure == "f1":
            return _over(2 * right, said + true)
        recall = _over(right, true)
        return recall if measure == "recall" else recall + (true - said) / cells.sum(axis=-1)

    def _influences(self, cells: Array, measure: str) -> Array:
        """What one more instance of each kind adds to the difference (K × 8)."""
        return self._influence(cells, _P, measure) - self._influence(cells, _Q, measure)

    def _influence(self, cells: Array, says: Array, measure: str) -> Array:
        value = self._values(cells, says, measure)[:, None]
        said, true, total = (cells @ part for part in (says, _T, np.ones(8)))
        if measure == "precision":
            return says * (_T - value) / _safe(said)[:, None]
        if measure == "f1":
            return (2 * _T * says - value * (_T + says)) / _safe(said + true)[:, None]
        recall = self._values(cells, says, "recall")[:, None]
        within = _T * (says - recall) / _safe(true)[:, None]
        if measure == "recall":
            return within
        share = ((true - said) / total)[:, None]
        return within + (_T - says - share) / total[:, None]


@dataclass(frozen=True, eq=False)
class Grouped:
    """How the eight kinds of instance fall on groups: the non-empty (class, group, kind), the rest being "neither".

    Attributes
    ----------
    crossing : of the patterns with the groups
    places : class, group and kind of every non-empty cell, kind "neither" left out (3 × cells)
    amounts : in those cells
    sizes : of the groups
    """

    crossing: Crossing
    places: npt.NDArray[np.int64]
    amounts: Array
    sizes: Array

    def variance(self, influences: Array) -> Array:
        """G/(G−1) Σ_g e_g² for every class, e_g the influences of group g together."""
        rows, groups, kinds = self.places
        base = influences[:, _NEITHER]
        added = self.amounts * (influences[rows, kinds] - base[rows])
        keys, place = np.unique(rows * self.crossing.size + groups, return_inverse=True)
        extra = np.bincount(place.reshape(-1), added, len(keys))
        owner, group = keys // self.crossing.size, keys % self.crossing.size
        classes, sizes = len(influences), self.sizes
        cross = np.bincount(owner, extra * sizes[group], classes)
        square = np.bincount(owner, extra**2, classes)
        factor = len(sizes) / (len(sizes) - 1)
        return np.asarray(factor * (base**2 * (sizes @ sizes) + 2 * base * cross + square))

    def smoothing(self, extra: Array) -> Array:
        """The squared sizes of the instances that smoothing adds: each is as large as a typical group."""
        typical = float(self.sizes @ self.sizes) / float(self.sizes.sum())
        return np.asarray(extra * typical)


# Several measures of one pair are asked for in a row: the last pair of a tally is remembered as long as the tally is.
_COUNTED: WeakKeyDictionary[Tally, tuple[tuple[str, str], JointClasses]] = WeakKeyDictionary()


def joint_classes(tally: Tally, primary: str, alternative: str) -> JointClasses:
    """Count the eight kinds of every class, in time proportional to the joint outcomes and the classes.

    Examples
    --------
    >>> joint_classes(Tally.of({("a", "a", "b"): 3}, models=("p", "q")), "p", "q").support
    array([3., 0.])
    """
    known = _COUNTED.get(tally)
    if known is not None and known[0] == (primary, alternative):
        return known[1]
    found = _counted(tally, primary, alternative)
    _COUNTED[tally] = (primary, alternative), found
    return found


def _counted(tally: Tally, primary: str, alternative: str) -> JointClasses:
    if not isinstance(tally.cells, Outcomes):
        raise NotDefined(f"differences by class are not defined here: {NEEDS_OUTCOMES}")
    outcomes, places = tally.cells, [tally.index(primary), tally.index(alternative)]
    if tally.crossing is None:
        # Outcomes that differ in what other models say are the same here; of groups the places must stay.
        outcomes, places = outcomes.restricted(places), [0, 1]
    truth, p, q = outcomes.codes[[0, *(1 + place for place in places)]].astype(np.int64)
    pattern, label, kind = _kinds(truth, p, q)
    mass, classes = outcomes.mass, len(tally.labels)
    cells = _filled(mass.amounts, float(mass.total), (pattern, label, kind), classes)
    if mass.weights is None:
        squares = cells
    else:
        squares = _filled(mass.weights.squares, float(mass.total_of_squares), (pattern, label, kind), classes)
    return JointClasses(cells, float(tally.total), squares, _grouped(tally, pattern, label, kind))


def _kinds(truth: npt.NDArray[np.int64], p: npt.NDArray[np.int64], q: npt.NDArray[np.int64]) -> tuple[Any, Any, Any]:
    """Every (outcome, class, kind) but "neither": an outcome is of one class, and predicted as at most two others."""
    every = np.arange(len(truth))
    own = (every, truth, 4 + 2 * (p == truth) + (q == truth))
    first = np.flatnonzero((p != truth) & (p >= 0))
    second = np.flatnonzero((q != truth) & (q >= 0) & (q != p))
    by_p = (first, p[first], 2 + (q[first] == p[first]))
    by_q = (second, q[second], np.ones(len(second), dtype=np.int64))
    pattern, label, kind = (np.concatenate(parts) for parts in zip(own, by_p, by_q, strict=True))
    return pattern, label, kind


def _filled(amounts: npt.NDArray[Any], total: float, places: tuple[Any, Any, Any], classes: int) -> Array:
    pattern, label, kind = places
    cells = np.bincount(label * 8 + kind, amounts[pattern], classes * 8).reshape(classes, 8).astype(np.float64)
    cells[:, _NEITHER] = np.maximum(total - cells.sum(axis=1), 0.0)
    return cells


def _grouped(tally: Tally, pattern: Any, label: Any, kind: Any) -> Grouped | None:
    crossing = tally.crossing
    if crossing is None:
        return None
    if crossing.size < 2:
        raise NotDefined("there is one group: a standard error by class needs at least two groups")
    order = np.argsort(pattern, kind="stable")
    starts = np.searchsorted(pattern[order], np.arange(len(tally.cells.mass.counts) + 1))
    counts = np.diff(starts)[crossing.patterns]
    cell = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(len(cell)) - np.repeat(np.cumsum(counts) - counts, counts)
    entry = order[starts[crossing.patterns[cell]] + within]
    places = np.stack([label[entry], crossing.groups[cell], kind[entry]])
    amounts = crossing.mass.amounts.astype(np.float64)
    sizes = np.bincount(crossing.groups, amounts, crossing.size).astype(np.float64)
    return Grouped(crossing, places, amounts[cell], sizes)


def _over(part: Array, whole: Array) -> Array:
    return np.asarray(part / _safe(whole))


def _safe(whole: Array) -> Array:
    return np.where(whole > 0, whole, 1.0)
