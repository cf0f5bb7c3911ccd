"""What each kind of result looks like: which sentences, which grids, in which order."""

from __future__ import annotations

from functools import singledispatch

from tiebreak._format import counted, measure, percent, point_ends, points, signed, visible
from tiebreak.comparison import (
    Agreements,
    Comparison,
    ConfusionDifference,
    ConfusionMatrix,
    Gate,
    Pair,
    PrayatulMatrix,
    ProfileCurve,
    listed_pairs,
)  # fmt: skip
from tiebreak.comparison.verdict import interval_words
from tiebreak.inference import (
    BY_COUNTS,
    EigenvalueDistribution,
    Interval,
    PlaceDifferences,
    Plan,
    SliceTable,
    Superiority,
    TraceDifference,
    TraceDistribution,
    TraceSuperiority,
)
from tiebreak.profiles import PerformanceProfile
from tiebreak.sources import Instances, Ranked
from tiebreak.views.cells import (
    asked_cells,
    asked_header,
    certainty_cell,
    count_cell,
    measure_cell,
    measure_cells,
    more_cell,
    p_cell,
    points_cell,
    trace_cell,
)
from tiebreak.views.class_grids import (
    cells_of_matrix_grid,
    changes_grid,
    class_grid,
    differences_grid,
    errors_grid,
    probability_differences_grid,
)  # fmt: skip
from tiebreak.views.cluster_grids import agreements_grid, clusters_grid
from tiebreak.views.comparison_grids import legends, models_grid, pair_grids
from tiebreak.views.grid import Cell, Document, Grid, label
from tiebreak.views.number_grids import prices_grid, profile_grid
from tiebreak.views.slice_grids import slices_grid
from tiebreak.views.task_grids import SLICES_LEGEND, task_parts

# Up to so many classes a confusion matrix is written out.
_WRITTEN = 25
_WHOLE = (
    ("accuracy", "accuracy"),
    ("R′", "r_prime_overall"),
    ("κ", "kappa"),
    ("MCC", "mcc"),
    ("balanced accuracy", "balanced_accuracy"),
    ("macro precision", "macro_precision"),
    ("macro recall", "macro_recall"),
    ("F1 of means", "f1_of_means"),
    ("mean F1", "mean_f1"),
    ("coverage", "coverage"),
)


@singledispatch
def document(result: object) -> Document:
    """Return the document that shows a result.

    Examples
    --------
    >>> from tiebreak.comparison import PrayatulMatrix
    >>> print(document(PrayatulMatrix(30, 9, 4, 7)).text().splitlines()[0])
    primary against alternative, 50 instances
    """
    raise TypeError(f"nothing shows a {type(result).__name__}")


@document.register
def _(result: Comparison) -> Document:
    parts: list[str | Grid] = [result.verdict, *(f"Note: {visible(text, 1000)}" for text in result.warnings)]
    grids = pair_grids(result)
    parts += [models_grid(result), *grids, *legends(result), *task_parts(result, listed_pairs(result))]
    if result.costed is not None:
        costed = result.costed
        parts += [f"By cost: {costed.verdict}", models_grid(costed), *pair_grids(costed), prices_grid(costed)]
        parts += task_parts(costed, listed_pairs(costed))
    return Document(tuple(parts))


@document.register
def _(result: Agreements) -> Document:
    verdict = f"{result.verdict[0].upper()}{result.verdict[1:]}."
    return Document((verdict, clusters_grid(result), agreements_grid(result.pairs)))


@document.register
def _(result: Pair) -> Document:
    kind, d, level = result.kind, result.difference, result.difference.interval.level
    rows = [
        ("difference", f"{kind.said(d)} ({interval_words(level)} {kind.ends(d)})"),
        (f"{label(result.primary)} is truly better", certainty_cell(result.p_better)),
        ("p-value", p_cell(result.p_value, level)),
        *([("p-value, adjusted", p_cell(result.p_value_adjusted, level))] if result.comparisons > 1 else []),
        *zip(asked_header(result), asked_cells(result), strict=True),
        ("exact McNemar", p_cell(result.mcnemar_exact_p, level)),
        ("by trace", trace_cell(result.trace_superiority)),
        ("more needed", more_cell(result)),
    ]
    sure = Grid("How sure", ("", "value"), tuple(row for row in rows if row[1] != "–"))
    cells = () if result.matrix is None else _matrix_parts(result.matrix, result.kind.things)
    graded = () if result.probabilities is None else (probability_differences_grid([result], level),)
    return Document((*cells, sure, *graded))


@document.register
def _(result: Superiority) -> Document:
    tests, level, words = result.mcnemar, result.level, interval_words(result.level)
    rows = [
        (
            "difference",
            f"{points_cell(result.difference)} ({words} {point_ends(*_ends(result.interval))})",
        ),
        ("primary is truly better", certainty_cell(result.p_better)),
        ("p-value", p_cell(result.p_value, level)),
        ("exact McNemar", p_cell(tests.exact, level)),
        ("asymptotic McNemar", p_cell(tests.asymptotic, level)),
        *((method, point_ends(*_ends(result.interval_by(method)))) for method in BY_COUNTS),
    ]
    title = f"{counted(result.right_wrong)} against {counted(result.wrong_right)} of {counted(result.n, 'instance')}"
    return Document((Grid(title, ("", "value"), tuple(rows)),))


def _ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


@document.register
def _(result: Gate) -> Document:
    return Document((f"{result.outcome}: {result.sentence}.", *document(result.pair).parts))


@document.register
def _(result: Plan) -> Document:
    rows = (
        ("instances", counted(result.n)),
        ("difference of accuracies", f"{points(result.difference)} pp"),
        ("discordant instances", percent(result.disagreement)),
        ("power", percent(result.power)),
        ("level", percent(result.level)),
    )
    return Document((Grid("Plan", ("", "value"), rows),))


@document.register
def _(result: TraceSuperiority) -> Document:
    rows = [
        ("by trace", trace_cell(result.probability)),
        ("with the variance of lemma 4", trace_cell(result.lemma_4)),
        ("z, and its bound", f"{measure(result.z)}, ±{measure(result.bound)}"),
    ]
    if result.range is not None:
        (fewest, most), (low, high), (least, best) = result.range.discordant, result.range.z, result.range.p_better
        rows += [
            ("discordant instances", f"{counted(fewest)} to {counted(most)}"),
            ("z of the paired difference", f"{measure(low)} to {measure(high)}"),
            ("P(better) of the paired difference", f"{certainty_cell(least)} to {certainty_cell(best)}"),
        ]
    notes = tuple(f"Note: {visible(text, 1000)}." for text in result.warnings)
    return Document((Grid("Two confusion matrices", ("", "value"), tuple(rows)), *notes))


@document.register(TraceDistribution)
@document.register(TraceDifference)
def _(result: TraceDistribution | TraceDifference) -> Document:
    what = "Trace of a random confusion matrix"
    if isinstance(result, TraceDifference):
        what = "Difference of the traces of two random confusion matrices"
    rows = (
        ("method", result.method),
        ("mean", measure_cell(result.mean)),
        ("standard deviation", measure_cell(result.sd)),
    )
    return Document((Grid(what, ("", "value"), rows),))


@document.register
def _(result: EigenvalueDistribution) -> Document:
    rows = (
        ("method", result.method),
        ("classes", count_cell(result.k)),
        ("mean cell", measure_cell(result.mean)),
        ("standard deviation of a cell", measure_cell(result.s)),
    )
    return Document((Grid("Eigenvalues of a random confusion matrix", ("", "value"), rows),))


@document.register
def _(result: PrayatulMatrix) -> Document:
    return Document(_matrix_parts(result, "instance"))


def _matrix_parts(result: PrayatulMatrix, things: str) -> tuple[str | Grid, ...]:
    """The four cells, which count instances or pairs of them, and the five measures."""
    a, b = label(result.primary), label(result.alternative)
    cells = Grid(
        f"{a} against {b}, {counted(result.n, things)}",
        ("", f"{b} right", f"{b} wrong"),
        (
            (f"{a} right", count_cell(result.both_right), count_cell(result.right_wrong)),
            (f"{a} wrong", count_cell(result.wrong_right), count_cell(result.both_wrong)),
        ),
    )
    names = ("comparative deviation σ_c", "polarization α", "comparative rightness ξ_c", "effective rightness ξ_e")
    values = measure_cells(result.measures())
    rows = zip((*names, "effective superiority φ_e"), values, strict=True)
    measures = Grid(
        f"Seen from {a}",
        ("measure", "value"),
        (("difference of accuracies", points_cell(result.difference)), *rows),
    )
    same = result.both_wrong_same
    if same is None:
        return cells, measures
    return cells, f"Both wrong with the same label: {counted(same)}.", measures


@document.register
def _(result: Ranked) -> Document:
    a, b = visible(result.primary), visible(result.alternative)
    title = f"Instances that contribute most to the difference of {a} and {b}, {counted(len(result))} of "
    rows = tuple(
        (*map(label, row), Cell(signed(worth), worth))
        for row, worth in zip(result.rows, result.contributions, strict=True)
    )
    header = (*map(label, result.columns), "contribution")
    legend = (
        "A contribution above 0 says that the first is right about more of the instance's pairs, out of all of them."
    )
    return Document((Grid(f"{title}{counted(result.total)}", header, rows, "l" * len(header)), legend))


@document.register
def _(result: ConfusionMatrix) -> Document:
    """The matrix, its classes and its measures; of many classes the most frequent errors instead of the matrix."""
    notes = (f"Note: {visible(text, 1000)}." for text in result.warnings)
    cells = cells_of_matrix_grid(result) if len(result.labels) <= _WRITTEN else errors_grid(result)
    whole = Grid(
        "The whole", ("measure", "value"), tuple((name, measure_cell(getattr(result, own))) for name, own in _WHOLE)
    )
    return Document((*notes, cells, class_grid([("", result)]), whole))


@document.register
def _(result: ConfusionDifference) -> Document:
    return Document((changes_grid(result),))


@document.register
def _(result: PlaceDifferences) -> Document:
    return Document((differences_grid(result),))


@document.register
def _(result: SliceTable) -> Document:
    return Document((slices_grid(result), SLICES_LEGEND))


@document.register
def _(result: PerformanceProfile) -> Document:
    area = result.area()
    names = sorted(result.models, key=lambda name: -area[name])
    notes = (f"Note: {visible(text, 1000)}" for text in result.warnings)
    return Document((profile_grid(ProfileCurve.of(result), names), *notes))


_WORDS = {
    "any": "Instances of {a} and {b}, the widest gap first",
    "primary_better": "{a} is better than {b}",
    "alternative_better": "{b} is better than {a}",
    "tied": "{a} and {b} are tied",
    "both_right": "Both {a} and {b} are right",
    "right_wrong": "{a} is right and {b} is wrong",
    "wrong_right": "{a} is wrong and {b} is right",
    "both_wrong": "Both {a} and {b} are wrong",
}


@document.register
def _(result: Instances) -> Document:
    cell = result.cell
    words = _WORDS[cell.which].format(a=visible(cell.primary), b=visible(cell.alternative))
    title = f"{words} on {counted(result.total, 'instance')}"
    if not result.rows:
        return Document((title + ".",))
    if len(result.rows) < result.total:
        title += f"; here are {counted(len(result.rows))}"
    rows = tuple(tuple(map(label, row)) for row in result.rows)
    return Document((Grid(title, tuple(map(label, result.columns)), rows, "l" * len(result.columns)),))
