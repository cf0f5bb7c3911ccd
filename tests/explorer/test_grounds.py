"""Whatever is explored becomes one Parquet file; one that changes under the explorer is not shown any more."""

import os
import shutil
from pathlib import Path

import duckdb
import pytest

import tiebreak as tb
from explorer.grounds import ROWS, explored, write_rows
from explorer.reading import Read, every_page, total
from tiebreak.explorer import ground_of

OPTIONS = {"truth": "label", "models": ["knn", "tree", "forest"]}


@pytest.fixture
def own_file(tmp_path):
    return write_rows(str(tmp_path / "own.parquet"), ROWS)


@pytest.mark.parametrize("change", ["rewritten", "deleted", "replaced by a folder", "emptied", "appended to"])
def test_a_file_that_changes_or_vanishes_is_one_clear_page(own_file, change):
    path = Path(own_file)
    with explored(own_file, **OPTIONS) as client:
        assert total(client.page()) == 430
        if change == "rewritten":
            write_rows(own_file, ROWS[:20])
        elif change == "emptied":
            path.write_bytes(b"")
        elif change == "appended to":
            path.write_bytes(path.read_bytes() + b"x")
        else:
            path.unlink()
            if change != "deleted":
                path.mkdir()
        for where in ("", "row/3", "export.csv"):
            response = client.page(where, true="cat", after="17")
            assert response.status_code == 409, response.text
            words = Read(response.text).words
            assert "own.parquet" in words
            assert ("is gone" in words) == (change == "deleted")
            assert str(path.parent) not in response.text


def test_a_file_that_changes_while_it_is_read_is_not_shown(own_file, monkeypatch):
    with explored(own_file, **OPTIONS) as client:
        real = type(client.ground.source).right

        def changing(self, *given):
            os.utime(own_file, ns=(1, 1))
            return real(self, *given)

        monkeypatch.setattr(type(client.ground.source), "right", changing)
        assert client.page(true="cat").status_code == 409


@pytest.mark.parametrize("form", ["csv", "jsonl", "arrow"])
def test_other_files_are_written_to_a_temporary_one_which_is_said_and_removed(own_file, tmp_path, form):
    path = str(tmp_path / f"other.{form}")
    if form == "arrow":
        import pyarrow.feather
        import pyarrow.parquet

        pyarrow.feather.write_feather(pyarrow.parquet.read_table(own_file), path, compression="uncompressed")
    else:
        kind = {"csv": "FORMAT csv, HEADER", "jsonl": "FORMAT json"}[form]
        duckdb.sql(f"COPY (FROM read_parquet('{own_file}')) TO '{path}' ({kind})")
    said = []
    with explored(path, say=said.append, **OPTIONS) as client, explored(own_file, **OPTIONS) as same:
        folder = Path(client.ground.folder)
        assert said == [f"other.{form} is no single Parquet file: 430 rows were written to a temporary one"]
        assert [file.name for file in folder.iterdir()] == ["rows.parquet"]
        for wanted in (
            {"cell": "right_wrong"},
            {"sort": "age"},
            {"sort": "score", "order": "desc"},
            {"column": "age", "test": "at-least", "value": "50"},
            {"text": "DROP"},
            {"true": "it's", "by": "tree", "said": "cat"},
        ):
            assert every_page(client, **wanted) == every_page(same, **wanted), wanted
        Path(path).write_text("else")
        assert client.page(true="dog").status_code == 409
    assert not folder.exists()


@pytest.mark.parametrize("spelled", ["{}", "{}/*.parquet"])
def test_a_part_of_a_folder_that_vanishes_or_changes_is_noticed(tmp_path, spelled):
    for place in range(2):
        write_rows(str(tmp_path / f"{place}.parquet"), ROWS[place * 200 : place * 200 + 200])
    with explored(spelled.format(tmp_path), **OPTIONS) as client:
        assert total(client.page()) == 400
        (tmp_path / "1.parquet").unlink()
        response = client.page(true="cat")
        assert response.status_code == 409
        assert "1.parquet is gone" in Read(response.text).words


def test_several_files_are_joined_first(tmp_path):
    for model in ("p", "q"):
        lines = [f"{n},{n % 3},{n % 3 if n % (2 if model == 'p' else 5) else 0}" for n in range(90)]
        (tmp_path / f"{model}.csv").write_text("id,y_true,y_pred\n" + "\n".join(lines) + "\n")
    said = []
    with explored([str(tmp_path / "p.csv"), str(tmp_path / "q.csv")], say=said.append, id="id") as client:
        assert said == ["p.csv, q.csv were joined: 90 rows were written to a temporary one"]
        for cell in ("both_right", "right_wrong", "wrong_right", "both_wrong"):
            assert len(every_page(client, cell=cell)) == getattr(client.ground.comparison.pair("p", "q").prayatul, cell)


def test_a_long_layout_and_graded_answers_are_explored_too(tmp_path):
    long = tmp_path / "long.csv"
    long.write_text(
        "id,y_true,m,said\n" + "".join(f"{n},{n % 2},{m},{n % 2 * (m == 'a')}\n" for n in range(8) for m in "ab")
    )
    with explored(str(long), long=("m", "said"), id="id") as client:
        assert len(every_page(client, cell="right_wrong")) == 4
    graded = tmp_path / "graded.parquet"
    duckdb.sql(f"COPY (SELECT i % 2 AS a, i % 3 = 0 AS b FROM range(12) t(i)) TO '{graded}' (FORMAT parquet)")
    with explored(str(graded), task="correct") as client:
        assert every_page(client, cell="right_wrong") == [1, 5, 7, 11]
        assert total(client.page(counts="b")) == 12
        assert every_page(client, by="b", said="True") == [0, 3, 6, 9]
        assert client.page("row/3").status_code == 200


def test_columns_whose_names_the_engine_would_confuse(tmp_path):
    path = tmp_path / "case.csv"
    path.write_text("y_true,a,A,file_row_number\n1,1,0,x\n0,1,0,y\n1,1,1,z\n")
    with explored(str(path), models=["a", "A"]) as client:
        assert every_page(client, primary="a", alternative="A", cell="right_wrong") == [0]
        assert every_page(client, column="file_row_number", test="is", value="z") == [2]
    same = tmp_path / "case.parquet"
    duckdb.sql(
        f"COPY (SELECT i % 2 AS y_true, 1 AS a, 0 AS b, i + 5 AS file_row_number FROM range(9) t(i)) TO '{same}'"
    )
    said = []
    with explored(str(same), say=said.append, models=["a", "b"]) as client:
        assert said == ["case.parquet has a column called file_row_number: 9 rows were written to a temporary one"]
        assert every_page(client, column="file_row_number", test="is", value="7") == [2]


def test_types_of_every_kind_are_shown_sorted_and_filtered(tmp_path):
    path = tmp_path / "types.parquet"
    columns = (
        "i % 2 AS y, 1 AS a, 0 AS b, i::TINYINT AS small, (i * 1000000007)::HUGEINT AS huge, (i / 4)::DECIMAL(9, 2) AS money, "
        "DATE '2024-01-30' + i::INT AS day, TIMESTAMP '2024-01-30 12:00:00' + INTERVAL (i) HOUR AS moment, i % 3 = 0 AS flag, "
        "CASE WHEN i = 3 THEN 'nan'::DOUBLE ELSE i / 7 END AS real, [i, i + 1] AS list, {'k': i} AS struct, "
        "encode('é' || i) AS bytes, uuid() AS uuid, TIME '10:00:00' AS clock"
    )
    duckdb.sql(f"COPY (SELECT {columns} FROM range(20) t(i)) TO '{path}' (FORMAT parquet)")
    with explored(str(path), truth="y", models=["a", "b"]) as client:
        for column in client.ground.columns:
            assert len(every_page(client, sort=column.name)) == 20
            assert client.page(counts=column.name).status_code == 200
            assert len(every_page(client, column=column.name, test="present", value="")) == 20 - (column.name == "real")
        checks = [("small", "above", "17"), ("huge", "at-least", "18000000126"), ("money", "above", "4.3"), ("day", "at-least", "2024-02-17"),
                  ("moment", "at-least", "2024-01-31 06:00:00"), ("real", "above", "2.5")]  # fmt: skip
        for column, test, value in checks:
            assert set(every_page(client, column=column, test=test, value=value)) - {3} == {18, 19}, column
        assert every_page(client, sort="huge", order="desc") == list(range(19, -1, -1))
        assert every_page(client, column="flag", test="is", value="true") == list(range(0, 20, 3))
        assert client.page("row/7").status_code == 200
        for form in ("csv", "jsonl", "parquet"):
            assert client.page(f"export.{form}").status_code == 200


def test_what_says_nothing_of_one_instance_is_refused(own_file):
    from dataclasses import replace

    comparison = tb.compare(own_file, **OPTIONS)
    with pytest.raises(tb.NotDefined, match="task clustering is about pairs of instances: use --task"):
        ground_of(replace(comparison, task="clustering"), [own_file])
    with pytest.raises(tb.NotDefined, match="knows of none"):
        ground_of(replace(comparison, source=None), [own_file])


def test_weights_and_rows_are_told_apart(own_file):
    with explored(own_file, **OPTIONS, sample_weight="age") as client:
        assert "sums of weights" in Read(client.page().text).words
        assert total(client.page(cell="right_wrong")) == len(every_page(client, cell="right_wrong"))


def test_a_question_that_takes_too_long_is_stopped(own_file, monkeypatch):
    monkeypatch.setattr("tiebreak.explorer.locked.PATIENCE", 0.2)
    with explored(own_file, **OPTIONS) as client:
        slow = "SELECT count(*) FROM range(100000000) a, range(1000) b WHERE hash(a.range + b.range) % 7 = 3"
        with pytest.raises(ValueError, match="took longer than"):
            client.ground.locked.rows(slow)
        assert client.page().status_code == 200


def test_closing_stops_what_runs_and_what_comes_is_told(own_file):
    import threading
    import time

    with explored(own_file, **OPTIONS) as client:
        locked, ended = client.ground.locked, []
        slow = "SELECT count(*) FROM range(100000000) a, range(1000) b WHERE hash(a.range + b.range) % 7 = 3"

        def ask():
            try:
                locked.rows(slow)
            except ValueError as error:
                ended.append(str(error))

        thread = threading.Thread(target=ask)
        thread.start()
        time.sleep(0.3)
        locked.close()
        thread.join(5)
        assert ended == ["the explorer is closed: start it again"]
        assert client.page().status_code == 503


def test_a_question_that_needs_too_much_memory_is_one_clear_page(own_file, monkeypatch):
    import tiebreak.explorer.locked as module

    with explored(own_file, **OPTIONS) as client:
        hungry = (
            "SELECT count(*) FROM (SELECT DISTINCT hash(range), range::VARCHAR || repeat('x', 50) FROM range(20000000))"
        )
        with pytest.raises(ValueError, match="--memory-limit"):
            client.ground.locked.rows(hungry)
        assert client.page().status_code == 200
    assert module.AT_ONCE == 2


def test_a_copy_of_a_file_is_explored_beside_it(own_file, tmp_path):
    copy = str(tmp_path / "copy.parquet")
    shutil.copy(own_file, copy)
    with explored(own_file, **OPTIONS) as first, explored(copy, **OPTIONS) as second:
        assert every_page(first, cell="right_wrong") == every_page(second, cell="right_wrong")
