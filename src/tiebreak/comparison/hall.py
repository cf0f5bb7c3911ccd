"""The hall, where the rooms below meet: rows are opened and counted, the counts are measured, the results are filed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tiebreak._checks import one_of, open_share
from tiebreak._format import counted, listed
from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.results import Model, PairTable
from tiebreak.measures import pool
from tiebreak.sources import MISSING_SPELLINGS, POLICIES, TASKS, Ask, Limits, Opened, opened
from tiebreak.tables import Tally


def compare(
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
    labels: Sequence[object] | None = None,
    level: float = 0.95,
    seed: int = 0,
    memory_limit: str = "2GB",
    temp_dir: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Comparison:
    """Compare two or more models on the same instances.

    Parameters
    ----------
    data : the true labels, with `predictions` beside them; or one table that holds everything: a data frame (pandas,
        polars, Arrow, DuckDB, Spark, Dask, …), a dict of columns, or a path (CSV, TSV, Parquet, JSON Lines, JSON,
        Arrow), which is never loaded whole; or several paths, joined on `id`, as a list or as {model: path}
    predictions : with arrays only: a dict of model name to predictions, or a frame with one column per model
    truth : the column of true labels; required unless exactly one is called y_true, truth, label, target or labels_true
    models : the model columns; by default every column that nothing else names
    id : the column that identifies an instance; required when files are joined and for a long layout
    task : "classification", or "correct" where the columns already hold right or wrong (0/1 or booleans; no truth)
    long : (model column, prediction column) of a table with one row per instance and model
    missing : what a missing prediction means: "raise" an error, "wrong", or "drop" the instance for every model
    na : a text that reads as missing, besides the empty field
    sample_weight : weights ≥ 0: an array beside arrays, the name of a column otherwise
    labels : the order of the classes; their natural order, or that of an ordered categorical, by default
    level : of the intervals
    seed : of whatever is drawn at random
    memory_limit, temp_dir : what the embedded engine may use before it spills, and where to
    progress : called with a share between 0 and 1 during long scans of files

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import tiebreak as tb
    >>> comparison = tb.compare(["cat", "dog", "dog"], {"knn": ["cat", "dog", "cat"], "tree": ["dog", "dog", "cat"]})
    >>> comparison.pair("knn", "tree").prayatul.right_wrong
    1
    """
    ask = Ask(
        truth=truth,
        models=None if models is None else tuple(map(str, models)),
        id=id,
        task=one_of(task, "task", TASKS),
        long=None if long is None else (long[0], long[1]),
        missing=one_of(missing, "missing", POLICIES),
        na=na,
        weight=sample_weight if isinstance(sample_weight, str) else None,
        labels=None if labels is None else tuple(np.asarray(labels, dtype=object).tolist()),
    )
    ignored = ask.graded and predictions is not None and data is not None
    data, predictions = _graded_arrays(data, predictions, ask)
    weights = None if isinstance(sample_weight, str) else sample_weight
    source = opened(data, predictions, ask, weights, Limits(memory_limit, temp_dir, progress))
    try:
        notes = ["the truth was not used: the answers are already graded"] if ignored else []
        return compared(source.tally, source, level=open_share(level, "level"), seed=seed, notes=notes)
    except BaseException:
        source.close()
        raise


def _graded_arrays(data: Any, predictions: Any, ask: Ask) -> tuple[Any, Any]:
    """Graded answers have no truth: `compare({...}, task="correct")` and `compare(None, {...})` are the same."""
    return (
        (None, predictions if predictions is not None else data) if ask.graded and data is None else (data, predictions)
    )


def compared(
    tally: Tally,
    source: Opened | None = None,
    *,
    level: float = 0.95,
    seed: int = 0,
    notes: Sequence[str] = (),
) -> Comparison:
    """Turn a tally into a comparison.

    Examples
    --------
    >>> tally = Tally.of({("cat", "cat", "dog"): 3, ("dog", "dog", "dog"): 5}, models=("knn", "tree"))
    >>> compared(tally).model("knn").accuracy
    1.0
    """
    bits, mass = tally.patterns()
    together = pool(bits, mass.amounts)
    total = tally.total
    models = tuple(
        Model(name, tally.n, count, count / total, absent, alone_right, alone_wrong)
        for name, count, absent, alone_right, alone_wrong in zip(
            tally.models,
            tally.right_counts().tolist(),
            tally.missing,
            together.unique_rights,
            together.unique_wrongs,
            strict=True,
        )
    )
    policy = "raise" if source is None else source.ask.missing
    return Comparison(
        task="correct" if tally.truth is None else "classification",
        truth=tally.truth,
        n=tally.n,
        labels=tally.labels,
        models=models,
        pairs=PairTable.of(tally),
        pool=together,
        policy=policy,
        excluded=tally.excluded,
        weight=total if tally.weighted else None,
        level=level,
        seed=seed,
        warnings=(*notes, *_warnings(tally, policy)),
        source=source,
    )


def _warnings(tally: Tally, policy: str) -> list[str]:
    """What a reader should know before quoting a number."""
    found = []
    lacking = [f"{model} {counted(count)}" for model, count in zip(tally.models, tally.missing, strict=True) if count]
    if lacking and policy == "wrong":
        found.append(f"missing predictions count as wrong: {listed(lacking)}")
    spelled = [label for label in tally.labels if isinstance(label, str) and label.lower() in MISSING_SPELLINGS]
    if spelled:
        found.append(f"{listed(spelled)} counts as a class; if it means missing, say so with --na (na= in Python)")
    if tally.excluded:
        found.append(
            f"{counted(tally.excluded, 'instance')} of {counted(tally.n + tally.excluded)} left out for every model, "
            f"because a prediction is missing: {listed(lacking)}"
        )
    return found
