"""What a comparison holds: one record per model, one per ordered pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from tiebreak._format import Shown, listed, quoted
from tiebreak.comparison.prayatul import PrayatulMatrix
from tiebreak.errors import ColumnNotFound, NotDefined
from tiebreak.measures import PrayatulMeasures, balanced_cells, prayatul_measures
from tiebreak.tables import NEEDS_OUTCOMES, PrayatulCounts, Tally


@dataclass(frozen=True, slots=True)
class Model:
    """One model's share of the comparison.

    Attributes
    ----------
    name : the model
    n : how many instances it was judged on
    right : how many it got right, or their weight
    accuracy : `right` as a share
    missing : how many predictions it lacks
    unique_rights, unique_wrongs : how often it alone is right, it alone wrong
    """

    name: str
    n: int
    right: float
    accuracy: float
    missing: int
    unique_rights: float
    unique_wrongs: float


@dataclass(frozen=True, slots=True)
class Pair(Shown):
    """One head-to-head, seen from the primary model.

    Attributes
    ----------
    prayatul : the four cells
    by_class : the cells within each true label (labels × 4); None where the count did not keep them

    Examples
    --------
    >>> Pair(PrayatulMatrix(30, 9, 4, 7, primary="knn", alternative="tree")).difference
    0.1
    """

    prayatul: PrayatulMatrix
    by_class: npt.NDArray[Any] | None = None

    @property
    def primary(self) -> str:
        """The model whose answers are judged."""
        return self.prayatul.primary

    @property
    def alternative(self) -> str:
        """The model it is judged against."""
        return self.prayatul.alternative

    @property
    def measures(self) -> PrayatulMeasures:
        """The five measures, seen from the primary."""
        return self.prayatul.measures()

    @property
    def difference(self) -> float:
        """Accuracy of the primary minus accuracy of the alternative; positive means the primary is better."""
        return self.prayatul.difference

    @property
    def balanced(self) -> PrayatulMeasures:
        """The five measures of the cell shares averaged over the true classes: prevalence plays no part."""
        if self.by_class is None:
            raise NotDefined(f"balanced measures need tables by class: {NEEDS_OUTCOMES}")
        return prayatul_measures(balanced_cells(self.by_class))


@dataclass(frozen=True, slots=True)
class PairTable:
    """The cells of all ordered pairs, and where each can be asked for more.

    A comparison of very many models that was written to JSON knows only the pairs written there; the cells of the
    others are NaN. `same` holds the both-wrong-the-same counts that are known without the tally.
    """

    models: tuple[str, ...]
    cells: npt.NDArray[Any]
    tally: Tally | None = None
    same: Mapping[tuple[str, str], float | None] = field(default_factory=dict)

    @classmethod
    def of(cls, tally: Tally) -> PairTable:
        """Return the table of a tally's models."""
        return cls(tally.models, tally.pairs(), tally)

    def counts(self, primary: str, alternative: str) -> PrayatulCounts:
        """Return one pair's counts."""
        p, q = self.index(primary), self.index(alternative)
        cells = self.cells[p, q]
        if cells[0] != cells[0]:
            pair = f"{quoted(primary)} against {quoted(alternative)}"
            raise NotDefined(f"the document holds no table of {pair}: write it with all pairs")
        same = self.same.get((primary, alternative)) if self.tally is None else self.tally.cells.both_wrong_same(p, q)
        return PrayatulCounts.of(cells, same)

    def pair(self, primary: str, alternative: str) -> Pair:
        """Return one head-to-head."""
        matrix = PrayatulMatrix.of(self.counts(primary, alternative), primary, alternative)
        return Pair(matrix, self._by_class(primary, alternative))

    def index(self, model: str) -> int:
        """Return a model's place, or say which models there are."""
        if model not in self.models:
            known = listed(self.models, 20)
            raise ColumnNotFound(f"{quoted(model)} is no model of this comparison: its models are {known}")
        return self.models.index(model)

    def _by_class(self, primary: str, alternative: str) -> npt.NDArray[Any] | None:
        tally = self.tally
        if tally is None or tally.truth is None:
            return None
        return tally.cells.cells_by_class(tally.index(primary), tally.index(alternative), len(tally.labels))
