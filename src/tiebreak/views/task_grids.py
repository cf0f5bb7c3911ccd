"""What only some tasks show beside the head-to-heads, and what has to be said about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tiebreak.comparison import Classified, Comparison, Pair
from tiebreak.inference import SliceTable
from tiebreak.views.class_grids import classes_grid, matrices_grid, probabilities_grid, probability_differences_grid
from tiebreak.views.cluster_grids import agreements_grid, agreements_of
from tiebreak.views.grid import Grid
from tiebreak.views.number_grids import profile_grid
from tiebreak.views.slice_grids import slices_grid, strata_grid, totals_grid

# Up to so many models every pair is listed; above, those with the leader.
MOST_COMPARED = 5

CHANCE_LEGEND = (
    "Cells count pairs of instances, and pairs that share an instance are not independent, so the doubt is that of a "
    "U-statistic over instances. Chance is the Rand index that shuffled clusters would have: two random halves are "
    "right about half of all pairs, and adjusted Rand puts chance at 0."
)
PROFILE_LEGEND = (
    "The profile is the share of instances on which a model is within a factor of the best of this pool; at 1 it is "
    "how often it is the best or ties for it. It ranks models against the best of their pool only."
)
AREA_LEGEND = (
    "ROC AUC and average precision of more than two classes are means over the classes, each against the rest; the "
    "intervals of areas are DeLong's, and two models' areas are compared on the same instances."
)
SLICES_LEGEND = (
    "Slices are ordered by how far the first model is ahead in them; p-values are adjusted for the number of slices, "
    "because whoever searches finds."
)
STRATA_LEGEND = "In the stratified total every test set counts alike, however many instances it has."
MATRIX_LEGEND = (
    "F1 of means is the harmonic mean of macro precision and macro recall, mean F1 the mean over the classes; R′ of "
    "the whole is the accuracy unless something was omitted, and R′ of a class is its recall plus the share by which "
    "it is under-predicted."
)


def once(result: Comparison, pairs: Sequence[Pair]) -> list[Pair]:
    """Return every pair once, the better model first."""
    place = {model.name: rank for rank, model in enumerate(result.ranked)}
    found = (pair for pair in pairs if place[pair.primary] < place[pair.alternative])
    return sorted(found, key=lambda pair: (place[pair.primary], place[pair.alternative]))


def deciding(result: Comparison) -> tuple[str, str]:
    """Return the two models that the verdict speaks of, the better first.

    Examples
    --------
    >>> import tiebreak as tb
    >>> deciding(tb.compare([1, 0], {"a": [0, 1], "b": [1, 1]}))
    ('b', 'a')
    """
    best, second, *_ = (model.name for model in result.ranked)
    baseline = result.settings.baseline
    return (best, second) if baseline in {None, best} else (best, str(baseline))


def slices_of(result: Comparison) -> list[SliceTable]:
    """Return the tables of slices, that of the two models that the verdict speaks of in front."""
    pair, held = set(deciding(result)), [each for each in result.slices if len(each)]
    return sorted(held, key=lambda each: {each.primary, each.alternative} != pair)


def leader_of_many(result: Comparison) -> str | None:
    """Return the model whose pairs are listed where there are too many of all: the baseline, or the leader."""
    return None if len(result.models) <= MOST_COMPARED else result.settings.baseline or result.leader.name


def with_leader(result: Comparison, pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs that are listed: all of few models, those with the leader of many."""
    leader = leader_of_many(result)
    return [pair for pair in pairs if leader in {None, pair.primary, pair.alternative}]


def graded(result: Comparison) -> list[Classified]:
    """Return the models that gave class probabilities, the best first."""
    classified = (model for model in result.ranked if isinstance(model, Classified))
    return [model for model in classified if model.probabilities is not None]


def task_parts(result: Comparison, pairs: Sequence[Pair]) -> list[str | Grid]:
    """Return what the task shows beside the head-to-heads."""
    found: list[str | Grid] = []
    if any(isinstance(model, Classified) for model in result.models):
        classes = classes_grid(result)
        found += [matrices_grid(result), *([] if classes is None else [classes]), MATRIX_LEGEND]
    found += _probabilities(result, pairs)
    if result.strata is not None:
        leader = leader_of_many(result)
        found += [strata_grid(result.strata, result.level, leader), totals_grid(result.strata, result.level, leader)]
        found.append(STRATA_LEGEND)
    found += [part for table in slices_of(result)[:1] for part in (slices_grid(table), SLICES_LEGEND)]
    if result.task == "clustering":
        found += [agreements_grid(agreements_of(once(result, pairs))), CHANCE_LEGEND]
    if result.curve is not None:
        found += [profile_grid(result.curve, [model.name for model in result.ranked]), PROFILE_LEGEND]
    return found


def _probabilities(result: Comparison, pairs: Sequence[Pair]) -> Iterator[str | Grid]:
    """What the class probabilities are worth; of few models also how every two of them differ."""
    models = graded(result)
    if not models:
        return
    yield probabilities_grid(models, result.level)
    differences = probability_differences_grid(with_leader(result, once(result, pairs)), result.level)
    if differences.rows:
        yield differences
    yield AREA_LEGEND
