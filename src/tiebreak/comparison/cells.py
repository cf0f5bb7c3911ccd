"""Where a pair's four cells come from, and what else only a table of right and wrong can say about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tiebreak.comparison.agreement import Agreement
from tiebreak.comparison.doubts import Settings
from tiebreak.comparison.prayatul import PrayatulMatrix
from tiebreak.comparison.resampling import resampled_cells
from tiebreak.inference import BY_COUNTS, RESAMPLES, Interval, exact_p, newcombe, trace_probability
from tiebreak.tables import PrayatulCounts, Tally
from tiebreak.tables.confusion import OMITTED

Array = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Named = tuple[str, str]

# Other ways to a pair's interval than the one that agrees with its probability and p-value.
BOOTSTRAPS = {"bootstrap_percentile": "percentile", "bootstrap_bca": "bca"}
INTERVALS = ("tango", "newcombe", "bonett_price", *BOOTSTRAPS)

_NOT_INDEPENDENT = "McNemar's test is of independent instances that count alike"


class Cells(Protocol):
    """What a pair's table says beside its difference; several pairs at a time, `p` and `q` their models' places."""

    def matrices(self, pairs: Sequence[Named], p: Places, q: Places) -> list[PrayatulMatrix | None]:
        """Return the tables; None where there is none."""

    def intervals(self, pairs: Sequence[Named], p: Places, q: Places, settings: Settings) -> list[Interval]:
        """Return the differences' intervals by the method that the settings name."""

    def exact(self, p: Places, q: Places) -> tuple[list[float], str]:
        """Return McNemar's exact p-values, and the reason where they are NaN."""

    def trace(self, p: Places, q: Places) -> tuple[list[float], str]:
        """Return the published probabilities of two confusion matrices, and the reason where they are NaN."""

    def agreements(self, pairs: Sequence[Named]) -> list[Agreement | None]:
        """Return how far two clusterings agree with each other; None for everything else."""


def _no_rows() -> None:
    return None


@dataclass(frozen=True, eq=False)
class TallyCells:
    """The cells of a tally of right and wrong answers.

    `recount` counts the rows once more with the weight as a key, which a bootstrap of weighted instances needs.

    Examples
    --------
    >>> tally = Tally.of({("a", "a", "a"): 30, ("a", "a", "b"): 9, ("a", "b", "a"): 4, ("a", "b", "b"): 7}, models="pq")
    >>> TallyCells(tally).matrices([("p", "q")], np.array([0]), np.array([1]))[0].right_wrong
    9
    """

    tally: Tally
    recount: Callable[[], Tally | None] = field(default=_no_rows)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the rows behind, which no other process has."""
        return {"tally": self.tally, "recount": _no_rows}

    def matrices(self, pairs: Sequence[Named], p: Places, q: Places) -> list[PrayatulMatrix | None]:
        """Return the tables."""
        cells = self.tally.pairs()[p, q]
        same = [self.tally.cells.both_wrong_same(*places) for places in zip(p.tolist(), q.tolist(), strict=True)]
        return [
            PrayatulMatrix.of(PrayatulCounts.of(row, alike), *names)
            for row, alike, names in zip(cells, same, pairs, strict=True)
        ]

    def intervals(self, pairs: Sequence[Named], p: Places, q: Places, settings: Settings) -> list[Interval]:
        """Return the intervals by counts, or by resampling."""
        method, level = str(settings.interval), settings.level
        if method in BOOTSTRAPS:
            return [self._bootstrapped(pair, method, settings) for pair in pairs]
        br, rw, wr, bw = np.moveaxis(self.tally.pairs()[p, q], -1, 0)
        n = br + rw + wr + bw
        ends = newcombe(br, rw, wr, bw, level) if method == "newcombe" else BY_COUNTS[method](rw, wr, n, level)
        return [Interval(low, high, level, method) for low, high in ends.tolist()]

    def _bootstrapped(self, pair: Named, method: str, settings: Settings) -> Interval:
        found = resampled_cells(self.tally, pair, "accuracy_difference", RESAMPLES, settings.seed, self._by_weight)
        return found.interval(settings.level, BOOTSTRAPS[method])

    @cached_property
    def _by_weight(self) -> Tally | None:
        return self.recount()

    def exact(self, p: Places, q: Places) -> tuple[list[float], str]:
        """Return McNemar's exact p-values of independent instances that count alike."""
        if self.tally.crossing is not None or self.tally.weighted:
            return [float("nan")] * len(p), _NOT_INDEPENDENT
        cells = self.tally.pairs()[p, q]
        return list(exact_p(cells[..., 1], cells[..., 2]).tolist()), ""

    def trace(self, p: Places, q: Places) -> tuple[list[float], str]:
        """Return the published probabilities, where both confusion matrices are of the same counted instances."""
        if self._no_trace:
            return [float("nan")] * len(p), self._no_trace
        return list(self._trace[p, q].tolist()), ""

    def agreements(self, pairs: Sequence[Named]) -> list[Agreement | None]:
        """Return nothing: answers are right or wrong."""
        return [None] * len(pairs)

    @cached_property
    def _no_trace(self) -> str:
        return no_trace(self.tally)

    @cached_property
    def _trace(self) -> Array:
        return trace_probabilities(self.tally)


def no_trace(tally: Tally) -> str:
    """Say why the published probability of two confusion matrices does not exist here; empty if it does.

    Examples
    --------
    >>> no_trace(Tally.of({("a", "a", "b"): 3}, models=("p", "q")))
    ''
    """
    if tally.truth is None:
        return "graded answers have no confusion matrix"
    if len(tally.labels) < 2:
        return "there is one class only: a confusion matrix needs two"
    if tally.weighted:
        return "it was published for counts, and these instances are weighted"
    lacking = any(
        int(table.mass.counts[table.columns == OMITTED].sum()) for table in map(tally.confusion, tally.models)
    )
    return (
        "predictions are missing, so that the two confusion matrices do not hold the same instances" if lacking else ""
    )


def trace_probabilities(tally: Tally) -> Array:
    """Return the published probability of every ordered pair (M × M), from the confusion matrices' non-empty cells.

    Examples
    --------
    >>> tally = Tally.of({("a", "a", "a"): 5, ("b", "b", "a"): 3, ("b", "b", "b"): 1}, models=("p", "q"))
    >>> trace_probabilities(tally)[0, 1].round(4)
    np.float64(0.7313)
    """
    tables = [tally.confusion(model) for model in tally.models]
    squares = np.array([float((table.mass.counts.astype(np.float64) ** 2).sum()) for table in tables])
    right = tally.right_counts().astype(np.float64)
    return trace_probability(
        right[:, None], right[None, :], squares[:, None], squares[None, :], float(tally.n), len(tally.labels)
    )
