"""How every number of the page came about: in words, with its formula."""

from __future__ import annotations

from tiebreak._format import counted, percent
from tiebreak.comparison import Comparison
from tiebreak.comparison.verdict import interval_words

_SURE = {
    "flat_posterior": "The share of right answers of one model minus that of the other, d = (RW − WR) / N, has the "
    "posterior of three multinomial shares under a flat prior. Its probability above 0, its interval and its two-sided "
    "p-value are one statement; the one-sided tail is the mid-p value of McNemar's test.",
    "cluster_t": "The standard error of a difference is taken over groups, not over instances; probability, interval and "
    "p-value are read from Student's t with as many degrees of freedom as there are groups less one.",
    "weighted_t": "The standard error of a difference is that of weighted instances; probability, interval and p-value "
    "are read from Student's t with Kish's effective number of instances.",
}
_CORRECTION = {
    "holm": "P-values are adjusted for their number by Holm's method: the smallest is multiplied by the number of "
    "comparisons, the next by one less, and so on, never below the one before.",
    "romano-wolf": "P-values are adjusted for their number by Romano and Wolf's step-down resampling, which uses how the "
    "comparisons depend on each other.",
    "none": "P-values are not adjusted for their number.",
}
_MEASURES = (
    "σ_c = (RW − WR) / (RW + WR), comparative deviation: who is right where exactly one is; its sign is that of d.",
    "α, polarization; ξ_c and ξ_e, comparative and effective rightness; φ_e, effective superiority: they describe the "
    "model from which a row is seen, and are high whenever it is accurate, whoever is better.",
)


def methods(comparison: Comparison) -> tuple[str, ...]:
    """Return the sentences about how the numbers of a comparison came about.

    Examples
    --------
    >>> import tiebreak as tb
    >>> methods(tb.compare([1, 0], {"a": [1, 1], "b": [0, 0]}))[-1]
    'Whatever is drawn at random is drawn with seed 0; the same predictions give the same page, byte for byte.'
    """
    settings = comparison.settings
    pair = comparison.pair(*(model.name for model in comparison.ranked[:2]))
    method = pair.difference.method
    found = [
        "BR, RW, WR, BW count the instances on which both models are right, only the first, only the second, neither; N "
        "is their sum. These four numbers are the Prayatul matrix of two models.",
        _SURE.get(method, f"Intervals of differences are by the method {method}."),
        f"Intervals are {interval_words(settings.level)}s, of one pair or model each. A difference is called settled where "
        f"its adjusted p-value is below {percent(1 - settings.level)}.",
        _CORRECTION.get(settings.correction, f"P-values are adjusted by {settings.correction}."),
    ]
    if settings.baseline is None:
        found.append(
            "Tiers: the first holds the models that the best is not significantly better than; the next begins with the "
            "best of the others. A rank runs from 1 + how many models are significantly better to M − how many are worse."
        )
    found += _MEASURES
    if comparison.weight is not None:
        found.append("Counts are sums of sample weights.")
    if comparison.groups is not None:
        found.append(f"Instances belong to {counted(comparison.groups, 'group')} and are not counted as independent.")
    if comparison.policy != "raise":
        meant = {"wrong": "a wrong answer", "drop": "that the instance is left out for every model"}
        found.append(f"A missing prediction means {meant.get(comparison.policy, comparison.policy)}.")
    return (
        *found,
        "More needed: how many more instances like these would settle a difference with a power of 80 %, if the observed "
        "one were the true one.",
        f"Whatever is drawn at random is drawn with seed {settings.seed}; the same predictions give the same page, byte "
        "for byte.",
    )
