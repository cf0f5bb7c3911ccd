"""Draws of all models at once: every pair has the law of its own doubt, and the prior has the mass that it must have."""

import itertools

import numpy as np
import pytest
from scipy.stats import kstest

from tiebreak.inference import best_of_all, difference, normal_scores, posterior_accuracies, resampled_means
from tiebreak.inference.moments import weighted_moments
from tiebreak.inference.posterior import p_better

SIZE = 20_000


def rng(seed=0):
    return np.random.default_rng(seed)


def random_patterns(models, n, seed):
    """The distinct right/wrong patterns of n instances, and how often each occurred."""
    draw = rng(seed)
    right = draw.random((n, models)) < np.linspace(0.6, 0.8, models)
    patterns, counts = np.unique(right, axis=0, return_counts=True)
    return patterns.T, counts.astype(np.int64)


def cells(right, counts, p, q):
    rw, wr = counts[right[p] & ~right[q]].sum(), counts[~right[p] & right[q]].sum()
    return int(rw), int(wr), int(counts.sum())


def exhaustive(right, counts, draw, size):
    """A Dirichlet over all 2^M patterns with 4/2^M added to each."""
    models = len(right)
    patterns = np.array(list(itertools.product([False, True], repeat=models)))
    prior = np.full(len(patterns), 4 / 2**models)
    for pattern, count in zip(right.T, counts, strict=True):
        prior[(patterns == pattern).all(axis=1)] += count
    return draw.dirichlet(prior, size) @ patterns


@pytest.mark.parametrize(("models", "n"), [(2, 1), (2, 50), (3, 20), (5, 200), (9, 400)])
def test_every_pair_has_its_closed_form(models, n):
    right, counts = random_patterns(models, n, models)
    drawn = posterior_accuracies(right, counts, rng(), SIZE)
    for p, q in itertools.combinations(range(models), 2):
        rw, wr, _ = cells(right, counts, p, q)
        share = (drawn[:, p] > drawn[:, q]).mean()
        assert share == pytest.approx(float(p_better(rw, wr)), abs=4.5 * 0.5 / SIZE**0.5), (p, q)
    table = cells(right, counts, 0, 1)
    assert kstest(drawn[:2000, 0] - drawn[:2000, 1], lambda y: 1 - difference.tail(y, *table)).pvalue > 0.001


@pytest.mark.parametrize(("models", "n"), [(2, 5), (3, 12), (4, 3)])
def test_the_joint_posterior_is_the_exhaustive_dirichlet(models, n):
    right, counts = random_patterns(models, n, 7 + models)
    drawn, all_patterns = posterior_accuracies(right, counts, rng(), SIZE), exhaustive(right, counts, rng(1), SIZE)
    np.testing.assert_allclose(drawn.mean(axis=0), all_patterns.mean(axis=0), atol=0.008)
    np.testing.assert_allclose(np.cov(drawn.T), np.cov(all_patterns.T), atol=0.002)
    one, two = best_of_all(drawn), best_of_all(all_patterns)
    np.testing.assert_allclose(one.p_best, two.p_best, atol=0.02)
    for m in range(models):
        assert kstest(drawn[:4000, m], all_patterns[:4000, m]).pvalue > 0.001


def test_a_flat_prior_on_every_pattern_would_be_another_posterior():
    """With 1 on each of 2^10 patterns the prior outweighs 40 instances; with 4/2^10 it does not."""
    right, counts = random_patterns(10, 40, 3)
    drawn = posterior_accuracies(right, counts, rng(), SIZE)
    accuracy = right @ counts / counts.sum()
    np.testing.assert_allclose(drawn.mean(axis=0), (40 * accuracy + 2) / 44, atol=0.005)


def test_draws_of_the_normal_law_have_the_moments_they_were_given():
    right, counts = random_patterns(4, 5000, 0)
    pairs = np.array([[[(counts[a & b]).sum(), counts[a & ~b].sum(), counts[~a & b].sum(), counts[~a & ~b].sum()]
                       for b in right] for a in right], dtype=float)  # fmt: skip
    moments = weighted_moments(pairs, pairs, 5000.0, 5000.0)
    drawn = normal_scores(moments, rng(), 50_000)
    np.testing.assert_allclose(drawn.mean(axis=0), moments.means, atol=2e-4)
    np.testing.assert_allclose(np.cov(drawn.T), moments.covariance, rtol=0.04, atol=1.2e-6)
    joint = posterior_accuracies(right, counts, rng(1), 50_000)
    np.testing.assert_allclose(best_of_all(drawn).p_best, best_of_all(joint).p_best, atol=0.01)


def test_identical_models_are_never_told_apart_by_draws_of_their_law():
    right = np.array([[True, False, True], [True, False, True], [False, True, True]])
    found = best_of_all(posterior_accuracies(right, np.array([10, 5, 10]), rng(), SIZE))
    assert found.p_best[0] == pytest.approx(found.p_best[1], abs=0.02)


def test_resampled_means_are_means_of_resampled_rows():
    times, scores = np.array([30, 9, 4, 7]), np.array([[1.0, 1, 0, 0], [1.0, 0, 1, 0]])
    found = resampled_means(times, scores, np.ones(4), rng(), SIZE)
    rows = np.repeat(np.arange(4), times)
    naive = scores.T[rows[rng(1).integers(0, 50, (SIZE, 50))]].mean(axis=1)
    np.testing.assert_allclose(found.mean(axis=0), naive.mean(axis=0), atol=0.003)
    np.testing.assert_allclose(np.cov(found.T), np.cov(naive.T), atol=2e-4)


def test_the_same_seed_gives_the_same_bytes_whatever_is_drawn_at_a_time():
    right, counts = random_patterns(4, 30, 0)
    first, second = (posterior_accuracies(right, counts, rng(5), 300) for _ in range(2))
    assert first.tobytes() == second.tobytes()
    assert first.tobytes() != posterior_accuracies(right, counts, rng(6), 300).tobytes()
    assert ((first >= 0) & (first <= 1)).all()
