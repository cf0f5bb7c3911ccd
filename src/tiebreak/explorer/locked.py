"""The locked engine: DuckDB that can read one file and nothing else, with values bound and questions that end.

No other file, no network, no extension and no setting can be reached from a statement, whatever it says.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from tiebreak.errors import TiebreakError
from tiebreak.sources.engine import text, translated

# Questions that run at one time; the others wait.
AT_ONCE = 2
# What a question may use, and what an export may, which holds whole cells.
MEMORY, COPYING = "400MB", "2GB"
# A question that lasts longer is stopped, in seconds.
PATIENCE = 60.0
# Tenths of a second for which a question may go on after it was told to stop.
_TRIES = 30


class FileChanged(TiebreakError):
    """The file is not what it was when the explorer opened it."""


class TooLong(TiebreakError):
    """A question took longer than the explorer waits."""


class Stopped(TiebreakError):
    """The explorer is being closed."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What tells a file from another one in its place: where it is stored, its size, its time of change.

    Examples
    --------
    >>> _ = Path("preds.csv").write_text("y_true,a,b")
    >>> mark = Mark.of("preds.csv")
    >>> mark.check()
    >>> _ = Path("preds.csv").write_text("y_true,a,b,c")
    >>> mark.check()
    Traceback (most recent call last):
    tiebreak.explorer.locked.FileChanged: preds.csv has changed since it was opened: start the explorer again
    """

    path: str
    found: tuple[int, int, int, int]

    @classmethod
    def of(cls, path: str) -> Mark:
        """Mark a file as it is now."""
        seen = Path(path).stat()
        return cls(path, (seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns))

    def check(self) -> None:
        """Refuse a file that has changed or is gone."""
        shown = Path(self.path).name
        try:
            now = Mark.of(self.path)
        except OSError:
            raise FileChanged(
                f"{shown} is gone: it was moved or deleted after the explorer opened it; put it back, or start the "
                "explorer again"
            ) from None
        if now != self:
            raise FileChanged(f"{shown} has changed since it was opened: start the explorer again")


def locked_connection(paths: Sequence[str], memory: str) -> duckdb.DuckDBPyConnection:
    """Return a connection that can reach these files only, and whose settings cannot be changed any more.

    Examples
    --------
    >>> locked_connection([], "100MB").execute("SELECT 1").fetchall()
    [(1,)]
    """
    connection = duckdb.connect(
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "memory_limit": memory,
            # Nothing is spilled: what would not fit is refused in one line.
            "temp_directory": "",
        }
    )
    # A path is asked for with its pattern characters escaped, and the permission is held against what is asked for.
    allowed = dict.fromkeys(each for path in paths for each in (path, literal_path(path)))
    connection.execute(f"SET allowed_paths = [{', '.join(map(text, allowed))}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


class Locked:
    """Questions to one Parquet file, from many threads.

    Examples
    --------
    >>> _ = duckdb.sql("SELECT 1 AS y").write_parquet("one.parquet")
    >>> locked = Locked("one.parquet")
    >>> locked.rows(f"SELECT y FROM {locked.relation} WHERE y = ?", values=[1])
    [(1,)]
    >>> locked.close()
    """

    def __init__(
        self, path: str, *, memory: str | None = None, also: Sequence[str] = (), where: str | None = None
    ) -> None:
        self.path = os.path.realpath(path)
        self.where = where or Path(path).name
        self._copying = memory or COPYING
        self._marks = tuple(dict.fromkeys(Mark.of(each) for each in (path, *also)))
        self._connection = locked_connection([self.path], memory or MEMORY)
        self._turns = threading.BoundedSemaphore(AT_ONCE)
        self._running: set[duckdb.DuckDBPyConnection] = set()
        self._closing = threading.Lock()
        self._closed = False

    @property
    def relation(self) -> str:
        """The file as SQL, with the number of each row."""
        return f"read_parquet([{text(literal_path(self.path))}], file_row_number = true)"

    def rows(self, sql: str, where: str = "", *, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of an answer; `values` stand for the question marks."""
        with self._asked(where) as cursor:
            return cursor.execute(sql, list(values)).fetchall()

    def fetch(self, sql: str, where: str = "") -> Mapping[str, Any]:
        """Return one array a column."""
        with self._asked(where) as cursor:
            found: Mapping[str, Any] = cursor.execute(sql).fetchnumpy()
            return found

    def copy(self, sql: str, target: str, options: str, values: Sequence[object]) -> None:
        """Write an answer to one new file, through a connection of its own that may write there and nowhere else."""
        with self._turns, self._guarded(self.where):
            connection = locked_connection([self.path, os.path.realpath(target)], self._copying)
            with connection, self._interruptible(connection):
                connection.execute(f"COPY ({sql}) TO {text(os.path.realpath(target))} ({options})", list(values))

    def check(self) -> None:
        """Refuse a file that has changed or is gone."""
        for mark in self._marks:
            mark.check()

    def close(self) -> None:
        """Stop whatever runs and close."""
        self._closed = True
        with self._closing:
            taken = sum(self._stopped() for _ in range(AT_ONCE))
            # What does not let itself be stopped ends with the process.
            with contextlib.suppress(duckdb.Error):
                self._connection.close()
            if taken:
                self._turns.release(taken)

    def _stopped(self) -> bool:
        """Take one turn from whatever runs; an interrupt that comes before a question has begun is said again."""
        for _ in range(_TRIES):
            for running in tuple(self._running):
                running.interrupt()
            if self._turns.acquire(timeout=0.1):
                return True
        return False

    @contextmanager
    def _asked(self, where: str) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._turns, self._guarded(where or self.where):
            cursor = self._connection.cursor()
            timer = threading.Timer(PATIENCE, cursor.interrupt)
            timer.daemon = True
            timer.start()
            try:
                with self._interruptible(cursor):
                    yield cursor
            finally:
                timer.cancel()
                cursor.close()

    @contextmanager
    def _interruptible(self, running: duckdb.DuckDBPyConnection) -> Iterator[None]:
        self._running.add(running)
        try:
            yield
        finally:
            self._running.discard(running)

    @contextmanager
    def _guarded(self, where: str) -> Iterator[None]:
        """Hold an answer back where the file was not the same before and after it; say why one failed."""
        if self._closed:
            raise Stopped("the explorer is closed: start it again")
        self.check()
        try:
            with translated(where):
                yield
        except KeyboardInterrupt:
            if self._closed:
                raise Stopped("the explorer is closed: start it again") from None
            raise TooLong(
                f"{where}: this took longer than {PATIENCE:.0f} seconds and was stopped; narrow the selection first"
            ) from None
        except TiebreakError:
            self.check()
            raise
        self.check()


def literal_path(path: str) -> str:
    """Return a path in which nothing is a pattern any more.

    Examples
    --------
    >>> literal_path("a[1].parquet")
    'a[[]1].parquet'
    """
    import glob

    return glob.escape(path)
