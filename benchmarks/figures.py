"""The page and its figures, against importing matplotlib and drawing an empty figure per chart."""

from __future__ import annotations

from benchmarks.measuring import Result, in_process

SETUP = """
import sys, time
import numpy as np
models, n = int(sys.argv[1]), int(sys.argv[2])
"""
OURS = """
import tiebreak as tb
rng = np.random.default_rng(0)
truth = rng.integers(0, 10, n)
answers = {f"model {m}": np.where(rng.random(n) < 0.1 + 0.02 * m, (truth + 1) % 10, truth) for m in range(models)}
comparison = tb.compare(truth, answers)
begun = time.perf_counter()
comparison.report("/dev/null", force=True)
from tiebreak.views.page import page
result = {"seconds": time.perf_counter() - begun, "charts": 0, "size": 0}
written = page(comparison)
result["charts"], result["size"] = written.count("<svg "), len(written.encode())
"""
EMPTY = """
begun = time.perf_counter()
import io
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
for _ in range(int(sys.argv[3])):
    figure = Figure(figsize=(7.4, 4.2), layout="constrained")
    FigureCanvasSVG(figure)
    figure.add_subplot()
    figure.savefig(io.StringIO(), format="svg")
result = {"seconds": time.perf_counter() - begun}
"""
NOTEBOOK = """
import tiebreak as tb
rng = np.random.default_rng(0)
truth = rng.integers(0, 10, n)
answers = {f"model {m}": np.where(rng.random(n) < 0.1 + 0.02 * m, (truth + 1) % 10, truth) for m in range(models)}
comparison = tb.compare(truth, answers)
comparison._repr_html_()
times = []
for _ in range(5):
    begun = time.perf_counter()
    comparison._repr_html_()
    times.append(time.perf_counter() - begun)
begun = time.perf_counter()
str(comparison)
result = {"seconds": min(times), "text": time.perf_counter() - begun}
"""


def page(models, n, rounds):
    """Each side in a process of its own, which imports what it needs; the runs take turns."""
    pairs = []
    for _ in range(rounds):
        ours = in_process(SETUP + OURS, models, n)
        pairs.append((ours, in_process(SETUP + EMPTY, models, n, ours["charts"])))
    ours = min(one["seconds"] for one, _ in pairs)
    empty = min(other["seconds"] for _, other in pairs)
    charts = pairs[0][0]["charts"]
    what = f"page of {models} models × {n:.0e} instances"
    yield Result(what, ours, empty, f"importing matplotlib and {charts} empty figures", 3)
    yield Result(f"{what}, size", pairs[0][0]["size"] / 2**20, 3.0, "3 MB, the limit of 50 models", 1, "MB")


def notebook(models, n):
    found = in_process(SETUP + NOTEBOOK, models, n)
    yield Result(f"notebook of {models} models", found["seconds"], found["text"], "the same as text", 3)


def all_results(quick):
    """Yield every figure of this part."""
    n = 10_000 if quick else 100_000
    yield from page(10, n, 1 if quick else 3)
    yield from notebook(10, n)
