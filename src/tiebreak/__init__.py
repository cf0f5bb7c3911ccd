"""Two models score 93 %. Which one ships, where do they differ, by how much, and how sure are we?

tiebreak answers from the predictions alone, instance by instance. A comparison is a table; everything else is a
function of it: rows are read once and become counts, and the rest is mathematics on a small table.

Start with `compare`. The names below are loaded when they are first used, so that importing the package costs nothing.

Examples
--------
>>> import tiebreak as tb
>>> comparison = tb.compare(["a", "a", "b", "b", "c"], {"p": ["a", "b", "b", "b", "a"], "q": ["a", "a", "c", "b", "c"]})
>>> comparison.pair("p", "q").prayatul.right_wrong
1
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tiebreak._version import __version__

if TYPE_CHECKING:
    from tiebreak.comparison import Comparison as Comparison
    from tiebreak.comparison import ConfusionMatrix as ConfusionMatrix
    from tiebreak.comparison import PrayatulMatrix as PrayatulMatrix
    from tiebreak.comparison import compare as compare
    from tiebreak.comparison import confusion_matrix as confusion_matrix
    from tiebreak.comparison import gate as gate
    from tiebreak.comparison import pair_prayatul_matrix as pair_prayatul_matrix
    from tiebreak.comparison import prayatul_matrix as prayatul_matrix
    from tiebreak.comparison import r_prime as r_prime
    from tiebreak.errors import ColumnNotFound as ColumnNotFound
    from tiebreak.errors import DuplicateId as DuplicateId
    from tiebreak.errors import EmptyComparison as EmptyComparison
    from tiebreak.errors import MissingPredictions as MissingPredictions
    from tiebreak.errors import MixedLabels as MixedLabels
    from tiebreak.errors import NotDefined as NotDefined
    from tiebreak.errors import TiebreakError as TiebreakError
    from tiebreak.errors import UnpairedInstances as UnpairedInstances
    from tiebreak.errors import UnreadableSource as UnreadableSource
    from tiebreak.inference import EigenvalueDistribution as EigenvalueDistribution
    from tiebreak.inference import Superiority as Superiority
    from tiebreak.inference import TraceDistribution as TraceDistribution
    from tiebreak.inference import plan as plan
    from tiebreak.inference import superiority as superiority
    from tiebreak.inference import trace_superiority as trace_superiority
    from tiebreak.integrations import compare_estimators as compare_estimators
    from tiebreak.profiles import PerformanceProfile as PerformanceProfile
    from tiebreak.profiles import performance_profile as performance_profile
    from tiebreak.sources import read_tally as read_tally
    from tiebreak.sources import tally as tally
    from tiebreak.sources import write_tally as write_tally
    from tiebreak.tables import Tally as Tally

_HOME = {
    "Comparison": "comparison",
    "ConfusionMatrix": "comparison",
    "PrayatulMatrix": "comparison",
    "compare": "comparison",
    "confusion_matrix": "comparison",
    "gate": "comparison",
    "pair_prayatul_matrix": "comparison",
    "prayatul_matrix": "comparison",
    "r_prime": "comparison",
    "ColumnNotFound": "errors",
    "DuplicateId": "errors",
    "EmptyComparison": "errors",
    "MissingPredictions": "errors",
    "MixedLabels": "errors",
    "NotDefined": "errors",
    "TiebreakError": "errors",
    "UnpairedInstances": "errors",
    "UnreadableSource": "errors",
    "EigenvalueDistribution": "inference",
    "Superiority": "inference",
    "TraceDistribution": "inference",
    "plan": "inference",
    "superiority": "inference",
    "trace_superiority": "inference",
    "compare_estimators": "integrations",
    "PerformanceProfile": "profiles",
    "performance_profile": "profiles",
    "read_tally": "sources",
    "tally": "sources",
    "write_tally": "sources",
    "Tally": "tables",
}

__all__ = [*_HOME, "__version__"]  # noqa: PLE0604 the names are the keys above


def __getattr__(name: str) -> Any:
    """Load a public name from the room it lives in."""
    if name not in _HOME:
        raise AttributeError(f"module 'tiebreak' has no attribute {name!r}")
    value = getattr(import_module(f"tiebreak.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
