"""How the numbers of one head-to-head and one model are written into cells."""

from __future__ import annotations

from tiebreak._format import certainty, counted, measure, number, p_text, percent, points
from tiebreak.comparison import Kind, Model, Numbered, Pair
from tiebreak.inference import Estimate
from tiebreak.measures import PrayatulMeasures
from tiebreak.views.grid import Cell

MEASURES = ("σ_c", "α", "ξ_c", "ξ_e", "φ_e")


def count_cell(count: float) -> Cell:
    """Return a count, or a sum of weights.

    Examples
    --------
    >>> count_cell(1024)
    '1,024'
    """
    return Cell(counted(count), count)


def share_cell(share: float) -> Cell:
    """Return a share in per cent.

    Examples
    --------
    >>> share_cell(0.5)
    '50.0 %'
    """
    return Cell(percent(share), share)


def measure_cell(value: float, digits: int = 4) -> Cell:
    """Return a measure with a fixed number of decimals.

    Examples
    --------
    >>> measure_cell(-1 / 3, 3), measure_cell(float("nan"))
    ('−0.333', '–')
    """
    return Cell(measure(value, digits), value)


def number_cell(value: float) -> Cell:
    """Return a number of any size.

    Examples
    --------
    >>> number_cell(0.23164)
    '0.2316'
    """
    return Cell(number(value), value)


def number_ends(mean: Estimate) -> str:
    """Return the interval of a number of any size."""
    return "–" if mean.low != mean.low else f"{number(mean.low)} to {number(mean.high)}"


def points_cell(difference: float) -> Cell:
    """Return a difference of shares in percentage points; its number is the share itself.

    Examples
    --------
    >>> points_cell(-0.02), points_cell(-0.02).value
    ('−2.00 pp', -0.02)
    """
    return Cell(f"{points(difference, plus=True)} pp", float(difference))


def certainty_cell(probability: float) -> Cell:
    """Return a probability of being better.

    Examples
    --------
    >>> certainty_cell(1.0)
    'above 99.9999 %'
    """
    return Cell(certainty(probability), probability)


def p_cell(p: float, level: float) -> Cell:
    """Return a p-value, on the right side of one minus the level.

    Examples
    --------
    >>> p_cell(0.1796, 0.95)
    '0.18'
    """
    return Cell(p_text(p, 1 - level).removeprefix("p = ").removeprefix("p "), p)


def trace_cell(probability: float) -> Cell:
    """Return the published probability from two confusion matrices.

    Examples
    --------
    >>> trace_cell(0.84915), trace_cell(float("nan"))
    ('0.849', '–')
    """
    return Cell("–" if probability != probability else f"{probability:.3f}", probability)


def more_cell(pair: Pair) -> Cell:
    """Return how many more instances would settle a pair."""
    more = pair.more_needed
    return Cell("never" if more is None else counted(more) if more else "settled", more)


def matrix_cells(pair: Pair) -> tuple[Cell, ...]:
    """Return the four cells, the same wrong label, and the difference."""
    matrix = pair.prayatul
    same = matrix.both_wrong_same
    cells = (matrix.both_right, matrix.right_wrong, matrix.wrong_right, matrix.both_wrong)
    difference = Cell(pair.kind.said(pair.difference), float(pair.difference))
    return (*map(count_cell, cells), Cell("–") if same is None else count_cell(same), difference)


def measure_values(m: PrayatulMeasures) -> tuple[float, ...]:
    """Return the five measures in the order of `MEASURES`.

    Examples
    --------
    >>> from tiebreak.measures import prayatul_measures
    >>> len(measure_values(prayatul_measures([30, 9, 4, 7])))
    5
    """
    return (
        m.comparative_deviation,
        m.polarization,
        m.comparative_rightness,
        m.effective_rightness,
        m.effective_superiority,
    )


def measure_cells(m: PrayatulMeasures) -> tuple[Cell, ...]:
    """Return the five measures as cells."""
    return tuple(Cell(measure(value), value) for value in measure_values(m))


def asked_header(pair: Pair) -> tuple[str, ...]:
    """Return the headings of what stands in a row only because it was asked for."""
    found: tuple[str, ...] = ()
    if pair.rope is not None:
        width = points(pair.rope.half_width)
        found += (f"P(above {width} pp)", "P(within)", "P(below)")
    if pair.prior_scale is not None:
        found += (f"P(better), τ {points(pair.prior_scale.tau)} pp",)
    return found


def asked_cells(pair: Pair) -> tuple[Cell, ...]:
    """Return what stands below `asked_header`."""
    found: tuple[Cell, ...] = ()
    if pair.rope is not None:
        found += tuple(map(certainty_cell, (pair.rope.p_better, pair.rope.p_equivalent, pair.rope.p_worse)))
    if pair.prior_scale is not None:
        found += (certainty_cell(pair.prior_scale.p_better),)
    return found


def rank_text(model: Model) -> str:
    """Return the ranks between which a model lies."""
    if model.rank is None:
        return "–"
    low, high = model.rank
    return str(low) if low == high else f"{low}–{high}"


def said_score(model: Model) -> Estimate:
    """Return a model's score as it is said: a loss or a cost as it is, whatever models are ranked by."""
    return model.mean if isinstance(model, Numbered) else model.score


def score_words(kind: Kind) -> str:
    """Return what the scores of a task are called.

    Examples
    --------
    >>> from tiebreak.comparison import KINDS
    >>> score_words(KINDS["regression"]), score_words(KINDS["correct"])
    ('mean absolute error', 'accuracy')
    """
    return kind.noun.removeprefix("a ").removesuffix(" of ") or "accuracy"


def difference_words(kind: Kind) -> str:
    """Return what a difference of a task is called on an axis.

    Examples
    --------
    >>> from tiebreak.comparison import KINDS
    >>> difference_words(KINDS["correct"]), difference_words(KINDS["cost"])
    ('difference in percentage points', 'difference of mean cost: above 0 the first is better')
    """
    if kind.unit == "points":
        return "difference in percentage points"
    return f"difference of {score_words(kind)}: above 0 the first is better"


def standing_cells(model: Model, *, tiered: bool) -> tuple[str, ...]:
    """Return tier and ranks, where there are any."""
    if not tiered:
        return ()
    return ("–", "–") if model.tier is None else (Cell(str(model.tier), model.tier), rank_text(model))


def share_ends(share: Estimate) -> str:
    """Return the interval of a share."""
    if share.low != share.low:
        return "–"
    return f"{percent(share.low).removesuffix(' %')} to {percent(share.high)}"
