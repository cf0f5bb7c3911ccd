"""Every task from the shell: what is asked for is what is shown."""

import json

import numpy as np
import pandas as pd
import pytest

from tiebreak.cli.main import run

RNG = np.random.default_rng(3)
N = 60


@pytest.fixture
def files(tmp_path):
    truth = RNG.choice(["cat", "dog"], N)
    answers = {m: np.where(RNG.random(N) < share, truth, "cat") for m, share in (("knn", 0.9), ("tree", 0.6))}
    frame = pd.DataFrame({"id": range(N), "y_true": truth, **answers, "site": RNG.choice(["n", "s"], N)})
    frame["score"] = RNG.random(N)
    frame.to_csv(tmp_path / "labels.csv", index=False)
    heights = RNG.normal(170, 9, N)
    guesses = {m: heights + spread * RNG.normal(size=N) for m, spread in (("linear", 2), ("forest", 4))}
    pd.DataFrame({"y_true": heights, **guesses}).to_csv(tmp_path / "numbers.csv", index=False)
    pd.DataFrame({m: np.abs(g - 150) for m, g in guesses.items()}).to_csv(tmp_path / "scores.csv", index=False)
    clusters = {"birch": answers["knn"], "kmeans": answers["tree"]}
    pd.DataFrame({"label": truth, **clusters}).to_csv(tmp_path / "clusters.csv", index=False)
    (tmp_path / "costs.csv").write_text("truth,cat,dog\ncat,0,1\ndog,8,0\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["numbers.csv", "--task", "regression"], "mean absolute error"),
        (["numbers.csv", "--task", "regression", "--loss", "squared"], "a mean squared error of"),
        (["numbers.csv", "--task", "regression", "--tolerance", "2"], "within tolerance"),
        (["numbers.csv", "--task", "regression", "--floor", "1"], "Performance profile"),
        (["scores.csv", "--task", "scores"], "a mean score of"),
        (["clusters.csv", "--task", "clustering"], "a Rand index of"),
        (["clusters.csv", "--task", "clustering", "--models", "birch,kmeans", "--noise", "singleton"], "adjusted Rand"),
        (["labels.csv", "--models", "knn,tree", "--cost", "costs.csv"], "By cost:"),
        (["labels.csv", "--models", "knn,tree", "--by", "site"], "Slices, "),
        (["labels.csv", "--models", "knn,tree", "--by", "site,score", "--conjunctions"], "site × score"),
        (["labels.csv", "--models", "knn,tree", "--stratify", "site"], "Stratified total"),
        (["labels.csv", "--models", "knn,tree", "--proba", "knn=score", "--positive", "dog"], "ROC AUC"),
    ],
)
def test_every_task_has_its_tables(files, arguments, shown, capsys):
    assert run(["compare", *arguments]) == 0
    assert shown in capsys.readouterr().out
    for form in ("--json", "--markdown", "--latex"):
        assert run(["compare", *arguments, form]) == 0
    capsys.readouterr()
    assert run(["compare", *arguments, "--json"]) == 0
    json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["numbers.csv", "--task", "regression"], "gap"),
        (["clusters.csv", "--task", "clustering"], "contribution"),
        (["numbers.csv", "--task", "regression", "--cell", "primary_better"], "is better than"),
        (["labels.csv", "--models", "knn,tree", "--cell", "both_wrong"], "Both knn and tree are wrong"),
    ],
)
def test_show_goes_back_to_the_rows_of_every_task(files, arguments, shown, capsys):
    assert run(["show", *arguments, "--limit", "3"]) == 0
    assert shown in capsys.readouterr().out
    assert run(["show", *arguments, "--limit", "3", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["instances"]) <= 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["numbers.csv"], "--task regression"),
        (["labels.csv", "--models", "knn,tree", "--cost", "nowhere.csv"], "nowhere.csv"),
        (["labels.csv", "--models", "knn,tree", "--by", "nothing"], "by names 'nothing', which is no column"),
        (["labels.csv", "--models", "knn,tree", "--proba", "knn"], "MODEL=COLUMN"),
        (["numbers.csv", "--task", "regression", "--tolerance", "-1"], "tolerance is -1.0"),
        (["numbers.csv", "--task", "regression", "--cost", "costs.csv"], "cost is of labels"),
        (["clusters.csv", "--task", "clustering", "--missing", "wrong"], "missing"),
    ],
)
def test_wrong_calls_are_one_line(files, arguments, message, capsys):
    assert run(["compare", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
