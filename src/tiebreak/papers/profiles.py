"""Performance profiles for learners: Tables I to III, what Figure 1 shows, what is said about it, and Table IV.

Everything printed is computed again from the predictions of Table I. Where a sentence says something else than the
tables, both stand side by side. Table IV is a set of weights without results; here it weighs generated predictions.
"""

from __future__ import annotations

import numpy as np

from tiebreak.measures import expected_cost
from tiebreak.papers.ledger import NOT_PRINTED, Figure, PaperTable, figures
from tiebreak.profiles import PerformanceProfile, performance_profile
from tiebreak.sources import Ask, opened
from tiebreak.tables import CostMatrix, Tally, cost_losses, cost_matrix

MODELS = ("M1", "M2", "M3")
TRUTH = (2, 6, 3, 10, 23)
PREDICTIONS = ((14, 10, 6), (11, 1, 12), (21, 9, 0), (0, 12, 2), (2, 15, 18))

# Table I: absolute errors. Table II: ratios. Table III: shares within τ.
TABLE_1 = (("12", "8", "4"), ("5", "5", "6"), ("18", "6", "3"), ("10", "2", "8"), ("21", "8", "5"))
TABLE_2 = (("3", "2", "1"), ("1", "1", "1.2"), ("6", "2", "1"), ("5", "1", "4"), ("4.2", "1.6", "1"))
TABLE_3 = {
    1.0: ("0.2", "0.4", "0.6"),
    1.2: ("0.2", "0.4", "0.8"),
    1.6: ("0.2", "0.6", "0.8"),
    2.0: ("0.2", "1", "0.8"),
    3.0: ("0.4", "1", "0.8"),
    4.0: ("0.4", "1", "1"),
    4.2: ("0.6", "1", "1"),
    5.0: ("0.8", "1", "1"),
    6.0: ("1", "1", "1"),
}

LIGHTS = ("Green", "Orange", "Red")
# Table IV: rows are the light that is on, columns the light that a model sees.
TABLE_4 = ((1, 2, 4), (4, 1, 2), (10, 4, 1))
_DRAWN = 3000


def tables() -> tuple[PaperTable, ...]:
    """Recompute Tables I to III and Figure 1, the sentences about them, and weigh predictions by Table IV.

    Examples
    --------
    >>> [table.agreeing for table in tables()[:3]]
    [15, 15, 27]
    """
    errors = np.abs(np.array(PREDICTIONS) - np.array(TRUTH)[:, None]).astype(np.float64)
    profile = performance_profile(errors, names=MODELS)
    return (_table_1(errors), _table_2(errors), _table_3(profile), _sentences(errors, profile), _table_4())


def _table_1(errors: np.ndarray) -> PaperTable:
    rows = [
        figure
        for place, printed in enumerate(TABLE_1)
        for figure in figures(f"instance {place + 1}", MODELS, printed, errors[place].tolist())
    ]
    return PaperTable("Performance profiles, Table I", "Absolute errors of the printed predictions.", tuple(rows))


def _table_2(errors: np.ndarray) -> PaperTable:
    ratios = errors / errors.min(axis=1, keepdims=True)
    rows = [
        figure
        for place, printed in enumerate(TABLE_2)
        for figure in figures(f"instance {place + 1}", MODELS, printed, ratios[place].tolist())
    ]
    how = (
        "Ratios to the smallest error of the instance. Equation 1 takes its minimum over a set that is not "
        "defined; the set of models is meant. Where the smallest error is 0 it has no value; here 0/0 is 1, and "
        "anything else over 0 is ∞."
    )
    return PaperTable("Performance profiles, Table II", how, tuple(rows))


def _table_3(profile: PerformanceProfile) -> PaperTable:
    rows = [
        figure
        for tau, printed in TABLE_3.items()
        for figure in figures(f"τ = {tau:g}", MODELS, printed, list(profile.at(tau).values()))
    ]
    how = (
        "Shares of instances with a ratio of at most τ: the heights of Figure 1, which jumps at these τ and nowhere "
        "else. Equation 2 writes ρ with the index p; the model m is meant."
    )
    return PaperTable("Performance profiles, Table III and Figure 1", how, tuple(rows))


def _sentences(errors: np.ndarray, profile: PerformanceProfile) -> PaperTable:
    ratios = errors / errors.min(axis=1, keepdims=True)
    shares = {
        ("best on a share of", "M3", "0.6"): profile.wins["M3"],
        ("best on a share of", "M2", "0.4"): profile.wins["M2"],
        ("best on a share of", "M1", "0.2"): profile.wins["M1"],
        ("at least 3 times worse on", "M1", "0.6"): float((ratios[:, 0] >= 3).mean()),
        ("never more times worse than", "M2", "1.6"): profile.never_more_than["M2"],
        ("within 1.2 of the best on", "M3", "0.8"): profile.at(1.2)["M3"],
    }
    notes = {
        "0.2": "004-9: the three sum to 1.2: two models tie for the best on instance 2",
        "0.6 M1": "004-2: more than 3 times worse on 0.6; exactly 3 times on instance 1, so at least 3 times on 0.8",
        "1.6": "004-1: instances 1 and 3 have ratio 2: more than 1.6 on 0.4, never more than 2",
    }
    rows = [
        Figure(where, model, printed, value, value, notes.get(printed, "") or notes.get(f"{printed} {model}", ""))
        for (where, model, printed), value in shares.items()
    ]
    rows += [
        Figure("Section II-A, reading a point (x, y)", "1 − y", NOT_PRINTED, None, None,
               "004-3: is the share more than x times worse, not at least x times: equation 2 counts ratios up to x"),
        Figure("Section II-B, introduction", "worse than", NOT_PRINTED, None, None,
               "004-4, 004-5: the best model on that instance is meant, not the other models; and "
               "the best of those compared"),
        Figure("outline", "section", NOT_PRINTED, None, None, "004-6: classes are the subject of Section III, not II"),
        *_pool(),
    ]  # fmt: skip
    how = (
        "What the text says about the tables, in other words, beside what they say. The last rows are no misprint "
        "but what a reader must know: the order of two models depends on a third (Gould and Scott 2016)."
    )
    return PaperTable("Performance profiles, the text", how, tuple(rows))


def _pool() -> list[Figure]:
    """Errors (1, 6, 2) and (2, 3, 4) of A, B, C at τ = 1.5, with and without A."""
    profile = performance_profile([[1, 6, 2], [2, 3, 4]], names=["A", "B", "C"])
    alone = profile.pair("B", "C").at(1.5)
    note = "004-8: computed for comparison: B is ahead of C among three models and behind it without A"
    together = [
        Figure("pool of A, B, C, τ = 1.5", name, NOT_PRINTED, profile.at(1.5)[name], profile.at(1.5)[name], note)
        for name in "BC"
    ]
    return together + [
        Figure("pool of B, C, τ = 1.5", name, NOT_PRINTED, alone[name], alone[name], note) for name in "BC"
    ]


def lights() -> tuple[Tally, CostMatrix]:
    """Return generated predictions of traffic lights, and the weights of Table IV.

    Both models are right on nine lights in ten. The bold one takes what it does not recognise for a light that lets it
    go on, the careful one for a light that stops it.

    Examples
    --------
    >>> tally, weights = lights()
    >>> tally.models, weights.over(tally.labels).costs[2].tolist()
    (('bold', 'careful'), [10.0, 4.0, 1.0])
    """
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, _DRAWN)
    lost = rng.random((2, _DRAWN)) < 0.1
    bold, careful = np.where(truth == 0, 1, truth - 1), np.where(truth == 2, 1, truth + 1)
    seen = {"bold": np.where(lost[0], bold, truth), "careful": np.where(lost[1], careful, truth)}
    names = np.array(LIGHTS)
    tally = opened(names[truth], {model: names[codes] for model, codes in seen.items()}, Ask()).tally
    return tally, cost_matrix(LIGHTS, TABLE_4)


def _table_4() -> PaperTable:
    tally, weights = lights()
    profile = performance_profile(cost_losses(tally, weights, right=1))
    accuracy = tally.right_counts() / tally.n
    costs = expected_cost(tally, weights)
    note = "generated predictions, as the paper gives weights and no results"
    rows = []
    for place, model in enumerate(tally.models):
        values = {"accuracy": accuracy[place], "mean weight": costs[place]}
        values |= {f"ρ({tau:g})": profile.at(tau)[model] for tau in (1, 2, 4)}
        rows += [Figure(model, name, NOT_PRINTED, float(value), float(value), note) for name, value in values.items()]
    how = (
        "Predictions of traffic lights weighed by Table IV, a right one by 1. Two models of nearly one accuracy "
        "differ in what their mistakes weigh. ρ(1) is not the accuracy: where both are wrong, the lighter "
        "mistake has ratio 1."
    )
    return PaperTable("Performance profiles, Table IV", how, tuple(rows))
