"""Several files brought to one row per instance: joined on an id, with every gap counted.

The engine joins under its memory limit and spills. Ids compare as they are; where one file holds them as text, they all
do. A row that one model lacks is a missing prediction, and the caller's policy says what that means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tiebreak._checks import distinct, existing
from tiebreak._format import counted, listed, quoted
from tiebreak.errors import ColumnNotFound, MissingPredictions, TiebreakError, UnpairedInstances
from tiebreak.sources.ask import PREDICTION_NAMES, TRUTH_NAMES, Ask, Guess, Roles, enough_models, refuse_shared_column
from tiebreak.sources.engine import Engine
from tiebreak.sources.files import Table
from tiebreak.sources.pairing import EXAMPLES, id_of, lacks, refuse_duplicates, refuse_missing_id, refuse_unpaired
from tiebreak.sources.reading import read_values
from tiebreak.sources.sql import Beside, Runner, SqlColumn, SqlSource


@dataclass(frozen=True, slots=True)
class Part:
    """One file's contribution: its id, its truth if it has one, its models' prediction columns, and what is left.

    Examples
    --------
    >>> Part(Table("rows", {}, "a.csv", "a"), "id", "y", {"a": "y_pred"}, None, None).predictions
    {'a': 'y_pred'}
    """

    table: Table
    id: str
    truth: str | None
    predictions: Mapping[str, str]
    weight: str | None
    group: str | None
    by: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    guessed: bool = False


def joined(engine: Engine, tables: Sequence[tuple[str | None, Table]], ask: Ask) -> tuple[SqlSource, Roles]:
    r"""Join files on the id, one or more models each; `tables` pairs each with the name before its `=`, if any.

    Examples
    --------
    >>> from tiebreak.sources.files import open_table
    >>> from tempfile import TemporaryDirectory
    >>> from pathlib import Path
    >>> with TemporaryDirectory() as folder, Engine() as engine:
    ...     _ = [Path(folder, f"{m}.csv").write_text("id,y_true,y_pred\n1,a,a\n") for m in ("p", "q")]
    ...     source, roles = joined(engine, [(None, open_table(engine, f"{folder}/{m}.csv")) for m in ("p", "q")], Ask())
    ...     roles.keys
    ('y_true', 'p', 'q')
    """
    parts = [_part(model, table, ask) for model, table in tables]
    found = distinct([model for part in parts for model in part.predictions], "models")
    existing(ask.models or (), found, "models", "the files")
    models = found if ask.models is None else distinct(ask.models, "models")
    every = list(dict.fromkeys(column for part in parts for column in part.table.columns))
    enough_models(models, listed([part.table.where for part in parts]), every)
    truths = [part for part in parts if part.truth is not None]
    if not truths and not ask.graded and not (ask.clustered and ask.truth is None):
        usual = ", ".join(TRUTH_NAMES)
        raise ColumnNotFound(
            f"no file has a column called {usual}: name the true labels with --truth (truth= in Python)"
        )
    for place, part in enumerate(parts):
        _create_part(engine, place, part, ask, _id_of_part(parts, part))
        refuse_bad_ids(engine, f"part{place}", part.table.where, part.id)
    _create_aligned(engine, parts, ask)
    _refuse_unpaired(engine, parts, ask)
    guessed = {
        model: _guess(part, column) for part in parts if part.guessed for model, column in part.predictions.items()
    }
    truth = truths[0].truth if truths else None
    roles = Roles(truth, models, parts[0].id, ask.weight, guessed=guessed, group=ask.group)
    columns = {parts[0].id: SqlColumn("id", "typed")}
    if roles.truth is not None:
        columns[roles.truth] = _agreed_truth(engine, parts, ask)
    for place, part in enumerate(parts):
        for model, column in part.predictions.items():
            columns[model] = SqlColumn(_model(place, part, model), part.table.columns[column].written)
    if ask.weight is not None:
        columns[ask.weight] = SqlColumn("weight", "text")
        _refuse_two_weights(engine, parts, ask.weight)
    if ask.group is not None:
        columns[ask.group] = SqlColumn("mark", "typed-text")
        _refuse_two(engine, "group", ask.group, [f"mark{place}" for place, part in enumerate(parts) if part.group])
    for k, column in enumerate(ask.by):
        columns[column] = SqlColumn(f"slice{k}", "text")
        _refuse_two(
            engine, "by", column, [f"slice{k}_{place}" for place, part in enumerate(parts) if column in part.by]
        )
    where = listed([part.table.where for part in parts])
    source = SqlSource(
        engine, "aligned", columns, where=where, weight=ask.weight, na=ask.na, labels=ask.labels,
        beside=lambda: _beside(parts, columns),
    )  # fmt: skip
    return source, roles


def _guess(part: Part, column: str) -> Guess:
    usual = f"call the column of predictions {', '.join(PREDICTION_NAMES)}"
    return Guess(column, f"in {part.table.where} {usual}, or name this one with --weight or another option")


def _beside(parts: Sequence[Part], columns: Mapping[str, SqlColumn]) -> Beside:
    """The columns that nobody counts, each from the first file that has it, for showing rows."""
    joins, found = [], {}
    for place, part in enumerate(parts):
        selected = [f"{part.table.columns[column].expression} AS x{k}" for k, column in enumerate(part.others)]
        if selected:
            rows = f"SELECT {_id_of_part(parts, part)} AS id, {', '.join(selected)} FROM {part.table.relation}"
            joins.append(
                f"LEFT JOIN (SELECT * FROM ({rows}) WHERE id IN (SELECT id FROM page)) AS beside{place} USING (id)"
            )
    holders: dict[str, list[tuple[int, str]]] = {}
    for place, part in enumerate(parts):
        for k, column in enumerate(part.others):
            holders.setdefault(column, []).append((place, f"beside{place}.x{k}"))
    for column, held in holders.items():
        first = parts[held[0][0]]
        written = first.table.columns[column].written
        alike = [(k, x) for k, x in held if parts[k].table.columns[column].written == written]
        cases = " ".join(f"WHEN here{place} THEN {x}" for place, x in alike)
        name = column if column not in columns else f"{next(iter(first.predictions))}.{column}"
        found[name] = SqlColumn(f"CASE {cases} END", written)
    return Beside(" ".join(joins), found)


def _model(place: int, part: Part, model: str) -> str:
    """The name of a model's column inside the engine, where no name of the user's can collide with ours."""
    return f"m{place}_{list(part.predictions).index(model)}"


def _refuse_two_weights(engine: Engine, parts: Sequence[Part], weight: str) -> None:
    """One weight an instance: where several files hold it, they must agree."""
    holders = [place for place, part in enumerate(parts) if part.weight]
    if not holders:
        raise ColumnNotFound(f"weight names {quoted(weight)}, which is no column of any of the files")
    first, *others = (f"TRY_CAST(weight{place} AS DOUBLE)" for place in holders)
    for other in others:
        torn = engine.rows(f"SELECT count(*) FROM aligned WHERE {first} <> {other}")[0][0]
        if torn:
            raise UnpairedInstances(
                f"the files disagree about the weight {quoted(weight)} of {counted(torn, 'instance')}: mend one of them"
            )


def _refuse_two(engine: Engine, argument: str, column: str, holders: Sequence[str]) -> None:
    """One group, and one slice of a column, an instance: where several files hold it, they must agree."""
    if not holders:
        raise ColumnNotFound(f"{argument} names {quoted(column)}, which is no column of any of the files")
    for other in holders[1:]:
        torn = engine.rows(f"SELECT count(*) FROM aligned WHERE {holders[0]} <> {other}")[0][0]
        if torn:
            what = "group" if argument == "group" else "column"
            raise UnpairedInstances(
                f"the files disagree about the {what} {quoted(column)} of {counted(torn, 'instance')}: mend one of them"
            )


def _part(model: str | None, table: Table, ask: Ask) -> Part:
    columns = list(table.columns)
    id_column = id_of(ask, columns, table.where, "several files are joined on an id that each of them has")
    truth = None if ask.graded else _part_truth(columns, ask)
    weight, group = (fact if fact in columns else None for fact in (ask.weight, ask.group))
    by = tuple(column for column in ask.by if column in columns)
    refuse_shared_column(ask, truth, id_column)
    taken = {id_column, truth, weight, group, *by}
    left = [column for column in columns if column not in taken and column not in table.nameless]
    predictions = _predictions(model, left, table, ask)
    others = tuple(column for column in left if column not in predictions.values())
    named = set(PREDICTION_NAMES) | set(ask.models or () if model is None else ())
    guessed = not named.issuperset(predictions.values())
    return Part(table, id_column, truth, predictions, weight, group, by, others, guessed)


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
    return read.as_text if as_text or read.written == "json" else read.expression


def _id_of_part(parts: Sequence[Part], part: Part) -> str:
    return _id_expression(part, as_text=len({_id_class(other) for other in parts}) > 1)


def _create_part(engine: Engine, place: int, part: Part, ask: Ask, id_expression: str) -> None:
    columns = part.table.columns
    selected = [f"{id_expression} AS id"]
    if part.truth:
        selected.append(f"{columns[part.truth].expression} AS truth{place}")
    if part.weight:
        selected.append(f"{columns[part.weight].as_text} AS weight{place}")
    if part.group:
        selected.append(f"{columns[part.group].as_text} AS mark{place}")
    slices = ((k, column) for k, column in enumerate(ask.by) if column in part.by)
    selected += [f"{columns[column].as_text} AS slice{k}_{place}" for k, column in slices]
    selected += [f"{columns[column].expression} AS {_model(place, part, m)}" for m, column in part.predictions.items()]
    engine.execute(
        f"CREATE TEMP VIEW part{place} AS SELECT {', '.join(selected)}, true AS here{place} FROM {part.table.relation}",
        part.table.where,
    )


def refuse_bad_ids(runner: Runner, relation: str, where: str, id_column: str) -> None:
    """Refuse ids that are missing or not unique, with examples.

    Ids that rise from row to row, as most do, are unique: one pass sees that and needs no memory. Others are counted.

    Examples
    --------
    >>> with Engine() as engine:
    ...     refuse_bad_ids(engine, "(SELECT 1 AS id)", "a.csv", "row")
    """
    risen = f"SELECT id, lag(id) OVER () AS before FROM {relation}"
    not_rising, absent = runner.rows(
        f"SELECT count(*) FILTER (id <= before), count(*) FILTER (id IS NULL) FROM ({risen})", where
    )[0]
    if absent:
        refuse_missing_id(id_column, where, absent)
    if not not_rising:
        return
    repeated = f"SELECT id, count(*) AS n FROM {relation} GROUP BY 1 HAVING count(*) > 1"
    extra = runner.rows(f"SELECT sum(n) - count(*) FROM ({repeated})", where)[0][0]
    if extra:
        examples = [row[0] for row in runner.rows(f"{repeated} ORDER BY 1 LIMIT {EXAMPLES}", where)]
        refuse_duplicates(id_column, where, int(extra), examples)


def _create_aligned(engine: Engine, parts: Sequence[Part], ask: Ask) -> None:
    source = "part0"
    for place in range(1, len(parts)):
        source += f" FULL JOIN part{place} USING (id)"
    truths = [f"truth{place}" for place, part in enumerate(parts) if part.truth]
    weights = [f"weight{place}" for place, part in enumerate(parts) if part.weight]
    marks = [f"mark{place}" for place, part in enumerate(parts) if part.group]
    models = [_model(place, part, model) for place, part in enumerate(parts) for model in part.predictions]
    columns = ["id", *truths, *models, *(f"here{place}" for place in range(len(parts)))]
    if weights:
        # A row that will be dropped needs no weight.
        spare = ", '0'" if ask.missing == "drop" else ""
        columns += [*weights, f"coalesce({', '.join(weights)}{spare}) AS weight"]
    if marks:
        columns += [*marks, f"coalesce({', '.join(marks)}) AS mark"]
    for k, column in enumerate(ask.by):
        held = [f"slice{k}_{place}" for place, part in enumerate(parts) if column in part.by]
        columns += [*held, f"coalesce({', '.join(held)}) AS slice{k}"] if held else []
    engine.execute(f"CREATE TEMP TABLE aligned AS SELECT {', '.join(columns)} FROM {source}", "the joined files")


def _refuse_unpaired(engine: Engine, parts: Sequence[Part], ask: Ask) -> None:
    if ask.missing == "raise":
        absent = {part.table.where: f"here{place} IS NULL" for place, part in enumerate(parts)}
        refuse_unpaired(gaps(engine, absent))
    if ask.missing == "wrong":
        _refuse_truthless(engine, parts)


def _refuse_truthless(engine: Engine, parts: Sequence[Part]) -> None:
    """Refuse ids that only files without a truth have; left out by the policy "drop", they do no harm."""
    holders = [place for place, part in enumerate(parts) if part.truth is not None]
    if not 0 < len(holders) < len(parts):
        return
    absent = " AND ".join(f"here{place} IS NULL" for place in holders)
    count = engine.rows(f"SELECT count(*) FROM aligned WHERE {absent}")[0][0]
    if count:
        who = listed([parts[place].table.where for place in holders])
        truth = quoted(parts[holders[0]].truth)
        raise MissingPredictions(
            f"truth {truth} is missing in {counted(count, 'row')}: {gaps(engine, {who: absent})[0]} that other files "
            "have, and an instance without a true label cannot be judged; add them there, or use --missing drop"
        )


def gaps(engine: Engine, absent: Mapping[str, str]) -> list[str]:
    """Return who lacks how many ids of the aligned table; `absent` maps each name to the condition of its absence.

    Examples
    --------
    >>> with Engine() as engine:
    ...     _ = engine.execute("CREATE TEMP TABLE aligned AS SELECT 7 AS id, NULL AS here0")
    ...     gaps(engine, {"a.csv": "here0 IS NULL"})
    ['a.csv lacks 1 id (7)']
    """
    lacking = []
    for what, condition in absent.items():
        count = engine.rows(f"SELECT count(*) FROM aligned WHERE {condition}")[0][0]
        if count:
            examples = engine.rows(f"SELECT id FROM aligned WHERE {condition} ORDER BY 1 LIMIT {EXAMPLES}")
            lacking.append(lacks(what, count, [row[0] for row in examples]))
    return lacking


def _agreed_truth(engine: Engine, parts: Sequence[Part], ask: Ask) -> SqlColumn:
    """One truth from all files that have one; where two have it for an instance, they must agree."""
    holders = [(place, part) for place, part in enumerate(parts) if part.truth is not None]
    first, part = holders[0]
    for place, other in holders[1:]:
        _refuse_disagreement(engine, (first, part), (place, other), ask)
    written = {part.table.columns[str(part.truth)].written for _, part in holders}
    if len(written) == 1:
        return SqlColumn(f"coalesce({', '.join(f'truth{place}' for place, _ in holders)})", written.pop())
    texts = [SqlColumn(f"truth{k}", part.table.columns[str(part.truth)].written).as_text for k, part in holders]
    return SqlColumn(f"coalesce({', '.join(texts)})", "text")


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
        both_of_them = f"{first.table.where} and {second.table.where}"
        raise UnpairedInstances(
            f"{both_of_them} disagree about the truth of {counted(differing, 'instance')}: "
            "the models were not judged by the same labels; mend one of the files"
        )


def check_unique_id(engine: Engine, table: Table, id_column: str) -> None:
    """Refuse repeated ids in a single wide file: they would count an instance twice.

    Examples
    --------
    >>> with Engine() as engine:
    ...     check_unique_id(engine, Table("(SELECT 1 AS row)", {"row": SqlColumn("row", "typed")}, "a.csv", "a"), "row")
    """
    read = table.columns[id_column]
    relation = f"(SELECT {read.expression} AS id FROM {table.relation})"
    refuse_bad_ids(engine, relation, table.where, id_column)
