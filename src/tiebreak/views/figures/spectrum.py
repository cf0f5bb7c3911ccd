"""Densities of traces and eigenvalues of random confusion matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of
from tiebreak._format import number
from tiebreak.errors import NotDefined
from tiebreak.inference import EigenvalueDistribution, TraceDifference, TraceDistribution
from tiebreak.views.figures.style import COLOURS, INK, LINES, MUTED, SMALL, frame, legend, put, short, tip, words
from tiebreak.views.grid import Cell, Grid, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = npt.NDArray[np.float64]
OF, CURVES = ("trace", "eigenvalues"), ("pdf", "cdf")
_POINTS, _DRAWS, _BINS = 241, 20_000, 80


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One density or distribution function.

    Attributes
    ----------
    name : what it is of
    x, y : its points
    steps : whether it is constant between them
    """

    name: str
    x: Array
    y: Array
    steps: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Spectrum:
    """Densities on one axis.

    Attributes
    ----------
    curves : them
    quantity : what lies on the axis
    curve : "pdf" or "cdf"
    observed : observed values, by name
    """

    curves: tuple[Curve, ...]
    quantity: str
    curve: str = "pdf"
    observed: tuple[tuple[str, float], ...] = ()

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (7.4, 3.6)

    def grid(self) -> Grid:
        """Return where each curve is highest, or crosses one half, as a table."""
        rows = tuple((label(each.name), *self._at(each)) for each in self.curves)
        place = "mode" if self.curve == "pdf" else "median"
        return Grid(f"Distribution of the {self.quantity}", ("distribution", place, self.curve), rows)

    def _at(self, each: Curve) -> tuple[Cell, Cell]:
        k = int(np.argmax(each.y)) if self.curve == "pdf" else int(np.argmax(each.y >= 0.5))
        x, y = float(each.x[k]), float(each.y[k])
        return Cell(number(x), x), Cell(number(y), y)


def trace_spectrum(
    laws: Mapping[str, Any], observed: Mapping[str, float] | None = None, curve: str = "pdf"
) -> Spectrum:
    """Return the densities of named laws of a trace, or of a difference of two.

    Examples
    --------
    >>> law = TraceDistribution([[62, 36], [51, 51]], "paper")
    >>> trace_spectrum({"paper": law}).curves[0].y.max().round(4)
    np.float64(0.0264)
    """
    one_of(curve, "curve", CURVES)
    found = tuple(_trace_curve(name, law, curve) for name, law in laws.items())
    difference = any(isinstance(law, TraceDifference) for law in laws.values())
    quantity = "difference of two traces" if difference else "trace (right answers)"
    return Spectrum(found, quantity, curve, tuple((observed or {}).items()))


def _trace_curve(name: str, law: Any, curve: str) -> Curve:
    if not law.sd:
        raise NotDefined(f"the law {law.method!r} is a single point, {law.mean:g}: it has no density to draw")
    low, high = law.mean - 4.5 * law.sd, law.mean + 4.5 * law.sd
    exact = law.method == "exact"
    # The exact law lives on integers; all of them, or as many as can be seen.
    x = np.unique(np.linspace(low, high, _POINTS).round()) if exact else np.linspace(low, high, _POINTS)
    return Curve(name, x, np.asarray(getattr(law, curve)(x), dtype=np.float64), steps=exact and curve == "cdf")


def eigenvalue_spectrum(law: EigenvalueDistribution, curve: str = "pdf", seed: int = 0) -> Spectrum:
    """Return the densities of the eigenvalues: exact ones where the law has them, else a histogram of draws.

    Examples
    --------
    >>> found = eigenvalue_spectrum(EigenvalueDistribution([[62, 36], [51, 51]]))
    >>> [curve.name for curve in found.curves]
    ['largest', 'smallest']
    """
    one_of(curve, "curve", CURVES)
    observed = tuple(_observed(law))
    if law.k == 2 and law.method != "exact" and law.s:
        centre = law.mean * (2 if law.method == "corrected" else 1)
        reach = centre + 5 * law.s
        x = np.linspace(
            min(law.mean, 0) - 5 * law.s if law.method == "corrected" else law.mean - 5 * law.s, reach, _POINTS
        )
        marginals = ((which, law.marginal(which)) for which in ("largest", "smallest"))
        found = [Curve(which, x, np.asarray(getattr(each, curve)(x))) for which, each in marginals]
        return Spectrum(tuple(found), f"eigenvalues ({law.method})", curve, observed)
    drawn = law.sample(np.random.default_rng([seed, 4]), _DRAWS)
    names = ["largest", *(f"number {k}" for k in range(2, law.k)), "smallest"]
    shown = [0, law.k - 1] if law.k > len(COLOURS) else range(law.k)
    curves = tuple(_histogram(names[k], drawn[:, k], curve) for k in shown)
    return Spectrum(curves, f"eigenvalues ({law.method}, {_DRAWS:,} draws)", curve, observed)


def _histogram(name: str, values: Array, curve: str) -> Curve:
    heights, edges = np.histogram(values, bins=_BINS, density=curve == "pdf")
    if curve == "cdf":
        return Curve(name, edges[1:], np.cumsum(heights) / len(values), steps=True)
    return Curve(name, edges, np.append(heights, 0.0), steps=True)


def _observed(law: EigenvalueDistribution) -> list[tuple[str, float]]:
    counts = law.cells.counts.astype(np.float64)
    values = np.linalg.eigvalsh((counts + counts.T) / 2)
    return [("observed largest", float(values[-1])), ("observed smallest", float(values[0]))]


def spectrum(
    names: Sequence[str],
    matrices: Sequence[npt.ArrayLike],
    of: str = "trace",
    method: str = "exact",
    curve: str = "pdf",
) -> Spectrum:
    """Return the densities fitted to the confusion matrices of some models, or the eigenvalues of the first.

    Examples
    --------
    >>> spectrum(["knn"], [[[62, 36], [51, 51]]]).observed
    (('knn', 113.0),)
    """
    one_of(of, "of", OF)
    if of == "eigenvalues":
        return eigenvalue_spectrum(EigenvalueDistribution(matrices[0], method), curve)
    laws = {name: TraceDistribution(matrix, method) for name, matrix in zip(names, matrices, strict=True)}
    return trace_spectrum(
        laws, {name: float(np.trace(np.asarray(m))) for name, m in zip(names, matrices, strict=True)}, curve
    )


def draw_spectrum(data: Spectrum, ax: Axes) -> Axes:
    """Draw the curves; what was observed is a thin line of the same kind."""
    marks: list[tuple[Any, str]] = []
    for k, each in enumerate(data.curves):
        colour, stroke = COLOURS[k % len(COLOURS)], LINES[k % len(LINES)]
        (line,) = ax.plot(each.x, each.y, color=colour, linestyle=stroke, linewidth=1.7,
                          drawstyle="steps-post" if each.steps else "default")  # fmt: skip
        if data.curve == "pdf":
            ax.fill_between(
                each.x, 0, each.y, step="post" if each.steps else None, color=colour, alpha=0.1, linewidth=0
            )
        tip(line, short(each.name))
        marks.append((line, short(each.name)))
    for k, (name, value) in enumerate(data.observed):
        same = [c.name for c in data.curves].index(name) if name in [c.name for c in data.curves] else None
        line = ax.axvline(value, color=INK if same is None else COLOURS[same % len(COLOURS)], linewidth=0.9,
                          linestyle=(0, (2, 2)))  # fmt: skip
        tip(line, f"{short(name)}: {number(value)}")
        if same is None or len(data.observed) <= 3:
            put(ax, value, 1.0 - 0.07 * k, f" {number(value)}", transform=ax.get_xaxis_transform(), ha="left", va="top",
                fontsize=SMALL, color=MUTED)  # fmt: skip
    frame(ax, "bottom", "left")
    ax.set_ylim(bottom=0)
    words(ax, f"{data.quantity}; dotted: observed" if data.observed else data.quantity,
          "density" if data.curve == "pdf" else "probability")  # fmt: skip
    legend(ax, marks, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=min(4, len(marks)), borderpad=0)
    return ax
