"""Inference: a table and a function to a doubt; spectra, planning and the gate's rule. Randomness is handed in."""

from tiebreak.inference.bootstrap import METHODS, RESAMPLES, Bootstrap, Units, bootstrap
from tiebreak.inference.draws import MOST_PATTERNS, normal_scores, posterior_accuracies, resampled_means
from tiebreak.inference.estimates import Estimate, Interval
from tiebreak.inference.gate import OUTCOMES, gate_outcome
from tiebreak.inference.hypotheses import CochranQ, McNemar, cochran_q, exact_p, mcnemar
from tiebreak.inference.intervals import bonett_price, newcombe, tango, wald, wilson
from tiebreak.inference.laws import FlatPosterior, Law, StudentLaw
from tiebreak.inference.many import (
    CORRECTIONS,
    BestOfAll,
    Comparisons,
    Standing,
    best_of_all,
    holm,
    ranking,
    romano_wolf,
    standings,
)
from tiebreak.inference.moments import Moments, grouped_moments, weighted_moments
from tiebreak.inference.planning import Plan, more_needed, plan
from tiebreak.inference.spectra import (
    EigenvalueDistribution,
    Spectrum,
    SuperiorityRange,
    TraceDifference,
    TraceDistribution,
    TraceSuperiority,
    spectrum,
    superiority_range,
    trace_probability,
    trace_superiority,
    youden_j,
)
from tiebreak.inference.superiority import MarginTest, PriorScale, Rope, Superiority, superiority

__all__ = [
    "CORRECTIONS",
    "METHODS",
    "MOST_PATTERNS",
    "OUTCOMES",
    "RESAMPLES",
    "BestOfAll",
    "Bootstrap",
    "CochranQ",
    "Comparisons",
    "EigenvalueDistribution",
    "Estimate",
    "FlatPosterior",
    "Interval",
    "Law",
    "MarginTest",
    "McNemar",
    "Moments",
    "Plan",
    "PriorScale",
    "Rope",
    "Spectrum",
    "Standing",
    "StudentLaw",
    "Superiority",
    "SuperiorityRange",
    "TraceDifference",
    "TraceDistribution",
    "TraceSuperiority",
    "Units",
    "best_of_all",
    "bonett_price",
    "bootstrap",
    "cochran_q",
    "exact_p",
    "gate_outcome",
    "grouped_moments",
    "holm",
    "mcnemar",
    "more_needed",
    "newcombe",
    "normal_scores",
    "plan",
    "posterior_accuracies",
    "ranking",
    "resampled_means",
    "romano_wolf",
    "spectrum",
    "standings",
    "superiority",
    "superiority_range",
    "tango",
    "trace_probability",
    "trace_superiority",
    "wald",
    "weighted_moments",
    "wilson",
    "youden_j",
]
