"""Measures: a table to a number. No randomness, no I/O; vectorised over leading axes of tables; NaN where undefined."""

from tiebreak.measures import confusion, probabilities
from tiebreak.measures.diversity import disagreement, double_fault, phi, yule_q
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
    "Pool",
    "PrayatulMeasures",
    "accuracy_difference",
    "against_pool",
    "balanced_cells",
    "comparative_deviation",
    "comparative_rightness",
    "confusion",
    "disagreement",
    "double_fault",
    "effective_rightness",
    "effective_superiority",
    "phi",
    "polarization",
    "pool",
    "prayatul_measures",
    "probabilities",
    "recovered_cells",
    "yule_q",
]
