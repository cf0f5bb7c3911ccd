"""The page: one file, safe whatever stands in it, the same bytes twice, small."""

import base64
import html
import re
import sys

import numpy as np
import pandas as pd
import pytest
from shown_examples import SECTIONS, TASKS, clustered, compared, graded, regressed, rich, scored

import tiebreak as tb
from hostile import NAMES, strictly_parsed
from tiebreak.cli.main import run
from tiebreak.views import document as shown
from tiebreak.views.page import page
from tiebreak.views.page.flips import field as shown_field
from tiebreak.views.page.images import BUDGET, LARGEST, Album

PIXEL = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def numbers_of(document):
    return [float(value) for value in re.findall(r'<data value="([^"]+)"', document)]


@pytest.fixture(scope="module")
def full():
    comparison = rich(models=4, n=400, classes=5)
    return comparison, page(comparison)


def test_a_page_has_every_part_of_its_comparison(full):
    comparison, document = full
    parsed = strictly_parsed(document)
    sections = [given["id"] for tag, given in parsed.tags if tag == "section"]
    assert sections == SECTIONS
    drawn = [given["id"] for tag, given in parsed.tags if tag == "figure"]
    assert drawn == [f"fig-{name}" for name in ("tiers", "mosaic", "deviations", "differences", "class-differences",
                                                "r-prime", "r-prime-radar", "r-prime-boxes", "confusion", "confusion-difference", "roc",
                                                "sets", "slices", "cost-differences", "cost-profile")]  # fmt: skip
    assert document.count("<svg ") == len(drawn)
    assert html.escape(comparison.verdict) in document
    assert "seed 0" in document


def test_slices_of_the_deciding_pair_stand_in_front_and_no_pair_twice(full):
    comparison, document = full
    captions = re.findall(r'<caption id="slices-\d+-c">Slices, ([^<]*)</caption>', document)
    deciding = {model.name for model in comparison.ranked[:2]}
    named = [set(caption.split(" against ")) for caption in captions]
    assert named[0] == deciding
    assert len(named) == len(set(map(frozenset, named)))
    assert all(len(pair) == 2 for pair in named)


def sections_of(document):
    return [given["id"] for tag, given in strictly_parsed(document).tags if tag == "section"]


@pytest.mark.parametrize(("made", "own", "figures"), [
    (graded, ["models", "pairs", "sure", "flips", "methods"], {"tiers", "mosaic", "deviations", "differences"}),
    (regressed, ["models", "pairs", "sure", "profiles", "flips", "methods"], {"profile", "losses", "mosaic"}),
    (scored, ["models", "sure", "profiles", "flips", "methods"], {"tiers", "differences", "profile", "losses"}),
    (clustered, ["models", "pairs", "sure", "clusters", "flips", "methods"], {"agreement", "mosaic", "tiers"}),
])  # fmt: skip
def test_every_task_has_its_sections(made, own, figures):
    document = page(made())
    assert sections_of(document) == own
    assert {f"fig-{name}" for name in figures} <= set(strictly_parsed(document).ids)


@pytest.mark.parametrize("models", [2, 3, 6])
@pytest.mark.parametrize("task", TASKS)
def test_the_page_holds_every_number_and_sentence_of_the_text(task, models):
    comparison = TASKS[task](models=models)
    document = page(comparison)
    # A head-to-head stands on the page once, and in the text from either side.
    held = {value.removeprefix("-") for value in re.findall(r'<data value="([^"]+)"', document)}
    plain = {html.unescape(cell).strip() for cell in re.findall(r">([^<]+)<", document)} | {"–"}
    for part in shown(comparison).parts:
        if isinstance(part, str):
            assert part.removeprefix("Note: ").removeprefix("By cost: ") in plain
            continue
        for cell in (cell for row in part.rows for cell in row):
            value = getattr(cell, "value", None)
            assert cell in plain or (value is not None and f"{abs(value):.12g}" in held), (part.title, cell)


@pytest.mark.parametrize("task", TASKS)
def test_a_page_of_a_document_is_that_of_its_comparison_but_for_the_rows(task):
    comparison = TASKS[task](models=3)
    whole, again = sections_of(page(comparison)), sections_of(page(tb.Comparison.from_dict(comparison.to_dict())))
    assert [each for each in whole if each != "flips"] == again


def test_numbers_are_said_in_their_own_unit():
    for comparison, words in ((regressed(), "mean absolute error, lower is better"), (scored(), "mean score")):
        document = page(comparison)
        figure = document[document.index('<figure id="fig-tiers"') :]
        assert words in figure[: figure.index("</figure>")]
        forest = document[document.index('<figure id="fig-differences"') :]
        assert " pp" not in forest[: forest.index("</figure>")]
        assert "percentage points" not in forest[: forest.index("</figure>")]


def test_clusterings_without_a_truth_have_a_page(tmp_path):
    found = clustered(truth=False, models=4)
    document = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert sections_of(document) == ["models", "clusters", "methods"]
    assert "Without a truth no clustering is better than another" in document
    assert {f"{pair.rand:.12g}" for pair in found.pairs} <= set(re.findall(r'<data value="([^"]+)"', document))
    assert 'id="fig-agreement"' in document
    for name in NAMES:
        strictly_parsed(page(clustered(truth=False, names=[name, "other"], n=40)))


def test_bands_that_are_not_defined_leave_the_profile_without_them():
    comparison = scored(models=2)
    assert comparison.plot.profile.data().low is not None
    again = tb.Comparison.from_dict(comparison.to_dict())
    assert again.plot.profile.data().low is None
    with pytest.raises(tb.TiebreakError):
        again.plot.profile.data(bands=True)


def test_parts_that_a_comparison_lacks_are_left_out():
    comparison = tb.compare({"p": [1, 0, 1, 1], "q": [0, 0, 1, 1]}, task="correct")
    document = page(comparison)
    assert "classes" not in {given.get("id") for _, given in strictly_parsed(document).tags}
    again = page(tb.Comparison.from_dict(comparison.to_dict()))
    assert 'id="flips"' not in again
    assert 'id="flips"' in document


def test_every_number_is_one_of_the_comparison(full):
    comparison, document = full
    held = set()

    def collect(value):
        if isinstance(value, dict):
            list(map(collect, value.values()))
        elif isinstance(value, list):
            list(map(collect, value))
        elif isinstance(value, int | float):
            held.add(f"{value:.12g}")

    collect(comparison.to_dict())
    table = document[document.index('id="models-table"') : document.index('id="fig-differences"')]
    table = re.sub(r"<figure.*?</figure>", "", table, flags=re.DOTALL)
    missing = {f"{value:.12g}" for value in numbers_of(table)} - held
    assert not missing


@pytest.mark.parametrize("options", [
    {"models": 2, "n": 1}, {"models": 2, "classes": 1}, {"models": 12, "n": 60}, {"models": 4, "baseline": "model 1"},
    {"sample_weight": np.linspace(0.1, 3, 300)}, {"groups": np.arange(300) // 7}, {"rope": 0.01, "tau": 0.1},
    {"correction": "romano-wolf"}, {"correction": "none"},
], ids=str)  # fmt: skip
def test_every_kind_of_comparison_has_a_page(options):
    strictly_parsed(page(compared(**options)))


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_names_labels_and_texts_are_data(name):
    frame = pd.DataFrame({"y_true": [name, "b", "c", name], name + " model": [name, "c", "c", "b"],
                          "other": ["c", "b", name, "b"], name + " text": [name] * 4, "id": [name, "2", "3", "4"]})  # fmt: skip
    comparison = tb.compare(frame, truth="y_true", models=[name + " model", "other"], id="id")
    parsed = strictly_parsed(page(comparison))
    assert parsed.scripts == 1
    assert not parsed.images
    strictly_parsed(page(rich(names=[name, "a", "b"], labels=[name, "x", "y"], n=60, parts=(name, "night"))))
    for made in (regressed, scored, clustered, graded):
        strictly_parsed(page(made(names=[name, "other"], n=40)))


def test_a_text_of_megabytes_is_cut_and_its_length_named():
    frame = pd.DataFrame({"y_true": list("ab"), "p": list("aa"), "q": list("bb"), "text": ["<b>" * 1_000_000, "short"]})
    document = page(tb.compare(frame, truth="y_true", models=["p", "q"]))
    assert len(document) < 150_000
    assert "3,000,000 characters" in document


def field(value):
    return shown_field(value, Album())


def test_images_are_shown_only_where_the_value_is_one():
    shown = field(PIXEL)
    assert shown.image == PIXEL
    for value in ("/etc/passwd", "file:///x.png", "https://x.y/z.png", "data:text/html;base64,PGI+", "data:image/svg+xml;base64,AAAA",
                  PIXEL + '" onerror="x', PIXEL + "\n", "data:image/png;base64," + "A" * 700_000, b"data:image/png;base64,AAAA"):  # fmt: skip
        assert not field(value).image
    frame = pd.DataFrame({"y_true": list("ab"), "p": list("aa"), "q": list("bb"), "picture": [PIXEL, "x"]})
    assert strictly_parsed(page(tb.compare(frame, truth="y_true", models=["p", "q"]))).images == [PIXEL]


def file_of(kind, size=60):
    """The beginning of an image file and rubbish behind it."""
    start = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff\xe0", "gif": b"GIF89a", "webp": b"RIFF\0\0\0\0WEBP"}[
        kind
    ]
    return start + b"<" * (size - len(start))


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp"])
def test_bytes_of_images_are_shown_and_other_bytes_are_not(kind):
    content = file_of(kind)
    address = f"data:image/{kind};base64,{base64.b64encode(content).decode()}"
    for value in (content, bytearray(content), {"bytes": content, "path": "a.png"}, {"bytes": content, "path": None}):
        assert field(value).image == address
    for value in (content[1:], b"", b"<svg onload=alert(1)>", b"RIFF\0\0\0\0WAVE", content + b"x" * LARGEST,
                  {"bytes": None, "path": "/etc/passwd"}, {"bytes": content, "path": "", "more": 1}):  # fmt: skip
        assert not field(value).image
    assert field(content + b"x" * LARGEST).text == f"{LARGEST + 60:,} bytes"


def test_a_page_carries_so_many_images_and_no_more():
    album, large = Album(), file_of("png", LARGEST)
    taken = [album.taken(large) for _ in range(8)]
    assert sum(map(len, taken)) <= BUDGET
    assert [bool(image) for image in taken] == [True] * 3 + [False] * 5
    assert album.taken(file_of("gif"))


@pytest.mark.parametrize("form", ["pandas", "parquet"])
def test_columns_of_images_as_data_sets_store_them(tmp_path, form):
    import pyarrow as pa
    import pyarrow.parquet as pq

    files = [file_of("png", 60 + k) for k in range(4)]
    rows = {"y": list("abab"), "p": list("aaab"), "q": list("bbbb"), "raw": files}
    rows["image"] = [{"bytes": content, "path": f"{k}.png"} for k, content in enumerate(files)]
    data = pd.DataFrame(rows)
    if form == "parquet":
        data = str(tmp_path / "images.parquet")
        pq.write_table(pa.table(rows), data)
    found = strictly_parsed(page(tb.compare(data, truth="y", models=["p", "q"]))).images
    assert len(found) == 8
    assert all(image.startswith("data:image/png;base64,iVBORw0KGgo") for image in found)


def test_columns_that_pandas_fills_with_gaps_and_arrays_are_shown():
    frame = pd.DataFrame({"y": list("abab"), "p": list("aaab"), "q": list("bbbb")})
    for kind, values in (
        ("string", ["x", None]),
        ("Int64", [1, None]),
        ("Float64", [0.5, None]),
        ("boolean", [True, None]),
    ):
        frame[kind] = pd.array(values * 2, dtype=kind)
    frame["vector"] = [np.arange(3), np.arange(2), None, np.array([1.5])]
    document = page(tb.compare(frame, truth="y", models=["p", "q"]))
    assert "[0 1 2]" in document


def test_many_lines_are_cut():
    assert field("a\n" * 100).text.count("\n") == 29
    assert field("a\r\nb").text == "a\nb"
    assert field(float("nan")).text == "–"
    assert field(3.5).text == "3.5"
    assert field(1 / 3).text == "0.333333"


def test_the_same_input_gives_the_same_bytes(tmp_path):
    one, two = (rich(models=3, n=120).report(tmp_path / name).read_bytes() for name in ("one.html", "two.html"))
    assert one == two


def test_a_users_settings_of_matplotlib_change_nothing():
    import matplotlib as mpl

    plain = page(compared(n=50))
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path", "text.parse_math": True}):
        assert page(compared(n=50)) == plain


def test_the_sample_is_seeded():
    one, two, other = (compared(n=900, seed=4), compared(n=900, seed=4), compared(n=900, seed=4))
    assert page(one) == page(two)
    changed = tb.compare(list("ab") * 500, {"p": list("aa") * 500, "q": list("bb") * 500}, seed=1)
    again = tb.compare(list("ab") * 500, {"p": list("aa") * 500, "q": list("bb") * 500}, seed=2)

    def rows(document):
        return document[document.index('id="flips"') : document.index('id="methods"')]

    assert rows(page(changed)) != rows(page(again))
    assert other.seed == 0


def test_pages_are_small():
    for labels in (None, [f"category number {k:02d}" for k in range(20)]):
        dense = rich(models=5, n=20_000, classes=20, labels=labels)
        assert len(page(dense).encode()) < 500_000
    assert len(page(rich(models=50, n=3000, classes=20)).encode()) < 3_000_000


def test_pages_of_fifty_models_with_long_names_are_small():
    names = [f"organisation/family-{k:02d}-instruct-v0.{k}-quantised-to-four-bits-per-weight" for k in range(50)]
    assert len(page(compared(names=names, n=500, classes=20)).encode()) < 3_000_000


def test_a_page_asks_nobody_for_anything(full):
    _, document = full
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', document)[1]
    assert html.unescape(policy).startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
    assert "http://" not in document
    assert "https://" not in document
    assert "@import" not in document
    assert "url(" not in document.replace("url(#", "")


def test_tables_can_be_read_aloud(full):
    parsed = strictly_parsed(full[1])
    tables = sum(tag == "table" for tag, _ in parsed.tags)
    assert tables == sum(tag == "caption" for tag, _ in parsed.tags)
    assert all(given.get("scope") in {"col", "row"} for tag, given in parsed.tags if tag == "th")
    assert all(given.get("role") == "img" for tag, given in parsed.tags if tag == "svg")
    assert [tag for tag, _ in parsed.tags if tag in {"header", "nav", "main", "footer"}] == [
        "header",
        "nav",
        "main",
        "footer",
    ]


def test_every_model_and_every_pair_has_an_address():
    parsed = strictly_parsed(page(compared(6)))
    ids = set(parsed.ids)
    assert {f"model-{k}" for k in range(1, 7)} <= ids
    assert {f"pair-{a}-{b}" for a in range(1, 7) for b in range(a + 1, 7)} <= ids


def test_without_matplotlib_the_page_has_every_table_and_says_how_to_get_figures(monkeypatch):
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "matplotlib", None)
        document = page(compared())
    assert "<svg " not in document
    assert "pip install &#39;tiebreak[plot]&#39;" in document
    assert document.count("<figure ") == document.count("Its numbers")
    strictly_parsed(document)


def test_a_page_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    target, comparison = tmp_path / "page.html", compared(2, n=30)
    assert comparison.report(target) == target
    before = target.read_text(encoding="utf-8")
    with pytest.raises(FileExistsError, match=r"report '.*page.html' exists"):
        comparison.report(target)
    comparison.report(str(target), force=True)
    with pytest.raises(tb.TiebreakError, match="folder does not exist"):
        comparison.report(tmp_path / "nowhere" / "page.html")
    with pytest.raises(tb.TiebreakError, match="is a folder"):
        comparison.report(tmp_path, force=True)
    monkeypatch.setattr("tiebreak.views.page.written.page_of", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        comparison.report(target, force=True)
    assert target.read_text(encoding="utf-8") == before
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_only_comparisons_have_a_page(tmp_path):
    with pytest.raises(tb.TiebreakError, match="a page is of a comparison, and this is a PrayatulMatrix"):
        tb.PrayatulMatrix(1, 2, 3, 4).report(tmp_path / "x.html")


def test_rows_that_have_vanished_are_no_reason_to_be_without_a_page(tmp_path):
    path = tmp_path / "preds.csv"
    path.write_text("y_true,p,q\n" + "a,a,b\nb,b,b\n" * 20)
    comparison = tb.compare(path)
    comparison.source.close()
    path.unlink()
    assert "<!DOCTYPE html>" in page(comparison)


def test_the_command_writes_the_page(tmp_path, capsys):
    (tmp_path / "preds.csv").write_text("y_true,p,q\na,a,b\nb,b,b\n")
    command = ["compare", "preds.csv", "--report", "page.html"]
    assert run(command) == 0
    assert "both right" in capsys.readouterr().out
    strictly_parsed((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert run(command) == 2
    assert "report 'page.html' exists: name another file, or replace it with --force" in capsys.readouterr().err
    assert run([*command, "--force", "--json"]) == 0
    capsys.readouterr()
    assert run(["compare", "preds.csv", "--report", "preds.csv", "--force"]) == 2
    assert "report 'preds.csv' is also read" in capsys.readouterr().err
