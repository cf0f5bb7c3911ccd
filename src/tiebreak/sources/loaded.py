"""A table of many models and few rows, brought into memory: what a leaderboard is, and what an engine is slow at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tiebreak.sources.ask import Roles
from tiebreak.sources.grouped import encode
from tiebreak.sources.memory import MemorySource
from tiebreak.sources.reading import Reading
from tiebreak.sources.rows import Cell, Found, Instances, Wanted
from tiebreak.sources.sql import SqlSource
from tiebreak.sources.vectors import Vector
from tiebreak.tables import Label

# An engine groups by a few columns faster than anything else, and by hundreds slower.
MANY_MODELS = 24
# At most this many values are held, one or eight bytes each.
MOST_VALUES = 1 << 24


class LoadedSource(MemorySource):
    """The key columns of a relation in memory; the relation still reads their values, and shows their rows.

    Examples
    --------
    >>> from tiebreak.sources.engine import Engine
    >>> with Engine() as engine:
    ...     few = SqlSource(engine, "(SELECT 1 AS y, 1 AS a, 0 AS b)")
    ...     LoadedSource(few, Roles("y", ("a", "b"))).rows
    1
    """

    def __init__(self, relation: SqlSource, roles: Roles) -> None:
        columns, weights = relation.columns_of(roles.all_keys)
        vectors = {}
        for key, column in zip(roles.all_keys, columns, strict=True):
            codes, values = encode(column)
            vectors[key] = Vector(codes, 0, values)
        super().__init__(
            vectors, None if weights is None else (str(roles.weight), np.asarray(weights, dtype=np.float64))
        )
        self.where = relation.where
        self._relation = relation

    @property
    def relation(self) -> SqlSource:
        """The relation itself, which has every column."""
        return self._relation

    def read(self, values: Mapping[str, Sequence[object]]) -> Mapping[str, Sequence[object]]:
        """Return raw values as the relation reads them."""
        return self._relation.read(values)

    def shown_values(self, column: str, values: Sequence[object]) -> Sequence[object]:
        """Return raw values as the relation shows them."""
        return self._relation.shown_values(column, values)

    def remarks(self, values: Mapping[str, Sequence[object]], truth: str) -> tuple[str, ...]:
        """Return what the relation has to say about them."""
        return self._relation.remarks(values, truth)

    def order(self, keys: Sequence[str]) -> Sequence[Label]:
        """Return the relation's order of the labels."""
        return self._relation.order(keys)

    def wanted(
        self, keys: Sequence[str], wanted: Wanted, complete: Sequence[str], first: Sequence[str], limit: int
    ) -> Found:
        """Return rows from the relation, with every column it has."""
        return self._relation.wanted(keys, wanted, complete, first, limit)

    def instances(self, cell: Cell, reading: Reading, limit: int | None) -> Instances:
        """Return the rows of one cell from the relation, with every column it has."""
        return self._relation.instances(cell, reading, limit)


def wide_in_memory(relation: SqlSource, roles: Roles) -> SqlSource | LoadedSource:
    """Return the relation itself, or its columns in memory where they are many and short.

    Examples
    --------
    >>> from tiebreak.sources.engine import Engine
    >>> with Engine() as engine:
    ...     few = SqlSource(engine, "(SELECT 1 AS y, 1 AS a, 0 AS b)")
    ...     wide_in_memory(few, Roles("y", ("a", "b"))) is few
    True
    """
    if len(roles.models) < MANY_MODELS or relation.rows * len(roles.keys) > MOST_VALUES:
        return relation
    return LoadedSource(relation, roles)
