"""The grids of a comparison: its models, its head-to-heads, how sure they are; and what has to be said about them."""

from __future__ import annotations

from collections.abc import Sequence

from tiebreak._format import counted, number, p_text, percent, visible
from tiebreak.comparison import Clustered, Comparison, Judged, Numbered, Pair, listed_pairs
from tiebreak.comparison.verdict import interval_words
from tiebreak.views.cells import (
    MEASURES,
    asked_cells,
    asked_header,
    certainty_cell,
    count_cell,
    matrix_cells,
    measure_cells,
    more_cell,
    p_cell,
    rank_text,
    share_ends,
    trace_cell,
)  # fmt: skip
from tiebreak.views.cluster_grids import clusterings_grid
from tiebreak.views.grid import Cell, Grid, label
from tiebreak.views.marks import letter, note, significance_marks
from tiebreak.views.number_grids import models_title, numbers_grid
from tiebreak.views.task_grids import leader_of_many, once, with_leader

CELLS_SHOWN = ("both right", "right/wrong", "wrong/right", "both wrong", "same label", "difference")
_LEGEND = (
    "Each row is seen from its first model: right/wrong counts the instances on which it is right and the other wrong, "
    "same label those both wrong with the same answer. The sign of the difference, which is that of σ_c (comparative "
    "deviation), says who is better; α (polarization), ξ_c and ξ_e (comparative and effective rightness) and φ_e "
    "(effective superiority) describe the first model and are high whenever it is accurate."
)
_SURE_LEGEND = {
    "flat_posterior": "Probability, interval and p-value of a pair are one statement: the posterior of the difference "
    "under a flat prior, whose one-sided tail is the mid-p value of McNemar's test.",
    "cluster_t": "Probability, interval and p-value of a pair are read from Student's t with a standard error over "
    "groups, not over instances.",
    "t": "Probability, interval and p-value of a pair are read from Student's t of the paired differences.",
    "u_statistic": "Probability, interval and p-value of a pair are read from the normal law of a U-statistic.",
    "weighted_t": "Probability, interval and p-value of a pair are read from Student's t with the standard error of "
    "weighted instances.",
}
_TRACE_LEGEND = (
    "By trace is the published superiority probability of two confusion matrices; it ignores that both models saw the "
    "same instances, and how many there were, so it differs from the probability of being better and is not calibrated."
)


def models_grid(result: Comparison) -> Grid:
    """Return one row a model, the best first, with its significance marks."""
    if isinstance(result.models[0], Clustered):
        return clusterings_grid(result)
    return numbers_grid(result) if isinstance(result.models[0], Numbered) else _judged_grid(result)


def _judged_grid(result: Comparison) -> Grid:
    lacking = any(model.missing for model in result.models)
    tiered = result.settings.baseline is None
    unit = "weight right" if result.weight is not None else "right"
    header = (
        *("model", unit, "accuracy", interval_words(result.level)),
        *(["tier", "rank"] if tiered else []),
        *("right alone", "wrong alone"),
        *(["missing"] if lacking else []),
    )
    marks = significance_marks(result)
    rows = tuple(
        (
            *_scored(model, letter(place), raised),
            *([Cell(str(model.tier), model.tier), rank_text(model)] if tiered else []),
            *(count_cell(model.unique_rights), count_cell(model.unique_wrongs)),
            *([count_cell(model.missing)] if lacking else []),
        )
        for place, (model, raised) in enumerate(zip(result.ranked, marks, strict=True))
        if isinstance(model, Judged)
    )
    return Grid(_models_title(result), header, rows, note=note(result))


def _scored(model: Judged, own: str, raised: str) -> tuple[Cell, ...]:
    name = Cell(label(model.name), tag=own)
    accuracy = Cell(percent(model.accuracy), float(model.accuracy), marks=raised)
    return (name, count_cell(model.right), accuracy, Cell(share_ends(model.accuracy)))


def _models_title(result: Comparison) -> str:
    what = models_title(result)
    if result.pool is None:
        return what
    return (
        f"{what}; at least one is right on {percent(result.pool.oracle)} of them, all are on "
        f"{percent(result.pool.all_right)}"
    )


def pair_grids(result: Comparison) -> tuple[Grid, ...]:
    """Return the cells, the doubts and the measures of the head-to-heads: all of few models, the leader's of many."""
    pairs = listed_pairs(result)
    total, title = len(pairs), "Head to head"
    leader = leader_of_many(result)
    if leader is not None and result.settings.baseline is None:
        pairs = with_leader(result, pairs)
        title += f" with {visible(leader)} ({counted(len(pairs))} of {counted(total)} pairs; --json has more)"
    if pairs[0].matrix is None:
        return (sure_grid(result, pairs),)
    return cells_grid(title, pairs), sure_grid(result, pairs), measures_grid(pairs)


def cells_grid(title: str, pairs: Sequence[Pair]) -> Grid:
    """Return the cells of some pairs, one row each."""
    rows = tuple((label(pair.primary), label(pair.alternative), *matrix_cells(pair)) for pair in pairs)
    return Grid(title, ("model", "against", *CELLS_SHOWN), rows, "ll" + "r" * len(CELLS_SHOWN))


def measures_grid(pairs: Sequence[Pair]) -> Grid:
    """Return the Prayatul measures of some pairs, one row each."""
    rows = tuple((label(pair.primary), label(pair.alternative), *measure_cells(pair.measures)) for pair in pairs)
    return Grid("Prayatul measures", ("model", "against", *MEASURES), rows, "ll" + "r" * len(MEASURES))


def sure_grid(result: Comparison, pairs: Sequence[Pair]) -> Grid:
    """How sure each difference is, the better model first; the other way round everything is mirrored."""
    shown = once(result, pairs)
    tests = shown[0].comparisons
    traced = any(pair.trace_superiority == pair.trace_superiority for pair in shown)
    header = (
        *("better", "against", "difference", interval_words(result.level), "P(better)", "p"),
        *(["adjusted p"] if tests > 1 else []),
        *asked_header(shown[0]),
        *(["by trace"] if traced else []),
        "more needed",
    )
    rows = tuple(
        (
            *(
                label(pair.primary),
                label(pair.alternative),
                Cell(result.kind.said(pair.difference), float(pair.difference)),
                result.kind.ends(pair.difference),
            ),
            *(certainty_cell(pair.p_better), p_cell(pair.p_value, result.level)),
            *([p_cell(pair.p_value_adjusted, result.level)] if tests > 1 else []),
            *asked_cells(pair),
            *([trace_cell(pair.trace_superiority)] if traced else []),
            more_cell(pair),
        )
        for pair in shown
    )
    title = "How sure"
    if tests > 1:
        title += f" ({counted(tests)} comparisons, p-values adjusted: {result.settings.correction})"
    return Grid(title, header, rows, "ll" + "r" * (len(header) - 2))


def legends(result: Comparison) -> list[str]:
    """Return what a reader has to know about the grids."""
    pair = listed_pairs(result)[0]
    sure = _SURE_LEGEND.get(pair.difference.method, f"Intervals are by the method {pair.difference.method}.")
    traced = pair.trace_superiority == pair.trace_superiority
    cells = [] if pair.matrix is None else [_LEGEND]
    return [*_equal(result), *cells, f"{sure} {_TRACE_LEGEND}" if traced else sure]


def _equal(result: Comparison) -> list[str]:
    test = result.cochran_q
    if test is None or len(result.models) < 3:
        return []
    p = p_text(test.p_value, 1 - result.level)
    return [f"Are all equally accurate? Cochran's Q = {number(test.statistic)} on {test.df} degrees of freedom, {p}."]
