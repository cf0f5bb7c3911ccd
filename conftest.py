"""What tests and the examples of docstrings, README and guides share: a working folder of their own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples and commands write where nobody else looks."""
    monkeypatch.chdir(tmp_path)
