"""The Prayatul matrix of two clusterings at the door: its cells count pairs of instances, not instances."""

from __future__ import annotations

from typing import Any

from tiebreak._checks import one_of
from tiebreak.comparison.prayatul import PrayatulMatrix
from tiebreak.errors import TiebreakError
from tiebreak.sources import Ask, opened
from tiebreak.tables import NOISES


def pair_prayatul_matrix(
    labels_true: Any, labels_pred: Any, labels_alternative: Any, *, noise: str = "cluster"
) -> PrayatulMatrix:
    """Count how two clusterings' right and wrong decisions about pairs of instances meet.

    A pair is right in a clustering if it is together there exactly when it is together in the truth. The N (N − 1) / 2
    pairs are never formed: with S the pairs that are together in one labelling, or in two at once,

        both right  T − S_G − S_P − S_Q + S_GP + S_GQ + S_PQ      right/wrong  S_GP + S_Q − S_GQ − S_PQ
        wrong/right S_GQ + S_P − S_GP − S_PQ                      both wrong   S_PQ + S_G − S_GP − S_GQ

    which are exact integers up to four thousand million instances. Labels of either clustering mean nothing outside it
    and may be of any kind. Raises for fewer than two instances. Source: Prayatul matrix for clusterings, section III.

    Parameters
    ----------
    labels_true, labels_pred, labels_alternative : the true classes, the primary clustering's labels and the
        alternative's, of equal length
    noise : what label −1 is: one "cluster" like any other, or a "singleton" for each instance that has it

    Examples
    --------
    >>> matrix = pair_prayatul_matrix([0, 0, 1, 1], [5, 5, 5, 7], list("abab"))
    >>> matrix.both_right, matrix.right_wrong, matrix.wrong_right, matrix.both_wrong
    (1, 2, 1, 2)
    >>> pair_prayatul_matrix([0, 0, 1, 1, 1], [7, 7, 3, 3, 3], [1, 1, 0, 0, 0]).both_right
    10
    """
    if labels_true is None:
        raise TiebreakError(
            "labels_true is None: right and wrong need the true classes; without them compare the two clusterings by "
            "their Rand index"
        )
    ask = Ask(task="clustering", noise=one_of(noise, "noise", NOISES))
    names = ("labels_pred", "labels_alternative")
    data = opened(labels_true, dict(zip(names, (labels_pred, labels_alternative), strict=True)), ask)
    return PrayatulMatrix.of(data.partitions.pair(*names))
