"""The headline trio: probability, interval and p-value are one statement; identities C15 and C16; limits and refusals."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_inference as naive
import tiebreak as tb
from tiebreak.errors import EmptyComparison, TiebreakError
from tiebreak.inference import difference, gate_outcome, mcnemar, posterior, superiority

SMALL = np.array([(rw, wr, n) for n in range(1, 41) for rw in range(n + 1) for wr in range(n - rw + 1)], dtype=float)
COUNTS = st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(0, 200)).filter(any)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_trio_agrees_on_every_table_of_up_to_forty_instances(level):
    rw, wr, n = SMALL.T
    assert len(SMALL) == 12_340
    low, high = difference.interval(rw, wr, n, level).T
    excludes = (low > 0) | (high < 0)
    better, worse = posterior.p_better(rw, wr), posterior.p_better(wr, rw)
    assert np.isfinite([low, high, better]).all()
    np.testing.assert_array_equal(excludes, posterior.mid_p(rw, wr) < 1 - level)
    np.testing.assert_array_equal(excludes, (better > (1 + level) / 2) | (worse > (1 + level) / 2))
    np.testing.assert_array_equal(low > 0, worse < (1 - level) / 2)
    assert ((low <= (rw - wr) / n) & ((rw - wr) / n <= high) & (low >= -1) & (high <= 1)).all()


@given(COUNTS, st.floats(0.5, 0.999))
def test_the_trio_agrees_where_it_is_asked_for_one_pair(cells, level):
    rw, wr, rest = cells
    found = superiority(rw, wr, rw + wr + rest, level=level)
    excludes = 0 not in found.interval
    assert excludes == (found.p_value < 1 - level) == (max(found.p_better, found.p_worse) > (1 + level) / 2)


@given(COUNTS)
def test_exchanging_the_models_negates_and_mirrors(cells):
    rw, wr, rest = cells
    one, two = superiority(rw, wr, rw + wr + rest), superiority(rw, wr, rw + wr + rest).swap()
    assert (one.estimate, one.p_better, one.p_value) == (-two.estimate, two.p_worse, two.p_value)
    assert (one.interval.low, one.interval.high) == (-two.interval.high, -two.interval.low)
    assert one.log_p_better == two.log_p_worse
    for method in ("tango", "bonett_price", "wald"):
        assert one.interval_by(method).low == pytest.approx(-two.interval_by(method).high, abs=1e-9)
    rope, mirrored = one.rope(0.02), two.rope(0.02)
    assert (rope.p_better, rope.p_worse) == (mirrored.p_worse, mirrored.p_better)
    assert one.with_prior_scale(0.03).p_better == pytest.approx(1 - two.with_prior_scale(0.03).p_better, abs=1e-12)
    assert one.more_needed() == two.more_needed()


def test_the_probability_is_one_minus_the_one_sided_mid_p_value_exactly():
    """C15, with exact fractions for every table of up to 60 discordant instances."""
    for total in range(61):
        for rw in range(total + 1):
            exact, mid = naive.one_sided(rw, total - rw)
            assert float(posterior.p_better(rw, total - rw)) == pytest.approx(float(1 - mid), abs=1e-14)
            tests = mcnemar(rw, total - rw)
            assert tests.greater == pytest.approx(float(exact), abs=1e-14)
            assert tests.greater_mid_p == pytest.approx(float(mid), abs=1e-14)
            two_sided = min(Fraction(1), 2 * min(mid, 1 - mid))
            assert tests.mid_p == pytest.approx(float(two_sided), abs=1e-14)


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_the_two_probabilities_are_complements(rw, wr):
    assert float(posterior.p_better(rw, wr) + posterior.p_better(wr, rw)) == pytest.approx(1, abs=1e-12)


@given(st.integers(0, 500), st.integers(0, 500))
def test_one_more_right_never_lowers_the_probability(rw, wr):
    assert posterior.p_better(rw + 1, wr) > posterior.p_better(rw, wr) or posterior.p_better(rw, wr) > 1 - 1e-15


@pytest.mark.parametrize("prior", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("elsewhere", [0.2, 1.0, 7.0])
def test_the_closed_form_is_the_posterior_whatever_the_prior_on_the_concordant_cells(prior, elsewhere):
    """C16."""
    rng = np.random.default_rng(0)
    for br, rw, wr, bw in [(30, 9, 4, 7), (5, 0, 3, 2), (0, 2, 1, 0)]:
        draws = rng.dirichlet([br + elsewhere, rw + prior, wr + prior, bw + elsewhere], 100_000)
        share = (draws[:, 1] > draws[:, 2]).mean()
        assert share == pytest.approx(float(posterior.p_better(rw, wr, prior)), abs=0.007)


def test_draws_of_the_four_cells_have_the_law_of_the_difference():
    from scipy.stats import kstest

    rng = np.random.default_rng(1)
    for prior, (br, rw, wr, bw) in [(1.0, (30, 9, 4, 7)), (1.0, (0, 0, 0, 1)), (0.5, (3, 1, 0, 2))]:
        draws = rng.dirichlet(np.array([br, rw, wr, bw]) + prior, 4000)
        n = br + rw + wr + bw
        law = kstest(draws[:, 1] - draws[:, 2], lambda y, at=(rw, wr, n, prior): 1 - difference.tail(y, *at))
        assert law.pvalue > 0.001


# Computed once by independent formulas for (both right, right/wrong, wrong/right, both wrong) = (30, 9, 4, 7).
GOLDEN = {
    "tango": [-0.04542874673044423, 0.24751568148181716],
    "bonett_price": [-0.04746669255016832, 0.23977438485786062],
    "wald": [-0.03859038243496776, 0.23859038243496777],
}
GOLDEN_CDF = {
    -0.1: 0.0030439472017420957, 0: 0.08158418711548031, 0.1: 0.5265238007285217, 0.2: 0.9301905180413659,
    0.3: 0.9973718115727936,
}  # fmt: skip


def test_golden_values():
    found, jeffreys = superiority(9, 4, 50), superiority(9, 4, 50, prior=0.5)
    assert found.p_better == 0.91021728515625
    assert found.p_value == pytest.approx(0.17956542968749997, abs=1e-15)
    assert jeffreys.p_better == pytest.approx(0.9184158128845197, abs=1e-14)
    for y, below in GOLDEN_CDF.items():
        assert 1 - float(jeffreys.law.above(y)) == pytest.approx(below, abs=1e-9)
    for method, ends in GOLDEN.items():
        interval = found.interval_by(method)
        assert [interval.low, interval.high] == pytest.approx(ends, abs=1e-9)


def test_logarithms_have_all_digits_where_probabilities_underflow():
    for rw, wr in [(9, 4), (0, 0), (0, 5000), (100, 3000), (5000, 9000), (1000, 1100)]:
        found = superiority(rw, wr, rw + wr + 1)
        assert found.log_p_better == pytest.approx(naive.log_p_better(rw, wr), rel=1e-11)
        assert found.swap().log_p_worse == found.log_p_better
        assert found.log_p_worse == pytest.approx(math.log1p(-math.exp(found.log_p_better)), rel=1e-11, abs=1e-300)
    # P = 2^−(WR + 1) where only the alternative is ever right alone.
    assert superiority(0, 10**9, 10**9).log_p_better == pytest.approx(-(10**9 + 1) * math.log(2), rel=1e-12)
    assert superiority(0, 10**9, 10**9).p_value == 0


def test_a_region_of_practical_equivalence_holds_the_three_probabilities():
    found = superiority(9, 4, 50)
    for half_width in (0.0, 0.01, 0.05, 0.3, 1.0):
        rope = found.rope(half_width)
        assert rope.p_better + rope.p_equivalent + rope.p_worse == pytest.approx(1, abs=1e-12)
        assert rope.p_better == pytest.approx(naive.tail(half_width, 9, 4, 50), abs=1e-10)
        assert rope.p_worse == pytest.approx(naive.tail(half_width, 4, 9, 50), abs=1e-10)
    assert found.rope(0).p_better == pytest.approx(found.p_better, abs=1e-12)
    assert found.rope(1).p_equivalent == 1


def test_a_prior_scale_is_the_formula_of_the_calibration_study():
    from scipy.special import ndtr

    for rw, wr, n, tau in [(9, 4, 50, 0.03), (0, 0, 10, 0.03), (3, 40, 500, 0.015), (10**6, 10**6 - 5000, 10**7, 0.06)]:
        a, b, d = (rw + 0.5) / (n + 2), (wr + 0.5) / (n + 2), (rw - wr) / n
        se = math.sqrt((a + b - (a - b) ** 2) / (n + 2))
        expected = float(ndtr(d / se * tau / math.sqrt(tau**2 + se**2)))
        found = superiority(rw, wr, n).with_prior_scale(tau)
        assert found.p_better == pytest.approx(expected, abs=1e-14)
        assert found.interval.method == "prior_scale"
        assert (0 not in found.interval) == (max(found.p_better, 1 - found.p_better) > 0.975)
    flat, wide = superiority(30, 10, 200), superiority(30, 10, 200).with_prior_scale(1e6)
    assert wide.p_better == pytest.approx(flat.p_better, abs=2e-3)
    assert abs(superiority(30, 10, 200).with_prior_scale(1e-6).p_better - 0.5) < 1e-3


@given(COUNTS, st.floats(0, 0.2))
def test_margins_and_the_gate_read_the_same_interval(cells, margin):
    rw, wr, rest = cells
    found = superiority(rw, wr, rw + wr + rest)
    low, high = found.interval.low, found.interval.high
    outcome = gate_outcome(low, high, margin)
    assert found.non_inferiority(margin).holds == (outcome in {"improved", "not_worse"})
    assert found.equivalence(margin).holds == (-margin <= low and high <= margin)
    assert found.non_inferiority(margin).probability == pytest.approx(float(difference.tail(-margin, rw, wr, found.n)))
    # The shown claims have the probability that the level promises, but for an end extended to the estimate.
    if found.non_inferiority(margin).holds and low < found.estimate:
        assert found.non_inferiority(margin).probability >= 0.975 - 1e-9


# What identical models, empty discordance and single instances do elsewhere: infinities, NaN, p = 0, tracebacks.
@pytest.mark.parametrize("cells", [(0, 0, 1), (0, 0, 90), (5, 5, 10), (7, 7, 100), (10**9, 10**9, 2 * 10**9)])
def test_nothing_speaks_for_either_of_two_equal_models(cells):
    found = superiority(*cells)
    assert (found.estimate, found.p_better, found.p_worse, found.p_value) == (0, 0.5, 0.5, 1)
    assert found.interval.low == -found.interval.high < 0
    assert found.more_needed() is None
    assert found.with_prior_scale(0.03).p_better == 0.5
    assert found.mcnemar.exact == found.mcnemar.mid_p == found.mcnemar.asymptotic == found.mcnemar.corrected == 1


@pytest.mark.parametrize("cells", [
    (0, 0, 1), (1, 0, 1), (0, 1, 1), (40, 0, 40), (0, 40, 40), (0, 0, 10**9), (10**9, 0, 10**9), (10**9, 5, 10**9 + 7),
])  # fmt: skip
def test_every_number_of_an_extreme_table_is_a_number(cells):
    found = superiority(*cells)
    rope, scaled = found.rope(0.01), found.with_prior_scale(0.03)
    numbers = [
        found.estimate, found.p_better, found.p_worse, found.p_value, found.interval.low, found.interval.high,
        found.log_p_better, found.log_p_worse, rope.p_better, rope.p_equivalent, rope.p_worse, scaled.p_better,
        scaled.interval.low, scaled.interval.high, found.non_inferiority(0.01).probability,
        found.equivalence(0.01).probability,
    ]  # fmt: skip
    for method in ("tango", "bonett_price", "wald"):
        interval = found.interval_by(method)
        numbers += [interval.low, interval.high]
        assert -1 <= interval.low <= interval.high <= 1
    assert all(math.isfinite(number) for number in numbers)
    assert found.interval.low <= found.estimate <= found.interval.high


def test_the_interval_is_extended_to_an_extreme_estimate():
    found = superiority(40, 0, 40)
    assert found.interval.high == 1
    assert naive.brackets(0.025, found.interval.low, 40, 0, 40)
    assert float(difference.quantile(0.975, 40, 0, 40)) == pytest.approx(0.981, abs=5e-4)


def test_a_billion_discordant_instances_are_answered_by_the_same_function():
    found = superiority(10**9 // 2 + 33_000, 10**9 // 2 - 33_000, 10**9)
    z = 66_000 / math.sqrt(10**9)
    assert found.p_value == pytest.approx(math.erfc(z / math.sqrt(2)), rel=1e-3)
    assert 0 not in found.interval
    assert found.interval.width == pytest.approx(2 * 1.959964 / math.sqrt(10**9), rel=1e-4)


def test_another_prior_has_no_p_value_and_says_why():
    found = superiority(9, 4, 50, prior=0.5)
    assert math.isnan(found.p_value)
    assert found.undefined == {"p_value": "the p-value belongs to the flat prior, and the prior is 0.5"}
    assert superiority(9, 4, 50).undefined == {}
    assert superiority(40, 2, 100, prior=0.5).more_needed() == 0
    assert superiority(9, 4, 50, prior=0.5).more_needed() > 0


@pytest.mark.parametrize(("arguments", "words"), [
    (((-1, 0, 3)), "right_wrong is -1: it must be an integer ≥ 0"),
    (((1.5, 0, 3)), "right_wrong is 1.5: it must be an integer ≥ 0"),
    (((0, math.nan, 3)), "wrong_right is nan"),
    (((0, math.inf, 3)), "wrong_right is inf"),
    ((("3", 0, 3)), "right_wrong is '3'"),
    (((True, 0, 3)), "right_wrong is True"),
    (((0, 0, None)), "n is None"),
    (((5, 5, 9)), "n is 9 but right_wrong + wrong_right is 10: n counts all instances, these among them"),
])  # fmt: skip
def test_counts_that_are_none_are_refused(arguments, words):
    with pytest.raises(TiebreakError, match=r"^[^\n]+$") as caught:
        superiority(*arguments)
    assert words in str(caught.value)


def test_no_instance_is_no_comparison():
    with pytest.raises(EmptyComparison, match="n is 0: a comparison needs at least one instance"):
        superiority(0, 0, 0)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, math.nan, "0.95", True, None])
def test_a_level_outside_the_open_interval_is_refused(level):
    with pytest.raises(TiebreakError, match=r"level is .*: it must lie strictly between 0 and 1"):
        superiority(3, 2, 9, level=level)


@pytest.mark.parametrize("prior", [0, -1, math.nan, math.inf, "1", None, True])
def test_a_prior_that_is_none_is_refused(prior):
    with pytest.raises(TiebreakError, match=r"prior is .*: it must be a number above 0"):
        superiority(3, 2, 9, prior=prior)


@pytest.mark.parametrize("margin", [-0.1, 1.5, math.nan, "0.01", None])
def test_margins_are_refused_before_anything_is_computed(margin):
    found = superiority(3, 2, 9)
    for ask, name in ((found.non_inferiority, "margin"), (found.equivalence, "margin"), (found.rope, "rope")):
        with pytest.raises(TiebreakError, match=f"{name} is .*: it must be a number from 0 to 1"):
            ask(margin)


@pytest.mark.parametrize("tau", [0, -1, math.nan, math.inf, "0.03", None])
def test_a_prior_scale_that_is_none_is_refused(tau):
    with pytest.raises(TiebreakError, match=r"tau is .*: it must be a number above 0"):
        superiority(3, 2, 9).with_prior_scale(tau)


def test_an_unknown_interval_is_refused_with_those_that_exist():
    with pytest.raises(TiebreakError, match="method is 'newcombe': it must be one of tango, bonett_price, wald"):
        superiority(3, 2, 9).interval_by("newcombe")


def test_whole_floats_and_numpy_integers_are_counts():
    assert superiority(np.int64(9), 4.0, np.int32(50)) == superiority(9, 4, 50)
    assert tb.superiority is superiority


def test_the_interval_covers_as_it_says(calibration_truths):
    """Coverage in the simulation of the calibration study, 20,000 truths in all at each correlation and size."""
    for (n, correlation), (theta, cells) in calibration_truths.items():
        _, rw, wr, _ = cells.T
        true, d = theta[:, 1] - theta[:, 2], (rw - wr) / n
        above = difference.tail(true, rw, wr, np.full(len(rw), n))
        # The interval reaches from quantile to quantile, and to the estimate where that lies outside.
        covered = ((above >= 0.025) | (true <= d)) & ((above <= 0.975) | (true >= d))
        assert 0.93 < covered.mean() < 0.985, (n, correlation, covered.mean())


def test_the_record_is_frozen_and_equal_by_value():
    found = superiority(9, 4, 50)
    with pytest.raises(AttributeError):
        found.n = 3
    assert found == superiority(9, 4, 50)
    assert found.difference == found.estimate
    assert found.difference.interval == found.interval
