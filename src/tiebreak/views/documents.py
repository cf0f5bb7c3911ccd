"""What each kind of result looks like: which sentences, which grids, in which order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from tiebreak._format import certainty, counted, measure, number, p_text, percent, point_ends, points, visible
from tiebreak.comparison import Comparison, Gate, Judged, Model, Pair, PrayatulMatrix, listed_pairs
from tiebreak.comparison.verdict import interval_words
from tiebreak.inference import BY_COUNTS, Estimate, Interval, Plan, Superiority, TraceSuperiority
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
_SURE_LEGEND = {
    "flat_posterior": "Probability, interval and p-value of a pair are one statement: the posterior of the difference "
    "under a flat prior, whose one-sided tail is the mid-p value of McNemar's test.",
    "cluster_t": "Probability, interval and p-value of a pair are read from Student's t with a standard error over "
    "groups, not over instances.",
    "weighted_t": "Probability, interval and p-value of a pair are read from Student's t with the standard error of "
    "weighted instances.",
}
_TRACE_LEGEND = (
    "By trace is the published superiority probability of two confusion matrices; it ignores that both models saw the "
    "same instances, and how many there were, so it differs from the probability of being better and is not calibrated."
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
    parts += [_models(result), *_pairs(result), *_legends(result)]
    return Document(tuple(parts))


def _models(result: Comparison) -> Grid:
    lacking = any(model.missing for model in result.models)
    tiered = result.settings.baseline is None
    unit = "weight right" if result.weight is not None else "right"
    header = (
        *("model", unit, "accuracy", interval_words(result.level)),
        *(["tier", "rank"] if tiered else []),
        *("right alone", "wrong alone"),
        *(["missing"] if lacking else []),
    )
    rows = tuple(
        (
            *(label(model.name), counted(model.right), percent(model.accuracy), _share_ends(model.accuracy)),
            *([str(model.tier), _rank(model)] if tiered else []),
            *(counted(model.unique_rights), counted(model.unique_wrongs)),
            *([counted(model.missing)] if lacking else []),
        )
        for model in result.ranked
        if isinstance(model, Judged)
    )
    return Grid(_models_title(result), header, rows)


def _rank(model: Model) -> str:
    low, high = model.rank or (1, 1)
    return str(low) if low == high else f"{low}–{high}"


def _share_ends(share: Estimate) -> str:
    if share.low != share.low:
        return "–"
    return f"{percent(share.low).removesuffix(' %')} to {percent(share.high)}"


def _models_title(result: Comparison) -> str:
    what = f"Models on {counted(result.n, 'instance')}"
    if result.weight is not None:
        what += f" of weight {counted(result.weight)}"
    if result.groups is not None:
        what += f" in {counted(result.groups, 'group')}"
    return (
        f"{what}; at least one is right on {percent(result.pool.oracle)} of them, all are on "
        f"{percent(result.pool.all_right)}"
    )


def _pairs(result: Comparison) -> tuple[Grid, ...]:
    pairs = listed_pairs(result)
    total, title = len(pairs), "Head to head"
    if len(result.models) > _ALL_PAIRS and result.settings.baseline is None:
        leader = result.leader.name
        pairs = [pair for pair in pairs if leader in {pair.primary, pair.alternative}]
        title += f" with {visible(leader)} ({counted(len(pairs))} of {counted(total)} pairs; --json has more)"
    names = [(label(pair.primary), label(pair.alternative)) for pair in pairs]
    cells = tuple((*name, *_cells(pair)) for name, pair in zip(names, pairs, strict=True))
    measures = tuple((*name, *map(measure, _values(pair.measures))) for name, pair in zip(names, pairs, strict=True))
    return (
        Grid(title, ("model", "against", *_CELLS), cells, "ll" + "r" * len(_CELLS)),
        _sure(result, pairs),
        Grid("Prayatul measures", ("model", "against", *_MEASURES), measures, "ll" + "r" * len(_MEASURES)),
    )


def _sure(result: Comparison, pairs: Sequence[Pair]) -> Grid:
    """How sure each difference is, the better model first; the other way round everything is mirrored."""
    place = {model.name: rank for rank, model in enumerate(result.ranked)}
    once = sorted(
        (pair for pair in pairs if place[pair.primary] < place[pair.alternative]),
        key=lambda pair: (place[pair.primary], place[pair.alternative]),
    )
    tests = once[0].comparisons
    traced = any(pair.trace_superiority == pair.trace_superiority for pair in once)
    header = (
        *("better", "against", "difference", interval_words(result.level), "P(better)", "p"),
        *(["adjusted p"] if tests > 1 else []),
        *_asked_header(once[0]),
        *(["by trace"] if traced else []),
        "more needed",
    )
    rows = tuple(
        (
            *(
                label(pair.primary),
                label(pair.alternative),
                _points(pair.difference),
                point_ends(pair.difference.low, pair.difference.high),
            ),
            *(certainty(pair.p_better), _p(pair.p_value, result.level)),
            *([_p(pair.p_value_adjusted, result.level)] if tests > 1 else []),
            *_asked(pair),
            *([_closed_form(pair.trace_superiority)] if traced else []),
            _more(pair),
        )
        for pair in once
    )
    title = "How sure"
    if tests > 1:
        title += f" ({counted(tests)} comparisons, p-values adjusted: {result.settings.correction})"
    return Grid(title, header, rows, "ll" + "r" * (len(header) - 2))


def _more(pair: Pair) -> str:
    return "never" if pair.more_needed is None else counted(pair.more_needed) if pair.more_needed else "settled"


def _asked_header(pair: Pair) -> tuple[str, ...]:
    """What stands in a row only because it was asked for."""
    found: tuple[str, ...] = ()
    if pair.rope is not None:
        width = points(pair.rope.half_width)
        found += (f"P(above {width} pp)", "P(within)", "P(below)")
    if pair.prior_scale is not None:
        found += (f"P(better), τ {points(pair.prior_scale.tau)} pp",)
    return found


def _asked(pair: Pair) -> tuple[str, ...]:
    found: tuple[str, ...] = ()
    if pair.rope is not None:
        found += tuple(map(certainty, (pair.rope.p_better, pair.rope.p_equivalent, pair.rope.p_worse)))
    if pair.prior_scale is not None:
        found += (certainty(pair.prior_scale.p_better),)
    return found


def _p(p: float, level: float) -> str:
    return p_text(p, 1 - level).removeprefix("p = ").removeprefix("p ")


def _closed_form(probability: float) -> str:
    return "–" if probability != probability else f"{probability:.3f}"


def _legends(result: Comparison) -> list[str]:
    pair = listed_pairs(result)[0]
    sure = _SURE_LEGEND.get(pair.difference.method, f"Intervals are by the method {pair.difference.method}.")
    traced = pair.trace_superiority == pair.trace_superiority
    return [*_equal(result), _LEGEND, f"{sure} {_TRACE_LEGEND}" if traced else sure]


def _equal(result: Comparison) -> list[str]:
    test = result.cochran_q
    if test is None or len(result.models) < 3:
        return []
    p = p_text(test.p_value, 1 - result.level)
    return [f"Are all equally accurate? Cochran's Q = {number(test.statistic)} on {test.df} degrees of freedom, {p}."]


def _cells(pair: Pair) -> tuple[str, ...]:
    matrix = pair.prayatul
    same = "–" if matrix.both_wrong_same is None else counted(matrix.both_wrong_same)
    cells = (matrix.both_right, matrix.right_wrong, matrix.wrong_right, matrix.both_wrong)
    return (*map(counted, cells), same, _points(pair.difference))


def _points(difference: float) -> str:
    return f"{points(difference, plus=True)} pp"


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
    d, level = result.difference, result.difference.interval.level
    rows = [
        ("difference", f"{_points(d)} ({interval_words(level)} {point_ends(d.low, d.high)})"),
        (f"{label(result.primary)} is truly better", certainty(result.p_better)),
        ("p-value", _p(result.p_value, level)),
        *([("p-value, adjusted", _p(result.p_value_adjusted, level))] if result.comparisons > 1 else []),
        *zip(_asked_header(result), _asked(result), strict=True),
        ("exact McNemar", _p(result.mcnemar_exact_p, level)),
        ("by trace", _closed_form(result.trace_superiority)),
        ("more needed", _more(result)),
    ]
    sure = Grid("How sure", ("", "value"), tuple(rows))
    return Document((*document(result.prayatul).parts, sure))


@document.register
def _(result: Superiority) -> Document:
    tests, level = result.mcnemar, result.level
    rows = [
        ("difference", f"{_points(result.difference)} ({interval_words(level)} {point_ends(*_ends(result.interval))})"),
        ("primary is truly better", certainty(result.p_better)),
        ("p-value", _p(result.p_value, level)),
        ("exact McNemar", _p(tests.exact, level)),
        ("asymptotic McNemar", _p(tests.asymptotic, level)),
        *((method, point_ends(*_ends(result.interval_by(method)))) for method in BY_COUNTS),
    ]
    title = f"{counted(result.right_wrong)} against {counted(result.wrong_right)} of {counted(result.n, 'instance')}"
    return Document((Grid(title, ("", "value"), tuple(rows)),))


def _ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


@document.register
def _(result: Gate) -> Document:
    return Document((f"{result.outcome}: {result.sentence}.", *document(result.pair).parts))


@document.register
def _(result: Plan) -> Document:
    rows = (
        ("instances", counted(result.n)),
        ("difference of accuracies", f"{points(result.difference)} pp"),
        ("discordant instances", percent(result.disagreement)),
        ("power", percent(result.power)),
        ("level", percent(result.level)),
    )
    return Document((Grid("Plan", ("", "value"), rows),))


@document.register
def _(result: TraceSuperiority) -> Document:
    rows = [
        ("by trace", _closed_form(result.probability)),
        ("with the variance of lemma 4", _closed_form(result.lemma_4)),
        ("z, and its bound", f"{measure(result.z)}, ±{measure(result.bound)}"),
    ]
    if result.range is not None:
        (fewest, most), (low, high), (least, best) = result.range.discordant, result.range.z, result.range.p_better
        rows += [
            ("discordant instances", f"{counted(fewest)} to {counted(most)}"),
            ("z of the paired difference", f"{measure(low)} to {measure(high)}"),
            ("P(better) of the paired difference", f"{certainty(least)} to {certainty(best)}"),
        ]
    notes = tuple(f"Note: {visible(text, 1000)}." for text in result.warnings)
    return Document((Grid("Two confusion matrices", ("", "value"), tuple(rows)), *notes))


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
