"""Measures: a table to a number. No randomness, no I/O; vectorised over leading axes of tables; NaN where undefined."""

from tiebreak.measures.clustering import (
    NO_PAIR,
    NO_PAIR_TOGETHER,
    adjusted_rand,
    chance_cells,
    chance_rand,
    fowlkes_mallows,
    rand,
)
from tiebreak.measures.diversity import disagreement, double_fault, phi, yule_q
from tiebreak.measures.information import (
    Information,
    adjusted_mutual_information,
    expected_mutual_information,
    information,
)
from tiebreak.measures.matching import Matching, SplitsAndMerges, matching, splits_and_merges
from tiebreak.measures.pooled import Pool, against_pool, pool
from tiebreak.measures.prayatul import (
    MEASURES,
    PrayatulMeasures,
    accuracy_difference,
    balanced_cells,
    comparative_deviation,
    comparative_rightness,
    effective_rightness,
    effective_superiority,
    polarization,
    prayatul_measures,
    recovered_cells,
)

__all__ = [
    "MEASURES",
    "NO_PAIR",
    "NO_PAIR_TOGETHER",
    "Information",
    "Matching",
    "Pool",
    "PrayatulMeasures",
    "SplitsAndMerges",
    "accuracy_difference",
    "adjusted_mutual_information",
    "adjusted_rand",
    "against_pool",
    "balanced_cells",
    "chance_cells",
    "chance_rand",
    "comparative_deviation",
    "comparative_rightness",
    "disagreement",
    "double_fault",
    "effective_rightness",
    "effective_superiority",
    "expected_mutual_information",
    "fowlkes_mallows",
    "information",
    "matching",
    "phi",
    "polarization",
    "pool",
    "prayatul_measures",
    "rand",
    "recovered_cells",
    "splits_and_merges",
    "yule_q",
]
