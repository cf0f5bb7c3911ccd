"""The assertion that test suites use: what passes, what fails, and that the message is the gate's sentence."""

import subprocess
import sys

import numpy as np
import pytest

from tiebreak.errors import TiebreakError
from tiebreak.testing import assert_not_worse

TRUTH = ["a"] * 200
OLD = ["a"] * 180 + ["b"] * 20


def test_predictions_and_graded_answers_are_judged_alike():
    new = ["a"] * 182 + ["b"] * 18
    by_labels = assert_not_worse(OLD, new, y_true=TRUTH, margin=0.02)
    right = [np.array([g == p for g, p in zip(TRUTH, given)]) for given in (OLD, new)]
    by_grades = assert_not_worse(*right, margin=0.02)
    assert by_labels.pair.difference.low == by_grades.pair.difference.low
    assert (by_labels.outcome, by_labels.passed) == ("not_worse", True)


def test_better_is_improved():
    assert assert_not_worse(OLD, TRUTH, y_true=TRUTH, margin=0).outcome == "improved"


def test_worse_fails_with_the_gates_sentence():
    with pytest.raises(AssertionError, match=r"^candidate is worse than baseline: −15\.00 pp \(95 % interval "):
        assert_not_worse(OLD, ["a"] * 150 + ["b"] * 50, y_true=TRUTH, margin=0.01)


def test_too_little_evidence_fails_and_says_how_much_more_it_takes():
    with pytest.raises(
        AssertionError, match=r"it is not settled whether candidate is worse .* more instances like these"
    ):
        assert_not_worse(OLD, ["b"] * 3 + ["a"] * 178 + ["b"] * 19, y_true=TRUTH, margin=0.001)


def test_two_equal_models_are_not_worse():
    assert assert_not_worse(OLD, OLD, y_true=TRUTH, margin=0.02).outcome == "not_worse"


def test_what_must_pass_may_not_regress_whatever_the_rest_says():
    new = ["b"] + ["a"] * 199
    assert assert_not_worse(OLD, new, y_true=TRUTH, margin=0.01).outcome == "improved"
    with pytest.raises(AssertionError, match="candidate is wrong on 1 of 2 instances that may not regress: 0"):
        assert_not_worse(OLD, new, y_true=TRUTH, margin=0.01, must_pass=[0, 1])
    ids = [f"case {k}" for k in range(200)]
    with pytest.raises(AssertionError, match="may not regress: case 0"):
        assert_not_worse(OLD, new, y_true=TRUTH, margin=0.01, ids=ids, must_pass=["case 0"])


def test_groups_widen_the_interval():
    rng = np.random.default_rng(0)
    new = np.where(np.repeat(rng.random(20) < 0.5, 10), "a", OLD)
    alone = assert_not_worse(OLD, new, y_true=TRUTH, margin=0.5)
    grouped = assert_not_worse(OLD, new, y_true=TRUTH, margin=0.5, groups=np.repeat(np.arange(20), 10))
    assert grouped.pair.difference.method == "cluster_t"
    assert grouped.pair.difference.low < alone.pair.difference.low


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"baseline": OLD, "candidate": OLD[:5], "y_true": TRUTH, "margin": 0.1}, "has 5 values"),
        ({"baseline": OLD, "candidate": OLD, "y_true": TRUTH, "margin": 5}, "margin is 5"),
        ({"baseline": 0.9, "candidate": 0.8, "margin": 0.1}, r"baseline is 0\.9: give one prediction"),
        ({"baseline": OLD, "candidate": OLD, "margin": 0.1}, "with task correct every answer is 0 or 1"),
    ],
)
def test_a_wrong_call_is_an_error_and_no_failure(call, message):
    with pytest.raises(TiebreakError, match=message):
        assert_not_worse(call.pop("baseline"), call.pop("candidate"), **call)


def test_a_failing_test_points_at_itself(tmp_path):
    (tmp_path / "test_model.py").write_text(
        "from tiebreak.testing import assert_not_worse\n\n"
        "def test_new_model():\n"
        "    assert_not_worse([1] * 90 + [0] * 10, [1] * 10 + [0] * 90, margin=0.01)\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        "test_model.py",
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1
    assert "AssertionError: candidate is worse than baseline" in done.stdout
    assert "test_model.py:4: AssertionError" in done.stdout
    assert "testing.py" not in done.stdout
