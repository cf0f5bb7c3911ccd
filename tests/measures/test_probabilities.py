"""Areas, curves and losses against scikit-learn; ties, weights and edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from tiebreak.measures import probabilities as p

rows = st.lists(st.tuples(st.booleans(), st.integers(0, 6), st.integers(1, 4)), min_size=1, max_size=30)


@given(rows)
def test_curves_and_areas_are_scikit_learns(given_rows):
    truth, score, weights = (np.array(column) for column in zip(*given_rows, strict=True))
    for heavy in (None, weights / 2):
        if truth.any():
            ours = p.average_precision(truth, score, heavy)
            assert ours == pytest.approx(sk.average_precision_score(truth, score, sample_weight=heavy))
        if truth.all() or not truth.any():
            assert np.isnan(p.roc_auc(truth, score, heavy))
            continue
        assert p.roc_auc(truth, score, heavy) == pytest.approx(sk.roc_auc_score(truth, score, sample_weight=heavy))
        curve = p.roc_points(truth, score, heavy)
        theirs = sk.roc_curve(truth, score, sample_weight=heavy, drop_intermediate=False)
        np.testing.assert_allclose(curve.false_positive_rate, theirs[0], atol=1e-12)
        np.testing.assert_allclose(curve.true_positive_rate, theirs[1], atol=1e-12)
        assert np.trapezoid(curve.true_positive_rate, curve.false_positive_rate) == pytest.approx(
            p.roc_auc(truth, score, heavy)
        )


@given(st.integers(2, 5), st.integers(0, 1000))
def test_losses_are_scikit_learns_and_are_kept_per_instance(classes, seed):
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(classes), rng.integers(0, classes, 20)])
    shares = rng.dirichlet(np.ones(classes), len(truth))
    weights = rng.integers(1, 5, len(truth)).astype(float)
    each = p.log_losses(truth, shares)
    assert each.shape == truth.shape
    for heavy in (None, weights):
        assert p.mean_of(each, heavy) == pytest.approx(sk.log_loss(truth, shares, sample_weight=heavy))
        ours = p.mean_of(p.brier_scores(truth, shares), heavy)
        given_shares = shares[:, 1] if classes == 2 else shares
        assert ours == pytest.approx(sk.brier_score_loss(truth, given_shares, sample_weight=heavy))
    if classes > 2:
        assert p.macro_auc(truth, shares) == pytest.approx(sk.roc_auc_score(truth, shares, multi_class="ovr"))


def test_the_limits():
    assert p.log_losses([0], [[0.0, 1.0]]) == pytest.approx(36.0437, abs=1e-4)
    assert p.log_losses([0], [[1.0, 0.0]]) == 0
    assert p.brier_scores([0, 0], [[1.0, 0.0], [0.0, 1.0]]).tolist() == [0, 1]
    assert p.brier_scores([0], [[0.0, 1.0, 0.0]]) == 2
    assert p.roc_auc([0, 1], [0.1, 0.9]) == 1
    assert p.roc_auc([0, 1], [0.5, 0.5]) == 0.5
    assert p.average_precision([1, 0, 0, 0], [0.3, 0.3, 0.3, 0.3]) == 0.25
    assert np.isnan(p.average_precision([0, 0], [1, 2]))
    assert np.isnan(p.macro_auc([0, 1], [[0.2, 0.5, 0.3], [0.1, 0.8, 0.1]]))
    assert np.isnan(p.roc_auc([], []))
