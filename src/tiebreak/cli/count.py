"""The command `count`: rows in, one small file out, which `compare` and `gate` add to others."""

from __future__ import annotations

import sys
from typing import Any

import click

from tiebreak._format import counted, listed
from tiebreak.cli.output import Progress, progress_on


def counted_to_file(options: dict[str, Any]) -> None:
    """Count the files and write their tally, whole or not at all."""
    from tiebreak.sources import named_path, tally, write_tally
    from tiebreak.sources.tallies import bytes_of

    progress = progress_on(not options["quiet"])
    try:
        found = tally(
            [named_path(argument) for argument in options["files"]],
            truth=options["truth"],
            models=options["models"],
            id=options["id_"],
            task=options["task"],
            long=options["long_"],
            missing=options["missing"],
            na=options["na"],
            sample_weight=options["weight"],
            groups=options["group"],
            labels=options["labels"],
            metric=options["metric"],
            filter=options["filter"],
            scorer=options["scorer"],
            memory_limit=options["memory_limit"],
            temp_dir=options["temp_dir"],
            progress=progress,
        )
    finally:
        if isinstance(progress, Progress):
            progress.done()
    if options["output"] == "-":
        sys.stdout.buffer.write(bytes_of(found))
        return
    write_tally(found, options["output"], force=options["force"])
    if not options["quiet"]:
        what = f"{counted(found.n, 'instance')} of {listed(found.models)}"
        click.echo(f"tiebreak: {options['output']} holds {what}", err=True)
