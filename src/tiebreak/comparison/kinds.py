"""How each task speaks of its scores and differences; what it measures is decided elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from tiebreak._format import number, point_ends, points, signed
from tiebreak.inference import Estimate


@dataclass(frozen=True, slots=True)
class Kind:
    """The words of a task.

    Attributes
    ----------
    noun : what a score is called before its value; empty where a percentage speaks for itself
    things : what the cells of a pair count
    unit : of a difference: "points" of a percentage, "share" with four decimals, or "own" for any number

    Examples
    --------
    >>> KINDS["regression"].noun
    'a mean absolute error of '
    """

    noun: str = ""
    things: str = "instance"
    unit: str = "points"

    def said(self, difference: float) -> str:
        """Write a difference.

        Examples
        --------
        >>> Kind().said(0.0033), KINDS["clustering"].said(0.0813), KINDS["scores"].said(-2.5)
        ('+0.33 pp', '+0.0813', '−2.5')
        """
        if self.unit == "points":
            return f"{points(difference, plus=True)} pp"
        return signed(difference) if self.unit == "share" else number(difference, plus=True)

    def ends(self, value: Estimate) -> str:
        """Write the ends of a difference's interval; `–` where there is none."""
        if value.low != value.low:
            return "–"
        if self.unit == "points":
            return point_ends(value.low, value.high)
        shown = signed if self.unit == "share" else _signed_number
        return f"{shown(value.low)} to {shown(value.high)}"


def _signed_number(value: float) -> str:
    return number(value, plus=True)


KINDS = {
    "classification": Kind(),
    "correct": Kind(),
    "clustering": Kind("a Rand index of ", "pair", "share"),
    "regression": Kind("a mean absolute error of ", unit="own"),
    "scores": Kind("a mean score of ", unit="own"),
    "cost": Kind("a mean cost of ", unit="own"),
}


def kind_of(task: str, loss: str = "absolute") -> Kind:
    """Return the words of a task; of regression, those of its loss.

    Examples
    --------
    >>> kind_of("regression", "squared").noun
    'a mean squared error of '
    """
    return Kind("a mean squared error of ", unit="own") if (task, loss) == ("regression", "squared") else KINDS[task]
