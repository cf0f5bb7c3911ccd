"""The way back to the rows: which instances lie in one cell of a head-to-head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tiebreak._checks import one_of
from tiebreak._format import Shown
from tiebreak.tables import CELLS

# Of numbers: who is nearer on an instance, nobody, or whoever.
WINNERS = ("primary_better", "alternative_better", "tied", "any")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of one pair: who is right, who is wrong, and which columns that is read from.

    `only` keeps the instances with these ids, written as text.
    `known` are the cells there are: those of the Prayatul matrix, or, where models give numbers, `WINNERS`.

    Examples
    --------
    >>> Cell("knn", "tree", "right_wrong", "y").alternative_right
    False
    """

    primary: str
    alternative: str
    which: str
    truth: str | None
    id: str | None = None
    all_models: tuple[str, ...] = ()
    policy: str = "raise"
    only: tuple[str, ...] | None = None
    known: tuple[str, ...] = CELLS

    def __post_init__(self) -> None:
        one_of(self.which, "cell", self.known)

    @property
    def models(self) -> tuple[str, str]:
        """The two models, primary first."""
        return self.primary, self.alternative

    @property
    def primary_right(self) -> bool:
        """Whether the primary is right in this cell."""
        return self.which in {"both_right", "right_wrong"}

    @property
    def alternative_right(self) -> bool:
        """Whether the alternative is right in this cell."""
        return self.which in {"both_right", "wrong_right"}


# Combinations of raw values of some key columns, and the rank of each.
Wanted = Sequence[tuple[tuple[object, ...], int]]


@dataclass(frozen=True, slots=True)
class Found:
    """Rows as a source hands them over, and the rank of the combination that each holds.

    Examples
    --------
    >>> Found(("y", "knn"), (("cat", "cat"),), (0,)).rows
    (('cat', 'cat'),)
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Instances(Shown):
    """Rows of one cell: iterate for one dict a row.

    Attributes
    ----------
    cell : which cell of which pair
    total : how many instances the cell holds; `len` says how many of them are here
    columns : the names of the columns
    rows : the values, one tuple a row

    Examples
    --------
    >>> cell = Cell("knn", "tree", "right_wrong", "y")
    >>> found = Instances(cell, 9, ("row", "y"), ((3, "cat"),))
    >>> len(found), next(iter(found))
    (1, {'row': 3, 'y': 'cat'})
    """

    cell: Cell
    total: int
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]

    @property
    def primary(self) -> str:
        """The first model of the pair."""
        return self.cell.primary

    @property
    def alternative(self) -> str:
        """The second model of the pair."""
        return self.cell.alternative

    @property
    def which(self) -> str:
        """The cell's name."""
        return self.cell.which

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, object]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)
