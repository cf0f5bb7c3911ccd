"""Many models' whole numbers in Parquet, in one pass: a table of each beside the truth, and who is right where.

An engine asked for fifty tables reads the truth fifty times, and grouping ten million different patterns saves nothing.
Where Arrow is installed its batches are counted as they come; whatever is not plain here is left to the engine.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.sources.ask import Roles
from tiebreak.sources.engine import name
from tiebreak.sources.fused import dense_table
from tiebreak.sources.grouped import Grouped, Patterns, occurring
from tiebreak.sources.sql import SqlColumn, SqlSource
from tiebreak.tables import Mass
from tiebreak.tables.bits import WORD, pack

Codes = npt.NDArray[np.integer]
Span = tuple[int, int]

# Rows of a batch: fifty columns of it stay in the last cache.
BATCH = 1 << 18
# Cells of one model's table; of more, most are empty. Tables of several models together stay this small.
MOST_CELLS, SMALL = 1 << 16, 1 << 12
# Bytes of the patterns, one a row: of more rows an engine counts those that repeat.
MOST_BYTES = 1 << 29


@dataclass(frozen=True, slots=True)
class Scanned:
    """What one pass has found: each model's table beside the truth, and the right/wrong pattern of every row.

    Examples
    --------
    >>> table = Grouped(("y", "a"), ([0, 1], [1]), np.array([[0, 1], [0, 0]]), Mass(np.array([2, 1])))
    >>> patterns = Patterns(np.array([[4]], dtype=np.uint64), Mass(np.ones(3, dtype=np.int64)))
    >>> Scanned({"a": table}, patterns).patterns.mass.n
    3
    """

    tables: Mapping[str, Grouped]
    patterns: Patterns


class _NotPlain(Exception):
    """The files hold something that is not counted here."""


def scanned(source: object, roles: Roles) -> Scanned | None:
    """Return what one pass over the files of a source finds; None where they are not plain enough for it.

    Plain are integer columns without missing values, in Parquet files that tell their ranges, unweighted and ungrouped.

    Examples
    --------
    >>> scanned("no source", Roles("y", ("a", "b"))) is None
    True
    """
    if not isinstance(source, SqlSource) or not _is_plain(source, roles):
        return None
    import pyarrow as pa

    try:
        return _scanned(source, str(roles.truth), roles.models)
    except (_NotPlain, pa.ArrowException, OSError):
        # The engine reads the files in its own way, or says in one line what is wrong with them.
        return None


def _is_plain(source: SqlSource, roles: Roles) -> bool:
    if roles.truth is None or roles.group is not None or roles.weight is not None:
        return False
    if not source.files or importlib.util.find_spec("pyarrow") is None or not all(map(_is_file, source.files)):
        return False
    if source.rows * (len(roles.models) / 8 + 8) > MOST_BYTES:
        return False
    return all(source.columns[column] == SqlColumn(name(column), "typed") for column in roles.keys)


def _is_file(path: str) -> bool:
    return Path(path).is_file()


def _scanned(source: SqlSource, truth: str, models: Sequence[str]) -> Scanned:
    columns = [truth, *models]
    spans = _spans(source.files, columns)
    if any(spans[0][1] * size > MOST_CELLS for _, size in spans[1:]):
        raise _NotPlain
    together = _together([size for _, size in spans])
    totals = [np.zeros(math.prod(spans[k][1] for k in places), dtype=np.int64) for places in together]
    bits = _Bits(len(models))
    for codes in _batches(source.files, columns):
        _check_ranges(codes, spans)
        for table, places in zip(totals, together, strict=True):
            np.add(table, dense_table([codes[k] for k in places], [spans[k] for k in places]), out=table)
        bits.append(codes[0], codes[1:])
    if bits.rows != source.rows:
        raise AssertionError(f"{source.where}: {bits.rows} of {source.rows} rows were read")
    tables = {
        columns[place]: _grouped((truth, columns[place]), table, (spans[0], spans[place]))
        for total, places in zip(totals, together, strict=True)
        for place, table in _tables(total.reshape([spans[k][1] for k in places]), places)
    }
    return Scanned(tables, Patterns(bits.packed(), Mass(np.ones(bits.rows, dtype=np.int64))))


def _together(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """The columns that are counted in one table, the truth first: as many models as leave it in the nearest cache."""
    found: list[tuple[int, ...]] = []
    for place in range(1, len(sizes)):
        if found and math.prod(sizes[k] for k in found[-1]) * sizes[place] <= SMALL:
            found[-1] += (place,)
        else:
            found.append((0, place))
    return found


def _tables(joint: npt.NDArray[np.int64], places: Sequence[int]) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """The table of each model beside the truth, out of that of several."""
    for axis, place in enumerate(places[1:], 1):
        others = tuple(k for k in range(1, joint.ndim) if k != axis)
        yield place, joint.sum(axis=others).reshape(-1)


def _spans(files: Sequence[str], columns: Sequence[str]) -> list[Span]:
    """The lowest value of each column and how many there may be, as the files themselves say."""
    import pyarrow.parquet as pq
    from pyarrow import types

    ends: dict[str, list[int]] = {column: [] for column in columns}
    for file in files:
        with pq.ParquetFile(file) as opened:
            names = opened.schema_arrow.names
            if any(names.count(c) != 1 or not types.is_integer(opened.schema_arrow.field(c).type) for c in columns):
                raise _NotPlain
            if len(names) != opened.metadata.num_columns:
                # Nested columns have several leaves, so that places are no longer those of the names.
                raise _NotPlain
            places = {column: names.index(column) for column in columns}
            for group in range(opened.metadata.num_row_groups):
                for column, place in places.items():
                    said = opened.metadata.row_group(group).column(place).statistics
                    if said is None or not said.has_min_max or not said.has_null_count or said.null_count:
                        raise _NotPlain
                    ends[column] += [said.min, said.max]
    if not all(ends.values()):
        raise _NotPlain
    return [(min(known), max(known) - min(known) + 1) for known in ends.values()]


def _batches(files: Sequence[str], columns: Sequence[str]) -> Iterator[list[Codes]]:
    """The columns batch by batch; the next is read while one is counted."""
    import pyarrow.parquet as pq

    with ThreadPoolExecutor(1) as reader:
        for file in files:
            with pq.ParquetFile(file) as opened:
                batches = opened.iter_batches(BATCH, columns=list(columns))
                following = reader.submit(next, batches, None)
                while (batch := following.result()) is not None:
                    following = reader.submit(next, batches, None)
                    yield [_codes(batch.column(column)) for column in columns]


def _codes(column: Any) -> Codes:
    if column.null_count:
        raise _NotPlain
    codes: Codes = column.to_numpy()
    return codes


def _check_ranges(codes: Sequence[Codes], spans: Sequence[Span]) -> None:
    """Values outside what a file says of itself would be counted in another's cell."""
    for column, (low, size) in zip(codes, spans, strict=True):
        if len(column) and not low <= int(column.min()) <= int(column.max()) < low + size:
            raise _NotPlain


def _grouped(names: tuple[str, str], total: npt.NDArray[np.int64], spans: tuple[Span, Span]) -> Grouped:
    filled = np.flatnonzero(total)
    places = np.unravel_index(filled, [size for _, size in spans])
    found = [occurring(range(low, low + size), place) for (low, size), place in zip(spans, places, strict=True)]
    return Grouped(names, tuple(values for values, _ in found), np.array([p for _, p in found]), Mass(total[filled]))


class _Bits:
    """Right or wrong of all models, packed as batches come; what fills no word waits for the next batch."""

    def __init__(self, models: int) -> None:
        self.rows = 0
        self._parts: list[npt.NDArray[np.uint64]] = []
        self._right = np.empty((models, BATCH + WORD), dtype=np.bool_)
        self._waiting = 0

    def append(self, truth: Codes, answers: Sequence[Codes]) -> None:
        """Add the rows of a batch."""
        held = slice(self._waiting, self._waiting + len(truth))
        for row, given in zip(self._right, answers, strict=True):
            np.equal(given, truth, out=row[held])
        self.rows += len(truth)
        whole = held.stop // WORD * WORD
        self._parts.append(pack(self._right[:, :whole]))
        self._waiting = held.stop - whole
        self._right[:, : self._waiting] = self._right[:, whole : held.stop]

    def packed(self) -> npt.NDArray[np.uint64]:
        """Return all words (models × words)."""
        return np.concatenate([*self._parts, pack(self._right[:, : self._waiting])], axis=1)
