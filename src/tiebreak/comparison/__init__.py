"""The hall, where the rooms below meet, and what they agree on; no formula lives here."""

from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.document import listed_pairs
from tiebreak.comparison.doubts import Settings
from tiebreak.comparison.gate import Gate, gate
from tiebreak.comparison.hall import compare
from tiebreak.comparison.judging import compared
from tiebreak.comparison.models import Judged, Model
from tiebreak.comparison.pair import Pair
from tiebreak.comparison.prayatul import PrayatulMatrix, prayatul_matrix
from tiebreak.comparison.verdict import verdict

__all__ = [
    "Comparison",
    "Gate",
    "Judged",
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
