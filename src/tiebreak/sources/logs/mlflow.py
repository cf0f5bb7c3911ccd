"""Evaluation tables of MLflow: a JSON document of columns and data, inputs beside outputs and their scores."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tiebreak._format import listed, visible
from tiebreak.errors import EmptyComparison, UnreadableSource
from tiebreak.sources.ask import PREDICTION_NAMES, TRUTH_NAMES, Ask
from tiebreak.sources.engine import Engine
from tiebreak.sources.formats import decoded, reading
from tiebreak.sources.logs.finding import Log
from tiebreak.sources.logs.runs import Run, chosen, grade

_OUTPUTS = ("outputs", "output", "predictions", "response", *PREDICTION_NAMES)
_TARGETS = ("targets", "ground_truth", "expected_response", *TRUTH_NAMES)
# Columns that say how an answer came about, and not what was asked.
_ABOUT = ("latency", "token_count", "request_id", "trace", "trace_id", "run_id", "model_id", "justification")
EQUAL = "prediction is target"

Columns = dict[str, list[Any]]


def read(engine: Engine, logs: Sequence[Log], ask: Ask) -> tuple[list[Run], str]:  # noqa: ARG001
    """Return the runs with their answers, and what was read in words.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> table = {"columns": ["inputs", "exact_match/v1/score"], "data": [["2 + 2", 1], ["3 + 3", 0]]}
    >>> with tempfile.TemporaryDirectory() as folder, Engine() as engine:
    ...     path = Path(folder) / "eval_results_table.json"
    ...     _ = path.write_text(json.dumps(table))
    ...     runs, read_as = read(engine, [Log(str(path), "mlflow", where=path.name)], Ask())
    >>> runs[0].values, read_as
    ([1.0, 0.0], 'metric exact_match/v1/score')
    """
    tables = [_columns(log) for log in logs]
    common = set.intersection(*(set(table) for table in tables))
    inputs = [column for column in tables[0] if column in common and _is_input(column)]
    offered = {log.where: _metrics(table) for log, table in zip(logs, tables, strict=True)}
    if ask.metric is not None:
        offered = {log.where: [*_metrics(table), *_short(table)] for log, table in zip(logs, tables, strict=True)}
    metric = chosen(offered, ask.metric, "metric", "--metric")
    runs = [_run(log, table, inputs, metric) for log, table in zip(logs, tables, strict=True)]
    return runs, f"metric {visible(metric)}"


def _columns(log: Log) -> Columns:
    try:
        with decoded(log.where), reading(log.path) as file:
            document = json.load(file)
        names, rows = [str(column) for column in document["columns"]], document["data"]
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) if rows else {}
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, UnreadableSource):
            raise
        raise UnreadableSource(f"{log.where} is damaged or no table of columns and data: write it again") from None
    if not columns:
        raise EmptyComparison(f"{log.where} holds no rows: there is nothing to compare")
    return columns


def _is_input(column: str) -> bool:
    return "/" not in column and column not in _OUTPUTS and column not in _ABOUT


def _metrics(columns: Columns) -> list[str]:
    """Columns of scores; where there is none, whether the prediction is the target, if both are there."""
    scores = [column for column in columns if column.endswith("/score")]
    return scores or ([EQUAL] if _pair(columns) else [])


def _short(columns: Columns) -> list[str]:
    """A metric may be named by its column, or without version and ending: exact_match for exact_match/v1/score."""
    others = [column for column in columns if column not in _metrics(columns)]
    return [*others, *(column.split("/", 1)[0] for column in columns if column.endswith("/score"))]


def _pair(columns: Columns) -> tuple[str, str] | None:
    outputs = [column for column in columns if column in _OUTPUTS]
    targets = [column for column in columns if column in _TARGETS]
    return (outputs[0], targets[0]) if len(outputs) == 1 and len(targets) == 1 else None


def _run(log: Log, columns: Columns, inputs: Sequence[str], metric: str) -> Run:
    run = Run(log)
    if not inputs:
        raise UnreadableSource(
            f"{log.where} has no column of inputs in common with the other tables (its columns are "
            f"{listed(columns, 20)}): without them nothing says that two rows are the same instance"
        )
    values = _values(log, columns, metric)
    asked: Counter[str] = Counter()
    for place, value in enumerate(values):
        instance = json.dumps([columns[column][place] for column in inputs], ensure_ascii=False)
        asked[instance] += 1
        run.add(instance, "", value, asked[instance])
    return run


def _values(log: Log, columns: Columns, metric: str) -> list[float | None]:
    pair = _pair(columns)
    if metric == EQUAL and pair is not None:
        said, true = (columns[column] for column in pair)
        return [None if s is None else float(s == t and type(s) is type(t)) for s, t in zip(said, true, strict=True)]
    known = [metric, *(column for column in columns if column.split("/", 1)[0] == metric and column.endswith("/score"))]
    column = next(column for column in known if column in columns)
    return [grade(value, f"metric {visible(column)}", log.where) for value in columns[column]]
