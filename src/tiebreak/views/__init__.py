"""Views: everything that shows. They arrange results and format numbers; what a test would check is computed below."""

from tiebreak.views.badge import badge, leaderboard
from tiebreak.views.documents import document
from tiebreak.views.grid import Document, Grid

__all__ = ["Document", "Grid", "badge", "document", "leaderboard"]
