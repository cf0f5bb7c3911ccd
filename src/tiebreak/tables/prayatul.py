"""The Prayatul counts: how often two models are both right, one right, the other right, both wrong.

Cells stand in the order both right, right/wrong, wrong/right, both wrong, the first word for the primary model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

CELLS = ("both_right", "right_wrong", "wrong_right", "both_wrong")


@dataclass(frozen=True, slots=True)
class PrayatulCounts:
    """The four cells of two models over one set of instances: integers, or sums of weights.

    `both_wrong_same` is the part of `both_wrong` in which the two wrong labels are the same; None where the table was
    counted without the labels. A missing prediction is wrong and is the same as nothing.

    Examples
    --------
    >>> cells = PrayatulCounts(30, 9, 4, 7)
    >>> cells.n, cells.discordant, cells.swap().right_wrong
    (50, 13, 4)
    """

    both_right: float
    right_wrong: float
    wrong_right: float
    both_wrong: float
    both_wrong_same: float | None = None

    @classmethod
    def of(cls, cells: npt.NDArray[Any], both_wrong_same: float | None = None) -> PrayatulCounts:
        """Build the counts from a vector in the order of `CELLS`."""
        br, rw, wr, bw = cells.tolist()
        return cls(br, rw, wr, bw, both_wrong_same)

    @property
    def n(self) -> float:
        """The sum of the four cells."""
        return self.both_right + self.right_wrong + self.wrong_right + self.both_wrong

    @property
    def discordant(self) -> float:
        """How often exactly one of the two is right."""
        return self.right_wrong + self.wrong_right

    @property
    def both_wrong_different(self) -> float | None:
        """How often both are wrong with different labels."""
        return None if self.both_wrong_same is None else self.both_wrong - self.both_wrong_same

    def swap(self) -> PrayatulCounts:
        """Return the table with the two models' roles exchanged."""
        return PrayatulCounts(
            self.both_right, self.wrong_right, self.right_wrong, self.both_wrong, self.both_wrong_same
        )

    def __add__(self, other: PrayatulCounts) -> PrayatulCounts:
        """Add the same two models' counts over further instances (folds are pooled like this)."""
        same = (
            None
            if self.both_wrong_same is None or other.both_wrong_same is None
            else self.both_wrong_same + other.both_wrong_same
        )
        return PrayatulCounts(
            self.both_right + other.both_right,
            self.right_wrong + other.right_wrong,
            self.wrong_right + other.wrong_right,
            self.both_wrong + other.both_wrong,
            same,
        )

    def cells(self) -> npt.NDArray[Any]:
        """Return the four cells as a vector in the order of `CELLS`."""
        return np.array([self.both_right, self.right_wrong, self.wrong_right, self.both_wrong])


def pair_cells(joint_right: npt.NDArray[Any], n: float) -> npt.NDArray[Any]:
    """Turn the matrix of joint right counts into the cells of every ordered pair (models × models × 4).

    With K = CᵀC and c its diagonal: both right is K, right/wrong is c_p − K, wrong/right is c_q − K and both wrong is
    n − c_p − c_q + K, so one matrix product serves all pairs at once.

    Examples
    --------
    >>> pair_cells(np.array([[3, 2], [2, 7]]), 8)[0, 1]
    array([2, 1, 5, 0])
    """
    right = np.diagonal(joint_right)
    primary, alternative = right[:, None], right[None, :]
    cells = np.stack(
        [
            joint_right,
            primary - joint_right,
            alternative - joint_right,
            n - primary - alternative + joint_right,
        ],
        axis=-1,
    )
    return np.asarray(cells)
