"""Right or wrong as packed bits: one row of 64-bit words per model, one bit per pattern.

The number of instances on which two models are both right is the number of ones in the AND of their rows. Where a
pattern stands for several instances, the binary digits of the counts are themselves rows of bits ("planes"), and the
sum over planes of 2^b ones(AND with plane b) is the exact integer total.
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
# Amounts below this have few binary digits.
_SMALL = 16
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


def joint_right(bits: Bits, amounts: Counts) -> Counts:
    """Add up, for every pair of models, the integer amounts of the patterns in which both are right (models × models).

    The diagonal is each model's own right count. Small amounts are counted digit by digit; larger ones by a product of
    floating-point matrices, which is exact while the total stays below 2^53.

    Examples
    --------
    >>> joint_right(pack(np.array([[True, True, False], [True, False, True]])), np.array([2, 1, 5]))
    array([[3, 2],
           [2, 7]])
    """
    if int(amounts.max(initial=0)) < _SMALL or int(amounts.sum()) >= 2**53:
        return _by_digits(bits, amounts)
    return _by_product(bits, amounts)


def _by_digits(bits: Bits, amounts: Counts) -> Counts:
    total = np.zeros((len(bits), len(bits)), dtype=np.int64)
    for plane in range(int(amounts.max(initial=0)).bit_length()):
        digit = (amounts >> plane) & 1
        if digit.all():
            total += _ones_of_pairs(bits) << plane
        elif digit.any():
            total += _ones_of_pairs(bits & pack(digit.astype(np.bool_)[None, :])) << plane
    return total


def _by_product(bits: Bits, amounts: Counts) -> Counts:
    total = np.zeros((len(bits), len(bits)))
    for place, right in blocks(bits, len(amounts)):
        as_numbers = right.astype(np.float64)
        total += (as_numbers * amounts[place]) @ as_numbers.T
    return total.astype(np.int64)


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
