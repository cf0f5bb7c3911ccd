"""What to know about the labels before believing a number: answers that never meet the truth, odd spellings."""

from __future__ import annotations

from collections.abc import Iterable

from tiebreak._format import listed, quoted
from tiebreak.sources.ask import Roles
from tiebreak.sources.plan import Counted, Source
from tiebreak.sources.tallying import meets
from tiebreak.tables import Label, Tally
from tiebreak.tables.confusion import OMITTED

# Labels shown as examples.
_EXAMPLES = 3


def notes_of(source: Source, counted: Counted, roles: Roles) -> tuple[str, ...]:
    """Return the notes on a counted source; none where there is no truth to be met.

    Examples
    --------
    >>> from tiebreak.sources import Ask, opened
    >>> opened(["yes", "no"], {"knn": ["1", "0"], "tree": ["yes", "no"]}, Ask()).notes
    ("no answer of 'knn' is ever one of the true labels (truth holds 'no', 'yes'; 'knn' holds '0', '1')",)
    """
    if roles.truth is None:
        return ()
    read = {column: counted.reading.raw(column) for column in roles.keys}
    return (*_strangers(counted.tally), *source.remarks(read, roles.truth))


def _strangers(tally: Tally) -> list[str]:
    """One note for each model whose answers are none of the true labels; only one that is never right can be."""
    notes = []
    for model, right in zip(tally.models, tally.right_counts().tolist(), strict=True):
        if right:
            continue
        table = tally.confusion(model)
        if not meets(table.rows, table.columns):
            truths, answers = (
                _examples(tally.labels[code] for code in sorted(set(codes.tolist()) - {OMITTED}))
                for codes in (table.rows, table.columns)
            )
            notes.append(
                f"no answer of {quoted(model)} is ever one of the true labels (truth holds {truths}; {quoted(model)} "
                f"holds {answers})"
            )
    return notes


def _examples(labels: Iterable[Label]) -> str:
    return listed((quoted(label) for label in labels), _EXAMPLES)
