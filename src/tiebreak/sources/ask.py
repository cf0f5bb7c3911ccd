"""What the caller wants compared, and which column plays which role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tiebreak._checks import distinct, existing, one_of
from tiebreak._checks import names as several_names
from tiebreak._format import listed, quoted
from tiebreak.errors import ColumnNotFound, EmptyComparison, TiebreakError
from tiebreak.sources.labels import plain

TRUTH_NAMES = ("y_true", "truth", "label", "target", "labels_true")
PREDICTION_NAMES = ("y_pred", "prediction", "pred", "labels_pred")
TASKS = ("classification", "correct", "clustering", "regression", "scores")
# Tasks whose columns hold numbers that are not counted but averaged.
NUMERIC = ("regression", "scores")
POLICIES = ("raise", "wrong", "drop")


@dataclass(frozen=True, slots=True)
class ProbaColumn:
    """A column of probabilities: of `label`, or of the positive class where there are two and no label is named.

    Examples
    --------
    >>> ProbaColumn("knn", "cat", "p_cat").column
    'p_cat'
    """

    model: str
    label: str | None
    column: str


@dataclass(frozen=True, slots=True)
class Ask:
    """The caller's words about the columns, before they have been held against the columns that exist.

    Attributes
    ----------
    truth, id, weight, group : column names, None where not given
    models : model columns in order, None for "every other column"
    task : "classification"; "correct" for answers that are already graded right or wrong; "clustering"; "regression"
        for predicted numbers; "scores" for graded scores, of which more is better
    long : the model column and the prediction column of a long layout
    missing : what a missing prediction means: "raise", "wrong" or "drop"
    na : a text that reads as missing, besides the empty field
    labels : the order of the classes, None for their natural order
    loss : of regression, "absolute" or "squared"; needed before reading only where rows are too many to be held
    tolerance : within it a number counts as right; needed before reading only where rows are too many to be held
    noise : what the label −1 of a clustering is: one "cluster" like any other, or a "singleton" for each instance
    by : columns whose values are slices, each compared on its own
    proba : columns that hold class probabilities
    fewest : how many models are needed at least
    metric, filter, scorer : of eval logs, which of several grades is read; None where there is one

    Examples
    --------
    >>> Ask(truth=0, models=("knn", "tree")).truth
    '0'
    >>> Ask(task="scores").graded, Ask(task="regression").numeric
    (True, True)
    """

    truth: str | None = None
    models: tuple[str, ...] | None = None
    id: str | None = None
    task: str = "classification"
    long: tuple[str, str] | None = None
    missing: str = "raise"
    na: str | None = None
    weight: str | None = None
    labels: tuple[object, ...] | None = None
    group: str | None = None
    loss: str = "absolute"
    tolerance: float | None = None
    noise: str = "cluster"
    by: tuple[str, ...] = ()
    proba: tuple[ProbaColumn, ...] = ()
    fewest: int = 2
    metric: str | None = None
    filter: str | None = None
    scorer: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are named; the models of a long layout are values and no columns."""
        probabilities = (given.column for given in self.proba)
        named = (
            self.truth,
            self.id,
            self.weight,
            self.group,
            *self.by,
            *probabilities,
            *(self.long or self.models or ()),
        )
        return tuple(column for column in named if column is not None)

    @classmethod
    def given(
        cls,
        *,
        models: Sequence[str] | None,
        task: str,
        long: tuple[str, str] | None,
        missing: str,
        sample_weight: Any,
        groups: Any,
        labels: Sequence[object] | None,
        **named: Any,
    ) -> Ask:
        """Return what a caller of Python asked for; weights and groups that are values have no column to name.

        Examples
        --------
        >>> asked = Ask.given(models=["a", "b"], task="correct", long=None, missing="wrong", sample_weight=[1, 2],
        ...                   groups="patient", labels=None, id="row")
        >>> asked.weight, asked.group, asked.id
        (None, 'patient', 'row')
        """
        return cls(
            models=None if models is None else several_names(models, "models"),
            task=one_of(task, "task", TASKS),
            long=None if long is None else (long[0], long[1]),
            missing=one_of(missing, "missing", POLICIES),
            weight=sample_weight if isinstance(sample_weight, str) else None,
            group=groups if isinstance(groups, str) else None,
            labels=None if labels is None else _in_order(labels),
            **named,
        )

    def __post_init__(self) -> None:
        """Names are text: a data frame's column called 0 is "0" here."""
        for argument in ("truth", "id", "weight", "group"):
            given = getattr(self, argument)
            if given is not None and type(given) is not str:
                object.__setattr__(self, argument, plain(given))
        for argument in ("models", "long", "by"):
            names = getattr(self, argument)
            if names:
                object.__setattr__(self, argument, tuple(map(plain, names)))

    @property
    def graded(self) -> bool:
        """Whether the answers are already graded, right or wrong or by a score, so that there is no truth."""
        return self.task in {"correct", "scores"}

    @property
    def numeric(self) -> bool:
        """Whether the columns hold numbers that become `Losses`, and not labels that are counted."""
        return self.task in NUMERIC

    @property
    def clustered(self) -> bool:
        """Whether the columns hold clusterings, which can be compared with each other without a truth."""
        return self.task == "clustering"


@dataclass(frozen=True, slots=True)
class Guess:
    """A column that became a model's answers because nobody named it, and what to do if it is none.

    Examples
    --------
    >>> Guess("knn").remedy
    'name it with --id, --models or another option'
    """

    column: str
    remedy: str = "name it with --id, --models or another option"


def _in_order(labels: Any) -> tuple[object, ...]:
    """The classes as they were given, numbers as numbers; one bare text is no list of its letters."""
    if isinstance(labels, str | bytes):
        several_names(labels, "labels")
    given: list[object] = np.asarray(labels, dtype=object).tolist()
    return tuple(given)


@dataclass(frozen=True, slots=True)
class Roles:
    """Which column is what, decided.

    `guessed` holds the models whose column nobody named, `open_group` says that instances without a group are a group
    of their own.

    Examples
    --------
    >>> Roles("y", ("knn", "tree"), group="patient").all_keys
    ('patient', 'y', 'knn', 'tree')
    """

    truth: str | None
    models: tuple[str, ...]
    id: str | None = None
    weight: str | None = None
    guessed: Mapping[str, Guess] = field(default_factory=dict)
    group: str | None = None
    open_group: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that are counted together: the truth, if there is one, and the models."""
        return self.models if self.truth is None else (self.truth, *self.models)

    @property
    def marks(self) -> tuple[str, ...]:
        """The group column, if there is one."""
        return () if self.group is None else (self.group,)

    @property
    def all_keys(self) -> tuple[str, ...]:
        """The same with the group in front, if instances are grouped."""
        return (*self.marks, *self.keys)


def roles_of(ask: Ask, columns: Sequence[str], where: str) -> Roles:
    """Decide which column is what, or say what is missing and what exists.

    Examples
    --------
    >>> roles_of(Ask(), ["id", "y_true", "knn", "tree"], "preds.csv").models
    ('knn', 'tree')
    """
    existing([ask.id] if ask.id else [], columns, "id", where)
    existing_facts(ask, columns, where)
    existing(ask.models or (), columns, "models", where)
    if ask.graded and ask.truth is not None:
        raise TiebreakError(
            f"truth names {quoted(ask.truth)}, but with task {ask.task} the answers are graded: leave it out"
        )
    truth = truth_if_any(ask, columns, where)
    facts = {truth, ask.weight, ask.group, *ask.by, *(given.column for given in ask.proba)}
    id_column = ask.id or ("id" if "id" in columns and "id" not in {*facts, *(ask.models or ())} else None)
    others = {*facts, id_column}
    if ask.models is None:
        others |= set(TRUTH_NAMES) if ask.graded else set()
        models = tuple(column for column in columns if column not in others)
    else:
        models = distinct(ask.models, "models")
        taken = [model for model in models if model in others]
        if taken:
            raise TiebreakError(
                f"models names {quoted(taken[0])}, which is already the truth, the id, the weight, the group, a slice "
                "or a column of probabilities"
            )
    enough_models(models, where, columns, ask.fewest)
    refuse_shared_column(ask, truth, id_column)
    guessed = {model: Guess(model) for model in models} if ask.models is None else {}
    return Roles(truth, models, id_column, ask.weight, guessed=guessed, group=ask.group)


def refuse_shared_column(ask: Ask, truth: str | None, id_column: str | None) -> None:
    """Refuse a column that is to be two things at once: truth, weight, group, id, a model's answers.

    Examples
    --------
    >>> refuse_shared_column(Ask(id="y"), "y", "y")
    Traceback (most recent call last):
    tiebreak.errors.TiebreakError: id names 'y', which is already the truth: one column cannot be both
    """
    taken: dict[str, str] = {}
    long = zip(ask.long or (), ("the column of models", "the column of predictions"), strict=False)
    facts = [("truth", truth, "the truth"), ("weight", ask.weight, "the weight"), ("group", ask.group, "the group")]
    for argument, column, what in (*facts, *(("long", c, w) for c, w in long), ("id", id_column, "the id")):
        if column is not None and column in taken:
            raise TiebreakError(
                f"{argument} names {quoted(column)}, which is already {taken[column]}: one column cannot be both"
            )
        if column is not None:
            taken[column] = what
    for column in ask.by:
        if column == truth:
            raise TiebreakError(
                f"by names {quoted(column)}, which is the truth: the tables by class hold what its slices would"
            )


def existing_facts(ask: Ask, columns: Sequence[str], where: str) -> None:
    """Refuse a weight, a group or a slice that is no column.

    Examples
    --------
    >>> existing_facts(Ask(weight="w"), ["y", "w"], "preds.csv")
    """
    existing([ask.weight] if ask.weight else [], columns, "weight", where)
    existing([ask.group] if ask.group else [], columns, "group", where)
    existing(distinct(ask.by, "by"), columns, "by", where)
    existing([given.column for given in ask.proba], columns, "proba", where)


def truth_if_any(ask: Ask, columns: Sequence[str], where: str) -> str | None:
    """Return the truth's column, or None where there need be none: graded answers, clusterings without a usual name.

    Examples
    --------
    >>> truth_if_any(Ask(task="clustering"), ["p", "q"], "runs.csv"), truth_if_any(Ask(), ["label", "knn"], "preds.csv")
    (None, 'label')
    """
    nameless = ask.clustered and ask.truth is None and not any(column in TRUTH_NAMES for column in columns)
    return None if ask.graded or nameless else truth_of(ask, columns, where)


def truth_of(ask: Ask, columns: Sequence[str], where: str) -> str:
    """Return the truth's column: the named one, or the only one with a usual name.

    Examples
    --------
    >>> truth_of(Ask(), ["label", "knn"], "preds.csv")
    'label'
    """
    if ask.truth is not None:
        existing([ask.truth], columns, "truth", where)
        return ask.truth
    named = [column for column in columns if column in TRUTH_NAMES]
    # A model may be called "target" where something else is the truth.
    usual = [column for column in named if column not in (ask.models or ())] or named
    if len(usual) == 1:
        return usual[0]
    found = f"has both {' and '.join(usual)}" if usual else f"has no column called {', '.join(TRUTH_NAMES)}"
    raise ColumnNotFound(
        f"truth is not named and {where} {found}: name the true labels with --truth (truth= in Python); "
        f"its columns are {listed(columns, 20)}"
    )


def enough_models(models: Sequence[str], where: str, columns: Sequence[str], fewest: int = 2) -> None:
    """Refuse a comparison of fewer than two models, where two are needed.

    Examples
    --------
    >>> enough_models(["knn", "tree"], "preds.csv", [])
    """
    if len(models) >= fewest:
        return
    have = f"only one model column, {quoted(models[0])}" if models else "no model column"
    raise EmptyComparison(
        f"{where} has {have}: a comparison needs at least two; name them with --models A,B, or give one file per model "
        f"with --id (columns: {listed(columns, 20)})"
    )
