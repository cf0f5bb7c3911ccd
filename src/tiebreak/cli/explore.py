"""The command `explore`: the rows behind a comparison, in a local web page."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from tiebreak.cli.commands import _DATA, _compared, _with
from tiebreak.errors import TiebreakError


@click.command()
@_with(_DATA)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True,
              help="Port on this machine; 0 is any free one.")  # fmt: skip
@click.option("--no-open", is_flag=True, help="Only print the address, open no browser.")
@click.option("--quiet", is_flag=True, help="No progress and no notes on standard error.")
@click.option("--traceback", is_flag=True, hidden=True)
def explore(**options: Any) -> None:
    """Explore the rows in a local web page, however many they are.

    Prints the page's address, which nobody can guess, and serves this machine alone until Ctrl-C. What is no single
    Parquet file is written to a temporary one first.
    """
    try:
        from tiebreak.explorer import explore as serve
        from tiebreak.explorer import ground_of, listening, marked
        from tiebreak.explorer.serving import terminable
    except ModuleNotFoundError as error:
        raise TiebreakError(
            f"explore needs {error.name}, which is not installed: pip install 'tiebreak[explore]'"
        ) from None

    def say(note: str) -> None:
        if not options["quiet"]:
            click.echo(f"tiebreak: {note}", err=True)

    def announce(address: str) -> None:
        click.echo(address)
        say("exploring; stop with Ctrl-C")

    with listening(options["port"]) as listener, terminable():
        unchanged = marked(options["files"])
        comparison = _compared(options)
        given = click.get_current_context().get_parameter_source("memory_limit") is ParameterSource.COMMANDLINE
        memory = options["memory_limit"] if given else None
        ground = ground_of(comparison, options["files"], memory=memory, temp_dir=options["temp_dir"], say=say)
        try:
            unchanged()
        except BaseException:
            ground.close()
            raise
        serve(ground, listener, announce=announce, open_browser=not options["no_open"])
