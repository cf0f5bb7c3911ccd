"""The simulation of the calibration study, drawn once for all tests that hold something against it."""

import numpy as np
import pytest


def _truths(rng, count, correlation):
    """Points of the simplex: accuracies uniform, apart by N(0, .03²), their correctness correlated if they can be."""
    a = rng.uniform(0.55, 0.97, count)
    b = np.clip(a + rng.normal(0, 0.03, count), 0.5, 0.995)
    both = a * b + correlation * np.sqrt(a * (1 - a) * b * (1 - b))
    both = np.clip(both, np.maximum(0, a + b - 1), np.minimum(a, b))
    theta = np.clip(np.stack([both, a - both, b - both, 1 - a - b + both], axis=1), 0, 1)
    return theta / theta.sum(axis=1, keepdims=True)


@pytest.fixture(scope="session")
def calibration_truths():
    """(n, correlation) to 20,000 truths and the tables that they produced."""
    rng = np.random.default_rng(0)
    drawn = {}
    for n in (50, 200, 1000):
        for correlation in (0.0, 0.4, 0.8):
            theta = _truths(rng, 20_000, correlation)
            drawn[n, correlation] = theta, rng.multinomial(n, theta)
    return drawn
