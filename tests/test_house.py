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


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_has_a_docstring_and_every_function_an_example(name):
    module = importlib.import_module(name)
    if ".cli" in name or name.rsplit(".", 1)[-1].startswith("_"):
        return
    tree = ast.parse(Path(module.__file__).read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            docstring = ast.get_docstring(node)
            assert docstring, f"{name}.{node.name}"


@pytest.mark.parametrize("name", [m for m in MODULES if hasattr(importlib.import_module(m), "__all__")])
def test_a_rooms_door_is_what_it_lists(name):
    module = importlib.import_module(name)
    assert all(hasattr(module, public) for public in module.__all__)


def test_the_demonstration_data_are_what_the_tool_makes():
    """Ten folds, three classifiers: the shipped file is not edited by hand."""
    rows = (SOURCE / "data" / "digits.csv").read_text().splitlines()
    assert rows[0] == "image,digit,forest,logistic,bayes"
    assert len(rows) == 1798
    from sklearn.datasets import load_digits

    digits = load_digits().target.tolist()
    assert [int(row.split(",")[1]) for row in rows[1:]] == digits
