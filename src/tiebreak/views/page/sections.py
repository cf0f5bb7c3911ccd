"""The sections of the page; those whose parts a comparison does not carry are left out.

Beside what every comparison has, the page looks for: `model.confusion` (`.labels`, `.classes`, `.r_prime()`),
`comparison.class_differences(primary, alternative)` (records by class), `comparison.slices` (one table a pair),
`comparison.profile` (a performance profile), `comparison.losses` and `comparison.partitions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from markupsafe import Markup

from tiebreak._format import visible
from tiebreak._version import __version__
from tiebreak.comparison import Comparison, Pair, listed_pairs
from tiebreak.comparison.verdict import interval_words
from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.views import comparison_grids as grids
from tiebreak.views import figures
from tiebreak.views.cells import matrix_cells, measure_cells
from tiebreak.views.figures import collect
from tiebreak.views.figures.style import NO_MATPLOTLIB
from tiebreak.views.grid import label
from tiebreak.views.page.flips import flips
from tiebreak.views.page.methods import methods
from tiebreak.views.page.parts import Block, Drawing, Matrices, Matrix, Page, Prose, Section, Table
from tiebreak.views.page.svg import figure_svg
from tiebreak.views.richer import class_grid, differences_grid, slices_grid

# Up to so many models every pair has its matrix; above, the leader's.
_ALL_MATRICES, _MOST_MATRICES = 4, 9
# A table by class has at most so many rows.
_CLASS_ROWS = 1500
_TIERS = (
    "Scores with their intervals. Models joined by a bar at the right are not separable: no two of them differ "
    "significantly."
)
_MOSAIC = "The two models that the verdict speaks of: the areas are the counts."
_DEVIATIONS = (
    "Comparative deviation of every model against every other: above 0 the row's model is right more often where "
    "exactly one of the two is. Pairs that are not settled are grey."
)
_CONFUSION = "Confusion matrices on one colour range: the share of the true class."
_CHANGE = "Where the confusion matrices of the two models that the verdict speaks of differ."
_PROFILE = "The share of instances on which a model is within a factor τ of the best."
_LOSSES = "The two models that the verdict speaks of, instance by instance."
_AGREEMENT = "How much every two labelings agree, the most alike next to each other."
_MEASURE_NAMES = (
    "comparative deviation σ_c",
    "polarization α",
    "comparative rightness ξ_c",
    "effective rightness ξ_e",
    "effective superiority φ_e",
)


def page_of(comparison: Comparison) -> Page:
    """Return the page of a comparison as records."""
    found = _Found(comparison)
    made = (found.models(), found.pairs(), found.sure(), found.classes(), found.slices(), found.profiles(),
            found.clusters(), found.samples(), found.method())  # fmt: skip
    sections = tuple(section for section in made if section is not None)
    title = f"{' · '.join(visible(model.name, 30) for model in comparison.ranked[:4])}"
    more = len(comparison.models) - 4
    return Page(
        f"{title} and {more} more" if more > 0 else title,
        comparison.verdict,
        tuple(visible(text, 1000) for text in comparison.warnings),
        sections,
        __version__,
    )


class _Found:
    """A comparison, with what several sections need found once."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.place = {model.name: rank for rank, model in enumerate(comparison.ranked)}
        self.listed = listed_pairs(comparison)
        self.deciding = collect.two(comparison, ())
        self.decided = comparison.pair(*self.deciding)

    def models(self) -> Section:
        grid = grids.models_grid(self.comparison)
        rows = tuple(f"model-{k + 1}" for k in range(len(grid.rows)))
        blocks: list[Block] = [Table("models-table", grid, rows)]
        if self.comparison.settings.baseline is None:
            blocks += self._drawn("tiers", figures.tiers, figures.draw_tiers, _TIERS)
        return Section("models", "Models", tuple(blocks))

    def pairs(self) -> Section | None:
        if self.listed[0].matrix is None:
            return None
        drawn = self._drawn("mosaic", lambda _: figures.mosaic(self.decided.prayatul), figures.draw_mosaic, _MOSAIC)
        blocks: list[Block] = [Matrices(tuple(map(self._matrix, self._shown_pairs()))), *drawn]
        if len(self.place) > 2:
            gather = partial(figures.deviations, pairs=self.listed)
            blocks += self._drawn("deviations", gather, figures.draw_deviations, _DEVIATIONS)
            blocks.append(self._all_cells())
        blocks.append(Table("measures-table", grids.measures_grid(self.listed), folded=True))
        return Section("pairs", "Head to head", tuple(blocks))

    def _once(self) -> list[Pair]:
        """Every pair once, the better model first."""
        once = [pair for pair in self.listed if self.place[pair.primary] < self.place[pair.alternative]]
        return sorted(once, key=lambda pair: (self.place[pair.primary], self.place[pair.alternative]))

    def _shown_pairs(self) -> list[Pair]:
        once = self._once()
        if len(self.place) > _ALL_MATRICES:
            leader = self.comparison.settings.baseline or self.comparison.leader.name
            once = [pair for pair in once if leader in {pair.primary, pair.alternative}]
        return once[:_MOST_MATRICES]

    def _id(self, pair: Pair) -> str:
        return f"pair-{self.place[pair.primary] + 1}-{self.place[pair.alternative] + 1}"

    def _matrix(self, pair: Pair) -> Matrix:
        *cells, same, _ = matrix_cells(pair)
        sides = measure_cells(pair.measures), measure_cells(pair.prayatul.swap().measures())
        measures = tuple(zip(_MEASURE_NAMES, *sides, strict=True))
        a, b = label(pair.primary), label(pair.alternative)
        return Matrix(self._id(pair), a, b, (cells[0], cells[1], cells[2], cells[3]), same, measures)

    def _all_cells(self) -> Table:
        once = self._once()
        grid = grids.cells_grid("All pairs, the better model first", once)
        shown = {self._id(pair) for pair in self._shown_pairs()}
        ids = ("" if self._id(pair) in shown else self._id(pair) for pair in once)
        return Table("pairs-table", grid, tuple(ids), folded=len(once) > 60)

    def sure(self) -> Section:
        caption = f"Differences with {interval_words(self.comparison.level)}s, the better model first."
        gather = partial(figures.forest, pairs=self.listed)
        drawn = self._drawn("differences", gather, figures.draw_forest, caption)
        grid = grids.sure_grid(self.comparison, self.listed)
        table = Table("sure-table", grid, folded=len(grid.rows) > 60)
        return Section("sure", "How sure", (*drawn, table, Prose(tuple(grids.legends(self.comparison)))))

    def classes(self) -> Section | None:
        drawn = [
            *self._drawn("r-prime", collect.r_prime_data, figures.draw_by_class, "R′ of every class."),
            *self._drawn("r-prime-radar", _radar, figures.draw_by_class, "R′ of every class, as a radar."),
            *(self._r_prime_boxes() if len(self.place) > 2 else ()),
            *self._drawn("confusion", collect.confusion_data, figures.draw_confusions, _CONFUSION),
            *self._drawn("confusion-difference", collect.change_data, figures.draw_confusion_change, _CHANGE),
        ]
        blocks: list[Block] = [*self._class_tables(), *self._class_differences(), *drawn]
        return Section("classes", "Classes", tuple(blocks)) if blocks and self.comparison.labels else None

    def _r_prime_boxes(self) -> Sequence[Drawing]:
        return self._drawn("r-prime-boxes", collect.box_data, figures.draw_boxes, "R′ of every class over all models.")

    def _class_tables(self) -> Iterator[Table]:
        held = [(model.name, getattr(model, "confusion", None)) for model in self.comparison.ranked]
        shown = held[: max(1, _CLASS_ROWS // max(1, len(self.comparison.labels)))]
        grid = class_grid("Classes", shown, _CLASS_ROWS)
        if grid.rows:
            yield Table("classes-table", grid, folded=len(grid.rows) > 60)

    def _class_differences(self) -> Iterator[Table]:
        ask = collect.part_of(self.comparison, "class_differences")
        try:
            records = list(ask(*self.deciding)) if callable(ask) else []
        except TiebreakError:
            return
        if records:
            grid = differences_grid(records, self.deciding, self.comparison.level, _CLASS_ROWS)
            yield Table("class-differences", grid, folded=len(grid.rows) > 60)

    def slices(self) -> Section | None:
        """One table of slices a pair: that of the deciding pair, then the others, each pair once."""
        found: Any = collect.part_of(self.comparison, "slices") or ()
        tables = [found] if hasattr(found, "primary") else list(found)
        tables.sort(key=lambda table: {table.primary, table.alternative} != set(self.deciding))
        once = {frozenset((table.primary, table.alternative)): table for table in reversed(tables) if list(table)}
        made = [slices_grid(table, self.comparison.level, _CLASS_ROWS) for table in reversed(once.values())]
        blocks = tuple(
            Table(f"slices-{k + 1}", grid, folded=k > 0 or len(grid.rows) > 60)
            for k, grid in enumerate(made[:_MOST_MATRICES])
        )
        return Section("slices", "Slices", blocks) if blocks else None

    def profiles(self) -> Section | None:
        blocks: list[Block] = [
            *self._drawn("profile", collect.profile_data, figures.draw_curves, _PROFILE),
            *self._drawn("losses", collect.loss_data, figures.draw_scatter, _LOSSES),
        ]
        profile = collect.part_of(self.comparison, "profile")
        notes = tuple(visible(text, 1000) for text in getattr(profile, "warnings", ()))
        return Section("profiles", "Profiles", (*blocks, *([Prose(notes)] if notes else []))) if blocks else None

    def clusters(self) -> Section | None:
        blocks = self._drawn("agreement", collect.agreement_data, figures.draw_agreement, _AGREEMENT)
        return Section("clusters", "Agreement", tuple(blocks)) if blocks else None

    def samples(self) -> Section | None:
        found = flips(self.comparison, *self.deciding)
        return Section("flips", "Instances", found) if found else None

    def method(self) -> Section:
        return Section("methods", "Methods", (Prose(methods(self.comparison), listed=True),))

    def _drawn(
        self, key: str, gather: Callable[[Comparison], Any], draw: Callable[..., Any], caption: str
    ) -> Sequence[Drawing]:
        """A figure, if the comparison has what it shows; without matplotlib its numbers and the reason."""
        try:
            data = gather(self.comparison)
        except NotDefined:
            return ()
        try:
            svg = Markup(figure_svg(draw, data, f"fig-{key}", caption))  # noqa: S704 written escaped
        except ImportError:
            svg, caption = Markup(), f"{caption} ({NO_MATPLOTLIB})"
        return (Drawing(f"fig-{key}", svg, caption, data.grid()),)


def _radar(comparison: Comparison) -> Any:
    return collect.r_prime_data(comparison, kind="radar")
