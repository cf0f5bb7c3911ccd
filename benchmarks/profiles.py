"""Performance profiles: exact ones in memory, on a grid over Parquet, against NumPy, DuckDB and other packages."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from benchmarks.measuring import Result, best, in_process
from tiebreak.profiles import performance_profile


def losses(n, models, dtype=np.float32, seed=0):
    """Errors of models of about one quality, none of them 0."""
    rng = np.random.default_rng(seed)
    return rng.random((n, models), dtype=dtype) + dtype(0.01)


def divided_and_sorted(values):
    """The plainest exact profile: ratios, each column sorted."""
    ratios = values / values.min(axis=1, keepdims=True)
    ratios.sort(axis=0)
    return ratios


def in_memory(n, models, rounds=3):
    values = losses(n, models)
    ours, plain = best(lambda: performance_profile(values), lambda: divided_and_sorted(values), rounds=rounds)
    exact = performance_profile(values)
    table = values.astype(np.float64)
    within = (table <= 2 * table.min(axis=1, keepdims=True)).mean(axis=0)
    assert np.allclose(list(exact.at(2).values()), within, atol=1e-12)
    yield Result(f"profile of {n:.0e} × {models} float32", ours, plain, "NumPy divide and sort", 1.5)


OURS = """
import sys, time
from tiebreak.sources import Ask, opened
from tiebreak.profiles import performance_profile
begun = time.perf_counter()
source = opened(sys.argv[1], None, Ask(truth="y", task="regression"))
source = __import__("dataclasses").replace(source, collect_bytes=0)
profile = performance_profile(source.losses)
result = {"seconds": time.perf_counter() - begun, "at": list(profile.at(10).values())}
"""
# The same questions, put to the engine by hand: sums in one scan, the grid in another.
BARE = """
import sys, time, math
import duckdb
step = math.log(10) / 256
models = "abc"
begun = time.perf_counter()
with duckdb.connect(config={"memory_limit": "1GB"}) as c:
    rows = f"(SELECT {', '.join(f'abs({m}::DOUBLE - y) AS {m}' for m in models)} FROM '{sys.argv[1]}')"
    rows = f"(SELECT *, least({', '.join(models)}) AS best FROM {rows})"
    sums = [f"sum({m}), sum({m} * {m}), count(*) FILTER ({m} = best)" for m in models]
    sums += [f"sum(({p} - {q}) * ({p} - {q}))" for p, q in ("ab", "ac", "bc")]
    c.execute(f"SELECT {', '.join(sums)} FROM {rows}").fetchall()
    bins = ", ".join(f"CAST(least(ceil(ln({m} / best) / {step}), 1025) AS SMALLINT) AS b{m}" for m in models)
    sets = ", ".join(f"(b{m})" for m in models)
    names = ", ".join(f"b{m}" for m in models)
    rows = f"(SELECT {bins} FROM {rows})"
    found = c.execute(f"SELECT {names}, count(*) FROM {rows} GROUP BY GROUPING SETS ({sets})").fetchall()
at = [sum(row[3] for row in found if row[k] is not None and row[k] <= 256) for k in range(3)]
n = sum(row[3] for row in found if row[0] is not None)
result = {"seconds": time.perf_counter() - begun, "at": [x / n for x in at]}
"""


def over_parquet(n):
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "errors.parquet"
        drawn = "(hash(i + {}) % 1000003 / 1000003.0)::FLOAT AS {}"
        columns = ", ".join(drawn.format(k, model) for k, model in enumerate("abc"))
        duckdb.sql(f"COPY (SELECT 0.5::FLOAT AS y, {columns} FROM range({n}) t(i)) TO '{path}' (FORMAT parquet)")
        ours, bare = (in_process(code, path) for code in (OURS, BARE))
        assert np.allclose(ours["at"], bare["at"], atol=1e-4)
        what = f"profile of {n:.0e} × 3 rows of Parquet on the grid"
        yield Result(what, ours["seconds"], bare["seconds"], "the bare aggregations", 1.5)
        yield Result(f"{what}, peak memory", ours["peak"], 1024, "1 GB", 1, "MB")


def packages(n):
    """perfprof computes ratios and steps while it draws; rliable's curve is of scores, at given thresholds."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt
    from perfprof import perfprof
    from rliable import library

    values = losses(n, 3, np.float64)
    taus = np.geomspace(1, 100, 200)

    def drawn():
        perfprof(values, ["r-", "g-", "b-"], thmax=100)
        plt.close("all")

    ours, other = best(lambda: performance_profile(values).curve(), drawn, rounds=3)
    yield Result(f"profile of {n:.0e} × 3", ours, other, "perfprof", 1)
    scores = [column[:, None] for column in values.T]
    ours, other = best(
        lambda: performance_profile(values).curve(taus),
        lambda: [library.run_score_deviation(column, taus) for column in scores],
        rounds=3,
    )
    yield Result(f"profile of {n:.0e} × 3 at 200 factors", ours, other, "rliable, without its bands", 1)


def all_results(*, quick):
    shrink = 20 if quick else 1
    yield from in_memory(10**7 // shrink, 3)
    yield from in_memory(10**5 // (5 if quick else 1), 50)
    yield from over_parquet(10**8 // (50 if quick else 1))
    yield from packages(10**5 // (5 if quick else 1))
