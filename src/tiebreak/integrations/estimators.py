"""scikit-learn estimators: predicted out of fold on the same splits, compared on the pooled counts."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

from tiebreak._format import listed, quoted
from tiebreak.comparison import Comparison, compare
from tiebreak.errors import EmptyComparison, TiebreakError


def compare_estimators(estimators: Mapping[str, Any], X: Any, y: Any, *, cv: Any = 5, **options: Any) -> Comparison:  # noqa: N803
    """Compare estimators by their out-of-fold predictions.

    Every estimator is fitted on the same splits and predicts each instance once. The counts are pooled over the folds
    before anything is computed, because the mean of the folds' ratios is not the ratio of the whole.

    Parameters
    ----------
    estimators : name to unfitted estimator
    X, y : features and true labels
    cv : the number of stratified folds (shuffled by `seed`), a splitter, or an iterable of (train, test) indices
    options : what `compare` takes

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import tiebreak as tb
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> tb.compare_estimators(models, X, y).n
    150
    """
    try:
        from sklearn.model_selection import StratifiedKFold, check_cv, cross_val_predict
    except ImportError:
        raise TiebreakError("compare_estimators needs scikit-learn: pip install scikit-learn") from None
    if not isinstance(estimators, Mapping):
        raise TiebreakError(f"estimators is a {type(estimators).__name__}: it must be a dict of names to estimators")
    if len(estimators) < 2:
        raise EmptyComparison(f"estimators has {listed(estimators) or 'none'}: a comparison needs at least two")
    try:
        if isinstance(cv, numbers.Integral):
            cv = StratifiedKFold(int(cv), shuffle=True, random_state=options.get("seed", 0))
        # The splits are made once: a splitter that draws at random would give every estimator others.
        splits = list(check_cv(cv, y, classifier=True).split(X, y))
    except ValueError as error:
        raise TiebreakError(f"cv is {quoted(cv)}: {error}") from None
    predictions = {}
    for model, estimator in estimators.items():
        try:
            predictions[model] = cross_val_predict(estimator, X, y, cv=splits)
        except ValueError as error:
            raise TiebreakError(f"estimator {quoted(model)} could not be cross-validated: {error}") from error
    return compare(y, predictions, **options)
