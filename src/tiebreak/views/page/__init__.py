"""The page: one file that shows a comparison whole, without a network and, if need be, without JavaScript.

Records first (`parts`, `sections`), markup last (the templates, which escape whatever is put into them).
"""

from tiebreak.views.page.written import page, report

__all__ = ["page", "report"]
