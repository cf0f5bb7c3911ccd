"""Tallies in files: a part is counted where its rows are, kept as a few kilobytes, and added to others later.

A file is a ZIP archive of a header in JSON and of arrays as NumPy writes them: nothing in it is ever executed, any tool
can look into it, and the same tally gives the same bytes. It is written whole or not at all, and whatever was done to
it afterwards ends in one line.
"""

from __future__ import annotations

import glob
import io
import json
import os
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._files import replace_whole
from tiebreak._format import listed, quoted, visible
from tiebreak._version import __version__
from tiebreak.errors import NotDefined, TiebreakError, UnreadableSource
from tiebreak.tables import Tally
from tiebreak.tables.parts import Parts, Torn, parts_of, table_of

SUFFIX = ".tally"
# The oldest format this version reads is 1; a file of a newer one names the version that wrote it.
FORMAT = 1
_HEAD = "table.json"
# ZIP keeps a time for every member; this one is its zero.
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_ZIP = b"PK\x03\x04"
_NPY = 1, 0


def write_tally(tally: Tally, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write a tally to a file, whole or not at all; an existing file is replaced only with `force`.

    Examples
    --------
    >>> tally = Tally.of({("x", "x", "z"): 3}, models=("a", "b"))
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_tally(tally, f"{folder}/part.tally")
    ...     read_tally(f"{folder}/part.tally").n
    3
    """
    target = Path(path)
    if target.is_dir():
        raise TiebreakError(f"{quoted(str(path))} is a folder: name a file")
    if target.exists() and not force:
        raise FileExistsError(f"{quoted(str(path))} exists: name another file, or replace it with force=True")
    replace_whole(bytes_of(tally), str(path))


def bytes_of(tally: Tally) -> bytes:
    r"""Return the content of a tally file.

    Examples
    --------
    >>> bytes_of(Tally.of({("x", "x", "z"): 3}, models=("a", "b")))[:4]
    b'PK\x03\x04'
    """
    parts = parts_of(tally)
    head = {"tiebreak": __version__, "format": FORMAT, "table": parts.kind, **parts.facts}
    head["arrays"] = {name: [array.dtype.str, list(array.shape)] for name, array in parts.arrays.items()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        _add(archive, _HEAD, json.dumps(head, sort_keys=True, allow_nan=False).encode())
        for name, array in sorted(parts.arrays.items()):
            file = io.BytesIO()
            np.lib.format.write_array(file, array, version=_NPY, allow_pickle=False)
            _add(archive, f"{name}.npy", file.getvalue())
    return packed.getvalue()


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    member = zipfile.ZipInfo(name, _NO_TIME)
    member.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(member, content)


def is_tally(path: str) -> bool:
    """Tell whether a file says that it is a tally, by its content or else by its name.

    Examples
    --------
    >>> is_tally("nowhere.csv"), is_tally("nowhere.tally")
    (False, True)
    """
    if path.endswith(SUFFIX) and not Path(path).is_dir():
        return True
    if not Path(path).is_file() or not os.access(path, os.R_OK):
        return False
    with Path(path).open("rb") as file:
        start = file.read(30 + len(_HEAD))
    return start.startswith(_ZIP) and start.endswith(_HEAD.encode())


def read_tally(path: str | os.PathLike[str]) -> Tally:
    """Read a tally file; whatever is wrong with it is one line.

    Examples
    --------
    >>> tally = Tally.of({("x", "x", "z"): 3}, models=("a", "b"))
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_tally(tally, f"{folder}/part.tally")
    ...     read_tally(f"{folder}/part.tally").models
    ('a', 'b')
    """
    where = visible(Path(path).name, 100)
    if not Path(path).is_file():
        raise UnreadableSource(f"{quoted(str(path))} does not exist: check the path")
    try:
        with zipfile.ZipFile(path) as archive:
            return table_of(_parts(archive, where))
    except Torn as error:
        raise UnreadableSource(f"{where} holds {error}: it was altered; count its part again") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError, MemoryError):
        raise UnreadableSource(f"{where} is truncated or no tally file: copy it, or count its part, again") from None


def _parts(archive: zipfile.ZipFile, where: str) -> Parts:
    try:
        head = json.loads(archive.read(_HEAD))
        form, kind, arrays = head["format"], head["table"], dict(head["arrays"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UnreadableSource(f"{where} is an archive without the header of a tally: count its part again") from None
    if type(form) is not int or not 1 <= form <= FORMAT:
        raise UnreadableSource(
            f"{where} is of format {visible(form)}, written by tiebreak {visible(head.get('tiebreak'))}, and this "
            f"version, {__version__}, reads up to {FORMAT}: use that version, or count the part again"
        )
    return Parts(str(kind), head, {name: _array(archive.read(f"{name}.npy"), arrays[name]) for name in arrays})


def _array(content: bytes, declared: Sequence[Any]) -> npt.NDArray[np.integer]:
    """An array of exactly the declared integers; nothing is allocated before the file is long enough for it."""
    file = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(file)
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(file) if version == _NPY else ((), True, None)
    except ValueError:
        raise Torn("an array without a header") from None
    if dtype is None or fortran or dtype.kind not in "iu" or [dtype.str, list(shape)] != list(declared):
        raise Torn("an array that is not what its header says")
    rest = content[file.tell() :]
    if any(size < 0 for size in shape) or len(rest) != dtype.itemsize * int(np.prod(shape, dtype=object)):
        raise Torn("an array of another length than its header says")
    array: npt.NDArray[np.integer] = np.frombuffer(rest, dtype=dtype).reshape(shape)
    return array


def added(tallies: Sequence[tuple[str, Tally]]) -> Tally:
    """Add named tallies; the models may stand in another order, everything else must fit.

    Examples
    --------
    >>> tally = Tally.of({("x", "x", "z"): 3}, models=("a", "b"))
    >>> added([("one.tally", tally), ("two.tally", tally.restrict(["b", "a"]))]).n
    6
    """
    (first, total), *others = tallies
    for name, part in others:
        _refuse_two_policies(total, part, name)
        same = part if set(part.models) != set(total.models) else part.restrict(total.models)
        try:
            total = total + same
        except TiebreakError as error:
            raise type(error)(f"{name} does not add to {first}: {error}") from None
    return total


def policy_of(tally: Tally) -> str:
    """Return what a missing prediction meant when a tally was counted: "raise" says that none was missing.

    Examples
    --------
    >>> policy_of(Tally.of({("x", None, "z"): 3}, models=("a", "b")))
    'wrong'
    """
    return "drop" if tally.excluded else "wrong" if any(tally.missing) else "raise"


def _refuse_two_policies(total: Tally, part: Tally, name: str) -> None:
    policies = {policy_of(total), policy_of(part)} - {"raise"}
    if len(policies) > 1:
        raise TiebreakError(
            f"{name} does not add: in it a missing prediction means {policy_of(part)}, and in the parts before it "
            f"{policy_of(total)}; count all parts with one --missing"
        )


def tally_files(paths: Sequence[tuple[str | None, str]]) -> list[str] | None:
    """Return the paths if all of them are tally files, None if none is; a mixture is refused.

    Examples
    --------
    >>> tally_files([(None, "a.csv")]) is None, tally_files([(None, "a.tally")])
    (True, ['a.tally'])
    """
    found = [(name, part) for name, path in paths for part in _expanded(path)]
    kept = [part for _, part in found if is_tally(part)]
    if not kept:
        return None
    if len(kept) < len(found):
        other = next(part for _, part in found if not is_tally(part))
        raise TiebreakError(
            f"{visible(Path(kept[0]).name)} is a tally and {visible(Path(other).name)} is none: a tally has no rows to "
            "join; count the other file too, with tiebreak count FILE -o PART.tally"
        )
    named = [name for name, _ in found if name is not None]
    if named:
        raise TiebreakError(f"{named[0]}= names a tally, which holds all its models: give the file without a name")
    files = Counter(str(Path(path).resolve()) for path in kept)
    twice = sorted(Path(path).name for path, times in files.items() if times > 1)
    if twice:
        raise TiebreakError(f"{listed(twice)} is given more than once: its instances would count again")
    return kept


def _expanded(path: str) -> list[str]:
    """A folder of tallies and a pattern stand for their files."""
    if Path(path).is_dir():
        return sorted(str(part) for part in Path(path).glob(f"[!._]*{SUFFIX}")) or [path]
    if path.endswith(SUFFIX) and not Path(path).exists():
        return sorted(glob.glob(path)) or [path]  # noqa: PTH207 a pattern may be absolute
    return [path]


def refuse_options(tally: Tally, given: Mapping[str, str | None]) -> None:
    """Refuse what had to be said when the rows were counted, where the tally says otherwise.

    Examples
    --------
    >>> refuse_options(Tally.of({("x", "x", "z"): 3}, models=("a", "b")), {"truth": "truth", "group": None})
    """
    task = given.get("task") or "classification"
    own = "classification" if tally.truth is not None else "correct"
    if task not in {"classification", own}:
        raise TiebreakError(f"task is {quoted(task)}, but these tallies were counted with task {own}: leave it out")
    truth, group, weight = given.get("truth"), given.get("group"), given.get("weight")
    if truth is not None and truth != tally.truth:
        raise TiebreakError(
            f"truth names {quoted(truth)}, but these tallies were counted with "
            f"{'graded answers' if tally.truth is None else quoted(tally.truth)}: leave it out, or count again"
        )
    for option, value, known in (("group", group, tally.crossing is not None), ("weight", weight, tally.weighted)):
        if value is not None and not known:
            raise NotDefined(
                f"{option} names {quoted(value)}, but these tallies were counted without: give --{option} to "
                "tiebreak count"
            )
