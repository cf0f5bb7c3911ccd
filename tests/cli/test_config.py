"""Defaults from pyproject.toml: found upwards, overruled by the command line, never silently wrong."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tiebreak.cli.main import run

CSV = "row,answer,knn,tree,doc\n1,a,a,b,x\n2,b,b,b,x\n3,c,a,c,y\n4,a,a,a,z\n5,a,a,b,z\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    def write(text):
        (tmp_path / "pyproject.toml").write_text(text)
        inner = tmp_path / "models" / "new"
        inner.mkdir(parents=True, exist_ok=True)
        (inner / "preds.csv").write_text(CSV)
        monkeypatch.chdir(inner)

    return write


def document(capsys, *arguments):
    assert run([*arguments, "--json", "--quiet"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_project_says_its_columns_once(project, capsys):
    project('[tool.tiebreak]\ntruth = "answer"\nid = "row"\ngroup = "doc"\nlevel = 0.9\nmodels = ["tree", "knn"]\n')
    found = document(capsys, "compare", "preds.csv")
    assert (found["truth"], found["level"], [m["model"] for m in found["models"]]) == ("answer", 0.9, ["tree", "knn"])
    assert found["pairs"][0]["difference"]["method"] == "cluster_t"


def test_the_command_line_wins(project, capsys):
    project('[tool.tiebreak]\ntruth = "answer"\nid = "row"\nlevel = 0.9\nmodels = ["tree", "knn"]\n')
    found = document(capsys, "compare", "preds.csv", "--level", "0.8", "--models", "knn,tree")
    assert (found["level"], [m["model"] for m in found["models"]]) == (0.8, ["knn", "tree"])


def test_a_command_has_a_section_of_its_own(project, capsys):
    text = '[tool.tiebreak]\ntruth = "answer"\nid = "row"\nmodels = "knn,tree"\nlevel = 0.9\n'
    project(text + '[tool.tiebreak.gate]\nmargin = 1.0\nlevel = 0.5\nbaseline = "tree"\n')
    assert run(["gate", "preds.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["level"], found["gate"]["margin"], found["gate"]["baseline"]) == (0.5, 1.0, "tree")
    assert document(capsys, "compare", "preds.csv")["level"] == 0.9
    assert run(["show", "preds.csv", "--quiet"]) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[tool.tiebreak]\ntrth = "y"\n', r"[tool.tiebreak] names 'trth', which is no option that a project can set"),
        ('[tool.tiebreak]\noutput = "x"\n', "[tool.tiebreak] names 'output'"),
        ("[tool.tiebreak.show]\nmargin = 1\n", "[tool.tiebreak.show] names 'margin'"),
        ("[tool.tiebreak.gates]\nmargin = 1\n", "[tool.tiebreak] names 'gates'"),
        ("[tool.tiebreak]\ntruth = 2026-01-01\n", "gives 'truth' a date: it must be text, a number"),
        ("[tool.tiebreak]\nmodels = [1, 2]\n", "gives 'models' a list"),
        ('[tool.tiebreak]\nlevel = "high"\n', "Invalid value for '--level'"),
        ("[tool.tiebreak\nlevel = 1\n", "is no valid TOML"),
    ],
)
def test_what_a_project_says_wrongly_is_one_line(text, message, project, capsys):
    project(text)
    assert run(["compare", "preds.csv"]) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert (out, err.count("\n")) == ("", 1)


def test_help_reads_no_file(project, capsys):
    project("[tool.tiebreak\n")
    assert run(["compare", "--help"]) == 0
    assert run(["--version"]) == 0


def test_a_project_without_a_section_says_nothing(project, capsys, tmp_path):
    project("[tool.other]\n[broken")
    assert run(["compare", "preds.csv", "--truth", "answer", "--models", "knn,tree", "--id", "row"]) == 0


def test_dashes_and_underscores_are_one(project, capsys):
    project('[tool.tiebreak]\ntruth = "answer"\nid = "row"\nmemory_limit = "1GB"\nmodels = "knn,tree"\n')
    assert run(["compare", "preds.csv"]) == 0
    project('[tool.tiebreak]\ntruth = "answer"\nid = "row"\nmemory-limit = "lots"\nmodels = "knn,tree"\n')
    assert run(["compare", "preds.csv"]) == 2
    assert "memory_limit is 'lots'" in capsys.readouterr().err


def test_help_and_completion_import_nothing_slow():
    code = (
        "import sys; sys.argv = ['tiebreak', 'compare', '--help']\n"
        "from tiebreak.cli.main import run\n"
        "run(['compare', '--help']); slow = {'numpy', 'duckdb', 'scipy', 'tomllib'} & set(sys.modules)\n"
        "assert not slow, slow"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_shell_completes_commands_and_options():
    """click's own completion, as a shell asks for it."""
    environment = {"_TIEBREAK_COMPLETE": "bash_complete", "COMP_WORDS": "tiebreak compare --mis", "COMP_CWORD": "2"}
    import os

    done = subprocess.run(
        [str(Path(sys.executable).with_name("tiebreak"))],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    assert "plain,--missing" in done.stdout


def test_the_nearest_section_counts(project, capsys, tmp_path):
    project('[tool.tiebreak]\ntruth = "knn"\n')
    (tmp_path / "models" / "pyproject.toml").write_text(
        '[tool.tiebreak]\ntruth = "answer"\nmodels = ["knn", "tree"]\nid = "row"\n'
    )
    assert document(capsys, "compare", "preds.csv")["truth"] == "answer"
    (tmp_path / "models" / "new" / "pyproject.toml").write_text("[tool]\nname = 'tool.tiebreak'\n")
    assert document(capsys, "compare", "preds.csv")["truth"] == "answer"


def test_the_defaults_are_a_mapping_of_mappings_that_nobody_writes_to(project):
    from tiebreak.cli.commands import tiebreak
    from tiebreak.cli.config import Defaults

    project("[tool.tiebreak]\nlevel = 0.9\n")
    defaults = Defaults(tiebreak)
    assert set(defaults) == set(tiebreak.commands)
    assert len(defaults) == len(tiebreak.commands)
    assert dict(defaults["compare"]) == {"level": 0.9}
    assert (len(defaults["compare"]), bool(defaults["papers"])) == (1, True)
    for mapping in (defaults, defaults["compare"]):
        with pytest.raises(NotImplementedError):
            mapping["level"] = 1
        with pytest.raises(NotImplementedError):
            del mapping["level"]
