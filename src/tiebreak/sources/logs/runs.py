"""What a log becomes before it meets the others: a run, its answers, and the choice of what is read from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tiebreak._format import listed, quoted, visible
from tiebreak.errors import ColumnNotFound, TiebreakError, UnreadableSource
from tiebreak.sources.logs.finding import TITLES, Log

# How an Inspect score says right, wrong, partly and no answer.
_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}


@dataclass(slots=True)
class Run:
    """One model's answers: which instance, how often asked, what it was asked, and how good the answer was.

    Attributes
    ----------
    log : the file it comes from
    model : what the log calls the model, None where it does not say
    task, version : what was run, None where the log does not say
    instances, fingerprints : one entry an answer: the instance's id, and a digest of what it asks
    values : the grade of each answer, None where there is none

    Examples
    --------
    >>> run = Run(Log("a.eval", "inspect"), model="large")
    >>> run.add("question 1", "3f1c", 1.0)
    >>> run.instances, run.values, run.repeats
    (['question 1'], [1.0], [1])
    """

    log: Log
    model: str | None = None
    task: str | None = None
    version: str | None = None
    instances: list[str] = field(default_factory=list)
    fingerprints: list[str] = field(default_factory=list)
    values: list[float | None] = field(default_factory=list)
    repeats: list[int] = field(default_factory=list)

    def add(self, instance: str, fingerprint: str, value: float | None, repeat: int | None = None) -> None:
        """Put one answer behind the others."""
        self.instances.append(instance)
        self.fingerprints.append(fingerprint)
        self.values.append(value)
        self.repeats.append(1 if repeat is None else repeat)


def refuse_shape(given: object, kind: type | tuple[type, ...], what: str, log: Log) -> None:
    """Refuse a part of a log that is built otherwise than its harness builds it.

    Examples
    --------
    >>> refuse_shape({}, dict, "sample 0", Log("a.json", "inspect", where="a.json"))
    """
    if not isinstance(given, kind) or isinstance(given, bool):
        raise UnreadableSource(
            f"{log.where}: {what} is {quoted(given)}, which {TITLES[log.kind]} never writes there: write the log "
            "again, or give a table instead"
        )


def grade(value: object, what: str, where: str) -> float | None:
    """Return a grade as a number: a number, a boolean, or the letters and words for right and wrong.

    Examples
    --------
    >>> grade("C", "match", "a.eval"), grade(True, "match", "a.eval"), grade("0.25", "match", "a.eval")
    (1.0, 1.0, 0.25)
    """
    if value is None:
        return None
    if isinstance(value, bool | int | float):
        return None if value != value else float(value)
    if isinstance(value, str):
        known = _GRADES.get(value, _GRADES.get(value.lower()))
        if known is not None:
            return known
        try:
            return float(value)
        except ValueError:
            pass
    raise TiebreakError(
        f"{what} of {where} holds {quoted(visible(value))}, which is no grade: choose one of numbers or of right and "
        "wrong, with --metric"
    )


def chosen(offered: Mapping[str, Iterable[str]], wanted: str | None, what: str, option: str) -> str:
    """Return the one thing that all logs offer, or the wanted one; what is ambiguous is listed and refused.

    Examples
    --------
    >>> chosen({"a.jsonl": ["acc", "f1"], "b.jsonl": ["acc"]}, None, "metric", "--metric")
    'acc'
    """
    by_log = {where: list(dict.fromkeys(names)) for where, names in offered.items()}
    if wanted is not None:
        for where, names in by_log.items():
            if wanted not in names:
                raise ColumnNotFound(
                    f"{what} names {quoted(wanted)}, which {where} does not have: it has {listed(names, 20) or 'none'}"
                )
        return wanted
    first = next(iter(by_log.values()))
    common = [name for name in first if all(name in names for names in by_log.values())]
    if not common:
        (one, has), (other, lacks) = next(
            ((a, b) for a in by_log.items() for b in by_log.items() if not set(a[1]) & set(b[1])),
            (next(iter(by_log.items())), list(by_log.items())[-1]),
        )
        raise ColumnNotFound(
            f"the logs share no {what}: {one} has {listed(has) or 'none'}, {other} has {listed(lacks) or 'none'}; "
            "compare logs of the same"
        )
    if len(common) > 1:
        raise TiebreakError(f"the logs have more than one {what}: choose with {option}, from {listed(common, 20)}")
    return common[0]


def names_of(runs: Sequence[Run]) -> list[str]:
    """Return the models' names: the caller's, or those in the logs if they differ, or where the files' paths differ.

    Examples
    --------
    >>> logs = [Log("runs/small/samples.jsonl", "lm-eval"), Log("runs/large/samples.jsonl", "lm-eval")]
    >>> names_of([Run(log) for log in logs])
    ['small', 'large']
    """
    said = [run.log.name or run.model for run in runs]
    if all(said) and len(set(said)) == len(said):
        return [str(name) for name in said]
    by_path = _by_path([run.log.path for run in runs])
    return [run.log.name or path for run, path in zip(runs, by_path, strict=True)]


def _by_path(paths: Sequence[str]) -> list[str]:
    """The first step of the paths at which all differ; the whole path where none is, the stem of a single file."""
    steps = [[*Path(path).parts[:-1], Path(path).name.split(".", 1)[0]] for path in paths]
    if len(paths) == 1:
        return [steps[0][-1]]
    for depth in range(max(map(len, steps))):
        level = [parts[depth] if depth < len(parts) else "" for parts in steps]
        if len(set(level)) == len(level) and all(level):
            return level
    return list(paths)


def one_of_all(runs: Sequence[Run], what: str) -> str | None:
    """Return the task or the version that all runs have, None where none says; two of them are refused.

    Examples
    --------
    >>> one_of_all([Run(Log("a.eval", "inspect"), task="arith"), Run(Log("b.eval", "inspect"))], "task")
    'arith'
    """
    said = {run.log.where: str(value) for run in runs if (value := getattr(run, what)) is not None}
    if len(set(said.values())) > 1:
        (one, first), (other, second) = next(
            (a, b) for a in said.items() for b in said.items() if a[0] != b[0] and a[1] != b[1]
        )
        noun = "task" if what == "task" else "task version"
        raise TiebreakError(
            f"the logs are of different {noun}s: {one} is of {visible(first)}, {other} of {visible(second)}; compare "
            "runs of the same"
        )
    return next(iter(said.values()), None)
