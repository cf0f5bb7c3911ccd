"""The gate's rule: four outcomes, in the order of the words that define them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiebreak.inference import OUTCOMES, gate_outcome

SHARES = st.floats(-1, 1)


@pytest.mark.parametrize(("low", "high", "margin", "outcome"), [
    (0.001, 0.02, 0.01, "improved"), (0.0, 0.02, 0.01, "not_worse"), (-0.01, 0.02, 0.01, "not_worse"),
    (-0.01, -0.002, 0.01, "not_worse"), (-0.0100001, 0.02, 0.01, "not_enough_evidence"),
    (-0.05, -0.01, 0.01, "not_enough_evidence"), (-0.05, -0.0100001, 0.01, "worse"), (-1, 1, 0, "not_enough_evidence"),
    (-1, 1, 1, "not_worse"), (0.0, 0.0, 0.0, "not_worse"), (-0.2, -0.1, 0.0, "worse"),
])  # fmt: skip
def test_the_four_outcomes_and_their_borders(low, high, margin, outcome):
    assert gate_outcome(low, high, margin) == outcome


@given(SHARES, SHARES, st.floats(0, 1), st.floats(0, 1))
def test_a_wider_margin_is_never_stricter(one, two, margin, wider):
    low, high = sorted((one, two))
    margin, wider = sorted((margin, wider))
    order = {"worse": 0, "not_enough_evidence": 1, "not_worse": 2, "improved": 3}
    assert set(order) == set(OUTCOMES)
    assert order[gate_outcome(low, high, margin)] <= order[gate_outcome(low, high, wider)]


@given(SHARES, SHARES, st.floats(0, 1))
def test_a_better_interval_is_never_worse(one, two, margin):
    low, high = sorted((one, two))
    order = ("worse", "not_enough_evidence", "not_worse", "improved")
    places = [order.index(gate_outcome(low + step, high + step, margin)) for step in (0, 0.01, 0.1, 0.5)]
    assert places == sorted(places)


def test_nothing_known_is_not_enough_evidence():
    nan = float("nan")
    assert gate_outcome(nan, nan, 0.01) == "not_enough_evidence"
