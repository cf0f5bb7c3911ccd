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
    with pytest.raises(UnreadableSource, match=r"0 lists of objects \(\): it must hold one$"):
        count(write("empty.json", '{"a": 1, "b": []}'))


@pytest.mark.parametrize(("na", "missing"), [("-1", 2), ("-1.0", 2), ("x", 1), ("9", 0)])
def test_a_number_of_a_json_file_is_missing_by_its_value(write, na, missing):
    rows = [{"id": 1, "p": -1, "q": 1}, {"id": 2, "p": -1.0, "q": 0}, {"id": 3, "p": "x", "q": 0}]
    path = write("a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    source = opened(path, None, Ask(task="correct", id="id", na=na, missing="wrong")).source
    asked = f"count(*) FILTER ({source.columns['p'].expression} IS NULL)"
    assert source.runner.rows(f"SELECT {asked} FROM {source.relation}")[0][0] == missing
