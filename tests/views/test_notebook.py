"""Results in a notebook, in a paper, in a data frame."""

import re
import shutil
import subprocess
import sys

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from shown_examples import TASKS, clustered, compared, confusion, graded, regressed, rich, scored

import tiebreak as tb
from hostile import NAMES, strictly_parsed
from tiebreak.comparison import gate
from tiebreak.inference import TraceDifference
from tiebreak.views import document
from tiebreak.views.grid import Cell, Document, Grid
from tiebreak.views.marks import significance_marks


def results(names=("p", "q", "r"), labels=("a", "b", "c")):
    comparison = compared(names=list(names), labels=list(labels))
    pair = comparison.pair(*names[:2])
    matrices = [[5, 1], [2, 4]], [[4, 2], [3, 3]]
    return [
        comparison, pair, pair.prayatul, pair.superiority, comparison.instances(*names[:2]),
        gate(comparison, baseline=names[0], candidate=names[1], margin=0.01), tb.instances_needed(0.02, disagreement=0.2)
        if hasattr(tb, "instances_needed") else pair.prayatul, tb.trace_superiority(*matrices),
        tb.TraceDistribution(matrices[0]), TraceDifference(*matrices), tb.EigenvalueDistribution(matrices[0]),
    ]  # fmt: skip


def test_every_result_shows_itself_in_a_notebook():
    for result in results():
        fragment = result._repr_html_()
        strictly_parsed(fragment)
        assert fragment.startswith('<div class="tiebreak">')
        assert len(fragment) < 40_000, type(result)
        assert result._repr_markdown_() == result.to_markdown()
        assert str(result)
        assert r"\begin{tabular}" in result.to_latex()


def test_a_notebook_needs_no_matplotlib_and_no_templates():
    code = (
        "import sys, tiebreak as tb;"
        "tb.compare([1, 0], {'a': [1, 1], 'b': [0, 0]})._repr_html_();"
        "assert not {'matplotlib', 'pandas', 'polars'} & set(sys.modules), sorted(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_labels_are_data_in_every_form(name):
    for result in results(names=(name, name + "2", "r"), labels=(name, "b")):
        strictly_parsed(result._repr_html_())
        markdown = result.to_markdown()
        assert "<script" not in markdown
        assert "<img" not in markdown
        assert not re.search(r"(?<!\\)\$", markdown)
        latex_is_sound(result.to_latex())


def test_the_style_reaches_nothing_else():
    style = re.search(r"<style>(.*)</style>", compared()._repr_html_())[1]
    assert all(
        each.strip().startswith(".tiebreak")
        for rule in style.split("}")
        if rule
        for each in rule.split("{")[0].split(",")
    )


def parts_of(comparison, primary, alternative):
    """The results of several tasks that a comparison hands out."""
    return [
        comparison.model(primary).confusion,
        comparison.confusion_difference(primary, alternative),
        *(
            comparison.class_differences(primary, alternative, each)
            for each in ("recall", "precision", "f1", "r_prime")
        ),
        comparison.cell_differences(primary, alternative),
        comparison.slices[0],
        comparison.profile,
        comparison.costed,
    ]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_parts_of_a_comparison_show_themselves_in_every_form(name):
    comparison = rich(names=[name, "b"], labels=[name, "x", "y"], n=60, parts=(name, "night"))
    others = [made(names=[name, "b"], n=40) for made in (regressed, scored, clustered, graded)]
    others += [clustered(names=[name, "b"], n=40, truth=False), others[0].profile]
    for result in (comparison, comparison.pair(name, "b"), *parts_of(comparison, name, "b"), *others):
        assert len(str(result).splitlines()) > 3
        strictly_parsed(result._repr_html_())
        latex_is_sound(result.to_latex())
        assert "<script" not in result.to_markdown()


def test_what_is_no_result_has_no_document():
    with pytest.raises(TypeError, match="nothing shows a int"):
        document(3)


def test_the_parts_hold_the_numbers_of_their_records():
    comparison = rich()
    matrix, change = comparison.model("model 0").confusion, comparison.confusion_difference("model 0", "model 1")
    cells, by_class, whole = document(matrix).parts
    assert [[cell.value for cell in row[1:]] for row in cells.rows] == matrix.counts.tolist()
    assert [row[-1].value for row in by_class.rows] == [each.r_prime for each in matrix.classes]
    assert {row[0]: row[1].value for row in whole.rows}["κ"] == matrix.kappa
    assert [row[-1].value for row in document(change).parts[0].rows] == [each.r_prime for each in change.classes]
    places = comparison.class_differences("model 0", "model 1")
    assert [row[2].value for row in document(places).parts[0].rows] == [float(each.difference) for each in places]
    table = comparison.slices[0]
    assert [row[5].value for row in document(table).parts[0].rows] == [
        float(each.difference) for each in table.ranked()
    ]
    shares = comparison.profile.at(2)
    assert {row[0]: row[3].value for row in document(comparison.profile).parts[0].rows} == shares
    (*_, differences) = document(comparison.pair("model 0", "model 1")).parts
    assert differences.rows[0][2].value == float(comparison.pair("model 0", "model 1").probabilities.roc_auc)


def test_cells_of_clusterings_are_pairs():
    comparison = clustered(models=2, n=20)
    assert "model 0 against model 1, 190 pairs" in str(comparison.pair("model 0", "model 1"))
    assert comparison.plot.prayatul.data().things == "pair"
    assert comparison.plot.prayatul.data().grid().header[1] == "pairs"


def test_a_matrix_of_many_classes_shows_its_errors_instead():
    matrix = confusion(compared(classes=30, n=900), "model 0")
    assert "Most frequent errors" in document(matrix).text()
    assert "true \\ predicted" not in document(matrix).text()


# Significance marks.


def test_marks_name_the_models_that_a_row_is_better_than():
    comparison = compared(5, n=600)
    marks = significance_marks(comparison)
    ranked = [model.name for model in comparison.ranked]
    for place, marked in enumerate(marks):
        expected = {
            "abcde"[k]
            for k, other in enumerate(ranked)
            if k > place and comparison.pair(ranked[place], other).p_value_adjusted < 0.05
        }
        first, _, last = marked.partition("–")
        written = set("abcde"["abcde".index(first) : "abcde".index(last) + 1]) if last else set(marked)
        assert written == expected
    assert any(marks)
    assert "".join(significance_marks(tb.Comparison.from_dict(comparison.to_dict()))) == "".join(marks)


def test_marks_are_raised_where_a_form_can_and_absent_in_a_terminal():
    comparison = tb.compare(["a"] * 99, {"p": ["a"] * 99, "q": ["b"] * 99})
    assert "| p (a) | 99 | 100.0 %<sup>b</sup> |" in comparison.to_markdown()
    assert r"p (a) & 99 & 100.0 \%\textsuperscript{b} &" in comparison.to_latex()
    assert "100.0 %</data><sup>b</sup>" in comparison._repr_html_()
    assert "(a)" not in str(comparison)
    assert "Raised letters name the models" in comparison.to_markdown()


def test_more_models_than_letters():
    comparison = compared(60, n=100)
    assert len(significance_marks(comparison)) == 60
    assert "(bh)" in comparison.to_markdown()


# LaTeX.


def latex_is_sound(text):
    """Braces balance, every row has as many columns as its table, nothing special stands unescaped."""
    assert all(ord(character) >= 32 or character == "\n" for character in text)
    body = re.sub(r"(?m)^%.*$", "", text)
    bare = re.sub(r"\\[\\{}&%$#_]", "", body)
    assert bare.count("{") == bare.count("}")
    assert "#" not in bare
    assert "%" not in bare
    assert re.sub(r"\$(\\[a-zA-Z]+|-|')\$", "", bare).count("$") == 0
    for columns, table in re.findall(r"\\begin\{tabular\}\{([lr]+)\}(.*?)\\end\{tabular\}", body, re.DOTALL):
        rows = [row for row in re.sub(r"\\(top|mid|bottom)rule", "", table).split("\\\\\n") if row.strip()]
        assert all(len(re.findall(r"(?<!\\)&", row)) == len(columns) - 1 for row in rows)


def test_latex_holds_its_columns():
    for result in results():
        latex_is_sound(result.to_latex())


def test_latex_stands_in_a_document(tmp_path):
    """Sound in any case; where there is a LaTeX, it also compiles."""
    texts = [result.to_latex() for result in results()]
    names = [name for name in NAMES if all(ord(c) < 0x180 or ord(c) > 0xFFFF for c in name) and len(name) < 99]
    texts += [compared(names=[name, "other"], labels=[name, "b"]).to_latex() for name in names]
    texts += [made(models=2).to_latex() for made in TASKS.values()]
    texts.append(
        Document(
            (Grid("σ ξ α φ κ τ ρ ′ ∞ − ± ≤ ≥ × … – — → √", ("a",), ((Cell("--- [x] *y* \"'`", marks="a–c"),),)),)
        ).latex()
    )
    for text in texts:
        latex_is_sound(text)
        # Whatever is not Latin has become a command, but for emoji, which no command stands for.
        assert all(
            ord(character) < 0x180 or ord(character) > 0xFFFF or character in "–—…" for character in written(text)
        )
    if shutil.which("pdflatex") is not None:
        compiled(texts, tmp_path)


def written(text):
    """What LaTeX sets: comments are left out."""
    return re.sub(r"(?m)^%.*$", "", text)


def compiled(texts, folder):
    body = "\n\n\\bigskip\n\n".join(texts)
    source = f"\\documentclass{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    (folder / "tables.tex").write_text(source, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]


# Data frames.


@pytest.mark.parametrize(
    ("library", "make"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.table)]
)
def test_frames_come_in_the_library_of_the_predictions(library, make):
    columns = {"y_true": ["a", "b", "a", "b"], "p": ["a", "b", "b", "b"], "q": ["a", "a", "a", "b"]}
    comparison = tb.compare(make(columns))
    for what in ("models", "pairs"):
        frame = comparison.to_frame(what)
        assert type(frame).__module__.split(".")[0] == library
        assert len(frame) == 2
    assert type(tb.compare(list("ab"), make({"p": list("ab"), "q": list("aa")})).to_frame()).__module__.startswith(
        library
    )


def test_frames_hold_the_numbers_of_the_document():
    comparison = compared(3)
    models, pairs, document = comparison.to_frame(), comparison.to_frame("pairs"), comparison.to_dict()
    assert models["accuracy"].tolist() == [entry["accuracy"]["value"] for entry in document["models"]]
    assert models["accuracy_low"].tolist() == [entry["accuracy"]["low"] for entry in document["models"]]
    assert pairs["right_wrong"].tolist() == [entry["right_wrong"] for entry in document["pairs"]]
    assert pairs["difference_method"].unique().tolist() == ["flat_posterior"]
    assert {"rank_low", "rank_high", "tier", "model"} <= set(models.columns)


def test_other_results_are_frames_too():
    comparison = compared(2)
    found = comparison.instances("model 0", "model 1")
    assert list(found.to_frame().columns) == list(found.columns)
    cells = comparison.pair("model 0", "model 1").prayatul.to_frame()
    assert cells.iloc[0, 1] == comparison.pair("model 0", "model 1").prayatul.both_right


def test_frames_that_are_not_there_are_refused():
    comparison = compared(2)
    with pytest.raises(tb.TiebreakError, match="what is 'rows'"):
        comparison.to_frame("rows")
    with pytest.raises(tb.TiebreakError, match="only a comparison has several tables"):
        comparison.pair("model 0", "model 1").to_frame("pairs")
    with pytest.raises(tb.TiebreakError, match="no records by class"):
        graded(models=2).to_frame("classes")


def test_without_a_library_one_line_says_so(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(tb.TiebreakError, match="needs pandas, polars or pyarrow, and none is installed"):
        compared(2).to_frame()
