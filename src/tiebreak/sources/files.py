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
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from tiebreak._format import listed, visible
from tiebreak.errors import EmptyComparison, TiebreakError, UnreadableSource
from tiebreak.sources.engine import Engine, name, text
from tiebreak.sources.formats import decoded, expanded, format_of, is_packed, reading
from tiebreak.sources.sql import SqlColumn, described

# Lines of a JSON Lines file that are looked at for the names of its fields.
_NAMING_LINES = 1000
_DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True)
class Table:
    """A file, or several of one layout, as a relation of the engine."""

    relation: str
    columns: dict[str, SqlColumn]
    where: str
    stem: str


def open_table(engine: Engine, path: str, named: Iterable[str] = ()) -> Table:
    """Return the relation of one argument: a path, a glob, a directory of parts, or `-` for standard input.

    A JSON object may hold several lists; the one that has all `named` columns is meant.
    """
    if path == "-":
        return _stream(engine, getattr(sys.stdin, "buffer", None), "standard input", "stdin")
    if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
        with Path(path).open("rb") as pipe:
            return _stream(engine, pipe, visible(path), _stem(path))
    paths = expanded(path)
    where = visible(path if len(paths) > 1 else Path(paths[0]).name, 100)
    formats = {format_of(part) for part in paths}
    if len(formats) > 1:
        found = listed(sorted(formats))
        raise UnreadableSource(f"{where} holds files of several formats ({found}): give one format at a time")
    plain = [unpacked(engine, part, where) for part in paths]
    form = formats.pop()
    opened = _json(engine, plain, where, tuple(named)) if form == "json" else _OPENERS[form](engine, plain, where)
    return _named(opened, where, _stem(path))


def _stream(engine: Engine, stream: BinaryIO | None, where: str, stem: str) -> Table:
    """Keep a stream in the spill folder, where it can be read more than once, and open it by its content."""
    if stream is None:
        raise UnreadableSource(f"{where} is closed: there is nothing to read")
    path = _spool(engine, stream)
    if not Path(path).stat().st_size:
        raise EmptyComparison(f"{where} is empty: it holds no header and no rows")
    form = format_of(path, where)
    return _named(_OPENERS[form](engine, [unpacked(engine, path, where)], where), where, stem)


def unpacked(engine: Engine, path: str, where: str) -> str:
    """Return a gzipped file unpacked in the spill folder: Python checks length and sum, which the engine would not.

    Examples
    --------
    >>> with Engine() as engine:
    ...     unpacked(engine, __file__, "files.py") == __file__
    True
    """
    if not is_packed(path):
        return path
    with decoded(where), gzip.open(path, "rb") as file:
        return _spool(engine, file)


def _spool(engine: Engine, stream: Any) -> str:
    path = Path(engine.folder) / f"stream-{len(list(Path(engine.folder).iterdir()))}"
    with path.open("wb") as file:
        shutil.copyfileobj(stream, file, 1 << 20)
    return str(path)


def _named(opened: tuple[str, dict[str, SqlColumn]], where: str, stem: str) -> Table:
    return Table(opened[0], opened[1], where, stem)


def _stem(path: str) -> str:
    bare = Path(path).name.removesuffix(".gz")
    return Path(bare).stem


def literal_paths(paths: Iterable[str]) -> str:
    """Return a SQL list of paths in which nothing is a pattern any more.

    Examples
    --------
    >>> literal_paths(["a*.csv"])
    "['a[*].csv']"
    """
    return "[" + ", ".join(text(glob.escape(str(path))) for path in paths) + "]"


def _csv(engine: Engine, paths: Sequence[str], where: str, delimiter: str = "") -> tuple[str, dict[str, SqlColumn]]:  # noqa: ARG001
    skipped, line = _header_line(paths[0], where)
    for other in paths[1:]:
        if (other_header := _header_line(other, where))[1].strip() != line.strip() or other_header[0] != skipped:
            differs = f"{visible(Path(other).name)} has another header than {visible(Path(paths[0]).name)}"
            raise TiebreakError(f"{differs}: parts of one table have the same columns in the same order")
    delimiter = delimiter_of(line) if delimiter != "\t" else delimiter
    columns = header_names(next(csv.reader([line], delimiter=delimiter)), where)
    # Names of our own: the engine takes "a" and "A" for one.
    spec = ", ".join(f"c{place}: 'VARCHAR'" for place in range(len(columns)))
    relation = (
        f"read_csv({literal_paths(paths)}, auto_detect = false, header = true, skip = {skipped}, "
        f"delim = {text(delimiter)}, quote = '\"', escape = '\"', nullstr = '', columns = {{{spec}}})"
    )
    return relation, {column: SqlColumn(f"c{place}", "text") for place, column in enumerate(columns)}


def _header_line(path: str, where: str) -> tuple[int, str]:
    """Return how many blank lines stand before the header, and the header."""
    with decoded(where), reading(path) as file:
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
    relation = f"read_parquet({literal_paths(paths)})"
    return relation, described(engine, relation, where)


def _jsonl(engine: Engine, paths: Sequence[str], where: str) -> tuple[str, dict[str, SqlColumn]]:  # noqa: ARG001
    names: dict[str, None] = {}
    with decoded(where), reading(paths[0]) as file:
        for number, line in enumerate(itertools.islice(file, _NAMING_LINES), 1):
            if line.strip():
                names |= dict.fromkeys(_object_keys(line, where, number))
    spec = ", ".join(f"{text(column)}: 'JSON'" for column in names)
    relation = f"read_json({literal_paths(paths)}, format = 'newline_delimited', columns = {{{spec}}})"
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


def _json(
    engine: Engine, paths: Sequence[str], where: str, named: Sequence[str] = ()
) -> tuple[str, dict[str, SqlColumn]]:
    """A JSON document is parsed as a whole and kept as JSON Lines in the spill folder."""
    spooled = Path(engine.folder) / f"{len(list(Path(engine.folder).iterdir()))}.jsonl"
    with spooled.open("w", encoding="utf-8") as file:
        for path in paths:
            for row in _json_rows(path, where, named):
                file.write(json.dumps(row) + "\n")
    if not spooled.stat().st_size:
        raise EmptyComparison(f"{where} holds no rows: there is nothing to compare")
    return _jsonl(engine, [str(spooled)], where)


def _json_rows(path: str, where: str, named: Sequence[str]) -> list[dict[str, object]]:
    with decoded(where), reading(path) as file:
        try:
            document = json.load(file)
        except json.JSONDecodeError as error:
            raise UnreadableSource(f"{where}, line {error.lineno} is not valid JSON: {error.msg.lower()}") from None
    if isinstance(document, dict):
        document = document[_list_with(document, named, where)]
    if document == []:
        raise EmptyComparison(f"{where} holds no rows: there is nothing to compare")
    if not _is_rows(document):
        raise UnreadableSource(f"{where} is no list of objects: write one object an instance")
    rows: list[dict[str, object]] = document
    return rows


def _list_with(document: dict[str, object], named: Sequence[str], where: str) -> str:
    """The only list of objects; of several, the only one whose first object has all columns that the caller names."""
    lists: dict[str, list[dict[str, object]]] = {key: value for key, value in document.items() if _is_rows(value)}  # type: ignore[misc]
    meant = [key for key, rows in lists.items() if named and set(named) <= set(rows[0])]
    found = list(lists) if len(lists) == 1 else meant
    if len(found) != 1:
        more = ", or name columns (--id, --truth, --long, …) that one of them has alone" if lists else ""
        raise UnreadableSource(
            f"{where} is a JSON object with {len(lists)} lists of objects ({listed(lists)}): it must hold one{more}"
        )
    return found[0]


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
