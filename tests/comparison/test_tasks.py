"""Every task through the hall: numbers, scores, clusterings, costs, slices, test sets, probabilities."""

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tiebreak as tb
from documents import assert_every_null_has_its_reason

RNG = np.random.default_rng(7)
N = 240
HEIGHTS = RNG.normal(170, 10, N)
GUESSES = {name: HEIGHTS + spread * RNG.normal(size=N) for name, spread in (("a", 2.0), ("b", 2.4), ("c", 6.0))}
CLASSES = RNG.integers(0, 3, N)
ANSWERS = {
    name: np.where(RNG.random(N) < share, CLASSES, RNG.integers(0, 3, N))
    for name, share in (("p", 0.9), ("q", 0.7), ("r", 0.5))
}
GROUPS = np.arange(N) // 6
SITES = RNG.choice(["north", "south"], N)
COSTS = ([0, 1, 2], [[0, 1, 2], [3, 0, 1], [9, 1, 0]])


def document_of(comparison):
    """The JSON document, after it has been read back, shown and checked."""
    document = json.loads(comparison.to_json())
    again = tb.Comparison.from_dict(document)
    assert again.to_dict() == document
    assert str(again) == str(comparison)
    assert again.to_markdown() == comparison.to_markdown()
    assert_every_null_has_its_reason(document)
    return document


@pytest.mark.parametrize(
    "options",
    [
        {}, {"tolerance": 2.0}, {"loss": "squared"}, {"groups": GROUPS}, {"sample_weight": RNG.random(N)}, {"floor": 0.5},
        {"interval": "bootstrap_percentile"}, {"rope": 0.1, "tau": 0.5}, {"correction": "romano-wolf"}, {"baseline": "b"},
        {"groups": GROUPS, "interval": "bootstrap_bca"},
    ],
)  # fmt: skip
def test_regression_is_the_paired_t_of_losses(options):
    comparison = tb.compare(HEIGHTS, GUESSES, task="regression", **options)
    document = document_of(comparison)
    power = 2 if options.get("loss") == "squared" else 1
    losses = {name: np.abs(guess - HEIGHTS) ** power for name, guess in GUESSES.items()}
    weights = options.get("sample_weight", np.ones(N))
    for entry in document["models"]:
        assert entry["mean"]["value"] == pytest.approx(np.average(losses[entry["model"]], weights=weights))
        assert entry["mean"]["low"] <= entry["mean"]["value"] <= entry["mean"]["high"]
    pair = comparison.pair("a", "b")
    assert pair.difference == pytest.approx(np.average(losses["b"] - losses["a"], weights=weights))
    if not {"groups", "sample_weight", "interval"} & set(options):
        from scipy.stats import ttest_rel

        test = ttest_rel(losses["b"], losses["a"])
        interval = test.confidence_interval(0.95)
        assert pair.p_value == pytest.approx(test.pvalue)
        assert (pair.difference.low, pair.difference.high) == pytest.approx((interval.low, interval.high))


def test_regression_agrees_with_scikit_learn():
    from sklearn.metrics import mean_absolute_error, root_mean_squared_error

    comparison = tb.compare(HEIGHTS, GUESSES, task="regression")
    for name, guess in GUESSES.items():
        model = comparison.model(name)
        assert model.mean_absolute_error == pytest.approx(mean_absolute_error(HEIGHTS, guess), rel=1e-12)
        assert model.root_mean_squared_error == pytest.approx(root_mean_squared_error(HEIGHTS, guess), rel=1e-12)
        assert model.bias == pytest.approx((guess - HEIGHTS).mean(), abs=1e-12)
        best = np.min([np.abs(g - HEIGHTS) for g in GUESSES.values()], axis=0)
        assert model.wins == np.mean(np.abs(guess - HEIGHTS) == best)
    assert comparison.profile.wins == {model.name: model.wins for model in comparison.models}


def test_a_tolerance_makes_right_and_wrong():
    comparison = tb.compare(HEIGHTS, GUESSES, task="regression", tolerance=2.0)
    right = {name: np.abs(guess - HEIGHTS) <= 2.0 for name, guess in GUESSES.items()}
    found = comparison.pair("a", "c").prayatul
    assert found.right_wrong == (right["a"] & ~right["c"]).sum()
    assert found.n == N
    assert comparison.model("a").measures["share_within"] == right["a"].mean()
    with pytest.raises(tb.NotDefined, match="name a --tolerance"):
        tb.compare(HEIGHTS, GUESSES, task="regression").pair("a", "b").prayatul


def test_a_failed_number_leaves_no_mean_and_no_rank():
    failing = GUESSES | {"c": np.where(np.arange(N) == 5, np.nan, GUESSES["c"])}
    comparison = tb.compare(HEIGHTS, failing, task="regression", missing="wrong")
    document = document_of(comparison)
    assert comparison.model("c").tier is None
    assert comparison.model("c").p_best == 0
    assert math.isnan(comparison.model("c").mean)
    assert comparison.model("c").solved == (N - 1) / N
    assert [model.name for model in comparison.ranked][-1] == "c"
    assert "missing numbers count as failures" in comparison.warnings[0]
    assert document["models"][0]["tier"] == 1
    dropped = tb.compare(HEIGHTS, failing, task="regression", missing="drop")
    assert dropped.n == N - 1
    with pytest.raises(tb.MissingPredictions, match="'c' 1"):
        tb.compare(HEIGHTS, failing, task="regression")


@pytest.mark.parametrize("options", [{}, {"groups": GROUPS}, {"tolerance": 1.0}, {"interval": "bootstrap_bca"}])
def test_scores_more_is_better(options):
    scores = {name: 100 - np.abs(guess - HEIGHTS) for name, guess in GUESSES.items()}
    comparison = tb.compare(scores, task="scores", **options)
    document_of(comparison)
    assert comparison.leader.name == max(scores, key=lambda name: scores[name].mean())
    assert comparison.model("a").mean == pytest.approx(scores["a"].mean())
    assert comparison.pair("a", "c").difference > 0
    gaps = [row["gap"] for row in comparison.instances("a", "c", limit=5)]
    assert gaps == sorted(np.abs(scores["a"] - scores["c"]), reverse=True)[:5]


def test_negative_scores_have_no_profile_and_say_so():
    comparison = tb.compare({"a": [-1.0, 2.0, 0.5], "b": [0.0, 1.0, 0.5]}, task="scores")
    assert comparison.curve is None
    assert "scores go down to -1" in comparison.warnings[0]
    document_of(comparison)


@pytest.mark.parametrize("options", [{}, {"groups": GROUPS}, {"interval": "bootstrap_percentile"}, {"baseline": "q"}])
def test_clusterings_are_judged_by_pairs(options):
    from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, rand_score

    comparison = tb.compare(CLASSES, ANSWERS, task="clustering", **options)
    document_of(comparison)
    for name, labels in ANSWERS.items():
        model = comparison.model(name)
        assert model.rand == pytest.approx(rand_score(CLASSES, labels), abs=1e-12)
        assert model.adjusted_rand == pytest.approx(adjusted_rand_score(CLASSES, labels), abs=1e-12)
        assert model.agreement.adjusted_mutual_information == pytest.approx(adjusted_mutual_info_score(CLASSES, labels))
    pair = comparison.pair("p", "r")
    assert pair.prayatul.n == N * (N - 1) // 2
    assert pair.prayatul.difference == pytest.approx(pair.difference)
    assert pair.agreement.rand == pytest.approx(rand_score(ANSWERS["p"], ANSWERS["r"]))
    assert math.isnan(pair.mcnemar_exact_p)
    assert "not independent" in pair.undefined["mcnemar_exact_p"]


def test_clusterings_without_a_truth_agree_or_not_and_nobody_is_better():
    found = tb.compare(ANSWERS, task="clustering")
    assert "no clustering is better" in found.verdict
    assert len(found.pairs) == 3
    assert json.dumps(found.to_dict())
    assert "Agreement with each other" in str(found)


def test_refused_for_clusterings():
    with pytest.raises(tb.NotDefined, match="tango is not defined over pairs"):
        tb.compare(CLASSES, ANSWERS, task="clustering", interval="tango").to_dict()
    with pytest.raises(tb.TiebreakError, match="weight"):
        tb.compare(CLASSES, ANSWERS, task="clustering", sample_weight=np.ones(N))
    with pytest.raises(tb.EmptyComparison, match="1 instance"):
        tb.compare([1], {"p": [1], "q": [2]}, task="clustering")


def test_costs_turn_a_verdict_and_name_the_price():
    truth = ["no", "no", "no", "yes", "yes"] * 20
    models = {"careful": ["yes", "no", "no", "yes", "yes"] * 20, "bold": ["no", "no", "no", "no", "yes"] * 20}
    comparison = tb.compare(truth, models, cost=(["no", "yes"], [[0, 1], [10, 0]]))
    document = document_of(comparison)
    costed = comparison.costed
    assert costed.leader.name == "careful"
    assert costed.model("careful").mean == pytest.approx(0.2)
    assert costed.model("bold").mean == pytest.approx(2.0)
    assert costed.prices[0].ratio == pytest.approx(1.0)
    assert document["cost"]["break_even"][0]["ratio"] == pytest.approx(1.0)
    # A needless alarm costs 1, as much as a right answer in a profile, so it ties.
    assert comparison.profile.wins == {"careful": 1.0, "bold": 0.8}
    assert "By cost:" in str(comparison)


@pytest.mark.parametrize("form", ["path", "pair", "frame"])
def test_costs_in_every_form(form, tmp_path):
    frame = pd.DataFrame(COSTS[1], index=COSTS[0], columns=COSTS[0])
    frame.to_csv(tmp_path / "costs.csv")
    given = {"path": str(tmp_path / "costs.csv"), "pair": COSTS, "frame": frame.iloc[::-1]}[form]
    comparison = tb.compare(CLASSES, ANSWERS, cost=given)
    table = np.array(COSTS[1])
    assert comparison.costed.model("p").mean == pytest.approx(table[CLASSES, ANSWERS["p"]].mean())


@pytest.mark.parametrize("kind", ["pandas", "polars", "csv", "parquet", "arrays"])
def test_slices_equal_a_comparison_of_their_rows(kind, tmp_path):
    frame = pd.DataFrame({"y_true": CLASSES, **ANSWERS, "site": SITES})
    frame.to_csv(tmp_path / "p.csv", index=False)
    frame.to_parquet(tmp_path / "p.parquet")
    data = {
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "csv": str(tmp_path / "p.csv"),
        "parquet": str(tmp_path / "p.parquet"),
    }
    comparison = (
        tb.compare(CLASSES, ANSWERS, by={"site": SITES}) if kind == "arrays" else tb.compare(data[kind], by="site")
    )
    document_of(comparison)
    for table in comparison.slices:
        for each in table:
            rows = each.value == SITES
            alone = tb.compare(CLASSES[rows], {m: ANSWERS[m][rows] for m in (table.primary, table.alternative)})
            pair = alone.pair(table.primary, table.alternative)
            assert each.prayatul.cells().tolist() == pair.prayatul.counts.cells().tolist()
            assert each.p_value == pytest.approx(pair.p_value)
            assert (each.difference.low, each.difference.high) == pytest.approx(
                (pair.difference.low, pair.difference.high)
            )


def test_test_sets_count_alike_whatever_their_size():
    sets = np.where(np.arange(N) < 40, "small", "large")
    comparison = tb.compare(CLASSES, ANSWERS, stratify=sets)
    document_of(comparison)
    right = {name: answer == CLASSES for name, answer in ANSWERS.items()}
    total = next(t for t in comparison.strata.totals if {t.primary, t.alternative} == {"p", "r"})
    sign = 1 if total.primary == "p" else -1
    per_set = [(right["p"][sets == s].mean() - right["r"][sets == s].mean()) for s in ("small", "large")]
    assert total.difference == pytest.approx(sign * np.mean(per_set))
    assert "Stratified total" in str(comparison)


def test_probabilities_agree_with_scikit_learn():
    from sklearn.metrics import average_precision_score, log_loss, roc_auc_score

    shares = {name: 0.6 * np.eye(3)[answer] + 0.4 / 3 for name, answer in ANSWERS.items()}
    comparison = tb.compare(CLASSES, ANSWERS, y_proba=shares)
    document = document_of(comparison)
    for entry in document["models"]:
        given = shares[entry["model"]]
        assert entry["roc_auc"]["value"] == pytest.approx(roc_auc_score(CLASSES, given, multi_class="ovr"))
        assert entry["log_loss"]["value"] == pytest.approx(log_loss(CLASSES, given))
        assert entry["average_precision"] == pytest.approx(
            np.mean([average_precision_score(k == CLASSES, given[:, k]) for k in range(3)])
        )
        assert entry["brier"]["value"] == pytest.approx(((given - np.eye(3)[CLASSES]) ** 2).sum(axis=1).mean())
    pair = comparison.pair("p", "r")
    assert pair.probabilities.roc_auc > 0
    assert pair.probabilities.roc_auc_p < 0.05


def test_columns_of_probabilities_are_no_models(tmp_path):
    truth = (CLASSES > 0).astype(int)
    frame = pd.DataFrame({"y_true": truth, "a": truth, "b": 1 - truth, "score": RNG.random(N)})
    frame.to_csv(tmp_path / "p.csv", index=False)
    comparison = tb.compare(str(tmp_path / "p.csv"), y_proba="a=score")
    assert comparison.names == ("a", "b")
    assert comparison.model("a").probabilities is not None
    assert comparison.model("b").probabilities is None
    document_of(comparison)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task": "regression", "cost": COSTS}, "cost is of labels, and the task is regression"),
        ({"task": "clustering", "by": {"site": SITES}}, "slices and test sets are of right and wrong answers"),
        ({"task": "regression", "tolerance": -1}, "tolerance is -1: it must be a number ≥ 0"),
        ({"task": "regression", "loss": "cubic"}, "loss is 'cubic': it must be one of"),
        ({"task": "clustering", "noise": "dust"}, "noise is 'dust': it must be one of"),
        ({"task": "regression", "interval": "tango"}, "tango is of right and wrong answers"),
        ({"cost": (["0", "1"], [[0, 1], [1, 0]])}, "costs have no row for"),
        ({"y_proba": {"z": np.ones(N)}}, "'z' is no model"),
    ],
)
def test_wrong_words_for_a_task(options, message):
    answers = GUESSES if options.get("task") == "regression" else ANSWERS
    truth = HEIGHTS if options.get("task") == "regression" else CLASSES
    with pytest.raises(tb.TiebreakError, match=message) as caught:
        tb.compare(truth, answers, **options).to_dict()
    assert "\n" not in str(caught.value)


def test_class_differences_are_paired():
    comparison = tb.compare(CLASSES, ANSWERS)
    for record in comparison.class_differences("p", "r").records():
        rows = record.label == CLASSES
        alone = tb.compare(CLASSES[rows], {m: ANSWERS[m][rows] for m in "pr"}).pair("p", "r")
        assert record.difference == pytest.approx(alone.difference)
        assert record.p_value == pytest.approx(alone.p_value)
    change = comparison.confusion_difference("p", "r")
    assert np.asarray(change).sum() == 0


def test_abstentions_stand_beside_r_prime():
    silent = {**ANSWERS, "s": [None if k < 30 else answer for k, answer in enumerate(ANSWERS["p"].tolist())]}
    comparison = tb.compare(CLASSES, silent, missing="wrong")
    document_of(comparison)
    matrix = comparison.model("s").confusion
    assert matrix.coverage == (N - 30) / N
    assert comparison.model("s").r_prime > comparison.model("s").accuracy
    assert any("counts an abstention as a success" in note and "s 87.5 %" in note for note in comparison.warnings)


def test_above_a_hundred_classes_cells_are_listed_one_by_one():
    truth = np.arange(300) % 150
    answers = {"a": truth, "b": (truth + (np.arange(300) % 7 == 0)) % 150}
    document = document_of(tb.compare(truth, answers))
    confusion = document["models"][1]["confusion"]
    assert "counts" not in confusion
    assert sum(count for _, _, count in confusion["cells"]) == 300


@pytest.mark.parametrize("task", ["classification", "correct", "regression", "scores", "clustering", "cost"])
def test_comparisons_travel_to_other_processes(task):
    import pickle

    comparison = {
        "classification": lambda: tb.compare(CLASSES, ANSWERS, by={"site": SITES}, stratify=SITES),
        "correct": lambda: tb.compare({m: a == CLASSES for m, a in ANSWERS.items()}, task="correct"),
        "regression": lambda: tb.compare(HEIGHTS, GUESSES, task="regression", tolerance=1.0),
        "scores": lambda: tb.compare({m: np.abs(g) for m, g in GUESSES.items()}, task="scores", groups=GROUPS),
        "clustering": lambda: tb.compare(CLASSES, ANSWERS, task="clustering"),
        "cost": lambda: tb.compare(CLASSES, ANSWERS, cost=COSTS),
    }[task]()
    again = pickle.loads(pickle.dumps(comparison))
    assert again.to_dict() == comparison.to_dict()
    with pytest.raises(tb.NotDefined, match="no rows remain"):
        again.instances(*comparison.names[:2])


@pytest.mark.parametrize("limit", [-1, "x", 1.5])
def test_a_limit_is_a_whole_number(limit):
    with pytest.raises(tb.TiebreakError, match="limit is"):
        tb.compare(CLASSES, ANSWERS).instances("p", "q", limit=limit)


def test_json_holds_no_control_characters():
    label = "a\u202eb\u009bc\u2028"
    text = tb.compare([label, "x"], {"p": [label, "x"], "q": ["x", "x"]}).to_json()
    assert not {"\u202e", "\u009b", "\u2028"} & set(text)
    assert json.loads(text)["labels"] == [label, "x"]


@pytest.mark.parametrize(("argument", "value"), [("models", "knn"), ("labels", "ab")])
@pytest.mark.parametrize("call", [tb.compare, tb.tally])
def test_one_bare_name_is_no_list_of_its_letters(argument, value, call):
    with pytest.raises(tb.TiebreakError, match=rf"{argument} is '{value}', one name: give a list of names"):
        call(["a", "b"], {"knn": ["a", "a"], "tree": ["b", "b"]}, **{argument: value})


def test_numbers_that_differ_by_the_same_amount_everywhere_are_not_level():
    found = tb.compare([1.0, 2, 3, 4], {"a": [1.0, 2, 3, 4], "b": [2.0, 3, 4, 5]}, task="regression")
    assert found.verdict.startswith(
        "a is ahead of b, but how surely cannot be said: a mean absolute error of 0 against 1"
    )
    failed = tb.compare([1.0, 2, 3], {"a": [1.0, 2, 4], "b": [None] * 3}, task="regression", missing="wrong")
    assert failed.verdict.startswith("a and b cannot be compared: no mean")


@pytest.mark.parametrize(("cost", "has_profile", "said"), [(0.5, False, "no profile"), (1, True, "and so does"), (2, True, "")])  # fmt: skip
def test_a_mistake_cheaper_than_a_right_answer_has_no_profile(cost, has_profile, said):
    answers = {"good": ["n", "y"] * 50, "bad": ["y", "n"] * 50}
    found = tb.compare(["n", "y"] * 50, answers, cost=(["n", "y"], [[0, cost], [5, 0]]))
    assert (found.costed.curve is not None) == has_profile
    assert bool(found.warnings) == bool(said)
    assert said in "".join(found.warnings)
    document_of(found)


def test_probabilities_of_a_class_that_is_never_true_leave_the_rest_alone():
    shares = {"a": [[0.5, 0.3, 0.2]] * 4, "b": [[0.3, 0.4, 0.3]] * 4}
    found = tb.compare([0, 1, 0, 1], {"a": [0, 1, 2, 1], "b": [0, 0, 0, 1]}, y_proba=shares)
    assert found.model("a").accuracy == 0.75
    held = found.model("a").probabilities
    assert math.isnan(held.roc_auc)
    assert held.log_loss == pytest.approx(-np.log([0.5, 0.3, 0.5, 0.3]).mean())
    document_of(found)


def test_probabilities_know_groups():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 20)
    shares = {"a": rng.random(20) * 0.5 + truth * 0.4, "b": rng.random(20) * 0.8 + truth * 0.1}
    answers = {name: (values > 0.5).astype(int) for name, values in shares.items()}
    alone = tb.compare(truth, answers, y_proba=shares).pair("a", "b").probabilities
    frame = pd.DataFrame({"y": truth, **answers, **{f"p_{name}": values for name, values in shares.items()}})
    copied = frame.loc[np.repeat(np.arange(20), 10)].assign(g=np.repeat(np.arange(20), 10))
    named = ["a=p_a", "b=p_b"]
    for data in (copied, pl.from_pandas(copied)):
        found = tb.compare(data, truth="y", models=["a", "b"], y_proba=named, groups="g").pair("a", "b").probabilities
        assert (found.log_loss_p, found.brier_p) == pytest.approx((alone.log_loss_p, alone.brier_p), rel=1e-9)
        assert found.roc_auc == pytest.approx(alone.roc_auc)
        assert found.roc_auc_p >= alone.roc_auc_p


def test_intervals_of_losses_stay_where_losses_are():
    truth, shares = [0, 1, 0, 1], {"a": [0.01, 0.99, 0.02, 0.6], "b": [0.9, 0.1, 0.99, 0.03]}
    answers = {name: [int(value > 0.5) for value in values] for name, values in shares.items()}
    found = tb.compare(truth, answers, y_proba=shares)
    for name in shares:
        held = found.model(name).probabilities
        assert 0 <= held.brier.low <= held.brier <= held.brier.high <= 1
        assert 0 <= held.log_loss.low <= held.log_loss.high
    assert found.pair("a", "b").probabilities.brier.low >= -1


def test_roc_curves_are_scikit_learns():
    from sklearn.metrics import roc_curve

    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 60)
    shares = {name: rng.dirichlet(np.ones(3), 60) for name in "pq"}
    answers = {name: each.argmax(axis=1) for name, each in shares.items()}
    found = tb.compare(truth, answers, y_proba=shares)
    for label in range(3):
        curve = found.roc_curve("q", label)
        alarms, hits, _ = roc_curve(truth == label, shares["q"][:, label], drop_intermediate=False)
        np.testing.assert_allclose(curve.false_positive_rate, alarms)
        np.testing.assert_allclose(curve.true_positive_rate, hits)
    with pytest.raises(tb.NotDefined, match="3 classes: name the one"):
        found.roc_curve("q")
    with pytest.raises(tb.NotDefined, match="label is 7"):
        found.roc_curve("q", 7)
    with pytest.raises(tb.NotDefined, match="no class probabilities"):
        tb.compare(truth, answers).roc_curve("q", 1)


@pytest.mark.parametrize("task", ["scores", "correct", "classification"])
def test_models_that_were_not_run_at_all_are_named(task):
    rows = {"p": [1, 0, 1], "q": [1, 1, None], "not run": [None] * 3}
    truth = {"y": [1, 0, 1]} if task == "classification" else {}
    frame = pd.DataFrame(rows | truth, dtype=object)
    with pytest.raises(
        tb.EmptyComparison, match="nothing at all from 'not run', so that dropping left nothing of 3 rows"
    ):
        tb.compare(frame, truth="y" if truth else None, models=list(rows), task=task, missing="drop")


def test_matrices_by_class_add_up_to_the_whole():
    found = tb.compare(CLASSES, ANSWERS)
    pair = found.pair("p", "q")
    cells = ("both_right", "right_wrong", "wrong_right", "both_wrong")
    for cell in cells:
        assert sum(getattr(matrix, cell) for matrix in pair.by_class.values()) == getattr(pair.prayatul, cell)
    for label, matrix in pair.by_class.items():
        own = label == CLASSES
        one, other = (ANSWERS[name][own] == label for name in "pq")
        assert (matrix.right_wrong, matrix.wrong_right) == ((one & ~other).sum(), (~one & other).sum())
    recalls = [np.mean([(ANSWERS[name][label == CLASSES] == label).mean() for label in range(3)]) for name in "pq"]
    assert pair.balanced_difference == pytest.approx(recalls[0] - recalls[1])
    assert pair.balanced_difference.low < pair.balanced_difference < pair.balanced_difference.high
    with pytest.raises(tb.NotDefined, match="tables by class"):
        tb.Comparison.from_dict(found.to_dict()).pair("p", "q").by_class


@pytest.mark.parametrize("wrong", [5, {}, 1.5])
def test_costs_of_another_kind_are_refused(wrong):
    with pytest.raises(tb.TiebreakError, match="cost is"):
        tb.compare(CLASSES, ANSWERS, cost=wrong)
