"""The set of labels a table speaks of, and their order."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

Label = Hashable


def ordered(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Return the distinct labels in their natural order: numbers by size, text by code point.

    Labels of kinds that cannot be ordered among each other keep the order in which they come.

    Examples
    --------
    >>> ordered([3, 1, 2, 1])
    (1, 2, 3)
    """
    distinct = list(dict.fromkeys(labels))
    try:
        return tuple(sorted(distinct))  # type: ignore[type-var]
    except TypeError:
        return tuple(distinct)


def union(first: Sequence[Label], second: Sequence[Label]) -> tuple[Label, ...]:
    """Return the labels of two tables that are to be added: the first's order if it covers both, else the natural one.

    Examples
    --------
    >>> union(("low", "high"), ("high",)), union((1, 3), (2,))
    (('low', 'high'), (1, 2, 3))
    """
    if set(second) <= set(first):
        return tuple(first)
    if set(first) <= set(second):
        return tuple(second)
    return ordered((*first, *second))
