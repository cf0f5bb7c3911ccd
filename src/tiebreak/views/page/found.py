"""What several sections of the page need, found once; and a figure as a block of the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from markupsafe import Markup

from tiebreak.comparison import Comparison, Pair, listed_pairs
from tiebreak.errors import NotDefined
from tiebreak.views.figures.style import NO_MATPLOTLIB
from tiebreak.views.grid import Grid
from tiebreak.views.page.parts import Drawing, Table
from tiebreak.views.page.svg import figure_svg
from tiebreak.views.task_grids import deciding, once

# A table of more rows is folded under its title.
_OPEN = 60


@dataclass(frozen=True)
class Found:
    """A comparison, its places, its pairs, and the two models that the verdict speaks of."""

    comparison: Comparison

    @cached_property
    def place(self) -> dict[str, int]:
        """The rank of every model, from 0."""
        return {model.name: rank for rank, model in enumerate(self.comparison.ranked)}

    @cached_property
    def listed(self) -> list[Pair]:
        """Every ordered pair that is compared."""
        return listed_pairs(self.comparison)

    @cached_property
    def once(self) -> list[Pair]:
        """Every pair once, the better model first."""
        return once(self.comparison, self.listed)

    @cached_property
    def deciding(self) -> tuple[str, str]:
        """The two models that the verdict speaks of."""
        return deciding(self.comparison)

    @cached_property
    def decided(self) -> Pair:
        """Their head-to-head."""
        return self.comparison.pair(*self.deciding)

    def drawn(
        self, key: str, gather: Callable[[Any], Any], draw: Callable[..., Any], caption: str
    ) -> Sequence[Drawing]:
        """Return a figure of the comparison, if it has what the figure shows."""
        return drawn(self.comparison, key, gather, draw, caption)


def drawn(
    result: Any, key: str, gather: Callable[[Any], Any], draw: Callable[..., Any], caption: str
) -> Sequence[Drawing]:
    """Return a figure of a result; without matplotlib its numbers and the reason; nothing where it is not defined."""
    try:
        data = gather(result)
    except NotDefined:
        return ()
    try:
        svg = Markup(figure_svg(draw, data, f"fig-{key}", caption))  # noqa: S704 written escaped
    except ImportError:
        svg, caption = Markup(), f"{caption} ({NO_MATPLOTLIB})"
    return (Drawing(f"fig-{key}", svg, caption, data.grid()),)


def table(key: str, grid: Grid, rows: Sequence[str] = (), *, folded: bool = False) -> Table:
    """Return a grid as a block; a long one is folded."""
    return Table(key, grid, tuple(rows), folded=folded or len(grid.rows) > _OPEN)
