"""`python -m benchmarks [--quick]` prints a table of ratios, each with its limit."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

from benchmarks import classes, classifiers, clusterings, explorer, figures, inference, logs, profiles
from benchmarks.measuring import table


def machine():
    """One line about where this was measured."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "?")
    return f"{os.cpu_count()} × {model}, Python {platform.python_version()}, {platform.system()}"


def main():
    quick = "--quick" in sys.argv
    print(machine() + (", quick: sizes divided, ratios are of small runs" if quick else ""))
    results = []
    for part in (classifiers, inference, classes, clusterings, profiles, figures, explorer, logs):
        for result in part.all_results(quick=quick):
            print(f"  {result.what}: {result.ratio:.3g} of {result.against}", file=sys.stderr)
            results.append(result)
    print(table(results))
    missed = [result for result in results if not result.kept]
    print(f"{len(results) - len(missed)} of {len(results)} within their limits")


main()
