"""What figures of a comparison need, found where the comparison has it, or refused in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.comparison import Agreement as Record
from tiebreak.comparison import Agreements, Classified, Clustered, Comparison, ConfusionMatrix, listed_pairs
from tiebreak.errors import NotDefined
from tiebreak.views.figures.agreement import Agreement, agreement
from tiebreak.views.figures.classes import Boxes, ByClass, boxes, by_class
from tiebreak.views.figures.confusion import ConfusionChange, Confusions, confusion_change, confusions
from tiebreak.views.figures.losses import Scatter, scatter
from tiebreak.views.figures.profile import Curves, curves, profile_curves
from tiebreak.views.figures.roc import RocCurves, roc_curves
from tiebreak.views.figures.spectrum import Spectrum, spectrum
from tiebreak.views.task_grids import deciding

# A matrix of more classes is never written out in full for a figure.
MOST_CLASSES = 2000


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
    return deciding(comparison)


def confusions_of(comparison: Comparison, names: Sequence[str]) -> list[ConfusionMatrix]:
    """Return the confusion matrix of every named model."""
    models = [comparison.model(name) for name in names]
    found = [model.confusion for model in models if isinstance(model, Classified)]
    if len(found) < len(models):
        raise NotDefined(
            f"confusion matrices need labels, and the task is {comparison.task}: draw tiers or differences"
        )
    return found


def matrices_of(comparison: Comparison, names: Sequence[str]) -> tuple[tuple[Any, ...], list[npt.NDArray[Any]]]:
    """Return the classes, and the counts of the confusion matrix of every named model."""
    held = confusions_of(comparison, names)
    _few(len(held[0].labels))
    return held[0].labels, [matrix.counts for matrix in held]


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
    held = confusions_of(comparison, names)
    return held[0].labels, [matrix.r_prime() for matrix in held]


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
    """Return the performance profile of numbers or costs; without its bands where only a document of it remains."""
    try:
        return profile_curves(comparison.profile, bands=bands, level=comparison.level)
    except NotDefined:
        written = comparison.curve if comparison.costed is None else comparison.costed.curve
        if written is None or bands:
            raise
    return curves(tuple(written.shares), written.taus, list(written.shares.values()))


def roc_data(comparison: Comparison, *models: str, label: Any = None) -> RocCurves:
    """Return the ROC curves of the models with class probabilities: of the positive class, or of one that is named."""
    scores = comparison.scores
    if scores is None:
        raise NotDefined("a ROC curve is of class probabilities: give them with --proba, or y_proba in Python")
    named = label if label is not None or scores.positive is None else scores.labels[scores.positive]
    # Of several classes the first is drawn unless another one is named.
    named = scores.labels[0] if named is None else named
    names = [name for name in chosen(comparison, models) if name in scores.models]
    found = [comparison.roc_curve(name, named) for name in names]
    alarms, hits = [curve.false_positive_rate for curve in found], [curve.true_positive_rate for curve in found]
    areas = [float(np.trapezoid(y, x)) for x, y in zip(alarms, hits, strict=True)]
    return roc_curves(names, alarms, hits, areas, str(named))


def spectrum_data(
    comparison: Comparison, *models: str, of: str = "trace", method: str = "exact", curve: str = "pdf"
) -> Spectrum:
    """Return densities of traces or eigenvalues fitted to the models' confusion matrices."""
    names = chosen(comparison, models)[:7]
    _, matrices = matrices_of(comparison, names)
    return spectrum(names, matrices, of, method, curve)


def loss_data(comparison: Comparison, *models: str) -> Scatter:
    """Return the losses, or scores, of two models."""
    held, (primary, alternative) = comparison.losses, two(comparison, models)
    one, other = (held.values[:, held.index(name)] for name in (primary, alternative))
    if held.kind == "residuals":
        return scatter(primary, alternative, np.abs(one), np.abs(other), word="absolute error")
    lower = held.lower_is_better
    return scatter(primary, alternative, one, other, word="loss" if lower else "score", lower_is_better=lower)


def agreement_data(comparison: Comparison) -> Agreement:
    """Return how much every two clusterings, and the truth, agree."""
    against = [model.agreement for model in comparison.ranked if isinstance(model, Clustered)]
    if not against:
        raise NotDefined(f"agreement is of clusterings, and the task is {comparison.task}: draw tiers or differences")
    names = (against[0].first, *(model.name for model in comparison.ranked))
    between = [pair.agreement for pair in listed_pairs(comparison) if pair.agreement is not None]
    return _agreement(names, [*against, *between])


def agreements_data(found: Agreements) -> Agreement:
    """Return how much every two clusterings agree, where there is no truth."""
    return _agreement(found.models, found.pairs)


def _agreement(names: Sequence[str], held: Sequence[Record]) -> Agreement:
    """The adjusted Rand index of every two, 1 of each with itself, NaN where it is not at hand."""
    place = {name: k for k, name in enumerate(names)}
    values = np.full((len(names),) * 2, np.nan)
    np.fill_diagonal(values, 1.0)
    for each in held:
        one, other = place[each.first], place[each.second]
        values[one, other] = values[other, one] = each.adjusted_rand
    return agreement(names, values)
