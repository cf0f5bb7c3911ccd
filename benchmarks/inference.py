"""Doubts: resamples of counts against resamples of rows, many pairs at once, tiers, and the nearest whole peer."""

from __future__ import annotations

import contextlib
import io
import sys
import time

import numpy as np

from benchmarks.measuring import Result, best
from tiebreak.inference import FlatPosterior, best_of_all, bootstrap, evidence_of, holm, pair_units, standings
from tiebreak.inference.many import Comparisons
from tiebreak.sources import Ask, opened

RESAMPLES = 5000


def answers(n, models, seed=0):
    """True labels and the predictions of models that are right on 60 to 80 % of instances."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n, dtype=np.int8)
    shares = np.linspace(0.6, 0.8, models)
    return truth, {f"m{k:03d}": np.where(rng.random(n) < share, truth, 1 - truth) for k, share in enumerate(shares)}


def accuracies_apart(cells):
    return (cells[..., 1] - cells[..., 2]) / cells.sum(axis=-1)


def resamples(n):
    from mlxtend.evaluate import bootstrap as mlxtend_bootstrap
    from scipy.stats import bootstrap as scipy_bootstrap

    truth, predictions = answers(n, 2)
    first, second = predictions.values()

    def ours():
        tally = opened(truth, predictions, Ask()).tally
        return bootstrap(
            pair_units(tally, *predictions), accuracies_apart, np.random.default_rng(0), RESAMPLES
        ).interval()

    few = 10

    def scipy():
        right = ((first == truth).astype(float), (second == truth).astype(float))
        return scipy_bootstrap(
            right,
            lambda p, q, axis=-1: p.mean(axis=axis) - q.mean(axis=axis),
            n_resamples=few,
            batch=1,
            paired=True,
            method="percentile",
            rng=np.random.default_rng(0),
        )

    def mlxtend():
        each = (first == truth).astype(float) - (second == truth)
        return mlxtend_bootstrap(each, func=np.mean, num_rounds=few, seed=0)

    found, by_scipy, by_mlxtend = best(ours, scipy, mlxtend, rounds=3)
    what = f"{RESAMPLES} paired resamples of {n:.0e} instances, counting included"
    scale = RESAMPLES / few
    yield Result(what, found, by_scipy * scale, f"scipy.stats.bootstrap ({few} resamples, scaled)", 1 / 1000)
    yield Result(what, found, by_mlxtend * scale, f"mlxtend bootstrap ({few} resamples, scaled)", 1 / 1000)


def many_pairs(pairs):
    from scipy.special import betainc

    rng = np.random.default_rng(0)
    n = np.full(pairs, 1000.0)
    rw, wr = (rng.integers(0, 200, pairs).astype(float) for _ in range(2))

    def bare():
        return betainc(wr + 1, rw + 1, 0.5)

    def both():
        law = FlatPosterior(rw, wr, n)
        return law.p_better, law.p_value

    reading, one = best(both, bare, rounds=25)
    yield Result(f"p_better and p of {pairs:.0e} pairs", reading, one, "one vectorised betainc", 3)
    ends, one = best(lambda: FlatPosterior(rw, wr, n).ends(0.95), bare, rounds=2)
    yield Result(f"both interval ends of {pairs:.0e} pairs", ends, one, "one vectorised betainc", 600)


def judged(truth, predictions, draws=0):
    """Everything that the verdict over many models needs: pairs, intervals, adjusted p-values, tiers, the best."""
    tally = opened(truth, predictions, Ask()).tally
    evidence, every = evidence_of(tally), Comparisons(len(predictions))
    law = evidence.law(*every.places())
    adjusted = every.spread(holm(law.p_value))
    found = standings(evidence.scores, adjusted, tuple(predictions), 0.05)
    if draws:
        return found, law.ends(0.95), best_of_all(evidence.draws(np.random.default_rng(0), draws))
    return found


def tiers(models, n):
    from mlxtend.evaluate import mcnemar, mcnemar_table

    truth, predictions = answers(n, models)
    named = list(predictions.values())
    few = 50

    def loop():
        for k in range(few):
            mcnemar(mcnemar_table(truth, named[k], named[-1]), exact=True)

    ours, looped = best(lambda: judged(truth, predictions), loop, rounds=3)
    pairs = models * (models - 1) / 2
    against = f"mlxtend mcnemar over every pair ({few}, scaled)"
    yield Result(f"tiers of {models} models over {n} instances", ours, looped * pairs / few, against, 1 / 20)


def whole_peer(models, n):
    import evalstats

    truth, predictions = answers(n, models)
    rights = {name: (column == truth).astype(float) for name, column in predictions.items()}
    (ours,) = best(lambda: judged(truth, predictions, draws=10_000), rounds=3)
    with contextlib.redirect_stdout(io.StringIO()):
        (theirs,) = best(lambda: evalstats.compare_models(rights), rounds=1)
    what = f"{models} models × {n} instances: pairs, intervals, tiers, the best"
    yield Result(what, ours, theirs, "evalstats compare_models", 1 / 100)


def all_results(*, quick):
    yield from resamples(10**6)
    yield from many_pairs(10**5 // (5 if quick else 1))
    yield from tiers(300, 1000)
    yield from whole_peer(5, 20_000)


if __name__ == "__main__":
    begun = time.perf_counter()
    for result in all_results(quick="--quick" in sys.argv):
        limit = f" (limit {result.limit:.3g}{'' if result.kept else ', MISSED'})"
        print(f"{result.what}: {result.ours:.4f} s, {result.ratio:.3g} of {result.against}{limit}")
    print(f"{time.perf_counter() - begun:.0f} s")
