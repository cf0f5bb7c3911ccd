"""The explorer: a local web page over the rows. It reads one file, read-only, and writes nothing but what is exported.

The address bar is the state, the pages are complete without scripts, and no SQL, file name or markup comes in from a
page: filters are structured, columns are checked against the file's, values are bound.
"""

from tiebreak.explorer.application import application
from tiebreak.explorer.ground import Ground, ground_of, marked
from tiebreak.explorer.serving import explore, listening

__all__ = ["Ground", "application", "explore", "ground_of", "listening", "marked"]
