"""One file and one client for all tests that only read."""

import pytest

from explorer import numbers
from explorer.grounds import ROWS, explored, write_rows


@pytest.fixture(scope="session")
def rows_file(tmp_path_factory):
    return write_rows(str(tmp_path_factory.mktemp("rows") / "preds.parquet"), ROWS)


@pytest.fixture(scope="session")
def numbers_file(tmp_path_factory):
    return numbers.written(tmp_path_factory.mktemp("numbers") / "errors.parquet", numbers.ROWS)


@pytest.fixture(scope="module")
def client(rows_file):
    with explored(rows_file, truth="label", models=["knn", "tree", "forest"]) as found:
        yield found
