"""The way back to the rows of numbers: the instances of two models, the widest gap between them first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from tiebreak.sources.ask import Ask, Roles
from tiebreak.sources.collected import collected
from tiebreak.sources.frames import FrameSource, count_rows
from tiebreak.sources.memory import picked
from tiebreak.sources.numbers import AnyNumbers, NumbersInMemory, sql_numbers
from tiebreak.sources.rows import Cell, Instances
from tiebreak.sources.sql import SqlSource
from tiebreak.tables import TIE

_GAP, _LARGE = "_tiebreak_gap", "_tiebreak_large"
# The sign of the gap in each cell, as SQL.
SIGNS = {"primary_better": "> 0", "tied": "= 0", "alternative_better": "< 0"}


def instances_by_gap(source: AnyNumbers, cell: Cell, ask: Ask, roles: Roles, limit: int | None) -> Instances:
    """Return the rows of one cell with every column there is and the gap, the widest gap first.

    The gap is by how much the better of the two is better: |e| against |e|, or score against score; infinite where only
    one of them failed, 0 (tied) where both did or where they differ by rounding only (1e-12).

    Examples
    --------
    >>> from tiebreak.sources.rows import WINNERS
    >>> source = NumbersInMemory({"a": [0.5, 0.9], "b": [1.0, 0.0]})
    >>> cell = Cell("a", "b", "any", None, known=WINNERS)
    >>> instances_by_gap(source, cell, Ask(task="scores"), Roles(None, ("a", "b")), 1).rows
    ((1, 0.9, 0.0, 0.9),)
    """
    if isinstance(source, NumbersInMemory):
        return _in_memory(source, cell, ask, roles, limit)
    if isinstance(source, FrameSource):
        return _in_frame(source, cell, ask, roles, limit)
    return _in_sql(source, cell, ask, roles, limit)


def _first(cell: Cell) -> list[str]:
    return [column for column in (cell.id, cell.truth, *cell.models) if column is not None]


def _gap_name(columns: list[str]) -> str:
    return next(name for name in ("gap", "gap_", "_gap", _GAP) if name not in columns)


def _in_memory(source: NumbersInMemory, cell: Cell, ask: Ask, roles: Roles, limit: int | None) -> Instances:
    numbers = source.numbers(ask, roles)
    values = np.column_stack([numbers.columns[model] for model in cell.models]).astype(np.float64)
    lower = numbers.truth is not None
    if numbers.truth is not None:
        values = np.abs(values - numbers.truth[:, None])
    gap = advantage(values[:, 0], values[:, 1], lower=lower, missing=np.inf if lower else _missing_score(ask))
    chosen = {"primary_better": gap > 0, "alternative_better": gap < 0, "tied": gap == 0}.get(cell.which)
    kept = np.ones(len(gap), dtype=np.bool_) if chosen is None else chosen
    if ask.missing == "drop":
        kept &= ~np.any([~np.isfinite(numbers.columns[model]) for model in cell.all_models], axis=0)
    places = np.flatnonzero(kept)
    shown = places[np.argsort(-np.abs(gap[places]), kind="stable")][:limit]
    columns = [*_first(cell), *(column for column in source.everything if column not in _first(cell))]
    rows = [picked(source.everything[column], shown) for column in columns]
    place = next(name for name in ("row", "row_number", "place", "_row") if name not in columns)
    found = zip(shown.tolist(), *rows, np.abs(gap[shown]).tolist(), strict=True)
    return Instances(cell, len(places), (place, *columns, _gap_name(columns)), tuple(found))


def _missing_score(ask: Ask) -> float:
    """What a missing score counts as: 0 where missing is wrong, else nothing."""
    return 0.0 if ask.missing == "wrong" else -np.inf


def advantage(
    primary: npt.NDArray[np.float64], alternative: npt.NDArray[np.float64], *, lower: bool, missing: float
) -> npt.NDArray[np.float64]:
    """Return by how much the primary is better (negative: worse), 0 where they are tied; NaN counts as `missing`.

    Examples
    --------
    >>> advantage(np.array([1.0, np.nan, 2.0]), np.array([3.0, 1.0, 2.0]), lower=True, missing=np.inf)
    array([  2., -inf,   0.])
    """
    p, q = (np.where(np.isnan(part), missing, part) for part in (primary, alternative))
    with np.errstate(invalid="ignore"):
        gap = q - p if lower else p - q
        tied = (p == q) | (np.abs(gap) <= TIE * np.minimum(np.abs(p), np.abs(q)))
    return np.asarray(np.where(tied, 0.0, gap))


@dataclass(frozen=True, slots=True)
class SqlGaps:
    """Losses and gaps as SQL, over the rows of one relation.

    Examples
    --------
    >>> from tiebreak.sources.engine import Engine
    >>> with Engine() as engine:
    ...     source = SqlSource(engine, "(SELECT 0.5::DOUBLE AS a, NULL::DOUBLE AS b)")
    ...     gaps = SqlGaps.of(source, Ask(task="scores"), Roles(None, ("a", "b")))
    ...     engine.rows(f"SELECT {gaps.loss('a')}, {gaps.gap('a', 'b')} FROM {source.relation} WHERE {gaps.kept}")
    [(0.5, inf)]
    """

    read: Mapping[str, str]
    ask: Ask
    roles: Roles

    @classmethod
    def of(cls, source: SqlSource, ask: Ask, roles: Roles) -> SqlGaps:
        """Check the columns and return how their numbers are read."""
        return cls(sql_numbers(source, ask, roles), ask, roles)

    @property
    def lower(self) -> bool:
        """Whether the lower number wins."""
        return self.roles.truth is not None

    def loss(self, model: str) -> str:
        """How far a model is off, or its score; what is missing is the worst there is."""
        number = f"CAST({self.read[model]} AS DOUBLE)"
        if self.roles.truth is not None:
            number = f"abs({number} - CAST({self.read[self.roles.truth]} AS DOUBLE))"
        worst = "'inf'::DOUBLE" if self.lower else "0.0" if self.ask.missing == "wrong" else "'-inf'::DOUBLE"
        return f"(CASE WHEN {number} IS NULL OR isnan({number}) THEN {worst} ELSE {number} END)"

    def gap(self, primary: str, alternative: str) -> str:
        """By how much the primary is better (negative: worse), 0 where the two are tied."""
        p, q = self.loss(primary), self.loss(alternative)
        tied = f"({p} = {q} OR abs({p} - {q}) <= {TIE!r} * least(abs({p}), abs({q})))"
        return f"CASE WHEN {tied} THEN 0.0 ELSE {f'{q} - {p}' if self.lower else f'{p} - {q}'} END"

    @property
    def kept(self) -> str:
        """The condition that a row is compared at all."""
        known = [f"(coalesce(abs({self.read[model]}) < 'inf'::DOUBLE, false))" for model in self.roles.models]
        return " AND ".join(known) if self.ask.missing == "drop" else "true"


def _in_sql(source: SqlSource, cell: Cell, ask: Ask, roles: Roles, limit: int | None) -> Instances:
    gaps = SqlGaps.of(source, ask, roles)
    columns = source.from_first(_first(cell))
    rows = f"(SELECT *, {gaps.gap(*cell.models)} AS {_GAP} FROM {source.relation} WHERE {gaps.kept})"
    chosen = f"{rows} WHERE {_GAP} {SIGNS[cell.which]}" if cell.which in SIGNS else rows
    total = source.runner.rows(f"SELECT count(*) FROM {chosen}", source.where)[0][0]
    tail = "" if limit is None else f" LIMIT {int(limit)}"
    found = source.page(f"SELECT * FROM {chosen} ORDER BY abs({_GAP}) DESC{tail}", columns, f"abs({_GAP})")
    return Instances(cell, total, (*columns, _gap_name(columns)), tuple(found))


def _in_frame(source: FrameSource, cell: Cell, ask: Ask, roles: Roles, limit: int | None) -> Instances:
    lower = roles.truth is not None
    worst = float("inf") if lower else (0.0 if ask.missing == "wrong" else float("-inf"))
    p, q = (nw.col(model).cast(nw.Float64) for model in cell.models)
    if roles.truth is not None:
        p, q = ((one - nw.col(roles.truth).cast(nw.Float64)).abs() for one in (p, q))
    p, q = (nw.when(one.is_null() | one.is_nan()).then(nw.lit(worst)).otherwise(one) for one in (p, q))
    least = nw.when(p.abs() < q.abs()).then(p.abs()).otherwise(q.abs())
    tied = (p == q) | ((p - q).abs() <= TIE * least)
    gap = nw.when(tied).then(nw.lit(0.0)).otherwise(q - p if lower else p - q)
    columns = [*_first(cell), *(column for column in source.columns if column not in _first(cell))]
    rows = source.frame
    if ask.missing == "drop":
        rows = rows.filter(*(nw.col(m).cast(nw.Float64).abs() < float("inf") for m in cell.all_models))
    rows = rows.with_columns(gap.alias(_GAP))
    signs: dict[str, nw.Expr] = {
        "primary_better": nw.col(_GAP) > 0, "alternative_better": nw.col(_GAP) < 0, "tied": nw.col(_GAP) == 0,
    }  # fmt: skip
    rows = rows.filter(signs[cell.which]) if cell.which in signs else rows
    total = count_rows(rows)
    large = rows.with_columns(nw.col(_GAP).abs().alias(_LARGE)).sort(_LARGE, descending=True)
    shown = collected(large.select(*columns, _LARGE).head(total if limit is None else limit))
    values = [shown[column].to_list() for column in (*columns, _LARGE)]
    return Instances(cell, total, (*columns, _gap_name(columns)), tuple(zip(*values, strict=True)))
