"""Sources: the only room that sees instances. It reads, joins by id and counts; it knows no number but counts.

An engine groups and counts raw values. What is right is decided here, on the few distinct ones, where equality is
Python's: engines disagree about 1 and "1", True and 1, NaN and NaN.
"""

from tiebreak.sources.ask import POLICIES, TASKS, Ask
from tiebreak.sources.counting import tally
from tiebreak.sources.engine import Limits
from tiebreak.sources.labels import MISSING_SPELLINGS
from tiebreak.sources.opening import Opened, opened
from tiebreak.sources.paths import named_path
from tiebreak.sources.rows import Instances
from tiebreak.sources.tallies import SUFFIX, read_tally, write_tally

__all__ = [
    "MISSING_SPELLINGS",
    "POLICIES",
    "SUFFIX",
    "TASKS",
    "Ask",
    "Instances",
    "Limits",
    "Opened",
    "named_path",
    "opened",
    "read_tally",
    "tally",
    "write_tally",
]
