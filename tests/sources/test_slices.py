"""Slices from every kind of source equal counts made by hand, from one pass of the engine a column."""

from collections import Counter

import dask.dataframe as dd
import duckdb
import ibis
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tiebreak.errors import ColumnNotFound, TiebreakError
from tiebreak.sources import Ask, opened, sliced
from tiebreak.sources.engine import Engine
from tiebreak.sources.plan import by_words
from tiebreak.sources.slices import Tenth, deciles

N = 600


def table():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, N)
    frame = pd.DataFrame(
        {
            "id": np.arange(N),
            "y": truth,
            "site": rng.choice(["north", "south", None], N),
            "age": rng.normal(50, 10, N).round(1),
            "visit": rng.integers(0, 4, N),
            "p": np.where(rng.random(N) < 0.8, truth, 0),
            "q": np.where(rng.random(N) < 0.7, truth, 0),
        }
    )
    frame.loc[::50, "age"] = np.nan
    return frame


FRAME = table()
ASK = Ask(truth="y", id="id", by=("site", "age", "visit"))


def sources(folder):
    FRAME.to_csv(folder / "t.csv", index=False)
    FRAME.to_parquet(folder / "t.parquet")
    yield FRAME
    yield {column: FRAME[column].to_numpy() for column in FRAME}
    yield pl.from_pandas(FRAME)
    yield pl.from_pandas(FRAME).lazy()
    yield str(folder / "t.csv")
    yield str(folder / "t.parquet")
    yield duckdb.sql(f"SELECT * FROM '{folder / 't.parquet'}'")


def by_hand(keys):
    found = Counter()
    for key, y, p, q in zip(keys, FRAME["y"], FRAME["p"], FRAME["q"], strict=True):
        found[key, 2 * (p != y) + (q != y)] += 1
    return found


def in_slices(tally):
    right = tally.cells.right()
    cells = tally.crossing.cells(right[0], right[1])
    assert cells.sum() == N
    return {
        (name, place): count
        for name, row in zip(tally.crossing.names, cells.tolist(), strict=True)
        for place, count in enumerate(row)
        if count
    }


def none(value):
    return None if value is None or value != value else value


def test_every_source_agrees_with_the_count_by_hand(tmp_path):
    ages = FRAME["age"].to_numpy()
    values, counts = np.unique(ages[~np.isnan(ages)], return_counts=True)
    edges = deciles(values, counts)
    tenth = [None if age != age else Tenth(int(np.searchsorted(edges, age)), edges) for age in ages]
    site = [none(value) for value in FRAME["site"]]
    visit = FRAME["visit"].tolist()
    keys = {
        "site": site,
        "visit": visit,
        "age": tenth,
        ("site", "visit"): list(zip(site, visit, strict=True)),
        ("age", "site"): list(zip(tenth, site, strict=True)),
    }
    more = [
        pa.Table.from_pandas(FRAME),
        dd.from_pandas(FRAME, npartitions=3),
        ibis.memtable(pa.Table.from_pandas(FRAME)),
    ]
    for source in [*sources(tmp_path), *more]:
        rows = opened(source, None, ASK)
        assert rows.roles.models == ("p", "q")
        for columns, expected in keys.items():
            tally = sliced(rows, columns)
            assert in_slices(tally) == dict(by_hand(expected)), (type(source), columns)
        names = sliced(rows, "age").crossing.names
        assert len(names) == 11
        assert names[0].startswith("≤ ")
        assert names[9].startswith("> ")
        assert names[10] is None
        assert sliced(rows, "visit").crossing.names == (0, 1, 2, 3)
        assert sliced(rows, "site").crossing.names == ("north", "south", None)
        rows.close()


def test_arrays_bring_their_slices_with_them():
    rows = opened(FRAME["y"].to_numpy(), {"p": FRAME["p"].to_numpy(), "q": FRAME["q"].to_numpy()}, Ask())
    visit = FRAME["visit"].to_numpy()
    assert in_slices(sliced(rows, "visit", {"visit": visit})) == dict(by_hand(visit.tolist()))
    with pytest.raises(TiebreakError, match="visit has 3 values"):
        sliced(rows, "visit", {"visit": [1, 2, 3]})


def test_the_tally_by_slice_is_the_tally(tmp_path):
    for source in sources(tmp_path):
        rows = opened(source, None, ASK)
        for column in ("site", "age"):
            tally = sliced(rows, column)
            assert (tally.pairs() == rows.tally.pairs()).all()
            right = tally.cells.right()
            whole = tally.crossing.cells(right[0], right[1]).sum(axis=0)
            assert whole.tolist() == rows.tally.pairs()[0, 1].tolist()
        rows.close()


def test_weights_and_the_policy_for_missing_predictions_hold_in_slices():
    frame = FRAME.assign(w=np.tile([0.5, 2.0], N // 2))
    frame["p"] = frame["p"].astype("Int64").mask(frame["id"] % 7 == 0)
    for source in (frame, pl.from_pandas(frame)):
        rows = opened(source, None, Ask(truth="y", id="id", weight="w", by=("site", "age", "visit"), missing="drop"))
        tally = sliced(rows, "visit")
        right = tally.cells.right()
        cells = tally.crossing.cells(right[0], right[1])
        kept = frame[frame["id"] % 7 != 0]
        for place, name in enumerate(tally.crossing.names):
            part = kept[kept["visit"] == name]
            assert cells[place].sum() == part["w"].sum()
            assert cells[place, :2].sum() == part["w"][part["p"] == part["y"]].sum()
        squares = tally.crossing.squares(right[0], right[1])
        assert squares.sum() == pytest.approx((kept["w"] ** 2).sum())


def test_joined_files_and_long_layouts_have_slices_too(tmp_path):
    for model in "pq":
        FRAME[["id", "y", "site", "age", model]].rename(columns={model: "y_pred"}).to_csv(
            tmp_path / f"{model}.csv", index=False
        )
    files = [(model, str(tmp_path / f"{model}.csv")) for model in "pq"]
    rows = opened(files, None, Ask(truth="y", id="id", by=("site", "age")))
    site = [none(value) for value in FRAME["site"]]
    assert in_slices(sliced(rows, "site")) == dict(by_hand(site))
    assert len(sliced(rows, "age").crossing.names) == 11
    rows.close()
    long = FRAME.melt(id_vars=["id", "y", "visit"], value_vars=["p", "q"], var_name="model", value_name="answer")
    long.to_csv(tmp_path / "long.csv", index=False)
    ask = Ask(truth="y", id="id", long=("model", "answer"), by=("visit",))
    for source in (str(tmp_path / "long.csv"), long, pl.from_pandas(long)):
        rows = opened(source, None, ask)
        assert in_slices(sliced(rows, "visit")) == dict(by_hand(FRAME["visit"].tolist())), type(source)
        rows.close()
    with pytest.raises(ColumnNotFound, match="by names 'nowhere'"):
        opened(files, None, Ask(truth="y", id="id", by=("nowhere",)))


def test_one_engine_pass_a_column_and_never_one_a_slice(tmp_path, monkeypatch):
    FRAME.to_parquet(tmp_path / "t.parquet")
    rows = opened(str(tmp_path / "t.parquet"), None, ASK)
    groupings = []
    fetch = Engine.fetch

    def counted(self, sql, where="the data"):
        groupings.append(sql)
        return fetch(self, sql, where)

    monkeypatch.setattr(Engine, "fetch", counted)
    sliced(rows, "site")
    scans = [sql for sql in groupings if "GROUP BY" in sql and "LIMIT" not in sql.split("GROUP BY")[0]]
    assert len(scans) == 1
    rows.close()


def test_the_words_plan_has_slices(tmp_path):
    from dataclasses import replace

    from tiebreak.sources import slices

    for source in sources(tmp_path):
        rows = opened(source, None, ASK)
        joint = in_slices(sliced(rows, "site"))
        key, _ = slices._keyed(rows.source, ("site",), key="k")
        words = by_words(key, rows.ask, replace(rows.roles, group="k", open_group=True)).tally
        right = words.cells.right()
        cells = words.crossing.cells(right[0], right[1])
        assert sorted(cells.sum(axis=1)) == sorted(
            sum(count for (name, _), count in joint.items() if name == value) for value in ("north", "south", None)
        )
        rows.close()


def test_many_models_are_loaded_and_still_sliced(tmp_path):
    wide = FRAME.assign(**{f"m{k}": FRAME["p"] for k in range(30)})
    wide.to_parquet(tmp_path / "wide.parquet")
    rows = opened(str(tmp_path / "wide.parquet"), None, ASK)
    assert type(rows.source).__name__ == "LoadedSource"
    assert in_slices(sliced(rows, "visit")) == dict(by_hand(FRAME["visit"].tolist()))
    rows.close()


def test_tenths_of_ties_merge_and_few_values_stay():
    assert deciles(np.array([1.0, 2.0, 3.0]), np.array([80, 10, 10])) == (1.0, 2.0)
    skewed = pd.DataFrame({"y": [0] * 100, "p": [0] * 100, "q": [0] * 100, "x": [0] * 75 + list(range(1, 26))})
    names = sliced(opened(skewed, None, Ask(truth="y", by=("x",))), "x").crossing.names
    assert names == ("≤ 0", "(0, 5]", "(5, 15]", "> 15")


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        (("site", "age", "visit"), "by holds 3 columns: slices are of one column, or of a conjunction of two"),
        ("place", "by names 'place', which is no column of"),
        (("site", "site"), "by names site more than once"),
    ],
)
def test_bad_slices(columns, text, tmp_path):
    for source in sources(tmp_path):
        rows = opened(source, None, ASK)
        with pytest.raises(TiebreakError) as error:
            sliced(rows, columns)
        assert text in str(error.value)
        rows.close()


def test_a_column_of_ids_is_no_slice(tmp_path):
    many = pd.DataFrame({"y": [0] * 1500, "p": [0] * 1500, "q": [0] * 1500, "x": [f"case {k}" for k in range(1500)]})
    many.to_csv(tmp_path / "many.csv", index=False)
    for source in (many, pl.from_pandas(many), str(tmp_path / "many.csv")):
        rows = opened(source, None, Ask(truth="y", by=("x",)))
        with pytest.raises(TiebreakError, match="slices are of columns with at most 1000"):
            sliced(rows, "x")
        rows.close()
    with pytest.raises(ColumnNotFound, match="by names 'z'"):
        opened(many, None, Ask(truth="y", by=("z",)))
    with pytest.raises(TiebreakError, match="by names 'y', which is the truth"):
        opened(many, None, Ask(truth="y", by=("y",)))
