"""The command `tiebreak`: its errors are one line, its exit codes are kept, its output is whole or absent."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from tiebreak.cli.commands import tiebreak
from tiebreak.errors import TiebreakError

WRONG_CALL, BUG, INTERRUPTED, BROKEN_PIPE = 2, 70, 130, 141


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and end the process with its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(run(given))


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code.

    Examples
    --------
    >>> run(["compare", "nowhere.csv"])
    2
    """
    try:
        # Not `tiebreak.main`, which calls a broken pipe a success.
        with tiebreak.make_context("tiebreak", list(arguments)) as context:
            tiebreak.invoke(context)
        sys.stdout.flush()
    except click.ClickException as error:
        return _fail(error.format_message())
    except (TiebreakError, FileExistsError) as error:
        return _fail(str(error))
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # Python would complain again when it flushes at exit; what is left has no reader.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except click.exceptions.Exit as end:
        return end.exit_code
    except Exception as error:
        if "--traceback" in arguments:
            raise
        _say(f"a bug in tiebreak: {type(error).__name__}: {error}; run again with --traceback and report what it shows")
        return BUG
    return 0


def _fail(message: str) -> int:
    _say(message)
    return WRONG_CALL


def _say(message: str) -> None:
    click.echo(f"tiebreak: {' '.join(message.split())}", err=True)
