"""Numbers, estimates and labels as the JSON format has them, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tiebreak.inference import Estimate, Interval


def plain_label(label: object) -> object:
    """Return a label as JSON knows it: dates and infinities become text.

    Examples
    --------
    >>> plain_label(float("inf")), plain_label(3)
    ('inf', 3)
    """
    finite = label is None or isinstance(label, bool | int | str) or (isinstance(label, float) and math.isfinite(label))
    return label if finite else str(label)


def estimate_entry(value: Estimate) -> dict[str, Any]:
    """Return a number and its interval as the JSON format has them; None where undefined.

    Examples
    --------
    >>> estimate_entry(Estimate(0.5, Interval(0.4, 0.6, 0.95, "wilson")))["high"]
    0.6
    """
    known = number_entry(value.value), number_entry(value.low), number_entry(value.high)
    return dict(zip(("value", "low", "high", "method"), (*known, value.method), strict=True))


def number_entry(value: float) -> float | None:
    """Return a number, or None where it is undefined.

    Examples
    --------
    >>> number_entry(float("nan")) is None
    True
    """
    return None if value != value else value


def read_number(entry: float | None) -> float:
    """Undo `number_entry`.

    Examples
    --------
    >>> read_number(None)
    nan
    """
    return math.nan if entry is None else entry


def read_estimate(entry: Mapping[str, Any], level: float) -> Estimate:
    """Undo `estimate_entry`.

    Examples
    --------
    >>> read_estimate({"value": 0.5, "low": None, "high": None, "method": "t"}, 0.95).low
    nan
    """
    interval = Interval(read_number(entry["low"]), read_number(entry["high"]), level, entry["method"])
    return Estimate(read_number(entry["value"]), interval)
