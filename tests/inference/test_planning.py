"""Planning: published check, inverse functions, the power that simulation finds, and how many more a tie needs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiebreak.errors import TiebreakError
from tiebreak.inference import more_needed, plan, superiority
from tiebreak.inference.planning import needed_instances, power_of
from tiebreak.inference.posterior import mid_p


def test_the_published_check():
    found = plan(disagreement=0.15, difference=0.05)
    assert (found.n, found.power, found.level) == (469, 0.8, 0.95)


def test_the_planned_power_is_what_the_mid_p_test_has():
    """469 instances find a difference of .05 with probability .809, by simulation."""
    cells = np.random.default_rng(0).multinomial(469, [0.1, 0.05, 0.85], 200_000)
    found = (mid_p(cells[:, 0], cells[:, 1]) < 0.05).mean()
    assert found == pytest.approx(0.809, abs=0.004)


@given(st.floats(0.02, 1), st.floats(0.05, 0.99), st.floats(0.5, 0.99), st.floats(0.8, 0.999))
def test_instances_power_and_difference_invert_each_other(disagreement, share, power, level):
    difference = disagreement * share
    needed = float(needed_instances(difference, disagreement, level, power))
    assert float(power_of(needed, difference, disagreement, level)) == pytest.approx(power, abs=1e-9)
    found = plan(disagreement=disagreement, difference=difference, power=power, level=level)
    assert found.n == math.ceil(needed)
    again = plan(disagreement=disagreement, n=found.n, power=power, level=level)
    assert again.difference <= difference * (1 + 1e-9)
    assert float(needed_instances(again.difference, disagreement, level, power)) == pytest.approx(found.n, rel=1e-6)
    assert plan(disagreement=disagreement, difference=difference, n=found.n, level=level).power >= power - 1e-9


def test_more_of_anything_helps():
    n = [plan(disagreement=0.2, difference=d).n for d in (0.01, 0.02, 0.05, 0.1)]
    assert n == sorted(n, reverse=True)
    assert plan(disagreement=0.2, difference=0.05, power=0.9).n > plan(disagreement=0.2, difference=0.05).n
    assert plan(disagreement=0.3, difference=0.05).n > plan(disagreement=0.2, difference=0.05).n
    assert plan(disagreement=0.2, difference=0.05, level=0.99).n > plan(disagreement=0.2, difference=0.05).n


def test_the_direction_does_not_matter():
    assert plan(disagreement=0.15, difference=-0.05).n == 469
    assert (
        plan(disagreement=0.15, difference=-0.05, n=469).power == plan(disagreement=0.15, difference=0.05, n=469).power
    )


def test_where_every_disagreement_goes_one_way():
    found = plan(disagreement=0.15, difference=0.15)
    assert found.n == math.ceil(float(needed_instances(0.15, 0.15, 0.95, 0.8)))
    assert plan(disagreement=1.0, difference=1.0, n=3).power == 0
    assert plan(disagreement=1.0, difference=1.0, n=4).power == 1


@pytest.mark.parametrize(("arguments", "words"), [
    ({}, "plan takes two of difference, n and power, and finds the third"),
    ({"difference": 0.05, "n": 100, "power": 0.8}, "leave exactly one out"),
    ({"difference": 0.2}, "difference is 0.2: it must be above 0 and at most 0.15"),
    ({"difference": 0}, "difference is 0: it must be above 0"),
    ({"difference": "0.05"}, "difference is '0.05'"),
    ({"n": 0, "difference": 0.05}, "n is 0: a plan needs at least one instance"),
    ({"n": 3.5, "difference": 0.05}, "n is 3.5: it must be an integer"),
    ({"n": -3}, "n is -3: it must be an integer"),
    ({"n": 3}, "even if every disagreement went one way, 3 instances would not show it"),
    ({"n": 100, "power": 1}, "power is 1: it must lie strictly between 0 and 1"),
    ({"n": 100, "level": math.nan}, "level is nan: it must lie strictly between 0 and 1"),
])  # fmt: skip
def test_impossible_plans_are_refused(arguments, words):
    with pytest.raises(TiebreakError) as caught:
        plan(disagreement=0.15, **arguments)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("disagreement", [0, -0.1, 1.5, math.nan, "0.15", None])
def test_a_disagreement_that_is_no_share_is_refused(disagreement):
    with pytest.raises(TiebreakError, match="disagreement is"):
        plan(disagreement=disagreement, n=100)


def test_more_needed_is_the_plan_for_the_observed_effect():
    found = superiority(9, 4, 50)
    assert found.more_needed() == plan(disagreement=13 / 50, difference=5 / 50).n - 50 == 152
    assert found.more_needed(0.9) > found.more_needed()
    assert superiority(30, 10, 200).more_needed() == 0
    assert superiority(5, 5, 50).more_needed() is None
    with pytest.raises(TiebreakError, match="power is 1"):
        found.more_needed(1)


def test_what_is_not_settled_needs_at_least_one_more():
    for n in range(1, 30):
        for rw in range(n + 1):
            found = superiority(rw, 0, n)
            needed = found.more_needed()
            if rw == 0:
                assert needed is None
            else:
                assert (needed == 0) == (found.p_value < 0.05)


def test_more_needed_for_many_pairs_at_once():
    found = more_needed(np.array([0.1, 0.0, -0.1]), np.array([0.0707, 0.01, 0.0707]), 50, 0.95)
    assert found.tolist() == [152, math.inf, 152]


def test_settling_takes_about_what_was_promised():
    """Half again as many instances as promised settle most ties of which the observed effect was the true one."""
    rng = np.random.default_rng(0)
    more = superiority(9, 4, 50).more_needed()
    later = rng.multinomial(50 + more, [0.18, 0.08, 0.74], 20_000)
    assert (mid_p(later[:, 0], later[:, 1]) < 0.05).mean() == pytest.approx(0.8, abs=0.02)
