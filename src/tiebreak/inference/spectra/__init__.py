"""Spectra: the eigenvalues and traces of random confusion matrices, as published, corrected and exact."""

from tiebreak.inference.spectra.eigenvalues import EigenvalueDistribution, Marginal
from tiebreak.inference.spectra.matrix import Cells, Spectrum, spectrum, youden_j
from tiebreak.inference.spectra.superiority import (
    SuperiorityRange,
    TraceSuperiority,
    superiority_range,
    trace_probability,
    trace_superiority,
)
from tiebreak.inference.spectra.traces import TraceDifference, TraceDistribution

__all__ = [
    "Cells",
    "EigenvalueDistribution",
    "Marginal",
    "Spectrum",
    "SuperiorityRange",
    "TraceDifference",
    "TraceDistribution",
    "TraceSuperiority",
    "spectrum",
    "superiority_range",
    "trace_probability",
    "trace_superiority",
    "youden_j",
]
