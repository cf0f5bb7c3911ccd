"""The smallest views: a badge for a README, as shields.io draws one from JSON, and a leaderboard in Markdown."""

from __future__ import annotations

from functools import singledispatch

from tiebreak._format import counted, percent, points, visible
from tiebreak.comparison import Comparison, Gate, Model
from tiebreak.comparison.verdict import interval_words
from tiebreak.inference import Estimate
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
        return _badge("best model", f"{visible(first.name)} {_score(first.score, result)} {on}", "blue")
    tied = [model for model in result.ranked if model.tier == 1]
    if len(tied) == 1:
        return _badge("best model", f"{visible(first.name)} {_score(first.score, result)} {on}", "brightgreen")
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
    score = "accuracy" if _right(result) else "mean score"
    header = ("tier", "rank", "model", score, interval_words(result.level))
    rows = tuple(
        (_tier(model), _rank(model), label(model.name), _score(model.score, result), _ends(model.score, result))
        for model in result.ranked
    )
    title = f"{counted(len(result.models), 'model')} on {counted(result.n, 'instance')}"
    if result.settings.baseline is None:
        correction = result.settings.correction
        title += f"; a tier holds those not separable from its best ({correction}, level {result.level:g})"
    return Grid(title, header, rows, "rrlrr")


def _right(result: Comparison) -> bool:
    return result.kind.unit == "points"


def _tier(model: Model) -> str:
    return "–" if model.tier is None else str(model.tier)


def _rank(model: Model) -> str:
    if model.rank is None:
        return "–"
    low, high = model.rank
    return str(low) if low == high else f"{low}–{high}"


def _score(score: Estimate, result: Comparison) -> str:
    return percent(score) if _right(result) else f"{float(score):.4g}"


def _ends(score: Estimate, result: Comparison) -> str:
    if score.low != score.low:
        return "–"
    if _right(result):
        return f"{percent(score.low).removesuffix(' %')} to {percent(score.high)}"
    return f"{score.low:.4g} to {score.high:.4g}"
