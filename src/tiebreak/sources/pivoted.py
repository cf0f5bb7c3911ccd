"""A long file, one row per instance and model, brought to one row per instance by the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tiebreak._format import quoted
from tiebreak.sources.ask import Ask, Roles, refuse_shared_column
from tiebreak.sources.engine import Engine, text
from tiebreak.sources.files import Table
from tiebreak.sources.joined import gaps
from tiebreak.sources.pairing import (
    EXAMPLES,
    id_of,
    long_models,
    refuse_duplicates,
    refuse_missing_id,
    refuse_torn,
    refuse_unpaired,
)
from tiebreak.sources.sql import Beside, SqlColumn, SqlSource

LONG_NEEDS_ID = "a long layout has several rows an instance, which only an id can bring together"


def pivoted(engine: Engine, table: Table, ask: Ask, truth: str | None) -> tuple[SqlSource, Roles]:
    """Turn a long layout (one row per instance and model) into one row per instance.

    Examples
    --------
    >>> from tiebreak.sources.sql import described
    >>> rows = "(SELECT 1 AS id, unnest(['a', 'b']) AS m, 0 AS p, 0 AS y)"
    >>> with Engine() as engine:
    ...     table = Table(rows, described(engine, rows, "long.csv"), "long.csv", "long")
    ...     source, roles = pivoted(engine, table, Ask(long=("m", "p")), "y")
    ...     roles.keys, source.rows
    (('y', 'a', 'b'), 1)
    """
    model_column, prediction = ask.long or ("", "")
    id_column = id_of(ask, list(table.columns), table.where, LONG_NEEDS_ID)
    refuse_shared_column(ask, truth, id_column)
    columns = table.columns
    taken = {id_column, model_column, prediction, truth, ask.weight, ask.group, *ask.by, *table.nameless}
    others = [column for column in columns if column not in taken]
    view = [f"{columns[id_column].expression} AS id", f"{columns[model_column].as_text} AS model"]
    view.append(f"{columns[prediction].expression} AS prediction")
    view += [f"{columns[truth].expression} AS truth"] if truth else []
    view += [f"{columns[ask.weight].expression} AS weight"] if ask.weight else []
    view += [f"{columns[ask.group].expression} AS mark"] if ask.group else []
    view += [f"{columns[column].expression} AS slice{k}" for k, column in enumerate(ask.by)]
    view += [f"{columns[column].expression} AS x{k}" for k, column in enumerate(others)]
    engine.execute(f"CREATE TEMP VIEW long AS SELECT {', '.join(view)} FROM {table.relation}", table.where)
    found = [row[0] for row in engine.rows("SELECT DISTINCT model FROM long ORDER BY 1", table.where)]
    models = long_models(ask, found, table.where, list(columns))
    _refuse_repeated(engine, table.where, id_column)
    _create_pivot(engine, models, truth, ask)
    _refuse_gaps(engine, models, ask)
    read = {id_column: SqlColumn("id", columns[id_column].written)}
    read |= {model: SqlColumn(f"m{place}", columns[prediction].written) for place, model in enumerate(models)}
    read |= {truth: SqlColumn("truth", columns[truth].written)} if truth else {}
    read |= {ask.weight: SqlColumn("weight", columns[ask.weight].written)} if ask.weight else {}
    read |= {ask.group: SqlColumn("mark", columns[ask.group].written)} if ask.group else {}
    read |= {column: SqlColumn(f"slice{k}", columns[column].written) for k, column in enumerate(ask.by)}
    facts: dict[str, Any] = {"weight": ask.weight, "na": ask.na, "labels": ask.labels}
    facts |= {"beside": lambda: _beside(engine, table, {c: columns[c] for c in others}, models, read)}
    source = SqlSource(engine, "aligned", read, where=table.where, **facts)
    return source, Roles(truth, models, id_column, ask.weight, group=ask.group)


def _beside(
    engine: Engine, table: Table, others: Mapping[str, SqlColumn], models: Sequence[str], read: Mapping[str, SqlColumn]
) -> Beside:
    """The columns that nobody counts and that are the same in all rows of an instance, for showing rows."""
    if not others:
        return Beside("", {})
    named = ", ".join(map(text, models))
    ends = (f"min(CAST(x{k} AS VARCHAR)) AS l{k}, max(CAST(x{k} AS VARCHAR)) AS h{k}" for k in range(len(others)))
    spread = f"(SELECT {', '.join(ends)} FROM long WHERE model IN ({named}) GROUP BY id)"
    alike = ", ".join(f"bool_and(l{k} IS NOT DISTINCT FROM h{k})" for k in range(len(others)))
    constant = engine.rows(f"SELECT {alike} FROM {spread}", table.where)[0]
    kept = {column: k for k, (column, one) in enumerate(zip(others, constant, strict=True)) if one}
    if not kept:
        return Beside("", {})
    values = ", ".join(f"any_value(x{k}) AS x{k}" for k in kept.values())
    rows = f"SELECT id, {values} FROM long WHERE model IN ({named}) AND id IN (SELECT id FROM page) GROUP BY id"
    found = {
        column if column not in read else f"{table.stem}.{column}": SqlColumn(f"x{k}", others[column].written)
        for column, k in kept.items()
    }
    return Beside(f"LEFT JOIN ({rows}) AS beside USING (id)", found)


def _refuse_repeated(engine: Engine, where: str, id_column: str) -> None:
    extra = engine.rows("SELECT count(*) - count(DISTINCT (id, model)), count(*) FILTER (id IS NULL) FROM long", where)[
        0
    ]
    if extra[1]:
        refuse_missing_id(id_column, where, extra[1])
    if extra[0]:
        repeated = f"SELECT id, model FROM long GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL LIMIT {EXAMPLES}"
        examples = [f"{row[0]} of {row[1]}" for row in engine.rows(repeated, where)]
        refuse_duplicates(id_column, where, extra[0], examples)


def _create_pivot(engine: Engine, models: Sequence[str], truth: str | None, ask: Ask) -> None:
    facts = {"truth": truth, "weight": ask.weight, "mark": ask.group}
    facts |= {f"slice{k}": column for k, column in enumerate(ask.by)}
    columns = ["id"]
    for fact, given in facts.items():
        columns += [f"any_value({fact}) AS {fact}", f"count(DISTINCT {fact}) AS {fact}s"] if given else []
    for place, model in enumerate(models):
        columns.append(f"any_value(prediction) FILTER (model = {text(model)}) AS m{place}")
        columns.append(f"bool_or(model = {text(model)}) AS here{place}")
    named = ", ".join(map(text, models))
    engine.execute(
        f"CREATE TEMP TABLE aligned AS SELECT {', '.join(columns)} FROM long WHERE model IN ({named}) GROUP BY id"
    )
    for fact, given in facts.items():
        if given:
            torn = engine.rows(f"SELECT count(*) FROM aligned WHERE {fact}s > 1")[0][0]
            refuse_torn({"mark": "group", "truth": "truth", "weight": "weight"}.get(fact, "column"), given, torn)


def _refuse_gaps(engine: Engine, models: Sequence[str], ask: Ask) -> None:
    if ask.missing == "raise":
        refuse_unpaired(gaps(engine, {quoted(model): f"NOT here{place}" for place, model in enumerate(models)}))
