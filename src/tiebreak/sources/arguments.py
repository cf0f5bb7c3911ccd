"""What an argument that names data stands for: a path, NAME=PATH, a folder of parts, a pattern, standard input."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tiebreak.errors import TiebreakError, UnreadableSource
from tiebreak.sources.formats import expanded
from tiebreak.sources.labels import plain

STDIN = "-"


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


def paths_read(arguments: Iterable[str]) -> list[str]:
    """Return every file that arguments would read: NAME=PATH without its name, a folder's parts, a pattern's matches.

    What does not exist and standard input are no files, so they are left out.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "new.csv"
    ...     _ = file.write_text("id,y_pred")
    ...     paths_read([f"candidate={file}", f"{folder}/n*.csv", folder, "-", "nowhere.csv"]) == [str(file)] * 3
    True
    """
    found: list[str] = []
    for argument in arguments:
        path = named_path(os.fspath(argument))[1]
        try:
            found += [] if path == STDIN else expanded(path)
        except UnreadableSource:
            continue
    return found


def files_behind(path: str) -> list[str]:
    """Return every file that a path may lead to: itself, all in and below a folder, all that a pattern meets.

    Hidden files and those beginning with an underscore are left out of folders.

    Examples
    --------
    >>> files_behind("nowhere.csv"), files_behind(__file__) == [__file__]
    ([], True)
    """
    if Path(path).is_file():
        return [path]
    if Path(path).is_dir():
        return sorted(str(part) for part in Path(path).rglob("*") if part.is_file() and part.name[0] not in "._")
    if glob.has_magic(path):
        return [each for part in sorted(glob.glob(path)) for each in files_behind(part)]  # noqa: PTH207 may be absolute
    return []


def as_files(data: Any) -> list[tuple[str | None, str]]:
    """Return the (name, path) pairs that an argument stands for; none if it is not made of paths.

    Examples
    --------
    >>> as_files("preds.csv"), as_files({"old": "a.csv", "new": "b.csv"}), as_files([1, 0])
    ([(None, 'preds.csv')], [('old', 'a.csv'), ('new', 'b.csv')], [])
    """
    files = _pairs(data)
    if sum(path == STDIN for _, path in files) > 1:
        raise TiebreakError(f"{STDIN} is given more than once: standard input can be read once; name a file instead")
    return files


def _pairs(data: Any) -> list[tuple[str | None, str]]:
    if isinstance(data, str | os.PathLike):
        return [(None, os.fspath(data))]
    if isinstance(data, Mapping) and data and all(isinstance(path, str | os.PathLike) for path in data.values()):
        return [(plain(model), os.fspath(path)) for model, path in data.items()]
    if isinstance(data, list | tuple) and data:
        if all(isinstance(path, str | os.PathLike) for path in data):
            return [(None, os.fspath(path)) for path in data]
        if all(isinstance(item, tuple) and len(item) == 2 for item in data):
            return [(model, os.fspath(path)) for model, path in data]
    return []
