"""What a caller asks for beside the comparison itself: costs, slices, class probabilities, test sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tiebreak.errors import TiebreakError
from tiebreak.sources import Ask, ProbaColumn, proba_column


@dataclass(frozen=True)
class Extras:
    """The caller's words, as they were given.

    Attributes
    ----------
    cost : what answers cost, in any form that `costs_of` takes
    by : names of columns, and pairs of them
    y_proba : a dict of model to probabilities; or columns, already parsed
    positive : the class that probabilities of two classes are of
    stratify : the column of test sets
    columns : values of slices and test sets that were given beside arrays, by name

    Examples
    --------
    >>> extras = Extras.given(None, {"site": ["n", "s"]}, None, None, None)
    >>> extras.by, extras.names_in_data
    (('site',), ())
    """

    cost: Any = None
    by: tuple[str | tuple[str, str], ...] = ()
    y_proba: Any = None
    positive: Any = None
    stratify: str | None = None
    columns: Mapping[str, Any] | None = None

    @classmethod
    def given(cls, cost: Any, by: Any, y_proba: Any, positive: Any, stratify: Any) -> Extras:
        """Tell names of columns from values that come beside arrays."""
        values: dict[str, Any] = dict(by) if isinstance(by, Mapping) else {}
        if stratify is not None and not isinstance(stratify, str):
            values["stratum"], stratify = stratify, "stratum"
        names = [by] if isinstance(by, str) else list(by or ())
        if isinstance(y_proba, str | list | tuple):
            given = [y_proba] if isinstance(y_proba, str) else y_proba
            y_proba = tuple(proba_column(str(each)) for each in given)
        pairs = tuple(name if isinstance(name, str) else (str(name[0]), str(name[1])) for name in names)
        return cls(cost, pairs, y_proba, positive, stratify, values or None)

    @property
    def proba(self) -> tuple[ProbaColumn, ...]:
        """The columns that hold probabilities."""
        return self.y_proba if isinstance(self.y_proba, tuple) else ()

    @property
    def probabilities(self) -> Mapping[str, Any] | None:
        """Probabilities that were given as values."""
        return self.y_proba if isinstance(self.y_proba, Mapping) else None

    @property
    def names_in_data(self) -> tuple[str, ...]:
        """Columns of the data that slices and test sets are read from, each once: they are no models."""
        flat = [part for name in self.by for part in ([name] if isinstance(name, str) else name)]
        every = [*flat, *([] if self.stratify is None else [self.stratify])]
        return tuple(dict.fromkeys(name for name in every if name not in (self.columns or {})))

    def refuse_unless_labels(self, ask: Ask) -> None:
        """Refuse what needs labels where there are none."""
        if ask.task == "classification":
            return
        for name, value in (("cost", self.cost), ("y_proba", self.y_proba), ("positive", self.positive)):
            if value is not None:
                raise TiebreakError(f"{name} is of labels, and the task is {ask.task}: leave it out")
        if (self.by or self.stratify) and (ask.clustered or ask.numeric):
            raise TiebreakError(f"slices and test sets are of right and wrong answers, and the task is {ask.task}")
