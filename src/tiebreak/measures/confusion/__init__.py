"""A confusion matrix to numbers: per class, of the whole, and of agreement beyond chance.

Every function takes dense tables of shape (…, k, k), true labels in rows, or the sparse `ConfusionCounts`, or `Margins`
where the margins suffice, and returns arrays of shape (…, k) per class and (…) of the whole.
"""

from tiebreak.measures.confusion.agreement import BANDS, chance_agreement, kappa, kappa_band, matthews, weighted_kappa
from tiebreak.measures.confusion.classes import (
    Table,
    earthquake_r,
    f_beta,
    jaccard,
    precision,
    r_prime,
    recall,
)
from tiebreak.measures.confusion.reasons import degenerate_class, undefined_classes, undefined_whole
from tiebreak.measures.confusion.whole import (
    accuracy,
    balanced_accuracy,
    coverage,
    f1_of_means,
    macro_jaccard,
    macro_precision,
    macro_recall,
    mean_f1,
    micro_f1,
    micro_precision,
    micro_recall,
    overall_r_prime,
    selective_accuracy,
    weighted_f1,
    weighted_precision,
    weighted_recall,
)

__all__ = [
    "BANDS",
    "Table",
    "accuracy",
    "balanced_accuracy",
    "chance_agreement",
    "coverage",
    "degenerate_class",
    "earthquake_r",
    "f1_of_means",
    "f_beta",
    "jaccard",
    "kappa",
    "kappa_band",
    "macro_jaccard",
    "macro_precision",
    "macro_recall",
    "matthews",
    "mean_f1",
    "micro_f1",
    "micro_precision",
    "micro_recall",
    "overall_r_prime",
    "precision",
    "r_prime",
    "recall",
    "selective_accuracy",
    "undefined_classes",
    "undefined_whole",
    "weighted_f1",
    "weighted_kappa",
    "weighted_precision",
    "weighted_recall",
]
