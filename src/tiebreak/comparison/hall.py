"""The hall, where the rooms below meet: rows are opened and counted, the counts are measured, the results are filed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tiebreak._checks import one_of
from tiebreak._format import counted, listed, quoted
from tiebreak.comparison.comparison import Comparison, weight_as_key
from tiebreak.comparison.doubts import Doubts, Settings
from tiebreak.comparison.pairs import BOOTSTRAPS, INTERVALS, CountedPairs
from tiebreak.comparison.results import Model
from tiebreak.errors import NotDefined
from tiebreak.inference import CochranQ, Standing, cochran_q, evidence_of
from tiebreak.measures import Pool, pool
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
    groups: Any = None,
    labels: Sequence[object] | None = None,
    baseline: str | None = None,
    correction: str = "holm",
    interval: str | None = None,
    rope: float | None = None,
    tau: float | None = None,
    metric: str | None = None,
    filter: str | None = None,  # noqa: A002
    scorer: str | None = None,
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
        Arrow), which is never loaded whole; or several paths, joined on `id`, as a list or as {model: path}; or eval
        logs of one harness, one a model; or a `Tally`, or the paths of tallies that are added
    predictions : with arrays only: a dict of model name to predictions, or a frame with one column per model
    truth : the column of true labels; required unless exactly one is called y_true, truth, label, target or labels_true
    models : the model columns; by default every column that nothing else names
    id : the column that identifies an instance; required when files are joined and for a long layout
    task : "classification", or "correct" where the columns already hold right or wrong (0/1 or booleans; no truth)
    long : (model column, prediction column) of a table with one row per instance and model
    missing : what a missing prediction means: "raise" an error, "wrong", or "drop" the instance for every model
    na : a text that reads as missing, besides the empty field
    sample_weight : weights ≥ 0: an array beside arrays, the name of a column otherwise
    groups : which instances belong together (documents, patients, questions), so that they are not counted as
        independent: an array beside arrays, the name of a column otherwise
    labels : the order of the classes; their natural order, or that of an ordered categorical, by default
    baseline : compare every model with this one only
    correction : of p-values for their number: "holm", "romano-wolf" (by resampling) or "none"
    interval : another way to the interval of a difference than the one that agrees with its probability and p-value:
        "tango", "newcombe", "bonett_price", "bootstrap_percentile" or "bootstrap_bca"
    rope : half the width of a region of practical equivalence
    metric, filter, scorer : of eval logs (lm-eval, Inspect, promptfoo, MLflow) that have several, which one is read
    tau : the usual size of a true difference, which makes the probability of small ones more modest
    level : of the intervals; one minus it is the p-value below which a difference is called real
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
        group=groups if isinstance(groups, str) else None,
        labels=None if labels is None else tuple(np.asarray(labels, dtype=object).tolist()),
        metric=metric,
        filter=filter,
        scorer=scorer,
    )
    method = None if interval is None else one_of(interval, "interval", INTERVALS)
    settings = Settings(level, seed, baseline, correction, method, rope, tau)
    ignored = ask.graded and predictions is not None and data is not None
    data, predictions = _graded_arrays(data, predictions, ask)
    weights, marks = (None if isinstance(values, str) else values for values in (sample_weight, groups))
    source = opened(data, predictions, ask, weights, Limits(memory_limit, temp_dir, progress), marks)
    try:
        settings.checked(source.roles.models)
        notes = ["the truth was not used: the answers are already graded"] if ignored else []
        return compared(source.tally, source, settings=settings, notes=[*notes, *source.notes])
    except BaseException:
        source.close()
        raise


def _graded_arrays(data: Any, predictions: Any, ask: Ask) -> tuple[Any, Any]:
    """Graded answers have no truth: `compare({...}, task="correct")` and `compare(None, {...})` are the same."""
    return (
        (None, predictions if predictions is not None else data) if ask.graded and data is None else (data, predictions)
    )


def compared(
    tally: Tally, source: Opened | None = None, *, settings: Settings | None = None, notes: Sequence[str] = ()
) -> Comparison:
    """Turn a tally into a comparison.

    Examples
    --------
    >>> tally = Tally.of({("cat", "cat", "dog"): 3, ("dog", "dog", "dog"): 5}, models=("knn", "tree"))
    >>> compared(tally).model("knn").accuracy
    1.0
    """
    settings = (settings or Settings()).checked(tally.models)
    bits, mass = tally.patterns()
    together = pool(bits, mass.amounts)
    _refuse_interval(settings.interval, tally)
    doubts = Doubts(tally.models, evidence_of(tally), settings)
    policy = "raise" if source is None else source.ask.missing
    return Comparison(
        task="correct" if tally.truth is None else "classification",
        truth=tally.truth,
        n=tally.n,
        labels=tally.labels,
        models=_models(tally, doubts, together),
        pairs=CountedPairs(doubts, tally, lambda: weight_as_key(tally, source)),
        pool=together,
        settings=settings,
        cochran_q=_cochran_q(tally, together),
        policy=policy,
        excluded=tally.excluded,
        weight=tally.total if tally.weighted else None,
        groups=None if tally.crossing is None else tally.crossing.size,
        warnings=(*notes, *_warnings(tally, policy), *doubts.warnings()),
        counts=tally,
        source=source,
    )


def _refuse_interval(method: str | None, tally: Tally) -> None:
    """Some intervals are of counts of independent instances; bootstraps are of anything."""
    if method is None or method in BOOTSTRAPS or not (tally.weighted or tally.crossing is not None):
        return
    raise NotDefined(
        f"interval is {quoted(method)}, which is of independent instances that count alike, and these are "
        f"{'weighted' if tally.weighted else 'grouped'}: use {' or '.join(BOOTSTRAPS)}, or leave it out"
    )


def _models(tally: Tally, doubts: Doubts, together: Pool) -> tuple[Model, ...]:
    return tuple(
        Model(
            name,
            tally.n,
            score,
            missing,
            right,
            alone_right,
            alone_wrong,
            drawn=doubts.best_of(place),
            **standing,
        )
        for place, (name, score, missing, right, alone_right, alone_wrong, standing) in enumerate(
            zip(
                tally.models,
                doubts.scores(),
                tally.missing,
                tally.right_counts().tolist(),
                together.unique_rights,
                together.unique_wrongs,
                _standings(doubts),
                strict=True,
            )
        )
    )


def _standings(doubts: Doubts) -> list[dict[str, Any]]:
    """Each model's tier and rank; nothing where only a baseline is compared, which says nothing about the others."""
    if doubts.settings.baseline is not None:
        return [{}] * len(doubts.names)
    return [_standing(standing) for standing in doubts.standings]


def _standing(standing: Standing) -> dict[str, Any]:
    rank = (standing.rank_low, standing.rank_high)
    return {"tier": standing.tier, "separable_from_best": standing.separable_from_best, "rank": rank}


def _cochran_q(tally: Tally, together: Pool) -> CochranQ | None:
    if tally.weighted or tally.crossing is not None:
        return None
    # Shares of whole instances: their products with n are whole again.
    by_rights = [round(share * tally.n) for share in reversed(together.difficulty)]
    return cochran_q(tally.right_counts(), by_rights)


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
