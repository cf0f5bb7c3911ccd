"""Significance marks: every model has a letter, and a row names by letter the models that it is better than."""

from __future__ import annotations

from tiebreak._format import percent
from tiebreak.comparison import Comparison

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def letter(place: int) -> str:
    """Return the letter of the model at a place: a to z, then aa, ab …

    Examples
    --------
    >>> letter(0), letter(25), letter(26), letter(51), letter(702)
    ('a', 'z', 'aa', 'az', 'aaa')
    """
    found, place = "", place + 1
    while place:
        place, last = divmod(place - 1, 26)
        found = _LETTERS[last] + found
    return found


def significance_marks(comparison: Comparison) -> tuple[str, ...]:
    """Return for every model, the best first, the letters of those that it is significantly better than.

    Letters follow the same order; a run of three or more neighbours is written as a range, `b–f`. Above 26 models the
    letters are separated by commas.

    Examples
    --------
    >>> import tiebreak as tb
    >>> significance_marks(tb.compare(["a"] * 9, {"p": ["b"] * 9, "q": ["a"] * 9}))
    ('b', '')
    """
    ranked, alpha = comparison.ranked, 1 - comparison.level
    places = [comparison.names.index(model.name) for model in ranked]
    found = []
    for rank, model in enumerate(ranked):
        adjusted = comparison.pairs.adjusted_against(model.name)
        beaten = [k for k in range(rank + 1, len(ranked)) if adjusted[places[k]] < alpha]
        found.append(_written(beaten, "," if len(ranked) > len(_LETTERS) else ""))
    return tuple(found)


def _written(places: list[int], between: str) -> str:
    runs = list[list[int]]()
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    parts = [f"{letter(run[0])}–{letter(run[-1])}" if len(run) > 3 else between.join(map(letter, run)) for run in runs]
    return (between or ("," if any("–" in part for part in parts) else "")).join(parts)


def note(comparison: Comparison) -> str:
    """Return the sentence that explains the marks."""
    adjusted = {"none": "p, not adjusted,"}.get(
        comparison.settings.correction, f"p, adjusted by {comparison.settings.correction},"
    )
    return (
        f"Raised letters name the models that a row is significantly better than ({adjusted} below "
        f"{percent(1 - comparison.level)})."
    )
