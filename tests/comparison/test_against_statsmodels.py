"""What statsmodels has as well, on random and on real labels."""

from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

import tiebreak as tb
from tiebreak.inference import holm, wilson


def random_labels(seed, classes=4, n=300):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, n)
    return truth, {
        m: np.where(rng.random(n) < s, truth, rng.integers(0, classes, n)) for m, s in (("p", 0.8), ("q", 0.6))
    }


def digits():
    frame = pd.read_csv(files("tiebreak") / "data" / "digits.csv")
    models = [column for column in frame.columns if column not in {"digit", "image"}][:2]
    return frame["digit"].to_numpy(), {model: frame[model].to_numpy() for model in models}


@pytest.fixture(params=[0, 1, 2, "digits"])
def labels(request):
    return digits() if request.param == "digits" else random_labels(request.param)


def test_kappas(labels):
    truth, answers = labels
    for answer in answers.values():
        matrix = tb.confusion_matrix(truth, answer)
        assert matrix.kappa == pytest.approx(cohens_kappa(matrix.counts).kappa, abs=1e-12)
        assert matrix.weighted_kappa("linear") == pytest.approx(
            cohens_kappa(matrix.counts, wt="linear").kappa, abs=1e-12
        )
        squared = cohens_kappa(matrix.counts, wt="quadratic").kappa
        assert matrix.weighted_kappa("quadratic") == pytest.approx(squared, abs=1e-12)


def test_mcnemar_and_wilson(labels):
    truth, answers = labels
    found = tb.compare(truth, answers)
    pair = found.pair(*found.names)
    cells = pair.prayatul
    table = [[cells.both_right, cells.right_wrong], [cells.wrong_right, cells.both_wrong]]
    assert pair.mcnemar_exact_p == pytest.approx(mcnemar(table, exact=True).pvalue, rel=1e-9)
    for model in found.models:
        low, high = proportion_confint(model.right, found.n, method="wilson")
        assert wilson(model.right, found.n) == pytest.approx((low, high), abs=1e-12)


def test_holm():
    p_values = np.random.default_rng(0).random(40) ** 3
    np.testing.assert_allclose(holm(p_values), multipletests(p_values, method="holm")[1], atol=1e-12)
