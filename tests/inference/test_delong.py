"""DeLong's method: three published data sets, pROC's figures, the double loop, scikit-learn's areas, and the edges."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from naive_confusion import delong as slow
from tiebreak.errors import NotDefined
from tiebreak.inference import delong, macro_delong
from tiebreak.inference.delong import newcombe_area

# Albumin, total protein, K-G score (lower is better) and outcome of 43 patients: the data of DeLong et al. 1988 as the
# manual of SAS/STAT prints them. The figures below are held against the double loop, not copied from its output.
PATIENTS = """
3.0 5.8 10 0 3.2 6.3 5 1 3.9 6.8 3 1 2.8 4.8 6 0 3.2 5.8 3 1 0.9 4.0 5 0 2.5 5.7 8 0 1.6 5.6 5 1 3.8 5.7 5 1 3.7 6.7 6 1
3.2 5.4 4 1 3.8 6.6 6 1 4.1 6.6 5 1 3.6 5.7 5 1 4.3 7.0 4 1 3.6 6.7 4 0 2.3 4.4 6 1 4.2 7.6 4 0 4.0 6.6 6 0 3.5 5.8 6 1
3.8 6.8 7 1 3.0 4.7 8 0 4.5 7.4 5 1 3.7 7.4 5 1 3.1 6.6 6 1 4.1 8.2 6 1 4.3 7.0 5 1 4.3 6.5 4 1 3.2 5.1 5 1 2.6 4.7 6 1
3.3 6.8 6 0 1.7 4.0 7 0 3.7 6.1 5 1 3.3 6.3 7 1 4.2 7.7 6 1 3.5 6.2 5 1 2.9 5.7 9 0 2.1 4.8 7 1 2.8 6.2 8 0 4.0 7.0 7 1
3.3 5.7 6 1 3.7 6.9 5 1 3.6 6.6 5 1
"""
DATA = np.array(PATIENTS.split(), dtype=float).reshape(-1, 4)
TRUTH, TESTS = DATA[:, 3] == 1, np.array([DATA[:, 0], DATA[:, 1], 10 - DATA[:, 2]])


# S100β, NDKA, WFNS grade and poor outcome of 113 patients with an aneurysmal subarachnoid haemorrhage (Turck et al. 2010):
# the data of the manual of R's pROC. The figures below are those of its manual, with the digits that pROC 1.18 prints.
HAEMORRHAGES = """
0.13 3.01 1 0 0.14 8.54 1 0 0.1 8.09 1 0 0.04 10.42 1 0 0.13 17.4 3 1 0.1 12.75 2 1 0.47 6 5 0 0.16 13.2 4 1
0.18 15.54 1 0 0.1 6.01 2 0 0.12 15.96 5 1 0.1 17.86 2 0 0.44 5.18 5 1 0.71 8.9 5 1 0.04 13.41 1 0 0.08 20.75 2 0
0.49 11.6 5 1 0.04 16.11 2 0 0.07 32.37 2 1 0.33 54.82 5 1 0.09 32.41 2 1 0.09 49.94 1 0 0.07 40.34 1 1 0.11 9.47 1 0
0.07 6.29 1 0 0.17 12.53 2 0 0.07 6.54 1 0 0.11 6.3 2 0 0.13 80.3 1 0 0.19 12.8 1 0 0.05 9.8 3 0 0.16 9.81 4 0
0.41 9.85 2 1 0.14 18.21 1 0 0.34 5.03 4 0 0.35 14.04 5 1 0.48 21.93 4 1 0.09 8.02 1 0 0.96 7.42 4 1 0.25 8.38 2 1
0.5 6.59 5 0 0.46 9.63 5 0 0.16 13.12 1 0 0.07 7.96 1 0 0.43 14.34 2 0 0.45 41.43 4 0 0.11 7.63 1 0 0.08 7.06 1 0
0.09 12.59 2 0 0.86 13.56 5 1 0.52 3.87 5 1 0.08 9.44 2 0 0.06 7.66 1 0 0.13 12.98 2 0 2.07 419.19 5 1 0.1 27.19 1 0
0.14 22.27 2 0 0.15 9.95 2 0 0.07 21.22 2 1 0.06 11.73 1 0 0.77 10.4 5 1 0.05 58.83 1 0 0.09 6.39 1 0 0.3 11.09 2 1
0.03 12.22 5 1 0.09 13.67 2 1 0.04 17.21 1 0 0.23 22.63 4 1 0.7 12.9 5 1 0.09 9.7 2 0 0.27 21.57 4 1 0.71 8.23 4 1
0.08 72.57 1 1 0.26 15.54 4 1 0.08 10.51 1 0 0.16 10.6 2 0 0.09 14.57 1 0 0.13 5.19 4 1 0.1 9.63 2 1 0.08 4.61 1 0
0.11 21.48 2 1 0.33 17.3 3 0 0.11 12.71 2 0 0.28 9.44 4 0 0.07 11.07 2 0 0.1 19.46 1 0 0.32 10.83 4 0 0.22 5.37 5 1
0.07 11.97 1 0 0.05 7.75 1 0 0.24 9.83 5 0 0.38 10.55 4 0 0.1 28.49 2 0 0.15 8.53 2 0 0.08 12.57 1 0 0.14 12.9 1 0
0.1 46.83 1 0 0.07 11.68 3 0 0.04 12.67 1 0 0.19 9.01 2 0 0.56 9.57 5 1 0.14 34.06 2 1 0.58 11.72 2 1 0.32 14.26 5 1
0.82 47.61 5 1 0.74 11.67 5 1 0.15 24.58 2 0 0.47 10.33 4 0 0.17 13.87 4 0 0.44 15.89 5 1 0.15 22.43 1 0 0.5 6.79 1 0
0.48 13.45 1 0
"""
PROC = np.array(HAEMORRHAGES.split(), dtype=float).reshape(-1, 4)
AREAS = (0.731368563685637, 0.611957994579946, 0.823678861788618)
VARIANCES = (0.00266868245717244, 0.0031908105493913, 0.00146991470882363)
COVARIANCES = {(0, 2): 0.00119615567376754, (2, 1): -0.000532967856762438, (0, 1): -0.000756164938056579}
CONTRASTS = {
    (0, 2): (-2.20898359144091, 0.0271757822291882, -0.1742144192494776, -0.0104061769564846),
    (2, 1): (2.79777591868904, 0.00514557970691098, 0.0634011709339876, 0.3600405634833566),
    (0, 1): (1.39077002573558, 0.164295175223054, -0.0488706064228094, 0.2876917446341914),
}


def test_areas_and_covariances_of_proc():
    found = delong(PROC[:, 3] == 1, PROC[:, :3].T)
    np.testing.assert_allclose(found.areas, AREAS, rtol=1e-13)
    np.testing.assert_allclose(np.diagonal(found.covariance), VARIANCES, rtol=1e-12)
    for places, expected in COVARIANCES.items():
        assert found.covariance[places] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("places", CONTRASTS)
def test_paired_tests_of_proc(places):
    pair = delong(PROC[:, 3] == 1, PROC[:, :3].T).pair(*places)
    z, p_value, low, high = CONTRASTS[places]
    assert (pair.z, pair.p_value) == pytest.approx((z, p_value), rel=1e-12)
    assert (pair.interval.low, pair.interval.high) == pytest.approx((low, high), rel=1e-12)


def test_areas_and_standard_errors_of_the_published_data():
    found = delong(TRUTH, TESTS)
    areas, covariance = slow(TRUTH.tolist(), TESTS.tolist())
    np.testing.assert_allclose(found.areas, areas, atol=1e-12)
    np.testing.assert_allclose(found.covariance, covariance, atol=1e-12)
    assert found.areas.round(4).tolist() == [0.7366, 0.6478, 0.7258]
    assert found.se.round(4).tolist() == [0.0927, 0.1000, 0.1028]


def test_contrasts_of_the_published_data():
    found = delong(TRUTH, TESTS)
    albumin, protein = found.pair(0, 2), found.pair(1, 2)
    assert (round(albumin.estimate, 4), round(albumin.se, 4), round(albumin.p_value, 4)) == (0.0108, 0.0953, 0.9102)
    assert (round(protein.estimate, 4), round(protein.se, 4), round(protein.p_value, 4)) == (-0.078, 0.1046, 0.4561)
    contrast = np.array([[1, 0, -1], [0, 1, -1]])
    away = contrast @ found.areas
    assert away @ np.linalg.solve(contrast @ found.covariance @ contrast.T, away) == pytest.approx(2.5340, abs=5e-5)


def test_a_published_rating_scale():
    """Hanley & McNeil's 109 computed tomographs: five ratings, so mostly ties."""
    normal, abnormal = [33, 6, 6, 11, 2], [3, 2, 2, 11, 33]
    truth = np.repeat([False, True], [58, 51])
    ratings = np.concatenate([np.repeat(range(5), normal), np.repeat(range(5), abnormal)])
    found = delong(truth, [ratings])
    areas, covariance = slow(truth.tolist(), [ratings.tolist()])
    assert (float(found.areas[0]), float(found.covariance[0, 0])) == pytest.approx((areas[0], covariance[0][0]))
    assert (round(float(found.areas[0]), 4), round(float(found.se[0]), 4)) == (0.8932, 0.0307)


scores = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.booleans(), min_size=n, max_size=n),
        st.lists(st.lists(st.integers(0, 5), min_size=n, max_size=n), min_size=1, max_size=3),
    )
)


@given(scores)
def test_one_sort_equals_the_double_loop(given_scores):
    truth, rows = given_scores
    if min(sum(truth), len(truth) - sum(truth)) < 2:
        return
    found = delong(truth, rows)
    areas, covariance = slow(truth, rows)
    np.testing.assert_allclose(found.areas, areas, atol=1e-12)
    np.testing.assert_allclose(found.covariance, covariance, atol=1e-12)
    for row, area in zip(rows, found.areas, strict=True):
        assert roc_auc_score(truth, row) == pytest.approx(area)


@given(scores)
def test_intervals_stay_inside_have_a_width_and_agree_with_the_p_value(given_scores):
    truth, rows = given_scores
    if not 0 < sum(truth) < len(truth):
        return
    found = delong(truth, rows)
    for place in range(len(rows)):
        area = found.area(place)
        assert 0 <= area.low <= area.value <= area.high <= 1
        assert area.high > area.low
        pair = found.pair(0, place)
        if found.undefined:
            assert np.isnan(pair.p_value)
            continue
        interval = pair.interval
        assert -1 <= interval.low <= pair.estimate <= interval.high <= 1
        assert interval.high > interval.low
        assert (0 in interval) == (pair.p_value >= 0.05) or abs(pair.p_value - 0.05) < 1e-6
        swapped = found.pair(place, 0)
        assert swapped.p_value == pytest.approx(pair.p_value)
        assert swapped.interval.low == pytest.approx(-interval.high)
        assert swapped.p_better == pytest.approx(1 - pair.p_better)


def test_identical_models():
    found = delong(TRUTH, [TESTS[0], TESTS[0], 3 * TESTS[0] + 1])
    for other in (1, 2):
        pair = found.pair(0, other)
        assert (pair.estimate, pair.se, pair.p_value, pair.p_better, pair.z) == (0, 0, 1, 0.5, 0)
        assert pair.interval.low == -pair.interval.high < 0


def test_perfect_predictions():
    truth = [0, 0, 0, 1, 1]
    found = delong(truth, [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]])
    assert found.areas.tolist() == [1, 0]
    perfect, worst = found.area(0), found.area(1)
    assert perfect.high == 1
    assert 0.2 < perfect.low < 1
    assert (worst.low, worst.high) == pytest.approx((0, 1 - perfect.low))
    assert perfect.method == "newcombe_area"
    assert found.pair(0, 1).p_better > 0.5


def test_one_positive_has_an_area_and_says_what_it_lacks():
    found = delong([1, 0, 0, 0], [[0.9, 0.1, 0.95, 0.3], [0.2, 0.1, 0.95, 0.3]])
    assert found.areas.round(4).tolist() == [0.6667, 0.3333]
    assert found.undefined == {"se": "there is one positive instance: how far positives scatter cannot be estimated"}
    assert np.isnan(found.pair(0, 1).p_value)
    assert 0 <= found.area(0).low < found.area(0).high <= 1
    assert "negative" in delong([1, 1, 0], [[1, 2, 3]]).undefined["se"]
    with pytest.raises(NotDefined, match="no instance is negative"):
        delong([1, 1], [[0.1, 0.2]])


def test_copies_of_an_instance_are_one_group():
    """Twenty groups of ten equal instances say as much as the twenty alone, up to the factor G/(G − 1)."""
    rng = np.random.default_rng(1)
    truth = np.arange(20) % 2 == 1
    rows = rng.normal(size=(2, 20)) + truth * np.array([[1.0], [0.4]])
    alone = delong(truth, rows)
    copied = delong(np.repeat(truth, 10), np.repeat(rows, 10, axis=1), groups=np.repeat(np.arange(20), 10))
    np.testing.assert_allclose(copied.areas, alone.areas)
    np.testing.assert_allclose(copied.se, alone.se, rtol=0.03)
    naive = delong(np.repeat(truth, 10), np.repeat(rows, 10, axis=1))
    assert (naive.se < 0.4 * alone.se).all()
    assert copied.pair(0, 1).p_value > alone.pair(0, 1).p_value
    one = delong(truth, rows, groups=np.zeros(20))
    assert "one group" in one.undefined["se"]
    assert np.isnan(one.pair(0, 1).p_value)


def test_the_grouped_standard_error_is_that_of_repetition():
    rng = np.random.default_rng(2)

    def sample(groups=40, size=5):
        truth = np.concatenate([[True, False], rng.random(groups - 2) < 0.5])
        shift = rng.normal(size=(2, groups))
        rows = np.repeat(shift + truth * 1.0, size, axis=1) + 0.5 * rng.normal(size=(2, groups * size))
        return np.repeat(truth, size), rows, np.repeat(np.arange(groups), size)

    differences, errors = [], []
    for _ in range(300):
        truth, rows, groups = sample()
        pair = delong(truth, rows, groups=groups).pair(0, 1)
        differences.append(pair.estimate)
        errors.append(pair.se)
    assert np.mean(errors) == pytest.approx(np.std(differences), rel=0.12)


def test_swapping_the_classes_mirrors_the_areas():
    one, two = delong(TRUTH, TESTS), delong(~TRUTH, -TESTS)
    np.testing.assert_allclose(one.areas, two.areas)
    np.testing.assert_allclose(one.covariance, two.covariance, atol=1e-15)


def test_the_score_interval_solves_its_equation():
    from scipy.special import ndtri

    for area, m, n in [(0.8, 10, 30), (0.5, 5, 5), (0.97, 40, 8)]:
        for theta in newcombe_area(area, m, n):
            size = (m + n) / 2
            more = 1 + (size - 1) * ((1 - theta) / (2 - theta) + theta / (1 + theta))
            expected = ndtri(0.975) ** 2 * theta * (1 - theta) * more / (m * n)
            assert (area - theta) ** 2 == pytest.approx(expected, rel=1e-6)


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_macro_areas_are_scikit_learns_and_two_classes_are_the_binary_case(seed):
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(3), rng.integers(0, 3, 30)])
    shares = rng.dirichlet(np.ones(3), (2, 33))
    found = macro_delong(truth, list(shares))
    for place in range(2):
        assert found.areas[place] == pytest.approx(roc_auc_score(truth, shares[place], multi_class="ovr"))
    binary = (truth > 0).astype(int)
    both = macro_delong(binary, [np.stack([1 - row[:, 0], row[:, 0]], axis=1) for row in shares])
    plain = delong(binary == 1, shares[:, :, 0])
    np.testing.assert_allclose(both.areas, plain.areas)
    np.testing.assert_allclose(both.covariance, plain.covariance, atol=1e-14)


def test_the_macro_standard_error_is_that_of_repetition():
    rng = np.random.default_rng(0)

    def sample(n=150):
        truth = np.concatenate([np.arange(3), rng.integers(0, 3, n)])
        scores = rng.normal(size=(2, len(truth), 3))
        scores[:, np.arange(len(truth)), truth] += np.array([[1.0], [0.7]])
        return truth, list(scores)

    differences, errors = [], []
    for _ in range(300):
        pair = macro_delong(*sample()).pair(0, 1)
        differences.append(pair.estimate)
        errors.append(pair.se)
    assert np.mean(errors) == pytest.approx(np.std(differences), rel=0.12)
