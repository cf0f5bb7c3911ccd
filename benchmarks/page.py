"""The page of figures: one table a part, what was lost as plain as what was won."""

from __future__ import annotations

TITLES = {
    "classifiers": "Classifiers: the tally and the Prayatul matrices",
    "inference": "How sure: resampling, probabilities, tiers",
    "classes": "Classes, slices, areas under curves",
    "clusterings": "Clusterings",
    "profiles": "Performance profiles",
    "figures": "The page and the notebook",
    "explorer": "The explorer",
    "logs": "Eval logs and tallies in files",
    "scale": "Beyond one file and one machine",
}
INTRODUCTION = """\
# Speed and memory

`make bench` prints these tables and writes this page: every figure is a ratio of two measurements in one run, so it
says something on any machine. The limits are the project's own; a ratio above its limit is marked. Against a peer,
*ours* is the whole job: reading, counting and the numbers that follow.

Measured on {machine}, files in the page cache; best of several alternating runs. {versions}.
"""


def page(found, machine, versions):
    """The page of a whole run: results by part."""
    parts = [INTRODUCTION.format(machine=machine, versions=versions)]
    for part, results in found.items():
        parts += [
            f"## {TITLES[part]}\n",
            "| what | ours | other | ratio | limit | against |",
            "|---|---:|---:|---:|---:|---|",
        ]
        parts += [_row(result) for result in results]
        parts.append("")
    every = [result for results in found.values() for result in results]
    missed = [f"{result.what} ({result.ratio:.3g} against {result.limit:g})" for result in every if not result.kept]
    parts += ["## Where a limit was missed in this run\n", "\n".join(f"- {line}" for line in missed) or "Nowhere.", ""]
    return "\n".join(parts)


def _row(result):
    digits = 0 if result.unit == "MB" else 3
    ours, other = (f"{value:.{digits}f} {result.unit}" for value in (result.ours, result.other))
    limit = "" if result.limit is None else f"{result.limit:g}"
    ratio = f"{result.ratio:.3g}" if result.kept else f"**{result.ratio:.3g}**"
    return f"| {result.what} | {ours} | {other} | {ratio} | {limit} | {result.against} |"
