"""How a file is written: whole or not at all, and never over another one unless asked to."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tiebreak.errors import TiebreakError


def refuse_existing(path: str, *, force: bool, inputs: Iterable[str] = (), argument: str = "output") -> None:
    """Refuse an output that exists, before anything has been computed; one that is also read, even with force.

    Examples
    --------
    >>> refuse_existing("no-such-file.html", force=False)
    """
    target = Path(path)
    if target.exists() and any(Path(given).exists() and target.samefile(given) for given in inputs):
        raise TiebreakError(f"{argument} '{path}' is also read: name another file")
    if target.is_dir():
        raise TiebreakError(f"{argument} '{path}' is a folder: name a file")
    if target.exists() and not force:
        raise FileExistsError(f"{argument} '{path}' exists: name another file, or replace it with --force")
    if not target.parent.is_dir():
        raise TiebreakError(f"{argument} '{path}': its folder does not exist; create it first")


def write_whole(content: str | bytes, path: str, *, force: bool, argument: str = "output") -> None:
    """Write beside the target and move it into place, so that an interrupted run leaves nothing half written.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole("done", f"{folder}/new.txt", force=False)
    ...     Path(folder, "new.txt").read_text()
    'done'
    """
    refuse_existing(path, force=force, argument=argument)
    try:
        replace_whole(content, path)
    except OSError as error:
        # What fails in the middle of a file (a full disk) does not name it, and what stands beside it is no help.
        raise type(error)(error.errno, error.strerror, path) from None


def replace_whole(content: str | bytes, path: str) -> None:
    """Put content in the place of a file, whole or not at all; a device or a pipe is written to, never replaced.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     replace_whole(b"done", f"{folder}/new.txt")
    ...     Path(folder, "new.txt").read_text()
    'done'
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if Path(path).exists() and not Path(path).is_file():
        Path(path).write_bytes(data)
        return
    path = str(Path(path).resolve())
    handle, beside = tempfile.mkstemp(dir=Path(path).parent, prefix=".tiebreak-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mode = Path(path).stat().st_mode if Path(path).exists() else 0o666 & ~_umask()
        Path(beside).chmod(mode)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
