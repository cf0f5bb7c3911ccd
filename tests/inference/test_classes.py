"""Where two models differ, class by class and cell by cell: twins, laws, weights, groups and the words plan."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive_confusion import joint_classes as slow
from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.inference import (
    CLASS_MEASURES,
    balanced_difference,
    bootstrap,
    cell_differences,
    class_differences,
    class_intervals,
    holm,
    superiority,
)
from tiebreak.inference.joint_classes import joint_classes
from tiebreak.measures import confusion as measures
from tiebreak.sources import Ask, opened
from tiebreak.sources.plan import by_words
from tiebreak.tables import Margins, Tally

triples = st.lists(st.tuples(*(st.integers(0, 3),) * 3), min_size=1, max_size=40)


def tally_of(rows, weights=None, groups=None):
    truth, p, q = (list(column) for column in zip(*rows, strict=True))
    return opened(truth, {"p": p, "q": q}, Ask(), weights, groups=groups).tally


@given(triples)
def test_the_eight_kinds_equal_the_loop(rows):
    tally = tally_of(rows)
    code = {label: k for k, label in enumerate(tally.labels)}
    truth, p, q = ([code[x] for x in column] for column in zip(*rows, strict=True))
    joint = joint_classes(tally, "p", "q")
    assert joint.cells.astype(int).tolist() == slow(truth, p, q, len(tally.labels))
    assert (joint.cells.sum(axis=1) == len(rows)).all()
    assert joint.support.sum() == len(rows)
    assert joint.predicted[0].sum() == joint.predicted[1].sum() == len(rows)


@given(triples)
def test_every_difference_is_that_of_the_two_matrices(rows):
    tally = tally_of(rows)
    functions = {
        "recall": measures.recall,
        "precision": measures.precision,
        "f1": measures.f_beta,
        "r_prime": measures.r_prime,
    }
    for name, measure in functions.items():
        found = class_differences(tally, "p", "q", name)
        expected = measure(tally.confusion("p")) - measure(tally.confusion("q"))
        np.testing.assert_allclose(found.estimate, expected, atol=1e-12)
        mirrored = class_differences(tally, "q", "p", name)
        np.testing.assert_allclose(mirrored.estimate, -found.estimate, atol=1e-12)
        np.testing.assert_allclose(mirrored.low, -found.high, atol=1e-9)
        np.testing.assert_allclose(mirrored.p_value, found.p_value, atol=1e-9)
        known = ~np.isnan(found.estimate)
        assert (found.low[known] <= found.estimate[known] + 1e-12).all()
        assert (found.estimate[known] <= found.high[known] + 1e-12).all()
        assert (found.high[known] > found.low[known]).all()
        assert (np.abs(np.stack([found.low, found.high]))[:, known] <= (2 if name == "r_prime" else 1)).all()
        assert np.isnan(found.p_value[~known]).all()
        outside = (found.low > 0) | (found.high < 0)
        clear = known & (np.abs(found.p_value - 0.05) > 1e-6)
        assert (outside[clear] == (found.p_value < 0.05)[clear]).all()
        np.testing.assert_allclose(found.p_value_adjusted[known], holm(found.p_value[known]))


def test_recall_is_the_trio_within_the_class():
    rows = [(0, 0, 0)] * 30 + [(0, 0, 1)] * 12 + [(0, 1, 0)] * 3 + [(1, 1, 1)] * 20
    found = class_differences(tally_of(rows), "p", "q").records()[0]
    trio = superiority(12, 3, 45)
    assert (found.difference.value, found.difference.low, found.difference.high) == pytest.approx(
        (trio.estimate, trio.interval.low, trio.interval.high)
    )
    assert (found.p_better, found.p_value) == pytest.approx((trio.p_better, trio.p_value))
    assert found.p_value_adjusted == pytest.approx(2 * trio.p_value)
    assert found.support == 45


def test_equal_models_differ_nowhere_and_still_have_intervals():
    rows = [(0, 0, 0)] * 5 + [(1, 1, 1)] * 5 + [(1, 0, 0)] * 2
    for name in CLASS_MEASURES:
        found = class_differences(tally_of(rows), "p", "q", name)
        assert (found.estimate == 0).all()
        assert (found.p_value == 1).all()
        assert (found.p_better == 0.5).all()
        assert (found.high > found.low).all()
        assert found.winners == {}


def test_a_class_never_true_and_a_class_never_predicted():
    rows = [(0, 0, 0)] * 5 + [(1, 0, 0)] * 3 + [(0, 2, 0)]
    tally = tally_of(rows)
    recall, precision = (class_differences(tally, "p", "q", name) for name in ("recall", "precision"))
    assert np.isnan(recall.estimate).tolist() == [False, False, True]
    assert np.isnan(precision.estimate).tolist() == [False, True, True]
    assert np.isnan(recall.records()[2].difference)


@given(triples)
def test_cells_are_the_difference_of_the_matrices(rows):
    tally = tally_of(rows)
    found = cell_differences(tally, "p", "q")
    difference = (tally.confusion("p").matrix() - tally.confusion("q").matrix()) / len(rows)
    code = {label: k for k, label in enumerate(tally.labels)}
    seen = np.zeros_like(difference)
    for (truth, said), value in zip(found.labels, found.estimate, strict=True):
        seen[code[truth], code[said]] = value
    np.testing.assert_allclose(seen, difference, atol=1e-12)
    assert len(found) == np.count_nonzero(tally.confusion("p").matrix() + tally.confusion("q").matrix())
    assert (found.high > found.low).all()


def test_one_cell_is_a_trio_over_all_instances():
    rows = [("a", "a", "b")] * 9 + [("a", "b", "a")] * 2 + [("b", "b", "b")] * 20
    cells = {record.label: record for record in cell_differences(tally_of(rows), "p", "q").records()}
    trio = superiority(9, 2, 31)
    assert cells["a", "a"].difference.low == pytest.approx(trio.interval.low)
    assert cells["a", "b"].difference.value == pytest.approx(-trio.estimate)
    assert cell_differences(tally_of(rows), "p", "q").ranked(1)[0].label in {("a", "a"), ("a", "b")}


def test_winners_are_adjusted_for_the_number_of_classes():
    rows = []
    for label in range(20):
        rows += [(label, label, label)] * 10
    rows += [(0, 0, 1)] * 7
    assert superiority(7, 0, 17).p_value < 0.05 < 20 * superiority(7, 0, 17).p_value
    assert class_differences(tally_of(rows), "p", "q").winners == {}
    rows += [(0, 0, 1)] * 7
    assert class_differences(tally_of(rows), "p", "q").winners == {0: "p"}


def test_the_delta_method_is_the_bootstraps_standard_error():
    rng = np.random.default_rng(0)
    truth = rng.choice(3, 600, p=[0.5, 0.3, 0.2])
    p = np.where(rng.random(600) < 0.8, truth, rng.integers(0, 3, 600))
    q = np.where(rng.random(600) < 0.6, p, np.where(rng.random(600) < 0.7, truth, rng.integers(0, 3, 600)))
    joint = joint_classes(tally_of(list(zip(truth.tolist(), p.tolist(), q.tolist(), strict=True))), "p", "q")
    for name in CLASS_MEASURES:
        law = joint.ratio_law(name)
        for label in range(3):

            def statistic(cells, name=name):
                return joint._difference(cells, name)

            found = bootstrap(joint.cells[label].astype(int), statistic, np.random.default_rng(1), 1500)
            assert float(law.se[label]) == pytest.approx(found.se, rel=0.1)


@settings(max_examples=25)
@given(triples.filter(lambda rows: len(rows) > 3))
def test_weights_of_one_are_counts_and_groups_of_one_are_instances(rows):
    plain = joint_classes(tally_of(rows), "p", "q")
    weighted = joint_classes(tally_of(rows, weights=np.ones(len(rows))), "p", "q")
    grouped = joint_classes(tally_of(rows, groups=list(range(len(rows)))), "p", "q")
    for name in CLASS_MEASURES:
        law = plain.ratio_law(name)
        np.testing.assert_allclose(weighted.ratio_law(name).se, law.se)
        cells, _ = plain._smoothed()
        influences = plain._influences(cells, name)
        n = len(rows)
        total = (plain.cells * influences**2).sum(axis=-1) * n / (n - 1)
        np.testing.assert_allclose(grouped.grouped.variance(influences), total, atol=1e-12)


def test_groups_answered_alike_widen_the_interval():
    rows = [(0, 0, 1)] * 8 + [(0, 0, 0)] * 20 + [(1, 1, 1)] * 12
    many = class_differences(tally_of(rows, groups=[k // 4 for k in range(40)]), "p", "q")
    plain = class_differences(tally_of(rows), "p", "q")
    assert many.method == "delta"
    assert many.high[0] - many.low[0] > plain.high[0] - plain.low[0]
    with pytest.raises(NotDefined, match="at least two groups"):
        class_differences(tally_of(rows, groups=[0] * 40), "p", "q")


def test_the_words_plan_says_what_would_be_needed():
    rows = opened([0, 1, 1], {"p": [0, 1, 0], "q": [1, 1, 0]}, Ask())
    words = by_words(rows.source, rows.ask, rows.roles).tally
    for call in (class_differences, cell_differences):
        with pytest.raises(NotDefined, match="joint outcomes"):
            call(words, "p", "q")
        call(rows.pair("p", "q"), "p", "q")
    with pytest.raises(TiebreakError, match="measure is 'accuracy'"):
        class_differences(rows.tally, "p", "q", "accuracy")
    with pytest.raises(NotDefined, match="independent instances"):
        cell_differences(tally_of([(0, 0, 1), (1, 1, 1)], weights=[1, 2]), "p", "q")


def test_missing_predictions_are_in_no_class():
    outcomes = {("a", "a", None): 5, ("a", None, "a"): 2, ("b", None, None): 3, ("b", "a", "b"): 4}
    tally = Tally.of(outcomes, models=("p", "q"))
    found = class_differences(tally, "p", "q")
    assert found.estimate.tolist() == pytest.approx([3 / 7, -4 / 7])
    assert set(cell_differences(tally, "p", "q").labels) == {("a", "a"), ("b", "a"), ("b", "b")}


def test_balanced_total():
    cells = [[80, 10, 5, 5], [20, 5, 25, 50]]
    value, law = balanced_difference(cells)
    assert value == pytest.approx((0.05 - 0.2) / 2)
    assert -1 <= value.low < value < value.high <= 1
    assert (value.high < 0) == (float(law.p_value[0]) < 0.05)
    one = balanced_difference([[30, 9, 4, 7], [0, 0, 0, 0]])[0]
    trio = superiority(9, 4, 50)
    assert (one.low, one.high, one.method) == pytest.approx((trio.interval.low, trio.interval.high, "flat_posterior"))
    assert balanced_difference([[5, 0, 0, 0], [5, 0, 0, 0]])[0].high > 0
    with pytest.raises(NotDefined, match="nothing to balance"):
        balanced_difference(np.zeros((2, 4)))


@given(st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=3, max_size=3))
def test_intervals_of_a_class_stay_inside_and_have_a_width(table):
    margins = Margins.of(table)
    found = class_intervals(margins)
    for ends, values in ((found.precision, measures.precision(margins)), (found.recall, measures.recall(margins))):
        known = ~np.isnan(values)
        assert (np.isnan(ends[:, 0]) == ~known).all()
        low, high = ends[known].T
        assert ((low >= 0) & (high <= 1) & (low < high)).all()
        assert ((low <= values[known]) & (values[known] <= high)).all()


def test_weighted_intervals_use_the_effective_number():
    rng = np.random.default_rng(0)
    truth, said = rng.integers(0, 3, 200), rng.integers(0, 3, 200)
    weights = rng.choice([0.25, 4.0], 200)
    from tiebreak.comparison.confusion import confusion_matrix

    plain, heavy = confusion_matrix(truth, said), confusion_matrix(truth, said, sample_weight=weights)
    wide = class_intervals(heavy.margins, squares=heavy.table.squared_margins())
    narrow = class_intervals(plain.margins)
    assert (np.diff(wide.recall) > np.diff(narrow.recall)).all()
    equal = confusion_matrix(truth, said, sample_weight=np.full(200, 2.0))
    same = class_intervals(equal.margins, squares=equal.table.squared_margins())
    np.testing.assert_allclose(same.recall, narrow.recall)
    np.testing.assert_allclose(same.precision, narrow.precision)


def test_two_instances_of_a_class_settle_nothing():
    rows = [("a", "a", "b")] * 2 + [("b", "b", "b")] * 10
    tally = Tally.of({row: rows.count(row) for row in set(rows)}, models=("p", "q"))
    for measure in CLASS_MEASURES:
        found = class_differences(tally, "p", "q", measure)
        assert found.winners == {}


def test_rare_classes_are_not_won_by_chance():
    """Two models of one quality and a class of four in sixty: the error of the first kind is near its level."""
    rng = np.random.default_rng(3)
    wins = dict.fromkeys(CLASS_MEASURES, 0)
    repeats = 300
    for _ in range(repeats):
        truth = np.where(rng.random(60) < 0.06, 1, 0)
        p, q = (np.where(rng.random(60) < 0.85, truth, 1 - truth) for _ in range(2))
        if not truth.any():
            continue
        rows = list(zip(*(column.tolist() for column in (truth, p, q)), strict=True))
        tally = Tally.of({row: rows.count(row) for row in set(rows)}, models=("p", "q"))
        for measure in CLASS_MEASURES:
            p_value = class_differences(tally, "p", "q", measure).p_value[tally.labels.index(1)]
            wins[measure] += bool(p_value < 0.05)
    assert all(count <= 0.08 * repeats for count in wins.values()), wins
