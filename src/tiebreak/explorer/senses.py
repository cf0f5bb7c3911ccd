"""What an answer means, task by task: the cells two models share, the mark of an answer, the gap between two.

Labels and right or wrong answers are right or wrong; numbers are nearer or not, or a better score. What follows from
the difference (links, filters, orders, marks) asks a sense and knows of no task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tiebreak._format import number, percent, visible
from tiebreak.comparison import Comparison, Pair
from tiebreak.explorer.locked import Locked
from tiebreak.sources import Opened
from tiebreak.sources.gaps import SIGNS, SqlGaps
from tiebreak.sources.rows import Cell
from tiebreak.sources.sql import SqlSource
from tiebreak.tables import CELLS, TIE


@dataclass(frozen=True, slots=True)
class Mark:
    """What is said of one answer: "right", "wrong", "best" or nothing, and by how much a number is off."""

    kind: str
    off: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a model stands as a whole: a count or share, its score with an interval, and the length of its bar."""

    first: str
    score: str
    interval: str | None
    share: float


class Sense(Protocol):
    """What the answers of a comparison mean, row by row.

    Attributes
    ----------
    cells : the cells of two models, as an address names them
    has_labels : whether answers are labels that can be filtered and counted by
    heads : what a model's count and score are called
    answers : what is said of answers on the page of one instance
    """

    cells: tuple[str, ...]
    has_labels: bool
    heads: tuple[str, str]
    answers: str

    def in_cell(self, primary: str, alternative: str, cell: str) -> str:
        """Return the condition under which a row lies in a cell."""

    def said(self, primary: str, alternative: str, cell: str) -> str:
        """Return a cell in words."""

    def counts(self, pair: Pair) -> Sequence[float]:
        """Return how many instances, or how much weight, each cell holds."""

    def gap(self, primary: str, alternative: str) -> str:
        """Return by how much the primary is ahead, as SQL."""

    def measured(self, models: Sequence[str]) -> list[str]:
        """Return what has to be asked of a row to mark its answers, as SQL."""

    def marks(self, values: Sequence[float]) -> list[Mark]:
        """Return the marks of a row's answers, in the order of the models that were measured."""

    def gap_shown(self, value: float | None) -> str | None:
        """Return a gap as it is shown; None where a list has no such column."""

    def standing(self, comparison: Comparison, model: str) -> Standing:
        """Return how a model stands as a whole."""

    def summed_up(self, marks: dict[str, Mark]) -> str:
        """Say in a line who does well on an instance."""


class Rights:
    """Answers that are right or wrong: the cells of the Prayatul matrix.

    Examples
    --------
    >>> Rights.cells[1], Rights.said("knn", "tree", "right_wrong"), Rights.marks([1, 0])
    ('right_wrong', 'knn right, tree wrong', [Mark(kind='right', off=''), Mark(kind='wrong', off='')])
    """

    cells: tuple[str, ...] = CELLS
    heads = ("Right", "Accuracy")
    answers = "Right or wrong"
    has_labels = True

    def __init__(self, source: SqlSource, opened: Opened) -> None:
        self._source, self._opened = source, opened

    def in_cell(self, primary: str, alternative: str, cell: str) -> str:
        """Return the condition under which a row lies in a cell."""
        roles, policy = self._opened.roles, self._opened.ask.missing
        wanted = Cell(primary, alternative, cell, roles.truth, roles.id, roles.models, policy)
        return self._source.condition(wanted, self._opened.counted.reading)

    @staticmethod
    def said(primary: str, alternative: str, cell: str) -> str:
        """Say who is right in a cell."""
        first, second = visible(primary), visible(alternative)
        if cell.startswith("both"):
            return f"{first} and {second} both {cell.removeprefix('both_')}"
        one, other = cell.split("_")
        return f"{first} {one}, {second} {other}"

    @staticmethod
    def counts(pair: Pair) -> Sequence[float]:
        """Return the four cells as the comparison has counted them."""
        return [getattr(pair.prayatul, cell) for cell in CELLS]

    def gap(self, primary: str, alternative: str) -> str:
        """Return 1 where the primary alone is right, −1 where the alternative alone is."""
        first, second = self.measured([primary, alternative])
        return f"(CAST({first} AS TINYINT) - CAST({second} AS TINYINT))"

    def measured(self, models: Sequence[str]) -> list[str]:
        """Return the conditions under which models are right."""
        reading = self._opened.counted.reading
        return [self._source.right(self._opened.roles.truth, model, reading) for model in models]

    @staticmethod
    def marks(values: Sequence[float]) -> list[Mark]:
        """Mark what is right and what is wrong."""
        return [Mark("right" if value else "wrong") for value in values]

    @staticmethod
    def gap_shown(value: float | None) -> str | None:  # noqa: ARG004
        """Return nothing: the marks say as much."""
        return None

    @staticmethod
    def standing(comparison: Comparison, model: str) -> Standing:
        """Return how often a model is right."""
        found = comparison.model(model)
        right = getattr(found, "right", None)
        value, low, high = ends(found.score)
        interval = f"{percent(low)} to {percent(high)}" if low == low else None
        return Standing("–" if right is None else f"{right:,}", percent(value), interval, value)

    @staticmethod
    def summed_up(marks: dict[str, Mark]) -> str:
        """Say how many models are right."""
        right = sum(mark.kind == "right" for mark in marks.values())
        return f"{right} of {len(marks)} models {'is' if right == 1 else 'are'} right."


class Numbers:
    """Numbers: who is nearer to the truth, or has the better score.

    Examples
    --------
    >>> Numbers.cells, Numbers.said("knn", "tree", "primary_better")
    (('primary_better', 'tied', 'alternative_better'), 'knn is better')
    """

    cells: tuple[str, ...] = tuple(SIGNS)
    has_labels = False

    def __init__(self, source: SqlSource, opened: Opened, locked: Locked) -> None:
        self._gaps = SqlGaps.of(source, opened.ask, opened.roles)
        self._locked = locked
        loss = {"absolute": "Mean |error|", "squared": "Mean error²"}[opened.ask.loss]
        self.heads = ("Wins", loss if self._gaps.lower else "Mean score")
        self.answers = "Off by" if self._gaps.lower else "Best"

    def in_cell(self, primary: str, alternative: str, cell: str) -> str:
        """Return the condition that the gap has the sign of the cell."""
        return f"{self._gaps.kept} AND {self.gap(primary, alternative)} {SIGNS[cell]}"

    @staticmethod
    def said(primary: str, alternative: str, cell: str) -> str:
        """Say who is better in a cell."""
        if cell == "tied":
            return f"{visible(primary)} and {visible(alternative)} tied"
        return f"{visible(primary if cell == 'primary_better' else alternative)} is better"

    def counts(self, pair: Pair) -> Sequence[float]:
        """Count the rows on which either is better, in one scan."""
        gap = self.gap(pair.primary, pair.alternative)
        each = ", ".join(f"count(*) FILTER (gap {SIGNS[cell]})" for cell in self.cells)
        rows = f"(SELECT {gap} AS gap FROM {self._locked.relation} WHERE {self._gaps.kept})"
        return self._locked.rows(f"SELECT {each} FROM {rows}")[0]

    def gap(self, primary: str, alternative: str) -> str:
        """Return by how much the primary is nearer, or its score better; infinite where only one has a number."""
        return self._gaps.gap(primary, alternative)

    def measured(self, models: Sequence[str]) -> list[str]:
        """Return losses or scores."""
        return [self._gaps.loss(model) for model in models]

    def marks(self, values: Sequence[float]) -> list[Mark]:
        """Mark the best and all that tie with it; a row without any number has no best."""
        best = min(values) if self._gaps.lower else max(values)
        is_known = abs(best) < float("inf")
        return [Mark("best" if is_known and self._ties(value, best) else "", self._off(value)) for value in values]

    @staticmethod
    def _ties(value: float, best: float) -> bool:
        return abs(value - best) <= TIE * abs(best)

    def _off(self, value: float) -> str:
        if not self._gaps.lower:
            return ""
        return number(value) if abs(value) < float("inf") else "no number"

    @staticmethod
    def gap_shown(value: float | None) -> str | None:
        """Return the gap with its sign; None where the two were not compared."""
        if value is None or abs(value) < float("inf"):
            return None if value is None else number(value, plus=True)
        return "+∞" if value > 0 else "−∞"

    @staticmethod
    def standing(comparison: Comparison, model: str) -> Standing:
        """Return a model's mean and how often it wins."""
        found: Any = comparison.model(model)
        value, low, high = ends(found.mean)
        interval = f"{number(low)} to {number(high)}" if low == low else None
        return Standing(percent(found.wins), number(value), interval, found.wins)

    @staticmethod
    def summed_up(marks: dict[str, Mark]) -> str:
        """Say who is the best."""
        best = [visible(name) for name, mark in marks.items() if mark.kind == "best"]
        return f"Best: {', '.join(best)}." if best else "No model has a number."


def ends(estimate: object) -> tuple[float, float, float]:
    """Return a value and the ends of its interval, which are NaN where there is none.

    Examples
    --------
    >>> ends(0.5)
    (0.5, nan, nan)
    """
    nan = float("nan")
    value = getattr(estimate, "value", estimate)
    return float(value), float(getattr(estimate, "low", nan)), float(getattr(estimate, "high", nan))  # type: ignore[arg-type]
