"""The JSON document of a comparison: numbers are numbers, undefined is null, and `undefined` says why."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tiebreak._version import __version__
from tiebreak.comparison.agreement import read_agreement
from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.costing import Price
from tiebreak.comparison.curves import ProfileCurve
from tiebreak.comparison.doubts import BASELINE_ONLY, Settings
from tiebreak.comparison.entries import estimate_entry, number_entry, plain_label, read_estimate, read_number
from tiebreak.comparison.kinds import KINDS, kind_of
from tiebreak.comparison.measured import Clustered, Numbered, negated
from tiebreak.comparison.models import Classified, Judged, Model, read_confusion, undefined_estimates
from tiebreak.comparison.pair import Pair
from tiebreak.comparison.pairs import RecordedPairs
from tiebreak.comparison.prayatul import PrayatulMatrix
from tiebreak.comparison.probabilities import ModelProbabilities, PairProbabilities
from tiebreak.comparison.slicing import read_slices, slices_entry
from tiebreak.comparison.strata import Stratified
from tiebreak.errors import TiebreakError
from tiebreak.inference import CochranQ, Interval, PriorScale, Rope
from tiebreak.measures import MEASURES, NO_PAIR_TOGETHER, Pool
from tiebreak.tables import CELLS, NEEDS_OUTCOMES

SCHEMA = 1
# Up to here every ordered pair is listed; above, those with the leader.
MOST_MODELS_OF_ALL_PAIRS = 100

_DIVERSITY = {
    "yule_q": "both products of the cells are 0",
    "phi": "a model is right on every instance or on none",
}
_ENDLESS = "somewhere it has no number, or is above 0 where the best is 0: no factor is large enough"
NO_CURVE = "one model's area has no standard error here; the models' entries say why"
NO_LABELS = "only labels can be wrong in the same way"
_DOUBT = ("p_better", "p_value", "p_value_adjusted", "mcnemar_exact_p", "trace_superiority")
_CURVES = ("roc_auc", "average_precision", "log_loss", "brier")
_COMMON = ("model", "n", "tier", "separable_from_best", "rank", "p_best", "p_best_error")
_SETTINGS = ("baseline", "correction", "interval", "rope", "tau", "loss", "tolerance", "noise", "floor")


def to_dict(comparison: Comparison, *, all_pairs: bool = False) -> dict[str, Any]:
    """Return the document of a comparison.

    Examples
    --------
    >>> import tiebreak as tb
    >>> tb.compare([1, 0], {"a": [1, 1], "b": [0, 0]}).to_dict()["pairs"][0]["right_wrong"]
    1
    """
    settings, undefined = comparison.settings, list[dict[str, str]]()
    pairs, curve = listed_pairs(comparison, all_pairs=all_pairs), comparison.curve
    endless = [] if curve is None else [name for name, worst in curve.never_more_than.items() if math.isinf(worst)]
    undefined += [{"path": f"profile.never_more_than.{name}", "reason": _ENDLESS} for name in endless]
    return {
        "schema": SCHEMA,
        "tiebreak": __version__,
        "task": comparison.task,
        "truth": comparison.truth,
        "n": comparison.n,
        "weight": comparison.weight,
        "groups": comparison.groups,
        "level": settings.level,
        "seed": settings.seed,
        **{name: getattr(settings, name) for name in _SETTINGS},
        "verdict": comparison.verdict,
        "warnings": list(comparison.warnings),
        "labels": [plain_label(label) for label in comparison.labels],
        "missing": {
            "policy": comparison.policy,
            "counts": {model.name: model.missing for model in comparison.models},
        },
        "excluded": comparison.excluded,
        "models": [_model(model, f"models[{place}]", undefined) for place, model in enumerate(comparison.models)],
        "pool": None if comparison.pool is None else _pool(comparison.pool),
        "cochran_q": _cochran_q(comparison.cochran_q),
        "comparisons": pairs[0].comparisons,
        "pairs": [_pair(pair, f"pairs[{place}]", undefined) for place, pair in enumerate(pairs)],
        "profile": None if curve is None else curve.entry(),
        **({"slices": slices_entry(comparison.slices)} if comparison.slices else {}),
        **({} if comparison.strata is None else {"strata": comparison.strata.entry()}),
        **({} if comparison.costed is None else {"cost": to_dict(comparison.costed, all_pairs=all_pairs)}),
        **({"break_even": [price.entry() for price in comparison.prices]} if comparison.task == "cost" else {}),
        "undefined": undefined,
    }


def _pool(pool: Pool) -> dict[str, Any]:
    return {"oracle": pool.oracle, "all_right": pool.all_right, "difficulty": list(pool.difficulty)}


def listed_pairs(comparison: Comparison, *, all_pairs: bool = False) -> list[Pair]:
    """Return every ordered pair that is compared, or above 100 models those with the leader.

    Examples
    --------
    >>> import tiebreak as tb
    >>> len(listed_pairs(tb.compare([1, 0], {"a": [1, 1], "b": [0, 0]})))
    2
    """
    leader = comparison.leader.name
    some_only = len(comparison.models) > MOST_MODELS_OF_ALL_PAIRS and not all_pairs
    return comparison.pairs.many(
        [
            (primary, alternative)
            for primary in comparison.names
            for alternative in comparison.names
            if primary != alternative
            and (not some_only or leader in {primary, alternative})
            and comparison.pairs.known(primary, alternative)
        ]
    )


def _model(model: Model, path: str, undefined: list[dict[str, str]]) -> dict[str, Any]:
    entry = {
        "model": model.name,
        "n": model.n,
        **(model.facts() if model.recorded is None else model.recorded),
        "tier": model.tier,
        "separable_from_best": model.separable_from_best,
        "rank": None if model.rank is None else {"low": model.rank[0], "high": model.rank[1]},
        "p_best": number_entry(model.p_best),
        "p_best_error": number_entry(model.p_best_error),
    }
    reasons = dict(model.undefined)
    if model.tier is None:
        why = reasons.get("mean.value", BASELINE_ONLY)
        reasons |= dict.fromkeys(("tier", "separable_from_best", "rank"), why)
    undefined += [{"path": f"{path}.{name}", "reason": reason} for name, reason in reasons.items()]
    return entry


def _cochran_q(test: CochranQ | None) -> dict[str, Any] | None:
    return None if test is None else {"statistic": test.statistic, "df": test.df, "p_value": test.p_value}


def _pair(pair: Pair, path: str, undefined: list[dict[str, str]]) -> dict[str, Any]:
    entry: dict[str, Any] = {"primary": pair.primary, "alternative": pair.alternative}
    reasons = dict(pair.undefined)
    if pair.matrix is not None:
        entry |= _table(pair.matrix, reasons, NEEDS_OUTCOMES if pair.tally is not None else NO_LABELS)
    entry["difference"] = estimate_entry(pair.difference)
    entry |= {name: number_entry(getattr(pair, name)) for name in _DOUBT}
    entry["more_needed"] = pair.more_needed
    entry |= _asked(pair)
    if pair.agreement is not None:
        entry["agreement"] = pair.agreement.facts()
        lacking = [name for name, value in entry["agreement"].items() if value is None]
        reasons |= {f"agreement.{name}": NO_PAIR_TOGETHER for name in lacking}
    if pair.probabilities is not None:
        entry["probabilities"] = pair.probabilities.entry()
        unknown = undefined_estimates(entry["probabilities"], NO_CURVE)
        reasons |= {f"probabilities.{name}": reason for name, reason in unknown.items()}
    if pair.difference != pair.difference:
        reasons["difference.value"] = reasons["p_value"]
    undefined += [{"path": f"{path}.{name}", "reason": reason} for name, reason in reasons.items()]
    return entry


def _table(matrix: PrayatulMatrix, reasons: dict[str, str], no_same: str) -> dict[str, Any]:
    """The four cells and everything that follows from them."""
    measures = matrix.measures()
    entry: dict[str, Any] = {cell: getattr(matrix, cell) for cell in CELLS}
    entry["both_wrong_same"] = matrix.both_wrong_same
    entry |= {name: number_entry(getattr(measures, name)) for name in MEASURES}
    entry |= {"disagreement": matrix.disagreement, "double_fault": matrix.double_fault}
    entry |= {name: number_entry(getattr(matrix, name)) for name in _DIVERSITY}
    reasons |= {**measures.undefined, **{name: why for name, why in _DIVERSITY.items() if entry[name] is None}}
    if matrix.both_wrong_same is None:
        reasons["both_wrong_same"] = no_same
    return entry


def _asked(pair: Pair) -> dict[str, Any]:
    """What stands in a pair only because it was asked for."""
    found: dict[str, Any] = {}
    if pair.rope is not None:
        names = ("half_width", "p_better", "p_equivalent", "p_worse")
        found["rope"] = {name: getattr(pair.rope, name) for name in names}
    if pair.prior_scale is not None:
        scaled = pair.prior_scale
        ends = {"low": scaled.interval.low, "high": scaled.interval.high, "method": scaled.interval.method}
        found["prior_scale"] = {"tau": scaled.tau, "p_better": scaled.p_better, **ends}
    return found


def from_dict(document: Any) -> Comparison:
    """Rebuild a comparison from its document.

    Examples
    --------
    >>> import tiebreak as tb
    >>> document = tb.compare([1, 0], {"a": [1, 1], "b": [0, 0]}).to_dict()
    >>> from_dict(document).to_dict() == document
    True
    """
    schema = document.get("schema") if isinstance(document, Mapping) else None
    if schema != SCHEMA:
        raise TiebreakError(f"schema is {schema!r}: this version reads documents of schema {SCHEMA}")
    try:
        return _rebuilt(document)
    except (KeyError, TypeError) as error:
        raise TiebreakError(
            f"the document is not what to_dict writes: {error!s} is missing or of another type"
        ) from None


def _rebuilt(document: Mapping[str, Any]) -> Comparison:
    settings = Settings(document["level"], document["seed"], **{name: document[name] for name in _SETTINGS})
    missing, test, curve = document["missing"], document["cochran_q"], document["profile"]
    reasons = _reasons(document)
    models = tuple(
        _read_model(entry, document, settings, reasons.get(f"models[{place}]", {}))
        for place, entry in enumerate(document["models"])
    )
    return Comparison(
        task=document["task"],
        truth=document["truth"],
        n=document["n"],
        labels=tuple(document["labels"]),
        models=models,
        pairs=_read_pairs(document, tuple(model.name for model in models), settings),
        pool=None if document["pool"] is None else _read_pool(document),
        settings=settings,
        cochran_q=None if test is None else CochranQ(test["statistic"], test["df"], test["p_value"]),
        policy=missing["policy"],
        excluded=document["excluded"],
        weight=document["weight"],
        groups=document["groups"],
        curve=None if curve is None else ProfileCurve.read(curve),
        costed=_rebuilt(document["cost"]) if "cost" in document else None,
        slices=read_slices(document.get("slices", ()), settings.level),
        strata=Stratified.read(document["strata"], settings.level) if "strata" in document else None,
        prices=tuple(Price(**entry) for entry in document.get("break_even", ())),
        warnings=tuple(document["warnings"]),
    )


def _read_pool(document: Mapping[str, Any]) -> Pool:
    rights, wrongs = (tuple(entry[name] for entry in document["models"]) for name in ("unique_rights", "unique_wrongs"))
    return Pool(rights, wrongs, tuple(document["pool"]["difficulty"]))


def _reasons(document: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The reasons of what is undefined, by the entry that they belong to."""
    found: dict[str, dict[str, str]] = {}
    for entry in document["undefined"]:
        owner, _, name = entry["path"].partition(".")
        found.setdefault(owner, {})[name] = entry["reason"]
    return found


def _read_model(
    entry: Mapping[str, Any], document: Mapping[str, Any], settings: Settings, reasons: Mapping[str, str]
) -> Model:
    common = _read_common(entry, document["missing"]["counts"])
    if document["task"] == "clustering":
        score = read_estimate(entry["rand"], settings.level)
        return Clustered.read(entry, common | {"score": score}, document["truth"])
    if document["task"] in KINDS and KINDS[document["task"]].unit == "own":
        mean, lower = read_estimate(entry["mean"], settings.level), document["task"] != "scores"
        score = negated(mean) if lower else mean
        own = {name: reason for name, reason in reasons.items() if name not in _COMMON}
        return Numbered.read(entry, common | {"score": score, "reasons": own}, lower=lower)
    facts = common | {name: entry[name] for name in ("right", "unique_rights", "unique_wrongs")}
    facts["score"] = read_estimate(entry["accuracy"], settings.level)
    if "confusion" not in entry:
        return Judged(**facts)
    return Classified(
        **facts,
        counted=partial(read_confusion, entry["confusion"]),
        probabilities=ModelProbabilities.read(entry, settings.level) if "roc_auc" in entry else None,
        no_curve=next((reason for name, reason in reasons.items() if name.startswith(_CURVES)), ""),
    )


def _read_common(entry: Mapping[str, Any], missing: Mapping[str, int]) -> dict[str, Any]:
    """What every model's record holds, whatever the task."""
    best, rank = (read_number(entry["p_best"]), read_number(entry["p_best_error"])), entry["rank"]
    return {
        "name": entry["model"],
        "n": entry["n"],
        "missing": missing[entry["model"]],
        "tier": entry["tier"],
        "separable_from_best": entry["separable_from_best"],
        "rank": None if rank is None else (rank["low"], rank["high"]),
        "drawn": partial(tuple, best),
        "recorded": {name: value for name, value in entry.items() if name not in _COMMON},
    }


def _read_pairs(document: Mapping[str, Any], names: tuple[str, ...], settings: Settings) -> RecordedPairs:
    reasons = _reasons(document)
    records = [
        _read_pair(entry, document, settings, reasons.get(f"pairs[{place}]", {}))
        for place, entry in enumerate(document["pairs"])
    ]
    return RecordedPairs(names, {(pair.primary, pair.alternative): pair for pair in records})


def _read_pair(
    entry: Mapping[str, Any], document: Mapping[str, Any], settings: Settings, reasons: Mapping[str, str]
) -> Pair:
    known = (*CELLS, "both_wrong_same", "primary", "alternative")
    matrix = PrayatulMatrix(**{name: entry[name] for name in known}) if "both_right" in entry else None
    rope, scaled, agreed = entry.get("rope"), entry.get("prior_scale"), entry.get("agreement")
    graded = entry.get("probabilities")
    return Pair(
        entry["primary"],
        entry["alternative"],
        read_estimate(entry["difference"], settings.level),
        p_better=read_number(entry["p_better"]),
        p_value=read_number(entry["p_value"]),
        p_value_adjusted=read_number(entry["p_value_adjusted"]),
        comparisons=document["comparisons"],
        mcnemar_exact_p=read_number(entry["mcnemar_exact_p"]),
        trace_superiority=read_number(entry["trace_superiority"]),
        more_needed=entry["more_needed"],
        rope=None if rope is None else Rope(**rope),
        prior_scale=None if scaled is None else _read_prior_scale(scaled, settings.level),
        undefined={name: reason for name, reason in reasons.items() if name in _of_the_doubt(reasons)},
        matrix=matrix,
        agreement=None if agreed is None else read_agreement(entry["primary"], entry["alternative"], agreed),
        kind=kind_of(document["task"], settings.loss),
        probabilities=None if graded is None else PairProbabilities.read(graded, settings.level),
    )


def _of_the_doubt(reasons: Mapping[str, str]) -> Sequence[str]:
    """The reasons that belong to the pair itself; those of its table are found again from the table."""
    return [name for name in reasons if name.split(".")[0] in {*_DOUBT, "difference", "more_needed"}]


def _read_prior_scale(entry: Mapping[str, Any], level: float) -> PriorScale:
    interval = Interval(entry["low"], entry["high"], level, entry["method"])
    return PriorScale(entry["tau"], entry["p_better"], interval)
