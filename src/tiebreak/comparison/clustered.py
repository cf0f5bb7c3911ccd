"""The evidence about clusterings: Rand indices with the doubt of a U-statistic, and the rows that decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from tiebreak.comparison.agreement import Agreement, agreement
from tiebreak.comparison.cells import BOOTSTRAPS, Named, Places
from tiebreak.comparison.doubts import Settings
from tiebreak.comparison.prayatul import PrayatulMatrix
from tiebreak.comparison.resampling import generator
from tiebreak.errors import NotDefined
from tiebreak.inference import (
    Interval,
    MeanEvidence,
    Moments,
    bootstrap_pairs,
    difference_contributions,
    rand_difference,
    rand_statistic,
)
from tiebreak.inference.ustatistics import DEPENDENT
from tiebreak.measures import accuracy_difference, rand
from tiebreak.sources import Opened, Ranked
from tiebreak.tables import CrossTable, Partitions

CellsOf = Callable[[str, str], CrossTable]

_NO_TRACE = "the closed form was published for confusion matrices of labels, and clusters are no labels"
# Rows that contribute most, where nobody says how many.
_SHOWN = 20


def clustering_evidence(partitions: Partitions, cells_of: CellsOf) -> MeanEvidence:
    """Return every clustering's Rand index with the covariance of all, from the cells of each pair.

    Var of a difference is that of its own U-statistic; covariances follow from it and from the single variances.

    Examples
    --------
    >>> cells = {(0, 0, 0): 30, (0, 0, 1): 9, (1, 1, 0): 4, (1, 1, 1): 30, (0, 1, 0): 9}
    >>> partitions = Partitions.of(cells, models=("p", "q"))
    >>> found = clustering_evidence(partitions, partitions.cells)
    >>> found.scores.round(4), found.se[0, 1].round(4)
    (array([0.8022, 0.7299]), np.float64(0.0843))
    """
    models, truth = partitions.models, str(partitions.truth)
    means = np.array([float(rand(partitions.pair_sums(truth, model))) for model in models])
    se, variance, units = np.zeros((len(models),) * 2), np.zeros(len(models)), partitions.n
    for p, q in combinations(range(len(models)), 2):
        cells = cells_of(models[p], models[q])
        found = rand_difference(cells)
        units = found.units
        se[p, q] = se[q, p] = 0.0 if found.undefined else found.se
        for place, own in ((p, (0, 1)), (q, (0, 2))):
            single = rand_statistic(cells.restricted(own))
            variance[place] = 0.0 if single.undefined else single.se**2
    covariance = (variance[:, None] + variance[None, :] - se**2) / 2
    df = np.inf if units == partitions.n else float(max(units - 1, 1))
    return MeanEvidence(Moments(means, covariance, se, df, "u_statistic"), partitions.n, -1.0, 1.0)


@dataclass(frozen=True, eq=False)
class PairCells:
    """The four cells of every pair of clusterings, counted over pairs of instances.

    Examples
    --------
    >>> partitions = Partitions.of({(0, 5, 1): 1, (0, 5, 2): 1, (1, 5, 1): 1, (1, 7, 2): 1}, models=("p", "q"))
    >>> PairCells(partitions, partitions.cells).matrices([("p", "q")], np.array([0]), np.array([1]))[0].right_wrong
    2
    """

    partitions: Partitions
    cells_of: CellsOf

    def __getstate__(self) -> dict[str, Any]:
        """Leave the rows behind, which no other process has."""
        return {"partitions": self.partitions, "cells_of": self.partitions.cells}

    def matrices(self, pairs: Sequence[Named], p: Places, q: Places) -> list[PrayatulMatrix | None]:  # noqa: ARG002
        """Return the tables."""
        return [PrayatulMatrix.of(self.partitions.pair(*names), *names) for names in pairs]

    def intervals(self, pairs: Sequence[Named], p: Places, q: Places, settings: Settings) -> list[Interval]:  # noqa: ARG002
        """Return the intervals by resampling instances, copies of one instance left out."""
        method = str(settings.interval)
        if method not in BOOTSTRAPS:
            raise NotDefined(f"interval {method} is not defined over pairs of instances: {DEPENDENT}")
        rng = generator(settings.seed)
        found = (bootstrap_pairs(self.cells_of(*names), accuracy_difference, rng) for names in pairs)
        return [resampled.interval(settings.level, BOOTSTRAPS[method]) for resampled in found]

    def exact(self, p: Places, q: Places) -> tuple[list[float], str]:  # noqa: ARG002
        """Return NaN with the reason: a test over pairs takes them for independent."""
        return [float("nan")] * len(p), DEPENDENT

    def trace(self, p: Places, q: Places) -> tuple[list[float], str]:  # noqa: ARG002
        """Return NaN with the reason."""
        return [float("nan")] * len(p), _NO_TRACE

    def agreements(self, pairs: Sequence[Named]) -> list[Agreement | None]:
        """Return how far the two agree with each other, whoever is right."""
        return [agreement(self.partitions, *names) for names in pairs]


def contributing(rows: Opened, primary: str, alternative: str, limit: int | None) -> Ranked:
    """Return the instances that contribute most to the difference of two clusterings, by their h.

    Examples
    --------
    >>> from tiebreak.sources import Ask, opened
    >>> rows = opened(list("aabb"), {"p": [5, 5, 5, 7], "q": [1, 2, 1, 2]}, Ask(task="clustering"))
    >>> len(contributing(rows, "p", "q", 3))
    3
    """
    cells = rows.clustered_cells(primary, alternative)
    return rows.ranked(
        cells, difference_contributions(cells), (primary, alternative), _SHOWN if limit is None else limit
    )
