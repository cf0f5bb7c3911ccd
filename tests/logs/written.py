"""Logs that the harnesses themselves have written; `.ci/logs` makes them and runs this."""

import os
from pathlib import Path

import pytest

import tiebreak as tb
from tiebreak.errors import TiebreakError, UnpairedInstances, UnreadableSource
from tiebreak.sources import Ask
from tiebreak.sources.engine import Engine
from tiebreak.sources.logs import logs_among, read_logs

ROOT = Path(os.environ["TIEBREAK_LOGS"])
LM, INSPECT = ROOT / "lm_eval", ROOT / "inspect"


def test_two_folders_of_lm_eval_are_two_models():
    comparison = tb.compare([LM / "small", LM / "large"], metric="acc")
    assert (comparison.n, comparison.task, comparison.names) == (40, "correct", ("small", "large"))
    assert comparison.warnings[0] == "read 2 lm-eval logs of task tiny, filter none, metric acc"
    results = next((LM / "small").rglob("results_*.json")).read_text()
    assert f'"acc,none": {float(comparison.model("small").accuracy)}' in results
    assert comparison.names == tb.compare(f"{LM}/[sl][ma][ar][lg]*", metric="acc", models=["small", "large"]).names


def test_several_metrics_are_listed():
    with pytest.raises(TiebreakError, match="choose with --metric, from acc, acc_norm"):
        tb.compare([LM / "small", LM / "large"])


def test_filters_are_one_row_each_and_one_is_chosen():
    with pytest.raises(TiebreakError, match="more than one filter: choose with --filter, from loose, strict"):
        tb.compare(LM / "filtered")
    loose = tb.compare(LM / "filtered", filter="loose", metric="exact_match")
    assert loose.n == 40
    assert loose.names == ("large", "small")
    assert float(loose.model("small").accuracy) == 1.0
    assert float(tb.compare(LM / "filtered", filter="strict").model("small").accuracy) == 0.0


def test_a_subset_another_version_and_other_documents_are_refused():
    with pytest.raises(UnpairedInstances, match="'subset' lacks 10 ids \\(30, 31, 32, …\\)"):
        tb.compare([LM / "small", LM / "subset"], metric="acc")
    assert tb.compare([LM / "small", LM / "subset"], metric="acc", missing="drop").n == 30
    with pytest.raises(TiebreakError, match=r"of different task versions: .* is of 1.0, .* of 2.0"):
        tb.compare([LM / "small", LM / "newer"], metric="acc")
    with pytest.raises(UnpairedInstances, match="'small' and 'changed' were not asked the same: 20 of 40 instances"):
        tb.compare([LM / "small", LM / "changed"], metric="acc")


def test_archives_and_documents_of_inspect_are_read_alike():
    comparison = tb.compare([INSPECT / "small.eval", INSPECT / "large.eval"], scorer="match")
    assert comparison.names == ("mock/small", "mock/large")
    assert comparison.model("mock/large").right == 16
    assert comparison.warnings[0] == "read 2 Inspect logs of task arith, score match"
    mixed = tb.compare({"small": INSPECT / "small.eval", "large": INSPECT / "large.json"}, scorer="match")
    cells = comparison.pair("mock/small", "mock/large").prayatul
    assert (mixed.pair("small", "large").prayatul.right_wrong, mixed.n) == (cells.right_wrong, 20)


def test_inspects_stopped_and_newer_runs_are_refused():
    with pytest.raises(UnreadableSource, match=r"stopped.eval is the log of a run that did not finish"):
        tb.compare([INSPECT / "small.eval", INSPECT / "stopped.eval"], metric="match")
    with pytest.raises(TiebreakError, match=r"small.eval is of 1, newer.eval of 2"):
        tb.compare([INSPECT / "small.eval", INSPECT / "newer.eval"], metric="match")


def test_epochs_become_scores_with_the_sample_as_their_group():
    logs = logs_among([(None, str(INSPECT / f"{name}3.eval")) for name in ("small", "large")])
    with Engine() as engine:
        wide = read_logs(engine, logs, Ask(metric="match"))
        assert (wide.ask.task, wide.roles.group, wide.source.rows) == ("scores", "instance", 60)


def test_a_value_of_a_score_of_many_is_named_by_its_key():
    logs = logs_among([(None, str(INSPECT / f"{name}.eval")) for name in ("small", "large")])
    with Engine() as engine:
        wide = read_logs(engine, logs, Ask(metric="style"))
        assert wide.ask.task == "scores"
        assert wide.notes == ("read 2 Inspect logs of task arith, score graded/style",)
