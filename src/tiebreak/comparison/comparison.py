"""The comparison: what `compare` returns, and what a JSON document of it becomes again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import seed as checked_seed
from tiebreak._format import Shown, quoted
from tiebreak.comparison.doubts import Settings
from tiebreak.comparison.models import Model
from tiebreak.comparison.pair import Pair
from tiebreak.comparison.pairs import Pairs, index_of
from tiebreak.comparison.prayatul import PrayatulMatrix
from tiebreak.comparison.resampling import resampled_cells, resampled_matrices
from tiebreak.comparison.verdict import verdict
from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.inference import RESAMPLES, Bootstrap, CochranQ, ranking
from tiebreak.measures import Pool
from tiebreak.sources import Instances, Opened
from tiebreak.tables import Label, Tally


@dataclass(frozen=True, eq=False)
class Comparison(Shown):
    """Two or more models on the same instances: one table, and everything that follows from it.

    Print it to read it; `pair` and `model` give the parts; `to_dict` holds every number that is shown anywhere.

    Attributes
    ----------
    task : "classification" or "correct"
    truth : the name of the true labels, None where answers came already graded
    n : how many instances were compared
    weight : the sum of their weights, None where they have none
    groups : how many groups of dependent instances there are, None where instances are independent
    labels : the classes, in order
    models : one record per model, in the caller's order
    pairs : the head-to-heads
    pool : what the models do together: unique rights, an oracle's accuracy, how hard the instances are
    settings : level, seed, baseline and correction of everything uncertain
    cochran_q : the test that all models are equally accurate; None where instances are dependent or weighted
    policy, excluded : what a missing prediction meant, and how many instances that left out
    warnings : what a reader should know before quoting a number

    Examples
    --------
    >>> import tiebreak as tb
    >>> comparison = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")})
    >>> round(comparison.pair("q", "p").difference, 6), comparison.tiers
    (0.2, (('p', 'q'),))
    >>> tb.Comparison.from_dict(comparison.to_dict()).verdict == comparison.verdict
    True
    """

    task: str
    truth: str | None
    n: int
    labels: tuple[Label, ...]
    models: tuple[Model, ...]
    pairs: Pairs
    pool: Pool
    settings: Settings = field(default_factory=Settings)
    cochran_q: CochranQ | None = None
    policy: str = "raise"
    excluded: int = 0
    weight: float | None = None
    groups: int | None = None
    warnings: tuple[str, ...] = ()
    counts: Tally | None = field(default=None, repr=False)
    source: Opened | None = field(default=None, repr=False)

    @property
    def level(self) -> float:
        """The level of every interval; one minus it is where a p-value begins to speak."""
        return self.settings.level

    @property
    def seed(self) -> int:
        """The seed of whatever is drawn at random."""
        return self.settings.seed

    @cached_property
    def verdict(self) -> str:
        """One sentence: who is ahead of whom, on what that rests, and how sure it is."""
        pair = self.pair(*self._deciding)
        baseline = self.settings.baseline
        return verdict(self.models, pair, weighted=self.weight is not None, baseline=baseline)

    @property
    def _deciding(self) -> tuple[str, str]:
        """The two models that the verdict speaks of, the better first."""
        best, second, *_ = self.ranked
        baseline = self.settings.baseline
        if baseline is None or best.name == baseline:
            return best.name, second.name
        return best.name, baseline

    @property
    def names(self) -> tuple[str, ...]:
        """The models' names, in the caller's order."""
        return tuple(model.name for model in self.models)

    @cached_property
    def ranked(self) -> tuple[Model, ...]:
        """The models from the highest score to the lowest; equal ones by how alike they are to the leader, and name."""
        scores = np.array([float(model.score) for model in self.models])
        against = np.full((len(scores),) * 2, np.nan)
        tied = len(set(scores.tolist())) < len(scores)
        if tied:
            leader = min(range(len(scores)), key=lambda m: (-scores[m], self.names[m]))
            against[leader] = self.pairs.adjusted_against(self.names[leader])
        return tuple(self.models[place] for place in ranking(scores, against, self.names))

    @property
    def leader(self) -> Model:
        """The model with the highest score."""
        return self.ranked[0]

    @property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """The models' names tier by tier: those of the first are not separable from the best."""
        if self.settings.baseline is not None:
            raise NotDefined("tiers are of all pairs, and here only the baseline was compared: leave baseline out")
        last = max(model.tier or 1 for model in self.models)
        return tuple(
            tuple(sorted(model.name for model in self.models if model.tier == tier)) for tier in range(1, last + 1)
        )

    @property
    def tally(self) -> Tally:
        """The counted table; a comparison read back from JSON has none."""
        if self.counts is None:
            raise NotDefined("the tally is not part of a JSON document: compare the predictions again to have it")
        return self.counts

    def model(self, name: str) -> Model:
        """Return one model's record."""
        return self.models[index_of(self.names, name)]

    def pair(self, primary: str, alternative: str) -> Pair:
        """Return one head-to-head, seen from `primary`.

        Where the rows were counted as right/wrong words, this pair alone is counted once more, so that
        `both_wrong_same` and the balanced measures are known for it.
        """
        index_of(self.names, primary), index_of(self.names, alternative)
        (pair,) = self.pairs.many([(primary, alternative)])
        if primary == alternative or self.source is None or self.tally.plan == "outcomes":
            return pair
        alone = self.source.pair(primary, alternative)
        matrix = PrayatulMatrix.of(alone.pair(primary, alternative), primary, alternative)
        return replace(pair, matrix=matrix, tally=alone)

    def instances(
        self, primary: str, alternative: str, cell: str = "right_wrong", limit: int | None = None
    ) -> Instances:
        """Go back to the source for the instances of one cell, by default those on which only `primary` is right.

        `cell` is "both_right", "right_wrong", "wrong_right" or "both_wrong"; `limit` bounds how many are fetched.

        Examples
        --------
        >>> import tiebreak as tb
        >>> comparison = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")})
        >>> list(comparison.instances("p", "q"))
        [{'row': 2, 'y_true': 'b', 'p': 'b', 'q': 'c'}]
        """
        return self.rows_of(primary, alternative).instances(primary, alternative, cell, limit)

    def rows_of(self, primary: str, alternative: str) -> Opened:
        """Return the source behind two models, or say why there is none."""
        index_of(self.names, primary), index_of(self.names, alternative)
        if self.source is None:
            raise NotDefined("no rows remain behind this comparison, only its tables: compare the predictions again")
        if primary == alternative:
            raise TiebreakError(f"primary and alternative are both {quoted(primary)}: name two models")
        return self.source

    def bootstrap(
        self,
        statistic: str | Callable[..., npt.ArrayLike],
        *models: str,
        of: str = "cells",
        n_resamples: int = RESAMPLES,
        seed: int | None = None,
    ) -> Bootstrap:
        """Resample any function of a table: instances where they are independent, groups where they are not.

        Parameters
        ----------
        statistic : the name of a measure of two models, or a function. It is called on many resamples at once: with
            cells (…, 4) of both right, right/wrong, wrong/right, both wrong; or, `of` "confusion", with one array
            (…, classes, classes) a model, true classes in rows
        models : the two models of the cells, or the models whose confusion matrices are needed
        of : "cells" or "confusion"
        n_resamples, seed : how many resamples, and their seed if not the comparison's

        Examples
        --------
        >>> import tiebreak as tb
        >>> comparison = tb.compare(list("aabbc") * 9, {"p": list("abbba") * 9, "q": list("aacbc") * 9})
        >>> found = comparison.bootstrap("comparative_deviation", "q", "p")
        >>> round(found.estimate, 4), found.interval(0.95, "bca").low < found.estimate
        (0.3333, True)
        """
        tally = self.tally
        seed = self.seed if seed is None else checked_seed(seed)
        by_weight = weight_as_key(tally, self.source)
        if of == "confusion":
            if isinstance(statistic, str):
                raise TiebreakError(f"statistic is {quoted(statistic)}: of confusion matrices give a function of them")
            return resampled_matrices(tally, models, statistic, n_resamples, seed, by_weight)
        if of != "cells" or len(models) != 2:
            raise TiebreakError("bootstrap takes two models and of='cells', or of='confusion' and any number of models")
        return resampled_cells(tally, (models[0], models[1]), statistic, n_resamples, seed, by_weight)

    def to_dict(self, *, all_pairs: bool = False) -> dict[str, Any]:
        """Return every number as plain Python values, in the words of the JSON format.

        Above 100 models only the pairs with the leader are listed, unless `all_pairs`.
        """
        from tiebreak.comparison.document import to_dict

        return to_dict(self, all_pairs=all_pairs)

    def to_json(self, *, all_pairs: bool = False) -> str:
        """Return `to_dict` as one JSON document."""
        return json.dumps(self.to_dict(all_pairs=all_pairs), allow_nan=False, ensure_ascii=False, indent=2)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Comparison:
        """Rebuild a comparison from what `to_dict` wrote; its rows and its tally are not part of it."""
        from tiebreak.comparison.document import from_dict

        return from_dict(document)

    def __repr__(self) -> str:
        return str(self)


def weight_as_key(tally: Tally, source: Opened | None) -> Tally | None:
    """Count weighted, ungrouped instances once more with their weight as a key; None where that is not needed.

    Examples
    --------
    >>> weight_as_key(Tally.of({("a", "a", "b"): 3}, models=("p", "q")), None) is None
    True
    """
    if source is None or not tally.weighted or tally.crossing is not None:
        return None
    return source.by_weight()
