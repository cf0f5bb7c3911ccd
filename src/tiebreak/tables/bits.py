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
# Patterns are closed up when at most this share of them is left: picking bits costs more than a plane of all.
_CLOSE_UP = 0.125
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

    The diagonal is each model's own right count. The amounts are counted digit by digit, and patterns whose amounts
    have no more digits are left behind: most stand for one instance or a few.

    Examples
    --------
    >>> joint_right(pack(np.array([[True, True, False], [True, False, True]])), np.array([2, 1, 5]))
    array([[3, 2],
           [2, 7]])
    """
    if (amounts == 1).all():
        return _ones_of_pairs(bits)
    total = np.zeros((len(bits), len(bits)), dtype=np.int64)
    plane = 0
    while amounts.any():
        digit = (amounts & 1).astype(np.bool_)
        if digit.any():
            ones = bits if digit.all() else bits & pack(digit[None, :])
            total += _ones_of_pairs(ones) << plane
        amounts, plane = amounts >> 1, plane + 1
        left = amounts > 0
        if np.count_nonzero(left) <= _CLOSE_UP * len(left):
            bits, amounts = _only(bits, left), amounts[left]
    return total


def _only(bits: Bits, chosen: npt.NDArray[np.bool_]) -> Bits:
    """Return the bits of some patterns, closed up."""
    places = np.flatnonzero(chosen)
    found = np.zeros((len(bits), -(-len(places) // WORD)), dtype=np.uint64)
    step = max(1, _UNPACKED // (WORD * max(len(bits), 1))) * WORD
    for start in range(0, len(places), step):
        part = places[start : start + step]
        words, shifts = part // WORD, (part % WORD).astype(np.uint64)
        packed = pack((bits[:, words] >> shifts & np.uint64(1)).astype(np.bool_))
        found[:, start // WORD : start // WORD + packed.shape[1]] = packed
    return found


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
