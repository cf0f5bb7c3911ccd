"""The verdict: one sentence a colleague would say.

It calls a model better only where the difference is settled, and from right/wrong − wrong/right alone. The other
measures describe the primary and are high whenever it is accurate, whoever is better.
"""

from __future__ import annotations

from collections.abc import Sequence

from tiebreak._format import certainty, counted, p_text, percent, visible
from tiebreak.comparison.kinds import KINDS, Kind
from tiebreak.comparison.models import Model
from tiebreak.comparison.pair import Pair


def verdict(
    models: Sequence[Model],
    pair: Pair,
    *,
    kind: Kind | None = None,
    weighted: bool = False,
    baseline: str | None = None,
) -> str:
    """Say who is ahead of whom, on what that rests, and how sure it is.

    Parameters
    ----------
    models : all of them
    pair : the two to speak of, the better first: the best and the next best, or the best and the baseline
    kind : the words of the task, by default those of right and wrong answers
    weighted : whether cells are sums of weights
    baseline : the only model the others were compared with

    Examples
    --------
    >>> import tiebreak as tb
    >>> print(tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")}).verdict)
    q is ahead of p, but not surely: where exactly one of them is right (3 of 5 instances) it is q 2 times and p 1 \
time, which makes 80.0 % against 60.0 %, a difference of +20.00 pp (95 % interval −35.85 to +55.66); q is truly \
better with probability 68.8 % (p = 0.62), and about 111 more instances like these would settle it.
    """
    a, b = visible(pair.primary), visible(pair.alternative)
    others = len(models) > 2
    lead = f"Of {counted(len(models))} models, {a}" if others else a
    next_best = b if not others else f"the baseline, {b}" if baseline == pair.alternative else f"the next best, {b}"
    if others and baseline == pair.primary:
        lead, next_best = f"Of {counted(len(models))} models, the baseline, {a},", f"the best of the others, {b}"
    kind = kind or KINDS["classification"]
    if pair.matrix is not None and pair.matrix.discordant == 0 and kind.unit != "own":
        right = f"{counted(pair.matrix.both_right)} of {counted(pair.matrix.n)}, {percent(_share(pair))}"
        return f"{lead} and {b} are right on the same {kind.things}s ({right}): nothing separates them here."
    level = f"{lead} and {b} are level at {kind.noun}{_said(models, pair.primary)}"
    where = _where(pair, a, b, kind.things, weighted=weighted) if kind.unit != "own" else ""
    scores = f"{kind.noun}{_said(models, pair.primary)} against {_said(models, pair.alternative)}"
    if pair.p_value != pair.p_value:
        reason = pair.undefined.get("p_value", "nothing separates them here")
        if pair.difference != pair.difference:
            return f"{lead} and {b} cannot be compared: {reason}."
        if pair.difference:
            ahead = f"{lead} is ahead of {next_best}, but how surely cannot be said"
            return f"{ahead}: {scores}, a difference of {kind.said(pair.difference)}; {reason}."
        return f"{level}: {reason}."
    if not pair.difference:
        return f"{level}{where and ': ' + where}."
    settled = _deciding(pair) < 1 - pair.difference.interval.level
    is_better = f"is better than {next_best}" if settled else f"is ahead of {next_best}, but not surely"
    shares = f"{scores}, {_difference(pair, kind)}"
    return f"{lead} {is_better}: {where}{', which makes ' if where else ''}{shares}; {_sure(pair, a)}{_more(pair)}."


def _share(pair: Pair) -> float:
    matrix = pair.prayatul
    return matrix.both_right / matrix.n


def _said(models: Sequence[Model], name: str) -> str:
    return next(model for model in models if model.name == name).said


def _where(pair: Pair, a: str, b: str, things: str, *, weighted: bool) -> str:
    """On what it rests: the instances, or pairs of them, on which exactly one of the two is right."""
    if pair.matrix is None:
        return ""
    one, other, n = pair.matrix.right_wrong, pair.matrix.wrong_right, pair.matrix.n
    share = (
        f"weight {counted(one + other)} of {counted(n)}"
        if weighted
        else f"{counted(one + other)} of {counted(n, things)}"
    )
    where = f"where exactly one of them is right ({share})"
    if one == other:
        return f"{where} it is each of them {_times(one, weighted=weighted)}"
    return f"{where} it is {a} {_times(one, weighted=weighted)} and {b} {_times(other, weighted=weighted)}"


def _times(count: float, *, weighted: bool) -> str:
    return f"with weight {counted(count)}" if weighted else counted(count, "time")


def _difference(pair: Pair, kind: Kind) -> str:
    d = pair.difference
    return f"a difference of {kind.said(d)} ({interval_words(d.interval.level)} {kind.ends(d)})"


def interval_words(level: float) -> str:
    """Return `95 % interval`.

    Examples
    --------
    >>> interval_words(0.95), interval_words(0.995)
    ('95 % interval', '99.5 % interval')
    """
    return f"{100 * level:.10g} % interval"


def _deciding(pair: Pair) -> float:
    """The p-value that decides: the adjusted one, where the pair is one of several."""
    return pair.p_value if pair.p_value_adjusted != pair.p_value_adjusted else pair.p_value_adjusted


def _sure(pair: Pair, a: str) -> str:
    alpha = 1 - pair.difference.interval.level
    p = p_text(pair.p_value, alpha)
    if pair.comparisons > 1 and pair.p_value_adjusted == pair.p_value_adjusted:
        p += f"; {p_text(pair.p_value_adjusted, alpha)} adjusted for {counted(pair.comparisons)} comparisons"
    return f"{a} is truly better with probability {certainty(pair.p_better)} ({p})"


def _more(pair: Pair) -> str:
    if not pair.more_needed:
        return ""
    more = counted(pair.more_needed, "more instance")
    return f", and about {more} like {'this' if pair.more_needed == 1 else 'these'} would settle it"
