"""What a confusion matrix says about one class, and about one kind of error."""

from __future__ import annotations

from dataclasses import dataclass

from tiebreak.tables import Label


@dataclass(frozen=True, slots=True)
class ClassRecord:
    """What a confusion matrix says about one class; NaN where undefined, with the reason in `undefined`.

    Attributes
    ----------
    label : the class
    support, predicted, right : instances of the class, predictions of it, and those that are both
    precision, recall, f1, r_prime : its measures
    undefined : the measures without a value, each with the reason
    """

    label: Label
    support: float
    predicted: float
    right: float
    precision: float
    recall: float
    f1: float
    r_prime: float
    undefined: dict[str, str]


@dataclass(frozen=True, slots=True)
class Confusion:
    """A frequent error: instances of `true` that were called `predicted`, and the share of the class they are."""

    true: Label
    predicted: Label
    count: float
    share: float
