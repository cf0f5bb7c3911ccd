"""The engine contract on Spark, run as a script: `spark_contract.py classic|connect`; exit code 77 where it cannot run."""

import json
import shutil
import sys
import traceback
from dataclasses import replace

import cases
import pyarrow as pa

import naive
from tiebreak.sources import Ask, opened, plan
from tiebreak.tables import loss_sums

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.default.parallelism": "1",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "Europe/Berlin",
}


def session(mode):
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        print("pyspark is not installed")
        sys.exit(77)
    if shutil.which("java") is None:
        print("no Java runtime")
        sys.exit(77)
    builder = SparkSession.builder
    builder = builder.remote("local[2]") if mode == "connect" else builder.master("local[2]")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def check(spark, kind, columns):
    table = cases.to_arrow("text" if kind == "category" else kind, columns)
    names = table.column_names
    if kind in {"zoned", "moment"}:
        # Spark reads Arrow's points in time by their local time, and an hour that comes twice as the later one: what
        # is lost before the frame exists is none of ours.
        frame = spark.createDataFrame(table.cast(pa.schema([(name, pa.int64()) for name in names])))
        frame = frame.selectExpr(*(f"timestamp_micros({name}) AS {name}" for name in names))
        if kind == "moment":
            utc = (f"to_utc_timestamp({name}, current_timezone())" for name in names)
            frame = frame.selectExpr(*(f"CAST({e} AS TIMESTAMP_NTZ) AS {name}" for e, name in zip(utc, names)))
    else:
        frame = spark.createDataFrame(table)
    ask = Ask(missing="wrong")
    one, two = opened(frame, None, ask), opened(frame, None, ask)
    joint = plan.counted(one.source, ask, one.roles).tally
    words = plan.by_words(two.source, ask, two.roles).tally
    assert naive.counts_of(joint) == cases.expected(columns)
    assert words.pairs().tolist() == joint.pairs().tolist()
    assert words.missing == joint.missing
    found = one.instances("p", "q", "right_wrong", 3)
    assert found.total == joint.pair("p", "q").right_wrong


def check_numbers(spark):
    """Collected and added up on Spark, with gaps, weights and groups, against the same rows in memory."""
    import test_numbers as numbers

    rows = numbers.table(numbers.GAPPY)
    frame = spark.createDataFrame(numbers.to_arrow(rows))
    for policy in ("wrong", "drop"):
        ask = replace(numbers.REGRESSION, missing=policy, weight="w", group="g", tolerance=0.5)
        near, far = opened(rows, None, ask).losses, opened(frame, None, ask)
        assert sorted(map(repr, far.losses.values)) == sorted(map(repr, near.values))
        numbers.assert_sums(replace(far, collect_bytes=0).losses, loss_sums(near, tolerance=0.5))
    shown = far.instances("p", "q", "primary_better", 3)
    assert [row["gap"] for row in shown] == [
        row["gap"] for row in opened(rows, None, ask).instances("p", "q", "primary_better", 3)
    ]


def main(mode):
    spark, failed = session(mode), {}
    try:
        check_numbers(spark)
    except Exception:
        failed["numbers"] = traceback.format_exc()[-1500:]
    for name, (kind, columns) in cases.CASES.items():
        try:
            check(spark, kind, columns)
        except Exception:
            failed[name] = traceback.format_exc()[-1500:]
    spark.stop()
    print(json.dumps({"checked": len(cases.CASES), "failed": failed}))


main(sys.argv[1])
