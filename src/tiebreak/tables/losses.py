"""Numbers for every instance and model (graded scores, later losses), where right or wrong says too little."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiebreak.tables.groups import GroupSums
from tiebreak.tables.labels import Label
from tiebreak.tables.mass import Integers

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """Instances × models, and the group of every instance where instances are dependent.

    Attributes
    ----------
    models : the models' names, in order
    values : one number an instance and model (N × M)
    missing : how many numbers each model lacks, whatever the policy made of them
    excluded : how many instances the policy left out
    groups : the place of each instance's group in `names`; None where instances are independent
    names : the groups' own values

    Examples
    --------
    >>> values = np.array([[1.0, 0.5], [0.0, 0.5], [1.0, 1.0]])
    >>> losses = Losses(("a", "b"), values, groups=np.array([0, 0, 1]), names=(7, 9))
    >>> losses.n, losses.group_sums().sums.tolist()
    (3, [[1.0, 1.0], [1.0, 1.0]])
    """

    models: tuple[str, ...]
    values: Floats
    missing: tuple[int, ...] = ()
    excluded: int = 0
    groups: Integers | None = None
    names: tuple[Label, ...] = ()

    @property
    def n(self) -> int:
        """How many instances were compared."""
        return len(self.values)

    def group_sums(self) -> GroupSums:
        """Return the sums of every group; independent instances are groups of one."""
        if self.groups is None:
            return GroupSums(np.ones(self.n), np.ascontiguousarray(self.values.T, dtype=np.float64))
        size = len(self.names)
        sizes = np.bincount(self.groups, minlength=size).astype(np.float64)
        return GroupSums(sizes, np.array([np.bincount(self.groups, column, size) for column in self.values.T]))
