"""The demonstration: real predictions of real classifiers, shipped with the package."""

from __future__ import annotations

from importlib.resources import as_file, files

from tiebreak.comparison import compare


def demonstration(form: str | None) -> str:
    """Return the comparison of the shipped predictions, and the instances that decide it."""
    with as_file(files("tiebreak") / "data" / "digits.csv") as path:
        comparison = compare(str(path), truth="digit", id="image")
        if form == "json":
            return comparison.to_json()
        best, second = comparison.ranked[:2]
        found = comparison.rows_of(second.name, best.name).instances(second.name, best.name, "right_wrong", 5)
        if form == "markdown":
            return comparison.to_markdown() + "\n" + found.to_markdown()
        if form == "latex":
            return comparison.to_latex() + "\n" + found.to_latex()
        return f"{_INTRODUCTION}\n\n{comparison}\n\n{found}\n\n{_NEXT.format(path=path)}"


_INTRODUCTION = """\
1,797 images of handwritten digits, classified by three models in ten-fold cross-validation.
One row an image: its number, the digit it shows, and what each model says it shows."""

_NEXT = """\
The same for a file of yours:

  tiebreak compare preds.csv --truth y_true
  tiebreak show preds.csv --primary A --alternative B --cell right_wrong

The data of this demonstration: {path}"""
