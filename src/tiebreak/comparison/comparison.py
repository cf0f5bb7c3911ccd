"""The comparison: what `compare` returns, and what a JSON document of it becomes again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tiebreak._format import Shown, listed, quoted
from tiebreak.comparison.results import Model, Pair, PairTable
from tiebreak.comparison.verdict import verdict
from tiebreak.errors import ColumnNotFound, NotDefined, TiebreakError
from tiebreak.measures import Pool
from tiebreak.sources import Instances, Opened
from tiebreak.tables import Label, Tally


@dataclass(frozen=True, eq=False)
class Comparison(Shown):
    """Two or more models on the same instances: one table, and everything that follows from it.

    Print it to read it; `pair` and `model` give the parts; `to_dict` holds every number that is shown anywhere.

    Attributes
    ----------
    task : "classification" or "correct"
    truth : the name of the true labels, None where answers came already graded
    n : how many instances were compared
    weight : the sum of their weights, None where they have none
    labels : the classes, in order
    models : one record per model, in the caller's order
    pairs : the cells of all ordered pairs
    pool : what the models do together: unique rights, an oracle's accuracy, how hard the instances are
    policy, excluded : what a missing prediction meant, and how many instances that left out
    level, seed : of every interval and draw
    warnings : what a reader should know before quoting a number

    Examples
    --------
    >>> import tiebreak as tb
    >>> comparison = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")})
    >>> comparison.pair("q", "p").difference
    0.2
    >>> tb.Comparison.from_dict(comparison.to_dict()).verdict == comparison.verdict
    True
    """

    task: str
    truth: str | None
    n: int
    labels: tuple[Label, ...]
    models: tuple[Model, ...]
    pairs: PairTable
    pool: Pool
    policy: str = "raise"
    excluded: int = 0
    weight: float | None = None
    level: float = 0.95
    seed: int = 0
    warnings: tuple[str, ...] = ()
    source: Opened | None = field(default=None, repr=False)

    @property
    def verdict(self) -> str:
        """One sentence: who is ahead of whom, and on what that rests."""
        return verdict(self.models, self.pairs, weighted=self.weight is not None)

    @property
    def names(self) -> tuple[str, ...]:
        """The models' names, in the caller's order."""
        return tuple(model.name for model in self.models)

    @property
    def leader(self) -> Model:
        """The model with the most right answers; the first named of several."""
        return max(self.models, key=lambda model: model.right)

    @property
    def tally(self) -> Tally:
        """The counted table; a comparison read back from JSON has none."""
        if self.pairs.tally is None:
            raise NotDefined("the tally is not part of a JSON document: compare the predictions again to have it")
        return self.pairs.tally

    def model(self, name: str) -> Model:
        """Return one model's record."""
        for model in self.models:
            if model.name == name:
                return model
        raise ColumnNotFound(f"{quoted(name)} is no model of this comparison: its models are {listed(self.names, 20)}")

    def pair(self, primary: str, alternative: str) -> Pair:
        """Return one head-to-head, seen from `primary`.

        Where the rows were counted as right/wrong words, this pair alone is counted once more, so that
        `both_wrong_same` and the balanced measures are known for it.
        """
        known = self.pairs.pair(primary, alternative)
        if primary == alternative or self.source is None or self.tally.plan == "outcomes":
            return known
        return PairTable.of(self.source.pair(primary, alternative)).pair(primary, alternative)

    def instances(
        self, primary: str, alternative: str, cell: str = "right_wrong", limit: int | None = None
    ) -> Instances:
        """Go back to the source for the instances of one cell, by default those on which only `primary` is right.

        `cell` is "both_right", "right_wrong", "wrong_right" or "both_wrong"; `limit` bounds how many are fetched.

        Examples
        --------
        >>> import tiebreak as tb
        >>> comparison = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")})
        >>> list(comparison.instances("p", "q"))
        [{'row': 2, 'y_true': 'b', 'p': 'b', 'q': 'c'}]
        """
        self.pairs.index(primary), self.pairs.index(alternative)
        if self.source is None:
            raise NotDefined("no rows remain behind this comparison, only its tables: compare the predictions again")
        if primary == alternative:
            raise TiebreakError(f"primary and alternative are both {quoted(primary)}: name two models")
        return self.source.instances(primary, alternative, cell, limit)

    def to_dict(self, *, all_pairs: bool = False) -> dict[str, Any]:
        """Return every number as plain Python values, in the words of the JSON format.

        Above 100 models only the pairs with the leader are listed, unless `all_pairs`.
        """
        from tiebreak.comparison.document import to_dict

        return to_dict(self, all_pairs=all_pairs)

    def to_json(self, *, all_pairs: bool = False) -> str:
        """Return `to_dict` as one JSON document."""
        return json.dumps(self.to_dict(all_pairs=all_pairs), allow_nan=False, ensure_ascii=False, indent=2)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Comparison:
        """Rebuild a comparison from what `to_dict` wrote; its rows and its tally are not part of it."""
        from tiebreak.comparison.document import from_dict

        return from_dict(document)

    def __repr__(self) -> str:
        return str(self)
