"""The hall, where the rooms below meet: rows are opened and counted, the counts are measured, the results are filed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from tiebreak._checks import one_of
from tiebreak._checks import tolerance as checked_tolerance
from tiebreak.comparison.agreement import Agreements
from tiebreak.comparison.cells import INTERVALS
from tiebreak.comparison.clustering import compared_clusterings
from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.costing import costs_of, with_costs
from tiebreak.comparison.doubts import Settings
from tiebreak.comparison.extras import Extras
from tiebreak.comparison.judging import compared
from tiebreak.comparison.numbering import compared_numbers
from tiebreak.comparison.slicing import with_slices
from tiebreak.comparison.strata import with_strata
from tiebreak.sources import Ask, Limits, Opened, opened, scores_of
from tiebreak.tables import LOSSES, NOISES


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
    tolerance: float | None = None,
    loss: str = "absolute",
    noise: str = "cluster",
    floor: float = 0.0,
    cost: Any = None,
    by: Any = None,
    y_proba: Any = None,
    positive: Any = None,
    stratify: Any = None,
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
    task : "classification"; "correct" where the columns already hold right or wrong (0/1 or booleans; no truth);
        "clustering"; "regression"; "scores" for graded scores of which more is better (no truth)
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
    tolerance : of numbers, within which one counts as right, so that there are Prayatul matrices
    loss : of regression, "absolute" or "squared"
    noise : of clusterings, whether label −1 is one "cluster" like any other or a "singleton" for each instance
    floor : of the performance profile, the smallest loss that matters
    cost : what each answer costs: a path to a square CSV, (labels, matrix), or a frame whose index and columns are
        labels; rows are true labels
    by : columns whose values are slices, each compared on its own: names, or pairs of names for conjunctions; a dict of
        name to values beside arrays
    y_proba : class probabilities: a dict of model to one probability an instance (of the positive class) or one a
        class; of a table "MODEL=COLUMN" or "MODEL:LABEL=COLUMN", or a list of them
    positive : with two classes, the one that probabilities are of; the last by default
    stratify : the column that names the test set of an instance; values beside arrays
    level : of the intervals; one minus it is the p-value below which a difference is called real
    seed : of whatever is drawn at random
    memory_limit, temp_dir : what the embedded engine may use before it spills, and where to
    progress : called with a share between 0 and 1 during long scans of files

    Returns
    -------
    Comparison
        or `Agreements`, for clusterings without a truth

    Examples
    --------
    >>> import tiebreak as tb
    >>> comparison = tb.compare(["cat", "dog", "dog"], {"knn": ["cat", "dog", "cat"], "tree": ["dog", "dog", "cat"]})
    >>> comparison.pair("knn", "tree").prayatul.right_wrong
    1
    """
    extras = Extras.given(cost, by, y_proba, positive, stratify)
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
        noise=one_of(noise, "noise", NOISES),
        loss=one_of(loss, "loss", LOSSES),
        tolerance=None if tolerance is None else checked_tolerance(tolerance),
        by=extras.names_in_data,
        proba=extras.proba,
        metric=metric,
        filter=filter,
        scorer=scorer,
    )
    method = None if interval is None else one_of(interval, "interval", INTERVALS)
    settings = Settings(level, seed, baseline, correction, method, rope, tau, loss, tolerance, noise, floor)
    ignored = ask.graded and predictions is not None and data is not None
    weights, marks = (None if isinstance(values, str) else values for values in (sample_weight, groups))
    source = opened(data, predictions, ask, weights, Limits(memory_limit, temp_dir, progress), marks)
    try:
        settings.checked(source.roles.models)
        notes = ["the truth was not used: the answers are already graded"] if ignored else []
        found = _compared(source, settings, [*notes, *source.notes], extras)
    except BaseException:
        source.close()
        raise
    # Clusterings without a truth are the one case in which nobody can be better.
    return cast("Comparison", found)


def _compared(source: Opened, settings: Settings, notes: Sequence[str], extras: Extras) -> Comparison | Agreements:
    """The rows become a table by their task, and the table a comparison."""
    extras.refuse_unless_labels(source.ask)
    if source.ask.clustered:
        return compared_clusterings(source, settings, notes)
    if source.ask.numeric:
        return compared_numbers(source.losses, source, settings=settings, notes=notes)
    scores = None if extras.y_proba is None else scores_of(source, extras.probabilities, positive=extras.positive)
    comparison = compared(source.tally, source, settings=settings, notes=notes, scores=scores)
    if extras.by:
        comparison = with_slices(comparison, source, extras.by, extras.columns)
    if extras.stratify is not None:
        comparison = with_strata(comparison, source, extras.stratify, extras.columns)
    return comparison if extras.cost is None else with_costs(comparison, costs_of(extras.cost), settings)
