"""Cells and their crossing with groups, restricted and added together, so that both always speak of the same patterns.

A crossing is the finer table: written out (one column for each pattern in each group), it can be cut and put together
like any cells, and the patterns are found again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tiebreak.errors import TiebreakError
from tiebreak.tables.bits import pack
from tiebreak.tables.confusion import OMITTED
from tiebreak.tables.groups import Crossing
from tiebreak.tables.labels import Label, refuse_kinds
from tiebreak.tables.mass import Integers
from tiebreak.tables.outcomes import Outcomes
from tiebreak.tables.words import Words, added_confusions, as_words

Cells = Outcomes | Words
Crossed = tuple[Cells, Crossing | None]


def restricted(cells: Cells, crossing: Crossing | None, models: Sequence[int]) -> Crossed:
    """Keep some models only; patterns that become the same are one, in every group.

    Examples
    --------
    >>> from tiebreak.tables.mass import Mass
    >>> cells, places = Outcomes.placed(np.array([[0, 0], [0, 0], [0, 1]]), Mass(np.array([3, 2])))
    >>> crossing = Crossing(places, np.array([0, 1]), Mass(np.array([3, 2])), ("a", "b"))
    >>> restricted(cells, crossing, [0])[1].patterns
    array([0, 0])
    """
    if crossing is None or isinstance(cells, Words):
        return cells.restricted(models), crossing
    codes = cells.codes[[0, *(1 + model for model in models)]][:, crossing.patterns]
    return _placed(codes, crossing)


def added(first: Cells, second: Cells, crossings: tuple[Crossing | None, Crossing | None], labels: int) -> Crossed:
    """Add two tables over the same labels, groups of the same name together.

    Examples
    --------
    >>> from tiebreak.tables.mass import Mass
    >>> cells = Outcomes.merged(np.array([[0], [0]]), Mass(np.array([3])))
    >>> added(cells, cells, (None, None), 1)[0].mass.counts
    array([6])
    """
    both_joint = isinstance(first, Outcomes) and isinstance(second, Outcomes)
    one, two = crossings
    if (one is None) != (two is None):
        raise TiebreakError("a tally with groups and one without do not add: count both with the same group column")
    if one is None or two is None:
        if isinstance(first, Outcomes) and isinstance(second, Outcomes):
            return first.followed_by(second), None
        return as_words(first, labels).followed_by(as_words(second, labels)), None
    refuse_kinds(one.names, two.names)
    names, groups = _common(one, two)
    joined = Crossing(np.zeros(len(groups), dtype=np.int64), groups, one.mass.followed_by(two.mass), names)
    if both_joint:
        codes = [cells.codes[:, part.patterns] for cells, part in ((first, one), (second, two))]  # type: ignore[union-attr]
        return _placed(np.concatenate(codes, axis=1), joined)
    right = [cells.right()[:, part.patterns] for cells, part in ((first, one), (second, two))]
    confusions = added_confusions(as_words(first, labels), as_words(second, labels))
    cells = Words(pack(np.concatenate(right, axis=1)), joined.mass, confusions)
    return cells, replace(joined, patterns=np.arange(len(groups)))


def relabelled(cells: Cells, crossing: Crossing | None, new_code: Integers) -> Crossed:
    """Replace label code c by `new_code[c]`.

    Examples
    --------
    >>> from tiebreak.tables.mass import Mass
    >>> cells = Outcomes.merged(np.array([[0], [0]]), Mass(np.array([3])))
    >>> relabelled(cells, None, np.array([4]))[0].codes.tolist()
    [[4], [4]]
    """
    if crossing is None or isinstance(cells, Words):
        return cells.relabelled(new_code), crossing
    codes = cells.codes[:, crossing.patterns]
    return _placed(np.where(codes == OMITTED, OMITTED, new_code[codes]), crossing)


def _placed(codes: Integers, crossing: Crossing) -> Crossed:
    cells, places = Outcomes.placed(codes, crossing.mass)
    return cells, replace(crossing, patterns=places)


def _common(one: Crossing, two: Crossing) -> tuple[tuple[Label, ...], npt.NDArray[np.int64]]:
    """The groups of both, each once, and the group of every cell of the two tables put together."""
    names = tuple(dict.fromkeys((*one.names, *two.names)))
    place = {name: code for code, name in enumerate(names)}
    parts = [np.array([place[name] for name in part.names], dtype=np.int64)[part.groups] for part in (one, two)]
    return names, np.concatenate(parts)
