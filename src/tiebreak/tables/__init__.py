"""Tables: how often something happened. Frozen, small, additive; NumPy only; no scores, seeds, files or percentages."""

from tiebreak.tables.confusion import ConfusionCounts
from tiebreak.tables.contingency import Contingency, Sizes, cluster_totals
from tiebreak.tables.crosstable import NOBODY, CrossTable, pairs_of
from tiebreak.tables.groups import Crossing, GroupSums
from tiebreak.tables.labels import Label
from tiebreak.tables.losses import Losses
from tiebreak.tables.mass import Mass, group_columns
from tiebreak.tables.outcomes import Outcomes
from tiebreak.tables.partitions import (
    NEEDS_CELLS,
    NEEDS_TRUTH,
    NOISE_LABELS,
    NOISES,
    Partitions,
    noise_codes,
)
from tiebreak.tables.prayatul import CELLS, PrayatulCounts, pair_cells
from tiebreak.tables.tally import NEEDS_OUTCOMES, Tally
from tiebreak.tables.weights import LIMB, Scale, Weights
from tiebreak.tables.words import Words

__all__ = [
    "CELLS",
    "LIMB",
    "NEEDS_CELLS",
    "NEEDS_OUTCOMES",
    "NEEDS_TRUTH",
    "NOBODY",
    "NOISES",
    "NOISE_LABELS",
    "ConfusionCounts",
    "Contingency",
    "CrossTable",
    "Crossing",
    "GroupSums",
    "Label",
    "Losses",
    "Mass",
    "Outcomes",
    "Partitions",
    "PrayatulCounts",
    "Scale",
    "Sizes",
    "Tally",
    "Weights",
    "Words",
    "cluster_totals",
    "group_columns",
    "noise_codes",
    "pair_cells",
    "pairs_of",
]
