"""The head-to-heads of a comparison: made from its tables when asked for, or read back from a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tiebreak._format import listed, quoted
from tiebreak.comparison.doubts import BASELINE_ONLY, Doubts
from tiebreak.comparison.prayatul import PrayatulMatrix
from tiebreak.comparison.resampling import resampled_cells
from tiebreak.comparison.results import Pair
from tiebreak.errors import ColumnNotFound, NotDefined
from tiebreak.inference import BY_COUNTS, RESAMPLES, Estimate, Interval, exact_p, newcombe, trace_probability
from tiebreak.tables import PrayatulCounts, Tally
from tiebreak.tables.confusion import OMITTED

Array = npt.NDArray[np.float64]
Named = tuple[str, str]

# Other ways to a pair's interval than the one that agrees with its probability and p-value.
BOOTSTRAPS = {"bootstrap_percentile": "percentile", "bootstrap_bca": "bca"}
INTERVALS = ("tango", "newcombe", "bonett_price", *BOOTSTRAPS)

_NO_SPREAD = "the two differ by the same amount on every instance or group, so the difference has no standard error"
_NOTHING_DIFFERS = "the observed difference is 0: no number of instances like these would settle it"
_NOT_INDEPENDENT = "McNemar's test is of independent instances that count alike"


class Pairs(Protocol):
    """The head-to-heads, however they are kept."""

    @property
    def names(self) -> tuple[str, ...]:
        """The models, in the caller's order."""

    def known(self, primary: str, alternative: str) -> bool:
        """Whether there is a record of this pair."""

    def many(self, pairs: Sequence[Named]) -> list[Pair]:
        """Return several records at once."""

    def adjusted_against(self, model: str) -> Array:
        """The adjusted p-values of one model against every model; NaN where a pair is not tested."""


def index_of(names: Sequence[str], model: str) -> int:
    """Return a model's place, or say which models there are.

    Examples
    --------
    >>> index_of(("knn", "tree"), "tree")
    1
    """
    if model not in names:
        known = listed(names, 20)
        raise ColumnNotFound(f"{quoted(model)} is no model of this comparison: its models are {known}")
    return names.index(model)


@dataclass(frozen=True, eq=False)
class RecordedPairs:
    """Records read back from a document, which holds those that were written to it."""

    names: tuple[str, ...]
    records: Mapping[Named, Pair]

    def known(self, primary: str, alternative: str) -> bool:
        """Whether the document holds this pair."""
        return (primary, alternative) in self.records

    def many(self, pairs: Sequence[Named]) -> list[Pair]:
        """Return several records."""
        for primary, alternative in pairs:
            if not self.known(primary, alternative):
                pair = f"{quoted(primary)} against {quoted(alternative)}"
                raise NotDefined(f"the document holds no table of {pair}: write it with all pairs")
        return [self.records[pair] for pair in pairs]

    def adjusted_against(self, model: str) -> Array:
        """Return the adjusted p-values of one model against every model, NaN where the document has none."""
        pairs = [self.records.get((model, other)) for other in self.names]
        return np.array([np.nan if pair is None else pair.p_value_adjusted for pair in pairs])


@dataclass(frozen=True, eq=False)
class CountedPairs:
    """Records made from the doubts and, where answers are right or wrong, from the tally; many at once.

    Attributes
    ----------
    doubts : probabilities, p-values, intervals
    tally : None for graded scores
    recount : counts the rows once more with the weight as a key, which a bootstrap of weighted instances needs
    """

    doubts: Doubts
    tally: Tally | None = None
    recount: Callable[[], Tally | None] = field(default=lambda: None)

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return self.doubts.names

    def adjusted_against(self, model: str) -> Array:
        """Return the adjusted p-values of one model against every model."""
        return np.asarray(self.doubts.adjusted[index_of(self.names, model)])

    def known(self, primary: str, alternative: str) -> bool:
        """Whether this pair is tested: with a baseline, only those that it is part of."""
        baseline = self.doubts.settings.baseline
        return baseline is None or baseline in {primary, alternative}

    def many(self, pairs: Sequence[Named]) -> list[Pair]:
        """Return several records; every step serves all of them."""
        p = np.array([index_of(self.names, primary) for primary, _ in pairs], dtype=np.intp)
        q = np.array([index_of(self.names, alternative) for _, alternative in pairs], dtype=np.intp)
        doubts, matrices = self.doubts, self._matrices(pairs, p, q)
        values = self._values(p, q, matrices)
        columns: dict[str, Iterable[Any]] = {
            "difference": map(Estimate, values, self._intervals(p, q, matrices)),
            "p_better": doubts.p_better[p, q].tolist(),
            "p_value": doubts.p_value[p, q].tolist(),
            "p_value_adjusted": doubts.adjusted[p, q].tolist(),
            "mcnemar_exact_p": self._exact(p, q),
            "trace_superiority": self._trace[0][p, q].tolist(),
            "more_needed": doubts.more_needed(p, q),
            "rope": doubts.ropes(p, q) or [None] * len(pairs),
            "prior_scale": doubts.prior_scales(p, q) or [None] * len(pairs),
            "matrix": matrices,
        }
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        tests = doubts.comparisons.count
        return [
            Pair(*names, **row, comparisons=tests, undefined=self._undefined(row), tally=self.tally)
            for names, row in zip(pairs, rows, strict=True)
        ]

    def _matrices(
        self, pairs: Sequence[Named], p: npt.NDArray[np.intp], q: npt.NDArray[np.intp]
    ) -> list[PrayatulMatrix | None]:
        tally = self.tally
        if tally is None:
            return [None] * len(pairs)
        cells = tally.pairs()[p, q]
        same = [tally.cells.both_wrong_same(*places) for places in zip(p.tolist(), q.tolist(), strict=True)]
        return [
            PrayatulMatrix.of(PrayatulCounts.of(row, alike), *names)
            for row, alike, names in zip(cells, same, pairs, strict=True)
        ]

    def _values(
        self, p: npt.NDArray[np.intp], q: npt.NDArray[np.intp], matrices: Sequence[PrayatulMatrix | None]
    ) -> list[float]:
        scores = self.doubts.evidence.scores
        plain = (scores[p] - scores[q]).tolist()
        return [value if matrix is None else matrix.difference for value, matrix in zip(plain, matrices, strict=True)]

    def _intervals(
        self, p: npt.NDArray[np.intp], q: npt.NDArray[np.intp], matrices: Sequence[PrayatulMatrix | None]
    ) -> list[Interval]:
        method, level = self.doubts.settings.interval, self.doubts.settings.level
        if method is None or self.tally is None:
            return self.doubts.intervals(p, q)
        if method in BOOTSTRAPS:
            return [self._bootstrapped(matrix, method, self.tally) for matrix in matrices if matrix is not None]
        br, rw, wr, bw = np.moveaxis(self.tally.pairs()[p, q], -1, 0)
        n = br + rw + wr + bw
        ends = newcombe(br, rw, wr, bw, level) if method == "newcombe" else BY_COUNTS[method](rw, wr, n, level)
        return [Interval(low, high, level, method) for low, high in ends.tolist()]

    def _bootstrapped(self, matrix: PrayatulMatrix, method: str, tally: Tally) -> Interval:
        settings, names = self.doubts.settings, (matrix.primary, matrix.alternative)
        found = resampled_cells(tally, names, "accuracy_difference", RESAMPLES, settings.seed, self._by_weight)
        return found.interval(settings.level, BOOTSTRAPS[method])

    def _exact(self, p: npt.NDArray[np.intp], q: npt.NDArray[np.intp]) -> list[float]:
        if self.tally is None or not self._independent:
            return [float("nan")] * len(p)
        cells = self.tally.pairs()[p, q]
        return list(exact_p(cells[..., 1], cells[..., 2]).tolist())

    @cached_property
    def _by_weight(self) -> Tally | None:
        return self.recount()

    @property
    def _independent(self) -> bool:
        return self.tally is not None and self.tally.crossing is None and not self.tally.weighted

    @cached_property
    def _trace(self) -> tuple[Array, str]:
        """The published probability of all pairs, and the reason where there is none."""
        reason = "" if self.tally is None else no_trace(self.tally)
        if self.tally is None or reason:
            return np.full((len(self.names),) * 2, np.nan), reason or "graded scores have no confusion matrix"
        return trace_probabilities(self.tally), ""

    def _undefined(self, row: Mapping[str, Any]) -> dict[str, str]:
        found: dict[str, str] = {}
        if row["p_value"] != row["p_value"]:
            found |= dict.fromkeys(("difference.low", "difference.high", "p_better", "p_value"), _NO_SPREAD)
        if row["p_value_adjusted"] != row["p_value_adjusted"]:
            found["p_value_adjusted"] = BASELINE_ONLY
        if row["mcnemar_exact_p"] != row["mcnemar_exact_p"]:
            found["mcnemar_exact_p"] = _NOT_INDEPENDENT
        if row["trace_superiority"] != row["trace_superiority"]:
            found["trace_superiority"] = self._trace[1]
        if row["more_needed"] is None:
            found["more_needed"] = _NOTHING_DIFFERS
        return found


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
