"""Losses become a comparison: means with their doubt, how often a model is near the best, and what was missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tiebreak._format import counted, listed
from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.curves import ProfileCurve
from tiebreak.comparison.doubts import NO_SPREAD, Doubts, Settings
from tiebreak.comparison.kinds import kind_of
from tiebreak.comparison.measured import Numbered
from tiebreak.comparison.numeric import NumberCells, cells_within
from tiebreak.comparison.pairs import CountedPairs
from tiebreak.inference import evidence_of_scores
from tiebreak.measures import (
    bias,
    mean_absolute_error,
    mean_squared_error,
    root_mean_squared_error,
    share_within,
    solved,
    wins,
)
from tiebreak.profiles import performance_profile
from tiebreak.sources import Opened
from tiebreak.tables import Losses, LossSums


def compared_numbers(
    losses: Losses | LossSums,
    source: Opened | None = None,
    *,
    settings: Settings | None = None,
    notes: Sequence[str] = (),
    task: str | None = None,
) -> Comparison:
    """Turn numbers into a comparison of their means.

    Examples
    --------
    >>> losses = Losses(("a", "b"), np.array([[0.1, -0.4], [-0.2, 0.4], [0.3, 0.1]]), kind="residuals")
    >>> round(compared_numbers(losses).pair("a", "b").difference, 6)
    0.1
    """
    settings = (settings or Settings()).checked(losses.models)
    evidence = evidence_of_scores(losses, settings.loss)
    doubts = Doubts(losses.models, evidence, settings, _no_spread_of_numbers(losses))
    curve, about_profile = _curve(losses, settings)
    task = task or ("scores" if losses.kind == "scores" else "regression")
    cells = NumberCells(evidence, cells_within(losses, settings.tolerance))
    return Comparison(
        task=task,
        truth=None if source is None else source.roles.truth,
        n=losses.n,
        labels=(),
        models=_numbered(losses, doubts, curve),
        pairs=CountedPairs(doubts, cells, kind=kind_of(task, settings.loss)),
        settings=settings,
        policy="raise" if source is None else source.ask.missing,
        excluded=losses.excluded,
        weight=losses.total if losses.weighted else None,
        groups=_groups_of(losses),
        warnings=(*notes, *_lacking(losses, source), *about_profile, *doubts.warnings()),
        curve=curve,
        table=losses,
        source=source,
    )


def _groups_of(losses: Losses | LossSums) -> int | None:
    if losses.groups is None:
        return None
    return len(losses.names) if isinstance(losses, Losses) else losses.groups.groups


def _no_spread_of_numbers(losses: Losses | LossSums) -> str:
    failed = [name for name, share in zip(losses.models, solved(losses).tolist(), strict=True) if share < 1]
    if failed:
        return f"no mean, because numbers are missing ({listed(failed)}): leave these instances out with --missing drop"
    return NO_SPREAD


def _curve(losses: Losses | LossSums, settings: Settings) -> tuple[ProfileCurve | None, Sequence[str]]:
    """The profile of losses, or of scores that have a ratio; its warnings are the comparison's."""
    lowest = losses.lowest if isinstance(losses, LossSums) else float(np.nanmin(losses.values, initial=np.inf))
    if not losses.lower_is_better and lowest < 0:
        return None, [f"scores go down to {lowest:g}, so there is no ratio to the best and no performance profile"]
    profile = performance_profile(losses, floor=settings.floor)
    return ProfileCurve.of(profile), profile.warnings


def _numbered(losses: Losses | LossSums, doubts: Doubts, curve: ProfileCurve | None) -> tuple[Numbered, ...]:
    measured = _measures_of(losses, doubts.settings.tolerance)
    winning, with_number = wins(losses).tolist(), solved(losses).tolist()
    lower, missing = losses.lower_is_better, losses.missing or (0,) * len(losses.models)
    return tuple(
        Numbered(
            **common,
            missing=missing[place],
            measures={name: values[place] for name, values in measured.items()},
            wins=winning[place],
            area=float("nan") if curve is None else curve.area[common["name"]],
            solved=with_number[place],
            reasons=_why(common, measured, place, curve, doubts.no_spread),
            lower_is_better=lower,
        )
        for place, common in enumerate(doubts.models())
    )


def _measures_of(losses: Losses | LossSums, tolerance: float | None) -> dict[str, list[float]]:
    found: dict[str, Any] = {}
    if losses.kind == "residuals":
        found = {
            "mean_absolute_error": mean_absolute_error(losses),
            "mean_squared_error": mean_squared_error(losses),
            "root_mean_squared_error": root_mean_squared_error(losses),
            "bias": bias(losses),
        }
    if tolerance is not None:
        found["share_within"] = share_within(losses, tolerance)
    return {name: values.tolist() for name, values in found.items()}


def _why(
    common: Mapping[str, Any], measured: Mapping[str, list[float]], place: int, curve: ProfileCurve | None, reason: str
) -> dict[str, str]:
    """The reasons of what has no value in one model's record."""
    found = {name: reason for name, values in measured.items() if values[place] != values[place]}
    mean = {"value": common["score"].value, "low": common["score"].low, "high": common["score"].high}
    found |= {f"mean.{end}": reason for end, value in mean.items() if value != value}
    return found if curve is not None else found | {"area": "scores below 0 have no ratio to the best"}


def _lacking(losses: Losses | LossSums, source: Opened | None) -> list[str]:
    """What a reader should know about missing numbers."""
    lacking = [f"{m} {counted(k)}" for m, k in zip(losses.models, losses.missing, strict=False) if k]
    if losses.excluded:
        left_out = f"{counted(losses.excluded, 'instance')} of {counted(losses.n + losses.excluded)}"
        return [f"{left_out} left out for every model, because a number is missing: {listed(lacking)}"]
    if not lacking or source is None:
        return []
    meaning = "count as a score of 0" if losses.kind == "scores" else "count as failures, which leaves no mean"
    return [f"missing numbers {meaning}: {listed(lacking)}"]
