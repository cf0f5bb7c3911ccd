"""A few instances of every cell of the deciding pair: whatever stands in them is data, never markup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tiebreak._format import counted, signed, visible
from tiebreak.comparison import Comparison
from tiebreak.comparison.clustered import contributing
from tiebreak.errors import TiebreakError
from tiebreak.sources import WINNERS, Instances, Ranked
from tiebreak.sources.labels import is_missing
from tiebreak.tables import CELLS
from tiebreak.views.page.images import Album, bytes_of
from tiebreak.views.page.parts import Picture, Sample

# So many of the first instances of a cell are fetched, and so many of those are drawn at random and shown.
_FETCHED, _SHOWN = 64, 6
_COLUMNS, _LINES, _LENGTH = 12, 30, 1200
_STREAM = 5
_WORDS = {
    "primary_better": "{a} is better",
    "alternative_better": "{b} is better",
    "tied": "{a} and {b} are tied",
    "right_wrong": "Only {a} is right",
    "wrong_right": "Only {b} is right",
    "both_wrong": "Both are wrong",
    "both_right": "Both are right",
}


def flips(comparison: Comparison, primary: str, alternative: str) -> tuple[Sample, ...]:
    """Return a seeded sample of every cell of a pair; nothing where no rows remain.

    Examples
    --------
    >>> import tiebreak as tb
    >>> found = flips(tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")}), "q", "p")
    >>> [sample.title for sample in found][:2]
    ['Only q is right: 2 instances', 'Only p is right: 1 instance']
    """
    if comparison.source is None:
        return ()
    try:
        return tuple(_samples(comparison, primary, alternative))
    except (TiebreakError, OSError):
        # Rows that have vanished since they were counted are no reason to be without a page.
        return ()


def _samples(comparison: Comparison, primary: str, alternative: str) -> Iterator[Sample]:
    rows, rng = comparison.rows_of(primary, alternative), np.random.default_rng([comparison.seed, _STREAM])
    album = Album()
    if comparison.task == "clustering":
        yield _contributing(contributing(rows, primary, alternative, _SHOWN), album)
        return
    known = WINNERS if rows.ask.numeric else CELLS
    for cell in (cell for cell in _WORDS if cell in known):
        held = rows.instances(primary, alternative, cell, _FETCHED)
        if held.rows:
            yield _sample(held, rng, album)


def _contributing(held: Ranked, album: Album) -> Sample:
    a, b = visible(held.primary), visible(held.alternative)
    title = f"Instances that contribute most to the difference of {a} and {b}"
    columns = (*(visible(name, 60) for name in held.columns[: _COLUMNS - 1]), "contribution")
    rows = tuple(
        (*(field(value, album) for value in row[: _COLUMNS - 1]), Picture(signed(worth)))
        for row, worth in zip(held.rows, held.contributions, strict=True)
    )
    return Sample("flips-contributing", title, columns, rows)


def _sample(held: Instances, rng: np.random.Generator, album: Album) -> Sample:
    cell, fetched = held.cell, len(held.rows)
    picked = sorted(rng.choice(fetched, size=min(_SHOWN, fetched), replace=False).tolist())
    title = f"{_WORDS[cell.which].format(a=visible(cell.primary), b=visible(cell.alternative))}: "
    title += counted(held.total, "instance")
    if len(picked) < held.total:
        among = "" if fetched == held.total else f" from the first {counted(fetched)}"
        title += f"; here are {counted(len(picked))}, drawn at random{among}"
    places = _columns(held)
    columns = tuple(visible(held.columns[k], 60) for k in places)
    rows = tuple(tuple(field(held.rows[row][k], album) for k in places) for row in picked)
    return Sample(f"flips-{cell.which.replace('_', '-')}", title, columns, rows)


def _columns(held: Instances) -> Sequence[int]:
    """The id or row first, truth, the two models, then the other columns but for other models' answers."""
    cell = held.cell
    first = [name for name in (cell.id, cell.truth, cell.primary, cell.alternative) if name is not None]
    others = set(cell.all_models) - set(first)
    named = [held.columns.index(name) for name in first if name in held.columns]
    front = [k for k in (0,) if k not in named and cell.id is None]
    rest = [k for k, name in enumerate(held.columns) if k not in {*named, *front} and name not in others]
    return [*front, *named, *rest][:_COLUMNS]


def field(value: object, album: Album) -> Picture:
    """Return a field to show: an image only if the value itself is one, else the beginning of its text.

    Examples
    --------
    >>> album = Album()
    >>> field("a" * 2000, album).more, field("data:image/png;base64,iVBORw0=", album).image[:14]
    ('2,000 characters', 'data:image/png')
    >>> field(None, album).text, field(0.1 + 0.2, album).text
    ('–', '0.3')
    """
    if is_missing(value):
        return Picture("–")
    image = album.taken(value)
    if image:
        return Picture("", image)
    content = bytes_of(value)
    if content is not None:
        return Picture(counted(len(content), "byte"))
    text = value if isinstance(value, str) else f"{value:.6g}" if isinstance(value, float) else str(value)
    head = text[:_LENGTH]
    lines = head.split("\n")[:_LINES]
    shown = "\n".join(visible(line.removesuffix("\r"), _LENGTH) for line in lines)
    cut = len(text) > len(head) or head.count("\n") >= _LINES
    return Picture(f"{shown} …" if cut else shown, more=f"{len(text):,} characters" if cut else "")
