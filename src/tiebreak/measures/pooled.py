"""What several models are worth together: who is right alone, how hard the instances are, what an oracle could reach.

Everything is read from the distinct right/wrong patterns of all models, packed as bits, and how much each weighs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of
from tiebreak.tables.bits import Bits, blocks

Amounts = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Pool:
    """What M models do together on N instances.

    Attributes
    ----------
    unique_rights : per model, how often it alone is right
    unique_wrongs : per model, how often it alone is wrong
    difficulty : shares of the instances on which 0, 1, …, M models are wrong; they sum to 1

    Examples
    --------
    >>> from tiebreak.tables.bits import pack
    >>> together = pool(pack(np.array([[True, True, False], [True, False, False]])), np.array([6, 3, 1]))
    >>> together.unique_rights, together.oracle, together.all_right
    ((3, 0), 0.9, 0.6)
    """

    unique_rights: tuple[float, ...]
    unique_wrongs: tuple[float, ...]
    difficulty: tuple[float, ...]

    @property
    def oracle(self) -> float:
        """Share of instances on which at least one model is right, the accuracy of a perfect choice among them."""
        return 1.0 - self.difficulty[-1]

    @property
    def all_right(self) -> float:
        """Share of instances on which every model is right."""
        return self.difficulty[0]


def pool(bits: Bits, amounts: Amounts) -> Pool:
    """Return the pool's figures.

    The difficulty of one instance is the share of the models that are wrong on it; here stands how it is distributed.

    Examples
    --------
    >>> from tiebreak.tables.bits import pack
    >>> pool(pack(np.array([[True, True], [True, False]])), np.array([6, 4])).difficulty
    (0.6, 0.4, 0.0)
    """
    models = len(bits)
    alone = np.zeros((2, models), dtype=amounts.dtype)
    wrongs = np.zeros(models + 1, dtype=amounts.dtype)
    for place, right in blocks(bits, len(amounts)):
        part = amounts[place]
        rights = right.sum(axis=0)
        np.add.at(wrongs, models - rights, part)
        only, all_but = rights == 1, rights == models - 1
        alone[0] += right[:, only] @ part[only]
        alone[1] += ~right[:, all_but] @ part[all_but]
    return Pool(tuple(alone[0].tolist()), tuple(alone[1].tolist()), tuple((wrongs / wrongs.sum()).tolist()))


def against_pool(right: npt.NDArray[np.bool_], model: int, how: str = "majority") -> npt.NDArray[np.bool_]:
    """Return when the pool of the other models counts as right: one row, ready to be the alternative of a pair.

    `how` is "majority" (more of the others are right than wrong), "oracle" (any is right) or "unanimity" (all are).

    Examples
    --------
    >>> right = np.array([[True, False], [True, True], [False, False]])
    >>> against_pool(right, 0, "oracle")
    array([ True,  True])
    """
    others = np.delete(right, model, axis=0)
    needed = {"majority": len(others) // 2 + 1, "oracle": 1, "unanimity": len(others)}
    return np.asarray(others.sum(axis=0) >= needed[one_of(how, "how", needed)])
