"""What `compare` returns: the parts agree with each other, with the naive twins, and with what was written to JSON."""

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import tiebreak as tb
from documents import assert_every_null_has_its_reason

LABELS = st.sampled_from(["a", "b", "c"])
ROWS = st.lists(st.tuples(LABELS, LABELS, LABELS, LABELS), min_size=1, max_size=50)


def compared(rows, **options):
    truth, *answers = map(list, zip(*rows, strict=True))
    return tb.compare(truth, dict(zip("pqr", answers, strict=True)), **options)


@given(ROWS)
def test_the_document_is_complete(rows):
    """What comes back from JSON writes the same JSON and shows the same text."""
    comparison = compared(rows)
    document = json.loads(comparison.to_json())
    again = tb.Comparison.from_dict(document)
    assert again.to_dict() == document == comparison.to_dict()
    assert str(again) == str(comparison)
    assert again.to_markdown() == comparison.to_markdown()
    assert again.to_latex() == comparison.to_latex()


@given(ROWS)
def test_swapping_the_models_mirrors_everything(rows):
    comparison = compared(rows)
    one, other = comparison.pair("p", "q"), comparison.pair("q", "p")
    assert one.prayatul.swap() == other.prayatul
    assert one.difference == -other.difference
    assert one.measures.comparative_deviation == -other.measures.comparative_deviation
    assert one.prayatul.phi == other.prayatul.phi or math.isnan(one.prayatul.phi)


@given(ROWS)
def test_relabelling_the_classes_changes_no_count(rows):
    """Catalogue C6: one bijection of the labels applied to truth and predictions."""
    new = {"a": 3, "b": 1, "c": 2}
    renamed = compared([tuple(new[label] for label in row) for row in rows])
    comparison = compared(rows)
    for entry, other in zip(comparison.to_dict()["pairs"], renamed.to_dict()["pairs"], strict=True):
        assert entry == other


@given(ROWS, st.integers(2, 4))
def test_repeating_every_instance_leaves_the_measures_alone(rows, times):
    one, other = compared(rows).pair("p", "q").measures, compared(rows * times).pair("p", "q").measures
    assert repr(one) == repr(other)


@given(ROWS)
def test_a_comparison_of_two_is_the_comparison_of_three_restricted(rows):
    truth, p, q, _ = map(list, zip(*rows, strict=True))
    assert tb.compare(truth, {"p": p, "q": q}).pair("p", "q").prayatul == compared(rows).pair("p", "q").prayatul


@given(ROWS)
def test_models_and_pool_equal_the_loop(rows):
    comparison = compared(rows)
    right = [[answer == row[0] for answer in row[1:]] for row in rows]
    rights, wrongs, difficulty = naive.pool(right)
    assert [m.unique_rights for m in comparison.models] == rights
    assert [m.unique_wrongs for m in comparison.models] == wrongs
    assert comparison.pool.difficulty == pytest.approx([count / len(rows) for count in difficulty])
    for place, model in enumerate(comparison.models):
        assert model.right == sum(row[place] for row in right)
        assert model.accuracy == model.right / len(rows)


def test_accuracy_is_scikit_learns():
    from sklearn.metrics import accuracy_score

    rng = np.random.default_rng(0)
    truth, p, q = rng.integers(0, 4, (3, 500))
    weights = rng.random(500)
    comparison = tb.compare(truth, {"p": p, "q": q}, sample_weight=weights)
    assert comparison.model("p").accuracy == pytest.approx(accuracy_score(truth, p, sample_weight=weights), rel=1e-12)
    assert comparison.weight == pytest.approx(weights.sum(), rel=1e-12)


def test_the_table_is_mlxtends_where_it_has_one():
    from mlxtend.evaluate import mcnemar_table

    rng = np.random.default_rng(0)
    truth, p, q = rng.integers(0, 3, (3, 400))
    assert np.asarray(tb.prayatul_matrix(truth, p, q)).tolist() == mcnemar_table(truth, p, q).tolist()


def test_the_worked_example_of_five_instances():
    comparison = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")})
    pair = comparison.pair("p", "q")
    assert (pair.prayatul.both_right, pair.prayatul.right_wrong, pair.prayatul.wrong_right) == (2, 1, 2)
    assert pair.measures.comparative_deviation == pytest.approx(-1 / 3)
    assert comparison.model("p").accuracy == 0.6
    assert comparison.model("q").accuracy == 0.8


@pytest.mark.parametrize(
    ("cell", "rows"),
    [("both_right", [0, 3]), ("right_wrong", [2]), ("wrong_right", [1, 4]), ("both_wrong", [])],
)
def test_instances_of_every_cell(cell, rows):
    comparison = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")})
    found = comparison.instances("p", "q", cell)
    assert [row["row"] for row in found] == rows
    assert found.total == len(rows)
    assert len(comparison.instances("p", "q", cell, limit=1)) == min(1, len(rows))


@pytest.fixture
def frame():
    return pd.DataFrame(
        {"id": [10, 11, 12, 13], "y_true": ["a", "b", "c", "a"], "p": ["a", "b", "x", None], "q": ["a", "c", "c", "a"],
         "text": ["one", "two", "three", "four"]}
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "pyarrow", "duckdb", "dict", "csv", "parquet", "jsonl"])
def test_instances_go_back_to_the_source_with_all_its_columns(kind, frame, tmp_path):
    import duckdb
    import pyarrow as pa

    path = tmp_path / f"a.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "parquet":
        frame.to_parquet(path)
    elif kind == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    data = {
        "pandas": lambda: frame, "polars": lambda: pl.from_pandas(frame), "lazy": lambda: pl.from_pandas(frame).lazy(),
        "pyarrow": lambda: pa.Table.from_pandas(frame), "duckdb": lambda: duckdb.connect().from_df(frame),
        "dict": lambda: frame.to_dict("list"),
    }.get(kind, lambda: str(path))()  # fmt: skip
    comparison = tb.compare(data, models=["p", "q"], missing="wrong")
    found = comparison.instances("q", "p")
    assert found.total == 2
    assert [row["text"] for row in found] == ["three", "four"]
    assert [int(row["id"]) for row in found] == [12, 13]
    dropped = tb.compare(data, models=["p", "q"], missing="drop")
    assert [row["text"] for row in dropped.instances("q", "p")] == ["three"]
    assert dropped.pair("q", "p").prayatul.right_wrong == 1


def test_nothing_is_left_to_show_after_json():
    document = tb.compare([1, 0], {"a": [1, 1], "b": [0, 0]}).to_dict()
    again = tb.Comparison.from_dict(document)
    with pytest.raises(tb.NotDefined, match="no rows remain"):
        again.instances("a", "b")
    with pytest.raises(tb.NotDefined, match="not part of a JSON document"):
        again.tally
    with pytest.raises(tb.TiebreakError, match="schema is 7"):
        tb.Comparison.from_dict(document | {"schema": 7})
    with pytest.raises(tb.TiebreakError, match="not what to_dict writes"):
        tb.Comparison.from_dict({"schema": 1})


def test_undefined_is_null_with_the_reason():
    document = tb.compare([1, 1], {"a": [0, 0], "b": [0, 0]}).to_dict()
    assert document["pairs"][0]["comparative_rightness"] is None
    reasons = {entry["path"]: entry["reason"] for entry in document["undefined"]}
    assert "wrong on every instance" in reasons["pairs[0].comparative_rightness"]
    assert "pairs[0].phi" in reasons
    assert_every_null_has_its_reason(document)


def test_above_a_hundred_models_the_document_lists_the_pairs_with_the_leader():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 50)
    comparison = tb.compare(truth, {f"m{k}": rng.integers(0, 2, 50) for k in range(101)})
    assert len(comparison.to_dict()["pairs"]) == 200
    assert len(comparison.to_dict(all_pairs=True)["pairs"]) == 101 * 100
    document = comparison.to_dict()
    again = tb.Comparison.from_dict(document)
    assert again.to_dict() == document
    others = [name for name in comparison.names if name != comparison.leader.name]
    with pytest.raises(tb.NotDefined, match="write it with all pairs"):
        again.pair(others[0], others[1])
    assert comparison.pair(others[0], others[1]).prayatul.n == 50


def test_balanced_measures_do_not_depend_on_prevalence():
    """Catalogue C8: one class repeated r times."""
    rows = [("a", "a", "b"), ("a", "b", "a"), ("a", "a", "a"), ("b", "b", "b"), ("b", "a", "b")]

    def balanced(rows):
        truth, p, q = zip(*rows, strict=True)
        return tb.compare(list(truth), {"p": list(p), "q": list(q)}).pair("p", "q").balanced

    more = rows + [row for row in rows if row[0] == "b"] * 4
    for name in tb.compare([1], {"a": [1], "b": [1]}).pair("a", "b").measures.__dataclass_fields__:
        assert getattr(balanced(rows), name) == pytest.approx(getattr(balanced(more), name))
    truth, p, q = zip(*rows, strict=True)
    assert tb.prayatul_matrix(truth, p, q, balanced=True).n == pytest.approx(1)


def test_a_perfect_primary_and_a_twin():
    """Catalogue C12."""
    rng = np.random.default_rng(0)
    truth, p = rng.integers(0, 3, (2, 60))
    perfect = tb.prayatul_matrix(truth, truth, p)
    assert perfect.wrong_right == perfect.both_wrong == 0
    twin = tb.prayatul_matrix(truth, p, p)
    assert twin.right_wrong == twin.wrong_right == 0
    assert twin.both_wrong_same == twin.both_wrong


def test_folds_are_pooled_by_addition():
    one, other = tb.PrayatulMatrix(3, 1, 0, 1, 1), tb.PrayatulMatrix(2, 0, 2, 1, 0)
    assert one + other == tb.PrayatulMatrix(5, 1, 2, 2, 1)
    assert (one + tb.PrayatulMatrix(1, 0, 0, 0)).both_wrong_same is None


@pytest.mark.parametrize(
    ("cells", "message"),
    [((-1, 0, 0, 0), "every count must be"), ((math.nan, 0, 0, 1), "every count must be"), ((0, 0, 0, 0), "at least one"),
     ((0, 0, 0, 1, 2), "between 0 and both_wrong")],
)  # fmt: skip
def test_tables_that_cannot_be(cells, message):
    with pytest.raises(tb.TiebreakError, match=message):
        tb.PrayatulMatrix(*cells)


def test_graded_answers():
    truth = [None, "ignored"]
    for call in (
        lambda: tb.compare({"a": [1, 0, 1], "b": [True, True, False]}, task="correct"),
        lambda: tb.compare(None, {"a": [1, 0, 1], "b": [True, True, False]}, task="correct"),
        lambda: tb.compare(truth, {"a": [1, 0, 1], "b": [True, True, False]}, task="correct"),
        lambda: tb.compare(pd.DataFrame({"a": [1, 0, 1], "b": [True, True, False]}), task="correct"),
        lambda: tb.compare(pl.DataFrame({"a": [1, 0, 1], "b": [1.0, 1.0, 0.0]}), task="correct"),
    ):
        comparison = call()
        assert comparison.task == "correct"
        assert comparison.pair("a", "b").prayatul.counts.cells().tolist() == [1, 1, 1, 0]
        assert len(comparison.instances("a", "b")) == 1
        assert tb.Comparison.from_dict(comparison.to_dict()).to_dict() == comparison.to_dict()


def test_estimators_are_pooled_over_folds():
    from sklearn.datasets import load_iris
    from sklearn.model_selection import ShuffleSplit, StratifiedKFold, cross_val_predict
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_iris(return_X_y=True)
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    comparison = tb.compare_estimators(models, X, y, cv=5)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    p, q = (cross_val_predict(model, X, y, cv=folds) for model in models.values())
    parts = [tb.prayatul_matrix(y[test], p[test], q[test]) for _, test in folds.split(X, y)]
    pooled = sum(parts[1:], parts[0])
    assert comparison.pair("bayes", "tree").prayatul.counts == pooled.counts
    with pytest.raises(tb.TiebreakError, match="estimator 'bayes' could not be cross-validated"):
        tb.compare_estimators(models, X, y, cv=ShuffleSplit(2, random_state=0))
    with pytest.raises(tb.EmptyComparison, match="at least two"):
        tb.compare_estimators({"bayes": GaussianNB()}, X, y)


def test_labels_in_the_callers_order():
    comparison = tb.compare(["lo", "hi"], {"a": ["lo", "lo"], "b": ["hi", "hi"]}, labels=["lo", "hi", "never"])
    assert comparison.labels == ("lo", "hi", "never")
    with pytest.raises(tb.TiebreakError, match="labels leaves out hi"):
        tb.compare(["lo", "hi"], {"a": ["lo", "lo"], "b": ["hi", "hi"]}, labels=["lo"])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tb.compare([1, 0], {"a": [1, 0]}), tb.EmptyComparison, "only one model column, 'a'"),
        (lambda: tb.compare([1, 0], {}), tb.EmptyComparison, "no model column"),
        (lambda: tb.compare([], {"a": [], "b": []}), tb.EmptyComparison, "holds no rows"),
        (lambda: tb.compare([1, 0], {"a": [1], "b": [1, 0]}), tb.TiebreakError, "a has 1 value but y_true has 2"),
        (lambda: tb.compare([1, 0], {"a": ["1", "0"], "b": [1, 0]}), tb.MixedLabels, "column 'y_true' holds numbers .* but column 'a' holds text"),
        (lambda: tb.compare([1, 0], {"a": [True, False], "b": [1, 0]}), tb.MixedLabels, "booleans"),
        (lambda: tb.compare([1, None], {"a": [1, 0], "b": [1, 0]}), tb.MissingPredictions, "truth 'y_true' is missing in 1 row"),
        (lambda: tb.compare([1, 0], {"a": [1, None], "b": [1, 0]}), tb.MissingPredictions, "'a' 1; say what that means with --missing wrong"),
        (lambda: tb.compare([1, 0], {"a": [None, None], "b": [1, 0]}, missing="drop"), tb.EmptyComparison, "dropping left nothing"),
        (lambda: tb.compare([1, 0], {"a": [1, 0], "b": [1, 0]}, missing="ignore"), tb.TiebreakError, "missing is 'ignore': it must be one of raise, wrong, drop"),
        (lambda: tb.compare([1, 0], {"a": [1, 0], "b": [1, 0]}, task="ranking"), tb.TiebreakError, "task is 'ranking'"),
        (lambda: tb.compare([1, 0], {"a": [1, 0], "b": [1, 0]}, level=1.5), tb.TiebreakError, "level is 1.5"),
        (lambda: tb.compare([1, 0], {"a": [1, 0], "b": [1, 0]}, sample_weight=[1, -1]), tb.TiebreakError, "is -1.0 in row 2"),
        (lambda: tb.compare([1, 0], {"a": [1, 0], "b": [1, 0]}, sample_weight=[1, math.nan]), tb.TiebreakError, "is nan in row 2"),
        (lambda: tb.compare([1, 0], {"a": [1, 0], "b": [1, 0]}, sample_weight=[0, 0]), tb.TiebreakError, "0 in every row"),
        (lambda: tb.compare([1, 0], {"a": [1, 0], "b": [1, 0]}, sample_weight=[1]), tb.TiebreakError, "one weight for each of the 2 rows"),
        (lambda: tb.compare([1, 0], {"a": [1, 0], "b": [1, 0]}, sample_weight=["x", "y"]), tb.TiebreakError, "no number"),
        (lambda: tb.compare([0.1 * k for k in range(40)], {"a": [0.1] * 40, "b": [0.2] * 40}), tb.TiebreakError, "looks continuous .*--task regression"),
        (lambda: tb.compare({"y_true": [1], "a": [1], "b": [1], "id": [1]}, id="row"), tb.ColumnNotFound, "id names 'row', which is no column"),
        (lambda: tb.compare({"y_true": [1, 1], "a": [1, 1], "b": [1, 1], "id": [5, 5]}), tb.DuplicateId, r"1 row repeats an id \(5\)"),
        (lambda: tb.compare({"y_true": [1, 1], "a": [1, 1], "b": [1, 1], "id": [5, None]}), tb.DuplicateId, "missing in 1 row"),
        (lambda: tb.compare({"y": [1], "a": [1], "b": [1]}), tb.ColumnNotFound, "name the true labels with --truth"),
        (lambda: tb.compare({"truth": [1], "label": [1], "b": [1]}), tb.ColumnNotFound, "has both truth and label"),
        (lambda: tb.compare({"y_true": [1], "a": [1], "b": [1]}, models=["a", "c"]), tb.ColumnNotFound, "models names 'c', which is no column of the data: its columns are y_true, a, b"),
        (lambda: tb.compare({"y_true": [1], "a": [1], "b": [1]}, models=["a", "a"]), tb.TiebreakError, "models names a more than once"),
        (lambda: tb.compare({"y_true": [1], "a": [1], "b": [1]}, models=["a", "y_true"]), tb.TiebreakError, "already the truth"),
        (lambda: tb.compare({"y_true": [1, 2], "a": [1, 2], "b": [1, 1], "prompt": [7, 8]}), tb.TiebreakError, "column 'prompt' shares no value with the truth"),
        (lambda: tb.compare(3), tb.TiebreakError, "data is a int"),
        (lambda: tb.compare([1, 0], [[1, 0], [1, 0]]), tb.TiebreakError, "predictions is a list"),
        (lambda: tb.compare([1, 0], {"a": [1, 0], "b": [1, 0]}).pair("a", "z"), tb.ColumnNotFound, "its models are a, b"),
        (lambda: tb.compare([1, 0], {"a": [1, 0], "b": [1, 0]}).model("z"), tb.ColumnNotFound, "its models are a, b"),
        (lambda: tb.compare([1, 0], {"a": [1, 0], "b": [1, 0]}).instances("a", "b", "wrong"), tb.TiebreakError, "cell is 'wrong'"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_line(call, error, message):
    with pytest.raises(error, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("kind", ["polars", "pyarrow", "duckdb", "pandas"])
@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf, None])
def test_bad_weights_are_refused_by_every_engine(kind, weight):
    import duckdb
    import pyarrow as pa

    table = pa.table({"y_true": [1, 0], "a": [1, 0], "b": [0, 0], "w": pa.array([1.0, weight], type=pa.float64())})
    data = {
        "polars": lambda: pl.from_arrow(table), "pyarrow": lambda: table,
        "duckdb": lambda: duckdb.connect().from_arrow(table), "pandas": table.to_pandas,
    }[kind]()  # fmt: skip
    with pytest.raises(tb.TiebreakError, match="weight 'w' is"):
        tb.compare(data, sample_weight="w")
