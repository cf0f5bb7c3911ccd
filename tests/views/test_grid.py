"""Grids align what they show and escape what would be markup."""

import pytest

from tiebreak._format import counted, listed, measure, percent, signed, visible
from tiebreak.views.grid import Document, Grid


def test_wide_and_combining_characters_keep_columns_aligned():
    text = Grid("t", ("name", "n"), (("日本", "1"), ("e\u0301", "22"), ("ab", "3"))).text()
    assert text.splitlines()[2:] == ["日本   1", "e\u0301     22", "ab     3"]


def test_markup_in_cells_is_data():
    grid = Grid("<b>t</b>", ("a|b",), (("<script>alert(1)</script>",), ("*x* _y_ `z` [l](u)",), ("$\\alpha$ & %",)))
    markdown = grid.markdown()
    assert "<script>" not in markdown
    assert r"a\|b" in markdown
    assert r"\*x\* \_y\_ \`z\` \[l\](u)" in markdown
    latex = grid.latex()
    assert r"\$\textbackslash{}alpha\$ \& \%" in latex


def test_paragraphs_are_wrapped_for_terminals_only():
    document = Document(("word " * 40,))
    assert max(map(len, document.text().splitlines())) <= 100
    assert len(document.markdown().splitlines()) == 1


@pytest.mark.parametrize(
    ("value", "shown"),
    [("a\nb", "a\\nb"), ("\x1b[0m", "\\x1b[0m"), ("\u202eabc", "\\u202eabc"), ("é 日", "é 日"), ("\u2028", "\\u2028"), (3, "3"),
     ("x" * 100, "x" * 59 + "…")],
)  # fmt: skip
def test_visible(value, shown):
    assert visible(value) == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.93, "93.0 %"),
        (0, "0.0 %"),
        (1, "100.0 %"),
        (1 - 1e-5, "99.999 %"),
        (1e-7, "0.00001 %"),
        (1 - 1e-12, "100.0 %"[:0] + "99.9999999999 %"),
    ],
)
def test_a_percentage_never_claims_all_or_nothing_falsely(share, shown):
    assert percent(share) == shown


def test_small_words():
    assert counted(1, "row") == "1 row"
    assert counted(0, "row") == "0 rows"
    assert counted(2, "index", "indices") == "2 indices"
    assert listed(["a"]) == "a"
    assert (measure(-0.00001), signed(-0.00001, 2), signed(0.5, 2)) == ("0.0000", "0.00", "+0.50")
