"""Integrations: what people already have (scikit-learn estimators), brought to a comparison; nothing is measured."""

from tiebreak.integrations.estimators import compare_estimators

__all__ = ["compare_estimators"]
