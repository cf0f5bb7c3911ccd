"""Performance profiles against their definition, the paper's example, closed forms and the laws of the specification."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from tiebreak.errors import ColumnNotFound, EmptyComparison, NotDefined, TiebreakError
from tiebreak.inference import superiority
from tiebreak.profiles import flips, performance_profile, steps, within_factor
from tiebreak.tables import BINS, LOG_STEP, Losses, grid, loss_sums

INF = math.inf
NUMBERS = st.one_of(
    st.sampled_from([0.0, 1.0, 2.0, 3.0, 0.5, 1e-12, 1e12, math.nan, INF]),
    st.integers(0, 40).map(lambda k: k / 7),
    st.floats(1e-3, 1e3),
)
TAUS = [1.0, 1.2, 1.5, 2.0, 3.0, 10.0, 1e6]


MODELS = st.integers(1, 4)


def tables(models=MODELS, numbers=NUMBERS):
    return models.flatmap(lambda m: st.lists(st.lists(numbers, min_size=m, max_size=m), min_size=1, max_size=25))


@given(tables(), st.sampled_from([0.0, 0.5]))
def test_the_profile_is_its_definition(rows, floor):
    found = performance_profile(rows, floor=floor)
    for tau in [*TAUS, INF]:
        assert list(found.at(tau).values()) == pytest.approx(naive.profile(rows, tau, floor=floor), abs=1e-12)
    table = [naive.ratios(row, floor) for row in rows]
    best = [min((max(v, floor) for v in row if math.isfinite(v)), default=None) for row in rows]
    assert found.ties_for_best == sum(row.count(1.0) > 1 for row in table)
    assert found.best_is_zero == best.count(0.0)
    assert found.all_failed == best.count(None)
    assert list(found.solved.values()) == pytest.approx(np.isfinite(rows).mean(axis=0).tolist())
    for m, worst in enumerate(found.never_more_than.values()):
        assert worst == pytest.approx(max(row[m] for row in table), rel=1e-11)
    for m, area in enumerate(found.area(10).values()):
        logs = [max(0.0, math.log(10) - math.log(row[m])) if row[m] < INF else 0.0 for row in table]
        assert area == pytest.approx(sum(logs) / len(rows) / math.log(10), abs=1e-9)


@given(tables(numbers=st.sampled_from([0.0, 0.25, 0.5, 1.0, math.nan])), st.sampled_from([1.0, 2.0, 4.0, INF]))
def test_scores_are_held_against_the_best_score(rows, tau):
    losses = Losses(tuple(f"m{k}" for k in range(len(rows[0]))), np.array(rows), kind="scores")
    expected = naive.profile(rows, tau, scores=True)
    assert list(performance_profile(losses).at(tau).values()) == pytest.approx(expected)


@given(tables(), st.data())
def test_weights_and_counts_are_shares_of_their_sum(rows, data):
    weights = data.draw(st.lists(st.integers(1, 5), min_size=len(rows), max_size=len(rows)))
    names = tuple(f"m{k}" for k in range(len(rows[0])))
    values = np.array(rows)
    one = performance_profile(Losses(names, values, weights=np.array(weights, dtype=float), kind="losses"))
    two = performance_profile(Losses(names, values, counts=np.array(weights), kind="losses"))
    three = performance_profile(np.repeat(values, weights, axis=0), names=names)
    for tau in TAUS:
        expected = naive.profile(rows, tau, weights)
        for found in (one, two, three):
            assert list(found.at(tau).values()) == pytest.approx(expected)
    assert (two.n, two.ties_for_best, two.best_is_zero) == (three.n, three.ties_for_best, three.best_is_zero)
    for share in (0.3, 0.5, 1.0):
        assert list(one.quantile(share).values()) == pytest.approx(list(three.quantile(share).values()), rel=1e-11)
    assert list(one.area().values()) == pytest.approx(list(three.area().values()))


@given(tables(), st.data())
def test_laws_of_ratios(rows, data):
    """C26 and C27: a best on every instance with a number, a curve that rises within [0, 1], scale-free rows."""
    found = performance_profile(rows)
    curve = np.array(list(found.curve([*TAUS, INF]).values()))
    assert (curve >= 0).all()
    assert (curve <= 1).all()
    assert (np.diff(curve, axis=1) >= 0).all()
    assert sum(found.wins.values()) * len(rows) >= len(rows) - found.all_failed - 1e-9
    solved = np.array(list(found.solved.values()))
    assert (curve[:, -1] <= solved + 1e-12).all()
    if not found.best_is_zero:
        np.testing.assert_allclose(curve[:, -1], solved)
    scales = data.draw(st.lists(st.sampled_from([0.25, 2.0, 1024.0]), min_size=len(rows), max_size=len(rows)))
    scaled = performance_profile([[v * c for v in row] for row, c in zip(rows, scales, strict=True)])
    assert scaled.curve(TAUS) == found.curve(TAUS)


def test_blocks_leave_no_seam(monkeypatch):
    rng = np.random.default_rng(3)
    values = rng.integers(0, 6, (500, 3)).astype(float)
    values[rng.random((500, 3)) < 0.05] = np.nan
    plain = rng.exponential(size=(500, 3))
    whole = [performance_profile(v) for v in (values, plain)]
    monkeypatch.setattr("tiebreak.tables.losses.BLOCK", 111)
    parts = [performance_profile(v) for v in (values, plain)]
    for one, two in zip(whole, parts, strict=True):
        assert one.curve(TAUS) == two.curve(TAUS)
        assert (one.ties_for_best, one.best_is_zero, one.warnings) == (
            two.ties_for_best,
            two.best_is_zero,
            two.warnings,
        )


def test_plain_blocks_take_the_short_way(monkeypatch):
    def slow(*_, **__):
        raise AssertionError("the general way")

    monkeypatch.setattr(steps, "ratios_of", slow)
    assert performance_profile([[1.0, 2.0], [3.0, 3.0]]).wins == {"model_1": 1.0, "model_2": 0.5}
    with pytest.raises(AssertionError, match="the general way"):
        performance_profile([[0.0, 2.0]])


ERRORS = [[12, 8, 4], [5, 5, 6], [18, 6, 3], [10, 2, 8], [21, 8, 5]]
TABLE_3 = {
    1: (0.2, 0.4, 0.6), 1.2: (0.2, 0.4, 0.8), 1.6: (0.2, 0.6, 0.8), 2: (0.2, 1, 0.8), 3: (0.4, 1, 0.8), 4: (0.4, 1, 1),
    4.2: (0.6, 1, 1), 5: (0.8, 1, 1), 6: (1, 1, 1),
}  # fmt: skip


@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.float64])
def test_the_papers_example_exactly(dtype):
    found = performance_profile(np.array(ERRORS, dtype=dtype), names=["M1", "M2", "M3"])
    assert found.taus().tolist() == list(TABLE_3)
    for tau, shares in TABLE_3.items():
        assert tuple(found.at(tau).values()) == shares
    assert found.never_more_than == {"M1": 6.0, "M2": 2.0, "M3": 4.0}
    assert found.ties_for_best == 1
    assert found.quantile(0.8) == {"M1": 5.0, "M2": 2.0, "M3": 1.2}


def test_ties_survive_floating_point():
    third = np.array([[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2], [1.1 * 3, 3.3000000000000003]])
    assert performance_profile(third).wins == {"model_1": 1.0, "model_2": 1.0}
    assert performance_profile(np.float32([[0.6, 0.5]])).at(float(np.float32(0.6)) / 0.5)["model_1"] == 1.0
    assert performance_profile([[0.1, 0.3]]).at(3)["model_2"] == 1.0


def test_zero_failed_and_floored_instances():
    rows = [[0, 0, 1], [0, 2, 3], [np.nan, 1, 2], [np.nan, np.nan, np.nan], [1e-12, 1, 1]]
    found = performance_profile(rows, names=["a", "b", "c"])
    assert found.wins == {"a": 0.6, "b": 0.4, "c": 0.0}
    assert found.at(INF) == {"a": 0.6, "b": 0.6, "c": 0.4}
    assert (found.best_is_zero, found.all_failed) == (2, 1)
    assert [w.split(",")[0] for w in found.warnings[:2]] == [
        "the best is 0 on 2 instances", "no model has a number on 1 instance",
    ]  # fmt: skip
    floored = performance_profile(rows, names=["a", "b", "c"], floor=0.5)
    assert floored.at(2) == {"a": 0.6, "b": 0.6, "c": 0.6}
    assert floored.at(6)["c"] == 0.8
    assert floored.best_is_zero == 0


def test_a_model_that_failed_everywhere_and_one_model_alone():
    found = performance_profile({"good": [1.0, 2.0], "none": [np.nan, np.inf]})
    assert found.wins == {"good": 1.0, "none": 0.0}
    assert found.solved == {"good": 1.0, "none": 0.0}
    assert found.never_more_than["none"] == INF
    assert "no finite number at all: none" in found.warnings
    alone = performance_profile([[3.0], [0.0]])
    assert alone.never_more_than == {"model_1": 1.0}
    assert alone.warnings == ()
    assert performance_profile([[2.0, 5.0]]).at(2.5) == {"model_1": 1.0, "model_2": 1.0}


def test_two_gaussian_models_have_a_closed_form():
    rng = np.random.default_rng(1)
    for ratio in (1.0, 2.0):
        errors = np.abs(rng.standard_normal((400_000, 2)) * [1.0, ratio])
        found = performance_profile(errors)
        for tau in (1.0, 2.0, 10.0):
            assert found.at(tau)["model_1"] == pytest.approx(2 / math.pi * math.atan(tau * ratio), abs=0.003)
            assert found.at(tau)["model_2"] == pytest.approx(2 / math.pi * math.atan(tau / ratio), abs=0.003)


def test_the_order_that_turns_with_the_pool_is_named():
    """C28, and the check against leaving every model out by hand."""
    found = performance_profile([[1, 6, 2], [2, 3, 4]], names=["A", "B", "C"])
    assert found.at(1.5) == {"A": 1.0, "B": 0.5, "C": 0.0}
    assert found.pair("B", "C").at(1.5) == {"B": 0.5, "C": 1.0}
    assert any("B is ahead of C" in w and "once A is left out" in w for w in found.warnings)
    assert set(found.pairwise()) == {("A", "B"), ("A", "C"), ("B", "C")}


@given(tables(st.integers(3, 4)))
def test_flips_are_those_that_leaving_out_shows(rows):
    names = tuple("abcd"[: len(rows[0])])
    losses = Losses(names, np.array(rows), kind="losses")
    found = {frozenset((f.ahead, f.behind)) for f in flips(losses, TAUS)}
    expected = set()
    for tau in TAUS:
        whole = performance_profile(losses).at(tau)
        for out in names:
            rest = performance_profile(losses.restrict([n for n in names if n != out])).at(tau)
            for a in rest:
                for b in rest:
                    if whole[a] > whole[b] and rest[a] < rest[b]:
                        expected.add(frozenset((a, b)))
    assert found == expected


def test_jumps_are_drawn_exactly_while_they_are_few():
    rng = np.random.default_rng(0)
    few = performance_profile(rng.integers(1, 9, (3000, 3)))
    assert set(few.taus()) == set(np.unique((np.arange(1, 9)[:, None] / np.arange(1, 9)).ravel().clip(1)))
    many = performance_profile(rng.exponential(size=(3000, 3)))
    assert len(many.taus()) == 512
    assert many.taus()[0] == 1.0
    assert many.taus()[-1] <= 1e4
    assert len(many.curve()["model_1"]) == 512


def test_paired_comparison_at_a_factor_is_the_trio_of_right_and_wrong():
    rng = np.random.default_rng(5)
    values = rng.exponential(size=(200, 3))
    found = performance_profile(values, names=["a", "b", "c"])
    for tau in (1.0, 1.7):
        right = np.array([[r <= tau for r in naive.ratios(row)] for row in values.tolist()])
        rw, wr = int((right[:, 0] & ~right[:, 2]).sum()), int((~right[:, 0] & right[:, 2]).sum())
        expected = superiority(rw, wr, 200)
        pair = found.compare_at("a", "c", tau)
        assert pair.superiority == expected
        assert pair.p_better == pytest.approx(expected.p_better, rel=1e-12)
        assert pair.p_value == pytest.approx(expected.p_value, rel=1e-12)
        assert (pair.difference, pair.difference.low) == pytest.approx((expected.estimate, expected.interval.low))
        assert pair.difference.method == "flat_posterior"


def test_paired_comparison_with_groups_and_weights():
    rng = np.random.default_rng(5)
    values, groups = rng.exponential(size=(200, 2)), rng.integers(0, 20, 200)
    grouped = Losses(("a", "b"), values, groups=groups, names=tuple(range(20)), kind="losses")
    assert performance_profile(grouped).compare_at("a", "b", 1.5).difference.method == "cluster_t"
    weighted = Losses(("a", "b"), values, weights=rng.integers(1, 4, 200).astype(float), kind="losses")
    found = performance_profile(weighted).compare_at("a", "b", 1.5)
    assert found.difference.method == "weighted_t"
    assert found.superiority is None


@pytest.mark.parametrize("kind", ["residuals", "scores"])
def test_the_grid_is_exact_at_its_points_and_bounded_between(kind):
    rng = np.random.default_rng(6)
    values = rng.integers(-9, 10, (700, 3)) / 4 if kind == "residuals" else rng.integers(0, 9, (700, 3)) / 8
    losses = Losses(("a", "b", "c"), values, kind=kind, weights=rng.integers(1, 5, 700) / 2)
    exact, coarse = performance_profile(losses), performance_profile(loss_sums(losses))
    assert coarse.resolution == pytest.approx(10 ** (1 / 256))
    for tau in grid()[[0, 1, 77, 256, 512, BINS]]:
        assert coarse.at(tau) == pytest.approx(exact.at(tau))
    for tau in (1.004, 1.37, 2.0, 3.0):
        above = exact.at(tau * coarse.resolution)
        below = exact.at(max(1.0, tau / coarse.resolution))
        for name, share in coarse.at(tau).items():
            assert below[name] - 1e-12 <= share <= exact.at(tau)[name] + 1e-12 <= above[name] + 2e-12
    for name, area in coarse.area().items():
        assert abs(area - exact.area()[name]) <= LOG_STEP / 2 / math.log(10) + 1e-12
    assert (coarse.n, coarse.ties_for_best, coarse.best_is_zero) == (exact.n, exact.ties_for_best, exact.best_is_zero)
    assert coarse.at(INF) == pytest.approx(exact.at(INF))
    assert coarse.solved == exact.solved
    assert coarse.warnings[:-1] == exact.warnings[: len(coarse.warnings) - 1]
    assert "was not looked into" in coarse.warnings[-1]


def test_what_sums_no_longer_know():
    coarse = performance_profile(loss_sums(Losses(("a", "b"), np.ones((4, 2)), kind="residuals")))
    for ask in (lambda: coarse.pair("a", "b"), lambda: coarse.compare_at("a", "b", 2)):
        with pytest.raises(NotDefined, match="too many to hold"):
            ask()
    with pytest.raises(TiebreakError, match="floor needs the losses"):
        performance_profile(coarse.source, floor=0.5)
    with pytest.raises(TiebreakError, match=r"scores go down to -1"):
        performance_profile(loss_sums(Losses(("a", "b"), -np.ones((4, 2)), kind="scores")))
    with pytest.raises(NotDefined, match="no tolerance was named"):
        coarse.source.pairs()
    found = coarse.source + coarse.source
    assert performance_profile(found).wins == coarse.wins


@given(tables(numbers=st.sampled_from([-1.0, 0.0, 0.25, 0.5, 2.0])), st.integers(0, 24))
def test_sums_of_parts_are_the_sums_of_the_whole(rows, cut):
    values = np.array(rows)
    names = tuple(f"m{k}" for k in range(values.shape[1]))
    cut = min(cut, len(rows))
    if not 0 < cut < len(rows):
        return
    one, two, whole = (
        loss_sums(Losses(names, part, kind="residuals"), tolerance=0.5) for part in (values[:cut], values[cut:], values)
    )
    both = one + two
    assert both.steps.tolist() == whole.steps.tolist()
    assert both.differences.tolist() == whole.differences.tolist()
    assert both.within.tolist() == whole.within.tolist()
    assert (both.n, both.ties, both.zeros, both.lowest) == (whole.n, whole.ties, whole.zeros, whole.lowest)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: performance_profile([[1, -2]]), "losses of 'model_2' hold -2 in row 1: a ratio to the best needs losses ≥ 0"),
        (lambda: performance_profile(Losses(("a",), np.array([[-1.0]]), kind="scores")), "scores of 'a' hold -1 in row 1"),
        (lambda: performance_profile([[1, -2]], floor=0.5), "losses of 'model_2' hold -2 in row 1"),
        (lambda: performance_profile(Losses(("a",), np.empty((0, 1)), kind="scores")), "losses are empty or weigh 0"),
        (lambda: performance_profile([[1, 2]], floor=-1), "floor is -1: it must be a number ≥ 0"),
        (lambda: performance_profile([[1, 2]], floor=math.nan), "floor is nan"),
        (lambda: performance_profile(Losses(("a",), np.array([[1.0]]), kind="scores"), floor=1), "these are scores: leave it out"),
        (lambda: performance_profile([]), r"losses have shape \(0,\)"),
        (lambda: performance_profile(np.empty((0, 2))), "losses are empty"),
        (lambda: performance_profile({}), "losses are empty"),
        (lambda: performance_profile([1, 2]), r"losses have shape \(2,\)"),
        (lambda: performance_profile([["a", "b"]]), "hold something that is no number"),
        (lambda: performance_profile([[1, 2], [3]]), "rows of different lengths"),
        (lambda: performance_profile({"a": [1], "b": [1, 2]}), "columns of different lengths"),
        (lambda: performance_profile([[1, 2]], names=["a"]), "names holds 1 name but losses have 2 columns"),
        (lambda: performance_profile([[1, 2]], names=["a", "a"]), "names names a more than once"),
        (lambda: performance_profile([[1, 2]]).at(0.5), "tau is 0.5: it must be a factor ≥ 1"),
        (lambda: performance_profile([[1, 2]]).at(math.nan), "tau is nan"),
        (lambda: performance_profile([[1, 2]]).area(1), "tau_max is 1: it must be a number above 1"),
        (lambda: performance_profile([[1, 2]]).area(INF), "tau_max is inf"),
        (lambda: performance_profile([[1, 2]]).quantile(0), "share is 0: it must be above 0"),
        (lambda: performance_profile([[1, 2]]).compare_at("model_1", "model_1", 2), "primary and alternative are both"),
        (lambda: performance_profile([[1, 2]]).compare_at("model_1", "x", 2), "'x' is no model"),
        (lambda: performance_profile([[1, 2]]).bands(method="wald"), "method is 'wald': it must be one of"),
        (lambda: performance_profile([[1, 2]]).bands(1.5), "level is 1.5"),
        (lambda: performance_profile(Losses(("a",), np.ones((1, 1)), kind="scores"), names=["b"]), "have names already"),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_one_line(call, message):
    with pytest.raises(TiebreakError, match=message) as error:
        call()
    assert "\n" not in str(error.value)
    assert isinstance(error.value, EmptyComparison | ColumnNotFound | TiebreakError)


def test_frames_masked_arrays_and_missing_values_are_read():
    import pandas as pd
    import polars as pl

    for frame in (pd.DataFrame({"a": [1, 2], "b": [2, None]}), pl.DataFrame({"a": [1, 2], "b": [2, None]})):
        found = performance_profile(frame)
        assert found.models == ("a", "b")
        assert found.solved["b"] == 0.5
    masked = np.ma.masked_array([[1, 2], [2, 9]], [[False, False], [False, True]])
    assert performance_profile(masked).solved["model_2"] == 0.5
    assert performance_profile([[True, False]]).at(1) == {"model_1": 0.0, "model_2": 1.0}


def test_the_callers_array_is_not_touched():
    values = np.array([[1.0, -0.0], [np.nan, 3.0]])
    before = values.copy()
    found = performance_profile(values, floor=0.5)
    found.bands()
    found.warnings
    np.testing.assert_array_equal(values, before)


def test_who_is_within_a_factor_is_told_by_instance():
    losses = Losses(("a", "b"), np.array([[1.0, 2.0], [np.nan, np.nan], [0.0, 0.0]]), kind="losses")
    assert within_factor(losses, 2.0).tolist() == [[True, False, True], [True, False, True]]
    assert within_factor(losses, INF).tolist() == [[True, False, True], [True, False, True]]


def test_shares_of_many_weights_end_at_one():
    rng = np.random.default_rng(7)
    losses = Losses(("a", "b"), rng.exponential(size=(20_000, 2)), weights=rng.random(20_000) * 1e-3, kind="losses")
    found = performance_profile(losses)
    assert found.at(INF) == {"a": 1.0, "b": 1.0}
    assert all(value < INF for value in found.never_more_than.values())
