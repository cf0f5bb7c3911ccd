"""Tables: how often something happened. Frozen, small, additive; NumPy only; no scores, seeds, files or percentages."""

from tiebreak.tables.confusion import ConfusionCounts
from tiebreak.tables.groups import Crossing, GroupSums
from tiebreak.tables.labels import Label
from tiebreak.tables.losses import Losses
from tiebreak.tables.margins import Margins, margins_of
from tiebreak.tables.mass import Mass, group_columns
from tiebreak.tables.outcomes import Outcomes
from tiebreak.tables.prayatul import CELLS, PrayatulCounts, pair_cells
from tiebreak.tables.scores import Scores
from tiebreak.tables.tally import NEEDS_OUTCOMES, Tally
from tiebreak.tables.weights import LIMB, Scale, Weights
from tiebreak.tables.words import Words

__all__ = [
    "CELLS",
    "LIMB",
    "NEEDS_OUTCOMES",
    "ConfusionCounts",
    "Crossing",
    "GroupSums",
    "Label",
    "Losses",
    "Margins",
    "Mass",
    "Outcomes",
    "PrayatulCounts",
    "Scale",
    "Scores",
    "Tally",
    "Weights",
    "Words",
    "group_columns",
    "margins_of",
    "pair_cells",
]
