"""Files as relations of the engine: recognised by content, checked against their name, never loaded.

The fields of text files stay text until all distinct values are known (`labels.text_reader`), JSON values stay
literals, so that nothing is converted on the way in.
"""

from __future__ import annotations

import csv
import glob
import gzip
import itertools
import json
import os
import shutil
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from tiebreak._format import listed, quoted, visible
from tiebreak.errors import EmptyComparison, TiebreakError, UnreadableSource
from tiebreak.sources.engine import Engine, name, text
from tiebreak.sources.sql import SqlColumn, described

_BY_ENDING = {
    ".csv": "csv", ".tsv": "tsv", ".txt": "csv", ".parquet": "parquet", ".pq": "parquet", ".jsonl": "jsonl",
    ".ndjson": "jsonl", ".json": "json", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow",
}  # fmt: skip
_TITLES = {
    "csv": "CSV", "tsv": "TSV", "parquet": "Parquet", "jsonl": "JSON Lines", "json": "JSON", "arrow": "Arrow/Feather",
}  # fmt: skip
_MAGIC = {b"PAR1": "parquet", b"ARRO": "arrow", b"FEA1": "arrow"}
_TEXT_FORMATS = frozenset({"csv", "tsv", "jsonl", "json"})
_DELIMITERS = ",;\t|"
# Lines of a JSON Lines file that are looked at for the names of its fields.
_NAMING_LINES = 1000


@dataclass(frozen=True, slots=True)
class Table:
    """A file, or several of one layout, as a relation of the engine."""

    relation: str
    columns: dict[str, SqlColumn]
    where: str
    stem: str


def open_table(engine: Engine, path: str) -> Table:
    """Return the relation of one argument: a path, a glob, a directory of parts, or `-` for standard input."""
    if path == "-":
        return _named(_csv(engine, [_spooled(engine, sys.stdin.buffer)], "standard input"), "standard input", "stdin")
    if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
        # A pipe can be read once only, and is read more often than that.
        with Path(path).open("rb") as pipe:
            spooled = _spooled(engine, pipe)
        return _named(_csv(engine, [spooled], visible(path)), visible(path), _stem(path))
    paths = expanded(path)
    where = visible(path if len(paths) > 1 else Path(paths[0]).name, 100)
    formats = {format_of(part) for part in paths}
    if len(formats) > 1:
        raise UnreadableSource(
            f"{where} holds files of several formats ({listed(sorted(formats))}): give one format at a time"
        )
    opened = _OPENERS[formats.pop()](engine, paths, where)
    return _named(opened, where, _stem(path))


def _named(opened: tuple[str, dict[str, SqlColumn]], where: str, stem: str) -> Table:
    return Table(opened[0], opened[1], where, stem)


def expanded(path: str) -> list[str]:
    """Return the files that an argument stands for: itself if it exists, a directory's parts, or the matches of a glob.

    Hidden files and those beginning with an underscore are left out, as the writers of such directories expect.
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


def format_of(path: str) -> str:
    """Return a file's format by its content, and refuse one that is not what its name says."""
    ending = _ending(path)
    by_name = _BY_ENDING.get(ending)
    where = visible(Path(path).name, 100)
    with Path(path).open("rb") as file:
        head = file.read(4)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 4))
        tail = file.read(4)
    if not size:
        raise EmptyComparison(f"{where} is empty: it holds no header and no rows")
    by_content = _MAGIC.get(head) or ("text" if _is_text(path) else "something else")
    if by_content == "parquet" and tail != b"PAR1":
        raise UnreadableSource(
            f"{where} is truncated: a Parquet file ends with its own mark and this one does not; copy it again"
        )
    if by_content == "text":
        by_content = _text_format(path, by_name)
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


def _ending(path: str) -> str:
    bare = Path(path.removesuffix(".gz")) if path.endswith(".gz") else Path(path)
    return bare.suffix.lower()


def _stem(path: str) -> str:
    bare = Path(path).name.removesuffix(".gz")
    return Path(bare).stem


def _reading(path: str) -> TextIO:
    if path.endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return Path(path).open(encoding="utf-8-sig", newline="")


def _is_text(path: str) -> bool:
    opener: Any = gzip.open if path.endswith(".gz") else open
    try:
        with opener(path, "rb") as file:
            return b"\0" not in file.read(1 << 16)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        # What is wrong with it is said where it is read as text.
        return True


def _text_format(path: str, by_name: str | None) -> str:
    """JSON shows itself by its first character; everything else is delimited text."""
    with _decoded(visible(Path(path).name, 100)), _reading(path) as file:
        first = next((line.strip() for line in file if line.strip()), "")
    if first.startswith("{") and _is_object(first):
        return "json" if by_name == "json" else "jsonl"
    if by_name == "json" and first[:1] in {"{", "["}:
        return "json"
    if by_name in {"jsonl", "json"}:
        return "delimited text" if not first.startswith(("{", "[")) else "broken JSON"
    return by_name if by_name in _TEXT_FORMATS else "csv"


@contextmanager
def _decoded(where: str) -> Iterator[None]:
    """Say what is wrong with the bytes of a text file."""
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


def _spooled(engine: Engine, stream: BinaryIO) -> str:
    """Keep a stream in the spill folder: it is read more than once and may be larger than memory."""
    path = Path(engine.folder) / f"stream-{len(list(Path(engine.folder).iterdir()))}.csv"
    with path.open("wb") as file:
        shutil.copyfileobj(stream, file)
    if not path.stat().st_size:
        raise EmptyComparison("standard input is empty: it holds no header and no rows")
    return str(path)


def _literal_paths(paths: Iterable[str]) -> str:
    """A SQL list of paths in which nothing is a pattern any more."""
    return "[" + ", ".join(text(glob.escape(str(path))) for path in paths) + "]"


def _csv(engine: Engine, paths: Sequence[str], where: str, delimiter: str = "") -> tuple[str, dict[str, SqlColumn]]:  # noqa: ARG001
    skipped, line = _header_line(paths[0], where)
    for other in paths[1:]:
        if (other_header := _header_line(other, where))[1].strip() != line.strip() or other_header[0] != skipped:
            differs = f"{visible(Path(other).name)} has another header than {visible(Path(paths[0]).name)}"
            raise TiebreakError(f"{differs}: parts of one table have the same columns in the same order")
    delimiter = delimiter_of(line) if delimiter != "\t" else delimiter
    columns = header_names(next(csv.reader([line], delimiter=delimiter)), where)
    spec = ", ".join(f"{text(column)}: 'VARCHAR'" for column in columns)
    relation = (
        f"read_csv({_literal_paths(paths)}, auto_detect = false, header = true, skip = {skipped}, "
        f"delim = {text(delimiter)}, quote = '\"', escape = '\"', nullstr = '', columns = {{{spec}}})"
    )
    return relation, {column: SqlColumn(name(column), "text") for column in columns}


def _header_line(path: str, where: str) -> tuple[int, str]:
    """Return how many blank lines stand before the header, and the header."""
    with _decoded(where), _reading(path) as file:
        skipped, line = 0, file.readline()
        while line and not line.strip():
            skipped, line = skipped + 1, file.readline()
        # A quoted name may hold a line break.
        while line.count('"') % 2 and (more := file.readline()):
            line += more
    if not line:
        raise EmptyComparison(f"{where} is empty: it holds no header and no rows")
    return skipped, line


def _tsv(engine: Engine, paths: Sequence[str], where: str) -> tuple[str, dict[str, SqlColumn]]:
    return _csv(engine, paths, where, "\t")


def delimiter_of(header: str) -> str:
    """Return the delimiter of a header line: the one that occurs most, outside quotes.

    Examples
    --------
    >>> delimiter_of('id;"a,b";c')
    ';'
    """
    bare = "".join(part for place, part in enumerate(header.split('"')) if place % 2 == 0)
    return max(_DELIMITERS, key=bare.count)


def header_names(fields: Sequence[str], where: str) -> list[str]:
    """Return the column names of a header; a field without a name (a data frame's index) gets one.

    Examples
    --------
    >>> header_names(["", "y", "knn"], "preds.csv")
    ['unnamed_0', 'y', 'knn']
    """
    names = [field.strip() or f"{UNNAMED}{place}" for place, field in enumerate(fields)]
    repeated = sorted({field for field in names if names.count(field) > 1})
    if repeated:
        raise TiebreakError(f"{where} has more than one column called {listed(repeated)}: rename them")
    return names


UNNAMED = "unnamed_"


def _parquet(engine: Engine, paths: Sequence[str], where: str) -> tuple[str, dict[str, SqlColumn]]:
    relation = f"read_parquet({_literal_paths(paths)})"
    return relation, described(engine, relation, where)


def _jsonl(engine: Engine, paths: Sequence[str], where: str) -> tuple[str, dict[str, SqlColumn]]:  # noqa: ARG001
    names: dict[str, None] = {}
    with _decoded(where), _reading(paths[0]) as file:
        for number, line in enumerate(itertools.islice(file, _NAMING_LINES), 1):
            if line.strip():
                names |= dict.fromkeys(_object_keys(line, where, number))
    spec = ", ".join(f"{text(column)}: 'JSON'" for column in names)
    relation = f"read_json({_literal_paths(paths)}, format = 'newline_delimited', columns = {{{spec}}})"
    return relation, {column: SqlColumn(name(column), "json") for column in names}


def _object_keys(line: str, where: str, number: int) -> Iterable[str]:
    try:
        found = json.loads(line)
    except json.JSONDecodeError:
        raise UnreadableSource(
            f"{where}, line {number} is not valid JSON: every line must be one object; mend the line"
        ) from None
    if not isinstance(found, dict):
        raise UnreadableSource(
            f'{where}, line {number} is no JSON object: every line must be one, such as {{"y_true": 1}}'
        )
    return found


def _json(engine: Engine, paths: Sequence[str], where: str) -> tuple[str, dict[str, SqlColumn]]:
    """A JSON document is parsed as a whole and kept as JSON Lines in the spill folder."""
    spooled = Path(engine.folder) / f"{len(list(Path(engine.folder).iterdir()))}.jsonl"
    with spooled.open("w", encoding="utf-8") as file:
        for path in paths:
            for row in _json_rows(path, where):
                file.write(json.dumps(row) + "\n")
    if not spooled.stat().st_size:
        raise EmptyComparison(f"{where} holds no rows: there is nothing to compare")
    return _jsonl(engine, [str(spooled)], where)


def _json_rows(path: str, where: str) -> list[dict[str, object]]:
    with _decoded(where), _reading(path) as file:
        try:
            document = json.load(file)
        except json.JSONDecodeError as error:
            raise UnreadableSource(f"{where}, line {error.lineno} is not valid JSON: {error.msg.lower()}") from None
    if isinstance(document, dict):
        lists = [key for key, value in document.items() if _is_rows(value)]
        if len(lists) != 1:
            raise UnreadableSource(
                f"{where} is a JSON object with {len(lists)} lists of objects ({listed(lists)}): it must hold one"
            )
        document = document[lists[0]]
    if not _is_rows(document):
        raise UnreadableSource(f"{where} is no list of objects: write one object an instance")
    rows: list[dict[str, object]] = document
    return rows


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _arrow(engine: Engine, paths: Sequence[str], where: str) -> tuple[str, dict[str, SqlColumn]]:
    try:
        import pyarrow as pa
        import pyarrow.dataset as ds
    except ImportError:
        raise UnreadableSource(
            f"{where} is an Arrow file, which needs pyarrow: pip install 'tiebreak[arrow]'"
        ) from None
    try:
        data = ds.dataset(list(paths), format="feather")
        data.schema  # noqa: B018 a truncated file shows itself here
    except (pa.ArrowInvalid, OSError):
        raise UnreadableSource(f"{where} is truncated or broken: write or copy it again") from None
    relation = f"arrow_{abs(hash(tuple(paths)))}"
    engine.register(relation, data)
    return relation, described(engine, relation, where)


_OPENERS = {"csv": _csv, "tsv": _tsv, "parquet": _parquet, "jsonl": _jsonl, "json": _json, "arrow": _arrow}
