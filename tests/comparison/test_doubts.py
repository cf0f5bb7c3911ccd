"""How sure: what a comparison says of its own uncertainty agrees with itself, with the rooms below, and with the naive way."""

import json
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiebreak as tb
from documents import assert_every_null_has_its_reason
from tiebreak.comparison import compared
from tiebreak.tables import Tally

CELL = st.integers(0, 30)
TABLES = st.tuples(CELL, CELL, CELL, CELL).filter(sum)


def of_cells(br, rw, wr, bw, **settings):
    rows = {("a", "a", "a"): br, ("a", "a", "b"): rw, ("a", "b", "a"): wr, ("a", "b", "b"): bw}
    tally = Tally.of({row: n for row, n in rows.items() if n}, models=("p", "q"))
    return compared(tally, settings=tb.comparison.Settings(**settings))


@pytest.fixture(scope="module")
def answers():
    """Four models on 300 instances of three classes, in 60 groups of five."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 300)
    accuracies = {"a": 0.92, "b": 0.8, "c": 0.5, "d": 0.88}
    predictions = {m: np.where(rng.random(300) < share, truth, (truth + 1) % 3) for m, share in accuracies.items()}
    return truth, predictions, np.arange(300) // 5, rng.random(300)


@given(TABLES)
def test_a_pair_is_the_superiority_of_its_cells(cells):
    _, rw, wr, _ = cells
    pair, alone = of_cells(*cells).pair("p", "q"), tb.superiority(rw, wr, sum(cells))
    assert pair.p_better == alone.p_better
    assert pair.p_value == alone.p_value
    assert (pair.difference, pair.difference.low, pair.difference.high) == (
        alone.difference, alone.interval.low, alone.interval.high)  # fmt: skip
    assert pair.mcnemar_exact_p == alone.mcnemar.exact
    assert pair.more_needed == alone.more_needed()
    assert pair.superiority == alone


@given(TABLES)
def test_swapping_mirrors_every_doubt(cells):
    comparison = of_cells(*cells, rope=0.05, tau=0.03)
    one, other = comparison.pair("p", "q"), comparison.pair("q", "p")
    assert one.difference.low == pytest.approx(-other.difference.high, abs=1e-9)
    assert one.p_better == pytest.approx(1 - other.p_better, abs=1e-12)
    assert one.p_value == other.p_value
    assert one.rope.p_better == pytest.approx(other.rope.p_worse, abs=1e-12)
    assert one.prior_scale.p_better == pytest.approx(1 - other.prior_scale.p_better, abs=1e-12)
    assert one.trace_superiority == pytest.approx(1 - other.trace_superiority, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    "options",
    [
        {}, {"baseline": "b"}, {"correction": "romano-wolf"}, {"correction": "none"}, {"interval": "tango"},
        {"interval": "newcombe"}, {"interval": "bonett_price"}, {"interval": "bootstrap_bca"}, {"rope": 0.01, "tau": 0.02},
        {"groups": True}, {"sample_weight": True}, {"groups": True, "interval": "bootstrap_percentile"},
        {"sample_weight": True, "interval": "bootstrap_percentile"}, {"groups": True, "sample_weight": True, "level": 0.9},
    ],
)  # fmt: skip
def test_every_setting_round_trips_and_is_reproducible(answers, options):
    truth, predictions, groups, weights = answers
    options = options | ({"groups": groups} if "groups" in options else {})
    options = options | ({"sample_weight": weights} if "sample_weight" in options else {})
    comparison = tb.compare(truth, predictions, **options)
    document = json.loads(comparison.to_json())
    assert tb.compare(truth, predictions, **options).to_json() == comparison.to_json()
    again = tb.Comparison.from_dict(document)
    assert again.to_dict() == document
    assert str(again) == str(comparison)
    for pair in document["pairs"]:
        d = pair["difference"]
        assert d["low"] <= d["value"] <= d["high"]
    assert_every_null_has_its_reason(document)


def test_tiers_are_monotone_and_the_first_holds_the_best(answers):
    truth, predictions, *_ = answers
    comparison = tb.compare(truth, predictions)
    tiers = [model.tier for model in comparison.ranked]
    assert tiers == sorted(tiers)
    leader, tier, expected = comparison.leader, 1, {comparison.leader.name: 1}
    for model in comparison.ranked[1:]:
        if comparison.pair(leader.name, model.name).p_value_adjusted < 0.05:
            leader, tier = model, tier + 1
        expected[model.name] = tier
    assert {model.name: model.tier for model in comparison.models} == expected
    best = comparison.leader.name
    for model in comparison.ranked[1:]:
        assert model.separable_from_best == (comparison.pair(best, model.name).p_value_adjusted < 0.05)
    assert sum(model.p_best for model in comparison.models) == pytest.approx(1)
    assert comparison.model("c").rank == (4, 4)


def test_groups_widen_the_interval_when_instances_repeat(answers):
    """Every instance five times over, grouped: the interval of the instances alone, not one √5 narrower."""
    truth, predictions, *_ = answers
    names = list(predictions)
    five = {name: np.repeat(predictions[name], 5) for name in names}
    alone = tb.compare(truth, predictions, groups=np.arange(300)).pair("a", "d").difference
    grouped = tb.compare(np.repeat(truth, 5), five, groups=np.repeat(np.arange(300), 5)).pair("a", "d").difference
    assert grouped.method == "cluster_t"
    assert (grouped.low, grouped.high) == pytest.approx((alone.low, alone.high), abs=1e-12)
    naive = tb.compare(np.repeat(truth, 5), five).pair("a", "d").difference
    assert naive.interval.width < 0.6 * grouped.interval.width


def test_the_cluster_interval_is_the_one_of_the_textbook(answers):
    from scipy.stats import t

    truth, predictions, groups, _ = answers
    x = (predictions["a"] == truth).astype(float) - (predictions["d"] == truth)
    sums = np.bincount(groups, x - x.mean())
    se = math.sqrt(60 / 59 * (sums**2).sum()) / 300
    pair = tb.compare(truth, predictions, groups=groups).pair("a", "d")
    reach = t.ppf(0.975, 59) * se
    assert (pair.difference.low, pair.difference.high) == pytest.approx((x.mean() - reach, x.mean() + reach))
    assert pair.p_better == pytest.approx(t.cdf(x.mean() / se, 59))
    assert pair.p_value == pytest.approx(2 * t.sf(abs(x.mean()) / se, 59))


def test_every_source_gives_the_same_doubt(answers, tmp_path):
    truth, predictions, groups, weights = answers
    frame = pl.DataFrame({"y_true": truth, **predictions, "g": groups, "w": weights})
    frame.write_parquet(tmp_path / "p.parquet")
    frame.write_csv(tmp_path / "p.csv")
    resampled = {"interval": "bootstrap_percentile", "correction": "romano-wolf"}
    named = ({"groups": "g"}, {"sample_weight": "w"}, {"groups": "g", "sample_weight": "w"})
    for options in (*named, *(names | resampled for names in named)):
        models = list(predictions)
        found = [
            tb.compare(data, models=models, **options).to_json()
            for data in (frame, frame.lazy(), frame.to_pandas(), str(tmp_path / "p.parquet"), str(tmp_path / "p.csv"))
        ]
        assert len(set(found)) == 1, options


def test_bootstrap_of_any_function_of_a_table(answers):
    truth, predictions, groups, weights = answers

    def balanced(matrix):
        return (np.diagonal(matrix, axis1=-2, axis2=-1) / matrix.sum(axis=-1)).mean(axis=-1)

    comparison = tb.compare(truth, predictions)
    found = comparison.bootstrap(lambda p, q: balanced(p) - balanced(q), "a", "c", of="confusion", n_resamples=500)
    assert found.interval().low > 0.2
    assert len(found.replicates) == 500
    again = comparison.bootstrap("accuracy_difference", "a", "c", n_resamples=500)
    assert again.estimate == comparison.pair("a", "c").difference
    for options in ({"groups": groups}, {"sample_weight": weights}):
        other = tb.compare(truth, predictions, **options)
        spread = other.bootstrap("accuracy_difference", "a", "c", n_resamples=2000).se
        low, high = other.pair("a", "c").difference.low, other.pair("a", "c").difference.high
        assert spread == pytest.approx((high - low) / 2 / 1.98, rel=0.08)
    with pytest.raises(tb.TiebreakError, match="statistic is 'speed': it must be one of"):
        comparison.bootstrap("speed", "a", "c")
    with pytest.raises(tb.TiebreakError, match="takes two models"):
        comparison.bootstrap("phi", "a")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"groups": [1, 1]}, tb.NotDefined, "group has 1 value: a standard error needs at least two groups"),
        ({"groups": [1, None]}, tb.TiebreakError, "group 'group' is missing in 1 row"),
        ({"groups": [1]}, tb.TiebreakError, "group has 1 value but"),
        ({"correction": "bonferroni"}, tb.TiebreakError, "correction is 'bonferroni': it must be one of"),
        ({"interval": "wald"}, tb.TiebreakError, "interval is 'wald': it must be one of"),
        ({"baseline": "z"}, tb.TiebreakError, "baseline is 'z': it must be one of"),
        ({"rope": -0.1}, tb.TiebreakError, "rope is -0.1"),
        ({"tau": 0}, tb.TiebreakError, "tau is 0"),
        ({"seed": -1}, tb.TiebreakError, "seed is -1"),
        ({"level": 1.0}, tb.TiebreakError, "level is 1.0"),
        ({"groups": [1, 2], "interval": "tango"}, tb.NotDefined, "these are grouped: use bootstrap_percentile"),
        ({"sample_weight": [1, 2], "interval": "newcombe"}, tb.NotDefined, "these are weighted"),
    ],
)  # fmt: skip
def test_bad_words_about_doubt(options, error, message):
    with pytest.raises(error, match=message) as caught:
        tb.compare([1, 0], {"a": [1, 0], "b": [1, 1]}, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("cells", [(10, 0, 0, 0), (0, 0, 0, 10), (0, 10, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 5, 5, 0),
                                   (10**9, 10**9, 10**9 - 7, 5)])  # fmt: skip
@pytest.mark.parametrize(
    "extra", [{}, {"correction": "romano-wolf"}, {"interval": "bootstrap_bca"}, {"rope": 0.01, "tau": 0.01}]
)
def test_degenerate_tables_have_a_correct_limit_and_never_nan_in_the_verdict(cells, extra):
    comparison = of_cells(*cells, **extra)
    pair = comparison.pair("p", "q")
    assert 0 <= pair.p_better <= 1
    assert 0 < pair.p_value <= 1
    assert pair.difference.low <= pair.difference <= pair.difference.high
    assert "nan" not in comparison.verdict
    assert "–" not in comparison.verdict
    if cells[1] == cells[2]:
        assert pair.p_value == 1
        assert pair.p_better == 0.5


def test_identical_models_share_a_tier_and_the_first_place():
    answer = ["a", "b"] * 20
    comparison = tb.compare(["a", "a"] * 20, {"x": answer, "y": answer, "z": ["b"] * 40})
    assert comparison.tiers == (("x", "y"), ("z",))
    assert comparison.model("x").p_best == pytest.approx(comparison.model("y").p_best, abs=0.02)
    grouped = tb.compare(["a", "a"] * 20, {"x": answer, "y": answer}, groups=[k // 4 for k in range(40)])
    pair = grouped.pair("x", "y")
    assert (pair.p_value, pair.p_better) == (1, 0.5)
    assert pair.difference.interval.width > 0


def test_hundreds_of_models_need_no_loop_over_pairs():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 400)
    predictions = {f"m{k}": np.where(rng.random(400) < 0.5 + k / 700, truth, 1 - truth) for k in range(300)}
    comparison = tb.compare(truth, predictions)
    tiers = [model.tier for model in comparison.ranked]
    assert tiers == sorted(tiers)
    assert max(tiers) > 2


def test_a_warning_where_intervals_and_adjusted_p_values_part():
    truth = ["a"] * 100
    answers = {
        "a": ["a"] * 95 + ["b"] * 5,
        "b": ["a"] * 87 + ["b"] * 13,
        "c": ["a"] * 90 + ["b"] * 10,
        "d": ["a"] * 85 + ["b"] * 15,
    }
    comparison = tb.compare(truth, answers)
    parted = [
        p
        for p in comparison.pairs.many([("a", "c"), ("c", "d"), ("a", "b"), ("b", "d")])
        if p.p_value < 0.05 <= p.p_value_adjusted
    ]
    assert parted
    assert any("would be settled alone" in note for note in comparison.warnings)
    assert all(0 not in pair.difference.interval for pair in parted)
