"""The counting plan: joint outcomes while they are few, right/wrong words and a table per model when they are many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from tiebreak.errors import NotDefined
from tiebreak.sources.ask import Ask, Roles
from tiebreak.sources.batches import scanned
from tiebreak.sources.fused import DENSE_CELLS
from tiebreak.sources.grouped import Grouped, Marks, Patterns, TooManyCells
from tiebreak.sources.memory import MemorySource
from tiebreak.sources.reading import Reading, read_values
from tiebreak.sources.tallying import (
    meets,
    refuse_empty,
    refuse_missing,
    refuse_missing_group,
    refuse_missing_truth,
    refuse_strangers,
    refuse_weightless,
    tally_of_outcomes,
    tally_of_words,
    without_any,
)
from tiebreak.tables import ConfusionCounts, Label, Tally
from tiebreak.tables.confusion import OMITTED

# A joint table may hold this many codes (outcomes × columns): 16 million bytes of one-byte labels.
MOST_CODES = 1 << 24
# Rows looked at before the count, fewer where there are many columns: an estimate, not a scan.
SAMPLE_VALUES = 1 << 16


class Source(Protocol):
    """What every source can do, wherever its rows are.

    Examples
    --------
    >>> from tiebreak.sources.memory import MemorySource
    >>> hasattr(MemorySource, "sample") and hasattr(MemorySource, "count") and hasattr(MemorySource, "words")
    True
    """

    where: str

    def weight_as_key(self, name: str) -> Source:
        """Return the same rows unweighted, with the weight as one more column to count by."""

    @property
    def rows(self) -> int:
        """How many rows there are."""

    def sample(self, keys: Sequence[str], size: int) -> Grouped:
        """Count some of the rows, cheaply."""

    def count(self, keys: Sequence[str], *, complete: Iterable[str] = (), most: int | None = None) -> Grouped:
        """Count the distinct rows of the key columns, over the rows in which no `complete` column is missing."""

    def words(
        self,
        truth: str | None,
        models: Sequence[str],
        reading: Reading,
        *,
        complete: Iterable[str] = (),
        group: str | None = None,
    ) -> Patterns:
        """Count the right/wrong patterns of the models, within each value of the `group` column if there is one."""

    def read(self, values: Mapping[str, Sequence[object]]) -> Mapping[str, Sequence[object]]:
        """Return raw values as Python values: text files are typed here, all label columns together."""

    def shown_values(self, column: str, values: Sequence[object]) -> Sequence[object]:
        """Return raw values of a column as a reader should see them: the names of groups."""

    def remarks(self, values: Mapping[str, Sequence[object]], truth: str) -> tuple[str, ...]:
        """Say what a reader should know about how the raw values of the label columns were read."""

    def order(self, keys: Sequence[str]) -> Sequence[Label]:
        """Return the order of the labels if a column carries one, else nothing."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A tally, and the reading of the raw values it rests on, which the way back to the rows needs again.

    Examples
    --------
    >>> from tiebreak.sources import opened
    >>> opened([1, 0], {"a": [1, 1], "b": [0, 0]}, Ask()).counted.reading.labels
    (0, 1)
    """

    tally: Tally
    reading: Reading


def counted(source: Source, ask: Ask, roles: Roles) -> Counted:
    """Count a source by the plan that keeps the table small.

    Examples
    --------
    >>> from tiebreak.sources.vectors import vector_of
    >>> from tiebreak.sources.memory import MemorySource
    >>> source = MemorySource({"y": vector_of([1, 0], "y"), "a": vector_of([1, 1], "a"), "b": vector_of([0, 0], "b")})
    >>> counted(source, Ask(), Roles("y", ("a", "b"))).tally.plan
    'outcomes'
    """
    if ask.clustered:
        raise NotDefined("clusterings have no tally: no label of one means anything in another; use their partitions")
    columns = len(roles.all_keys)
    if isinstance(source, MemorySource) and source.span(roles.all_keys) <= min(DENSE_CELLS, MOST_CODES // columns):
        # One small table holds every outcome there can be: counting all rows costs little more than a sample.
        return by_outcomes(source, ask, roles)
    size = max(1024, SAMPLE_VALUES // columns)
    sampled = source.sample(roles.all_keys, size)
    _glance(source, sampled.split(roles.group)[0], ask, roles)
    few = len(sampled.mass.counts) if sampled.mass.n < size else estimated_outcomes(sampled)
    if few * columns > MOST_CODES:
        few = min(few, source.rows)
    if few * columns <= MOST_CODES:
        try:
            return by_outcomes(source, ask, roles)
        except TooManyCells:
            pass
    return by_words(source, ask, roles)


def by_outcomes(source: Source, ask: Ask, roles: Roles) -> Counted:
    """Count the joint outcomes, or raise `TooManyCells`.

    Examples
    --------
    >>> from tiebreak.sources import opened
    >>> rows = opened([1, 0], {"a": [1, 1], "b": [0, 0]}, Ask())
    >>> by_outcomes(rows.source, rows.ask, rows.roles).tally.plan
    'outcomes'
    """
    found = source.count(roles.all_keys, most=MOST_CODES // len(roles.all_keys))
    part, marks = split_marks(source, found, roles.group)
    reading = _reading(source, part, ask, roles)
    return Counted(tally_of_outcomes(part, ask, roles, reading, source.where, marks), reading)


def split_marks(source: Source, found: Grouped, group: str | None) -> tuple[Grouped, Marks | None]:
    """Take the group column away and return it beside the rest, its values as a reader should see them.

    Examples
    --------
    >>> from tiebreak.sources.vectors import vector_of
    >>> from tiebreak.sources.memory import MemorySource
    >>> source = MemorySource({"y": vector_of([1, 0], "y"), "g": vector_of(["a", "b"], "g")})
    >>> split_marks(source, source.count(["y", "g"]), "g")[1].values
    ['a', 'b']
    """
    part, marks = found.split(group)
    return part, _shown(source, group, marks)


def _shown(source: Source, group: str | None, marks: Marks | None) -> Marks | None:
    return None if marks is None else Marks(marks.codes, source.shown_values(str(group), marks.values))


def estimated_outcomes(sampled: Grouped) -> float:
    """Estimate how many distinct outcomes all rows have from those of a sample (Chao's lower bound).

    With d seen, of which f₁ once and f₂ twice: d + f₁²/(2 f₂). A sample of singletons only says "no end in sight".

    Examples
    --------
    >>> from tiebreak.tables import Mass
    >>> estimated_outcomes(Grouped(("y",), ([0, 1],), np.array([[0, 1]]), Mass(np.array([5, 7]))))
    2.0
    """
    once = int((sampled.mass.counts == 1).sum())
    twice = int((sampled.mass.counts == 2).sum())
    return len(sampled.mass.counts) + once * once / (2 * max(twice, 1))


def _glance(source: Source, sampled: Grouped, ask: Ask, roles: Roles) -> None:
    """Look at a sample first, so that a wrong column is named before a long scan and not after it."""
    if not sampled.mass.n:
        refuse_empty(0, 0, source.where)
    reading = _reading(source, sampled, ask, roles)
    if roles.truth is None or not roles.guessed:
        return
    codes = reading.of(sampled)
    answers = zip(roles.models, codes[1:], strict=True)
    suspects = [model for model, row in answers if model in roles.guessed and not meets(codes[0], row)]
    if suspects:
        refuse_strangers({model: _shares_labels(source, ask, roles, model) for model in suspects}, roles)


def _shares_labels(source: Source, ask: Ask, roles: Roles, model: str) -> bool:
    """Whether a column and the truth share a label anywhere; a model without any prediction is not a stranger."""
    truth, answers = source.count([str(roles.truth)]), source.count([model])
    raw = {str(roles.truth): truth.values[0], model: answers.values[0]}
    reading = read_values(raw, source.read(raw), ask, roles)
    return meets(reading.code(str(roles.truth), truth.values[0]), reading.code(model, answers.values[0]))


def _reading(source: Source, part: Grouped, ask: Ask, roles: Roles) -> Reading:
    raw = dict(zip(part.names, part.values, strict=True))
    return read_values(raw, source.read(raw), ask, roles, source.order(part.names))


def by_words(source: Source, ask: Ask, roles: Roles) -> Counted:
    """Count one two-way table per model, which settles labels, kinds and missing values, then the words.

    Examples
    --------
    >>> from tiebreak.sources import opened
    >>> rows = opened([1, 0], {"a": [1, 1], "b": [0, 0]}, Ask())
    >>> by_words(rows.source, rows.ask, rows.roles).tally.plan
    'words'
    """
    truth = [] if roles.truth is None else [roles.truth]
    scan = scanned(source, roles)
    parts = scan.tables if scan else {model: source.count([*truth, model]) for model in roles.models}
    reading = _common_reading(source, parts, ask, roles)
    tables = {model: _table(part, reading) for model, part in parts.items()}
    rows = tables[roles.models[0]].mass.n
    missing = tuple(int(table.mass.counts[table.columns == OMITTED].sum()) for table in tables.values())
    refuse_missing(missing, ask, roles)
    complete = roles.models if ask.missing == "drop" and any(missing) else ()
    if complete:
        tables = {m: _table(source.count([*truth, m], complete=complete), reading) for m in roles.models}
    first = tables[roles.models[0]]
    refuse_missing_truth(int(first.mass.counts[first.rows == OMITTED].sum()), roles, source.where)
    refuse_empty(first.mass.n, rows - first.mass.n, source.where, without_any(roles.models, missing, rows))
    refuse_weightless(first.mass, source.where)
    refuse_strangers({model: meets(table.rows, table.columns) for model, table in tables.items()}, roles)
    if scan:
        patterns = scan.patterns
    else:
        patterns = source.words(roles.truth, roles.models, reading, complete=complete, group=roles.group)
    patterns = replace(patterns, marks=_shown(source, roles.group, patterns.marks))
    refuse_missing_group(patterns.mass, patterns.marks, roles, source.where)
    facts = {"labels": reading.labels, "missing": missing, "excluded": rows - first.mass.n}
    return Counted(tally_of_words(patterns, tables, roles, **facts), reading)


def _common_reading(source: Source, parts: Mapping[str, Grouped], ask: Ask, roles: Roles) -> Reading:
    """One reading for all models' tables."""
    raw: dict[str, Sequence[object]] = {}
    if roles.truth is not None:
        raw[roles.truth] = parts[roles.models[0]].column(roles.truth)
    raw |= {model: part.column(model) for model, part in parts.items()}
    return read_values(raw, source.read(raw), ask, roles, source.order(roles.keys))


def _table(part: Grouped, reading: Reading) -> ConfusionCounts:
    """One model's (truth, prediction) table; where answers are graded, what is true of each is "right"."""
    codes = reading.of(part)
    truth = codes[0] if len(codes) == 2 else np.ones_like(codes[0])
    return ConfusionCounts(len(reading.labels), truth, codes[-1], part.mass)
