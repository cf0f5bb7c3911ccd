"""Class probabilities: areas under curves, log-loss and Brier score of every model, and how two of them differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.comparison.entries import estimate_entry, number_entry, read_estimate, read_number
from tiebreak.inference import DeLong, Estimate, Interval, MeanEvidence, delong, evidence_of_scores, macro_delong
from tiebreak.measures.probabilities import average_precision, brier_scores, log_losses, macro_auc, roc_auc
from tiebreak.tables import Losses, Scores

_WEIGHTED = "DeLong's law is of instances that count alike, and these are weighted"


@dataclass(frozen=True, slots=True)
class ModelProbabilities:
    """What one model's class probabilities are worth; NaN where undefined.

    Attributes
    ----------
    roc_auc : area under the ROC curve; with more than two classes the mean over the classes, each against the rest
    average_precision : area under the precision-recall curve, likewise
    log_loss : mean of −ln of the probability given to what was true
    brier : mean squared error of the probabilities
    """

    roc_auc: Estimate
    average_precision: float
    log_loss: Estimate
    brier: Estimate

    def entry(self) -> dict[str, Any]:
        """Return the numbers in the words of the JSON format."""
        return {
            "roc_auc": estimate_entry(self.roc_auc),
            "average_precision": number_entry(self.average_precision),
            "log_loss": estimate_entry(self.log_loss),
            "brier": estimate_entry(self.brier),
        }

    @classmethod
    def read(cls, entry: Mapping[str, Any], level: float) -> ModelProbabilities:
        """Undo `entry`."""
        found = {name: read_estimate(entry[name], level) for name in ("roc_auc", "log_loss", "brier")}
        return cls(found["roc_auc"], read_number(entry["average_precision"]), found["log_loss"], found["brier"])


@dataclass(frozen=True, slots=True)
class PairProbabilities:
    """How two models' class probabilities differ; a positive difference means that the primary is better.

    Attributes
    ----------
    roc_auc, log_loss, brier : the differences, with their intervals; of losses the alternative's minus the primary's
    roc_auc_p, log_loss_p, brier_p : their two-sided p-values
    """

    roc_auc: Estimate
    roc_auc_p: float
    log_loss: Estimate
    log_loss_p: float
    brier: Estimate
    brier_p: float

    def entry(self) -> dict[str, Any]:
        """Return the numbers in the words of the JSON format."""
        return {
            name: {**estimate_entry(getattr(self, name)), "p_value": number_entry(getattr(self, f"{name}_p"))}
            for name in ("roc_auc", "log_loss", "brier")
        }

    @classmethod
    def read(cls, entry: Mapping[str, Any], level: float) -> PairProbabilities:
        """Undo `entry`."""
        found = {name: read_estimate(entry[name], level) for name in ("roc_auc", "log_loss", "brier")}
        p = {name: read_number(entry[name]["p_value"]) for name in found}
        return cls(found["roc_auc"], p["roc_auc"], found["log_loss"], p["log_loss"], found["brier"], p["brier"])


@dataclass(frozen=True, eq=False)
class Probabilities:
    """The class probabilities of some models, measured when first asked for.

    Examples
    --------
    >>> scores = Scores(("a", "b"), ("no", "yes"), np.array([0, 1, 1, 0]), (np.array([0.2, 0.4, 0.9, 0.3]),
    ...                 np.array([0.2, 0.1, 0.9, 0.3])), positive=1)
    >>> found = Probabilities(scores)
    >>> float(found.model("a").roc_auc), float(found.pair("a", "b").roc_auc)
    (1.0, 0.5)
    """

    scores: Scores
    level: float = 0.95

    @cached_property
    def _areas(self) -> DeLong | None:
        if self.scores.weights is not None:
            return None
        if self.scores.positive is not None:
            label = self.scores.positive
            rows = [self.scores.of(model, label) for model in self.scores.models]
            is_true = self.scores.is_true(label)
            return delong(is_true, rows, self.level, self.scores.groups) if 0 < is_true.sum() < len(is_true) else None
        if not np.bincount(self.scores.truth, minlength=len(self.scores.labels)).all():
            return None
        shares = [self.scores.shares(model) for model in self.scores.models]
        return macro_delong(self.scores.truth, shares, self.level, self.scores.groups)

    def _evidence(self, of_instance: Any) -> MeanEvidence:
        values = [of_instance(self.scores.truth, self.scores.shares(model)) for model in self.scores.models]
        groups = self.scores.groups
        names = () if groups is None else tuple(range(int(groups.max()) + 1))
        facts: dict[str, Any] = {"weights": self.scores.weights, "groups": groups, "names": names}
        return evidence_of_scores(Losses(self.scores.models, np.column_stack(values), kind="losses", **facts))

    @property
    def _worst_brier(self) -> float:
        return 1.0 if self.scores.binary else 2.0

    @cached_property
    def _log_losses(self) -> MeanEvidence:
        return self._evidence(log_losses)

    @cached_property
    def _brier(self) -> MeanEvidence:
        return self._evidence(brier_scores)

    def model(self, name: str) -> ModelProbabilities | None:
        """Return what one model's probabilities are worth; None for a model without any."""
        if name not in self.scores.models:
            return None
        place = self.scores.models.index(name)
        return ModelProbabilities(
            self._area(place),
            self._precision(name),
            _loss(self._log_losses, place, self.level, np.inf),
            _loss(self._brier, place, self.level, self._worst_brier),
        )

    def _area(self, place: int) -> Estimate:
        areas, model = self._areas, self.scores.models[place]
        if areas is not None:
            return areas.area(place)
        found = (
            macro_auc(self.scores.truth, self.scores.shares(model), self.scores.weights)
            if self.scores.positive is None
            else roc_auc(self._true(), self.scores.of(model, self.scores.positive), self.scores.weights)
        )
        return Estimate(found, Interval(float("nan"), float("nan"), self.level, self._without_law))

    def _true(self) -> npt.NDArray[np.bool_]:
        return self.scores.is_true(self.scores.positive or 0)

    def _precision(self, model: str) -> float:
        found = [
            average_precision(self.scores.is_true(label), self.scores.of(model, label), self.scores.weights)
            for label in self.scores.judged
        ]
        known = [value for value in found if value == value]
        return float(np.mean(known)) if known else float("nan")

    def pair(self, primary: str, alternative: str) -> PairProbabilities | None:
        """Return how two models' probabilities differ; None unless both have them."""
        if primary not in self.scores.models or alternative not in self.scores.models:
            return None
        p, q = (self.scores.models.index(name) for name in (primary, alternative))
        return PairProbabilities(
            *self._area_difference(p, q),
            *_difference(self._log_losses, p, q, self.level, np.inf),
            *_difference(self._brier, p, q, self.level, self._worst_brier),
        )

    def _area_difference(self, p: int, q: int) -> tuple[Estimate, float]:
        if self._areas is None:
            value = float(self._area(p)) - float(self._area(q))
            return Estimate(value, Interval(float("nan"), float("nan"), self.level, self._without_law)), float("nan")
        found = self._areas.pair(p, q)
        return found.difference, found.p_value

    @property
    def _without_law(self) -> str:
        return "weighted" if self.scores.weights is not None else "undefined"

    @property
    def reason(self) -> str:
        """Why an area has no interval or value."""
        if self.scores.weights is not None:
            return _WEIGHTED
        found = {} if self._areas is None else self._areas.undefined
        return found.get("se", "a class has no instance, or no other, so there is no curve")


def _loss(evidence: MeanEvidence, place: int, level: float, worst: float) -> Estimate:
    """A mean loss with its interval, as it is: lower is better, and neither below 0 nor above the worst there is."""
    ends = -evidence.score_ends(level)[place][::-1]
    low, high = np.clip(ends, 0.0, worst).tolist()
    return Estimate(-float(evidence.scores[place]) or 0.0, Interval(low, high, level, evidence.method))


def _difference(evidence: MeanEvidence, p: int, q: int, level: float, worst: float) -> tuple[Estimate, float]:
    law = evidence.law(np.array([p]), np.array([q]))
    low, high = np.clip(law.ends(level)[0], -worst, worst).tolist()
    value = float(evidence.scores[p] - evidence.scores[q])
    return Estimate(value, Interval(low, high, level, law.method)), float(law.p_value[0])
