"""Beyond one file and one machine: a billion rows, fifty models from Parquet, and Spark beside its own group-by."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.classifiers import BARE, OURS, write_parquet
from benchmarks.measuring import Result, in_process

WIDE = """
import sys, time
path, models = sys.argv[1], int(sys.argv[2])
names = [f"m{{k}}" for k in range(models)]
{setup}
begun = time.perf_counter()
{run}
result = {{"seconds": time.perf_counter() - begun}}
"""
WIDE_OURS = WIDE.format(
    setup="import tiebreak as tb; tb.compare",
    run='tb.compare(path, truth="g", models=names).source.close()',
)
WIDE_ARROW = WIDE.format(
    setup="import numpy as np, pyarrow.parquet as pq",
    run="""
bits = []
for batch in pq.ParquetFile(path).iter_batches(1 << 20):
    truth = batch.column(0).to_numpy()
    bits.append(np.array([np.packbits(batch.column(k + 1).to_numpy() == truth) for k in range(models)]))
packed = np.concatenate(bits, axis=1)
""",
)
SPARK = """
import os, sys, time
from pyspark.sql import SparkSession
path = sys.argv[1]
spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
         .config("spark.sql.shuffle.partitions", "2").config("spark.driver.memory", "4g").getOrCreate())
spark.sparkContext.setLogLevel("ERROR")
frame = spark.read.parquet(path)
import tiebreak as tb
def ours():
    tb.compare(frame, truth="g", models=["p", "q", "r"])
def bare():
    frame.groupBy("g", "p", "q", "r").count().collect()
best = [float("inf")] * 2
for _ in range(4):
    for place, call in enumerate((ours, bare)):
        begun = time.perf_counter()
        call()
        best[place] = min(best[place], time.perf_counter() - begun)
spark.stop()
result = {"ours": best[0], "bare": best[1]}
"""


def billion(n):
    """A file listed twenty times: memory does not grow with the rows."""
    with tempfile.TemporaryDirectory() as folder:
        write_parquet(Path(folder) / "one.parquet", n // 20, text=False)
        parts = Path(folder) / "parts"
        parts.mkdir()
        for k in range(20):
            (parts / f"{k:02}.parquet").symlink_to(Path(folder) / "one.parquet")
        ours = in_process(OURS, parts, "g,p,q,r")
        bare = in_process(BARE, f"{parts}/*.parquet", "g,p,q,r")
        yield Result(
            f"{n:.0e} rows of Parquet in twenty files", ours["seconds"], bare["seconds"], "the bare GROUP BY", 1.3
        )
        yield Result(f"{n:.0e} rows of Parquet, peak memory", ours["peak"], 400, "400 MB", 1, "MB")


def many_models(models, n):
    """Right/wrong words of many models, from Parquet, beside Arrow batches and packbits."""
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wide.parquet"
        columns = ["(hash(i) % 10)::TINYINT AS g"]
        answer = "CASE WHEN hash(i + {}) % 10 < 8 THEN hash(i) ELSE hash(i + {}) END % 10"
        columns += [f"({answer.format(k + 1, 10 * (k + 1))})::TINYINT AS m{k}" for k in range(models)]
        duckdb.sql(f"COPY (SELECT {', '.join(columns)} FROM range({n}) t(i)) TO '{path}' (FORMAT parquet)")
        # Taking turns: the first process after the file was written finds the machine cold.
        rounds = [[in_process(code, path, models) for code in (WIDE_OURS, WIDE_ARROW)] for _ in range(3)]
        ours, arrow = (min(found, key=lambda each: each["seconds"]) for found in zip(*rounds, strict=True))
        what = f"{models} models × {n:.0e} rows of Parquet"
        yield Result(what, ours["seconds"], arrow["seconds"], "Arrow batches and packbits, without the pairs", 2)
        yield Result(f"{what}, peak memory", ours["peak"], arrow["peak"], "the same", None, "MB")


def spark(n):
    """Spark on this machine: the whole comparison beside the bare group-by of the same frame."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spark.parquet"
        write_parquet(path, n, text=True)
        found = in_process(SPARK, path)
        yield Result(f"{n:.0e} rows in Spark local[2]", found["ours"], found["bare"], "the bare groupBy().count()", 1.2)


def all_results(*, quick):
    shrink = 50 if quick else 1
    yield from billion(10**9 // shrink)
    yield from many_models(50, 10**7 // shrink)
    yield from spark(2 * 10**7 // shrink)
