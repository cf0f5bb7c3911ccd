"""The sections of the page, in order; those whose parts a comparison does not carry are left out."""

from __future__ import annotations

from functools import partial, singledispatch

from tiebreak._format import counted, visible
from tiebreak._version import __version__
from tiebreak.comparison import Agreements, Comparison, Pair
from tiebreak.comparison.verdict import interval_words
from tiebreak.views import comparison_grids as grids
from tiebreak.views import figures
from tiebreak.views.cells import matrix_cells, measure_cells
from tiebreak.views.cluster_grids import agreements_grid, clusters_grid
from tiebreak.views.figures import collect
from tiebreak.views.grid import label
from tiebreak.views.page import task_sections as tasks
from tiebreak.views.page.flips import flips
from tiebreak.views.page.found import Found, drawn, table
from tiebreak.views.page.methods import AGREEMENT, methods
from tiebreak.views.page.parts import Block, Matrices, Matrix, Page, Prose, Section, Table

# Up to so many models every pair has its matrix; above, the leader's.
_ALL_MATRICES, _MOST_MATRICES = 4, 9
# Up to so many pairs their measures are listed seen from either side.
_BOTH_SIDES = 600
_TIERS = (
    "Scores with their intervals. Models joined by a bar at the right are not separable: no two of them differ "
    "significantly."
)
_MOSAIC = "The two models that the verdict speaks of: the areas are the counts."
_DEVIATIONS = (
    "Comparative deviation of every model against every other: above 0 the row's model is right more often where "
    "exactly one of the two is. Pairs that are not settled are grey."
)
_AGREEMENT = "How much every two clusterings agree, the most alike next to each other."
_MEASURE_NAMES = (
    "comparative deviation σ_c",
    "polarization α",
    "comparative rightness ξ_c",
    "effective rightness ξ_e",
    "effective superiority φ_e",
)


@singledispatch
def page_of(result: object) -> Page:
    """Return the page of a result as records."""
    raise TypeError(f"nothing makes a page of a {type(result).__name__}")


@page_of.register
def _(result: Comparison) -> Page:
    found = Found(result)
    made = (_models(found), _pairs(found), _sure(found), tasks.classes(found), tasks.probabilities(found),
            tasks.sets(found), tasks.slices(found), tasks.costs(found), tasks.clusters(found), tasks.profiles(found),
            _samples(found), _method(result))  # fmt: skip
    notes = tuple(visible(text, 1000) for text in result.warnings)
    sections = tuple(section for section in made if section is not None)
    return Page(_title([model.name for model in result.ranked]), result.verdict, notes, sections, __version__)


@page_of.register
def _(result: Agreements) -> Page:
    blocks: tuple[Block, ...] = (
        table("agreements-table", agreements_grid(result.pairs)),
        *drawn(result, "agreement", collect.agreements_data, figures.draw_agreement, _AGREEMENT),
    )
    sections = (
        Section("models", "Clusterings", (table("models-table", clusters_grid(result)),)),
        Section("clusters", "Agreement", blocks),
        Section("methods", "Methods", (Prose(AGREEMENT, listed=True),)),
    )
    verdict = f"{result.verdict[0].upper()}{result.verdict[1:]}, on {counted(result.n, 'instance')}."
    return Page(_title(result.models), verdict, (), sections, __version__)


def _title(names: list[str] | tuple[str, ...]) -> str:
    title = " · ".join(visible(name, 30) for name in names[:4])
    return title if len(names) <= 4 else f"{title} and {len(names) - 4} more"


def _models(found: Found) -> Section:
    grid = grids.models_grid(found.comparison)
    rows = tuple(f"model-{k + 1}" for k in range(len(grid.rows)))
    blocks: list[Block] = [Table("models-table", grid, rows)]
    if found.comparison.settings.baseline is None:
        blocks += found.drawn("tiers", figures.tiers, figures.draw_tiers, _TIERS)
    return Section("models", "Models", tuple(blocks))


def _pairs(found: Found) -> Section | None:
    if found.decided.matrix is None:
        return None
    pair, things = found.decided, found.comparison.kind.things
    mosaic = found.drawn("mosaic", lambda _: figures.mosaic(pair.prayatul, things), figures.draw_mosaic, _MOSAIC)
    blocks: list[Block] = [Matrices(tuple(_matrix(found, pair) for pair in _shown_pairs(found))), *mosaic]
    if len(found.place) > 2:
        gather = partial(figures.deviations, pairs=found.listed)
        blocks += found.drawn("deviations", gather, figures.draw_deviations, _DEVIATIONS)
        blocks.append(_all_cells(found))
    pairs = found.listed if len(found.once) <= _BOTH_SIDES else found.once
    blocks.append(table("measures-table", grids.measures_grid(pairs), folded=True))
    return Section("pairs", "Head to head", tuple(blocks))


def _shown_pairs(found: Found) -> list[Pair]:
    shown = found.once
    if len(found.place) > _ALL_MATRICES:
        leader = found.comparison.settings.baseline or found.comparison.leader.name
        shown = [pair for pair in shown if leader in {pair.primary, pair.alternative}]
    return shown[:_MOST_MATRICES]


def _id(found: Found, pair: Pair) -> str:
    return f"pair-{found.place[pair.primary] + 1}-{found.place[pair.alternative] + 1}"


def _matrix(found: Found, pair: Pair) -> Matrix:
    *cells, same, _ = matrix_cells(pair)
    sides = measure_cells(pair.measures), measure_cells(pair.prayatul.swap().measures())
    measures = tuple(zip(_MEASURE_NAMES, *sides, strict=True))
    a, b = label(pair.primary), label(pair.alternative)
    return Matrix(_id(found, pair), a, b, (cells[0], cells[1], cells[2], cells[3]), same, measures)


def _all_cells(found: Found) -> Table:
    grid = grids.cells_grid("All pairs, the better model first", found.once)
    shown = {_id(found, pair) for pair in _shown_pairs(found)}
    ids = ("" if _id(found, pair) in shown else _id(found, pair) for pair in found.once)
    return table("pairs-table", grid, tuple(ids))


def _sure(found: Found) -> Section:
    caption = f"Differences with {interval_words(found.comparison.level)}s, the better model first."
    gather = partial(figures.forest, pairs=found.listed)
    forest = found.drawn("differences", gather, figures.draw_forest, caption)
    made = table("sure-table", grids.sure_grid(found.comparison, found.listed))
    return Section("sure", "How sure", (*forest, made, Prose(tuple(grids.legends(found.comparison)))))


def _samples(found: Found) -> Section | None:
    held = flips(found.comparison, *found.deciding)
    return Section("flips", "Instances", held) if held else None


def _method(comparison: Comparison) -> Section:
    return Section("methods", "Methods", (Prose(methods(comparison), listed=True),))
