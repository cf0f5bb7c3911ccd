"""The five measures: exact identities, ranges, moves and limits, over every small table (catalogue C1 to C8)."""

import functools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from tiebreak.errors import EmptyComparison
from tiebreak.inference import mcnemar
from tiebreak.measures import (
    MEASURES,
    balanced_cells,
    comparative_rightness,
    disagreement,
    double_fault,
    effective_rightness,
    phi,
    prayatul_measures,
    recovered_cells,
    yule_q,
)
from tiebreak.tables import pair_cells
from tiebreak.tables.bits import joint_right, pack

TABLES = list(naive.all_tables(14))
COUNTS = st.integers(0, 10**12)
# What floating point may add to a difference of two measures of small tables.
DUST = 1e-15


def test_values_equal_exact_fractions_over_every_small_table():
    cells = np.array(TABLES)
    for place, measure in enumerate(MEASURES.values()):
        exact = [naive.measures(*table)[place] for table in TABLES]
        expected = [np.nan if value is None else float(value) for value in exact]
        np.testing.assert_array_equal(measure(cells), expected)


def test_the_exhaustive_check_covers_as_many_tables_as_the_catalogue():
    assert len(TABLES) == 3059


def test_ranges_are_right_and_every_end_is_attained():
    values = {name: measure(np.array(TABLES)) for name, measure in MEASURES.items()}
    for name, found in values.items():
        assert np.nanmin(found) == (0 if name == "comparative_rightness" else -1)
        assert np.nanmax(found) == 1


def measured(*cells):
    return [float(measure(cells)) for measure in MEASURES.values()]


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_values_are_the_exact_fractions_for_counts_of_any_size(br, rw, wr, bw):
    """Within one unit of the last digit, up to 10¹² instances a cell."""
    if br + rw + wr + bw == 0:
        return
    for found, exact in zip(measured(br, rw, wr, bw), naive.measures(br, rw, wr, bw), strict=True):
        assert math.isnan(found) if exact is None else found == pytest.approx(float(exact), rel=1e-15, abs=1e-300)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_identities_between_the_measures(br, rw, wr, bw):
    """Identities (1) to (7), (10) and (11), of what the package computes."""
    n, decided = br + rw + wr + bw, br + rw + wr
    if not decided:
        return
    s, a, c, e, f = measured(br, rw, wr, bw)
    s2, a2, c2, e2, f2 = measured(br, wr, rw, bw)
    accuracy, other = (br + rw) / n, (br + wr) / n
    close = functools.partial(pytest.approx, rel=1e-12, abs=1e-12)
    assert s == -s2
    assert e == close(2 * c - 1)
    assert f == close(e * (1 - bw / n)) == close(accuracy - wr / n)
    assert a == close(accuracy - bw / n)
    assert a + f == close(3 * accuracy - 1)
    assert s * (rw + wr) / n == close(accuracy - other)
    assert a - a2 == close(accuracy - other)
    assert f - f2 == close(2 * (accuracy - other))
    assert a + a2 == close(accuracy + other - 2 * bw / n)
    assert f + f2 == close(2 * br / n)
    assert c + c2 == close(1 + br / decided)
    assert e + e2 == close(2 * br / decided)
    if rw + wr:
        assert mcnemar(rw, wr).statistic == close(s * s * (rw + wr))
    assert measured(3 * br, 3 * rw, 3 * wr, 3 * bw) == close([s, a, c, e, f])


@given(st.integers(1, 80), st.integers(0, 2**32))
def test_leads_add_up_over_three_models_so_their_order_is_transitive(size, seed):
    """Identity (9): (RW − WR)(P, Q) + (RW − WR)(Q, S) = (RW − WR)(P, S)."""
    right = np.random.default_rng(seed).random((3, size)) < 0.6
    cells = pair_cells(joint_right(pack(right), np.ones(size, dtype=np.int64)), size)
    lead = cells[..., 1] - cells[..., 2]
    assert lead[0, 1] + lead[1, 2] == lead[0, 2]
    assert (lead == -lead.T).all()


def test_counts_come_back_from_the_measures_unless_the_primary_is_never_wrong_alone():
    for table in TABLES:
        s, a, _, _, f = measured(*table)
        n, found = sum(table), recovered_cells(a, f, s)
        if table[2]:
            np.testing.assert_allclose(found * n, table, atol=1e-9)
        else:
            assert np.isnan(found[:2]).all()
            np.testing.assert_allclose(found[2:] * n, table[2:], atol=1e-9)


# Each move: which cell loses one, which gains one, and per measure what may happen: it never falls (up), never changes
# (const), or always falls (down).
MOVES = {
    "primary repaired, alternative right": (2, 0, ("up", "up", "up", "up", "up")),
    "primary repaired, alternative wrong": (3, 1, ("up", "up", "up", "up", "up")),
    "alternative breaks, primary right": (0, 1, ("up", "const", "const", "const", "const")),
    "alternative breaks, primary wrong": (2, 3, ("up", "down", "up", "up", "up")),
    "add both right": (None, 0, ("const", "up", "up", "up", "up")),
    "add right/wrong": (None, 1, ("up", "up", "up", "up", "up")),
}


@pytest.mark.parametrize("move", MOVES)
def test_moves_change_the_measures_as_the_corrected_theorem_says(move):
    lost, gained, expected = MOVES[move]
    for table in TABLES:
        if lost is not None and not table[lost]:
            continue
        after = list(table)
        after[gained] += 1
        if lost is not None:
            after[lost] -= 1
        for before_value, after_value, what in zip(measured(*table), measured(*after), expected, strict=True):
            if math.isnan(before_value) or math.isnan(after_value):
                continue
            step = after_value - before_value
            assert {"up": step >= -DUST, "const": abs(step) <= DUST, "down": step < -DUST}[what]


def test_exact_steps_of_the_moves():
    """One repaired answer is worth 1/N or 2/N, and polarization loses 1/N when the alternative breaks as well."""
    for table in TABLES:
        n = sum(table)
        _, a, _, _, f = measured(*table)
        br, rw, wr, bw = table
        if wr:
            _, a2, _, _, f2 = measured(br + 1, rw, wr - 1, bw)
            assert (a2 - a, f2 - f) == pytest.approx((1 / n, 2 / n))
            _, a2, _, _, f2 = measured(br, rw, wr - 1, bw + 1)
            assert (a2 - a, f2 - f) == pytest.approx((-1 / n, 1 / n))
        if bw:
            _, a2, _, _, f2 = measured(br, rw + 1, wr, bw - 1)
            assert (a2 - a, f2 - f) == pytest.approx((2 / n, 1 / n))


def test_removing_an_instance_lowers_two_measures_exactly_where_it_should():
    for br, rw, wr, bw in TABLES:
        n = br + rw + wr + bw
        if wr and n > 1:
            a, a2 = measured(br, rw, wr, bw)[1], measured(br, rw, wr - 1, bw)[1]
            assert (a2 < a - DUST) == (br + rw < bw)
        if bw and n > 1:
            f, f2 = measured(br, rw, wr, bw)[4], measured(br, rw, wr, bw - 1)[4]
            assert (f2 < f - DUST) == (br + rw < wr)


def test_one_added_instance_moves_the_measures_by_no_more_than_the_bounds():
    for table in TABLES:
        n, decided, discordant = sum(table), sum(table[:3]), table[1] + table[2]
        before = measured(*table)
        bounds = (
            Fraction(2, discordant + 1) if discordant else Fraction(1),
            Fraction(2, n + 1),
            Fraction(1, decided + 1),
            Fraction(2, decided + 1),
            Fraction(2, n + 1),
        )
        for cell in range(4):
            after = list(table)
            after[cell] += 1
            for one, other, bound in zip(before, measured(*after), bounds, strict=True):
                if not math.isnan(one) and not math.isnan(other):
                    assert abs(other - one) <= bound + DUST


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ((10, 0, 0, 0), (0, 1, 1, 1, 1)),
        ((0, 0, 0, 10), (0, -1, np.nan, np.nan, 0)),
        ((0, 0, 10, 0), (-1, 0, 0, -1, -1)),
        ((0, 10, 0, 0), (1, 1, 1, 1, 1)),
        ((2, 1, 2, 0), (-1 / 3, 3 / 5, 3 / 5, 1 / 5, 1 / 5)),
        ((90, 0, 5, 5), (-1, 0.85, 90 / 95, 85 / 95, 0.85)),
    ],
)
def test_worked_examples(cells, expected):
    found = prayatul_measures(cells)
    np.testing.assert_allclose([getattr(found, name) for name in MEASURES], expected)


def test_the_original_demonstration_data():
    """8, 7, 3, 2 of the first published implementation's own example, in both directions."""
    np.testing.assert_allclose(
        [[float(m(c)) for m in MEASURES.values()] for c in ([8, 7, 3, 2], [8, 3, 7, 2])],
        [[0.4, 0.65, 0.833333, 0.666667, 0.6], [-0.4, 0.45, 0.611111, 0.222222, 0.2]],
        atol=5e-7,
    )


def test_undefined_measures_are_nan_with_the_reason_and_a_number_on_request():
    assert set(prayatul_measures([0, 0, 0, 3]).undefined) == {"comparative_rightness", "effective_rightness"}
    assert comparative_rightness([0, 0, 0, 3], zero_division=0.5) == 0.5
    assert effective_rightness([0, 0, 0, 3], zero_division=0.0) == 0.0
    with pytest.raises(EmptyComparison, match="without instances"):
        prayatul_measures([0, 0, 0, 0])


def test_a_stack_of_tables_is_measured_at_once():
    stack = np.arange(1, 25).reshape(2, 3, 4)
    for measure in MEASURES.values():
        assert measure(stack).shape == (2, 3)
        assert measure(stack)[1, 2] == measure(stack[1, 2])


def test_prevalence_moves_the_measures_but_not_the_balanced_ones():
    """Two classes mixed 1:1, 9:1 and 1:9 turn the sign of the comparative deviation; balanced, nothing moves."""
    one, two = np.array([80, 10, 5, 5]), np.array([20, 5, 25, 50])
    plain = [prayatul_measures(i * one + j * two).comparative_deviation for i, j in ((1, 1), (9, 1), (1, 9))]
    assert np.round(plain, 2).tolist() == [-0.33, 0.15, -0.61]
    balanced = {tuple(balanced_cells([i * one, j * two]).round(12)) for i, j in ((1, 1), (9, 1), (1, 9))}
    assert len(balanced) == 1


def test_stacks_of_classes_and_of_measures_are_computed_at_once():
    tables = np.arange(1, 41).reshape(2, 5, 4)
    assert balanced_cells(tables).shape == (2, 4)
    np.testing.assert_allclose(balanced_cells(tables)[1], balanced_cells(tables[1]))
    values = [MEASURES[name](tables) for name in ("polarization", "effective_superiority", "comparative_deviation")]
    np.testing.assert_allclose(recovered_cells(*values) * tables.sum(axis=-1, keepdims=True), tables)


def test_a_class_without_instances_is_left_out_of_the_balance():
    assert balanced_cells([[1, 1, 1, 1], [0, 0, 0, 0]]).tolist() == [0.25] * 4
    with pytest.raises(EmptyComparison):
        balanced_cells([[0, 0, 0, 0]])


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_diversity_statistics(br, rw, wr, bw):
    if br + rw + wr + bw == 0:
        return
    cells, n = [br, rw, wr, bw], br + rw + wr + bw
    assert disagreement(cells) == (rw + wr) / n
    assert double_fault(cells) == bw / n
    for statistic in (disagreement, double_fault, yule_q, phi):
        np.testing.assert_array_equal(statistic(cells), statistic([br, wr, rw, bw]))
    right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], cells, axis=0)
    if right[:, 0].std() and right[:, 1].std():
        assert phi(cells) == pytest.approx(np.corrcoef(right.T)[0, 1], abs=1e-12)
    else:
        assert np.isnan(phi(cells))
