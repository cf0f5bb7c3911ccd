"""The sections that only some tasks have: classes, probabilities, parts of the data, costs, clusters, profiles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tiebreak._format import visible
from tiebreak.comparison import Classified, Comparison
from tiebreak.comparison.verdict import interval_words
from tiebreak.errors import TiebreakError
from tiebreak.inference import SliceTable
from tiebreak.views import class_grids, figures, slice_grids
from tiebreak.views import comparison_grids as grids
from tiebreak.views import task_grids as tasks
from tiebreak.views.cluster_grids import agreements_grid, agreements_of
from tiebreak.views.figures import collect
from tiebreak.views.number_grids import prices_grid, profile_grid
from tiebreak.views.page.found import Found, table
from tiebreak.views.page.parts import Block, Drawing, Prose, Section, Table

# A table by class or by slice has at most so many rows, and a page so many tables of slices.
_CLASS_ROWS, _SLICE_ROWS, _SLICE_TABLES = 1000, 400, 9
# Classes of which four confusion matrices can be read side by side; of more, those of the deciding two are drawn.
_SIDE_BY_SIDE = 12
_CONFUSION = "Confusion matrices on one colour range: the share of the true class."
_CHANGE = "Where the confusion matrices of the two models that the verdict speaks of differ."
_BY_CLASS = "The two models that the verdict speaks of, class by class; p-values are adjusted for their number."
_BY_SLICE = "The two models that the verdict speaks of, slice by slice; p-values are adjusted for their number."
_BY_SET = "The two models that the verdict speaks of on every test set; p-values are adjusted for their number."
_PROFILE = "The share of instances on which a model is within a factor τ of the best."
_ROC = "How many of the class are found for how many false alarms, whatever the threshold; area in the legend."
_LOSSES = "The two models that the verdict speaks of, instance by instance."
_AGREEMENT = "How much every two labelings agree, the most alike next to each other."


def classes(found: Found) -> Section | None:
    """Return what the confusion matrices say: as a whole, by class, and where the deciding two differ."""
    models = [model for model in found.comparison.ranked if isinstance(model, Classified)]
    if not models:
        return None
    shown = models[: max(1, _CLASS_ROWS // max(1, len(found.comparison.labels)))]
    by_class = class_grids.class_grid([(model.name, model.confusion) for model in shown], _CLASS_ROWS)
    blocks: list[Block] = [
        table("matrices-table", class_grids.matrices_grid(found.comparison)),
        table("classes-table", by_class),
        *_class_differences(found),
        *found.drawn("r-prime", collect.r_prime_data, figures.draw_by_class, "R′ of every class."),
        *found.drawn("r-prime-radar", _radar, figures.draw_by_class, "R′ of every class, as a radar."),
    ]
    if len(models) > 2:
        caption = "R′ of every class over all models."
        blocks += found.drawn("r-prime-boxes", collect.box_data, figures.draw_boxes, caption)
    few = len(found.comparison.labels) <= _SIDE_BY_SIDE
    gather = collect.confusion_data if few else lambda held: collect.confusion_data(held, *found.deciding)
    blocks += found.drawn("confusion", gather, figures.draw_confusions, _CONFUSION)
    blocks += found.drawn("confusion-difference", collect.change_data, figures.draw_confusion_change, _CHANGE)
    return Section("classes", "Classes", (*blocks, Prose((tasks.MATRIX_LEGEND,))))


def _radar(comparison: Comparison) -> figures.ByClass:
    return collect.r_prime_data(comparison, kind="radar")


def _class_differences(found: Found) -> Iterator[Table | Drawing]:
    """Where the deciding two differ; nothing without the counts behind them."""
    try:
        differences = found.comparison.class_differences(*found.deciding)
    except (TiebreakError, OSError):
        # Rows that have vanished since they were counted are no reason to be without a page.
        return
    yield table("class-differences", class_grids.differences_grid(differences, _CLASS_ROWS))
    yield from found.drawn("class-differences", lambda _: figures.places(differences), figures.draw_forest, _BY_CLASS)


def probabilities(found: Found) -> Section | None:
    """Return what class probabilities are worth, and how those of every two models differ."""
    models, level = tasks.graded(found.comparison), found.comparison.level
    if not models:
        return None
    differences = class_grids.probability_differences_grid(tasks.with_leader(found.comparison, found.once), level)
    blocks: list[Block] = [table("probabilities-table", class_grids.probabilities_grid(models, level))]
    blocks += found.drawn("roc", collect.roc_data, figures.draw_roc, _ROC)
    blocks += [table("probability-differences", differences)] if differences.rows else []
    return Section("probabilities", "Probabilities", (*blocks, Prose((tasks.AREA_LEGEND,))))


def sets(found: Found) -> Section | None:
    """Return every pair on every test set, and the total in which each test set counts alike."""
    strata, level = found.comparison.strata, found.comparison.level
    if strata is None:
        return None
    leader = tasks.leader_of_many(found.comparison)
    deciding = [each for each in strata.tables if {each.primary, each.alternative} == set(found.deciding)]
    blocks: list[Block] = [
        table("sets-table", slice_grids.strata_grid(strata, level, leader)),
        table("totals-table", slice_grids.totals_grid(strata, level, leader)),
    ]
    for each in deciding[:1]:
        blocks += found.drawn("sets", partial(_places, each), figures.draw_forest, _BY_SET)
    return Section("sets", "Test sets", (*blocks, Prose((tasks.STRATA_LEGEND,))))


def _places(held: SliceTable, _: Comparison) -> figures.Forest:
    return figures.places(held)


def slices(found: Found) -> Section | None:
    """Return one table of slices a pair: that of the deciding pair, then the others."""
    held = tasks.slices_of(found.comparison)
    if not held:
        return None
    made = [slice_grids.slices_grid(each, _SLICE_ROWS) for each in held[:_SLICE_TABLES]]
    blocks: list[Block] = [table(f"slices-{k + 1}", grid, folded=k > 0) for k, grid in enumerate(made)]
    drawn = found.drawn("slices", partial(_places, held[0]), figures.draw_forest, _BY_SLICE)
    return Section("slices", "Slices", (blocks[0], *drawn, *blocks[1:], Prose((tasks.SLICES_LEGEND,))))


def costs(found: Found) -> Section | None:
    """Return the same models by what their mistakes cost, and the prices at which that turns."""
    costed = found.comparison.costed
    if costed is None:
        return None
    priced = Found(costed)
    caption = f"Differences of mean cost with {interval_words(costed.level)}s, the cheaper model first."
    gather = partial(figures.forest, pairs=priced.listed)
    blocks: list[Block] = [
        Prose((costed.verdict,)),
        table("cost-table", grids.models_grid(costed)),
        *priced.drawn("cost-differences", gather, figures.draw_forest, caption),
        table("cost-sure-table", grids.sure_grid(costed, tasks.with_leader(costed, priced.listed))),
        table("prices-table", prices_grid(costed)),
        *_profile(priced, "cost-profile"),
    ]
    return Section("cost", "Cost", tuple(blocks))


def profiles(found: Found) -> Section | None:
    """Return the performance profile of numbers, and the deciding two instance by instance."""
    if found.comparison.curve is None:
        return None
    losses = found.drawn("losses", collect.loss_data, figures.draw_scatter, _LOSSES)
    return Section("profiles", "Profiles", (*_profile(found, "profile"), *losses))


def _profile(found: Found, key: str) -> Iterator[Block]:
    comparison = found.comparison
    if comparison.curve is None:
        return
    yield from found.drawn(key, collect.profile_data, figures.draw_curves, _PROFILE)
    yield table(f"{key}-table", profile_grid(comparison.curve, [model.name for model in comparison.ranked]))
    try:
        notes = comparison.profile.warnings
    except TiebreakError:
        notes = ()
    yield Prose((tasks.PROFILE_LEGEND, *(visible(text, 1000) for text in notes)))


def clusters(found: Found) -> Section | None:
    """Return how far the clusterings agree with each other."""
    if found.comparison.task != "clustering":
        return None
    blocks: list[Block] = [
        table("agreements-table", agreements_grid(agreements_of(found.once))),
        *found.drawn("agreement", collect.agreement_data, figures.draw_agreement, _AGREEMENT),
        Prose((tasks.CHANCE_LEGEND,)),
    ]
    return Section("clusters", "Agreement", tuple(blocks))
