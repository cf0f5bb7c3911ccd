"""Logs of Inspect: a JSON document, or an archive whose members Python 3.11 cannot decompress and the engine can.

An archive keeps a summary of all samples beside them, which has all that is needed and none of the transcripts.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tiebreak._format import visible
from tiebreak.errors import UnreadableSource
from tiebreak.sources.ask import Ask
from tiebreak.sources.engine import Engine
from tiebreak.sources.files import literal_paths
from tiebreak.sources.formats import decoded, reading
from tiebreak.sources.logs.finding import Log, is_archive
from tiebreak.sources.logs.runs import Run, chosen, grade, refuse_shape

# ZIP's number for Zstandard.
_ZSTANDARD = 93
# What the engine takes for one line, at least.
_LINE = 1 << 22
# A summary keeps the beginning of a long input; so much of it is always there.
_BEGINNING = 200

# More tries than anybody pays for: a larger number is a mistake.
_MOST_EPOCHS = 100_000

Document = dict[str, Any]


def read(engine: Engine, logs: Sequence[Log], ask: Ask) -> tuple[list[Run], str]:
    """Return the runs with their answers, and what was read in words.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> sample = {"id": 1, "epoch": 1, "input": "2 + 2", "target": "4", "scores": {"match": {"value": "C"}}}
    >>> about = {"task": "sums", "task_version": 1, "model": "large"}
    >>> log = {"version": 2, "status": "success", "eval": about, "samples": [sample]}
    >>> with tempfile.TemporaryDirectory() as folder, Engine() as engine:
    ...     path = Path(folder) / "large.json"
    ...     _ = path.write_text(json.dumps(log))
    ...     runs, read_as = read(engine, [Log(str(path), "inspect", where=path.name)], Ask())
    >>> runs[0].model, runs[0].values, read_as
    ('large', [1.0], 'score match')
    """
    documents = [_document(engine, log) for log in logs]
    runs = [_run(log, document) for log, document in zip(logs, documents, strict=True)]
    offered = {log.where: _scores(document, ask.scorer) for log, document in zip(logs, documents, strict=True)}
    if ask.scorer is not None:
        chosen(
            {log.where: _scorers(d) for log, d in zip(logs, documents, strict=True)}, ask.scorer, "scorer", "--scorer"
        )
    wanted = _whole_name(ask.metric, offered)
    score = chosen(offered, wanted, "score", "--scorer or --metric")
    for run, document in zip(runs, documents, strict=True):
        _fill(run, document, score)
    return runs, f"score {visible(score)}"


def _whole_name(metric: str | None, offered: dict[str, list[str]]) -> str | None:
    """A metric is named alone or behind its scorer."""
    known = [name for names in offered.values() for name in names if metric in {name, name.split("/", 1)[-1]}]
    return known[0] if known and len(set(known)) == 1 else metric


def _scores(document: Document, scorer: str | None) -> list[str]:
    """What the samples are scored by: a scorer, or scorer/key where it gives several values."""
    found: dict[str, None] = {}
    for sample in document["samples"]:
        for name, score in (sample.get("scores") or {}).items():
            value = score.get("value")
            keys = [f"{name}/{key}" for key in value] if isinstance(value, dict) else [name]
            found |= dict.fromkeys(keys if scorer in {None, name} else [])
    return list(found)


def _scorers(document: Document) -> list[str]:
    return [name for sample in document["samples"] for name in sample.get("scores") or {}]


def _run(log: Log, document: Document) -> Run:
    status = document.get("status")
    if status != "success":
        raise UnreadableSource(
            f"{log.where} is the log of a run that did not finish (its status is {visible(status)}): run it to the "
            "end, for example with inspect eval-retry"
        )
    spec = document.get("eval") or {}
    version = spec.get("task_version")
    task = spec.get("task")
    return Run(log, spec.get("model"), None if task is None else str(task), None if version is None else str(version))


def _fill(run: Run, document: Document, score: str) -> None:
    name, _, key = score.partition("/")
    for sample in document["samples"]:
        scores = sample.get("scores") or {}
        # A scorer's own name may hold the sign.
        value = scores.get(score, scores.get(name, {})).get("value")
        if isinstance(value, dict):
            value = value.get(key)
        run.add(
            str(sample.get("id")),
            _fingerprint(sample),
            grade(value, f"score {visible(score)}", run.log.where),
            int(sample.get("epoch") or 1),
        )


def _fingerprint(sample: Document) -> str:
    """A digest of the target and of how the input begins; a message's own id changes with every run."""
    asked = sample.get("input")
    if isinstance(asked, list):
        asked = "".join(str(message.get("content")) for message in asked if isinstance(message, dict))
    beginning = "".join(str(asked).split())[:_BEGINNING]
    return hashlib.sha256(json.dumps([beginning, sample.get("target")]).encode()).hexdigest()


def _document(engine: Engine, log: Log) -> Document:
    try:
        if is_archive(log.path):
            return _checked(log, _archived(engine, log))
        with decoded(log.where), reading(log.path) as file:
            document = json.load(file)
        refuse_shape(document, dict, "the whole file", log)
        if isinstance(document.get("samples"), list):
            return _checked(log, document)
    except (ValueError, zipfile.BadZipFile, zlib.error, KeyError, AttributeError) as error:
        if isinstance(error, UnreadableSource):
            raise
        raise UnreadableSource(f"{log.where} is damaged or was cut short: copy it, or run it, again") from None
    if document.get("status") != "success":
        return {**document, "samples": []}
    raise UnreadableSource(f"{log.where} holds no samples: write the log with its samples, not the header alone")


def _checked(log: Log, document: Document) -> Document:
    """Refuse whatever is built otherwise than Inspect builds it, before anything is read from it."""
    refuse_shape(document.get("eval") or {}, dict, "eval", log)
    refuse_shape((document.get("eval") or {}).get("model") or "", str, "the model", log)
    refuse_shape(document["samples"], list, "samples", log)
    for place, sample in enumerate(document["samples"]):
        refuse_shape(sample, dict, f"sample {place}", log)
        refuse_shape(sample.get("scores") or {}, dict, f"scores of sample {place}", log)
        for name, score in (sample.get("scores") or {}).items():
            refuse_shape(score, dict, f"score {visible(name)} of sample {place}", log)
        epoch = sample.get("epoch") or 1
        refuse_shape(epoch if isinstance(epoch, int) and 0 < epoch <= _MOST_EPOCHS else str(epoch), int,
                     f"epoch of sample {place}", log)  # fmt: skip
    return document


def _archived(engine: Engine, log: Log) -> Document:
    with zipfile.ZipFile(log.path) as archive:
        names = archive.namelist()
        if "header.json" not in names:
            return {"status": "started", "samples": []}
        (head,) = _members(engine, archive, log, ["header.json"])
        if "summaries.json" in names:
            (samples,) = _members(engine, archive, log, ["summaries.json"])
        else:
            inside = [member for member in names if member.startswith("samples/") and member.endswith(".json")]
            samples = _members(engine, archive, log, inside)
    refuse_shape(head, dict, "its header", log)
    return {**head, "samples": samples}


def _members(engine: Engine, archive: zipfile.ZipFile, log: Log, names: Sequence[str]) -> list[Any]:
    """Read members as JSON, each checked against the sum the archive keeps of it."""
    packed = [name for name in names if archive.getinfo(name).compress_type == _ZSTANDARD]
    texts = dict(zip(packed, _decompressed(engine, archive, log, packed), strict=True))
    found = []
    for name in names:
        content = texts[name] if name in texts else archive.read(name)
        # The engine hands lines over without the end of the last.
        if archive.getinfo(name).CRC not in {zlib.crc32(content), zlib.crc32(content + b"\n")}:
            raise zipfile.BadZipFile(name)
        found.append(json.loads(content))
    return found


def _decompressed(engine: Engine, archive: zipfile.ZipFile, log: Log, names: Sequence[str]) -> list[bytes]:
    if not names:
        return []
    folder = Path(engine.folder)
    begin = len(list(folder.iterdir()))
    paths = [folder / f"member-{begin + place}.zst" for place in range(len(names))]
    with Path(log.path).open("rb") as file:
        for name, path in zip(names, paths, strict=True):
            path.write_bytes(_raw(file, archive.getinfo(name)))
    largest = max(archive.getinfo(name).file_size for name in names)
    # JSON escapes every control character, so no field ever ends but with its line.
    rows = engine.rows(
        f"SELECT filename, line FROM read_csv({literal_paths(map(str, paths))}, auto_detect = false, header = false, "
        "columns = {'line': 'VARCHAR'}, delim = '\x01', quote = '', escape = '', compression = 'zstd', "
        f"max_line_size = {max(_LINE, 2 * largest)}, parallel = false, filename = true)",
        log.where,
    )
    lines: dict[str, list[str]] = {}
    for path, line in rows:
        lines.setdefault(path, []).append(line)
    return ["\n".join(lines.get(str(path), [])).encode() for path in paths]


def _raw(file: Any, member: zipfile.ZipInfo) -> bytes:
    """The compressed bytes of a member, behind its own header of 30 bytes, a name and an extra field."""
    file.seek(member.header_offset)
    head = file.read(30)
    file.seek(int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"), 1)
    content: bytes = file.read(member.compress_size)
    return content
