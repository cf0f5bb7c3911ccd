"""The beta law where parameters are enormous, against SciPy where that has digits and against asymptotics beyond."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc
from scipy.stats import beta

from tiebreak.inference.beta import density, log_density, log_lower_half


@given(st.floats(0.05, 1e4), st.floats(0.05, 1e4), st.floats(0.001, 0.999))
def test_densities_are_those_of_scipy(a, b, x):
    found = float(log_density(np.array(x), np.array(a), np.array(b)))
    assert found == pytest.approx(float(beta.logpdf(x, a, b)), rel=1e-9, abs=1e-8)


def test_the_density_far_below_the_mean_keeps_its_power():
    """Parameters below 1 pile up at 0, where x − m is m to all digits."""
    x = np.array([1e-3, 1e-12, 1e-40, 1e-200])
    np.testing.assert_allclose(density(x, np.array(0.1), np.array(3.0)), beta.pdf(x, 0.1, 3.0), rtol=1e-12)
    assert density(np.array([-0.1, 1.1, 0.0]), np.array(0.1), np.array(3.0)).tolist() == [0, 0, 0]
    assert density(np.array([0.0, 1.0]), np.array(1.0), np.array(1.0)).tolist() == pytest.approx([1, 1])


def test_the_density_of_a_quadrillion_is_the_normal_one():
    for size in (1e9, 1e12, 1e15):
        sd = 0.5 / math.sqrt(2 * size + 1)
        for z in (0.0, 1.0, -2.5):
            found = float(density(np.array(0.5 + z * sd), np.array(size), np.array(size)))
            assert found * sd == pytest.approx(math.exp(-z * z / 2) / math.sqrt(2 * math.pi), rel=1e-6)


@given(st.floats(1, 3000), st.floats(0.1, 1))
def test_tails_are_those_of_scipy(a, share):
    b = a * share * 0.999
    known = float(betainc(a, b, 0.5))
    if known > 1e-290:
        assert float(log_lower_half(np.array(a), np.array(b))) == pytest.approx(math.log(known), rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("size", [1e9, 1e12, 1e15])
def test_tails_that_no_float_holds_follow_the_normal_law(size):
    z = 40.0
    half = z * math.sqrt(size) / 2
    found = float(log_lower_half(np.array(size / 2 + half), np.array(size / 2 - half)))
    expected = -z * z / 2 - math.log(z * math.sqrt(2 * math.pi)) + math.log(1 - 1 / z**2 + 3 / z**4)
    assert found == pytest.approx(expected, abs=3 * z**4 / size + z / math.sqrt(size) * z + 1e-5)
