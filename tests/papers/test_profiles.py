"""Performance profiles: every printed figure agrees, every false sentence has the right one beside it."""

import numpy as np
import pytest

from tiebreak.papers import Ledger
from tiebreak.papers.profiles import LIGHTS, TABLE_4, lights, tables
from tiebreak.profiles import performance_profile
from tiebreak.tables import Tally, cost_losses, cost_matrix


@pytest.fixture(scope="module")
def ledger():
    return tables()


def test_tables_1_to_3_and_the_figure_agree_everywhere(ledger):
    assert [len(table.figures) for table in ledger] == [15, 15, 27, 13, 10]
    for table in ledger[:3]:
        assert table.agreeing == len(table.figures)


def test_the_false_sentences_are_named_with_the_right_figure(ledger):
    wrong = {(f.where, f.name): (f.published, f.recomputed) for f in ledger[3].figures if f.agrees is False}
    assert wrong == {
        ("at least 3 times worse on", "M1"): ("0.6", "0.8000"),
        ("never more times worse than", "M2"): ("1.6", "2.0000"),
    }
    for figure in ledger[3].figures:
        assert figure.agrees or figure.note
    pool = {(f.where, f.name): f.low for f in ledger[3].figures[-4:]}
    assert list(pool.values()) == [0.5, 0.0, 0.5, 1.0]


def test_generated_lights_of_one_accuracy_and_another_weight(ledger):
    found = {(f.where, f.name): f.low for f in ledger[4].figures}
    assert abs(found["bold", "accuracy"] - found["careful", "accuracy"]) < 0.02
    assert found["bold", "mean weight"] > found["careful", "mean weight"] + 0.05
    assert found["bold", "ρ(1)"] > found["bold", "accuracy"]
    tally, weights = lights()
    paper = performance_profile(cost_losses(tally, weights, right=1))
    assert paper.best_is_zero == 0


def test_the_weights_of_table_4_by_hand():
    """Five lights worked out: errors 10 4, 1 1, 2 1, 4 2, 4 10."""
    truth = ["Red", "Red", "Green", "Orange", "Red"]
    seen = (["Green", "Red", "Orange", "Green", "Orange"], ["Orange", "Red", "Green", "Red", "Green"])
    tally = Tally.of(dict.fromkeys(zip(truth, *seen, strict=True), 1), models=("one", "two"))
    losses = cost_losses(tally, cost_matrix(LIGHTS, TABLE_4))
    assert sorted(map(tuple, losses.values.tolist())) == sorted([(10, 4), (1, 1), (2, 1), (4, 2), (4, 10)])
    profile = performance_profile(losses)
    assert profile.at(1) == {"one": 0.4, "two": 0.8}
    assert profile.at(2) == {"one": 0.8, "two": 0.8}
    assert profile.at(2.5) == {"one": 1.0, "two": 1.0}
    assert np.array(TABLE_4).diagonal().tolist() == [1, 1, 1]


def test_the_ledger_is_shown_and_written(ledger):
    text = str(Ledger(ledger))
    assert "Table III and Figure 1: 27 of 27 figures agree" in text
    assert "Performance profiles, Table IV" in text
    assert '"agrees": null' in Ledger(ledger).to_json()
