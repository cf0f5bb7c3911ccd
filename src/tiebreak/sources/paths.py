"""Arguments that are paths: one, several, or named ones, as Python and as a shell write them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def as_files(data: Any) -> list[tuple[str | None, str]]:
    """Return the (name, path) pairs that an argument stands for; none if it is not made of paths.

    Examples
    --------
    >>> as_files({"new": "new.csv"}), as_files([1, 0])
    ([('new', 'new.csv')], [])
    """
    if isinstance(data, str | os.PathLike):
        return [(None, os.fspath(data))]
    if isinstance(data, Mapping) and data and all(isinstance(path, str | os.PathLike) for path in data.values()):
        return [(str(model), os.fspath(path)) for model, path in data.items()]
    if isinstance(data, list | tuple) and data:
        if all(isinstance(path, str | os.PathLike) for path in data):
            return [(None, os.fspath(path)) for path in data]
        if all(isinstance(item, tuple) and len(item) == 2 for item in data):
            return [(model, os.fspath(path)) for model, path in data]
    return []


def named_path(argument: str) -> tuple[str | None, str]:
    """Split NAME=PATH, unless the whole is a file or NAME holds a path separator.

    Examples
    --------
    >>> named_path("new=runs/new.csv"), named_path("runs/a=b.csv")
    (('new', 'runs/new.csv'), (None, 'runs/a=b.csv'))
    """
    model, equals, path = argument.partition("=")
    if not equals or not model or not path or "/" in model or os.sep in model or Path(argument).exists():
        return None, argument
    return model, path
