"""What one clustering says about another: mutual information, adjusted for chance, homogeneity and completeness.

All are read from the sizes of clusters and of their intersections (`Contingency`), in time proportional to the
non-empty cells; entropies are natural logarithms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.measures.prayatul import Array
from tiebreak.tables import Contingency, Sizes

# Terms of the expectation that are held at a time.
_AT_ONCE = 1 << 20
# Beyond 10 standard deviations and 35 more the tail of a hypergeometric law is below 10⁻²⁰ of the whole.
_DEVIATIONS, _MORE = 10.0, 35.0
# What a difference of nearly equal entropies may be off by, relative to them.
_ROUNDING = 1e-14


@dataclass(frozen=True, slots=True)
class Information:
    """Everything about two clusterings that is measured in information; NaN only without instances.

    Attributes
    ----------
    mutual_information : I(X; Y) in nats
    first_entropy, second_entropy : H(X) and H(Y)
    normalized : I / ((H(X) + H(Y)) / 2), 1 for two clusterings without any information
    homogeneity : 1 − H(X | Y) / H(X): every cluster of the second holds one cluster of the first
    completeness : 1 − H(Y | X) / H(Y): every cluster of the first is held by one cluster of the second
    v_measure : their harmonic mean, which is the normalized mutual information

    Examples
    --------
    >>> from tiebreak.tables import CrossTable
    >>> halves = Contingency.of(CrossTable.merged(np.array([[0, 0, 1], [0, 1, 2]]), np.array([2, 2, 4])))
    >>> found = information(halves)
    >>> found.homogeneity, round(found.completeness, 6), round(found.normalized, 6)
    (1.0, 0.666667, 0.8)
    """

    mutual_information: float
    first_entropy: float
    second_entropy: float

    @property
    def normalized(self) -> float:
        """Normalized mutual information, by the arithmetic mean."""
        both = self.first_entropy + self.second_entropy
        return _share(2 * self.mutual_information, both)

    @property
    def homogeneity(self) -> float:
        """1 − H(first | second) / H(first)."""
        return _share(self.mutual_information, self.first_entropy)

    @property
    def completeness(self) -> float:
        """1 − H(second | first) / H(second)."""
        return _share(self.mutual_information, self.second_entropy)

    @property
    def v_measure(self) -> float:
        """2 h c / (h + c); 0 where both are 0."""
        h, c = self.homogeneity, self.completeness
        return 2 * h * c / (h + c) if h + c else h + c


def _share(information: float, entropy: float) -> float:
    """A share of an entropy; where there is none to tell, all of it has been told."""
    if entropy != entropy:
        return float("nan")
    return min(1.0, information / entropy) if entropy else 1.0


def information(table: Contingency) -> Information:
    """Return mutual information and entropies of two clusterings; the truth comes first.

    I = Σ n_xy/N ln(N n_xy / (n_x n_y)), H = −Σ n_x/N ln(n_x/N). Range of the shares [0, 1]; NaN without instances.
    Source: Rosenberg & Hirschberg 2007 for homogeneity and completeness.

    Examples
    --------
    >>> from tiebreak.tables import CrossTable
    >>> same = Contingency.of(CrossTable.merged(np.array([[0, 1], [1, 0]]), np.array([3, 3])))
    >>> float(information(same).mutual_information / np.log(2))
    1.0
    """
    n = float(table.n)
    if not n:
        return Information(np.nan, np.nan, np.nan)
    first, second = _entropy(table.first, n), _entropy(table.second, n)
    cells, rows, columns = (np.asarray(part, dtype=np.float64) for part in (table.counts, table.rows, table.columns))
    # Logarithms of two ratios near 1, not of a product that may pass what a float holds exactly.
    terms = cells / n * (np.log(cells / rows) - np.log(columns / n)) * table.times
    found = float(terms.sum())
    return Information(found if found > _ROUNDING * (first + second) else 0.0, first, second)


def _entropy(sizes: Sizes, n: float) -> float:
    if sizes.clusters < 2:
        return 0.0
    share = sizes.sizes / n
    return float(-(share * np.log(share) * sizes.times).sum())


def adjusted_mutual_information(table: Contingency) -> float:
    """(I − E[I]) / ((H(X) + H(Y)) / 2 − E[I]): mutual information on a scale where chance is 0.

    Range below 1, and 1 exactly where the clusterings are the same or neither tells anything apart; 0 where only one
    of them does. NaN without instances. Source: Vinh, Epps & Bailey 2010.

    Examples
    --------
    >>> from tiebreak.tables import CrossTable
    >>> table = Contingency.of(CrossTable.merged(np.array([[0, 0, 1], [0, 1, 1]]), np.array([2, 1, 3])))
    >>> round(adjusted_mutual_information(table), 6)
    0.355245
    """
    if not table.n:
        return float("nan")
    if _same(table):
        return 1.0
    if min(table.first.clusters, table.second.clusters) == 1:
        return 0.0
    found, expected = information(table), expected_mutual_information(table.first, table.second)
    most = (found.first_entropy + found.second_entropy) / 2
    return (found.mutual_information - expected) / (most - expected)


def _same(table: Contingency) -> bool:
    """Whether the two clusterings are one and the same: every cell is all of both its clusters."""
    return bool((table.counts == table.rows).all() and (table.counts == table.columns).all())


def expected_mutual_information(first: Sizes, second: Sizes) -> float:
    """Return E[I] over all ways to hand out labels with these cluster sizes: exact, by size and not by cluster.

    Σ_ab E[k/N ln(N k / (a b))] with k hypergeometric; equal sizes are taken once, and the law of k is built up from its
    own ratios around its mode, so no factorial is ever formed. Source: Vinh, Epps & Bailey 2010.

    Examples
    --------
    >>> sizes = Sizes(np.array([2]), np.array([2]))
    >>> round(expected_mutual_information(sizes, sizes), 6)
    0.231049
    """
    n = first.n
    if not n:
        return float("nan")
    blocks = _blocks(first, second, n)
    return sum(float((times * _expected_terms(a, b, low, high, n)).sum()) for a, b, low, high, times in blocks)


Block = tuple[Array, Array, Array, Array, Array]


def _blocks(first: Sizes, second: Sizes, n: int) -> Iterator[Block]:
    """Pairs of distinct cluster sizes a, b, what k can be with more than dust, and how many pairs of clusters they are.

    Pairs whose k has about as many values come together, so that a block of them is a table with little padding.
    """
    one, two = first.distinct(), second.distinct()
    step = max(1, _AT_ONCE // max(len(two.sizes), 1))
    for start in range(0, len(one.sizes), step):
        rows = slice(start, start + step)
        a, b = (part.reshape(-1).astype(np.float64) for part in np.broadcast_arrays(one.sizes[rows, None], two.sizes))
        times = (one.times[rows, None] * two.times.astype(np.float64)).reshape(-1)
        mean = a * b / n
        reach = _DEVIATIONS * np.sqrt(mean * (1 - a / n) * (1 - b / n)) + _MORE
        low = np.maximum(np.maximum(0, a + b - n), np.floor(mean - reach))
        high = np.minimum(np.minimum(a, b), np.ceil(mean + reach))
        order = np.argsort(high - low)
        yield from _cut(np.array([a, b, low, high, times])[:, order])


def _cut(parts: Array) -> Iterator[Block]:
    widths = parts[3] - parts[2] + 1
    stop = len(widths)
    while stop:
        start = max(0, stop - max(1, int(_AT_ONCE // widths[stop - 1])))
        a, b, low, high, times = parts[:, start:stop]
        yield a, b, low, high, times
        stop = start


def _expected_terms(a: Array, b: Array, low: Array, high: Array, n: int) -> Array:
    """E[k/n ln(n k / (a b))] for each pair of sizes, k running from `low` to `high`."""
    width = int((high - low).max()) + 1
    k = low[:, None] + np.arange(width)
    inside: npt.NDArray[np.bool_] = k <= high[:, None]
    a, b = a[:, None], b[:, None]
    # P(k) / P(k − 1), whose logarithms add up to the law relative to its first value.
    up, down = (a - k + 1) * (b - k + 1), k * (n - a - b + k)
    ratio = np.where(inside & (up > 0) & (down > 0), up / np.where(down > 0, down, 1.0), 1.0)
    ratio[:, 0] = 1.0
    logs = np.cumsum(np.log(ratio), axis=1)
    weights = np.where(inside, np.exp(logs - logs.max(axis=1, keepdims=True)), 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    given = np.where(k > 0, k, 1.0)
    return np.asarray((weights * given / n * np.log(n * given / (a * b)) * (k > 0)).sum(axis=1))
