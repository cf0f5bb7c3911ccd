"""Whatever the user has, opened: arrays, frames, relations and files become one source and its roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from tiebreak._checks import distinct, existing
from tiebreak._format import counted as spelled
from tiebreak._format import listed, quoted, visible
from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.sources.arguments import as_files
from tiebreak.sources.ask import Ask, Roles, enough_models, existing_facts, roles_of, truth_if_any
from tiebreak.sources.clusters import CountedClusters, counted_clusters, refuse_weighted_pairs
from tiebreak.sources.collected import schema_of
from tiebreak.sources.engine import Engine, Limits
from tiebreak.sources.engine import name as sql_name
from tiebreak.sources.files import Table, open_table
from tiebreak.sources.frames import FrameSource
from tiebreak.sources.gaps import instances_by_gap
from tiebreak.sources.joined import check_unique_id, joined, refuse_bad_ids
from tiebreak.sources.labels import is_missing, plain
from tiebreak.sources.loaded import wide_in_memory
from tiebreak.sources.logs import Log, aside, logs_among, read_logs
from tiebreak.sources.long_frames import check_unique, widened
from tiebreak.sources.losses import COLLECT_BYTES, losses_of
from tiebreak.sources.memory import MemorySource
from tiebreak.sources.notes import notes_of
from tiebreak.sources.numbers import AnyNumbers, NumbersInMemory
from tiebreak.sources.pairing import EXAMPLES, id_of, refuse_duplicates, refuse_missing_id
from tiebreak.sources.pivoted import LONG_NEEDS_ID, pivoted
from tiebreak.sources.plan import Counted, counted
from tiebreak.sources.ranked import Ranked, ranked_rows
from tiebreak.sources.rows import WINNERS, Cell, Instances
from tiebreak.sources.sql import Borrowed, SqlSource, described
from tiebreak.sources.summed import sums_of
from tiebreak.sources.tallies import added, policy_of, read_tally, refuse_options, tally_files
from tiebreak.sources.tallying import tally_of_outcomes
from tiebreak.sources.vectors import Text, Vector, check_order, vector_of
from tiebreak.tables import CrossTable, Losses, LossSums, Partitions, Tally

AnySource = MemorySource | FrameSource | SqlSource

NO_LABELS = "these are numbers, which are averaged and not counted: a tolerance makes right and wrong of them"


@dataclass(frozen=True, eq=False)
class Opened:
    """A source that is open, what its columns are for, and the engine that holds it if there is one.

    Numbers of more than `collect_bytes` in files and lazy frames are added up where they are. `read_notes` is what
    the reader of the rows has to say about them.

    Examples
    --------
    >>> rows = opened(["a", "b"], {"knn": ["a", "a"], "tree": ["b", "b"]}, Ask())
    >>> rows.tally.n, rows.notes, rows.instances("knn", "tree", "right_wrong", 5).total
    (2, (), 1)
    """

    source: AnySource | NumbersInMemory
    roles: Roles
    ask: Ask
    engine: Engine | None = None
    collect_bytes: float = COLLECT_BYTES
    read_notes: tuple[str, ...] = ()

    @cached_property
    def counted(self) -> Counted:
        """The rows, counted once."""
        return counted(self._labels, self.ask, self.roles)

    @cached_property
    def losses(self) -> Losses | LossSums:
        """The numbers of the tasks "regression" and "scores", read once; their sums where they are too many to hold."""
        if not self.ask.numeric:
            raise NotDefined(f"task {self.ask.task} compares labels, not numbers: name --task regression or scores")
        source = self._numbers
        if isinstance(source, NumbersInMemory) or (isinstance(source, FrameSource) and source.eager):
            return losses_of(source, self.ask, self.roles)
        large = 8.0 * source.rows * len(self.roles.keys) > self.collect_bytes
        return (sums_of if large else losses_of)(source, self.ask, self.roles)

    @property
    def _numbers(self) -> AnyNumbers:
        if isinstance(self.source, MemorySource):
            raise NotDefined(NO_LABELS)
        return self.source

    @property
    def _labels(self) -> AnySource:
        if isinstance(self.source, NumbersInMemory) or self.ask.numeric:
            raise NotDefined(NO_LABELS)
        return self.source

    @property
    def tally(self) -> Tally:
        """The counted table."""
        return self.counted.tally

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the labels: answers that never meet the truth, numbers read as text."""
        if self.ask.numeric or self.ask.clustered:
            return self.read_notes
        return (*self.read_notes, *notes_of(self._labels, self.counted, self.roles))

    def pair(self, primary: str, alternative: str) -> Tally:
        """Count the joint outcomes of two models alone, where the tally of all models does not hold them."""
        pair = replace(self.roles, models=(primary, alternative), guessed={})
        # Instances that the policy leaves out are left out for every model, not for these two only.
        ask = self.ask if self.ask.missing != "drop" else replace(self.ask, missing="wrong")
        complete = self.roles.models if self.ask.missing == "drop" else ()
        part = self._labels.count(pair.keys, complete=complete)
        return tally_of_outcomes(part, ask, pair, self.counted.reading, self.source.where)

    def by_weight(self) -> Tally:
        """Count weighted rows once more, unweighted and with the weight as their group: what a bootstrap resamples."""
        name = self.roles.weight or "sample_weight"
        roles = replace(self.roles, weight=None, group=name)
        return counted(self._labels.weight_as_key(name), self.ask, roles).tally

    def instances(
        self, primary: str, alternative: str, cell: str | None, limit: int | None, only: tuple[str, ...] | None = None
    ) -> Instances:
        """Go back to the rows for one cell of one pair; of numbers all rows, or those that one of them wins.

        `only` names the ids to keep.
        """
        roles = self.roles
        if only is not None and roles.id is None:
            raise TiebreakError("id is not named, and instances are asked for by their id: name its column with --id")
        facts = (roles.truth, roles.id, roles.models, self.ask.missing)
        if not self.ask.numeric:
            wanted = Cell(primary, alternative, cell or "", *facts, only=only)
            return self._labels.instances(wanted, self.counted.reading, limit)
        if only is not None:
            raise NotDefined("numbers are not right or wrong, so no instance passes or fails: leave the ids out")
        wanted = Cell(primary, alternative, cell or "any", *facts, known=WINNERS)
        return instances_by_gap(self._numbers, wanted, self.ask, roles, limit)

    @cached_property
    def clustered(self) -> CountedClusters:
        """The rows read as clusterings, counted once."""
        return counted_clusters(self._labels, self.ask, self.roles)

    @property
    def partitions(self) -> Partitions:
        """The two-way tables of the clusterings."""
        return self.clustered.partitions

    def clustered_cells(self, primary: str, alternative: str) -> CrossTable:
        """Return the (truth, primary, alternative) cells of one pair of clusterings, with groups if there are any."""
        return self.clustered.cells(self._labels, primary, alternative)

    def ranked(self, cells: CrossTable, worth: npt.NDArray[np.float64], models: Sequence[str], limit: int) -> Ranked:
        """Go back to the rows of the cells that are worth most, `worth` being one number a cell; largest size first."""
        return ranked_rows(self._labels, self.clustered, cells, worth, models, limit)

    def close(self) -> None:
        """Close the engine and remove its temporary files."""
        if self.engine is not None:
            self.engine.close()


_NO_ROWS = "only a tally is left of these rows"


class OpenedTally(Opened):
    """A tally without its rows, read from files or handed over: it can be compared, and nothing else asked of it.

    Examples
    --------
    >>> OpenedTally(Tally.of({("x", "x", "z"): 3}, models=("a", "b")), Ask()).tally.n
    3
    """

    def __init__(self, tally: Tally, ask: Ask) -> None:
        refuse_options(tally, {"task": ask.task, "truth": ask.truth, "group": ask.group, "weight": ask.weight})
        kept = tally if ask.models is None else tally.restrict(distinct(ask.models, "models"))
        enough_models(kept.models, "the tally", kept.models)
        kept = kept if ask.labels is None else kept.reordered(ask.labels)
        object.__setattr__(self, "_tally", kept)
        policy = replace(ask, missing=policy_of(tally))
        super().__init__(None, Roles(kept.truth, kept.models), policy)  # type: ignore[arg-type]

    @property
    def tally(self) -> Tally:
        """The table itself."""
        held: Tally = self._tally  # type: ignore[attr-defined]
        return held

    @property
    def notes(self) -> tuple[str, ...]:
        """Nothing: what the rows were spelled like is gone."""
        return ()

    def pair(self, primary: str, alternative: str) -> Tally:
        """Return the table of two models, as far as it was counted."""
        return self.tally.restrict([primary, alternative])

    def by_weight(self) -> Tally:
        """Refuse: the rows' weights are gone."""
        raise NotDefined(f"{_NO_ROWS}: a bootstrap of weighted instances needs their own weights; compare the rows")

    def instances(
        self,
        primary: str,
        alternative: str,
        cell: str | None,
        limit: int | None,  # noqa: ARG002 as every source has it
        only: tuple[str, ...] | None = None,  # noqa: ARG002
    ) -> Instances:
        """Refuse: the rows are gone."""
        which = visible(cell or "the rows")
        raise NotDefined(
            f"{_NO_ROWS}: to see {which} of {primary} and {alternative}, compare the predictions themselves"
        )


def opened(
    data: Any, predictions: Any, ask: Ask, weights: Any = None, limits: Limits | None = None, groups: Any = None
) -> Opened:
    """Open any data; `predictions` and `groups` are given with arrays only, `weights` with columns in memory only.

    Examples
    --------
    >>> opened([1, 0], {"knn": [1, 1], "tree": [0, 0]}, Ask()).tally.n
    2
    """
    if ask.clustered:
        refuse_weighted_pairs(weighted=weights is not None or ask.weight is not None)
    if predictions is not None:
        return _from_arrays(data, predictions, ask, weights, limits, groups)
    if isinstance(data, Tally):
        return OpenedTally(data, ask)
    files = as_files(data)
    counted_before = _from_counted_files(files, ask, limits)
    if counted_before is not None:
        return counted_before
    frame = None if files else _as_frame(data)
    in_memory = isinstance(data, Mapping) or (isinstance(frame, nw.DataFrame) and frame.implementation.is_pandas_like())
    if files or not in_memory:
        _refuse_values(weights, groups)
    if groups is not None:
        columns = {plain(column): data[column] for column in data}
        name = next(name for name in ("group", "groups", "group_") if name not in columns)
        return opened({**columns, name: groups}, None, replace(ask, group=name), weights, limits)
    return _from_files(files, ask, limits) if files else _from_table(data, frame, ask, weights, limits)


def _refuse_values(weights: Any, groups: Any) -> None:
    """Values beside a table that is not in memory have no place in its rows."""
    for values, argument, what in ((groups, "groups", "group"), (weights, "sample_weight", "weight")):
        if values is not None:
            raise TiebreakError(
                f"{argument} holds values, but the data are a table: give the name of its {what} column"
            )


def _from_table(data: Any, frame: Any, ask: Ask, weights: Any, limits: Limits | None) -> Opened:
    if isinstance(frame, nw.DataFrame | nw.LazyFrame):
        return _from_frame(data, frame, ask, weights)
    if isinstance(data, Mapping):
        distinct([plain(column) for column in data], "the data")
        columns = {plain(column): values for column, values in data.items()}
        roles = roles_of(ask, list(columns), "the data")
        return _in_memory(columns, roles, ask, columns[roles.weight] if roles.weight else weights, limits)
    raise TiebreakError(
        f"data is a {type(data).__name__}: give arrays as compare(y_true, {{'a': …, 'b': …}}), a data frame or a path"
    )


def _from_counted_files(files: Sequence[tuple[str | None, str]], ask: Ask, limits: Limits | None) -> Opened | None:
    """Files that are no plain tables: tallies, and the logs of evaluation harnesses."""
    if not files:
        return None
    if tallies := tally_files(files):
        return OpenedTally(added([(visible(Path(path).name), read_tally(path)) for path in tallies]), ask)
    logs = logs_among(files)
    return _from_logs(logs, aside(files, logs), ask, limits) if logs else None


def _as_frame(data: Any) -> Any:
    """Return the data as a narwhals frame if they are one; a repeated column name would name neither."""
    try:
        return nw.from_native(data, pass_through=True)
    except nw.exceptions.DuplicateError:
        repeated = sorted({str(column) for column in data.columns if list(data.columns).count(column) > 1})
        raise TiebreakError(f"the frame has more than one column called {listed(repeated)}: rename them") from None


def _from_files(files: Sequence[tuple[str | None, str]], ask: Ask, limits: Limits | None) -> Opened:
    engine = Engine(limits)
    try:
        tables = [(model, open_table(engine, path, ask.columns)) for model, path in files]
        _refuse_scattered(ask, several=len(tables) > 1)
        if ask.long is not None and len(tables) > 1:
            raise TiebreakError("long: a long layout is one file, and here are several; give it alone")  # noqa: TRY301
        if len(tables) > 1 or files[0][0] is not None:
            source, roles = joined(engine, tables, ask)
            return _held(source, roles, ask, engine)
        table = tables[0][1]
        if ask.long is not None:
            existing(ask.long, list(table.columns), "long", table.where)
            existing_facts(ask, list(table.columns), table.where)
            truth = truth_if_any(ask, list(table.columns), table.where)
            source, roles = pivoted(engine, table, ask, truth)
            return _held(source, roles, ask, engine)
        roles = _without_nameless(roles_of(ask, list(table.columns), table.where), table)
        if roles.id is not None:
            check_unique_id(engine, table, roles.id)
        facts: Any = {"where": table.where, "weight": roles.weight, "na": ask.na, "labels": ask.labels}
        source = SqlSource(engine, table.relation, table.columns, files=table.files, **facts)
        return _held(source, roles, ask, engine)
    except BaseException:
        engine.close()
        raise


def _held(source: SqlSource, roles: Roles, ask: Ask, engine: Engine) -> Opened:
    """A relation, or the labels of many models in memory."""
    return Opened(source if ask.numeric else wide_in_memory(source, roles), roles, ask, engine)


def _refuse_scattered(ask: Ask, *, several: bool = False) -> None:
    """Probabilities are read beside the truth, row by row, which neither joined files nor a long layout have."""
    if ask.proba and (several or ask.long is not None):
        raise TiebreakError(
            f"proba names {quoted(ask.proba[0].column)}: probabilities are read from one table with a row per "
            "instance; join the files, or pivot the long layout, first"
        )


def _from_logs(logs: Sequence[Log], notes: tuple[str, ...], ask: Ask, limits: Limits | None) -> Opened:
    engine = Engine(limits)
    try:
        wide = read_logs(engine, logs, ask)
        # Graded scores are read as numbers, which only the relation itself gives.
        source = wide_in_memory(wide.source, wide.roles) if wide.ask.task == "correct" else wide.source
        return Opened(source, wide.roles, wide.ask, engine, read_notes=(*wide.notes, *notes))
    except BaseException:
        engine.close()
        raise


def _without_nameless(roles: Roles, table: Table) -> Roles:
    """A column without a name is a data frame's index, never a model unless it is named."""
    if not roles.guessed:
        return roles
    models = tuple(model for model in roles.models if model not in table.nameless)
    enough_models(models, table.where, list(table.columns))
    return replace(roles, models=models)


def _from_frame(native: Any, frame: nw.DataFrame[Any] | nw.LazyFrame[Any], ask: Ask, weights: Any) -> Opened:
    columns = distinct([str(column) for column in schema_of(frame)], "the frame")
    if frame.implementation.is_pandas_like() and not all(isinstance(column, str) for column in native.columns):
        # A copy of the frame's frame only: the columns are shared, and the caller's names stay as they are.
        native = native.copy(deep=False)
        native.columns = list(columns)
    _refuse_scattered(ask)
    if ask.long is not None:
        existing(ask.long, columns, "long", "the frame")
        existing_facts(ask, columns, "the frame")
        id_column = id_of(ask, columns, "the frame", LONG_NEEDS_ID)
        native, roles = widened(native, ask, id_column, truth_if_any(ask, columns, "the frame"))
    else:
        roles = roles_of(ask, columns, "the frame")
    implementation = frame.implementation
    if implementation.is_pandas_like():
        return _from_pandas(native, roles, ask, weights)
    if implementation.is_duckdb():
        runner = Borrowed(native)
        if roles.id is not None:
            refuse_bad_ids(runner, f"(SELECT {sql_name(roles.id)} AS id FROM rows)", "the relation", roles.id)
        source = SqlSource(runner, "rows", described(runner, "rows", "the relation"), weight=roles.weight, na=ask.na)
        return Opened(source, roles, ask)
    other = FrameSource(native, weight=roles.weight, na=ask.na)
    # On a cluster the check is a shuffle of its own, so it is made where the id was asked for.
    if roles.id is not None and (ask.id is not None or implementation.is_polars() or implementation.is_pyarrow()):
        check_unique(other.frame, roles.id, "the frame")
    return Opened(other, roles, ask)


def _from_pandas(frame: Any, roles: Roles, ask: Ask, weights: Any) -> Opened:
    columns = {column: frame[column] for column in frame.columns}
    return _in_memory(columns, roles, ask, columns[roles.weight] if roles.weight else weights)


def _from_arrays(truth: Any, predictions: Any, ask: Ask, weights: Any, limits: Limits | None, groups: Any) -> Opened:
    named = (("truth", ask.truth), ("id", ask.id), ("long", ask.long), ("sample_weight", ask.weight))
    facts = (("groups", ask.group), ("by", ask.by or None), ("y_proba", ask.proba or None))
    for argument, value in (*named, *facts):
        if value is not None:
            raise TiebreakError(f"{argument} names a column, but the data are arrays: give the values, or one table")
    answers = _by_model(predictions)
    if ask.models is not None:
        existing(ask.models, list(answers), "models", "the predictions")
        answers = {model: answers[model] for model in distinct(ask.models, "models")}
    enough_models(tuple(answers), "predictions", list(answers), ask.fewest)
    weight = None if weights is None else "sample_weight"
    group = None if groups is None else next(name for name in ("group", "groups", "group_") if name not in answers)
    roles = Roles(None, tuple(answers), weight=weight, group=group)
    grouped = {} if group is None else {group: groups}
    if ask.graded:
        return _in_memory({**answers, **grouped}, roles, ask, weights, limits)
    if truth is None and ask.clustered:
        return _in_memory({**answers, **grouped}, roles, ask, weights, limits)
    if truth is None:
        raise TiebreakError("y_true is None: give what is true, or task='correct' where the answers are graded already")
    names = ("labels_true",) if ask.clustered else ()
    name = next(name for name in (*names, "y_true", "truth", "labels_true", "y_true_") if name not in answers)
    for model, given in () if ask.numeric else answers.items():
        check_order(truth, given, model)
    return _in_memory({name: truth, **answers, **grouped}, replace(roles, truth=name), ask, weights, limits)


def _by_model(predictions: Any) -> dict[str, Any]:
    if isinstance(predictions, Mapping):
        distinct([plain(model) for model in predictions], "predictions")
        return {plain(model): given for model, given in predictions.items()}
    frame = nw.from_native(predictions, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        names = distinct([str(model) for model in frame.columns], "predictions")
        return {name: frame.get_column(column).to_native() for name, column in zip(names, frame.columns, strict=True)}
    raise TiebreakError(
        f"predictions is a {type(predictions).__name__}: it must be a dict of model names to predictions, or a frame "
        "with one column per model"
    )


def _in_memory(columns: dict[str, Any], roles: Roles, ask: Ask, weights: Any, limits: Limits | None = None) -> Opened:
    if ask.numeric:
        if roles.id is not None:
            _refuse_repeated_ids(columns[roles.id], roles.id)
        return Opened(NumbersInMemory(columns, weights), roles, ask)
    vectors = {column: _without(vector_of(columns[column], column), ask.na) for column in (*roles.keys, *roles.marks)}
    if roles.group is not None:
        _same_length_of_groups(vectors[roles.group], roles.group, vectors[roles.keys[0]], roles.keys[0])
    weighted = None if weights is None else (roles.weight or "sample_weight", weights)
    source = MemorySource(vectors, weighted, everything=columns, limits=limits)
    if roles.id is not None:
        _refuse_repeated_ids(columns[roles.id], roles.id)
    return Opened(source, roles, ask)


def _same_length_of_groups(groups: Vector | Text, name: str, first: Vector | Text, first_name: str) -> None:
    if len(groups) != len(first):
        what = name if name == "group" else f"group {quoted(name)}"
        raise TiebreakError(
            f"{what} has {spelled(len(groups), 'value')} but {first_name} has {spelled(len(first))}: "
            "every instance needs its group, in the same order"
        )


def _without(column: Vector | Text, na: str | None) -> Vector | Text:
    """Read one more text as missing."""
    if na is None:
        return column
    vector = column.encoded()
    if isinstance(vector.values, range):
        return column
    return replace(vector, values=[None if value == na else value for value in vector.values])


def _refuse_repeated_ids(ids: Any, id_column: str) -> None:
    vector = vector_of(ids, id_column).encoded()
    counts = np.bincount(vector.codes.astype(np.int64) - vector.low, minlength=len(vector.values))
    for place in np.flatnonzero(counts).tolist():
        if is_missing(vector.values[place]):
            refuse_missing_id(id_column, "the data", int(counts[place]))
    repeated = np.flatnonzero(counts > 1)
    if len(repeated):
        extra = int((counts[repeated] - 1).sum())
        refuse_duplicates(
            id_column, "the data", extra, [vector.values[place] for place in repeated[:EXAMPLES].tolist()]
        )
