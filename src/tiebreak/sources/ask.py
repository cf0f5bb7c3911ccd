"""What the caller wants compared, and which column plays which role."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak._checks import distinct, existing
from tiebreak._format import listed, quoted
from tiebreak.errors import ColumnNotFound, EmptyComparison, TiebreakError

TRUTH_NAMES = ("y_true", "truth", "label", "target", "labels_true")
PREDICTION_NAMES = ("y_pred", "prediction", "pred", "labels_pred")
TASKS = ("classification", "correct")
POLICIES = ("raise", "wrong", "drop")


@dataclass(frozen=True, slots=True)
class Ask:
    """The caller's words about the columns, before they have been held against the columns that exist.

    Attributes
    ----------
    truth, id, weight, group : column names, None where not given
    models : model columns in order, None for "every other column"
    task : "classification", or "correct" for answers that are already graded right or wrong
    long : the model column and the prediction column of a long layout
    missing : what a missing prediction means: "raise", "wrong" or "drop"
    na : a text that reads as missing, besides the empty field
    labels : the order of the classes, None for their natural order
    metric, filter, scorer : of eval logs, which of several grades is read; None where there is one
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
    metric: str | None = None
    filter: str | None = None
    scorer: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are named; the models of a long layout are values and no columns."""
        named = (self.truth, self.id, self.weight, self.group, *(self.long or self.models or ()))
        return tuple(column for column in named if column is not None)

    @property
    def graded(self) -> bool:
        """Whether the answers are already right or wrong, so that there is no truth."""
        return self.task == "correct"


@dataclass(frozen=True, slots=True)
class Roles:
    """Which column is what, decided. `guessed` says that the models were all the columns nobody named."""

    truth: str | None
    models: tuple[str, ...]
    id: str | None = None
    weight: str | None = None
    guessed: bool = False
    group: str | None = None

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
            f"truth names {quoted(ask.truth)}, but with task correct the answers are graded: leave it out"
        )
    truth = None if ask.graded else truth_of(ask, columns, where)
    id_column = ask.id or ("id" if "id" in columns and "id" not in (ask.models or ()) else None)
    others = {truth, id_column, ask.weight, ask.group}
    if ask.models is None:
        others |= set(TRUTH_NAMES) if ask.graded else set()
        models = tuple(column for column in columns if column not in others)
    else:
        models = distinct(ask.models, "models")
        taken = [model for model in models if model in others]
        if taken:
            raise TiebreakError(
                f"models names {quoted(taken[0])}, which is already the truth, the id, the weight or the group"
            )
    enough_models(models, where, columns)
    _refuse_shared_column(ask, truth)
    return Roles(truth, models, id_column, ask.weight, guessed=ask.models is None, group=ask.group)


def _refuse_shared_column(ask: Ask, truth: str | None) -> None:
    if ask.group is not None and ask.group in {truth, ask.weight}:
        raise TiebreakError(f"group names {quoted(ask.group)}, which is already the truth or the weight")


def existing_facts(ask: Ask, columns: Sequence[str], where: str) -> None:
    """Refuse a weight or a group that is no column.

    Examples
    --------
    >>> existing_facts(Ask(weight="w"), ["y", "w"], "preds.csv")
    """
    existing([ask.weight] if ask.weight else [], columns, "weight", where)
    existing([ask.group] if ask.group else [], columns, "group", where)


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


def enough_models(models: Sequence[str], where: str, columns: Sequence[str]) -> None:
    """Refuse a comparison of fewer than two models.

    Examples
    --------
    >>> enough_models(["knn", "tree"], "preds.csv", [])
    """
    if len(models) >= 2:
        return
    have = f"only one model column, {quoted(models[0])}" if models else "no model column"
    raise EmptyComparison(
        f"{where} has {have}: a comparison needs at least two; name them with --models A,B, or give one file per model "
        f"with --id (columns: {listed(columns, 20)})"
    )
