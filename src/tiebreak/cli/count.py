"""The command `count`: rows in, one small file out, which `compare` and `gate` add to others."""

from __future__ import annotations

import sys
from typing import Any

import click

from tiebreak._format import counted, listed
from tiebreak.cli.arguments import reading
from tiebreak.cli.output import progress_while


def counted_to_file(options: dict[str, Any]) -> None:
    """Count the files and write their tally, whole or not at all."""
    from tiebreak.sources import tally, write_tally
    from tiebreak.sources.tallies import bytes_of

    with progress_while(not options["quiet"]) as progress:
        found = tally(**reading(options), progress=progress)
    if options["output"] == "-":
        sys.stdout.buffer.write(bytes_of(found))
        return
    write_tally(found, options["output"], force=options["force"])
    if not options["quiet"]:
        what = f"{counted(found.n, 'instance')} of {listed(found.models)}"
        click.echo(f"tiebreak: {options['output']} holds {what}", err=True)
