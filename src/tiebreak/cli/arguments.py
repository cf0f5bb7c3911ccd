"""What the options say about the rows: the words of a shell as the arguments of the library."""

from __future__ import annotations

from typing import Any

import click


def reading(options: dict[str, Any]) -> dict[str, Any]:
    """Return how rows are read, which comparing and counting are told alike."""
    from tiebreak.sources import named_path

    return {
        "data": [named_path(argument) for argument in options["files"]],
        "truth": options["truth"],
        "models": names_of(options["models"]),
        "id": options["id_"],
        "task": options["task"],
        "long": _two_columns(options["long_"]),
        "missing": options["missing"],
        "na": options["na"],
        "sample_weight": options["weight"],
        "groups": options["group"],
        "labels": names_of(options["labels"]),
        "metric": options["metric"],
        "filter": options["filter"],
        "scorer": options["scorer"],
        "memory_limit": options["memory_limit"],
        "temp_dir": options["temp_dir"],
    }


def names_of(text: str | list[str] | None) -> list[str] | None:
    """Names between commas; a name that holds a comma is written in double quotes, as in a CSV file."""
    if text is None or isinstance(text, list):
        return text
    import csv

    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True))]


def _two_columns(text: str | None) -> tuple[str, str] | None:
    names = names_of(text)
    if names is None:
        return None
    if len(names) != 2:
        raise click.ClickException(f"--long is '{text}': it takes two column names, MODEL,PREDICTION")
    return names[0], names[1]
