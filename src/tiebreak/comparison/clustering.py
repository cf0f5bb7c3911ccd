"""Partitions become a comparison with the truth, or, without one, the clusterings' agreements with each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiebreak.comparison.agreement import Agreements, agreement
from tiebreak.comparison.clustered import PairCells, clustering_evidence
from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.doubts import Doubts, Settings
from tiebreak.comparison.kinds import kind_of
from tiebreak.comparison.measured import Clustered
from tiebreak.comparison.pairs import CountedPairs
from tiebreak.errors import EmptyComparison
from tiebreak.inference.ustatistics import SAME_FOR_ALL
from tiebreak.measures import matching
from tiebreak.sources import Opened
from tiebreak.tables import Partitions


def compared_clusterings(source: Opened, settings: Settings, notes: Sequence[str] = ()) -> Comparison | Agreements:
    """Turn clusterings into a comparison with the truth, or without one into their agreements.

    Examples
    --------
    >>> from tiebreak.sources import Ask, opened
    >>> rows = opened(list("aabb"), {"p": [5, 5, 7, 7], "q": [1, 2, 1, 2]}, Ask(task="clustering"))
    >>> compared_clusterings(rows, Settings()).pair("p", "q").prayatul.both_right
    2
    """
    partitions = source.partitions
    settings = settings.checked(partitions.models)
    clusters = tuple(len(labels) for labels in partitions.clusters[-len(partitions.models) :])
    if partitions.n < 2:
        raise EmptyComparison(f"{source.source.where} holds 1 instance: clusterings are judged by pairs of instances")
    if partitions.truth is None:
        return Agreements(partitions.models, partitions.n, clusters, partitions)
    evidence = clustering_evidence(partitions, source.clustered_cells)
    doubts = Doubts(partitions.models, evidence, settings, SAME_FOR_ALL)
    return Comparison(
        task="clustering",
        truth=partitions.truth,
        n=partitions.n,
        labels=(),
        models=_clustered(partitions, doubts, clusters),
        pairs=CountedPairs(doubts, PairCells(partitions, source.clustered_cells), kind=kind_of("clustering")),
        settings=settings,
        policy=source.ask.missing,
        excluded=partitions.excluded,
        groups=None if not partitions.grouped else _cluster_groups(source, partitions),
        warnings=(*notes, *doubts.warnings()),
        table=partitions,
        source=source,
    )


def _cluster_groups(source: Opened, partitions: Partitions) -> int:
    cells = source.clustered_cells(*partitions.models[:2])
    return 0 if cells.groups is None else len(np.unique(cells.groups))


def _clustered(partitions: Partitions, doubts: Doubts, clusters: Sequence[int]) -> tuple[Clustered, ...]:
    found, truth = [], str(partitions.truth)
    for place, common in enumerate(doubts.models()):
        matched = matching(partitions.contingency(truth, common["name"]))
        found.append(
            Clustered(
                **common,
                missing=partitions.missing[place] if partitions.missing else 0,
                clusters=clusters[place],
                agreement=agreement(partitions, truth, common["name"]),
                matched_accuracy=matched.accuracy,
                matched_precision=matched.precision,
                matched_recall=matched.recall,
            )
        )
    return tuple(found)
