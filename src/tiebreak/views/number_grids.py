"""The grids of models that give numbers: means in their own unit, what a mistake's price turns, profiles."""

from __future__ import annotations

from collections.abc import Sequence

from tiebreak._format import counted, measure, number
from tiebreak.comparison import Comparison, Numbered, ProfileCurve
from tiebreak.comparison.verdict import interval_words
from tiebreak.views.cells import number_cell, number_ends, score_words, share_cell, standing_cells
from tiebreak.views.grid import Cell, Grid, label
from tiebreak.views.marks import letter, note, significance_marks

# The factors at which a profile is written down.
FACTORS = (1.0, 1.5, 2.0, 5.0, 10.0)
_OWN = {"root_mean_squared_error": "RMSE", "bias": "bias", "share_within": "within tolerance"}


def numbers_grid(result: Comparison) -> Grid:
    """Return one row a model that gives numbers, the best first."""
    tiered = result.settings.baseline is None
    ranked = [model for model in result.ranked if isinstance(model, Numbered)]
    own = [name for name in _OWN if name in ranked[0].measures]
    failing = any(model.solved < 1 for model in ranked)
    header = (
        *("model", score_words(result.kind), interval_words(result.level)),
        *(["tier", "rank"] if tiered else []),
        *(_OWN[name] for name in own),
        *("wins", "area"),
        *(["has a number"] if failing else []),
    )
    rows = tuple(
        (
            Cell(label(model.name), tag=letter(place)),
            Cell(number(model.mean), float(model.mean), marks=raised),
            number_ends(model.mean),
            *standing_cells(model, tiered=tiered),
            *(_own_cell(model, name) for name in own),
            *(share_cell(model.wins), Cell(measure(model.area, 3), model.area)),
            *([share_cell(model.solved)] if failing else []),
        )
        for place, (model, raised) in enumerate(zip(ranked, significance_marks(result), strict=True))
    )
    return Grid(models_title(result), header, rows, note=note(result))


def _own_cell(model: Numbered, name: str) -> Cell:
    value = model.measures[name]
    return share_cell(value) if name == "share_within" else number_cell(value)


def models_title(result: Comparison) -> str:
    """Return what the models were compared on."""
    what = f"Models{' by cost' if result.task == 'cost' else ''} on {counted(result.n, 'instance')}"
    if result.weight is not None:
        what += f" of weight {counted(result.weight)}"
    return what if result.groups is None else f"{what} in {counted(result.groups, 'group')}"


def profile_grid(curve: ProfileCurve, names: Sequence[str]) -> Grid:
    """Return every model's share at a few factors, and how many times worse than the best it ever is."""
    header = ("model", *(f"τ = {factor:g}" for factor in FACTORS), "never worse than")
    rows = tuple(
        (
            label(name),
            *(share_cell(_at(curve, name, factor)) for factor in FACTORS),
            Cell(_times(curve.never_more_than[name]), curve.never_more_than[name]),
        )
        for name in names
    )
    zeros, ties = counted(curve.best_is_zero, "instance"), counted(curve.ties_for_best, "instance")
    return Grid(f"Performance profile; ties for the best on {ties}, the best is 0 on {zeros}", header, rows)


def _at(curve: ProfileCurve, name: str, factor: float) -> float:
    """The share at a factor, which is that of the last jump not above it."""
    reached = [share for tau, share in zip(curve.taus, curve.shares[name], strict=True) if tau <= factor * (1 + 1e-12)]
    return reached[-1]


def _times(factor: float) -> str:
    return "∞" if factor == float("inf") else f"{number(factor)} ×"


def prices_grid(costed: Comparison) -> Grid:
    """Return at which price of one mistake the cheaper of two models turns."""
    header = (
        "model",
        "against",
        "mistake whose price turns the verdict first",
        "its price times",
        "ratio of the two prices",
    )
    rows = tuple(
        (
            label(price.primary),
            label(price.alternative),
            "–" if price.factor is None else f"{label(price.true)} taken for {label(price.predicted)}",
            number_cell(float("nan") if price.factor is None else price.factor),
            number_cell(float("nan") if price.ratio is None else price.ratio),
        )
        for price in costed.prices
    )
    return Grid("Break-even prices", header, rows, "lllrr")
