"""Nothing is silently guessed, dropped or resolved: what was once quiet is now used, counted or refused."""

import math
import os
import subprocess
import sys

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import naive
import tiebreak as tb
from tiebreak.cli.main import run
from tiebreak.sources import plan


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(tmp_path / name)

    return write


@pytest.mark.parametrize("seed", range(30))
def test_any_weights_can_be_shown(seed):
    """Once, a cell that is 0 came out as a rounded difference below 0."""
    rng = np.random.default_rng(seed)
    truth, p, q = rng.integers(0, 2, (3, 40))
    comparison = tb.compare(truth, {"p": p, "q": q}, sample_weight=rng.random(40))
    str(comparison)
    assert tb.Comparison.from_dict(comparison.to_dict()).to_dict() == comparison.to_dict()
    pair = comparison.pair("p", "q").prayatul
    assert pair.both_wrong_same == pair.both_wrong


def test_weights_beside_a_table_in_memory_are_used_and_elsewhere_refused(write):
    frame = pd.DataFrame({"y_true": [1, 0], "a": [1, 0], "b": [0, 0]})
    assert tb.compare(frame, sample_weight=[10, 1]).weight == 11
    assert tb.compare(frame.to_dict("list"), sample_weight=[10, 1]).weight == 11
    for data in (write("a.csv", "y_true,a,b\n1,1,0\n0,0,0\n"), pl.from_pandas(frame)):
        with pytest.raises(tb.TiebreakError, match="give the name of its weight column"):
            tb.compare(data, sample_weight=[10, 1])


def test_names_of_columns_make_no_sense_beside_arrays_but_models_do():
    truth, answers = [1, 0], {"a": [1, 1], "b": [0, 0], "c": [1, 0]}
    assert tb.compare(truth, answers, models=["c", "a"]).names == ("c", "a")
    for argument in ({"truth": "y"}, {"id": "row"}, {"sample_weight": "w"}, {"long": ("m", "p")}):
        with pytest.raises(tb.TiebreakError, match="names a column, but the data are arrays"):
            tb.compare(truth, answers, **argument)
    with pytest.raises(tb.ColumnNotFound, match="models names 'd'"):
        tb.compare(truth, answers, models=["a", "d"])


def test_a_truth_beside_graded_answers_is_refused_or_noted(write):
    path = write("a.csv", "y_true,a,b\n1,1,0\n1,1,1\n")
    assert tb.compare(path, task="correct").names == ("a", "b")
    with pytest.raises(tb.TiebreakError, match="the answers are graded: leave it out"):
        tb.compare(path, task="correct", truth="y_true")
    noted = tb.compare([1, 1], {"a": [1, 1], "b": [0, 1]}, task="correct")
    assert noted.warnings == ("the truth was not used: the answers are already graded",)


def test_rows_are_shown_by_the_reading_they_were_counted_by(write):
    """A third model's text makes all columns text, also where two others are looked at."""
    path = write("a.csv", "y_true,a,b,c\n1,1.0,2,cat\n2,2,2,1\n1,1,1,1\n")
    comparison = tb.compare(path)
    assert comparison.pair("a", "b").prayatul.right_wrong == comparison.instances("a", "b").total == 0
    wide = write("b.csv", "y_true,a,b\n9007199254740993,9007199254740992,9007199254740993\n1,1.0,1\n1,1,1.0\n")
    comparison = tb.compare(wide)
    assert comparison.pair("b", "a").prayatul.right_wrong == comparison.instances("b", "a").total == 1


def test_graded_answers_of_any_spelling_are_found_again(write):
    table = pa.table({"a": ["true", "false", "true"], "b": ["false", "true", "false"]})
    for data in (table, pl.from_arrow(table), write("a.csv", "a,b\n1.0,0\n0,1\n1.0,0\n")):
        comparison = tb.compare(data, task="correct")
        assert comparison.pair("a", "b").prayatul.right_wrong == comparison.instances("a", "b").total == 2


def test_dates_and_their_text_are_two_kinds():
    frame = pl.DataFrame({"y_true": ["2026-01-01"], "a": ["2026-01-01"], "b": ["2026-01-01"]})
    with pytest.raises(tb.MixedLabels, match="dates"):
        tb.compare(frame.with_columns(pl.col("y_true").str.to_date()))


@pytest.mark.parametrize("value", [2.0**53, 1e300])
def test_damaged_floats_are_refused_in_arrays_too(value):
    array = np.array([value, value])
    with pytest.raises(tb.TiebreakError, match="lose digits"):
        tb.compare(array, {"a": array, "b": array})


def test_dropping_joined_files_needs_no_truth_for_what_is_dropped(write):
    one = write("p.csv", "id,y_true,y_pred,w\n1,a,a,1\n2,b,b,2\n3,c,c,3\n")
    two = write("q.csv", "id,y_pred\n2,b\n3,a\n4,a\n")
    comparison = tb.compare([one, two], missing="drop")
    assert (comparison.n, comparison.excluded) == (2, 2)
    assert tb.compare([one, two], missing="drop", sample_weight="w").weight == 5
    with pytest.raises(tb.MissingPredictions, match="truth 'y_true' is missing in 1 row"):
        tb.compare([one, two], missing="wrong")


def test_models_of_joined_files_are_chosen_ordered_and_checked(write):
    paths = [write(f"{name}.csv", f"id,y_true,y_pred\n1,a,{label}\n") for name, label in zip("pqs", "aab", strict=True)]
    assert tb.compare(paths, models=["s", "p"]).names == ("s", "p")
    with pytest.raises(tb.ColumnNotFound, match="models names 'nope', which is no column of the files"):
        tb.compare(paths, models=["nope", "p"])
    with pytest.raises(tb.TiebreakError, match="a long layout is one file"):
        tb.compare(paths, long=("m", "p"))


def test_truths_of_two_formats_are_one(write):
    one = write("c.csv", "id,truth,y_pred\n1,cat,cat\n2,dog,cat\n")
    two = write(
        "j.jsonl",
        "".join(f'{{"id": {k}, "truth": "{t}", "y_pred": "cat"}}\n' for k, t in ((1, "cat"), (2, "dog"), (3, "cat"))),
    )
    comparison = tb.compare([one, two], missing="wrong")
    assert comparison.model("j").right == 2
    assert comparison.labels == ("cat", "dog")


def test_weights_that_disagree_are_refused(write):
    one = write("p.csv", "id,y_true,y_pred,w\n1,a,a,1\n")
    two = write("q.csv", "id,y_true,y_pred,w\n1,a,a,9\n")
    with pytest.raises(tb.UnpairedInstances, match="disagree about the weight 'w' of 1 instance"):
        tb.compare([one, two], sample_weight="w")
    long = pd.DataFrame({"id": [1, 1], "y_true": ["a", "a"], "m": ["p", "q"], "p": ["a", "b"], "w": [1, 9]})
    for data in (long, pl.from_pandas(long), write("l.csv", long.to_csv(index=False))):
        with pytest.raises(tb.UnpairedInstances, match="weight 'w' differs between the rows"):
            tb.compare(data, long=("m", "p"), sample_weight="w")


def test_blank_lines_before_a_header(write):
    comparison = tb.compare(write("a.csv", "\n\ny_true,a,b\n1,1,0\n0,0,1\n"))
    assert (comparison.n, comparison.labels) == (2, (0, 1))


@pytest.mark.parametrize("kind", ["duckdb", "polars", "lazy", "pyarrow", "csv", "pandas"])
def test_repeated_ids_are_counted_whoever_holds_them(kind, write):
    frame = pd.DataFrame({"id": [5] * 2001, "y_true": 1, "a": 1, "b": 1})
    data = {
        "duckdb": lambda: duckdb.connect().from_df(frame), "polars": lambda: pl.from_pandas(frame),
        "lazy": lambda: pl.from_pandas(frame).lazy(), "pyarrow": lambda: pa.Table.from_pandas(frame),
        "csv": lambda: write("a.csv", frame.to_csv(index=False)), "pandas": lambda: frame,
    }[kind]()  # fmt: skip
    with pytest.raises(tb.DuplicateId, match=r"2,000 rows repeat an id \(5\)"):
        tb.compare(data)


def test_ids_that_do_not_rise_are_checked_too(write):
    ids = np.random.default_rng(0).permutation(5000)
    frame = pd.DataFrame({"id": ids, "y_true": 1, "a": 1, "b": 1})
    assert tb.compare(write("a.csv", frame.to_csv(index=False))).n == 5000
    frame.loc[4999, "id"] = ids[0]
    with pytest.raises(tb.DuplicateId, match="1 row repeats an id"):
        tb.compare(write("b.csv", frame.to_csv(index=False)))


@pytest.mark.parametrize("kind", ["series", "polars", "duckdb", "pandas"])
def test_the_order_of_an_enumeration_is_kept(kind):
    levels = ["low", "mid", "high"]
    frame = pl.DataFrame({name: pl.Series(["high", "low"], dtype=pl.Enum(levels)) for name in ("y_true", "a", "b")})
    relation = (
        "SELECT x::ENUM('low', 'mid', 'high') AS y_true, y_true AS a, y_true AS b FROM (VALUES ('high'), ('low')) t(x)"
    )
    comparison = {
        "series": lambda: tb.compare(frame["y_true"], {"a": frame["a"], "b": frame["b"]}),
        "polars": lambda: tb.compare(frame),
        "duckdb": lambda: tb.compare(duckdb.connect().sql(relation)),
        "pandas": lambda: tb.compare(pd.DataFrame({c: pd.Categorical(["high", "low"], levels, ordered=True) for c in frame.columns})),
    }[kind]()  # fmt: skip
    assert comparison.labels == ("low", "mid", "high")


def test_instances_that_weigh_nothing():
    with pytest.raises(tb.EmptyComparison, match="weigh 0 together"):
        tb.compare([1, 1], {"a": [1, None], "b": [0, 1]}, missing="drop", sample_weight=[0, 1])


@pytest.fixture
def many(monkeypatch):
    """Data that are counted as right/wrong words, because a joint table is declared too large."""
    monkeypatch.setattr(plan, "MOST_CODES", 8)
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 300)
    return truth, {f"m{k}": np.where(rng.random(300) < 0.5, truth, rng.integers(0, 4, 300)) for k in range(5)}


def test_one_pair_of_many_models_is_counted_on_demand(many):
    truth, answers = many
    comparison = tb.compare(truth, answers)
    assert comparison.tally.plan == "words"
    assert comparison.to_dict()["pairs"][0]["both_wrong_same"] is None
    pair = comparison.pair("m1", "m3")
    *cells, same = naive.prayatul(truth.tolist(), answers["m1"].tolist(), answers["m3"].tolist())
    assert (pair.prayatul.counts.cells().tolist(), pair.prayatul.both_wrong_same) == (cells, same)
    assert not math.isnan(pair.balanced.comparative_deviation)


@pytest.mark.parametrize("kind", ["dict", "polars", "csv"])
def test_many_graded_models_are_counted_as_words(many, kind, write):
    truth, answers = many
    frame = pd.DataFrame({name: (column == truth).astype(int) for name, column in answers.items()})
    data = {
        "dict": lambda: frame.to_dict("list"),
        "polars": lambda: pl.from_pandas(frame),
        "csv": lambda: write("a.csv", frame.to_csv(index=False)),
    }[kind]()
    comparison = tb.compare(data, task="correct")
    assert comparison.tally.plan == "words"
    assert comparison.tally.pairs().tolist() == tb.compare(truth, answers).tally.pairs().tolist()
    assert comparison.instances("m0", "m1").total == comparison.pair("m0", "m1").prayatul.right_wrong


def test_a_column_called_row_keeps_its_place():
    comparison = tb.compare({"row": [7, 8], "y_true": [1, 0], "a": [1, 0], "b": [0, 0]}, id="row")
    assert list(comparison.instances("a", "b")) == [{"row_number": 0, "row": 7, "y_true": 1, "a": 1, "b": 0}]


def test_two_models_are_two(write, capsys):
    path = write("a.csv", "y_true,a,b\n1,1,1\n")
    assert run(["show", path, "--primary", "a", "--alternative", "a"]) == 2
    assert "primary and alternative are both 'a'" in capsys.readouterr().err


def test_a_pipe_is_read_once_and_kept(write):
    path = write("a.csv", "y_true,a,b\n1,1,0\n0,0,0\n")
    command = f"{sys.executable} -m tiebreak compare <(cat {path}) --json"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert '"n": 2' in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "{late}"], "late.jsonl is not UTF-8 text"),
        (["compare", "{good}", "-o", "."], "output '.' is a folder"),
        (["compare", "{good}", "-o", ".", "--force"], "output '.' is a folder"),
        (["compare", "x" * 5000], "cannot be used: File name too long"),
    ],
)
def test_what_the_system_refuses_is_one_line(arguments, message, write, capsys):
    good = write("a.csv", "y_true,a,b\n1,1,0\n0,0,0\n")
    late = write("late.jsonl", b'{"y_true": "a", "a": "a", "b": "a"}\n' * 500 + '{"y_true": "é"}\n'.encode("latin-1"))
    assert run([argument.format(good=good, late=late) for argument in arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_terminal_without_the_characters(write):
    path = write("a.csv", "y_true,a,b\né,é,x\nx,x,x\n")
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-m", "tiebreak", "compare", path], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert "\\u03c3_c" in done.stdout


def test_fields_that_are_no_numbers_are_null_in_json(tmp_path, capsys):
    pd.DataFrame({"y_true": [1, 0], "a": [1, 0], "b": [0, 0], "score": [math.nan, math.inf]}).to_parquet(
        tmp_path / "a.parquet"
    )
    assert run(["show", str(tmp_path / "a.parquet"), "--models", "a,b", "--json"]) == 0
    assert '"score": null' in capsys.readouterr().out


def test_model_names_are_harmless_in_every_error():
    comparison = tb.compare([1], {"\u202eevil": [1], "b": [1]})
    for call in (
        lambda: comparison.pair("x", "b"),
        lambda: comparison.model("x"),
        lambda: comparison.tally.pair("x", "b"),
    ):
        with pytest.raises(tb.ColumnNotFound) as caught:
            call()
        assert "\u202e" not in str(caught.value)
