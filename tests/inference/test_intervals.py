"""Intervals beside the default one: published checks, defining equations, and every small table (C19)."""

import math

import numpy as np
import pytest
from scipy.special import ndtri

import naive_inference as naive
from tiebreak.inference import Estimate, Interval, bonett_price, newcombe, tango, wald, wilson

SMALL = np.array(
    [(n - rw - wr - bw, rw, wr, bw) for n in range(1, 15) for rw in range(n + 1) for wr in range(n - rw + 1)
     for bw in range(n - rw - wr + 1)]
)  # fmt: skip
EXTREME = np.array([(0, 0, 0, 1), (10**9, 0, 0, 0), (0, 10**9, 0, 0), (5, 10**9, 10**9, 5), (10**6, 1, 0, 10**6)])
BY_COUNTS = {"tango": tango, "bonett_price": bonett_price, "wald": wald}


def ends(method, cells, level=0.95):
    br, rw, wr, bw = np.asarray(cells).T
    if method == "newcombe":
        return newcombe(br, rw, wr, bw, level)
    return BY_COUNTS[method](rw, wr, br + rw + wr + bw, level)


def test_published_checks():
    np.testing.assert_allclose(tango(12, 2, 50), [0.06111240618634398, 0.3447087482821434], atol=1e-9)
    np.testing.assert_allclose(tango(0, 1, 44).round(4), [-0.1181, 0.0594])
    np.testing.assert_allclose(newcombe(36, 12, 2, 0), [0.05692958400323869, 0.3404276029749407], atol=1e-12)
    np.testing.assert_allclose(newcombe(30, 9, 4, 7), [-0.044876177729887806, 0.24051566609964478], atol=1e-12)


@pytest.mark.parametrize("method", ["tango", "newcombe", "bonett_price", "wald"])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_every_small_table_is_contained_bounded_and_mirrored(method, level):
    for tables in (SMALL, EXTREME):
        br, rw, wr, bw = tables.T
        low, high = ends(method, tables, level).T
        d = (rw - wr) / tables.sum(axis=1)
        assert np.isfinite([low, high]).all()
        assert ((low >= -1) & (high <= 1) & (low <= high)).all()
        if method != "bonett_price":
            assert ((low <= d + 1e-9) & (d - 1e-9 <= high)).all()
        mirrored = ends(method, np.stack([br, wr, rw, bw], axis=1), level)
        np.testing.assert_allclose(mirrored, np.stack([-high, -low], axis=1), atol=1e-9)


def test_bonett_price_contains_the_estimate_at_the_usual_levels():
    d = (SMALL[:, 1] - SMALL[:, 2]) / SMALL.sum(axis=1)
    low, high = ends("bonett_price", SMALL, 0.95).T
    assert ((low <= d + 1e-12) & (d - 1e-12 <= high)).all()


def test_two_identical_models_have_an_interval_of_some_width():
    for method, width in (("tango", 0.2775), ("newcombe", 0.2775), ("bonett_price", 0.2310)):
        low, high = ends(method, [10, 0, 0, 0])
        assert high == pytest.approx(width, abs=5e-5)
        assert low == pytest.approx(-high, abs=1e-9)
    assert ends("wald", [10, 0, 0, 0]).tolist() == [0, 0]


@pytest.mark.parametrize("cells", [(30, 9, 4, 7), (36, 12, 2, 0), (10, 3, 1, 4), (0, 20, 7, 1), (500, 30, 42, 61)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_tango_ends_are_where_its_own_test_stops_rejecting(cells, level):
    """The nuisance share is found by maximising the likelihood numerically."""
    _, rw, wr, _ = cells
    n, z = sum(cells), float(ndtri((1 + level) / 2))
    low, high = tango(rw, wr, n, level).tolist()
    assert naive.tango_statistic(low, rw, wr, n) == pytest.approx(z, abs=1e-4)
    assert naive.tango_statistic(high, rw, wr, n) == pytest.approx(-z, abs=1e-4)


@pytest.mark.parametrize(("x", "n"), [(39, 50), (0, 1), (1, 1), (50, 50), (3, 4), (17.5, 40.25), (1, 10**9)])
def test_wilson_ends_solve_their_equation_and_are_never_of_width_zero(x, n):
    low, high = wilson(x, n).tolist()
    assert 0 <= low < high <= 1
    z = float(ndtri(0.975))
    for end in (low, high):
        if 0 < end < 1:
            assert abs(x / n - end) == pytest.approx(z * math.sqrt(end * (1 - end) / n), rel=1e-6)


def test_wilson_as_statsmodels_has_it():
    """proportion_confint(count, nobs, method="wilson") of statsmodels 0.15."""
    for (x, n), known in {
        (39, 50): (0.6475845041874633, 0.8724608402978558),
        (50, 50): (0.9286524008666412, 1.0),
        (3, 4): (0.30064184258240184, 0.9544127391902995),
    }.items():
        np.testing.assert_allclose(wilson(x, n), known, atol=1e-10)


def test_an_interval_and_an_estimate_carry_how_they_were_made():
    interval = Interval(-0.1, 0.3, 0.95, "tango")
    estimate = Estimate(0.1, interval)
    assert 0 in interval
    assert 0.4 not in interval
    assert (estimate.low, estimate.high, estimate.method, estimate.value) == (-0.1, 0.3, "tango", 0.1)
    assert estimate == 0.1
    assert interval.width == pytest.approx(0.4)
    with pytest.raises(AttributeError, match="an estimate is frozen"):
        estimate.interval = interval


def test_an_estimate_survives_pickling():
    import copy
    import pickle

    estimate = Estimate(0.1, Interval(-0.1, 0.3, 0.95, "tango"))
    for twin in (pickle.loads(pickle.dumps(estimate)), copy.deepcopy(estimate)):
        assert twin == estimate
        assert twin.interval == estimate.interval
