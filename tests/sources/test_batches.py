"""One pass over batches of Parquet finds what the engine finds query by query, or leaves the files to the engine."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tiebreak as tb
from tiebreak.sources import Ask, batches, opened
from tiebreak.sources.batches import scanned
from tiebreak.sources.plan import by_words
from tiebreak.tables.bits import unpack

KINDS = ("int8", "int16", "int32", "int64", "uint8", "uint64")


def columns(n, models=5, seed=0, low=-3, kinds=KINDS):
    """Columns of different widths, each right about half of the time."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(max(low, 0), 7, n)
    found = {"y": truth.astype(kinds[seed % len(kinds)])}
    for k in range(models):
        kind = kinds[(seed + k) % len(kinds)]
        said = np.where(rng.random(n) < 0.5, truth, rng.integers(0 if kind[0] == "u" else low, 9, n))
        found[f"m.{k}" if k == 1 else f"m{k}"] = said.astype(kind)
    return found


def written(path, table, rows=50):
    pq.write_table(pa.table(table), path, row_group_size=rows)
    return str(path)


def source_of(path, **given):
    return opened(path, None, Ask(truth="y", **given))


def assert_the_same(found, rows, table):
    """The tables as the engine counts them, and the patterns as a loop over the rows sees them."""
    names = rows.roles.models
    for model in names:
        own, engine = found.tables[model], rows.source.count(["y", model])
        assert cells(own) == cells(engine)
        assert [type(value) for value in own.values[0]] == [int] * len(own.values[0])
    right = unpack(found.patterns.bits, found.patterns.mass.n)
    expected = np.array([np.asarray(table[model]) == np.asarray(table["y"]) for model in names])
    assert sorted(map(tuple, right.T.tolist())) == sorted(map(tuple, expected.T.tolist()))


def cells(part):
    places = part.codes.T.tolist()
    return {
        tuple(part.values[c][k] for c, k in enumerate(row)): int(count)
        for row, count in zip(places, part.mass.counts, strict=True)
    }


@settings(max_examples=25)
@given(st.integers(1, 400), st.integers(0, 5), st.sampled_from([7, 64, 100, 1000]), st.sampled_from([64, 128, 1 << 18]))
def test_one_pass_finds_what_the_engine_finds(tmp_path_factory, n, seed, group, batch):
    table = columns(n, seed=seed)
    path = written(tmp_path_factory.mktemp("plain") / "rows.parquet", table, group)
    rows = source_of(path)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(batches, "BATCH", batch)
        assert_the_same(scanned(rows.source, rows.roles), rows, table)
    rows.close()


def test_several_files_whose_ranges_differ(tmp_path):
    parts = [columns(130, seed=seed, low=low) for seed, low in ((0, -3), (0, 0), (0, -120))]
    for place, part in enumerate(parts):
        written(tmp_path / f"{place}.parquet", part)
    rows = source_of(str(tmp_path))
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    assert_the_same(scanned(rows.source, rows.roles), rows, joined)
    rows.close()


def test_the_tally_is_that_of_the_arrays(tmp_path):
    table = columns(3000, models=40, kinds=("int8", "int16"))
    path = written(tmp_path / "rows.parquet", table, 700)
    source = source_of(path)
    found = by_words(source.source, source.ask, source.roles).tally
    expected = opened(table["y"], {m: table[m] for m in source.roles.models}, Ask()).tally
    assert (found.n, found.labels, found.models) == (expected.n, expected.labels, expected.models)
    assert found.pairs().tolist() == expected.pairs().tolist()
    for model in found.models:
        one, two = found.confusion(model), expected.confusion(model)
        assert one.matrix().tolist() == two.matrix().tolist()
    source.close()


def odd(kind):
    table = columns(90)
    if kind == "missing":
        table["m0"] = pa.array([None, *table["m0"][1:].tolist()])
    elif kind == "text":
        table["m0"] = [str(value) for value in table["m0"]]
    elif kind == "fractions":
        table["m0"] = table["m0"].astype(float)
    elif kind == "true or false":
        table["m0"] = table["m0"] > 2
    elif kind == "far apart":
        table["m0"] = np.where(np.arange(90) == 5, 1 << 40, table["m0"].astype(np.int64))
    elif kind == "nested":
        table["more"] = [{"a": 1, "b": 2}] * 90
    return table


@pytest.mark.parametrize("kind", ["missing", "text", "fractions", "true or false", "far apart", "nested"])
def test_what_is_not_plain_is_left_to_the_engine(tmp_path, kind):
    rows = source_of(written(tmp_path / "rows.parquet", odd(kind)), models=("m0", "m2"), missing="wrong")
    assert scanned(rows.source, rows.roles) is None
    rows.close()


def test_files_that_do_not_tell_their_ranges(tmp_path):
    path = str(tmp_path / "rows.parquet")
    pq.write_table(pa.table(columns(90)), path, write_statistics=False)
    rows = source_of(path)
    assert scanned(rows.source, rows.roles) is None
    rows.close()


@pytest.mark.parametrize("more", [{"weight": "m4"}, {"group": "m4"}])
def test_weights_and_groups_are_left_to_the_engine(tmp_path, more):
    rows = source_of(written(tmp_path / "rows.parquet", columns(90, low=0)), models=("m0", "m2"), **more)
    assert scanned(rows.source, rows.roles) is None
    rows.close()


def test_values_outside_what_a_file_says_of_itself_are_never_counted_in_another_cell(tmp_path, monkeypatch):
    rows = source_of(written(tmp_path / "rows.parquet", columns(90)))
    real = batches._spans
    monkeypatch.setattr(batches, "_spans", lambda *given: [(low, size - 1) for low, size in real(*given)])
    assert scanned(rows.source, rows.roles) is None
    rows.close()


def test_more_rows_than_can_be_held_are_left_to_the_engine(tmp_path, monkeypatch):
    rows = source_of(written(tmp_path / "rows.parquet", columns(90)))
    monkeypatch.setattr(batches, "MOST_BYTES", 90 * 8)
    assert scanned(rows.source, rows.roles) is None
    rows.close()


def test_without_arrow_the_engine_answers(tmp_path, monkeypatch):
    rows = source_of(written(tmp_path / "rows.parquet", columns(90)))
    monkeypatch.setattr(batches.importlib.util, "find_spec", lambda _: None)
    assert scanned(rows.source, rows.roles) is None
    assert by_words(rows.source, rows.ask, rows.roles).tally.n == 90
    rows.close()


def test_a_page_that_is_damaged_is_told_by_the_engine(tmp_path):
    path = tmp_path / "rows.parquet"
    written(path, columns(5000, models=12), 5000)
    rows = source_of(str(path))
    content = bytearray(path.read_bytes())
    content[200:2200] = bytes(255 - value for value in content[200:2200])
    path.write_bytes(content)
    with pytest.raises(tb.TiebreakError, match=r"rows\.parquet"):
        by_words(rows.source, rows.ask, rows.roles)
    rows.close()
