"""Performance profiles: for every model the share of instances within a factor τ of the best, with bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tiebreak._format import measure
from tiebreak.errors import NotDefined
from tiebreak.profiles import PerformanceProfile
from tiebreak.views.figures.style import COLOURS, INK, LINES, MARKERS, RULE, frame, legend, short, tip, words
from tiebreak.views.grid import Cell, Grid, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = npt.NDArray[np.float64]
# So many curves are told apart by colour, stroke and marker; the others are thin and grey.
MOST = 7
_MARKS = 8
# Models of which the bands can still be told apart.
_BANDS = 4
# Of more jumps a log grid of so many points is drawn, closer than an eye can tell.
_POINTS = 240


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """Profiles at some factors, the highest first.

    Attributes
    ----------
    models : their names
    taus : the factors, from 1
    shares : ρ_m(τ), one row a model
    low, high : ends of the bands, None without
    level : of the bands
    """

    models: tuple[str, ...]
    taus: Array
    shares: Array
    low: Array | None = None
    high: Array | None = None
    level: float = 0.95

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (7.4, 4.2)

    def grid(self) -> Grid:
        """Return the profiles at about a dozen factors as a table."""
        picked = np.unique(np.linspace(0, len(self.taus) - 1, 12).round().astype(int))
        header = ("model", *(f"τ = {self.taus[k]:.4g}" for k in picked))
        rows = tuple(
            (label(name), *(Cell(measure(float(row[k]), 3), float(row[k])) for k in picked))
            for name, row in zip(self.models, self.shares, strict=True)
        )
        return Grid("Share of instances within a factor τ of the best", header, rows)


def curves(
    models: Sequence[str], taus: npt.ArrayLike, shares: npt.ArrayLike, bands: Any = None, level: float = 0.95
) -> Curves:
    """Return what a figure of profiles shows; `bands` is (low, high), each like `shares`.

    Examples
    --------
    >>> curves(["a", "b"], [1, 2], [[0.2, 1.0], [0.8, 0.9]]).models
    ('b', 'a')
    """
    taus, shares = np.asarray(taus, dtype=np.float64), np.atleast_2d(np.asarray(shares, dtype=np.float64))
    if not len(taus):
        raise NotDefined("the profile has no point to draw")
    logs = np.log(taus)
    weights = np.diff(np.append(logs, logs[-1] + max(logs[-1] * 0.1, 0.1)))
    order = sorted(range(len(models)), key=lambda k: (-float(shares[k] @ weights), -float(shares[k][0]), k))
    low, high = (None, None) if bands is None else (np.asarray(end, dtype=np.float64)[order] for end in bands)
    return Curves(tuple(models[k] for k in order), taus, shares[order], low, high, level)


def profile_curves(profile: PerformanceProfile, *, bands: bool | None = None, level: float = 0.95) -> Curves:
    """Return what the figure of a profile shows.

    Without `bands` being asked for they are drawn of at most four models, and where they are defined.
    """
    taus = profile.taus(_POINTS)
    found = profile.curve(taus)
    shares = np.array([found[name] for name in profile.models])
    if bands is False or (bands is None and len(profile.models) > _BANDS):
        return curves(profile.models, taus, shares)
    try:
        made = profile.bands(level, taus=taus)
    except NotDefined:
        if bands:
            raise
        return curves(profile.models, taus, shares)
    return curves(profile.models, taus, shares, (made.low, made.high), level)


def draw_curves(data: Curves, ax: Axes) -> Axes:
    """Draw steps on a log axis; the first models are told apart by colour, stroke and marker."""
    end = float(data.taus[-1]) if data.taus[-1] > 1 else 2.0
    marks: list[tuple[Any, str]] = []
    for k in reversed(range(len(data.models))):
        shares = np.append(data.shares[k], data.shares[k][-1])
        taus = np.append(data.taus, end * 1.05)
        if k >= MOST:
            ax.plot(taus, shares, drawstyle="steps-post", color=RULE, linewidth=0.8, zorder=1)
            continue
        colour = COLOURS[k]
        if data.low is not None and data.high is not None:
            low, high = (np.append(ends[k], ends[k][-1]) for ends in (data.low, data.high))
            ax.fill_between(taus, low, high, step="post", color=colour, alpha=0.14, linewidth=0, zorder=2)
        stroke, every = LINES[k % len(LINES)], max(1, len(taus) // _MARKS)
        (line,) = ax.plot(taus, shares, drawstyle="steps-post", color=colour, linewidth=1.6, linestyle=stroke,
                          marker=MARKERS[k], markersize=4.5, markevery=every, zorder=3)  # fmt: skip
        tip(line, f"{short(data.models[k])}: {measure(float(data.shares[k][0]), 3)} at τ = 1")
        marks.append((line, short(data.models[k])))
    marks.reverse()
    _finished(data, ax, marks, end)
    return ax


def _finished(data: Curves, ax: Axes, marks: list[tuple[Any, str]], end: float) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    others = len(data.models) - MOST
    if others > 0:
        (grey,) = ax.plot([], [], color=RULE, linewidth=0.8)
        marks.append((grey, f"{others} more"))
    ax.set_xscale("log")
    ax.set_xlim(1, end * 1.05)
    places = [tau for tau in (1, 1.1, 1.2, 1.5, 2, 3, 5, 10, 30, 100, 1e3, 1e4, 1e5, 1e6) if tau <= end * 1.05]
    far = places if end <= 10 else [tau for tau in places if tau in {1, 2, 5} or tau >= 10]
    ax.xaxis.set_major_locator(FixedLocator(far))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda tau, _: f"{tau:g}"))
    ax.set_ylim(-0.02, 1.02)
    frame(ax, "bottom", "left")
    ax.axhline(1, color=RULE, linewidth=0.5, zorder=0)
    words(ax, "τ: within this factor of the best", "share of instances ρ(τ)")
    legend(ax, marks, loc="lower right", labelcolor=INK)
