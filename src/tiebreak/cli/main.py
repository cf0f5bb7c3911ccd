"""The command `tiebreak`: its errors are one line, its exit codes are kept, its output is whole or absent.

Nothing but the standard library is imported before an interrupt is listened for: what takes time is imported inside.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from tiebreak.errors import TiebreakError

WRONG_CALL, BUG, INTERRUPTED, BROKEN_PIPE = 2, 70, 130, 141
TRACEBACK = "--traceback"
# Set by the shell when it asks how a line goes on, and by its user to get the script that makes it ask.
COMPLETION = "_TIEBREAK_COMPLETE"


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and end the process with its exit code."""
    try:
        code = run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        # A second one, while the first was being answered.
        code = INTERRUPTED
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code.

    Examples
    --------
    >>> run(["compare", "nowhere.csv"])
    2
    """
    try:
        _never_fail_on_a_character()
        return _invoked(arguments)
    except BaseException as error:  # noqa: BLE001 every way to end has a code
        return _ended(error, show=TRACEBACK in arguments)


def _invoked(arguments: Sequence[str]) -> int:
    import click

    from tiebreak.cli.commands import tiebreak
    from tiebreak.cli.config import Defaults
    from tiebreak.cli.explore import explore

    tiebreak.add_command(explore)
    if os.environ.get(COMPLETION):
        from click.shell_completion import shell_complete

        return shell_complete(tiebreak, {}, "tiebreak", COMPLETION, os.environ[COMPLETION])
    # Help says what the options are, not what a project makes of them, and answers where its file is broken.
    defaults = None if {"-h", "--help"} & set(arguments) else Defaults(tiebreak)
    try:
        # Not `tiebreak.main`, which calls a broken pipe a success.
        with tiebreak.make_context("tiebreak", list(arguments), default_map=defaults) as context:
            tiebreak.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            click.echo(error.format_message(), err=True)
            return WRONG_CALL
        if TRACEBACK in arguments:
            _trace(error)
        return _say(error.format_message(), WRONG_CALL)
    return 0


def _ended(error: BaseException, *, show: bool) -> int:
    """Say in one line what ended the command, and return the code that stands for it."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        # Python would complain again when it flushes at exit; what is left has no reader.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    if show:
        _trace(error)
    if isinstance(error, TiebreakError | FileExistsError):
        return _say(str(error), WRONG_CALL)
    if isinstance(error, OSError):
        return _say(
            f"'{error.filename}' cannot be used: {error.strerror}" if error.filename else str(error), WRONG_CALL
        )
    what = f"{type(error).__name__}: {error}"
    return _say(f"a bug in tiebreak: {what}; run again with {TRACEBACK} and report what it shows", BUG)


def _trace(error: BaseException) -> None:
    import traceback

    traceback.print_exception(error)


def _never_fail_on_a_character() -> None:
    """A terminal that lacks a character shows its code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _say(message: str, code: int) -> int:
    if sys.stderr is not None:
        print(f"tiebreak: {' '.join(message.split())}", file=sys.stderr)  # noqa: T201 this is where it speaks
    return code
