"""The posterior law of a difference: its tails and quantiles against another integral, over tables of every size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_inference as naive
from tiebreak.inference import difference

BILLION = 10**9
# Nothing discordant, one instance, all right, all wrong, everything one way, skewed, large, and enormous.
GRID = [
    (0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 10), (0, 0, BILLION), (40, 0, 40), (0, 40, 40), (9, 4, 50), (5, 5, 10),
    (1, 0, 1000), (300, 10, 310), (12, 2, 50), (250, 200, 10_000), (50_000, 49_000, 10**6), (3, 90_000, 10**5),
    (BILLION // 2, BILLION // 2, BILLION), (BILLION // 2 + 20_000, BILLION // 2, 2 * BILLION), (BILLION, 0, BILLION),
]  # fmt: skip


@pytest.mark.parametrize("table", GRID)
@pytest.mark.parametrize("share", [0.005, 0.025, 0.5, 0.95])
def test_quantiles_have_eight_digits(table, share):
    assert naive.brackets(share, float(difference.quantile(share, *table)), *table)


def test_tails_have_ten_digits():
    for rw, wr, n in GRID:
        # Cells of a billion leave seven, which is nothing beside the width of such a law.
        digits = 1e-10 if n < BILLION else 1e-7
        spread = max(np.sqrt((rw + wr + 2) / (n + 4) / (n + 5)), 1e-9)
        for y in np.clip((rw - wr) / n + spread * np.array([-2, -0.5, 0, 1, 3]), -0.999, 0.999):
            assert float(difference.tail(y, rw, wr, n)) == pytest.approx(naive.tail(y, rw, wr, n), abs=digits)


@pytest.mark.parametrize("prior", [0.1, 0.3, 0.5, 0.7, 1.5, 2.0, 10.0])
@pytest.mark.parametrize("table", [(0, 0, 2), (1, 0, 1), (0, 6, 6), (8, 6, 14), (887, 0, 1391), (859, 37_733, 39_565)])
def test_other_priors_are_as_exact(table, prior):
    for share in (0.025, 0.2, 0.8):
        found = float(difference.quantile(share, *table, prior))
        assert naive.tail(found, *table, prior) == pytest.approx(1 - share, abs=1e-7)


@pytest.mark.parametrize("table", [(0.3, 0.2, 2), (0.5, 0, 2), (1.5, 0.5, 3), (2.5, 1.25, 7.5), (12.3, 4.7, 40.2)])
def test_fractional_counts_of_effective_units_are_as_exact(table):
    for share in (0.025, 0.5):
        assert naive.brackets(share, float(difference.quantile(share, *table)), *table)


def test_the_golden_interval():
    ends = difference.interval(9, 4, 50, 0.95)
    assert naive.brackets(0.025, float(ends[0]), 9, 4, 50)
    assert naive.brackets(0.975, float(ends[1]), 9, 4, 50)
    np.testing.assert_allclose(ends, [-0.04421460, 0.23191401], atol=5e-9)


TABLES = st.tuples(st.integers(0, 400), st.integers(0, 400), st.integers(0, 400)).filter(any)


@given(TABLES, st.floats(0.5, 0.999))
def test_the_interval_holds_its_share_mirrors_and_contains_the_estimate(cells, level):
    rw, wr, rest = cells
    n = rw + wr + rest
    low, high = difference.interval(rw, wr, n, level)
    assert -1 <= low <= (rw - wr) / n <= high <= 1
    assert difference.interval(wr, rw, n, level).tolist() == [-high, -low]
    if low < (rw - wr) / n < high:
        inside = difference.tail([low, high], rw, wr, n)
        assert inside[0] - inside[1] == pytest.approx(level, abs=1e-9)


@given(TABLES)
def test_tails_fall_and_higher_levels_are_wider(cells):
    rw, wr, rest = cells
    n = rw + wr + rest
    assert (np.diff(difference.tail(np.linspace(-1, 1, 41), rw, wr, n)) <= 1e-12).all()
    ends = np.array([difference.interval(rw, wr, n, level) for level in (0.5, 0.9, 0.99)])
    assert (np.diff(ends[:, 0]) <= 0).all()
    assert (np.diff(ends[:, 1]) >= 0).all()


def test_many_pairs_at_once_are_the_pairs_one_by_one():
    rng = np.random.default_rng(0)
    rw, wr = rng.integers(0, 60, (2, 40, 30))
    n = rw + wr + rng.integers(1, 100, (40, 30))
    together = difference.interval(rw, wr, n, 0.95)
    assert together.shape == (40, 30, 2)
    for place in [(0, 0), (7, 3), (39, 29)]:
        np.testing.assert_allclose(
            together[place], difference.interval(rw[place], wr[place], n[place], 0.95), atol=1e-12
        )
    assert difference.tail(np.zeros((0,)), 1, 1, 2).shape == (0,)
