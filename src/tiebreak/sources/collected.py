"""The one place where a data frame's engine is asked for an answer: what it cannot do becomes one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import narwhals.stable.v2 as nw

from tiebreak._format import visible
from tiebreak.errors import UnreadableSource

# Where the errors of engines come from; an error of anything else is a bug, and shows itself as one.
_ENGINES = frozenset({"polars", "py4j", "pyspark", "grpc", "dask", "distributed", "ibis", "duckdb", "sqlframe"})


def collected(rows: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    """Compute a frame; a cluster that is gone, or a file that a lazy frame no longer finds, is told in one line.

    Examples
    --------
    >>> import pyarrow as pa
    >>> collected(nw.from_native(pa.table({"n": [1]})).lazy())["n"].to_list()
    [1]
    """
    with _told_in_a_line():
        return rows.collect()


def schema_of(frame: nw.DataFrame[Any] | nw.LazyFrame[Any]) -> dict[str, nw.dtypes.DType]:
    """Return the columns and their types; even these are asked of the engine.

    Examples
    --------
    >>> import pyarrow as pa
    >>> list(schema_of(nw.from_native(pa.table({"n": [1]}))))
    ['n']
    """
    with _told_in_a_line():
        return dict(frame.collect_schema())


@contextmanager
def _told_in_a_line() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        # A session whose process is gone refuses the connection; files of a lazy frame may be gone as well.
        if isinstance(error, OSError | EOFError) or type(error).__module__.split(".")[0] in _ENGINES:
            raise UnreadableSource(_told(error)) from error
        raise


def _told(error: Exception) -> str:
    lines = str(error).strip().splitlines() or ["no reason given"]
    what = f"{type(error).__name__}: {visible(lines[0], 200)}"
    return (
        f"the frame cannot be computed ({what}): look whether its session still runs and its files are where they "
        "were, and compare again"
    )
