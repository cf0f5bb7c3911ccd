"""Means of numbers and their paired differences: plain, weighted, grouped, counted, and from sums alone."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiebreak.errors import NotDefined
from tiebreak.inference import evidence_of_scores
from tiebreak.tables import Losses, loss_sums

PAIR = (np.array([0]), np.array([1]))
ROWS = st.lists(st.tuples(*[st.integers(-8, 8).map(lambda k: k / 4)] * 2), min_size=2, max_size=30)


def residuals(rows, **facts):
    return Losses(("a", "b"), np.array(rows, dtype=float), kind="residuals", **facts)


@pytest.mark.parametrize("loss", ["absolute", "squared"])
@given(rows=ROWS)
def test_a_positive_difference_means_that_the_primary_is_better(loss, rows):
    losses = residuals(rows)
    found = evidence_of_scores(losses, loss).law(*PAIR)
    each = np.array([(abs(b) - abs(a)) if loss == "absolute" else b * b - a * a for a, b in rows])
    assert found.estimate[0] == pytest.approx(each.mean())
    assert found.se[0] == pytest.approx(each.std(ddof=1) / math.sqrt(len(rows)), abs=1e-9)
    assert (found.method, found.df) == ("t", len(rows) - 1)
    sums = evidence_of_scores(loss_sums(losses, loss), loss).law(*PAIR)
    assert sums.estimate[0] == pytest.approx(found.estimate[0])
    assert sums.se[0] == pytest.approx(found.se[0], abs=1e-9)
    assert (sums.method, sums.df) == (found.method, found.df)


@given(ROWS, st.data())
def test_weights_from_rows_and_from_sums(rows, data):
    weights = np.array(data.draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows))), dtype=float)
    losses = residuals(rows, weights=weights)
    found = evidence_of_scores(losses)
    each = np.array([abs(b) - abs(a) for a, b in rows])
    d = weights @ each / weights.sum()
    assert found.law(*PAIR).estimate[0] == pytest.approx(d)
    assert found.se[0, 1] == pytest.approx(math.sqrt((weights**2 * (each - d) ** 2).sum()) / weights.sum(), abs=1e-9)
    assert found.method == "weighted_t"
    assert found.moments.df == pytest.approx(max(weights.sum() ** 2 / (weights**2).sum() - 1, 1e-3))
    sums = evidence_of_scores(loss_sums(losses))
    np.testing.assert_allclose(sums.se, found.se, atol=1e-9)
    np.testing.assert_allclose(sums.moments.covariance, found.moments.covariance, atol=1e-9)
    np.testing.assert_allclose(sums.scores, found.scores)


def test_groups_with_weights_and_from_sums():
    rng = np.random.default_rng(0)
    rows, groups, weights = rng.standard_normal((60, 2)), rng.integers(0, 9, 60), rng.integers(1, 4, 60).astype(float)
    losses = residuals(rows, groups=groups, names=tuple(range(9)), weights=weights)
    found = evidence_of_scores(losses)
    assert found.method == "cluster_t"
    each = np.abs(rows[:, 1]) - np.abs(rows[:, 0])
    d = weights @ each / weights.sum()
    parts = np.array([(weights * (each - d))[groups == g].sum() for g in range(9)])
    assert found.se[0, 1] == pytest.approx(math.sqrt(9 / 8 * (parts**2).sum()) / weights.sum())
    np.testing.assert_allclose(evidence_of_scores(loss_sums(losses)).se, found.se)


def test_counted_rows_are_instances_of_their_own():
    values, counts = np.array([[1.0, 2.0], [3.0, 1.0], [0.0, 0.5]]), np.array([30, 20, 45])
    one = evidence_of_scores(Losses(("a", "b"), values, counts=counts, kind="losses"))
    two = evidence_of_scores(Losses(("a", "b"), np.repeat(values, counts, axis=0), kind="losses"))
    np.testing.assert_allclose(one.moments.covariance, two.moments.covariance)
    np.testing.assert_allclose(one.se, two.se)
    draws = [np.concatenate(list(e.resampled(np.random.default_rng(0), 4000))) for e in (one, two)]
    np.testing.assert_allclose(draws[0].mean(axis=0), draws[1].mean(axis=0), atol=0.01)
    np.testing.assert_allclose(draws[0].std(axis=0), draws[1].std(axis=0), rtol=0.1)


def test_a_model_that_failed_has_no_mean_and_spoils_no_other():
    losses = Losses(("a", "b", "c"), np.array([[1.0, 2.0, np.nan], [0.5, 1.0, 1.0], [2.0, 2.5, 0.0]]), kind="residuals")
    for form in (losses, loss_sums(losses)):
        found = evidence_of_scores(form)
        assert np.isnan(found.scores).tolist() == [False, False, True]
        law = found.law(np.array([0, 0]), np.array([1, 2]))
        assert law.p_better[0] > 0.5
        assert math.isnan(law.p_better[1])
        assert math.isnan(law.ends(0.95)[1, 0])
        drawn = found.draws(np.random.default_rng(0), 5)
        assert np.isnan(drawn).tolist() == [[False, False, True]] * 5


def test_identical_models_and_too_few_instances():
    same = evidence_of_scores(residuals([[0.5, -0.5], [1.0, 1.0], [2.0, -2.0]]))
    assert same.se[0, 1] == 0.0
    for form in (residuals([[1, 2]]), loss_sums(residuals([[1, 2]]))):
        with pytest.raises(NotDefined, match="there is one instance"):
            evidence_of_scores(form)
    with pytest.raises(NotDefined, match="name the loss before"):
        evidence_of_scores(loss_sums(residuals([[1, 2], [3, 4]])), "squared")
    with pytest.raises(NotDefined, match="plain losses"):
        loss_sums(Losses(("a",), np.ones((1, 1)), kind="losses"))
