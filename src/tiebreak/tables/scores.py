"""Probabilities, or any scores, for every instance, model and class: what areas under curves are read from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.tables.labels import Label
from tiebreak.tables.mass import Integers

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The true class of every instance, and what each model says of it.

    With two classes one number an instance suffices, that of the positive one; with more there is one a class.

    Attributes
    ----------
    models : the models' names, in order
    labels : the classes, in order
    truth : the code of each instance's true label (N)
    values : a model's scores of the positive class (N), or of every class (N × k), per model
    positive : the code of the positive class where there are two
    weights : of the instances; None where they count alike
    groups : the group of each instance, from 0 without gaps; None where instances are independent

    Examples
    --------
    >>> scores = Scores(("a",), ("no", "yes"), np.array([0, 1, 1]), (np.array([0.2, 0.4, 0.9]),), positive=1)
    >>> scores.binary, scores.of("a", 1), scores.is_true(1)
    (True, array([0.2, 0.4, 0.9]), array([False,  True,  True]))
    """

    models: tuple[str, ...]
    labels: tuple[Label, ...]
    truth: Integers
    values: tuple[Floats, ...]
    positive: int | None = None
    weights: Floats | None = None
    groups: Integers | None = None

    @property
    def n(self) -> int:
        """How many instances there are."""
        return len(self.truth)

    @property
    def binary(self) -> bool:
        """Whether there are two classes, so that one number an instance says all."""
        return self.positive is not None

    @property
    def judged(self) -> tuple[int, ...]:
        """The classes against whose rest a curve is drawn: the positive one, or every one."""
        return tuple(range(len(self.labels))) if self.positive is None else (self.positive,)

    def of(self, model: str, label: int) -> Floats:
        """Return one model's scores of one class (N)."""
        values = self.values[self.models.index(model)]
        if values.ndim == 2:
            return values[:, label]
        return values if label == self.positive else 1.0 - values

    def shares(self, model: str) -> Floats:
        """Return one model's scores of every class (N × k)."""
        values = self.values[self.models.index(model)]
        if values.ndim == 2:
            return values
        found = np.empty((len(values), 2))
        found[:, self.positive or 0] = values
        found[:, 1 - (self.positive or 0)] = 1.0 - values
        return found

    def is_true(self, label: int) -> npt.NDArray[np.bool_]:
        """Return which instances belong to a class."""
        return np.asarray(self.truth == label)
