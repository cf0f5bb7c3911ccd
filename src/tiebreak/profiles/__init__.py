"""Profiles: losses to a curve. How often is a model within a factor of the best of its pool, and how sure is that.

Arrays in, frozen results out; intervals come from the room of inference, and nothing here draws or reads files.
"""

from tiebreak.profiles.bands import BAND_METHODS, Bands
from tiebreak.profiles.paired import PairAtTau
from tiebreak.profiles.pool import Flip, flips
from tiebreak.profiles.profile import TAU_MAX, PerformanceProfile, performance_profile
from tiebreak.profiles.steps import Steps, within_factor

__all__ = [
    "BAND_METHODS",
    "TAU_MAX",
    "Bands",
    "Flip",
    "PairAtTau",
    "PerformanceProfile",
    "Steps",
    "flips",
    "performance_profile",
    "within_factor",
]
