"""Why a measure of a confusion matrix has no value, and when it has one that means nothing."""

from __future__ import annotations

import numpy as np

from tiebreak.measures.confusion.agreement import kappa, matthews
from tiebreak.measures.confusion.classes import Table
from tiebreak.tables import Margins, margins_of

NEVER_PREDICTED = "the class is never predicted"
NEVER_TRUE = "no instance belongs to the class"
NEITHER = "the class is neither true nor predicted"
UNKNOWN_TRUTH = "it is not known to which classes the instances without a prediction belong"
SEVERAL = "an instance may have several predictions, so its class has to be counted apart: give support="
NOT_COMPLETE = "it needs exactly one prediction for every instance"
NO_ANSWER = "there is no prediction"
ONE_CLASS = "truth and predictions are one class, and agreement by chance is certain"
ONE_SIDED = "only one class is true, or only one is predicted"


def undefined_classes(table: Table, place: int) -> dict[str, str]:
    """Return which measures of one class have no value, each with the reason.

    Examples
    --------
    >>> undefined_classes([[0, 9], [0, 1]], 0)
    {'precision': 'the class is never predicted'}
    """
    margins = margins_of(table)
    true, predicted = float(margins.true[place]), float(margins.predicted[place])
    found = {} if predicted else {"precision": NEVER_PREDICTED}
    if true != true:
        return found | dict.fromkeys(("recall", "f1", "r_prime"), _unknown(margins))
    if not true:
        found |= {"recall": NEVER_TRUE, "r_prime": NEVER_TRUE}
    return found if true + predicted else found | {"f1": NEITHER}


def _unknown(margins: Margins) -> str:
    """Why it is not known how many instances a class has."""
    return SEVERAL if bool((margins.answered > margins.total).any()) else UNKNOWN_TRUTH


def undefined_whole(table: Table) -> dict[str, str]:
    """Return which measures of the whole have no value, each with the reason.

    Examples
    --------
    >>> undefined_whole([[10, 0], [0, 0]])["kappa"]
    'truth and predictions are one class, and agreement by chance is certain'
    """
    margins = margins_of(table)
    found: dict[str, str] = {}
    if not margins.complete:
        found |= {"kappa": NOT_COMPLETE, "mcc": NOT_COMPLETE}
    else:
        found |= {} if np.isfinite(kappa(margins)) else {"kappa": ONE_CLASS}
        found |= {} if np.isfinite(matthews(margins)) else {"mcc": ONE_SIDED}
    if not margins.answered:
        found["selective_accuracy"] = NO_ANSWER
    if np.isnan(margins.true).any():
        names = ("macro_recall", "balanced_accuracy", "f1_of_means", "mean_f1", "macro_jaccard", "weighted_f1")
        found |= dict.fromkeys(names, _unknown(margins))
    return found


def degenerate_class(table: Table) -> int | None:
    """Return the place of the class to which every instance belongs; its R′ is 1 whatever is missed.

    Examples
    --------
    >>> degenerate_class([[50, 20], [0, 0]]), degenerate_class([[5, 0], [1, 4]])
    (0, None)
    """
    margins = margins_of(table)
    only = np.flatnonzero((margins.true == margins.total) & (margins.total > 0))
    return int(only[0]) if len(only) else None
