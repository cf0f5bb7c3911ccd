"""A tally becomes a comparison: who is right where the other is wrong, how sure that is, and who stands where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tiebreak._format import counted, listed, percent, quoted, visible
from tiebreak.comparison.cells import BOOTSTRAPS, TallyCells
from tiebreak.comparison.comparison import Comparison, weight_as_key
from tiebreak.comparison.confusion import ConfusionMatrix
from tiebreak.comparison.doubts import Doubts, Settings
from tiebreak.comparison.models import Classified, Judged
from tiebreak.comparison.pairs import CountedPairs
from tiebreak.comparison.probabilities import Probabilities
from tiebreak.errors import NotDefined
from tiebreak.inference import CochranQ, cochran_q, evidence_of
from tiebreak.measures import Pool, pool
from tiebreak.sources import MISSING_SPELLINGS, Opened
from tiebreak.tables import Scores, Tally


def compared(
    tally: Tally,
    source: Opened | None = None,
    *,
    settings: Settings | None = None,
    notes: Sequence[str] = (),
    scores: Scores | None = None,
) -> Comparison:
    """Turn a tally into a comparison.

    Examples
    --------
    >>> tally = Tally.of({("cat", "cat", "dog"): 3, ("dog", "dog", "dog"): 5}, models=("knn", "tree"))
    >>> compared(tally).model("knn").accuracy
    1.0
    """
    settings = (settings or Settings()).checked(tally.models)
    bits, mass = tally.patterns()
    together = pool(bits, mass.amounts)
    _refuse_interval(settings.interval, tally)
    graded = None if scores is None else Probabilities(scores, settings.level)
    doubts = Doubts(tally.models, evidence_of(tally), settings)
    policy = "raise" if source is None else source.ask.missing
    return Comparison(
        task="correct" if tally.truth is None else "classification",
        truth=tally.truth,
        n=tally.n,
        labels=tally.labels,
        models=_models(tally, doubts, together, graded),
        pairs=CountedPairs(
            doubts, TallyCells(tally, partial(weight_as_key, tally, source)), tally, probabilities=graded
        ),
        pool=together,
        settings=settings,
        cochran_q=_cochran_q(tally, together),
        policy=policy,
        excluded=tally.excluded,
        weight=tally.total if tally.weighted else None,
        groups=None if tally.crossing is None else tally.crossing.size,
        warnings=(*notes, *_warnings(tally, policy), *_about_matrices(tally, policy), *doubts.warnings()),
        table=tally,
        scores=scores,
        source=source,
    )


def _refuse_interval(method: str | None, tally: Tally) -> None:
    """Some intervals are of counts of independent instances; bootstraps are of anything."""
    if method is None or method in BOOTSTRAPS or not (tally.weighted or tally.crossing is not None):
        return
    raise NotDefined(
        f"interval is {quoted(method)}, which is of independent instances that count alike, and these are "
        f"{'weighted' if tally.weighted else 'grouped'}: use {' or '.join(BOOTSTRAPS)}, or leave it out"
    )


def _models(tally: Tally, doubts: Doubts, together: Pool, graded: Probabilities | None) -> tuple[Judged, ...]:
    right = tally.right_counts().tolist()
    own = [
        {
            **common,
            "missing": tally.missing[place],
            "right": right[place],
            "unique_rights": together.unique_rights[place],
            "unique_wrongs": together.unique_wrongs[place],
        }
        for place, common in enumerate(doubts.models())
    ]
    if tally.truth is None:
        return tuple(Judged(**facts) for facts in own)
    return tuple(
        Classified(
            **facts,
            counted=_confusion_of(tally, facts["name"]),
            probabilities=None if graded is None else graded.model(facts["name"]),
            no_curve="" if graded is None else graded.reason,
        )
        for facts in own
    )


def _confusion_of(tally: Tally, model: str) -> Callable[[], ConfusionMatrix]:
    """Return what makes a model's confusion matrix."""
    return partial(_matrix_of, tally, model)


def _matrix_of(tally: Tally, model: str) -> ConfusionMatrix:
    return ConfusionMatrix(tally.confusion(model), tally.labels)


def _cochran_q(tally: Tally, together: Pool) -> CochranQ | None:
    if tally.weighted or tally.crossing is not None:
        return None
    # Shares of whole instances: their products with n are whole again.
    by_rights = [round(share * tally.n) for share in reversed(together.difficulty)]
    return cochran_q(tally.right_counts(), by_rights)


def _about_matrices(tally: Tally, policy: str) -> list[str]:
    """What the confusion matrices warn of: a single class, and models that keep silent."""
    if tally.truth is None:
        return []
    found = []
    if any(tally.missing) and policy != "drop":
        answered = [
            f"{visible(name)} {percent(1 - absent / tally.n)}"
            for name, absent in zip(tally.models, tally.missing, strict=True)
            if absent
        ]
        found.append(f"R′ counts an abstention as a success, so it ranks no model here; coverage: {listed(answered)}")
    true = ConfusionMatrix(tally.confusion(tally.models[0]), tally.labels).margins.true
    if tally.n > 1 and (true > 0).sum() == 1 and len(tally.labels) > 1:
        only = tally.labels[int(true.argmax())]
        found.append(f"every instance belongs to the class {quoted(only)}, whose R′ is 1 whatever is missed")
    return found


def _warnings(tally: Tally, policy: str) -> list[str]:
    """What a reader should know before quoting a number."""
    found = []
    lacking = [f"{model} {counted(count)}" for model, count in zip(tally.models, tally.missing, strict=True) if count]
    if lacking and policy == "wrong":
        found.append(f"missing predictions count as wrong: {listed(lacking)}")
    spelled = [label for label in tally.labels if isinstance(label, str) and label.lower() in MISSING_SPELLINGS]
    if spelled:
        found.append(f"{listed(spelled)} counts as a class; if it means missing, say so with --na (na= in Python)")
    if tally.excluded:
        found.append(
            f"{counted(tally.excluded, 'instance')} of {counted(tally.n + tally.excluded)} left out for every model, "
            f"because a prediction is missing: {listed(lacking)}"
        )
    return found
