"""What each kind of result looks like: which sentences, which grids, in which order."""

from __future__ import annotations

from functools import singledispatch

from tiebreak._format import counted, measure, percent, signed, visible
from tiebreak.comparison import Comparison, Pair, PrayatulMatrix, listed_pairs
from tiebreak.measures import PrayatulMeasures
from tiebreak.sources import Instances
from tiebreak.views.grid import Document, Grid, label

# Up to this many models every ordered pair is printed; above, those with the leader.
_ALL_PAIRS = 5

_CELLS = ("both right", "right/wrong", "wrong/right", "both wrong", "same label", "difference")
_MEASURES = ("σ_c", "α", "ξ_c", "ξ_e", "φ_e")
_LEGEND = (
    "Each row is seen from its first model: right/wrong counts the instances on which it is right and the other wrong, "
    "same label those both wrong with the same answer. The sign of the difference, which is that of σ_c (comparative "
    "deviation), says who is better; α (polarization), ξ_c and ξ_e (comparative and effective rightness) and φ_e "
    "(effective superiority) describe the first model and are high whenever it is accurate."
)


@singledispatch
def document(result: object) -> Document:
    """Return the document that shows a result.

    Examples
    --------
    >>> from tiebreak.comparison import PrayatulMatrix
    >>> print(document(PrayatulMatrix(30, 9, 4, 7)).text().splitlines()[0])
    primary against alternative, 50 instances
    """
    raise TypeError(f"nothing shows a {type(result).__name__}")


@document.register
def _(result: Comparison) -> Document:
    parts: list[str | Grid] = [result.verdict, *(f"Note: {visible(text, 1000)}" for text in result.warnings)]
    parts += [_models(result), *_pairs(result), _LEGEND]
    return Document(tuple(parts))


def _models(result: Comparison) -> Grid:
    lacking = any(model.missing for model in result.models)
    unit = "weight right" if result.weight is not None else "right"
    header = ("model", unit, "accuracy", "right alone", "wrong alone", *(["missing"] if lacking else []))
    ranked = sorted(result.models, key=lambda model: -model.right)
    rows = tuple(
        (
            label(model.name),
            counted(model.right),
            percent(model.accuracy),
            counted(model.unique_rights),
            counted(model.unique_wrongs),
            *([counted(model.missing)] if lacking else []),
        )
        for model in ranked
    )
    return Grid(_models_title(result), header, rows)


def _models_title(result: Comparison) -> str:
    what = f"Models on {counted(result.n, 'instance')}"
    if result.weight is not None:
        what += f" of weight {counted(result.weight)}"
    return (
        f"{what}; at least one is right on {percent(result.pool.oracle)} of them, all are on "
        f"{percent(result.pool.all_right)}"
    )


def _pairs(result: Comparison) -> tuple[Grid, Grid]:
    pairs = list(listed_pairs(result))
    total = len(result.models) * (len(result.models) - 1)
    title = "Head to head"
    if len(result.models) > _ALL_PAIRS:
        leader = result.leader.name
        pairs = [pair for pair in pairs if leader in {pair.primary, pair.alternative}]
        title += f" with {visible(leader)} ({counted(len(pairs))} of {counted(total)} pairs; --json has more)"
    names = [(label(pair.primary), label(pair.alternative)) for pair in pairs]
    cells = tuple((*name, *_cells(pair)) for name, pair in zip(names, pairs, strict=True))
    measures = tuple((*name, *map(measure, _values(pair.measures))) for name, pair in zip(names, pairs, strict=True))
    return (
        Grid(title, ("model", "against", *_CELLS), cells, "ll" + "r" * len(_CELLS)),
        Grid("Prayatul measures", ("model", "against", *_MEASURES), measures, "ll" + "r" * len(_MEASURES)),
    )


def _cells(pair: Pair) -> tuple[str, ...]:
    matrix = pair.prayatul
    same = "–" if matrix.both_wrong_same is None else counted(matrix.both_wrong_same)
    cells = (matrix.both_right, matrix.right_wrong, matrix.wrong_right, matrix.both_wrong)
    return (*map(counted, cells), same, _points(pair.difference))


def _points(difference: float) -> str:
    return f"{signed(100 * difference, 2)} pp"


def _values(m: PrayatulMeasures) -> tuple[float, ...]:
    return (
        m.comparative_deviation,
        m.polarization,
        m.comparative_rightness,
        m.effective_rightness,
        m.effective_superiority,
    )


@document.register
def _(result: Pair) -> Document:
    return document(result.prayatul)


@document.register
def _(result: PrayatulMatrix) -> Document:
    a, b = label(result.primary), label(result.alternative)
    cells = Grid(
        f"{a} against {b}, {counted(result.n, 'instance')}",
        ("", f"{b} right", f"{b} wrong"),
        (
            (f"{a} right", counted(result.both_right), counted(result.right_wrong)),
            (f"{a} wrong", counted(result.wrong_right), counted(result.both_wrong)),
        ),
    )
    names = ("comparative deviation σ_c", "polarization α", "comparative rightness ξ_c", "effective rightness ξ_e")
    values = map(measure, _values(result.measures()))
    rows = zip((*names, "effective superiority φ_e"), values, strict=True)
    measures = Grid(
        f"Seen from {a}",
        ("measure", "value"),
        (("difference of accuracies", _points(result.difference)), *rows),
    )
    same = result.both_wrong_same
    if same is None:
        return Document((cells, measures))
    return Document((cells, f"Both wrong with the same label: {counted(same)}.", measures))


_WORDS = {
    "both_right": "Both {a} and {b} are right",
    "right_wrong": "{a} is right and {b} is wrong",
    "wrong_right": "{a} is wrong and {b} is right",
    "both_wrong": "Both {a} and {b} are wrong",
}


@document.register
def _(result: Instances) -> Document:
    cell = result.cell
    words = _WORDS[cell.which].format(a=visible(cell.primary), b=visible(cell.alternative))
    title = f"{words} on {counted(result.total, 'instance')}"
    if not result.rows:
        return Document((title + ".",))
    if len(result.rows) < result.total:
        title += f"; here are {counted(len(result.rows))}"
    rows = tuple(tuple(map(label, row)) for row in result.rows)
    return Document((Grid(title, tuple(map(label, result.columns)), rows, "l" * len(result.columns)),))
