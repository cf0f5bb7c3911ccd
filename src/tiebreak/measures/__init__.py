"""Measures: a table to a number. No randomness, no I/O; vectorised over leading axes of tables; NaN where undefined."""

from tiebreak.measures.costs import BreakEven, break_even, expected_cost
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
from tiebreak.measures.regression import (
    RegressionMeasures,
    bias,
    mean_absolute_error,
    mean_score,
    mean_squared_error,
    regression_measures,
    root_mean_squared_error,
    share_within,
    solved,
    wins,
)

__all__ = [
    "MEASURES",
    "BreakEven",
    "Pool",
    "PrayatulMeasures",
    "RegressionMeasures",
    "accuracy_difference",
    "against_pool",
    "balanced_cells",
    "bias",
    "break_even",
    "comparative_deviation",
    "comparative_rightness",
    "disagreement",
    "double_fault",
    "effective_rightness",
    "effective_superiority",
    "expected_cost",
    "mean_absolute_error",
    "mean_score",
    "mean_squared_error",
    "phi",
    "polarization",
    "pool",
    "prayatul_measures",
    "recovered_cells",
    "regression_measures",
    "root_mean_squared_error",
    "share_within",
    "solved",
    "wins",
    "yule_q",
]
