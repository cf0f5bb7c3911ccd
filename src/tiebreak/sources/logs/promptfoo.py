"""Results of promptfoo: one JSON document of all providers and prompts, a row a test and a pair of them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tiebreak._format import visible
from tiebreak.errors import UnreadableSource
from tiebreak.sources.ask import Ask
from tiebreak.sources.engine import Engine
from tiebreak.sources.formats import decoded, reading
from tiebreak.sources.logs.finding import Log
from tiebreak.sources.logs.runs import Run, chosen, grade, refuse_shape

# What promptfoo itself calls a pass: the metric unless another is named.
PASS = "success"  # noqa: S105
# The reason of a failure that is none of the answer's: the provider gave none.
_NO_ANSWER = 2

Row = dict[str, Any]


def read(engine: Engine, logs: Sequence[Log], ask: Ask) -> tuple[list[Run], str]:  # noqa: ARG001
    """Return a run for every provider and prompt, and what was read in words.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> row = {"success": True, "vars": {"topic": "bears"}, "prompt": {"label": "short"}}
    >>> rows = [{**row, "provider": {"id": "a"}}, {**row, "provider": {"id": "b"}, "success": False}]
    >>> with tempfile.TemporaryDirectory() as folder, Engine() as engine:
    ...     path = Path(folder) / "out.json"
    ...     _ = path.write_text(json.dumps({"results": {"results": rows}}))
    ...     runs, read_as = read(engine, [Log(str(path), "promptfoo", where=path.name)], Ask())
    >>> [(run.model, run.values) for run in runs], read_as
    ([('a', [1.0]), ('b', [0.0])], 'metric success')
    """
    documents = [_rows(log) for log in logs]
    metric = ask.metric or PASS
    chosen({log.where: _metrics(rows) for log, rows in zip(logs, documents, strict=True)}, metric, "metric", "--metric")
    runs = [run for log, rows in zip(logs, documents, strict=True) for run in _runs(log, rows, metric)]
    return runs, f"metric {visible(metric)}"


def _rows(log: Log) -> list[Row]:
    try:
        with decoded(log.where), reading(log.path) as file:
            document = json.load(file)
        results = document["results"]
        rows = results["results"] if isinstance(results, dict) else results
        if isinstance(rows, list) and rows and all(isinstance(row, dict) and "success" in row for row in rows):
            return [_checked(log, place, row) for place, row in enumerate(rows)]
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, UnreadableSource):
            raise
        raise UnreadableSource(f"{log.where} is damaged or was cut short: write the results again") from None
    raise UnreadableSource(f"{log.where} holds no results of promptfoo with a pass or fail each: write them again")


def _checked(log: Log, place: int, row: Row) -> Row:
    """Refuse a row that is built otherwise than promptfoo builds it."""
    for part in ("testCase", "vars", "namedScores"):
        refuse_shape(row.get(part) or {}, dict, f"{part} of result {place}", log)
    return row


def _metrics(rows: Sequence[Row]) -> list[str]:
    named = dict.fromkeys(name for row in rows for name in row.get("namedScores") or {})
    return [PASS, "score", *named]


def _runs(log: Log, rows: Sequence[Row], metric: str) -> list[Run]:
    prompts = {_prompt(row) for row in rows}
    runs: dict[str, Run] = {}
    asked: Counter[tuple[str, str]] = Counter()
    for row in rows:
        model = _provider(row) + (f" · {_prompt(row)}" if len(prompts) > 1 else "")
        run = runs.setdefault(model, Run(log, model))
        instance, fingerprint = _instance(row)
        asked[model, instance] += 1
        run.add(instance, fingerprint, _value(row, metric, log.where), asked[model, instance])
    if log.name is not None and len(runs) > 1:
        for run in runs.values():
            run.log, run.model = Log(log.path, log.kind, where=log.where), f"{log.name} · {run.model}"
    return list(runs.values())


def _provider(row: Row) -> str:
    provider = row.get("provider")
    if isinstance(provider, dict):
        return str(provider.get("label") or provider.get("id"))
    return str(provider)


def _prompt(row: Row) -> str:
    prompt = row.get("prompt")
    if isinstance(prompt, dict):
        return str(prompt.get("label") or prompt.get("raw"))
    return str(row.get("promptIdx", prompt))


def _instance(row: Row) -> tuple[str, str]:
    """A test is what it asks: its variables; those of one test with several checks differ in the checks."""
    case = row.get("testCase") or {}
    asked = row.get("vars") or case.get("vars") or {}
    checks = [case.get("assert"), case.get("description")]
    digest = hashlib.sha256(json.dumps(checks, sort_keys=True, default=str).encode()).hexdigest()
    return f"{json.dumps(asked, sort_keys=True, ensure_ascii=False)} {digest[:6]}", digest


def _value(row: Row, metric: str, where: str) -> float | None:
    if row.get("failureReason") == _NO_ANSWER or (row.get("error") and not row.get("gradingResult")):
        return None
    value = row.get(metric) if metric in {PASS, "score"} else (row.get("namedScores") or {}).get(metric)
    return grade(value, f"metric {visible(metric)}", where)
