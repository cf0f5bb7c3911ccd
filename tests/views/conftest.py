"""Figures are drawn without a screen, and closed when a test is over."""

import sys
from pathlib import Path

import matplotlib as mpl
import pytest

sys.path.insert(0, str(Path(__file__).parent))
mpl.use("agg")


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")
