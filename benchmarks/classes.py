"""Every measure of every class, the differences of two models, slices and areas: beside the count they rest on."""

from __future__ import annotations

import numpy as np

from benchmarks.measuring import Result, best, in_process


def answers(n, classes, models, seed=0):
    """True labels and predictions, each model right on about seven in ten instances."""
    rng = np.random.default_rng(seed)
    kind = np.int8 if classes < 128 else np.int32
    truth = rng.integers(0, classes, n).astype(kind)
    said = [
        np.where(rng.random(n, dtype=np.float32) < 0.7, truth, rng.integers(0, classes, n)).astype(kind)
        for _ in range(models)
    ]
    return truth, {f"m{k}": column for k, column in enumerate(said)}


def measured(tally):
    """Everything about every model's classes, and where the first two differ."""
    from tiebreak.comparison.confusion import ConfusionMatrix
    from tiebreak.inference import cell_differences, class_differences, class_intervals

    for model in tally.models:
        matrix = ConfusionMatrix(tally.confusion(model), tally.labels)
        found = [matrix.kappa, matrix.mcc, matrix.mean_f1, matrix.f1_of_means, matrix.macro_jaccard, matrix.weighted_f1]
        found += [matrix.weighted_kappa("linear"), matrix.weighted_kappa("quadratic"), matrix.r_prime("overall")]
        assert np.isfinite(found).all()
        assert len(matrix.classes) == len(tally.labels)
        assert len(matrix.top_confusions(10)) == 10
        assert matrix.margins.one_against_rest().shape[0] == len(tally.labels)
        class_intervals(matrix.margins)
    first, second, *_ = tally.models
    for measure in ("recall", "precision", "f1", "r_prime"):
        class_differences(tally, first, second, measure)
    cell_differences(tally, first, second)


def beside_the_tally(n, classes=100, models=10):
    from tiebreak.sources import Ask, opened

    truth, said = answers(n, classes, models)

    def counted():
        return opened(truth, said, Ask()).tally

    def everything():
        measured(counted())

    tally, whole = best(counted, everything, rounds=3)
    yield Result(
        f"{n:.0e} rows × {classes} classes × {models} models, all measures", whole, tally, "the tally alone", 1.5
    )


def differences(n, classes=100):
    from tiebreak.inference import cell_differences, class_differences
    from tiebreak.sources import Ask, opened

    truth, said = answers(n, classes, 2)

    def counted():
        return opened(truth, said, Ask()).tally

    tally = counted()

    def compared():
        for measure in ("recall", "precision", "f1", "r_prime"):
            class_differences(tally, "m0", "m1", measure).records()
        cell_differences(tally, "m0", "m1")

    alone, after = best(counted, compared, rounds=3)
    yield Result(f"{n:.0e} rows × {classes} classes, differences of two", after, alone, "the tally of the two")


def one_model(truth, said):
    """The confusion matrix of one model with the measures of every class and of the whole."""
    from tiebreak.comparison.confusion import confusion_matrix

    matrix = confusion_matrix(truth, said)
    return matrix.classes, matrix.kappa, matrix.mean_f1, matrix.weighted_f1, matrix.r_prime("overall")


def beside_scikit_learn(n, classes=100):
    from sklearn.metrics import classification_report, cohen_kappa_score

    truth, said = answers(n, classes, 1)
    said = said["m0"]

    def ours():
        return one_model(truth, said)

    def theirs():
        return classification_report(truth, said, output_dict=True, zero_division=0), cohen_kappa_score(truth, said)

    fast, slow = best(ours, theirs, rounds=3)
    assert abs(ours()[1] - theirs()[1]) < 1e-9
    what = f"{n:.0e} rows × {classes} classes, one model"
    yield Result(what, fast, slow, "scikit-learn classification_report + cohen_kappa_score", 0.1)


def beside_pycm(n, classes=100):
    """The same arrays for both; PyCM computes its measures as it is built."""
    from pycm import ConfusionMatrix

    truth, said = answers(n, classes, 1)
    said = said["m0"]
    fast, slow = best(lambda: one_model(truth, said), lambda: ConfusionMatrix(truth, said), rounds=30)
    theirs = ConfusionMatrix(truth, said)
    assert abs(one_model(truth, said)[1] - theirs.Kappa) < 1e-9
    assert all(abs(record.f1 - theirs.F1[record.label]) < 1e-9 for record in one_model(truth, said)[0])
    yield Result(f"{n:.0e} rows × {classes} classes, one model", fast, slow, "PyCM", 1 / 50)


MEMORY = """
import sys
import numpy as np
from tiebreak.comparison.confusion import confusion_matrix
n, classes = int(sys.argv[1]), int(sys.argv[2])
rng = np.random.default_rng(0)
truth = rng.integers(0, classes, n, dtype=np.int16)
said = truth.copy()
for start in range(0, n, 1 << 20):
    part = slice(start, start + (1 << 20))
    wrong = rng.random(len(truth[part]), dtype=np.float32) < 0.3
    said[part][wrong] = (truth[part][wrong] + rng.integers(1, 20, int(wrong.sum()), dtype=np.int16)) % classes
import tracemalloc
tracemalloc.start()
matrix = confusion_matrix(truth, said)
values = matrix.kappa, matrix.weighted_kappa(), matrix.mean_f1, len(matrix.classes)
result = {"megabytes": tracemalloc.get_traced_memory()[1] / 2**20, "cells": len(matrix.table.rows)}
"""


def many_classes(n, classes=1000):
    found = in_process(MEMORY, n, classes)
    what = f"{classes} classes × {n:.0e} rows, {found['cells']:,} cells, memory"
    yield Result(what, found["megabytes"], classes**2 * 8 / 2**20, "one dense table of the classes", 4, "MB")


def slices_and_areas(n):
    import pandas as pd
    from sklearn.metrics import roc_auc_score

    from tiebreak.inference import delong, slice_table
    from tiebreak.sources import Ask, opened, sliced

    truth, said = answers(n, 10, 2)
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"y": truth, **said, "site": rng.integers(0, 20, n), "age": rng.normal(50, 10, n).round(1)})
    rows = opened(frame, None, Ask(truth="y", by=("site", "age")))

    def counted():
        return opened(frame, None, Ask(truth="y", by=("site", "age"))).tally

    def by_slice():
        return slice_table({column: sliced(rows, column) for column in ("site", "age")}, "m0", "m1")

    alone, two = best(counted, by_slice, rounds=3)
    yield Result(f"{n:.0e} rows, slices of two columns", two, alone, "the tally alone")
    positive = truth == 1
    scores = rng.normal(size=(2, n)) + positive
    ours, theirs = best(
        lambda: delong(positive, scores), lambda: [roc_auc_score(positive, row) for row in scores], rounds=3
    )
    yield Result(f"{n:.0e} rows, DeLong of two models", ours, theirs, "scikit-learn's two areas alone", 4)


def all_results(*, quick):
    shrink = 10 if quick else 1
    yield from beside_the_tally(10**6 // shrink)
    yield from differences(10**6 // shrink)
    yield from beside_scikit_learn(10**6 // shrink)
    yield from beside_pycm(10**6 // shrink)
    yield from many_classes(10**7 // shrink)
    yield from slices_and_areas(10**6 // shrink)
