"""Numbers are explored by who is nearer: cells, gaps and marks are those of a loop over the rows."""

import math

import pytest

from explorer.grounds import explored
from explorer.numbers import CELLS, MODELS, ROWS, N, ahead, cell_of, off, written
from explorer.reading import Read, every_page, numbers, total

OPTIONS = {"task": "regression", "truth": "y", "models": list(MODELS), "id": "id", "missing": "wrong"}


@pytest.fixture(scope="module")
def client(numbers_file):
    with explored(numbers_file, **OPTIONS) as found:
        yield found


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("pair", [("near", "far"), ("far", MODELS[2]), (MODELS[2], "near")])
def test_a_cell_shows_the_rows_that_a_loop_finds(client, pair, cell):
    found = every_page(client, primary=pair[0], alternative=pair[1], cell=cell)
    assert found == [n for n, row in enumerate(ROWS) if cell_of(ahead(row, *pair)) == cell]
    assert f"{len(found):,}" in Read(client.page(primary=pair[0], alternative=pair[1]).text).words
    shown = client.ground.comparison.instances(*pair, cell)
    assert sorted(ROWS[n]["id"] for n in found) == sorted(row["id"] for row in shown)


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_rows_are_sorted_by_the_gap(client, order):
    found = every_page(client, primary="far", alternative=MODELS[2], sort="gap", order=order)
    sign = 1 if order == "asc" else -1
    assert found == sorted(range(N), key=lambda n: (sign * ahead(ROWS[n], "far", MODELS[2]), n))


def test_the_list_shows_gaps_and_marks_the_best(client):
    text = client.page(primary="near", alternative="far").text
    line = text.split('data-row="1">')[1].split("</tr>")[0]
    gap = ahead(ROWS[1], "near", "far")
    assert Read(line).words.startswith(f"1 {gap:+g} r001" if gap else "1 0 r001")
    best = min(off(ROWS[1], model) for model in MODELS)
    assert line.count("★") == sum(off(ROWS[1], model) == best for model in MODELS)
    assert "✓" not in text
    assert "<b>wild" not in text


def test_one_instance_says_how_far_everyone_is_off(client):
    words = Read(client.page("row/4").text).words
    assert "no number" in words
    assert f"near {ROWS[4]['near']}" in words
    assert "Best: " in words
    assert "Off by" in words


def test_the_models_table_holds_what_the_comparison_says(client):
    words = Read(client.page().text).words
    assert client.ground.comparison.verdict in words
    assert "Mean |error|" in words
    assert "classes" not in words
    assert "True class" not in words


def test_filters_counts_and_exports(client):
    response = client.page(column="site", test="is", value="north", cell="tied")
    expected = [
        n for n, row in enumerate(ROWS) if row["site"] == "north" and cell_of(ahead(row, "near", "far")) == "tied"
    ]
    assert numbers(response) == expected[:50]
    assert total(response) == len(expected)
    assert total(client.page(column="near", test="above", value="3")) == sum(row["near"] > 3 for row in ROWS)
    words = Read(client.page(counts="site").text).words
    assert f"missing {sum(row['site'] is None for row in ROWS)}" in words
    exported = client.page("export.csv", cell="primary_better").text.splitlines()
    assert len(exported) == 1 + sum(ahead(row, "near", "far") > 0 for row in ROWS)


def test_cells_of_the_other_kind_are_refused(client):
    response = client.page(cell="right_wrong")
    assert response.status_code == 400
    assert "primary_better" in Read(response.text).words
    # Labels are none of numbers: what an old bookmark says of them is passed over.
    assert total(client.page(true="cat", said="dog")) == N


def test_rows_that_are_left_out_are_in_no_cell(numbers_file):
    whole = [row for row in ROWS if row[MODELS[2]] is not None and not math.isinf(row[MODELS[2]])]
    with explored(numbers_file, **OPTIONS | {"missing": "drop"}) as client:
        found = [total(client.page(cell=cell)) for cell in CELLS]
        assert sum(found) == len(whole) == client.ground.comparison.n
        assert total(client.page()) == N


@pytest.mark.parametrize("form", ["csv", "json"])
def test_scores_of_other_files(tmp_path, form):
    rows = [{k: v for k, v in row.items() if k != "y"} for row in ROWS if row["id"] != "r060"]
    path = written(tmp_path / f"scores.{'jsonl' if form == 'json' else form}", rows, form)
    options = {"task": "scores", "models": list(MODELS), "id": "id", "missing": "drop"}
    with explored(path, **options) as client:
        known = [n for n, row in enumerate(rows) if row[MODELS[2]] is not None]
        for cell in CELLS:
            found = every_page(client, cell=cell)
            assert found == [n for n in known if cell_of(ahead(rows[n], "near", "far", "scores")) == cell]
        words = Read(client.page("row/7").text).words
        best = max(MODELS, key=lambda model: rows[7][model])
        assert f"Best: {best}" in words
        assert "Mean score" in Read(client.page().text).words
