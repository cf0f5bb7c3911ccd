"""The selection as a file: written once to a temporary place, streamed from there, and gone when it has been sent."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tiebreak.explorer.address import Selection
from tiebreak.explorer.asking import Asking

PIECE = 1 << 18


@dataclass(frozen=True, slots=True)
class Form:
    """One form of file: its ending, what the engine calls it, and what a browser does."""

    ending: str
    title: str
    options: str
    media: str


FORMS = {
    "csv": Form("csv", "CSV", "FORMAT csv, HEADER true", "text/csv; charset=utf-8"),
    "jsonl": Form("jsonl", "JSON Lines", "FORMAT json", "application/x-ndjson"),
    "parquet": Form("parquet", "Parquet", "FORMAT parquet, COMPRESSION zstd", "application/vnd.apache.parquet"),
}


class Vanishing:
    """A file that is read once, in pieces, and removed when it is closed."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file = Path(path).open("rb")  # noqa: SIM115 it is closed when it has been sent
        self.size = Path(path).stat().st_size
        self._unlink()

    def pieces(self) -> Iterator[bytes]:
        """Yield the content; the file is closed at the end, and when the reader leaves before it."""
        with self._file:
            while piece := self._file.read(PIECE):
                yield piece
        self._unlink()

    def _unlink(self) -> None:
        """An open file keeps its content without a name, except on systems that refuse to take the name away."""
        try:
            Path(self._path).unlink(missing_ok=True)
        except PermissionError:
            return


def exported(asking: Asking, selection: Selection, form: Form) -> Vanishing:
    """Write a selection to a temporary file and return it open."""
    ground = asking.ground
    handle, path = tempfile.mkstemp(dir=ground.folder, prefix="export-", suffix=f".{form.ending}")
    os.close(handle)
    try:
        sql, values = asking.selecting.export(selection, form.ending)
        ground.locked.copy(sql, path, f"{form.options}, USE_TMP_FILE false", values)
        return Vanishing(path)
    except BaseException:
        Path(path).unlink(missing_ok=True)
        raise


def disposition(title: str, form: Form) -> str:
    """Return the header that names the download, in plain letters and in full.

    Examples
    --------
    >>> disposition("préds.csv", FORMS["jsonl"])
    "attachment; filename=pr_ds-selection.jsonl; filename*=UTF-8''pr%C3%A9ds-selection.jsonl"
    """
    stem = Path(title).stem
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", stem)[:80]
    full = quote(f"{stem[:80]}-selection.{form.ending}", safe="")
    return f"attachment; filename={plain}-selection.{form.ending}; filename*=UTF-8''{full}"
