"""Bootstrap of a comparison: any function of one pair's four cells, or of the confusion matrices of some models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tiebreak._checks import one_of
from tiebreak.inference import Bootstrap, bootstrap, confusion_units, pair_units
from tiebreak.measures import MEASURES, accuracy_difference, disagreement, double_fault, phi, yule_q
from tiebreak.tables import Tally

Statistic = Callable[..., npt.ArrayLike]

# Whatever has a name and is computed from the four cells of one pair.
OF_CELLS: dict[str, Statistic] = {
    **MEASURES,
    "accuracy_difference": accuracy_difference,
    "disagreement": disagreement,
    "double_fault": double_fault,
    "yule_q": yule_q,
    "phi": phi,
}

# Which draws these are, so that they are not the ones behind another number of the same seed.
_STREAM = 3


def generator(seed: int) -> np.random.Generator:
    """Return the generator of a bootstrap.

    Examples
    --------
    >>> generator(0).random() == generator(0).random()
    True
    """
    return np.random.default_rng([seed, _STREAM])


def resampled_cells(
    tally: Tally,
    pair: tuple[str, str],
    statistic: str | Statistic,
    resamples: int,
    seed: int,
    by_weight: Tally | None = None,
) -> Bootstrap:
    """Resample a function of the cells of one pair.

    Examples
    --------
    >>> tally = Tally.of({("a", "a", "a"): 30, ("a", "a", "b"): 9, ("a", "b", "a"): 4, ("a", "b", "b"): 7}, models="pq")
    >>> round(resampled_cells(tally, ("p", "q"), "accuracy_difference", 2000, 0).se, 2)
    0.07
    """
    function = OF_CELLS[one_of(statistic, "statistic", OF_CELLS)] if isinstance(statistic, str) else statistic
    return bootstrap(pair_units(tally, *pair, by_weight), function, generator(seed), resamples)


def resampled_matrices(
    tally: Tally,
    models: Sequence[str],
    statistic: Statistic,
    resamples: int,
    seed: int,
    by_weight: Tally | None = None,
) -> Bootstrap:
    """Resample a function of the confusion matrices of some models.

    Examples
    --------
    >>> tally = Tally.of({("a", "a", "a"): 30, ("b", "b", "a"): 9, ("b", "a", "b"): 4}, models="pq")
    >>> resampled_matrices(tally, ["p"], lambda m: np.trace(m, axis1=-2, axis2=-1), 100, 0).estimate
    39.0
    """
    units, k = confusion_units(tally, models, by_weight), len(tally.labels)

    def of_tables(tables: npt.NDArray[np.float64]) -> Any:
        stacked = tables.reshape(len(tables), len(models), k, k)
        return statistic(*(stacked[:, place] for place in range(len(models))))

    return bootstrap(units, of_tables, generator(seed), resamples)
