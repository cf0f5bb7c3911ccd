"""McNemar in all versions and Cochran's Q: published values, exact fractions, loops, and what others get wrong."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_inference as naive
from tiebreak.inference import cochran_q, exact_p, mcnemar
from tiebreak.inference.posterior import mid_p
from tiebreak.measures import comparative_deviation

# Discordant counts: exact, mid-p, asymptotic, corrected.
PUBLISHED = {
    (0, 0): (1, 1, 1, 1),
    (1, 0): (1, 0.5, 0.3173105, 1),
    (5, 0): (0.0625, 0.03125, 0.0253473, 0.0736383),
    (6, 1): (0.125, 0.0703125, 0.0587817, 0.1305700),
    (5, 5): (1, 1, 1, 1),
    (11, 1): (0.0063477, 0.0034180, 0.0038924, 0.0093748),
    (15, 5): (0.0413895, 0.0266037, 0.0253473, 0.0441713),
    (25, 15): (0.1538599, 0.1172752, 0.1138463, 0.1547289),
}


@pytest.mark.parametrize(("counts", "published"), PUBLISHED.items())
def test_published_p_values(counts, published):
    for found in (mcnemar(*counts), mcnemar(*counts[::-1])):
        values = (found.exact, found.mid_p, found.asymptotic, found.corrected)
        assert values == pytest.approx(published, abs=5.1e-8)


def test_golden_values():
    found = mcnemar(9, 4)
    assert found.exact == pytest.approx(0.266845703125, abs=1e-14)
    assert (found.statistic, found.corrected_statistic) == pytest.approx((1.9230769230769231, 1.2307692307692308))
    assert (found.asymptotic, found.corrected) == pytest.approx((0.16551785869746605, 0.2672574931543847))


def test_exact_p_values_are_the_binomial_sums():
    tables = [(rw, total - rw) for total in range(50) for rw in range(total + 1)]
    rw, wr = np.array(tables).T
    np.testing.assert_allclose(exact_p(rw, wr), [float(naive.exact_p(*table)) for table in tables], rtol=1e-12)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_p_values_are_p_values_at_any_size(rw, wr):
    found = mcnemar(rw, wr)
    values = (found.exact, found.mid_p, found.asymptotic, found.corrected, found.greater, found.greater_mid_p)
    assert all(0 <= value <= 1 for value in values)
    assert found.mid_p <= found.exact
    assert found.asymptotic <= found.corrected
    assert found.mid_p == mcnemar(wr, rw).mid_p
    assert found.mid_p == pytest.approx(min(1, 2 * min(found.greater_mid_p, 1 - found.greater_mid_p)), abs=1e-12)


@pytest.mark.parametrize("count", [0, 1, 5, 400, 10**9])
def test_equal_discordance_is_no_evidence_in_any_version(count):
    """Elsewhere these are infinite statistics with p = 0, divisions by zero, or p = 0.75."""
    found = mcnemar(count, count)
    assert (found.exact, found.mid_p, found.asymptotic, found.corrected) == (1, 1, 1, 1)
    assert found.statistic == found.corrected_statistic == 0
    assert found.greater_mid_p == 0.5


def test_the_orientation_is_first_model_in_rows():
    assert mcnemar(20, 2).greater < 0.001
    assert mcnemar(2, 20).greater > 0.999


def test_a_billion_discordant_instances_use_the_binomial_law_and_not_the_normal_one():
    rw, wr = 10**9 // 2 + 33_000, 10**9 // 2 - 33_000
    assert float(mid_p(rw, wr)) == pytest.approx(mcnemar(rw, wr).asymptotic, rel=1e-4)
    assert mcnemar(rw, wr).exact > mcnemar(rw, wr).mid_p


def table_of(right):
    """What the fast path takes: right answers of each model, and instances by how many models got them right."""
    return right.sum(axis=0), np.bincount(right.sum(axis=1), minlength=right.shape[1] + 1)


@given(st.integers(2, 6), st.integers(1, 60), st.integers(0, 2**31))
def test_cochran_from_two_small_tables_is_the_loop_over_instances(models, n, seed):
    right = (np.random.default_rng(seed).random((n, models)) < 0.7).astype(int)
    assert cochran_q(*table_of(right)).statistic == pytest.approx(naive.cochran(right), abs=1e-9)


def test_cochran_agrees_with_mlxtend():
    from mlxtend.evaluate import cochrans_q

    rng = np.random.default_rng(0)
    for models, n in [(2, 50), (3, 200), (5, 80)]:
        right = (rng.random((n, models)) < np.linspace(0.6, 0.9, models)).astype(int)
        statistic, p = cochrans_q(np.ones(n, dtype=int), *right.T)
        found = cochran_q(*table_of(right))
        assert (found.statistic, found.p_value) == pytest.approx((statistic, p), rel=1e-9)
        assert found.df == models - 1


def test_cochran_of_two_models_is_mcnemar():
    """C17: and both are σ_c² times the discordant count."""
    for br, rw, wr, bw in [(30, 9, 4, 7), (0, 1, 0, 0), (100, 3, 50, 2)]:
        found, tests = cochran_q([br + rw, br + wr], [bw, rw + wr, br]), mcnemar(rw, wr)
        assert found.statistic == pytest.approx(tests.statistic, rel=1e-13)
        assert found.p_value == pytest.approx(tests.asymptotic, rel=1e-12)
        sigma = float(comparative_deviation((br, rw, wr, bw)))
        assert found.statistic == pytest.approx(sigma**2 * (rw + wr), rel=1e-12)


@pytest.mark.parametrize("models", [1, 2, 7])
@pytest.mark.parametrize("right", [0, 40])
def test_identical_models_are_equal_and_not_undefined(models, right):
    by_rights = [0] * (models + 1)
    by_rights[0], by_rights[models] = 60 - right, right
    found = cochran_q([right] * models, by_rights)
    assert (found.statistic, found.p_value) == (0, 1)


def test_cochran_neither_enumerates_patterns_nor_overflows():
    begun = time.perf_counter()
    # Forty models, right together a billion times, and each alone a million times, but for the last one twice that.
    right = [10**9 + 10**6] * 39 + [10**9 + 2 * 10**6]
    found = cochran_q(right, [0, 41 * 10**6, *[0] * 38, 10**9])
    assert time.perf_counter() - begun < 0.1
    assert found.statistic == pytest.approx(39 * 10**6 / 41, rel=1e-12)
    assert found.p_value == 0
