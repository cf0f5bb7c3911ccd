"""`python -m tiebreak` is the command `tiebreak`."""

from tiebreak.cli import main

main()
