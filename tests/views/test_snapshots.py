"""The HTML as it was agreed on: whatever changes in a page, a notebook or the explorer shows as a diff of these files.

`TIEBREAK_SNAPSHOTS=write pytest tests/views/test_snapshots.py` renews them; read the diff before committing. Drawings,
styles and scripts are left out: they are tested by their data and in a browser.
"""

import os
import re
from pathlib import Path

import pytest

import tiebreak as tb
from explorer import numbers
from explorer.grounds import ROWS as LABELLED
from explorer.grounds import TOKEN, explored, write_rows
from tiebreak._version import __version__
from tiebreak.views.page import page

FOLDER = Path(__file__).parent / "snapshots"


def labelled():
    answers = {"p": list("abbbaabcca"), "q": list("aacbcabcca"), "<i>r</i>": list("aacbcbbccb")}
    return tb.compare(list("aabbcabcca"), answers)


def numeric():
    guesses = {"near": [1.1, 2.0, 2.9, 4.2, 5.0, 6.3], "far": [1.5, 2.5, 2.0, 4.0, 6.0, 5.0]}
    return tb.compare([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], guesses, task="regression")


def clustered():
    return tb.compare(list("aabbcc"), {"k": [0, 0, 1, 1, 1, 2], "m": [0, 1, 1, 1, 2, 2]}, task="clustering")


def listing(tmp_path):
    path = write_rows(str(tmp_path / "preds.parquet"), LABELLED[:8])
    with explored(path, truth="label", models=["knn", "tree", "forest"], id="id") as client:
        return client.page(cell="right_wrong").text


def instance(tmp_path):
    path = numbers.written(tmp_path / "errors.parquet", numbers.ROWS[:8])
    options = {"task": "regression", "truth": "y", "models": list(numbers.MODELS), "id": "id", "missing": "wrong"}
    with explored(path, **options) as client:
        return client.page("row/4").text + client.page(sort="gap", order="desc").text


MADE = {
    "page-labels": lambda _: page(labelled()),
    "page-numbers": lambda _: page(numeric()),
    "page-clusterings": lambda _: page(clustered()),
    "notebook": lambda _: labelled()._repr_html_(),
    "explorer-list": listing,
    "explorer-numbers": instance,
}


def plain(text):
    """The HTML without what is drawn, styled or scripted, and without what differs from run to run."""
    text = re.sub(r"<(svg|style|script)\b.*?</\1>", r"<\1/>", text, flags=re.DOTALL)
    text = text.replace(TOKEN, "TOKEN").replace(__version__, "VERSION")
    text = re.sub(r"sha256-[A-Za-z0-9+/=]+", "sha256-SUM", text)
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip()) + "\n"


@pytest.mark.parametrize("name", MADE)
def test_the_html_is_as_it_was_agreed_on(name, tmp_path):
    found, kept = plain(MADE[name](tmp_path)), FOLDER / f"{name}.html"
    if os.environ.get("TIEBREAK_SNAPSHOTS") == "write":
        FOLDER.mkdir(exist_ok=True)
        kept.write_text(found, encoding="utf-8")
    assert found == kept.read_text(encoding="utf-8")
