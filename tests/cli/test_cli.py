"""The command as its users meet it: what it prints, where, and with which exit code."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

import tiebreak as tb
from tiebreak.cli.main import run

CSV = "y_true,knn,tree\na,a,b\nb,b,b\nc,a,c\na,a,a\na,a,b\n"


@pytest.fixture
def preds(tmp_path):
    path = tmp_path / "preds.csv"
    path.write_text(CSV)
    return str(path)


def tiebreak(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "tiebreak", *arguments], capture_output=True, text=True, timeout=120, **options
    )


def test_compare_prints_the_verdict_first(preds, capsys):
    assert run(["compare", preds]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("knn is ahead of tree, but not surely: where exactly one of them is right (3 of 5 instances)")
    assert err == ""


def test_json_is_one_document_and_nothing_else(preds, capsys):
    assert run(["compare", preds, "--json"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert err == ""
    assert document["n"] == 5
    assert tb.Comparison.from_dict(document).pair("knn", "tree").prayatul.right_wrong == 2
    assert document == tb.compare(preds).to_dict()


def test_notes_go_to_standard_error_beside_json(tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text("y_true,p,q\na,,a\n")
    assert run(["compare", str(path), "--missing", "wrong", "--json"]) == 0
    out, err = capsys.readouterr()
    json.loads(out)
    assert err.startswith("tiebreak: missing predictions count as wrong: p 1\n")
    assert all(line.startswith("tiebreak: ") for line in err.splitlines())
    assert run(["compare", str(path), "--missing", "wrong", "--json", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("form", "sign"), [("--markdown", "| model | against |"), ("--latex", r"\begin{tabular}{ll")])
def test_tables_for_papers(form, sign, preds, capsys):
    assert run(["compare", preds, form]) == 0
    assert sign in capsys.readouterr().out


def test_show_lists_instances(preds, capsys):
    assert run(["show", preds, "--primary", "tree", "--alternative", "knn", "--cell", "right_wrong"]) == 0
    assert "tree is right and knn is wrong on 1 instance" in capsys.readouterr().out
    assert run(["show", preds, "--limit", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["total"] == 2
    assert document["instances"] == [{"y_true": "a", "knn": "a", "tree": "b"}]
    assert run(["show", preds, "--cell", "both_wrong"]) == 0
    assert capsys.readouterr().out == "Both knn and tree are wrong on 0 instances.\n"


def test_options_reach_the_library(tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text('row,w,g,"p,1",q,other\n1,2,x,x,y,9\n2,1,y,NA,y,9\n3,1,y,y,x,9\n')
    arguments = ["compare", str(path), "--truth", "g", "--models", '"p,1",q', "--id", "row", "--weight", "w", "--na", "NA",
                 "--missing", "drop", "--labels", "y,x", "--level", "0.9", "--seed", "3", "--json", "--quiet"]  # fmt: skip
    assert run(arguments) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["n"], document["weight"], document["excluded"]) == (2, 3.0, 1)
    assert document["labels"] == ["y", "x"]
    assert (document["level"], document["seed"]) == (0.9, 3)
    assert [model["model"] for model in document["models"]] == ["p,1", "q"]


def test_long_layout(tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text("id,truth,model,answer\n1,a,p,a\n1,a,q,b\n")
    assert run(["compare", str(path), "--long", "model,answer", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"][0]["right_wrong"] == 1
    assert run(["compare", str(path), "--long", "model"]) == 2
    assert "it takes two column names" in capsys.readouterr().err


def test_named_files_are_joined(tmp_path, capsys):
    for name, answers in (("old", "1,a,a\n2,b,a\n"), ("new", "2,b,b\n1,a,a\n")):
        (tmp_path / f"{name}.csv").write_text("id,y_true,y_pred\n" + answers)
    assert run(["compare", f"base={tmp_path / 'old.csv'}", f"cand={tmp_path / 'new.csv'}"]) == 0
    assert "cand is ahead of base" in capsys.readouterr().out


def test_standard_input(preds):
    done = tiebreak("compare", "-", "--json", input=CSV)
    assert done.returncode == 0
    assert json.loads(done.stdout)["n"] == 5
    assert done.stderr == ""
    empty = tiebreak("compare", "-", input="")
    assert (empty.returncode, empty.stdout) == (2, "")
    assert empty.stderr == "tiebreak: standard input is empty: it holds no header and no rows\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare"], "Missing argument 'FILE...'."),
        (["compare", "nowhere.csv"], "'nowhere.csv' does not exist: check the path, or use - for standard input"),
        (
            ["compare", "{preds}", "--truth", "y"],
            "truth names 'y', which is no column of preds.csv: its columns are y_true, knn, tree",
        ),
        (["compare", "{preds}", "--models", "knn"], "only one model column, 'knn'"),
        (["compare", "{preds}", "--task", "ranking"], "Invalid value for '--task'"),
        (["compare", "{preds}", "--nonsense"], "No such option"),
        (["compare", "{preds}", "--level", "2"], "level is 2.0: it must lie strictly between 0 and 1"),
        (
            ["compare", "{preds}", "--weight", "w", "--truth", "y_true"],
            "weight names 'w', which is no column of preds.csv",
        ),
        (["compare", "{preds}", "--memory-limit", "lots"], "memory_limit is 'lots'"),
        (["compare", "{preds}", "--output", "nowhere/x.txt"], "its folder does not exist"),
        (["show", "{preds}", "--primary", "svm"], "'svm' is no model of this comparison"),
        (["frobnicate"], "No such command 'frobnicate'"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_code_2(arguments, message, preds, capsys):
    assert run([argument.format(preds=preds) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_weights_that_are_no_numbers(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("y_true,p,q,w\na,a,b,1\nb,b,b,heavy\n")
    assert run(["compare", str(tmp_path / "a.csv"), "--weight", "w"]) == 2
    assert "weight 'w' is 'heavy' in 1 of the rows of a.csv" in capsys.readouterr().err


def test_an_output_that_exists_is_refused_before_anything_is_counted(preds, tmp_path, capsys):
    target = tmp_path / "out.json"
    target.write_text("precious")
    assert run(["compare", "nowhere.csv", "--json", "-o", str(target)]) == 2
    assert f"output '{target}' exists: name another file, or replace it with --force" in capsys.readouterr().err
    assert target.read_text() == "precious"
    assert run(["compare", preds, "--json", "-o", str(target), "--force"]) == 0
    assert capsys.readouterr().out == ""
    assert json.loads(target.read_text())["n"] == 5


def test_an_output_is_whole_or_absent(preds, tmp_path, monkeypatch):
    target = tmp_path / "out.txt"

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", interrupt)
    assert run(["compare", preds, "-o", str(target)]) == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == ["preds.csv"]


def test_a_bug_is_one_line_with_a_code_of_its_own(preds, capsys, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("boom")

    monkeypatch.setattr("tiebreak.comparison.compare", broken)
    assert run(["compare", preds]) == 70
    assert "a bug in tiebreak: RuntimeError: boom; run again with --traceback" in capsys.readouterr().err
    assert run(["compare", preds, "--traceback"]) == 70
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_reader_that_leaves_ends_it_quietly(tmp_path):
    rows = "".join(f"{k % 3},{k % 3},{(k + 1) % 3}\n" for k in range(100_000))
    (tmp_path / "a.csv").write_text("y_true,p,q\n" + rows)
    command = [sys.executable, "-m", "tiebreak", "show", str(tmp_path / "a.csv"), "--limit", "100000"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 141
    assert process.stderr.read() == b""


def test_an_interrupt_ends_it_with_130(tmp_path):
    for name in "pq":
        frame = pd.DataFrame({"id": range(4_000_000)}).assign(y_true=lambda f: f.id % 9, y_pred=lambda f: f.id % 7)
        frame.to_parquet(tmp_path / f"{name}.parquet")
    paths = [str(tmp_path / f"{name}.parquet") for name in "pq"]
    command = [sys.executable, "-m", "tiebreak", "compare", *paths, "--memory-limit", "300MB"]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    deadline = time.monotonic() + 30
    while not list(tmp_path.glob("tiebreak-*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out == b""
    assert b"Traceback" not in err
    assert not list(tmp_path.glob("tiebreak-*"))


@pytest.mark.parametrize("label", ["new\nline", 'qu"ote', "\x1b[31mred", "\u202eevil", "tab\there", "nul\0l"[:3]])
def test_labels_are_shown_harmlessly(label, tmp_path, capsys):
    pd.DataFrame({"y_true": [label, "b"], label + "m": [label, "b"], "q": ["b", "b"]}).to_csv(
        tmp_path / "a.csv", index=False
    )
    for command in (["compare"], ["show"], ["compare", "--markdown"], ["compare", "--latex"]):
        assert run([command[0], str(tmp_path / "a.csv"), *command[1:]]) == 0
        out = capsys.readouterr().out
        assert not set(out) & {"\x1b", "\u202e", "\t", "\0"}
    assert run(["compare", str(tmp_path / "a.csv"), "--truth", label]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert not set(err) & {"\x1b", "\u202e", "\t"}


def test_progress_is_shown_to_a_person_only(monkeypatch, capsys):
    from tiebreak.cli.output import Progress, progress_on

    assert progress_on(True) is None
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    progress = progress_on(True)
    assert isinstance(progress, Progress)
    assert progress_on(False) is None
    progress(0.1)
    progress.done()
    assert capsys.readouterr().err == ""
    progress._begun -= 2
    progress(0.5)
    progress.done()
    assert capsys.readouterr().err == "\rcounting …  50 %\r" + " " * 20 + "\r"


@pytest.mark.parametrize("watched", [False, True])
def test_the_engine_draws_no_bar_in_the_middle_of_an_answer_and_keeps_no_pages(watched):
    from tiebreak.sources.engine import Engine, Limits

    with Engine(Limits(progress=(lambda share: None) if watched else None)) as engine:
        engine.rows("SELECT 1")
        bars = "current_setting('enable_progress_bar'), current_setting('enable_progress_bar_print')"
        assert engine.rows(f"SELECT {bars}") == [(watched, False)]
        assert engine.rows("SELECT current_setting('enable_external_file_cache')") == [(False,)]


def test_the_list_of_ids_that_must_pass_is_never_overwritten(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("id,y_true,p,q\n1,1,1,1\n2,0,0,1\n")
    ids = tmp_path / "ids.txt"
    ids.write_text("1\n")
    call = ["gate", str(tmp_path / "a.csv"), "--id", "id", "--margin", "0.1", "--must-pass", str(ids)]
    for output in ("--output", "--badge"):
        assert run([*call, output, str(ids), "--force"]) == 2
        assert "is also read" in capsys.readouterr().err
    assert ids.read_text() == "1\n"


def test_long_scans_report_how_far_they_are(monkeypatch):
    from tiebreak.sources import engine as module
    from tiebreak.sources.engine import Engine, Limits

    monkeypatch.setattr(module, "_ASK_EVERY", 0.01)
    shares = []
    with Engine(Limits(progress=shares.append)) as engine:
        # A busy machine may finish a scan between two questions.
        for millions in (300, 600, 1200, 2400):
            engine.rows(f"SELECT count(*) FROM range({millions}000000) t(i) WHERE hash(i) % 7 = 3")
            if shares:
                break
    assert shares
    assert all(0 <= share <= 1 for share in shares)


def test_demo_runs_on_its_own_data(capsys):
    assert run(["demo"]) == 0
    out = capsys.readouterr().out
    assert "forest is ahead of the next best, logistic" in out
    assert "logistic is right and forest is wrong on 30 instances; here are 5" in out
    assert run(["demo", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == 1797


def test_help_and_version_import_nothing_slow():
    code = (
        "import sys; from tiebreak.cli.main import run; run(['--help']); run(['compare', '--help']);"
        "slow = {'numpy', 'duckdb', 'narwhals', 'scipy', 'pandas'} & set(sys.modules); assert not slow, slow"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Compare models instance by instance" in done.stdout
    assert tiebreak("--version").stdout == f"tiebreak, version {tb.__version__}\n"


def test_the_command_alone_shows_its_help(capsys):
    assert run([]) == 2
    err = capsys.readouterr().err
    assert err.startswith("Usage: tiebreak [OPTIONS] COMMAND [ARGS]...\n")
    assert "\n  compare " in err
    assert len(err.splitlines()) > 8


@pytest.mark.parametrize("module", ["click", "tiebreak.cli.commands"])
def test_an_interrupt_while_the_command_is_imported_is_an_interrupt(module, tmp_path):
    """Ctrl-C in the first moments: nothing is printed, and the code says why it ended."""
    code = (
        "import os, signal, sys\n"
        "from tiebreak.cli import main\n"
        "assert not {'click', 'numpy'} & set(sys.modules)\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "main(['--help'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_named(preds):
    done = tiebreak("compare", preds, "-o", "/dev/full", "--force")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tiebreak: '/dev/full' cannot be used: No space left on device\n"
    with Path("/dev/full").open("w") as full:
        code = [sys.executable, "-m", "tiebreak", "compare", preds]
        done = subprocess.run(code, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("tiebreak: 'standard output' cannot be used: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="limits of Unix")
@pytest.mark.parametrize("full", ["disk", "memory"])
def test_a_disk_that_fills_while_spilling_and_a_memory_limit_are_told_and_nothing_remains(tmp_path, full):
    import numpy as np
    import pandas as pd

    ids = np.random.default_rng(0).permutation(400_000)
    names = [f"instance number {n}" for n in ids]
    for model in "pq":
        rows = pd.DataFrame({"id": names, "y_true": ids % 3, "y_pred": (ids + (ids % 7 == 0)) % 3})
        rows.to_parquet(tmp_path / f"{model}.parquet")
    (tmp_path / "temp").mkdir()
    command = [sys.executable, "-m", "tiebreak", "compare", "p.parquet", "q.parquet", "--id", "id", "-o", "out.txt"]
    command += ["--temp-dir", "temp", "--quiet", "--memory-limit", "5MB" if full == "memory" else "60MB"]

    def no_large_files():
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    prepare = no_large_files if full == "disk" else None
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, preexec_fn=prepare)
    assert (done.returncode, done.stdout) == (2, "")
    said = "needs more room than its temporary folder has (File too large): give --temp-dir a folder with room"
    assert (said if full == "disk" else "needs more memory than allowed: raise --memory-limit") in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list((tmp_path / "temp").iterdir())
    assert not (tmp_path / "out.txt").exists()


def test_two_outputs_of_one_name_are_refused(preds, tmp_path, capsys):
    same = str(tmp_path / "same.html")
    assert run(["compare", preds, "-o", same, "--report", same, "--force"]) == 2
    assert "is named for two outputs" in capsys.readouterr().err
    assert not (tmp_path / "same.html").exists()


@pytest.mark.parametrize("spelled", ["{}", "knn={}", "{}*"])
def test_an_output_over_an_input_is_refused(preds, spelled, capsys):
    before = Path(preds).read_text()
    assert run(["compare", spelled.format(preds), "-o", preds, "--force"]) == 2
    assert "is also read: name another file" in capsys.readouterr().err
    assert Path(preds).read_text() == before
