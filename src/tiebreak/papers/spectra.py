"""Eigenvalue distributions of random confusion matrices: equations 32 to 34 and Tables 1 and 2.

The worked example is recomputed. Of the experiment neither the predictions nor the confusion matrices were published,
so its figures are held against what they imply about each other: the differences against the accuracies, the standard
errors and probabilities against the paper's own formula, whose dispersion has a smallest and a largest value for every
accuracy. Then the experiment is run again on data that can be had, with the bootstrap, the closed form and the
probability that the primary is better side by side.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from tiebreak.errors import TiebreakError
from tiebreak.inference import (
    TraceDifference,
    TraceDistribution,
    bootstrap,
    pair_units,
    spectrum,
    superiority,
    trace_superiority,
)
from tiebreak.inference.posterior import Array
from tiebreak.papers.ledger import NOT_PRINTED, Figure, PaperTable, figures, unit_of
from tiebreak.sources import Ask, opened
from tiebreak.tables import Tally

TITLE = "Eigenvalue distributions of confusion matrices"
EXAMPLE = {"A": ((62, 36), (51, 51)), "B": ((50, 53), (50, 47))}
LEARNERS = ("LR", "DT", "RF", "XG")
PATIENTS = {"Heart": 303, "Breast": 286, "Liver": 584}

# Table 1: accuracy by bootstrap and its standard error, accuracy by the eigenvalues' law and its standard error.
TABLE_1 = {
    ("Heart", "LR"): ("0.83", "0.031", "0.88", "0.032"),
    ("Heart", "DT"): ("0.77", "0.042", "0.76", "0.025"),
    ("Heart", "RF"): ("0.82", "0.031", "0.84", "0.029"),
    ("Heart", "XG"): ("0.77", "0.036", "0.82", "0.029"),
    ("Breast", "LR"): ("0.70", "0.043", "0.72", "0.031"),
    ("Breast", "DT"): ("0.71", "0.031", "0.73", "0.024"),
    ("Breast", "RF"): ("0.82", "0.025", "0.79", "0.030"),
    ("Breast", "XG"): ("0.74", "0.030", "0.70", "0.031"),
    ("Liver", "LR"): ("0.71", "0.029", "0.72", "0.029"),
    ("Liver", "DT"): ("0.72", "0.031", "0.67", "0.021"),
    ("Liver", "RF"): ("0.82", "0.025", "0.80", "0.030"),
    ("Liver", "XG"): ("0.75", "0.030", "0.72", "0.030"),
}

# Table 2: difference and superiority probability, by bootstrap and by the eigenvalues' law.
TABLE_2 = {
    ("Heart", "XG", "LR"): ("-0.05", "0.058", "-0.06", "0.408"),
    ("Heart", "XG", "RF"): ("-0.05", "0.055", "-0.02", "0.468"),
    ("Heart", "XG", "DT"): ("0.00", "0.481", "0.06", "0.598"),
    ("Heart", "LR", "RF"): ("0.01", "0.536", "0.04", "0.561"),
    ("Heart", "LR", "DT"): ("0.06", "0.895", "0.11", "0.685"),
    ("Heart", "RF", "DT"): ("0.05", "0.888", "0.08", "0.629"),
    ("Breast", "XG", "LR"): ("0.04", "0.855", "-0.02", "0.473"),
    ("Breast", "XG", "RF"): ("-0.08", "0.001", "-0.08", "0.367"),
    ("Breast", "XG", "DT"): ("0.02", "0.728", "-0.03", "0.453"),
    ("Breast", "LR", "RF"): ("-0.12", "0.000", "-0.07", "0.393"),
    ("Breast", "LR", "DT"): ("-0.02", "0.300", "-0.01", "0.481"),
    ("Breast", "RF", "DT"): ("0.10", "0.999", "0.06", "0.595"),
    ("Liver", "XG", "LR"): ("0.03", "0.835", "0.01", "0.509"),
    ("Liver", "XG", "RF"): ("-0.08", "0.002", "-0.08", "0.375"),
    ("Liver", "XG", "DT"): ("0.02", "0.719", "0.05", "0.588"),
    ("Liver", "LR", "RF"): ("-0.11", "0.000", "-0.08", "0.365"),
    ("Liver", "LR", "DT"): ("-0.01", "0.316", "0.04", "0.579"),
    ("Liver", "RF", "DT"): ("0.10", "0.999", "0.13", "0.715"),
}
PAIRS = tuple(dict.fromkeys((one, two) for _, one, two in TABLE_2))

RESAMPLES = 5000
_NO_PREDICTIONS = "needs the predictions, which are not published"
_AT_ZERO = "003-23: needs the predictions; equation 35 says F at m̂, where it would be about 1/2: the figures are F at 0"
_SPREAD = "003-20: the paper's own √2 s/n is at least 0.82 |accuracy − ½|, several times the printed figure"
_ONE_TEST_SET = "003-20: no test set has this size and the size that the other learners' figures imply"
_LEMMA = "003-2: fits only the variance of Lemma 4, which is half that of Theorem 3 and of the worked example"
_NEITHER = "003-2: fits neither the variance of Theorem 3 nor that of Lemma 4, whatever the confusion matrices were"


def tables() -> tuple[PaperTable, ...]:
    """Recompute the worked example and Tables 1 and 2, and run the experiment again.

    Examples
    --------
    >>> [table.agreeing for table in tables()][:2]
    [10, 10]
    """
    tallies = {name: _tally(*data) for name, data in _data().items()}
    return (_example(), _table_1(), _table_2(), _again_1(tallies), _again_2(tallies))


def _example() -> PaperTable:
    a, b = EXAMPLE.values()
    law, found = TraceDifference(a, b), trace_superiority(a, b)
    n = sum(map(sum, a))
    rows = []
    for name, matrix, printed in (
        ("A", a, ("99.7", "13.3", "113", "0.57")),
        ("B", b, ("100", "-3", "97", "0.49")),
    ):
        values = [value.real for value in spectrum(matrix).eigenvalues]
        rows += figures(
            f"matrix {name}", ("λ_1", "λ_2", "trace", "accuracy"), printed, (*values, sum(values), sum(values) / n)
        )
    return PaperTable(
        f"{TITLE}, equations 32 to 34",
        "The worked example. Its two matrices are said to be of one test set, but their true classes hold 98 and 102 "
        "against 103 and 97 instances, which no test set does.",
        (
            *rows,
            Figure(
                "A − B",
                "spread",
                "0.0775",
                law.sd / n,
                law.sd / n,
                "printed under a root, as if a variance; it is the standard deviation of the accuracies' difference",
            ),
            Figure(
                "A − B",
                "P",
                "0.8492",
                found.probability,
                found.probability,
                f"Φ(16/√240), the variance of Theorem 3; as printed it would be 0.387, by Lemma 4 {found.lemma_4:.4f}; "
                "and the mean is that of the observed traces, where the theorem says n/2 − n/2 = 0",
            ),
        ),
    )


def _table_1() -> PaperTable:
    rows = []
    for (data, learner), (accuracy, error, eigen_accuracy, eigen_error) in TABLE_1.items():
        where = f"{data}, {learner}"
        rows += [
            Figure(where, "φ_L", accuracy, None, None, _NO_PREDICTIONS),
            _noted(Figure(where, "SE_L", error, *_binomial_error(data, learner)), _ONE_TEST_SET),
            Figure(where, "φ_λ", eigen_accuracy, None, None, _NO_PREDICTIONS),
            _noted(Figure(where, "SE_λ", eigen_error, *_spread_of_accuracy(eigen_accuracy)), _SPREAD),
        ]
    return PaperTable(
        f"{TITLE}, Table 1",
        "Nothing can be run again: the confusion matrices are not published, nor how the patients were split. SE_L is "
        "recomputed as √(φ_L(1 − φ_L)/n), with n as the other three learners' standard errors on the same data imply "
        "it, and at most all patients; SE_λ is √2 s/n with the smallest and the largest s that the accuracy allows.",
        tuple(rows),
    )


def _table_2() -> PaperTable:
    rows = []
    for (data, one, two), (m, p, eigen_m, eigen_p) in TABLE_2.items():
        where = f"{data}, {one}–{two}"
        first, second = TABLE_1[data, one], TABLE_1[data, two]
        by_theorem = Figure(where, "P_λ", eigen_p, *_probability(eigen_m, first[2], second[2], factor=2.0))
        by_lemma = Figure(where, "P_λ", eigen_p, *_probability(eigen_m, first[2], second[2], factor=1.0))
        rows += [
            Figure(where, "m_L", m, *_difference(first[0], second[0])),
            Figure(where, "P_L", p, None, None, _AT_ZERO),
            Figure(where, "m_λ", eigen_m, *_difference(first[2], second[2])),
            _noted(by_theorem, _LEMMA if by_lemma.agrees else _NEITHER),
        ]
    return PaperTable(
        f"{TITLE}, Table 2",
        "Differences from the accuracies of Table 1; P_λ by Theorem 3, Φ(m̂ n / √(2(s_A² + s_B²))), with the smallest "
        "and the largest s that the accuracies allow.",
        tuple(rows),
    )


def _noted(figure: Figure, erratum: str) -> Figure:
    if figure.agrees:
        return figure
    return Figure(figure.where, figure.name, figure.published, figure.low, figure.high, erratum)


def _binomial_error(data: str, learner: str) -> tuple[float, float]:
    """The range of √(φ(1 − φ)/n) over the sizes n that the other learners' printed errors allow."""
    others = [_sizes(*TABLE_1[data, other][:2]) for other in LEARNERS if other != learner]
    fewest, most = min(low for low, _ in others), min(PATIENTS[data], max(high for _, high in others))
    variances = [phi * (1 - phi) for phi in _ends(TABLE_1[data, learner][0])]
    return math.sqrt(min(variances) / most), math.sqrt(max(variances) / fewest)


def _sizes(accuracy: str, error: str) -> tuple[float, float]:
    """The sizes of a test set on which an accuracy has that binomial standard error."""
    found = [phi * (1 - phi) / se**2 for phi in _ends(accuracy) for se in _exact_ends(error)]
    return min(found), max(found)


def _spread_of_accuracy(accuracy: str) -> tuple[float, float]:
    """The range of √2 s / n, the paper's standard error of an accuracy."""
    ranges = [_dispersion(phi) for phi in _ends(accuracy)]
    return math.sqrt(2 * min(low for low, _ in ranges)), math.sqrt(2 * max(high for _, high in ranges))


def _dispersion(accuracy: float) -> tuple[float, float]:
    """The smallest and largest s²/n² of a 2 × 2 matrix with that accuracy: even and uneven cells."""
    even, uneven = (accuracy**2 + (1 - accuracy) ** 2) / 2, accuracy**2 + (1 - accuracy) ** 2
    return (even - 0.25) / 3, (uneven - 0.25) / 3


def _difference(one: str, two: str) -> tuple[float, float]:
    values = [a - b for a, b in itertools.product(_ends(one), _ends(two))]
    return min(values), max(values)


def _probability(difference: str, one: str, two: str, *, factor: float) -> tuple[float, float]:
    """The range of Φ(m̂ n / √(factor (s_A² + s_B²))) over the rounding of its inputs and over all matrices."""
    from scipy.special import ndtr

    smallest, largest = ([_dispersion(phi)[place] for phi in map(float, (one, two))] for place in (0, 1))
    variances = factor * sum(smallest), factor * sum(largest)
    found = [float(ndtr(m / math.sqrt(variance))) for m in _ends(difference) for variance in variances]
    return min(found), max(found)


def _ends(printed: str) -> Iterator[float]:
    half = unit_of(printed) / 2
    yield float(printed) - half
    yield float(printed) + half


def _exact_ends(printed: str) -> Iterator[float]:
    half = 0.5 * 10.0 ** -len(printed.partition(".")[2])
    yield float(printed) - half
    yield float(printed) + half


# The experiment, on data that scikit-learn ships.


def _data() -> dict[str, tuple[Any, Any]]:
    try:
        from sklearn.datasets import load_breast_cancer, load_digits, load_wine
    except ImportError:
        raise TiebreakError("the experiments are run again with scikit-learn: pip install 'tiebreak[papers]'") from None
    tumours, digits, wine = load_breast_cancer(), load_digits(), load_wine()
    kept = wine.target > 0
    return {
        "breast tumours": (tumours.data, tumours.target),
        "digit 8 or not": (digits.data, (digits.target == 8).astype(int)),
        "two wines": (wine.data[kept], wine.target[kept]),
    }


def _learners() -> dict[str, Any]:
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    return {
        "LR": make_pipeline(StandardScaler(), LogisticRegression()),
        "DT": DecisionTreeClassifier(random_state=0),
        "RF": RandomForestClassifier(random_state=0),
        "XG": GradientBoostingClassifier(random_state=0),
    }


def _tally(points: Any, labels: Any) -> Tally:
    """Count what the four learners predict for the third of the data that they have not seen."""
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    answers = {name: cross_val_predict(learner, points, labels, cv=folds) for name, learner in _learners().items()}
    return opened(labels, answers, Ask()).tally


_HOW = (
    "The experiment run again on data that scikit-learn ships, as the original patients cannot be had with their "
    "splits: logistic regression, decision tree, random forest and gradient boosting (in the place of XGBoost), "
    "predictions for every instance by three-fold cross-validation, seeds 0, bootstrap of 5,000."
)


def _again_1(tallies: dict[str, Tally]) -> PaperTable:
    rows = []
    for data, tally in tallies.items():
        for learner in LEARNERS:
            matrix = tally.confusion(learner).matrix()
            other = LEARNERS[LEARNERS.index(learner) - 1]
            drawn = bootstrap(pair_units(tally, learner, other), _accuracy, np.random.default_rng(0), RESAMPLES)
            spread = TraceDistribution(matrix).sd / tally.n
            rows += _computed(
                f"{data}, {learner}",
                {"φ": drawn.estimate, "SE_L": drawn.se, "SE_λ": spread},
                f"SE_λ is {spread / drawn.se:.0f} times the bootstrap's",
            )
    return PaperTable(
        f"{TITLE}, Table 1 on other data",
        f"{_HOW} The closed form's standard error √2 s/n is no standard error: it hardly depends on n.",
        tuple(rows),
    )


def _again_2(tallies: dict[str, Tally]) -> PaperTable:
    rows = []
    for data, tally in tallies.items():
        for one, two in PAIRS:
            units = pair_units(tally, one, two)
            drawn = bootstrap(units, _accuracies_apart, np.random.default_rng(0), RESAMPLES)
            closed = trace_superiority(tally.confusion(one).matrix(), tally.confusion(two).matrix())
            _, rw, wr, _ = units.times.tolist()
            values = {
                "m": drawn.estimate,
                "P bootstrap": drawn.p_positive,
                "P closed form": closed.probability,
                "p_better": superiority(rw, wr, tally.n).p_better,
            }
            rows += _computed(
                f"{data}, {one}–{two}", values, f"only the first right {rw}, only the second {wr}, of {tally.n}"
            )
    return PaperTable(
        f"{TITLE}, Table 2 on other data",
        "The same runs in pairs. The bootstrap share above 0 and p_better are two computations of one thing; the "
        "closed form has the same side of 1/2 and no more.",
        tuple(rows),
    )


def _computed(where: str, values: dict[str, float], note: str) -> list[Figure]:
    """Figures that are in no print; the first carries the note."""
    return [
        Figure(where, name, NOT_PRINTED, value, value, note if place == 0 else "")
        for place, (name, value) in enumerate(values.items())
    ]


def _accuracy(cells: Array) -> Array:
    return np.asarray((cells[..., 0] + cells[..., 1]) / cells.sum(axis=-1))


def _accuracies_apart(cells: Array) -> Array:
    return np.asarray((cells[..., 1] - cells[..., 2]) / cells.sum(axis=-1))
