"""The verdict calls a model better from right/wrong − wrong/right alone, and says what that rests on."""

import pytest

import tiebreak as tb
from tiebreak.comparison import compared
from tiebreak.tables import Tally


def verdict(br, rw, wr, bw):
    rows = {("a", "a", "a"): br, ("a", "a", "b"): rw, ("a", "b", "a"): wr, ("a", "b", "b"): bw}
    return compared(Tally.of({row: n for row, n in rows.items() if n}, models=("old", "new"))).verdict


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ((30, 9, 4, 7), "old is ahead of new: where exactly one of them is right (13 of 50 instances) it is old 9 times and "
         "new 4 times, which makes 78.0 % against 68.0 %."),
        ((30, 4, 9, 7), "new is ahead of old: where exactly one of them is right (13 of 50 instances) it is new 9 times and "
         "old 4 times, which makes 78.0 % against 68.0 %."),
        ((30, 5, 5, 10), "old and new are level at 70.0 %: where exactly one of them is right (10 of 50 instances) it is "
         "each of them 5 times."),
        ((40, 0, 0, 10), "old and new are right on the same instances (40 of 50, 80.0 %): nothing separates them here."),
        ((0, 0, 0, 1), "old and new are right on the same instances (0 of 1, 0.0 %): nothing separates them here."),
        ((0, 1, 0, 0), "old is ahead of new: where exactly one of them is right (1 of 1 instance) it is old 1 time and "
         "new 0 times, which makes 100.0 % against 0.0 %."),
    ],
)  # fmt: skip
def test_the_sentence(cells, sentence):
    assert verdict(*cells) == sentence


def test_high_effective_superiority_does_not_make_a_winner():
    """(90, 0, 5, 5): the primary is never right alone, whatever its φ_e of 0.85 suggests."""
    assert verdict(90, 0, 5, 5).startswith("new is ahead of old")


def test_many_models_are_counted_and_labels_are_harmless():
    truth = ["a"] * 10
    answers = {"x\x1b[31m": ["a"] * 9 + ["b"], "y": ["a"] * 8 + ["b"] * 2, "z": ["b"] * 10}
    sentence = tb.compare(truth, answers).verdict
    assert sentence.startswith("Of 3 models, x\\x1b[31m is ahead of the next best, y:")
    assert "\x1b" not in sentence


def test_weights_are_named():
    sentence = tb.compare([1, 1, 0], {"a": [1, 0, 0], "b": [0, 1, 0]}, sample_weight=[2.5, 1, 1]).verdict
    assert "(weight 3.5 of 4.5)" in sentence
    assert "a with weight 2.5" in sentence


def test_missing_predictions_are_noted():
    comparison = tb.compare([1, 0], {"a": [1, None], "b": [0, 0]}, missing="wrong")
    assert comparison.warnings == ("missing predictions count as wrong: a 1",)
    assert "Note: missing predictions count as wrong: a 1" in str(comparison)
    dropped = tb.compare([1, 0], {"a": [1, None], "b": [0, 0]}, missing="drop")
    assert dropped.warnings == ("1 instance of 2 left out for every model, because a prediction is missing: a 1",)
