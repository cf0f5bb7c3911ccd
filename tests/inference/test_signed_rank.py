"""The signed-rank test against all signs gone through, SciPy, and the cases in which others give NaN."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from tiebreak.errors import EmptyComparison, NotDefined, TiebreakError
from tiebreak.inference import signed_rank, signed_rank_of
from tiebreak.tables import Losses

SMALL = st.lists(st.integers(-4, 4), min_size=1, max_size=10)


@given(SMALL, st.sampled_from(["wilcoxon", "pratt"]))
def test_exact_with_ties_and_zeros(differences, zeros):
    found = signed_rank(differences, zeros=zeros)
    assert found.method == "exact"
    assert found.p_value == pytest.approx(naive.signed_rank_p(differences, zeros), abs=1e-12)
    assert (found.n, found.zeros) == (len(differences) - differences.count(0), differences.count(0))


@given(SMALL)
def test_swapping_mirrors(differences):
    one, two = signed_rank(differences), signed_rank([-d for d in differences])
    assert one.p_value == pytest.approx(two.p_value, abs=1e-12)
    assert one.statistic + two.statistic == one.n * (one.n + 1) / 2


def test_scipy_agrees_where_it_is_defined():
    from scipy.stats import wilcoxon

    rng = np.random.default_rng(0)
    few = rng.standard_normal(20) + 0.3
    assert signed_rank(few).p_value == pytest.approx(wilcoxon(few, method="exact").pvalue)
    many = np.round(rng.standard_normal(500) + 0.1, 1)
    for zeros, name in (("wilcoxon", "wilcox"), ("pratt", "pratt")):
        expected = wilcoxon(many, zero_method=name, correction=False, method="asymptotic").pvalue
        found = signed_rank(many, zeros=zeros)
        assert found.method == "normal"
        assert found.p_value == pytest.approx(expected, rel=1e-6)


def test_the_normal_law_meets_the_exact_one():
    differences = np.random.default_rng(1).standard_normal(200) + 0.15
    exact = signed_rank(differences)
    longer = signed_rank(np.r_[differences, 1e-9])
    assert (exact.method, longer.method) == ("exact", "normal")
    assert exact.p_value == pytest.approx(longer.p_value, rel=0.05)


def test_identical_models_have_a_p_value_of_one():
    same = Losses(("a", "b"), np.array([[0.1, 0.1], [-0.2, 0.2], [1.0, -1.0]]), kind="residuals")
    found = signed_rank_of(same, "a", "b")
    assert (found.p_value, found.greater, found.n, found.zeros) == (1.0, 1.0, 0, 3)
    nearly = Losses(("a", "b"), np.array([[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2]]), kind="losses")
    assert signed_rank_of(nearly, "a", "b").n == 0


def test_greater_means_that_the_primary_is_better():
    rng = np.random.default_rng(2)
    errors = np.column_stack([rng.standard_normal(40) / 4, rng.standard_normal(40)])
    assert signed_rank_of(Losses(("a", "b"), errors, kind="residuals"), "a", "b").greater < 0.01
    assert signed_rank_of(Losses(("a", "b"), np.abs(errors), kind="scores"), "a", "b").greater > 0.99


def test_counts_repeat_and_squares_rank_alike():
    values, counts = np.array([[1.0, 2.0], [3.0, 1.0], [0.0, 0.5]]), np.array([3, 2, 4])
    tallied = Losses(("a", "b"), values, counts=counts, kind="losses")
    repeated = Losses(("a", "b"), np.repeat(values, counts, axis=0), kind="losses")
    assert signed_rank_of(tallied, "a", "b") == signed_rank_of(repeated, "a", "b")


def test_what_it_is_not_defined_for():
    values = np.ones((4, 2))
    for facts, message in (
        ({"groups": np.arange(4) % 2, "names": (0, 1)}, "these instances are grouped"),
        ({"weights": np.ones(4)}, "these instances are weighted"),
    ):
        with pytest.raises(NotDefined, match=message):
            signed_rank_of(Losses(("a", "b"), values, kind="losses", **facts), "a", "b")
    with pytest.raises(NotDefined, match="1 difference of 2 have no finite value"):
        signed_rank([1.0, np.nan])
    with pytest.raises(EmptyComparison):
        signed_rank([])
    with pytest.raises(TiebreakError, match="zeros is 'split'"):
        signed_rank([1.0], zeros="split")
    with pytest.raises(TiebreakError, match="no number"):
        signed_rank(["a"])
