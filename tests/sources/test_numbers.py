"""Numbers from every source: the same losses wherever the rows are, and the same sums where they stay there."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from tiebreak.errors import (
    ColumnNotFound,
    EmptyComparison,
    MissingPredictions,
    NotDefined,
    TiebreakError,
    UnpairedInstances,
)
from tiebreak.sources import Ask, opened
from tiebreak.tables import LossSums, loss_sums, prayatul_within, tally_within

N = 90
_RNG = np.random.default_rng(4)
# Quarters, so that sums are exact and ties are common.
TRUTH = (_RNG.integers(-8, 9, N) / 4).tolist()
COLUMNS = {m: (np.array(TRUTH) + _RNG.integers(-6, 7, N) / 4).tolist() for m in "pqr"}
GAPPY = {m: [None if _RNG.random() < 0.1 else v for v in c] for m, c in COLUMNS.items()}
SCORES = {m: (_RNG.integers(0, 5, N) / 4).tolist() for m in "pqr"}
WEIGHTS = (_RNG.integers(1, 9, N) / 8).tolist()
GROUPS = [f"g{k}" for k in _RNG.integers(0, 12, N)]


def table(columns, *, truth=True):
    return {**({"y": TRUTH} if truth else {}), **columns, "w": WEIGHTS, "g": GROUPS, "id": list(range(N))}


def to_pandas(rows):
    import pandas as pd

    return pd.DataFrame(rows)


def to_pandas_nullable(rows):
    return to_pandas(rows).convert_dtypes()


def to_polars(rows):
    import polars as pl

    return pl.DataFrame(rows)


def to_lazy(rows):
    return to_polars(rows).lazy()


def to_arrow(rows):
    import pyarrow as pa

    return pa.table(rows)


def to_duckdb(rows):
    import duckdb

    return duckdb.connect().from_arrow(to_arrow(rows))


def to_dask(rows):
    import dask.dataframe as dd

    return dd.from_pandas(to_pandas(rows), npartitions=3)


def to_ibis(rows):
    import ibis

    return ibis.memtable(to_arrow(rows))


FRAMES = {
    "dict": dict, "pandas": to_pandas, "pandas nullable": to_pandas_nullable, "polars": to_polars, "lazy": to_lazy,
    "arrow": to_arrow, "duckdb": to_duckdb, "dask": to_dask, "ibis": to_ibis,
}  # fmt: skip


def write(rows, path, form):
    import pyarrow.csv
    import pyarrow.feather
    import pyarrow.parquet

    if form == "jsonl":
        lines = [json.dumps(dict(zip(rows, row, strict=True))) for row in zip(*rows.values(), strict=True)]
        path.write_text("\n".join(lines) + "\n")
    else:
        writer = {
            "csv": pyarrow.csv.write_csv,
            "parquet": pyarrow.parquet.write_table,
            "feather": pyarrow.feather.write_feather,
        }
        writer[form](to_arrow(rows), path)
    return str(path)


FILES = ("csv", "parquet", "jsonl", "feather")


@pytest.fixture(params=[*FRAMES, *FILES])
def place(request, tmp_path):
    """Brings rows to one kind of source."""
    if request.param in FRAMES:
        return FRAMES[request.param]
    return lambda rows: write(rows, tmp_path / f"rows.{request.param}", request.param)


def residuals(columns):
    return np.array(
        [[math.nan if v is None else v - y for v, y in zip(c, TRUTH, strict=True)] for c in columns.values()]
    ).T


def by_id(losses, rows=None):
    """Rows in a common order: engines keep none."""
    order = np.lexsort(np.nan_to_num(losses.values, nan=99.0).T)
    return losses.values[order]


def sorted_rows(values):
    return values[np.lexsort(np.nan_to_num(values, nan=99.0).T)]


REGRESSION = Ask(truth="y", models=("p", "q", "r"), id="id", task="regression")
GRADED = replace(REGRESSION, truth=None, task="scores")


def test_every_source_gives_the_same_residuals(place):
    losses = opened(place(table(COLUMNS)), None, REGRESSION).losses
    assert losses.kind == "residuals"
    np.testing.assert_array_equal(by_id(losses), sorted_rows(residuals(COLUMNS)))


@pytest.mark.parametrize("policy", ["wrong", "drop"])
def test_every_source_treats_missing_predictions_the_same(place, policy):
    losses = opened(place(table(GAPPY)), None, replace(REGRESSION, missing=policy)).losses
    expected = residuals(GAPPY)
    assert losses.missing == tuple(np.isnan(expected).sum(axis=0).tolist())
    if policy == "drop":
        expected = expected[~np.isnan(expected).any(axis=1)]
        assert losses.excluded == N - len(expected)
    np.testing.assert_array_equal(by_id(losses), sorted_rows(expected))
    with pytest.raises(MissingPredictions, match="--missing drop"):
        opened(place(table(GAPPY)), None, REGRESSION).losses


def test_every_source_gives_the_same_groups_and_weights(place):
    losses = opened(place(table(SCORES, truth=False)), None, replace(GRADED, weight="w", group="g")).losses
    assert losses.kind == "scores"
    assert losses.total == sum(WEIGHTS)
    sums = losses.group_sums()
    found = dict(zip(losses.names, zip(sums.sizes, *sums.sums, strict=True), strict=True))
    for name in set(GROUPS):
        rows = [k for k in range(N) if GROUPS[k] == name]
        expected = [sum(WEIGHTS[k] for k in rows), *(sum(WEIGHTS[k] * c[k] for k in rows) for c in SCORES.values())]
        assert found[name] == pytest.approx(expected, abs=1e-12)


def assert_sums(found, expected):
    assert isinstance(found, LossSums)
    assert (found.models, found.n, found.kind, found.loss) == (
        expected.models,
        expected.n,
        expected.kind,
        expected.loss,
    )
    assert (found.ties, found.zeros, found.all_failed) == (expected.ties, expected.zeros, expected.all_failed)
    assert (found.missing, found.excluded, found.weighted) == (expected.missing, expected.excluded, expected.weighted)
    assert found.solved.tolist() == expected.solved.tolist()
    assert found.lowest == expected.lowest
    assert found.steps.tolist() == expected.steps.tolist()
    for name in ("wins", "solved_mass", "total", "total_of_squares"):
        assert np.asarray(getattr(found, name)).tolist() == np.asarray(getattr(expected, name)).tolist()
    known = ~expected.failed
    for name in ("residuals", "absolutes", "squares", "sums", "along", "own"):
        np.testing.assert_allclose(getattr(found, name)[known], getattr(expected, name)[known], rtol=1e-12, atol=1e-12)
    both = np.ix_(known, known)
    np.testing.assert_allclose(found.differences[both], expected.differences[both], rtol=1e-12, atol=1e-12)
    assert (found.within is None) == (expected.within is None)
    if expected.within is not None:
        assert found.within.tolist() == expected.within.tolist()


@pytest.fixture(params=["csv", "parquet", "jsonl", "duckdb", "lazy", "dask", "ibis"])
def far(request, tmp_path):
    """Brings rows to a source that may be too large."""
    if request.param in FRAMES:
        return FRAMES[request.param]
    return lambda rows: write(rows, tmp_path / f"rows.{request.param}", request.param)


@pytest.mark.parametrize("loss", ["absolute", "squared"])
@pytest.mark.parametrize("policy", ["wrong", "drop"])
def test_sums_where_the_rows_are_equal_those_in_memory(far, policy, loss):
    ask = replace(REGRESSION, missing=policy, loss=loss, tolerance=0.5)
    source = opened(far(table(GAPPY)), None, ask)
    sums = replace(source, collect_bytes=0).losses
    assert_sums(sums, loss_sums(source.losses, loss, 0.5))
    assert sums.pairs().tolist() == tally_within(source.losses, 0.5).pairs().tolist()


@pytest.mark.parametrize("policy", ["raise", "wrong", "drop"])
def test_weighted_grouped_scores_add_up_where_they_are(far, policy):
    columns = (
        SCORES
        if policy == "raise"
        else {m: [None if k % 9 == 0 else v for k, v in enumerate(c)] for m, c in SCORES.items()}
    )
    ask = replace(GRADED, missing=policy, weight="w", group="g", tolerance=0.25)
    source = opened(far(table(columns, truth=False)), None, ask)
    near, far_away = source.losses, replace(source, collect_bytes=0).losses
    assert_sums(far_away, loss_sums(near, tolerance=0.25))
    sums = near.group_sums()
    one = dict(zip(near.names, zip(sums.sizes, *sums.sums, strict=True), strict=True))
    two = dict(zip(far_away.names, zip(far_away.groups.sizes, *far_away.groups.sums, strict=True), strict=True))
    assert one.keys() == two.keys()
    for name, value in one.items():
        assert two[name] == pytest.approx(value, abs=1e-12)


# The best of each row is first: 0, ties by rounding, ratios too near 1 for a step, at grid points, beyond the grid, ∞.
HARD = [
    (0.0, 0.0), (0.0, 5e-324), (0.0, 1.0), (1.0, 1 + 5e-13), (1.0, 1 + 5e-12), (1.0, 1 + 2e-11), (1.0, 1.001),
    (1.0, 10.0), (1.0, 1e4), (1.0, 1.0001e4), (2.0, 1e150), (5e-324, 1.0), (1e-160, 1e150),
]  # fmt: skip


@pytest.mark.parametrize("task", ["regression", "scores"])
def test_ratios_at_every_edge_are_those_in_memory(far, task):
    rows = HARD + [(high, low) for low, high in HARD]
    if task == "scores":
        rows += [(-1.0, 2.0), (-2.0, -1.0), (-1.0, 0.0)]
    columns = dict(zip("pq", map(list, zip(*rows, strict=True)), strict=True))
    ask = Ask(task=task, truth="y" if task == "regression" else None, models=("p", "q"))
    source = opened(far({"y": [0.0] * len(rows), **columns}), None, ask)
    found, expected = replace(source, collect_bytes=0).losses, loss_sums(source.losses)
    assert found.steps.tolist() == expected.steps.tolist()
    assert found.wins.tolist() == expected.wins.tolist()


def test_large_sources_are_summed_by_themselves_and_small_ones_are_not(tmp_path):
    source = opened(write(table(COLUMNS), tmp_path / "r.parquet", "parquet"), None, REGRESSION)
    assert not isinstance(source.losses, LossSums)
    assert not isinstance(replace(source, collect_bytes=N * 4 * 8).losses, LossSums)
    assert isinstance(replace(source, collect_bytes=N * 4 * 8 - 1).losses, LossSums)


def test_float32_stays_float32_everywhere(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet

    rows = {"y": np.float32([0.1, 1]), "p": np.float32([0.3, 1]), "q": np.float32([0.2, 2])}
    path = tmp_path / "r.parquet"
    pyarrow.parquet.write_table(pa.table(rows), path)
    ask = Ask(truth="y", task="regression")
    expected = np.column_stack([rows["p"] - rows["y"], rows["q"] - rows["y"]])
    for data in (rows, to_pandas(rows), to_polars(rows), to_arrow(rows), to_duckdb(rows), str(path)):
        losses = opened(data, None, ask).losses
        assert losses.values.dtype == np.float32
        np.testing.assert_array_equal(losses.values, expected)
    losses = opened(rows["y"], {"p": rows["p"], "q": rows["q"].astype(float)}, Ask(task="regression")).losses
    assert losses.values.dtype == np.float64


def test_arrays_series_and_groups_beside_them():
    import polars as pl

    found = opened(
        np.array(TRUTH),
        {"p": COLUMNS["p"], "q": pl.Series(COLUMNS["q"])},
        Ask(task="regression"),
        WEIGHTS,
        None,
        GROUPS,
    )
    np.testing.assert_array_equal(found.losses.values, residuals({m: COLUMNS[m] for m in "pq"}))
    assert found.losses.total == sum(WEIGHTS)
    assert len(found.losses.names) == len(set(GROUPS))
    scores = opened(None, SCORES, Ask(task="scores")).losses
    assert scores.values.tolist() == np.array(list(SCORES.values())).T.tolist()


def test_joined_files_and_long_layouts(tmp_path):
    half = {"id": list(range(N)), "y": TRUTH, "prediction": COLUMNS["p"]}
    other = {"id": list(range(N))[::-1], "prediction": COLUMNS["q"][::-1]}
    one, two = (write(rows, tmp_path / f"{name}.csv", "csv") for name, rows in (("p", half), ("q", other)))
    ask = Ask(truth="y", task="regression")
    expected = sorted_rows(residuals({m: COLUMNS[m] for m in "pq"}))
    np.testing.assert_array_equal(by_id(opened([("p", one), ("q", two)], None, ask).losses), expected)
    long = {
        "id": [k for _ in "pq" for k in range(N)], "y": TRUTH * 2, "model": [m for m in "pq" for _ in range(N)],
        "value": COLUMNS["p"] + COLUMNS["q"],
    }  # fmt: skip
    asked = replace(ask, long=("model", "value"))
    for data in (
        write(long, tmp_path / "long.csv", "csv"),
        write(long, tmp_path / "l.parquet", "parquet"),
        to_pandas(long),
        to_polars(long),
    ):
        np.testing.assert_array_equal(by_id(opened(data, None, asked).losses), expected)
    short = {name: column[:-1] for name, column in long.items()}
    with pytest.raises(UnpairedInstances, match="lacks 1 id"):
        opened(to_polars(short), None, asked)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_text_is_refused_with_the_column_and_the_value(form, tmp_path):
    rows = table(COLUMNS) | {"q": ["?" if k == 70 else str(v) for k, v in enumerate(COLUMNS["q"])]}
    if form == "jsonl":
        rows["q"] = ["?" if k == 70 else v for k, v in enumerate(COLUMNS["q"])]
    path = write(rows, tmp_path / f"r.{form}", form) if form == "csv" else str(_jsonl(rows, tmp_path / "r.jsonl"))
    with pytest.raises(TiebreakError, match=r"column 'q' holds '\?': with task regression every value is a number"):
        opened(path, None, REGRESSION).losses
    found = opened(path, None, replace(REGRESSION, na="?", missing="wrong")).losses
    assert found.missing == (0, 1, 0)


def _jsonl(rows, path):
    lines = [json.dumps(dict(zip(rows, row, strict=True))) for row in zip(*rows.values(), strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("frame", ["dict", "pandas", "polars", "arrow", "duckdb", "lazy"])
def test_columns_that_are_no_numbers_are_refused(frame):
    text = FRAMES[frame](table(COLUMNS) | {"q": ["a"] * N})
    with pytest.raises(TiebreakError, match=r"column 'q' holds .*with task regression"):
        opened(text, None, REGRESSION).losses
    boolean = FRAMES[frame](table(COLUMNS) | {"y": [True, False] * (N // 2)})
    with pytest.raises(TiebreakError, match="column 'y' holds True"):
        opened(boolean, None, REGRESSION).losses
    graded = opened(FRAMES[frame](table(SCORES | {"p": [True, False] * (N // 2)}, truth=False)), None, GRADED).losses
    assert sorted(set(graded.values[:, 0].tolist())) == [0.0, 1.0]


@pytest.mark.parametrize("frame", ["dict", "duckdb", "lazy"])
@pytest.mark.parametrize("collected", [True, False])
def test_truths_and_scores_that_no_mean_survives(frame, collected):
    def losses(rows, ask):
        source = opened(FRAMES[frame](rows), None, ask)
        return (source if collected else replace(source, collect_bytes=0)).losses

    with pytest.raises(MissingPredictions, match="truth 'y' is missing in 1 row"):
        losses(table(COLUMNS) | {"y": [None, *TRUTH[1:]]}, REGRESSION)
    with pytest.raises(TiebreakError, match="truth 'y' is infinite"):
        losses(table(COLUMNS) | {"y": [math.inf, *TRUTH[1:]]}, REGRESSION)
    with pytest.raises(TiebreakError, match="column 'p' is inf"):
        losses(table(SCORES | {"p": [math.inf, *SCORES["p"][1:]]}, truth=False), GRADED)
    found = losses(table(COLUMNS | {"p": [math.inf, *COLUMNS["p"][1:]]}), replace(REGRESSION, missing="wrong"))
    assert found.missing == (1, 0, 0)
    with pytest.raises(MissingPredictions, match="holds -1: 0 is not the worst"):
        losses(table(SCORES | {"p": [None, -1.0, *SCORES["p"][2:]]}, truth=False), replace(GRADED, missing="wrong"))
    with pytest.raises(EmptyComparison):
        losses({name: column[:0] for name, column in table(SCORES).items()}, GRADED)
    with pytest.raises(EmptyComparison, match="dropping left nothing"):
        losses(table(COLUMNS | {"p": [math.nan] * N}), replace(REGRESSION, missing="drop"))
    with pytest.raises(TiebreakError, match="group 'g' is missing in 1 row"):
        losses(table(COLUMNS) | {"g": [None, *GROUPS[1:]]}, replace(REGRESSION, group="g"))


def test_arrays_of_the_wrong_shape_and_length():
    with pytest.raises(TiebreakError, match="b has 2 values but y_true has 3"):
        opened([1.0, 2, 3], {"a": [1.0, 2, 3], "b": [1.0, 2]}, Ask(task="regression")).losses
    with pytest.raises(TiebreakError, match=r"a has shape \(1, 3\)"):
        opened([1.0, 2, 3], {"a": np.ones((1, 3)), "b": [1.0, 2, 3]}, Ask(task="regression")).losses
    with pytest.raises(TiebreakError, match="every instance needs its group"):
        opened([1.0, 2], {"a": [1.0, 2], "b": [1.0, 2]}, Ask(task="regression"), None, None, ["g"]).losses
    with pytest.raises(TiebreakError, match="y_true is None"):
        opened(None, {"a": [1.0, 2], "b": [1.0, 2]}, Ask(task="regression"))
    with pytest.raises(ColumnNotFound, match="truth is not named"):
        opened({"a": [1.0, 2], "b": [1.0, 2]}, None, Ask(task="regression"))
    with pytest.raises(TiebreakError, match="with task scores the answers are graded"):
        opened({"y": [1.0, 2], "a": [1.0, 2], "b": [1.0, 2]}, None, Ask(task="scores", truth="y"))


def test_labels_and_numbers_do_not_mix():
    with pytest.raises(NotDefined, match="averaged and not counted"):
        opened([1.0], {"a": [1.0], "b": [1.0]}, Ask(task="regression")).tally
    with pytest.raises(NotDefined, match="averaged and not counted"):
        opened(to_polars(table(COLUMNS)), None, REGRESSION).tally
    with pytest.raises(NotDefined, match="compares labels, not numbers"):
        opened([1], {"a": [1], "b": [1]}, Ask()).losses


@pytest.mark.parametrize("policy", ["wrong", "drop"])
def test_instances_come_with_the_widest_gap_first(place, policy):
    rows = table(GAPPY)
    source = opened(place(rows), None, replace(REGRESSION, missing=policy))
    loss = np.abs(residuals(GAPPY))
    kept = np.ones(N, dtype=bool) if policy == "wrong" else ~np.isnan(loss).any(axis=1)
    filled = np.where(np.isnan(loss), np.inf, loss)
    with np.errstate(invalid="ignore"):
        gap = np.where(filled[:, 0] == filled[:, 1], 0.0, filled[:, 1] - filled[:, 0])
    wanted = {
        None: kept,
        "primary_better": kept & (gap > 0),
        "alternative_better": kept & (gap < 0),
        "tied": kept & (gap == 0),
    }
    for cell, chosen in wanted.items():
        found = source.instances("p", "q", cell, None)
        assert found.total == len(found) == chosen.sum()
        shown = [row["gap"] for row in found]
        assert shown == sorted(np.abs(gap[chosen]).tolist(), reverse=True)
        assert {int(row["id"]) for row in found} == set(np.flatnonzero(chosen).tolist())
    first = source.instances("p", "q", "primary_better", 3)
    assert (len(first), first.total) == (3, wanted["primary_better"].sum())
    with pytest.raises(TiebreakError, match="cell is 'right_wrong'"):
        source.instances("p", "q", "right_wrong", 3)


def test_instances_of_scores(place):
    rows = table(SCORES, truth=False)
    found = opened(place(rows), None, GRADED).instances("p", "q", "alternative_better", 5)
    gaps = sorted((q - p for p, q in zip(SCORES["p"], SCORES["q"], strict=True) if q > p), reverse=True)
    assert found.total == len(gaps)
    assert [row["gap"] for row in found] == gaps[:5]


def test_a_tolerance_counts_as_the_paper_counts():
    losses = opened(TRUTH, COLUMNS, Ask(task="regression"), WEIGHTS).losses
    cells = [0.0] * 4
    for y, p, q, w in zip(TRUTH, COLUMNS["p"], COLUMNS["q"], WEIGHTS, strict=True):
        cells[2 * (abs(p - y) > 0.5) + (abs(q - y) > 0.5)] += w
    assert prayatul_within(losses, "p", "q", 0.5).cells().tolist() == cells


def test_the_callers_objects_are_never_modified():
    truth, p, q = (np.array(column, dtype=float) for column in (TRUTH, COLUMNS["p"], COLUMNS["q"]))
    before = [column.copy() for column in (truth, p, q)]
    opened(truth, {"p": p, "q": q}, Ask(task="regression")).losses
    for was, column in zip(before, (truth, p, q), strict=True):
        np.testing.assert_array_equal(was, column)
