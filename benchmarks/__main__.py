"""`python -m benchmarks [--quick]` prints a table of ratios, each with its limit."""

from __future__ import annotations

import os
import platform
import sys
from itertools import chain
from pathlib import Path

from benchmarks import classifiers, logs
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
    for result in chain(classifiers.all_results(quick=quick), logs.all_results(quick=quick)):
        print(f"  {result.what}: {result.ratio:.3g} of {result.against}", file=sys.stderr)
        results.append(result)
    print(table(results))
    missed = [result for result in results if not result.kept]
    print(f"{len(results) - len(missed)} of {len(results)} within their limits")


main()
