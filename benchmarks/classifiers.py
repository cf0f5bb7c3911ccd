"""The tally and the Prayatul matrices: arrays, strings, files, many models, start-up."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
import tracemalloc
from pathlib import Path

import numpy as np

import tiebreak as tb
from benchmarks.measuring import Result, best, in_process

C_LOOP = """
#include <stdint.h>
#include <stddef.h>
void count(const int8_t *g, const int8_t *p, const int8_t *q, size_t n, int64_t *cells) {
    for (size_t i = 0; i < n; i++) cells[(g[i] * 10 + p[i]) * 10 + q[i]]++;
}
"""


def fused_loop(folder):
    """The reference: the same table counted by a C loop compiled on the spot; None without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    source, library = Path(folder) / "loop.c", Path(folder) / "loop.so"
    source.write_text(C_LOOP)
    subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source], check=True)
    return ctypes.CDLL(str(library)).count


def answers(n, models=2, seed=0):
    """True labels and predictions of ten classes that are right on about nine in ten instances."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 10, n, dtype=np.int8)
    wrong = [rng.random(n, dtype=np.float32) < 0.1 for _ in range(models)]
    return truth, [np.where(w, (truth + 1) % 10, truth).astype(np.int8) for w in wrong]


def one_byte_codes(n):
    from mlxtend.evaluate import mcnemar_table
    from sklearn.metrics import confusion_matrix

    truth, (p, q) = answers(n)
    cells = np.zeros(1000, dtype=np.int64)

    def ours():
        return tb.prayatul_matrix(truth, p, q)

    with tempfile.TemporaryDirectory() as folder:
        loop = fused_loop(folder)
        if loop is not None:

            def c():
                cells[:] = 0
                loop(
                    *(a.ctypes.data_as(ctypes.c_void_p) for a in (truth, p, q)),
                    ctypes.c_size_t(n),
                    cells.ctypes.data_as(ctypes.c_void_p),
                )

            fast, bare = best(ours, c, rounds=7)
            assert ours().n == cells.sum()
            yield Result(f"{n:.0e} one-byte codes", fast, bare, "a C loop compiled on the spot", 2.5)
    # The physical limit: a sum of eight bytes at a time does nothing but read.
    fast, read = best(ours, lambda: [column.view(np.int64).sum() for column in (truth, p, q)], rounds=5)
    yield Result(f"{n:.0e} one-byte codes", fast, read, "reading the same bytes, at the bandwidth of memory")
    fast, mlxtend = best(ours, lambda: mcnemar_table(truth, p, q), rounds=3)
    yield Result(f"{n:.0e} one-byte codes", fast, mlxtend, "mlxtend mcnemar_table", 1)
    part = slice(0, n // 10)
    fast, sklearn = best(
        lambda: tb.prayatul_matrix(truth[part], p[part], q[part]),
        lambda: (confusion_matrix(truth[part], p[part]), confusion_matrix(truth[part], q[part])),
        rounds=3,
    )
    yield Result(f"{n / 10:.0e} one-byte codes", fast, sklearn, "two scikit-learn confusion_matrix calls", 1)
    tracemalloc.start()
    ours()
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    yield Result(f"{n:.0e} one-byte codes, memory", peak, n / 2**20, "one input column", 0.25, "MB")


def strings(n):
    import pandas as pd

    truth, (p, q) = answers(n)
    names = np.array([f"class_{k}" for k in range(10)], dtype=object)
    objects = [names[column] for column in (truth, p, q)]
    series = [pd.Series(column).astype("str") for column in objects]
    for what, columns in (("Python strings", objects), ("pandas strings", series)):
        ours, factorize = best(
            lambda columns=columns: tb.prayatul_matrix(*columns),
            lambda columns=columns: [pd.factorize(c) for c in columns],
        )
        yield Result(f"{n:.0e} {what}", ours, factorize, "pandas.factorize on each column", 1.5)


FILE = """
import sys, time
import duckdb, numpy
path, keys = sys.argv[1], sys.argv[2]
{setup}
times = []
for _ in range(5):
    begun = time.perf_counter()
    {run}
    times.append(time.perf_counter() - begun)
result = {{"seconds": min(times)}}
"""
OURS = FILE.format(
    setup="import tiebreak as tb; tb.compare",
    run='tb.compare(path, truth="g", models=keys.split(",")[1:]).source.close()',
)
BARE = FILE.format(
    setup="""
def bare():
    with duckdb.connect(config={"memory_limit": "2GB"}) as c:
        c.execute(f"SELECT {keys}, count(*) FROM '{path}' GROUP BY ALL").fetchnumpy()
""",
    run="bare()",
)


def write_parquet(path, n, *, text):
    import duckdb

    def label(expression):
        return f"'class_' || ({expression})" if text else f"({expression})::TINYINT"

    g = "hash(i) % 10"
    columns = [f"{label(g)} AS g"]
    for k, name in enumerate(("p", "q", "r")):
        wrong = f"hash(i + {10 * (k + 1)}) % 10"
        columns.append(f"{label(f'CASE WHEN hash(i + {k + 1}) % 10 < 8 THEN {g} ELSE {wrong} END')} AS {name}")
    duckdb.sql(f"COPY (SELECT {', '.join(columns)} FROM range({n}) t(i)) TO '{path}' (FORMAT parquet)")


def files(n):
    with tempfile.TemporaryDirectory() as folder:
        for text in (False, True):
            kind = "strings" if text else "integers"
            peaks = {}
            for size in (n // 10, n):
                path = Path(folder) / f"{kind}-{size}.parquet"
                write_parquet(path, size, text=text)
                ours, bare = (in_process(code, path, "g,p,q,r") for code in (OURS, BARE))
                peaks[size] = ours["peak"]
                if size == n:
                    yield Result(
                        f"{n:.0e} rows of Parquet, {kind}", ours["seconds"], bare["seconds"], "the bare GROUP BY", 1.3
                    )
                    yield Result(f"{n:.0e} rows of Parquet, {kind}, peak memory", ours["peak"], 400, "400 MB", 1, "MB")
            yield Result(
                f"Parquet, {kind}, peak memory", peaks[n], peaks[n // 10], f"the same at {n / 10:.0e} rows", 1.25, "MB"
            )


def many_models(models, n):
    from mlxtend.evaluate import mcnemar_table

    truth, predictions = answers(n, models)
    named = {f"m{k}": column for k, column in enumerate(predictions)}
    packed = np.array([np.packbits(column == truth) for column in predictions])
    packed = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)

    def ours():
        from tiebreak.sources import Ask, opened

        return opened(truth, named, Ask()).tally.pairs()

    def bare():
        for k in range(models):
            np.bitwise_count(packed[k:] & packed[k]).sum(axis=1)

    fast, floor = best(ours, bare, rounds=3)
    pairs = models * (models - 1)
    yield Result(
        f"{models} models × {n:.0e} instances, {pairs:,} ordered pairs",
        fast,
        floor,
        "bare bitwise_count over every pair",
        3,
    )
    (few,) = best(lambda: [mcnemar_table(truth, predictions[0], predictions[k]) for k in range(1, 11)], rounds=1)
    yield Result(
        f"{models} models × {n:.0e} instances", fast, few / 10 * pairs, "looping over mlxtend (10 pairs, scaled)", 1
    )


def start_up():
    def process(*arguments):
        return lambda: subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)

    package, numpy = best(process("-c", "import tiebreak"), process("-c", "import numpy"), rounds=15)
    yield Result("import tiebreak", package, numpy, "import numpy", 1.3)
    command = str(Path(sys.executable).with_name("tiebreak"))
    called, nothing = best(
        lambda: subprocess.run([command, "--help"], check=True, stdout=subprocess.DEVNULL),
        process("-c", "pass"),
        rounds=15,
    )
    yield Result("tiebreak --help", called, nothing, "python -c pass", 7)


def all_results(*, quick):
    shrink = 20 if quick else 1
    yield from start_up()
    yield from one_byte_codes(10**8 // shrink)
    yield from strings(10**7 // shrink)
    yield from many_models(500 // (5 if quick else 1), 100_000)
    yield from files(50_000_000 // shrink)
