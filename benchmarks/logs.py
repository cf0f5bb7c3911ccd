"""Eval logs against merely parsing them; tally files against the rows they stand for."""

from __future__ import annotations

import hashlib
import json
import random
import tempfile
from pathlib import Path

import duckdb
import numpy as np

import tiebreak as tb
from benchmarks.measuring import Result, best

CHOICES = ("yes", "no", "maybe", "never")
FIELDS = ("doc_id", "doc_hash", "target_hash", "prompt_hash", "filter", "acc")


def write_logs(folder, models, documents):
    """Folders as lm-eval leaves them: about 2.5 kB a row."""
    rng = random.Random(0)
    docs = [{"question": f"question {k} {'of some length ' * 20}", "answer": k % 4} for k in range(documents)]
    digests = [hashlib.sha256(json.dumps(doc).encode()).hexdigest() for doc in docs]
    for model in range(models):
        inner = Path(folder) / f"m{model}"
        inner.mkdir()
        with (inner / "samples_mc_2026-01-01T00-00-00.000000.jsonl").open("w") as file:
            for place, (doc, digest) in enumerate(zip(docs, digests, strict=True)):
                asked = {f"gen_args_{k}": {"arg_0": doc["question"], "arg_1": c} for k, c in enumerate(CHOICES)}
                row = {
                    "doc_id": place, "doc": doc, "target": str(doc["answer"]), "arguments": asked,
                    "resps": [[["-1.0", "False"]]] * 4, "filtered_resps": [["-1.0", "False"]] * 4, "filter": "none",
                    "metrics": ["acc"], "doc_hash": digest, "prompt_hash": digest, "target_hash": digest,
                    "acc": float(rng.random() < 0.4 + model / (2 * models)),
                }  # fmt: skip
                file.write(json.dumps(row) + "\n")
    return sorted(map(str, Path(folder).glob("*/*.jsonl")))


def many_logs(models, documents):
    """From the folders to the tally of all models."""
    columns = ", ".join(f"{field}: 'VARCHAR'" for field in FIELDS)
    parse = f"CREATE TABLE parsed AS SELECT * FROM read_json(?, format = 'newline_delimited', columns = {{{columns}}})"
    with tempfile.TemporaryDirectory() as folder:
        files = write_logs(folder, models, documents)
        ours, bare = best(lambda: tb.tally(folder), lambda: duckdb.connect().execute(parse, [files]), rounds=3)
    yield Result(f"{models} lm-eval logs of {documents} documents", ours, bare, "DuckDB parsing the same fields", 2)


def tally_files(n):
    """Adding the kept parts of a table against counting its rows again."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 10, n, dtype=np.int8)
    p, q = (np.where(rng.random(n) < 0.1, (truth + 1) % 10, truth) for _ in range(2))
    with tempfile.TemporaryDirectory() as folder:
        for part in range(20):
            rows = slice(part * n // 20, (part + 1) * n // 20)
            tb.write_tally(tb.tally(truth[rows], {"p": p[rows], "q": q[rows]}), Path(folder) / f"{part}.tally")
        again = {"y_true": truth, "p": p, "q": q}
        ours, rows_again = best(lambda: tb.tally(folder), lambda: tb.tally(again), rounds=3)
    yield Result(f"20 tallies of {n:.0e} rows, added", ours, rows_again, "counting the rows again", None)


def all_results(*, quick=False):
    """Every figure of this page."""
    yield from many_logs(*((60, 200) if quick else (300, 1000)))
    yield from tally_files(1_000_000 if quick else 10_000_000)
