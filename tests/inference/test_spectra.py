"""Spectra of confusion matrices: every density integrates to one, every law is what simulation finds (C21 to C25)."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import dblquad, quad
from scipy.stats import kstest

from tiebreak.errors import EmptyComparison, NotDefined, TiebreakError
from tiebreak.inference import (
    EigenvalueDistribution,
    TraceDifference,
    TraceDistribution,
    spectrum,
    superiority_range,
    trace_probability,
    trace_superiority,
    youden_j,
)
from tiebreak.inference.spectra.superiority import z_bound

A, B = [[62, 36], [51, 51]], [[50, 53], [50, 47]]
WHICH = ("largest", "smallest", "random", "spacing")
CELLS = st.integers(0, 200)
MATRICES = st.tuples(CELLS, CELLS, CELLS, CELLS).filter(any).map(lambda c: [list(c[:2]), list(c[2:])])


def rng(seed=0):
    return np.random.default_rng(seed)


# Always true.


@given(MATRICES)
def test_eigenvalues_are_real_and_have_the_trace_and_determinant(matrix):
    """C21."""
    (a, b), (c, d) = matrix
    found = spectrum(matrix)
    one, two = found.eigenvalues
    assert isinstance(one, float)
    assert one >= two
    assert one + two == pytest.approx(a + d, abs=1e-9)
    assert one * two == pytest.approx(a * d - b * c, rel=1e-9, abs=1e-6)
    root = math.sqrt((a - d) ** 2 + (b + c) ** 2)
    assert found.symmetrised == pytest.approx(((a + d + root) / 2, (a + d - root) / 2), abs=1e-9)
    if min(a + b, c + d):
        sensitivity, specificity = a / (a + b), d / (c + d)
        assert found.youden_j == pytest.approx(sensitivity + specificity - 1, abs=1e-12)
        assert sorted(found.normalised) == pytest.approx(sorted((1.0, found.youden_j)), abs=1e-7)
    else:
        assert math.isnan(found.youden_j)
        assert all(map(math.isnan, found.normalised))


def test_the_worked_example():
    assert spectrum(A).eigenvalues == pytest.approx((99.70011574058569, 13.299884259414306), abs=1e-9)
    assert spectrum(B).eigenvalues == pytest.approx((100, -3), abs=1e-9)
    law = EigenvalueDistribution(A)
    assert (law.mean, law.s**2) == (50, pytest.approx(114))
    assert spectrum(A).youden_j == pytest.approx(0.132653, abs=5e-7)


def test_more_classes_have_one_normalised_eigenvalue_of_one_and_recalls_as_trace():
    matrix = rng().integers(1, 30, (4, 4))
    found = spectrum(matrix)
    assert found.normalised[0] == pytest.approx(1)
    recalls = np.diagonal(matrix) / matrix.sum(axis=1)
    assert sum(found.normalised).real == pytest.approx(recalls.sum())
    assert found.youden_j == pytest.approx((recalls.sum() - 1) / 3)
    rotation = [[0, 5, 0], [0, 0, 5], [5, 0, 0]]
    assert youden_j(rotation) == pytest.approx(-0.5)
    assert isinstance(spectrum(rotation).eigenvalues[1], complex)


# Densities.


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_the_joint_density_integrates_to_one_and_the_printed_one_to_s(scale):
    """C23."""
    law = EigenvalueDistribution(A)
    law.mean, law.s = 0.3, scale
    reach = 9 * scale
    ends = law.mean - reach, law.mean + reach
    # Twice the half plane where the first eigenvalue is the larger one: the density has a kink on the diagonal.
    total = 2 * dblquad(lambda y, x: float(law.pdf(x, y)), *ends, ends[0], lambda x: x, epsabs=1e-9)[0]
    assert total == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("matrix", [A, B, [[400, 3], [20, 77]]])
def test_the_printed_density_is_the_right_one_times_s(matrix):
    law = EigenvalueDistribution(matrix)
    x, y = rng().normal(law.mean, law.s, (2, 50))
    np.testing.assert_allclose(law.printed_pdf(x, y), law.pdf(x, y) * law.s, rtol=1e-12)


@pytest.mark.parametrize("method", ["paper", "corrected"])
@pytest.mark.parametrize("which", WHICH)
@pytest.mark.parametrize("matrix", [A, B, [[90, 10], [5, 95]], [[9, 3], [2, 6]]])
def test_every_marginal_density_integrates_to_one_and_to_its_distribution_function(method, which, matrix):
    law = EigenvalueDistribution(matrix, method).marginal(which)
    draws = values_of(EigenvalueDistribution(matrix, method).sample(rng(), 2000), which)
    low, high = draws.mean() - 12 * draws.std(), draws.mean() + 12 * draws.std()
    low = max(low, 0.0) if which == "spacing" else low
    inside = [low, *np.quantile(draws, [0.05, 0.5, 0.95]).tolist(), high]
    masses = [quad(lambda x: float(law.pdf(x)), *ends, limit=200)[0] for ends in itertools.pairwise(inside)]
    assert sum(masses) == pytest.approx(1, abs=1e-7)
    np.testing.assert_allclose(np.cumsum(masses), law.cdf(inside[1:]), atol=1e-7)
    assert (np.diff(law.cdf(np.linspace(low, high, 200))) >= -1e-12).all()


def values_of(eigenvalues, which):
    largest, smallest = eigenvalues.T
    if which == "random":
        return np.where(rng(7).random(len(largest)) < 0.5, largest, smallest)
    return {"largest": largest, "smallest": smallest, "spacing": largest - smallest}[which]


@pytest.mark.parametrize("method", ["paper", "corrected"])
@pytest.mark.parametrize("which", WHICH)
def test_marginals_are_what_eigenvalues_of_drawn_matrices_have(method, which):
    """C23 and C24: Kolmogorov-Smirnov against matrices drawn element by element."""
    for seed, matrix in enumerate((A, B, [[90, 10], [5, 95]])):
        law = EigenvalueDistribution(matrix, method)
        draw = rng(seed)
        off = law.s * draw.normal(0, math.sqrt(0.5), 20_000)
        one, two = (law.s * draw.standard_normal(20_000) for _ in range(2))
        shift = np.array([[1, 0], [0, 1]]) if method == "paper" else np.ones((2, 2))
        matrices = np.stack([np.stack([one, off], axis=-1), np.stack([off, two], axis=-1)], axis=-2)
        found = values_of(np.linalg.eigvalsh(matrices + law.mean * shift)[:, ::-1], which)
        assert kstest(found, law.marginal(which).cdf).pvalue > 0.001
        assert kstest(values_of(law.sample(rng(9), 20_000), which), law.marginal(which).cdf).pvalue > 0.001


def test_trace_and_spacing_are_independent_and_the_spacing_is_rice():
    """C24."""
    from scipy.stats import rice

    law = EigenvalueDistribution([[60, 40], [35, 65]], "corrected")
    largest, smallest = law.sample(rng(), 40_000).T
    trace, spacing = largest + smallest, largest - smallest
    assert abs(np.corrcoef(trace, spacing)[0, 1]) < 0.02
    assert abs(np.corrcoef((trace - trace.mean()) ** 2, (spacing - spacing.mean()) ** 2)[0, 1]) < 0.02
    scale = math.sqrt(2) * law.s
    assert kstest(spacing, rice(2 * law.mean / scale, scale=scale).cdf).pvalue > 0.001
    assert trace.mean() == pytest.approx(2 * law.mean, abs=5 * scale / 200)
    assert trace.std() == pytest.approx(scale, rel=0.02)


def test_the_spacing_far_from_zero_is_integrated_without_steps():
    from scipy.stats import norm

    law = EigenvalueDistribution([[2501, 2500], [2499, 2500]], "corrected").marginal("spacing")
    s = EigenvalueDistribution([[2501, 2500], [2499, 2500]], "corrected").s
    d = 5000 + np.linspace(-4, 4, 300) * math.sqrt(2) * s
    np.testing.assert_allclose(law.cdf(d), norm.cdf((d - 5000) / (math.sqrt(2) * s)), atol=1e-4)
    assert law.cdf([-5.0, 0.0, 1e9]).tolist() == pytest.approx([0, 0, 1], abs=1e-12)


def test_standard_spacing_is_the_wigner_surmise():
    law = EigenvalueDistribution(A)
    mean = quad(lambda d: d * float(law.marginal("spacing").pdf(d)), 0, 40 * law.s)[0]
    assert mean == pytest.approx(math.sqrt(math.pi) * law.s, rel=1e-8)
    x = np.linspace(0.1, 4, 30)
    density = law.marginal("spacing").pdf(x * mean) * mean
    np.testing.assert_allclose(density, math.pi / 2 * x * np.exp(-math.pi * x**2 / 4), rtol=1e-8)


def test_a_random_eigenvalue_is_the_largest_or_the_smallest_half_the_time():
    for method in ("paper", "corrected", "exact"):
        law = EigenvalueDistribution(A, method)
        x = np.linspace(-20, 130, 40)
        both = (law.marginal("largest").cdf(x) + law.marginal("smallest").cdf(x)) / 2
        np.testing.assert_allclose(law.marginal("random").cdf(x), both, atol=1e-12)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_more_classes_have_the_moments_of_the_ensemble(k):
    matrix = rng(k).integers(1, 40, (k, k))
    for method in ("paper", "corrected"):
        law = EigenvalueDistribution(matrix, method)
        found = law.sample(rng(), 40_000)
        assert (np.diff(found, axis=1) <= 0).all()
        trace = found.sum(axis=1)
        assert trace.mean() == pytest.approx(k * law.mean, abs=5 * math.sqrt(k) * law.s / 200)
        assert trace.std() == pytest.approx(math.sqrt(k) * law.s, rel=0.02)
        # E tr (s Z + M)² = s² (k + k (k − 1)/2) + tr M².
        shift = k * law.mean**2 if method == "paper" else (k * law.mean) ** 2
        assert (found**2).sum(axis=1).mean() == pytest.approx(law.s**2 * (k + k * (k - 1) / 2) + shift, rel=0.02)


def test_the_joint_density_of_three_classes_integrates_to_one_and_has_the_ensembles_moments():
    """By importance sampling from a normal law that is wide enough."""
    law = EigenvalueDistribution(rng(3).integers(1, 40, (3, 3)))
    x = law.mean + 1.6 * law.s * rng().standard_normal((3, 400_000))
    proposal = (
        np.exp(-((x - law.mean) ** 2).sum(axis=0) / (2 * (1.6 * law.s) ** 2))
        / (2 * math.pi * (1.6 * law.s) ** 2) ** 1.5
    )
    weight = law.pdf(*x) / proposal
    assert weight.mean() == pytest.approx(1, abs=0.01)
    assert (weight * ((x - law.mean) ** 2).sum(axis=0)).mean() == pytest.approx(6 * law.s**2, rel=0.02)


# The exact law.


@pytest.mark.parametrize("matrix", [A, [[9, 3], [2, 6]], [[1, 0], [0, 1]], [[5, 0], [0, 0]], [[0, 3], [2, 0]]])
def test_the_exact_law_has_mass_one_and_is_what_simulation_finds(matrix):
    """C22."""
    law, n = EigenvalueDistribution(matrix, "exact"), int(np.sum(matrix))
    trace, _, mass = law._atoms
    assert mass.sum() == pytest.approx(1, abs=1e-12)
    assert trace @ mass == pytest.approx(np.trace(matrix), abs=1e-9)
    drawn = law.sample(rng(), 20_000)
    for which in WHICH:
        found = np.sort(values_of(drawn, which))
        marginal = law.marginal(which)
        places = np.unique(np.quantile(found, np.linspace(0.02, 0.98, 25)))
        empirical = np.searchsorted(found, places + 1e-9, side="right") / len(found)
        np.testing.assert_allclose(marginal.cdf(places), empirical, atol=0.02)
        assert float(marginal.cdf(n + 1)) == pytest.approx(1, abs=1e-12)
        assert float(marginal.cdf(-n - 1)) == 0
        with pytest.raises(NotDefined, match="lives on atoms and has no density"):
            marginal.pdf(0.0)


def test_the_exact_law_of_small_matrices_is_the_sum_over_all_of_them():
    """Every table of six instances, with its multinomial probability."""
    matrix = np.array([[2, 1], [1, 2]])
    law, shares = EigenvalueDistribution(matrix, "exact"), matrix.reshape(-1) / 6
    expected: dict[str, list] = {which: [] for which in WHICH}
    for cells in itertools.product(range(7), repeat=4):
        if sum(cells) != 6:
            continue
        mass = math.factorial(6) / math.prod(map(math.factorial, cells)) * math.prod(shares**cells)
        a, b, c, d = cells
        root = math.sqrt((a - d) ** 2 + (b + c) ** 2)
        for which, value in (("largest", (a + d + root) / 2), ("smallest", (a + d - root) / 2), ("spacing", root)):
            expected[which].append((value, mass))
    for which in ("largest", "smallest", "spacing"):
        for x in np.linspace(-4, 7, 23):
            below = sum(mass for value, mass in expected[which] if value <= x + 1e-9)
            assert float(law.marginal(which).cdf(x)) == pytest.approx(below, abs=1e-12)


def test_traces_are_binomial_and_the_published_law_is_not():
    exact, paper = TraceDistribution([[90, 10], [10, 90]], "exact"), TraceDistribution([[90, 10], [10, 90]])
    assert (exact.mean, exact.sd**2) == (pytest.approx(180), pytest.approx(18))
    assert (paper.mean, paper.sd**2) == (100, pytest.approx(2 * 80**2 / 3))
    from scipy.stats import binom

    t = np.arange(201)
    np.testing.assert_allclose(exact.pdf(t), binom.pmf(t, 200, 0.9), atol=1e-13)
    np.testing.assert_allclose(exact.cdf(t + 0.5), binom.cdf(t, 200, 0.9), atol=1e-12)
    np.testing.assert_array_equal(exact.quantile([0.001, 0.5, 0.999]), binom.ppf([0.001, 0.5, 0.999], 200, 0.9))
    assert exact.pdf([-1, 0.5, 201, 1e30]).tolist() == [0, 0, 0, 0]
    assert TraceDistribution(A, "corrected").sd == TraceDistribution(A, "paper").sd


def test_normal_traces_have_density_quantiles_and_draws():
    law = TraceDistribution(A)
    assert quad(lambda x: float(law.pdf(x)), law.mean - 12 * law.sd, law.mean + 12 * law.sd)[0] == pytest.approx(1)
    for share in (0.01, 0.5, 0.99):
        assert float(law.cdf(law.quantile(share))) == pytest.approx(share)
    assert kstest(law.sample(rng(), 5000), law.cdf).pvalue > 0.001
    exact = TraceDistribution(A, "exact").sample(rng(), 20_000)
    assert exact.mean() == pytest.approx(113, abs=0.3)
    assert law.sample(rng(3), 5).tobytes() == law.sample(rng(3), 5).tobytes()


def test_exact_traces_of_a_billion_instances_take_little_memory():
    law = TraceDistribution([[4 * 10**8, 10**8], [10**8, 4 * 10**8]], "exact")
    assert law.mean == pytest.approx(8 * 10**8)
    assert law.sd == pytest.approx(math.sqrt(1.6 * 10**8), rel=1e-6)
    assert float(law.cdf(8 * 10**8)) == pytest.approx(0.5, abs=1e-4)
    apart = TraceDifference([[400_000, 100_000], [100_000, 400_000]], [[400_000, 100_100], [100_000, 399_900]], "exact")
    assert (apart.mean, apart.sd) == (pytest.approx(100), pytest.approx(math.sqrt(2 * 1.6 * 10**5), rel=1e-3))


# Differences of two traces, and the published probability.


def test_the_four_laws_of_a_difference():
    found = {method: TraceDifference(A, B, method) for method in ("paper", "theorem_3", "lemma_4", "exact")}
    assert {m: round(law.mean, 9) for m, law in found.items()} == {
        "paper": 16,
        "theorem_3": 0,
        "lemma_4": 0,
        "exact": 16,
    }
    assert found["paper"].sd ** 2 == pytest.approx(240)
    assert found["lemma_4"].sd ** 2 == pytest.approx(120)
    assert found["exact"].sd ** 2 == pytest.approx(200 * (0.565 * 0.435 + 0.485 * 0.515))
    assert 1 - float(found["paper"].cdf(0)) == pytest.approx(trace_superiority(A, B).probability)
    masses = found["exact"].pdf(np.arange(-200, 201))
    assert masses.sum() == pytest.approx(1)
    one, two = rng().binomial(200, 0.565, 50_000), rng(1).binomial(200, 0.485, 50_000)
    assert float(found["exact"].cdf(0)) == pytest.approx((one - two <= 0).mean(), abs=0.006)


def test_the_published_probability_and_its_neighbours():
    found = trace_superiority(A, B)
    assert found.probability == pytest.approx(0.849150208760826, abs=1e-14)
    assert found.lemma_4 == pytest.approx(0.9279364825919924, abs=1e-14)
    assert found.z == pytest.approx(16 / math.sqrt(240))
    assert trace_superiority(B, A).probability == pytest.approx(1 - found.probability)
    assert found.range is None
    assert len(found.warnings) == 2


@given(st.integers(2, 4), st.integers(0, 2**31), st.sampled_from([0.2, 1.0, 5.0]))
def test_the_statistic_is_bounded_and_blind_to_the_number_of_instances(k, seed, evenness):
    """C25."""
    draw = rng(seed)
    one, two = (draw.multinomial(400, draw.dirichlet([evenness] * k * k)).reshape(k, k) for _ in range(2))
    found = trace_superiority(one, two)
    assert abs(found.z) <= z_bound(k) + 1e-9
    assert trace_superiority(10 * one, 10 * two).z == pytest.approx(found.z, abs=1e-9)
    squares = [(matrix.astype(float) ** 2).sum() for matrix in (one, two)]
    at_once = trace_probability(np.trace(one), np.trace(two), *squares, 400, k)
    assert float(at_once) == pytest.approx(found.probability, abs=1e-12)


def test_the_bound_is_attained_for_every_number_of_classes():
    for k, bound in ((2, math.sqrt(3)), (3, 3.266), (4, 4.743)):
        one = np.full((k, k), 2) + 2 * np.eye(k, dtype=int)
        # Equal cells on and off the diagonal, and a trace as far below n/k as the other is above it.
        scale = k * (k - 1)
        high, low = one * scale, None
        n, trace = high.sum(), np.trace(high)
        target = 2 * n // k - trace
        low = np.full((k, k), (n - target) / (k * (k - 1)))
        np.fill_diagonal(low, target / k)
        factor = k * (k - 1)
        found = trace_superiority(high * factor, np.rint(low * factor).astype(int))
        assert found.z == pytest.approx(bound, abs=5e-4)
        assert found.bound == pytest.approx(bound, abs=5e-4)
    found = trace_superiority([[4, 2], [2, 4]], [[2, 4], [4, 2]])
    assert (found.z, found.probability) == (pytest.approx(math.sqrt(3)), pytest.approx(0.958368, abs=1e-6))


def test_what_two_matrices_of_one_test_set_allow():
    """113 and 97 right of 200: between 16 and 190 discordant instances, z between 1.16 and 4."""
    found = superiority_range([[56, 44], [43, 57]], [[48, 52], [51, 49]])
    assert found.discordant == (16, 190)
    assert found.z == pytest.approx((1.16, 4.0), abs=0.005)
    assert 0.5 < found.p_better[0] < found.p_better[1] < 1


@given(st.integers(2, 3), st.integers(1, 12), st.integers(0, 2**31))
def test_the_range_holds_what_the_predictions_say(k, n, seed):
    from tiebreak.inference.posterior import p_better

    draw = rng(seed)
    truth, a, b = draw.integers(0, k, (3, n))
    one, two = (np.array([[((truth == t) & (p == c)).sum() for c in range(k)] for t in range(k)]) for p in (a, b))
    rw, wr = int(((a == truth) & (b != truth)).sum()), int(((a != truth) & (b == truth)).sum())
    found = superiority_range(one, two)
    assert found.discordant[0] <= rw + wr <= found.discordant[1]
    assert found.p_better[0] - 1e-12 <= float(p_better(rw, wr)) <= found.p_better[1] + 1e-12
    z = (rw - wr) / math.sqrt(rw + wr) if rw + wr else 0.0
    assert found.z[0] - 1e-9 <= z <= found.z[1] + 1e-9
    assert trace_superiority(one, two).range == found


# Edges.


def test_equal_cells_and_equal_matrices_are_even():
    even = [[5, 5], [5, 5]]
    assert trace_superiority(even, even).probability == 0.5
    assert trace_superiority(A, A).z == 0
    assert superiority_range(A, A).z == (0, 0)
    assert superiority_range(A, A).p_better == (0.5, 0.5)
    law = EigenvalueDistribution(even)
    for ask in (lambda: law.pdf(1.0, 2.0), lambda: law.marginal("largest")):
        with pytest.raises(NotDefined, match="all cells are equal"):
            ask()
    np.testing.assert_array_equal(law.sample(rng(), 3), np.full((3, 2), 5.0))
    point = TraceDistribution(even)
    assert (point.sd, point.cdf([9.9, 10.0]).tolist(), float(point.quantile(0.3))) == (0, [0, 1], 10)
    assert np.isnan(point.pdf(10.0))


def test_all_right_and_all_wrong_have_a_law():
    for matrix, trace in (([[50, 0], [0, 50]], 100), ([[0, 50], [50, 0]], 0)):
        assert TraceDistribution(matrix, "exact").quantile([0.01, 0.99]).tolist() == [trace, trace]
        assert float(TraceDifference(matrix, matrix, "exact").cdf(0)) == 1
        for method in ("paper", "corrected", "exact"):
            assert np.isfinite(EigenvalueDistribution(matrix, method).marginal("largest").cdf(50.0))


@pytest.mark.parametrize(("matrix", "words"), [
    ([[1, -1], [0, 2]], "matrix holds -1: every cell must be an integer ≥ 0"),
    ([[1, 0.5], [0, 2]], "matrix holds 0.5"), ([[1, math.nan], [0, 2]], "matrix holds nan"),
    ([[1, 2, 3], [4, 5, 6]], "a confusion matrix is square, at least 2 × 2"), ([[3]], "at least 2 × 2"),
    ([1, 2, 3, 4], "has shape"), ("no", "matrix is no matrix of numbers"), ([["a", "b"], ["c", "d"]], "no matrix of numbers"),
])  # fmt: skip
def test_matrices_that_are_none_are_refused(matrix, words):
    for ask in (spectrum, EigenvalueDistribution, TraceDistribution, youden_j):
        with pytest.raises(TiebreakError, match="matrix") as caught:
            ask(matrix)
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)


def test_other_mistakes_are_refused():
    with pytest.raises(EmptyComparison, match="a is all 0"):
        trace_superiority([[0, 0], [0, 0]], B)
    with pytest.raises(TiebreakError, match="a holds 200 instances and b 201"):
        trace_superiority(A, [[51, 53], [50, 47]])
    with pytest.raises(TiebreakError, match="a has 2 classes and b 3"):
        TraceDifference(A, np.eye(3, dtype=int) * 10)
    with pytest.raises(TiebreakError, match="the true classes hold 98, 102 in a and 103, 97 in b: two matrices of one"):
        superiority_range(A, B)
    with pytest.raises(TiebreakError, match="method is 'new': it must be one of paper, corrected"):
        EigenvalueDistribution(A, "new")
    with pytest.raises(TiebreakError, match="which is 'middle': it must be one of largest, smallest"):
        EigenvalueDistribution(A).marginal("middle")
    with pytest.raises(NotDefined, match="the joint density takes 2 eigenvalues, and 1 were given"):
        EigenvalueDistribution(A).pdf(1.0)
    with pytest.raises(NotDefined, match="the exact law has no density"):
        EigenvalueDistribution(A, "exact").pdf(1.0, 2.0)
    with pytest.raises(NotDefined, match="marginals of 3 classes: no closed form is known; draw with sample"):
        EigenvalueDistribution(np.eye(3, dtype=int)).marginal()
    with pytest.raises(NotDefined, match="draw from it with sample, or use at most 3000"):
        EigenvalueDistribution([[10**6, 5], [3, 10**6]], "exact").marginal()


def test_the_corrected_joint_density_integrates_to_one_with_the_corrected_marginals():
    law = EigenvalueDistribution([[9, 3], [2, 6]], "corrected")
    largest, smallest = law.sample(rng(), 4000).T
    reach = 10 * law.s
    ends = smallest.min() - reach, largest.max() + reach
    x = np.linspace(*ends, 1501)
    grid = law.pdf(x[:, None], x[None, :])
    step = x[1] - x[0]
    assert grid.sum() * step**2 == pytest.approx(1, abs=1e-3)
    np.testing.assert_allclose(grid.sum(axis=1)[::50] * step, law.marginal("random").pdf(x)[::50], atol=1e-4)
    with pytest.raises(NotDefined, match="the joint density of the corrected law of 3 classes"):
        EigenvalueDistribution([[3, 1, 1], [0, 2, 1], [0, 0, 4]], "corrected").pdf(1.0, 2.0, 3.0)
