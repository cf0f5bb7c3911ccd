"""Views: everything that shows. They arrange results and format numbers, and compute nothing that a test would check."""

from tiebreak.views.documents import document
from tiebreak.views.grid import Document, Grid

__all__ = ["Document", "Grid", "document"]
