"""The gate: four outcomes from one interval and one margin, its exit codes, its annotations, and ids that may not regress."""

import json

import numpy as np
import pytest

import tiebreak as tb
from tiebreak.cli.main import run
from tiebreak.comparison import gate
from tiebreak.tables import Tally


def comparison(both, new_only, old_only, neither):
    rows = {("a", "a", "a"): both, ("a", "b", "a"): new_only, ("a", "a", "b"): old_only, ("a", "b", "b"): neither}
    return tb.comparison.compared(Tally.of({row: n for row, n in rows.items() if n}, models=("old", "new")))


CASES = [
    ((800, 60, 20, 120), 0.005, "improved", 0),
    ((900, 20, 20, 60), 0.02, "not_worse", 0),
    ((800, 20, 90, 90), 0.02, "worse", 1),
    ((80, 5, 6, 9), 0.01, "not_enough_evidence", 3),
    ((100, 0, 0, 0), 0.05, "not_worse", 0),
    ((10, 0, 0, 0), 0.0, "not_enough_evidence", 3),
]


@pytest.mark.parametrize(("cells", "margin", "outcome", "code"), CASES)
def test_outcomes_follow_the_interval(cells, margin, outcome, code):
    decision = gate(comparison(*cells), baseline="old", candidate="new", margin=margin)
    low, high = decision.pair.difference.low, decision.pair.difference.high
    assert decision.outcome == outcome
    assert decision.passed == (code == 0)
    assert outcome == (
        "improved"
        if low > 0
        else "not_worse"
        if low >= -margin
        else "worse"
        if high < -margin
        else "not_enough_evidence"
    )
    assert str(decision).startswith(f"{outcome}: ")


@pytest.fixture
def files(tmp_path):
    def write(cells, name="preds.csv"):
        both, new_only, old_only, neither = cells
        rows = [("a", "a")] * both + [("b", "a")] * new_only + [("a", "b")] * old_only + [("b", "b")] * neither
        path = tmp_path / name
        path.write_text("id,y_true,old,new\n" + "".join(f"{k},a,{o},{n}\n" for k, (o, n) in enumerate(rows)))
        return str(path)

    return write


@pytest.mark.parametrize(("cells", "margin", "outcome", "code"), CASES[:4])
def test_the_command_ends_with_the_decision(files, cells, margin, outcome, code, capsys):
    arguments = ["gate", files(cells), "--baseline", "old", "--candidate", "new", "--margin", str(margin)]
    assert run(arguments) == code
    assert capsys.readouterr().out.startswith(f"{outcome}: ")
    assert run([*arguments, "--json"]) == code
    document = json.loads(capsys.readouterr().out)
    assert document["gate"]["outcome"] == outcome
    assert document["gate"]["margin"] == margin
    assert document["gate"]["must_pass_failed"] == []
    pair = next(pair for pair in document["pairs"] if pair["primary"] == "new")
    assert document["gate"]["difference"] == pair["difference"]


def test_two_named_files_are_baseline_and_candidate(tmp_path, capsys):
    for name, answers in (("one", "aab"), ("two", "aaa")):
        rows = "".join(f"{k},a,{answer}\n" for k, answer in enumerate(answers * 40))
        (tmp_path / f"{name}.csv").write_text("id,y_true,y_pred\n" + rows)
    assert run(["gate", f"old={tmp_path}/one.csv", f"new={tmp_path}/two.csv", "--margin", "0"]) == 0
    assert capsys.readouterr().out.startswith("improved: new is better than old: +33.33 pp")


def test_other_models_in_the_table_have_no_part(tmp_path, capsys):
    (tmp_path / "p.csv").write_text("y_true,old,new,third\n" + "a,a,a,b\n" * 60 + "a,a,a,a\n")
    assert run(["gate", "p.csv", "--baseline", "old", "--candidate", "new", "--margin", "0.2", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["models"]) == 2
    assert run(["gate", "p.csv", "--margin", "0.2"]) == 2
    assert "there are 3 models: name them with --baseline and --candidate" in capsys.readouterr().err


def test_ids_that_may_not_regress(files, tmp_path, capsys):
    path = files((500, 40, 2, 10))
    (tmp_path / "golden.txt").write_text("# the instances that were in the incident\n3\n540\n\n541\n")
    arguments = [
        "gate",
        path,
        "--baseline",
        "old",
        "--candidate",
        "new",
        "--margin",
        "0.1",
        "--must-pass",
        "golden.txt",
    ]
    assert run([*arguments, "--github"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("worse: new is wrong on 2 of 3 instances that may not regress: 540, 541; over all")
    assert "::error title=tiebreak gate::instance 540 regressed\n" in err
    (tmp_path / "golden.txt").write_text("3\n4\n")
    assert run(arguments) == 0
    capsys.readouterr()
    (tmp_path / "golden.txt").write_text("3\n9999\n")
    assert run(arguments) == 2
    assert "must-pass names 1 id that no compared instance has (9999)" in capsys.readouterr().err
    (tmp_path / "golden.txt").write_text("\n")
    assert run(arguments) == 2
    assert "holds no id" in capsys.readouterr().err


def test_numbers_have_a_margin_in_their_own_unit():
    rng = np.random.default_rng(0)
    truth = rng.normal(100, 20, 200)
    guesses = {"old": truth + rng.normal(0, 5, 200), "new": truth + rng.normal(0, 5.2, 200)}
    comparison = tb.compare(truth, guesses, task="regression")
    decision = gate(comparison, baseline="old", candidate="new", margin=2.5)
    assert decision.outcome == "not_worse"
    assert "by more than the margin of 2.5" in decision.sentence
    with pytest.raises(tb.TiebreakError, match="margin is -1"):
        gate(comparison, baseline="old", candidate="new", margin=-1)


@pytest.mark.parametrize("kind", ["pandas", "polars", "parquet", "csv"])
def test_ids_are_found_in_every_source(kind, files, tmp_path):
    import polars as pl

    path = files((50, 4, 2, 10))
    frame = pl.read_csv(path)
    frame.write_parquet(tmp_path / "p.parquet")
    data = {"pandas": frame.to_pandas(), "polars": frame, "parquet": str(tmp_path / "p.parquet"), "csv": path}[kind]
    decision = gate(tb.compare(data), baseline="old", candidate="new", margin=0.5, must_pass=[55, 54, 1])
    assert decision.must_pass_failed == ("55", "54")
    assert decision.outcome == "worse"


def test_github_reads_annotations_and_a_summary(files, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    arguments = ["gate", files((800, 20, 90, 90)), "--baseline", "old", "--candidate", "new", "--margin", "0.02"]
    assert run([*arguments, "--github", "--json"]) == 1
    out, err = capsys.readouterr()
    json.loads(out)
    assert "::error title=tiebreak gate::worse: new is worse than old: −7.00 pp (95 %25 interval" in err
    assert "worse: new is worse than old" in (tmp_path / "summary.md").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--margin", "-0.1"], "margin is -0.1: it must be a number from 0 to 1"),
        (["--margin", "0.1", "--candidate", "old"], "candidate and baseline are both 'old'"),
        (["--margin", "0.1", "--candidate", "newer"], "newer"),
        ([], "--margin"),
        (["--margin", "0.1", "--must-pass", "nowhere.txt"], "nowhere.txt"),
    ],
)
def test_a_wrong_call_is_one_line_and_code_2(files, options, message, capsys):
    assert run(["gate", files((5, 1, 1, 1)), "--baseline", "old", *options]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
