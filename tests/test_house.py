"""The house keeps its own rules: doors, docstrings, examples, and an import that costs nothing."""

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import tiebreak

SOURCE = Path(tiebreak.__file__).parent
MODULES = sorted(m.name for m in pkgutil.walk_packages([str(SOURCE)], "tiebreak.") if m.name != "tiebreak.__main__")


def test_the_door_opens_every_name_and_lists_them_all():
    for name in tiebreak.__all__:
        assert getattr(tiebreak, name) is not None
    assert set(tiebreak.__all__) <= set(dir(tiebreak))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tiebreak.nothing


def test_type_checkers_see_the_same_door():
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    seen = {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    assert seen | {"__version__"} == set(tiebreak.__all__)


def test_importing_the_package_imports_nothing_slow():
    code = "import sys, tiebreak; assert not {'numpy', 'duckdb', 'narwhals', 'click'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_polars_users_never_load_pandas():
    code = (
        "import sys, polars as pl, tiebreak as tb;"
        "tb.compare(pl.DataFrame({'y_true': [1, 0], 'a': [1, 1], 'b': [0, 0]})).to_json();"
        "assert not {'pandas', 'pyarrow', 'pyspark'} & set(sys.modules), sorted(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_which_room_it_is(name):
    assert importlib.import_module(name).__doc__


# Rooms in which some public names still lack an example; what the explorer is made of needs a server to be shown.
WITHOUT_EXAMPLES = {"comparison", "explorer", "inference", "views"}


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_has_a_docstring_and_an_example(name):
    module = importlib.import_module(name)
    parts = name.split(".")[1:]
    if "cli" in parts or (parts[-1].startswith("_") and parts != ["__init__"]):
        return
    tree = ast.parse(Path(module.__file__).read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            docstring = ast.get_docstring(node)
            assert docstring, f"{name}.{node.name}"
            assert parts[0] in WITHOUT_EXAMPLES or ">>>" in docstring, f"{name}.{node.name} has no example"


@pytest.mark.parametrize("name", [m for m in MODULES if hasattr(importlib.import_module(m), "__all__")])
def test_a_rooms_door_is_what_it_lists(name):
    module = importlib.import_module(name)
    assert all(hasattr(module, public) for public in module.__all__)


def test_the_demonstration_predictions_are_what_the_tool_makes():
    """Run the tool where its learners are those that made the file; elsewhere the file is held by its checksum."""
    import hashlib

    import sklearn

    shipped = (SOURCE / "data" / "digits.csv").read_bytes()
    digest = hashlib.sha256(shipped).hexdigest()
    assert digest == "8626e533b511e8471c8769476f9395602634af29ca267d96bb81a38c133ec827"
    tool = SOURCE.parent.parent / "tools" / "make_demo_data.py"
    if tool.exists() and sklearn.__version__ == "1.9.1":
        made = subprocess.run([sys.executable, tool], capture_output=True, check=True).stdout
        assert made.splitlines() == shipped.splitlines()


def test_the_demonstration_data_are_of_the_digits():
    """Ten folds, three classifiers: the shipped file is not edited by hand."""
    rows = (SOURCE / "data" / "digits.csv").read_text().splitlines()
    assert rows[0] == "image,digit,forest,logistic,bayes"
    assert len(rows) == 1798
    from sklearn.datasets import load_digits

    digits = load_digits().target.tolist()
    assert [int(row.split(",")[1]) for row in rows[1:]] == digits
