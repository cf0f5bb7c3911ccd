"""A number with its doubt: an interval that names its method and level, and an estimate that carries one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval and how it was made.

    Attributes
    ----------
    low, high : its ends; NaN where it is not defined
    level : the share of repetitions that it is meant to cover
    method : the name of the way it was computed

    Examples
    --------
    >>> interval = Interval(-0.1, 0.3, 0.95, "flat_posterior")
    >>> 0 in interval, interval.width
    (True, 0.4)
    """

    low: float
    high: float
    level: float
    method: str

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def width(self) -> float:
        """How long the interval is."""
        return self.high - self.low


class Estimate(float):
    """A number that carries the interval around it; everywhere else it behaves as the number it is.

    Examples
    --------
    >>> accuracy = Estimate(0.78, Interval(0.65, 0.87, 0.95, "wilson"))
    >>> accuracy, accuracy.low, accuracy.high, accuracy.method
    (0.78, 0.65, 0.87, 'wilson')
    >>> round(accuracy - 0.68, 2)
    0.1
    """

    __slots__ = ("interval",)

    interval: Interval

    def __new__(cls, value: float, interval: Interval) -> Self:
        """Join a number and its interval."""
        made = super().__new__(cls, value)
        object.__setattr__(made, "interval", interval)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an estimate is frozen: {name} cannot be set")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.value, self.interval)

    @property
    def value(self) -> float:
        """The plain number."""
        return float(self)

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.interval.low

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.interval.high

    @property
    def method(self) -> str:
        """How the interval was made."""
        return self.interval.method
