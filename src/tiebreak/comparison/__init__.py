"""The hall, where the rooms below meet, and what they agree on; no formula lives here."""

from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.document import listed_pairs
from tiebreak.comparison.doubts import Settings
from tiebreak.comparison.gate import Gate, gate
from tiebreak.comparison.hall import compare, compared
from tiebreak.comparison.prayatul import PrayatulMatrix, prayatul_matrix
from tiebreak.comparison.results import Model, Pair
from tiebreak.comparison.verdict import verdict

__all__ = [
    "Comparison",
    "Gate",
    "Model",
    "Pair",
    "PrayatulMatrix",
    "Settings",
    "compare",
    "compared",
    "gate",
    "listed_pairs",
    "prayatul_matrix",
    "verdict",
]
