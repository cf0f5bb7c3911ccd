"""One record per model: its score with an interval, where it stands among the others, and what its task adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tiebreak._format import number, percent
from tiebreak.comparison.confusion import ConfusionMatrix
from tiebreak.comparison.confusion_records import ClassRecord
from tiebreak.comparison.entries import estimate_entry, number_entry, plain_label
from tiebreak.comparison.probabilities import ModelProbabilities
from tiebreak.inference import Estimate
from tiebreak.tables import ConfusionCounts
from tiebreak.tables.confusion import OMITTED


def _never_drawn() -> tuple[float, float]:
    return float("nan"), float("nan")


@dataclass(frozen=True)
class Model:
    """One model's share of a comparison, whatever the task.

    Attributes
    ----------
    name : the model
    n : how many instances it was judged on
    score : what models are ranked by, higher is better, with its interval
    missing : how many predictions it lacks
    tier : 1 for the models not separable from the best, and so on downwards; None where only a baseline is compared
    separable_from_best : whether the best is significantly better
    rank : between which ranks the model lies: 1 + how many are significantly better, M − how many are worse
    """

    name: str
    n: int
    score: Estimate
    missing: int = 0
    tier: int | None = None
    separable_from_best: bool | None = None
    rank: tuple[int, int] | None = None
    drawn: Callable[[], tuple[float, float]] = field(default=_never_drawn, repr=False, compare=False)
    recorded: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)

    @property
    def p_best(self) -> float:
        """The probability that this model's true score is the highest of all; drawn when first asked for."""
        return self.drawn()[0]

    @property
    def p_best_error(self) -> float:
        """The Monte-Carlo standard error of `p_best`; 0 for two models, where it is exact."""
        return self.drawn()[1]

    @property
    def said(self) -> str:
        """The score as a sentence says it."""
        return number(self.score)

    def facts(self) -> dict[str, Any]:
        """Return what the task adds, in the words of the JSON format."""
        return {}

    @property
    def undefined(self) -> Mapping[str, str]:
        """What has no value here, with the reason."""
        return {}


@dataclass(frozen=True, kw_only=True)
class Judged(Model):
    """A model whose answers are right or wrong.

    Attributes
    ----------
    right : how many it got right, or their weight
    unique_rights, unique_wrongs : how often it alone is right, it alone wrong
    """

    right: float
    unique_rights: float
    unique_wrongs: float

    @property
    def accuracy(self) -> Estimate:
        """The share of right answers, with its interval."""
        return self.score

    @property
    def said(self) -> str:
        """The accuracy in per cent."""
        return percent(self.score)

    def facts(self) -> dict[str, Any]:
        """Return the counts and the accuracy."""
        return {
            "right": self.right,
            "accuracy": estimate_entry(self.score),
            "unique_rights": self.unique_rights,
            "unique_wrongs": self.unique_wrongs,
        }


# What the JSON format says of a whole confusion matrix, and of one class.
WHOLE = (
    "kappa", "mcc", "balanced_accuracy", "macro_precision", "macro_recall", "f1_of_means", "mean_f1", "coverage",
    "selective_accuracy",
)  # fmt: skip
OF_CLASS = ("support", "predicted", "right", "precision", "recall", "f1", "r_prime")
# Above this many classes the cells of a confusion matrix are listed one by one.
MOST_DENSE = 100


@dataclass(frozen=True, kw_only=True)
class Classified(Judged):
    """A model that gives labels: everything its confusion matrix says, computed when first asked for.

    Attributes
    ----------
    counted : returns the confusion matrix
    probabilities : what its class probabilities are worth, where they were given; `no_curve` says why one is undefined

    Examples
    --------
    >>> import tiebreak as tb
    >>> model = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")}).model("p")
    >>> model.confusion.counts.tolist(), round(model.kappa, 4), model.classes[0].recall
    ([[1, 1, 0], [0, 2, 0], [1, 0, 0]], 0.3333, 0.5)
    """

    counted: Callable[[], ConfusionMatrix] = field(repr=False, compare=False)
    probabilities: ModelProbabilities | None = None
    no_curve: str = ""

    @cached_property
    def confusion(self) -> ConfusionMatrix:
        """True labels in rows, predicted labels in columns, with every measure of them."""
        return self.counted()

    @property
    def classes(self) -> tuple[ClassRecord, ...]:
        """One record a class, in the order of the labels."""
        return self.confusion.classes

    @property
    def kappa(self) -> float:
        """Cohen's kappa."""
        return self.confusion.kappa

    @property
    def r_prime(self) -> float:
        """R′ of the whole: the accuracy, unless something was omitted; that of each class is in `classes`."""
        return self.confusion.r_prime_overall

    @property
    def undefined(self) -> Mapping[str, str]:
        """What has no value here, with the reason."""
        matrix = self.confusion
        found = {name: reason for name, reason in matrix.undefined.items() if name in WHOLE}
        found |= {"consistency": found["kappa"]} if "kappa" in found else {}
        for place, record in enumerate(matrix.classes):
            found |= {f"classes[{place}].{name}": reason for name, reason in record.undefined.items()}
        graded = None if self.probabilities is None else self.probabilities.entry()
        return found | undefined_estimates(graded, self.no_curve)

    def facts(self) -> dict[str, Any]:
        """Return the counts, the measures of the whole and of every class, and the matrix itself."""
        matrix = self.confusion
        return {
            **super().facts(),
            **{name: number_entry(getattr(matrix, name)) for name in WHOLE},
            "consistency": matrix.consistency,
            "r_prime": number_entry(matrix.r_prime_overall),
            "classes": [
                {"label": plain_label(record.label)} | {name: number_entry(getattr(record, name)) for name in OF_CLASS}
                for record in matrix.classes
            ],
            "confusion": confusion_entry(matrix),
            **({} if self.probabilities is None else self.probabilities.entry()),
        }


def undefined_estimates(entry: Mapping[str, Any] | None, reason: str) -> dict[str, str]:
    """Return the paths of all nulls of an entry of estimates, each with the reason.

    Examples
    --------
    >>> undefined_estimates({"roc_auc": {"value": 0.5, "low": None}}, "weighted")
    {'roc_auc.low': 'weighted'}
    """
    found: dict[str, str] = {}
    for name, value in (entry or {}).items():
        parts = value.items() if isinstance(value, Mapping) else [("", value)]
        found |= {f"{name}.{part}".rstrip("."): reason for part, number in parts if number is None}
    return found


def confusion_entry(matrix: ConfusionMatrix) -> dict[str, Any]:
    """Return a confusion matrix as the JSON format has it: full up to 100 classes, else cell by cell.

    Examples
    --------
    >>> confusion_entry(ConfusionMatrix([[3, 1], [0, 2]], labels=["a", "b"]))["counts"]
    [[3, 1], [0, 2]]
    """
    entry: dict[str, Any] = {"labels": [plain_label(label) for label in matrix.labels]}
    if len(matrix.labels) <= MOST_DENSE:
        entry["counts"] = matrix.counts.tolist()
    else:
        table = matrix.table
        cells = zip(table.rows.tolist(), table.columns.tolist(), table.mass.amounts.tolist(), strict=True)
        entry["cells"] = [[row, column, amount] for row, column, amount in cells if column != OMITTED]
    return entry | {"omitted": matrix.omitted.tolist()}


def read_confusion(entry: Mapping[str, Any]) -> ConfusionMatrix:
    """Undo `confusion_entry`.

    Examples
    --------
    >>> read_confusion({"labels": ["a", "b"], "counts": [[3, 1], [0, 2]], "omitted": [0, 0]}).accuracy
    0.8333333333333334
    """
    size, omitted = len(entry["labels"]), np.array(entry["omitted"])
    if "counts" in entry:
        table = ConfusionCounts.of(np.array(entry["counts"]).reshape(size, size), omitted)
    else:
        rows, columns, amounts = map(np.array, zip(*entry["cells"], strict=True))
        table = ConfusionCounts.of_cells(size, rows, columns, amounts, omitted)
    return ConfusionMatrix(table, entry["labels"])
