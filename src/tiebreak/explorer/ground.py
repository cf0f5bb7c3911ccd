"""The ground that is explored: one Parquet file, what each column is for, and the comparison that was made of it.

What is no single Parquet file is written to a temporary one first; the values stay as they were written, and what they
mean stays what the comparison has settled.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tiebreak._format import counted, listed, visible
from tiebreak.comparison import Comparison
from tiebreak.errors import NotDefined
from tiebreak.explorer.columns import Column, column_kind
from tiebreak.explorer.locked import Locked, Mark
from tiebreak.explorer.senses import Numbers, Rights, Sense
from tiebreak.sources import Opened, named_path
from tiebreak.sources.arguments import files_behind
from tiebreak.sources.engine import name, text
from tiebreak.sources.files import open_table
from tiebreak.sources.formats import format_of
from tiebreak.sources.loaded import LoadedSource
from tiebreak.sources.reading import Reading
from tiebreak.sources.sql import SqlColumn, SqlSource

TASKS = ("classification", "correct", "regression", "scores")
ROW = "file_row_number"


@dataclass(eq=False)
class Ground:
    """Everything the pages are made of.

    Attributes
    ----------
    title : the name of what is explored
    comparison : of the models, made once
    locked : the file, read-only
    columns : in the file's order
    opened : the source behind the comparison, with its roles and its reading of the labels
    folder : where the temporary files are
    """

    title: str
    comparison: Comparison
    locked: Locked
    columns: tuple[Column, ...]
    opened: Opened
    folder: str
    _counts: dict[tuple[str, str], dict[str, float]] = field(default_factory=dict)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    @cached_property
    def source(self) -> SqlSource:
        """The file as a source, which writes the conditions of the cells."""
        known = {column.name: column.read for column in self.columns}
        return SqlSource(self.locked, self.locked.relation, known, where=self.title)

    @cached_property
    def by_name(self) -> dict[str, Column]:
        """The columns by their names."""
        return {column.name: column for column in self.columns}

    @property
    def reading(self) -> Reading:
        """Which label each raw value is."""
        return self.opened.counted.reading

    @property
    def truth(self) -> str | None:
        """The column of the true labels, if there is one."""
        return self.opened.roles.truth

    @property
    def id(self) -> str | None:
        """The column that identifies an instance, if there is one."""
        return self.opened.roles.id

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return self.comparison.names

    @property
    def weighted(self) -> bool:
        """Whether the comparison is one of weights, so that its cells are no numbers of rows."""
        return self.opened.roles.weight is not None

    @cached_property
    def sense(self) -> Sense:
        """What the answers mean, as the comparison has settled it."""
        if self.opened.ask.numeric:
            return Numbers(self.source, self.opened, self.locked)
        return Rights(self.source, self.opened)

    @property
    def keys(self) -> frozenset[str]:
        """The columns that hold labels."""
        return frozenset(self.opened.roles.keys) if self.sense.has_labels else frozenset()

    def cell_counts(self, primary: str, alternative: str) -> dict[str, float]:
        """Return what each cell of two models holds; a pair that has to be counted is counted once."""
        with self._turn:
            if (primary, alternative) not in self._counts:
                counts = self.sense.counts(self.comparison.pair(primary, alternative))
                self._counts[primary, alternative] = dict(zip(self.sense.cells, counts, strict=True))
            return self._counts[primary, alternative]

    def cells_by_class(self, primary: str, alternative: str) -> Any:
        """Return the rows of each true class in each cell where the comparison has counted just these, else None."""
        tally = self.opened.tally
        if self.weighted or tally.excluded or tally.truth is None:
            return None
        try:
            return tally.pair_by_class(primary, alternative)
        except NotDefined:
            return None

    def close(self) -> None:
        """Close the file and remove what was temporary."""
        self.locked.close()
        self.opened.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def ground_of(
    comparison: Comparison,
    files: Sequence[str],
    *,
    memory: str | None = None,
    temp_dir: str | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Ground:
    r"""Return the ground of a comparison that was made of these files.

    Examples
    --------
    >>> import tiebreak as tb
    >>> _ = Path("preds.csv").write_text("y_true,knn,tree\n1,1,0\n0,0,0\n")
    >>> ground = ground_of(tb.compare("preds.csv"), ["preds.csv"], say=print)
    preds.csv is no single Parquet file: 2 rows were written to a temporary one
    >>> [column.name for column in ground.columns], ground.locked.rows(f"SELECT count(*) FROM {ground.locked.relation}")
    (['y_true', 'knn', 'tree'], [(2,)])
    >>> ground.close()
    """
    opened = comparison.source
    if comparison.task not in TASKS:
        raise NotDefined(
            f"the explorer shows what each model says of an instance, and task {comparison.task} is about pairs of "
            f"instances: use --task {', '.join(TASKS[:-1])} or {TASKS[-1]}"
        )
    if opened is None:
        raise NotDefined("the explorer reads files, and this comparison knows of none: compare a file")
    folder = tempfile.mkdtemp(prefix="tiebreak-", dir=temp_dir)
    try:
        title = visible(listed([_called(path) for _, path in map(named_path, files)], 3), 120)
        own = _parts(files)
        behind = opened.source.relation if isinstance(opened.source, LoadedSource) else opened.source
        if not isinstance(behind, SqlSource):
            raise NotDefined("the explorer reads files: write the data to one first")  # noqa: TRY301
        if _is_one_parquet(files, opened):
            locked = Locked(own[0], memory=memory, where=title)
            columns = _columns(locked, behind.columns, [name(column) for column in behind.columns])
        else:
            path = str(Path(folder) / "rows.parquet")
            copied = _copied(opened, behind, path)
            say(_said(files, title, behind, copied))
            locked = Locked(path, memory=memory, also=own, where=title)
            own_names = [f"c{place}" for place in range(len(behind.columns))]
            stored = zip(behind.columns.items(), own_names, strict=True)
            read = {column: SqlColumn(own_name, found.written, found.levels) for (column, found), own_name in stored}
            columns = _columns(locked, read, own_names)
        return Ground(title, comparison, locked, columns, opened, folder)
    except BaseException:
        opened.close()
        shutil.rmtree(folder, ignore_errors=True)
        raise


def marked(files: Sequence[str]) -> Callable[[], None]:
    """Mark files before they are compared; the answer refuses any that has changed since.

    Examples
    --------
    >>> _ = Path("preds.csv").write_text("y_true,knn,tree")
    >>> marked(["preds.csv", "-"])()
    """
    marks = [Mark.of(path) for path in _parts(files)]

    def check() -> None:
        for mark in marks:
            mark.check()

    return check


def _parts(files: Sequence[str]) -> list[str]:
    return [part for _, path in map(named_path, files) for part in files_behind(path)]


def _called(path: str) -> str:
    return "standard input" if path == "-" else Path(path).name or path


def _is_one_parquet(files: Sequence[str], opened: Opened) -> bool:
    """Whether the file itself can be read: rows of several files, or without numbers of their own, are written anew."""
    name_given, path = named_path(files[0])
    if len(files) > 1 or name_given is not None or opened.ask.long is not None or not Path(path).is_file():
        return False
    if format_of(path) != "parquet" or opened.engine is None:
        return False
    return all(column.lower() != ROW for column in open_table(opened.engine, path).columns)


def _columns(locked: Locked, read: Mapping[str, SqlColumn], raw: Sequence[str]) -> tuple[Column, ...]:
    types = locked.rows(f"DESCRIBE SELECT {', '.join(raw)} FROM {locked.relation}")
    return tuple(
        Column(column, found, expression, column_kind(found, described[1]))
        for (column, found), expression, described in zip(read.items(), raw, types, strict=True)
    )


def _copied(opened: Opened, behind: SqlSource, path: str) -> int:
    """Write the rows to a Parquet file whose columns have names of our own, and return how many there are."""
    if opened.engine is None:
        raise NotDefined("the explorer reads files: write the data to one first")
    selected = ", ".join(f"{_stored(read)} AS c{place}" for place, read in enumerate(behind.columns.values()))
    target = f"{text(path)} (FORMAT parquet)"
    done = opened.engine.execute(f"COPY (SELECT {selected} FROM {behind.relation}) TO {target}", behind.where)
    return int(done.fetchall()[0][0])


def _stored(read: SqlColumn) -> str:
    """A JSON literal is kept as the text it is."""
    return f"CAST({read.expression} AS VARCHAR)" if read.written == "json" else read.expression


def _said(files: Sequence[str], title: str, behind: SqlSource, rows: int) -> str:
    what = f"{title} is no single Parquet file" if len(files) == 1 else f"{title} were joined"
    if len(files) == 1 and ROW in {column.lower() for column in behind.columns}:
        what = f"{title} has a column called {ROW}"
    were = "was" if rows == 1 else "were"
    return f"{what}: {counted(rows, 'row')} {were} written to a temporary one"
