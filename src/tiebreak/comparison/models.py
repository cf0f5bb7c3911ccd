"""One record per model: its score with an interval, where it stands among the others, and what its task adds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tiebreak._format import number, percent
from tiebreak.inference import Estimate, Interval

_NEVER_DRAWN = (float("nan"), float("nan"))


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
    drawn: Callable[[], tuple[float, float]] = field(default=lambda: _NEVER_DRAWN, repr=False, compare=False)

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


def estimate_entry(value: Estimate) -> dict[str, Any]:
    """Return a number and its interval as the JSON format has them; None where undefined.

    Examples
    --------
    >>> estimate_entry(Estimate(0.5, Interval(0.4, 0.6, 0.95, "wilson")))["high"]
    0.6
    """
    known = number_entry(value.value), number_entry(value.low), number_entry(value.high)
    return dict(zip(("value", "low", "high", "method"), (*known, value.method), strict=True))


def number_entry(value: float) -> float | None:
    """Return a number, or None where it is undefined.

    Examples
    --------
    >>> number_entry(float("nan")) is None
    True
    """
    return None if value != value else value


def read_number(entry: float | None) -> float:
    """Undo `number_entry`.

    Examples
    --------
    >>> read_number(None)
    nan
    """
    return math.nan if entry is None else entry


def read_estimate(entry: Mapping[str, Any], level: float) -> Estimate:
    """Undo `estimate_entry`.

    Examples
    --------
    >>> read_estimate({"value": 0.5, "low": None, "high": None, "method": "t"}, 0.95).low
    nan
    """
    interval = Interval(read_number(entry["low"]), read_number(entry["high"]), level, entry["method"])
    return Estimate(read_number(entry["value"]), interval)
