"""Distinct rows of integer columns, counted by NumPy: one fused key a row, block by block, no long temporary."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak.tables import Mass, Scale, Weights, group_columns

# Rows looked at together: the block and its key stay in the second-level cache.
BLOCK = 1 << 17
# A table with more cells than this is mostly empty, and is counted by sorting the keys instead.
DENSE_CELLS = 1 << 20


def scale_of(weights: npt.NDArray[np.float64]) -> Scale:
    """Return the scale of checked weights.

    Examples
    --------
    >>> scale_of(np.array([0.0, 1.0])) == Scale.for_range(1.0, 1.0)
    True
    """
    positive = weights[weights > 0]
    if not len(positive):
        return Scale.for_range(1.0, 1.0)
    return Scale.for_range(float(positive.min()), float(positive.max()))


def count_codes(
    codes: Sequence[npt.NDArray[np.integer]],
    spans: Sequence[tuple[int, int]],
    weights: npt.NDArray[np.float64] | None = None,
) -> tuple[npt.NDArray[np.integer], Mass]:
    """Count the distinct rows of integer columns whose codes lie in `low`, …, `low` + `size` − 1.

    Returns the codes relative to `low` (columns × distinct rows, lexicographic) and their mass.

    Examples
    --------
    >>> count_codes([np.array([5, 5, 6]), np.array([0, 0, 1])], [(5, 2), (0, 2)])[1].counts
    array([2, 1])
    """
    cells = 1
    for _, size in spans:
        cells *= max(size, 1)
    if cells <= DENSE_CELLS:
        return _dense(codes, spans, cells, weights)
    if weights is None and cells < 2**62:
        return _sorted(codes, spans)
    return _sparse(codes, spans, weights)


def _dense(
    codes: Sequence[npt.NDArray[np.integer]],
    spans: Sequence[tuple[int, int]],
    cells: int,
    weights: npt.NDArray[np.float64] | None,
) -> tuple[npt.NDArray[np.integer], Mass]:
    """One table with a cell for every combination: key = Σ code × stride, counted by `bincount`."""
    shape = [max(size, 1) for _, size in spans]
    if weights is None:
        totals = dense_table(codes, spans)
        filled = np.flatnonzero(totals)
        return np.array(np.unravel_index(filled, shape)), Mass(totals[filled])
    totals, sums = np.zeros(cells, dtype=np.int64), np.zeros((6, cells), dtype=np.int64)
    scale = scale_of(weights)
    for start, key in _keys(codes, spans):
        totals += np.bincount(key, minlength=cells)
        for row, limb in enumerate(scale.limbs(weights[start : start + len(key)])):
            # Every limb is an integer below 2^26 and a block has 2^17 rows: exact in float64.
            sums[row] += np.bincount(key, weights=limb, minlength=cells).astype(np.int64)
    filled = np.flatnonzero(totals)
    return np.array(np.unravel_index(filled, shape)), _mass(totals[filled], sums[:, filled], scale)


def dense_table(codes: Sequence[npt.NDArray[np.integer]], spans: Sequence[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """Count the rows of integer columns in one flat table with a cell for every combination.

    Examples
    --------
    >>> dense_table([np.array([5, 5, 6]), np.array([0, 0, 1])], [(5, 2), (0, 2)])
    array([2, 0, 0, 1])
    """
    cells = math.prod(max(size, 1) for _, size in spans)
    totals = np.zeros(cells, dtype=np.int64)
    for _, key in _keys(codes, spans):
        totals += np.bincount(key, minlength=cells)
    return totals


def _keys(
    codes: Sequence[npt.NDArray[np.integer]], spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, npt.NDArray[np.integer]]]:
    """Yield each block's start and its keys, every partial key in the narrowest type that holds it.

    Low codes are subtracted late, and only where a key is widened: until then arithmetic is modulo the width of the
    type, in which the true partial key fits.
    """
    steps, span = [], 1
    for low, size in spans:
        span *= max(size, 1)
        steps.append((low, max(size, 1), _narrowest(span)))
    buffers = {dtype: np.empty(BLOCK, dtype=dtype) for _, _, dtype in steps}
    for start in range(0, len(codes[0]), BLOCK):
        count = min(BLOCK, len(codes[0]) - start)
        pending, _, dtype = steps[0]
        key = buffers[dtype][:count]
        np.copyto(key, codes[0][start : start + count], casting="unsafe")
        for column, (low, size, dtype) in zip(codes[1:], steps[1:], strict=True):
            if dtype != key.dtype:
                _subtract(key, pending)
                pending, wider = 0, buffers[dtype][:count]
                np.multiply(key, dtype.type(size), out=wider, dtype=dtype)
                key = wider
            else:
                key *= dtype.type(size)
            np.add(key, column[start : start + count], out=key, casting="unsafe", dtype=dtype)
            pending = pending * size + low
        _subtract(key, pending)
        yield start, key


def _narrowest(span: int) -> np.dtype[Any]:
    """Return the narrowest signed type that holds 0, …, `span` − 1."""
    return np.dtype(np.int8 if span <= 2**7 else np.int16 if span <= 2**15 else np.int32)


def _subtract(key: npt.NDArray[np.integer], amount: int) -> None:
    """Subtract an integer of any size from keys, modulo the width of their type."""
    modulus = 1 << (8 * key.dtype.itemsize)
    wrapped = (amount + modulus // 2) % modulus - modulus // 2
    if wrapped:
        key -= key.dtype.type(wrapped)


Runs = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]


def _sorted(
    codes: Sequence[npt.NDArray[np.integer]], spans: Sequence[tuple[int, int]]
) -> tuple[npt.NDArray[np.integer], Mass]:
    """Sort one 64-bit key a row, block by block, and count its runs; counted blocks merge when they have doubled."""
    kept, waiting = _merged_runs([]), []
    step, room = 8 * BLOCK, 8 * BLOCK
    for start in range(0, len(codes[0]), step):
        key = codes[0][start : start + step].astype(np.int64) - spans[0][0]
        for column, (low, size) in zip(codes[1:], spans[1:], strict=True):
            key *= max(size, 1)
            key += column[start : start + step]
            key -= low
        key.sort()
        waiting.append(_runs(key))
        if sum(len(part[0]) for part in waiting) > room:
            kept = _merged_runs([kept, *waiting])
            waiting, room = [], max(room, 2 * len(kept[0]))
    key, counts = _merged_runs([kept, *waiting])
    places = np.array(np.unravel_index(key, [max(size, 1) for _, size in spans]))
    return places, Mass(counts)


def _runs(key: npt.NDArray[np.int64], amounts: npt.NDArray[np.int64] | None = None) -> Runs:
    """The distinct values of sorted keys, and how often, or with what amount, each occurs."""
    starts = np.flatnonzero(np.concatenate([[len(key) > 0], key[1:] != key[:-1]])[: len(key)])
    if amounts is None:
        return key[starts], np.diff(np.append(starts, len(key)))
    return key[starts], np.add.reduceat(amounts, starts) if len(key) else amounts


def _merged_runs(parts: Sequence[Runs]) -> Runs:
    parts = [part for part in parts if len(part[0])]
    if len(parts) == 1:
        return parts[0]
    nothing = [np.zeros(0, dtype=np.int64)]
    key = np.concatenate([keys for keys, _ in parts] or nothing)
    amounts = np.concatenate([amount for _, amount in parts] or nothing)
    order = np.argsort(key, kind="stable")
    return _runs(key[order], amounts[order])


def _sparse(
    codes: Sequence[npt.NDArray[np.integer]],
    spans: Sequence[tuple[int, int]],
    weights: npt.NDArray[np.float64] | None,
) -> tuple[npt.NDArray[np.integer], Mass]:
    """Sort instead of a table: distinct rows block by block, merged whenever they have doubled."""
    scale = None if weights is None else scale_of(weights)
    lows = np.array([[low] for low, _ in spans], dtype=np.int64)
    kept: npt.NDArray[np.integer] = np.zeros((len(codes), 0), dtype=np.int64)
    totals = np.zeros((7, 0), dtype=np.int64)
    waiting: list[tuple[npt.NDArray[np.integer], npt.NDArray[np.int64]]] = []
    step, room = 8 * BLOCK, 8 * BLOCK
    for start in range(0, len(codes[0]), step):
        block = np.array([column[start : start + step] for column in codes], dtype=np.int64) - lows
        ones = np.ones((1, block.shape[1]), dtype=np.int64)
        if scale is None or weights is None:
            amounts = np.concatenate([ones, np.zeros((6, block.shape[1]), dtype=np.int64)])
        else:
            part = weights[start : start + step]
            amounts = np.concatenate([ones, scale.limbs(part).astype(np.int64)])
        waiting.append(_grouped(block, amounts))
        if sum(part[0].shape[1] for part in waiting) > room:
            kept, totals = _merged([(kept, totals), *waiting])
            waiting, room = [], max(room, 2 * kept.shape[1])
    kept, totals = _merged([(kept, totals), *waiting])
    return kept, _mass(totals[0], totals[1:], scale)


Part = tuple[npt.NDArray[np.integer], npt.NDArray[np.int64]]


def _merged(parts: Sequence[Part]) -> Part:
    return _grouped(
        np.concatenate([codes for codes, _ in parts], axis=1), np.concatenate([a for _, a in parts], axis=1)
    )


def _grouped(codes: npt.NDArray[np.integer], amounts: npt.NDArray[np.int64]) -> Part:
    distinct, place = group_columns(codes)
    totals = np.zeros((len(amounts), distinct.shape[1]), dtype=np.int64)
    for row, amount in zip(totals, amounts, strict=True):
        if amount.any():
            np.add.at(row, place, amount)
    return distinct, totals


def _mass(counts: npt.NDArray[np.int64], sums: npt.NDArray[np.int64], scale: Scale | None) -> Mass:
    return Mass(counts) if scale is None else Mass(counts, Weights(sums, scale))
