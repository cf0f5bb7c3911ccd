"""Results as data frames, in the library that the caller's predictions came in."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from functools import singledispatch
from typing import Any

import narwhals.stable.v2 as nw

from tiebreak._checks import one_of
from tiebreak.comparison import Comparison
from tiebreak.errors import NotDefined
from tiebreak.sources import Instances
from tiebreak.sources.frames import FrameSource
from tiebreak.sources.memory import MemorySource
from tiebreak.views.documents import document
from tiebreak.views.grid import Cell, Grid

TABLES = ("models", "pairs", "classes")
_LIBRARIES = ("pandas", "polars", "pyarrow")


@singledispatch
def frame(result: Any, what: str = "") -> Any:
    """Return one table of a result as a data frame.

    Examples
    --------
    >>> import tiebreak as tb
    >>> tb.compare([1, 0], {"a": [1, 1], "b": [0, 0]}).to_frame("pairs").shape[0]
    2
    """
    if what:
        raise NotDefined(f"what is {what!r}: only a comparison has several tables; leave it out")
    grids = [part for part in document(result).parts if isinstance(part, Grid)]
    if not grids:
        raise NotDefined(f"this {type(result).__name__} has no table")
    grid = grids[0]
    columns = zip(*grid.rows, strict=True)
    return _made({name: list(map(_value, column)) for name, column in zip(grid.header, columns, strict=True)})


def _value(cell: str) -> Any:
    return cell.value if isinstance(cell, Cell) and cell.value is not None else str(cell)


@frame.register
def _(result: Instances, what: str = "") -> Any:
    if what:
        raise NotDefined(f"what is {what!r}: instances are one table; leave it out")
    return _made({name: [row[k] for row in result.rows] for k, name in enumerate(result.columns)})


@frame.register
def _(result: Comparison, what: str = "") -> Any:
    what = one_of(what or "models", "what", TABLES)
    written = result.to_dict()
    if what == "classes":
        rows = [
            {"model": entry["model"], **_flat(each)} for entry in written["models"] for each in entry.get("classes", ())
        ]
        if not rows:
            raise NotDefined("this comparison has no records by class: they need labels, with task='classification'")
    else:
        dropped = {"classes", "confusion"}
        rows = [_flat({k: v for k, v in entry.items() if k not in dropped}) for entry in written[what]]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return _made({name: [row.get(name) for row in rows] for name in names}, library_of(result))


def _flat(entry: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Join the names of nested numbers: accuracy.value is `accuracy`, accuracy.low is `accuracy_low`."""
    found: dict[str, Any] = {}
    for name, value in entry.items():
        full = before + ("" if name == "value" and before else f"{'_' if before else ''}{name}")
        if isinstance(value, Mapping):
            found |= _flat(value, full)
        elif not isinstance(value, list):
            found[full] = value
    return found


def library_of(result: Comparison) -> str | None:
    """Return the data frame library that the predictions came in, None where they came in none.

    Examples
    --------
    >>> import tiebreak as tb
    >>> library_of(tb.compare([1, 0], {"a": [1, 1], "b": [0, 0]})) is None
    True
    """
    source = None if result.source is None else result.source.source
    if isinstance(source, FrameSource):
        name = source.frame.implementation.name.lower()
        return name if name in _LIBRARIES else None
    values = source.given.values() if isinstance(source, MemorySource) else ()
    libraries = (type(value).__module__.split(".")[0] for value in values)
    return next((name for name in libraries if name in _LIBRARIES), None)


def _made(columns: Mapping[str, list[Any]], library: str | None = None) -> Any:
    chosen: Any = library or next((name for name in _LIBRARIES if importlib.util.find_spec(name)), None)
    if chosen is None:
        raise NotDefined(
            "a data frame needs pandas, polars or pyarrow, and none is installed: install one, or to_dict()"
        )
    if chosen == "polars":
        import polars as pl

        return pl.DataFrame(columns, strict=False)
    return nw.from_dict(dict(columns), backend=chosen).to_native()
