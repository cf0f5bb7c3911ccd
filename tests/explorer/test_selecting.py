"""A selection is what a loop over the rows would select, in every view and on every page."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.grounds import LABELS, ROWS, explored
from explorer.reading import Read, every_page, numbers, total

CELLS = ("both_right", "right_wrong", "wrong_right", "both_wrong")
MODELS = ("knn", "tree", "forest")


def in_cell(row, primary, alternative, cell):
    return CELLS[2 * (row[primary] != row["label"]) + (row[alternative] != row["label"])] == cell


def brute(**wanted):
    """The rows that pass, by a loop."""
    primary, alternative = wanted.get("primary", "knn"), wanted.get("alternative", "tree")
    tests = {
        "cell": lambda row, cell: in_cell(row, primary, alternative, cell),
        "true": lambda row, label: row["label"] == label,
        "said": lambda row, label: row[wanted.get("by", primary)] == label,
        "id": lambda row, value: row["id"] == value,
        "text": lambda row, value: any(value in (row[c] or "") for c in ("id", "split", "text")),
    }
    return [
        place
        for place, row in enumerate(ROWS)
        if all(tests[name](row, value) for name, value in wanted.items() if name in tests)
    ]


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("pair", [("knn", "tree"), ("tree", "forest"), ("forest", "knn")])
def test_a_cell_shows_the_rows_that_a_loop_finds(client, pair, cell):
    wanted = {"primary": pair[0], "alternative": pair[1], "cell": cell}
    found = every_page(client, **wanted)
    assert found == brute(**wanted)
    assert total(client.page(**wanted)) == len(found)
    comparison = client.ground.comparison
    assert len(found) == getattr(comparison.pair(*pair).prayatul, cell)
    shown = comparison.instances(*pair, cell)
    assert [ROWS[n]["id"] for n in found] == [row["id"] for row in shown]


selections = st.fixed_dictionaries(
    {"primary": st.just("forest"), "alternative": st.sampled_from(["knn", "tree"])},
    optional={
        "cell": st.sampled_from(CELLS),
        "true": st.sampled_from(LABELS),
        "said": st.sampled_from(LABELS),
        "text": st.sampled_from(["a", "r00", "'", "%", "_", "<script>", "nowhere", "dev"]),
    },
)


@settings(max_examples=40)
@given(wanted=selections, by=st.sampled_from(MODELS))
def test_every_selection_is_what_a_loop_selects(client, wanted, by):
    if "said" in wanted:
        wanted = wanted | {"by": by}
    found = every_page(client, **wanted)
    assert found == brute(**wanted)
    assert total(client.page(**wanted)) == len(found)


CONDITIONS = {
    ("age", "is", "37"): lambda row: row["age"] == 37,
    ("age", "is-not", "37"): lambda row: row["age"] != 37,
    ("age", "below", "10.5"): lambda row: row["age"] < 10.5,
    ("age", "at-most", "10"): lambda row: row["age"] <= 10,
    ("age", "above", "90"): lambda row: row["age"] > 90,
    ("age", "at-least", "1e2"): lambda row: row["age"] >= 100,
    ("score", "missing", ""): lambda row: row["score"] is None,
    ("score", "present", ""): lambda row: row["score"] is not None,
    ("score", "above", "0.5"): lambda row: row["score"] is not None and row["score"] > 0.5,
    ("text", "is", "it's"): lambda row: row["text"] == "it's",
    ("text", "is", "'; DROP TABLE rows; --"): lambda row: row["text"] == "'; DROP TABLE rows; --",
    ("text", "is", ""): lambda row: row["text"] == "",
    ("text", "is-not", ""): lambda row: row["text"] not in {"", None},
    ("text", "contains", "%"): lambda row: "%" in (row["text"] or ""),
    ("text", "contains", "_"): lambda row: "_" in (row["text"] or ""),
    ("text", "missing", ""): lambda row: row["text"] is None,
    ("split", "is", "test"): lambda row: row["split"] == "test",
    ("knn", "is", "it's"): lambda row: row["knn"] == "it's",
    ("knn", "is-not", "it's"): lambda row: row["knn"] != "it's",
    ("id", "contains", "r00"): lambda row: "r00" in row["id"],
}


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_a_filter_of_a_column_is_what_a_loop_selects(client, condition):
    column, test, value = condition
    found = every_page(client, column=column, test=test, value=value)
    assert found == [place for place, row in enumerate(ROWS) if CONDITIONS[condition](row)]


def test_filters_add_up(client):
    wanted = {"cell": "right_wrong", "column": ["split", "age"], "test": ["is", "below"], "value": ["test", "50"]}
    found = every_page(client, **wanted)
    assert found == [n for n in brute(cell="right_wrong") if ROWS[n]["split"] == "test" and ROWS[n]["age"] < 50]
    words = Read(client.page(**wanted).text).words
    assert "knn right, tree wrong" in words
    assert "split is test" in words
    assert "age < 50" in words


def test_every_chip_takes_its_own_filter_away(client):
    wanted = {"cell": "right_wrong", "true": "cat", "text": "words", "id": "r0000", "said": "cat", "by": "forest"}
    wanted |= {"column": "age", "test": "below", "value": "200"}
    page = client.page(**wanted).text
    chips = page.split('class="chips"')[1].split("</ul>")[0]
    links = [a["href"] for a in Read(chips).links]
    assert len(links) == 7
    lengths = [len(Read(client.get(link).text.split('class="chips"')[1].split("</ul>")[0]).links) for link in links]
    assert lengths == [6] * 6 + [0]


@pytest.mark.parametrize("start", [0, 7, 49, 50, 51, 200, 379, 380, 428, 429, 430, 9999])
def test_pages_in_file_order_meet_going_either_way(client, start):
    ahead = every_page(client, after=start)
    assert ahead == list(range(start + 1, len(ROWS)))
    back = every_page(client, follow="prev", before=start)
    # The first page of all is a whole one, so what lies before may be shown with what follows.
    assert set(range(min(start, len(ROWS)))) <= set(back)
    assert back[-1:] == [max(min(start, len(ROWS)) - 1, 49)]


@pytest.mark.parametrize("cell", CELLS)
def test_going_back_shows_the_same_pages(client, cell):
    response, pages = client.page(cell=cell), []
    while True:
        pages.append(numbers(response))
        link = Read(response.text).link(rel="next")
        if link is None:
            break
        response = client.get(link["href"])
    back = [pages[-1]]
    while (link := Read(response.text).link(rel="prev")) is not None:
        response = client.get(link["href"])
        back.insert(0, numbers(response))
    assert [n for page in back for n in page] == [n for page in pages for n in page]


@pytest.mark.parametrize("column", ["age", "score", "text", "id", "knn"])
def test_a_sorted_view_is_sorted_with_missing_values_last_and_ties_in_file_order(client, column):
    up = every_page(client, sort=column)
    places = range(len(ROWS))
    assert up == sorted(places, key=lambda n: (*_sortable(ROWS[n][column]), n))
    down = every_page(client, sort=column, order="desc")
    present = [n for n in places if ROWS[n][column] is not None]
    missing = [n for n in places if ROWS[n][column] is None]
    assert [ROWS[n][column] for n in down] == sorted((ROWS[n][column] for n in present), reverse=True) + [None] * len(
        missing
    )
    assert down[len(present) :] == missing


def _sortable(value):
    return (1, b"") if value is None else (0, value.encode() if isinstance(value, str) else value)


def test_sorted_by_the_gap_the_primary_alone_comes_first_or_last(client):
    def gap(n):
        return (ROWS[n]["knn"] == ROWS[n]["label"]) - (ROWS[n]["tree"] == ROWS[n]["label"])

    assert every_page(client, sort="gap", order="desc") == sorted(range(len(ROWS)), key=lambda n: (-gap(n), n))
    assert every_page(client, sort="gap") == sorted(range(len(ROWS)), key=lambda n: (gap(n), n))


def test_sorted_and_searched_views_show_their_first_rows_and_say_so(client, monkeypatch):
    from tiebreak.explorer import asking, counting, pages, selecting

    assert selecting.MOST == 10_000
    for module in (asking, counting, pages, selecting):
        monkeypatch.setattr(module, "MOST", 120)
    for wanted in ({"sort": "age", "primary": "tree", "alternative": "knn"}, {"text": "r0", "within": "id"}):
        response = client.page(**wanted)
        assert "first 120 rows of 430" in Read(response.text).words
        assert len(every_page(client, **wanted)) == 120
        assert total(response) == 430


@pytest.mark.parametrize("column", ["label", "knn", "split", "age", "text"])
@pytest.mark.parametrize("wanted", [{}, {"cell": "wrong_right"}, {"text": "plain"}, {"true": "it's"}], ids=str)
def test_counts_are_those_of_the_selection_and_their_links_select_them(client, column, wanted):
    page = client.page(counts=column, **wanted).text
    section = page.split('class="counts"')[1].split("</table>")[0]
    rows = [part for part in section.split("<tr>")[1:] if "<th scope=" in part and 'class="n"' in part]
    found = brute(**wanted)
    values = {ROWS[n][column] for n in found}
    assert len([row for row in rows if ">others<" not in row]) == min(len(values), 30)
    for row in rows:
        count = int(row.split('class="n">')[1].split("<")[0].replace(",", ""))
        link = Read(row).link()
        if link is not None:
            assert total(client.get(link["href"])) == count
    assert sum(int(row.split('class="n">')[1].split("<")[0]) for row in rows) == len(found)


def test_a_column_in_which_nearly_every_row_is_its_own_value_is_not_counted(client, monkeypatch):
    from tiebreak.explorer import counting

    monkeypatch.setattr(counting, "GLANCE", 100)
    response = client.page(counts="id")
    assert total(response) == len(ROWS)
    assert "Nearly every row has a value of its own" in Read(response.text).words


def test_an_instance_shows_every_models_answer_and_the_way_to_its_neighbours(client):
    cell = brute(cell="right_wrong")
    response = client.page(f"row/{cell[3]}", cell="right_wrong")
    read = Read(response.text)
    row = ROWS[cell[3]]
    assert all(row[model] in read.words for model in MODELS)
    right = sum(row[model] == row["label"] for model in MODELS)
    assert f"{right} of 3 models" in read.words
    for rel, place in (("prev", 2), ("next", 4)):
        assert f"/row/{cell[place]}?" in read.link(rel=rel)["href"]
    assert Read(client.page(f"row/{cell[0]}", cell="right_wrong").text).link(rel="prev") is None
    assert Read(client.page(f"row/{cell[-1]}", cell="right_wrong").text).link(rel="next") is None
    by_age = every_page(client, cell="right_wrong", sort="age")
    read = Read(client.page(f"row/{by_age[5]}", cell="right_wrong", sort="age").text)
    assert f"/row/{by_age[4]}?" in read.link(rel="prev")["href"]
    assert f"/row/{by_age[6]}?" in read.link(rel="next")["href"]
    assert "Not among" in Read(client.page(f"row/{brute(cell='both_wrong')[0]}", cell="right_wrong").text).words
    absent = client.page("row/430")
    assert absent.status_code == 404
    assert "does not exist" in Read(absent.text).words


def test_the_models_table_holds_what_the_comparison_says(client):
    words = Read(client.page().text).words
    for model in client.ground.comparison.models:
        assert f"{model.name}" in words
        assert f"{model.right:,}" in words
    assert client.ground.comparison.verdict in words


def test_an_interval_is_shown_where_the_comparison_has_one(client):
    from tiebreak.explorer.senses import ends

    class Estimate:
        value, low, high = 0.9, 0.8, 0.95

    assert ends(Estimate()) == (0.9, 0.8, 0.95)
    assert ends(0.5)[0] == 0.5


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"true": "fish"}, "'fish' is no class"),
        ({"primary": "gpt"}, "'gpt' is no model"),
        ({"primary": "knn", "alternative": "knn"}, "choose two models"),
        ({"cell": "all"}, "cell is 'all'"),
        ({"sort": "1; DROP TABLE t"}, "is no column"),
        ({"counts": "nothing"}, "is no column"),
        ({"column": "age", "test": "is", "value": "old"}, "needs a number"),
        ({"column": "age", "test": "like", "value": "1"}, "test is 'like'"),
        ({"column": "age", "test": "is"}, "three by three"),
        ({"column": ["age"] * 13, "test": ["is"] * 13, "value": ["1"] * 13}, "at most 12"),
        ({"after": "-1"}, "whole number"),
        ({"page": "x"}, "whole number"),
        ({"text": "a" * 5000}, "at most 4,000"),
        ({"true": "№9"}, "is no class"),
    ],
    ids=str,
)
def test_an_address_that_names_what_is_not_there_gets_one_clear_line(client, parameters, said):
    response = client.page(**parameters)
    assert response.status_code == 400
    assert said in Read(response.text).words


def test_labels_of_a_text_file_are_read_as_the_comparison_reads_them(tmp_path):
    """Numbers in a CSV file are one label in any spelling, `01` is none of them, and a named text is missing."""
    lines = ["id,y,a,b,w"]
    rows = [("1", "1.0", "2"), ("2.0", "2", "?"), ("2", "2.0", "2"), ("1", "?", "1"), ("2", "1", "2")]
    lines += [f"{n},{y},{a},{b},x" for n, (y, a, b) in enumerate(rows)]
    path = tmp_path / "spelled.csv"
    path.write_text("\n".join(lines) + "\n")
    options = {"truth": "y", "models": ["a", "b"], "na": "?", "missing": "wrong"}
    said = []
    with explored(str(path), say=said.append, **options) as client:
        assert said == ["spelled.csv is no single Parquet file: 5 rows were written to a temporary one"]
        found = {cell: every_page(client, cell=cell) for cell in CELLS}
        assert found == {"both_right": [2], "right_wrong": [0, 1], "wrong_right": [3, 4], "both_wrong": []}
        assert every_page(client, true="1") == [0, 3]
        assert every_page(client, column="a", test="missing", value="") == [3]
        assert every_page(client, by="b", said="2") == [0, 2, 4]
    with explored(str(path), **options | {"missing": "drop"}) as client:
        found = {cell: every_page(client, cell=cell) for cell in CELLS}
        assert found == {"both_right": [2], "right_wrong": [0], "wrong_right": [4], "both_wrong": []}
        assert total(client.page()) == 5


def test_many_models_are_shown_from_the_file_and_not_from_memory(tmp_path):
    lines = ["y_true," + ",".join(f"m{k}" for k in range(40))]
    lines += [f"{n % 3}," + ",".join(str((n + (n * k) % 7 // 5) % 3) for k in range(40)) for n in range(60)]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(lines) + "\n")
    with explored(str(path)) as client:
        for cell in CELLS:
            wanted = {"primary": "m3", "alternative": "m17", "cell": cell}
            assert total(client.page(**wanted)) == getattr(client.ground.comparison.pair("m3", "m17").prayatul, cell)
        assert "more columns" in Read(client.page().text).words
