"""The doubt about two clusterings: a U-statistic over pairs of instances, whose instances are what is independent.

The difference of two Rand indices is a mean over all pairs, but pairs that share an instance are not independent: a
standard error that counts pairs is far too small. With h(i) the mean difference over the pairs of instance i,
U = mean of h and SE = 2 sd(h) / √N, which the sizes of the clusters and cells of i determine. It holds for fixed
clusterings of independent instances; running the clusterings again adds a variance of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from tiebreak.errors import NotDefined
from tiebreak.inference.bootstrap import RESAMPLES, Bootstrap, Units, bootstrap
from tiebreak.inference.estimates import Estimate, Interval
from tiebreak.inference.laws import StudentLaw
from tiebreak.inference.posterior import Array
from tiebreak.tables import CrossTable

METHOD = "u_statistic"
SAME_FOR_ALL = (
    "every instance contributes the same to it, so the instances say nothing about its standard error; the clusterings "
    "agree about every pair, or differ alike for all instances"
)
ONE_GROUP = "the instances are of one group, which says nothing about how groups differ; leave --group out or give more"
DEPENDENT = (
    "pairs that share an instance are not independent, so a standard error over pairs is many times too small; use the "
    "U-statistic (difference, p_value) or the bootstrap of instances"
)

# Sums of groups that are this much smaller than their parts are rounding.
_ROUNDING = 1e-12
# An instance wins or loses at most n − 1 pairs, so below this many instances their sum fits 64 bits.
_WHOLE = 1 << 31

# The pair sums of three labelings, in the order in which a statistic of them finds them.
SUMS = ("all", "truth", "primary", "alternative", "truth_primary", "truth_alternative", "primary_alternative")
_TOGETHER = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, slots=True)
class UStatistic:
    """A mean over pairs of instances, and what its instances say about its doubt.

    Attributes
    ----------
    estimate : the mean over all pairs
    se : its standard error, 2 sd(h) / √N; NaN where there is none, with the reason in `undefined`
    n : how many instances there are
    units : how many independent units there are: the instances, or their groups
    low, high : the range of the estimate
    undefined : why there is no standard error, empty where there is one

    Examples
    --------
    >>> found = UStatistic(0.1, 0.04, 60, 60)
    >>> found.interval().low.__round__(4), round(found.p_value, 4), round(found.p_better, 4)
    (0.0216, 0.0124, 0.9938)
    """

    estimate: float
    se: float
    n: int
    units: int
    low: float = -1.0
    high: float = 1.0
    undefined: str = ""

    @property
    def law(self) -> StudentLaw:
        """The law of the true value: normal, or Student's t with groups − 1 degrees of freedom where they are few."""
        df = np.inf if self.units == self.n else float(max(self.units - 1, 1))
        se = 0.0 if self.undefined else self.se
        return StudentLaw(np.array(self.estimate), np.array(se), df, METHOD, self.low, self.high)

    @property
    def p_better(self) -> float:
        """The probability that the true value is above 0; NaN without a standard error."""
        return float(self.law.p_better)

    @property
    def p_value(self) -> float:
        """The two-sided p-value of 0; NaN without a standard error."""
        return float(self.law.p_value)

    def interval(self, level: float = 0.95) -> Interval:
        """Return the interval of the true value; NaN without a standard error."""
        low, high = self.law.ends(level).tolist()
        return Interval(low, high, level, METHOD)

    def value(self, level: float = 0.95) -> Estimate:
        """Return the estimate with its interval."""
        return Estimate(self.estimate, self.interval(level))


def rand_contributions(cells: CrossTable) -> Array:
    """Return h of the Rand index for every (truth, model) cell: (N − 1 − n_g − n_p + 2 n_gp) / (N − 1).

    It is the share of the other instances whose pair with one of the cell is right; its mean over instances is the
    Rand index. NaN where there is no pair.

    Examples
    --------
    >>> rand_contributions(CrossTable.merged(np.array([[0, 0, 1], [5, 7, 7]]), np.array([2, 1, 1]))).round(4)
    array([0.6667, 0.    , 0.6667])
    """
    sizes = [cells.sizes(places) for places in ((0,), (1,), (0, 1))]
    return _per_other(cells.n - sizes[0] - sizes[1] + 2 * sizes[2] - 1, cells.n)


def difference_contributions(cells: CrossTable) -> Array:
    """Return h for every (truth, primary, alternative) cell: (n_q − n_p + 2 n_gp − 2 n_gq) / (N − 1).

    Range [−1, 1]: by how much the primary is right on more of the pairs of such an instance. Its mean over instances
    is the difference of the Rand indices. NaN where there is no pair.

    Examples
    --------
    >>> cells = CrossTable.merged(np.array([[0, 0, 1, 1], [5, 5, 5, 7], [1, 2, 1, 2]]), np.array([1, 1, 1, 1]))
    >>> difference_contributions(cells).round(4)
    array([ 0.3333,  0.3333, -0.3333,  0.3333])
    """
    _, _, _, n_gp, n_gq = sizes = [cells.sizes(places) for places in ((0,), (1,), (2,), (0, 1), (0, 2))]
    return _per_other(sizes[2] - sizes[1] + 2 * n_gp - 2 * n_gq, cells.n)


def _per_other(wins: npt.NDArray[np.int64], n: int) -> Array:
    return wins / (n - 1) if n > 1 else np.full(len(wins), np.nan)


def rand_statistic(cells: CrossTable) -> UStatistic:
    """Return one model's Rand index with its doubt, from its (truth, model) cells, per group where there are groups.

    Examples
    --------
    >>> cells = CrossTable.merged(np.array([[0, 0, 1, 1], [0, 1, 0, 1]]), np.array([40, 10, 5, 45]))
    >>> found = rand_statistic(cells)
    >>> round(found.estimate, 4), round(found.se, 4)
    (0.7424, 0.0507)
    """
    return _statistic(cells, rand_contributions(cells), 0.0, 1.0)


def rand_difference(cells: CrossTable) -> UStatistic:
    """Return Rand(primary) − Rand(alternative) with its doubt, from the (truth, primary, alternative) cells.

    Where the cells say which group their instances belong to, groups are the independent units: h is summed in each.
    Source: Hoeffding 1948; near degeneracy (clusterings at chance level) it is conservative.

    Examples
    --------
    >>> codes = np.array([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0], [0, 1, 0, 1, 0, 1]])
    >>> found = rand_difference(CrossTable.merged(codes, np.array([30, 9, 4, 30, 9, 4])))
    >>> round(found.estimate, 4), round(found.se, 4), round(found.p_value, 4)
    (0.1642, 0.0792, 0.0382)
    """
    return _statistic(cells, difference_contributions(cells), -1.0, 1.0)


def _statistic(cells: CrossTable, h: Array, low: float, high: float) -> UStatistic:
    n, counts = cells.n, cells.counts
    if n < 2:
        return UStatistic(np.nan, np.nan, n, n, low, high, "fewer than two instances have no pair")
    estimate = _mean(counts, h, n)
    units = n if cells.groups is None else len(np.unique(cells.groups))
    if cells.groups is not None and units < 2:
        return UStatistic(estimate, np.nan, n, units, low, high, ONE_GROUP)
    if h.min() == h.max():
        return UStatistic(estimate, np.nan, n, units, low, high, SAME_FOR_ALL)
    squares = _squares(cells, h - estimate)
    if not squares:
        return UStatistic(estimate, np.nan, n, units, low, high, SAME_FOR_ALL)
    return UStatistic(estimate, 2 * float(np.sqrt(squares * units / (units - 1))) / n, n, units, low, high)


def _mean(counts: npt.NDArray[np.int64], h: Array, n: int) -> float:
    """The mean of h, from the whole numbers of pairs that it is made of as long as their sum fits an integer."""
    if n >= _WHOLE:
        return float((counts * h).sum() / n)
    return int((counts * np.rint(h * (n - 1)).astype(np.int64)).sum()) / (n * (n - 1))


def _squares(cells: CrossTable, away: Array) -> float:
    """Σ of the squares of what each independent unit is away from the mean, 0 where it is nothing but rounding."""
    if cells.groups is None:
        return float((cells.counts * away**2).sum())
    parts = cells.counts * away
    sums = np.bincount(cells.groups, parts)
    return float((sums**2).sum()) if np.abs(sums).max() > _ROUNDING * np.abs(parts).sum() else 0.0


def refuse_pair_statistics(what: str) -> NoReturn:
    """Raise for a method that takes pairs of instances for independent, such as McNemar's test of the four cells.

    Examples
    --------
    >>> refuse_pair_statistics("McNemar's test")
    Traceback (most recent call last):
    tiebreak.errors.NotDefined: McNemar's test is not defined over pairs of instances: pairs that share an instance are
    not independent, so a standard error over pairs is many times too small; use the U-statistic (difference, p_value)
    or the bootstrap of instances
    """
    raise NotDefined(f"{what} is not defined over pairs of instances: {DEPENDENT}")


Sums = Callable[[Array], npt.ArrayLike]


def bootstrap_pairs(
    cells: CrossTable, statistic: Sums, rng: np.random.Generator, resamples: int = RESAMPLES
) -> Bootstrap:
    """Resample instances (or their groups) and evaluate a function of the four Prayatul cells over pairs (…, 4).

    A resample holds copies of one instance, and each is right with its copy in every clustering. These pairs are no
    pairs of two instances: with N instances the wrong cells are taken times N / (N − 1), and both right is the rest.
    It takes time in proportion to resamples × cells.

    Examples
    --------
    >>> codes = np.array([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0], [0, 1, 0, 1, 0, 1]])
    >>> cells = CrossTable.merged(codes, np.array([30, 9, 4, 30, 9, 4]))
    >>> found = bootstrap_pairs(
    ...     cells, lambda t: (t[..., 1] - t[..., 2]) / t.sum(axis=-1), np.random.default_rng(0), 2000
    ... )
    >>> round(found.estimate, 4), abs(found.se - rand_difference(cells).se) < 0.004
    (0.1642, True)
    """
    return bootstrap_sums(cells, lambda sums: statistic(prayatul_of_sums(sums)), rng, resamples)


def bootstrap_sums(
    cells: CrossTable, statistic: Sums, rng: np.random.Generator, resamples: int = RESAMPLES
) -> Bootstrap:
    """Do the same for a function of the pair sums (…, 7) in the order of `SUMS`: adjusted Rand, Fowlkes-Mallows, …

    Without a truth the cells are of two clusterings, and the sums are all, the first's, the second's, and both's.

    Examples
    --------
    >>> cells = CrossTable.merged(np.array([[0, 0, 1, 1], [0, 1, 0, 1]]), np.array([40, 10, 5, 45]))
    >>> rand = lambda s: (s[..., 0] - s[..., 1] - s[..., 2] + 2 * s[..., 3]) / s[..., 0]
    >>> found = bootstrap_sums(cells, rand, np.random.default_rng(0), 2000)
    >>> round(found.estimate, 4), abs(found.se - rand_statistic(cells).se) < 0.004
    (0.7424, True)
    """
    units, plain = _units(cells), _Sums.of(cells)
    kinds = int(units.times.sum())
    found = bootstrap(units, lambda tables: statistic(plain.without_copies(tables, kinds)), rng, resamples)
    # What was observed holds no copies, and neither does it with one instance taken out.
    observed = float(np.asarray(statistic(plain.of_tables(units.table()[None])))[0])
    return replace(found, estimate=observed, statistic=lambda tables: statistic(plain.of_tables(tables)))


def bootstrap_cells(
    cells: CrossTable, statistic: Sums, rng: np.random.Generator, resamples: int = RESAMPLES
) -> Bootstrap:
    """Do the same for any function of the counts of the cells (…, C), in the order of `cells.codes` without groups.

    Nothing is corrected here: what is not counted over pairs, such as an entropy, has no pairs of copies in it.

    Examples
    --------
    >>> cells = CrossTable.merged(np.array([[0, 0, 1, 1], [0, 1, 0, 1]]), np.array([40, 10, 5, 45]))
    >>> same = bootstrap_cells(cells, lambda t: (t[..., 0] + t[..., 3]) / t.sum(axis=-1), np.random.default_rng(0), 500)
    >>> same.estimate
    0.85
    """
    return bootstrap(_units(cells), statistic, rng, resamples)


def prayatul_of_sums(sums: Array) -> Array:
    """Return the four Prayatul cells (…, 4) from the seven pair sums (…, 7), as float64.

    Examples
    --------
    >>> prayatul_of_sums(np.array([6.0, 2, 3, 2, 1, 0, 1]))
    array([1., 2., 1., 2.])
    """
    t, g, p, q, gp, gq, pq = np.moveaxis(sums, -1, 0)
    cells = [t - g - p - q + gp + gq + pq, gp + q - gq - pq, gq + p - gp - pq, pq + g - gp - gq]
    return np.stack(cells, axis=-1)


def _units(cells: CrossTable) -> Units:
    """What is resampled: the instances of each cell, or groups that hold some of several cells."""
    if cells.groups is None:
        return Units(cells.counts)
    from scipy.sparse import csr_array

    flat, place = _flat(cells)
    _, unit = np.unique(cells.groups, return_inverse=True)
    groups = int(unit.max()) + 1
    held = csr_array((cells.counts.astype(np.float64), (unit, place)), shape=(groups, len(flat.counts)))
    return Units(np.ones(groups, dtype=np.int64), held)


def _flat(cells: CrossTable) -> tuple[CrossTable, npt.NDArray[np.integer]]:
    """The cells without their groups, and where each cell of a group went."""
    from tiebreak.tables import group_columns

    flat = cells.restricted(range(len(cells.codes)), grouped=False)
    return flat, group_columns(cells.codes)[1]


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """How the counts of cells add up to clusters and their intersections, each way as a sparse matrix."""

    matrices: tuple[object, ...]
    alone: Array

    @classmethod
    def of(cls, cells: CrossTable) -> _Sums:
        from scipy.sparse import csr_array

        from tiebreak.tables import group_columns

        flat = cells if cells.groups is None else _flat(cells)[0]
        ways = _TOGETHER if len(flat.codes) == 3 else ((0,), (1,), (0, 1))
        matrices, alone = [], []
        for places in ways:
            lone = flat.alone(places)
            distinct, place = group_columns(flat.codes[list(places)])
            size = (distinct.shape[1], len(lone))
            matrices.append(csr_array(((~lone).astype(np.float64), (place, np.arange(len(lone)))), shape=size))
            alone.append(lone)
        return cls(tuple(matrices), np.array(alone, dtype=np.float64))

    def of_tables(self, tables: Array) -> Array:
        """All pairs and the pairs together (…, 7 or 4); those that stand alone are together with nobody."""
        n = tables.sum(axis=-1)
        together = [_pairs(np.asarray(matrix @ tables.T)).sum(axis=0) for matrix in self.matrices]  # type: ignore[operator]
        return np.stack([_pairs(n), *together], axis=-1)

    def without_copies(self, tables: Array, units: int) -> Array:
        """The same for resamples of `units` independent units, as if no instance had been paired with its own copy.

        Each instance is expected to be paired with (1 − 1/units)/2 copies of itself, which are together everywhere. The
        pairs apart are scaled up to the number of pairs that would be there without them.
        """
        found = self.of_tables(tables)
        n, total = tables.sum(axis=-1), found[..., 0]
        share = (1 - 1 / units) / 2
        together = found[..., 1:] + share * (tables @ self.alone.T)
        real = total - share * n
        factor = np.where(real > 0, total / np.where(real > 0, real, 1.0), 1.0)
        apart = (total[..., None] - together) * factor[..., None]
        return np.concatenate([total[..., None], total[..., None] - apart], axis=-1)


def _pairs(counts: Array) -> Array:
    return np.asarray(counts * (counts - 1) / 2)
