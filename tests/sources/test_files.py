"""Files: recognised by content, joined on an id, brought from long to wide, and read exactly as written."""

import gzip
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import naive
from tiebreak.errors import (
    ColumnNotFound,
    DuplicateId,
    EmptyComparison,
    MissingPredictions,
    MixedLabels,
    TiebreakError,
    UnpairedInstances,
    UnreadableSource,
)
from tiebreak.sources import Ask, Limits, named_path, opened, plan

ROWS = [("a", "a", "b"), ("b", "b", "b"), ("c", "a", "c"), ("a", "a", "a")]


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def count(data, **words):
    return opened(data, None, Ask(**words)).tally


def outcomes(data, **words):
    return naive.counts_of(count(data, **words))


@pytest.mark.parametrize(
    "text",
    [
        "y_true,p,q\n1,1,2\n2,2,2\n",
        "y_true;p;q\r\n1;1;2\r\n2;2;2\r\n",
        "y_true\tp\tq\n1\t1\t2\n2\t2\t2",
        "y_true|p|q\n1|1|2\n2|2|2\n",
        "\ufeffy_true,p,q\n1,1,2\n2,2,2\n",
        '"y_true","p","q"\n"1","1","2"\n"2","2","2"\n',
        "y_true,p,q\n1,1,2\n2,2,2\n\n",
    ],
)
def test_delimiters_quotes_marks_and_line_ends(write, text):
    assert outcomes(write("preds.csv", text)) == {(1, 1, 2): 1, (2, 2, 2): 1}


def test_text_is_typed_over_all_columns_together(write):
    assert outcomes(write("a.csv", "y_true,p,q\n1,1.0,1\n2,1,2\n")) == {(1, 1, 1): 1, (2, 1, 2): 1}
    assert outcomes(write("b.csv", "y_true,p,q\n01,1,01\n1,1,1\n")) == {("01", "1", "01"): 1, ("1", "1", "1"): 1}


@pytest.mark.parametrize("words", [False, True])
def test_numbers_spelled_in_two_ways_are_one_label_by_either_plan(write, words):
    path = write("a.csv", "y_true,p,q\n1,1.0,1\n2,1,2.0\n2,2,1\n")
    source = opened(path, None, Ask())
    tally = plan.by_words(source.source, source.ask, source.roles).tally if words else source.tally
    assert tally.pair("p", "q").cells().tolist() == [1, 1, 1, 0]


@pytest.mark.parametrize("words", [False, True])
def test_json_text_spelled_in_two_ways_is_one_label(write, words):
    lines = ['{"y_true": "é", "p": "\\u00e9", "q": "x"}', '{"y_true": "x", "p": "x", "q": "\\u0078"}']
    source = opened(write("a.jsonl", "\n".join(lines)), None, Ask())
    tally = plan.by_words(source.source, source.ask, source.roles).tally if words else source.tally
    assert tally.pair("p", "q").cells().tolist() == [1, 1, 0, 0]


def test_json_keeps_the_difference_between_a_number_and_its_text(write):
    with pytest.raises(MixedLabels, match=r"column 'y_true' holds numbers .* but column 'q' holds text"):
        count(write("a.jsonl", '{"y_true": 1, "p": 1, "q": "1"}\n'))


def test_fields_that_are_missing_in_some_lines(write):
    path = write("a.jsonl", '{"y_true": 1, "p": 1, "q": 2}\n{"y_true": 2, "q": null, "p": 2}\n{"y_true": 2, "q": 2}\n')
    assert outcomes(path, missing="wrong") == {(1, 1, 2): 1, (2, 2, None): 1, (2, None, 2): 1}


@pytest.mark.parametrize("name", ["preds.csv.gz", "preds.jsonl.gz"])
def test_gzip(write, name):
    text = "y_true,p,q\n1,1,1\n" if "csv" in name else '{"y_true": 1, "p": 1, "q": 1}\n'
    assert outcomes(write(name, gzip.compress(text.encode()))) == {(1, 1, 1): 1}


def test_content_decides_where_the_name_says_nothing(write, tmp_path):
    assert outcomes(write("preds", "y_true,p,q\n1,1,1\n")) == {(1, 1, 1): 1}
    assert outcomes(write("preds.log", '{"y_true": 1, "p": 1, "q": 1}\n')) == {(1, 1, 1): 1}


@pytest.mark.parametrize("name", ["a[1].csv", "a*b.csv", "it's.csv", "a b.csv", "é.csv", "a;b.csv", "?.csv"])
def test_names_of_files_are_not_patterns(write, name):
    write("a1.csv", "y_true,p,q\n9,9,9\n")
    assert outcomes(write(name, "y_true,p,q\n1,1,1\n")) == {(1, 1, 1): 1}


def test_a_glob_and_a_directory_are_one_table(write, tmp_path):
    write("part-1.csv", "y_true,p,q\n1,1,2\n")
    write("part-2.csv", "y_true,p,q\n1,1,2\n2,1,2\n")
    write("_SUCCESS", "")
    expected = {(1, 1, 2): 2, (2, 1, 2): 1}
    assert outcomes(str(tmp_path / "part-*.csv")) == expected
    assert outcomes(str(tmp_path)) == expected


def test_parts_with_columns_in_another_order_are_not_read_by_position(write, tmp_path):
    write("part-1.csv", "y_true,p,q\n1,1,2\n")
    write("part-2.csv", "y_true,q,p\n1,1,2\n")
    with pytest.raises(TiebreakError, match=r"part-2\.csv has another header than part-1\.csv"):
        count(str(tmp_path / "part-*.csv"))


def test_columns_with_odd_names(write):
    text = 'y_true,"say ""x""",\'quoted\',"a,b"\n1,1,2,1\n2,2,2,2\n'
    tally = count(write("a.csv", text))
    assert tally.models == ('say "x"', "'quoted'", "a,b")
    assert tally.pairs()[0, 1].tolist() == [1, 1, 0, 0]


def test_a_column_without_a_name_is_no_model(write):
    assert count(write("a.csv", ",y_true,p,q\n0,1,1,2\n1,0,0,0\n")).models == ("p", "q")


def test_na_reads_as_missing(write):
    text = "y_true,p,q\n1,NA,2\n2,2,NA\n"
    assert outcomes(write("a.csv", text), missing="wrong", na="NA") == {(1, None, 2): 1, (2, 2, None): 1}
    lines = '{"y_true": "a", "p": "NA", "q": "a"}\n'
    assert outcomes(write("a.jsonl", lines), missing="wrong", na="NA") == {("a", None, "a"): 1}
    frame = pd.DataFrame({"y_true": ["a"], "p": ["NA"], "q": ["a"]})
    for data in (frame, pl.from_pandas(frame), frame.to_dict("list")):
        assert outcomes(data, missing="wrong", na="NA") == {("a", None, "a"): 1}


def test_quoted_empty_fields_are_missing_like_empty_ones(write):
    assert outcomes(write("a.csv", 'y_true,p,q\na,"",\n'), missing="wrong") == {("a", None, None): 1}


def test_a_hundred_thousand_labels(tmp_path):
    n = 100_000
    frame = pd.DataFrame(
        {"y_true": np.arange(n) * 7919, "p": np.arange(n) * 7919, "q": np.roll(np.arange(n) * 7919, 1)}
    )
    frame.to_csv(tmp_path / "a.csv", index=False)
    for data in (frame, str(tmp_path / "a.csv")):
        tally = count(data)
        assert len(tally.labels) == n
        assert tally.pair("p", "q").cells().tolist() == [0, n, 0, 0]


# ---- several files on an id


@pytest.fixture
def two_files(write):
    return (
        write("knn.csv", "row,y_true,y_pred\n1,a,a\n2,b,b\n3,c,a\n"),
        write("tree.csv", "row,y_true,y_pred\n3,c,c\n1,a,b\n2,b,b\n"),
    )


def test_files_are_joined_on_the_id_whatever_their_order(two_files):
    tally = count(list(two_files), id="row")
    assert tally.models == ("knn", "tree")
    assert naive.counts_of(tally) == {("a", "a", "b"): 1, ("b", "b", "b"): 1, ("c", "a", "c"): 1}
    named = count({"old": two_files[0], "new": two_files[1]}, id="row")
    assert named.models == ("old", "new")


def test_the_truth_may_stand_in_one_file_only_and_ids_of_two_types_meet(write, tmp_path):
    base = write("base.csv", "id,truth,p\n1,1,1\n2,0,1\n")
    pd.DataFrame({"id": [2, 1], "q": [0, 0]}).to_parquet(tmp_path / "other.parquet")
    tally = count([base, str(tmp_path / "other.parquet")])
    assert naive.counts_of(tally) == {(1, 1, 0): 1, (0, 1, 0): 1}
    assert tally.models == ("base", "other")


def test_wide_files_give_the_named_models(write):
    one = write("one.csv", "id,y_true,p,q\n1,a,a,b\n")
    two = write("two.csv", "id,r\n1,a\n")
    assert count([one, two], models=("p", "q", "r")).models == ("p", "q", "r")


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("wrong", {("a", "a", None): 1, ("b", "b", "b"): 1, ("c", None, "c"): 1}), ("drop", {("b", "b", "b"): 1})],
)
def test_ids_that_one_file_lacks_follow_the_policy(write, policy, expected):
    one, two = write("p.csv", "id,y_true,y_pred\n1,a,a\n2,b,b\n"), write("q.csv", "id,y_true,y_pred\n2,b,b\n3,c,c\n")
    tally = count([one, two], missing=policy)
    assert naive.counts_of(tally) == expected
    assert tally.missing == (1, 1)
    with pytest.raises(UnpairedInstances, match=r"p.csv lacks 1 id \(3\); q.csv lacks 1 id \(1\)"):
        count([one, two])


def test_files_that_disagree_about_the_truth(write):
    one, two = write("p.csv", "id,y_true,y_pred\n1,1,1\n2,2,2\n"), write("q.csv", "id,y_true,y_pred\n1,1.0,1\n2,1,2\n")
    with pytest.raises(UnpairedInstances, match="disagree about the truth of 1 instance"):
        count([one, two])


def test_the_join_spills_under_a_small_limit(tmp_path):
    n = 400_000
    ids = np.random.default_rng(0).permutation(n)
    for name in ("p", "q"):
        frame = pd.DataFrame({"id": ids, "y_true": ids % 3, "y_pred": (ids + (ids % 7 == 0)) % 3})
        frame.to_parquet(tmp_path / f"{name}.parquet")
    source = opened(
        [str(tmp_path / "p.parquet"), str(tmp_path / "q.parquet")], None, Ask(), limits=Limits(memory="60MB")
    )
    assert source.tally.n == n
    source.close()


# ---- long layouts


LONG = "id,truth,model,prediction\n1,a,p,a\n1,a,q,b\n2,b,q,b\n2,b,p,b\n"


def long_data(write, kind):
    path = write("long.csv", LONG)
    frame = pd.read_csv(path)
    return {
        "csv": path, "pandas": frame, "polars": pl.from_pandas(frame), "lazy": pl.from_pandas(frame).lazy(),
    }[kind]  # fmt: skip


@pytest.mark.parametrize("kind", ["csv", "pandas", "polars", "lazy"])
def test_a_long_layout_becomes_one_row_an_instance(write, kind):
    tally = count(long_data(write, kind), long=("model", "prediction"))
    assert naive.counts_of(tally) == {("a", "a", "b"): 1, ("b", "b", "b"): 1}
    assert tally.models == ("p", "q")


@pytest.mark.parametrize("kind", ["csv", "pandas", "polars"])
@pytest.mark.parametrize(
    ("extra", "error", "message"),
    [
        ("1,a,p,b\n", DuplicateId, "id 'id' is not unique"),
        ("3,a,p,a\n", UnpairedInstances, r"'q' lacks 1 id \(3\)"),
        ("2,c,r,a\n1,a,r,a\n", UnpairedInstances, "truth 'truth' differs"),
    ],
)
def test_long_layouts_with_repeats_gaps_or_torn_truth_are_refused(write, kind, extra, error, message):
    global LONG
    before = LONG
    try:
        LONG = before + extra
        with pytest.raises(error, match=message):
            count(long_data(write, kind), long=("model", "prediction"))
    finally:
        LONG = before


@pytest.mark.parametrize("kind", ["csv", "pandas", "polars"])
def test_gaps_of_a_long_layout_follow_the_policy(write, kind):
    global LONG
    before = LONG
    try:
        LONG = before + "3,c,p,c\n"
        assert outcomes(long_data(write, kind), long=("model", "prediction"), missing="wrong") == {
            ("a", "a", "b"): 1, ("b", "b", "b"): 1, ("c", "c", None): 1,
        }  # fmt: skip
        assert count(long_data(write, kind), long=("model", "prediction"), missing="drop").n == 2
    finally:
        LONG = before


def test_a_model_that_the_long_layout_does_not_hold(write):
    with pytest.raises(ColumnNotFound, match="it has p, q"):
        count(write("long.csv", LONG), long=("model", "prediction"), models=("p", "x"))


# ---- graded answers


@pytest.mark.parametrize(
    "text", ["p,q\n1,0\n0,0\n1,1\n", "p,q\nTrue,False\nfalse,false\nTRUE,true\n", "p,q\n1.0,0\n0,0.0\n1,1\n"]
)
def test_graded_answers_need_no_truth(write, text):
    tally = count(write("graded.csv", text), task="correct")
    assert tally.truth is None
    assert tally.pair("p", "q").cells().tolist() == [1, 1, 0, 1]


def test_graded_scores_are_refused_with_the_task_that_is_meant(write):
    with pytest.raises(TiebreakError, match="every answer is 0 or 1"):
        count(write("graded.csv", "p,q\n1,0.5\n"), task="correct")


# ---- what is not what it says


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.parquet", b"y_true,p,q\n1,1,1\n", "named .parquet but is not Parquet: it looks like CSV"),
        ("a.csv", b"PAR1" + b"\0" * 20 + b"PAR1", "named .csv but is not CSV: it looks like Parquet"),
        ("a.parquet", b"PAR1" + b"\0" * 20, "a.parquet is truncated"),
        ("a.csv", b'{"y_true": 1, "p": 1}\n', "named .csv but is not CSV: it looks like JSON Lines"),
        ("a.jsonl", b"y_true,p,q\n1,1,1\n", "named .jsonl but is not JSON Lines: it looks like delimited text"),
        ("a.jsonl", b'{"y_true": 1, "p": 1, "q": 1}\n{"y_true": 1,\n', "line 2 is not valid JSON"),
        ("a.jsonl", b'{"y_true": 1}\n[1]\n', "line 2 is no JSON object"),
        ("a.json", b'[{"y_true": 1},\n', "is not valid JSON"),
        ("a.json", b'{"a": [{"x": 1}], "b": [{"x": 1}]}', "2 lists of objects"),
        ("a.json", b"[1, 2]", "no list of objects"),
        ("a.csv", "y_true,p,q\né,1,1\n".encode("latin-1"), "not UTF-8"),
        ("a.csv", b"y_true,p,q\n1,1,1\n1,1\n", "a.csv, line 3: 2 fields where the header has 3"),
        ("a.csv", b"y_true,p,q\n1,1,1\n1,1,1,1\n", "a.csv, line 3: 4 fields where the header has 3"),
        ("a.csv", b"y_true,p,p\n1,1,1\n", "more than one column called p"),
        ("a.csv.gz", b"\x1f\x8b\x08" + b"\0" * 30, "a.csv.gz"),
        ("a.bin", b"\0\1\2\3" * 10, "of no known format"),
        ("a.feather", b"ARROW1" + b"\0" * 40, "truncated or broken"),
    ],
)
def test_files_that_are_broken_or_not_what_their_name_says(write, name, content, message):
    with pytest.raises(UnreadableSource if "called" not in message else TiebreakError, match=message):
        count(write(name, content))


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_empty_files(write, name):
    with pytest.raises(EmptyComparison, match="is empty"):
        count(write(name, b""))


def test_a_file_with_a_header_only(write):
    with pytest.raises(EmptyComparison, match="holds no rows"):
        count(write("a.csv", "y_true,p,q\n"))


def test_a_late_broken_line_is_found(write):
    lines = ["y_true,p,q"] + ["1,1,2"] * 300_000 + ["1,1"]
    with pytest.raises(UnreadableSource, match="line 300002"):
        count(write("a.csv", "\n".join(lines)))


def test_a_truncated_parquet_body(tmp_path):
    """The footer is there but the pages before it are not."""
    path = tmp_path / "a.parquet"
    pd.DataFrame({"y_true": range(100_000), "p": range(100_000), "q": range(100_000)}).to_parquet(path)
    raw = path.read_bytes()
    path.write_bytes(raw[:1000] + b"\0" * 5000 + raw[6000:])
    with pytest.raises(TiebreakError, match=r"a\.parquet"):
        count(str(path))


def test_a_file_that_vanishes(write, tmp_path):
    path = write("a.csv", "y_true,p,q\n1,1,1\n")
    source = opened(path, None, Ask())
    (tmp_path / "a.csv").unlink()
    with pytest.raises(UnreadableSource, match=r"a\.csv cannot be read"):
        source.tally


def test_a_file_that_may_not_be_read(write, monkeypatch):
    path = write("a.csv", "y_true,p,q\n1,1,1\n")
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(UnreadableSource, match="check its permissions"):
        count(path)


@pytest.mark.parametrize(
    ("argument", "split"),
    [
        ("new=a.csv", ("new", "a.csv")), ("a.csv", (None, "a.csv")), ("x/y=z.csv", (None, "x/y=z.csv")),
        ("=a.csv", (None, "=a.csv")), ("a=", (None, "a=")), ("m=a=b.csv", ("m", "a=b.csv")),
    ],
)  # fmt: skip
def test_a_name_before_a_path(argument, split):
    assert named_path(argument) == split


def test_a_file_whose_name_holds_an_equals_sign(write, tmp_path, monkeypatch):
    write("a=b.csv", "y_true,p,q\n1,1,1\n")
    monkeypatch.chdir(tmp_path)
    assert named_path("a=b.csv") == (None, "a=b.csv")


def test_the_engine_spills_where_it_is_told_and_leaves_nothing_behind(write, tmp_path):
    folder = tmp_path / "spill"
    folder.mkdir()
    source = opened(write("a.csv", "y_true,p,q\n1,1,1\n"), None, Ask(), limits=Limits(folder=str(folder)))
    assert list(folder.iterdir())
    source.tally
    source.close()
    assert not list(folder.iterdir())
    with pytest.raises(TiebreakError, match="memory_limit is 'much'"):
        opened(write("a.csv", "y_true,p,q\n1,1,1\n"), None, Ask(), limits=Limits(memory="much", folder=str(folder)))
    assert not list(folder.iterdir())


def test_json_documents_are_read_whole(write):
    rows = [{"y_true": 1, "p": 1, "q": 0}, {"y_true": 0, "p": 1, "q": 0}]
    for document in (rows, {"results": rows, "meta": {"x": 1}, "tags": ["a"]}):
        assert outcomes(write("a.json", json.dumps(document))) == {(1, 1, 0): 1, (0, 1, 0): 1}


def test_of_several_lists_in_a_json_object_the_named_columns_choose(write):
    board = {
        "models": [{"name": "p", "size": 7}, {"name": "q", "size": 70}],
        "rows": [
            {"id": k, "model": m, "score": s} for k, m, s in [(1, "p", 1), (1, "q", 0), (2, "p", -1.0), (2, "q", 1)]
        ],
    }
    path = write("board.json", json.dumps(board))
    tally = count(path, task="correct", long=("model", "score"), id="id", na="-1", missing="wrong")
    assert tally.missing == (1, 0)
    assert tally.pair("p", "q").cells().tolist() == [0, 1, 1, 0]
    with pytest.raises(
        UnreadableSource, match=r"2 lists of objects \(models, rows\): it must hold one, or name columns"
    ):
        count(path)
    with pytest.raises(UnreadableSource, match="a JSON object without a list of objects"):
        count(write("empty.json", '{"a": 1, "b": []}'))


@pytest.mark.parametrize(("na", "missing"), [("-1", 2), ("-1.0", 2), ("x", 1), ("9", 0)])
def test_a_number_of_a_json_file_is_missing_by_its_value(write, na, missing):
    rows = [{"id": 1, "p": -1, "q": 1}, {"id": 2, "p": -1.0, "q": 0}, {"id": 3, "p": "x", "q": 0}]
    path = write("a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    source = opened(path, None, Ask(task="correct", id="id", na=na, missing="wrong")).source
    asked = f"count(*) FILTER ({source.columns['p'].expression} IS NULL)"
    assert source.runner.rows(f"SELECT {asked} FROM {source.relation}")[0][0] == missing


# ---- what a file says about itself


HEADER = "y_true,p,q\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "a.tsv",
            HEADER + "1,1,1\n",
            r"a\.tsv is named as TSV but does not look like it: its header holds ',' and no tab",
        ),
        ("a.csv", "<!DOCTYPE html>\n<html></html>\n", r"a\.csv is HTML or XML, not a table"),
        (
            "a.csv",
            "these are words\nand more\n",
            r"a\.csv does not look like a table: its first line, 'these are words'",
        ),
        ("a.csv", '{"rows": [{"y_true": 1, "p": 1, "q": 1}]}', "not CSV: it looks like JSON; give"),
        ("a.csv", '[\n {"y_true": 1}\n]', "not CSV: it looks like JSON; give"),
        ("a.csv", '[{"y_true": 1}]', "not CSV: it looks like JSON; give"),
        ("a.csv", '{\n "rows": []\n}', "not CSV: it looks like JSON; give"),
        ("a.csv", 'y_true,p,"q\n1,1,1\n', r"a\.csv, line 1: a quote in the header is never closed"),
        ("a.csv", HEADER + '1,1,"1\n' + "1,1,1\n" * 5, r"a\.csv, line 2: a quoted field is never closed"),
        ("a.csv", HEADER + "1,1," + "x" * (5 << 22) + "\n1,1,1\n", r"a\.csv, line 2 is longer than 16 MB"),
        ("a.csv", HEADER + "1,1," + "x" * (9 << 22) + "\n1,1,1\n", r"a\.csv has a line longer than 16 MB"),
        ("a.csv", HEADER + "1,1,1\n1,1," + "x" * (9 << 22) + "\n", r"a\.csv ends with a line longer than 16 MB"),
        ("a.csv", HEADER + "1,1,1\r\n1,1,1\n" * 3, "mixes two kinds of line end"),
        ("a.csv", (HEADER + "1,1,1\n").encode("utf-16"), "holds NUL bytes, as UTF-16 text does: convert it first"),
        (
            "a.json",
            '{"y_true": [1], "p": [1]}',
            "is a JSON object without a list of objects: write one object an instance",
        ),
        ("a.json", '[{"y_true": 1, "p": 1, "p": 2}]', "names 'p' more than once in one object"),
        ("a.jsonl", '{"y_true": 1, "p": 1, "p": 2}\n', r"line 1 names 'p' more than once"),
        ("a.jsonl", '{"y_true": 1, "p": 1, "P": 2}\n', "has columns 'p' and 'P', which differ in case only"),
    ],
)
def test_a_clear_line_for_each_way_to_be_wrong(write, name, content, message):
    with pytest.raises(UnreadableSource, match=message) as caught:
        count(write(name, content))
    assert "\n" not in str(caught.value)


LINE = '{"y_true": 1, "p": 1, "q": 1}\n'


@pytest.mark.parametrize(
    ("late", "message"),
    [
        ("[1]\n", r"a\.jsonl, line 3001 is no JSON object"),
        ("7\n", r"a\.jsonl, line 3001 is no JSON object"),
        ('{"y_true": 1, "p": 1, "p": 1, "q": 1}\n', r"line 3001 names 'p' more than once"),
        ('{"y_true": 1, "P": 1}\n', "columns 'p' and 'P', which differ in case only"),
        ('{"y_true": 1,\n', "is not valid JSON"),
    ],
)
def test_late_lines_of_json_are_looked_at_too(write, late, message):
    with pytest.raises(UnreadableSource, match=message):
        count(write("a.jsonl", LINE * 3000 + late))


def test_fields_of_json_that_appear_late_or_in_a_later_part_are_columns(write, tmp_path):
    late = '{"y_true": 1, "p": 1, "q": 1, "r": 1}\n'
    assert count(write("a.jsonl", LINE * 3000 + late), missing="wrong").models == ("p", "q", "r")
    (tmp_path / "parts").mkdir()
    for place, lines in enumerate((LINE, LINE * 2000, late)):
        (tmp_path / "parts" / f"{place}.jsonl").write_text(lines)
    found = count(str(tmp_path / "parts"), missing="wrong")
    assert found.models == ("p", "q", "r")
    assert (found.n, found.missing) == (2002, (0, 0, 2001))


def test_a_folder_of_two_formats(tmp_path):
    (tmp_path / "a.csv").write_text(HEADER + "1,1,1\n")
    (tmp_path / "b.jsonl").write_text(LINE)
    with pytest.raises(UnreadableSource, match=r"holds files of several formats \(csv, jsonl\)"):
        count(str(tmp_path))


def test_columns_that_differ_in_case_only_are_refused_where_the_engine_would_rename_them(tmp_path):
    import pyarrow as pa
    from pyarrow import feather, parquet

    table = pa.table({"y_true": [1], "s": [{"x": 1, "X": 2}], "knn": [1], "KNN": [0], "tree": [1]})
    parquet.write_table(table, tmp_path / "a.parquet")
    feather.write_feather(table, tmp_path / "a.feather")
    for name in ("a.parquet", "a.feather"):
        with pytest.raises(
            UnreadableSource, match="has columns 'knn' and 'KNN', which differ in case only: rename one"
        ):
            count(str(tmp_path / name), models=("knn", "tree"))
    parquet.write_table(table.drop_columns("KNN"), tmp_path / "b.parquet")
    assert count(str(tmp_path / "b.parquet"), models=("knn", "tree")).n == 1
    (tmp_path / "c.csv").write_text("y_true,knn,KNN\n1,1,0\n0,0,0\n")
    assert count(str(tmp_path / "c.csv")).pair("knn", "KNN").cells().tolist() == [1, 1, 0, 0]


def test_only_columns_that_had_no_name_are_no_models(write, tmp_path):
    assert count(write("a.csv", "y_true,unnamed_1,unnamed_x\n1,1,1\n")).models == ("unnamed_1", "unnamed_x")
    assert count(write("b.csv", ",unnamed_0,p,y_true\n5,1,1,1\n6,0,1,1\n")).models == ("unnamed_0", "p")
    frame = pd.DataFrame({"y_true": [1], "__index_level_x": [1], "p": [1]}, index=pd.Index([7]))
    frame.to_parquet(tmp_path / "c.parquet", index=True)
    assert count(str(tmp_path / "c.parquet")).models == ("__index_level_x", "p")
    one, two = write("one.csv", ",id,y_true,p\n0,1,a,a\n"), write("two.csv", ",id,q\n0,1,a\n")
    assert count([one, two]).models == ("one", "two")


def test_arrow_streams_are_read(tmp_path):
    import pyarrow as pa

    table = pa.table({"y_true": [1, 2], "p": [1, 2], "q": [2, 2]})
    with pa.ipc.new_stream(str(tmp_path / "a.arrow"), table.schema) as out:
        out.write_table(table)
        out.write_table(table)
    source = opened(str(tmp_path / "a.arrow"), None, Ask())
    assert source.tally.pairs()[0, 1].tolist() == [2, 2, 0, 0]
    assert source.instances("p", "q", "right_wrong", 5).total == 2
    (tmp_path / "b.arrow").write_bytes((tmp_path / "a.arrow").read_bytes()[:150])
    with pytest.raises(UnreadableSource, match="truncated or broken"):
        count(str(tmp_path / "b.arrow"))


def test_formats_that_are_compressed_inside_are_not_packed_again(tmp_path):
    pd.DataFrame({"y_true": [1], "p": [1], "q": [1]}).to_parquet(tmp_path / "a.parquet")
    for name in ("a.parquet.gz", "b.gz"):
        (tmp_path / name).write_bytes(gzip.compress((tmp_path / "a.parquet").read_bytes()))
        with pytest.raises(UnreadableSource, match="is Parquet in gzip, but Parquet is compressed inside: unpack it"):
            count(str(tmp_path / name))


def test_long_fields_are_read(write):
    text = HEADER.replace("q", "q,text") + '1,1,1,"' + "x" * 5_000_000 + '"\n'
    assert count(write("a.csv", text), models=("p", "q")).n == 1


def test_a_damaged_page_says_what_to_do(tmp_path):
    path = tmp_path / "a.parquet"
    pd.DataFrame({"y_true": range(100_000), "p": range(100_000), "q": range(100_000)}).to_parquet(path)
    raw = path.read_bytes()
    path.write_bytes(raw[:1000] + b"\0" * 5000 + raw[6000:])
    with pytest.raises(UnreadableSource, match=r"a\.parquet is damaged: .*; write or copy it again"):
        count(str(path))


def test_an_id_without_a_truth_is_named_with_the_file_that_lacks_it(write):
    one, two = write("p.csv", "id,y_true,y_pred\n1,a,a\n"), write("q.csv", "id,y_pred\n1,a\n7,a\n")
    with pytest.raises(MissingPredictions, match=r"truth 'y_true' is missing in 1 row: p\.csv lacks 1 id \(7\)"):
        count([one, two], missing="wrong")
    assert count([one, two], missing="drop").n == 1


def test_too_few_models_are_told_with_all_columns(write):
    with pytest.raises(
        EmptyComparison, match=r"only one model column, 'p'.*\(columns: , y_true, p\)|columns: unnamed_0, y_true, p"
    ):
        count(write("a.csv", ",y_true,p\n0,1,1\n"))
    with pytest.raises(EmptyComparison, match=r"has 1 model in its column 'm'.*\(columns: id, y_true, m, p\)"):
        count(write("long.csv", "id,y_true,m,p\n1,1,a,1\n"), long=("m", "p"))


def test_names_of_groups_are_values_and_not_literals(write):
    rows = [{"y_true": k % 2, "p": 1, "q": 0, "g": f"g{k % 3}"} for k in range(9)]
    path = write("a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    source = opened(path, None, Ask(group="g"))
    for tally in (source.tally, plan.by_words(source.source, source.ask, source.roles).tally):
        assert sorted(tally.crossing.names) == ["g0", "g1", "g2"]
    clusters = opened(path, None, Ask(group="g", task="clustering", truth="y_true")).partitions
    assert sorted(clusters.joint.group_names) == ["g0", "g1", "g2"]


def test_two_groups_of_an_instance_are_refused(write):
    one, two = write("p.csv", "id,y_true,y_pred,g\n1,a,a,u\n2,a,a,v\n"), write("q.csv", "id,y_pred,g\n1,a,u\n2,a,w\n")
    with pytest.raises(UnpairedInstances, match="disagree about the group 'g' of 1 instance"):
        count([one, two], group="g")
    with pytest.raises(UnpairedInstances, match="disagree about the column 'g' of 1 instance"):
        count([one, two], by=("g",))
    with pytest.raises(ColumnNotFound, match="group names 'h', which is no column of any of the files"):
        count([one, two], group="h")


# ---- columns that nobody counts


def test_joined_files_show_the_columns_that_nobody_counted(write):
    one = write("one.csv", "id,y_true,y_pred,text,two\n1,a,a,first,x\n2,b,a,second,y\n")
    two = write("two.csv", "text,id,y_pred,prob\nother,2,b,0.5\nanother,1,a,0.25\n")
    source = opened([one, two], None, Ask())
    assert source.roles.models == ("one", "two")
    shown = list(source.instances("one", "two", "wrong_right", 9))
    assert shown == [
        {"id": "2", "y_true": "b", "one": "a", "two": "b", "text": "second", "one.two": "y", "prob": "0.5"}
    ]
    assert [row["text"] for row in source.instances("one", "two", "both_right", None)] == ["first"]
    extra = write("three.csv", "id,y_pred,text\n1,a,t1\n3,c,t3\n")
    partly = opened([one, extra], None, Ask(missing="drop"))
    assert [row["text"] for row in partly.instances("one", "three", "both_right", 5)] == ["first"]


def test_joined_numbers_and_formats_show_them_too(write, tmp_path):
    one = write(
        "one.jsonl",
        '{"id": "u", "y_true": 1.0, "y_pred": 2.0, "tags": ["x"]}\n{"id": "v", "y_true": 1, "y_pred": 1, "tags": []}\n',
    )
    pd.DataFrame({"id": ["v", "u"], "y_pred": [3.0, 1.0], "text": ["V", "U"]}).to_parquet(tmp_path / "two.parquet")
    source = opened([one, str(tmp_path / "two.parquet")], None, Ask(task="regression"))
    shown = list(source.instances("one", "two", None, 9))
    assert [(row["id"], row["tags"], row["text"], row["gap"]) for row in shown] == [
        ("v", [], "V", 2.0),
        ("u", ["x"], "U", 1.0),
    ]


@pytest.mark.parametrize("kind", ["csv", "pandas", "polars", "lazy", "arrow"])
def test_long_layouts_show_what_is_the_same_in_all_rows_of_an_instance(write, kind):
    text = "id,truth,model,prediction,text,score\n1,a,p,a,one,0.5\n1,a,q,b,one,0.6\n2,b,q,b,two,0.7\n2,b,p,b,two,0.8\n"
    path = write("long.csv", text)
    frame = pd.read_csv(path)
    data = {
        "csv": path, "pandas": frame, "polars": pl.from_pandas(frame), "lazy": pl.from_pandas(frame).lazy(),
        "arrow": pl.from_pandas(frame).to_arrow(),
    }[kind]  # fmt: skip
    source = opened(data, None, Ask(long=("model", "prediction")))
    assert source.roles.models == ("p", "q")
    row = next(iter(source.instances("p", "q", "right_wrong", 9)))
    assert (row["text"], "score" in row) == ("one", False)


def test_many_models_of_a_short_table_are_held_in_memory(write):
    """The fast path: an engine that groups by hundreds of columns is never asked to."""
    from tiebreak.sources.loaded import MANY_MODELS, LoadedSource

    names = [f"m{k}" for k in range(MANY_MODELS)]
    rows = [["a" if (row + k) % 3 else "b" for k in range(MANY_MODELS)] for row in range(6)]
    path = write(
        "wide.csv",
        ",".join(["y_true", "text", *names])
        + "\n"
        + "".join(f"a,t{k}," + ",".join(row) + "\n" for k, row in enumerate(rows)),
    )
    source = opened(path, None, Ask(models=tuple(names)))
    assert type(source.source) is LoadedSource
    few = opened(path, None, Ask(models=tuple(names[:-1])))
    assert type(few.source) is not LoadedSource
    assert source.tally.pairs()[:-1, :-1].tolist() == few.tally.pairs().tolist()
    assert [row["text"] for row in source.instances("m0", "m1", "right_wrong", 9)] == ["t2", "t5"]
