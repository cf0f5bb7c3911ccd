"""Bands: what they are, and that they cover as often as they say."""

import math

import numpy as np
import pytest

from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.inference import wilson
from tiebreak.profiles import performance_profile
from tiebreak.profiles.bands import kolmogorov
from tiebreak.tables import Losses, loss_sums


def uniform(rng, n):
    """A model that is never the best and has a profile without a step: 1 − 1/τ, beside one that always is."""
    return np.column_stack([np.ones(n), 1 / rng.random(n)])


def farthest(profile, model, true):
    """sup over τ of |ρ̂ − ρ|, looked at before and after every jump."""
    step = profile.steps[profile.models.index(model)]
    at = true(step.ratios)
    after = (step.wins + np.arange(1, len(step.ratios) + 1)) / profile.total
    before = after - 1 / profile.total
    edges = [abs(step.wins / profile.total - true(1.0))]
    return max(np.abs(after - at).max(), np.abs(before - at).max(), *edges)


def test_simultaneous_bands_cover_a_curve_without_a_step_as_often_as_they_say():
    rng, runs, n = np.random.default_rng(11), 3000, 150
    reach = kolmogorov(n, 0.95)
    held = [
        farthest(performance_profile(uniform(rng, n)), "model_2", lambda t: 1 - 1 / np.asarray(t)) <= reach
        for _ in range(runs)
    ]
    assert 0.93 <= np.mean(held) <= 0.97


def test_bootstrap_bands_cover_as_often_as_they_say():
    rng, runs, n = np.random.default_rng(12), 1000, 200
    covered = {"no step": 0, "step": 0}
    for _ in range(runs):
        profile = performance_profile(uniform(rng, n))
        reach = profile.bands(method="bootstrap", rng=rng, resamples=199).reach[1]
        covered["no step"] += farthest(profile, "model_2", lambda t: 1 - 1 / np.asarray(t)) <= reach
        both = performance_profile(np.abs(rng.standard_normal((n, 2))))
        reach = both.bands(method="bootstrap", rng=rng, resamples=199).reach[0]
        covered["step"] += farthest(both, "model_1", lambda t: 2 / math.pi * np.arctan(t)) <= reach

    assert 0.93 <= covered["no step"] / runs <= 0.97
    assert covered["step"] / runs >= 0.93


def test_the_law_of_kolmogorov_is_exact_for_small_samples_too():
    from scipy.stats import kstwo

    for n in (5, 20, 150, 10_000):
        assert kstwo.cdf(kolmogorov(n, 0.95), n) == pytest.approx(0.95, abs=2e-3)


def test_wilson_bands_hold_at_each_factor_alone():
    rng = np.random.default_rng(0)
    found = performance_profile(rng.exponential(size=(80, 2)), names=["a", "b"])
    bands = found.bands(0.9, method="wilson", taus=[1, 2, 5])
    assert not bands.simultaneous
    for place, tau in enumerate((1, 2, 5)):
        expected = wilson(found.at(tau)["a"] * 80, 80, 0.9)
        assert (bands.low[0, place], bands.high[0, place]) == pytest.approx(tuple(expected))
        assert found.interval_at(tau, level=0.9)["a"].low == pytest.approx(expected[0])
    assert bands.at(3)["b"].low == bands.low[1, 1]


def test_groups_widen_bands_and_intervals():
    rng = np.random.default_rng(1)
    once = rng.exponential(size=(40, 2))
    plain = Losses(("a", "b"), np.repeat(once, 10, axis=0), kind="losses")
    grouped = Losses(
        plain.models, plain.values, groups=np.repeat(np.arange(40), 10), names=tuple(range(40)), kind="losses"
    )
    alone, together = performance_profile(plain), performance_profile(grouped)
    small = performance_profile(once, names=["a", "b"])
    assert alone.at(2) == together.at(2)
    width = {
        name: p.interval_at(2)["a"].width for name, p in (("alone", alone), ("together", together), ("small", small))
    }
    assert width["together"] == pytest.approx(width["small"], rel=0.03)
    assert width["alone"] < width["small"] / 2
    assert together.bands().method == "bootstrap"
    assert together.bands().reach[0] == pytest.approx(small.bands(method="bootstrap").reach[0], rel=0.15)
    # Within every τ alike in every group: no variance to see, so the groups are counted.
    same = Losses(
        ("a", "b"), np.tile([[1.0, 2.0]], (20, 1)), groups=np.repeat([0, 1, 2, 3], 5), names=(0, 1, 2, 3), kind="losses"
    )
    assert performance_profile(same).interval_at(1)["a"].low == pytest.approx(wilson(4, 4)[0])


def test_weights_count_by_what_they_are_worth():
    rng = np.random.default_rng(2)
    values = rng.exponential(size=(60, 2))
    ones = Losses(("a", "b"), values, weights=np.ones(60), kind="losses")
    assert (
        performance_profile(ones).interval_at(2)["a"]
        == performance_profile(values, names=["a", "b"]).interval_at(2)["a"]
    )
    skewed = Losses(("a", "b"), values, weights=np.r_[np.full(6, 50.0), np.ones(54)], kind="losses")
    found = performance_profile(skewed)
    assert found.interval_at(2)["a"].width > performance_profile(ones).interval_at(2)["a"].width
    assert found.bands().reach[0] > performance_profile(ones).bands(method="bootstrap").reach[0]


def test_bands_of_counts_are_those_of_the_repeated_rows():
    rng = np.random.default_rng(3)
    values, counts = rng.integers(1, 5, (30, 2)).astype(float), rng.integers(1, 9, 30)
    tallied = performance_profile(Losses(("a", "b"), values, counts=counts, kind="losses"))
    repeated = performance_profile(np.repeat(values, counts, axis=0), names=["a", "b"])
    for method in ("simultaneous", "bootstrap", "wilson"):
        one, two = tallied.bands(method=method), repeated.bands(method=method)
        np.testing.assert_allclose(one.low, two.low)
        np.testing.assert_allclose(one.high, two.high)


def test_the_same_seed_gives_the_same_band_and_the_curve_lies_inside():
    profile = performance_profile(np.random.default_rng(4).exponential(size=(100, 3)))
    for method in ("simultaneous", "bootstrap", "wilson"):
        one, two = (profile.bands(method=method, rng=np.random.default_rng(9)) for _ in range(2))
        np.testing.assert_array_equal(one.low, two.low)
        curve = np.array(list(profile.curve(one.taus).values()))
        assert (one.low <= curve).all()
        assert (curve <= one.high).all()
        assert (one.low >= 0).all()
        assert (one.high <= 1).all()


def test_bands_on_a_grid():
    losses = Losses(("a", "b"), np.random.default_rng(5).standard_normal((500, 2)), kind="residuals")
    exact, coarse = performance_profile(losses), performance_profile(loss_sums(losses))
    assert coarse.bands().reach.tolist() == exact.bands().reach.tolist()
    assert coarse.bands(method="bootstrap").reach[0] == pytest.approx(exact.bands(method="bootstrap").reach[0], rel=0.1)
    grouped = Losses(("a", "b"), losses.values, groups=np.arange(500) % 7, names=tuple(range(7)), kind="residuals")
    sums = performance_profile(loss_sums(grouped))
    with pytest.raises(NotDefined, match="keep no groups"):
        sums.bands()
    with pytest.raises(NotDefined, match="keep no groups"):
        sums.interval_at(2)
    with pytest.raises(TiebreakError, match="resamples is 0"):
        exact.bands(method="bootstrap", resamples=0)
    with pytest.raises(NotDefined, match="the band begins at tau = 2"):
        exact.bands(taus=[2, 3]).at(1)


@pytest.mark.parametrize(
    "facts", [{}, {"groups": np.arange(12) // 3, "names": tuple("abcd")}, {"weights": np.ones(12) / 2}]
)
@pytest.mark.parametrize("method", ["simultaneous", "bootstrap", "wilson"])
def test_a_curve_that_nothing_moves_has_a_band_of_some_width(facts, method):
    losses = Losses(("a", "b"), np.array([[1.0, 2.0]] * 12), kind="losses", **facts)
    band = performance_profile(losses).bands(method=method, taus=[1.0])
    assert (band.high - band.low > 0.05).all()
