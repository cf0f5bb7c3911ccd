"""Arguments and roles: what is read, which column is what, and that nothing is two things at once."""

import enum

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tiebreak import _checks
from tiebreak.cli.output import refuse_existing
from tiebreak.errors import TiebreakError
from tiebreak.sources import Ask, opened, paths_read, vectors


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "parts").mkdir()
    for name in ("a.csv", "parts/p1.csv", "parts/p2.csv", "must.txt"):
        (tmp_path / name).write_text("id,y_true,p,q\n1,1,1,1\n")
    return tmp_path


def test_what_arguments_read(folder):
    a, parts = str(folder / "a.csv"), [str(folder / "parts" / name) for name in ("p1.csv", "p2.csv")]
    assert paths_read([f"new={a}"]) == [a]
    assert paths_read([str(folder / "parts")]) == paths_read([f"{folder}/parts/*.csv"]) == parts
    assert paths_read(["-", "x=-", str(folder / "nowhere.csv"), f"{folder}/*.nothing"]) == []


@pytest.mark.parametrize(
    ("output", "given"),
    [
        ("a.csv", "new={}/a.csv"), ("a.csv", "{}/a.csv"), ("parts/p2.csv", "{}/parts"), ("parts/p2.csv", "x={}/parts"),
        ("parts/p2.csv", "{}/parts/*.csv"), ("must.txt", "{}/must.txt"),
    ],
)  # fmt: skip
def test_an_output_that_is_also_read_is_refused_however_it_is_named(folder, output, given):
    with pytest.raises(TiebreakError, match="is also read: name another file"):
        refuse_existing(str(folder / output), force=True, inputs=[given.format(folder)])
    refuse_existing(str(folder / "a.csv"), force=True, inputs=[str(folder / "parts")])


def test_standard_input_is_given_once():
    with pytest.raises(TiebreakError, match=r"- is given more than once"):
        opened({"a": "-", "b": "-"}, None, Ask())


TABLE = {"y": [1, 2], "a": [1, 2], "b": [1, 1], "w": [1, 1], "g": [1, 2]}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"id": "y"}, "id names 'y', which is already the truth"),
        ({"id": "w", "weight": "w"}, "id names 'w', which is already the weight"),
        ({"id": "g", "group": "g"}, "id names 'g', which is already the group"),
        ({"weight": "y"}, "weight names 'y', which is already the truth"),
        ({"group": "y"}, "group names 'y', which is already the truth"),
        ({"group": "w", "weight": "w"}, "group names 'w', which is already the weight"),
        ({"by": ("y",)}, "by names 'y', which is the truth"),
        ({"id": "a", "models": ("a", "b")}, "models names 'a', which is already the truth, the id"),
    ],
)
def test_a_column_is_one_thing(words, message, tmp_path):
    frame = pd.DataFrame(TABLE)
    frame.to_csv(tmp_path / "t.csv", index=False)
    for data in (TABLE, frame, pl.DataFrame(TABLE), str(tmp_path / "t.csv")):
        with pytest.raises(TiebreakError, match=message):
            opened(data, None, Ask(truth="y", **words)).tally


def test_in_joined_files_and_long_layouts_too(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text("id,y_true,y_pred\n1,1,1\n")
    with pytest.raises(TiebreakError, match="id names 'y_true', which is already the truth"):
        opened([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")], None, Ask(id="y_true"))
    long = pd.DataFrame({"id": [1, 1], "y": [1, 1], "m": ["a", "b"], "p": [1, 1]})
    long.to_csv(tmp_path / "long.csv", index=False)
    for data in (long, str(tmp_path / "long.csv")):
        with pytest.raises(TiebreakError, match="id names 'm', which is already the column of models"):
            opened(data, None, Ask(truth="y", long=("m", "p"), id="m"))


def test_groups_of_the_wrong_length_are_spoken_of_as_groups():
    with pytest.raises(TiebreakError, match=r"group has 1 value but y_true has 2: every instance needs its group"):
        opened([1, 2], {"a": [1, 2], "b": [1, 1]}, Ask(), groups=[1])


def test_columns_whose_names_are_integers():
    frame = pd.DataFrame({0: [1, 2], 1: [1, 2], 2: [2, 2]})
    tally = opened(frame, None, Ask(truth=0, models=(1, 2))).tally
    assert tally.models == ("1", "2")
    assert tally.pairs()[0, 1].tolist() == [1, 1, 0, 0]
    assert frame.columns.tolist() == [0, 1, 2]
    assert opened(frame.to_dict("list"), None, Ask(truth=0)).tally.models == ("1", "2")
    given = opened([1, 2], pd.DataFrame({0: [1, 2], 1: [2, 2]}), Ask()).tally
    assert given.models == ("0", "1")
    assert given.pairs()[0, 1].tolist() == [1, 1, 0, 0]
    long = pd.DataFrame({0: [1, 1, 2, 2], 1: [5, 6, 5, 6], 2: [1, 0, 1, 1], 3: [1, 1, 1, 1]})
    assert opened(long, None, Ask(truth=3, id=0, long=(1, 2))).tally.models == ("5", "6")


def test_one_bare_text_is_no_list_of_names():
    assert _checks.names(("ab", 1), "models") == ("ab", "1")
    for wrong in ("ab", b"ab", 3):
        with pytest.raises(TiebreakError, match=r"models is .*, one name: give a list of names"):
            _checks.names(wrong, "models")


class Colour(str, enum.Enum):  # noqa: UP042 the older way, which is the one in use
    """Members are strings, and `str` of one is not."""

    RED = "red"
    BLUE = "blue"


@pytest.mark.parametrize("n", [4, vectors.LONG_TEXT + 4])
def test_members_of_an_enumeration_of_strings_are_their_strings(n):
    members, plain = [Colour.RED, Colour.BLUE] * (n // 2), ["red", "blue"] * (n // 2)
    objects = np.array([*members, None], dtype=object)[:-1]
    for truth in (members, objects, pd.Series(members, dtype=object), pl.Series(plain)):
        tally = opened(truth, {"p": plain, "q": objects}, Ask(labels=(Colour.RED, Colour.BLUE))).tally
        assert tally.labels == ("red", "blue")
        assert all(type(label) is str for label in tally.labels)
        assert tally.pairs()[0, 1].tolist() == [n, 0, 0, 0]
    grouped = opened(plain, {Colour.RED: plain, Colour.BLUE: members}, Ask(), groups=members)
    assert grouped.tally.models == ("red", "blue")
    assert set(map(type, grouped.tally.crossing.names)) == {str}


@pytest.mark.parametrize("n", [6, vectors.LONG_TEXT + 6])
@pytest.mark.parametrize("values", [["a", "b", "c"], [1, 2, 3], [0.5, 1.5, 2.5], [True, False, True]])
def test_columns_that_run_backwards_count_like_their_copies(values, n):
    column = np.array(values * (n // 3), dtype=object if isinstance(values[0], str) else None)
    text = np.array(["x", "y", "z"] * (n // 3), dtype=object)
    for truth in (column, column[::-1]):
        found = opened(truth, {"p": column[::-1], "q": column[::2].repeat(2)[: len(column)][::-1]}, Ask()).tally
        copied = opened(
            truth.copy(), {"p": column[::-1].copy(), "q": column[::2].repeat(2)[: len(column)][::-1].copy()}, Ask()
        )
        assert found.pairs().tolist() == copied.tally.pairs().tolist()
    assert (
        opened(text[::-1], {"p": text[::-1], "q": text}, Ask()).tally.pair("p", "q").both_right
        == (text[::-1] == text).sum()
    )
