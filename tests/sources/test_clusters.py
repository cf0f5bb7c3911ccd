"""From rows to partitions: every engine the same tables, policies and refusals, and the way back to the rows."""

import itertools

import cases
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_pairs
from tiebreak.comparison.pair_prayatul import pair_prayatul_matrix
from tiebreak.errors import (
    ColumnNotFound,
    EmptyComparison,
    MissingPredictions,
    MixedLabels,
    NotDefined,
    TiebreakError,
)
from tiebreak.inference import difference_contributions, rand_difference
from tiebreak.sources import Ask, clusters, fused, opened
from tiebreak.tables import NOISES

ASK = Ask(task="clustering")


def open_columns(columns, ask=ASK, **more):
    truth, *models = columns
    return opened(truth, dict(zip("pqr", models)), ask, **more)


def tables_of(partitions):
    return [(table.codes.tolist(), table.counts.tolist()) for table in partitions.tables]


def relabelled(partitions):
    """Clusters as text, so that engines that read numbers as text agree with those that do not."""
    return [sorted(map(str, labels)) for labels in partitions.clusters]


@pytest.mark.parametrize("case", ["integers", "negative integers", "text", "booleans", "big integers", "categories"])
@pytest.mark.parametrize("engine", cases.IN_MEMORY)
def test_every_engine_counts_the_same_pairs(engine, case):
    kind, columns = cases.CASES[case]
    if any(value is None for column in columns for value in column):
        columns = [[columns[0][0] if value is None else value for value in column] for column in columns]
    found = opened(cases.IN_MEMORY[engine](kind, columns), None, ASK)
    for (p, one), (q, two) in itertools.permutations(zip("pqr", columns[1:]), 2):
        expected = naive_pairs.pair_prayatul(columns[0], one, two)
        assert tuple(found.partitions.pair(p, q).cells().tolist()) == expected
    assert [len(labels) for labels in found.partitions.clusters] == [len(set(column)) for column in columns]


@pytest.mark.parametrize("form", cases.FILES)
@pytest.mark.parametrize("case", ["integers", "negative integers", "text"])
def test_every_file_format_counts_the_same_pairs(form, case, tmp_path):
    kind, columns = cases.CASES[case]
    columns = [[columns[0][0] if value is None else value for value in column] for column in columns]
    path = tmp_path / f"labels.{form}"
    cases.FILES[form](kind, columns, path)
    found = opened(str(path), None, ASK).partitions
    assert tuple(found.pair("p", "q").cells().tolist()) == naive_pairs.pair_prayatul(*columns[:3])


@pytest.mark.parametrize("engine", ["lists", "pandas", "polars", "polars lazy", "pyarrow", "duckdb", "dask", "ibis"])
def test_both_ways_of_counting_agree_and_dropping_is_the_same(engine, monkeypatch):
    kind, columns = cases.CASES["integers with gaps"]
    ask = Ask(task="clustering", missing="drop")
    data = cases.IN_MEMORY[engine](kind, columns)
    at_once = opened(data, None, ask)
    kept = [row for row in zip(*columns) if None not in row]
    expected = naive_pairs.pair_prayatul(*list(zip(*kept))[:3])
    assert tuple(at_once.partitions.pair("p", "q").cells().tolist()) == expected
    assert at_once.partitions.joint is not None
    monkeypatch.setattr(clusters, "_few_cells", lambda source, roles: False)
    by_two = opened(data, None, ask)
    assert by_two.partitions.joint is None
    assert tables_of(by_two.partitions) == tables_of(at_once.partitions)
    for one in (at_once, by_two):
        assert one.partitions.n == len(kept)
        assert one.partitions.excluded == cases.SIZE - len(kept)
        assert one.partitions.missing == tuple(sum(value is None for value in column) for column in columns[1:])
        cells = one.clustered_cells("q", "p")
        assert cells.codes.tolist() == at_once.partitions.cells("q", "p").codes.tolist()
        assert rand_difference(cells).n == len(kept)


@given(st.integers(0, 2**32), st.sampled_from(NOISES), st.integers(2, 200))
def test_arrays_are_counted_like_the_double_loop(seed, noise, n):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(-1, rng.integers(0, 6), min(n, 50)).astype(np.int32) for _ in range(3)]
    matrix = pair_prayatul_matrix(*columns, noise=noise)
    expected = naive_pairs.pair_prayatul(*(column.tolist() for column in columns), noise)
    assert tuple(np.asarray(matrix).reshape(-1).tolist()) == expected


@pytest.mark.parametrize("engine", ["lists", "pandas", "polars", "duckdb"])
@pytest.mark.parametrize("noise", NOISES)
def test_noise_on_every_engine(engine, noise):
    rng = np.random.default_rng(3)
    columns = [rng.integers(-1, 4, cases.SIZE).tolist() for _ in range(4)]
    found = opened(cases.IN_MEMORY[engine]("int", columns), None, Ask(task="clustering", noise=noise)).partitions
    assert tuple(found.pair("p", "q").cells().tolist()) == naive_pairs.pair_prayatul(*columns[:3], noise)


def test_noise_written_as_text_is_noise():
    columns = [list("aabb"), ["-1", "-1", "x", "x"], ["-1", "-1", "-1", "-1"]]
    matrix = pair_prayatul_matrix(*columns, noise="singleton")
    assert tuple(np.asarray(matrix).reshape(-1).tolist()) == naive_pairs.pair_prayatul(*columns, "singleton")


def test_each_column_may_hold_its_own_kind_of_label(tmp_path):
    plain = pair_prayatul_matrix([0, 0, 1, 1], [5, 5, 5, 7], [1, 2, 1, 2])
    mixed = pair_prayatul_matrix(list("aabb"), [5, 5, 5, 7], [True, False, True, False])
    assert plain.counts == mixed.counts
    path = tmp_path / "labels.csv"
    path.write_text("truth,p,q\na,1,x\na,1,y\nb,1,x\nb,01,y\n")
    found = opened(str(path), None, ASK).partitions
    assert found.clusters == (("a", "b"), ("01", "1"), ("x", "y"))
    assert found.pair("p", "q").cells().tolist() == plain.counts.cells().tolist()
    with pytest.raises(MixedLabels):
        pair_prayatul_matrix([0, 0, 1], [1, "1", 1], [0, 0, 0])


def test_equal_numbers_written_in_two_ways_are_one_cluster():
    column = np.array([1, 1.0, 2, 2.0], dtype=object)
    found = open_columns([[0, 0, 1, 1], column, [0, 1, 0, 1]])
    assert found.partitions.clusters[1] == (1, 2)
    assert found.partitions.pair("p", "q").cells().tolist() == list(
        naive_pairs.pair_prayatul([0, 0, 1, 1], [1, 1, 2, 2], [0, 1, 0, 1])
    )
    cells = found.clustered_cells("p", "q")
    assert len(found.ranked(cells, difference_contributions(cells), ("p", "q"), 10)) == 4


def test_wide_integers_and_a_million_clusters_are_counted_sparsely():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 10**12, 3000)
    models = [np.where(rng.random(3000) < 0.5, truth, rng.integers(0, 10**12, 3000)) for _ in range(2)]
    matrix = pair_prayatul_matrix(truth, *models)
    ranks = [np.unique(column, return_inverse=True)[1] for column in (truth, *models)]
    assert matrix.counts == pair_prayatul_matrix(*ranks).counts
    far = [2**63, 2**63, 2**63 + 1, 2**63 + 1]
    assert pair_prayatul_matrix(far, [5, 5, 5, 7], [1, 2, 1, 2]).right_wrong == 2


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(0, 700))
def test_sorted_keys_count_like_a_dense_table(seed, columns, n):
    rng = np.random.default_rng(seed)
    spans = [(int(rng.integers(-5, 5)), int(rng.integers(1, 9))) for _ in range(columns)]
    codes = [rng.integers(low, low + size, n).astype(np.int32) for low, size in spans]
    places, mass = fused._sorted(codes, spans)
    dense, counted = fused.count_codes(codes, spans)
    assert places.tolist() == dense.tolist()
    assert mass.counts.tolist() == counted.counts.tolist()


def test_sorted_keys_merge_their_blocks(monkeypatch):
    monkeypatch.setattr(fused, "BLOCK", 8)
    rng = np.random.default_rng(1)
    codes = [rng.integers(0, 40, 5000) for _ in range(2)]
    places, mass = fused._sorted(codes, [(0, 40), (0, 40)])
    dense, counted = fused.count_codes(codes, [(0, 40), (0, 40)])
    assert places.tolist() == dense.tolist()
    assert mass.counts.tolist() == counted.counts.tolist()


def test_a_large_array_takes_the_fused_path(monkeypatch):
    """Small labels of many rows are counted by tables, never by sorting rows."""
    monkeypatch.setattr(fused, "_sorted", None)
    monkeypatch.setattr(fused, "_sparse", None)
    rng = np.random.default_rng(2)
    for k in (50, 300):
        columns = [rng.integers(0, k, 400_000).astype(np.int32) for _ in range(3)]
        assert pair_prayatul_matrix(*columns).n == 400_000 * 399_999 // 2


def test_without_a_truth_two_clusterings_are_one_table():
    for found in (
        opened(None, {"p": [5, 5, 5, 7], "q": [1, 2, 1, 2]}, ASK),
        opened({"p": [5, 5, 5, 7], "q": [1, 2, 1, 2]}, None, ASK),
    ):
        assert found.partitions.truth is None
        assert found.partitions.pair_sums("p", "q") == (6, 3, 2, 1)
        assert found.clustered_cells("p", "q").codes.shape[0] == 2
        with pytest.raises(NotDefined):
            found.partitions.pair("p", "q")


def test_without_a_truth_in_a_file_and_in_joined_files(tmp_path):
    for name, labels in (("one", "0011"), ("two", "0111")):
        rows = "\n".join(f"{k},{label}" for k, label in enumerate(labels))
        (tmp_path / f"{name}.csv").write_text(f"id,labels_pred\n{rows}\n")
    joined = opened([("one", str(tmp_path / "one.csv")), ("two", str(tmp_path / "two.csv"))], None, ASK)
    assert joined.partitions.pair_sums("one", "two") == (6, 2, 3, 1)
    joined.close()
    with pytest.raises(ColumnNotFound):
        opened({"p": [1], "q": [2]}, None, Ask(task="clustering", truth="y"))


def test_groups_are_a_further_key():
    columns = [[0, 0, 1, 1, 0], [5, 5, 5, 7, 5], [1, 2, 1, 2, 1]]
    for found in (
        open_columns(columns, groups=list("xxyyx")),
        opened(
            dict(zip(("y_true", "p", "q", "who"), [*columns, list("xxyyx")])), None, Ask(task="clustering", group="who")
        ),
    ):
        cells = found.clustered_cells("p", "q")
        assert cells.group_names == ("x", "y")
        assert [cells.counts[cells.groups == k].sum() for k in (0, 1)] == [3, 2]
        assert rand_difference(cells).units == 2
        assert found.partitions.pair("p", "q").cells().tolist() == list(naive_pairs.pair_prayatul(*columns))
        shown = found.ranked(cells, difference_contributions(cells), ("p", "q"), 5)
        assert len(shown) == 5
    with pytest.raises(TiebreakError, match="every instance needs a group"):
        open_columns(columns, groups=["x", None, "y", "y", "x"]).partitions


def test_groups_and_cells_are_counted_on_demand_too(monkeypatch):
    columns = [[0, 0, 1, 1, 0], [5, 5, 5, 7, 5], [1, 2, 1, 2, 1]]
    at_once = open_columns(columns, groups=list("xxyyx")).clustered_cells("p", "q")
    monkeypatch.setattr(clusters, "_few_cells", lambda source, roles: False)
    found = open_columns(columns, groups=list("xxyyx"))
    cells = found.clustered_cells("p", "q")
    assert (cells.codes.tolist(), cells.groups.tolist()) == (at_once.codes.tolist(), at_once.groups.tolist())
    assert found.clustered_cells("p", "p").codes.shape[0] == 3
    with pytest.raises(TiebreakError, match="every instance needs a group"):
        open_columns(columns, groups=["x", None, "y", "y", "x"]).partitions


ENGINES = ["lists", "numpy", "pandas", "pandas nullable", "polars", "polars lazy", "pyarrow", "duckdb", "dask", "ibis"]


@pytest.mark.parametrize("case", ["integers with gaps", "text with gaps", "whole floats", "categories"])
@pytest.mark.parametrize("engine", ENGINES)
def test_the_rows_that_contribute_most_come_back_from_every_engine(engine, case):
    kind, columns = cases.CASES[case]
    data = cases.IN_MEMORY[engine](kind, columns)
    if case == "whole floats":
        columns = [[None if value != value else value for value in column] for column in columns]
    truth = [value for value in columns[0] if value is not None]
    found_truth = truth[0]
    if None in columns[0]:
        with pytest.raises(MissingPredictions, match="truth 'y_true' is missing"):
            opened(data, None, Ask(task="clustering", missing="drop")).partitions
        columns = [[found_truth if value is None else value for value in columns[0]], *columns[1:]]
        nans = float("nan") if case == "whole floats" else None
        data = cases.IN_MEMORY[engine](kind, [[nans if v is None else v for v in column] for column in columns])
    found = opened(data, None, Ask(task="clustering", missing="drop"))
    cells = found.clustered_cells("p", "q")
    shown = found.ranked(cells, difference_contributions(cells), ("p", "q"), 12)
    kept = [row for row in zip(*columns) if None not in row]
    h = naive_pairs.contributions(*list(zip(*kept))[:3])
    sizes = [abs(value) for value in shown.contributions]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes == pytest.approx(sorted(map(abs, h), reverse=True)[:12], abs=1e-12)
    assert shown.total == len(kept)
    place = {tuple(map(str, row[:3])): value for row, value in zip(kept, h)}
    for row in shown:
        assert place[tuple(str(row[name]) for name in ("y_true", "p", "q"))] == pytest.approx(row["contribution"])


def test_rows_come_back_from_files_with_their_ids(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("id,truth,p,q\n1,a,5,1\n2,a,5,2\n3,b,5,1\n4,b,7,2\n")
    found = opened(str(path), None, ASK)
    cells = found.clustered_cells("p", "q")
    shown = found.ranked(cells, difference_contributions(cells), ("p", "q"), 2)
    assert shown.columns[:4] == ("id", "truth", "p", "q")
    assert len(shown) == 2
    with pytest.raises(TiebreakError, match="limit is 0: it must be between 1 and 1000"):
        found.ranked(cells, difference_contributions(cells), ("p", "q"), 0)
    found.close()


def test_many_clusterings_in_a_file_are_brought_into_memory(tmp_path):
    rng = np.random.default_rng(4)
    names = [f"m{k}" for k in range(26)]
    rows = rng.integers(0, 3, (40, 27))
    path = tmp_path / "labels.csv"
    path.write_text(",".join(["truth", *names]) + "\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    found = opened(str(path), None, ASK)
    expected = naive_pairs.pair_prayatul(rows[:, 0].tolist(), rows[:, 3].tolist(), rows[:, 9].tolist())
    assert tuple(found.partitions.pair("m2", "m8").cells().tolist()) == expected
    cells = found.clustered_cells("m2", "m8")
    assert len(found.ranked(cells, difference_contributions(cells), ("m2", "m8"), 3)) == 3
    found.close()


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: pair_prayatul_matrix([0], [0], [0]), EmptyComparison, "1 instance is in the data: clusterings are compared over pairs"),
        (lambda: pair_prayatul_matrix([], [], []), EmptyComparison, "0 instances are in the data"),
        (lambda: pair_prayatul_matrix([0, 1], [0, 1], [0]), TiebreakError, "labels_alternative has 1 value but labels_true has 2"),
        (lambda: pair_prayatul_matrix([0, 1], [0, None], [0, 1]), MissingPredictions, "cluster labels are missing: 'labels_pred' 1; leave"),
        (lambda: pair_prayatul_matrix([0, None], [0, 1], [0, 1]), MissingPredictions, "truth 'labels_true' is missing in 1 row"),
        (lambda: pair_prayatul_matrix(None, [0, 1], [0, 1]), TiebreakError, "labels_true is None: right and wrong need the true classes"),
        (lambda: pair_prayatul_matrix([0, 1], [0, 1], [0, 1], noise="drop"), TiebreakError, "noise is 'drop': it must be one of"),
        (lambda: open_columns([[0, 1]] * 3, Ask(task="clustering", missing="wrong")).partitions, TiebreakError, "neither right nor wrong"),
        (lambda: open_columns([[0, 1]] * 3, weights=[1, 2]), TiebreakError, "sample_weight is given, but clusterings"),
        (lambda: open_columns([[0, 1]] * 3).tally, NotDefined, "clusterings have no tally"),
        (lambda: open_columns([[0, 1], [None, 1], [1, None]], Ask(task="clustering", missing="drop")).partitions, EmptyComparison, "dropping took 2 rows"),
        (lambda: open_columns([[0, 1] * 20, np.arange(40) + 0.5, [0, 1] * 20]).partitions, TiebreakError, "column 'p' looks continuous"),
        (lambda: open_columns([[0, 1]] * 3).clustered_cells("p", "z"), ColumnNotFound, "'z' is no clustering"),
    ],
)  # fmt: skip
def test_refusals_say_what_to_do(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("columns", "cells"),
    [
        (([0, 0, 0], [1, 1, 1], [2, 2, 2]), [3, 0, 0, 0]),
        (([0, 1, 2], [5, 6, 7], [8, 9, 1]), [3, 0, 0, 0]),
        (([0, 0, 0], [0, 1, 2], [0, 0, 0]), [0, 0, 3, 0]),
        (([0, 1], [0, 0], [0, 0]), [0, 0, 0, 1]),
        (([0, 0, 1, 1, 1], [7, 7, 3, 3, 3], [1, 1, 0, 0, 0]), [10, 0, 0, 0]),
    ],
)
def test_degenerate_clusterings(columns, cells):
    assert np.asarray(pair_prayatul_matrix(*columns)).reshape(-1).tolist() == cells


def test_many_clusterings_of_unlike_rows_in_memory_are_counted_two_at_a_time():
    rng = np.random.default_rng(5)
    columns = [rng.integers(0, 400, 600) for _ in range(5)]
    found = opened(columns[0], dict(zip("pqrs", columns[1:])), ASK)
    assert found.partitions.joint is None
    expected = naive_pairs.pair_prayatul(*(column.tolist() for column in (columns[0], columns[2], columns[4])))
    assert tuple(found.partitions.pair("q", "s").cells().tolist()) == expected
    assert rand_difference(found.clustered_cells("q", "s")).n == 600
