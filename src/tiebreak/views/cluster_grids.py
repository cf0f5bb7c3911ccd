"""The grids of clusterings: against the truth, and against each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tiebreak._format import counted, measure
from tiebreak.comparison import Agreement, Agreements, Clustered, Comparison, Pair
from tiebreak.comparison.verdict import interval_words
from tiebreak.views.cells import count_cell, measure_cell, share_cell, standing_cells
from tiebreak.views.grid import Cell, Grid, label
from tiebreak.views.marks import letter, note, significance_marks
from tiebreak.views.number_grids import models_title


def clusterings_grid(result: Comparison) -> Grid:
    """Return one row a clustering, the best first."""
    tiered = result.settings.baseline is None
    header = (
        *("clustering", "clusters", "Rand", interval_words(result.level), "chance"),
        *(["tier", "rank"] if tiered else []),
        *("adjusted Rand", "NMI", "AMI", "V", "Fowlkes-Mallows", "matched accuracy"),
    )
    ranked = [model for model in result.ranked if isinstance(model, Clustered)]
    rows = tuple(
        (
            Cell(label(model.name), tag=letter(place)),
            count_cell(model.clusters),
            Cell(measure(model.rand), float(model.rand), marks=raised),
            "–" if model.rand.low != model.rand.low else f"{measure(model.rand.low)} to {measure(model.rand.high)}",
            measure_cell(model.agreement.chance_rand),
            *standing_cells(model, tiered=tiered),
            *(measure_cell(value) for value in _agreed(model)),
            share_cell(model.matched_accuracy),
        )
        for place, (model, raised) in enumerate(zip(ranked, significance_marks(result), strict=True))
    )
    return Grid(models_title(result), header, rows, note=note(result))


def _agreed(model: Clustered) -> tuple[float, ...]:
    found = model.agreement
    return (
        found.adjusted_rand,
        found.normalized_mutual_information,
        found.adjusted_mutual_information,
        found.v_measure,
        found.fowlkes_mallows,
    )


def clusters_grid(result: Agreements) -> Grid:
    """Return how many clusters each clustering has, where there is no truth."""
    rows = tuple((label(name), count_cell(count)) for name, count in zip(result.models, result.clusters, strict=True))
    return Grid(f"Clusterings of {counted(result.n, 'instance')}", ("clustering", "clusters"), rows)


def agreements_grid(agreements: Sequence[Agreement]) -> Grid:
    """Return how far the clusterings agree with each other, each pair once."""
    rows = []
    kept = dict[frozenset[str], Agreement]()
    for each in agreements:
        kept.setdefault(frozenset((each.first, each.second)), each)
    for found in kept.values():
        values = (
            found.rand,
            found.chance_rand,
            found.adjusted_rand,
            found.normalized_mutual_information,
            found.adjusted_mutual_information,
        )
        rows.append((label(found.first), label(found.second), *(measure_cell(value) for value in values)))
    header = ("clustering", "and", "Rand", "chance", "adjusted Rand", "NMI", "AMI")
    return Grid("Agreement with each other, whoever is right", header, tuple(rows), "ll" + "r" * 5)


def agreements_of(pairs: Iterable[Pair]) -> list[Agreement]:
    """Return how far the clusterings of some pairs agree with each other."""
    return [pair.agreement for pair in pairs if pair.agreement is not None]
