"""Frames whose rows need an id: checked for repeats, and long ones widened by joins that the engine runs itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw

from tiebreak._format import quoted
from tiebreak.sources.ask import Ask, Roles, refuse_shared_column
from tiebreak.sources.collected import collected, schema_of
from tiebreak.sources.frames import count_rows
from tiebreak.sources.labels import plain
from tiebreak.sources.pairing import (
    EXAMPLES,
    lacks,
    long_models,
    refuse_duplicates,
    refuse_missing_id,
    refuse_torn,
    refuse_unpaired,
)

_COUNT, _IDS = "_tiebreak_n", "_tiebreak_ids"


def check_unique(frame: nw.LazyFrame[Any], id_column: str, where: str) -> None:
    """Refuse an id that is missing or repeated.

    Examples
    --------
    >>> import pyarrow as pa
    >>> check_unique(nw.from_native(pa.table({"id": [1, 2]})).lazy(), "id", "the frame")
    """
    counts = frame.group_by(id_column, drop_null_keys=False).agg(nw.len().alias(_COUNT))
    wrong = counts.filter((nw.col(_COUNT) > 1) | nw.col(id_column).is_null())
    totals = collected(wrong.select(nw.col(_COUNT).sum().alias(_COUNT), nw.len().alias(_IDS)))
    rows, ids = totals[_COUNT].to_list()[0], totals[_IDS].to_list()[0]
    if not ids:
        return
    absent = collected(counts.filter(nw.col(id_column).is_null()))[_COUNT].to_list()
    if absent:
        refuse_missing_id(id_column, where, absent[0])
    refuse_duplicates(id_column, where, rows - ids, _examples(wrong, id_column))


def _examples(frame: nw.LazyFrame[Any], id_column: str) -> list[object]:
    found: list[object] = collected(frame.select(id_column).sort(id_column).head(EXAMPLES))[id_column].to_list()
    return found


def widened(native: Any, ask: Ask, id_column: str, truth: str | None) -> tuple[Any, Roles]:
    """Turn a long frame (one row per instance and model) into one row per instance.

    Examples
    --------
    >>> import pyarrow as pa
    >>> long = pa.table({"id": [1, 1], "y": [0, 0], "m": ["a", "b"], "p": [0, 1]})
    >>> wide, roles = widened(long, Ask(long=("m", "p")), "id", "y")
    >>> wide.num_rows, roles.models
    (1, ('a', 'b'))
    """
    refuse_shared_column(ask, truth, id_column)
    model_column, prediction = ask.long or ("", "")
    frame = nw.from_native(native)
    lazy = frame.lazy()
    found = sorted(collected(lazy.select(model_column).unique())[model_column].to_list(), key=str)
    columns = list(schema_of(lazy))
    models = long_models(ask, found, "the frame", columns)
    values = {plain(value): value for value in found}
    facts = [column for column in (truth, ask.weight, ask.group, *ask.by) if column is not None]
    wide = lazy.filter(nw.col(model_column).is_in([values[m] for m in models])).select(id_column, *facts).unique()
    for what, column in (
        ("truth", truth),
        ("weight", ask.weight),
        ("group", ask.group),
        *(("column", c) for c in ask.by),
    ):
        if column is not None:
            refuse_torn(what, column, _repeats(lazy.select(id_column, column).unique(), id_column))
    lacking = []
    for model in models:
        rows = lazy.filter(nw.col(model_column) == values[model])
        part = rows.select(id_column, nw.col(prediction).alias(model))
        check_unique(part, id_column, f"the rows of {quoted(model)}")
        if ask.missing == "raise":
            absent = wide.join(part, on=id_column, how="anti")
            ids = count_rows(absent)
            lacking += [lacks(quoted(model), ids, _examples(absent, id_column))] if ids else []
        wide = wide.join(part, on=id_column, how="left")
    refuse_unpaired(lacking)
    taken = {id_column, model_column, prediction, *facts}
    wide = _with_others(wide, lazy, id_column, [c for c in columns if c not in taken and c not in models])
    result = collected(wide) if isinstance(frame, nw.DataFrame) else wide
    return result.to_native(), Roles(truth, models, id_column, ask.weight, group=ask.group)


def _with_others(
    wide: nw.LazyFrame[Any], long: nw.LazyFrame[Any], id_column: str, others: Sequence[str]
) -> nw.LazyFrame[Any]:
    """Carry the columns along that are the same in all rows of an instance; where a look costs a job, none."""
    schema = schema_of(long)
    nested = nw.List | nw.Struct | nw.Array | nw.Object
    if not (
        long.implementation.is_polars() or long.implementation.is_pandas_like() or long.implementation.is_pyarrow()
    ):
        return wide
    for column in others:
        if not isinstance(schema[column], nested):
            one = long.select(id_column, column).unique()
            if not _repeats(one, id_column):
                wide = wide.join(one, on=id_column, how="left")
    return wide


def _repeats(wide: nw.LazyFrame[Any], id_column: str) -> int:
    counts = wide.group_by(id_column).agg(nw.len().alias(_COUNT)).filter(nw.col(_COUNT) > 1)
    return count_rows(counts)
