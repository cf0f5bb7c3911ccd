"""Published beside recomputed: the record of one figure, of a table, of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiebreak._format import Shown, json_text, measure
from tiebreak.views import Document, Grid
from tiebreak.views.documents import document

# Stands in a figure that was computed here and has nothing in print beside it.
NOT_PRINTED = "–"
# What floating point adds to a tie.
_DUST = 1e-9


@dataclass(frozen=True, slots=True)
class Figure:
    """One printed figure.

    Attributes
    ----------
    where : the row it stands in
    name : the column
    published : as printed, so that its number of digits is known; `NOT_PRINTED` where nothing is printed beside it
    low, high : what it is when it is computed again; they differ where the inputs are themselves rounded; None where
        it cannot be computed from anything that is published
    note : the erratum, or what has to be known to see the agreement
    cut : False where the row's neighbours show that this figure cannot have been cut off, so that it must be rounded

    Examples
    --------
    >>> Figure("MC, tree", "σ_c", "0.56", 5 / 9, 5 / 9).agrees
    True
    """

    where: str
    name: str
    published: str
    low: float | None
    high: float | None
    note: str = ""
    cut: bool = True

    @property
    def agrees(self) -> bool | None:
        """Whether the printed digits can be the recomputed value, rounded or cut off; None where either is missing.

        The papers do both, so the value may lie half a unit of the last digit nearer to 0, or one unit further away; it
        may not where the same number is printed rounded beside it.
        """
        if self.low is None or self.high is None or self.published == NOT_PRINTED:
            return None
        if not self.low <= self.high:
            return False
        printed, unit = float(self.published), unit_of(self.published)
        away = unit if self.cut else 0.5 * unit
        below, above = (0.5 * unit, away) if printed >= 0 else (away, 0.5 * unit)
        return self.low <= printed + above + _DUST and printed - below - _DUST <= self.high

    @property
    def recomputed(self) -> str:
        """The recomputed figure as text, with its uncertainty where it has one."""
        if self.low is None or self.high is None:
            return "–"
        if not self.low <= self.high:
            return "impossible"
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        return measure(middle) if half < 5e-5 else f"{measure(middle)} ± {measure(half)}"


def unit_of(published: str) -> float:
    """Return the unit of a printed figure's last digit; trailing zeros are often dropped, so never more than 0.01.

    Examples
    --------
    >>> unit_of("0.9974"), unit_of("1")
    (0.0001, 0.01)
    """
    return float(10.0 ** -max(len(published.partition(".")[2]), 2))


@dataclass(frozen=True, slots=True)
class PaperTable:
    """One published table and how it was computed again.

    Examples
    --------
    >>> PaperTable("Table 1", "Run again.", tuple(figures("MC, bayes", ["α"], ["0.9"], [0.9]))).agreeing
    1
    """

    title: str
    how: str
    figures: tuple[Figure, ...]

    @property
    def agreeing(self) -> int:
        """How many figures agree."""
        return sum(figure.agrees is True for figure in self.figures)


@dataclass(frozen=True, slots=True)
class Ledger(Shown):
    """All recomputed tables.

    Examples
    --------
    >>> ledger = Ledger((PaperTable("Table 1", "Run again.", (Figure("MC, bayes", "α", "0.9", 0.9, 0.9),)),))
    >>> str(ledger).splitlines()[2]
    'Table 1: 1 of 1 figures agree'
    """

    tables: tuple[PaperTable, ...]

    def to_json(self) -> str:
        """Return the tables as one JSON document."""
        rows = [
            {
                "table": table.title,
                "how": table.how,
                "figures": [
                    {
                        "where": figure.where,
                        "name": figure.name,
                        "published": figure.published,
                        "recomputed": _interval(figure),
                        "agrees": figure.agrees,
                        "note": figure.note,
                    }
                    for figure in table.figures
                ],
            }
            for table in self.tables
        ]
        return json_text({"schema": 1, "tables": rows})


def _interval(figure: Figure) -> list[float] | None:
    if figure.low is None or figure.high is None or not figure.low <= figure.high:
        return None
    return [figure.low, figure.high]


@document.register
def _(result: Ledger) -> Document:
    parts: list[str | Grid] = []
    for table in result.tables:
        parts += [table.how, Grid(_title(table), _HEADER, tuple(map(_row, table.figures)), "llrrll")]
    return Document(tuple(parts))


_HEADER = ("row", "figure", "published", "recomputed", "agrees", "")


def _title(table: PaperTable) -> str:
    known = [figure for figure in table.figures if figure.agrees is not None]
    if not known:
        return f"{table.title}: {len(table.figures)} figures, none of them in print"
    return f"{table.title}: {table.agreeing} of {len(known)} figures agree"


def _row(figure: Figure) -> tuple[str, ...]:
    verdict = {True: "yes", False: "NO", None: "–"}[figure.agrees]
    return figure.where, figure.name, figure.published, figure.recomputed, verdict, figure.note


def figures(
    where: str,
    names: Sequence[str],
    published: Sequence[str],
    values: Sequence[float],
    note: str = "",
    errata: dict[str, str] | None = None,
) -> list[Figure]:
    """Return the figures of one row: the first with the row's note, any with its own erratum.

    Examples
    --------
    >>> [figure.agrees for figure in figures("MC, bayes", ["α", "ξ_e"], ["0.9", "0.80"], [0.9, 0.8974])]
    [True, False]
    """
    own = errata or {}
    return [
        Figure(where, name, printed, value, value, own.get(name, note if place == 0 else ""))
        for place, (name, printed, value) in enumerate(zip(names, published, values, strict=True))
    ]
