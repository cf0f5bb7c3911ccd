"""Many models: adjusted p-values, tiers, ranks and the best of all, each against a loop that says it in words."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_inference as naive
from tiebreak.inference import (
    CORRECTIONS,
    Comparisons,
    best_of_all,
    exact_best,
    holm,
    ranking,
    romano_wolf,
    standings,
    studentised,
)

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(P_VALUES)
def test_holm_is_the_loop(p):
    np.testing.assert_array_equal(holm(p), naive.holm(p))


@pytest.mark.parametrize(("p", "adjusted"), [
    ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
    ([0.001, 0.2, 0.01, 0.01, 0.9, 0.04, 0.0499], [0.007, 0.4, 0.06, 0.06, 0.9, 0.16, 0.16]),
    ([0.5, 0.5], [1.0, 1.0]), ([0.03], [0.03]),
])  # fmt: skip
def test_holm_as_statsmodels_has_it(p, adjusted):
    """multipletests(p, method="holm") of statsmodels 0.15."""
    np.testing.assert_allclose(holm(p), adjusted, rtol=1e-12)


@given(P_VALUES)
def test_holm_is_between_no_correction_and_bonferroni_and_keeps_the_order(p):
    adjusted = holm(p)
    assert (adjusted >= np.array(p)).all()
    assert (adjusted <= np.minimum(1, np.array(p) * len(p)) + 1e-15).all()
    assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0).all()


@given(st.integers(1, 6), st.integers(1, 40), st.integers(0, 2**31))
def test_romano_wolf_is_the_double_loop(tests, resamples, seed):
    rng = np.random.default_rng(seed)
    statistics, resampled = rng.exponential(1.5, tests), np.abs(rng.standard_normal((resamples, tests)))
    found = romano_wolf(statistics, [resampled])
    np.testing.assert_allclose(found, naive.romano_wolf(statistics.tolist(), resampled.tolist()), rtol=1e-12)
    assert (found >= 1 / (resamples + 1)).all()
    assert (found <= 1).all()
    np.testing.assert_array_equal(found, romano_wolf(statistics, np.array_split(resampled, 3)))


def test_romano_wolf_is_never_zero_and_identical_models_are_never_significant():
    resampled = np.abs(np.random.default_rng(0).standard_normal((999, 3)))
    found = romano_wolf(np.array([50.0, 0.0, np.inf]), [resampled])
    assert found.tolist() == [0.001, 1.0, 0.001]


def test_romano_wolf_keeps_the_family_wise_error_and_uses_dependence():
    """Under the null, of five tests that are nearly one, at most 5 % of families have a rejection; Holm has fewer."""
    rng = np.random.default_rng(0)
    root = np.linalg.cholesky(0.95 + 0.05 * np.eye(5))
    resampled = np.abs(rng.standard_normal((999, 5)) @ root.T)
    observed = np.abs(rng.standard_normal((2000, 5)) @ root.T)
    rejected = [romano_wolf(row, [resampled]).min() < 0.05 for row in observed]
    from scipy.special import ndtr

    by_holm = [holm(2 * ndtr(-row)).min() < 0.05 for row in observed]
    assert 0.03 < np.mean(rejected) < 0.07
    assert np.mean(by_holm) < np.mean(rejected)


def test_a_correction_does_correct():
    """Elsewhere every correction but one was silently skipped, or a factor forgot its brackets."""
    p = np.full(10, 0.01)
    assert (holm(p) == 0.1).all()
    assert Comparisons(5).count == 10
    assert CORRECTIONS == ("holm", "romano-wolf", "none")


def test_studentised_differences():
    found = studentised(np.array([-0.2, 0.0, 0.1, 0.0]), np.array([0.1, 0.0, 0.0, 0.3]))
    assert found.tolist() == [2, 0, np.inf, 0]


def test_comparisons_name_every_pair_once_or_each_against_the_baseline():
    every = Comparisons(4)
    assert list(zip(*every.places(), strict=True)) == list(itertools.combinations(range(4), 2))
    against = Comparisons(4, baseline=1)
    assert list(zip(*against.places(), strict=True)) == [(0, 1), (2, 1), (3, 1)]
    matrix = against.spread(np.array([0.1, 0.2, 0.3]))
    assert matrix[0, 1] == matrix[1, 0] == 0.1
    assert np.isnan(matrix[0, 2])
    assert np.isnan(np.diagonal(matrix)).all()
    assert Comparisons(1).count == 0


def random_case(seed, models):
    rng = np.random.default_rng(seed)
    scores = np.round(rng.random(models), 1)
    p = rng.random((models, models)) ** 3
    p = np.minimum(p, p.T)
    p[scores[:, None] == scores[None, :]] = 1.0
    np.fill_diagonal(p, np.nan)
    return scores, p, tuple(f"m{k}" for k in rng.permutation(models))


@given(st.integers(0, 2**31), st.integers(1, 9))
def test_tiers_are_the_walk_down_the_list(seed, models):
    scores, p, names = random_case(seed, models)
    found = standings(scores, p, names, 0.05)
    assert [standing.tier for standing in found] == naive.tiers(scores, p, names, 0.05)
    order = ranking(scores, p, names)
    tiers = [found[m].tier for m in order]
    assert tiers == sorted(tiers)
    assert tiers[0] == 1
    assert set(np.diff(tiers)) <= {0, 1}
    best = order[0]
    for m, standing in enumerate(found):
        better = sum(p[other, m] < 0.05 and scores[other] > scores[m] for other in range(models) if other != m)
        worse = sum(p[other, m] < 0.05 and scores[other] < scores[m] for other in range(models) if other != m)
        assert (standing.rank_low, standing.rank_high) == (1 + better, models - worse)
        assert standing.rank_low <= standing.rank_high
        assert standing.separable_from_best == (m != best and bool(p[best, m] < 0.05))
        assert not (standing.tier == 1 and standing.separable_from_best)


def test_the_best_model_comes_first_and_identical_models_share_everything():
    """Elsewhere the worst came first, and tables of more than 26 models failed."""
    scores = np.array([0.5, 0.9, 0.9, *[0.2] * 30])
    p = np.full((33, 33), 0.001)
    p[scores[:, None] == scores[None, :]] = 1.0
    found = standings(scores, p, [f"m{k:02d}" for k in range(33)], 0.05)
    assert [standing.tier for standing in found] == [2, 1, 1] + [3] * 30
    assert found[1] == found[2]
    assert (found[1].rank_low, found[1].rank_high) == (1, 2)
    assert {(standing.rank_low, standing.rank_high) for standing in found[3:]} == {(4, 33)}


def test_ties_go_to_the_larger_p_value_against_the_leader_then_the_name():
    p = np.ones((4, 4))
    p[0, 1] = p[1, 0] = 0.04
    assert ranking(np.array([0.9, 0.5, 0.5, 0.5]), p, ("a", "b", "d", "c")) == [0, 3, 2, 1]
    assert ranking(np.array([0.9, 0.5]), np.full((2, 2), np.nan), ("a", "b")) == [0, 1]


def test_the_best_of_all_shares_ties_and_sums_to_one():
    found = best_of_all(np.array([[0.9, 0.8, 0.9], [0.7, 0.7, 0.7], [0.1, 0.2, 0.3], [0.5, 0.1, 0.1]]))
    np.testing.assert_allclose(found.p_best, [(0.5 + 1 / 3 + 1) / 4, 1 / 12, (0.5 + 1 / 3 + 1) / 4])
    assert found.p_best.sum() == pytest.approx(1)
    assert found.draws == 4
    exact = exact_best(0.5, 0.5)
    assert (exact.p_best.tolist(), exact.draws) == ([0.5, 0.5], 0)
    assert exact_best(0.2, 0.3).p_best.tolist() == [0.45, 0.55]
