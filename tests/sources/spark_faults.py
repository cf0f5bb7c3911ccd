"""A Spark cluster on this machine that loses an executor in the middle of a count, and then its driver.

Run as a script, like the contract; prints what was counted and what was said.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import tiebreak as tb

ROWS = 12_000_000
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.memory": "1g",
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
}
ANSWERS = ["id % 3 AS y_true", *(f"(id + CAST(id % {k} = 0 AS INT)) % 3 AS {m}" for k, m in ((7, "p"), (5, "q")))]


def session():
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local-cluster[2,1,512]")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def processes(name):
    return [int(line) for line in subprocess.run(["pgrep", "-f", name], capture_output=True, text=True).stdout.split()]


def in_the_middle(spark, act):
    """Do something as soon as a stage has begun and not ended; returns where it says when that was."""
    done = threading.Event()

    def wait():
        tracker = spark.sparkContext.statusTracker()
        while not any(tracker.getStageInfo(stage).numActiveTasks for stage in tracker.getActiveStageIds()):
            time.sleep(0.02)
        act()
        done.set()

    threading.Thread(target=wait, daemon=True).start()
    return done


def main():
    spark = session()
    frame = spark.range(0, ROWS, 1, 16).selectExpr(*ANSWERS)
    frame.limit(1).collect()
    executors = processes("CoarseGrainedExecutorBackend")
    killed = in_the_middle(spark, lambda: os.kill(executors[0], signal.SIGKILL))
    pair = tb.compare(frame, truth="y_true", models=["p", "q"]).pair("p", "q").prayatul
    report = {
        "executors": len(executors),
        "killed": killed.is_set() and executors[0] not in processes("CoarseGrainedExecutorBackend"),
        "cells": [pair.both_right, pair.right_wrong, pair.wrong_right, pair.both_wrong],
    }
    driver = spark.sparkContext._gateway.proc
    gone = in_the_middle(spark, driver.kill)
    try:
        tb.compare(frame, truth="y_true", models=["p", "q"])
        report["said"] = "nothing"
    except tb.TiebreakError as error:
        report["said"] = str(error)
    print(json.dumps({**report, "gone": gone.is_set()}), flush=True)
    # The session cannot be stopped any more: its process is gone.
    os._exit(0)


if sys.argv[1:] == ["faults"]:
    main()
