"""The installed package with its core dependencies alone, run as a script by CI: no frame library, no scikit-learn."""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import tiebreak as tb

for name in ("pandas", "polars", "pyarrow", "sklearn", "pytest"):
    assert importlib.util.find_spec(name) is None, f"{name} is installed: this is not the core"

truth, p, q = ["a", "b", "b"] * 50_000, ["a", "b", "a"] * 50_000, ["a", "a", "b"] * 50_000
for make in (list, np.array, lambda column: np.array(column, dtype=object)):
    comparison = tb.compare(make(truth), {"p": make(p), "q": make(q)})
    assert comparison.pair("p", "q").prayatul.counts.cells().tolist() == [50_000] * 3 + [0]
    assert tb.Comparison.from_dict(comparison.to_dict()).to_dict() == comparison.to_dict()

with tempfile.TemporaryDirectory() as folder:
    rows = zip(truth[:9], p[:9], q[:9], strict=True)
    text = "y_true,p,q\n" + "".join(",".join(row) + "\n" for row in rows)
    (Path(folder) / "a.csv").write_text(text)
    import duckdb

    duckdb.sql(f"COPY (FROM read_csv('{folder}/a.csv')) TO '{folder}/a.parquet'")
    duckdb.sql(f"COPY (FROM read_csv('{folder}/a.csv')) TO '{folder}/a.jsonl' (FORMAT json)")
    command = [sys.executable, "-m", "tiebreak"]
    for form in ("csv", "parquet", "jsonl"):
        done = subprocess.run([*command, "compare", f"{folder}/a.{form}"], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("p and q are level at 66.7 %"), done.stdout
        assert done.stderr == "", done.stderr
    page = comparison.report(Path(folder) / "page.html").read_text(encoding="utf-8")
    assert page.count("<figure ") == page.count("pip install &#39;tiebreak[plot]&#39;") >= 5
    assert "<table" in comparison._repr_html_()
    papers = subprocess.run([*command, "papers"], capture_output=True, text=True)
    assert papers.returncode == 2, papers
    assert "pip install 'tiebreak[papers]'" in papers.stderr, papers.stderr
    explorer = subprocess.run([*command, "explore", f"{folder}/a.parquet"], capture_output=True, text=True)
    assert explorer.returncode == 2, explorer
    assert "pip install 'tiebreak[explore]'" in explorer.stderr, explorer.stderr
demo = subprocess.run([*command, "demo"], capture_output=True, text=True, check=True)
assert "forest is ahead of the next best, logistic, but not surely" in demo.stdout, demo.stdout
