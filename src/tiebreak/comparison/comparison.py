"""The comparison: what `compare` returns, and what a JSON document of it becomes again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from tiebreak._checks import place_of, whole_count
from tiebreak._checks import seed as checked_seed
from tiebreak._format import Shown, json_text, listed, quoted
from tiebreak.comparison.clustered import contributing
from tiebreak.comparison.confusion_difference import ConfusionDifference
from tiebreak.comparison.curves import ProfileCurve
from tiebreak.comparison.doubts import Settings, known_or_last
from tiebreak.comparison.kinds import Kind, kind_of
from tiebreak.comparison.models import Classified, Model
from tiebreak.comparison.pair import Pair
from tiebreak.comparison.pairs import Pairs
from tiebreak.comparison.prayatul import PrayatulMatrix
from tiebreak.comparison.resampling import resampled_cells, resampled_matrices
from tiebreak.comparison.verdict import verdict
from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.inference import (
    RESAMPLES,
    Bootstrap,
    CochranQ,
    PlaceDifferences,
    SignedRank,
    SliceTable,
    cell_differences,
    class_differences,
    ranking,
    signed_rank_of,
)
from tiebreak.measures import Pool
from tiebreak.measures.probabilities import RocCurve, roc_points
from tiebreak.profiles import PerformanceProfile, performance_profile
from tiebreak.sources import Instances, Opened, Ranked
from tiebreak.tables import Label, Losses, LossSums, Partitions, Scores, Tally

if TYPE_CHECKING:
    from tiebreak.comparison.costing import Price
    from tiebreak.comparison.strata import Stratified

Table = Tally | Partitions | Losses | LossSums
AnyTable = TypeVar("AnyTable", Tally, Partitions, Losses)


@dataclass(frozen=True, eq=False)
class Comparison(Shown):
    """Two or more models on the same instances: one table, and everything that follows from it.

    Print it to read it; `pair` and `model` give the parts; `to_dict` holds every number that is shown anywhere.

    Attributes
    ----------
    task : "classification", "correct", "clustering", "regression", "scores", or "cost" for what mistakes cost
    truth : the name of the true labels, None where answers came already graded
    n : how many instances were compared
    weight : the sum of their weights, None where they have none
    groups : how many groups of dependent instances there are, None where instances are independent
    labels : the classes, in order
    models : one record per model, in the caller's order
    pairs : the head-to-heads
    pool : what models that are right or wrong do together: unique rights, an oracle's accuracy, how hard instances are
    settings : level, seed, baseline and correction of everything uncertain
    cochran_q : the test that all models are equally accurate; None where instances are dependent or weighted
    policy, excluded : what a missing prediction meant, and how many instances that left out
    curve : of numbers and costs, how often each model is within a factor of the best
    costed : the same models by what their mistakes cost, where costs were given
    prices : of a comparison by cost, at which price of a mistake the cheaper of two models turns
    slices : the head-to-heads within each value of the columns named by `by`, one table a pair
    strata : the same models on each of several test sets, and their stratified total
    warnings : what a reader should know before quoting a number
    table : what the rows became: a tally, partitions, losses or their sums; None after JSON
    scores : class probabilities, where they were given; None after JSON

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
    pool: Pool | None = None
    settings: Settings = field(default_factory=Settings)
    cochran_q: CochranQ | None = None
    policy: str = "raise"
    excluded: int = 0
    weight: float | None = None
    groups: int | None = None
    warnings: tuple[str, ...] = ()
    curve: ProfileCurve | None = None
    costed: Comparison | None = None
    prices: tuple[Price, ...] = ()
    slices: tuple[SliceTable, ...] = ()
    strata: Stratified | None = None
    table: Table | None = field(default=None, repr=False)
    scores: Scores | None = field(default=None, repr=False)
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
        return verdict(self.models, pair, kind=self.kind, weighted=self.weight is not None, baseline=baseline)

    @property
    def kind(self) -> Kind:
        """How the task speaks of its scores and differences."""
        return kind_of(self.task, self.settings.loss)

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
        scores = known_or_last(np.array([float(model.score) for model in self.models]))
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
        """The counted table of right and wrong answers; a comparison read back from JSON has none."""
        return self._table(Tally, "labels or graded answers that are counted")

    @property
    def partitions(self) -> Partitions:
        """The two-way tables of clusterings."""
        return self._table(Partitions, "clusterings")

    @property
    def losses(self) -> Losses:
        """The numbers of all models on all instances."""
        return self._table(Losses, "numbers that are few enough to be held")

    def roc_curve(self, model: str, label: Label | None = None) -> RocCurve:
        """Return one model's ROC curve: of the positive class, or of any class against the rest.

        Examples
        --------
        >>> import tiebreak as tb
        >>> shares = {"p": [0.2, 0.6, 0.9, 0.4], "q": [0.1, 0.2, 0.3, 0.4]}
        >>> answers = {name: [int(share > 0.5) for share in each] for name, each in shares.items()}
        >>> tb.compare([0, 1, 1, 0], answers, y_proba=shares).roc_curve("p").true_positive_rate
        array([0. , 0.5, 1. , 1. , 1. ])
        """
        if self.scores is None or model not in self.scores.models:
            raise NotDefined(f"{model} has no class probabilities here: give them with --proba, or y_proba in Python")
        scores = self.scores
        if label is None and scores.positive is None:
            raise NotDefined(f"there are {len(scores.labels)} classes: name the one whose curve is wanted, label=")
        named = scores.labels[scores.positive] if label is None and scores.positive is not None else label
        if named not in scores.labels:
            raise NotDefined(f"label is {quoted(named)}: it must be one of {listed(scores.labels)}")
        place = scores.labels.index(named)
        return roc_points(scores.is_true(place), scores.of(model, place), scores.weights)

    def _table(self, wanted: type[AnyTable], what: str) -> AnyTable:
        if isinstance(self.table, wanted):
            return self.table
        if self.table is None:
            raise NotDefined("the tally is not part of a JSON document: compare the predictions again to have it")
        raise NotDefined(f"this is a comparison of task {self.task}, and a {wanted.__name__} is of {what}")

    @property
    def profile(self) -> PerformanceProfile:
        """How often each model is within a factor of the best: of numbers, or of costs where they were given."""
        if self.costed is not None:
            return self.costed.profile
        if not isinstance(self.table, Losses | LossSums):
            raise NotDefined("a performance profile is of numbers or costs: name --task regression, scores, or --cost")
        return performance_profile(self.table, floor=self.settings.floor)

    def model(self, name: str) -> Model:
        """Return one model's record."""
        return self.models[place_of(name, self.names)]

    def pair(self, primary: str, alternative: str) -> Pair:
        """Return one head-to-head, seen from `primary`.

        Where the rows were counted as right/wrong words, this pair alone is counted once more, so that
        `both_wrong_same` and the balanced measures are known for it.
        """
        place_of(primary, self.names), place_of(alternative, self.names)
        (pair,) = self.pairs.many([(primary, alternative)])
        if primary == alternative or self.source is None or not isinstance(self.table, Tally):
            return pair
        if self.table.plan == "outcomes":
            return pair
        alone = self.source.pair(primary, alternative)
        matrix = PrayatulMatrix.of(alone.pair(primary, alternative), primary, alternative)
        return replace(pair, matrix=matrix, tally=alone)

    def instances(
        self, primary: str, alternative: str, cell: str | None = None, limit: int | None = None
    ) -> Instances | Ranked:
        """Go back to the source for the instances behind a head-to-head.

        Parameters
        ----------
        cell : of right and wrong answers "both_right", "right_wrong" (the default: those on which only `primary` is
            right), "wrong_right" or "both_wrong"; of numbers "primary_better", "alternative_better", "tied" or "any"
            (the default), the widest gap first; of clusterings None: those that contribute most to the difference
        limit : how many are fetched at most

        Examples
        --------
        >>> import tiebreak as tb
        >>> comparison = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")})
        >>> list(comparison.instances("p", "q"))
        [{'row': 2, 'y_true': 'b', 'p': 'b', 'q': 'c'}]
        """
        if limit is not None:
            limit = whole_count(limit, "limit", "leave it out to have them all")
        rows = self.rows_of(primary, alternative)
        if self.task == "clustering":
            if cell is not None:
                raise NotDefined(f"cell is {quoted(cell)}: cells are of pairs, and an instance is in many of them")
            return contributing(rows, primary, alternative, limit)
        default = None if rows.ask.numeric else "right_wrong"
        return rows.instances(primary, alternative, cell or default, limit)

    def class_differences(self, primary: str, alternative: str, measure: str = "recall") -> PlaceDifferences:
        """Return where two models differ, class by class, adjusted for the number of classes.

        `measure` is "recall", "precision", "f1" or "r_prime"; intervals are paired, from the joint counts.

        Examples
        --------
        >>> import tiebreak as tb
        >>> comparison = tb.compare(list("aabb") * 20, {"p": list("aabb") * 20, "q": list("abbb") * 20})
        >>> comparison.class_differences("p", "q").winners
        {'a': 'p'}
        """
        return class_differences(self._joint(primary, alternative), primary, alternative, measure, self.level)

    def cell_differences(self, primary: str, alternative: str) -> PlaceDifferences:
        """Return where two models' confusion matrices differ, cell by cell, adjusted for the number of cells.

        Examples
        --------
        >>> import tiebreak as tb
        >>> comparison = tb.compare(list("aabb") * 20, {"p": list("aabb") * 20, "q": list("abbb") * 20})
        >>> [place.label for place in comparison.cell_differences("p", "q")]
        [('a', 'a'), ('a', 'b'), ('b', 'b')]
        """
        return cell_differences(self._joint(primary, alternative), primary, alternative, self.level)

    def confusion_difference(self, primary: str, alternative: str) -> ConfusionDifference:
        """Return the confusion matrix of one model minus that of another, cell by cell and class by class."""
        one, other = (self.model(name) for name in (primary, alternative))
        if not isinstance(one, Classified) or not isinstance(other, Classified):
            raise NotDefined(f"a confusion matrix needs labels, and the task is {self.task}")
        return one.confusion - other.confusion

    def _joint(self, primary: str, alternative: str) -> Tally:
        """The joint outcomes of two models, counted for them alone where the tally does not hold them."""
        tally = self.pair(primary, alternative).tally
        if tally is None:
            raise NotDefined("the tally is not part of a JSON document: compare the predictions again to have it")
        return tally

    def signed_rank(self, primary: str, alternative: str, *, zeros: str = "wilcoxon") -> SignedRank:
        """Return Wilcoxon's signed-rank test of two models' numbers; its p-value is 1 where nothing differs.

        Examples
        --------
        >>> import tiebreak as tb
        >>> comparison = tb.compare({"a": [0.9, 0.4, 0.7], "b": [0.5, 0.4, 0.6]}, task="scores")
        >>> comparison.signed_rank("a", "b").p_value
        0.5
        """
        return signed_rank_of(self.losses, primary, alternative, loss=self.settings.loss, zeros=zeros)

    def rows_of(self, primary: str, alternative: str) -> Opened:
        """Return the source behind two models, or say why there is none."""
        place_of(primary, self.names), place_of(alternative, self.names)
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
        return json_text(self.to_dict(all_pairs=all_pairs))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Comparison:
        """Rebuild a comparison from what `to_dict` wrote; its rows and its tally are not part of it."""
        from tiebreak.comparison.document import from_dict

        return from_dict(document)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the rows behind, which no other process has; everything counted goes along."""
        return self.__dict__ | {"source": None}

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
