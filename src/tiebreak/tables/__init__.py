"""Tables: how often something happened. Frozen, small, additive; NumPy only; no scores, seeds, files or percentages."""

from tiebreak.tables.confusion import ConfusionCounts
from tiebreak.tables.contingency import Contingency, Sizes, cluster_totals
from tiebreak.tables.costs import CostMatrix, cost_losses, cost_matrix
from tiebreak.tables.crosstable import NOBODY, CrossTable, pairs_of
from tiebreak.tables.groups import Crossing, GroupSums
from tiebreak.tables.labels import Label
from tiebreak.tables.loss_sums import BINS, LOG_STEP, NEAR, LossSums, grid, loss_sums, ratios_of
from tiebreak.tables.losses import LOSSES, TIE, Losses, prayatul_within, tally_of_right, tally_within
from tiebreak.tables.margins import Margins, margins_of
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
from tiebreak.tables.scores import Scores
from tiebreak.tables.tally import NEEDS_OUTCOMES, Tally
from tiebreak.tables.weights import LIMB, Scale, Weights
from tiebreak.tables.words import Words

__all__ = [
    "BINS",
    "CELLS",
    "LIMB",
    "LOG_STEP",
    "LOSSES",
    "NEAR",
    "NEEDS_CELLS",
    "NEEDS_OUTCOMES",
    "NEEDS_TRUTH",
    "NOBODY",
    "NOISES",
    "NOISE_LABELS",
    "TIE",
    "ConfusionCounts",
    "Contingency",
    "CostMatrix",
    "CrossTable",
    "Crossing",
    "GroupSums",
    "Label",
    "LossSums",
    "Losses",
    "Margins",
    "Mass",
    "Outcomes",
    "Partitions",
    "PrayatulCounts",
    "Scale",
    "Scores",
    "Sizes",
    "Tally",
    "Weights",
    "Words",
    "cluster_totals",
    "cost_losses",
    "cost_matrix",
    "grid",
    "group_columns",
    "loss_sums",
    "margins_of",
    "noise_codes",
    "pair_cells",
    "pairs_of",
    "prayatul_within",
    "ratios_of",
    "tally_of_right",
    "tally_within",
]
