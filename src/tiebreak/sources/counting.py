"""Rows in, a tally out: what `compare` does before it measures, for streams and for parts that are added later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tiebreak._checks import one_of
from tiebreak._format import quoted
from tiebreak.errors import NotDefined
from tiebreak.sources.ask import TASKS, Ask
from tiebreak.sources.engine import Limits
from tiebreak.sources.opening import opened
from tiebreak.tables import Tally

# What a tally counts: right and wrong. Other tasks average numbers.
COUNTED = ("classification", "correct")


def tally(
    data: Any,
    predictions: Any = None,
    *,
    truth: str | None = None,
    models: Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002
    task: str = "classification",
    long: tuple[str, str] | None = None,
    missing: str = "raise",
    na: str | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    labels: Sequence[object] | None = None,
    metric: str | None = None,
    filter: str | None = None,  # noqa: A002
    scorer: str | None = None,
    memory_limit: str = "2GB",
    temp_dir: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Tally:
    """Count the distinct outcomes of two or more models: the table that `compare` makes everything of.

    Tallies of the same models add, so that batches can be counted one after the other and forgotten, or in many places
    and brought together: `compare` takes a tally as it takes rows. The arguments are those of `compare`.

    Returns
    -------
    Tally

    Examples
    --------
    >>> import tiebreak as tb
    >>> batches = [(["cat", "dog"], ["cat", "dog"], ["dog", "dog"]), (["dog"], ["cat"], ["dog"])]
    >>> total = sum(tb.tally(y_true, {"knn": knn, "tree": tree}) for y_true, knn, tree in batches)
    >>> tb.compare(total).pair("knn", "tree").prayatul.right_wrong
    1
    """
    if one_of(task, "task", TASKS) not in COUNTED:
        raise NotDefined(f"task is {quoted(task)}, whose numbers are not counted: give its rows to compare")
    ask = Ask.given(
        truth=truth,
        models=models,
        id=id,
        task=task,
        long=long,
        missing=missing,
        na=na,
        sample_weight=sample_weight,
        groups=groups,
        labels=labels,
        metric=metric,
        filter=filter,
        scorer=scorer,
    )
    weights, marks = (None if isinstance(values, str) else values for values in (sample_weight, groups))
    source = opened(data, predictions, ask, weights, Limits(memory_limit, temp_dir, progress), marks)
    try:
        return source.tally
    finally:
        source.close()
