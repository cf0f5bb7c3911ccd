"""Points in time: one instant is one label, whatever container, resolution and zone it comes in."""

import datetime as dt
import itertools
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiebreak.errors import MixedLabels
from tiebreak.sources import Ask, opened
from tiebreak.sources.labels import label_of
from tiebreak.sources.moments import moment_of
from tiebreak.sources.slices import sliced

BERLIN = ZoneInfo("Europe/Berlin")
# Hours round the one that comes twice in Berlin.
AWARE = [dt.datetime(2026, 10, 24, 23, 30, 5, 250_000, tzinfo=dt.UTC) + dt.timedelta(hours=k) for k in range(4)]
NAIVE = [moment.replace(tzinfo=None) for moment in AWARE]

ZONED = {
    "list": AWARE,
    "list, Berlin": [moment.astimezone(BERLIN) for moment in AWARE],
    "object array": np.array(AWARE, dtype=object),
    "pandas": pd.Series(AWARE),
    "pandas, Berlin": pd.Series(AWARE).dt.tz_convert("Europe/Berlin"),
    "pandas object": pd.Series(AWARE, dtype=object),
    "pandas Arrow": pd.Series(AWARE, dtype=pd.ArrowDtype(pa.timestamp("us", "UTC"))),
    "polars": pl.Series(AWARE),
    "polars ms, Berlin": pl.Series(AWARE, dtype=pl.Datetime("ms", "Europe/Berlin")),
    "Arrow ns, New York": pa.chunked_array([pa.array(AWARE, pa.timestamp("ns", "America/New_York"))]),
}
PLAIN = {
    "list": NAIVE,
    "ms": np.array(NAIVE, dtype="M8[ms]"),
    "us": np.array(NAIVE, dtype="M8[us]"),
    "ns": np.array(NAIVE, dtype="M8[ns]"),
    "NumPy objects": np.array([*np.array(NAIVE, dtype="M8[us]"), None], dtype=object)[:-1],
    "pandas": pd.Series(NAIVE),
    "pandas object": pd.Series(NAIVE, dtype=object),
    "polars": pl.Series(NAIVE),
    "polars ms": pl.Series(NAIVE, dtype=pl.Datetime("ms")),
    "Arrow": pa.chunked_array([pa.array(NAIVE, pa.timestamp("ns"))]),
}


@pytest.mark.parametrize("forms", [ZONED, PLAIN], ids=["with a zone", "without"])
def test_equal_instants_are_one_label_in_any_two_containers(forms):
    for (one, truth), (other, answers) in itertools.permutations(forms.items(), 2):
        tally = opened(truth, {"p": answers, "q": answers}, Ask()).tally
        assert tally.pairs()[0, 1].tolist() == [4, 0, 0, 0], (one, other)
        assert len(tally.labels) == 4, (one, other)


def test_columns_of_one_frame_or_file_may_differ_in_resolution_and_zone(tmp_path):
    table = pa.table({
        "y_true": pa.array(AWARE, pa.timestamp("us", "UTC")), "p": pa.array(AWARE, pa.timestamp("ms", "Europe/Berlin")),
        "q": pa.array(AWARE[::-1], pa.timestamp("ns", "America/New_York")),
    })  # fmt: skip
    pa.parquet.write_table(table, tmp_path / "a.parquet")
    frames = [table, table.to_pandas(), pl.from_arrow(table), pl.from_arrow(table).lazy(), str(tmp_path / "a.parquet")]
    for data in frames:
        source = opened(data, None, Ask())
        assert source.tally.pairs()[0, 1].tolist() == [0, 4, 0, 0]
        assert source.tally.labels == tuple(str(moment_of(moment)) for moment in AWARE)
        assert source.instances("p", "q", "right_wrong", 9).total == 4
        assert sliced(source, "y_true").crossing.names == source.tally.labels


def test_a_point_with_a_zone_equals_none_without():
    source = opened(AWARE, {"p": NAIVE, "q": AWARE}, Ask())
    assert source.tally.pair("p", "q").cells().tolist() == [0, 0, 4, 0]
    assert len(source.notes) == 1


def test_days_of_numpy_are_dates_and_hours_are_points():
    days = np.array(["2026-01-02", "NaT"], dtype="M8[D]")
    dates = [dt.date(2026, 1, 2), None]
    assert opened(dates[:1], {"p": days[:1], "q": dates[:1]}, Ask()).tally.pairs()[0, 1].tolist() == [1, 0, 0, 0]
    assert label_of(np.datetime64("2026-01-02T03", "h"), "y") == "2026-01-02 03:00:00"
    assert label_of(np.datetime64("NaT"), "y") is None
    with pytest.raises(MixedLabels, match=r"dates .* points in time"):
        opened(dates[:1], {"p": np.array(["2026-01-02"], dtype="M8[s]"), "q": dates[:1]}, Ask()).tally


def test_years_that_nanoseconds_cannot_reach_do_not_wrap():
    far = np.array(["9999-12-31T00:00:00"], dtype="M8[s]")
    assert opened(far, {"p": [dt.datetime(9999, 12, 31)], "q": far}, Ask()).tally.labels == ("9999-12-31 00:00:00",)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-02", "2026-01-02 00:00:00"),
        ("2026-01-02T03:04", "2026-01-02 03:04:00"),
        ("2026-01-02 03:04:05.100000000", "2026-01-02 03:04:05.1"),
        ("2026-01-02 03:04:05Z", "2026-01-02 03:04:05+00:00"),
        ("2026-01-02 03:04:05 UTC", "2026-01-02 03:04:05+00:00"),
        ("2026-01-02 03:04:05.5+01", "2026-01-02 02:04:05.5+00:00"),
        ("1890-01-01 00:53:28+00:53:28", "1890-01-01 00:00:00+00:00"),
        ("0001-01-01 00:00:00+01:00", "0001-01-01 00:00:00+01:00"),
        ("infinity", "infinity"),
    ],
)
def test_spellings_of_engines(text, moment):
    assert moment_of(text) == moment


@given(st.datetimes(timezones=st.timezones()))
def test_the_spelling_is_that_of_python_in_utc(moment):
    try:
        expected = moment.astimezone(dt.UTC)
    except OverflowError:
        return
    found = moment_of(moment)
    assert dt.datetime.fromisoformat(found) == expected
    assert found == moment_of(expected) == moment_of(str(moment))
