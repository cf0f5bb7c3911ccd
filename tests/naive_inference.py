"""The slow and obvious twins of the room of inference: other integrals, exact fractions, and loops over everything."""

import itertools
import math
from fractions import Fraction

import numpy as np
from scipy.special import betaincc, betainccinv

# Panels that shrink towards 0 geometrically, 40 Gauss nodes in each, so that any power at the end is integrated; many
# in the middle, where a narrow law of B makes a steep step.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
_EDGES = np.concatenate([[0.0], 2.0 ** np.arange(-45, -4), np.linspace(2.0**-4, 0.5, 29)])
_SHARES = np.concatenate([a + (b - a) * (_NODES + 1) / 2 for a, b in itertools.pairwise(_EDGES)])
_MASSES = np.concatenate([(b - a) / 2 * _WEIGHTS for a, b in itertools.pairwise(_EDGES)])


def tail(y, rw, wr, n, prior=1.0):
    """P(S (2B − 1) > y) as an integral over the quantiles of S, where the package integrates over a cell."""
    if y < 0:
        return 1 - tail(-y, wr, rw, n, prior)
    a, b = rw + wr + 2 * prior, n - rw - wr + 2 * prior
    beyond = float(betaincc(a, b, y))
    total = 0.0
    for share in (beyond * _SHARES, beyond * (1 - _SHARES)):
        s = np.maximum(betainccinv(a, b, share), y)
        ratio = np.clip(y / s, 0, 1) if y > 0 else np.zeros_like(s)
        total += beyond * float((_MASSES * betaincc(rw + prior, wr + prior, (1 + ratio) / 2)).sum())
    return total


def brackets(share, y, *table, within=1e-8):
    """Whether the quantile is within that distance of y."""
    below, above = max(y - within, -1.0), min(y + within, 1.0)
    return tail(above, *table) <= 1 - share <= tail(below, *table)


def binomial(n):
    """P(Bin(n, 1/2) = k) for every k, exactly."""
    return [Fraction(math.comb(n, k), 2**n) for k in range(n + 1)]


def log_p_better(rw, wr):
    """log P(Bin(RW + WR + 1, 1/2) ≤ RW), from one integer."""
    trials, term, total = rw + wr + 1, 1, 0
    for k in range(rw + 1):
        total += term
        term = term * (trials - k) // (k + 1)
    return math.log(total) - trials * math.log(2)


def exact_p(rw, wr):
    """Two-sided exact McNemar."""
    return min(Fraction(1), 2 * sum(binomial(rw + wr)[: min(rw, wr) + 1], Fraction(0)))


def one_sided(rw, wr):
    """P(Bin ≥ RW), and its mid-p version."""
    law = binomial(rw + wr)
    beyond = sum(law[rw:], Fraction(0))
    return beyond, beyond - law[rw] / 2


def cochran(right):
    """Cochran's Q from the rows (instances × models)."""
    right = np.asarray(right, dtype=float)
    models = right.shape[1]
    columns, rows, total = right.sum(axis=0), right.sum(axis=1), right.sum()
    below = models * total - (rows**2).sum()
    return (models - 1) * (models * (columns**2).sum() - total**2) / below if below else 0.0


def holm(p):
    """The k-th smallest of m times m − k + 1, never below an earlier one, at most 1."""
    adjusted, highest = [0.0] * len(p), 0.0
    for k, place in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        highest = max(highest, min(1.0, p[place] * (len(p) - k)))
        adjusted[place] = highest
    return adjusted


def romano_wolf(statistics, resampled):
    """Step down: among the comparisons still open, how often does the largest resampled statistic reach this one?"""
    order = sorted(range(len(statistics)), key=lambda j: -statistics[j])
    adjusted, highest = [0.0] * len(statistics), 0.0
    for step, j in enumerate(order):
        reached = sum(max(row[i] for i in order[step:]) >= statistics[j] for row in resampled)
        highest = max(highest, (1 + reached) / (len(resampled) + 1))
        adjusted[j] = highest
    return adjusted


def tiers(scores, adjusted, names, alpha):
    """Walk down the list; the first model separable from the leader opens the next tier and leads it."""
    order = sorted(range(len(scores)), key=lambda m: (-scores[m], names[m]))
    leader = order[0]
    order[1:] = sorted(order[1:], key=lambda m: (-scores[m], -adjusted[leader][m], names[m]))
    found, tier = {leader: 1}, 1
    for m in order[1:]:
        if adjusted[leader][m] < alpha:
            leader, tier = m, tier + 1
        found[m] = tier
    return [found[m] for m in range(len(scores))]


def grouped_error(groups, values):
    """Sandwich standard error of a mean of dependent values."""
    mean, total = np.mean(values), 0.0
    names = sorted(set(groups))
    for name in names:
        inside = [value - mean for group, value in zip(groups, values, strict=True) if group == name]
        total += sum(inside) ** 2
    return math.sqrt(len(names) / (len(names) - 1) * total) / len(values)


def weighted_error(weights, values):
    """√(Σ w² (x − x̄)²) / Σ w."""
    mean = sum(w * x for w, x in zip(weights, values, strict=True)) / sum(weights)
    return math.sqrt(sum(w * w * (x - mean) ** 2 for w, x in zip(weights, values, strict=True))) / sum(weights)


def tango_statistic(delta, rw, wr, n):
    """Tango's statistic with the share of wrong/right found by maximising the likelihood numerically."""
    from scipy.optimize import minimize_scalar

    concordant = n - rw - wr

    def minus_log_likelihood(q):
        parts = ((rw, q + delta), (wr, q), (concordant, 1 - 2 * q - delta))
        return -sum(count * math.log(max(share, 1e-300)) for count, share in parts if count)

    ends = max(0.0, -delta), (1 - delta) / 2
    q = minimize_scalar(minus_log_likelihood, bounds=ends, method="bounded", options={"xatol": 1e-13}).x
    return (rw - wr - n * delta) / math.sqrt(n * (2 * q + delta * (1 - delta)))
