"""Everything in a file, and everything in an address, is data: it is shown, searched and exported, and never run."""

import json

import pytest

from explorer.grounds import TOKEN, explored, write_rows
from explorer.reading import Read, every_page, numbers, total

CORPUS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' OR 1=1 --",
    "'; COPY (SELECT 1) TO '/tmp/stolen.csv'; --",
    "javascript:alert(1)",
    "{{ 7 * 7 }}{% for x in y %}",
    "</title></style></textarea><b>",
    "new\nline\r\nand\ttab",
    "x" * 10_000,
    "😀👩‍👩‍👧 emoji",
    "\u202eright to left\u202c עברית",
    "a\x00b\x1b[31mred",
    " spaces around ",
    "№3",
    "gap",
    "select",
    "../../etc/passwd",
    "%00%27",
    "&lt;already&gt;",
)


@pytest.fixture(scope="module")
def nasty(tmp_path_factory):
    """Every text of the corpus is a column name, a model, a label, an id and a value."""
    rows = [
        {
            "id": f"{text}{place}",
            "label": text,
            **{model: CORPUS[(place + shift) % len(CORPUS)] for shift, model in enumerate(CORPUS[:4])},
            **dict.fromkeys(CORPUS[4:9], text),
            "gap": text,
        }
        for place, text in enumerate(CORPUS)
    ]
    path = str(tmp_path_factory.mktemp("nasty") / "na's\"ty[1] <b>.parquet")
    import duckdb

    columns = list(rows[0])
    with duckdb.connect() as connection:
        quoted = [c.replace('"', '""') for c in columns]
        connection.execute("CREATE TABLE t (" + ", ".join(f'"{c}" VARCHAR' for c in quoted) + ")")
        marks = ", ".join("?" * len(columns))
        connection.executemany(f"INSERT INTO t VALUES ({marks})", [[row[c] for c in columns] for row in rows])
        connection.execute("COPY t TO '" + path.replace("'", "''") + "' (FORMAT parquet)")
    with explored(path, truth="label", models=list(CORPUS[:4]), id="id") as client:
        yield client, rows


def harmless(response):
    assert response.status_code == 200, Read(response.text).words
    read = Read(response.text)
    assert not "".join(read.scripts).strip()
    for tag, given in read.tags:
        assert tag != "img"
        assert not any(name.startswith("on") for name in given), (tag, given)
        if tag == "script":
            assert given["src"] == f"/{TOKEN}/static/explorer.js"
        assert not given.get("href", "/").startswith("javascript")
    assert "49" not in read.words.split("Models")[0]
    # A field of the form holds what was typed into it; everything that is shown is escaped.
    assert not {"\x00", "\x1b", "\u202e"} & set("".join(read.text))
    return read


def test_a_file_of_nasty_texts_is_shown_harmlessly(nasty):
    client, rows = nasty
    read = harmless(client.page())
    assert read.rows == list(range(len(rows)))
    for n in range(len(rows)):
        harmless(client.page(f"row/{n}"))


def test_every_link_of_the_page_leads_somewhere(nasty):
    client, _ = nasty
    links = {
        a["href"] for a in Read(client.page().text).links if a["href"].startswith("/") and "export" not in a["href"]
    }
    assert len(links) > 50
    for link in links:
        harmless(client.get(link))


@pytest.mark.parametrize("place", range(len(CORPUS)))
def test_every_text_can_be_chosen_searched_and_found(nasty, place):
    client, rows = nasty
    text = CORPUS[place]
    label = [str(label) for label in client.ground.comparison.labels].index(text)
    found = numbers(client.page(true=f"№{label}"))
    assert found == [place]
    if len(text) <= 4000:
        assert place in every_page(client, text=text)
        assert every_page(client, id=f"{text}{place}") == [place]
        assert place in every_page(client, column=f"№{len(rows[0]) - 1}", test="is", value=text)
        harmless(client.page(text=text))


@pytest.mark.parametrize("text", CORPUS, ids=lambda text: repr(text[:20]))
@pytest.mark.parametrize(
    "parameter", ["true", "said", "by", "primary", "alternative", "cell", "sort", "order", "counts", "within", "after", "before", "page", "id", "text", "column", "test", "value", "other"]
)  # fmt: skip
def test_every_parameter_takes_every_text_without_harm(client, parameter, text):
    response = client.page(**{parameter: text})
    assert response.status_code in {200, 400}
    read = Read(response.text)
    assert not "".join(read.scripts).strip()
    assert not any(tag == "img" for tag, _ in read.tags)
    if response.status_code == 200:
        assert total(response) <= 430


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_exports_of_nasty_texts_hold_them_unchanged(nasty, form, tmp_path):
    client, rows = nasty
    response = client.page(f"export.{form}")
    assert response.status_code == 200
    if form == "jsonl":
        found = [json.loads(line) for line in response.text.splitlines()]
        assert [row["label"] for row in found] == list(CORPUS)
        assert list(found[0]) == list(rows[0])
    else:
        path = tmp_path / f"e.{form}"
        path.write_bytes(response.content)
        import duckdb

        reader = "read_csv(?, all_varchar = true, header = true, quote = '\"')" if form == "csv" else "read_parquet(?)"
        if form == "parquet":
            found = duckdb.sql(f"SELECT label FROM {reader}", params=[str(path)]).fetchall()
            assert [row[0] for row in found] == list(CORPUS)
        else:
            import csv
            import io

            csv.field_size_limit(1 << 20)
            found = list(csv.DictReader(io.StringIO(response.text.replace("\x00", "␀"), newline="")))
            assert [row["label"] for row in found] == [text.replace("\x00", "␀") for text in CORPUS]
    assert "\n" not in response.headers["content-disposition"]
    assert response.headers["content-disposition"].isascii()


def test_cells_of_megabytes_are_cut_with_a_note_and_exported_whole(tmp_path):
    rows = [{"y": n % 2, "a": n % 2, "b": 0, "text": ("é<b>" * 700_000) if n % 3 == 0 else "short"} for n in range(30)]
    path = write_rows(str(tmp_path / "long.parquet"), rows)
    with explored(path, truth="y", models=["a", "b"]) as client:
        response = client.page()
        assert len(response.content) < 200_000
        assert "2,800,000 characters" in Read(response.text).words
        response = client.page("row/3")
        assert len(response.content) < 400_000
        assert "The first 20,000 of 2,800,000 characters" in Read(response.text).words
        assert total(client.page(text="é<b>é")) == 10
        assert len(client.page("export.jsonl", text="é<b>é").content) > 10 * 2_800_000
        assert "2,800,000" in client.page(counts="text").text or client.page(counts="text").status_code == 200


def test_the_locked_engine_reads_its_file_and_nothing_else(client, tmp_path):
    locked = client.ground.locked
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    for sql in (
        f"SELECT * FROM read_csv('{other}')",
        f"SELECT * FROM read_text('{other}')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM glob('/etc/*')",
        f"COPY (SELECT 1) TO '{tmp_path}/stolen.csv'",
        f"ATTACH '{tmp_path}/x.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET allowed_paths = ['/etc/passwd']",
        "SELECT * FROM 'https://example.com/x.parquet'",
    ):
        with pytest.raises(ValueError, match="cannot be read"):
            locked.rows(sql)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.csv"]
    assert locked.rows(f"SELECT count(*) FROM {locked.relation}") == [(430,)]


def test_values_are_bound_and_never_part_of_a_statement(client, monkeypatch):
    """No text of the address reaches the SQL itself."""
    seen = []
    real = type(client.ground.locked).rows
    monkeypatch.setattr(
        type(client.ground.locked), "rows", lambda self, sql, where="", *, values=(): seen.append(sql) or real(self, sql, where, values=values)
    )  # fmt: skip
    needle = "n33dle'\"--"
    client.page(text=needle, id=needle, column="text", test="is", value=needle, sort="age")
    client.page("row/1", text=needle)
    assert seen
    assert not any("n33dle" in sql for sql in seen)
