"""Bands round a profile: at one τ, or round a model's whole curve at once.

A profile is a distribution function of ratios, so Kolmogorov's statistic, the largest distance of an empirical from
the true distribution function, gives a band that covers the whole curve; it is exact where the curve has no step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of, whole_count
from tiebreak.errors import NotDefined, TiebreakError
from tiebreak.inference import Interval, grouped_moments, wilson
from tiebreak.profiles.steps import within_factor
from tiebreak.tables import GroupSums, Losses, LossSums, ratios_of

if TYPE_CHECKING:
    from tiebreak.profiles.profile import PerformanceProfile

Array = npt.NDArray[np.float64]
Draws = tuple[np.random.Generator, int]

BAND_METHODS = ("simultaneous", "bootstrap", "wilson")
# The bootstrap measures distances at so many points of a curve at most.
_POINTS = 512


@dataclass(frozen=True, slots=True, eq=False)
class Bands:
    """A band round each model's profile.

    Attributes
    ----------
    models : their names, in order
    taus : where
    low, high : the ends (M × T), within [0, 1]
    level : of the band
    method : "kolmogorov", "bootstrap" or "wilson"
    reach : how far a simultaneous band lies from the curve (M); None for "wilson"

    Examples
    --------
    >>> from tiebreak.profiles import performance_profile
    >>> profile = performance_profile(np.random.default_rng(0).exponential(size=(400, 2)), names=["a", "b"])
    >>> bands = profile.bands(taus=[1, 2])
    >>> bands.method, bands.at(2)["a"].width.__round__(3)
    ('kolmogorov', 0.135)
    """

    models: tuple[str, ...]
    taus: Array
    low: Array
    high: Array
    level: float
    method: str
    reach: Array | None = None

    @property
    def simultaneous(self) -> bool:
        """Whether the band covers a model's whole curve at once."""
        return self.reach is not None

    def at(self, tau: float) -> dict[str, Interval]:
        """Return each model's interval at one of the `taus`, the last one that is not above `tau`."""
        place = int(np.searchsorted(self.taus, tau * (1 + 1e-12), side="right")) - 1
        if place < 0:
            raise NotDefined(f"the band begins at tau = {self.taus[0]:g}: ask for it there, or name tau in taus=")
        ends = zip(self.models, self.low[:, place].tolist(), self.high[:, place].tolist(), strict=True)
        return {name: Interval(low, high, self.level, self.method) for name, low, high in ends}


def bands_of(profile: PerformanceProfile, level: float, method: str, taus: Array, draws: Draws) -> Bands:
    """Return the bands of a profile by one of `BAND_METHODS`.

    Examples
    --------
    >>> from tiebreak.profiles import performance_profile
    >>> profile = performance_profile([[1.0, 2.0], [2.0, 1.0]])
    >>> bands_of(profile, 0.95, "wilson", np.array([1.0]), (np.random.default_rng(0), 1)).low.round(3)
    array([[0.095],
           [0.095]])
    """
    one_of(method, "method", BAND_METHODS)
    taus = np.unique(taus)
    if method == "wilson":
        ends = np.array([intervals_at(profile, float(tau), level) for tau in taus])
        return Bands(profile.models, taus, ends[..., 0].T, ends[..., 1].T, level, "wilson")
    plain = _plain(profile.source)
    if method == "simultaneous" and plain:
        reach, name = np.full(len(profile.models), kolmogorov(profile.n, level)), "kolmogorov"
    else:
        reach, name = _bootstrapped(profile, level, *draws), "bootstrap"
        # A curve that no resample moves is no surer than as many instances, or groups, that all agree.
        reach = np.where(reach > 0, reach, kolmogorov(_units(profile), level))
    rho = np.array([step.mass_within(taus) for step in profile.steps]) / profile.total
    low, high = np.clip(rho - reach[:, None], 0.0, 1.0), np.clip(rho + reach[:, None], 0.0, 1.0)
    return Bands(profile.models, taus, low, high, level, name, reach)


def _plain(source: Losses | LossSums) -> bool:
    """Whether instances are independent and count alike."""
    return source.groups is None and not source.weighted


def _units(profile: PerformanceProfile) -> float:
    """How many independent instances of one weight the shares rest on."""
    groups = profile.source.groups
    if groups is None:
        return float(profile.source.effective)
    return float(len(profile.source.names))


def kolmogorov(n: float, level: float) -> float:
    """Return c with P(sup |F_n − F| ≤ c) = `level` for any continuous F, and at least that for any other.

    The limit law's quantile over √n + 0.12 + 0.11 / √n. Source: Stephens 1970.

    Examples
    --------
    >>> round(kolmogorov(100, 0.95), 4)
    0.1341
    """
    from scipy.special import kolmogi

    root = np.sqrt(n)
    return float(kolmogi(1 - level) / (root + 0.12 + 0.11 / root))


def intervals_at(profile: PerformanceProfile, tau: float, level: float) -> Array:
    """Return Wilson's interval of every model's share at one τ (M × 2), over as many instances as these are worth.

    With weights that is Kish's number; with groups p (1 − p) over the sandwich variance of the share, and the number of
    groups where that variance is 0.

    Examples
    --------
    >>> from tiebreak.profiles import performance_profile
    >>> intervals_at(performance_profile([[1.0, 2.0]] * 10), 1.0, 0.95).round(3)
    array([[0.722, 1.   ],
           [0.   , 0.278]])
    """
    share = np.array([float(step.mass_within(tau)) for step in profile.steps]) / profile.total
    worth = np.full(len(share), profile.source.effective)
    if profile.source.groups is not None:
        if isinstance(profile.source, LossSums):
            raise NotDefined("sums keep no groups of ratios: compare fewer instances to have intervals by groups")
        worth = _worth(profile.source, tau, profile.floor)
    return wilson(share * worth, worth, level)


def _worth(losses: Losses, tau: float, floor: float) -> Array:
    """The effective number of instances behind each model's share at τ, where instances come in groups."""
    right = within_factor(losses, tau, None, floor).astype(np.float64)
    amounts = np.ones(right.shape[1]) if losses.amounts is None else losses.amounts.astype(np.float64)
    size, groups = len(losses.names), losses.groups
    held = [np.bincount(groups, row, size) for row in right * amounts]  # type: ignore[arg-type]
    sums = GroupSums(np.bincount(groups, amounts, size), np.array(held))  # type: ignore[arg-type]
    moments = grouped_moments(sums)
    variance = np.diagonal(moments.covariance)
    spread = moments.means * (1 - moments.means)
    known = variance > 1e-12
    return np.where(known, spread / np.where(known, variance, 1.0), float(sums.groups))


def _bootstrapped(profile: PerformanceProfile, level: float, rng: np.random.Generator, resamples: int) -> Array:
    """The quantile of each model's largest distance between resampled and observed curve."""
    resamples = whole_count(resamples, "resamples", "it is how often instances are drawn anew")
    if not resamples:
        raise TiebreakError("resamples is 0: it must be at least 1")
    taus = profile.taus(_POINTS)
    if isinstance(profile.source, LossSums):
        if not _plain(profile.source):
            raise NotDefined("sums keep no groups and no weights of ratios: compare fewer instances to have bands")
        binned: list[Array] = [np.append(row[:-2], row[-2:].sum()) for row in profile.source.steps]
        return np.array([_largest(_multinomial(masses, rng, resamples), level) for masses in binned])
    if _plain(profile.source):
        rho = np.array([step.mass_within(taus) for step in profile.steps])
        whole = np.concatenate([rho, np.full((len(rho), 1), profile.total)], axis=1)
        masses_of = np.rint(np.diff(whole, axis=1, prepend=0.0))
        return np.array([_largest(_multinomial(masses, rng, resamples), level) for masses in masses_of])
    return _by_units(profile.source, taus, profile.floor, level, (rng, resamples))


def _multinomial(masses: Array, rng: np.random.Generator, resamples: int) -> Array:
    """Distances of resampled from observed curves, where resampling is a multinomial draw of the jumps."""
    n = int(masses.sum())
    found, rho = np.empty(resamples), np.cumsum(masses) / n
    for start in range(0, resamples, 256):
        size = min(256, resamples - start)
        drawn = np.cumsum(rng.multinomial(n, masses / n, size), axis=1) / n
        found[start : start + size] = np.abs(drawn - rho).max(axis=1)
    return found


def _by_units(losses: Losses, taus: Array, floor: float, level: float, draws: Draws) -> Array:
    """Resample groups, or weighted rows; every resample is a new weight of each row."""
    rng, resamples = draws
    bins = np.empty((len(losses.models), len(losses.values)), dtype=np.int64)
    for place, part in losses.blocks():
        ratio = ratios_of(part, lower=losses.lower_is_better, floor=floor)[0]
        bins[:, place] = np.where(np.isinf(ratio), len(taus), np.searchsorted(taus, ratio * (1 - 1e-12)))
    amounts = np.ones(bins.shape[1]) if losses.amounts is None else losses.amounts.astype(np.float64)
    units = losses.groups if losses.groups is not None else np.arange(bins.shape[1])
    size = len(losses.names) if losses.groups is not None else bins.shape[1]
    observed = [np.cumsum(np.bincount(row, amounts, len(taus) + 1)) / amounts.sum() for row in bins]
    found = np.empty((len(bins), resamples))
    for draw in range(resamples):
        weight = rng.multinomial(size, np.full(size, 1 / size))[units] * amounts
        total = weight.sum()
        for model, row in enumerate(bins):
            drawn = np.cumsum(np.bincount(row, weight, len(taus) + 1)) / total if total else observed[model]
            found[model, draw] = np.abs(drawn - observed[model]).max()
    return np.array([_largest(row, level) for row in found])


def _largest(distances: Array, level: float) -> float:
    return float(np.quantile(distances, level, method="higher"))
