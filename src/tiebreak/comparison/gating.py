"""The gate: may a candidate replace the baseline? One interval, one margin, and instances that may not regress."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tiebreak._checks import margin as checked_margin
from tiebreak._checks import tolerance as checked_tolerance
from tiebreak._format import Shown, counted, listed, quoted, visible
from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.pair import Pair
from tiebreak.comparison.verdict import interval_words
from tiebreak.errors import TiebreakError, UnpairedInstances
from tiebreak.inference import gate_outcome
from tiebreak.tables import CELLS

_OUTCOMES = {
    "improved": "{b} is better than {a}",
    "not_worse": "{b} is not worse than {a} by more than the margin of {margin}",
    "worse": "{b} is worse than {a}",
    "not_enough_evidence": "it is not settled whether {b} is worse than {a} by more than the margin of {margin}",
}


@dataclass(frozen=True, slots=True)
class Gate(Shown):
    """What a gate decided.

    Attributes
    ----------
    outcome : "improved", "not_worse", "worse" or "not_enough_evidence"
    candidate, baseline : the two models
    margin : the largest loss that does not matter
    pair : the head-to-head, seen from the candidate
    must_pass_failed : the ids, of those that may not regress, on which the baseline is right and the candidate wrong
    must_pass : how many ids may not regress

    Examples
    --------
    >>> import tiebreak as tb
    >>> comparison = tb.compare(["a"] * 100, {"old": ["a"] * 90 + ["b"] * 10, "new": ["a"] * 89 + ["b"] * 11})
    >>> gate(comparison, baseline="old", candidate="new", margin=0.1).outcome
    'not_worse'
    """

    outcome: str
    candidate: str
    baseline: str
    margin: float
    pair: Pair
    must_pass_failed: tuple[str, ...] = ()
    must_pass: int = 0

    @property
    def sentence(self) -> str:
        """The decision in words, with the interval it rests on."""
        a, b, d = visible(self.baseline), visible(self.candidate), self.pair.difference
        kind = self.pair.kind
        interval = f"{kind.said(d)} ({interval_words(d.interval.level)} {kind.ends(d)})"
        if self.must_pass_failed:
            return (
                f"{b} is wrong on {counted(len(self.must_pass_failed))} of {counted(self.must_pass, 'instance')} that "
                f"may not regress: {listed(self.must_pass_failed)}; over all instances {interval}"
            )
        margin = kind.said(self.margin).lstrip("+")
        return f"{_OUTCOMES[self.outcome].format(a=a, b=b, margin=margin)}: {interval}"

    @property
    def passed(self) -> bool:
        """Whether the candidate may replace the baseline."""
        return self.outcome in {"improved", "not_worse"}

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as plain values, in the words of the JSON format."""
        d = self.pair.difference
        return {
            "outcome": self.outcome,
            "baseline": self.baseline,
            "candidate": self.candidate,
            "margin": self.margin,
            "difference": {
                "value": d.value,
                "low": None if d.low != d.low else d.low,
                "high": None if d.high != d.high else d.high,
                "method": d.method,
            },
            "must_pass_failed": list(self.must_pass_failed),
        }


def gate(
    comparison: Comparison,
    *,
    baseline: str,
    candidate: str,
    margin: float,
    must_pass: Sequence[object] = (),
) -> Gate:
    """Decide whether `candidate` may replace `baseline`.

    With d the score of the candidate minus that of the baseline, at the comparison's two-sided level: improved where
    the interval of d lies above 0; else not worse where it lies above −margin; else worse where it lies below −margin;
    else there is not enough evidence. An id of `must_pass` on which the baseline is right and the candidate wrong
    makes it worse, whatever the interval says.

    Parameters
    ----------
    comparison : of at least these two models
    baseline, candidate : their names
    margin : the largest loss that does not matter: of shares 0.005 is half a point, of numbers in their own unit
    must_pass : ids of instances that may not regress; the comparison needs its rows and an id column

    Examples
    --------
    >>> import tiebreak as tb
    >>> comparison = tb.compare(["a"] * 100, {"old": ["a"] * 90 + ["b"] * 10, "new": ["a"] * 60 + ["b"] * 40})
    >>> gate(comparison, baseline="old", candidate="new", margin=0.1).outcome
    'worse'
    """
    # A difference of shares is at most 1; one of errors or scores is in their own unit.
    margin = checked_tolerance(margin, "margin") if comparison.kind.unit == "own" else checked_margin(margin, "margin")
    if candidate == baseline:
        raise TiebreakError(f"candidate and baseline are both {quoted(candidate)}: name two models")
    pair = comparison.pair(candidate, baseline)
    failed = _regressed(comparison, baseline, candidate, must_pass)
    low, high = pair.difference.low, pair.difference.high
    if low != low:
        # The two differ by the same amount everywhere, so the difference is its own interval.
        low = high = float(pair.difference)
    outcome = "worse" if failed else gate_outcome(low, high, margin)
    return Gate(outcome, candidate, baseline, margin, pair, failed, len(set(map(str, must_pass))))


def _regressed(comparison: Comparison, baseline: str, candidate: str, ids: Sequence[object]) -> tuple[str, ...]:
    """The ids that the baseline gets right and the candidate wrong; every id must exist, or the gate checks nothing."""
    wanted = tuple(dict.fromkeys(map(str, ids)))
    if not wanted:
        return ()
    source = comparison.rows_of(baseline, candidate)
    found = {
        cell: [str(row[str(source.roles.id)]) for row in source.instances(baseline, candidate, cell, None, wanted)]
        for cell in CELLS
    }
    unknown = [name for name in wanted if not any(name in held for held in found.values())]
    if unknown:
        raise UnpairedInstances(
            f"must-pass names {counted(len(unknown), 'id')} that no compared instance has ({listed(unknown)}): "
            "remove them, or add their rows"
        )
    return tuple(sorted(found["right_wrong"], key=wanted.index))
