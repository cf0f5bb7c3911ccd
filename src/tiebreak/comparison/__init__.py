"""The hall, where the rooms below meet, and what they agree on; no formula lives here."""

from tiebreak.comparison.agreement import Agreement, Agreements, agreement
from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.confusion import ConfusionMatrix, confusion_matrix, r_prime
from tiebreak.comparison.confusion_difference import ClassChange, ConfusionDifference
from tiebreak.comparison.confusion_records import ClassRecord, Confusion
from tiebreak.comparison.curves import ProfileCurve
from tiebreak.comparison.document import listed_pairs
from tiebreak.comparison.doubts import Settings
from tiebreak.comparison.gating import Gate, gate
from tiebreak.comparison.hall import compare
from tiebreak.comparison.judging import compared
from tiebreak.comparison.kinds import KINDS, Kind, kind_of
from tiebreak.comparison.measured import Clustered, Numbered
from tiebreak.comparison.models import Classified, Judged, Model
from tiebreak.comparison.numbering import compared_numbers
from tiebreak.comparison.pair import Pair
from tiebreak.comparison.pair_prayatul import pair_prayatul_matrix
from tiebreak.comparison.prayatul import PrayatulMatrix, prayatul_matrix
from tiebreak.comparison.verdict import verdict

__all__ = [
    "KINDS",
    "Agreement",
    "Agreements",
    "ClassChange",
    "ClassRecord",
    "Classified",
    "Clustered",
    "Comparison",
    "Confusion",
    "ConfusionDifference",
    "ConfusionMatrix",
    "Gate",
    "Judged",
    "Kind",
    "Model",
    "Numbered",
    "Pair",
    "PrayatulMatrix",
    "ProfileCurve",
    "Settings",
    "agreement",
    "compare",
    "compared",
    "compared_numbers",
    "confusion_matrix",
    "gate",
    "kind_of",
    "listed_pairs",
    "pair_prayatul_matrix",
    "prayatul_matrix",
    "r_prime",
    "verdict",
]
