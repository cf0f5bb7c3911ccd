"""Right or wrong as packed bits: one row of 64-bit words per model, one bit per pattern.

The number of instances on which two models are both right is the number of ones in the AND of their rows. Where a
pattern stands for several instances, the binary digits of the counts are themselves rows of bits ("planes"), and the
sum over planes of 2^b ones(AND with plane b) is the exact integer total: no floating point is involved.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int64]

WORD = 64
# Words that are ANDed at a time: 32 KiB a row, so that a block of rows stays in the second-level cache.
_BLOCK = 4096
# Booleans unpacked at a time.
_UNPACKED = 1 << 22


def pack(right: npt.NDArray[np.bool_]) -> Bits:
    """Pack a boolean array (models × patterns) into words; the spare bits of the last word are 0.

    Examples
    --------
    >>> pack(np.array([[True, False, True]]))
    array([[5]], dtype=uint64)
    """
    models, patterns = right.shape
    words = -(-patterns // WORD)
    as_bytes = np.zeros((models, words * 8), dtype=np.uint8)
    as_bytes[:, : -(-patterns // 8)] = np.packbits(right, axis=1, bitorder="little")
    return as_bytes.view("<u8").astype(np.uint64, copy=False)


def unpack(bits: Bits, patterns: int) -> npt.NDArray[np.bool_]:
    """Undo `pack`.

    Examples
    --------
    >>> unpack(pack(np.array([[True, False, True]])), 3)
    array([[ True, False,  True]])
    """
    as_bytes = np.ascontiguousarray(bits.astype("<u8", copy=False)).view(np.uint8)
    return np.unpackbits(as_bytes, axis=1, count=patterns, bitorder="little").view(np.bool_)


def blocks(bits: Bits, patterns: int) -> Iterator[tuple[slice, npt.NDArray[np.bool_]]]:
    """Yield the unpacked patterns a block at a time, with their places: ten million rows of fifty models never at once.

    Examples
    --------
    >>> [(place.start, right.tolist()) for place, right in blocks(pack(np.array([[True, False]])), 2)]
    [(0, [[True, False]])]
    """
    words = max(1, _UNPACKED // (WORD * max(len(bits), 1)))
    for start in range(0, -(-patterns // WORD), words):
        stop = min(patterns, (start + words) * WORD)
        yield slice(start * WORD, stop), unpack(bits[:, start : start + words], stop - start * WORD)


def joint_right(bits: Bits, counts: Counts) -> Counts:
    """Count, for every pair of models, the instances on which both are right: a symmetric models × models matrix.

    The diagonal is each model's own right count.

    Examples
    --------
    >>> joint_right(pack(np.array([[True, True, False], [True, False, True]])), np.array([2, 1, 5]))
    array([[3, 2],
           [2, 7]])
    """
    total = np.zeros((len(bits), len(bits)), dtype=np.int64)
    for plane in range(int(counts.max(initial=0)).bit_length()):
        digit = (counts >> plane) & 1
        if digit.all():
            total += _ones_of_pairs(bits) << plane
        elif digit.any():
            total += _ones_of_pairs(bits & pack(digit.astype(np.bool_)[None, :])) << plane
    return total


def joint_right_weight(bits: Bits, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Do what `joint_right` does for sums of weights.

    Examples
    --------
    >>> joint_right_weight(pack(np.array([[True, True], [True, False]])), np.array([0.5, 2.0]))
    array([[2.5, 0.5],
           [0.5, 0.5]])
    """
    total = np.zeros((len(bits), len(bits)))
    for place, right in blocks(bits, len(weights)):
        as_numbers = right.astype(np.float64)
        total += (as_numbers * weights[place]) @ as_numbers.T
    return total


def _ones_of_pairs(bits: Bits) -> Counts:
    """Ones in the AND of every pair of rows, block by block, upper triangle first and mirrored at the end."""
    models, words = bits.shape
    upper = np.zeros((models, models), dtype=np.int64)
    for start in range(0, words, _BLOCK):
        block = np.ascontiguousarray(bits[:, start : start + _BLOCK])
        for model in range(models):
            ones = np.bitwise_count(block[model:] & block[model])
            upper[model, model:] += ones.sum(axis=1, dtype=np.uint32)
    return upper + np.triu(upper, 1).T
