"""Costs of mistakes: the table, its checks, expected costs, differences, profiles and the price at which a verdict turns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiebreak.errors import EmptyComparison, NotDefined, TiebreakError, UnreadableSource
from tiebreak.inference import evidence_of_scores
from tiebreak.measures import break_even, expected_cost
from tiebreak.profiles import performance_profile
from tiebreak.sources import Ask, opened, read_costs
from tiebreak.tables import Tally, cost_losses, cost_matrix

LABELS = ("g", "o", "r")
LIGHTS = cost_matrix(LABELS, [[1, 2, 4], [4, 1, 2], [10, 4, 1]])
ROWS = st.lists(st.tuples(*[st.sampled_from(LABELS)] * 3), min_size=2, max_size=40)


def tally_of(rows):
    found = {}
    for row in rows:
        found[row] = found.get(row, 0) + 1
    return Tally.of(found, models=("p", "q"))


@given(ROWS)
def test_costs_of_a_tally_are_those_of_its_rows(rows):
    tally = tally_of(rows)
    place = {label: k for k, label in enumerate(LABELS)}
    each = np.array([[LIGHTS.costs[place[g], place[p]], LIGHTS.costs[place[g], place[q]]] for g, p, q in rows])
    assert expected_cost(tally, LIGHTS) == pytest.approx(each.mean(axis=0))
    losses = cost_losses(tally, LIGHTS)
    assert losses.n == len(rows)
    law = evidence_of_scores(losses).law(np.array([0]), np.array([1]))
    difference = each[:, 1] - each[:, 0]
    assert law.estimate[0] == pytest.approx(difference.mean())
    assert law.se[0] == pytest.approx(difference.std(ddof=1) / np.sqrt(len(rows)), abs=1e-12)
    assert law.df == len(rows) - 1
    one, two = performance_profile(losses), performance_profile(each, names=["p", "q"])
    for tau in (1, 2, 2.5, 10):
        assert one.at(tau) == pytest.approx(two.at(tau))
    assert (one.ties_for_best, one.best_is_zero) == (two.ties_for_best, 0)


@given(ROWS)
def test_multiplying_by_the_factor_makes_both_cost_the_same(rows):
    tally = tally_of(rows)
    found = break_even(tally, LIGHTS, "p", "q")
    costs = expected_cost(tally, LIGHTS)
    assert found.difference == pytest.approx(costs[0] - costs[1])
    for row, column in np.argwhere(np.isfinite(found.factors)):
        table = LIGHTS.over(tally.labels).costs.copy()
        table[row, column] *= found.factors[row, column]
        one, two = expected_cost(tally, cost_matrix(tally.labels, table))
        assert one == pytest.approx(two)


def test_two_classes_have_one_ratio():
    tally = Tally.of({("n", "n", "y"): 6, ("y", "n", "y"): 2, ("n", "n", "n"): 9}, models=("p", "q"))
    for first, second in ((1, 5), (2, 1), (1, 3)):
        found = break_even(tally, cost_matrix(["n", "y"], [[0, first], [second, 0]]), "p", "q")
        assert found.ratio == pytest.approx(3.0)
        assert (found.difference < 0) == (second / first < 3 - 1e-9)
    same = break_even(tally, cost_matrix(["n", "y"], [[0, 1], [3, 0]]), "p", "p")
    assert (same.difference, same.nearest) == (0.0, None)
    assert np.isnan(same.ratio)


def test_the_dearer_verdict_may_be_the_other_one():
    """Accuracy prefers one model, costs the other: both statements stand beside each other."""
    tally = Tally.of({("n", "n", "y"): 6, ("y", "n", "y"): 2, ("n", "n", "n"): 9}, models=("p", "q"))
    assert tally.right_counts().tolist() == [15, 11]
    assert expected_cost(tally, cost_matrix(["n", "y"], [[0, 1], [5, 0]])).tolist() == pytest.approx([10 / 17, 6 / 17])


def test_right_answers_at_one_make_the_papers_profile():
    tally = Tally.of({("g", "g", "r"): 1, ("r", "g", "o"): 1}, models=("p", "q"))
    free = cost_matrix(LABELS, [[0, 2, 4], [4, 0, 2], [10, 4, 0]])
    assert performance_profile(cost_losses(tally, free)).best_is_zero == 1
    paper = performance_profile(cost_losses(tally, free, right=1))
    assert paper.best_is_zero == 0
    assert paper.at(2.5) == {"p": 1.0, "q": 0.5}


def test_groups_weights_and_missing_predictions():
    truth, p, q = list("ggrrgr"), list("grrggr"), ["g", "g", "r", None, "o", "r"]
    costs = LIGHTS
    grouped = opened(truth, {"p": p, "q": p}, Ask(), None, None, [1, 1, 2, 2, 3, 3]).tally
    evidence = evidence_of_scores(cost_losses(grouped, costs))
    assert evidence.method == "cluster_t"
    weighted = opened(truth, {"p": p, "q": truth}, Ask(), [1.0, 2, 1, 2, 1, 2]).tally
    losses = cost_losses(weighted, costs)
    assert losses.weighted
    evidence = evidence_of_scores(losses)
    assert evidence.method == "weighted_t"
    each = np.array(
        [
            [costs.over(("g", "o", "r")).costs["gor".index(g), "gor".index(a)] for a in (b, g)]
            for g, b in zip(truth, p, strict=True)
        ]
    )
    w = np.array([1.0, 2, 1, 2, 1, 2])
    mean = (w @ each) / w.sum()
    assert evidence.scores == pytest.approx(-mean)
    away = (each[:, 1] - each[:, 0]) - (mean[1] - mean[0])
    assert evidence.se[0, 1] == pytest.approx(np.sqrt((w**2 * away**2).sum()) / w.sum())
    assert performance_profile(losses).at(1)["q"] == 1.0
    gaps = opened(truth, {"p": p, "q": q}, Ask(missing="wrong")).tally
    assert np.isnan(expected_cost(gaps, costs)).tolist() == [False, True]
    assert performance_profile(cost_losses(gaps, costs)).solved["q"] == pytest.approx(5 / 6)
    assert np.isnan(break_even(gaps, costs, "p", "q").difference)
    graded = opened(None, {"p": [1, 0], "q": [1, 1]}, Ask(task="correct")).tally
    with pytest.raises(NotDefined, match="costs need labels"):
        cost_losses(graded, costs)


def test_a_file_of_costs_in_any_order(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("truth;1;0\n0;3;0\n1;0.5;7\n\n")
    found = read_costs(str(path))
    assert found.over((0, 1)).costs.tolist() == [[0, 3], [7, 0.5]]
    assert found.warnings == ()


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("t,a,b\na,1,2\n", TiebreakError, "'b' not once as a row and once as a column"),
        ("t,a,b\na,1,2\nb,1\n", TiebreakError, "row 3 has 2 fields where the header has 3"),
        ("t,a,b\na,1,2\na,1,2\n", TiebreakError, "not once as a row"),
        ("t,a,b\na,1,x\nb,1,1\n", TiebreakError, "holds 'x' as the cost of predicting 'b' where 'a' is true"),
        (
            "t,a,b\na,1,-2\nb,1,1\n",
            TiebreakError,
            "predicting 'b' where 'a' is true is -2: every cost must be a finite",
        ),
        ("t,a,b\na,1,nan\nb,1,1\n", TiebreakError, "is nan: every cost"),
        ("t,a,b\n", EmptyComparison, "holds no costs"),
    ],
)
def test_a_file_that_is_no_cost_matrix(text, error, message, tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text(text)
    with pytest.raises(error, match=message) as found:
        read_costs(str(path))
    assert "\n" not in str(found.value)


def test_other_mistakes_and_what_is_only_strange():
    with pytest.raises(UnreadableSource, match="which is no file"):
        read_costs("nowhere.csv")
    with pytest.raises(TiebreakError, match="a cost matrix is square"):
        cost_matrix(["a", "b"], [[1, 2]])
    with pytest.raises(TiebreakError, match="names a more than once"):
        cost_matrix(["a", "a"], [[1, 2], [2, 1]])
    with pytest.raises(TiebreakError, match="no row for 'z': every label of the data needs its row"):
        LIGHTS.over(("g", "z"))
    strange = cost_matrix(["a", "b"], [[3, 2], [1, 0]])
    assert strange.warnings == (
        "a right answer costs more than a wrong one: 'a' right costs 3, predicting 'b' instead 2",
    )
    assert LIGHTS.warnings == ()
