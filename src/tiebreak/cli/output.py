"""Where the answer goes: standard output, or a file that is written whole or not at all."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from tiebreak._files import refuse_existing as _refuse_existing
from tiebreak._files import write_whole
from tiebreak.errors import TiebreakError

_PIECE = 2048


def deliver(text: str, path: str | None, *, force: bool) -> None:
    """Write the answer to a file, or to standard output if none is named."""
    if path is None or path == "-":
        _print(text.rstrip("\n") + "\n")
        return
    write_whole(text if text.endswith("\n") else text + "\n", path, force=force)


def _print(text: str) -> None:
    """Write to standard output in small pieces.

    One large write into a pipe whose reader leaves half-way is reported by Python as a short write and not as an error;
    small ones fail as they should.
    """
    if sys.stdout is None:
        raise OSError("standard output is closed: nothing can be written to it")
    try:
        for start in range(0, len(text), _PIECE):
            sys.stdout.write(text[start : start + _PIECE])
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


def refuse_existing(path: str | None, *, force: bool, inputs: Sequence[str] = (), argument: str = "output") -> None:
    """Refuse an output that exists, before anything has been computed; one that is also read, even with --force.

    `inputs` are arguments as they were given: NAME=PATH, folders and patterns are what they stand for.
    """
    if path is None or path == "-":
        return
    read: Sequence[str] = ()
    if inputs and Path(path).exists():
        from tiebreak.sources import paths_read

        read = paths_read(inputs)
    _refuse_existing(path, force=force, inputs=read, argument=argument)


def refuse_same(paths: Sequence[str | None]) -> None:
    """Refuse one file for two outputs, of which the later would replace the earlier; a device takes several."""
    given = [Path(path).resolve() for path in paths if path not in {None, "-"} and path is not None]
    files = [path for path in given if not path.exists() or path.is_file()]
    twice = next((path for path in files if files.count(path) > 1), None)
    if twice is not None:
        raise TiebreakError(f"'{twice}' is named for two outputs, and one would replace the other: name two files")


def progress_on(stream_is_wanted: bool) -> Progress | None:  # noqa: FBT001
    """Return what shows how far a long scan is, on standard error and only where a person looks at it."""
    if not stream_is_wanted or not sys.stderr.isatty():
        return None
    return Progress()


@contextmanager
def progress_while(stream_is_wanted: bool) -> Iterator[Callable[[float], None] | None]:  # noqa: FBT001
    """Hand out what shows how far a long scan is, and wipe its line out however the scan ends."""
    progress = progress_on(stream_is_wanted)
    try:
        yield progress
    finally:
        if progress is not None:
            progress.done()


class Progress:
    """One line on standard error that is rewritten, and wiped out at the end."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._shown = False

    def __call__(self, share: float) -> None:
        """Show a share between 0 and 1, once a scan has lasted a second."""
        if time.monotonic() - self._begun > 1:
            self._shown = True
            click.echo(f"\rcounting … {100 * share:3.0f} %", nl=False, err=True)

    def done(self) -> None:
        """Wipe the line."""
        if self._shown:
            click.echo("\r" + " " * 20 + "\r", nl=False, err=True)
