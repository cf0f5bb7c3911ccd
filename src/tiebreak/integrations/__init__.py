"""Integrations: what people already have (scikit-learn estimators), brought to a comparison. Nothing is measured here."""

from tiebreak.integrations.estimators import compare_estimators

__all__ = ["compare_estimators"]
