"""The badge and the leaderboard: small, true, and harmless whatever a model is called."""

import json

import pytest

import tiebreak as tb
from tiebreak.cli.main import run
from tiebreak.comparison import gate
from tiebreak.views import badge, leaderboard

TRUTH = ["a"] * 60


def answers(right):
    return ["a"] * right + ["b"] * (60 - right)


def test_one_best_model_is_named_with_its_score():
    found = badge(tb.compare(TRUTH, {"old": answers(20), "new": answers(57)}))
    assert found == {
        "schemaVersion": 1,
        "label": "best model",
        "message": "new 95.0 % on 60 instances",
        "color": "brightgreen",
    }


def test_models_that_are_not_separable_share_the_badge():
    found = badge(tb.compare(TRUTH, {f"m{k}": answers(50 + k) for k in range(5)}))
    assert found["label"] == "best models"
    assert found["message"] == "m4, m3, m2 and 2 more not separable on 60 instances"
    assert found["color"] == "blue"


def test_with_a_baseline_there_are_no_tiers():
    comparison = tb.compare(TRUTH, {"old": answers(20), "new": answers(57)}, baseline="old")
    assert badge(comparison)["message"] == "new 95.0 % on 60 instances"
    assert leaderboard(comparison).rows[0][:3] == ("–", "–", "new")
    assert "tier holds" not in leaderboard(comparison).title


@pytest.mark.parametrize(
    ("right", "message", "color"),
    [
        (60, "improved +33.33 pp", "brightgreen"),
        (41, "not worse +1.67 pp", "green"),
        (5, "worse −58.33 pp", "red"),
        (38, "not enough evidence −3.33 pp", "yellow"),
    ],
)
def test_a_gate_is_a_word_and_a_colour(right, message, color):
    comparison = tb.compare(TRUTH, {"old": answers(40), "new": answers(right)})
    found = badge(gate(comparison, baseline="old", candidate="new", margin=0.05))
    assert (found["message"], found["color"]) == (message, color)


def test_a_regression_is_in_the_badge():
    comparison = tb.compare(
        {"id": range(60), "y_true": TRUTH, "old": answers(40), "new": ["b", *answers(60)[1:]]}, id="id"
    )
    found = badge(gate(comparison, baseline="old", candidate="new", margin=0.05, must_pass=[0]))
    assert (found["message"], found["color"]) == ("worse: 1 instance regressed", "red")


def test_names_are_data():
    comparison = tb.compare(TRUTH, {"a|b\n<script>": answers(20), "c": answers(57)})
    assert "\n| 2 | 2 | a\\|b" in leaderboard(comparison).markdown()
    assert "\n" not in badge(comparison)["message"]
    with pytest.raises(TypeError, match="nothing makes a badge of a int"):
        badge(3)


def test_the_command_writes_both(tmp_path, capsys):
    rows = "".join(f"a,{p},{q}\n" for p, q in zip(answers(20), answers(57)))
    (tmp_path / "preds.csv").write_text("y_true,old,new\n" + rows)
    for _ in range(2):
        assert run(["compare", "preds.csv", "--badge", "badge.json", "--leaderboard"]) == 0
    out = capsys.readouterr().out
    assert "| 1 | 1 | new | 95.0 % |" in out
    assert json.loads((tmp_path / "badge.json").read_text())["label"] == "best model"
    assert run(["gate", "preds.csv", "--margin", "0.01", "--badge", "gate.json"]) == 0
    assert json.loads((tmp_path / "gate.json").read_text())["label"] == "gate"
    assert run(["compare", "preds.csv", "--badge", "preds.csv"]) == 2
    assert "is also read" in capsys.readouterr().err
