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
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from tiebreak._format import listed, quoted, visible
from tiebreak.errors import EmptyComparison, TiebreakError, UnreadableSource
from tiebreak.sources.engine import Engine, name, text
from tiebreak.sources.formats import decoded, expanded, format_of, is_packed, reading
from tiebreak.sources.sql import SqlColumn, described

# Lines of a JSON Lines file that are looked at for the names of its fields.
_NAMING_LINES = 1000
_DELIMITERS = ",;\t|"
# The longest line of a delimited text, and the engine's buffer that has to hold it; it asks for far more by itself.
_LONGEST_LINE = 1 << 24
# A header is a line; a quote that has not been closed after so many is a mistake.
_LONGEST_HEADER = 1000
# What pandas calls an index that had no name.
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


@dataclass(frozen=True, slots=True)
class Table:
    """A file, or several of one layout, as a relation of the engine; `files` are those of Parquet.

    Examples
    --------
    >>> Table("read_csv(…)", {"y": SqlColumn("c0", "text")}, "preds.csv", "preds").stem
    'preds'
    """

    relation: str
    columns: dict[str, SqlColumn]
    where: str
    stem: str
    nameless: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()


def open_table(engine: Engine, path: str, named: Iterable[str] = ()) -> Table:
    r"""Return the relation of one argument: a path, a glob, a directory of parts, or `-` for standard input.

    A JSON object may hold several lists; the one that has all `named` columns is meant.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, Engine() as engine:
    ...     _ = Path(folder, "a.csv").write_text("y_true,knn\n1,1\n")
    ...     list(open_table(engine, f"{folder}/a.csv").columns)
    ['y_true', 'knn']
    """
    if path == "-":
        return _stream(engine, getattr(sys.stdin, "buffer", None), "standard input", "stdin", tuple(named))
    if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
        with Path(path).open("rb") as pipe:
            return _stream(engine, pipe, visible(path), _stem(path), tuple(named))
    paths = expanded(path)
    where = visible(path if len(paths) > 1 else Path(paths[0]).name, 100)
    formats = {format_of(part) for part in paths}
    if len(formats) > 1:
        found = listed(sorted(formats))
        raise UnreadableSource(f"{where} holds files of several formats ({found}): give one format at a time")
    plain = [unpacked(engine, part, where) for part in paths]
    return _table(formats.pop(), engine, plain, where, _stem(path), tuple(named))


def _stream(engine: Engine, stream: BinaryIO | None, where: str, stem: str, named: Sequence[str]) -> Table:
    """Keep a stream in the spill folder, where it can be read more than once, and open it by its content."""
    if stream is None:
        raise UnreadableSource(f"{where} is closed: there is nothing to read")
    path = _spool(engine, stream)
    if not Path(path).stat().st_size:
        raise EmptyComparison(f"{where} is empty: it holds no header and no rows")
    form = format_of(path, where)
    return _table(form, engine, [unpacked(engine, path, where)], where, stem, named)


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


def _table(form: str, engine: Engine, paths: Sequence[str], where: str, stem: str, named: Sequence[str]) -> Table:
    relation, columns = _json(engine, paths, where, named) if form == "json" else _OPENERS[form](engine, paths, where)
    _refuse_alike(columns, where, "" if form in {"csv", "tsv"} else form)
    nameless = (column for column, read in columns.items() if read.nameless or _PANDAS_INDEX.fullmatch(column))
    return Table(relation, columns, where, stem, frozenset(nameless), tuple(paths) if form == "parquet" else ())


def _refuse_alike(columns: Iterable[str], where: str, form: str) -> None:
    """Refuse names that differ in case only: where the engine names columns, it takes them for one."""
    seen: dict[str, str] = {}
    for column in columns if form else ():
        other = seen.setdefault(column.lower(), column)
        if other != column:
            raise UnreadableSource(
                f"{where} has columns {quoted(other)} and {quoted(column)}, which differ in case only: rename one"
            )


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
    _refuse_no_table(line, where, delimiter)
    for path in paths:
        _refuse_endless_line(path, where)
    delimiter = delimiter or delimiter_of(line)
    columns = header_names(next(csv.reader([line], delimiter=delimiter)), where)
    # Names of our own: the engine takes "a" and "A" for one.
    spec = ", ".join(f"c{place}: 'VARCHAR'" for place in range(len(columns)))
    relation = (
        f"read_csv({literal_paths(paths)}, auto_detect = false, header = true, skip = {skipped}, "
        f"delim = {text(delimiter)}, quote = '\"', escape = '\"', nullstr = '', "
        f"max_line_size = {_LONGEST_LINE}, buffer_size = {2 * _LONGEST_LINE}, columns = {{{spec}}})"
    )
    return relation, {
        column: SqlColumn(f"c{place}", "text", nameless=nameless)
        for place, (column, nameless) in enumerate(columns.items())
    }


def _refuse_endless_line(path: str, where: str) -> None:
    """Refuse a last line that is longer than the engine's buffer: it would be left out without a word."""
    size = Path(path).stat().st_size
    if size > 2 * _LONGEST_LINE:
        with Path(path).open("rb") as file:
            file.seek(size - 2 * _LONGEST_LINE)
            if b"\n" not in file.read()[:-1]:
                raise UnreadableSource(
                    f"{where} ends with a line longer than 16 MB: leave its longest field out, or write it as Parquet"
                )


def _refuse_no_table(header: str, where: str, delimiter: str) -> None:
    """Refuse a first line that heads no table, or one of another kind than the file's name says."""
    bare = "".join(header.split('"')[::2])
    if delimiter and delimiter not in bare and delimiter_of(header) in bare:
        raise UnreadableSource(
            f"{where} is named as TSV but does not look like it: its header holds {quoted(delimiter_of(header))} and "
            "no tab; give it the right ending"
        )
    if not any(known in bare for known in _DELIMITERS):
        raise UnreadableSource(
            f"{where} does not look like a table: its first line, {quoted(header.strip())}, holds no comma, semicolon, "
            "tab or |; give one column for the truth and one for each model"
        )


def _header_line(path: str, where: str) -> tuple[int, str]:
    """Return how many blank lines stand before the header, and the header."""
    with decoded(where), reading(path) as file:
        skipped, line = 0, file.readline()
        while line and not line.strip():
            skipped, line = skipped + 1, file.readline()
        # A quoted name may hold a line break.
        for _ in range(_LONGEST_HEADER):
            if not line.count('"') % 2:
                break
            line += file.readline()
    if not line:
        raise EmptyComparison(f"{where} is empty: it holds no header and no rows")
    if line.count('"') % 2:
        raise UnreadableSource(f"{where}, line {skipped + 1}: a quote in the header is never closed; mend the line")
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


def header_names(fields: Sequence[str], where: str) -> dict[str, bool]:
    """Return the column names of a header; a field without a name (a data frame's index) gets one, and is marked.

    Examples
    --------
    >>> header_names(["", "y", "knn"], "preds.csv")
    {'unnamed_0': True, 'y': False, 'knn': False}
    """
    given = [field.strip() for field in fields]
    repeated = sorted({field for field in given if field and given.count(field) > 1})
    if repeated:
        raise TiebreakError(f"{where} has more than one column called {listed(repeated)}: rename them")
    names: dict[str, bool] = {}
    for place, field in enumerate(given):
        spare = (f"unnamed_{place}{'_' * more}" for more in itertools.count())
        names[field or next(name for name in spare if name not in given)] = not field
    return names


def _parquet(engine: Engine, paths: Sequence[str], where: str) -> tuple[str, dict[str, SqlColumn]]:
    _refuse_alike(_parquet_names(engine, paths[0], where), where, "parquet")
    relation = f"read_parquet({literal_paths(paths)})"
    return relation, described(engine, relation, where)


def _parquet_names(engine: Engine, path: str, where: str) -> list[str]:
    """The names of a file's columns as they are written in it; the engine renames those that differ in case only."""
    nodes = engine.rows(f"SELECT name, num_children FROM parquet_schema({literal_paths([path])})", where)
    names, inside = [], 0
    for name_, children in nodes[1:]:
        if not inside:
            names.append(name_)
        inside = max(inside - 1, 0) + (children or 0)
    return names


def _jsonl(engine: Engine, paths: Sequence[str], where: str) -> tuple[str, dict[str, SqlColumn]]:
    names: dict[str, None] = {}
    longer = False
    for path in paths:
        with decoded(where), reading(path) as file:
            for number, line in enumerate(itertools.islice(file, _NAMING_LINES), 1):
                if line.strip():
                    names |= dict.fromkeys(_object_keys(line, where, number))
            longer |= bool(file.readline())
    if longer:
        names |= dict.fromkeys(sorted(_late_keys(engine, paths, where) - set(names)))
    _refuse_alike(names, where, "jsonl")
    spec = ", ".join(f"{text(column)}: 'JSON'" for column in names)
    relation = f"read_json({literal_paths(paths)}, format = 'newline_delimited', records = true, columns = {{{spec}}})"
    return relation, {column: SqlColumn(name(column), "json") for column in names}


def _late_keys(engine: Engine, paths: Sequence[str], where: str) -> set[str]:
    """All names of fields, wherever they first appear: one pass of the engine."""
    objects = f"read_json_objects({literal_paths(paths)}, format = 'newline_delimited')"
    return {row[0] for row in engine.rows(f"SELECT DISTINCT unnest(json_keys(json)) FROM {objects}", where)}


def _object_keys(line: str, where: str, number: int) -> Iterable[str]:
    try:
        found = json.loads(line, object_pairs_hook=_once)
    except _Repeated as repeated:
        raise UnreadableSource(
            f"{where}, line {number} names {quoted(str(repeated))} more than once: a field has one value; rename or "
            "remove one"
        ) from None
    except json.JSONDecodeError:
        raise UnreadableSource(
            f"{where}, line {number} is not valid JSON: every line must be one object; mend the line"
        ) from None
    if not isinstance(found, dict):
        raise UnreadableSource(
            f'{where}, line {number} is no JSON object: every line must be one, such as {{"y_true": 1}}'
        )
    return found


class _Repeated(Exception):
    """A JSON object that names a field twice."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _Repeated(key)
        found[key] = value
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
            document = json.load(file, object_pairs_hook=_once)
        except _Repeated as repeated:
            raise UnreadableSource(
                f"{where} names {quoted(str(repeated))} more than once in one object: a field has one value; rename or "
                "remove one"
            ) from None
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
    if not lists:
        raise UnreadableSource(
            f"{where} is a JSON object without a list of objects: write one object an instance, such as "
            '[{"y_true": 1, "knn": 1, "tree": 0}]'
        )
    meant = [key for key, rows in lists.items() if named and set(named) <= set(rows[0])]
    found = list(lists) if len(lists) == 1 else meant
    if len(found) != 1:
        raise UnreadableSource(
            f"{where} is a JSON object with {len(lists)} lists of objects ({listed(lists)}): it must hold one, or name "
            "columns (--id, --truth, --long, …) that one of them has alone"
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
        paths = [_as_arrow_file(engine, path) for path in paths]
        data = ds.dataset(list(paths), format="feather")
        _refuse_alike(data.schema.names, where, "arrow")
    except (pa.ArrowInvalid, OSError):
        raise UnreadableSource(f"{where} is truncated or broken: write or copy it again") from None
    relation = f"arrow_{abs(hash(tuple(paths)))}"
    engine.register(relation, data)
    return relation, described(engine, relation, where)


def _as_arrow_file(engine: Engine, path: str) -> str:
    """An Arrow stream can be read once only, so it is kept as a file in the spill folder, batch by batch."""
    from pyarrow import ipc

    with Path(path).open("rb") as file:
        if file.read(4) != b"\xff\xff\xff\xff":
            return path
        file.seek(0)
        kept = str(Path(engine.folder) / f"{len(list(Path(engine.folder).iterdir()))}.arrow")
        with ipc.open_stream(file) as stream, ipc.new_file(kept, stream.schema) as out:
            for batch in stream:
                out.write_batch(batch)
    return kept


_OPENERS = {"csv": _csv, "tsv": _tsv, "parquet": _parquet, "jsonl": _jsonl, "json": _json, "arrow": _arrow}
