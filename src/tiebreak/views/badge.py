"""The smallest views: a badge for a README, as shields.io draws one from JSON, and a leaderboard in Markdown."""

from __future__ import annotations

from functools import singledispatch

from tiebreak._format import counted, measure, number, percent, points, visible
from tiebreak.comparison import Comparison, Gate, Model
from tiebreak.comparison.verdict import interval_words
from tiebreak.inference import Estimate
from tiebreak.views.cells import number_ends, rank_text, said_score, score_words, share_ends
from tiebreak.views.grid import Grid, label

_GATES = {
    "improved": ("improved", "brightgreen"),
    "not_worse": ("not worse", "green"),
    "worse": ("worse", "red"),
    "not_enough_evidence": ("not enough evidence", "yellow"),
}
# Names in a badge, before it says how many more there are.
_NAMES = 3

Badge = dict[str, str | int]


@singledispatch
def badge(result: object) -> Badge:
    """Return a result as the JSON of a shields.io endpoint: schemaVersion, label, message, color.

    Examples
    --------
    >>> import tiebreak as tb
    >>> badge(tb.compare(["a"] * 40, {"old": ["a"] * 20 + ["b"] * 20, "new": ["a"] * 40}))["message"]
    'new 100.0 % on 40 instances'
    """
    raise TypeError(f"nothing makes a badge of a {type(result).__name__}")


@badge.register
def _(result: Comparison) -> Badge:
    """Who is not separable from the best; green where that is one model alone, blue where several share the place."""
    first = result.leader
    on = f"on {counted(result.n, 'instance')}"
    if first.tier is None:
        return _badge("best model", f"{visible(first.name)} {_score(first, result)} {on}", "blue")
    tied = [model for model in result.ranked if model.tier == 1]
    if len(tied) == 1:
        return _badge("best model", f"{visible(first.name)} {_score(first, result)} {on}", "brightgreen")
    names = ", ".join(visible(model.name, 24) for model in tied[:_NAMES])
    more = f" and {len(tied) - _NAMES} more" if len(tied) > _NAMES else ""
    return _badge("best models", f"{names}{more} not separable {on}", "blue")


@badge.register
def _(result: Gate) -> Badge:
    word, color = _GATES[result.outcome]
    if result.must_pass_failed:
        return _badge("gate", f"{word}: {counted(len(result.must_pass_failed), 'instance')} regressed", color)
    return _badge("gate", f"{word} {points(result.pair.difference, plus=True)} pp", color)


def _badge(title: str, message: str, color: str) -> Badge:
    return {"schemaVersion": 1, "label": title, "message": message, "color": color}


def leaderboard(result: Comparison) -> Grid:
    """Return the ranking alone: tier, the ranks that are possible, score and interval; `.markdown()` is for a README.

    Examples
    --------
    >>> import tiebreak as tb
    >>> print(leaderboard(tb.compare(["a"] * 40, {"old": ["a"] * 20 + ["b"] * 20, "new": ["a"] * 40})).markdown())
    **2 models on 40 instances; a tier holds those not separable from its best (holm, level 0.95)**
    <BLANKLINE>
    | tier | rank | model | accuracy | 95 % interval |
    | ---: | ---: | --- | ---: | ---: |
    | 1 | 1 | new | 100.0 % | 91.2 to 100.0 % |
    | 2 | 2 | old | 50.0 % | 35.2 to 64.8 % |
    """
    header = ("tier", "rank", "model", score_words(result.kind), interval_words(result.level))
    rows = tuple(
        (_tier(model), rank_text(model), label(model.name), _score(model, result), _ends(model, result))
        for model in result.ranked
    )
    title = f"{counted(len(result.models), 'model')} on {counted(result.n, 'instance')}"
    if result.settings.baseline is None:
        correction = result.settings.correction
        title += f"; a tier holds those not separable from its best ({correction}, level {result.level:g})"
    return Grid(title, header, rows, "rrlrr")


def _tier(model: Model) -> str:
    return "–" if model.tier is None else str(model.tier)


def _score(model: Model, result: Comparison) -> str:
    score = said_score(model)
    if result.kind.unit == "points":
        return percent(score)
    return measure(score) if result.kind.unit == "share" else number(score)


def _ends(model: Model, result: Comparison) -> str:
    score = said_score(model)
    if result.kind.unit == "points":
        return share_ends(score)
    return number_ends(score) if result.kind.unit == "own" or score.low != score.low else _measured(score)


def _measured(score: Estimate) -> str:
    return f"{measure(score.low)} to {measure(score.high)}"
