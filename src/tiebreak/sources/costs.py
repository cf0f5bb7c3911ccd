"""A file of costs: a square table whose first column and header are the labels, rows true, columns predicted."""

from __future__ import annotations

import csv
from pathlib import Path

from tiebreak._format import listed, quoted, visible
from tiebreak.errors import EmptyComparison, TiebreakError, UnreadableSource
from tiebreak.sources.files import delimiter_of
from tiebreak.sources.formats import decoded, reading
from tiebreak.tables import CostMatrix, cost_matrix


def read_costs(path: str) -> CostMatrix:
    r"""Read a cost matrix from a CSV or TSV file; its rows and columns may come in any order.

    Labels are text, and are matched with those of the data by their text.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "costs.csv"
    ...     _ = path.write_text("truth,green,red\nred,10,1\ngreen,1,4\n")
    ...     read_costs(str(path)).over(("green", "red")).costs
    array([[ 1.,  4.],
           [10.,  1.]])
    """
    where = visible(Path(path).name, 100)
    if not Path(path).is_file():
        raise UnreadableSource(f"cost names {quoted(str(path))}, which is no file: give a square CSV of costs (--cost)")
    with decoded(where), reading(path) as file:
        lines = file.read().splitlines()
    filled = [line for line in lines if line.strip()]
    if len(filled) < 2:
        raise EmptyComparison(f"{where} holds no costs: it needs a header of labels and one row a label")
    rows = [[field.strip() for field in row] for row in csv.reader(filled, delimiter=delimiter_of(filled[0]))]
    header, body = rows[0][1:], rows[1:]
    for number, row in enumerate(body, 2):
        if len(row) != len(header) + 1:
            raise TiebreakError(
                f"{where}, row {number} has {len(row)} fields where the header has {len(header) + 1}: a cost matrix is "
                "square, one row and one column a label"
            )
    found = [row[0] for row in body]
    if sorted(found) != sorted(header):
        odd = sorted(set(found) ^ set(header)) or sorted({label for label in found if found.count(label) > 1})
        raise TiebreakError(
            f"{where} has {listed(map(quoted, odd))} not once as a row and once as a column: the first column and the "
            "header must hold the same labels"
        )
    order = [header.index(label) for label in found]
    return cost_matrix(
        found, [[_cost(row[1:][place], row[0], header[place], where) for place in order] for row in body]
    )


def _cost(field: str, truth: str, answer: str, where: str) -> float:
    try:
        return float(field)
    except ValueError:
        raise TiebreakError(
            f"{where} holds {quoted(field)} as the cost of predicting {quoted(answer)} where {quoted(truth)} is true: "
            "every cost must be a finite number ≥ 0"
        ) from None
