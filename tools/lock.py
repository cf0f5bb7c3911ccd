"""Renew `constraints.txt`: exact versions of everything development uses, for every platform, without any address."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEADER = """\
# Exact versions for development and CI, made by `make lock`. Users are not bound by them.
# DuckDB stays below 2 here until a release of it exits without writing to standard error.
"""

with tempfile.NamedTemporaryFile("w", suffix=".txt") as held:
    held.write("duckdb<2\n")
    held.flush()
    command = [sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "--universal", "--all-extras"]
    command += [
        "--group",
        "dev",
        "--group",
        "bench",
        "--constraint",
        held.name,
        "--no-header",
        "--no-annotate",
        "--quiet",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
versions = [line for line in done.stdout.splitlines() if line and not line.startswith("-")]
if any("://" in line or " @ " in line for line in versions):
    sys.exit("a version is pinned to an address: constraints.txt was left as it is")
(ROOT / "constraints.txt").write_text(HEADER + "\n".join(versions) + "\n")
