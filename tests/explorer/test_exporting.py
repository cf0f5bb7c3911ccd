"""An export is the selection: the same rows in file order, every column, in three forms."""

import csv
import io
import json

import duckdb
import pytest

from explorer.grounds import ROWS, explored
from explorer.reading import every_page

SELECTIONS = (
    {},
    {"cell": "right_wrong"},
    {"cell": "both_wrong", "true": "cat"},
    {"text": "<script>"},
    {"column": "score", "test": "missing", "value": ""},
    {"sort": "age", "order": "desc", "cell": "wrong_right"},
    {"id": "r0007"},
    {"id": "nobody"},
)


def ids(response, form, tmp_path):
    assert response.status_code == 200, response.text
    if form == "jsonl":
        return [json.loads(line)["id"] for line in response.text.splitlines()]
    if form == "csv":
        return [row["id"] for row in csv.DictReader(io.StringIO(response.text, newline=""))]
    path = tmp_path / "e.parquet"
    path.write_bytes(response.content)
    return [row[0] for row in duckdb.sql(f"SELECT id FROM read_parquet('{path}')").fetchall()]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("wanted", SELECTIONS, ids=str)
def test_an_export_holds_the_rows_of_the_selection(client, tmp_path, form, wanted):
    shown = sorted(every_page(client, **wanted))
    response = client.page(f"export.{form}", **wanted)
    assert ids(response, form, tmp_path) == [ROWS[n]["id"] for n in shown]
    assert response.headers["content-disposition"].startswith(f"attachment; filename=preds-selection.{form};")
    assert int(response.headers["content-length"]) == len(response.content)


def test_a_whole_file_comes_back_with_its_types(client, rows_file, tmp_path):
    path = tmp_path / "whole.parquet"
    path.write_bytes(client.page("export.parquet").content)
    both = (f"SELECT * FROM read_parquet('{place}')" for place in (path, rows_file))
    first, second = (duckdb.sql(sql) for sql in both)
    assert first.columns == second.columns
    assert first.types == second.types
    assert first.fetchall() == second.fetchall() == [tuple(row.values()) for row in ROWS]


def test_nothing_is_left_of_an_export(client):
    import pathlib

    client.page("export.csv")
    assert list(pathlib.Path(client.ground.folder).iterdir()) == []
    head = client.head("/a-token-nobody-guesses/export.csv")
    assert head.status_code == 200
    assert head.content == b""


def test_json_keeps_its_kinds(tmp_path):
    path = tmp_path / "rows.jsonl"
    rows = [{"y_true": n % 2, "a": 1, "b": "1" if n == 9 else 0, "more": {"k": [n, None]}} for n in range(6)]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    with explored(str(path), models=["a", "b"]) as client:
        found = [json.loads(line) for line in client.page("export.jsonl").text.splitlines()]
        assert found == rows
        assert len(every_page(client, cell="right_wrong")) == 3


def test_an_export_that_cannot_be_written_is_one_clear_page(client, monkeypatch):
    from tiebreak.errors import TiebreakError

    def full(*_):
        raise TiebreakError("preds.parquet cannot be written: no space left on device")

    monkeypatch.setattr(type(client.ground.locked), "copy", full)
    response = client.page("export.csv")
    assert response.status_code == 422
    assert "no space left" in response.text
