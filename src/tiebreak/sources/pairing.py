"""What it takes for rows to be one instance each, and the same instances for every model: the refusals of bad ids."""

from __future__ import annotations

from collections.abc import Sequence

from tiebreak._format import counted, listed, quoted
from tiebreak.errors import ColumnNotFound, DuplicateId, EmptyComparison, TiebreakError, UnpairedInstances
from tiebreak.sources.ask import Ask
from tiebreak.sources.labels import plain

ID = "id"
# Ids shown as examples in an error.
EXAMPLES = 3


def id_of(ask: Ask, columns: Sequence[str], where: str, why: str) -> str:
    """Return the id column that a join or a long layout cannot do without.

    Examples
    --------
    >>> id_of(Ask(), ["id", "y"], "preds.csv", "files are joined on an id")
    'id'
    """
    wanted = ask.id or ID
    if wanted in columns:
        return wanted
    missing = (
        f"id names {quoted(wanted)}, which is no column of {where}" if ask.id else f"{where} has no column called id"
    )
    raise ColumnNotFound(f"{missing}: {why}; name it with --id (its columns are {listed(columns, 20)})")


def refuse_duplicates(id_column: str, where: str, extra: int, examples: Sequence[object]) -> None:
    """Raise the error for repeated ids.

    Examples
    --------
    >>> refuse_duplicates("row", "a.csv", 2, [7, 9])
    Traceback (most recent call last):
    tiebreak.errors.DuplicateId: id 'row' is not unique in a.csv: 2 rows repeat an id (7, 9); keep one row an instance
    """
    rows = f"{counted(extra, 'row')} {'repeats' if extra == 1 else 'repeat'} an id"
    raise DuplicateId(
        f"id {quoted(id_column)} is not unique in {where}: {rows} ({listed(examples)}); keep one row an instance"
    )


def refuse_missing_id(id_column: str, where: str, rows: int) -> None:
    """Raise the error for rows without an id.

    Examples
    --------
    >>> refuse_missing_id("row", "a.csv", 1)
    Traceback (most recent call last):
    tiebreak.errors.DuplicateId: id 'row' is missing in 1 row of a.csv: every row needs its own
    """
    raise DuplicateId(
        f"id {quoted(id_column)} is missing in {counted(rows, 'row')} of {where}: every row needs its own"
    )


def lacks(what: str, ids: int, examples: Sequence[object]) -> str:
    """Return a clause for `refuse_unpaired`.

    Examples
    --------
    >>> lacks("b.csv", 2, [17, 18])
    'b.csv lacks 2 ids (17, 18)'
    """
    more = ", …" if ids > len(examples) else ""
    return f"{what} lacks {counted(ids, 'id')} ({listed(examples)}{more})"


def refuse_unpaired(lacking: Sequence[str]) -> None:
    """Raise the error for ids that some model has no row for; none lacking is fine.

    Examples
    --------
    >>> refuse_unpaired([])
    """
    if lacking:
        raise UnpairedInstances(
            f"not every model has every instance: {'; '.join(lacking)}; compare the common ones with --missing drop, "
            "or count what is missing as wrong with --missing wrong"
        )


def refuse_torn(what: str, column: str | None, instances: int) -> None:
    """Raise the error for a long layout whose rows disagree about an instance's truth or weight; 0 is fine.

    Examples
    --------
    >>> refuse_torn("truth", "y", 0)
    """
    if instances:
        torn = f"{what} {quoted(column)} differs between the rows of {counted(instances, 'instance')}"
        raise UnpairedInstances(f"{torn}: an instance has one {what}")


def long_models(ask: Ask, found: Sequence[object], where: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the models of a long layout: the named ones, or all that its model column holds.

    Examples
    --------
    >>> long_models(Ask(long=("model", "answer")), ["a", "b"], "preds.csv", [])
    ('a', 'b')
    """
    if None in found:
        column = quoted(ask.long[0] if ask.long else None)
        raise TiebreakError(f"column {column} of {where} is missing in some rows: name the model in each")
    models = ask.models or tuple(plain(model) for model in found)
    known = set(map(plain, found))
    for model in models:
        if model not in known:
            raise ColumnNotFound(
                f"models names {quoted(model)}, which {where} does not hold: it has {listed(found, 20)}"
            )
    if len(models) < 2:
        column = quoted(ask.long[0] if ask.long else None)
        raise EmptyComparison(
            f"{where} has {counted(len(models), 'model')} in its column {column}: a comparison needs at least two "
            f"(columns: {listed(columns, 20)})"
        )
    return models
