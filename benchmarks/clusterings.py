"""Clusterings: the matrix of pairs from arrays and files, a million clusters, and the paper's own double loop."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.measuring import Result, best, in_process
from tiebreak.comparison.pair_prayatul import pair_prayatul_matrix


def labels(n, clusters, dtype, seed=0):
    """True clusters and two clusterings that move three in ten instances elsewhere."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, clusters, n).astype(dtype)
    moved = [np.where(rng.random(n) < 0.3, rng.integers(0, clusters, n), truth).astype(dtype) for _ in range(2)]
    return [truth, *moved]


def against_scikit_learn(n):
    from sklearn.metrics.cluster import pair_confusion_matrix

    g, p, q = labels(n, 50, np.int64)
    ours, theirs = best(
        lambda: pair_prayatul_matrix(g, p, q),
        lambda: [pair_confusion_matrix(*two) for two in ((g, p), (g, q), (p, q))],
        rounds=3,
    )
    yield Result(f"{n:.0e} labels, 50 clusters", ours, theirs, "three pair_confusion_matrix calls", 0.2)


def against_bincount(n, clusters):
    g, p, q = labels(n, clusters, np.int32)
    keys = [(one * clusters + two).astype(np.int32) for one, two in ((g, p), (g, q), (p, q))]
    ours, bare = best(lambda: pair_prayatul_matrix(g, p, q), lambda: [np.bincount(key) for key in keys], rounds=5)
    what = f"{n:.0e} int32 labels, {clusters} clusters"
    yield Result(what, ours, bare, "three bare bincount passes over ready keys", 3)


def with_its_doubt(n):
    from tiebreak.inference import rand_difference
    from tiebreak.sources import Ask, opened

    g, p, q = labels(n, 50, np.int32)

    def doubt():
        found = opened(g, {"p": p, "q": q}, Ask(task="clustering"))
        return rand_difference(found.clustered_cells("p", "q")).interval()

    ours, matrix = best(doubt, lambda: pair_prayatul_matrix(g, p, q), rounds=3)
    yield Result(f"{n:.0e} int32 labels, interval", ours, matrix, "the matrix alone", 2)


FILE = """
import time
path = __import__("sys").argv[1]
{setup}
times = []
for _ in range(3):
    begun = time.perf_counter()
    {run}
    times.append(time.perf_counter() - begun)
result = {{"seconds": min(times)}}
"""
OURS = FILE.format(
    setup="""
from tiebreak.sources import Ask, opened
def ours():
    found = opened(path, None, Ask(task="clustering", truth="g"))
    found.partitions.pair("p", "q")
    found.close()
""",
    run="ours()",
)
BARE = FILE.format(
    setup="""
import duckdb
def bare():
    with duckdb.connect(config={"memory_limit": "2GB"}) as c:
        c.execute(f"SELECT g, p, q, count(*) FROM '{path}' GROUP BY ALL").fetchnumpy()
""",
    run="bare()",
)


def files(n):
    import duckdb

    moved = [f"CASE WHEN hash(i + {k}) % 10 < 7 THEN {{g}} ELSE hash(i + {10 * k}) % 20 END" for k in (1, 2)]
    g = "hash(i) % 20"
    columns = [g, *(expression.format(g=g) for expression in moved)]
    selected = ", ".join(f"({column})::INTEGER AS {name}" for column, name in zip(columns, "gpq", strict=True))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.parquet"
        duckdb.sql(f"COPY (SELECT {selected} FROM range({n}) t(i)) TO '{path}' (FORMAT parquet)")
        runs = [[in_process(code, path) for code in (OURS, BARE)] for _ in range(3)]
    ours, bare = (min(pair[side]["seconds"] for pair in runs) for side in (0, 1))
    yield Result(f"{n:.0e} rows of Parquet", ours, bare, "the bare GROUP BY", 1.3)
    peak = max(pair[0]["peak"] for pair in runs)
    yield Result(f"{n:.0e} rows of Parquet, peak memory", peak, 400, "400 MB", 1, "MB")


def double_loop(truth, primary, alternative):
    """The paper's own algorithm."""
    cells = [0, 0, 0, 0]
    for i in range(len(truth)):
        for j in range(i):
            together = truth[i] == truth[j]
            p = (primary[i] == primary[j]) == together
            q = (alternative[i] == alternative[j]) == together
            cells[2 * (not p) + (not q)] += 1
    return cells


def against_the_double_loop(n, limit):
    columns = labels(n, 3, np.int64)
    plain = [column.tolist() for column in columns]
    (ours,) = best(lambda: pair_prayatul_matrix(*columns), rounds=20)
    begun = time.perf_counter()
    cells = double_loop(*plain)
    loop = time.perf_counter() - begun
    assert cells == np.asarray(pair_prayatul_matrix(*columns)).reshape(-1).tolist()
    yield Result(f"{n:,} points", ours, loop, "the paper's double loop in plain Python", limit)


SPARSE = """
import sys
import numpy as np
from tiebreak.comparison.pair_prayatul import pair_prayatul_matrix
n, clusters = map(int, sys.argv[1:3])
rng = np.random.default_rng(0)
truth = rng.permutation(n).astype(np.int32) % clusters
columns = [np.where(rng.random(n) < 0.1, rng.integers(0, clusters, n), truth).astype(np.int32) for _ in range(2)]
result = {}
if len(sys.argv) > 3:
    pair_prayatul_matrix(truth, *columns)
"""


def many_clusters(clusters):
    """Peak memory above that of the labels alone, for twice as many instances as clusters."""
    peaks = {}
    for size in (clusters // 4, clusters):
        labels_only, all_of_it = (in_process(SPARSE, 2 * size, size, *more)["peak"] for more in ((), ("count",)))
        peaks[size] = all_of_it - labels_only
    cells = 2 * clusters / 1e6
    what = f"{clusters:.0e} clusters each, memory"
    yield Result(what, peaks[clusters], 500 * cells, "500 MB a million instances", 1, "MB")
    yield Result(what, peaks[clusters], 4 * peaks[clusters // 4], "four times that of a quarter", 1.3, "MB")


def all_results(*, quick):
    yield from against_scikit_learn(10**6)
    yield from against_bincount(10**7, 50)
    yield from against_bincount(10**7, 300)
    yield from with_its_doubt(10**7)
    # What NumPy takes for any size decides the first; the loop grows with the square of the points.
    for points, limit in ((1500, 0.01), (2000 if quick else 10_000, 0.01 if quick else 1e-4)):
        yield from against_the_double_loop(points, limit)
    yield from many_clusters(10**6 // (4 if quick else 1))
    yield from files(10**8 // (5 if quick else 1))
