"""The head-to-heads of a comparison: made from its tables when asked for, or read back from a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from tiebreak._checks import place_of
from tiebreak._format import quoted
from tiebreak.comparison.cells import Array, Cells, Named, Places
from tiebreak.comparison.doubts import BASELINE_ONLY, Doubts
from tiebreak.comparison.kinds import KINDS, Kind
from tiebreak.comparison.pair import Pair
from tiebreak.comparison.prayatul import PrayatulMatrix
from tiebreak.comparison.probabilities import Probabilities
from tiebreak.errors import NotDefined
from tiebreak.inference import Estimate, Interval
from tiebreak.tables import Tally

_NOTHING_DIFFERS = "the observed difference is 0: no number of instances like these would settle it"


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
    """Records made from the doubts and from the tables of cells; many at once.

    Attributes
    ----------
    doubts : probabilities, p-values, intervals
    cells : the tables, where there are any
    tally : the counts behind them; None for what is not counted
    kind : how the task speaks of differences
    probabilities : of class probabilities, where they were given
    """

    doubts: Doubts
    cells: Cells
    tally: Tally | None = None
    kind: Kind = KINDS["classification"]
    probabilities: Probabilities | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return self.doubts.names

    def adjusted_against(self, model: str) -> Array:
        """Return the adjusted p-values of one model against every model."""
        return np.asarray(self.doubts.adjusted[place_of(model, self.names)])

    def known(self, primary: str, alternative: str) -> bool:
        """Whether this pair is tested: with a baseline, only those that it is part of."""
        baseline = self.doubts.settings.baseline
        return baseline is None or baseline in {primary, alternative}

    def many(self, pairs: Sequence[Named]) -> list[Pair]:
        """Return several records; every step serves all of them."""
        p = np.array([place_of(primary, self.names) for primary, _ in pairs], dtype=np.intp)
        q = np.array([place_of(alternative, self.names) for _, alternative in pairs], dtype=np.intp)
        doubts, matrices = self.doubts, self.cells.matrices(pairs, p, q)
        (exact, no_exact), (trace, no_trace) = self.cells.exact(p, q), self.cells.trace(p, q)
        columns: dict[str, Iterable[Any]] = {
            "difference": map(Estimate, self._values(p, q, matrices), self._intervals(pairs, p, q)),
            "p_better": doubts.p_better[p, q].tolist(),
            "p_value": doubts.p_value[p, q].tolist(),
            "p_value_adjusted": doubts.adjusted[p, q].tolist(),
            "mcnemar_exact_p": exact,
            "trace_superiority": trace,
            "more_needed": doubts.more_needed(p, q),
            "rope": doubts.ropes(p, q) or [None] * len(pairs),
            "prior_scale": doubts.prior_scales(p, q) or [None] * len(pairs),
            "matrix": matrices,
            "agreement": self.cells.agreements(pairs),
        }
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        reasons = {"mcnemar_exact_p": no_exact, "trace_superiority": no_trace}
        return [
            Pair(
                *names,
                **row,
                comparisons=doubts.comparisons.count,
                undefined=_undefined(row, reasons, doubts.no_spread),
                tally=self.tally,
                kind=self.kind,
                probabilities=None if self.probabilities is None else self.probabilities.pair(*names),
            )
            for names, row in zip(pairs, rows, strict=True)
        ]

    def _values(self, p: Places, q: Places, matrices: Sequence[PrayatulMatrix | None]) -> list[float]:
        """The differences, from the cells where they are what is judged, so that no digit is lost to a mean."""
        scores = self.doubts.evidence.scores
        plain = (scores[p] - scores[q]).tolist()
        if self.tally is None:
            return list(plain)
        return [value if matrix is None else matrix.difference for value, matrix in zip(plain, matrices, strict=True)]

    def _intervals(self, pairs: Sequence[Named], p: Places, q: Places) -> list[Interval]:
        settings = self.doubts.settings
        if settings.interval is None:
            return self.doubts.intervals(p, q)
        return self.cells.intervals(pairs, p, q, settings)


def _undefined(row: Mapping[str, Any], reasons: Mapping[str, str], no_spread: str) -> dict[str, str]:
    """What has no value in a record, with the reason."""
    found: dict[str, str] = {}
    if row["p_value"] != row["p_value"]:
        found |= dict.fromkeys(("p_better", "p_value"), no_spread)
    if row["difference"].low != row["difference"].low:
        found |= dict.fromkeys(("difference.low", "difference.high"), no_spread)
    if row["p_value_adjusted"] != row["p_value_adjusted"]:
        found["p_value_adjusted"] = BASELINE_ONLY
    found |= {name: reason for name, reason in reasons.items() if row[name] != row[name]}
    if row["more_needed"] is None:
        found["more_needed"] = _NOTHING_DIFFERS if row["difference"] == row["difference"] else no_spread
    return found
