"""`python -m benchmarks [--quick] [PART…]` prints a table of ratios, each with its limit.

A whole run that is not quick also writes `docs/benchmarks.md`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import platform
import sys
from pathlib import Path

from benchmarks.measuring import table
from benchmarks.page import page

PARTS = ("classifiers", "inference", "classes", "clusterings", "profiles", "figures", "explorer", "logs", "scale")
PEERS = ("numpy", "scipy", "duckdb", "narwhals", "pandas", "polars", "pyarrow", "scikit-learn", "mlxtend", "pyspark")
PEERS += ("pycm", "evalstats", "perfprof", "rliable", "streamlit")


def machine():
    """One line about where this was measured."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "?")
    return f"{os.cpu_count()} × {model}, Python {platform.python_version()}, {platform.system()}"


def versions():
    """The versions of what was measured against."""
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PEERS)


def main():
    quick = "--quick" in sys.argv
    chosen = [part for part in PARTS if part in sys.argv[1:]] or list(PARTS)
    print(machine() + (", quick: sizes divided, ratios are of small runs" if quick else ""))
    found = {}
    for part in chosen:
        found[part] = []
        for result in importlib.import_module(f"benchmarks.{part}").all_results(quick=quick):
            print(f"  {result.what}: {result.ratio:.3g} of {result.against}", file=sys.stderr)
            found[part].append(result)
    every = [result for results in found.values() for result in results]
    print(table(every))
    print(f"{sum(result.kept for result in every)} of {len(every)} within their limits")
    if not quick and chosen == list(PARTS):
        Path("docs/benchmarks.md").write_text(page(found, machine(), versions()), encoding="utf-8")


main()
