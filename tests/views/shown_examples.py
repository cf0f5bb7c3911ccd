"""Real comparisons of every task and size, with everything that a page has a section for."""

import numpy as np

import tiebreak as tb

# What the page of `rich` models has, in its order.
SECTIONS = ["models", "pairs", "sure", "classes", "probabilities", "sets", "slices", "cost", "flips", "methods"]


def drawn_answers(names, classes, n, seed):
    """True classes and every model's answers, as codes: some instances are hard for all, later models are worse."""
    rng = np.random.default_rng(seed)
    truth, hard = rng.integers(0, classes, n), rng.random(n)
    answers = {}
    for m, name in enumerate(names):
        wrong = 0.5 * hard + 0.5 * rng.random(n) > 0.85 - 0.3 * m / len(names)
        answers[name] = np.where(wrong, (truth + rng.integers(1, max(2, classes), n)) % classes, truth)
    return truth, answers


def compared(models=3, n=300, classes=4, seed=0, names=None, labels=None, **options):
    """Classifiers."""
    names = names or [f"model {m}" for m in range(models)]
    labels = labels or [f"class {k}" for k in range(classes)]
    truth, answers = drawn_answers(names, len(labels), n, seed)
    column = np.array(labels, dtype=object)
    return tb.compare(column[truth], {name: column[answer] for name, answer in answers.items()}, **options)


def rich(models=3, n=300, classes=4, seed=0, names=None, labels=None, parts=("day", "night"), **options):
    """Classifiers with class probabilities, costs, slices and test sets."""
    names = names or [f"model {m}" for m in range(models)]
    labels = labels or [f"class {k}" for k in range(classes)]
    rng = np.random.default_rng([seed, 1])
    truth, answers = drawn_answers(names, len(labels), n, seed)
    parts = np.array(parts, dtype=object)[np.arange(n) % len(parts)]
    size = len(labels)
    costs = rng.integers(1, 9, (size, size)).astype(float) * (1 - np.eye(size))
    column = np.array(labels, dtype=object)
    return tb.compare(
        column[truth],
        {name: column[answer] for name, answer in answers.items()},
        labels=labels,
        y_proba={name: _shares(answers[name], size, rng) for name in names[:5]},
        cost=(labels, costs),
        by={"hour": parts, "hardness": np.array(["easy", "hard"])[rng.integers(0, 2, n)]},
        stratify=parts,
        **options,
    )


def _shares(answer, size, rng):
    """Class probabilities that lean to an answer; of two classes those of the last one."""
    leaning = rng.gamma(1.0, size=(len(answer), size)) + 2.0 * size * np.eye(size)[answer]
    shares = leaning / leaning.sum(axis=1, keepdims=True)
    return shares[:, 1] if size == 2 else shares


def regressed(models=3, n=300, seed=0, names=None, **options):
    """Predicted numbers."""
    names = names or [f"model {m}" for m in range(models)]
    rng = np.random.default_rng(seed)
    truth = rng.normal(50, 10, n)
    guesses = {name: truth + rng.normal(0.2 * m, 1 + 0.5 * m, n) for m, name in enumerate(names)}
    return tb.compare(truth, guesses, task="regression", **{"tolerance": 1.0, **options})


def scored(models=3, n=300, seed=0, names=None, **options):
    """Graded scores in groups."""
    names = names or [f"model {m}" for m in range(models)]
    rng = np.random.default_rng(seed)
    hard = rng.random(n // 5 + 1)[np.arange(n) // 5]
    scores = {name: np.clip(hard + rng.normal(0.5 - 0.05 * m, 0.2, n), 0.01, 2) for m, name in enumerate(names)}
    return tb.compare(scores, task="scores", **{"groups": np.arange(n) // 5, **options})


def clustered(models=3, n=200, seed=0, names=None, truth=True, **options):
    """Clusterings, with or without a truth."""
    names = names or [f"model {m}" for m in range(models)]
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 4, n)
    found = {name: np.where(rng.random(n) < 0.1 + 0.1 * m, rng.integers(0, 5, n), true) for m, name in enumerate(names)}
    return tb.compare(*((true, found) if truth else (found,)), task="clustering", **options)


def graded(models=3, n=300, seed=0, names=None, **options):
    """Answers that came as right or wrong."""
    names = names or [f"model {m}" for m in range(models)]
    truth, answers = drawn_answers(names, 4, n, seed)
    return tb.compare(
        {name: (answer == truth).astype(int) for name, answer in answers.items()}, task="correct", **options
    )


TASKS = {
    "classification": rich,
    "correct": graded,
    "regression": regressed,
    "regression without a tolerance": lambda **options: regressed(tolerance=None, **options),
    "squared": lambda **options: regressed(loss="squared", **options),
    "scores": scored,
    "clustering": clustered,
}


def confusion(comparison, name):
    """One model's confusion matrix."""
    return comparison.model(name).confusion
