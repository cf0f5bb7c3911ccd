"""The command `gate`: its exit code is the decision, and on GitHub it annotates the run and writes the step summary."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tiebreak._format import json_text, visible
from tiebreak.cli.output import deliver
from tiebreak.errors import TiebreakError, UnreadableSource

if TYPE_CHECKING:
    from tiebreak.comparison import Comparison, Gate

EXIT_CODES = {"improved": 0, "not_worse": 0, "worse": 1, "not_enough_evidence": 3}


def decided(comparison: Comparison, options: dict[str, Any]) -> Gate:
    """Return the decision; without names the first file or column is the baseline, the second the candidate."""
    from tiebreak.comparison import gate

    first, second = options["baseline"], options["candidate"]
    if (first is None or second is None) and len(comparison.names) > 2:
        raise TiebreakError(
            f"baseline and candidate are not both named, and there are {len(comparison.names)} models: name them with "
            "--baseline and --candidate"
        )
    first = first or next(name for name in comparison.names if name != second)
    second = second or next(name for name in comparison.names if name != first)
    ids = [] if options["must_pass"] is None else ids_of(options["must_pass"])
    return gate(comparison, baseline=first, candidate=second, margin=options["margin"], must_pass=ids)


def ids_of(path: str) -> list[str]:
    """Return the ids of a file, one a line; empty lines and lines that begin with # are left out."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise UnreadableSource(f"must-pass '{visible(path)}' is not UTF-8 text: give one id a line") from None
    found = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not found:
        raise TiebreakError(f"must-pass '{visible(path)}' holds no id: give one id a line, or leave the option out")
    return found


def write(comparison: Comparison, gate: Gate, options: dict[str, Any]) -> None:
    """Write the decision where it is wanted."""
    if options["form"] == "json":
        text = json_text({**comparison.to_dict(), "gate": gate.to_dict()})
    elif options["form"] == "markdown":
        text = gate.to_markdown()
    else:
        text = gate.to_latex() if options["form"] == "latex" else str(gate)
    deliver(text, options["output"], force=options["force"])
    if options["github"]:
        _annotate(gate)


def _annotate(gate: Gate) -> None:
    """GitHub reads workflow commands from standard error as well, so that standard output stays the answer alone."""
    kind = {"worse": "error", "not_enough_evidence": "warning"}.get(gate.outcome, "notice")
    click.echo(f"::{kind} title=tiebreak gate::{_escaped(f'{gate.outcome}: {gate.sentence}')}", err=True)
    for name in gate.must_pass_failed:
        click.echo(f"::error title=tiebreak gate::instance {_escaped(visible(name))} regressed", err=True)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(gate.to_markdown())


def _escaped(message: str) -> str:
    return message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
