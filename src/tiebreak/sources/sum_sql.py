"""The sums of numbers as SQL: what `summed` asks, put to the engine."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.sources.ask import Ask, Roles
from tiebreak.sources.numbers import number, sql_numbers
from tiebreak.sources.sql import SqlSource
from tiebreak.tables import BINS, LOG_STEP, NEAR, TIE

_INF = "'inf'::DOUBLE"
# The logarithm of the largest ratio that is not infinite, in steps.
_FAR = math.ceil(math.log(np.finfo(np.float64).max) / LOG_STEP)

Array = npt.NDArray[np.float64]


class SqlAnswers:
    """Answers from one relation.

    Rows go through three selections: numbers (x, NULL where missing, and the residual e), losses (l, and the best of
    all), and what is added up.

    Examples
    --------
    >>> from tiebreak.sources.engine import Engine
    >>> with Engine() as engine:
    ...     source = SqlSource(engine, "(SELECT 0.5::DOUBLE AS a, 1.0::DOUBLE AS b)")
    ...     int(SqlAnswers(source, Ask(task="scores"), Roles(None, ("a", "b"))).sums(drop=False)["n"])
    1
    """

    def __init__(self, source: SqlSource, ask: Ask, roles: Roles) -> None:
        self._source, self._ask, self._roles = source, ask, roles
        self._read = sql_numbers(source, ask, roles)
        self._models = range(len(roles.models))
        self._lower = roles.truth is not None

    def _fetch(self, sql: str) -> Mapping[str, Any]:
        return self._source.runner.fetch(sql, self._source.where)

    @cached_property
    def _facts(self) -> Mapping[str, Any]:
        asked = ["count(*) AS rows"]
        for place, model in enumerate(self._roles.models):
            x = f"CAST({self._read[model]} AS DOUBLE)"
            # Of a residual an infinite prediction is a failure; a score must not be infinite.
            known = f"abs({x}) < {_INF}" if self._lower else f"NOT isnan({x})"
            asked.append(f"count(*) FILTER (NOT coalesce({known}, false)) AS missing{place}")
            asked.append(f"count(*) FILTER (isinf({x})) AS infinite{place}")
            asked.append(f"min({x}) FILTER (NOT isnan({x})) AS low{place}")
        if self._roles.truth is not None:
            y = f"CAST({self._read[self._roles.truth]} AS DOUBLE)"
            asked.append(f"count(*) FILTER ({y} IS NULL OR isnan({y})) AS no_truth")
            asked.append(f"count(*) FILTER (isinf({y})) AS infinite_truth")
        return _first(self._fetch(f"SELECT {', '.join(asked)} FROM {self._source.relation}"))

    def facts(self) -> Mapping[str, Any]:
        """Return counts of rows, of missing and of infinite numbers, and the lowest of each column."""
        return self._facts

    def _losses(self, *, drop: bool, known: bool = False) -> str:
        """The relation of losses l0, l1, … (NULL where failed), residuals e0, …, the best, the weight, the mark.

        Where every number is known to be there, none is asked whether it is.
        """
        y = "" if self._roles.truth is None else f" - CAST({self._read[self._roles.truth]} AS DOUBLE)"
        zero = not self._lower and self._ask.missing == "wrong"
        numbers = []
        for place, model in enumerate(self._roles.models):
            x = f"CAST({self._read[model]} AS DOUBLE){y}"
            there = f"CASE WHEN abs({x}) < {_INF} THEN {x} {'ELSE 0.0 ' if zero else ''}END"
            numbers.append(f"{x if known and not zero else there} AS e{place}")
        weight, mark = self._roles.weight, self._roles.group
        numbers.append(f"CAST({self._source.columns[weight].expression} AS DOUBLE) AS w" if weight else "1 AS w")
        numbers += [f"{self._source.columns[mark].expression} AS mark"] if mark else []
        kept = " AND ".join(f"e{m} IS NOT NULL" for m in self._models)
        rows = f"(SELECT {', '.join(numbers)} FROM {self._source.relation})" + (f" WHERE {kept}" if drop else "")
        size = [f"abs(e{m}) AS l{m}" if self._lower else f"e{m} AS l{m}" for m in self._models]
        rows = f"(SELECT *, {', '.join(size)} FROM {rows})"
        best = f"{'least' if self._lower else 'greatest'}({', '.join(f'l{m}' for m in self._models)})"
        return f"(SELECT *, {best} AS best FROM {rows})"

    def _won(self, model: int) -> str:
        away, size = (f"l{model} - best", "best") if self._lower else (f"best - l{model}", "abs(best)")
        return f"coalesce({away} <= {TIE!r} * {size}, false)"

    def sums(self, *, drop: bool) -> Mapping[str, Any]:
        """Return all sums, in one scan; what two of them have in common is added up once."""
        asked = self._asked()
        inside = [f"{self._inside(m)} AS t{m}" for m in self._models] if self._ask.tolerance is not None else []
        won = [f"CAST({self._won(m)} AS TINYINT) AS k{m}" for m in self._models]
        extra = ", ".join([*(f"{self._x(m)} AS x{m}" for m in self._models), *won, *inside])
        distinct = list(dict.fromkeys(asked.values()))
        columns = ", ".join(f"{expression} AS s{place}" for place, expression in enumerate(distinct))
        answer = self._fetch(f"SELECT {columns} FROM (SELECT *, {extra} FROM {self._losses(drop=drop)})")
        found = {name: answer[f"s{distinct.index(expression)}"][0] for name, expression in asked.items()}
        lows = [found[f"low{m}"] for m in self._models]
        known = [low for low in lows if low is not np.ma.masked]
        return found | {"lowest": min(known, default=None)}

    def _asked(self) -> dict[str, str]:
        """Every sum and its expression."""
        w, ww = ("w * ", "w * w * ") if self._roles.weight else ("", "")
        winners = " + ".join(f"k{m}" for m in self._models)
        asked = {
            "n": "count(*)", "total": "sum(w)" if w else "count(*)", "squared_total": "sum(w * w)" if w else "count(*)",
            "ties": f"count(*) FILTER ({winners} > 1)", "zeros": "count(*) FILTER (best = 0)",
            "failed": "count(*) - count(best)",
        }  # fmt: skip
        for m in self._models:
            size = f"l{m}" if self._lower else f"abs(l{m})"
            x = f"l{m}" if self._x(m) == f"l{m}" else f"x{m}"
            asked |= {
                f"solved{m}": f"count(l{m})", f"mass{m}": f"sum(w) FILTER (l{m} IS NOT NULL)" if w else f"count(l{m})",
                f"e{m}": f"sum({w}e{m})", f"a{m}": f"sum({w}{size})", f"s{m}": f"sum({w}l{m} * l{m})",
                f"x{m}": f"sum({w}{x})", f"v{m}": f"sum({ww}{x})", f"o{m}": f"sum({ww}{x} * {x})",
                f"low{m}": "min(best)" if self._lower else f"min(l{m})", f"wins{m}": f"sum({w}k{m})",
            }  # fmt: skip
            asked |= {f"d{m}_{q}": f"sum({ww}(x{m} - x{q}) * (x{m} - x{q}))" for q in self._models if q > m}
            if self._ask.tolerance is not None:
                mass = "sum(w)" if w else "count(*)"
                asked |= {f"t{m}_{q}": f"{mass} FILTER (t{m} AND t{q})" for q in self._models if q >= m}
        return asked

    def _x(self, model: int) -> str:
        """What is averaged."""
        squared = self._lower and self._ask.loss == "squared"
        return f"l{model} * l{model}" if squared else f"l{model}"

    def _inside(self, model: int) -> str:
        size = float(self._ask.tolerance or 0.0)
        away = f"l{model}" if self._lower else f"best - l{model}"
        return f"coalesce({away} <= {size!r} + {TIE!r} * greatest({size!r}, abs(l{model})), false)"

    def steps(self, sums: Mapping[str, Any], *, drop: bool) -> Array:
        """Return the weight of each model's ratios at every grid point (M × 1027), in one scan.

        Conditions are asked only where there is no logarithm. One too small for a step counts as 0 at first: how many
        ratios are 1 is known from the sums.
        """
        steps = np.zeros((len(self._models), BINS + 3))
        for m, (places, masses) in zip(self._models, self._places(sums, drop=drop), strict=True):
            steps[m] = np.bincount(np.where(places > _FAR, BINS + 2, np.minimum(places, BINS + 1)), masses, BINS + 3)
            wins = number(sums[f"wins{m}"])
            steps[m, 1] += max(steps[m, 0] - wins, 0.0)
            steps[m, 0] = wins
        return steps

    def _places(
        self, sums: Mapping[str, Any], *, drop: bool
    ) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]]:
        """Each model's logarithms in steps and their weight; beyond `_FAR` what is infinite."""
        known = not drop and all(number(sums[f"solved{m}"]) == number(sums["n"]) for m in self._models)
        names = ", ".join(f"b{m}" for m in self._models)
        tags = ", ".join(f"grouping(b{m}) AS g{m}" for m in self._models)
        sets = ", ".join(f"(b{m})" for m in self._models)
        mass = "sum(w)" if self._roles.weight else "count(*)"
        bins = ", ".join(f"{self._bin(m)} AS b{m}" for m in self._models)
        answer = self._fetch(
            f"SELECT {names}, {tags}, {mass} AS mass FROM "
            f"(SELECT w, {bins} FROM {self._losses(drop=drop, known=known)}) GROUP BY GROUPING SETS ({sets})"
        )
        masses = np.asarray(answer["mass"], dtype=np.float64)
        for m in self._models:
            own = np.asarray(answer[f"g{m}"]) == 0
            yield np.ma.getdata(answer[f"b{m}"])[own].astype(np.int64), masses[own]

    def _bin(self, model: int) -> str:
        over, under = (f"l{model}", "best") if self._lower else ("best", f"l{model}")
        steps = f"ceil(ln({over} / (CASE WHEN {under} > 0 THEN {under} END)) / {LOG_STEP!r} - {NEAR!r})"
        otherwise = f"CASE WHEN {self._won(model)} THEN 0 ELSE {_FAR + 1} END"
        return f"CAST(least(coalesce({steps}, {otherwise}), {_FAR + 1}) AS INTEGER)"

    def groups(self, *, drop: bool) -> tuple[npt.NDArray[Any], Sequence[Any]] | None:
        """Return each group's count, size and sums of goodness (rows of one table), and the groups' values."""
        if self._roles.group is None:
            return None
        sign = "-" if self._lower else ""
        sums = ", ".join(f"sum({sign}w * {self._x(m)}) AS x{m}" for m in self._models)
        answer = self._fetch(
            f"SELECT mark, count(*) AS n, sum(w) AS size, {sums} FROM {self._losses(drop=drop)} "
            "GROUP BY mark ORDER BY mark"
        )
        columns = [answer["n"], answer["size"], *(np.ma.filled(answer[f"x{m}"], np.nan) for m in self._models)]
        return np.array([np.asarray(column, dtype=np.float64) for column in columns]), [
            self._source.shown(self._roles.group, value) for value in answer["mark"].tolist()
        ]


def _first(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {name: column[0] for name, column in answer.items()}
