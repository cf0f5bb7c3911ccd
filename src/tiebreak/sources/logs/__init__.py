"""Logs of evaluation harnesses: recognised by what is in them, held against each other, and made one wide table.

A log is one model's answers, already graded. Each reader brings its logs to rows of (run, instance, repeat,
fingerprint, value); `aligned` refuses runs that were not of the same instances, and the rest of the house sees one row
an instance and one column a model.
"""

from tiebreak.sources.logs.finding import Log, aside, logs_among
from tiebreak.sources.logs.reading import read_logs

__all__ = ["Log", "aside", "logs_among", "read_logs"]
