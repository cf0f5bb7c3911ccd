"""Sources: the only room that sees instances. It reads, joins by id and counts; it knows no number but counts.

An engine groups and counts raw values. What is right is decided here, on the few distinct ones, where equality is
Python's: engines disagree about 1 and "1", True and 1, NaN and NaN.
"""

from tiebreak.sources.ask import POLICIES, TASKS, Ask, ProbaColumn
from tiebreak.sources.engine import Limits
from tiebreak.sources.labels import MISSING_SPELLINGS
from tiebreak.sources.opening import Opened, named_path, opened
from tiebreak.sources.probabilities import proba_column, scores_of
from tiebreak.sources.rows import Instances
from tiebreak.sources.slices import sliced

__all__ = [
    "MISSING_SPELLINGS",
    "POLICIES",
    "TASKS",
    "Ask",
    "Instances",
    "Limits",
    "Opened",
    "ProbaColumn",
    "named_path",
    "opened",
    "proba_column",
    "scores_of",
    "sliced",
]
