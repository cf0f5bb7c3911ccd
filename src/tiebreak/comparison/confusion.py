"""The confusion matrix at the door: one model's table with its measures, and the functions that count it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import distinct, one_of, whole_count
from tiebreak._format import Shown, counted, measure, percent, quoted
from tiebreak.comparison.confusion_checks import instances, omissions, plain_labels, square, supported, whole, wholes
from tiebreak.comparison.confusion_difference import ConfusionDifference
from tiebreak.comparison.confusion_records import ClassRecord, Confusion
from tiebreak.errors import TiebreakError
from tiebreak.measures import confusion as measures
from tiebreak.sources import POLICIES, Ask, opened
from tiebreak.tables import ConfusionCounts, Label, Margins


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrix(Shown):
    """Counts of true labels (rows) against predicted labels (columns), and every measure of them.

    Only the non-empty cells are kept, so that 100,000 classes cost what their cells cost; `np.asarray` and `counts`
    give the full matrix. Cells are counts, or sums of weights.

    Attributes
    ----------
    table : the non-empty cells
    labels : the classes, in order
    n : how many instances there are, answered or not, or their weight
    support : how many instances each class has, where that cannot be read off the cells; else None

    Parameters
    ----------
    counts : k × k counts ≥ 0, or `ConfusionCounts`
    labels : names of the classes; 0, 1, … where not given
    n : how many instances there are, where that is not the sum of counts and omissions: fewer than predictions where
        an instance may get several, more where some got none and their class is not known
    omitted : how many instances of each true class have no prediction
    support : how many instances each class has, where an instance may get several predictions

    Examples
    --------
    >>> import numpy as np
    >>> matrix = ConfusionMatrix([[50, 3, 2], [4, 30, 1], [0, 5, 5]], labels=["cat", "dog", "owl"])
    >>> matrix.accuracy, matrix.r_prime("overall"), matrix.r_prime().round(6)
    (0.85, 0.85, array([0.919091, 0.827143, 0.52    ]))
    >>> matrix.classes[2].precision, matrix.top_confusions(1)[0].predicted
    (0.625, 'dog')
    """

    table: ConfusionCounts
    labels: tuple[Label, ...]
    n: float
    support: tuple[float, ...] | None = None

    def __init__(
        self,
        counts: npt.ArrayLike | ConfusionCounts,
        labels: Sequence[Label] | None = None,
        n: float | None = None,
        omitted: npt.ArrayLike | None = None,
        support: npt.ArrayLike | None = None,
    ) -> None:
        if isinstance(counts, ConfusionCounts):
            table = counts
        else:
            table = ConfusionCounts.of(square(counts), None if omitted is None else omissions(omitted, counts))
        names = tuple(range(table.size)) if labels is None else distinct(plain_labels(labels), "labels")
        if len(names) != table.size:
            raise TiebreakError(f"labels has {len(names)} names but the matrix has {table.size} classes: name each one")
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "labels", names)
        known = None if support is None else supported(support, n, table)
        object.__setattr__(self, "support", known)
        object.__setattr__(self, "n", instances(n if known is None else sum(known), table))

    def __repr__(self) -> str:
        shape = f"{len(self.labels)} classes, {counted(self.n, 'instance')}"
        return f"<ConfusionMatrix: {shape}, accuracy {measure(self.accuracy)}, R′ {measure(self.r_prime_overall)}>"

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:  # noqa: FBT001
        return self.counts.astype(dtype) if dtype else self.counts.copy()

    def __sub__(self, other: ConfusionMatrix) -> ConfusionDifference:
        """Return this matrix minus another one of the same instances, cell by cell and class by class."""
        return ConfusionDifference.of(
            (self.table, self.labels, self.margins), (other.table, other.labels, other.margins)
        )

    def __add__(self, other: ConfusionMatrix) -> ConfusionMatrix:
        """Pool the counts of further instances over the same labels; measures are taken of the sum, never averaged."""
        if self.labels != other.labels:
            raise TiebreakError("two confusion matrices add only over the same labels in the same order")
        if (self.support is None) != (other.support is None):
            raise TiebreakError("one confusion matrix names its support and the other does not: give it to both")
        pooled = None if self.support is None or other.support is None else np.add(self.support, other.support)
        return ConfusionMatrix(self.table + other.table, self.labels, self.n + other.n, support=pooled)

    @cached_property
    def counts(self) -> npt.NDArray[Any]:
        """The full matrix, true labels in rows, omissions left out."""
        return self.table.matrix()

    @cached_property
    def margins(self) -> Margins:
        """Right, true and predicted counts of every class."""
        found = self.table.margins(self.n)
        return found if self.support is None else replace(found, true=np.array(self.support, dtype=np.float64))

    @cached_property
    def omitted(self) -> npt.NDArray[Any]:
        """How many instances of each true class have no prediction."""
        return self.table.omitted()

    def r_prime(self, average: str | None = None) -> Any:
        """R′ of every class, in the order of the labels; of the whole with `average="overall"`."""
        return _per_class_or_overall(self.margins, average)

    def r_index(self) -> npt.NDArray[np.float64]:
        """Return the earthquake index R of every class, a_r/m_r − s_r/w."""
        return measures.earthquake_r(self.margins)

    def precision(self) -> npt.NDArray[np.float64]:
        """Return the precision of every class."""
        return measures.precision(self.margins)

    def recall(self) -> npt.NDArray[np.float64]:
        """Return the recall of every class."""
        return measures.recall(self.margins)

    def f_beta(self, beta: float = 1.0) -> npt.NDArray[np.float64]:
        """Return F_β of every class."""
        if isinstance(beta, bool | str) or not 0 <= beta < float("inf"):
            raise TiebreakError(f"beta is {quoted(beta)}: it must be a number ≥ 0; 1 weighs precision and recall alike")
        return measures.f_beta(self.margins, beta)

    def jaccard(self) -> npt.NDArray[np.float64]:
        """Return the Jaccard index of every class."""
        return measures.jaccard(self.margins)

    @property
    def r_prime_overall(self) -> float:
        """R′ of the whole, 1 − wrong/w; see `rankable`."""
        return float(measures.overall_r_prime(self.margins))

    @property
    def accuracy(self) -> float:
        """The share of all instances that is right; an omission is not."""
        return float(measures.accuracy(self.margins))

    @property
    def coverage(self) -> float:
        """The share of instances that got an answer."""
        return float(measures.coverage(self.margins))

    @property
    def selective_accuracy(self) -> float:
        """The share of the answers that is right."""
        return float(measures.selective_accuracy(self.margins))

    @property
    def kappa(self) -> float:
        """Cohen's kappa."""
        return float(measures.kappa(self.margins))

    @property
    def consistency(self) -> str | None:
        """The band of kappa: none, slight, fair, moderate, substantial or perfect."""
        return measures.kappa_band(self.kappa)

    def weighted_kappa(self, weights: str | npt.ArrayLike = "linear") -> float:
        """Return kappa with some confusions worse than others: "linear", "quadratic", or a k × k table."""
        found = float(measures.weighted_kappa(self.table, weights))
        return found if self.rankable else float("nan")

    @property
    def mcc(self) -> float:
        """Matthews' correlation coefficient."""
        return float(measures.matthews(self.margins))

    @property
    def balanced_accuracy(self) -> float:
        """The mean recall of the classes that have instances."""
        return float(measures.balanced_accuracy(self.margins))

    @property
    def macro_precision(self) -> float:
        """The mean precision, a class that is never predicted counting as 0."""
        return float(measures.macro_precision(self.margins))

    @property
    def macro_recall(self) -> float:
        """The mean recall of the classes that have instances."""
        return float(measures.macro_recall(self.margins))

    @property
    def f1_of_means(self) -> float:
        """The harmonic mean of macro precision and macro recall."""
        return float(measures.f1_of_means(self.margins))

    @property
    def mean_f1(self) -> float:
        """The mean of the classes' F1."""
        return float(measures.mean_f1(self.margins))

    @property
    def macro_jaccard(self) -> float:
        """The mean of the classes' Jaccard indices."""
        return float(measures.macro_jaccard(self.margins))

    @property
    def micro_f1(self) -> float:
        """F1 of all decisions together."""
        return float(measures.micro_f1(self.margins))

    @property
    def weighted_precision(self) -> float:
        """The mean precision, weighted by the classes' instances."""
        return float(measures.weighted_precision(self.margins))

    @property
    def weighted_f1(self) -> float:
        """The mean F1, weighted by the classes' instances."""
        return float(measures.weighted_f1(self.margins))

    @cached_property
    def classes(self) -> tuple[ClassRecord, ...]:
        """One record a class, in the order of the labels."""
        margins = self.margins
        counts = [wholes(column) for column in (margins.true, margins.predicted, margins.right)]
        measured = np.array([self.precision(), self.recall(), self.f_beta(), self.r_prime()])
        lacking = np.flatnonzero(np.isnan(measured).any(axis=0)).tolist()
        reasons: list[dict[str, str]] = [{} for _ in self.labels]
        for place in lacking:
            reasons[place] = self._reasons(place)
        return tuple(map(ClassRecord, self.labels, *counts, *measured.tolist(), reasons))

    def _reasons(self, place: int) -> dict[str, str]:
        return measures.undefined_classes(self.margins, place)

    @property
    def undefined(self) -> dict[str, str]:
        """The measures of the whole that have no value, each with the reason."""
        return measures.undefined_whole(self.margins)

    @property
    def rankable(self) -> bool:
        """Whether R′ may rank models: only where every instance has exactly one prediction."""
        return bool(self.margins.complete)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should know before quoting a number."""
        found = []
        only = measures.degenerate_class(self.margins)
        if only is not None:
            missed = whole(float(self.margins.true[only] - self.margins.right[only]))
            despite = f"although {counted(missed, 'instance')} of it are missed" if missed else "whatever is missed"
            found.append(f"every instance belongs to the class {quoted(self.labels[only])}: its R′ is 1 {despite}")
        if not self.rankable:
            found.append(self._about_silence())
        return tuple(found)

    def _about_silence(self) -> str:
        answers, everything = whole(float(self.margins.answered)), counted(self.n, "instance")
        overall, accuracy = measure(self.r_prime_overall), measure(self.accuracy)
        if self.coverage > 1:
            return (
                f"{counted(answers, 'prediction')} for {everything}: R′ {overall} counts every wrong one against all "
                "instances and does not rank models"
            )
        return (
            f"{counted(answers)} of {everything} have a prediction (coverage {percent(self.coverage)}): R′ {overall} "
            f"rewards silence and does not rank models; accuracy with omissions as wrong is {accuracy}, of the answers "
            f"alone {measure(self.selective_accuracy)}"
        )

    def top_confusions(self, k: Any = 10) -> tuple[Confusion, ...]:
        """Return the k most frequent errors, the most frequent first."""
        k = whole_count(k, "k", "it is how many errors are wanted")
        true = self.margins.true
        return tuple(
            Confusion(self.labels[row], self.labels[column], count, count / float(true[row]))
            for row, column, count in self.table.largest_errors(k)
        )

    def one_against_rest(self, label: Label) -> ConfusionMatrix:
        """Return the 2 × 2 matrix of one class against all others: [[right, missed], [false alarms, the rest]]."""
        place = self._place(label)
        hit, missed, alarms, rest = self.margins.one_against_rest()[place].reshape(-1).tolist()
        left_out = self.omitted.astype(np.float64)
        own = float(left_out[place])
        cells = [[hit, missed - own], [alarms, rest - (float(left_out.sum()) - own)]]
        return ConfusionMatrix(cells, (label, "rest"), omitted=[own, float(left_out.sum()) - own])

    def of_class(self, label: Label) -> ClassRecord:
        """Return the record of one class."""
        return self.classes[self._place(label)]

    def _place(self, label: Label) -> int:
        try:
            return self.labels.index(label)
        except ValueError:
            raise TiebreakError(f"label is {quoted(label)}: it must be one of the matrix's classes") from None


def _per_class_or_overall(margins: Margins, average: str | None) -> Any:
    if average is None:
        return measures.r_prime(margins)
    one_of(average, "average", ("overall",))
    return float(measures.overall_r_prime(margins))


def confusion_matrix(
    y_true: Any, y_pred: Any, *, labels: Any = None, sample_weight: Any = None, missing: str = "raise"
) -> ConfusionMatrix:
    """Count how often each true label got each predicted one.

    Parameters
    ----------
    y_true, y_pred : the true labels and the predicted ones, of equal length
    labels : the order of the classes; it may name classes that do not occur, and must name all that do
    sample_weight : one number ≥ 0 per instance; the cells are then sums of weights
    missing : what a missing prediction means: "raise" an error, "wrong" (an omission, which is what a model that
        abstains makes), or "drop" the instance

    Examples
    --------
    >>> import numpy as np
    >>> matrix = confusion_matrix(list("aabbc"), list("abbba"))
    >>> matrix.labels, np.asarray(matrix).tolist(), matrix.kappa
    (('a', 'b', 'c'), [[1, 1, 0], [0, 2, 0], [1, 0, 0]], 0.3333333333333333)
    """
    order = None if labels is None else tuple(plain_labels(labels))
    ask = Ask(missing=one_of(missing, "missing", POLICIES), labels=order, fewest=1)
    tally = opened(y_true, {"y_pred": y_pred}, ask, sample_weight).tally
    return ConfusionMatrix(tally.confusion("y_pred"), tally.labels)


def r_prime(
    y_true: Any, y_pred: Any, *, average: str | None = None, labels: Any = None, sample_weight: Any = None
) -> Any:
    """R′ of every class in the order of the labels, or of the whole with `average="overall"`.

    R′_r = a_r/m_r − s_r/w + m_r/w; of the whole 1 − wrong/w, which is the accuracy. See `ConfusionMatrix` for what it
    does where predictions are missing.

    Examples
    --------
    >>> r_prime(list("aabbc"), list("abbba")).round(4), r_prime(list("aabbc"), list("abbba"), average="overall")
    (array([0.5, 0.8, 0.2]), 0.6)
    """
    one_of("none" if average is None else average, "average", ("none", "overall"))
    matrix = confusion_matrix(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    return matrix.r_prime(average)
