"""Several files, or one long one, brought to one row per instance: joined on an id, with every gap counted.

The engine joins under its memory limit and spills. Ids compare as they are; where one file holds them as text, they all
do. A row that one model lacks is a missing prediction, and the caller's policy says what that means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tiebreak._checks import distinct
from tiebreak._format import counted, listed, quoted
from tiebreak.errors import ColumnNotFound, DuplicateId, TiebreakError, UnpairedInstances
from tiebreak.sources.ask import PREDICTION_NAMES, TRUTH_NAMES, Ask, Roles, enough_models
from tiebreak.sources.engine import Engine, text
from tiebreak.sources.files import Table
from tiebreak.sources.reading import read_values
from tiebreak.sources.sql import SqlColumn, SqlSource

ID = "id"


@dataclass(frozen=True, slots=True)
class Part:
    """One file's contribution: its id, its truth if it has one, and its models' prediction columns."""

    table: Table
    id: str
    truth: str | None
    predictions: Mapping[str, str]
    weight: str | None


def joined(engine: Engine, tables: Sequence[tuple[str | None, Table]], ask: Ask) -> tuple[SqlSource, Roles]:
    """Join files on the id, one or more models each; `tables` pairs each with the name before its `=`, if any."""
    parts = [_part(model, table, ask) for model, table in tables]
    models = distinct([model for part in parts for model in part.predictions], "models")
    enough_models(models, listed([part.table.where for part in parts]), models)
    truths = [part for part in parts if part.truth is not None]
    if not truths and not ask.graded:
        raise ColumnNotFound(
            f"no file has a column called {', '.join(TRUTH_NAMES)}: name the true labels with --truth (truth= in Python)"
        )
    as_text = len({_id_class(part) for part in parts}) > 1
    for place, part in enumerate(parts):
        _create_part(engine, place, part, as_text=as_text)
        _refuse_bad_ids(engine, f"part{place}", part.table.where, part.id)
    _create_aligned(engine, parts)
    _refuse_unpaired(engine, parts, ask)
    roles = Roles(truths[0].truth if truths else None, models, parts[0].id, ask.weight)
    columns = {parts[0].id: SqlColumn("id", "typed")}
    if roles.truth is not None:
        columns[roles.truth] = _agreed_truth(engine, parts, ask)
    for place, part in enumerate(parts):
        for model, column in part.predictions.items():
            columns[model] = SqlColumn(_model(place, part, model), part.table.columns[column].written)
    if ask.weight is not None:
        columns[ask.weight] = SqlColumn("weight", _weight_written(parts, ask.weight))
    where = listed([part.table.where for part in parts])
    return SqlSource(engine, "aligned", columns, where=where, weight=ask.weight, na=ask.na), roles


def _model(place: int, part: Part, model: str) -> str:
    """The name of a model's column inside the engine, where no name of the user's can collide with ours."""
    return f"m{place}_{list(part.predictions).index(model)}"


def _weight_written(parts: Sequence[Part], weight: str) -> str:
    for part in parts:
        if part.weight:
            return part.table.columns[weight].written
    raise ColumnNotFound(f"weight names {quoted(weight)}, which is no column of any of the files")


def _part(model: str | None, table: Table, ask: Ask) -> Part:
    columns = list(table.columns)
    id_column = ask.id or (ID if ID in columns else None)
    if id_column is None or id_column not in columns:
        raise ColumnNotFound(
            f"id names {quoted(id_column)}, which is no column of {table.where}: several files are joined on an id that "
            f"each of them has; name it with --id (columns: {listed(columns, 20)})"
            if id_column
            else f"several files are joined on an id, and {table.where} has no column called id: name it with --id "
            f"(columns: {listed(columns, 20)})"
        )
    truth = None if ask.graded else _part_truth(columns, ask)
    weight = ask.weight if ask.weight in columns else None
    others = [column for column in columns if column not in {id_column, truth, weight}]
    return Part(table, id_column, truth, _predictions(model, others, table, ask), weight)


def _part_truth(columns: Sequence[str], ask: Ask) -> str | None:
    if ask.truth is not None:
        return ask.truth if ask.truth in columns else None
    usual = [column for column in columns if column in TRUTH_NAMES]
    return usual[0] if len(usual) == 1 else None


def _predictions(model: str | None, others: Sequence[str], table: Table, ask: Ask) -> dict[str, str]:
    """A file's models: the named columns it has, else one column of predictions under the file's name."""
    if ask.models is not None and model is None:
        named = [column for column in others if column in ask.models]
        if named:
            return {column: column for column in named}
    usual = [column for column in others if column in PREDICTION_NAMES]
    if len(usual) == 1 or len(others) == 1:
        return {model or table.stem: (usual or list(others))[0]}
    raise ColumnNotFound(
        f"{table.where} has no single column of predictions (columns left: {listed(others) or 'none'}): call it "
        f"{', '.join(PREDICTION_NAMES)}, or name the columns with --models"
    )


def _id_class(part: Part) -> str:
    written = part.table.columns[part.id].written
    if written == "float":
        raise TiebreakError(
            f"id {quoted(part.id)} of {part.table.where} holds floating-point numbers: ids must be integers or text; "
            "a column of integers with gaps becomes one, so look for missing ids"
        )
    return "typed" if written == "typed" else "text"


def _id_expression(part: Part, *, as_text: bool) -> str:
    read = part.table.columns[part.id]
    plain = f"({read.expression} ->> '$')" if read.written == "json" else read.expression
    return f"CAST({plain} AS VARCHAR)" if as_text else plain


def _create_part(engine: Engine, place: int, part: Part, *, as_text: bool) -> None:
    columns = part.table.columns
    selected = [f"{_id_expression(part, as_text=as_text)} AS id"]
    if part.truth:
        selected.append(f"{columns[part.truth].expression} AS truth{place}")
    if part.weight:
        selected.append(f"{columns[part.weight].expression} AS weight{place}")
    selected += [f"{columns[column].expression} AS {_model(place, part, m)}" for m, column in part.predictions.items()]
    engine.execute(
        f"CREATE TEMP VIEW part{place} AS SELECT {', '.join(selected)}, true AS here{place} FROM {part.table.relation}",
        part.table.where,
    )


def _refuse_bad_ids(engine: Engine, relation: str, where: str, id_column: str) -> None:
    """Refuse ids that are missing or not unique, with examples."""
    rows, distinct_ids, absent = engine.rows(
        f"SELECT count(*), count(DISTINCT id), count(*) FILTER (id IS NULL) FROM {relation}", where
    )[0]
    if absent:
        raise DuplicateId(
            f"id {quoted(id_column)} is missing in {counted(absent, 'row')} of {where}: every row needs its own"
        )
    if distinct_ids < rows:
        examples = engine.rows(f"SELECT id FROM {relation} GROUP BY 1 HAVING count(*) > 1 ORDER BY 1 LIMIT 3", where)
        refuse_duplicates(id_column, where, rows - distinct_ids, [row[0] for row in examples])


def refuse_duplicates(id_column: str, where: str, extra: int, examples: Sequence[object]) -> None:
    """Raise the error for repeated ids.

    Examples
    --------
    >>> refuse_duplicates("row", "preds.csv", 2, [7, 9])
    Traceback (most recent call last):
    tiebreak.errors.DuplicateId: id 'row' is not unique in preds.csv: 2 rows repeat an id (7, 9); keep one row an instance
    """
    raise DuplicateId(
        f"id {quoted(id_column)} is not unique in {where}: {counted(extra, 'row')} {'repeats' if extra == 1 else 'repeat'} "
        f"an id ({listed(examples)}); keep one row an instance"
    )


def _create_aligned(engine: Engine, parts: Sequence[Part]) -> None:
    source = "part0"
    for place in range(1, len(parts)):
        source += f" FULL JOIN part{place} USING (id)"
    truths = [f"truth{place}" for place, part in enumerate(parts) if part.truth]
    weights = [f"weight{place}" for place, part in enumerate(parts) if part.weight]
    models = [_model(place, part, model) for place, part in enumerate(parts) for model in part.predictions]
    columns = ["id", *truths, *models, *(f"here{place}" for place in range(len(parts)))]
    if weights:
        columns.append(f"coalesce({', '.join(weights)}) AS weight")
    engine.execute(f"CREATE TEMP TABLE aligned AS SELECT {', '.join(columns)} FROM {source}", "the joined files")


def _refuse_unpaired(engine: Engine, parts: Sequence[Part], ask: Ask) -> None:
    if ask.missing != "raise":
        return
    lacking = []
    for place, part in enumerate(parts):
        count = engine.rows(f"SELECT count(*) FROM aligned WHERE here{place} IS NULL")[0][0]
        if count:
            examples = engine.rows(f"SELECT id FROM aligned WHERE here{place} IS NULL ORDER BY 1 LIMIT 3")
            lacking.append(f"{part.table.where} lacks {counted(count, 'id')} ({listed([row[0] for row in examples])})")
    if lacking:
        refuse_unpaired(lacking)


def refuse_unpaired(lacking: Sequence[str]) -> None:
    """Raise the error for ids that some model has no row for.

    Examples
    --------
    >>> refuse_unpaired(["b.csv lacks 1 id (17)"])
    Traceback (most recent call last):
    tiebreak.errors.UnpairedInstances: not every model has every instance: b.csv lacks 1 id (17); compare the common ones with --missing drop, or count what is missing as wrong with --missing wrong
    """
    raise UnpairedInstances(
        f"not every model has every instance: {'; '.join(lacking)}; compare the common ones with --missing drop, or "
        "count what is missing as wrong with --missing wrong"
    )


def _agreed_truth(engine: Engine, parts: Sequence[Part], ask: Ask) -> SqlColumn:
    """One truth from all files that have one; where two have it for an instance, they must agree."""
    holders = [(place, part) for place, part in enumerate(parts) if part.truth is not None]
    first, part = holders[0]
    for place, other in holders[1:]:
        _refuse_disagreement(engine, (first, part), (place, other), ask)
    written = {part.table.columns[str(part.truth)].written for _, part in holders}
    columns = [f"truth{place}" for place, _ in holders]
    if len(written) == 1:
        return SqlColumn(f"coalesce({', '.join(columns)})", written.pop())
    return SqlColumn(f"coalesce({', '.join(f'CAST({column} AS VARCHAR)' for column in columns)})", "text")


def _refuse_disagreement(engine: Engine, one: tuple[int, Part], two: tuple[int, Part], ask: Ask) -> None:
    (place, first), (other, second) = one, two
    columns = {
        f"truth{place}": SqlColumn(f"truth{place}", first.table.columns[str(first.truth)].written),
        f"truth{other}": SqlColumn(f"truth{other}", second.table.columns[str(second.truth)].written),
    }
    both = SqlSource(engine, f"(SELECT * FROM aligned WHERE here{place} AND here{other})", columns, na=ask.na)
    part = both.count(list(columns))
    raw = dict(zip(part.names, part.values, strict=True))
    codes = read_values(raw, both.read(raw), Ask(), Roles(None, ())).of(part)
    differing = int(part.mass.counts[codes[0] != codes[1]].sum())
    if differing:
        raise UnpairedInstances(
            f"{first.table.where} and {second.table.where} disagree about the truth of {counted(differing, 'instance')}: "
            "the models were not judged by the same labels; mend one of the files"
        )


def pivoted(engine: Engine, table: Table, ask: Ask, truth: str | None) -> tuple[SqlSource, Roles]:
    """Turn a long layout (one row per instance and model) into one row per instance."""
    model_column, prediction = ask.long or ("", "")
    id_column = ask.id or (ID if ID in table.columns else None)
    if id_column is None:
        raise ColumnNotFound(f"a long layout needs the id of the instance: name it with --id ({table.where} has no id)")
    columns = table.columns
    view = [f"{columns[id_column].expression} AS id", f"{_plain(columns[model_column])} AS model"]
    view.append(f"{columns[prediction].expression} AS prediction")
    view += [f"{columns[truth].expression} AS truth"] if truth else []
    view += [f"{columns[ask.weight].expression} AS weight"] if ask.weight else []
    engine.execute(f"CREATE TEMP VIEW long AS SELECT {', '.join(view)} FROM {table.relation}", table.where)
    found = [row[0] for row in engine.rows("SELECT DISTINCT model FROM long ORDER BY 1", table.where)]
    if None in found:
        raise TiebreakError(
            f"column {quoted(model_column)} of {table.where} is missing in some rows: name the model in each"
        )
    models = distinct(ask.models, "models") if ask.models else tuple(str(model) for model in found)
    unknown = [model for model in models if model not in found]
    if unknown:
        raise ColumnNotFound(
            f"models names {quoted(unknown[0])}, which {table.where} does not hold: it has {listed(found, 20)}"
        )
    enough_models(models, table.where, found)
    _refuse_repeated(engine, table.where, id_column)
    _create_pivot(engine, models, truth, ask)
    _refuse_gaps(engine, models, ask)
    read = {id_column: SqlColumn("id", columns[id_column].written)}
    read |= {model: SqlColumn(f"m{place}", columns[prediction].written) for place, model in enumerate(models)}
    read |= {truth: SqlColumn("truth", columns[truth].written)} if truth else {}
    read |= {ask.weight: SqlColumn("weight", columns[ask.weight].written)} if ask.weight else {}
    source = SqlSource(engine, "aligned", read, where=table.where, weight=ask.weight, na=ask.na)
    return source, Roles(truth, models, id_column, ask.weight)


def _plain(read: SqlColumn) -> str:
    return f"({read.expression} ->> '$')" if read.written == "json" else f"CAST({read.expression} AS VARCHAR)"


def _refuse_repeated(engine: Engine, where: str, id_column: str) -> None:
    extra = engine.rows("SELECT count(*) - count(DISTINCT (id, model)), count(*) FILTER (id IS NULL) FROM long", where)[
        0
    ]
    if extra[1]:
        raise DuplicateId(
            f"id {quoted(id_column)} is missing in {counted(extra[1], 'row')} of {where}: every row needs its own"
        )
    if extra[0]:
        examples = engine.rows(
            "SELECT id, model FROM long GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL LIMIT 3", where
        )
        refuse_duplicates(id_column, where, extra[0], [f"{row[0]} of {row[1]}" for row in examples])


def _create_pivot(engine: Engine, models: Sequence[str], truth: str | None, ask: Ask) -> None:
    columns = ["id"]
    if truth:
        columns += ["any_value(truth) AS truth", "count(DISTINCT truth) AS truths"]
    if ask.weight:
        columns.append("any_value(weight) AS weight")
    for place, model in enumerate(models):
        columns.append(f"any_value(prediction) FILTER (model = {text(model)}) AS m{place}")
        columns.append(f"bool_or(model = {text(model)}) AS here{place}")
    named = ", ".join(map(text, models))
    engine.execute(
        f"CREATE TEMP TABLE aligned AS SELECT {', '.join(columns)} FROM long WHERE model IN ({named}) GROUP BY id"
    )
    if truth:
        torn = engine.rows("SELECT count(*) FROM aligned WHERE truths > 1")[0][0]
        if torn:
            raise UnpairedInstances(
                f"truth {quoted(truth)} differs between the rows of {counted(torn, 'instance')}: an instance has one true label"
            )


def _refuse_gaps(engine: Engine, models: Sequence[str], ask: Ask) -> None:
    if ask.missing != "raise":
        return
    lacking = []
    for place, model in enumerate(models):
        count = engine.rows(f"SELECT count(*) FROM aligned WHERE NOT here{place}")[0][0]
        if count:
            examples = engine.rows(f"SELECT id FROM aligned WHERE NOT here{place} ORDER BY 1 LIMIT 3")
            lacking.append(f"{quoted(model)} lacks {counted(count, 'id')} ({listed([row[0] for row in examples])})")
    if lacking:
        refuse_unpaired(lacking)


def check_unique_id(engine: Engine, table: Table, id_column: str) -> None:
    """Refuse repeated ids in a single wide file: they would count an instance twice."""
    read = table.columns[id_column]
    relation = f"(SELECT {read.expression} AS id FROM {table.relation})"
    _refuse_bad_ids(engine, relation, table.where, id_column)
