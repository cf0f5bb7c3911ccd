"""What figures of a comparison need, found where the comparison has it.

Confusion matrices come from the models' records where they have one and from the tally otherwise; R′ by class, a
performance profile, losses and partitions only from what the comparison carries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.comparison import Comparison
from tiebreak.errors import NotDefined
from tiebreak.views.figures.agreement import Agreement, agreement
from tiebreak.views.figures.classes import Boxes, ByClass, boxes, by_class
from tiebreak.views.figures.confusion import ConfusionChange, Confusions, confusion_change, confusions
from tiebreak.views.figures.losses import Scatter, scatter
from tiebreak.views.figures.profile import Curves, profile_curves
from tiebreak.views.figures.spectrum import Spectrum, spectrum

# A matrix of more classes is never written out in full for a figure.
MOST_CLASSES = 2000


def part_of(comparison: Comparison, name: str) -> Any:
    """Return an attribute of a comparison, or None where it has none or says that it is not defined.

    Examples
    --------
    >>> import tiebreak as tb
    >>> part_of(tb.compare([1, 0], {"a": [1, 1], "b": [0, 0]}), "no_such_part") is None
    True
    """
    try:
        return getattr(comparison, name, None)
    except NotDefined:
        return None


def chosen(comparison: Comparison, models: Sequence[str]) -> tuple[str, ...]:
    """Return the named models, or all of them from the best to the worst.

    Examples
    --------
    >>> import tiebreak as tb
    >>> chosen(tb.compare([1, 0], {"a": [0, 1], "b": [1, 1]}), ())
    ('b', 'a')
    """
    return tuple(comparison.model(name).name for name in models) or tuple(model.name for model in comparison.ranked)


def two(comparison: Comparison, models: Sequence[str]) -> tuple[str, str]:
    """Return two models: the named ones, or the two that the verdict speaks of.

    Examples
    --------
    >>> import tiebreak as tb
    >>> two(tb.compare([1, 0], {"a": [0, 1], "b": [1, 1]}), ())
    ('b', 'a')
    """
    if models and len(models) != 2:
        raise NotDefined(f"this figure is of two models, and {len(models)} are named: name two, or none")
    if models:
        return comparison.model(models[0]).name, comparison.model(models[1]).name
    best, second, *_ = (model.name for model in comparison.ranked)
    baseline = comparison.settings.baseline
    return (best, second) if baseline in {None, best} else (best, str(baseline))


def matrices_of(comparison: Comparison, names: Sequence[str]) -> tuple[tuple[Any, ...], list[npt.NDArray[Any]]]:
    """Return the classes, and the confusion matrix of every named model."""
    held: list[Any] = [getattr(comparison.model(name), "confusion", None) for name in names]
    if all(matrix is not None for matrix in held):
        _few(len(held[0].labels))
        return tuple(held[0].labels), [np.asarray(matrix) for matrix in held]
    tally = comparison.tally
    if tally.truth is None:
        raise NotDefined("graded answers have no confusion matrix")
    _few(len(tally.labels))
    return tuple(tally.labels), [tally.confusion(name).matrix() for name in names]


def _few(classes: int) -> None:
    if classes > MOST_CLASSES:
        raise NotDefined(f"there are {classes:,} classes: a figure of a confusion matrix has at most {MOST_CLASSES:,}")


def confusion_data(comparison: Comparison, *models: str) -> Confusions:
    """Return the confusion matrices of some models, by default of the best ones."""
    names = chosen(comparison, models)
    labels, matrices = matrices_of(comparison, names[:4])
    found = confusions(names, labels, matrices)
    return found if len(names) <= 4 else confusions(names, labels, [*matrices, *matrices[:1] * (len(names) - 4)])


def change_data(comparison: Comparison, *models: str) -> ConfusionChange:
    """Return the confusion matrix of one model minus that of another."""
    names = two(comparison, models)
    labels, (first, second) = matrices_of(comparison, names)
    return confusion_change(*names, labels, np.subtract(first, second, dtype=np.result_type(first, np.int64)))


def _r_primes(comparison: Comparison, names: Sequence[str]) -> tuple[tuple[Any, ...], list[npt.NDArray[np.float64]]]:
    held: list[Any] = [getattr(comparison.model(name), "confusion", None) for name in names]
    if any(matrix is None or not hasattr(matrix, "r_prime") for matrix in held):
        raise NotDefined("R′ by class needs the models' confusion matrices, which this comparison does not carry")
    return tuple(held[0].labels), [np.asarray(matrix.r_prime(), dtype=np.float64) for matrix in held]


def r_prime_data(comparison: Comparison, *models: str, kind: str = "bars") -> ByClass:
    """Return R′ by class of some models, by default of all from the best on."""
    names = chosen(comparison, models)
    labels, values = _r_primes(comparison, names)
    return by_class(names, labels, values, kind=kind)


def box_data(comparison: Comparison, *models: str) -> Boxes:
    """Return how R′ by class spreads over the models."""
    names = chosen(comparison, models)
    labels, values = _r_primes(comparison, names)
    return boxes(names, labels, values)


def profile_data(comparison: Comparison, *, bands: bool | None = None) -> Curves:
    """Return the performance profile that a comparison of losses or scores carries."""
    profile = part_of(comparison, "profile")
    if profile is None:
        raise NotDefined("a performance profile needs losses or scores: compare with task='regression' or 'scores'")
    return profile_curves(profile, bands=bands, level=comparison.level)


def spectrum_data(
    comparison: Comparison, *models: str, of: str = "trace", method: str = "exact", curve: str = "pdf"
) -> Spectrum:
    """Return densities of traces or eigenvalues fitted to the models' confusion matrices."""
    names = chosen(comparison, models)[:7]
    _, matrices = matrices_of(comparison, names)
    return spectrum(names, matrices, of, method, curve)


def loss_data(comparison: Comparison, *models: str) -> Scatter:
    """Return the losses, or scores, of two models."""
    held = part_of(comparison, "losses")
    if held is None or not hasattr(held, "values"):
        raise NotDefined("a scatter of losses needs losses or scores: compare with task='regression' or 'scores'")
    return scatter_of(held, *two(comparison, models))


def scatter_of(losses: Any, primary: str, alternative: str) -> Scatter:
    """Return the scatter of two models of a table of losses, residuals or scores."""
    one, other = (np.asarray(losses.values[:, losses.index(name)], dtype=np.float64) for name in (primary, alternative))
    if losses.kind == "residuals":
        return scatter(primary, alternative, np.abs(one), np.abs(other), "loss")
    return scatter(primary, alternative, one, other, "loss" if losses.kind == "losses" else "score")


def agreement_data(comparison: Comparison) -> Agreement:
    """Return how much every two clusterings, and the truth, agree."""
    held = part_of(comparison, "partitions")
    if held is None:
        raise NotDefined("agreement is of clusterings: compare with task='clustering'")
    return agreement_of(held)


def agreement_of(partitions: Any) -> Agreement:
    """Return how much every two labelings of `Partitions` agree, by the adjusted Rand index."""
    from tiebreak import measures

    names = tuple(partitions.labelings)
    sums = np.array([[partitions.pair_sums(one, other) for other in names] for one in names], dtype=object)
    return agreement(names, getattr(measures, "adjusted_rand")(sums).astype(np.float64))  # noqa: B009
