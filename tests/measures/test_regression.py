"""Measures of errors and scores, against the plainest means."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.measures import (
    bias,
    mean_absolute_error,
    mean_score,
    mean_squared_error,
    regression_measures,
    root_mean_squared_error,
    share_within,
    solved,
    wins,
)  # fmt: skip
from tiebreak.tables import Losses, loss_sums

ROWS = st.lists(st.tuples(*[st.integers(-8, 8).map(lambda k: k / 4)] * 3), min_size=1, max_size=30)


def residuals(rows, **facts):
    return Losses(("a", "b", "c"), np.array(rows, dtype=float).reshape(-1, 3), kind="residuals", **facts)


@given(ROWS, st.data())
def test_means_with_and_without_weights_and_from_sums(rows, data):
    weights = data.draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows)))
    plain, weighted = residuals(rows), residuals(rows, weights=np.array(weights, dtype=float))
    for losses, w in ((plain, [1] * len(rows)), (weighted, weights)):
        for form in (losses, loss_sums(losses, tolerance=0.5)):
            for m in range(3):
                e, total = [row[m] for row in rows], sum(w)
                mean = [sum(f(v) * k for v, k in zip(e, w, strict=True)) / total for f in (abs, lambda v: v * v, float)]
                assert mean_absolute_error(form)[m] == pytest.approx(mean[0])
                assert mean_squared_error(form)[m] == pytest.approx(mean[1])
                assert root_mean_squared_error(form)[m] == pytest.approx(math.sqrt(mean[1]))
                assert bias(form)[m] == pytest.approx(mean[2])
                inside = sum(k for v, k in zip(e, w, strict=True) if abs(v) <= 0.5)
                assert share_within(form, 0.5)[m] == pytest.approx(inside / total)
                best = sum(k for row, k in zip(rows, w, strict=True) if abs(row[m]) == min(map(abs, row)))
                assert wins(form)[m] == pytest.approx(best / total)
    assert (root_mean_squared_error(plain) >= mean_absolute_error(plain) - 1e-12).all()
    assert (np.abs(bias(plain)) <= mean_absolute_error(plain) + 1e-12).all()


def test_a_failure_takes_the_means_and_leaves_the_shares():
    losses = residuals([[1, 2, np.nan], [-1, 0, 3], [0, 0, 0]])
    for form in (losses, loss_sums(losses)):
        third = regression_measures(form)[2]
        assert math.isnan(third.mean_absolute_error)
        assert math.isnan(third.bias)
        assert third.solved == pytest.approx(2 / 3)
        assert third.wins == pytest.approx(1 / 3)
        assert "--missing drop" in third.undefined["mean_squared_error"]
        first = regression_measures(form)[0]
        assert first.undefined == {}
        assert first.mean_absolute_error == pytest.approx(2 / 3)
    assert solved(losses).tolist() == pytest.approx([1, 1, 2 / 3])
    assert share_within(losses, 5).tolist() == pytest.approx([1, 1, 2 / 3])


def test_losses_without_a_sign_have_no_bias():
    losses = Losses(("a",), np.array([[1.0], [2.0]]), kind="losses")
    assert regression_measures(losses)[0].undefined == {
        "bias": "losses have no sign any more: a bias needs the residuals"
    }


def test_scores_have_means_and_winners():
    scores = Losses(("a", "b"), np.array([[-1.0, -2.0], [0.5, 0.5], [0.0, 3.0]]), kind="scores")
    for form in (scores, loss_sums(scores)):
        assert mean_score(form).tolist() == pytest.approx([-0.5 / 3, 0.5])
        assert wins(form).tolist() == pytest.approx([2 / 3, 2 / 3])
    assert share_within(scores, 1).tolist() == pytest.approx([2 / 3, 1])
    with pytest.raises(NotDefined, match="graded scores have no errors"):
        regression_measures(scores)


def test_shares_from_sums_need_the_tolerance_before():
    with pytest.raises(NotDefined, match="name the tolerance before"):
        share_within(loss_sums(residuals([[1, 2, 3]])), 1)
    for wrong in (-1, math.nan, math.inf, "1", True):
        with pytest.raises(TiebreakError, match="it must be a number ≥ 0"):
            share_within(residuals([[1, 2, 3]]), wrong)


def test_float32_errors_are_added_up_in_float64():
    values = np.full((1 << 20, 1), 0.1, dtype=np.float32)
    losses = Losses(("a",), values, kind="residuals")
    assert bias(losses)[0] == pytest.approx(float(np.float32(0.1)), rel=1e-12)


def test_a_failure_is_never_within_a_tolerance():
    losses = Losses(("a", "b"), np.array([[np.inf, 1.0], [np.nan, np.nan], [0.0, 2.0]]), kind="losses")
    assert losses.within(1.0).tolist() == [[False, False, True], [True, False, False]]
    scores = Losses(("a", "b"), np.array([[np.nan, 1.0], [np.nan, np.nan], [0.0, 2.0]]), kind="scores")
    assert scores.within(2.0).tolist() == [[False, False, True], [True, False, True]]
    assert np.isnan(mean_absolute_error(losses)).all()
