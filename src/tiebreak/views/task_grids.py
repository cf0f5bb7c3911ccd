"""What only some tasks show: errors and profiles of numbers, agreements of clusterings, classes, slices, costs."""

from __future__ import annotations

from collections.abc import Sequence

from tiebreak._format import counted, measure, number, visible
from tiebreak.comparison import Agreement, Classified, Clustered, Comparison, Model, Numbered, Pair, ProfileCurve
from tiebreak.comparison.verdict import interval_words
from tiebreak.inference import Estimate, Slice
from tiebreak.views.cells import certainty_cell, count_cell, p_cell, rank_text, share_cell
from tiebreak.views.grid import Cell, Grid, label
from tiebreak.views.marks import letter, note, significance_marks

# The factors at which a profile is written down.
FACTORS = (1.0, 1.5, 2.0, 5.0, 10.0)
# Classes and models of which a table of all classes is still read.
MOST_CLASSES, MOST_COLUMNS = 20, 6
# Slices of which a terminal shows both ends.
MOST_SLICES = 30

_CHANCE_LEGEND = (
    "Cells count pairs of instances, and pairs that share an instance are not independent, so the doubt is that of a "
    "U-statistic over instances. Chance is the Rand index that shuffled clusters would have: two random halves are "
    "right about half of all pairs, and adjusted Rand puts chance at 0."
)
_PROFILE_LEGEND = (
    "The profile is the share of instances on which a model is within a factor of the best of this pool; at 1 it is "
    "how often it is the best or ties for it. It ranks models against the best of their pool only."
)
_AREA_LEGEND = (
    "ROC AUC and average precision of more than two classes are means over the classes, each against the rest; the "
    "intervals of areas are DeLong's, and two models' areas are compared on the same instances."
)
_SLICES_LEGEND = (
    "Slices are ordered by how far the first model is ahead in them; p-values are adjusted for the number of slices, "
    "because whoever searches finds."
)
_STRATA_LEGEND = "In the stratified total every test set counts alike, however many instances it has."
_MATRIX_LEGEND = (
    "F1 of means is the harmonic mean of macro precision and macro recall, mean F1 the mean over the classes; R′ of "
    "the whole is the accuracy unless something was omitted, and R′ of a class is its recall plus the share by which "
    "it is under-predicted."
)


def _standing(model: Model, *, tiered: bool) -> tuple[str, ...]:
    """Tier and rank, where there are any."""
    if not tiered:
        return ()
    return ("–", "–") if model.tier is None else (Cell(str(model.tier), model.tier), rank_text(model))


def numbers_grid(result: Comparison) -> Grid:
    """Return one row a model that gives numbers, the best first."""
    tiered = result.settings.baseline is None
    ranked = [model for model in result.ranked if isinstance(model, Numbered)]
    own = [name for name in ("root_mean_squared_error", "bias", "share_within") if name in ranked[0].measures]
    words = {"root_mean_squared_error": "RMSE", "bias": "bias", "share_within": "within tolerance"}
    failing = any(model.solved < 1 for model in ranked)
    noun = result.kind.noun.removeprefix("a ").removesuffix(" of ")
    header = (
        *("model", noun, interval_words(result.level)),
        *(["tier", "rank"] if tiered else []),
        *(words[name] for name in own),
        *("wins", "area"),
        *(["has a number"] if failing else []),
    )
    rows = tuple(
        (
            Cell(label(model.name), tag=letter(place)),
            Cell(number(model.mean), float(model.mean), marks=raised),
            number_ends(model),
            *_standing(model, tiered=tiered),
            *(
                share_cell(model.measures[name]) if name == "share_within" else number_cell(model.measures[name])
                for name in own
            ),
            *(share_cell(model.wins), Cell(measure(model.area, 3), model.area)),
            *([share_cell(model.solved)] if len(header) > 0 and header[-1] == "has a number" else []),
        )
        for place, (model, raised) in enumerate(zip(ranked, significance_marks(result), strict=True))
    )
    return Grid(_title(result), header, rows, note=note(result))


def _own_cell(model: Numbered, name: str) -> Cell:
    value = model.measures[name]
    return share_cell(value) if name == "share_within" else number_cell(value)


def number_cell(value: float) -> Cell:
    """Return a number of any size.

    Examples
    --------
    >>> number_cell(0.23164)
    '0.2316'
    """
    return Cell(number(value), value)


def number_ends(model: Numbered) -> str:
    """Return the interval of a mean."""
    mean = model.mean
    return "–" if mean.low != mean.low else f"{number(mean.low)} to {number(mean.high)}"


def _title(result: Comparison) -> str:
    what = f"Models on {counted(result.n, 'instance')}"
    if result.weight is not None:
        what += f" of weight {counted(result.weight)}"
    return what if result.groups is None else f"{what} in {counted(result.groups, 'group')}"


def profile_grid(curve: ProfileCurve, names: Sequence[str]) -> Grid:
    """Return every model's share at a few factors, and how many times worse than the best it ever is."""
    header = ("model", *(f"τ = {factor:g}" for factor in FACTORS), "never worse than")
    rows = tuple(
        (
            label(name),
            *(share_cell(_at(curve, name, factor)) for factor in FACTORS),
            Cell(_times(curve.never_more_than[name]), curve.never_more_than[name]),
        )
        for name in names
    )
    zeros, ties = counted(curve.best_is_zero, "instance"), counted(curve.ties_for_best, "instance")
    return Grid(f"Performance profile; ties for the best on {ties}, the best is 0 on {zeros}", header, rows)


def _at(curve: ProfileCurve, name: str, factor: float) -> float:
    """The share at a factor, which is that of the last jump not above it."""
    reached = [share for tau, share in zip(curve.taus, curve.shares[name], strict=True) if tau <= factor * (1 + 1e-12)]
    return reached[-1]


def _times(factor: float) -> str:
    return "∞" if factor == float("inf") else f"{number(factor)} ×"


def clusterings_grid(result: Comparison) -> Grid:
    """Return one row a clustering, the best first."""
    tiered = result.settings.baseline is None
    header = (
        *("clustering", "clusters", "Rand", interval_words(result.level), "chance"),
        *(["tier", "rank"] if tiered else []),
        *("adjusted Rand", "NMI", "AMI", "V", "Fowlkes-Mallows", "matched accuracy"),
    )
    ranked = [model for model in result.ranked if isinstance(model, Clustered)]
    rows = tuple(
        (
            Cell(label(model.name), tag=letter(place)),
            count_cell(model.clusters),
            Cell(measure(model.rand), float(model.rand), marks=raised),
            "–" if model.rand.low != model.rand.low else f"{measure(model.rand.low)} to {measure(model.rand.high)}",
            Cell(measure(model.agreement.chance_rand), model.agreement.chance_rand),
            *_standing(model, tiered=tiered),
            *(Cell(measure(value), value) for value in _agreed(model)),
            share_cell(model.matched_accuracy),
        )
        for place, (model, raised) in enumerate(zip(ranked, significance_marks(result), strict=True))
    )
    return Grid(_title(result), header, rows, note=note(result))


def _agreed(model: Clustered) -> tuple[float, ...]:
    found = model.agreement
    return (
        found.adjusted_rand,
        found.normalized_mutual_information,
        found.adjusted_mutual_information,
        found.v_measure,
        found.fowlkes_mallows,
    )


def agreements_grid(agreements: Sequence[Agreement]) -> Grid:
    """Return how far the clusterings agree with each other, each pair once."""
    rows = []
    for found in {frozenset((each.first, each.second)): each for each in reversed(agreements)}.values():
        values = (
            found.rand,
            found.chance_rand,
            found.adjusted_rand,
            found.normalized_mutual_information,
            found.adjusted_mutual_information,
        )
        rows.append((label(found.first), label(found.second), *(Cell(measure(value), value) for value in values)))
    header = ("clustering", "and", "Rand", "chance", "adjusted Rand", "NMI", "AMI")
    return Grid("Agreement with each other, whoever is right", header, tuple(rows), "ll" + "r" * 5)


def matrices_grid(result: Comparison) -> Grid:
    """Return what the models' confusion matrices say as a whole."""
    header = (
        *("model", "κ", "", "macro precision", "macro recall", "F1 of means", "mean F1", "MCC", "R′"),
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
                *(label(model.name), Cell(measure(found.kappa), found.kappa), found.consistency or "–"),
                *(Cell(measure(value), value) for value in (*values, found.r_prime_overall)),
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
            *(Cell(measure(value, 3), value) for record in at for value in (record.recall, record.r_prime)),
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
            precision = Cell(measure(found.average_precision), found.average_precision)
            cells = (*_estimated(found.roc_auc), precision, *_estimated(found.log_loss), *_estimated(found.brier))
            rows.append((label(model.name), *cells))
    return Grid("Class probabilities", header, tuple(rows))


def _estimated(value: Estimate) -> tuple[Cell, str]:
    """A number with four decimals, and its interval."""
    ends = "–" if value.low != value.low else f"{measure(value.low)} to {measure(value.high)}"
    return Cell(measure(value), float(value)), ends


def slices_grids(result: Comparison) -> list[Grid]:
    """Return the slices of the deciding pair, those in which it is furthest ahead first, the settled ones marked."""
    table = result.slices[0]
    ranked = table.ranked()
    shown = ranked if len(ranked) <= MOST_SLICES else [*ranked[: MOST_SLICES // 2], *ranked[-MOST_SLICES // 2 :]]
    title = f"Slices, {visible(table.primary)} against {visible(table.alternative)}"
    if len(shown) < len(ranked):
        title += f" (the {counted(len(shown))} at both ends of {counted(len(ranked))}; --json has all)"
    return [Grid(title, _slice_header(result), tuple(_slice_row(result, each) for each in shown), "ll" + "r" * 6 + "l")]


def _slice_header(result: Comparison) -> tuple[str, ...]:
    cells = ("instances", "right/wrong", "wrong/right", "difference", interval_words(result.level), "adjusted p")
    return ("column", "value", *cells, "better")


def _slice_row(result: Comparison, each: Slice) -> tuple[str, ...]:
    return (
        *(label(each.column), _slice_value(each.value)),
        *(count_cell(each.n), count_cell(each.prayatul.right_wrong), count_cell(each.prayatul.wrong_right)),
        Cell(result.kind.said(each.difference), float(each.difference)),
        result.kind.ends(each.difference),
        p_cell(each.p_value_adjusted, result.level),
        "open" if each.better is None else label(each.better),
    )


def _slice_value(value: object) -> str:
    return " × ".join(label(part) for part in value) if isinstance(value, tuple) else label(value)


def strata_grid(result: Comparison) -> Grid:
    """Return every pair on every test set."""
    strata = result.strata
    rows = []
    for table in () if strata is None else strata.tables:
        pair = f"{label(table.primary)} against {label(table.alternative)}"
        rows += [(pair, *_slice_row(result, each)[1:]) for each in table]
    return Grid("Test sets", ("pair", *_slice_header(result)[1:]), tuple(rows), "ll" + "r" * 6 + "l")


def totals_grid(result: Comparison) -> Grid:
    """Return every pair over all test sets, each of which counts alike."""
    header = ("model", "against", "difference", interval_words(result.level), "P(better)", "p")
    rows = tuple(
        (
            *(label(total.primary), label(total.alternative)),
            Cell(result.kind.said(total.difference), float(total.difference)),
            result.kind.ends(total.difference),
            certainty_cell(total.p_better),
            p_cell(total.p_value, result.level),
        )
        for total in (() if result.strata is None else result.strata.totals)
    )
    return Grid("Stratified total", header, rows, "llrrrr")


def task_parts(result: Comparison, pairs: Sequence[Pair]) -> list[str | Grid]:
    """Return what the task shows beside the head-to-heads."""
    found: list[str | Grid] = []
    if any(isinstance(model, Classified) for model in result.models):
        classes = classes_grid(result)
        found += [matrices_grid(result), *([] if classes is None else [classes]), _MATRIX_LEGEND]
    graded = [model for model in result.ranked if isinstance(model, Classified) and model.probabilities is not None]
    if graded:
        found += [probabilities_grid(graded, result.level), _AREA_LEGEND]
    if result.strata is not None:
        found += [strata_grid(result), totals_grid(result), _STRATA_LEGEND]
    if result.slices:
        found += [*slices_grids(result), _SLICES_LEGEND]
    if result.task == "clustering":
        agreements = [pair.agreement for pair in pairs if pair.agreement is not None]
        found += [agreements_grid(agreements), _CHANCE_LEGEND]
    if result.curve is not None:
        found += [profile_grid(result.curve, [model.name for model in result.ranked]), _PROFILE_LEGEND]
    return found
