"""Points in time as labels: one text for one instant, to the nanosecond, whatever container and zone it came in.

Engines hand points in time over as text, because Python's own type would cut nanoseconds off and merge what differs. A
point with a zone is brought to UTC; one without stays what it says and equals none that has one, as in Python.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

_WRITTEN = re.compile(
    r"(?P<day>\d{4,}-\d\d-\d\d)(?:[T ](?P<time>\d\d:\d\d(?::\d\d)?)(?:\.(?P<fraction>\d{1,9}))?)?"
    r"(?P<zone>Z| ?UTC|[+-]\d\d(?::?\d\d){0,2})?"
)


class Moment(str):
    """A point in time in its one spelling, such as `2026-01-02 03:04:05.000000001+00:00`.

    Examples
    --------
    >>> Moment("2026-01-02 03:04:05") == "2026-01-02 03:04:05"
    True
    """

    __slots__ = ()


def moment_of(value: object, zone: str | None = None) -> Moment:
    """Return a point in time, or the text an engine wrote for it, in its one spelling.

    Parameters
    ----------
    value : a `datetime`, a pandas `Timestamp`, a NumPy `datetime64`, or a text in ISO 8601
    zone : of the engine's column, for texts that do not name theirs

    Examples
    --------
    >>> moment_of("2026-07-01 05:04:05.120+02:00"), moment_of("2026-07-01T03:04:05.12", "UTC")
    ('2026-07-01 03:04:05.12+00:00', '2026-07-01 03:04:05.12+00:00')
    >>> moment_of(np.datetime64("2026-01-02T03:04:05", "ms")), moment_of(dt.datetime(2026, 1, 2, 3, 4, 5))
    ('2026-01-02 03:04:05', '2026-01-02 03:04:05')
    """
    if isinstance(value, np.datetime64) and np.datetime_data(value.dtype)[0] in {"h", "m"}:
        value = value.astype("M8[s]")
    found = _WRITTEN.fullmatch(str(value))
    if found is None:
        return Moment(value)
    day, fraction, offset = found["day"], (found["fraction"] or "").rstrip("0"), found["zone"]
    time = f"{found['time'] or '00:00'}:00"[:8]
    aware = offset is not None or zone is not None
    if aware:
        try:
            day, time = _in_utc(f"{day} {time}", offset, zone)
        except (OverflowError, ValueError):
            return Moment(value)
    return Moment(f"{day} {time}{'.' + fraction if fraction else ''}{'+00:00' if aware else ''}")


def _in_utc(text: str, offset: str | None, zone: str | None) -> tuple[str, str]:
    """Return day and time in UTC of whole seconds in a zone."""
    local = dt.datetime.fromisoformat(text)
    if offset is not None:
        there = local.replace(tzinfo=dt.timezone(_offset(offset)))
    else:
        there = local.replace(tzinfo=ZoneInfo(zone or "UTC"))
    day, time = str(there.astimezone(dt.UTC).replace(tzinfo=None)).split(" ")
    return day, time


def _offset(text: str) -> dt.timedelta:
    """How far a zone is ahead of UTC; some were off by seconds once."""
    figures = re.sub(r"[^0-9]", "", text).ljust(6, "0")
    size = dt.timedelta(hours=int(figures[:2]), minutes=int(figures[2:4]), seconds=int(figures[4:]))
    return -size if text.startswith("-") else size


def read_moment(text: object, zone: str | None = None) -> object:
    """Return a point in time that an engine handed over as text; None stays None.

    Examples
    --------
    >>> read_moment("2026-01-02 03:04:05.000000001"), read_moment(None)
    ('2026-01-02 03:04:05.000000001', None)
    """
    return None if text is None else moment_of(text, zone)


def is_point(value: object) -> bool:
    """Tell whether a Python object is a point in time, a date being none.

    Examples
    --------
    >>> is_point(dt.datetime(2026, 1, 2)), is_point(np.datetime64("2026-01-02", "D")), is_point(dt.date(2026, 1, 2))
    (True, False, False)
    """
    if isinstance(value, np.datetime64):
        return not is_day(value.dtype)
    return isinstance(value, Moment | dt.datetime)


def is_day(dtype: np.dtype[Any]) -> bool:
    """Tell whether NumPy's dates of a type are whole days or longer.

    Examples
    --------
    >>> is_day(np.dtype("M8[D]")), is_day(np.dtype("M8[us]"))
    (True, False)
    """
    return np.datetime_data(dtype)[0] in {"Y", "M", "W", "D"}
