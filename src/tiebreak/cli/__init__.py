"""The shell: it listens, calls the library, writes what it says and ends with a code that means something.

0 done · 2 the call or the data is wrong · 70 a bug in tiebreak · 130 interrupted · 141 the reader closed the pipe.
Nothing slow is imported before a command runs, so that `--help` answers at once.
"""

from tiebreak.cli.main import main

__all__ = ["main"]
