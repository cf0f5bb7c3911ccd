"""One number a class: precision, recall, F, Jaccard, and the R′ index with its ancestor R.

With a_r right, m_r true, s_r predicted instances of class r and w instances in all. An empty denominator is NaN.
"""

from __future__ import annotations

import numpy.typing as npt

from tiebreak.measures.prayatul import Array, _ratio
from tiebreak.tables import ConfusionCounts, Margins, margins_of

Table = Margins | ConfusionCounts | npt.ArrayLike


def precision(table: Table) -> Array:
    """a_r / s_r: the share of the predictions of a class that are right (…, k). Range [0, 1]; NaN if never predicted.

    Examples
    --------
    >>> precision([[50, 3, 2], [4, 30, 1], [0, 5, 5]]).round(4)
    array([0.9259, 0.7895, 0.625 ])
    """
    margins = margins_of(table)
    return _ratio(margins.right, margins.predicted)


def recall(table: Table) -> Array:
    """a_r / m_r: the share of a class that is found (…, k). Range [0, 1]; NaN where the class has no instance.

    Examples
    --------
    >>> recall([[50, 3, 2], [4, 30, 1], [0, 5, 5]]).round(4)
    array([0.9091, 0.8571, 0.5   ])
    """
    margins = margins_of(table)
    return _ratio(margins.right, margins.true)


def f_beta(table: Table, beta: float = 1.0) -> Array:
    """(1 + β²) a_r / (β² m_r + s_r): the harmonic mean of precision and recall, recall counting β times (…, k).

    Range [0, 1]; NaN only where the class is neither true nor predicted. Source: R′ paper, eq. 5.

    Examples
    --------
    >>> f_beta([[50, 3, 2], [4, 30, 1], [0, 5, 5]]).round(4)
    array([0.9174, 0.8219, 0.5556])
    """
    margins, weight = margins_of(table), beta * beta
    return _ratio((1 + weight) * margins.right, weight * margins.true + margins.predicted)


def jaccard(table: Table) -> Array:
    """a_r / (m_r + s_r − a_r): how far truth and predictions of a class coincide (…, k). Range [0, 1].

    NaN only where the class is neither true nor predicted.

    Examples
    --------
    >>> jaccard([[50, 3, 2], [4, 30, 1], [0, 5, 5]]).round(4)
    array([0.8475, 0.6977, 0.3846])
    """
    margins = margins_of(table)
    return _ratio(margins.right, margins.true + margins.predicted - margins.right)


def earthquake_r(table: Table) -> Array:
    """R_r = a_r/m_r − s_r/w: the recall of a class less the share of all predictions it takes (…, k).

    Range [−1, 1]; NaN where the class has no instance. Made for earthquake forecasts, where alarms cost.
    Source: R′ paper, eq. 12.

    Examples
    --------
    >>> earthquake_r([[50, 3, 2], [4, 30, 1], [0, 5, 5]]).round(6)
    array([0.369091, 0.477143, 0.42    ])
    """
    margins = margins_of(table)
    return recall(margins) - _ratio(margins.predicted, margins.total[..., None])


def r_prime(table: Table) -> Array:
    """R′_r = a_r/m_r − s_r/w + m_r/w: recall, plus what the class is predicted too rarely (…, k).

    Range [(m_r − s_r)/w, 1], and 1 exactly where the class is predicted perfectly, unless it is the only true class:
    then R′ is 1 whatever is missed. Predicting a class too rarely raises it above its recall. NaN where the class has
    no instance. Source: R′ paper, eq. 14.

    Examples
    --------
    >>> r_prime([[50, 3, 2], [4, 30, 1], [0, 5, 5]]).round(6)
    array([0.919091, 0.827143, 0.52    ])
    """
    margins = margins_of(table)
    return recall(margins) + _ratio(margins.true - margins.predicted, margins.total[..., None])
