"""How every number of the page came about: in words, with its formula."""

from __future__ import annotations

from collections.abc import Iterator

from tiebreak._format import counted, percent
from tiebreak.comparison import Classified, Comparison
from tiebreak.comparison.verdict import interval_words

_CELLS = (
    "BR, RW, WR and BW count the instances on which both models are right, only the first, only the second, neither; "
    "N is their sum. These four numbers are the Prayatul matrix of two models. d = (RW − WR) / N is the difference of "
    "their accuracies."
)
_NUMBERS = "A difference is the mean over the instances of how much better the first model does; above 0 it is better."
_OF_PAIRS = (
    "A clustering is right about a pair if it puts the two together where the truth "
    "does, and apart where it does. The Rand index is the share of pairs that are right."
)
_BARE_CELLS = _CELLS.partition(" d = ")[0]
_PAIR_CELLS = _BARE_CELLS.replace("instances", "pairs of instances")
_SURE = {
    "t": (
        "The standard error of a difference is that of the instances' differences; probability, interval and p-value "
        "are read from Student's t."
    ),
    "u_statistic": (
        "Pairs that share an instance are not independent: the standard error of a difference is that of a U-statistic "
        "over instances; probability, interval and p-value are read from the normal law."
    ),
    "flat_posterior": (
        "The difference d has the posterior of three multinomial shares, RW, WR and the rest, under a flat prior. Its "
        "probability above 0, its interval and its two-sided p-value are one statement; the one-sided tail is the "
        "mid-p value of McNemar's test."
    ),
    "cluster_t": (
        "The standard error of a difference is taken over groups, not over instances; probability, interval and "
        "p-value are read from Student's t."
    ),
    "weighted_t": (
        "The standard error of a difference is that of weighted instances; probability, interval and p-value are read "
        "from Student's t."
    ),
}
_CORRECTION = {
    "holm": (
        "P-values are adjusted for their number by Holm's method: the smallest is multiplied by the number of "
        "comparisons, the next by one less, and so on, never below the one before."
    ),
    "romano-wolf": (
        "P-values are adjusted for their number by Romano and Wolf's step-down resampling, which uses how the "
        "comparisons depend on each other."
    ),
    "none": "P-values are not adjusted for their number.",
}
_TIERS = (
    "Tiers: the first holds the models that the best is not significantly better than; the next begins with the best "
    "of the others. A rank runs from 1 + how many models are significantly better to M − how many are worse."
)
_DEVIATION = (
    "Comparative deviation σ_c = (RW − WR) / (RW + WR): who is right where exactly one of the two is. Its sign, which "
    "is that of d, says who is better."
)
_OTHERS = (
    "Polarization α = (BR + RW − BW) / N; comparative rightness ξ_c = (BR + RW) / (BR + RW + WR); effective rightness "
    "ξ_e = 2 ξ_c − 1; effective superiority φ_e = (BR + RW − WR) / N. They describe the model they are seen from and "
    "are high whenever it is accurate, whoever is better."
)
_R_PRIME = (
    "R′ of a class = a / m − s / N + m / N, where a of its m instances are right and it is predicted s times: its "
    "recall, plus what it is predicted too rarely. R′ of the whole is 1 − wrong / N."
)
_CLASSES = (
    "Where two models differ by class, intervals are paired, from the joint counts, and p-values are adjusted for the "
    "number of classes by Holm's method."
)
_COST = (
    "The cost of a model is the mean price of its answers. The break-even price is the factor by which the price of "
    "one mistake must change for two models to cost the same; in the profile of costs a right answer costs 1."
)
_PROFILE = (
    "Profile: ρ(τ) is the share of instances on which a model's loss is at most τ times the smallest loss of the pool, "
    "or its score at least the best over τ. The area is that below ρ over ln τ, from 1 to 10, as a share."
)
AGREEMENT = (
    "Rand index: the share of pairs of instances that two clusterings put both together or both apart.",
    (
        "Chance is what the Rand index would be if one clustering's labels were shuffled; adjusted Rand puts chance at "
        "0 and equality at 1."
    ),
    "NMI is the information that two clusterings share over the mean of their entropies; AMI is adjusted for chance.",
)
_MORE = (
    "More needed: how many more instances like these would settle a difference with a power of 80 %, if the observed "
    "one were the true one."
)


def methods(comparison: Comparison) -> tuple[str, ...]:
    """Return the sentences about how the numbers of a comparison came about.

    Examples
    --------
    >>> import tiebreak as tb
    >>> methods(tb.compare([1, 0], {"a": [1, 1], "b": [0, 0]}))[-1]
    'Whatever is drawn at random is drawn with seed 0: the same predictions give the same page, byte for byte.'
    """
    return tuple(_sentences(comparison))


def _sentences(comparison: Comparison) -> Iterator[str]:
    settings, (best, second, *_) = comparison.settings, comparison.ranked
    pair = comparison.pair(best.name, settings.baseline if settings.baseline not in {None, best.name} else second.name)
    method = pair.difference.method
    if comparison.kind.unit == "own":
        yield _NUMBERS
    if pair.matrix is not None:
        yield {"points": _CELLS, "share": _PAIR_CELLS}.get(comparison.kind.unit, _BARE_CELLS)
    if comparison.task == "clustering":
        yield _OF_PAIRS
    yield _SURE.get(method, f"Intervals of differences are by the method {method}.")
    alpha = percent(1 - settings.level)
    yield (
        f"Intervals are {interval_words(settings.level)}s, each of one pair or model. A difference is called settled "
        f"where its adjusted p-value is below {alpha}."
    )
    yield _CORRECTION.get(settings.correction, f"P-values are adjusted by {settings.correction}.")
    if settings.baseline is None:
        yield _TIERS
    if pair.matrix is not None:
        yield _DEVIATION
        yield _OTHERS
    if any(isinstance(model, Classified) for model in comparison.models):
        yield _R_PRIME
        yield _CLASSES
    if comparison.costed is not None:
        yield _COST
    if comparison.curve is not None or comparison.costed is not None:
        yield _PROFILE
    if comparison.task == "clustering":
        yield from AGREEMENT
    yield from _about_data(comparison)
    yield _MORE
    seed = f"Whatever is drawn at random is drawn with seed {settings.seed}"
    yield f"{seed}: the same predictions give the same page, byte for byte."


def _about_data(comparison: Comparison) -> Iterator[str]:
    if comparison.weight is not None:
        yield "Counts are sums of sample weights."
    if comparison.groups is not None:
        yield f"Instances belong to {counted(comparison.groups, 'group')} and are not counted as independent."
    meant = {"wrong": "a wrong answer", "drop": "that the instance is left out for every model"}
    if comparison.policy in meant:
        yield f"A missing prediction means {meant[comparison.policy]}."
