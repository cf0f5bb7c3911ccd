"""Numbers to explore, and what a loop over them says."""

import math

import duckdb

CELLS = ("primary_better", "tied", "alternative_better")
MODELS = ("near", "far", "<b>wild</b>")
N = 170


def instance(i):
    """Quarters, so that ties are common; one model has no number now and then, and is infinite once."""
    y = i * 7 % 23 / 4
    return {
        "id": f"r{i:03d}",
        "y": y,
        "near": y + (i * 5 % 7 - 3) / 4,
        "far": y + (i * 3 % 11 - 5) / 4,
        "<b>wild</b>": None if i % 13 == 4 else math.inf if i == 60 else y - (i % 5) / 4,
        "site": ("north", "south", None)[i % 3],
    }


ROWS = [instance(i) for i in range(N)]


def off(row, model, task="regression"):
    """How badly a model does on a row, whatever the task."""
    value = row[model]
    if task == "scores":
        return math.inf if value is None else -value
    return math.inf if value is None or math.isinf(value) else abs(value - row["y"])


def ahead(row, primary, alternative, task="regression"):
    p, q = off(row, primary, task), off(row, alternative, task)
    return 0.0 if p == q else q - p


def cell_of(gap):
    return CELLS[1 if gap == 0 else 0 if gap > 0 else 2]


def written(path, rows, form="parquet"):
    names = list(rows[0])
    with duckdb.connect() as connection:
        columns = [f'"{c}" {"VARCHAR" if c in {"id", "site"} else "DOUBLE"}' for c in names]
        connection.execute(f"CREATE TABLE t ({', '.join(columns)})")
        marks = ", ".join("?" * len(names))
        connection.executemany(f"INSERT INTO t VALUES ({marks})", [list(row.values()) for row in rows])
        connection.execute(f"COPY t TO '{path}' (FORMAT {form})")
    return str(path)
