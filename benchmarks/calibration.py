"""`python -m benchmarks.calibration [--truths N]`: how often is "better with probability P" true?

A truth is a point θ of the simplex (both right, right/wrong, wrong/right, both wrong); the data are Multinomial(n, θ);
the event is θ_RW > θ_WR. Accuracies: one uniform between .55 and .97, the other apart by N(0, .03²), their correctness
correlated by ρ as far as the accuracies allow. Each rule states a probability and an interval of the difference for
every data set, and is held against the truths. Everything is computed by the package itself.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np

from tiebreak.inference import FlatPosterior, trace_probability
from tiebreak.inference.draws import resampled_means
from tiebreak.inference.posterior import prior_scale_law
from tiebreak.inference.spectra.matrix import dispersion

SIZES = (50, 200, 1000, 10_000)
CORRELATIONS = (0.0, 0.4, 0.8)
SPREAD = 0.03
LEVEL = 0.95
RESAMPLES = 1000
BINS = 20


@dataclass(frozen=True)
class Said:
    """What one rule says of every data set: the probability that A is better, and the ends of its interval."""

    rule: str
    probability: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class Score:
    """One rule against the truths."""

    n: int
    correlation: float
    rule: str
    brier: float
    error: float
    said: float
    held: float
    coverage: float
    width: float


def truths(rng, count, correlation):
    """`count` points of the simplex (count × 4)."""
    a = rng.uniform(0.55, 0.97, count)
    b = np.clip(a + rng.normal(0, SPREAD, count), 0.5, 0.995)
    both = a * b + correlation * np.sqrt(a * (1 - a) * b * (1 - b))
    both = np.clip(both, np.maximum(0, a + b - 1), np.minimum(a, b))
    return np.clip(np.stack([both, a - both, b - both, 1 - a - b + both], axis=1), 0, 1)


def distinct(cells):
    """The distinct data sets, and which of them each truth produced: rules need to speak once about each."""
    found, place = np.unique(cells, axis=0, return_inverse=True)
    return found, place.reshape(-1)


def flat(cells, n):
    """The trio: flat posterior, whose interval, probability and p-value are one statement."""
    _, rw, wr, _ = cells.T.astype(np.float64)
    law = FlatPosterior(rw, wr, np.full(len(rw), float(n)))
    low, high = law.ends(LEVEL).T
    return Said("flat posterior (the trio)", law.p_better, low, high)


def scaled(cells, n):
    """The same under a normal prior of the true spread of the differences."""
    from scipy.special import ndtr, ndtri

    _, rw, wr, _ = cells.T.astype(np.float64)
    mean, sd = prior_scale_law(rw, wr, np.full(len(rw), float(n)), SPREAD)
    reach = ndtri((1 + LEVEL) / 2) * sd
    return Said(f"prior scale τ = {SPREAD}", ndtr(mean / sd), mean - reach, mean + reach)


def resampled(cells, rng):
    """Percentile bootstrap: draws of the four counts, ties counted half."""
    parts = np.empty((3, len(cells)))
    each = np.array([[0.0, 1.0, -1.0, 0.0]])
    for place, times in enumerate(cells):
        d = resampled_means(times, each, np.ones(4), rng, RESAMPLES)[:, 0]
        low, high = np.quantile(d, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        parts[:, place] = (d > 0).mean() + (d == 0).mean() / 2, low, high
    return Said("bootstrap, percentile", *parts)


def published(cells, n, rng):
    """Paper 003's closed form, from the two confusion matrices that the data become with two equally frequent classes.

    Correctness does not depend on the class, so each of the four counts splits between the classes by a coin.
    """
    from scipy.special import ndtri

    first = rng.binomial(cells, 0.5)
    second = cells - first
    matrices = []
    for wrong in ([2, 3], [1, 3]):
        rights = [part.sum(axis=1) - part[:, wrong].sum(axis=1) for part in (first, second)]
        matrices.append((*rights, *(part[:, wrong].sum(axis=1) for part in (first, second))))
    traces = [one + two for one, two, _, _ in matrices]
    squares = [sum(np.square(cell.astype(np.float64)) for cell in matrix) for matrix in matrices]
    probability = trace_probability(*traces, *squares, float(n), 2)
    d = (traces[0] - traces[1]) / n
    variance = 2 * sum(dispersion(square, float(n), 2) for square in squares)
    reach = ndtri((1 + LEVEL) / 2) * np.sqrt(variance) / n
    return Said("paper 003, closed form", probability, d - reach, d + reach)


def score(said, place, theta, n, correlation):
    """Hold one rule against the truths; `place` says what it said for each of them."""
    true = theta[:, 1] - theta[:, 2]
    better = true > 0
    p, low, high = said.probability[place], said.low[place], said.high[place]
    sure = np.maximum(p, 1 - p)
    hit = np.where(p == 0.5, 0.5, (p > 0.5) == better)
    bins = np.minimum((p * BINS).astype(int), BINS - 1)
    size = np.maximum(np.bincount(bins, minlength=BINS), 1)
    gaps = np.abs(np.bincount(bins, p, BINS) - np.bincount(bins, better, BINS)) / size
    return Score(
        n,
        correlation,
        said.rule,
        float(np.square(p - better).mean()),
        float((gaps * size).sum() / len(p)),
        float(sure.mean()),
        float(hit.mean()),
        float(((low <= true) & (true <= high)).mean()),
        float((high - low).mean()),
    )


def cell(n, correlation, count, seed):
    """All rules at one size and correlation."""
    rng = np.random.default_rng([seed, n, round(10 * correlation)])
    theta = truths(rng, count, correlation)
    cells = rng.multinomial(n, theta / theta.sum(axis=1, keepdims=True))
    found, place = distinct(cells)
    each = np.arange(count)
    yield score(published(cells, n, rng), each, theta, n, correlation)
    yield score(flat(found, n), place, theta, n, correlation)
    yield score(resampled(cells, rng), each, theta, n, correlation)
    yield score(scaled(found, n), place, theta, n, correlation)


def markdown(scores):
    """The scores as a Markdown table."""
    lines = [
        "| n | ρ | rule | Brier | calibration error | says | is right | coverage | width |",
        "|---:|---:|---|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {s.n} | {s.correlation:g} | {s.rule} | {s.brier:.3f} | {s.error:.3f} | {s.said:.3f} | {s.held:.3f} | "
        f"{s.coverage:.3f} | {s.width:.3f} |"
        for s in scores
    ]
    return "\n".join(lines)


def study(count, seed=0):
    """All rules at every size and correlation."""
    return [s for n in SIZES for correlation in CORRELATIONS for s in cell(n, correlation, count, seed)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--truths", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    begun = time.perf_counter()
    print(markdown(study(given.truths, given.seed)))
    print(f"\n{given.truths} truths a cell, seed {given.seed}, {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
