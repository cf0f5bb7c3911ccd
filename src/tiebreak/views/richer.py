"""What richer results look like: confusion matrices, differences by class, slices, profiles; known by what they can do.

Each of them shows itself as soon as its class is a `Shown`; nothing here imports those classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tiebreak._format import counted, measure, point_ends, visible
from tiebreak.comparison.verdict import interval_words
from tiebreak.views.cells import certainty_cell, count_cell, p_cell, points_cell, share_cell
from tiebreak.views.grid import Cell, Document, Grid, label

# Up to so many classes a confusion matrix is written out, and so many rows a table has.
_WRITTEN, _ROWS = 25, 200
_WHOLE = (
    ("accuracy", "accuracy"),
    ("R′", "r_prime_overall"),
    ("kappa", "kappa"),
    ("Matthews' correlation", "mcc"),
    ("balanced accuracy", "balanced_accuracy"),
    ("macro precision", "macro_precision"),
    ("macro recall", "macro_recall"),
    ("mean F1", "mean_f1"),
    ("coverage", "coverage"),
)


def richer_document(result: Any) -> Document | None:
    """Return the document of a result that is known by what it can do, None where it is not.

    Examples
    --------
    >>> richer_document(3) is None
    True
    """
    able = set(dir(result))
    if {"r_prime", "labels", "counts", "classes"} <= able:
        return _confusion(result)
    if {"curve", "taus", "wins", "area", "models"} <= able:
        return _profile(result)
    if {"slices", "primary", "alternative", "level"} <= able:
        return Document((slices_grid(result, result.level),))
    if {"estimate", "labels", "primary", "alternative", "level"} <= able:
        return Document((differences_grid(result, (result.primary, result.alternative), result.level),))
    if {"changes", "labels", "classes"} <= able:
        return Document((_changes(result),))
    return None


def _confusion(result: Any) -> Document:
    """A confusion matrix, its classes and its measures; of many classes the most frequent errors instead."""
    parts: list[str | Grid] = [f"Note: {visible(text, 1000)}." for text in getattr(result, "warnings", ())]
    if len(result.labels) <= _WRITTEN:
        header = ("true \\ predicted", *map(label, result.labels))
        rows = tuple(
            (label(name), *map(count_cell, row))
            for name, row in zip(result.labels, result.counts.tolist(), strict=True)
        )
        parts.append(Grid(f"{counted(result.n, 'instance')} in {len(result.labels)} classes", header, rows))
    elif hasattr(result, "top_confusions"):
        errors = tuple(
            (label(each.true), label(each.predicted), count_cell(each.count), share_cell(each.share))
            for each in result.top_confusions(20)
        )
        parts.append(Grid("Most frequent errors", ("true", "predicted", "count", "share of the class"), errors, "llrr"))
    parts.append(class_grid("Classes", [("", result)]))
    values = ((name, getattr(result, attribute)) for name, attribute in _WHOLE if hasattr(result, attribute))
    whole = tuple((name, Cell(measure(float(value)), float(value))) for name, value in values)
    return Document((*parts, *([Grid("The whole", ("measure", "value"), whole)] if whole else [])))


def class_grid(title: str, matrices: Iterable[tuple[str, Any]], most: int = _ROWS) -> Grid:
    """Return one row a class and model; the model's column is left out where it has no name."""
    named = list(matrices)
    single = [name for name, _ in named] == [""]
    rows = tuple(
        (
            *(label(each.label), *(() if single else (label(name),))),
            *map(count_cell, (each.support, each.predicted, each.right)),
            *(Cell(measure(value), value) for value in (each.precision, each.recall, each.f1, each.r_prime)),
        )
        for name, matrix in named
        for each in getattr(matrix, "classes", ())
    )[:most]
    header = (
        "class",
        *(() if single else ("model",)),
        "instances",
        "predicted",
        "right",
        "precision",
        "recall",
        "F1",
        "R′",
    )
    return Grid(title, header, rows, ("l" if single else "ll") + "r" * 7)


def differences_grid(records: Iterable[Any], models: Sequence[str], level: float, most: int = _ROWS) -> Grid:
    """Return one row a class, or a cell: how two models differ there."""
    a, b = map(label, models)
    rows = tuple(
        (
            " → ".join(map(label, each.label)) if isinstance(each.label, tuple) else label(each.label),
            count_cell(each.support),
            points_cell(each.difference),
            point_ends(each.difference.low, each.difference.high),
            p_cell(each.p_value_adjusted, level),
            "open" if each.winner is None else label(each.winner),
        )
        for each in list(records)[:most]
    )
    header = ("class", "instances", "difference", interval_words(level), "adjusted p", "settled for")
    return Grid(f"{a} minus {b} by class", header, rows, "lrrrrl")


def slices_grid(table: Any, level: float, most: int = _ROWS) -> Grid:
    """Return one row a slice: how two models differ there."""
    a, b = label(table.primary), label(table.alternative)
    rows = tuple(
        (
            *(label(each.column), label(each.value), count_cell(each.n)),
            *(count_cell(each.prayatul.right_wrong), count_cell(each.prayatul.wrong_right)),
            *(points_cell(each.difference), point_ends(each.difference.low, each.difference.high)),
            *(certainty_cell(each.p_better), p_cell(each.p_value_adjusted, level)),
            "open" if each.better is None else label(each.better),
        )
        for each in list(table)[:most]
    )
    only = (f"only {a} right", f"only {b} right")
    header = (
        "column",
        "value",
        "instances",
        *only,
        "difference",
        interval_words(level),
        "P(better)",
        "adjusted p",
        "better",
    )
    return Grid(f"{a} against {b} in every slice", header, rows, "llrrrrrrrl")


def _profile(result: Any) -> Document:
    """Wins, shares at some factors and areas; what a reader must know first."""
    taus = (1.5, 2.0, 5.0, 10.0)
    columns = [result.wins, *(result.at(tau) for tau in taus), result.area()]
    rows = tuple(
        (label(name), *(Cell(measure(float(column[name]), 3), float(column[name])) for column in columns))
        for name in sorted(result.models, key=lambda name: -columns[-1][name])
    )
    header = ("model", "best (τ = 1)", *(f"τ = {tau:g}" for tau in taus), "area")
    notes = tuple(f"Note: {visible(text, 1000)}" for text in result.warnings)
    title = f"Share of {counted(result.n, 'instance')} within a factor τ of the best"
    return Document((Grid(title, header, rows), *notes))


def _changes(result: Any) -> Grid:
    rows = tuple(
        (label(each.label), _more(each.right), _more(each.predicted),
         *(Cell(measure(value), value) for value in (each.precision, each.recall, each.f1, each.r_prime)))
        for each in result.classes[:_ROWS]
    )  # fmt: skip
    header = ("class", "right", "predicted", "precision", "recall", "F1", "R′")
    return Grid("The first minus the second, by class", header, rows)


def _more(count: float) -> Cell:
    text = counted(count).replace("-", "−")
    return Cell(f"+{text}" if count > 0 else text, count)
