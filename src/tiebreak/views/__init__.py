"""Views: everything that shows. They arrange results and format numbers; what a test would check is computed below."""

from tiebreak.views.documents import document
from tiebreak.views.grid import Document, Grid

__all__ = ["Document", "Grid", "document"]
