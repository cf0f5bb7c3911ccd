"""The JSON document of a comparison: numbers are numbers, undefined is null, and `undefined` says why."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tiebreak._version import __version__
from tiebreak.comparison.comparison import Comparison
from tiebreak.comparison.prayatul import PrayatulMatrix
from tiebreak.comparison.results import Model, Pair, PairTable
from tiebreak.errors import TiebreakError
from tiebreak.measures import MEASURES, Pool
from tiebreak.tables import CELLS, NEEDS_OUTCOMES

SCHEMA = 1
# Up to here every ordered pair is listed; above, those with the leader.
MOST_MODELS_OF_ALL_PAIRS = 100

_DIVERSITY = {
    "yule_q": "both products of the cells are 0",
    "phi": "a model is right on every instance or on none",
}


def to_dict(comparison: Comparison, *, all_pairs: bool = False) -> dict[str, Any]:
    """Return the document of a comparison.

    Examples
    --------
    >>> import tiebreak as tb
    >>> tb.compare([1, 0], {"a": [1, 1], "b": [0, 0]}).to_dict()["pairs"][0]["right_wrong"]
    1
    """
    undefined: list[dict[str, str]] = []
    return {
        "schema": SCHEMA,
        "tiebreak": __version__,
        "task": comparison.task,
        "truth": comparison.truth,
        "n": comparison.n,
        "weight": comparison.weight,
        "level": comparison.level,
        "seed": comparison.seed,
        "verdict": comparison.verdict,
        "warnings": list(comparison.warnings),
        "labels": [_plain(label) for label in comparison.labels],
        "missing": {
            "policy": comparison.policy,
            "counts": {model.name: model.missing for model in comparison.models},
        },
        "excluded": comparison.excluded,
        "models": [_model(model) for model in comparison.models],
        "pool": {
            "oracle": comparison.pool.oracle,
            "all_right": comparison.pool.all_right,
            "difficulty": list(comparison.pool.difficulty),
        },
        "pairs": [
            _pair(pair, f"pairs[{place}]", undefined)
            for place, pair in enumerate(listed_pairs(comparison, all_pairs=all_pairs))
        ],
        "undefined": undefined,
    }


def listed_pairs(comparison: Comparison, *, all_pairs: bool = False) -> Iterator[Pair]:
    """Yield every ordered pair, or above 100 models those with the leader.

    Examples
    --------
    >>> import tiebreak as tb
    >>> len(list(listed_pairs(tb.compare([1, 0], {"a": [1, 1], "b": [0, 0]}))))
    2
    """
    leader = comparison.leader.name
    some_only = len(comparison.models) > MOST_MODELS_OF_ALL_PAIRS and not all_pairs
    for primary in comparison.names:
        for alternative in comparison.names:
            known = comparison.pairs.cells[comparison.pairs.index(primary), comparison.pairs.index(alternative), 0]
            listed = not some_only or leader in {primary, alternative}
            if primary != alternative and listed and known == known:
                yield comparison.pairs.pair(primary, alternative)


def _model(model: Model) -> dict[str, Any]:
    return {
        "model": model.name,
        "n": model.n,
        "right": model.right,
        "accuracy": {"value": model.accuracy},
        "unique_rights": model.unique_rights,
        "unique_wrongs": model.unique_wrongs,
    }


def _pair(pair: Pair, path: str, undefined: list[dict[str, str]]) -> dict[str, Any]:
    matrix, measures = pair.prayatul, pair.measures
    entry: dict[str, Any] = {"primary": pair.primary, "alternative": pair.alternative}
    entry |= {cell: getattr(matrix, cell) for cell in CELLS}
    entry["both_wrong_same"] = matrix.both_wrong_same
    entry |= {name: _number(getattr(measures, name)) for name in MEASURES}
    entry["difference"] = {"value": pair.difference}
    entry |= {"disagreement": matrix.disagreement, "double_fault": matrix.double_fault}
    entry |= {name: _number(getattr(matrix, name)) for name in _DIVERSITY}
    reasons = measures.undefined | {name: why for name, why in _DIVERSITY.items() if entry[name] is None}
    if matrix.both_wrong_same is None:
        reasons["both_wrong_same"] = NEEDS_OUTCOMES
    undefined += [{"path": f"{path}.{name}", "reason": reason} for name, reason in reasons.items()]
    return entry


def _number(value: float) -> float | None:
    return None if value != value else value


def _plain(label: object) -> object:
    finite = isinstance(label, bool | int | str) or (isinstance(label, float) and math.isfinite(label))
    return label if finite else str(label)


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
    missing = document["missing"]
    models = tuple(
        Model(
            entry["model"],
            entry["n"],
            entry["right"],
            entry["accuracy"]["value"],
            missing["counts"][entry["model"]],
            entry["unique_rights"],
            entry["unique_wrongs"],
        )
        for entry in document["models"]
    )
    pool = Pool(
        tuple(model.unique_rights for model in models),
        tuple(model.unique_wrongs for model in models),
        tuple(document["pool"]["difficulty"]),
    )
    return Comparison(
        task=document["task"],
        truth=document["truth"],
        n=document["n"],
        labels=tuple(document["labels"]),
        models=models,
        pairs=_pair_table(document, tuple(model.name for model in models)),
        pool=pool,
        policy=missing["policy"],
        excluded=document["excluded"],
        weight=document["weight"],
        level=document["level"],
        seed=document["seed"],
        warnings=tuple(document["warnings"]),
    )


def _pair_table(document: Mapping[str, Any], names: tuple[str, ...]) -> PairTable:
    matrices = [
        PrayatulMatrix(
            **{cell: entry[cell] for cell in (*CELLS, "both_wrong_same", "primary", "alternative")},
        )
        for entry in document["pairs"]
    ]
    # Objects keep integers integers and leave NaN where the document has no pair.
    cells = np.full((len(names), len(names), 4), np.nan, dtype=object)
    place = {name: index for index, name in enumerate(names)}
    for matrix in matrices:
        cells[place[matrix.primary], place[matrix.alternative]] = [getattr(matrix, cell) for cell in CELLS]
    same = {(matrix.primary, matrix.alternative): matrix.both_wrong_same for matrix in matrices}
    return PairTable(names, cells, None, same)
