"""How a figure is taken: the best of several alternating runs, so that both sides meet the same machine."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """One line: ours against something else, with the limit that the project set itself."""

    what: str
    ours: float
    other: float
    against: str
    limit: float | None = None
    unit: str = "s"

    @property
    def ratio(self):
        return self.ours / self.other

    @property
    def kept(self):
        return self.limit is None or self.ratio <= self.limit


def best(*calls, rounds=5):
    """The shortest time of each call, the calls taking turns."""
    times = [float("inf")] * len(calls)
    for _ in range(rounds):
        for place, call in enumerate(calls):
            begun = time.perf_counter()
            call()
            times[place] = min(times[place], time.perf_counter() - begun)
    return times


# The kernel's high-water mark of this program alone: ru_maxrss would carry over that of the process that started it.
_ENDING = """
import json, pathlib
status = dict(line.split(":", 1) for line in pathlib.Path("/proc/self/status").read_text().splitlines())
result["peak"] = int(status["VmHWM"].split()[0]) / 1024
print(json.dumps(result))
"""


def in_process(code, *arguments):
    """Run code in a process of its own, which leaves a dict `result`; its peak memory in MB is added."""
    command = [sys.executable, "-c", code + _ENDING, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def table(results):
    """The results as aligned text."""
    header = ("what", "ours", "other", "ratio", "limit", "", "against")
    lines = [header]
    for r in results:
        digits = 0 if r.unit == "MB" else 3
        limit = "" if r.limit is None else f"{r.limit:g}"
        ours, other = (f"{value:.{digits}f} {r.unit}" for value in (r.ours, r.other))
        lines.append((r.what, ours, other, f"{r.ratio:.3g}", limit, "" if r.kept else "MISSED", r.against))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
