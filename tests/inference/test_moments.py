"""Standard errors of dependent and weighted instances against loops over groups and instances; laws that agree."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_inference as naive
from tiebreak.errors import NotDefined
from tiebreak.inference import FlatPosterior, Moments, StudentLaw, grouped_moments, weighted_moments
from tiebreak.inference.moments import _ROUNDING
from tiebreak.tables import GroupSums


def sums_of(group, values):
    """Group sums of scores (instances × models)."""
    names = sorted(set(group))
    inside = [np.array(group) == name for name in names]
    sizes = np.array([float(rows.sum()) for rows in inside])
    return GroupSums(sizes, np.array([[column[rows].sum() for rows in inside] for column in values.T], dtype=float))


def random_case(seed, *, graded):
    rng = np.random.default_rng(seed)
    n, models, groups = int(rng.integers(4, 60)), int(rng.integers(2, 5)), int(rng.integers(2, 12))
    group = rng.permutation(np.concatenate([np.arange(groups), rng.integers(0, groups, max(n - groups, 0))])).tolist()
    effects = rng.random((groups, models))[group]
    values = (
        rng.random((len(group), models)) + effects if graded else (rng.random((len(group), models)) < effects) * 1.0
    )
    return group, values


@given(st.integers(0, 2**31), st.booleans())
def test_sandwich_errors_are_the_loop_over_groups(seed, graded):
    group, values = random_case(seed, graded=graded)
    moments = grouped_moments(sums_of(group, values))
    assert moments.df == len(set(group)) - 1
    models = values.shape[1]
    for p in range(models):
        assert moments.means[p] == pytest.approx(values[:, p].mean(), abs=1e-12)
        own = naive.grouped_error(group, values[:, p].tolist())
        assert math.sqrt(max(moments.covariance[p, p], 0)) == pytest.approx(own, abs=1e-9)
        for q in range(models):
            expected = naive.grouped_error(group, (values[:, p] - values[:, q]).tolist())
            assert moments.se[p, q] == pytest.approx(expected, abs=1e-9)
            joined = moments.covariance[p, p] + moments.covariance[q, q] - 2 * moments.covariance[p, q]
            assert joined == pytest.approx(expected**2, abs=1e-9)


def test_groups_of_one_member_give_the_formula_of_independent_instances():
    values = (np.random.default_rng(0).random((50, 2)) < 0.7) * 1.0
    moments = grouped_moments(sums_of(list(range(50)), values))
    each = values[:, 0] - values[:, 1]
    assert moments.se[0, 1] == pytest.approx(each.std(ddof=1) / math.sqrt(50), rel=1e-12)
    assert moments.df == 49


def test_dependence_widens_and_whole_copies_count_once():
    """Ten questions asked twenty times each with the same outcome are ten questions."""
    values = np.repeat([[1.0, 0], [1, 1], [0, 1], [1, 0], [1, 1], [0, 0], [1, 0], [0, 0], [1, 1], [1, 0]], 20, axis=0)
    questions = np.repeat(np.arange(10), 20).tolist()
    dependent = grouped_moments(sums_of(questions, values))
    once = grouped_moments(sums_of(list(range(10)), values[::20]))
    assert dependent.se[0, 1] == pytest.approx(once.se[0, 1], rel=1e-12)
    independent = grouped_moments(sums_of(list(range(200)), values))
    assert dependent.se[0, 1] > 4 * independent.se[0, 1]


@pytest.mark.parametrize("groups", [0, 1])
def test_fewer_than_two_groups_are_refused_and_never_a_standard_error_of_zero(groups):
    sums = GroupSums(np.full(groups, 5.0), np.full((2, groups), 3.0))
    with pytest.raises(NotDefined, match=f"group has {groups} value: a standard error needs at least two groups"):
        grouped_moments(sums)


def test_models_that_never_differ_have_a_standard_error_of_exactly_zero():
    rng = np.random.default_rng(0)
    for scale in (1.0, 0.1, 1e6):
        column = rng.random(200) * scale
        values = np.stack([column, column, rng.random(200) * scale], axis=1)
        moments = grouped_moments(sums_of(rng.integers(0, 20, 200).tolist(), values))
        assert moments.se[0, 1] == moments.se[0, 0] == 0
        assert moments.se[0, 2] > 0
        assert moments.differences[0, 1] == 0


def test_rounding_is_no_variance_and_a_small_variance_is_no_rounding():
    sizes = np.full(30, 10**6.0)
    right = np.random.default_rng(0).integers(0, 10**6, 30).astype(float)
    moments = grouped_moments(GroupSums(sizes, np.stack([right, right + 1, right + np.arange(30) % 2])))
    assert moments.se[0, 1] == 0
    assert moments.se[0, 2] == pytest.approx(math.sqrt(30 / 29 * 30 * 0.25) / 3e7, rel=1e-6)
    assert _ROUNDING < 1e-9


def pairs_of(values, weights):
    """Sums of weights in the four cells of every pair."""
    right = values.astype(bool)
    models = right.shape[1]
    return np.array([
        [[weights[a & b].sum() for a, b in ((p, q), (p, ~q), (~p, q), (~p, ~q))]
         for q in right.T] for p in right.T
    ]).reshape(models, models, 4)  # fmt: skip


@given(st.integers(0, 2**31))
def test_weighted_errors_are_the_loop_over_instances(seed):
    rng = np.random.default_rng(seed)
    values, weights = (rng.random((40, 3)) < 0.6) * 1.0, rng.choice([0.25, 1.0, 4.0], 40)
    moments = weighted_moments(
        pairs_of(values, weights), pairs_of(values, weights**2), weights.sum(), (weights**2).sum()
    )
    for p in range(3):
        own = naive.weighted_error(weights.tolist(), values[:, p].tolist())
        assert moments.covariance[p, p] == pytest.approx(own**2, abs=1e-12)
        for q in range(3):
            expected = naive.weighted_error(weights.tolist(), (values[:, p] - values[:, q]).tolist())
            assert moments.se[p, q] == pytest.approx(expected, abs=1e-12)
    assert moments.df == pytest.approx(weights.sum() ** 2 / (weights**2).sum() - 1)


def test_equal_weights_are_no_weights_but_for_the_degrees_of_freedom():
    values = (np.random.default_rng(1).random((60, 2)) < 0.7) * 1.0
    for weight in (1.0, 0.125, 1000.0):
        weights = np.full(60, weight)
        moments = weighted_moments(
            pairs_of(values, weights), pairs_of(values, weights**2), weights.sum(), (weights**2).sum()
        )
        each = values[:, 0] - values[:, 1]
        assert moments.se[0, 1] == pytest.approx(each.std() / math.sqrt(60), rel=1e-12)
        assert moments.df == pytest.approx(59)


def test_a_weight_on_one_instance_alone_still_has_degrees_of_freedom():
    cells = np.array([[[1.0, 0, 0, 0], [0, 1, 0, 0]], [[0, 0, 1, 0], [0, 0, 0, 1]]])
    assert weighted_moments(cells, cells, 1.0, 1.0).df > 0


LAWS = st.builds(
    StudentLaw,
    st.floats(-0.9, 0.9).map(np.array),
    st.floats(1e-6, 0.5).map(np.array),
    st.sampled_from([1.0, 2.5, 9.0, 200.0, math.inf]),
    st.just("cluster_t"),
)


@given(LAWS, st.floats(0.5, 0.999))
def test_the_three_readings_of_a_students_law_agree(law, level):
    low, high = law.ends(level)
    excludes = bool(low > 0 or high < 0)
    assert excludes == bool(law.p_value < 1 - level) == bool(max(law.p_better, law.p_worse) > (1 + level) / 2)
    assert -1 <= low <= law.estimate <= high <= 1
    assert float(law.p_better + law.p_worse) == pytest.approx(1, abs=1e-12)
    assert float(law.above(0.0)) == float(law.p_better)


def test_students_law_is_that_of_scipy():
    from scipy.stats import t

    law = StudentLaw(np.array([0.1, -0.02]), np.array([0.05, 0.03]), 20.0, "t", -np.inf, np.inf)
    np.testing.assert_allclose(law.p_value, 2 * t.sf(np.abs(law.estimate / law.se), 20), rtol=1e-12)
    np.testing.assert_allclose(law.ends(0.9).T, t.interval(0.9, 20, law.estimate, law.se), rtol=1e-9)
    np.testing.assert_allclose(law.above([0.2, -0.1]), t.sf([0.2, -0.1], 20, law.estimate, law.se), rtol=1e-9)
    mean, sd = law.shrunk(0.03)
    kept = 0.03**2 / (0.03**2 + law.se**2)
    np.testing.assert_allclose((mean, sd), (law.estimate * kept, np.sqrt(kept) * law.se), rtol=1e-12)


def test_without_spread_the_flat_posterior_over_the_units_stands_in():
    flat = FlatPosterior(np.array([3.0, 0.0]), np.array([1.0, 0.0]), np.array([12.0, 12.0]))
    law = StudentLaw(np.array([0.1, 0.0]), np.array([0.05, 0.0]), 11.0, "cluster_t", degenerate=flat)
    assert law.p_better[1] == 0.5
    assert law.p_value[1] == 1
    np.testing.assert_allclose(law.ends(0.95)[1], flat.ends(0.95)[1])
    np.testing.assert_allclose(law.above(0.05)[1], flat.above(0.05)[1])
    assert law.ends(0.95)[0, 0] == pytest.approx(0.1 - 2.200985 * 0.05, abs=1e-6)
    assert np.isfinite([law.shrunk(0.03)]).all()


def test_graded_scores_that_never_differ_are_at_the_limit_and_a_constant_difference_is_undefined():
    """Elsewhere identical series have p = NaN, or p = 0."""
    law = StudentLaw(np.array([0.0, 0.1]), np.zeros(2), 9.0, "t", -np.inf, np.inf)
    assert (law.p_better[0], law.p_worse[0], law.p_value[0]) == (0.5, 0.5, 1)
    assert law.ends(0.95)[0].tolist() == [0, 0]
    assert law.above([-0.1, 0.0])[0] == 1
    assert [float(part[0]) for part in law.shrunk(0.03)] == [0, 0]
    assert np.isnan([law.p_better[1], law.p_worse[1], law.p_value[1], *law.ends(0.95)[1], *law.above(0.0)[1:]]).all()


def test_intervals_of_means_are_clipped_and_never_of_width_zero_for_accuracies():
    moments = Moments(np.array([0.99, 1.0]), np.diag([0.01**2, 0.0]), np.zeros((2, 2)), 9.0, "cluster_t")
    degenerate = np.array([[0.5, 1.0], [0.7, 1.0]])
    found = moments.mean_ends(0.95, 0.0, 1.0, degenerate)
    assert found[0, 1] == 1
    assert found[0, 0] == pytest.approx(0.99 - 2.262157 * 0.01, abs=1e-6)
    assert found[1].tolist() == [0.7, 1.0]
