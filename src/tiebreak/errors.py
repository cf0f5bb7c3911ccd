"""Every error a user can meet, each one line that names the argument, the value, the rule and the next step.

All of them are a `TiebreakError`, which is a `ValueError`, so that `except ValueError` keeps working.
"""

from __future__ import annotations


class TiebreakError(ValueError):
    """The call or the data is wrong in a way its caller can mend.

    Examples
    --------
    >>> import tiebreak as tb
    >>> try:
    ...     tb.prayatul_matrix([1, 0], [1, 0], [1])
    ... except tb.TiebreakError as error:
    ...     print(error)
    y_alternative has 1 value but y_true has 2: every model needs one prediction per instance, in the same order
    """


class ColumnNotFound(TiebreakError):
    """A named column, or a column that a role needs, does not exist.

    Examples
    --------
    >>> issubclass(ColumnNotFound, TiebreakError)
    True
    """


class DuplicateId(TiebreakError):
    """An id that must be unique occurs more than once.

    Examples
    --------
    >>> issubclass(DuplicateId, TiebreakError)
    True
    """


class UnpairedInstances(TiebreakError):
    """Some ids occur for one model and not for another, or two files disagree about the truth.

    Examples
    --------
    >>> issubclass(UnpairedInstances, TiebreakError)
    True
    """


class MixedLabels(TiebreakError):
    """Columns that must hold one kind of label hold numbers, text or booleans side by side.

    Examples
    --------
    >>> issubclass(MixedLabels, TiebreakError)
    True
    """


class MissingPredictions(TiebreakError):
    """Predictions are missing and no policy says what that means, or the truth itself is missing.

    Examples
    --------
    >>> issubclass(MissingPredictions, TiebreakError)
    True
    """


class EmptyComparison(TiebreakError):
    """Nothing is left to compare: no rows, or fewer than two models.

    Examples
    --------
    >>> issubclass(EmptyComparison, TiebreakError)
    True
    """


class NotDefined(TiebreakError):
    """A quantity does not exist for this comparison; the text says why and what would define it.

    Examples
    --------
    >>> issubclass(NotDefined, ValueError)
    True
    """


class UnreadableSource(TiebreakError):
    """A file cannot be read: absent, truncated, broken, or not what its name says.

    Examples
    --------
    >>> issubclass(UnreadableSource, TiebreakError)
    True
    """
