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
        ((30, 9, 4, 7), "old is ahead of new, but not surely: where exactly one of them is right (13 of 50 instances) it is "
         "old 9 times and new 4 times, which makes 78.0 % against 68.0 %, a difference of +10.00 pp (95 % interval −4.42 to "
         "+23.19); old is truly better with probability 91.0 % (p = 0.18), and about 152 more instances like these would "
         "settle it."),
        ((90, 0, 5, 5), "new is better than old: where exactly one of them is right (5 of 100 instances) it is new 5 times "
         "and old 0 times, which makes 95.0 % against 90.0 %, a difference of +5.00 pp (95 % interval +0.46 to +10.25); new "
         "is truly better with probability 98.4 % (p = 0.031)."),
        ((30, 5, 5, 10), "new and old are level at 70.0 %: where exactly one of them is right (10 of 50 instances) it is "
         "each of them 5 times."),
        ((40, 0, 0, 10), "new and old are right on the same instances (40 of 50, 80.0 %): nothing separates them here."),
        ((0, 0, 0, 1), "new and old are right on the same instances (0 of 1, 0.0 %): nothing separates them here."),
    ],
)  # fmt: skip
def test_the_sentence(cells, sentence):
    assert verdict(*cells) == sentence


def test_swapping_the_models_swaps_the_names_and_nothing_else():
    mirrored = verdict(30, 4, 9, 7).replace("new", "OLD").replace("old", "new").replace("OLD", "old")
    assert mirrored == verdict(30, 9, 4, 7)


def test_high_effective_superiority_does_not_make_a_winner():
    """(90, 0, 5, 5): the primary is never right alone, whatever its φ_e of 0.85 suggests."""
    assert verdict(90, 0, 5, 5).startswith("new is better than old")


@pytest.mark.parametrize("n", [1, 5, 40, 200])
def test_better_is_said_exactly_where_the_p_value_is_below_one_minus_the_level(n):
    """One word for one decision: never 'better' beside an interval that holds 0, never 'not surely' beside one that does not."""
    for rw in range(min(n, 25) + 1):
        for wr in range(min(n - rw, 10) + 1):
            comparison = compared(Tally.of({k: v for k, v in {
                ("a", "a", "b"): rw, ("a", "b", "a"): wr, ("a", "a", "a"): n - rw - wr}.items() if v}, models=("p", "q")))  # fmt: skip
            pair = comparison.pair("p", "q")
            settled = pair.p_value < 0.05
            assert ("is better than" in comparison.verdict) == settled == (0 not in pair.difference.interval)


def test_many_models_are_counted_and_labels_are_harmless():
    truth = ["a"] * 10
    answers = {"x\x1b[31m": ["a"] * 9 + ["b"], "y": ["a"] * 8 + ["b"] * 2, "z": ["b"] * 10}
    sentence = tb.compare(truth, answers).verdict
    assert sentence.startswith("Of 3 models, x\\x1b[31m is ahead of the next best, y, but not surely:")
    assert "adjusted for 3 comparisons" in sentence
    assert "\x1b" not in sentence


def test_the_baseline_is_named():
    truth = ["a"] * 40
    answers = {"old": ["a"] * 20 + ["b"] * 20, "new": ["a"] * 39 + ["b"], "other": ["b"] * 40}
    better = tb.compare(truth, answers, baseline="old").verdict
    assert better.startswith("Of 3 models, new is better than the baseline, old:")
    assert "adjusted for 2 comparisons" in better
    worse = tb.compare(truth, answers, baseline="new").verdict
    assert worse.startswith("Of 3 models, the baseline, new, is better than the best of the others, old:")


def test_weights_are_named():
    sentence = tb.compare([1, 1, 0], {"a": [1, 0, 0], "b": [0, 1, 0]}, sample_weight=[2.5, 1, 1]).verdict
    assert "(weight 3.5 of 4.5)" in sentence
    assert "a with weight 2.5" in sentence


def test_missing_predictions_are_noted():
    comparison = tb.compare([1, 0], {"a": [1, None], "b": [0, 0]}, missing="wrong")
    assert comparison.warnings[0] == "missing predictions count as wrong: a 1"
    assert "abstention" in comparison.warnings[1]
    assert "Note: missing predictions count as wrong: a 1" in str(comparison)
    dropped = tb.compare([1, 0, 0], {"a": [1, None, 0], "b": [0, 0, 0]}, missing="drop")
    assert dropped.warnings == ("1 instance of 3 left out for every model, because a prediction is missing: a 1",)
