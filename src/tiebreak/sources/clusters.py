"""From rows to partitions: each column's labels read by themselves, counted once or two columns at a time.

Labels of a clustering mean nothing outside it, so columns may hold labels of different kinds and are never compared.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tiebreak._format import counted, quoted
from tiebreak.errors import EmptyComparison, TiebreakError
from tiebreak.sources.ask import Ask, Roles
from tiebreak.sources.fused import DENSE_CELLS
from tiebreak.sources.grouped import Grouped, Marks, TooManyCells
from tiebreak.sources.labels import labels_of
from tiebreak.sources.memory import MemorySource
from tiebreak.sources.plan import MOST_CODES, SAMPLE_VALUES, Source, estimated_outcomes, split_marks
from tiebreak.sources.reading import CONTINUOUS
from tiebreak.sources.tallying import refuse_missing, refuse_missing_group, refuse_missing_truth
from tiebreak.tables import CrossTable, Label, Partitions, noise_codes
from tiebreak.tables.confusion import OMITTED
from tiebreak.tables.labels import ordered

_NO_POLICY = (
    "leave such instances out for every clustering with --missing drop (missing= in Python), or give them a label of "
    "their own"
)

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Column:
    """The distinct raw values of one labelling, the clusters they stand for, and the clusters' order.

    Examples
    --------
    >>> column = Column.read([2, None, 0], [2, None, 0], "p")
    >>> column.labels, column.codes.tolist(), column.of([0, None]).tolist(), column.spellings(1)
    ((0, 2), [1, -1, 0], [0, -1], [2])
    """

    raw: Sequence[object]
    codes: Codes
    labels: Sequence[Label]

    @classmethod
    def read(cls, raw: Sequence[object], values: Sequence[object], name: str) -> Column:
        """Read the distinct raw values of a column, `values` being the same after their file format has been read."""
        whole = _integers(values)
        if whole is not None:
            # Distinct integers are their own labels, a million of them too.
            order = np.argsort(whole)
            codes = np.empty(len(whole), dtype=np.int64)
            codes[order] = np.arange(len(whole))
            return cls(raw, codes, tuple(whole[order].tolist()))
        found = labels_of(values, name)
        _refuse_measurements(found, name)
        labels = ordered(label for label in found if label is not None)
        place: dict[Label, int] = {label: code for code, label in enumerate(labels)} | {None: OMITTED}
        return cls(raw, np.array([place[label] for label in found], dtype=np.int64), labels)

    def of(self, values: Sequence[object]) -> Codes:
        """Return the cluster codes of raw values; −1 where missing or never seen."""
        if values is self.raw:
            return self.codes
        found = self._whole(values)
        if found is not None:
            return found
        known = self._place
        return np.array([known.get((type(value), value), OMITTED) for value in values], dtype=np.int64)

    def spellings(self, code: int) -> list[object]:
        """Return the raw values that mean a cluster."""
        return [self.raw[place] for place in np.flatnonzero(self.codes == code).tolist()]

    def _whole(self, values: Sequence[object]) -> Codes | None:
        """The same where all is integers that fit 64 bits, which needs no dictionary of a million entries."""
        known, given = _integers(self.raw), _integers(values)
        if known is None or given is None or not len(known):
            return None
        order = np.argsort(known)
        place = order[np.minimum(np.searchsorted(known, given, sorter=order), len(known) - 1)]
        return np.where(known[place] == given, self.codes[place], OMITTED)

    @cached_property
    def _place(self) -> dict[tuple[type, object], int]:
        return {(type(raw), raw): code for raw, code in zip(self.raw, self.codes.tolist(), strict=True)}


def _integers(values: Sequence[object]) -> Codes | None:
    """Return values as an array if all of them are integers of at most 64 bits."""
    if set(map(type, values)) != {int}:
        return None
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return None


@dataclass(frozen=True, eq=False)
class CountedClusters:
    """The partitions, and how the raw values were read, which the way back to the rows needs again.

    Examples
    --------
    >>> from tiebreak.sources import opened
    >>> opened([0, 0, 1], {"p": [5, 5, 5], "q": [1, 2, 2]}, Ask(task="clustering")).clustered.partitions.clusters
    ((0, 1), (5,), (1, 2))
    """

    partitions: Partitions
    columns: Mapping[str, Column]
    roles: Roles
    complete: tuple[str, ...]

    def cells(self, source: Source, primary: str, alternative: str) -> CrossTable:
        """Return the (truth, primary, alternative) cells of one pair, counted on demand where they are not at hand."""
        partitions, roles = self.partitions, self.roles
        partitions.index(primary), partitions.index(alternative)
        if partitions.joint is not None:
            return partitions.cells(primary, alternative)
        names = [*partitions.labelings[: 1 if partitions.truth else 0], primary, alternative]
        found = source.count([*roles.marks, *dict.fromkeys(names)], complete=self.complete)
        part, marks = split_marks(source, found, roles.group)
        table = _table(part, self.columns, partitions.noise, marks)
        return table if len(set(names)) == len(names) else table.restricted([part.names.index(name) for name in names])


def counted_clusters(source: Source, ask: Ask, roles: Roles) -> CountedClusters:
    """Count a source as clusterings: all columns at once where their cells are few, else two at a time.

    Examples
    --------
    >>> from tiebreak.sources.vectors import vector_of
    >>> columns = {"g": list("aabb"), "p": [5, 5, 5, 7], "q": [1, 2, 1, 2]}
    >>> source = MemorySource({name: vector_of(values, name) for name, values in columns.items()})
    >>> found = counted_clusters(source, Ask(task="clustering"), Roles("g", ("p", "q"))).partitions
    >>> found.pair("p", "q").cells().tolist(), found.clusters
    ([1, 2, 1, 2], (('a', 'b'), (5, 7), (1, 2)))
    """
    _refuse_wrong(ask)
    refuse_weighted_pairs(weighted=roles.weight is not None)
    if _few_cells(source, roles):
        try:
            return _at_once(source, ask, roles)
        except TooManyCells:
            pass
    return _two_at_a_time(source, ask, roles)


def _few_cells(source: Source, roles: Roles) -> bool:
    """Whether the cells of all columns together are few enough to be counted in one scan."""
    if isinstance(source, MemorySource) and roles.group is None:
        if source.span(roles.keys) <= DENSE_CELLS:
            return True
        if all(source.span(pair) <= DENSE_CELLS for pair in itertools.combinations(roles.keys, 2)):
            # Three dense tables are counted several times faster than one that has to be sorted.
            return False
    width = len(roles.all_keys)
    size = max(1024, SAMPLE_VALUES // width)
    sampled = source.sample(roles.all_keys, size)
    for name, raw in zip(sampled.names, sampled.values, strict=True):
        # A column that holds no clusters is named before a long scan and not after it.
        if name != roles.group:
            _column(source, name, raw)
    few = len(sampled.mass.counts) if sampled.mass.n < size else estimated_outcomes(sampled)
    if isinstance(source, MemorySource) and width > 3 and few > source.rows / 2:
        # Hardly two rows are alike: nothing would be saved, and rows in memory are counted by two at no great cost.
        return False
    if few * width > MOST_CODES:
        few = min(few, source.rows)
    return few * width <= MOST_CODES


def _at_once(source: Source, ask: Ask, roles: Roles) -> CountedClusters:
    found = source.count(roles.all_keys, most=MOST_CODES // len(roles.all_keys))
    part, marks = split_marks(source, found, roles.group)
    columns = {name: _column(source, name, raw) for name, raw in zip(part.names, part.values, strict=True)}
    codes = np.array([columns[name].of(raw)[row] for name, raw, row in _columns_of(part)])
    models = codes[len(codes) - len(roles.models) :]
    missing = tuple(int(part.mass.counts[row == OMITTED].sum()) for row in models)
    refuse_missing(missing, ask, roles, "cluster labels", _NO_POLICY)
    kept = (models != OMITTED).all(axis=0)
    excluded = int(part.mass.counts[~kept].sum())
    if excluded:
        part = Grouped(part.names, part.values, part.codes[:, kept], part.mass.where(kept))
        marks = None if marks is None else marks.where(kept)
        codes = codes[:, kept]
    _refuse_rows(part.mass.n, excluded, source.where)
    if roles.truth is not None:
        refuse_missing_truth(int(part.mass.counts[codes[0] == OMITTED].sum()), roles, source.where)
    refuse_missing_group(part.mass, marks, roles, source.where)
    columns = {name: _occurring(columns[name], row) for name, row in zip(part.names, codes, strict=True)}
    joint = _table(part, columns, ask.noise, marks)
    facts = {"truth": roles.truth, "missing": missing, "excluded": excluded, "noise": ask.noise}
    clusters = [columns[name].labels for name in roles.keys]
    partitions = Partitions.of_joint(joint, clusters, models=roles.models, **facts)
    return CountedClusters(partitions, columns, roles, _complete(roles, excluded))


def _two_at_a_time(source: Source, ask: Ask, roles: Roles) -> CountedClusters:
    """One-way counts settle labels and missing values; then one two-way table for every two columns."""
    alone = {name: source.count([name]) for name in roles.keys}
    columns = {name: _column(source, name, part.values[0]) for name, part in alone.items()}
    rows = alone[roles.models[0]].mass.n
    missing = tuple(_lacking(alone[name], columns[name]) for name in roles.models)
    refuse_missing(missing, ask, roles, "cluster labels", _NO_POLICY)
    complete = roles.models if any(missing) else ()
    if complete:
        alone = {name: source.count([name], complete=complete) for name in roles.keys}
        columns = {name: _column(source, name, part.values[0]) for name, part in alone.items()}
    left = alone[roles.models[0]].mass.n
    _refuse_rows(left, rows - left, source.where)
    if roles.truth is not None:
        refuse_missing_truth(_lacking(alone[roles.truth], columns[roles.truth]), roles, source.where)
    if roles.group is not None:
        part, marks = source.count([roles.group], complete=complete).split(roles.group)
        refuse_missing_group(part.mass, marks, roles, source.where)
    pairs = itertools.combinations(roles.keys, 2)
    tables = tuple(_table(source.count(pair, complete=complete), columns, ask.noise) for pair in pairs)
    partitions = Partitions(
        roles.models,
        tuple(columns[name].labels for name in roles.keys),
        tables,
        roles.truth,
        missing,
        rows - left,
        ask.noise,
    )
    return CountedClusters(partitions, columns, roles, complete)


def _column(source: Source, name: str, raw: Sequence[object]) -> Column:
    return Column.read(raw, source.read({name: raw})[name], name)


def _occurring(column: Column, codes: Codes) -> Column:
    """Leave out the clusters that no counted row is in, as dropping may leave them; no code is missing here."""
    occurs = np.zeros(len(column.labels), dtype=np.bool_)
    occurs[codes] = True
    used = np.flatnonzero(occurs)
    if len(used) == len(column.labels):
        return column
    new = np.full(len(column.labels) + 1, OMITTED, dtype=np.int64)
    new[used] = np.arange(len(used))
    return Column(column.raw, new[column.codes], tuple(column.labels[code] for code in used.tolist()))


def _columns_of(part: Grouped) -> Iterable[tuple[str, Sequence[object], npt.NDArray[np.integer]]]:
    return zip(part.names, part.values, part.codes, strict=True)


def _table(part: Grouped, columns: Mapping[str, Column], noise: str, marks: Marks | None = None) -> CrossTable:
    """The cells of grouped rows; all their values are known and none is missing."""
    codes = np.array([columns[name].of(raw)[row] for name, raw, row in _columns_of(part)])
    lone = noise_codes([columns[name].labels for name in part.names], noise)
    if marks is None:
        return CrossTable.merged(codes, part.mass.counts, lone)
    used = marks.occurring()
    return CrossTable.merged(codes, part.mass.counts, lone, used.codes, tuple(used.values))


def _complete(roles: Roles, excluded: int) -> tuple[str, ...]:
    return roles.models if excluded else ()


def _lacking(part: Grouped, column: Column) -> int:
    return int(part.mass.counts[(column.of(part.values[0]) == OMITTED)[part.codes[0]]].sum())


def _refuse_measurements(labels: Sequence[Label], name: str) -> None:
    broken = next((label for label in labels if isinstance(label, float)), None)
    if broken is not None and len(set(labels)) > CONTINUOUS:
        raise TiebreakError(
            f"column {quoted(name)} looks continuous (more than {CONTINUOUS} values, among them {quoted(broken)}): a "
            "clustering holds cluster labels; name the clusterings with --models"
        )


def _refuse_wrong(ask: Ask) -> None:
    if ask.missing == "wrong":
        raise TiebreakError(
            "missing is 'wrong', but a missing cluster is neither right nor wrong: it is no cluster, and its pairs are "
            "unknown; use --missing drop (missing= in Python), or give such instances a cluster of their own"
        )


def refuse_weighted_pairs(*, weighted: bool) -> None:
    """Refuse weights: a clustering is compared over pairs of instances, and a weight of a pair has no one meaning.

    Examples
    --------
    >>> refuse_weighted_pairs(weighted=True)
    Traceback (most recent call last):
    tiebreak.errors.TiebreakError: sample_weight is given, but clusterings are compared over pairs of instances, whose
    weight has no one meaning: leave it out (--weight), or repeat the instances
    """
    if weighted:
        raise TiebreakError(
            "sample_weight is given, but clusterings are compared over pairs of instances, whose weight has no one "
            "meaning: leave it out (--weight), or repeat the instances"
        )


def _refuse_rows(n: int, excluded: int, where: str) -> None:
    """Refuse fewer than two instances, which have no pair."""
    if n >= 2:
        return
    left = f" are left of {where}: dropping took {counted(excluded, 'row')}" if excluded else f" are in {where}"
    raise EmptyComparison(
        f"{counted(n, 'instance')}{left if n != 1 else left.replace(' are', ' is', 1)}: clusterings are compared over "
        "pairs of instances, so at least two are needed"
    )
