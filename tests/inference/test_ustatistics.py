"""The doubt over pairs: h by the double loop, the jackknife, a simulation, and a bootstrap without copies."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_pairs
from tiebreak.errors import NotDefined
from tiebreak.inference import (
    SUMS,
    bootstrap_cells,
    bootstrap_pairs,
    bootstrap_sums,
    difference_contributions,
    prayatul_of_sums,
    rand_contributions,
    rand_difference,
    rand_statistic,
    refuse_pair_statistics,
)
from tiebreak.papers.clusterings import shipped_labels
from tiebreak.tables import NOISES, CrossTable, noise_codes


def cells_of(*columns, noise="cluster", groups=None):
    columns = [np.asarray(column) for column in columns]
    labels = [np.unique(column).tolist() for column in columns]
    codes = np.array([np.searchsorted(known, column) for known, column in zip(labels, columns)])
    ones = np.ones(codes.shape[1], dtype=np.int64)
    lone = noise_codes(labels, noise)
    if groups is None:
        return CrossTable.merged(codes, ones, lone)
    return CrossTable.merged(codes, ones, lone, np.asarray(groups), tuple(range(int(np.max(groups)) + 1)))


@st.composite
def labelings(draw, least=3, most=30):
    n = draw(st.integers(least, most))
    kinds = [draw(st.integers(0, 4)) for _ in range(3)]
    return [draw(st.lists(st.integers(-1, kind), min_size=n, max_size=n)) for kind in kinds]


def rand_of(tables):
    return (tables[..., 1] - tables[..., 2]) / tables.sum(axis=-1)


@given(labelings(), st.sampled_from(NOISES))
def test_h_is_that_of_the_double_loop_and_its_mean_is_the_difference(columns, noise):
    cells = cells_of(*columns, noise=noise)
    h = difference_contributions(cells)
    slow = naive_pairs.contributions(*columns, noise)
    fast = sorted(value for value, count in zip(h.tolist(), cells.counts.tolist()) for _ in range(count))
    assert fast == pytest.approx(sorted(slow), abs=1e-15)
    br, rw, wr, bw = naive_pairs.pair_prayatul(*columns, noise)
    found = rand_difference(cells)
    assert found.estimate == (rw - wr) / (br + rw + wr + bw)
    n, sd = len(slow), np.std(slow, ddof=1)
    if found.undefined:
        assert sd < 1e-12
        assert math.isnan(found.se)
    else:
        assert found.se == pytest.approx(2 * sd / math.sqrt(n), rel=1e-10)


@given(labelings(least=4, most=14))
def test_the_jackknife_is_this_standard_error_times_a_constant(columns):
    found = rand_difference(cells_of(*columns))
    n = len(columns[0])
    se = 0.0 if found.undefined else found.se
    assert naive_pairs.jackknife_se(*columns) == pytest.approx(se * (n - 1) / (n - 2), abs=1e-12)


@given(labelings(), st.sampled_from(NOISES))
def test_one_model_alone(columns, noise):
    truth, model, _ = columns
    cells = cells_of(truth, model, noise=noise)
    t, x, y, xy = naive_pairs.pair_sums(truth, model, noise)
    found = rand_statistic(cells)
    assert found.estimate == pytest.approx((t - x - y + 2 * xy) / t, abs=1e-14)
    assert 0 <= rand_contributions(cells).min() <= rand_contributions(cells).max() <= 1
    # Against a clustering that is the truth, the difference is minus what is missing from 1.
    against = rand_difference(cells_of(truth, model, truth, noise=noise))
    assert against.estimate == pytest.approx(found.estimate - 1, abs=1e-14)
    assert against.undefined or against.se == pytest.approx(found.se, rel=1e-9)


def sums_of(columns):
    cells = cells_of(*columns)
    ways = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
    return np.array([cells.n * (cells.n - 1) // 2, *(cells.pairs(places) for places in ways)], dtype=float)


def test_the_published_pairs():
    """Over pairs the statistics would be −77 and 4.6; they are −4.5 and 1.5."""
    for data, z, over_pairs in (("NS", -4.5, -76.9), ("NC", 1.5, 4.6)):
        labels = shipped_labels()[data]
        columns = [labels[name].tolist() for name in ("truth", "BIRCH", "KMeans")]
        found = rand_difference(cells_of(*columns))
        assert found.estimate / found.se == pytest.approx(z, abs=0.06)
        _, rw, wr, _ = prayatul_of_sums(sums_of(columns)).tolist()
        assert (rw - wr) / math.sqrt(rw + wr) == pytest.approx(over_pairs, abs=0.06)


def test_the_sums_have_names():
    assert len(SUMS) == 7
    assert prayatul_of_sums(sums_of([[0, 0, 1, 1], [5, 5, 5, 7], [1, 2, 1, 2]])).tolist() == [1, 2, 1, 2]


def noisy(rng, n, wrong, clusters=3):
    truth = rng.integers(0, clusters, n)
    return truth, [np.where(rng.random(n) < w, rng.integers(0, clusters, n), truth) for w in wrong]


def test_the_simulation():
    """The true standard deviation over samples, this standard error, and the one that takes pairs for independent."""
    rng = np.random.default_rng(11)
    estimates, ours, naive = [], [], []
    for _ in range(1500):
        truth, (p, q) = noisy(rng, 200, (0.3, 0.35))
        found = rand_difference(cells_of(truth, p, q))
        estimates.append(found.estimate)
        ours.append(found.se)
        total = 200 * 199 / 2
        _, rw, wr, _ = prayatul_of_sums(sums_of([truth, p, q])).tolist()
        naive.append(math.sqrt((rw + wr) / total - found.estimate**2) / math.sqrt(total))
    true = np.std(estimates)
    assert np.mean(ours) == pytest.approx(true, rel=0.06)
    assert true / np.mean(naive) > 7


def test_the_interval_covers_and_the_p_value_agrees_with_it():
    rng = np.random.default_rng(12)
    covered, agree = 0, []
    for _ in range(400):
        truth, (p, q) = noisy(rng, 150, (0.3, 0.3))
        found = rand_difference(cells_of(truth, p, q))
        interval = found.interval(0.95)
        covered += 0.0 in interval
        agree.append((0.0 in interval) == (found.p_value > 0.05))
        assert interval.method == "u_statistic"
    assert 0.92 <= covered / 400 <= 0.98
    assert all(agree)


def test_dependent_instances_are_summed_by_group():
    rng = np.random.default_rng(13)
    truth, (p, q) = noisy(rng, 40, (0.2, 0.4))
    alone = rand_difference(cells_of(truth, p, q))
    single = rand_difference(cells_of(truth, p, q, groups=np.arange(40)))
    assert single.se == pytest.approx(alone.se, rel=1e-12)
    copies = [np.repeat(column, 5) for column in (truth, p, q)]
    grouped = rand_difference(cells_of(*copies, groups=np.repeat(np.arange(40), 5)))
    unaware = rand_difference(cells_of(*copies))
    assert (grouped.units, unaware.units, grouped.law.df) == (40, 200, 39)
    assert grouped.se == pytest.approx(alone.se, rel=0.05)
    assert unaware.se < 0.5 * grouped.se
    one = rand_difference(cells_of(truth, p, q, groups=np.zeros(40, dtype=int)))
    assert "one group" in one.undefined


def test_there_is_no_standard_error_where_all_instances_agree():
    for columns in ([[0, 0, 1, 1]] * 3, [[0, 1, 2], [0, 0, 0], [0, 0, 0]], [[0, 0], [0, 1], [0, 0]]):
        found = rand_difference(cells_of(*columns))
        assert found.undefined.startswith("every instance contributes the same")
        assert math.isnan(found.se)
        readings = (found.p_value, found.p_better, found.interval().low, found.interval().high)
        if found.estimate:
            assert all(math.isnan(value) for value in readings)
        else:
            # Clusterings that never differ: nothing speaks for either.
            assert readings == (1, 0.5, 0, 0)
        assert found.value().value == found.estimate
    alone = rand_difference(cells_of([0], [0], [0]))
    assert alone.undefined == "fewer than two instances have no pair"
    assert np.isnan(difference_contributions(cells_of([0], [0], [0]))).all()


def test_methods_over_pairs_are_refused_with_the_reason():
    with pytest.raises(NotDefined, match="McNemar's test is not defined over pairs of instances: pairs that share"):
        refuse_pair_statistics("McNemar's test")


def drawn_by_rows(columns, resamples, rng):
    """Rows drawn one by one, pairs of copies left out, by the double sum over pairs."""
    found, n = [], len(columns[0])
    for _ in range(resamples):
        rows = rng.integers(0, n, n)
        real = np.triu(rows[:, None] != rows[None, :], 1)
        together = [column[rows][:, None] == column[rows][None, :] for column in columns]
        p, q = (together[0] == other for other in together[1:])
        found.append(((p & ~q & real).sum() - (~p & q & real).sum()) / real.sum())
    return np.array(found)


def test_the_bootstrap_leaves_pairs_of_copies_out():
    rng = np.random.default_rng(14)
    truth, (p, q) = noisy(rng, 30, (0.2, 0.6))
    cells = cells_of(truth, p, q)
    found = bootstrap_pairs(cells, rand_of, np.random.default_rng(0), 6000)
    rows = drawn_by_rows([truth, p, q], 3000, np.random.default_rng(1))
    assert found.estimate == pytest.approx(rand_difference(cells).estimate, abs=1e-12)
    assert found.replicates.mean() == pytest.approx(rows.mean(), abs=0.006)
    assert found.se == pytest.approx(rows.std(), rel=0.08)
    interval = found.interval(0.9, "bca")
    assert interval.low < found.estimate < interval.high


def test_the_wrong_pairs_of_a_resample_are_scaled_and_all_pairs_stay():
    rng = np.random.default_rng(15)
    truth, (p, q) = noisy(rng, 25, (0.3, 0.3))
    cells = cells_of(truth, p, q)
    corrected, drawn = [], []

    def keep(kept):
        def first_cell(tables):
            kept.append(np.array(tables))
            return tables[..., 0]

        return first_cell

    bootstrap_pairs(cells, keep(corrected), np.random.default_rng(3), 50)
    bootstrap_cells(cells, keep(drawn), np.random.default_rng(3), 50)
    tables, counts = (next(part for part in parts if len(part) == 50) for parts in (corrected, drawn))
    assert tables.sum(axis=1) == pytest.approx(np.full(50, 25 * 24 / 2))
    for row, table in zip(counts, tables):
        columns = [np.repeat(code, row.astype(int)).tolist() for code in cells.codes]
        _, rw, wr, bw = naive_pairs.pair_prayatul(*columns)
        assert table[1:] == pytest.approx(np.array([rw, wr, bw]) * 25 / 24)


def test_noise_that_stands_alone_is_resampled_like_its_written_out_twin():
    rng = np.random.default_rng(16)
    truth, (p, q) = noisy(rng, 40, (0.2, 0.5), clusters=4)
    p, q = (np.where(column == 3, -1, column) for column in (p, q))
    single = bootstrap_pairs(cells_of(truth, p, q, noise="singleton"), rand_of, np.random.default_rng(0), 4000)
    written = [truth, *(np.where(column == -1, 100 + np.arange(40), column) for column in (p, q))]
    twin = bootstrap_pairs(cells_of(*written), rand_of, np.random.default_rng(1), 4000)
    assert single.estimate == pytest.approx(twin.estimate, abs=1e-12)
    assert single.replicates.mean() == pytest.approx(twin.replicates.mean(), abs=0.004)
    assert single.se == pytest.approx(twin.se, rel=0.06)


def test_groups_are_resampled_together():
    rng = np.random.default_rng(17)
    truth, (p, q) = noisy(rng, 40, (0.2, 0.45))
    copies = [np.repeat(column, 3) for column in (truth, p, q)]
    cells = cells_of(*copies, groups=np.repeat(np.arange(40), 3))
    found = bootstrap_pairs(cells, rand_of, np.random.default_rng(0), 3000)
    assert found.estimate == pytest.approx(rand_difference(cells).estimate, abs=1e-12)
    assert found.se == pytest.approx(rand_difference(cells).se, rel=0.1)


def test_other_functions_of_the_sums():
    rng = np.random.default_rng(18)
    truth, (p, _) = noisy(rng, 200, (0.3, 0.3))

    def adjusted(s):
        t, x, y, xy = np.moveaxis(s, -1, 0)
        return (xy - x * y / t) / ((x + y) / 2 - x * y / t)

    found = bootstrap_sums(cells_of(truth, p), adjusted, np.random.default_rng(0), 1000)
    interval = found.interval(0.95)
    assert interval.low < found.estimate < interval.high
    assert found.replicates.mean() == pytest.approx(found.estimate, abs=0.02)
