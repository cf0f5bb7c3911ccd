"""The same rows in every shape: label columns of every kind, and builders that bring them to every engine."""

from __future__ import annotations

import csv
import datetime as dt
import json
import math
from decimal import Decimal

import numpy as np

SIZE = 60

_RNG = np.random.default_rng(20)


def _mixed(values, *, gaps):
    """Truth and three models that are often right; the models have gaps where asked for."""
    truth = [values[k] for k in _RNG.integers(0, len(values), SIZE)]
    models = []
    for _ in range(3):
        answers = [g if _RNG.random() < 0.6 else values[_RNG.integers(0, len(values))] for g in truth]
        models.append([None if gaps and _RNG.random() < 0.1 else answer for answer in answers])
    return [truth, *models]


INTEGERS = [0, 1, 2, 7]
TEXT = ["01", "1", "é", " ", "a,b", 'say "x"', "line\nbreak", "None", "NaN", "x" * 40, "\u202eright-to-left", "1.0"]
BIG = [2**53, 2**53 + 1, 2**63 - 1, -(2**63)]

_MOMENT = dt.datetime(2026, 1, 2, 3, 4, 5, 123456)
_BACK, _DAY = dt.datetime(2026, 10, 25, 0, 30, tzinfo=dt.UTC), dt.timedelta(days=1)

# name -> (kind, columns): the truth first, then the models.
CASES = {
    "integers": ("int", _mixed(INTEGERS, gaps=False)),
    "integers with gaps": ("int", _mixed(INTEGERS, gaps=True)),
    "negative integers": ("int", _mixed([-3, -1, 0], gaps=True)),
    "text": ("text", _mixed(TEXT, gaps=False)),
    "text with gaps": ("text", _mixed(TEXT, gaps=True)),
    "booleans": ("bool", _mixed([False, True], gaps=False)),
    "booleans with gaps": ("bool", _mixed([False, True], gaps=True)),
    "big integers": ("int", _mixed(BIG, gaps=False)),
    "big integers with gaps": ("int", _mixed(BIG, gaps=True)),
    "whole floats": (
        "float",
        [[float(v) if v is not None else math.nan for v in c] for c in _mixed(INTEGERS, gaps=True)],
    ),
    "signed zeros": ("float", _mixed([0.0, -0.0, 1.0], gaps=False)),
    "broken floats": ("float", _mixed([0.5, 0.25, 1.0], gaps=False)),
    "decimals": ("decimal", _mixed([Decimal("1.50"), Decimal("2.00"), Decimal("-0.25")], gaps=True)),
    "dates": ("date", _mixed([dt.date(2026, 1, day) for day in (1, 2, 28)], gaps=True)),
    "points in time": ("moment", _mixed([_MOMENT, _MOMENT.replace(microsecond=0), _MOMENT.replace(hour=0)], gaps=True)),
    # Half an hour apart where the clocks of Berlin are put back: the same local time twice.
    "points in time with a zone": (
        "zoned",
        _mixed([_BACK, _BACK + dt.timedelta(hours=1), _BACK + 2 * _DAY], gaps=True),
    ),
    "text with a NUL": ("text", _mixed(["a", "a\0", "a\0b", "\0"], gaps=True)),
    "categories": ("category", _mixed(["low", "mid", "high"], gaps=True)),
}

NAMES = ("y_true", "p", "q", "r")


def arrow_types(kind):
    import pyarrow as pa

    return {
        "int": pa.int64(), "text": pa.string(), "bool": pa.bool_(), "float": pa.float64(),
        "category": pa.dictionary(pa.int8(), pa.string()), "decimal": pa.decimal128(10, 2), "date": pa.date32(),
        "moment": pa.timestamp("us"), "zoned": pa.timestamp("us", "Europe/Berlin"),
    }[kind]  # fmt: skip


def to_lists(kind, columns):
    return dict(zip(NAMES, columns, strict=True))


def to_arrow(kind, columns):
    import pyarrow as pa

    return pa.table(
        {name: pa.array(c, type=arrow_types(kind), from_pandas=False) for name, c in zip(NAMES, columns, strict=True)}
    )


def to_numpy(kind, columns):
    def array(column):
        if any(v is None for v in column) or kind in {"text", "category", "decimal", "date", "zoned"}:
            out = np.empty(len(column), dtype=object)
            out[:] = column
            return out
        return np.array(column)

    return {name: array(column) for name, column in zip(NAMES, columns, strict=True)}


def to_pandas_plain(kind, columns):
    import pandas as pd

    if kind == "category":
        levels = ["mid", "low", "high"]
        return pd.DataFrame({n: pd.Categorical(c, categories=levels) for n, c in zip(NAMES, columns, strict=True)})
    if kind == "bool" or (kind == "int" and any(v is None for c in columns for v in c)):
        return pd.DataFrame({n: pd.Series(c, dtype=object) for n, c in zip(NAMES, columns, strict=True)})
    frame = pd.DataFrame(dict(zip(NAMES, columns, strict=True)))
    return frame.apply(lambda column: column.dt.tz_convert("Europe/Berlin")) if kind == "zoned" else frame


def to_pandas_nullable(kind, columns):
    import pandas as pd

    dtype = {"int": "Int64", "text": "string", "bool": "boolean", "float": "Float64", "category": "category"}.get(
        kind, object
    )
    return pd.DataFrame({n: pd.Series(c, dtype=dtype) for n, c in zip(NAMES, columns, strict=True)})


def to_pandas_object(kind, columns):
    import pandas as pd

    return pd.DataFrame({n: pd.Series(c, dtype=object) for n, c in zip(NAMES, columns, strict=True)})


def to_pandas_arrow(kind, columns):
    import pandas as pd

    return to_arrow(kind, columns).to_pandas(types_mapper=pd.ArrowDtype)


def to_polars(kind, columns):
    import polars as pl

    dtype = {
        "int": pl.Int64, "text": pl.String, "bool": pl.Boolean, "float": pl.Float64, "category": pl.Categorical,
        "decimal": pl.Decimal(10, 2), "date": pl.Date, "moment": pl.Datetime("us"),
        "zoned": pl.Datetime("us", "Europe/Berlin"),
    }[kind]  # fmt: skip
    return pl.DataFrame({n: pl.Series(c, dtype=dtype) for n, c in zip(NAMES, columns, strict=True)})


def to_polars_lazy(kind, columns):
    return to_polars(kind, columns).lazy()


def to_duckdb(kind, columns):
    import duckdb

    table = to_arrow(kind, columns)
    return duckdb.connect().from_arrow(table)


def to_dask(kind, columns):
    import dask
    import dask.dataframe as dd

    dask.config.set({"dataframe.convert-string": False})
    return dd.from_pandas(to_pandas_nullable(kind, columns), npartitions=3)


def to_ibis(kind, columns):
    import ibis

    return ibis.memtable(to_arrow(kind, columns))


IN_MEMORY = {
    "lists": to_lists,
    "numpy": to_numpy,
    "pandas": to_pandas_plain,
    "pandas nullable": to_pandas_nullable,
    "pandas object": to_pandas_object,
    "pandas arrow": to_pandas_arrow,
    "polars": to_polars,
    "polars lazy": to_polars_lazy,
    "pyarrow": to_arrow,
    "duckdb": to_duckdb,
    "dask": to_dask,
    "ibis": to_ibis,
}


def write_csv(kind, columns, path, delimiter=","):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(NAMES)
        writer.writerows([["" if v is None or v != v else v for v in row] for row in zip(*columns, strict=True)])


def write_tsv(kind, columns, path):
    write_csv(kind, columns, path, "\t")


def _written(value):
    return float(value) if isinstance(value, Decimal) else str(value)


def write_jsonl(kind, columns, path):
    rows = [
        dict(zip(NAMES, [None if v is None or v != v else v for v in row], strict=True))
        for row in zip(*columns, strict=True)
    ]
    path.write_text("\n".join(json.dumps(row, default=_written) for row in rows) + "\n", encoding="utf-8")


def write_json(kind, columns, path):
    rows = [
        dict(zip(NAMES, [None if v is None or v != v else v for v in row], strict=True))
        for row in zip(*columns, strict=True)
    ]
    path.write_text(json.dumps({"rows": rows, "about": "a test"}, default=_written), encoding="utf-8")


def write_parquet(kind, columns, path):
    import pyarrow.parquet as pq

    pq.write_table(to_arrow(kind, columns), path)


def write_feather(kind, columns, path):
    from pyarrow import feather

    feather.write_feather(to_arrow(kind, columns), path)


FILES = {
    "csv": write_csv, "tsv": write_tsv, "jsonl": write_jsonl, "json": write_json, "parquet": write_parquet,
    "feather": write_feather,
}  # fmt: skip


def expected(columns, *, as_text=False):
    """Return outcomes and counts by the plainest means; in text files booleans are the words that were written."""
    from collections import Counter

    def label(value):
        if value is None or value != value:
            return None
        if as_text:
            return str(value)
        if isinstance(value, Decimal | float):
            return int(value) if value == int(value) else float(value)
        return str(value) if isinstance(value, dt.date) else value

    return Counter(tuple(map(label, row)) for row in zip(*columns, strict=True))
