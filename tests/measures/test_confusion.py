"""Measures of the confusion matrix: goldens, scikit-learn as the oracle, identities with exact fractions, edges."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from naive_confusion import counts, margins, r_prime, weighted_kappa
from tiebreak.errors import TiebreakError
from tiebreak.measures import confusion as c
from tiebreak.tables import ConfusionCounts, Margins

SPEC = [[50, 3, 2], [4, 30, 1], [0, 5, 5]]
labels = st.lists(st.tuples(st.integers(0, 3), st.one_of(st.none(), st.integers(0, 3))), min_size=1, max_size=40)
answered = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def tables(rows):
    table, omitted = counts([g for g, _ in rows], [p for _, p in rows], 4)
    return table, omitted, ConfusionCounts.of(table, omitted)


def same(value, expected):
    return np.isnan(value) if expected is None else value == pytest.approx(float(expected), abs=1e-12)


def test_the_worked_example():
    assert c.r_prime(SPEC) == pytest.approx([0.919091, 0.827143, 0.52], abs=5e-7)
    assert c.overall_r_prime(SPEC) == c.accuracy(SPEC) == 0.85
    some = Margins.of(SPEC, omitted=[5, 0, 10])
    assert c.overall_r_prime(some) == pytest.approx(0.869565, abs=5e-7)
    assert c.accuracy(some) == pytest.approx(0.739130, abs=5e-7)
    assert c.coverage(some) == pytest.approx(0.869565, abs=5e-7)
    assert c.selective_accuracy(some) == 0.85
    assert np.isnan(c.kappa(some))
    assert np.isnan(c.matthews(some))
    assert np.isnan(c.weighted_kappa(ConfusionCounts.of(SPEC, [5, 0, 10])))


def test_a_single_class_is_one_whatever_is_missed():
    assert c.r_prime([[50, 20], [0, 0]])[0] == 1
    assert c.degenerate_class([[50, 20], [0, 0]]) == 0
    assert np.isnan(c.r_prime([[50, 20], [0, 0]])[1])


@given(labels)
def test_r_prime_equals_its_definition_and_its_identities_hold(rows):
    """C13: overall 1 − wrong/w, the accuracy where nothing is omitted, and the weighted mean of the classes' values."""
    table, omitted, sparse = tables(rows)
    right, true, said, w = margins(table, omitted)
    each, whole = r_prime(table, omitted)
    for form in (sparse, Margins.of(table, omitted)):
        assert all(same(value, expected) for value, expected in zip(c.r_prime(form), each, strict=True))
        assert same(float(c.overall_r_prime(form)), whole)
    assert whole == 1 - Fraction(sum(said) - sum(right), w)
    mean = sum(Fraction(m, w) * value for m, value in zip(true, each, strict=True) if value is not None)
    skew = sum(Fraction(m * (s - m), w * w) for m, s in zip(true, said, strict=True))
    assert mean == Fraction(sum(right), w) - skew
    if not sum(omitted):
        assert whole == Fraction(sum(right), w)
        assert c.overall_r_prime(sparse) == c.accuracy(sparse)


@given(labels)
def test_r_prime_is_one_only_for_a_perfect_class(rows):
    """C14, with m_i < w; and never below (m_i − s_i)/w."""
    table, omitted, _ = tables(rows)
    right, true, said, w = margins(table, omitted)
    for value, a, m, s in zip(r_prime(table, omitted)[0], right, true, said, strict=True):
        if value is None:
            continue
        assert Fraction(m - s, w) <= value <= 1
        if m < w:
            assert (value == 1) == (a == m == s)


@given(answered.filter(lambda rows: len({g for g, _ in rows}) > 1))
def test_righting_one_wrong_prediction_raises_both_classes(rows):
    wrong = [k for k, (g, p) in enumerate(rows) if g != p]
    if not wrong:
        return
    g, p = rows[wrong[0]]
    mended = [*rows[: wrong[0]], (g, g), *rows[wrong[0] + 1 :]]
    before, after = (r_prime(*tables(part)[:2])[0] for part in (rows, mended))
    w, m = len(rows), sum(truth == g for truth, _ in rows)
    assert after[g] - before[g] == Fraction(1, m) - Fraction(1, w)
    if before[p] is not None:
        assert after[p] - before[p] == Fraction(1, w)


@given(answered)
def test_scikit_learn_agrees(rows):
    truth, said = [g for g, _ in rows], [p for _, p in rows]
    table, _, sparse = tables(rows)
    union = sorted({*truth, *said})
    for form in (sparse, table):
        per_class = sk.precision_recall_fscore_support(truth, said, labels=range(4), zero_division=np.nan)
        for ours, theirs in zip((c.precision(form), c.recall(form), c.f_beta(form)), per_class, strict=False):
            np.testing.assert_allclose(ours, theirs, atol=1e-12)
        pairs = [
            (c.accuracy, sk.accuracy_score(truth, said)),
            (c.macro_precision, sk.precision_score(truth, said, average="macro", zero_division=0)),
            (c.mean_f1, sk.f1_score(truth, said, average="macro", zero_division=0)),
            (c.micro_f1, sk.f1_score(truth, said, average="micro")),
            (c.weighted_f1, sk.f1_score(truth, said, average="weighted", zero_division=0)),
            (c.weighted_precision, sk.precision_score(truth, said, average="weighted", zero_division=0)),
            (c.macro_jaccard, sk.jaccard_score(truth, said, average="macro", zero_division=0)),
            (c.macro_recall, sk.recall_score(truth, said, labels=sorted(set(truth)), average="macro")),
        ]
        for ours, theirs in pairs:
            assert float(ours(form)) == pytest.approx(theirs, abs=1e-12), ours
        for zero in (0.0, 1.0, np.nan):
            theirs = sk.recall_score(truth, said, average="macro", labels=range(4), zero_division=zero)
            assert float(c.macro_recall(form, zero)) == pytest.approx(theirs, nan_ok=True)
            theirs = sk.precision_score(truth, said, average="macro", labels=range(4), zero_division=zero)
            assert float(c.macro_precision(form, zero)) == pytest.approx(theirs, nan_ok=True)
        mcc = float(c.matthews(form))
        if mcc == mcc:
            assert mcc == pytest.approx(sk.matthews_corrcoef(truth, said), abs=1e-9)
        else:
            assert len(set(truth)) == 1 or len(set(said)) == 1
        if len(union) > 1:
            assert float(c.kappa(form)) == pytest.approx(sk.cohen_kappa_score(truth, said), abs=1e-12)
            for how in ("linear", "quadratic"):
                ours = float(c.weighted_kappa(form, how))
                theirs = sk.cohen_kappa_score(truth, said, weights=how, labels=range(4))
                assert ours == pytest.approx(theirs, abs=1e-9)


@given(answered, st.lists(st.integers(0, 5), min_size=16, max_size=16))
def test_custom_weights_equal_the_double_loop(rows, given_costs):
    costs = [[0 if r == col else given_costs[4 * r + col] for col in range(4)] for r in range(4)]
    table, _, sparse = tables(rows)
    for form in (sparse, table):
        assert same(float(c.weighted_kappa(form, costs)), weighted_kappa(table, costs))


def test_the_plain_kappa_is_the_weighted_one_with_equal_costs():
    assert float(c.weighted_kappa(SPEC, 1 - np.eye(3))) == pytest.approx(float(c.kappa(SPEC)))


def test_tables_are_measured_many_at_once():
    rng = np.random.default_rng(0)
    many = rng.integers(0, 9, (5, 2, 3, 3))
    names = ["accuracy", "overall_r_prime", "kappa", "matthews", "mean_f1", "f1_of_means", "macro_precision", "micro_f1",
             "weighted_f1", "weighted_kappa", "balanced_accuracy", "coverage", "chance_agreement"]  # fmt: skip
    for name in names:
        found = getattr(c, name)(many)
        assert found.shape == (5, 2)
        assert float(found[3, 1]) == pytest.approx(float(getattr(c, name)(many[3, 1])), nan_ok=True)
    for name in ("r_prime", "precision", "recall", "f_beta", "jaccard", "earthquake_r"):
        found = getattr(c, name)(many)
        np.testing.assert_allclose(found[2, 0], getattr(c, name)(many[2, 0]))


@given(labels)
def test_tables_of_classes_sum_to_the_whole(rows):
    table, omitted, sparse = tables(rows)
    for form in (sparse.margins(), Margins.of(table, omitted)):
        each = form.one_against_rest()
        assert (each.sum(axis=(-2, -1)) == form.total).all()
        assert each[:, 0, 0].sum() == form.right.sum()
        assert each[:, 0].sum() == form.total
        assert each[:, 1, 0].sum() == form.wrong
        assert (each >= 0).all()


def test_bands_of_kappa():
    found = [c.kappa_band(value) for value in (0.0, 0.2, 0.21, 0.4, 0.41, 0.6, 0.61, 0.8, 0.81, 1.0)]
    assert found == ["slight"] * 2 + ["fair"] * 2 + ["moderate"] * 2 + ["substantial"] * 2 + ["perfect"] * 2


def test_reasons():
    assert c.undefined_classes([[0, 9], [0, 1]], 0) == {"precision": "the class is never predicted"}
    assert set(c.undefined_classes([[1, 0, 0], [0, 0, 0], [0, 1, 0]], 1)) == {"recall", "r_prime"}
    assert set(c.undefined_classes([[1, 0], [0, 0]], 1)) == {"precision", "recall", "r_prime", "f1"}
    assert set(c.undefined_whole([[5, 0], [0, 0]])) == {"kappa", "mcc"}
    assert set(c.undefined_whole([[5, 0], [2, 0]])) == {"mcc"}
    assert c.undefined_whole(SPEC) == {}
    assert "selective_accuracy" in c.undefined_whole(Margins.of([[0, 0], [0, 0]], omitted=[2, 1]))


@pytest.mark.parametrize(
    ("weights", "text"),
    [
        ("cubic", "weights is 'cubic': it must be one of linear, quadratic"),
        ([[0, 1]], "weights has shape (1, 2): it must be 'linear', 'quadratic' or 3 × 3"),
        (np.ones((3, 3)), "weights must be disagreements: finite numbers ≥ 0, with zeros on the diagonal"),
    ],
)
def test_bad_weights(weights, text):
    with pytest.raises(TiebreakError) as error:
        c.weighted_kappa(SPEC, weights)
    assert str(error.value) == text


def test_many_classes_cost_what_their_cells_cost():
    """100,000 classes: nothing of k² is ever made."""
    import tracemalloc

    size = 100_000
    rng = np.random.default_rng(0)
    truth = rng.integers(0, size, 120_000)
    said = np.where(rng.random(120_000) < 0.7, truth, rng.integers(0, size, 120_000))
    from tiebreak.comparison.confusion import confusion_matrix

    tracemalloc.start()
    matrix = confusion_matrix(truth, said)
    values = matrix.kappa, matrix.weighted_kappa("quadratic"), matrix.mean_f1, matrix.mcc, matrix.r_prime("overall")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200e6
    assert values[4] == (truth == said).mean()
    assert 0.69 < values[0] < 0.71
