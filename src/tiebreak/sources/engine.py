"""The embedded engine: a private DuckDB connection, its limits stated, its errors one line, its scans stoppable.

It groups, counts and joins; nothing is installed, loaded or fetched by it, and it spills to the folder it is told.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import duckdb

from tiebreak._format import quoted, visible
from tiebreak.errors import TiebreakError, UnreadableSource

# Asked so often how far a scan is; the answer costs microseconds.
_ASK_EVERY = 0.2


@dataclass(frozen=True, slots=True)
class Limits:
    """What the engine may use, and whom it tells how far it is.

    Attributes
    ----------
    memory : at most this much before it spills, for example "2GB"
    folder : where it spills and where standard input is kept while it is read; None for the system's temporary folder
    progress : called with a share between 0 and 1 during long scans

    Examples
    --------
    >>> Limits(memory="500MB").folder is None
    True
    """

    memory: str = "2GB"
    folder: str | None = None
    progress: Callable[[float], None] | None = None


class Engine:
    """A DuckDB connection of our own.

    Examples
    --------
    >>> with Engine() as engine:
    ...     engine.rows("SELECT 1 + 1")
    [(2,)]
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        if self.limits.folder is not None and not Path(self.limits.folder).is_dir():
            folder = visible(self.limits.folder)
            raise TiebreakError(f"temp_dir is '{folder}': it must be a folder that exists (--temp-dir)")
        self.folder = tempfile.mkdtemp(prefix="tiebreak-", dir=self.limits.folder)
        # A comparison keeps its source for as long as it lives, and leaves nothing behind when it goes.
        self._spill = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        settings: dict[str, str | bool | int | float | list[str]] = {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "memory_limit": self.limits.memory,
            "temp_directory": self.folder,
        }
        try:
            self.connection = duckdb.connect(config=settings)
            # The engine would draw a bar of its own on standard output, in the middle of an answer.
            self.connection.execute("SET enable_progress_bar = false; SET enable_progress_bar_print = false")
            # It would keep pages of every file as well, which the system does; twenty files held 300 MB.
            self.connection.execute("SET enable_external_file_cache = false")
        except duckdb.Error as error:
            self._spill()
            raise TiebreakError(
                f"memory_limit is '{visible(self.limits.memory)}': it must be a size such as 500MB or 2GB "
                f"(--memory-limit); {first_line(error)}"
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection and remove what it spilled."""
        self.connection.close()
        self._spill()

    def register(self, name: str, data: object) -> None:
        """Make an object in memory (a dict of arrays, an Arrow data set) readable under a name."""
        with translated("the data"):
            self.connection.register(name, data)

    def execute(self, sql: str, where: str = "the data") -> duckdb.DuckDBPyConnection:
        """Run a statement; its errors become ours, and an interrupt stops it."""
        with translated(where), self._watched():
            return self.connection.execute(sql)

    def fetch(self, sql: str, where: str = "the data") -> Mapping[str, Any]:
        """Run a query and return one array a column."""
        with translated(where), self._watched():
            return self.connection.execute(sql).fetchnumpy()

    def rows(self, sql: str, where: str = "the data") -> list[tuple[Any, ...]]:
        """Run a query with a small answer and return its rows."""
        with translated(where), self._watched():
            return self.connection.execute(sql).fetchall()

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Report progress from a thread of its own while the engine works."""
        if self.limits.progress is None:
            yield
            return
        done = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(done, self.limits.progress), daemon=True)
        self.connection.execute("SET enable_progress_bar = true")
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    def _watch(self, done: threading.Event, progress: Callable[[float], None]) -> None:
        while not done.wait(_ASK_EVERY):
            share = float(self.connection.query_progress())
            if share >= 0:
                progress(share / 100)


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Turn the engine's errors into one line that names the source; an interrupted query is an interrupt.

    Examples
    --------
    >>> with translated("preds.parquet"):
    ...     raise duckdb.InvalidInputException("Invalid Input Error: No magic bytes found at end of file 'x'")
    Traceback (most recent call last):
    tiebreak.errors.UnreadableSource: preds.parquet is truncated: its last bytes are missing; write or copy it again
    """
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise TiebreakError(
            f"{where} needs more memory than allowed: raise --memory-limit, or give --temp-dir a folder with room; "
            f"{first_line(error)}"
        ) from None
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.IOException as error:
        # What does not fit into memory is written beside it, and nothing else is ever written here.
        full = re.search(r'Could not write file ".*": (.+)', str(error))
        if full is None:
            raise UnreadableSource(explanation(where, str(error))) from None
        raise TiebreakError(
            f"{where} needs more room than its temporary folder has ({first_line(full[1])}): give --temp-dir a folder "
            "with room, or raise --memory-limit"
        ) from None
    except duckdb.Error as error:
        raise UnreadableSource(explanation(where, str(error))) from None
    except RuntimeError as error:
        # The engine answers Ctrl-C with a bare RuntimeError.
        if "interrupted" in str(error).lower():
            raise KeyboardInterrupt from None
        raise


def explanation(where: str, text: str) -> str:
    r"""Say what is wrong with a source, in one line, from the engine's own many.

    Examples
    --------
    >>> explanation("a.csv", "CSV Error on Line: 3\nExpected Number of Columns: 2 Found: 1")
    'a.csv, line 3: 1 fields where the header has 2; mend the line, or quote fields that hold the delimiter'
    """
    line = re.search(r"CSV Error on Line: (\d+)", text)
    expected = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if line and expected:
        return (
            f"{where}, line {line[1]}: {expected[2]} fields where the header has {expected[1]}; "
            "mend the line, or quote fields that hold the delimiter"
        )
    if "not utf-8" in text.lower():
        place = f", line {line[1]}" if line else ""
        return f"{where}{place} is not UTF-8 text: convert it first, for example with iconv -f latin1 -t utf8"
    if line and "Maximum line size" in text:
        return (
            f"{where}, line {line[1]} is longer than 16 MB: leave its longest field out, or write the table as Parquet"
        )
    if "does not support a full read" in text:
        return f"{where} has a line longer than 16 MB: leave its longest field out, or write the table as Parquet"
    if line and "unterminated quote" in text.lower():
        return f"{where}, line {line[1]}: a quoted field is never closed (or longer than 16 MB); mend the line"
    if "state machine reached an invalid state" in text:
        return f"{where} mixes two kinds of line end: give it one, for example with dos2unix"
    if "No magic bytes" in text or "too small to be a Parquet" in text:
        return f"{where} is truncated: its last bytes are missing; write or copy it again"
    if "Malformed JSON" in text or "not valid JSON" in text:
        byte = re.search(r"at byte (\d+) in line (\d+)", text)
        place = f", line {byte[2]}" if byte else ""
        return f"{where}{place} is not valid JSON: every line must be one object; mend the line"
    return (
        _explained_json(where, text)
        or _explained_parquet(where, text)
        or (f"{where} cannot be read: {first_line(text)}; look whether the file is whole and what its name says")
    )


def _explained_json(where: str, text: str) -> str | None:
    """What is wrong with one line of JSON Lines that is valid JSON."""
    line = re.search(r"in line (\d+)", text)
    place = f", line {line[1]}" if line else ""
    twice = re.search(r'has duplicate key "(.*?)"', text)
    if twice:
        return f"{where}{place} names {quoted(twice[1])} more than once: a field has one value; rename or remove one"
    if "Expected OBJECT" in text:
        return f'{where}{place} is no JSON object: every line must be one, such as {{"y_true": 1}}; mend the line'
    return None


def _explained_parquet(where: str, text: str) -> str | None:
    """Pages that were damaged after they had been written."""
    if re.search(r"decompress|[Cc]orrupt|Failed to read file|TProtocolException|Invalid Page|Thrift", text):
        return f"{where} is damaged: {first_line(text)}; write or copy it again"
    return None


def first_line(error: object) -> str:
    r"""Return the first line of the engine's text, without its error class.

    Examples
    --------
    >>> first_line("Binder Error: no such column\nLINE 1: …")
    'no such column'
    """
    text = str(error).strip().split("\n", 1)[0]
    return visible(re.sub(r"^[A-Za-z ]+ Error: ", "", text), 200)


def name(column: str) -> str:
    """Quote a column name for SQL.

    Examples
    --------
    >>> name('a"b')
    '"a""b"'
    """
    return '"' + column.replace('"', '""') + '"'


def text(value: str) -> str:
    """Quote a text for SQL.

    Examples
    --------
    >>> text("it's")
    "'it''s'"
    """
    return "'" + value.replace("'", "''") + "'"
