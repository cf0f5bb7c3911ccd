"""Probabilities at the counter: arrays and columns of every source, both forms, every refusal."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tiebreak.errors import ColumnNotFound, MissingPredictions, NotDefined, TiebreakError
from tiebreak.sources import Ask, opened, proba_column, scores_of

CLASSES = ["u", "v", "w"]


def table(n=200):
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(3), n).round(4)
    frame = pd.DataFrame({"y": rng.choice(CLASSES, n), "a": np.array(CLASSES)[shares.argmax(axis=1)], "b": "u"})
    return frame.assign(
        **{f"p{label}": shares[:, k] for k, label in enumerate(CLASSES)}, weight=np.tile([1.0, 2.0], n // 2)
    )


def asked(**more):
    return Ask(truth="y", weight="weight", proba=tuple(proba_column(f"a:{k}=p{k}") for k in CLASSES), **more)


def test_columns_of_every_source_are_the_same_scores(tmp_path):
    frame = table()
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    expected = frame[["pu", "pv", "pw"]].to_numpy()
    sources = (frame, pl.from_pandas(frame), pl.from_pandas(frame).lazy(), tmp_path / "t.csv", tmp_path / "t.parquet")
    for source in sources:
        rows = opened(source, None, asked())
        found = scores_of(rows)
        assert rows.roles.models == ("a", "b")
        assert found.models == ("a",)
        assert found.labels == ("u", "v", "w")
        assert found.positive is None
        assert np.array(CLASSES)[found.truth].tolist() == frame["y"].tolist()
        np.testing.assert_allclose(found.shares("a"), expected, atol=1e-12)
        np.testing.assert_allclose(found.of("a", 1), expected[:, 1], atol=1e-12)
        assert found.weights.tolist() == frame["weight"].tolist()
        rows.close()


def test_dropped_instances_have_no_scores(tmp_path):
    frame = table()
    frame.loc[::10, "b"] = None
    frame.to_csv(tmp_path / "t.csv", index=False)
    for source in (frame, pl.from_pandas(frame), tmp_path / "t.csv"):
        rows = opened(source, None, asked(missing="drop"))
        assert scores_of(rows).n == rows.tally.n == 180
        rows.close()


def test_arrays_of_both_forms():
    truth, answers = ["no", "yes", "no"], {"a": ["no", "yes", "no"], "b": ["no", "no", None]}
    rows = opened(truth, answers, Ask(missing="wrong"))
    found = scores_of(rows, {"a": [0.1, 0.8, 0.4], "b": np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])})
    assert found.of("a", 1).tolist() == [0.1, 0.8, 0.4]
    assert found.of("b", 1).tolist() == [0.1, 0.8, 0.4]
    assert found.of("a", 0) == pytest.approx([0.9, 0.2, 0.6])
    assert found.shares("a")[:, 1].tolist() == [0.1, 0.8, 0.4]
    other = scores_of(rows, {"a": [0.1, 0.8, 0.4]}, positive="no")
    assert other.positive == 0
    assert other.judged == (0,)
    assert other.of("a", 0).tolist() == [0.1, 0.8, 0.4]
    assert other.shares("a")[:, 0].tolist() == [0.1, 0.8, 0.4]
    series = scores_of(
        rows, {"a": pl.Series([0.1, 0.8, 0.4]), "b": pd.DataFrame({"n": [0.9, 0.2, 0.6], "y": [0.1, 0.8, 0.4]})}
    )
    assert series.of("b", 1).tolist() == [0.1, 0.8, 0.4]
    dropped = opened(truth, answers, Ask(missing="drop"))
    assert scores_of(dropped, {"a": [0.1, 0.8, 0.4]}).of("a", 1).tolist() == [0.1, 0.8]


def test_one_column_of_either_class_is_enough():
    frame = pd.DataFrame({"y": ["no", "yes"], "a": ["no", "yes"], "b": ["no", "no"], "p": [0.25, 0.75]})
    for asked_for, positive in (("a=p", [0.25, 0.75]), ("a:yes=p", [0.25, 0.75]), ("a:no=p", [0.75, 0.25])):
        rows = opened(frame, None, Ask(truth="y", proba=(proba_column(asked_for),)))
        assert scores_of(rows).of("a", 1).tolist() == positive


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([0.2, 1.4, 0.3], "y_proba of 'a' holds 1.4: a probability lies between 0 and 1"),
        ([0.2, -0.1, 0.3], "y_proba of 'a' holds -0.1: a probability lies between 0 and 1"),
        ([[0.5, 0.5], [0.5, 0.4], [1, 0]], "y_proba of 'a' sums to 0.9 in row 1 (counted from 0), off in 1 row"),
        (
            [0.2, 0.3],
            "y_proba of 'a' has shape (2,): it must be (3,) or (3, 2), one column for each of the classes no, yes",
        ),
        (np.ones((3, 3)) / 3, "y_proba of 'a' has shape (3, 3): it must be (3,) or (3, 2)"),
        (["x", "y", "z"], "y_proba of 'a' holds something that is no number"),
    ],
)
def test_bad_probabilities_are_one_line(values, text):
    rows = opened(["no", "yes", "no"], {"a": ["no", "yes", "no"], "b": ["no", "no", "no"]}, Ask())
    with pytest.raises(TiebreakError) as error:
        scores_of(rows, {"a": values})
    assert text in str(error.value)


def test_other_refusals():
    rows = opened(["no", "yes", "no"], {"a": ["no", "yes", "no"], "b": ["no", "no", "no"]}, Ask())
    with pytest.raises(MissingPredictions, match="is missing in 1 row"):
        scores_of(rows, {"a": [0.2, None, 0.3]})
    with pytest.raises(ColumnNotFound, match="'c' is no model"):
        scores_of(rows, {"c": [0.2, 0.1, 0.3]})
    with pytest.raises(TiebreakError, match="positive is 'maybe'"):
        scores_of(rows, {"a": [0.2, 0.1, 0.3]}, positive="maybe")
    with pytest.raises(NotDefined, match="no probabilities were given"):
        scores_of(rows)
    with pytest.raises(NotDefined, match="already graded"):
        scores_of(opened(None, {"a": [1, 0], "b": [1, 1]}, Ask(task="correct")), {"a": [0.1, 0.2]})
    frame = table()
    for columns, text in [
        (("a=pu",), "proba gives 'a' no column for u, v, w"),
        (("a:u=pu", "a:v=pv"), "proba gives 'a' no column for w: with 3 classes name one column each"),
        (("a:x=pu",), "proba names the class 'x': the classes are u, v, w"),
        (("a:u=pu", "a:u=pv"), "proba names 'a' twice for the same class"),
    ]:
        opened_rows = opened(frame, None, Ask(truth="y", models=("a", "b"), proba=tuple(map(proba_column, columns))))
        with pytest.raises(TiebreakError) as error:
            scores_of(opened_rows)
        assert text in str(error.value)
    for argument in ("a", "=p", "a=", "a:=p", ":x=p"):
        with pytest.raises(TiebreakError, match="write MODEL=COLUMN"):
            proba_column(argument)
    with pytest.raises(ColumnNotFound, match="proba names 'nowhere'"):
        opened(frame, None, Ask(truth="y", proba=(proba_column("a=nowhere"),)))


def test_a_text_that_is_no_number_is_named(tmp_path):
    (tmp_path / "t.csv").write_text("y,a,b,p\nno,no,yes,0.1\nyes,no,yes,high\n")
    rows = opened(tmp_path / "t.csv", None, Ask(truth="y", proba=(proba_column("a=p"),)))
    with pytest.raises(TiebreakError, match=r"column 'p' of t.csv holds 'high', which is no number"):
        scores_of(rows)
    rows.close()


def test_joined_files_long_layouts_and_arrays_are_told_where_probabilities_are_read(tmp_path):
    for model in "ab":
        (tmp_path / f"{model}.csv").write_text("id,y,y_pred,p\n1,no,no,0.1\n2,yes,no,0.4\n")
    ask = Ask(truth="y", id="id", proba=(proba_column("a=p"),))
    files = [(model, str(tmp_path / f"{model}.csv")) for model in "ab"]
    long = pd.DataFrame({"id": [1, 1], "y": ["no", "no"], "m": ["a", "b"], "answer": ["no", "yes"], "p": [0.1, 0.2]})
    long_ask = Ask(truth="y", id="id", long=("m", "answer"), proba=(proba_column("a=p"),))
    for data, asked_for in ((files, ask), (long, long_ask)):
        with pytest.raises(TiebreakError, match="one table with a row per instance"):
            opened(data, None, asked_for)
    for words in ({"by": ("site",)}, {"proba": (proba_column("a=p"),)}):
        with pytest.raises(TiebreakError, match="names a column, but the data are arrays"):
            opened([1, 0], {"a": [1, 0], "b": [0, 0]}, Ask(**words))
