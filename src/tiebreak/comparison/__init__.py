"""The hall, where the rooms below meet, and what they agree on; no formula lives here."""

from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.document import listed_pairs
from tiebreak.comparison.hall import compare, compared
from tiebreak.comparison.prayatul import PrayatulMatrix, prayatul_matrix
from tiebreak.comparison.results import Model, Pair, PairTable
from tiebreak.comparison.verdict import verdict

__all__ = [
    "Comparison",
    "Model",
    "Pair",
    "PairTable",
    "PrayatulMatrix",
    "compare",
    "compared",
    "listed_pairs",
    "prayatul_matrix",
    "verdict",
]
