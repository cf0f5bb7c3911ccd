"""Files to explore, and clients that know the way in."""

import contextlib

import duckdb
from starlette.testclient import TestClient

import tiebreak as tb
from tiebreak.explorer import application, ground_of

TOKEN = "a-token-nobody-guesses"  # noqa: S105 a name for a door of the tests
LABELS = ("cat", "dog", "<b>fox</b>", "it's")
TEXTS = ("plain words", "<script>alert(1)</script>", "'; DROP TABLE rows; --", "100% _like_", "", None)


def instance(i):
    """One row of the file, by arithmetic, so that a test can say which rows pass a filter without asking an engine."""
    truth = LABELS[i * 7 % 4]
    return {
        "id": f"r{i:04d}",
        "label": truth,
        "knn": truth if i % 3 else LABELS[i % 4],
        "tree": truth if i % 5 else LABELS[(i + 1) % 4],
        "forest": truth if i % 2 else LABELS[(i + 2) % 4],
        "age": i * 37 % 101,
        "score": None if i % 11 == 0 else (i * 61 % 997) / 997,
        "split": ("dev", "test")[i * i % 3 == 1],
        "text": TEXTS[i % 6],
    }


ROWS = [instance(i) for i in range(430)]


def write_rows(path, rows):
    """A Parquet file of several small row groups."""
    columns = list(rows[0])
    types = {"age": "INTEGER", "score": "DOUBLE"}
    with duckdb.connect() as connection:
        typed = ", ".join(f"{column} {types.get(column, 'VARCHAR')}" for column in columns)
        connection.execute(f"CREATE TABLE t ({typed})")
        marks = ", ".join("?" * len(columns))
        connection.executemany(f"INSERT INTO t VALUES ({marks})", [[row[c] for c in columns] for row in rows])
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)")
    return path


@contextlib.contextmanager
def explored(path, *, say=lambda _: None, headers=None, **options):
    """A client of the explorer of a file; its paths are taken behind the token."""
    files = [path] if isinstance(path, str) else list(path)
    comparison = tb.compare(files[0] if len(files) == 1 else files, **options)
    ground = ground_of(comparison, files, say=say)
    with TestClient(
        application(ground, TOKEN), base_url="http://127.0.0.1", headers=headers, follow_redirects=False
    ) as client:
        client.ground = ground
        client.page = lambda where="", **parameters: client.get(f"/{TOKEN}/{where}", params=parameters)
        yield client
