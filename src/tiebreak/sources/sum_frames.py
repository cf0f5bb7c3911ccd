"""The sums of numbers as narwhals expressions: what `summed` asks, put to polars, Spark, Dask …"""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from tiebreak.sources.ask import Ask, Roles
from tiebreak.sources.collected import collected
from tiebreak.sources.frames import FrameSource
from tiebreak.sources.numbers import check_frame_column
from tiebreak.tables import BINS, LOG_STEP, NEAR, TIE

_INF = float("inf")
_BIN, _MASS = "_tiebreak_bin", "_tiebreak_mass"


def _e(model: int) -> str:
    return f"_tiebreak_e{model}"


def _l(model: int) -> str:
    return f"_tiebreak_l{model}"


_BEST, _W, _MARK = "_tiebreak_best", "_tiebreak_w", "_tiebreak_mark"


class FrameAnswers:
    """Answers from one frame; nothing but plain expressions, so that any engine can give them.

    Examples
    --------
    >>> import pyarrow as pa
    >>> source = FrameSource(pa.table({"a": [0.5, 1.0], "b": [1.0, 0.0]}))
    >>> int(FrameAnswers(source, Ask(task="scores"), Roles(None, ("a", "b"))).sums(drop=False)["n"])
    2
    """

    def __init__(self, source: FrameSource, ask: Ask, roles: Roles) -> None:
        self._source, self._ask, self._roles = source, ask, roles
        self._models = range(len(roles.models))
        self._lower = roles.truth is not None
        for name in roles.keys:
            check_frame_column(source, name, ask)

    def _number(self, name: str) -> nw.Expr:
        return nw.col(name).cast(nw.Float64)

    @cached_property
    def _facts(self) -> Mapping[str, Any]:
        sums: dict[str, nw.Expr] = {}
        lows: dict[str, nw.Expr] = {}
        for place, model in enumerate(self._roles.models):
            x = self._number(model)
            absent = x.is_null() | x.is_nan()
            infinite = ~absent & (x.abs() == _INF)
            sums[f"missing{place}"] = _one(absent | infinite if self._lower else absent)
            sums[f"infinite{place}"] = _one(infinite)
            lows[f"low{place}"] = nw.when(~absent).then(x)
        if self._roles.truth is not None:
            y = self._number(self._roles.truth)
            absent = y.is_null() | y.is_nan()
            sums["no_truth"], sums["infinite_truth"] = _one(absent), _one(~absent & (y.abs() == _INF))
        return _added(self._source.frame, sums, lows) | {"rows": self._source.rows}

    def facts(self) -> Mapping[str, Any]:
        """Return counts of rows, of missing and of infinite numbers, and the lowest of each column."""
        return self._facts

    def _losses(self, *, drop: bool) -> nw.LazyFrame[Any]:
        """The frame of losses (null where failed), residuals, the best, the weight, the mark."""
        columns = []
        for place, model in enumerate(self._roles.models):
            e = self._number(model)
            if self._roles.truth is not None:
                e = e - self._number(self._roles.truth)
            known = nw.when(~(e.is_null() | e.is_nan()) & (e.abs() < _INF)).then(e)
            zero = not self._lower and self._ask.missing == "wrong"
            columns.append((known.otherwise(nw.lit(0.0)) if zero else known).alias(_e(place)))
        weight = nw.lit(1.0) if self._roles.weight is None else self._number(self._roles.weight)
        mark = [] if self._roles.group is None else [nw.col(self._roles.group).alias(_MARK)]
        rows = self._source.frame.with_columns(weight.alias(_W)).select(*columns, nw.col(_W), *mark)
        if drop:
            rows = rows.filter(*(~nw.col(_e(m)).is_null() for m in self._models))
        rows = rows.with_columns(
            *((nw.col(_e(m)).abs() if self._lower else nw.col(_e(m))).alias(_l(m)) for m in self._models)
        )
        rows = rows.with_columns(nw.col(_l(0)).alias(_BEST))
        # One model after the other: an expression of all would name the best so far more often with each.
        for m in list(self._models)[1:]:
            size, best = nw.col(_l(m)), nw.col(_BEST)
            better = best.is_null() | (size < best if self._lower else size > best)
            rows = rows.with_columns(nw.when(better & ~size.is_null()).then(size).otherwise(best).alias(_BEST))
        return rows

    def _won(self, model: int) -> nw.Expr:
        near = (nw.col(_l(model)) - nw.col(_BEST)).abs() <= TIE * nw.col(_BEST).abs()
        return nw.when(nw.col(_l(model)).is_null()).then(nw.lit(value=False)).otherwise(near)

    def _x(self, model: int) -> nw.Expr:
        """What is averaged."""
        size = nw.col(_l(model))
        return size * size if self._lower and self._ask.loss == "squared" else size

    def _inside(self, model: int) -> nw.Expr:
        tolerance = float(self._ask.tolerance or 0.0)
        size = nw.col(_l(model))
        away = size if self._lower else nw.col(_BEST) - size
        own = nw.when(size.abs() > tolerance).then(size.abs()).otherwise(nw.lit(tolerance))
        return nw.when(size.is_null()).then(nw.lit(value=False)).otherwise(away <= tolerance + TIE * own)

    def sums(self, *, drop: bool) -> Mapping[str, Any]:
        """Return all sums, in one pass."""
        w, best = nw.col(_W), nw.col(_BEST)
        first, *others = (_one(self._won(m)) for m in self._models)
        winners = functools.reduce(operator.add, others, first)
        asked = {
            "n": _one(~w.is_null()), "total": w, "squared_total": w * w, "ties": _one(winners > 1),
            "zeros": _one(~best.is_null() & (best == 0)), "failed": _one(best.is_null()),
        }  # fmt: skip
        for m in self._models:
            e, x = nw.col(_e(m)), self._x(m)
            asked |= {
                f"solved{m}": _one(~e.is_null()), f"mass{m}": _weighed(~e.is_null()), f"e{m}": w * e,
                f"a{m}": w * e.abs(), f"s{m}": w * e * e, f"x{m}": w * x, f"v{m}": w * w * x, f"o{m}": w * w * x * x,
            }  # fmt: skip
            for q in self._models:
                if q > m:
                    away = x - self._x(q)
                    asked[f"d{m}_{q}"] = w * w * away * away
                if q >= m and self._ask.tolerance is not None:
                    asked[f"t{m}_{q}"] = _weighed(self._inside(m) & self._inside(q))
        lows = {f"low{m}": nw.col(_l(m)) for m in self._models}
        found = _added(self._losses(drop=drop), asked, lows)
        known = [found[low] for low in lows if found[low] is not None]
        return found | {"lowest": min(known, default=None)}

    def steps(self, sums: Mapping[str, Any], *, drop: bool) -> npt.NDArray[np.float64]:  # noqa: ARG002
        """Return the weight of each model's ratios at every grid point (M × 1027), one aggregation a model."""
        rows, steps = self._losses(drop=drop), np.zeros((len(self._models), BINS + 3))
        for model in self._models:
            part = rows.select(self._bin(model).cast(nw.Int64).alias(_BIN), nw.col(_W))
            answer = collected(part.group_by(_BIN).agg(nw.col(_W).sum().alias(_MASS)))
            places = np.array(answer[_BIN].to_list(), dtype=np.int64)
            masses = np.array(answer[_MASS].to_list(), dtype=np.float64)
            steps[model] = np.bincount(places, masses, BINS + 3)
        return steps

    def _bin(self, model: int) -> nw.Expr:
        over, under = nw.col(_l(model)), nw.col(_BEST)
        over, under = (over, under) if self._lower else (under, over)
        possible = ~over.is_null() & ~under.is_null() & (over > 0) & (under > 0)
        # Some engines compute both branches of a condition, and some refuse to divide by 0.
        ratio = nw.when(possible).then(over).otherwise(nw.lit(1.0)) / nw.when(possible).then(under).otherwise(
            nw.lit(1.0)
        )
        steps = -((-(ratio.log() / LOG_STEP - NEAR)).floor())
        steps = nw.when(steps < 1).then(nw.lit(1.0)).otherwise(steps)
        steps = nw.when(steps > BINS + 1).then(nw.lit(float(BINS + 1))).otherwise(steps)
        beyond = nw.lit(float(BINS + 2))
        other = nw.when(possible & (ratio < _INF)).then(steps).otherwise(beyond)
        return nw.when(self._won(model)).then(nw.lit(0.0)).otherwise(other)

    def groups(self, *, drop: bool) -> tuple[npt.NDArray[Any], Sequence[Any]] | None:
        """Return each group's count, size and sums of goodness (rows of one table), and the groups' values."""
        if self._roles.group is None:
            return None
        sign = -1.0 if self._lower else 1.0
        w = nw.col(_W)
        rows = self._losses(drop=drop).with_columns(
            *((sign * w * self._x(m)).alias(f"_tiebreak_g{m}") for m in self._models)
        )
        sums = [nw.col(f"_tiebreak_g{m}").sum().alias(f"x{m}") for m in self._models]
        grouped = rows.group_by(_MARK, drop_null_keys=False)
        answer = collected(grouped.agg(nw.len().alias("n"), w.sum().alias("size"), *sums))
        columns = [answer["n"], answer["size"], *(answer[f"x{m}"] for m in self._models)]
        table = [[np.nan if value is None else float(value) for value in column.to_list()] for column in columns]
        return np.array(table), answer[_MARK].to_list()


def _one(condition: nw.Expr) -> nw.Expr:
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def _weighed(condition: nw.Expr) -> nw.Expr:
    return nw.when(condition).then(nw.col(_W)).otherwise(nw.lit(0.0))


def _added(rows: nw.LazyFrame[Any], sums: Mapping[str, nw.Expr], lows: Mapping[str, nw.Expr]) -> dict[str, Any]:
    """Sums and minima of expressions, which become columns first: some engines aggregate nothing but columns."""
    columns = rows.select(*(expression.alias(name) for name, expression in {**sums, **lows}.items()))
    answer = collected(columns.select(*(nw.col(name).sum() for name in sums), *(nw.col(name).min() for name in lows)))
    return {name: answer[name].to_list()[0] for name in answer.columns}
