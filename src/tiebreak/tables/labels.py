"""The set of labels a table speaks of, and their order."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable, Sequence

from tiebreak._format import quoted
from tiebreak.errors import MixedLabels

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


def refuse_kinds(first: Sequence[Label], second: Sequence[Label]) -> None:
    """Refuse labels of two kinds: numbers, text and booleans never meet in one table.

    Examples
    --------
    >>> refuse_kinds((1, 2), (2.5,))
    """
    seen: dict[str, Label] = {}
    for label in (*first, *second):
        seen.setdefault(_kind(label), label)
    if len(seen) > 1:
        (kind, label), (other, other_label) = list(seen.items())[:2]
        raise MixedLabels(
            f"the labels of one part are {kind} ({quoted(label)}), those of another {other} ({quoted(other_label)}): "
            "they are never converted; name all classes with --labels where the parts are counted"
        )


def _kind(label: object) -> str:
    if isinstance(label, bool):
        return "booleans"
    if isinstance(label, numbers.Real):
        return "numbers"
    return "text" if isinstance(label, str) else type(label).__name__
