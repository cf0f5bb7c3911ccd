"""The sums of numbers as narwhals expressions: what `summed` asks, put to polars, Spark, Dask …"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from tiebreak.sources.ask import Ask, Roles
from tiebreak.sources.frames import FrameSource
from tiebreak.sources.numbers import check_frame_column
from tiebreak.tables import BINS, LOG_STEP, TIE

_INF = float("inf")
_NEAR = 1e-9
_BIN, _MASS = "_tiebreak_bin", "_tiebreak_mass"


def _e(model: int) -> str:
    return f"_tiebreak_e{model}"


def _l(model: int) -> str:
    return f"_tiebreak_l{model}"


_BEST, _W, _MARK = "_tiebreak_best", "_tiebreak_w", "_tiebreak_mark"


class FrameAnswers:
    """Answers from one frame; nothing but plain expressions, so that any engine can give them."""

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
        asked = [nw.len().alias("rows")]
        for place, model in enumerate(self._roles.models):
            x = self._number(model)
            absent = x.is_null() | x.is_nan()
            infinite = ~absent & (x.abs() == _INF)
            asked.append(_count(absent | infinite if self._lower else absent).alias(f"missing{place}"))
            asked.append(_count(infinite).alias(f"infinite{place}"))
            asked.append(nw.when(~absent).then(x).min().alias(f"low{place}"))
        if self._roles.truth is not None:
            y = self._number(self._roles.truth)
            absent = y.is_null() | y.is_nan()
            asked.append(_count(absent).alias("no_truth"))
            asked.append(_count(~absent & (y.abs() == _INF)).alias("infinite_truth"))
        return _first(self._source.frame.select(*asked).collect())

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
            if not self._lower and self._ask.missing == "wrong":
                known = known.otherwise(nw.lit(0.0))
            columns.append(known.alias(_e(place)))
        weight = nw.lit(1.0) if self._roles.weight is None else self._number(self._roles.weight)
        mark = [] if self._roles.group is None else [nw.col(self._roles.group).alias(_MARK)]
        rows = self._source.frame.with_columns(weight.alias(_W)).select(*columns, nw.col(_W), *mark)
        if drop:
            rows = rows.filter(*(~nw.col(_e(m)).is_null() for m in self._models))
        rows = rows.with_columns(
            *((nw.col(_e(m)).abs() if self._lower else nw.col(_e(m))).alias(_l(m)) for m in self._models)
        )
        choose = nw.min_horizontal if self._lower else nw.max_horizontal
        return rows.with_columns(choose(*(nw.col(_l(m)) for m in self._models)).alias(_BEST))

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
        winners = nw.sum_horizontal(*(_one(self._won(m)) for m in self._models))
        low = nw.min_horizontal(*(nw.col(_l(m)) for m in self._models))
        asked = [
            nw.len().alias("n"), w.sum().alias("total"), (w * w).sum().alias("squared_total"),
            low.min().alias("lowest"), _count(winners > 1).alias("ties"),
            _count(~best.is_null() & (best == 0)).alias("zeros"), _count(best.is_null()).alias("failed"),
        ]  # fmt: skip
        for m in self._models:
            e, x = nw.col(_e(m)), self._x(m)
            asked += [
                _count(~e.is_null()).alias(f"solved{m}"), nw.when(~e.is_null()).then(w).sum().alias(f"mass{m}"),
                (w * e).sum().alias(f"e{m}"), (w * e.abs()).sum().alias(f"a{m}"), (w * e * e).sum().alias(f"s{m}"),
                (w * x).sum().alias(f"x{m}"), (w * w * x).sum().alias(f"v{m}"), (w * w * x * x).sum().alias(f"o{m}"),
            ]  # fmt: skip
            for q in self._models:
                if q > m:
                    away = x - self._x(q)
                    asked.append((w * w * away * away).sum().alias(f"d{m}_{q}"))
                if q >= m and self._ask.tolerance is not None:
                    both = self._inside(m) & self._inside(q)
                    asked.append(nw.when(both).then(w).otherwise(nw.lit(0.0)).sum().alias(f"t{m}_{q}"))
        return _first(self._losses(drop=drop).select(*asked).collect())

    def bins(self, *, drop: bool) -> list[tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]]:
        """Return the weight of each model's ratios at every grid point, one aggregation a model."""
        rows, found = self._losses(drop=drop), []
        for model in self._models:
            part = rows.select(self._bin(model).cast(nw.Int64).alias(_BIN), nw.col(_W))
            answer = part.group_by(_BIN).agg(nw.col(_W).sum().alias(_MASS)).collect()
            places = np.array(answer[_BIN].to_list(), dtype=np.int64)
            found.append((places, np.array(answer[_MASS].to_list(), dtype=np.float64)))
        return found

    def _bin(self, model: int) -> nw.Expr:
        over, under = nw.col(_l(model)), nw.col(_BEST)
        over, under = (over, under) if self._lower else (under, over)
        possible = ~over.is_null() & ~under.is_null() & (over > 0) & (under > 0)
        # Some engines compute both branches of a condition, and some refuse to divide by 0.
        ratio = nw.when(possible).then(over).otherwise(nw.lit(1.0)) / nw.when(possible).then(under).otherwise(
            nw.lit(1.0)
        )
        steps = -((-(ratio.log() / LOG_STEP - _NEAR)).floor())
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
        answer = (
            rows.group_by(_MARK, drop_null_keys=False).agg(nw.len().alias("n"), w.sum().alias("size"), *sums).collect()
        )
        columns = [answer["n"], answer["size"], *(answer[f"x{m}"] for m in self._models)]
        table = [[np.nan if value is None else float(value) for value in column.to_list()] for column in columns]
        return np.array(table), answer[_MARK].to_list()


def _one(condition: nw.Expr) -> nw.Expr:
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def _count(condition: nw.Expr) -> nw.Expr:
    return _one(condition).sum()


def _first(answer: Any) -> dict[str, Any]:
    return {name: answer[name].to_list()[0] for name in answer.columns}
