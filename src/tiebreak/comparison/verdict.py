"""The verdict: one sentence a colleague would say.

It calls a model better from right/wrong − wrong/right alone. The other measures describe the primary and are high
whenever it is accurate, whoever is better.
"""

from __future__ import annotations

from collections.abc import Sequence

from tiebreak._format import counted, percent, visible
from tiebreak.comparison.results import Model, PairTable


def verdict(models: Sequence[Model], pairs: PairTable, *, weighted: bool = False) -> str:
    """Say who is ahead of whom, on how many instances, and of how many.

    Examples
    --------
    >>> import numpy as np
    >>> models = [Model("knn", 50, 39, 0.78, 0, 9, 4), Model("tree", 50, 34, 0.68, 0, 4, 9)]
    >>> cells = np.array([[[39, 0, 0, 11], [30, 9, 4, 7]], [[30, 4, 9, 7], [34, 0, 0, 16]]])
    >>> print(verdict(models, PairTable(("knn", "tree"), cells)))
    knn is ahead of tree: where exactly one of them is right (13 of 50 instances) it is knn 9 times and tree 4 times, \
which makes 78.0 % against 68.0 %.
    """
    first, second, *others = sorted(models, key=lambda model: -model.right)
    counts = pairs.counts(first.name, second.name)
    a, b = visible(first.name), visible(second.name)
    lead = f"Of {counted(len(models))} models, {a}" if others else a
    shares = f"{percent(first.accuracy)} against {percent(second.accuracy)}"
    total = counted(counts.n)
    share = (
        f"weight {counted(counts.discordant)} of {total}"
        if weighted
        else (f"{counted(counts.discordant)} of {counted(counts.n, 'instance')}")
    )
    if counts.right_wrong == counts.wrong_right == 0:
        return (
            f"{lead} and {b} are right on the same instances ({counted(first.right)} of {total}, "
            f"{percent(first.accuracy)}): nothing separates them here."
        )
    where = f"where exactly one of them is right ({share})"
    if counts.right_wrong == counts.wrong_right:
        return (
            f"{lead} and {b} are level at {percent(first.accuracy)}: {where} it is each of them "
            f"{_times(counts.right_wrong, weighted=weighted)}."
        )
    next_best = f"the next best, {b}" if others else b
    return (
        f"{lead} is ahead of {next_best}: {where} it is {a} {_times(counts.right_wrong, weighted=weighted)} and {b} "
        f"{_times(counts.wrong_right, weighted=weighted)}, which makes {shares}."
    )


def _times(count: float, *, weighted: bool) -> str:
    return f"with weight {counted(count)}" if weighted else counted(count, "time")
