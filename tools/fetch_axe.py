"""Fetch axe-core, which checks pages for accessibility, from the npm registry: for the tests only, at one version.

Prints the path of the script. It is kept under `build/`, and what was kept before is used again.
"""

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "4.14.1"
SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
KEPT = Path(__file__).parent.parent / "build" / f"axe-{VERSION}.min.js"


def fetched() -> Path:
    """Return the path of the script, after having fetched and checked it once."""
    if not KEPT.exists():
        KEPT.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            command = ["npm", "pack", f"axe-core@{VERSION}", "--silent"]
            subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
            with tarfile.open(Path(folder) / f"axe-core-{VERSION}.tgz") as packed:
                content = packed.extractfile("package/axe.min.js").read()
        found = hashlib.sha256(content).hexdigest()
        if found != SHA256:
            sys.exit(f"axe-core {VERSION} has the checksum {found}: {SHA256} was expected")
        KEPT.write_bytes(content)
    return KEPT


if __name__ == "__main__":
    print(fetched())
