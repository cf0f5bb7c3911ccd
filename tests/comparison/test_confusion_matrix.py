"""The confusion matrix at the door: the published goldens, abstention, labels, weights, differences, bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from tiebreak.comparison.confusion import ConfusionMatrix, confusion_matrix, r_prime
from tiebreak.errors import EmptyComparison, MissingPredictions, MixedLabels, TiebreakError
from tiebreak.measures import confusion as measures

SPEC = [[50, 3, 2], [4, 30, 1], [0, 5, 5]]


def test_everything_of_the_worked_example():
    matrix = ConfusionMatrix(SPEC, labels=["a", "b", "c"], omitted=[5, 0, 10])
    assert matrix.n == 115
    assert not matrix.rankable
    (warning,) = matrix.warnings
    assert warning == (
        "100 of 115 instances have a prediction (coverage 87.0 %): R′ 0.8696 rewards silence and does not rank models; "
        "accuracy with omissions as wrong is 0.7391, of the answers alone 0.8500"
    )
    assert matrix.undefined == {
        "kappa": "it needs exactly one prediction for every instance",
        "mcc": "it needs exactly one prediction for every instance",
    }
    assert matrix.consistency is None
    assert np.isnan(matrix.weighted_kappa())
    record = matrix.of_class("c")
    assert (record.support, record.predicted, record.right) == (20, 8, 5)
    assert record.precision == 0.625


@pytest.mark.parametrize(
    ("coverage", "overall", "wrong_if_silent", "selective"),
    [
        (1.0, 0.6998, 0.6998, 0.6998),
        (0.903, 0.7294, 0.6324, 0.7003322259136212),
        (0.7529, 0.777, 0.5299, 0.7038119272147696),
        (0.5054, 0.849, 0.3544, 0.701226751088247),
        (0.1004, 0.9716, 0.072, 0.7171314741035857),
        (0.0, 1.0, 0.0, None),
    ],
)
def test_silence_is_rewarded_and_said_so(coverage, overall, wrong_if_silent, selective):
    """The golden table of a model that abstains at random: R′ rises to 1 as it falls silent."""
    w = 10_000
    answers, right = round(coverage * w), round(wrong_if_silent * w)
    matrix = ConfusionMatrix([[right, answers - right], [0, 0]], omitted=[w - answers, 0])
    assert matrix.r_prime("overall") == pytest.approx(overall, abs=1e-12)
    assert matrix.coverage == pytest.approx(coverage)
    assert matrix.accuracy == pytest.approx(wrong_if_silent)
    if selective is None:
        assert np.isnan(matrix.selective_accuracy)
        assert matrix.undefined["selective_accuracy"] == "there is no prediction"
    else:
        assert matrix.selective_accuracy == pytest.approx(selective)
    assert matrix.rankable == (coverage == 1)
    assert any("rewards silence" in text for text in matrix.warnings) == (coverage < 1)


def test_more_predictions_than_instances():
    matrix = ConfusionMatrix(SPEC, n=90)
    assert matrix.r_prime("overall") == pytest.approx((85 - 10) / 90)
    assert matrix.coverage == pytest.approx(100 / 90)
    assert np.isnan(matrix.r_prime()).all()
    assert matrix.classes[0].undefined["recall"].startswith("an instance may have several predictions")
    assert matrix.warnings == (
        "100 predictions for 90 instances: R′ 0.8333 counts every wrong one against all instances and does not rank models",
    )
    assert ConfusionMatrix(SPEC, n=100).rankable
    assert ConfusionMatrix(SPEC, n=120).r_prime("overall") == pytest.approx(1 - 15 / 120)


def test_a_single_class_is_warned_of():
    matrix = ConfusionMatrix([[50, 20], [0, 0]], labels=["cat", "dog"])
    assert matrix.r_prime()[0] == 1
    assert matrix.warnings == (
        "every instance belongs to the class 'cat': its R′ is 1 although 20 instances of it are missed",
    )


def test_labels_keep_the_users_order_and_may_be_too_many_but_not_too_few():
    truth, said = ["low", "high", "mid", "low"], ["low", "mid", "mid", "high"]
    matrix = confusion_matrix(truth, said, labels=["low", "mid", "high", "never"])
    assert matrix.labels == ("low", "mid", "high", "never")
    assert np.asarray(matrix).tolist() == [[1, 0, 1, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    assert matrix.mean_f1 == pytest.approx(sk.f1_score(truth, said, average="macro"))
    assert matrix.macro_precision == pytest.approx(sk.precision_score(truth, said, average="macro"))
    assert set(matrix.of_class("never").undefined) == {"precision", "recall", "f1", "r_prime"}
    with pytest.raises(TiebreakError, match="labels leaves out high, which the data hold: name every label"):
        confusion_matrix(truth, said, labels=["low", "mid"])
    with pytest.raises(TiebreakError, match="names low more than once"):
        confusion_matrix(truth, said, labels=["low", "mid", "high", "low"])


def test_booleans_are_not_zero_and_one():
    with pytest.raises(MixedLabels):
        confusion_matrix([True, False], [1, 0])


def test_omissions_are_counted_by_true_class_when_the_policy_says_so():
    truth, said = ["a", "a", "b", "b"], ["a", None, "a", float("nan")]
    with pytest.raises(MissingPredictions):
        confusion_matrix(truth, said)
    matrix = confusion_matrix(truth, said, missing="wrong")
    assert matrix.omitted.tolist() == [1, 1]
    assert matrix.coverage == 0.5
    assert confusion_matrix(truth, said, missing="drop").n == 2


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 5)), min_size=2, max_size=30))
def test_weights_are_scikit_learns(rows):
    truth, said, weights = (list(column) for column in zip(*rows, strict=True))
    if len({*truth, *said}) < 2:
        return
    weights = [w / 4 for w in weights]
    matrix = confusion_matrix(truth, said, sample_weight=weights)
    np.testing.assert_allclose(np.asarray(matrix), sk.confusion_matrix(truth, said, sample_weight=weights))
    assert matrix.accuracy == pytest.approx(sk.accuracy_score(truth, said, sample_weight=weights))
    assert matrix.weighted_f1 == pytest.approx(
        sk.f1_score(truth, said, average="weighted", sample_weight=weights, zero_division=0)
    )
    assert matrix.kappa == pytest.approx(sk.cohen_kappa_score(truth, said, sample_weight=weights), abs=1e-9)
    assert matrix.r_prime("overall") == pytest.approx(matrix.accuracy)


def test_real_labels_agree_with_scikit_learn():
    digits = load_digits()
    learner = LogisticRegression(max_iter=2000).fit(digits.data[::2] / 16, digits.target[::2])
    truth, said = digits.target[1::2], learner.predict(digits.data[1::2] / 16)
    matrix = confusion_matrix(truth, said)
    report = sk.classification_report(truth, said, output_dict=True)
    for record in matrix.classes:
        theirs = report[str(record.label)]
        assert (record.precision, record.recall, record.f1, record.support) == pytest.approx(
            (theirs["precision"], theirs["recall"], theirs["f1-score"], theirs["support"])
        )
    assert (matrix.macro_precision, matrix.macro_recall, matrix.mean_f1) == pytest.approx(
        tuple(report["macro avg"][name] for name in ("precision", "recall", "f1-score"))
    )
    assert matrix.kappa == pytest.approx(sk.cohen_kappa_score(truth, said))
    assert matrix.mcc == pytest.approx(sk.matthews_corrcoef(truth, said))
    assert matrix.balanced_accuracy == pytest.approx(sk.balanced_accuracy_score(truth, said))
    assert r_prime(truth, said, average="overall") == pytest.approx(matrix.accuracy)
    assert r_prime(truth, said).tolist() == matrix.r_prime().tolist()
    frame = pd.Series(said, name="p")
    assert np.array_equal(np.asarray(confusion_matrix(pd.Series(truth), frame)), sk.confusion_matrix(truth, said))


def test_classes_against_the_rest_sum_to_the_whole():
    matrix = ConfusionMatrix(SPEC, labels=list("abc"), omitted=[5, 0, 10])
    parts = [matrix.one_against_rest(label) for label in "abc"]
    assert all(part.n == matrix.n for part in parts)
    assert sum(part.margins.right[0] for part in parts) == matrix.table.right
    assert np.asarray(parts[0]).tolist() == [[50, 5], [4, 41]]
    assert parts[0].omitted.tolist() == [5, 10]
    for part, record in zip(parts, matrix.classes, strict=True):
        assert part.classes[0].recall == record.recall
        assert part.classes[0].precision == record.precision
        assert part.classes[0].r_prime == pytest.approx(record.r_prime)


def test_the_most_frequent_errors():
    matrix = ConfusionMatrix(SPEC, labels=list("abc"), omitted=[5, 0, 10])
    assert [(e.true, e.predicted, e.count) for e in matrix.top_confusions(3)] == [
        ("c", "b", 5),
        ("b", "a", 4),
        ("a", "b", 3),
    ]
    assert matrix.top_confusions(1)[0].share == 0.25
    assert matrix.top_confusions(0) == ()
    assert len(matrix.top_confusions(100)) == 5


def test_a_difference_is_cell_by_cell_and_class_by_class():
    one = ConfusionMatrix([[5, 1], [2, 4]], labels=["a", "b"])
    two = ConfusionMatrix([[4, 1, 1], [2, 4, 0], [0, 0, 0]], labels=["a", "b", "c"])
    found = one - two
    assert found.labels == ("a", "b", "c")
    assert np.asarray(found).tolist() == [[1, 0, -1], [0, 0, 0], [0, 0, 0]]
    assert len(found.changes) == 2
    assert found.classes[0].recall == pytest.approx(1 / 6)
    assert found.classes[0].r_prime == pytest.approx(one.r_prime()[0] - two.r_prime()[0])
    assert np.isnan(found.classes[2].recall)
    assert np.asarray(one - one).tolist() == [[0, 0], [0, 0]]


def test_matrices_of_folds_add():
    total = ConfusionMatrix(SPEC) + ConfusionMatrix(SPEC)
    assert (np.asarray(total) == 2 * np.array(SPEC)).all()
    with pytest.raises(TiebreakError, match="same labels"):
        ConfusionMatrix(SPEC) + ConfusionMatrix(SPEC, labels=list("abc"))


def test_it_is_frozen_and_its_array_is_a_copy():
    matrix = ConfusionMatrix(SPEC)
    with pytest.raises(AttributeError):
        matrix.n = 3
    np.asarray(matrix)[0, 0] = 0
    assert matrix.accuracy == 0.85
    assert np.asarray(matrix, dtype=float).dtype == float
    assert repr(matrix) == "<ConfusionMatrix: 3 classes, 100 instances, accuracy 0.8500, R′ 0.8500>"


def test_weighted_cells_given_as_fractions():
    matrix = ConfusionMatrix([[0.5, 0.25], [0.0, 1.25]])
    assert matrix.n == 2
    assert matrix.accuracy == 0.875
    assert float(measures.kappa(np.array([[0.5, 0.25], [0.0, 1.25]]))) == pytest.approx(matrix.kappa)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"counts": [[1, 2]]}, "counts has shape (1, 2): it must be square, one row and one column a class"),
        ({"counts": [[1, -2], [0, 1]]}, "counts holds -2: every cell must be a number ≥ 0"),
        ({"counts": [[1, np.nan], [0, 1]]}, "counts holds nan: every cell must be a number ≥ 0"),
        (
            {"counts": [["a", "b"], ["c", "d"]]},
            "counts holds something that is no number: every cell must be a number ≥ 0",
        ),
        ({"counts": [[0, 0], [0, 0]]}, "all cells are 0: a confusion matrix needs at least one instance"),
        ({"counts": SPEC, "labels": ["a"]}, "labels has 1 names but the matrix has 3 classes: name each one"),
        ({"counts": SPEC, "labels": ["a", "b", "a"]}, "labels names a more than once: name each once"),
        ({"counts": SPEC, "n": 10}, "n is 10 but 85 predictions are right: an instance is right at most once"),
        ({"counts": SPEC, "n": 0}, "n is 0: it must be the number of instances, above 0"),
        (
            {"counts": SPEC, "n": 99, "omitted": [1, 0, 0]},
            "n is 99 but counts and omitted hold 101: give one of n and omitted",
        ),
        (
            {"counts": SPEC, "omitted": [1, 0]},
            "omitted is [1, 0]: it must hold one number ≥ 0 for each of the 3 true classes",
        ),
    ],
)
def test_bad_input_is_one_line(arguments, text):
    with pytest.raises(TiebreakError) as error:
        ConfusionMatrix(**arguments)
    assert str(error.value) == text
    assert isinstance(error.value, EmptyComparison) == ("all cells" in text)


def test_other_bad_arguments():
    matrix = ConfusionMatrix(SPEC)
    for call, text in [
        (lambda: matrix.r_prime("macro"), "average is 'macro': it must be one of overall"),
        (lambda: matrix.top_confusions(-1), "k is -1: it must be an integer ≥ 0"),
        (lambda: matrix.f_beta(-1), "beta is -1: it must be a number ≥ 0"),
        (lambda: matrix.of_class("x"), "label is 'x': it must be one of the matrix's classes"),
        (lambda: r_prime([1], [1], average="macro"), "average is 'macro': it must be one of none, overall"),
        (lambda: confusion_matrix([1, 2], [1]), "y_pred has 1 value but y_true has 2"),
        (lambda: confusion_matrix([], []), "holds no rows"),
    ]:
        with pytest.raises(TiebreakError) as error:
            call()
        assert text in str(error.value)


def test_several_predictions_an_instance_have_every_measure_once_the_classes_are_counted():
    """Ten instances, thirteen predictions: R′ of a class is a/m + (m − s)/w, as published."""
    counts = [[5, 2], [3, 3]]
    found = ConfusionMatrix(counts, n=10, support=[6, 4])
    a, m, s = np.array([5, 3]), np.array([6, 4]), np.array([8, 5])
    np.testing.assert_allclose(found.r_prime(), a / m + (m - s) / 10)
    np.testing.assert_allclose(found.recall(), a / m)
    assert found.r_prime("overall") == pytest.approx(0.5)
    assert found.n == 10
    assert not found.rankable
    doubled = found + found
    np.testing.assert_allclose(doubled.r_prime(), found.r_prime())
    lacking = ConfusionMatrix(counts, n=10)
    assert "give support=" in lacking.classes[0].undefined["recall"]
    for wrong, words in (
        ([6, 5], "but support holds 11"),
        ([4, 6], "right at most once"),
        ([10], "each of the 2 classes"),
    ):
        with pytest.raises(TiebreakError, match=words):
            ConfusionMatrix(counts, n=10, support=wrong)
    with pytest.raises(TiebreakError, match="names its support"):
        found + lacking
