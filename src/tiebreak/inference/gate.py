"""The gate's rule: may a candidate replace the baseline, from one interval and one margin."""

from __future__ import annotations

OUTCOMES = ("improved", "not_worse", "worse", "not_enough_evidence")


def gate_outcome(low: float, high: float, margin: float) -> str:
    """Return what the interval of candidate − baseline says, given the largest loss that does not matter.

    improved where low > 0; else not_worse where low ≥ −margin; else worse where high < −margin; else the interval
    holds both a harmless and a harmful difference: not_enough_evidence.

    Examples
    --------
    >>> [gate_outcome(*ends, 0.01) for ends in ((0.001, 0.02), (-0.01, 0.02), (-0.05, -0.02), (-0.05, 0.02))]
    ['improved', 'not_worse', 'worse', 'not_enough_evidence']
    """
    if low > 0:
        return "improved"
    if low >= -margin:
        return "not_worse"
    return "worse" if high < -margin else "not_enough_evidence"
