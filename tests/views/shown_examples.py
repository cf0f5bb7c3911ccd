"""Comparisons of every size, and ones that carry what richer tasks carry."""

from dataclasses import dataclass, fields
from types import SimpleNamespace

import numpy as np

import tiebreak as tb
from tiebreak.comparison import Comparison, Model
from tiebreak.inference import Estimate, Interval


def compared(models=3, n=300, classes=4, seed=0, names=None, labels=None, **options):
    rng = np.random.default_rng(seed)
    names = names or [f"model {m}" for m in range(models)]
    labels = labels or [f"class {k}" for k in range(classes)]
    truth, hard = rng.integers(0, len(labels), n), rng.random(n)
    answers = {}
    for m, name in enumerate(names):
        wrong = 0.5 * hard + 0.5 * rng.random(n) > 0.85 - 0.3 * m / len(names)
        answers[name] = np.where(wrong, (truth + rng.integers(1, max(2, len(labels)), n)) % len(labels), truth)
    column = np.array(labels, dtype=object)
    return tb.compare(column[truth], {name: column[answer] for name, answer in answers.items()}, **options)


@dataclass(frozen=True, slots=True)
class RichModel(Model):
    """A model with its confusion matrix."""

    confusion: object = None


class Rich(Comparison):
    """A comparison that carries classes, slices, a profile, losses and clusterings, as richer tasks will."""

    @property
    def slices(self):
        rows = [slice_row(value) for value in ("day", "night")]
        a, b = self.names[:2]
        tables = [Iterable(rows, primary=one, alternative=other) for one, other in ((a, b), (b, a))]
        if len(self.names) > 2:
            tables.append(Iterable(rows, primary=self.ranked[1].name, alternative=self.ranked[0].name))
        return tuple(tables)

    def class_differences(self, primary, alternative):
        return [
            SimpleNamespace(label=label, support=10, difference=estimate(0.1), p_value_adjusted=0.2, winner=None)
            for label in self.labels
        ]

    @property
    def profile(self):
        return Profile(self.names)

    @property
    def losses(self):
        values = np.random.default_rng(0).exponential(size=(200, len(self.names)))
        return SimpleNamespace(values=values, kind="losses", index=self.names.index, models=self.names)


class Iterable(SimpleNamespace):
    """Records with a header."""

    def __init__(self, rows, **facts):
        super().__init__(**facts)
        self.rows = rows

    def __iter__(self):
        return iter(self.rows)


class Profile:
    """A performance profile as `profiles` makes them."""

    warnings = ("a profile ranks models against the best of their pool only",)

    def __init__(self, models):
        self.models = tuple(models)

    def taus(self, most=512):
        return np.geomspace(1, 20, 50)

    def curve(self, taus=None):
        taus = self.taus() if taus is None else taus
        return {name: (1 - np.exp(-taus / (1 + k))).tolist() for k, name in enumerate(self.models)}

    def bands(self, level=0.95, *, taus=None):
        shares = np.array(list(self.curve(taus).values()))
        return SimpleNamespace(low=shares - 0.05, high=shares + 0.05)


def estimate(value):
    return Estimate(value, Interval(value - 0.1, value + 0.1, 0.95, "flat_posterior"))


def slice_row(value):
    cells = SimpleNamespace(right_wrong=5, wrong_right=3)
    return SimpleNamespace(column="hour", value=value, n=20, prayatul=cells, difference=estimate(0.1), p_better=0.8,
                           p_value=0.3, p_value_adjusted=0.6, better=None)  # fmt: skip


def confusion(comparison, name):
    counts = comparison.tally.confusion(name).matrix()
    labels, rng = comparison.labels, np.random.default_rng(len(name))
    values = rng.random(len(labels))
    values[0] = np.nan
    classes = [
        SimpleNamespace(
            label=label, support=9, predicted=8, right=7, precision=0.9, recall=0.8, f1=0.85, r_prime=float(v)
        )
        for label, v in zip(labels, values, strict=True)
    ]
    return ConfusionMatrix(counts=counts, labels=labels, classes=classes, values=values, n=int(counts.sum()))


class ConfusionMatrix(SimpleNamespace):
    """A confusion matrix as `comparison.confusion` makes them."""

    def __array__(self, dtype=None, copy=None):
        return self.counts

    def r_prime(self):
        return self.values


def rich(**options):
    """A comparison with everything the page has a section for."""
    plain = compared(**options)
    held = {field.name: getattr(plain, field.name) for field in fields(plain)}
    names = [field.name for field in fields(Model)]
    held["models"] = tuple(
        RichModel(*(getattr(model, name) for name in names), confusion=confusion(plain, model.name))
        for model in plain.models
    )
    return Rich(**held)
