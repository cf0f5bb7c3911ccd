"""Tally files: what was counted comes back to the last bit, adds as its rows would, and never half."""

import datetime as dt
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import tiebreak as tb
from tiebreak.cli.main import run
from tiebreak.errors import MixedLabels, NotDefined, TiebreakError, UnreadableSource
from tiebreak.sources import Ask, opened, plan, read_tally, write_tally
from tiebreak.sources.tallies import added, bytes_of
from tiebreak.tables import Tally
from tiebreak.tables.parts import Torn, parts_of, table_of

ROWS = {
    "y": list("aabbcabc"), "p": list("abbbcacc"), "q": list("aabacbbc"), "r": list("cabbcaba"),
    "doc": [1, 1, 2, 2, 3, 3, 3, 4], "w": [0.5, 1, 2, 1, 0.25, 1, 3, 1],
}  # fmt: skip
MODELS = ["p", "q", "r"]


def counted(rows=None, *, words=False, task="classification", **names):
    data = rows or ROWS
    if task == "correct":
        data = {m: [g == s for g, s in zip(data["y"], data[m])] for m in MODELS} | {k: data[k] for k in ("doc", "w")}
    ask = Ask(truth=None if task == "correct" else "y", models=tuple(MODELS), task=task, **names)
    source = opened(pd.DataFrame(data), None, ask)
    return plan.by_words(source.source, ask, source.roles).tally if words else source.tally


KINDS = [
    pytest.param({"words": words, "task": task, **names}, id=f"{words}-{task}-{'-'.join(names)}")
    for words in (False, True)
    for task in ("classification", "correct")
    for names in ({}, {"weight": "w"}, {"group": "doc"}, {"group": "doc", "weight": "w"})
]


def assert_same(one, two):
    first, second = parts_of(one), parts_of(two)
    assert first.facts == second.facts
    assert first.arrays.keys() == second.arrays.keys()
    for name, array in first.arrays.items():
        assert np.array_equal(array, second.arrays[name]), name


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_tally_comes_back(kind, tmp_path):
    tally = counted(**kind)
    write_tally(tally, tmp_path / "a.tally")
    again = read_tally(tmp_path / "a.tally")
    assert_same(tally, again)
    assert again.plan == tally.plan
    assert tb.compare(again).to_json() == tb.compare(tally).to_json()
    assert bytes_of(again) == (tmp_path / "a.tally").read_bytes(), "same tally, same bytes"


@pytest.mark.parametrize("kind", KINDS)
def test_the_sum_of_the_parts_compares_as_all_rows_do(kind, tmp_path):
    for place, chosen in enumerate((slice(0, 3), slice(3, 4), slice(4, 8))):
        part = counted({name: column[chosen] for name, column in ROWS.items()}, **kind)
        write_tally(part, tmp_path / f"part{place}.tally")
    found = tb.compare(str(tmp_path / "*.tally")).to_dict()
    whole = tb.compare(counted(**kind)).to_dict()
    # Groups and patterns may come in another order, which the last digits of sums and seeded draws can see.
    assert found["n"] == whole["n"]
    assert found["labels"] == whole["labels"] if "labels" in whole else True
    for pair, other in zip(found["pairs"], whole["pairs"], strict=True):
        for key in ("primary", "alternative", "both_right", "right_wrong", "wrong_right", "both_wrong"):
            assert pair[key] == other[key]
        for key in ("value", "low", "high"):
            assert pair["difference"][key] == pytest.approx(other["difference"][key], abs=1e-12)
        assert pair["p_value"] == pytest.approx(other["p_value"], abs=1e-9)


LABELS = {
    "numbers": [1, 2**70, -3, 0.5, 1e-300],
    "text": ["1", "01", "", "é", "\ud800", "a\nb", "x" * 3000],
    "booleans": [True, False],
    "dates": ["2026-01-02", "2026-01-02 03:04:05.000000001"],
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_labels_of_every_kind_are_kept_apart(labels):
    rows = {(label, labels[0], label): place + 1 for place, label in enumerate(labels)}
    again = table_of(parts_of(Tally.of(rows, models=("a", "b"))))
    assert [(type(label), label) for label in again.labels] == [
        (type(label), label) for label in Tally.of(rows, models=("a", "b")).labels
    ]


def test_engines_dates_and_moments_are_text_and_come_back(tmp_path):
    days = [dt.date(2026, 1, 1), dt.date(2026, 1, 2)]
    tally = tb.tally(days, {"a": days, "b": [days[1], days[1]]})
    write_tally(tally, tmp_path / "a.tally")
    assert read_tally(tmp_path / "a.tally").labels == ("2026-01-01", "2026-01-02")


def test_a_label_that_no_file_can_keep_is_refused_before_anything_is_written(tmp_path):
    tally = Tally.of({((1, 2), (1, 2), (3, 4)): 1}, models=("a", "b"))
    with pytest.raises(TiebreakError, match=r"label \(1, 2\) is a tuple, which a file cannot keep"):
        write_tally(tally, tmp_path / "a.tally")
    assert not list(tmp_path.iterdir())


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(*[st.sampled_from("abc")] + [st.sampled_from(["a", "b", "c", None])] * 2), min_size=1, max_size=30
    ),
    st.integers(1, 29),
)
def test_streaming_by_addition_is_counting_at_once(rows, cut):
    """The fast way, batch by batch, and the slow one, row by row."""
    batches = [part for part in (rows[:cut], rows[cut:]) if part]
    tallies = [
        tb.tally([g for g, _, _ in part], {"p": [p for _, p, _ in part], "q": [q for *_, q in part]}, missing="wrong")
        for part in batches
    ]
    assert naive.counts_of(sum(tallies)) == naive.counts_of(
        Tally.of({row: rows.count(row) for row in rows}, models=("p", "q"))
    )


def test_streaming_takes_graded_answers_groups_and_weights():
    first = tb.tally({"p": [1, 0], "q": [1, 1]}, task="correct", groups=None)
    assert (first + first).pair("p", "q").cells().tolist() == [2, 0, 2, 0]
    one = tb.tally([1, 0], {"p": [1, 1], "q": [0, 0]}, groups=["d", "e"], sample_weight=[1.0, 0.5])
    two = tb.tally([1, 0], {"p": [1, 1], "q": [0, 0]}, groups=["e", "f"], sample_weight=[4.0, 0.5])
    assert sorted((one + two).crossing.names) == ["d", "e", "f"]
    assert (one + two).pair("p", "q").cells().tolist() == [0, 5.0, 1.0, 0]


def test_a_tally_that_is_not_added_to_a_tally_is_refused():
    tally = Tally.of({("x", "x", "z"): 3}, models=("a", "b"))
    with pytest.raises(TypeError):
        1 + tally
    with pytest.raises(TiebreakError, match=r"task is 'regression'"):
        tb.tally([1.5], {"a": [1.0], "b": [2.0]}, task="regression")


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (Tally.of({(1, 1, 2): 1}, models=("a", "b")), r"two.tally does not add to one.tally: the labels of one part are text \('x'\), those of another numbers \(1\)"),
        (Tally.of({("x", "x", "z"): 1}, models=("a", "c")), "do not add: both must be of the same models"),
        (tb.tally({"a": [1], "b": [0]}, task="correct"), "both of labels or both of graded answers"),
        (tb.tally(["x"], {"a": ["x"], "b": ["z"]}, groups=[1]), "a tally with groups and one without do not add"),
    ],
    ids=["kinds", "models", "task", "groups"],
)  # fmt: skip
def test_parts_that_do_not_fit_are_refused_by_name(other, message):
    with pytest.raises(TiebreakError, match=message):
        added([("one.tally", Tally.of({("x", "x", "z"): 3}, models=("a", "b"))), ("two.tally", other)])


def test_true_and_1_never_become_one_label_or_one_group():
    with pytest.raises(MixedLabels, match=r"booleans \(False\), those of another numbers \(0\)"):
        Tally.of({(True, True, False): 1}, models=("a", "b")) + Tally.of({(1, 1, 0): 1}, models=("a", "b"))
    grouped = [tb.tally(["x"], {"a": ["x"], "b": ["z"]}, groups=group) for group in ([1], ["1"])]
    with pytest.raises(MixedLabels, match="numbers"):
        grouped[0] + grouped[1]


def test_parts_with_two_meanings_of_missing_are_refused():
    answers = {"a": ["x", None], "b": ["x", "z"]}
    parts = {policy: tb.tally(["x", "z"], answers, missing=policy) for policy in ("wrong", "drop")}
    with pytest.raises(TiebreakError, match=r"drop does not add: in it a missing prediction means drop.* wrong"):
        added(list(parts.items()))
    notes = [tb.compare(part).warnings[0] for part in parts.values()]
    assert notes[0] == "missing predictions count as wrong: a 1"
    assert notes[1].startswith("1 instance of 2 left out for every model")


def test_models_in_another_order_are_the_same_models():
    tally = Tally.of({("x", "x", "z"): 3}, models=("a", "b"))
    assert added([("one", tally), ("two", tally.restrict(["b", "a"]))]).pair("a", "b").right_wrong == 6


@pytest.fixture
def part(tmp_path):
    path = tmp_path / "part.tally"
    write_tally(counted(group="doc", weight="w"), path)
    return path


def test_every_cut_and_every_flipped_byte_is_the_same_tally_or_one_clear_line(part):
    whole, target = part.read_bytes(), part.with_name("torn.tally")
    expected = bytes_of(read_tally(part))
    rng = random.Random(0)  # noqa: S311
    torn = [whole[:cut] for cut in range(0, len(whole), 37)]
    for _ in range(300):
        altered = bytearray(whole)
        altered[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        torn.append(bytes(altered))
    refused = same = 0
    for content in torn:
        target.write_bytes(content)
        try:
            assert bytes_of(read_tally(target)) == expected
        except UnreadableSource as error:
            refused += re.fullmatch(r"torn\.tally [^\n]+", str(error)) is not None
        else:
            same += 1
    assert refused + same == len(torn)
    assert refused > len(torn) * 0.7


def rewritten(part, change):
    """The same archive with its header, or its arrays, changed by hand."""
    with zipfile.ZipFile(part) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    head = json.loads(members["table.json"])
    change(head, members)
    members["table.json"] = json.dumps(head).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    target = part.with_name("altered.tally")
    target.write_bytes(packed.getvalue())
    return target


def array_of(values, dtype="<i8"):
    file = io.BytesIO()
    np.save(file, np.array(values, dtype=dtype), allow_pickle=dtype is object)
    return file.getvalue()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda h, m: h.update(n=7), "8 instances where its head says 7"),
        (lambda h, m: h.update(models=["p", "p", "r"]), "models that are not distinct"),
        (lambda h, m: h.update(labels=[["text", ["a", "b"]]]), "a code without a label"),
        (lambda h, m: h.update(labels=[["text", ["a", "b", "b"]]]), "a label that occurs twice"),
        (lambda h, m: h.update(labels=[["int", ["a", "b", "c"]]]), "labels that are not all int"),
        (lambda h, m: h.update(labels=[["pickle", []]]), "labels of the unknown kind 'pickle'"),
        (lambda h, m: h.update(missing=[-1, 0, 0]), "counts of missing predictions that are none"),
        (lambda h, m: h.update(plan="guess"), "the unknown plan 'guess'"),
        (lambda h, m: h.update(table="spell"), "a table of the unknown kind 'spell'"),
        (lambda h, m: h.update(truth=3), "a truth without a name"),
        (lambda h, m: h.update(scale="1"), "a part is missing or of the wrong kind|a part has the wrong form"),
        (lambda h, m: h.update(groups=[["int", [1]]]), "a code without a label"),
        (lambda h, m: h["arrays"].pop("codes"), r"a part is missing or of the wrong kind \(KeyError\)"),
        (lambda h, m: h["arrays"].update(codes=["<i8", [1, 1]]), "an array that is not what its header says"),
        (lambda h, m: m.update({"codes.npy": b"no array"}), "an array without a header"),
        (lambda h, m: m.update({"codes.npy": m["codes.npy"][:-1]}), "an array of another length than its header"),
        (lambda h, m: m.pop("codes.npy"), "is truncated or no tally file"),
        (lambda h, m: h.update(format=9), "is of format 9, written by tiebreak .* reads up to 1"),
        (lambda h, m: h.update(format="new"), "is of format new"),
        (lambda h, m: h.pop("arrays"), "an archive without the header of a tally"),
    ],
)
def test_what_was_altered_is_refused_by_what_is_wrong_with_it(part, change, message):
    with pytest.raises(UnreadableSource, match=rf"^altered\.tally .*({message})"):
        read_tally(rewritten(part, change))


def test_no_array_of_objects_is_ever_unpacked(part):
    class Bomb:
        def __reduce__(self):
            return os.system, ("touch exploded",)

    def arm(head, members):
        members["codes.npy"] = array_of([Bomb()], object)
        head["arrays"]["codes"] = ["|O", [1]]

    with pytest.raises(UnreadableSource):
        read_tally(rewritten(part, arm))
    assert not Path("exploded").exists()


def test_negative_counts_and_stray_bits_are_refused():
    parts = parts_of(counted())
    parts.arrays["counts"] = -parts.arrays["counts"]
    with pytest.raises(Torn, match="counts below zero"):
        table_of(parts)
    parts = parts_of(counted(words=True))
    parts.arrays["bits"] = parts.arrays["bits"] | np.uint64(1 << 63)
    with pytest.raises(Torn, match="words with bits beyond their patterns"):
        table_of(parts)


def test_groups_that_do_not_add_up_are_refused():
    parts = parts_of(counted(group="doc"))
    parts.arrays["crossing_counts"] = parts.arrays["crossing_counts"] + np.int8(1)
    with pytest.raises(Torn, match="groups that do not add up to all instances"):
        table_of(parts)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tally", b"", "a.tally is truncated or no tally file"),
        ("a.tally", b"y_true,p,q\n1,1,1\n", "a.tally is truncated or no tally file"),
        ("a.tally", b"PK\x03\x04nonsense", "a.tally is truncated or no tally file"),
    ],
)
def test_what_is_named_a_tally_and_is_none(name, content, message, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableSource, match=message):
        tb.compare(str(tmp_path / name))


def test_a_tally_is_known_by_its_content_whatever_its_name(part):
    renamed = part.rename(part.with_name("part.zip"))
    assert tb.compare(str(renamed)).n == 8


def test_files_beside_tallies_are_refused_with_a_reason(part, tmp_path):
    (tmp_path / "b.csv").write_text("y_true,p,q\n1,1,1\n")
    with pytest.raises(TiebreakError, match=r"part.tally is a tally and b.csv is none: a tally has no rows to join"):
        tb.compare([str(part), "b.csv"])
    with pytest.raises(TiebreakError, match=r"part\.tally is given more than once"):
        tb.compare([str(part), str(part)])
    with pytest.raises(TiebreakError, match="new= names a tally, which holds all its models"):
        tb.compare({"new": str(part)})
    with pytest.raises(UnreadableSource, match=r"'nowhere\.tally' does not exist"):
        tb.compare("nowhere.tally")


def test_what_needs_rows_says_that_they_are_gone(part):
    comparison = tb.compare(str(part))
    with pytest.raises(NotDefined, match="only a tally is left of these rows: to see right_wrong of p and q"):
        comparison.instances("p", "q")
    words = tb.compare(counted(words=True))
    assert words.pair("p", "q").prayatul.both_wrong_same is None
    weighted = tb.compare(counted(weight="w"))
    with pytest.raises(NotDefined, match="a bootstrap of weighted instances needs their own weights"):
        weighted.bootstrap("comparative_deviation", "p", "q")


def test_options_that_contradict_the_count_are_refused(part, tmp_path):
    plain = tmp_path / "plain.tally"
    write_tally(counted(), plain)
    with pytest.raises(NotDefined, match="group names 'doc', but these tallies were counted without"):
        tb.compare(str(plain), groups="doc")
    with pytest.raises(NotDefined, match="weight names 'w', but these tallies were counted without"):
        tb.compare(str(plain), sample_weight="w")
    with pytest.raises(TiebreakError, match="truth names 'z', but these tallies were counted with 'y'"):
        tb.compare(str(plain), truth="z")
    with pytest.raises(
        TiebreakError, match="task is 'correct', but these tallies were counted with task classification"
    ):
        tb.compare(str(plain), task="correct")
    assert tb.compare(str(part), groups="doc", sample_weight="w", truth="y").n == 8
    assert tb.compare(counted(task="correct"), task="correct").task == "correct"
    chosen = tb.compare(str(plain), models=["r", "p"], labels=["c", "b", "a"])
    assert (chosen.names, chosen.labels) == (("r", "p"), ("c", "b", "a"))
    assert chosen.pair("r", "p").prayatul == tb.compare(counted()).pair("r", "p").prayatul
    with pytest.raises(TiebreakError, match="labels must name every class once, and leaves out c"):
        tb.compare(str(plain), labels=["a", "b"])
    with pytest.raises(TiebreakError, match="'z' is no model of this comparison"):
        tb.compare(str(plain), models=["z", "p"])


CSV = "y_true,knn,tree\na,a,b\nb,b,b\nc,a,c\na,a,a\na,a,b\n"


def test_count_then_compare_says_what_compare_says(tmp_path, capsys):
    (tmp_path / "all.csv").write_text(CSV)
    lines = CSV.splitlines()
    for name, rows in (("one", lines[1:3]), ("two", lines[3:])):
        (tmp_path / f"{name}.csv").write_text("\n".join([lines[0], *rows]) + "\n")
        assert run(["count", f"{name}.csv", "-o", f"{name}.tally"]) == 0
    assert capsys.readouterr() == ("", "tiebreak: one.tally holds 2 instances of knn, tree\n"
                                       "tiebreak: two.tally holds 3 instances of knn, tree\n")  # fmt: skip
    assert run(["compare", "all.csv", "--json"]) == 0
    whole = capsys.readouterr().out
    assert run(["compare", "one.tally", "two.tally", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(whole)
    assert run(["gate", "one.tally", "two.tally", "--baseline", "tree", "--candidate", "knn", "--margin", "0.5"]) == 0
    assert "knn" in capsys.readouterr().out
    assert run(["show", "one.tally"]) == 2
    assert "only a tally is left of these rows" in capsys.readouterr().err


def test_count_refuses_an_output_that_exists(tmp_path, capsys):
    (tmp_path / "all.csv").write_text(CSV)
    (tmp_path / "a.tally").write_text("precious")
    assert run(["count", "all.csv", "-o", "a.tally"]) == 2
    assert "exists" in capsys.readouterr().err
    assert (tmp_path / "a.tally").read_text() == "precious"
    assert run(["count", "all.csv", "-o", "a.tally", "--force", "--quiet"]) == 0
    assert run(["count", "all.csv"]) == 2
    assert "Missing option '--output'" in capsys.readouterr().err
    assert read_tally("a.tally").n == 5


def test_count_writes_to_standard_output(tmp_path):
    (tmp_path / "all.csv").write_text(CSV)
    done = subprocess.run([sys.executable, "-m", "tiebreak", "count", "all.csv", "-o", "-"], capture_output=True)
    (tmp_path / "a.tally").write_bytes(done.stdout)
    assert read_tally("a.tally").n == 5


@pytest.mark.parametrize("ends", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_killed_count_leaves_the_whole_file_or_none(ends, tmp_path):
    """Killed at many moments between its start and its end."""
    (tmp_path / "rows.csv").write_text("y_true,p,q\n" + "".join(f"{i % 90},{i % 91},{i % 89}\n" for i in range(60_000)))
    command = [sys.executable, "-m", "tiebreak", "count", "rows.csv", "-o", "rows.tally", "--quiet"]
    begun = time.monotonic()
    assert subprocess.run(command).returncode == 0
    lasts = time.monotonic() - begun
    whole = (tmp_path / "rows.tally").read_bytes()
    for share in (0.3, 0.7, 0.9, 0.97):
        (tmp_path / "rows.tally").unlink(missing_ok=True)
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(share * lasts)
        process.send_signal(ends)
        process.wait()
        found = list(tmp_path.glob("*.tally"))
        assert not found or found[0].read_bytes() == whole


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of Unix")
def test_a_pipe_is_written_to_and_never_replaced(tmp_path):
    import threading

    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_tally(counted(), pipe, force=True)
    reader.join()
    assert pipe.is_fifo()
    (tmp_path / "a.tally").write_bytes(read[0])
    assert read_tally(tmp_path / "a.tally").n == counted().n


def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tiebreak._files.os.fdopen", full)
    with pytest.raises(OSError, match="No space left"):
        write_tally(counted(), tmp_path / "a.tally")
    assert not list(tmp_path.iterdir())
