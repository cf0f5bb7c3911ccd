"""Two models place by place: their difference in every class, cell or slice, as a forest."""

from __future__ import annotations

from typing import Any

from tiebreak.errors import NotDefined
from tiebreak.inference import Estimate, PlaceDifferences, SliceTable
from tiebreak.views.figures.forest import Forest, Row
from tiebreak.views.figures.style import short

# Of more places, those with the smallest p-values are drawn.
MOST = 40


def places(result: PlaceDifferences | SliceTable) -> Forest:
    """Return what the forest of two models by place shows: undefined places and the least clear of many left out.

    Examples
    --------
    >>> import tiebreak as tb
    >>> comparison = tb.compare(list("aabb") * 20, {"p": list("aabb") * 20, "q": list("abbb") * 20})
    >>> [(row.name, row.settled) for row in places(comparison.class_differences("p", "q")).rows]
    [('a', True), ('b', False)]
    """
    held = _of_classes(result) if isinstance(result, PlaceDifferences) else _of_slices(result)
    known = [(row, p) for row, p in held if row.value == row.value]
    if not known:
        raise NotDefined("no place has a difference of the two models: there is nothing to draw")
    order = sorted(range(len(known)), key=lambda k: (known[k][1] if known[k][1] == known[k][1] else 2.0, k))
    rows = tuple(known[k][0] for k in sorted(order[:MOST]))
    return Forest(rows, result.level, left_out=len(known) - len(rows))


def _of_classes(result: PlaceDifferences) -> list[tuple[Row, float]]:
    return [(_row(result, each.label, each.difference, each.winner), each.p_value) for each in result.records()]


def _of_slices(result: SliceTable) -> list[tuple[Row, float]]:
    return [
        (_row(result, f"{each.column}: {_name(each.value)}", each.difference, each.better), each.p_value)
        for each in result.ranked()
    ]


def _row(result: PlaceDifferences | SliceTable, place: Any, difference: Estimate, winner: str | None) -> Row:
    name = " → ".join(map(short, place)) if isinstance(place, tuple) else short(place)
    return Row(result.primary, result.alternative, difference, settled=winner is not None, name=name)


def _name(value: Any) -> str:
    return " × ".join(map(short, value)) if isinstance(value, tuple) else short(value)
