"""Views: everything that shows. They arrange results and format numbers; what a test would check is computed below."""

from tiebreak.views.badge import badge, leaderboard
from tiebreak.views.documents import document
from tiebreak.views.figures import Plots, plots
from tiebreak.views.frames import frame
from tiebreak.views.grid import Document, Grid
from tiebreak.views.page import report

__all__ = ["Document", "Grid", "Plots", "badge", "document", "frame", "leaderboard", "plots", "report"]
