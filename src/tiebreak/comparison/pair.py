"""One head-to-head: the difference of two models, how sure it is, and the four cells behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from tiebreak._format import Shown, quoted
from tiebreak.comparison.agreement import Agreement
from tiebreak.comparison.kinds import KINDS, Kind
from tiebreak.comparison.prayatul import PrayatulMatrix
from tiebreak.comparison.probabilities import PairProbabilities
from tiebreak.errors import NotDefined
from tiebreak.inference import Estimate, PriorScale, Rope, Superiority, balanced_difference, superiority
from tiebreak.measures import PrayatulMeasures, balanced_cells, prayatul_measures
from tiebreak.tables import NEEDS_OUTCOMES, Label, PrayatulCounts, Tally

NO_TABLE = "numbers have no table of right and wrong answers: name a --tolerance within which one counts as right"


@dataclass(frozen=True, slots=True)
class Pair(Shown):
    """One head-to-head, seen from the primary model.

    Attributes
    ----------
    primary, alternative : the models; the primary's answers are judged against the alternative's
    difference : score of the primary minus score of the alternative, with its interval; positive means it is better
    p_better : the probability that the primary is truly better
    p_value, p_value_adjusted : two-sided, of this pair alone, and adjusted for all `comparisons`; NaN where not tested
    comparisons : how many pairs are tested
    mcnemar_exact_p : McNemar's exact test; NaN unless instances are independent and count alike
    trace_superiority : the published probability from two confusion matrices, which is none; NaN without them
    more_needed : how many more instances like these would settle it; 0 if settled, None if nothing differs
    rope, prior_scale : where the difference lies relative to practical equivalence, and under a prior scale; if asked
    undefined : what has no value here, with the reason
    matrix : the four cells, of clusterings over pairs of instances; None for numbers without a tolerance
    agreement : of clusterings, how far the two agree with each other, whoever is right
    kind : how the task speaks of differences
    probabilities : how the two models' class probabilities differ, where they were given

    Examples
    --------
    >>> import tiebreak as tb
    >>> pair = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")}).pair("q", "p")
    >>> round(pair.difference, 6), pair.p_better, pair.p_value
    (0.2, 0.6875, 0.625)
    """

    primary: str
    alternative: str
    difference: Estimate
    p_better: float
    p_value: float
    p_value_adjusted: float = float("nan")
    comparisons: int = 1
    mcnemar_exact_p: float = float("nan")
    trace_superiority: float = float("nan")
    more_needed: int | None = None
    rope: Rope | None = None
    prior_scale: PriorScale | None = None
    undefined: Mapping[str, str] = field(default_factory=dict)
    matrix: PrayatulMatrix | None = None
    agreement: Agreement | None = None
    kind: Kind = KINDS["classification"]
    probabilities: PairProbabilities | None = None
    tally: Tally | None = field(default=None, repr=False, compare=False)

    @property
    def prayatul(self) -> PrayatulMatrix:
        """Both right, right/wrong, wrong/right, both wrong."""
        if self.matrix is None:
            raise NotDefined(NO_TABLE)
        return self.matrix

    @property
    def measures(self) -> PrayatulMeasures:
        """The five measures, seen from the primary."""
        return self.prayatul.measures()

    @property
    def balanced(self) -> PrayatulMeasures:
        """The five measures of the cell shares averaged over the true classes: prevalence plays no part."""
        return prayatul_measures(balanced_cells(self._by_class[1]))

    @property
    def by_class(self) -> dict[Label, PrayatulMatrix]:
        """The Prayatul matrix within each true class that has instances; their sum is the whole.

        Examples
        --------
        >>> import tiebreak as tb
        >>> pair = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")}).pair("q", "p")
        >>> pair.by_class["c"].right_wrong, sum(matrix.n for matrix in pair.by_class.values())
        (1, 5)
        """
        labels, cells = self._by_class
        rows = {label: PrayatulCounts.of(row) for label, row in zip(labels, cells, strict=True) if row.sum()}
        return {label: PrayatulMatrix.of(row, self.primary, self.alternative) for label, row in rows.items()}

    @property
    def balanced_difference(self) -> Estimate:
        """The difference of the balanced accuracies, every true class counting alike, with its interval."""
        return balanced_difference(self._by_class[1], self.difference.interval.level)[0]

    @property
    def _by_class(self) -> tuple[tuple[Label, ...], npt.NDArray[Any]]:
        """The true classes, and the four cells within each."""
        matrix, tally = self.prayatul, self.tally
        if tally is None or tally.truth is None:
            raise NotDefined(f"tables by class are not defined here: {NEEDS_OUTCOMES}")
        return tally.labels, tally.pair_by_class(matrix.primary, matrix.alternative)

    @property
    def superiority(self) -> Superiority:
        """The whole of what independent, unweighted counts say: other intervals, margins, planning, log-probabilities.

        Examples
        --------
        >>> import tiebreak as tb
        >>> pair = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")}).pair("q", "p")
        >>> pair.superiority.mcnemar.exact
        1.0
        """
        matrix = self.prayatul
        if self.difference.method != "flat_posterior":
            raise NotDefined(
                f"the difference of {quoted(self.primary)} and {quoted(self.alternative)} is of dependent or weighted "
                "instances: its probability and interval are in the pair itself"
            )
        counts = (int(matrix.right_wrong), int(matrix.wrong_right), int(matrix.n))
        return superiority(*counts, level=self.difference.interval.level)
