"""Runs of the same instances as one wide relation: a row an instance or a repeated try, a column a model.

What was run must be the same for every model: the same ids, and for each the same fingerprint of what was asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tiebreak._checks import distinct, existing, one_of
from tiebreak._format import counted, listed, quoted
from tiebreak.errors import TiebreakError, UnpairedInstances
from tiebreak.sources.ask import TASKS, Ask, Roles, enough_models
from tiebreak.sources.engine import Engine
from tiebreak.sources.pairing import EXAMPLES, lacks, refuse_duplicates, refuse_unpaired
from tiebreak.sources.sql import SqlColumn, SqlSource

Grades = npt.NDArray[np.float64]

ANSWERS = "log_answers"
_WIDE = "log_columns"
_ABSENT = 2


@dataclass(frozen=True, slots=True)
class Wide:
    """Logs as one relation: its source, which column is what, and what the caller asked once the logs had their say.

    Examples
    --------
    >>> from tiebreak.sources.sql import SqlColumn, SqlSource
    >>> source = SqlSource(Engine(), "answers", {"a": SqlColumn("a", "typed"), "b": SqlColumn("b", "typed")})
    >>> Wide(source, Roles(None, ("a", "b")), Ask(task="correct")).notes
    ()
    """

    source: SqlSource
    roles: Roles
    ask: Ask
    notes: tuple[str, ...] = ()


def aligned(engine: Engine, models: Sequence[str], ask: Ask, what: str) -> Wide:
    """Bring the table of answers (run, instance, repeat, fingerprint, value) to one row an instance.

    `models` names the runs in the order of their numbers; `what` says in words what was read.

    Examples
    --------
    >>> rows = "(0, 'q1', 1, 'x', 1.0, 0), (1, 'q1', 1, 'x', 0.0, 1)"
    >>> columns = "run, instance, repeat, fingerprint, value, nth"
    >>> with Engine() as engine:
    ...     _ = engine.execute(f"CREATE TABLE {ANSWERS} AS FROM (VALUES {rows}) t({columns})")
    ...     wide = aligned(engine, ["small", "large"], Ask(), "read by hand")
    ...     wide.ask.task, wide.source.rows, wide.notes
    ('correct', 1, ('read by hand',))
    """
    distinct(models, "models")
    existing(ask.models or (), models, "models", "the logs")
    kept = tuple(models) if ask.models is None else distinct(ask.models, "models")
    enough_models(kept, "the logs", kept)
    runs = [list(models).index(model) for model in kept]
    _number_instances(engine, runs)
    _refuse_other_instances(engine, models)
    instances = [row[0] for row in engine.rows("SELECT instance FROM log_instances ORDER BY place")]
    repeats = _repeats(engine, models)
    values, here = _matrix(engine, runs, len(instances), repeats)
    if ask.missing == "raise":
        refuse_unpaired(_gaps(kept, np.asarray(here.any(axis=2)), instances))
    values, notes = _meaned(values, here)
    task = _task(ask, values, repeats)
    wide = _wide(engine, kept, replace(ask, task=task, models=None), instances, values)
    return replace(wide, notes=(what, *notes))


def _number_instances(engine: Engine, runs: Sequence[int]) -> None:
    kept = ", ".join(map(str, runs))
    engine.execute(
        "CREATE OR REPLACE TEMP TABLE log_instances AS SELECT instance, "
        "row_number() OVER (ORDER BY min(nth), instance) - 1 AS "
        f"place, count(DISTINCT fingerprint) AS asked FROM {ANSWERS} WHERE run IN ({kept}) GROUP BY instance"
    )


def _refuse_other_instances(engine: Engine, models: Sequence[str]) -> None:
    """The same id that asks something else is another instance."""
    differing, total = engine.rows("SELECT count(*) FILTER (asked > 1), count(*) FROM log_instances")[0]
    if not differing:
        return
    torn = "FROM log_instances WHERE asked > 1 ORDER BY place LIMIT"
    examples = [row[0] for row in engine.rows(f"SELECT instance {torn} {EXAMPLES}")]
    first, second = engine.rows(
        f"SELECT min(run), arg_max(run, fingerprint <> first) FROM (SELECT run, fingerprint, first_value(fingerprint) "
        f"OVER (ORDER BY run) AS first FROM {ANSWERS} WHERE instance = (SELECT instance {torn} 1))"
    )[0]
    raise UnpairedInstances(
        f"{quoted(models[first])} and {quoted(models[second])} were not asked the same: {counted(differing)} of "
        f"{counted(total, 'instance')} differ in what they hold ({listed(examples)}), so the task or its data changed "
        "between the runs; run both on one version"
    )


def _repeats(engine: Engine, models: Sequence[str]) -> int:
    """How often each instance was asked: the same for all models and instances, or the repeats do not pair."""
    doubled = engine.rows(
        f"SELECT run, instance FROM {ANSWERS} JOIN log_instances USING (instance) GROUP BY run, instance, repeat "
        f"HAVING count(*) > 1 ORDER BY ALL LIMIT {EXAMPLES}"
    )
    if doubled:
        extra = engine.rows(f"SELECT count(*) - count(DISTINCT (run, instance, repeat)) FROM {ANSWERS}")[0][0]
        refuse_duplicates("instance", f"the log of {quoted(models[doubled[0][0]])}", extra, [row[1] for row in doubled])
    return int(engine.rows(f"SELECT max(repeat) FROM {ANSWERS}")[0][0])


def _matrix(engine: Engine, runs: Sequence[int], instances: int, repeats: int) -> tuple[Grades, npt.NDArray[np.bool_]]:
    """Grades and whether there is an answer at all: models × instances × repeats, NaN where a grade is missing."""
    kept = ", ".join(f"({run}, {place})" for place, run in enumerate(runs))
    answer = engine.fetch(
        "SELECT column_place, CAST(i.place AS BIGINT) AS place, CAST(repeat AS BIGINT) AS repeat, value "
        f"FROM {ANSWERS} JOIN log_instances i USING (instance) "
        f"JOIN (VALUES {kept}) AS kept(run, column_place) USING (run)"
    )
    model, place = np.asarray(answer["column_place"]), np.asarray(answer["place"])
    attempt = np.asarray(answer["repeat"]) - 1
    values = np.full((len(runs), instances, repeats), np.nan)
    here = np.zeros(values.shape, dtype=np.bool_)
    found = np.ma.filled(np.ma.asarray(answer["value"], dtype=np.float64), np.nan)
    values[model, place, attempt] = found
    here[model, place, attempt] = True
    return values, here


def _gaps(models: Sequence[str], here: npt.NDArray[np.bool_], instances: Sequence[str]) -> list[str]:
    lacking = []
    for model, row in zip(models, here, strict=True):
        absent = np.flatnonzero(~row)
        if len(absent):
            lacking.append(lacks(quoted(model), len(absent), [instances[place] for place in absent[:EXAMPLES]]))
    return lacking


def _task(ask: Ask, values: Grades, repeats: int) -> str:
    """Right and wrong where every grade is 0 or 1 and every instance was asked once; graded scores otherwise."""
    given = values[~np.isnan(values)]
    binary = bool(np.isin(given, (0.0, 1.0)).all())
    own = "correct" if binary and repeats == 1 else "scores"
    task = own if ask.task == "classification" else ask.task
    if task == "correct" and not binary:
        raise TiebreakError(
            f"task is correct, but a grade is {given[~np.isin(given, (0.0, 1.0))][0]:g}: leave --task out for graded "
            "scores, or choose another metric with --metric"
        )
    if task not in {"correct", "scores"}:
        raise TiebreakError(f"task is {quoted(task)}, but logs hold graded answers: leave it out, or say scores")
    return one_of(task, "task", TASKS)


def _meaned(values: Grades, here: npt.NDArray[np.bool_]) -> tuple[Grades, list[str]]:
    """Where models were asked unequally often, tries do not pair: each instance gets the mean of its own."""
    asked = here.sum(axis=2, keepdims=True)
    if len(set(asked.ravel().tolist()) - {0}) < 2:
        return values, []
    graded = (~np.isnan(values)).sum(axis=2, keepdims=True)
    means = np.where(graded > 0, np.nansum(values, axis=2, keepdims=True) / np.maximum(graded, 1), np.nan)
    return means, ["the models were not asked equally often: every instance counts with the mean of its own tries"]


def _wide(engine: Engine, models: Sequence[str], ask: Ask, instances: Sequence[str], values: Grades) -> Wide:
    repeats = values.shape[2]
    grouped = repeats > 1
    names = np.repeat(np.array(instances, dtype=object), repeats)
    tries = np.tile(np.arange(1, repeats + 1), len(instances))
    ids = np.array([f"{name} #{k}" for name, k in zip(names, tries, strict=True)], dtype=object) if grouped else names
    binary = ask.task == "correct"
    # Whole numbers are grouped faster than floats; what is neither right nor wrong is missing.
    codes = np.where(np.isnan(values), _ABSENT, values).astype(np.int8) if binary else values
    grades = {f"m{place}": np.ascontiguousarray(row.reshape(-1)) for place, row in enumerate(codes)}
    engine.register(_WIDE, {"id": ids, "mark": names} | grades)
    gaps = binary and bool((codes == _ABSENT).any())
    read_back = ", ".join(f"nullif({column}, {_ABSENT}) AS {column}" if gaps else column for column in grades)
    engine.execute(f"CREATE OR REPLACE TEMP TABLE aligned AS SELECT id, mark, {read_back} FROM {_WIDE}", "the logs")
    engine.connection.unregister(_WIDE)
    id_column = next(name for name in ("id", "instance id", "id of the instance") if name not in models)
    group = next(name for name in ("instance", "group", "group of tries") if name not in models) if grouped else None
    read = {id_column: SqlColumn("id", "typed-text")}
    read |= {} if group is None else {group: SqlColumn("mark", "typed-text")}
    written = "typed" if binary else "float"
    read |= {model: SqlColumn(f"m{place}", written) for place, model in enumerate(models)}
    source = SqlSource(engine, "aligned", read, where="the logs")
    return Wide(source, Roles(None, tuple(models), id_column, group=group), replace(ask, group=group))
