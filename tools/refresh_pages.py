"""Rewrite what the pages show under their commands with what the commands print now; read the diff before committing.

Where a page cuts an output with a line `...`, as many paragraphs stay before it as there were.
"""

import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from test_documents import CONSOLE, PAGES, matches, run, steps  # noqa: E402


def refreshed(shown, found):
    """The new output, cut where the old one was cut."""
    if matches(shown, found) or "...\n" not in shown:
        return shown if matches(shown, found) else found
    paragraphs = shown.partition("...\n")[0].count("\n\n") + 1
    kept = found.split("\n\n")[:paragraphs]
    return "\n\n".join(kept).rstrip("\n") + "\n...\n"


def main():
    for page in PAGES:
        text = page.read_text()
        with tempfile.TemporaryDirectory() as folder:
            for block in CONSOLE.findall(text):
                new = block
                for command, shown in steps(block):
                    found = run(command, folder)
                    if found is None:
                        (Path(folder) / shlex.split(command)[1]).write_text(shown)
                    elif shown:
                        new = new.replace(f"$ {command}\n{shown}", f"$ {command}\n{refreshed(shown, found)}")
                text = text.replace(block, new)
        if text != page.read_text():
            page.write_text(text)
            subprocess.run(["git", "--no-pager", "diff", "--stat", "--", str(page)], cwd=ROOT, check=True)


main()
