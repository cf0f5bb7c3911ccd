"""Records of models whose answers are not right or wrong: clusterings, predicted numbers, graded scores, costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tiebreak._format import measure, number
from tiebreak.comparison.agreement import Agreement, read_agreement
from tiebreak.comparison.entries import estimate_entry, number_entry
from tiebreak.comparison.models import Model
from tiebreak.errors import NotDefined
from tiebreak.inference import Estimate, Interval
from tiebreak.measures import NO_PAIR_TOGETHER


@dataclass(frozen=True, kw_only=True)
class Clustered(Model):
    """A clustering against the truth; its score is the Rand index.

    Attributes
    ----------
    clusters : how many it has
    agreement : with the truth: Rand, adjusted Rand, mutual information, …
    matched_accuracy, matched_precision, matched_recall : after clusters were matched to true clusters one to one

    Examples
    --------
    >>> import tiebreak as tb
    >>> clusterings = {"p": [5, 5, 7, 7], "q": [1, 2, 1, 2]}
    >>> model = tb.compare(list("aabb"), clusterings, task="clustering").model("p")
    >>> model.agreement.adjusted_rand, model.matched_accuracy
    (1.0, 1.0)
    """

    clusters: int
    agreement: Agreement
    matched_accuracy: float
    matched_precision: float
    matched_recall: float

    @property
    def rand(self) -> Estimate:
        """The share of pairs of instances that are right, with its interval."""
        return self.score

    @property
    def adjusted_rand(self) -> float:
        """The Rand index on a scale where chance is 0."""
        return self.agreement.adjusted_rand

    @property
    def said(self) -> str:
        """The Rand index."""
        return measure(self.score)

    @property
    def undefined(self) -> Mapping[str, str]:
        """What has no value here, with the reason."""
        lacking = [name for name, value in self.agreement.facts().items() if value is None]
        found = dict.fromkeys(lacking, NO_PAIR_TOGETHER)
        return found | _no_ends("rand", self.score, "the instances say nothing about its standard error")

    def facts(self) -> dict[str, Any]:
        """Return every measure against the truth."""
        return {
            "clusters": self.clusters,
            **self.agreement.facts(),
            "rand": estimate_entry(self.score),
            "matched_accuracy": self.matched_accuracy,
            "matched_precision": self.matched_precision,
            "matched_recall": self.matched_recall,
        }

    @classmethod
    def read(cls, entry: Mapping[str, Any], common: Mapping[str, Any], truth: str) -> Clustered:
        """Rebuild the record from its JSON entry."""
        rand = entry["rand"]
        agreed = read_agreement(truth, entry["model"], {**entry, "rand": rand["value"]})
        own = {f"matched_{name}": entry[f"matched_{name}"] for name in ("accuracy", "precision", "recall")}
        return cls(**common, clusters=entry["clusters"], agreement=agreed, **own)


@dataclass(frozen=True, kw_only=True)
class Numbered(Model):
    """A model that gives numbers; its score is a mean: of graded scores, or of losses or costs, taken negative.

    Attributes
    ----------
    measures : the task's own numbers, by name; NaN where undefined
    wins : the share of instances on which it is the best or ties for it
    area : under its performance profile; NaN where there is none
    solved : the share of instances on which it has a number
    reasons : why a number is undefined
    lower_is_better : whether its numbers are losses

    Examples
    --------
    >>> import tiebreak as tb
    >>> comparison = tb.compare([1.0, 2.0, 3.0], {"a": [1.1, 2.2, 2.7], "b": [1.5, 2.0, 4.0]}, task="regression")
    >>> comparison.model("a").mean_absolute_error.__round__(6), comparison.model("b").wins.__round__(4)
    (0.2, 0.3333)
    """

    measures: Mapping[str, float]
    wins: float
    area: float
    solved: float
    reasons: Mapping[str, str]
    lower_is_better: bool

    @property
    def mean(self) -> Estimate:
        """The mean of its scores, losses or costs, as they are, with its interval."""
        return negated(self.score) if self.lower_is_better else self.score

    @property
    def mean_absolute_error(self) -> float:
        """The mean of |prediction − truth|."""
        return self._measure("mean_absolute_error")

    @property
    def root_mean_squared_error(self) -> float:
        """The root of the mean of (prediction − truth)²."""
        return self._measure("root_mean_squared_error")

    @property
    def bias(self) -> float:
        """The mean of prediction − truth."""
        return self._measure("bias")

    def _measure(self, name: str) -> float:
        if name not in self.measures:
            raise NotDefined(f"{name} is of predicted numbers: compare them with --task regression")
        return self.measures[name]

    @property
    def said(self) -> str:
        """The mean."""
        return number(self.mean)

    @property
    def undefined(self) -> Mapping[str, str]:
        """What has no value here, with the reason."""
        return self.reasons

    def facts(self) -> dict[str, Any]:
        """Return the mean with its interval, and the task's own numbers."""
        return {
            "mean": estimate_entry(self.mean),
            **{name: number_entry(value) for name, value in self.measures.items()},
            "wins": self.wins,
            "area": number_entry(self.area),
            "solved": self.solved,
        }

    @classmethod
    def read(cls, entry: Mapping[str, Any], common: Mapping[str, Any], *, lower: bool) -> Numbered:
        """Rebuild the record from its JSON entry."""
        known = {name: _nan(entry[name]) for name in _MEASURES if name in entry}
        return cls(
            **common,
            measures=known,
            wins=entry["wins"],
            area=_nan(entry["area"]),
            solved=entry["solved"],
            lower_is_better=lower,
        )


_MEASURES = ("mean_absolute_error", "mean_squared_error", "root_mean_squared_error", "bias", "share_within")


def negated(value: Estimate) -> Estimate:
    """Return the negative of a number, its interval turned round.

    Examples
    --------
    >>> negated(Estimate(0.5, Interval(0.4, 0.7, 0.95, "t"))).low
    -0.7
    """
    interval = Interval(-value.high, -value.low, value.interval.level, value.method)
    return Estimate(-value.value, interval)


def _nan(value: float | None) -> float:
    return float("nan") if value is None else value


def _no_ends(name: str, value: Estimate, reason: str) -> dict[str, str]:
    """The reasons of an interval without ends."""
    return {} if value.low == value.low else dict.fromkeys((f"{name}.low", f"{name}.high"), reason)
