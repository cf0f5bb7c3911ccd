"""For test suites: the gate as an assertion, so that a model that got worse fails like any other broken test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tiebreak._format import counted, quoted
from tiebreak.comparison import Gate, compare, gate
from tiebreak.errors import TiebreakError

_BASELINE, _CANDIDATE = "baseline", "candidate"


def assert_not_worse(
    baseline: Any,
    candidate: Any,
    *,
    y_true: Any = None,
    margin: float,
    level: float = 0.95,
    groups: Any = None,
    ids: Sequence[object] | None = None,
    must_pass: Sequence[object] = (),
    task: str | None = None,
) -> Gate:
    """Pass where `candidate` is better than `baseline` or not worse by more than `margin`; else raise AssertionError.

    With d the score of the candidate minus that of the baseline and its two-sided interval at `level`, it passes where
    the whole interval lies above −margin. Where it does not, but lies not below either, there is too little evidence:
    the test fails, and its message says how many more instances would settle it.

    Parameters
    ----------
    baseline, candidate : predictions, one an instance; or, without `y_true`, answers already graded (0/1, booleans)
    y_true : the true labels
    margin : the largest loss that does not matter, as a share: 0.01 is one point
    level : of the interval
    groups : which instances belong together, so that they are not counted as independent
    ids : the instances' own names, which a failure speaks of; their numbers from 0 by default
    must_pass : ids that may not regress: right under the baseline and wrong under the candidate
    task : "classification" with `y_true` and "correct" without, unless said otherwise

    Returns
    -------
    Gate

    Examples
    --------
    >>> from tiebreak.testing import assert_not_worse
    >>> old, new = [1] * 180 + [0] * 20, [1] * 181 + [0] * 19
    >>> assert_not_worse(old, new, margin=0.05).outcome
    'not_worse'
    >>> assert_not_worse(old, [1] * 150 + [0] * 50, margin=0.05)
    Traceback (most recent call last):
    AssertionError: candidate is worse than baseline: −15.00 pp (95 % interval −20.02 to −9.97)
    """
    __tracebackhide__ = True
    columns = {"id": _ids(ids, baseline), _BASELINE: baseline, _CANDIDATE: candidate}
    columns |= {} if y_true is None else {"y_true": y_true}
    columns |= {} if groups is None else {"group": groups}
    comparison = compare(
        columns,
        truth=None if y_true is None else "y_true",
        models=[_BASELINE, _CANDIDATE],
        id="id",
        task=task or ("correct" if y_true is None else "classification"),
        groups=None if groups is None else "group",
        level=level,
    )
    decision = gate(comparison, baseline=_BASELINE, candidate=_CANDIDATE, margin=margin, must_pass=must_pass)
    if not decision.passed:
        raise AssertionError(_message(decision))
    return decision


def _ids(ids: Sequence[object] | None, baseline: Any) -> Sequence[object]:
    try:
        length = len(baseline)
    except TypeError:
        raise TiebreakError(
            f"baseline is {quoted(baseline)}: give one prediction, or one graded answer, per instance"
        ) from None
    return range(length) if ids is None else list(ids)


def _message(decision: Gate) -> str:
    more = decision.pair.more_needed
    if decision.outcome != "not_enough_evidence" or not more:
        return decision.sentence
    return f"{decision.sentence}; about {counted(more, 'more instance')} like these would settle who is better"
