"""What a comparison rests on: counts, groups, weights and scores lead to the law that belongs to them."""

import math

import numpy as np
import pytest

import naive_inference as naive
from tiebreak.errors import NotDefined
from tiebreak.inference import (
    CountEvidence,
    FlatPosterior,
    MeanEvidence,
    StudentLaw,
    best_of_all,
    evidence_of,
    evidence_of_scores,
    prior_scaled,
    superiority,
    wilson,
)
from tiebreak.sources import Ask, opened
from tiebreak.tables import Losses

P, Q = np.array([0, 0, 1]), np.array([1, 2, 2])


def rng(seed=0):
    return np.random.default_rng(seed)


def sample(n=80, seed=0):
    draw = rng(seed)
    truth = draw.integers(0, 3, n)
    models = {
        name: np.where(draw.random(n) < share, truth, (truth + 1) % 3) for name, share in zip("abc", (0.9, 0.7, 0.6))
    }
    return truth, models


def test_counts_have_the_trio_of_every_pair():
    truth, models = sample()
    evidence = evidence_of(opened(truth, models, Ask()).tally)
    assert isinstance(evidence, CountEvidence)
    law = evidence.law(P, Q)
    assert isinstance(law, FlatPosterior)
    right = np.array([models[name] == truth for name in "abc"])
    for place, (p, q) in enumerate(zip(P, Q, strict=True)):
        pair = superiority(int((right[p] & ~right[q]).sum()), int((~right[p] & right[q]).sum()), 80)
        assert float(law.p_better[place]) == pair.p_better
        assert float(law.p_value[place]) == pair.p_value
        np.testing.assert_allclose(law.ends(0.95)[place], [pair.interval.low, pair.interval.high], atol=1e-12)
        each = right[p].astype(float) - right[q]
        assert evidence.se[p, q] == pytest.approx(each.std() / math.sqrt(80), rel=1e-12)
    np.testing.assert_allclose(evidence.scores, right.mean(axis=1))
    np.testing.assert_allclose(evidence.score_ends(0.95), wilson(right.sum(axis=1), 80))


def test_groups_have_students_law_of_the_sandwich_error():
    truth, models = sample()
    group = rng(1).integers(0, 15, 80)
    evidence = evidence_of(opened(truth, models, Ask(), groups=group).tally)
    assert isinstance(evidence, MeanEvidence)
    law = evidence.law(P, Q)
    assert (law.method, evidence.method, evidence.units) == ("cluster_t", "cluster_t", 15)
    right = np.array([models[name] == truth for name in "abc"], dtype=float)
    for place, (p, q) in enumerate(zip(P, Q, strict=True)):
        assert law.se[place] == pytest.approx(naive.grouped_error(group.tolist(), (right[p] - right[q]).tolist()))
    assert (evidence.score_ends(0.95)[:, 0] < evidence.scores).all()


def test_weights_have_students_law_with_kishs_number():
    truth, models = sample()
    weight = rng(2).choice([0.5, 2.0], 80)
    evidence = evidence_of(opened(truth, models, Ask(), weights=weight).tally)
    law = evidence.law(P, Q)
    assert (law.method, evidence.n) == ("weighted_t", 80)
    assert law.df == pytest.approx(weight.sum() ** 2 / (weight**2).sum() - 1)
    right = np.array([models[name] == truth for name in "abc"], dtype=float)
    assert law.se[0] == pytest.approx(naive.weighted_error(weight.tolist(), (right[0] - right[1]).tolist()), rel=1e-9)
    assert law.estimate[0] == pytest.approx(np.average(right[0] - right[1], weights=weight))


@pytest.mark.parametrize("how", [{"groups": np.repeat(np.arange(10), 8)}, {"weights": np.repeat([0.5, 2.0], 40)}])
def test_identical_models_are_never_undefined_whatever_they_rest_on(how):
    truth, models = sample()
    same = {"a": models["a"], "b": models["a"], "c": models["c"]}
    evidence = evidence_of(opened(truth, same, Ask(), **how).tally)
    law = evidence.law(P, Q)
    assert isinstance(law, StudentLaw)
    assert (law.estimate[0], law.p_better[0], law.p_worse[0], law.p_value[0]) == (0, 0.5, 0.5, 1)
    low, high = law.ends(0.95)[0]
    assert low == pytest.approx(-high, abs=1e-12)
    assert 0 < high < 0.5
    assert np.isfinite([law.p_better, law.p_value, *law.ends(0.95).T]).all()
    scaled = prior_scaled(law, 0.03, 0.95)
    assert scaled[0].p_better == 0.5
    assert all(math.isfinite(found.interval.low) for found in scaled)


def test_models_that_are_always_right_or_always_wrong_are_never_undefined():
    truth = np.zeros(40, dtype=int)
    models = {"a": truth, "b": 1 - truth, "c": truth}
    for how in ({}, {"groups": np.repeat(np.arange(8), 5)}, {"weights": np.repeat([1.0, 3.0], 20)}):
        evidence = evidence_of(opened(truth, models, Ask(), **how).tally)
        law = evidence.law(P, Q)
        assert law.estimate.tolist() == [1, 0, -1]
        low, high = law.ends(0.95).T
        assert np.isfinite([law.p_better, law.p_value, low, high]).all()
        assert law.p_better[0] > 0.95
        assert law.p_value[1] == 1
        ends = evidence.score_ends(0.95)
        assert ((ends[:, 0] < ends[:, 1]) & (ends >= 0).all(axis=1) & (ends <= 1).all(axis=1)).all()


def test_one_group_is_refused():
    truth, models = sample()
    tally = opened(truth, models, Ask(), groups=np.zeros(80, dtype=int)).tally
    with pytest.raises(NotDefined, match="group has 1 value: a standard error needs at least two groups"):
        evidence_of(tally)


def test_graded_scores_have_the_paired_t_test():
    from scipy.stats import ttest_rel

    values = rng().random((30, 3)) + np.array([0.2, 0.0, 0.0])
    evidence = evidence_of_scores(Losses(("a", "b", "c"), values, kind="scores"))
    law = evidence.law(P, Q)
    known = ttest_rel(values[:, 0], values[:, 1])
    assert law.p_value[0] == pytest.approx(known.pvalue, rel=1e-9)
    interval = known.confidence_interval(0.95)
    np.testing.assert_allclose(law.ends(0.95)[0], [interval.low, interval.high], rtol=1e-9)
    assert law.df == 29
    grouped = evidence_of_scores(
        Losses(("a", "b", "c"), values, groups=np.arange(30) // 3, names=tuple(range(10)), kind="scores")
    )
    assert grouped.law(P, Q).method == "cluster_t"
    assert grouped.law(P, Q).df == 9


def test_one_graded_instance_says_why_it_is_not_enough_and_identical_scores_are_equal():
    with pytest.raises(NotDefined, match="there is one instance: graded scores need at least two"):
        evidence_of_scores(Losses(("a", "b"), np.array([[1.0, 0.5]]), kind="scores"))
    column = rng().random(20)
    law = evidence_of_scores(Losses(("a", "b"), np.stack([column, column], axis=1), kind="scores")).law(
        np.array([0]), np.array([1])
    )
    assert (law.p_better[0], law.p_value[0], law.ends(0.95)[0].tolist()) == (0.5, 1, [0, 0])


@pytest.mark.parametrize("how", ["counts", "groups", "weights", "scores"])
def test_draws_and_resamples_have_the_scores_and_errors_of_the_evidence(how):
    truth, models = sample(200)
    if how == "scores":
        evidence = evidence_of_scores(Losses(("a", "b", "c"), rng().random((200, 3)), kind="scores"))
    else:
        extra = {
            "counts": {},
            "groups": {"groups": rng(3).integers(0, 50, 200)},
            "weights": {"weights": rng(3).choice([1.0, 2.0], 200)},
        }
        evidence = evidence_of(opened(truth, models, Ask(), **extra[how]).tally)
    drawn = evidence.draws(rng(), 20_000)
    parts = list(evidence.resampled(rng(), 1234))
    resampled = np.concatenate(parts)
    assert resampled.shape == (1234, 3)
    np.testing.assert_allclose(drawn.mean(axis=0), evidence.scores, atol=0.02)
    np.testing.assert_allclose(resampled.mean(axis=0), evidence.scores, atol=0.01)
    for p, q in zip(P, Q, strict=True):
        assert (drawn[:, p] - drawn[:, q]).std() == pytest.approx(evidence.se[p, q], rel=0.1)
        assert (resampled[:, p] - resampled[:, q]).std() == pytest.approx(evidence.se[p, q], rel=0.1)
    assert best_of_all(drawn).p_best.sum() == pytest.approx(1)
    again = np.concatenate(list(evidence.resampled(rng(), 1234)))
    assert again.tobytes() == resampled.tobytes()
    assert evidence.draws(rng(), 20_000).tobytes() == drawn.tobytes()


def test_very_many_patterns_are_drawn_from_the_normal_law(monkeypatch):
    import sys

    truth, models = sample(400)
    evidence = evidence_of(opened(truth, models, Ask()).tally)
    exact = best_of_all(evidence.draws(rng(), 20_000)).p_best
    monkeypatch.setattr(sys.modules["tiebreak.inference.evidence"], "MOST_PATTERNS", 1)
    np.testing.assert_allclose(best_of_all(evidence.draws(rng(), 20_000)).p_best, exact, atol=0.01)
