"""Which files are logs, and of which harness: a file, a folder of one model's run, a folder of folders, a pattern."""

from __future__ import annotations

import glob
import json
import os
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tiebreak._format import listed, visible
from tiebreak.errors import TiebreakError, UnreadableSource
from tiebreak.sources.arguments import files_behind
from tiebreak.sources.formats import is_packed

# As much of a JSON document as says what it is.
_HEAD = 1 << 16
_ENDINGS = (".jsonl", ".json", ".eval", ".jsonl.gz", ".json.gz")
_LM_EVAL = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps"}
_INSPECT = re.compile(r'\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:')
_MLFLOW = re.compile(r'\{\s*"columns"\s*:\s*\[')
_PROMPTFOO = re.compile(r'\{\s*"(evalId|results|version)"\s*:')
# How harnesses name what they write for one model, and nobody else anything.
_LOG_NAME = re.compile(r"samples_.*\.jsonl(\.gz)?|.*\.eval")
_PROMPTFOO_ROW = re.compile(r'"(testIdx|promptIdx|gradingResult)"\s*:')

TITLES = {"lm-eval": "lm-eval", "inspect": "Inspect", "promptfoo": "promptfoo", "mlflow": "MLflow"}


@dataclass(frozen=True, slots=True)
class Log:
    """A file that is a log: where it is, whose it is, and the name the caller gave its model, if any.

    `where` is how an error names it: its name, or its path where several have that name.

    Examples
    --------
    >>> Log("runs/large/samples_tiny.jsonl", "lm-eval", where="samples_tiny.jsonl").name is None
    True
    """

    path: str
    kind: str
    name: str | None = None
    where: str = ""


def logs_among(files: Sequence[tuple[str | None, str]]) -> list[Log] | None:
    """Return the logs that the arguments stand for, None if there is none among them; a mixture is refused.

    Examples
    --------
    >>> logs_among([(None, "preds.csv")]) is None
    True
    """
    parts = {path: {part: kind_of(part) for part in _parts_of(path)} for _, path in files}
    found = [(name, path, [(part, kind) for part, kind in parts[path].items() if kind]) for name, path in files]
    logs = _named(found)
    if not logs:
        return None
    beside = [part for path, kinds in parts.items() for part, kind in kinds.items() if part != path and not kind]
    damaged = next(filter(_is_suspect, beside), None)
    if damaged is not None:
        raise UnreadableSource(
            f"{visible(Path(damaged).name, 100)} is named like a log and is none: it is empty or damaged; write it "
            "again, or take it away to leave its model out"
        )
    others = [path for _, path, inner in found if not inner]
    if others:
        raise TiebreakError(
            f"{visible(Path(others[0]).name, 100)} is no eval log, and {logs[0].where} is one of "
            f"{TITLES[logs[0].kind]}: compare logs of one kind with each other"
        )
    kinds = list(dict.fromkeys(log.kind for log in logs))
    if len(kinds) > 1:
        raise TiebreakError(
            f"these are logs of {listed(TITLES[kind] for kind in kinds)}: compare those of one harness with each other"
        )
    for name, path, inner in found:
        if name is not None and len({Path(log).parent for log, _ in inner}) > 1:
            raise TiebreakError(
                f"{name}= names {visible(path)}, which holds {len(inner)} logs "
                f"({listed(Path(log).name for log, _ in inner)}): name one of them"
            )
    return logs


def aside(files: Sequence[tuple[str | None, str]], logs: Sequence[Log]) -> tuple[str, ...]:
    """Return a note that names the files beside logs, in folders and behind patterns, that might have been logs too.

    Examples
    --------
    >>> aside([(None, "preds.csv")], [])
    ()
    """
    known = {log.path for log in logs}
    others = [part for _, path in files if not Path(path).is_file() for part in _parts_of(path) if part not in known]
    lines = [part for part in others if part.endswith((".jsonl", ".jsonl.gz"))]
    if not lines:
        return ()
    return (f"left aside, because they are no logs: {listed((Path(part).name for part in lines), 4)}",)


def _named(found: Sequence[tuple[str | None, str, list[tuple[str, str]]]]) -> list[Log]:
    times = Counter(Path(path).name for _, _, inner in found for path, _ in inner)
    return [
        Log(path, kind, name, visible(path if times[Path(path).name] > 1 else Path(path).name, 200))
        for name, _, inner in found
        for path, kind in inner
    ]


def _parts_of(path: str) -> list[str]:
    """The files behind a path that may be logs; one that is named itself, or meets a pattern, may have any ending."""
    if Path(path).is_file():
        return [path] if os.access(path, os.R_OK) else []
    if Path(path).is_dir():
        return [part for part in files_behind(path) if part.endswith(_ENDINGS)]
    if glob.has_magic(path):
        return [each for part in sorted(glob.glob(path)) for each in _parts_of(part)]  # noqa: PTH207 it may be absolute
    return []


def _is_suspect(path: str) -> bool:
    """Whether a file that is no log is named like one, or cannot be unpacked."""
    if _LOG_NAME.fullmatch(Path(path).name):
        return True
    try:
        return is_packed(path) and not _head(path)
    except zlib.error:
        return True


def kind_of(path: str) -> str | None:
    """Return whose log a file is, by its content; None for any other file.

    Examples
    --------
    >>> kind_of(__file__) is None
    True
    """
    if is_archive(path):
        return "inspect" if _is_inspect(path) else None
    try:
        head = _head(path)
    except zlib.error:
        return None
    first = head.lstrip().split(b"\n", 1)[0]
    if first.startswith(b"{") and b'"doc_id"' in first:
        return "lm-eval" if _is_sample(first) else None
    return _by_head(head.decode("utf-8", errors="replace").lstrip("\ufeff \r\n\t"))


def _head(path: str) -> bytes:
    """How a file begins, unpacked; one that was cut short begins like a whole one."""
    with Path(path).open("rb") as file:
        start = file.read(_HEAD)
    return zlib.decompressobj(31).decompress(start, _HEAD) if is_packed(path) else start


def _by_head(head: str) -> str | None:
    if _INSPECT.match(head) and '"eval"' in head:
        return "inspect"
    if _MLFLOW.match(head):
        return "mlflow"
    return "promptfoo" if _PROMPTFOO.match(head) and _PROMPTFOO_ROW.search(head) else None


def is_archive(path: str) -> bool:
    """Tell whether a file begins as an archive, even one that was cut short.

    Examples
    --------
    >>> is_archive(__file__)
    False
    """
    with Path(path).open("rb") as file:
        return file.read(4) == b"PK\x03\x04"


def _is_inspect(path: str) -> bool:
    """An archive of Inspect's holds a journal, or a header and samples; one cut short is known by its first member."""
    with Path(path).open("rb") as file:
        first = file.read(200)
    if b"_journal/start.json" in first:
        return True
    try:
        with zipfile.ZipFile(path) as archive:
            return "header.json" in archive.namelist()
    except zipfile.BadZipFile:
        return path.endswith(".eval")


def _is_sample(line: bytes) -> bool:
    try:
        found = json.loads(line)
    except ValueError:
        # A line that is broken, or longer than the head, is for its reader to judge.
        return line.startswith(b'{"doc_id"') and b'"doc"' in line
    return isinstance(found, dict) and len(_LM_EVAL & set(found)) >= 4
