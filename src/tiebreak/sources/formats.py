"""What a file is: recognised by its content, held against its name, and its text decoded or refused."""

from __future__ import annotations

import glob
import gzip
import json
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from tiebreak._format import quoted, visible
from tiebreak.errors import EmptyComparison, UnreadableSource

_BY_ENDING = {
    ".csv": "csv", ".tsv": "tsv", ".txt": "csv", ".parquet": "parquet", ".pq": "parquet", ".jsonl": "jsonl",
    ".ndjson": "jsonl", ".json": "json", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow",
}  # fmt: skip
_TITLES = {
    "csv": "CSV", "tsv": "TSV", "parquet": "Parquet", "jsonl": "JSON Lines", "json": "JSON", "arrow": "Arrow/Feather",
}  # fmt: skip
# An Arrow stream has no name of its own: it begins with the mark of a message's length.
_MAGIC = {b"PAR1": "parquet", b"ARRO": "arrow", b"FEA1": "arrow", b"\xff\xff\xff\xff": "arrow"}
_TEXT_FORMATS = frozenset({"csv", "tsv", "jsonl", "json"})
_MARKUP = ("<!doctype", "<html", "<?xml", "<head", "<body", "<table", "<svg")
_GZIP = b"\x1f\x8b"


def expanded(path: str) -> list[str]:
    """Return the files that an argument stands for: itself if it exists, a directory's parts, or the matches of a glob.

    Hidden files and those beginning with an underscore are left out, as the writers of such directories expect.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.csv").write_text("y,p"), Path(folder, "_SUCCESS").write_text("")
    ...     [Path(path).name for path in expanded(folder)]
    ['a.csv']
    """
    if Path(path).is_dir():
        found = sorted(str(part) for part in Path(path).iterdir() if part.is_file() and part.name[0] not in "._")
        found = [part for part in found if _ending(part) in _BY_ENDING]
        if not found:
            raise UnreadableSource(f"{quoted(path)} is a directory without data files: name a file")
        return found
    if not Path(path).exists() and glob.has_magic(path):
        matches = sorted(glob.glob(path))  # noqa: PTH207 a pattern may be absolute
        if matches:
            return matches
    if not Path(path).exists():
        raise UnreadableSource(f"{quoted(path)} does not exist: check the path, or use - for standard input")
    if not os.access(path, os.R_OK):
        raise UnreadableSource(f"{quoted(path)} may not be read: check its permissions")
    return [path]


def format_of(path: str, where: str | None = None) -> str:
    """Return a file's format by its content, and refuse one that is not what its name says.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.log").write_text('{"y_true": 1}')
    ...     format_of(f"{folder}/a.log")
    'jsonl'
    """
    ending = _ending(path)
    by_name = _BY_ENDING.get(ending)
    where = where or visible(Path(path).name, 100)
    with Path(path).open("rb") as file:
        head = file.read(4)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 4))
        tail = file.read(4)
    if not size:
        raise EmptyComparison(f"{where} is empty: it holds no header and no rows")
    _refuse_packed(path, by_name, where)
    by_content = _MAGIC.get(head) or ("text" if _is_text(path) else "something else")
    if by_content == "parquet" and tail != b"PAR1":
        raise UnreadableSource(
            f"{where} is truncated: a Parquet file ends with its own mark and this one does not; copy it again"
        )
    if by_content == "text":
        by_content = _text_format(path, by_name, where)
    elif by_content == "something else" and by_name in _TEXT_FORMATS:
        raise UnreadableSource(
            f"{where} holds NUL bytes, as UTF-16 text does: convert it first, for example with iconv -f utf-16 -t utf-8"
        )
    if by_name is not None and by_content != by_name:
        known = _TITLES.get(by_content, by_content)
        raise UnreadableSource(
            f"{where} is named {ending} but is not {_TITLES[by_name]}: it looks like {known}; give it the right ending"
        )
    if by_content not in _TITLES:
        raise UnreadableSource(
            f"{where} is of no known format: use CSV, TSV, Parquet, JSON Lines, JSON or Arrow/Feather"
        )
    return by_content


def _refuse_packed(path: str, by_name: str | None, where: str) -> None:
    """Refuse formats that are compressed inside, packed once more: the engine cannot look into them."""
    inside = None
    if is_packed(path):
        with decoded(where), gzip.open(path, "rb") as file:
            inside = _MAGIC.get(file.read(4))
    if inside is not None or (by_name in {"parquet", "arrow"} and is_packed(path)):
        title = _TITLES[inside or str(by_name)]
        raise UnreadableSource(f"{where} is {title} in gzip, but {title} is compressed inside: unpack it with gunzip")


def _ending(path: str) -> str:
    bare = Path(path.removesuffix(".gz")) if path.endswith(".gz") else Path(path)
    return bare.suffix.lower()


def is_packed(path: str) -> bool:
    """Tell whether a file is gzipped, by its first two bytes.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.gz").write_bytes(gzip.compress(b"y,p"))
    ...     is_packed(f"{folder}/a.gz")
    True
    """
    with Path(path).open("rb") as file:
        return file.read(2) == _GZIP


def reading(path: str) -> TextIO:
    """Open a text file, gzipped or not, without the mark that some tools put in front.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.csv.gz").write_bytes(gzip.compress(b"y,p"))
    ...     with reading(f"{folder}/a.csv.gz") as file:
    ...         file.read()
    'y,p'
    """
    if is_packed(path):
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return Path(path).open(encoding="utf-8-sig", newline="")


def _is_text(path: str) -> bool:
    opener: Any = gzip.open if is_packed(path) else open
    try:
        with opener(path, "rb") as file:
            return b"\0" not in file.read(1 << 16)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        # What is wrong with it is said where it is read as text.
        return True


def _text_format(path: str, by_name: str | None, where: str) -> str:
    """JSON shows itself by its first character; everything else is delimited text."""
    with decoded(where), reading(path) as file:
        lines = (line.strip() for line in file if line.strip())
        first, second = next(lines, ""), next(lines, "")
    if first.lower().startswith(_MARKUP):
        raise UnreadableSource(
            f"{where} is HTML or XML, not a table: save the data themselves, not the page that shows them"
        )
    if first.startswith("{") and _is_object(first):
        return "json" if not second and (by_name == "json" or _holds_rows(first)) else "jsonl"
    if by_name == "json" and first[:1] in {"{", "["}:
        return "json"
    if by_name in {"jsonl", "json"}:
        return "delimited text" if not first.startswith(("{", "[")) else "broken JSON"
    # The beginning of a JSON document, which no header of a table looks like.
    if first in {"{", "["} or re.match(r"""\[\s*\{|\{\s*"[^"]*"\s*:""", first):
        return "json"
    return by_name if by_name in _TEXT_FORMATS else "csv"


def _holds_rows(line: str) -> bool:
    """Whether a JSON object holds a list of objects, which makes it a document and no instance."""
    return any(isinstance(value, list) and value and isinstance(value[0], dict) for value in json.loads(line).values())


@contextmanager
def decoded(where: str) -> Iterator[None]:
    r"""Say what is wrong with the bytes of a text file.

    Examples
    --------
    >>> with decoded("a.csv"):
    ...     b"\xe9".decode()
    Traceback (most recent call last):
    tiebreak.errors.UnreadableSource: a.csv is not UTF-8 text: convert it first, for example with iconv -f latin1
    -t utf8
    """
    try:
        yield
    except UnicodeDecodeError:
        raise UnreadableSource(
            f"{where} is not UTF-8 text: convert it first, for example with iconv -f latin1 -t utf8"
        ) from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise UnreadableSource(f"{where} is truncated or no gzip file: compress or copy it again") from None


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except json.JSONDecodeError:
        return False
