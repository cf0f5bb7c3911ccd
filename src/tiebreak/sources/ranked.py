"""The way back to the rows that contribute most: those of the cells that are worth most, in that order."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tiebreak._format import Shown
from tiebreak.errors import TiebreakError
from tiebreak.sources.clusters import CountedClusters
from tiebreak.sources.plan import Source
from tiebreak.sources.rows import Found, Wanted
from tiebreak.tables import CrossTable, group_columns

# As many conditions as rows are asked for at most; engines take no more in one statement.
MOST_ROWS = 1000


class Ranking(Protocol):
    """What a source can do for a ranking, besides counting.

    Examples
    --------
    >>> from tiebreak.sources.memory import MemorySource
    >>> hasattr(MemorySource, "wanted")
    True
    """

    def wanted(
        self, keys: Sequence[str], wanted: Wanted, complete: Sequence[str], first: Sequence[str], limit: int
    ) -> Found:
        """Return rows whose key columns hold one of the wanted combinations of raw values, best rank first."""


@dataclass(frozen=True, slots=True)
class Ranked(Shown):
    """Instances by how much they contribute to the difference of two clusterings; iterate for one dict a row.

    Attributes
    ----------
    primary, alternative : the clusterings
    total : how many instances there are; `len` says how many of them are here
    columns : the names of the columns
    rows : the values, one tuple a row
    contributions : what each row contributes; positive where the primary is right about more of its pairs

    Examples
    --------
    >>> found = Ranked("p", "q", 9, ("row", "p"), ((3, "a"),), (-0.5,))
    >>> len(found), next(iter(found))
    (1, {'row': 3, 'p': 'a', 'contribution': -0.5})
    """

    primary: str
    alternative: str
    total: int
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    contributions: tuple[float, ...]

    which = "contributing"

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, object]]:
        for row, worth in zip(self.rows, self.contributions, strict=True):
            yield dict(zip(self.columns, row, strict=True)) | {"contribution": worth}


def ranked_rows(
    source: Source,
    clusters: CountedClusters,
    cells: CrossTable,
    worth: npt.NDArray[np.float64],
    models: Sequence[str],
    limit: int,
) -> Ranked:
    """Return the rows of the cells with the largest |worth|; `cells` are those of the truth and the two models.

    Examples
    --------
    >>> from tiebreak.sources import Ask, opened
    >>> data = opened(list("aabb"), {"p": [5, 5, 5, 7], "q": [1, 2, 1, 2]}, Ask(task="clustering"))
    >>> cells = data.clustered_cells("p", "q")
    >>> found = data.ranked(cells, np.array([0.3, 0.1, -0.9, 0.2]), ("p", "q"), 2)
    >>> [(row["row"], row["contribution"]) for row in found]
    [(2, -0.9), (0, 0.3)]
    """
    if not 1 <= limit <= MOST_ROWS:
        raise TiebreakError(f"limit is {limit}: it must be between 1 and {MOST_ROWS}")
    partitions, roles = clusters.partitions, clusters.roles
    keys = [*partitions.labelings[: 1 if partitions.truth else 0], *models]
    flat, amounts = cells.codes, np.asarray(worth, dtype=np.float64)
    if cells.groups is not None:
        # A cell that lies in several groups is one cell of rows, and worth the same in each.
        flat, place = group_columns(cells.codes)
        one = np.empty(flat.shape[1])
        one[place] = amounts
        amounts = one
    order = np.argsort(-np.abs(amounts), kind="stable")[:limit]
    wanted = [
        (spelling, rank)
        for rank, cell in enumerate(order.tolist())
        for spelling in itertools.product(
            *(clusters.columns[key].spellings(code) for key, code in zip(keys, flat[:, cell].tolist(), strict=True))
        )
    ]
    shown = ([roles.id] if roles.id else []) + keys
    found = _asked(source).wanted(keys, wanted, clusters.complete, shown, limit)
    contributions = tuple(float(amounts[order[rank]]) for rank in found.ranks)
    return Ranked(models[0], models[1], partitions.n, found.columns, found.rows, contributions)


def _asked(source: object) -> Ranking:
    if not hasattr(source, "wanted"):
        raise TypeError(f"{type(source).__name__} cannot show rows")
    ranking: Ranking = source
    return ranking
