"""Logs that lm-eval writes with --log_samples: JSON Lines, one row a document and filter, one column a metric.

The engine parses all files at once, so that three hundred logs cost little more than reading them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tiebreak._format import counted, listed, quoted, visible
from tiebreak.errors import EmptyComparison, TiebreakError, UnreadableSource
from tiebreak.sources.ask import Ask
from tiebreak.sources.engine import Engine, name, text
from tiebreak.sources.files import literal_paths, unpacked
from tiebreak.sources.formats import decoded, reading
from tiebreak.sources.logs.aligned import ANSWERS
from tiebreak.sources.logs.finding import Log
from tiebreak.sources.logs.runs import Run, chosen, one_of_all

_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.-]+)$")
# What a row holds besides its metrics.
_FIELDS = frozenset({
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
    "target_hash",
})  # fmt: skip
# A row holds document, prompt and answers. The engine sets room aside for the longest, so first a usual one.
_LONG, _LONGEST = 1 << 24, 1 << 28


def read(engine: Engine, logs: Sequence[Log], ask: Ask) -> tuple[list[Run], str]:
    """Fill the table of answers; return the runs, and what was read in words.

    Examples
    --------
    >>> import tempfile
    >>> row = {"doc_id": 0, "doc": {"question": "2 + 2"}, "target": "4", "arguments": {}, "resps": [["4"]],
    ...        "filtered_resps": ["4"], "filter": "none", "metrics": ["acc"], "acc": 1.0}
    >>> with tempfile.TemporaryDirectory() as folder, Engine() as engine:
    ...     path = Path(folder) / "samples_sums_2026-01-02T03-04-05.678901.jsonl"
    ...     _ = path.write_text(json.dumps(row))
    ...     runs, read_as = read(engine, [Log(str(path), "lm-eval", where=path.name)], Ask())
    ...     engine.rows(f"SELECT instance, value FROM {ANSWERS}"), runs[0].task, read_as
    ([('0', 1.0)], 'sums', 'filter none, metric acc')
    """
    rows = [_first(log) for log in logs]
    runs = [_run(log) for log in logs]
    models, tasks = _by_folder(runs)
    metric = chosen(
        {r.log.where: _metrics(row) for r, row in zip(runs, rows, strict=True)}, ask.metric, "metric", "--metric"
    )
    _load(engine, logs, metric, has_hash=all("doc_hash" in row for row in rows))
    _refuse_broken(engine, runs, metric)
    filters: dict[str, list[str]] = {}
    for run, kind in engine.rows("SELECT DISTINCT run, filter FROM log_samples ORDER BY ALL"):
        filters.setdefault(runs[run].log.where, []).append(str(kind))
    kept = chosen(filters, ask.filter, "filter", "--filter")
    places = ", ".join(
        f"({place}, {list(models).index(_folder(run)) if tasks else place}, {text(f'{run.task}/' if tasks else '')})"
        for place, run in enumerate(runs)
    )
    engine.execute(
        f"CREATE OR REPLACE TEMP TABLE {ANSWERS} AS SELECT model AS run, concat(prefix, doc_id) AS instance, "
        f"1 AS repeat, fingerprint, prompt, value, nth FROM log_samples JOIN (VALUES {places}) "
        f"AS t(run, model, prefix) USING (run) WHERE filter = {text(kept)}"
    )
    what = f"{len(tasks)} tasks ({listed(tasks)}), " if tasks else ""
    return list(models.values()) if tasks else runs, f"{what}filter {visible(kept)}, metric {visible(metric)}"


def _by_folder(runs: Sequence[Run]) -> tuple[dict[str, Run], list[str]]:
    """The runs by their folders, and the tasks if each folder holds one log of each of several: then it is one run."""
    tasks = list(dict.fromkeys(run.task for run in runs if run.task is not None))
    logs = [(_folder(run), run.task) for run in runs]
    several = len(tasks) > 1 and len(set(logs)) == len(logs) > len({folder for folder, _ in logs})
    if not several or any(run.task is None for run in runs):
        return {}, []
    for task in tasks:
        one_of_all([run for run in runs if run.task == task], "version")
    models = {_folder(run): Run(run.log, run.model) for run in reversed(runs)}
    return dict(reversed(models.items())), sorted(tasks)


def _folder(run: Run) -> str:
    return str(Path(run.log.path).parent)


def notes(engine: Engine, models: Sequence[str]) -> list[str]:
    """Say where models were given other prompts: right for another template, wrong for another few-shot choice.

    Examples
    --------
    >>> with Engine() as engine:
    ...     _ = engine.execute(f"CREATE TABLE {ANSWERS} AS FROM (VALUES ('1', 'x'), ('1', 'y')) t(instance, prompt)")
    ...     notes(engine, ["small", "large"])
    ['the prompts of small, large differ on 1 instance']
    """
    differ = engine.rows(
        f"SELECT count(*) FROM (SELECT instance FROM {ANSWERS} GROUP BY instance HAVING count(DISTINCT prompt) > 1)"
    )[0][0]
    return [f"the prompts of {listed(models)} differ on {counted(differ, 'instance')}"] if differ else []


def _first(log: Log) -> dict[str, Any]:
    with decoded(log.where), reading(log.path) as file:
        line = next((line for line in file if line.strip()), "")
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        raise _broken(log, 1) from None
    found: dict[str, Any] = row
    return found


def _metrics(row: dict[str, Any]) -> list[str]:
    named = row.get("metrics")
    return [str(n) for n in named] if isinstance(named, list) else [key for key in row if key not in _FIELDS]


def _run(log: Log) -> Run:
    """The task is in the file's name; its version is in the file of results beside it, if that is still there."""
    named = _NAME.match(Path(log.path).name.removesuffix(".gz").removesuffix(".jsonl"))
    if named is None:
        return Run(log)
    run = Run(log, task=named["task"])
    beside = Path(log.path).with_name(f"results_{named['date']}.json")
    try:
        results = json.loads(beside.read_text(encoding="utf-8"))
        version = results.get("versions", {}).get(run.task)
        run.version = None if version is None else str(version)
    except (OSError, ValueError, AttributeError):
        pass
    return run


def _load(engine: Engine, logs: Sequence[Log], metric: str, *, has_hash: bool) -> None:
    paths = [unpacked(engine, str(Path(log.path).resolve()), log.where) for log in logs]
    fields = ("doc_id", "doc", "doc_hash", "target_hash", "prompt_hash", "filter")
    wanted = [field for field in fields if field != "doc" or not has_hash]
    columns = ", ".join(f"{text(column)}: 'VARCHAR'" for column in dict.fromkeys((*wanted, metric)))
    values = ", ".join(f"({text(path)}, {place})" for place, path in enumerate(paths))
    asked = "doc_hash" if has_hash else "coalesce(doc_hash, md5(doc))"
    value = name(metric)
    rows = f"read_json({literal_paths(paths)}, format = 'newline_delimited', columns = {{{columns}}}, filename = true"
    number = f"CASE {value} WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE TRY_CAST({value} AS DOUBLE) END"
    # Digests of 64 characters are compared as 64 bits.
    selected = (
        f"run, doc_id, coalesce(filter, 'none') AS filter, hash({asked}, target_hash) AS fingerprint, "
        f"hash(prompt_hash) AS prompt, {number} AS value, CASE WHEN {number} IS NULL THEN {value} END AS written, "
        "TRY_CAST(doc_id AS BIGINT) AS nth"
    )

    def load(longest: int) -> None:
        engine.execute(
            f"CREATE OR REPLACE TEMP TABLE log_samples AS SELECT {selected} FROM {rows}, maximum_object_size = "
            f"{longest}) JOIN (VALUES {values}) AS files(filename, run) USING (filename)",
            "the logs",
        )

    try:
        load(_LONG)
    except UnreadableSource:
        _find_broken(logs)
        load(_LONGEST)


def _find_broken(logs: Sequence[Log]) -> None:
    """Look for the line that the engine stumbled over, to name it."""
    for log in logs:
        with decoded(log.where), reading(log.path) as file:
            for number, line in enumerate(file, 1):
                try:
                    right = not line.strip() or isinstance(json.loads(line), dict)
                except json.JSONDecodeError:
                    right = False
                if not right:
                    raise _broken(log, number)


def _broken(log: Log, line: int) -> UnreadableSource:
    return UnreadableSource(
        f"{log.where}, line {line} is no valid JSON object: the log is damaged, or its run stopped half-way; run it "
        "again"
    )


def _refuse_broken(engine: Engine, runs: Sequence[Run], metric: str) -> None:
    empty = set(range(len(runs))) - {row[0] for row in engine.rows("SELECT DISTINCT run FROM log_samples")}
    if empty:
        raise EmptyComparison(f"{runs[min(empty)].log.where} holds no rows: there is nothing to compare")
    lost = engine.rows("SELECT run, count(*) FROM log_samples WHERE doc_id IS NULL GROUP BY run ORDER BY run LIMIT 1")
    if lost:
        raise UnreadableSource(
            f"{runs[lost[0][0]].log.where} has {counted(lost[0][1], 'row')} without a doc_id: it is no whole log"
        )
    odd = engine.rows(
        "SELECT run, any_value(written) FROM log_samples WHERE value IS NULL AND written IS NOT NULL AND "
        "lower(written) NOT IN ('nan', 'null') GROUP BY run ORDER BY run LIMIT 1"
    )
    if odd:
        raise TiebreakError(
            f"metric {quoted(metric)} of {runs[odd[0][0]].log.where} holds {visible(odd[0][1])}, which is no number: "
            "choose another with --metric"
        )
