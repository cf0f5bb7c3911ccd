"""From logs to one wide relation: the right reader, the names of the models, and what was read said in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tiebreak._format import counted, quoted, visible
from tiebreak.errors import TiebreakError
from tiebreak.sources.ask import Ask
from tiebreak.sources.engine import Engine
from tiebreak.sources.logs import inspect_ai, lm_eval, mlflow, promptfoo
from tiebreak.sources.logs.aligned import ANSWERS, Wide, aligned
from tiebreak.sources.logs.finding import TITLES, Log
from tiebreak.sources.logs.runs import Run, names_of, one_of_all

Reader = Callable[[Engine, Sequence[Log], Ask], tuple[list[Run], str]]

_READERS: dict[str, Reader] = {
    "lm-eval": lm_eval.read,
    "inspect": inspect_ai.read,
    "promptfoo": promptfoo.read,
    "mlflow": mlflow.read,
}


def read_logs(engine: Engine, logs: Sequence[Log], ask: Ask) -> Wide:
    """Read logs of one harness and hold them against each other.

    Examples
    --------
    >>> import json, tempfile
    >>> from pathlib import Path
    >>> from tiebreak.sources.logs.finding import logs_among
    >>> row = {"testIdx": 0, "success": True, "vars": {"topic": "bears"}, "prompt": {"label": "short"}}
    >>> rows = [{**row, "provider": {"id": "a"}}, {**row, "provider": {"id": "b"}, "success": False}]
    >>> with tempfile.TemporaryDirectory() as folder, Engine() as engine:
    ...     path = Path(folder) / "out.json"
    ...     _ = path.write_text(json.dumps({"evalId": "e", "results": {"results": rows}}))
    ...     wide = read_logs(engine, logs_among([(None, str(path))]), Ask())
    >>> wide.roles.models, wide.ask.task, wide.notes
    (('a', 'b'), 'correct', ('read 1 promptfoo log, metric success',))
    """
    _refuse_options(ask)
    kind = logs[0].kind
    runs, choice = _READERS[kind](engine, logs, ask)
    task = one_of_all(runs, "task")
    one_of_all(runs, "version")
    models = names_of(runs)
    if kind != "lm-eval":
        _fill(engine, runs)
    read = f"read {counted(len(logs), f'{TITLES[kind]} log')}"
    found = aligned(engine, models, ask, f"{read}{f' of task {visible(task)}' if task else ''}, {choice}")
    if kind != "lm-eval":
        return found
    notes = (*found.notes, *lm_eval.notes(engine, found.roles.models))
    return Wide(found.source, found.roles, found.ask, notes)


def _refuse_options(ask: Ask) -> None:
    """A log says itself what its instances are and how good the answers were."""
    named = {"truth": ask.truth, "id": ask.id, "weight": ask.weight, "group": ask.group, "long": ask.long}
    for option, value in named.items():
        if value is not None:
            shown = quoted(value) if isinstance(value, str) else ",".join(value)
            raise TiebreakError(
                f"{option} names {shown}, but eval logs are graded and have their own ids: leave it out"
            )


def _fill(engine: Engine, runs: Sequence[Run]) -> None:
    """Put the answers that a reader holds in memory into the table of answers."""
    values = [np.nan if value is None else value for run in runs for value in run.values]
    columns = {
        "run": np.repeat(np.arange(len(runs)), [len(run.values) for run in runs]),
        "instance": np.array([instance for run in runs for instance in run.instances], dtype=object),
        "repeat": np.array([repeat for run in runs for repeat in run.repeats], dtype=np.int64),
        "fingerprint": np.array([digest for run in runs for digest in run.fingerprints], dtype=object),
        "value": np.array(values, dtype=np.float64),
        "nth": np.arange(len(values)),
    }
    engine.register("log_rows", columns)
    engine.execute(f"CREATE OR REPLACE TEMP TABLE {ANSWERS} AS SELECT * FROM log_rows", "the logs")
    engine.connection.unregister("log_rows")
