"""Answers that were given before: few, the oldest forgotten first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_REMEMBERED = 64

Value = TypeVar("Value")


class Remembered:
    """Answers that were given before: few, the oldest forgotten first.

    Examples
    --------
    >>> remembered = Remembered()
    >>> remembered("two", lambda: 1 + 1), remembered("two", lambda: 3)
    (2, 2)
    """

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()
        self._turn = threading.Lock()

    def __call__(self, question: Hashable, ask: Callable[[], Value]) -> Value:
        """Return the answer to a question, asked once."""
        with self._turn:
            if question in self._answers:
                self._answers.move_to_end(question)
                known: Value = self._answers[question]
                return known
        answer = ask()
        with self._turn:
            self._answers[question] = answer
            while len(self._answers) > _REMEMBERED:
                self._answers.popitem(last=False)
        return answer
