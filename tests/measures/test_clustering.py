"""Measures of two clusterings: scikit-learn's numbers, exact where integers allow, NaN where nothing is defined."""

import importlib
import math
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from sklearn import metrics
from sklearn.metrics.cluster import contingency_matrix

import naive_pairs
from tiebreak.measures import (
    adjusted_mutual_information,
    adjusted_rand,
    chance_cells,
    chance_rand,
    expected_mutual_information,
    fowlkes_mallows,
    information,
    matching,
    prayatul_measures,
    rand,
    splits_and_merges,
)
from tiebreak.papers.clusterings import shipped_labels
from tiebreak.tables import NOISES, Contingency, CrossTable, Partitions, Sizes, noise_codes


def two(first, second, noise="cluster"):
    columns = [np.asarray(first), np.asarray(second)]
    labels = [np.unique(column).tolist() for column in columns]
    codes = np.array([np.searchsorted(known, column) for known, column in zip(labels, columns)])
    joint = CrossTable.merged(codes, np.ones(len(columns[0]), dtype=np.int64), noise_codes(labels, noise))
    return Partitions.of_joint(joint, labels, models=("p",), truth="g", noise=noise)


def written_out(labels, noise):
    """Labels as plain integers, every lone noise instance with one of its own."""
    return [10**6 + i if noise == "singleton" and label == -1 else label for i, label in enumerate(labels)]


@st.composite
def labelings(draw, most=60):
    n = draw(st.integers(2, most))
    return [draw(st.lists(st.integers(-1, draw(st.integers(-1, 7))), min_size=n, max_size=n)) for _ in range(2)]


def every(found):
    sums, table = found.pair_sums("g", "p"), found.contingency("g", "p")
    told = information(table)
    return {
        "rand_score": float(rand(sums)),
        "adjusted_rand_score": float(adjusted_rand(sums)),
        "fowlkes_mallows_score": float(fowlkes_mallows(sums)),
        "normalized_mutual_info_score": told.normalized,
        "homogeneity_score": told.homogeneity,
        "completeness_score": told.completeness,
        "v_measure_score": told.v_measure,
        "adjusted_mutual_info_score": adjusted_mutual_information(table),
        "mutual_info_score": told.mutual_information,
    }


@given(labelings(), st.sampled_from(NOISES))
def test_scikit_learn_says_the_same(columns, noise):
    first, second = (written_out(labels, noise) for labels in columns)
    for name, value in every(two(*columns, noise=noise)).items():
        if name == "fowlkes_mallows_score" and value != value:
            sums = naive_pairs.pair_sums(*columns, noise)
            assert 0 in sums[1:3]
            continue
        assert value == pytest.approx(getattr(metrics, name)(first, second), abs=1e-12), name


@pytest.mark.parametrize("clusters", [3, 20])
def test_scikit_learn_says_the_same_of_a_thousand_instances(clusters):
    rng = np.random.default_rng(clusters)
    truth = rng.integers(0, clusters, 1000)
    given_ = np.where(rng.random(1000) < 0.4, rng.integers(0, clusters + 2, 1000), truth)
    for name, value in every(two(truth, given_)).items():
        assert value == pytest.approx(getattr(metrics, name)(truth, given_), abs=1e-12), name


@given(labelings(most=30))
def test_pair_measures_are_the_fractions_of_the_double_loop(columns):
    t, x, y, xy = sums = naive_pairs.pair_sums(*columns)
    assert two(*columns).pair_sums("g", "p") == sums
    assert float(rand(sums)) == float(Fraction(t - x - y + 2 * xy, t))
    half = Fraction(x + y, 2) - Fraction(x * y, t)
    assert float(adjusted_rand(sums)) == (float((xy - Fraction(x * y, t)) / half) if half else 1.0)


def test_measures_of_many_tables_at_once():
    sums = np.array([[[6, 2, 3, 1], [6, 0, 0, 0]], [[6, 6, 6, 6], [0, 0, 0, 0]]])
    for measure in (rand, adjusted_rand, fowlkes_mallows, chance_rand):
        found = measure(sums)
        assert found.shape == (2, 2)
        for place in np.ndindex(2, 2):
            alone = float(measure(sums[place]))
            np.testing.assert_equal(float(found[place]), alone)
            np.testing.assert_allclose(float(measure(sums[place].astype(float))), alone, rtol=1e-15)
    np.testing.assert_equal(rand(sums), [[0.5, 1.0], [1.0, np.nan]])
    np.testing.assert_equal(adjusted_rand(sums), [[0.0, 1.0], [1.0, np.nan]])
    np.testing.assert_equal(fowlkes_mallows(sums)[1, 1], np.nan)


def test_four_thousand_million_instances_stay_exact():
    n, half, quarter = 2**32, 2**31, 2**30
    total, x, xy = (k * (k - 1) // 2 for k in (n, half, quarter))
    sums = (total, 2 * x, 2 * x, 4 * xy)
    expected = Fraction(4 * xy * total - 4 * x * x, 2 * x * total - 4 * x * x)
    assert float(adjusted_rand(sums)) == float(expected) != 0


def test_chance_is_what_shuffling_gives():
    rng = np.random.default_rng(5)
    truth, p, q = (rng.integers(0, k, 200) for k in (3, 4, 2))
    rands, cells = [], []
    for _ in range(300):
        rng.shuffle(p)
        rng.shuffle(q)
        rows = list(zip(truth.tolist(), p.tolist(), q.tolist()))
        found = Partitions.of({row: rows.count(row) for row in set(rows)}, models=("p", "q"))
        rands.append(float(rand(found.pair_sums("truth", "p"))))
        cells.append(found.pair("p", "q").cells())
    total, g, sp, _ = found.pair_sums("truth", "p")
    assert np.mean(rands) == pytest.approx(float(chance_rand(found.pair_sums("truth", "p"))), abs=1e-3)
    expected = chance_cells(total, g, sp, found.pair_sums("truth", "q")[2])
    assert expected.sum() == pytest.approx(total)
    np.testing.assert_allclose(np.mean(cells, axis=0) / total, expected / total, atol=2e-3)
    assert prayatul_measures(expected).comparative_deviation == pytest.approx(
        (expected[1] - expected[2]) / (expected[1] + expected[2])
    )


def test_two_random_halves_agree_on_half_of_all_pairs():
    labels = shipped_labels()["NC"]
    found = two(labels["truth"], labels["BIRCH"])
    sums = found.pair_sums("g", "p")
    assert round(float(rand(sums)), 4) == 0.5028
    assert round(float(chance_rand(sums)), 4) == 0.5
    assert round(float(adjusted_rand(sums)), 3) == 0.006
    kmeans = two(labels["truth"], labels["KMeans"]).pair_sums("g", "p")
    assert round(float(adjusted_rand(kmeans)), 4) == -0.0007


def test_the_printed_figures_are_of_mini_batches():
    for data, plain, batch in (("NM", 0.7430, 0.7439), ("NS", 0.8260, 0.8289)):
        labels = shipped_labels()[data]
        found = [float(rand(two(labels["truth"], labels[m]).pair_sums("g", "p"))) for m in ("KMeansFull", "KMeans")]
        assert [round(value, 4) for value in found] == [plain, batch]


def test_the_edges():
    one, lone, mixed = [0] * 6, list(range(6)), [0, 0, 0, 1, 1, 1]
    ones, alone = every(two(one, one)), every(two(lone, lone))
    assert all(ones[name] == 1 for name in ones if name != "mutual_info_score")
    assert alone["adjusted_rand_score"] == alone["adjusted_mutual_info_score"] == 1
    assert math.isnan(alone["fowlkes_mallows_score"])
    crossed = every(two(one, mixed))
    assert crossed["homogeneity_score"] == 1
    assert crossed["completeness_score"] == crossed["v_measure_score"] == crossed["adjusted_mutual_info_score"] == 0
    assert crossed["adjusted_rand_score"] == 0
    permuted = every(two(mixed, [7, 7, 7, 3, 3, 3]))
    assert all(permuted[name] == pytest.approx(1, abs=1e-15) for name in permuted if name != "mutual_info_score")
    empty = Contingency.of(CrossTable.merged(np.zeros((2, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)))
    assert math.isnan(information(empty).normalized)
    assert math.isnan(information(empty).homogeneity)
    assert math.isnan(information(empty).v_measure)
    assert math.isnan(adjusted_mutual_information(empty))
    assert math.isnan(expected_mutual_information(empty.first, empty.second))
    assert math.isnan(matching(empty).accuracy)


def test_the_expected_information_is_the_mean_over_all_shuffles():
    rng = np.random.default_rng(0)
    truth, other = np.repeat([0, 1, 2], [2, 5, 9]), np.repeat([0, 1], [6, 10])
    table = two(truth, other).contingency("g", "p")
    expected = expected_mutual_information(table.first, table.second)
    drawn = [
        information(two(truth, rng.permutation(other)).contingency("g", "p")).mutual_information for _ in range(3000)
    ]
    assert np.mean(drawn) == pytest.approx(expected, abs=4 * np.std(drawn) / np.sqrt(len(drawn)))


def test_the_expected_information_of_large_clusterings_is_quick_and_near_its_limit():
    """For large tables N E[I] tends to (R − 1)(C − 1) / 2."""
    rng = np.random.default_rng(1)
    sizes = [Sizes(np.sort(rng.integers(100_000, 300_000, 60)), np.ones(60, dtype=np.int64)) for _ in range(2)]
    n = max(side.n for side in sizes)
    sides = [Sizes(np.append(side.sizes, n + 1000 - side.n), np.ones(61, dtype=np.int64)) for side in sizes]
    begun = time.perf_counter()
    found = expected_mutual_information(*sides)
    assert time.perf_counter() - begun < 5
    assert found * (n + 1000) == pytest.approx(60 * 60 / 2, rel=0.02)


@given(labelings(most=40), st.sampled_from(NOISES))
def test_the_matching_keeps_as_many_together_as_any(columns, noise):
    first, second = (written_out(labels, noise) for labels in columns)
    table = contingency_matrix(first, second)
    rows, places = linear_sum_assignment(table, maximize=True)
    found = matching(two(*columns, noise=noise).contingency("g", "p"))
    assert found.right == table[rows, places].sum()
    assert found.accuracy == found.right / len(first)
    assert 0 <= found.precision <= 1
    assert 0 <= found.recall <= 1
    assert len(set(found.rows.tolist())) == len(found.rows)
    assert len(set(found.columns.tolist())) == len(found.columns)
    if noise == "cluster":
        kept = table[found.rows, found.columns]
        assert found.recall == pytest.approx((kept / table.sum(axis=1)[found.rows]).sum() / len(table))
        assert found.precision == pytest.approx((kept / table.sum(axis=0)[found.columns]).sum() / table.shape[1])


def test_a_large_sparse_part_is_matched_like_a_full_one(monkeypatch):
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 60, 800)
    table = two(truth, np.where(rng.random(800) < 0.6, rng.integers(0, 55, 800), truth)).contingency("g", "p")
    full = matching(table)
    monkeypatch.setattr(importlib.import_module("tiebreak.measures.matching"), "_DENSE", 10)
    assert matching(table).right == full.right


def test_matched_accuracy_stands_where_raw_accuracy_means_nothing():
    for data, accuracy in (("NC", 1.0), ("NM", 1.0), ("NS", 0.986)):
        labels = shipped_labels()[data]
        found = matching(two(labels["truth"], labels["Spectral"]).contingency("g", "p"))
        assert found.accuracy == pytest.approx(accuracy, abs=5e-4)


@given(labelings(most=30), st.sampled_from(NOISES))
def test_splits_and_merges_are_the_wrong_pairs(columns, noise):
    truth, other = (naive_pairs.alone(labels, "cluster") for labels in columns)
    found = splits_and_merges(two(*columns, noise=noise).contingency("g", "p"))
    _, x, y, xy = naive_pairs.pair_sums(*columns, noise)
    assert 2 * found.split_pairs.sum() + found.merged_pairs.sum() == 2 * (x + y - 2 * xy)
    if noise == "cluster":
        split, merged = naive_pairs.wrong_pairs_by_cluster(truth, other)
        assert found.split_pairs.tolist() == split
        assert found.merged_pairs.tolist() == merged
        assert found.sizes.tolist() == [truth.count(g) for g in sorted(set(truth))]
        together = [{p for h, p in zip(truth, other) if h == g} for g in sorted(set(truth))]
        assert found.parts.tolist() == [len(parts) for parts in together]
        foreign = [{p for h, p in zip(truth, other) if h != g} for g in sorted(set(truth))]
        assert found.shared.tolist() == [len(a & b) for a, b in zip(together, foreign)]
