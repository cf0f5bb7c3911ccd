"""The bootstrap of counts: the same law as resampling rows, SciPy's intervals, groups, weights, limits and refusals."""

import math

import numpy as np
import pytest

from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.inference import METHODS, Units, bootstrap, confusion_units, pair_units
from tiebreak.measures import comparative_deviation, effective_superiority
from tiebreak.sources import Ask, opened
from tiebreak.tables import Tally

CELLS = (30, 9, 4, 7)
# One row an instance, as SciPy resamples them.
ROWS = np.repeat(np.arange(4), CELLS)


def rng(seed=0):
    return np.random.default_rng(seed)


def difference(tables):
    return (tables[..., 1] - tables[..., 2]) / tables.sum(axis=-1)


def accuracy(tables):
    return (tables[..., 0] + tables[..., 1]) / tables.sum(axis=-1)


def of_rows(statistic):
    """The same statistic of resampled rows."""

    def found(rows, axis=-1):
        return statistic(np.stack([(rows == cell).sum(axis=axis) for cell in range(4)], axis=-1).astype(float))

    return found


@pytest.mark.parametrize("statistic", [difference, accuracy, comparative_deviation, effective_superiority])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_are_those_of_scipy(statistic, method):
    from scipy.stats import bootstrap as scipy_bootstrap

    name = {"percentile": "percentile", "bca": "BCa"}[method]
    resampled = scipy_bootstrap(
        (ROWS,), of_rows(statistic), n_resamples=9999, method=name, vectorized=True, rng=rng(1), confidence_level=0.9
    )
    found = bootstrap(CELLS, statistic, rng(), resamples=20_000)
    known, ours = resampled.confidence_interval, found.interval(0.9, method)
    # A quantile of B draws of a lattice law errs by about a step and √(.05 · .95 / B) / density.
    assert ours.low == pytest.approx(known.low, abs=0.06 * found.se + 0.02)
    assert ours.high == pytest.approx(known.high, abs=0.06 * found.se + 0.02)
    assert found.se == pytest.approx(resampled.standard_error, rel=0.04)
    assert ours.method == METHODS[method]


def test_the_acceleration_of_bca_is_the_jackknife_over_rows():
    found = bootstrap(CELLS, comparative_deviation, rng(), resamples=10)
    values = np.array([of_rows(comparative_deviation)(np.delete(ROWS, k)) for k in range(len(ROWS))])
    away = values.mean() - values
    assert found._acceleration() == pytest.approx((away**3).sum() / (6 * (away**2).sum() ** 1.5), rel=1e-12)


def test_draws_of_counts_are_resampled_rows():
    """C18: Kolmogorov-Smirnov over 200,000 replicates of each."""
    from scipy.stats import ks_2samp

    statistic = of_rows(accuracy)
    rows = np.concatenate([statistic(ROWS[rng(k).integers(0, 50, (20_000, 50))]) for k in range(10)])
    found = bootstrap(CELLS, accuracy, rng(99), resamples=200_000)
    assert ks_2samp(rows, found.replicates).pvalue > 0.001


def test_the_share_of_positive_replicates_counts_ties_half():
    found = bootstrap(CELLS, difference, rng(), resamples=4000)
    values = found.replicates
    assert found.p_positive == pytest.approx((values > 0).mean() + (values == 0).mean() / 2)
    mirrored = bootstrap(CELLS, lambda tables: -difference(tables), rng(), resamples=4000)
    assert mirrored.p_positive == pytest.approx(1 - found.p_positive)
    assert bootstrap([8, 0, 0, 2], difference, rng()).p_positive == 0.5


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others():
    def drawn(seed):
        return bootstrap(CELLS, accuracy, rng(seed), resamples=500).replicates.tobytes()

    assert drawn(3) == drawn(3)
    assert drawn(3) != drawn(4)


def test_drawing_in_parts_changes_nothing(monkeypatch):
    import sys

    whole = bootstrap(CELLS, accuracy, rng(), resamples=501)
    module = sys.modules["tiebreak.inference.bootstrap"]
    monkeypatch.setattr(module, "_AT_ONCE", 64)
    parts = bootstrap(CELLS, accuracy, rng(), resamples=501)
    assert parts.replicates.tobytes() == whole.replicates.tobytes()
    assert parts.interval(0.95, "bca") == whole.interval(0.95, "bca")


def sample(seed=0, n=60, groups=12):
    draw = rng(seed)
    truth = draw.integers(0, 2, n)
    models = {name: np.where(draw.random(n) < right, truth, 1 - truth) for name, right in (("p", 0.8), ("q", 0.7))}
    return truth, models, draw.integers(0, groups, n), draw.choice([0.5, 1.0, 3.0], n)


def cells_of(truth, models):
    p, q = models["p"] == truth, models["q"] == truth
    return 2 * ~p + ~q


def test_groups_are_resampled_whole():
    truth, models, group, _ = sample()
    tally = opened(truth, models, Ask(), groups=group).tally
    units = pair_units(tally, "p", "q")
    held = units.holds.toarray()
    cell, names = cells_of(truth, models), sorted(set(group.tolist()))
    expected = [[((cell == c) & (group == g)).sum() for c in range(4)] for g in names]
    # Groups are in the order of what they hold.
    assert sorted(held.tolist()) == sorted(np.array(expected, dtype=float).tolist())
    np.testing.assert_array_equal(units.times, 1)
    found = bootstrap(units, difference, rng(), resamples=3000)
    assert found.estimate == pytest.approx(difference(np.bincount(cell, minlength=4).astype(float)))
    draws = rng(5).integers(0, len(names), (3000, len(names)))
    naive = difference(np.array(expected, dtype=float)[draws].sum(axis=1))
    assert found.se == pytest.approx(naive.std(ddof=1), rel=0.06)


def test_groups_of_one_member_are_independent_instances():
    truth, models, _, _ = sample()
    alone = opened(truth, models, Ask(), groups=np.arange(len(truth))).tally
    plain = opened(truth, models, Ask()).tally
    grouped = bootstrap(pair_units(alone, "p", "q"), difference, rng(), resamples=4000)
    free = bootstrap(pair_units(plain, "p", "q"), difference, rng(1), resamples=4000)
    assert grouped.estimate == free.estimate
    assert grouped.se == pytest.approx(free.se, rel=0.06)
    assert grouped._acceleration() == pytest.approx(free._acceleration(), abs=1e-12)


def test_weighted_instances_are_resampled_with_their_weight():
    truth, models, _, weight = sample()
    weighted = opened(truth, models, Ask(), weights=weight).tally
    by_weight = opened(truth, models, Ask(), groups=weight).tally
    units = pair_units(weighted, "p", "q", by_weight)
    assert units.times.sum() == len(truth)
    cell = cells_of(truth, models)
    np.testing.assert_allclose(units.table(), np.bincount(cell, weight, 4))
    found = bootstrap(units, difference, rng(), resamples=4000)
    draws = rng(7).integers(0, len(truth), (4000, len(truth)))
    tables = np.array([np.bincount(cell[row], weight[row], 4) for row in draws])
    assert found.se == pytest.approx(difference(tables).std(ddof=1), rel=0.06)
    with pytest.raises(NotDefined, match="weighted instances are resampled from their rows, and no rows remain"):
        pair_units(weighted, "p", "q")


def test_confusion_matrices_are_resampled_together():
    truth, models, group, weight = sample()
    tally = opened(truth, models, Ask()).tally
    units = confusion_units(tally, ["p", "q"])
    joined = units.table().reshape(2, 2, 2)
    for place, name in enumerate(("p", "q")):
        for t in (0, 1):
            for answer in (0, 1):
                assert joined[place, t, answer] == ((truth == t) & (models[name] == answer)).sum()
    found = bootstrap(units, lambda t: (t[..., 0] + t[..., 3] - t[..., 4] - t[..., 7]) / len(truth), rng())
    pair = bootstrap(pair_units(tally, "p", "q"), difference, rng(1))
    assert found.estimate == pytest.approx(pair.estimate)
    assert found.se == pytest.approx(pair.se, rel=0.05)
    grouped = opened(truth, models, Ask(), groups=group).tally
    np.testing.assert_array_equal(confusion_units(grouped, ["p", "q"]).table(), units.table())
    by_weight = opened(truth, models, Ask(), groups=weight).tally
    weighted = opened(truth, models, Ask(), weights=weight).tally
    table = confusion_units(weighted, ["p"], by_weight).table()
    assert table.sum() == pytest.approx(weight.sum())


def test_a_missing_prediction_belongs_to_no_cell():
    tally = Tally.of({("a", "a", None): 3, ("b", None, "b"): 2}, models="pq")
    assert confusion_units(tally, ["p", "q"]).table().tolist() == [3, 0, 0, 0, 0, 0, 0, 2]


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_nothing_degenerate_is_undefined(method):
    """Identical models, perfect models, one instance: elsewhere BCa is NaN here, or an interval leaves the range."""
    for cells, statistic, value in [
        ([8, 0, 0, 2], difference, 0), ([50, 0, 0, 0], accuracy, 1), ([0, 0, 0, 50], accuracy, 0), ([0, 1, 0, 0], difference, 1),
    ]:  # fmt: skip
        interval = bootstrap(cells, statistic, rng(), resamples=500).interval(0.95, method)
        assert (interval.low, interval.high) == (value, value)
    for cells in ([49, 1, 0, 0], [0, 0, 1, 3], [1, 1, 0, 0]):
        found = bootstrap(cells, accuracy, rng(), resamples=500)
        interval = found.interval(0.95, method)
        assert 0 <= interval.low <= interval.high <= 1


def test_replicates_without_a_value_are_counted_and_left_out():
    def precision(tables):
        with np.errstate(invalid="ignore"):
            return np.where(
                tables[..., 1] + tables[..., 2] > 0,
                tables[..., 1] / np.maximum(tables[..., 1] + tables[..., 2], 1),
                np.nan,
            )

    found = bootstrap([20, 1, 1, 0], precision, rng(), resamples=2000)
    assert 0 < found.undefined < 2000
    for method in METHODS:
        assert not math.isnan(found.interval(0.95, method).low)
    nowhere = bootstrap([20, 0, 0, 0], precision, rng(), resamples=50)
    assert nowhere.undefined == 50
    assert all(map(math.isnan, (nowhere.estimate, nowhere.se, nowhere.p_positive, nowhere.interval().low)))
    assert math.isnan(nowhere.value().high)


@pytest.mark.parametrize(("counts", "words"), [
    ([3, -1], "counts holds -1: every count must be an integer ≥ 0"),
    ([3, 0.5], "counts holds 0.5"), ([3, math.nan], "counts holds nan"), ([math.inf], "counts holds inf"),
    (["a"], "counts holds something that is no number"), ([0, 0], "counts are all 0: there is nothing to resample"),
    ([], "counts are all 0"),
])  # fmt: skip
def test_counts_that_are_none_are_refused(counts, words):
    with pytest.raises(TiebreakError, match=words):
        bootstrap(counts, accuracy, rng())


def test_other_mistakes_are_refused():
    found = bootstrap(CELLS, accuracy, rng(), resamples=100)
    with pytest.raises(TiebreakError, match="method is 'studentised': it must be one of percentile, bca"):
        found.interval(0.95, "studentised")
    for level in (0, 1, 95):
        with pytest.raises(TiebreakError, match=f"level is {level}: it must lie strictly between 0 and 1"):
            found.interval(level)
    with pytest.raises(TiebreakError, match="n_resamples is 0: it must be at least 1"):
        bootstrap(CELLS, accuracy, rng(), resamples=0)
    with pytest.raises(TiebreakError, match="it must return one value a table, so index cells as"):
        bootstrap(CELLS, lambda tables: tables.sum(), rng())


def test_a_million_instances_cost_no_more_than_fifty():
    units = Units(np.array([600_000, 180_000, 80_000, 140_000]))
    found = bootstrap(units, difference, rng())
    assert found.interval().width == pytest.approx(2 * 1.96 * math.sqrt((0.26 - 0.01) / 10**6), rel=0.05)


def test_bca_falls_back_on_percentiles_where_every_replicate_is_on_one_side():
    """The median bias of an extreme is infinite."""
    counts = np.array([5000, 3000, 1000, 1000])
    found = bootstrap(counts, lambda tables: -np.abs(tables - counts).sum(axis=-1), rng(), resamples=200)
    assert (found.replicates < found.estimate).all()
    bca, percentile = found.interval(0.9, "bca"), found.interval(0.9, "percentile")
    assert (bca.low, bca.high) == (percentile.low, percentile.high)


def test_bca_has_ends_where_no_value_is_left_without_one_unit():
    found = bootstrap([1, 1], lambda t: np.where(t.min(axis=-1) > 0, t[..., 0], np.nan), rng(), resamples=100)
    assert found._acceleration() == 0
    interval = found.interval(0.9, "bca")
    assert (interval.low, interval.high) == (1, 1)


def test_some_models_of_many_are_resampled_from_the_same_tally():
    truth, models, _, _ = sample()
    tally = opened(truth, models, Ask()).tally
    joined = confusion_units(tally, ["q"]).table()
    assert joined.tolist() == tally.confusion("q").matrix().reshape(-1).tolist()
    words = opened([1] * 60, {name: (column == truth).astype(int) for name, column in models.items()}, Ask()).tally
    assert pair_units(words, "p", "q").table().tolist() == pair_units(tally, "p", "q").table().tolist()
