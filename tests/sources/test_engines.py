"""The engine contract: the same rows give the same table, to the integer, wherever they are and however they are counted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import cases
import numpy as np
import pytest

import naive
from tiebreak.errors import UnreadableSource
from tiebreak.sources import Ask, opened, plan
from tiebreak.tables import CELLS

ASK = Ask(missing="wrong")


def joint(opened_source):
    return plan.counted(opened_source.source, opened_source.ask, opened_source.roles).tally


def by_words(opened_source):
    return plan.by_words(opened_source.source, opened_source.ask, opened_source.roles).tally


def typed(counts):
    return {tuple((type(label), label) for label in outcome): count for outcome, count in counts.items()}


def check(make, columns, *, as_text=False):
    expected = cases.expected(columns, as_text=as_text)
    table = make()
    counted = joint(table)
    assert counted.plan == "outcomes"
    # As (type, value): 1, 1.0 and True are equal to Python, and would hide each other in a dictionary.
    assert typed(naive.counts_of(counted)) == typed(expected)
    assert counted.missing == tuple(sum(v is None or v != v for v in c) for c in columns[1:])
    words = by_words(make())
    assert words.plan == "words"
    assert words.pairs().tolist() == counted.pairs().tolist()
    assert words.missing == counted.missing
    truth, *answers = columns
    br, rw, wr, bw, same = naive.prayatul(truth, answers[0], answers[1])
    assert words.pairs()[0, 1].tolist() == [br, rw, wr, bw]
    # The way back to the rows finds as many as the table counted, cell by cell, and the pair counted alone agrees.
    shown = {cell: table.instances("p", "q", cell, 2).total for cell in CELLS}
    assert shown == dict(zip(CELLS, (br, rw, wr, bw), strict=True))
    alone = table.pair("p", "q").pair("p", "q")
    assert (alone.cells().tolist(), alone.both_wrong_same) == ([br, rw, wr, bw], same)


@pytest.mark.parametrize("case", cases.CASES)
@pytest.mark.parametrize("engine", cases.IN_MEMORY)
def test_every_engine_counts_the_same(engine, case):
    kind, columns = cases.CASES[case]
    data = cases.IN_MEMORY[engine](kind, columns)
    check(lambda: opened(data, None, ASK), columns)


@pytest.mark.parametrize("case", cases.CASES)
@pytest.mark.parametrize("form", cases.FILES)
def test_every_file_format_counts_the_same(form, case, tmp_path):
    kind, columns = cases.CASES[case]
    if case == "text with a NUL" and form in {"csv", "tsv"}:
        cases.FILES[form](kind, columns, tmp_path / f"preds.{form}")
        with pytest.raises(UnreadableSource, match="holds NUL bytes"):
            opened(str(tmp_path / f"preds.{form}"), None, ASK)
        return
    path = tmp_path / f"preds.{form}"
    cases.FILES[form](kind, columns, path)
    check(lambda: opened(str(path), None, ASK), columns, as_text=form in {"csv", "tsv"} and kind in {"bool", "decimal"})


@pytest.mark.parametrize("case", ["integers", "text", "text with gaps"])
def test_separate_series_of_any_library_count_like_a_frame(case):
    kind, columns = cases.CASES[case]
    for build in (cases.to_pandas_plain, cases.to_polars, cases.to_arrow):
        frame = build(kind, columns)
        y, *rest = (frame[name] for name in cases.NAMES)
        found = joint(opened(y, dict(zip(cases.NAMES[1:], rest, strict=True)), ASK))
        assert naive.counts_of(found) == cases.expected(columns)


@pytest.mark.parametrize("case", ["integers with gaps", "text with gaps", "whole floats"])
@pytest.mark.parametrize("engine", ["lists", "pandas", "polars", "pyarrow", "duckdb", "dask", "ibis"])
def test_dropping_is_the_same_everywhere_and_by_both_plans(engine, case):
    kind, columns = cases.CASES[case]
    data = cases.IN_MEMORY[engine](kind, columns)
    rows = [row for row in zip(*columns, strict=True) if not any(v is None or v != v for v in row)]
    one = joint(opened(data, None, Ask(missing="drop")))
    two = by_words(opened(data, None, Ask(missing="drop")))
    assert naive.counts_of(one) == cases.expected(list(zip(*rows, strict=True)))
    assert two.pairs().tolist() == one.pairs().tolist()
    assert one.excluded == two.excluded == cases.SIZE - len(rows)


WEIGHTS = [0.1 * (1 + k % 7) for k in range(cases.SIZE)]


@pytest.mark.parametrize(
    "engine", ["lists", "pandas", "polars", "polars lazy", "pyarrow", "duckdb", "dask", "csv", "parquet"]
)
def test_weights_have_the_same_sums_to_the_last_bit_everywhere(engine, tmp_path):
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    kind, columns = cases.CASES["integers"]
    table = cases.to_arrow(kind, columns).append_column("w", pa.array(WEIGHTS))
    path = tmp_path / f"w.{engine}"
    if engine == "csv":
        pyarrow.csv.write_csv(table, path)
        data = str(path)
    elif engine == "parquet":
        pyarrow.parquet.write_table(table, path)
        data = str(path)
    else:
        import dask.dataframe as dd
        import duckdb
        import polars as pl

        data = {
            "lists": lambda: dict(zip([*cases.NAMES, "w"], [*columns, WEIGHTS], strict=True)),
            "pandas": table.to_pandas,
            "polars": lambda: pl.from_arrow(table),
            "polars lazy": lambda: pl.from_arrow(table).lazy(),
            "pyarrow": lambda: table,
            "duckdb": lambda: duckdb.connect().from_arrow(table),
            "dask": lambda: dd.from_pandas(table.to_pandas(), npartitions=4),
        }[engine]()
    reference = joint(opened(columns[0], dict(zip("pqr", columns[1:], strict=True)), Ask(), WEIGHTS))
    for tally in (joint(opened(data, None, Ask(weight="w"))), by_words(opened(data, None, Ask(weight="w")))):
        assert tally.total == reference.total
        assert tally.total_of_squares == reference.total_of_squares
        assert tally.pairs().tolist() == reference.pairs().tolist()
    found = joint(opened(data, None, Ask(weight="w")))
    assert found.cells.mass.weights.sums.tobytes() == reference.cells.mass.weights.sums.tobytes()
    assert found.cells.mass.weights.squares.tobytes() == reference.cells.mass.weights.squares.tobytes()


def test_the_callers_objects_are_never_modified():
    for engine in ("pandas", "pandas object", "polars", "numpy"):
        kind, columns = cases.CASES["text with gaps"]
        data = cases.IN_MEMORY[engine](kind, columns)
        before = repr(data)
        joint(opened(data, None, ASK))
        assert repr(data) == before


@pytest.mark.spark
@pytest.mark.parametrize("mode", ["classic", "connect"])
def test_spark_counts_the_same(mode, tmp_path):
    """In a process of its own: a session of one mode keeps the other from starting."""
    script = Path(__file__).with_name("spark_contract.py")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(script.parent), str(script.parent.parent)])}
    done = subprocess.run(
        [sys.executable, str(script), mode], capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=600
    )
    if done.returncode == 77:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stderr[-4000:]
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["checked"] == len(cases.CASES)
    assert report["failed"] == {}


@pytest.mark.spark
def test_a_cluster_that_loses_an_executor_counts_right_and_one_that_is_gone_is_told(tmp_path):
    pytest.importorskip("pyspark")
    script = Path(__file__).with_name("spark_faults.py")
    done = subprocess.run(
        [sys.executable, str(script), "faults"], capture_output=True, text=True, cwd=tmp_path, timeout=600
    )
    assert done.returncode == 0, done.stderr[-4000:]
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["executors"] == 2
    assert report["killed"], "the executor was lost too late, or not at all"
    instance = np.arange(12_000_000)
    p, q = instance % 7 != 0, instance % 5 != 0
    assert report["cells"] == [int((one & other).sum()) for one in (p, ~p) for other in (q, ~q)]
    assert report["gone"]
    assert report["said"].startswith("the frame cannot be computed (")
    assert "look whether its session still runs" in report["said"]
