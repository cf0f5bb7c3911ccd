"""The grids of confusion matrices, of classes, and of class probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from tiebreak._format import counted, measure, point_ends, signed
from tiebreak.comparison import Classified, Comparison, ConfusionDifference, ConfusionMatrix, Pair
from tiebreak.comparison.verdict import interval_words
from tiebreak.inference import Estimate, PlaceDifferences
from tiebreak.views.cells import count_cell, measure_cell, p_cell, points_cell, share_cell
from tiebreak.views.grid import Cell, Grid, label

# Classes and models of which a table of all classes is still read.
MOST_CLASSES, MOST_COLUMNS = 20, 6
# Rows that a table has where nobody says how many.
ROWS = 200
_RATES = ("precision", "recall", "F1", "R′")


def matrices_grid(result: Comparison) -> Grid:
    """Return what the models' confusion matrices say as a whole."""
    header = (
        *("model", "κ", "consistency", "macro precision", "macro recall", "F1 of means", "mean F1", "MCC", "R′"),
        *(["coverage", "right of answers"] if any(model.missing for model in result.models) else []),
    )
    rows = []
    for model in result.ranked:
        if not isinstance(model, Classified):
            continue
        found = model.confusion
        values = (found.macro_precision, found.macro_recall, found.f1_of_means, found.mean_f1, found.mcc)
        rows.append(
            (
                *(label(model.name), measure_cell(found.kappa), found.consistency or "–"),
                *map(measure_cell, (*values, found.r_prime_overall)),
                *([share_cell(found.coverage), share_cell(found.selective_accuracy)] if len(header) > 9 else []),
            )
        )
    return Grid("Confusion matrices", header, tuple(rows), "lrl" + "r" * (len(header) - 3))


def classes_grid(result: Comparison) -> Grid | None:
    """Return recall and R′ of every class by every model; None where there are too many to be read."""
    models = [model for model in result.ranked if isinstance(model, Classified)]
    if not models or len(result.labels) > MOST_CLASSES or len(models) > MOST_COLUMNS:
        return None
    records = [model.classes for model in models]
    header = ("class", "instances", *(f"{label(m.name)} {what}" for m in models for what in ("recall", "R′")))
    rows = tuple(
        (
            label(at[0].label),
            count_cell(at[0].support),
            *(measure_cell(value, 3) for record in at for value in (record.recall, record.r_prime)),
        )
        for at in zip(*records, strict=True)
    )
    return Grid("Classes", header, rows)


def probabilities_grid(models: Sequence[Classified], level: float) -> Grid:
    """Return what the models' class probabilities are worth."""
    words = interval_words(level)
    header = ("model", "ROC AUC", words, "average precision", "log-loss", words, "Brier", words)
    rows = []
    for model in models:
        found = model.probabilities
        if found is not None:
            cells = (
                *_estimated(found.roc_auc),
                measure_cell(found.average_precision),
                *_estimated(found.log_loss),
                *_estimated(found.brier),
            )
            rows.append((label(model.name), *cells))
    return Grid("Class probabilities", header, tuple(rows))


def _estimated(value: Estimate) -> tuple[Cell, str]:
    """A number with four decimals, and its interval."""
    ends = "–" if value.low != value.low else f"{measure(value.low)} to {measure(value.high)}"
    return Cell(measure(value), float(value)), ends


def probability_differences_grid(pairs: Sequence[Pair], level: float) -> Grid:
    """Return how the class probabilities of some pairs differ, one row each; above 0 the first model is better."""
    rows = []
    for pair in pairs:
        found = pair.probabilities
        if found is not None:
            each = ((found.roc_auc, found.roc_auc_p), (found.log_loss, found.log_loss_p), (found.brier, found.brier_p))
            cells = (cell for value, p in each for cell in (*_difference(value), p_cell(p, level)))
            rows.append((label(pair.primary), label(pair.alternative), *cells))
    what = (cell for name in ("ROC AUC", "log-loss", "Brier") for cell in (name, interval_words(level), "p"))
    title = "Differences of class probabilities; above 0 the first model is better"
    return Grid(title, ("model", "against", *what), tuple(rows), "ll" + "r" * 9)


def _difference(value: Estimate) -> tuple[Cell, str]:
    ends = "–" if value.low != value.low else f"{signed(value.low)} to {signed(value.high)}"
    return Cell(signed(value), float(value)), ends


def cells_of_matrix_grid(matrix: ConfusionMatrix) -> Grid:
    """Return a confusion matrix, true classes in rows."""
    header = ("true \\ predicted", *map(label, matrix.labels))
    rows = tuple(
        (label(name), *map(count_cell, row)) for name, row in zip(matrix.labels, matrix.counts.tolist(), strict=True)
    )
    return Grid(f"{counted(matrix.n, 'instance')} in {len(matrix.labels)} classes", header, rows)


def errors_grid(matrix: ConfusionMatrix, most: int = 20) -> Grid:
    """Return the most frequent errors of a confusion matrix."""
    rows = tuple(
        (label(each.true), label(each.predicted), count_cell(each.count), share_cell(each.share))
        for each in matrix.top_confusions(most)
    )
    return Grid("Most frequent errors", ("true", "predicted", "count", "share of the class"), rows, "llrr")


def class_grid(matrices: Iterable[tuple[str, ConfusionMatrix]], most: int = ROWS) -> Grid:
    """Return one row a class and model, at most so many; the model's column is left out where it has no name."""
    named = list(matrices)
    single = [name for name, _ in named] == [""]
    records = ((name, each) for name, matrix in named for each in matrix.classes)
    rows = tuple(
        (
            *(label(each.label), *(() if single else (label(name),))),
            *map(count_cell, (each.support, each.predicted, each.right)),
            *map(measure_cell, (each.precision, each.recall, each.f1, each.r_prime)),
        )
        for name, each in islice(records, most)
    )
    header = ("class", *(() if single else ("model",)), "instances", "predicted", "right", *_RATES)
    return Grid("Classes", header, rows, ("l" if single else "ll") + "r" * 7)


def differences_grid(found: PlaceDifferences, most: int = ROWS) -> Grid:
    """Return one row a class, or a cell: how two models differ there."""
    a, b = label(found.primary), label(found.alternative)
    rows = tuple(
        (
            " → ".join(map(label, each.label)) if isinstance(each.label, tuple) else label(each.label),
            count_cell(each.support),
            points_cell(each.difference),
            point_ends(each.difference.low, each.difference.high),
            p_cell(each.p_value_adjusted, found.level),
            "open" if each.winner is None else label(each.winner),
        )
        for each in found.records()[:most]
    )
    place = "cell" if found.measure == "cell" else "class"
    what = {"r_prime": "R′", "f1": "F1", "cell": "share"}.get(found.measure, found.measure)
    settled = "more often" if place == "cell" else "settled for"
    header = (place, "instances", f"difference of {what}", interval_words(found.level), "adjusted p", settled)
    return Grid(f"{a} minus {b} by {place}", header, rows, "lrrrrl")


def changes_grid(change: ConfusionDifference, most: int = ROWS) -> Grid:
    """Return one row a class: how one confusion matrix differs from another there."""
    rows = tuple(
        (
            label(each.label),
            *map(_more, (each.right, each.predicted)),
            *(Cell(signed(value), value) for value in (each.precision, each.recall, each.f1, each.r_prime)),
        )
        for each in change.classes[:most]
    )
    return Grid("The first minus the second, by class", ("class", "right", "predicted", *_RATES), rows)


def _more(count: float) -> Cell:
    text = counted(count).replace("-", "−")
    return Cell(f"+{text}" if count > 0 else text, count)
