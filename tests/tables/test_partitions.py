"""Partitions: the closed form is the double loop, tables add, noise stands alone in closed form, and nothing overflows."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_pairs
from tiebreak.errors import ColumnNotFound, NotDefined, TiebreakError
from tiebreak.papers.clusterings import shipped_labels
from tiebreak.tables import NOISES, CrossTable, Partitions, pairs_of

GOLDEN = {
    ("NC", "BIRCH", "DBSCAN"): (565231, 0, 559019, 0),
    ("NC", "BIRCH", "KMeans"): (282661, 282570, 279089, 279930),
    ("NC", "BIRCH", "Spectral"): (565231, 0, 559019, 0),
    ("NM", "BIRCH", "DBSCAN"): (927775, 0, 196475, 0),
    ("NM", "BIRCH", "KMeans"): (799881, 127894, 36445, 160030),
    ("NM", "BIRCH", "Spectral"): (927775, 0, 196475, 0),
    ("NS", "BIRCH", "DBSCAN"): (887807, 10952, 224034, 1457),
    ("NS", "BIRCH", "KMeans"): (822470, 76289, 109436, 116055),
    ("NS", "BIRCH", "Spectral"): (892168, 6591, 211503, 13988),
    ("NC", "DBSCAN", "KMeans"): (561750, 562500, 0, 0),
    ("NC", "DBSCAN", "Spectral"): (1124250, 0, 0, 0),
    ("NM", "DBSCAN", "KMeans"): (836326, 287924, 0, 0),
    ("NM", "DBSCAN", "Spectral"): (1124250, 0, 0, 0),
    ("NS", "DBSCAN", "KMeans"): (921643, 190198, 10263, 2146),
    ("NS", "DBSCAN", "Spectral"): (1092281, 19560, 11390, 1019),
    ("NC", "KMeans", "Spectral"): (561750, 0, 562500, 0),
    ("NM", "KMeans", "Spectral"): (836326, 0, 287924, 0),
    ("NS", "KMeans", "Spectral"): (927136, 4770, 176535, 15809),
}


def partitions_of(*labelings, names="pq", truth="g", noise="cluster"):
    rows = list(zip(*labelings, strict=True))
    counts = {row: rows.count(row) for row in dict.fromkeys(rows)}
    return Partitions.of(counts, models=tuple(names), truth=truth, noise=noise)


@st.composite
def labelings(draw, count=3, least=2, most=60):
    n = draw(st.integers(least, most))
    kinds = [draw(st.integers(0, 7)) for _ in range(count)]
    return [draw(st.lists(st.integers(-1, kind), min_size=n, max_size=n)) for kind in kinds]


@given(labelings(), st.sampled_from(NOISES))
def test_the_closed_form_is_the_double_loop(columns, noise):
    found = partitions_of(*columns, noise=noise)
    for primary, alternative in ("pq", "qp", "pp"):
        place = {"p": columns[1], "q": columns[2]}
        cells = found.pair(primary, alternative).cells().tolist()
        assert tuple(cells) == naive_pairs.pair_prayatul(columns[0], place[primary], place[alternative], noise)
        assert all(type(cell) is int for cell in cells)
        assert sum(cells) == found.total_pairs


@given(labelings())
def test_the_matrix_is_affine_in_three_rand_indices(columns):
    found = partitions_of(*columns)
    total = found.total_pairs

    def rand(first, second):
        t, x, y, xy = naive_pairs.pair_sums(first, second)
        return Fraction(t - x - y + 2 * xy, t)

    g, p, q = columns
    gp, gq, pq = rand(g, p), rand(g, q), rand(p, q)
    assert tuple(found.pair("p", "q").cells().tolist()) == (
        total * (gp + gq + pq - 1) / 2,
        total * (1 + gp - gq - pq) / 2,
        total * (1 + gq - gp - pq) / 2,
        total * (1 + pq - gp - gq) / 2,
    )


@given(labelings(count=5, most=25), st.sampled_from(NOISES))
def test_all_ordered_pairs_come_from_one_set_of_tables(columns, noise):
    found = partitions_of(*columns, names="abcd", noise=noise)
    assert len(found.tables) == 4 * 5 // 2
    every = found.pairs()
    assert every.dtype == np.int64
    for p, primary in enumerate("abcd"):
        for q, alternative in enumerate("abcd"):
            expected = naive_pairs.pair_prayatul(columns[0], columns[1 + p], columns[1 + q], noise)
            assert tuple(every[p, q].tolist()) == expected
            if primary != alternative:
                part = found.restrict([primary, alternative])
                assert tuple(part.pair(primary, alternative).cells().tolist()) == expected


@given(labelings(most=20), labelings(most=20), st.sampled_from(NOISES))
def test_tables_of_two_batches_add(first, second, noise):
    whole = partitions_of(*(a + b for a, b in zip(first, second, strict=True)), noise=noise)
    summed = partitions_of(*first, noise=noise) + partitions_of(*second, noise=noise)
    assert summed.n == whole.n
    assert summed.clusters == whole.clusters
    assert summed.pairs().tolist() == whole.pairs().tolist()
    for one, two in zip(summed.tables, whole.tables, strict=True):
        assert one.codes.tolist() == two.codes.tolist()
        assert one.counts.tolist() == two.counts.tolist()
    assert summed.cells("p", "q").counts.tolist() == whole.cells("p", "q").counts.tolist()


def test_what_does_not_add_is_refused():
    one = partitions_of([0, 1], [0, 1], [0, 0])
    with pytest.raises(TiebreakError, match="treat noise alike"):
        one + partitions_of([0, 1], [0, 1], [0, 0], noise="singleton")
    with pytest.raises(TiebreakError, match="do not add"):
        one + partitions_of([0, 1], [0, 1], [0, 0], names="ab")


@given(labelings(), st.permutations(range(9)), st.sampled_from(NOISES))
def test_labels_and_the_order_of_instances_mean_nothing(columns, order, noise):
    found = partitions_of(*columns, noise=noise)
    renamed = [label if label < 0 else 10 + order[label] for label in columns[1]]
    turned = partitions_of(columns[0][::-1], renamed[::-1], columns[2][::-1], noise=noise)
    assert turned.pairs().tolist() == found.pairs().tolist()


@given(labelings(count=2), st.sampled_from(NOISES))
def test_a_clustering_that_is_the_truth_is_never_wrong(columns, noise):
    truth, other = columns
    same = partitions_of(truth, truth, other, noise=noise).pair("p", "q")
    assert (same.wrong_right, same.both_wrong) == (0, 0)
    alike = partitions_of(truth, other, other, noise=noise).pair("p", "q")
    assert (alike.right_wrong, alike.wrong_right) == (0, 0)


def test_one_cluster_against_singletons_is_wrong_everywhere():
    n = 12
    cells = partitions_of(range(n), [0] * n, [0] * n).pair("p", "q").cells()
    assert cells.tolist() == [0, 0, 0, n * (n - 1) // 2]
    cells = partitions_of([0] * n, range(n), range(n)).pair("p", "q").cells()
    assert cells.tolist() == [0, 0, 0, n * (n - 1) // 2]


def test_the_worked_example():
    found = partitions_of([0, 0, 1, 1], [5, 5, 5, 7], [1, 2, 1, 2])
    assert found.pair("p", "q").cells().tolist() == [1, 2, 1, 2]
    assert found.pair_sums("g", "p") == (6, 2, 3, 1)
    assert found.sizes("p").tolist() == [3, 1]
    assert found.table("p", "p").codes.tolist() == [[0, 1], [0, 1]]
    assert found.table("q", "g").counts.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(("where", "cells"), GOLDEN.items())
def test_the_published_matrices(where, cells):
    data, primary, alternative = where
    labels = shipped_labels()[data]
    columns = [labels[name].tolist() for name in ("truth", primary, alternative)]
    assert tuple(partitions_of(*columns).pair("p", "q").cells().tolist()) == cells


def test_noise_standing_alone_changes_the_slanted_blobs_only_a_little():
    labels = shipped_labels()["NS"]
    columns = [labels[name].tolist() for name in ("truth", "BIRCH", "DBSCAN")]
    cluster, single = (partitions_of(*columns, noise=noise).pair("p", "q").cells() for noise in NOISES)
    assert cluster.tolist() != single.tolist()
    assert np.abs(cluster - single).max() / 1124250 < 0.0022


def test_without_a_truth_there_is_one_table_and_no_right_or_wrong():
    found = partitions_of([0, 0, 1], [1, 1, 1], truth=None)
    assert found.labelings == ("p", "q")
    assert len(found.tables) == 1
    assert found.pair_sums("p", "q") == (3, 1, 3, 1)
    assert found.cells("p", "q").codes.shape == (2, 2)
    for call in (lambda: found.pair("p", "q"), found.pairs):
        with pytest.raises(NotDefined, match="name it with --truth"):
            call()


def test_names_are_checked_and_cells_may_be_unknown():
    found = partitions_of([0, 1], [0, 1], [0, 0])
    with pytest.raises(ColumnNotFound, match="'r' is no clustering of this comparison: they are g, p, q"):
        found.pair("p", "r")
    bare = Partitions(found.models, found.clusters, found.tables, "g")
    with pytest.raises(NotDefined, match="count this pair alone"):
        bare.cells("p", "q")
    with pytest.raises(TiebreakError, match="noise is 'none'"):
        Partitions(found.models, found.clusters, found.tables, "g", noise="none")


def test_four_thousand_million_instances_do_not_overflow():
    """Three halvings of 2^32 instances, crossed evenly."""
    eighth = 2**29
    cells = {(g, p, q): eighth for g in (0, 1) for p in (0, 1) for q in (0, 1)}
    found = Partitions.of(cells, models=("p", "q"))
    n = 2**32
    total, half, quarter = n * (n - 1) // 2, 2 * (2**31 * (2**31 - 1) // 2), 4 * (2**30 * (2**30 - 1) // 2)
    expected = [total - 3 * half + 3 * quarter, half - quarter, half - quarter, half - quarter]
    assert found.pair("p", "q").cells().tolist() == expected
    assert found.pairs()[0, 1].tolist() == expected
    with pytest.raises(TiebreakError, match="compare a sample"):
        Partitions.of({**cells, (0, 0, 2): 1}, models=("p", "q"))


def test_a_hundred_thousand_clusters_each_need_only_their_non_empty_cells():
    size = 100_000
    codes = np.array([np.arange(size), np.arange(size)[::-1], np.arange(size) // 2])
    counts = np.full(size, 40_000, dtype=np.int64)
    clusters = (range(size), range(size), range(size // 2))
    found = Partitions.of_joint(CrossTable.merged(codes, counts), clusters, models=("p", "q"), truth="g")
    assert all(len(table.counts) == size for table in found.tables)
    own, n = 40_000 * 39_999 // 2, 40_000 * size
    wrong = size // 2 * (80_000 * 79_999 // 2 - 2 * own)
    assert found.pair("p", "q").cells().tolist() == [n * (n - 1) // 2 - wrong, wrong, 0, 0]


@given(st.lists(st.integers(0, 2**32), min_size=1, max_size=20))
def test_pairs_of_counts_are_exact(counts):
    assert pairs_of(counts).tolist() == [n * (n - 1) // 2 for n in counts]


def test_empty_clusters_of_a_sum_do_no_harm():
    first = partitions_of([0, 0], [0, 1], [1, 1])
    second = partitions_of([5, 5], [7, 7], [9, 9])
    whole = first + second
    assert whole.sizes("p").tolist() == [1, 1, 2]
    assert whole.clusters == ((0, 5), (0, 1, 7), (1, 9))
    assert whole.contingency("p", "q").first.clusters == 3


def test_sizes_and_groups_of_a_cross_table():
    table = CrossTable.merged(
        np.array([[0, 0, 1, 1], [0, 0, 0, 1]]), np.array([2, 3, 4, 1]), (1, -1), np.array([0, 1, 0, 1]), ("a", "b")
    )
    assert table.sizes((0,)).tolist() == [5, 5, 1, 1]
    assert table.sizes((0, 1)).tolist() == [5, 5, 1, 1]
    assert table.sizes((1,)).tolist() == [9, 9, 9, 1]
    more = table.followed_by(CrossTable.merged(np.array([[0], [0]]), np.array([7]), (1, -1), np.array([0]), ("b",)))
    assert more.group_names == ("a", "b")
    assert dict(zip(zip(*more.codes.tolist(), more.groups.tolist()), more.counts.tolist()))[0, 0, 1] == 10
    assert more.restricted((0, 1), grouped=False).n == 17
