"""Answers that never meet the truth are refused where they were guessed, and noted where they were named."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tiebreak.errors import TiebreakError
from tiebreak.sources import Ask, opened, plan


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


@pytest.fixture
def old(write):
    return write("A.csv", "id,y_true,y_pred\n" + "".join(f"{i},{'xy'[i % 2]},{'xy'[i % 2]}\n" for i in range(8)))


def test_a_guessed_column_of_a_joined_file_that_never_meets_the_truth_is_refused(write, old):
    new = write("C.csv", "id,prob\n" + "".join(f"{i},0.9{i}\n" for i in range(8)))
    with pytest.raises(TiebreakError, match=r"column 'prob' shares no value with the truth 'y_true'.*in C.csv call"):
        opened({"old": old, "new": new}, None, Ask()).tally


def test_a_column_that_is_called_predictions_is_believed_and_noted(write, old):
    new = write("D.csv", "id,y_pred\n" + "".join(f"{i},{i % 2}\n" for i in range(8)))
    rows = opened({"old": old, "new": new}, None, Ask())
    note = "no answer of 'new' is ever one of the true labels (truth holds 'x', 'y'; 'new' holds '0', '1')"
    assert rows.tally.pairs()[0, 1].tolist() == [0, 8, 0, 0]
    assert rows.notes == (note,)


LONG = "id,m,p,y\n" + "".join(
    f"{i},{m},{i % 2 if m == 'a' else 'xy'[i % 2]},{'xy'[i % 2]}\n" for i in range(8) for m in "ab"
)


def test_long_layouts_are_noted_too(write):
    path = write("L.csv", LONG)
    for data in (path, pd.read_csv(path), pl.read_csv(path)):
        rows = opened(data, None, Ask(long=("m", "p"), truth="y"))
        assert [note.split(" is ever")[0] for note in rows.notes] == ["no answer of 'a'"]


@pytest.mark.parametrize("words", [False, True])
def test_arrays_and_named_models_are_noted_by_either_plan(words, monkeypatch):
    if words:
        monkeypatch.setattr(plan, "MOST_CODES", 0)
    truth = ["yes", "no"] * 5
    rows = opened(truth, {"a": truth, "b": ["1", "0"] * 5, "none": [None] * 10}, Ask(missing="wrong"))
    assert rows.tally.plan == ("words" if words else "outcomes")
    assert len(rows.notes) == 1
    assert "'b' holds '0', '1'" in rows.notes[0]
    frame = pd.DataFrame({"y_true": truth, "a": truth, "b": ["1", "0"] * 5})
    assert len(opened(frame, None, Ask(models=("a", "b"))).notes) == 1
    with pytest.raises(TiebreakError, match="column 'b' shares no value"):
        opened(frame, None, Ask()).tally


def test_a_model_that_is_wrong_everywhere_is_no_stranger():
    assert opened([0, 1], {"a": [1, 0], "b": [0, 1]}, Ask()).notes == ()
    assert opened(None, {"a": [1, 0], "b": [0, 1]}, Ask(task="correct")).notes == ()
    assert opened(["u", "v"], {"a": [1, 2], "b": [3, 4]}, Ask(task="clustering")).notes == ()
    assert opened([0.5, 1], {"a": [1, 0], "b": [0, 1]}, Ask(task="regression")).notes == ()


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("1,1,01\n2,2,2\n", "labels are read as text because column 'b' holds '01'"),
        ("0.1,0.10,0.1\n0.2,0.2,0.2\n", "labels are read as text because column 'a' holds '0.10'"),
        ("1,1,03\n3,1,1\n", "labels are read as text because column 'b' holds '03'"),
        ("01,1,01\n02,02,02\n", "labels are read as text because column 'y' holds '01'"),
        ("01,01,01\n10,10,02\n02,10,02\n", None),
        ("1,1.0,1\n2,2,2\n", None),
        ("1,x,01\n2,1,1\n", None),
    ],
)
def test_numbers_that_are_read_as_text_because_of_a_spelling(write, text, note):
    rows = opened(write("a.csv", "y,a,b\n" + text), None, Ask(truth="y"))
    assert rows.notes == (() if note is None else (note,))


def test_typed_columns_need_no_such_note(tmp_path):
    frame = pd.DataFrame({"y_true": ["1", "2"], "a": ["01", "2"], "b": ["1", "2"]})
    frame.to_parquet(tmp_path / "a.parquet")
    for data in (frame, str(tmp_path / "a.parquet")):
        assert opened(data, None, Ask()).notes == ()


@pytest.mark.parametrize("as_text", [False, True])
def test_measurements_are_refused_in_every_column_with_what_they_are_for(write, as_text):
    rng = np.random.default_rng(0)
    p = rng.random(100).round(3)
    spelled = [f"{value:.4f}" if as_text else value for value in p.tolist()]
    lines = "".join(f"{i % 2},{i % 2},{value}\n" for i, value in enumerate(spelled))
    with pytest.raises(
        TiebreakError, match=r"column 'p' looks continuous .*--proba .*--task regression.*--task scores"
    ):
        opened(write("a.csv", "y_true,a,p\n" + lines), None, Ask(models=("a", "p"))).tally
    with pytest.raises(TiebreakError, match="column 'p' looks continuous"):
        opened([0, 1] * 50, {"a": [0, 1] * 50, "p": p}, Ask()).tally
    with pytest.raises(TiebreakError, match="truth 'y_true' looks continuous"):
        opened(p, {"a": [0, 1] * 50, "b": p}, Ask()).tally


def test_codes_that_look_like_decimals_stay_classes():
    codes = [f"{250 + k // 10}.{k % 10}0" for k in range(60)]
    assert opened(codes, {"a": codes, "b": codes[::-1]}, Ask()).tally.n == 60
