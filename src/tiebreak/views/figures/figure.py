"""What a figure is: how its data are collected, apart from how they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from tiebreak.views.figures.style import axes
from tiebreak.views.grid import Grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Drawn(Protocol):
    """A record of exactly what a figure shows."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches that suit it."""

    def grid(self) -> Grid:
        """Return the same numbers as a table."""


Data = TypeVar("Data", bound=Drawn)


@dataclass(frozen=True)
class Figure(Generic[Data]):
    """One figure of one result: call it to draw it, ask it for `data()` to have what would be drawn.

    Examples
    --------
    >>> import tiebreak as tb
    >>> figure = tb.PrayatulMatrix(30, 9, 4, 7).plot.prayatul
    >>> figure.data().right_wrong
    9
    """

    collect: Callable[..., Data]
    draw: Callable[[Data, Any], Axes]

    def data(self, *arguments: Any, **options: Any) -> Data:
        """Return a record of exactly what would be drawn."""
        return self.collect(*arguments, **options)

    def __call__(self, *arguments: Any, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw on `ax`, or on new axes, and return them."""
        data = self.collect(*arguments, **options)
        return self.draw(data, axes(ax, data.size))
