"""How far two clusterings agree: over pairs of instances, adjusted for chance, and in information."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from tiebreak._format import Shown
from tiebreak.comparison.entries import number_entry, read_number
from tiebreak.measures import adjusted_mutual_information as ami
from tiebreak.measures import adjusted_rand, chance_rand, fowlkes_mallows, information, rand
from tiebreak.tables import Partitions


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two clusterings of the same instances, or one and the truth; NaN where undefined.

    Attributes
    ----------
    first, second : the clusterings
    rand : the share of pairs of instances that are together in both, or apart in both
    chance_rand : the Rand index expected if one clustering's labels were shuffled
    adjusted_rand : the Rand index on a scale where chance is 0
    normalized_mutual_information, adjusted_mutual_information : in information, plain and adjusted for chance
    homogeneity, completeness, v_measure : `second` against `first`
    fowlkes_mallows : over the pairs that are together

    Examples
    --------
    >>> partitions = Partitions.of({(0, 5, 1): 4, (0, 5, 2): 1, (1, 7, 2): 5}, models=("p", "q"))
    >>> found = agreement(partitions, "p", "q")
    >>> round(found.rand, 4), round(found.adjusted_rand, 4)
    (0.8, 0.597)
    """

    first: str
    second: str
    rand: float
    chance_rand: float
    adjusted_rand: float
    normalized_mutual_information: float
    adjusted_mutual_information: float
    homogeneity: float
    completeness: float
    v_measure: float
    fowlkes_mallows: float

    def facts(self) -> dict[str, Any]:
        """Return the numbers, in the words of the JSON format."""
        return {field.name: number_entry(getattr(self, field.name)) for field in fields(self)[2:]}


def agreement(partitions: Partitions, first: str, second: str) -> Agreement:
    """Return how far two labelings agree, from their two-way table alone.

    Examples
    --------
    >>> partitions = Partitions.of({(0, 5, 1): 4, (1, 7, 2): 5}, models=("p", "q"))
    >>> agreement(partitions, "p", "q").adjusted_mutual_information
    1.0
    """
    sums, table = partitions.pair_sums(first, second), partitions.contingency(first, second)
    found = information(table)
    return Agreement(
        first,
        second,
        float(rand(sums)),
        float(chance_rand(sums)),
        float(adjusted_rand(sums)),
        found.normalized,
        float(ami(table)),
        found.homogeneity,
        found.completeness,
        found.v_measure,
        float(fowlkes_mallows(sums)),
    )


def read_agreement(first: str, second: str, entry: Mapping[str, Any]) -> Agreement:
    """Rebuild an agreement from its JSON entry.

    Examples
    --------
    >>> partitions = Partitions.of({(0, 5, 1): 4, (1, 7, 2): 5}, models=("p", "q"))
    >>> found = agreement(partitions, "p", "q")
    >>> read_agreement("p", "q", found.facts()) == found
    True
    """
    names = [field.name for field in fields(Agreement)[2:]]
    return Agreement(first, second, **{name: read_number(entry[name]) for name in names})


@dataclass(frozen=True)
class Agreements(Shown):
    """Clusterings compared with each other, without a truth: who agrees with whom, and nobody is better.

    Attributes
    ----------
    models : the clusterings, in order
    n : how many instances
    clusters : how many clusters each has
    partitions : the two-way tables

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = tb.compare({"p": [5, 5, 5, 7], "q": [1, 2, 1, 2]}, task="clustering")
    >>> found.between("p", "q").rand
    0.5
    """

    models: tuple[str, ...]
    n: int
    clusters: tuple[int, ...]
    partitions: Partitions

    def between(self, first: str, second: str) -> Agreement:
        """Return how far two of them agree."""
        return agreement(self.partitions, first, second)

    @cached_property
    def pairs(self) -> tuple[Agreement, ...]:
        """All pairs, each once."""
        names: Sequence[str] = self.models
        return tuple(self.between(a, b) for place, a in enumerate(names) for b in names[place + 1 :])

    @property
    def verdict(self) -> str:
        """What a comparison without a truth can say."""
        return "without a truth no clustering is better than another: these are their agreements"

    def to_dict(self) -> dict[str, Any]:
        """Return every number as plain Python values."""
        return {
            "schema": 1,
            "task": "clustering",
            "truth": None,
            "n": self.n,
            "verdict": self.verdict,
            "warnings": [],
            "models": [
                {"model": name, "clusters": count} for name, count in zip(self.models, self.clusters, strict=True)
            ],
            "agreements": [{"first": pair.first, "second": pair.second, **pair.facts()} for pair in self.pairs],
        }
