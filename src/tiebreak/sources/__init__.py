"""Sources: the only room that sees instances. It reads, joins by id and counts; it knows no number but counts.

An engine groups and counts raw values. What is right is decided here, on the few distinct ones, where equality is
Python's: engines disagree about 1 and "1", True and 1, NaN and NaN.
"""

from tiebreak.sources.arguments import named_path, paths_read
from tiebreak.sources.ask import NUMERIC, POLICIES, TASKS, Ask, ProbaColumn
from tiebreak.sources.clusters import CountedClusters
from tiebreak.sources.costs import read_costs
from tiebreak.sources.counting import tally
from tiebreak.sources.engine import Limits
from tiebreak.sources.labels import MISSING_SPELLINGS
from tiebreak.sources.opening import Opened, opened
from tiebreak.sources.probabilities import proba_column, scores_of
from tiebreak.sources.ranked import Ranked
from tiebreak.sources.rows import WINNERS, Instances
from tiebreak.sources.slices import sliced
from tiebreak.sources.tallies import SUFFIX, read_tally, write_tally

__all__ = [
    "MISSING_SPELLINGS",
    "NUMERIC",
    "POLICIES",
    "SUFFIX",
    "TASKS",
    "WINNERS",
    "Ask",
    "CountedClusters",
    "Instances",
    "Limits",
    "Opened",
    "ProbaColumn",
    "Ranked",
    "named_path",
    "opened",
    "paths_read",
    "proba_column",
    "read_costs",
    "read_tally",
    "scores_of",
    "sliced",
    "tally",
    "write_tally",
]
