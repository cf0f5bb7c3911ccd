"""Everything a reader can copy is executed: the consoles of the README and the guides, as they stand."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


def consoles():
    for page in PAGES:
        blocks = CONSOLE.findall(page.read_text())
        if blocks:
            yield pytest.param(blocks, id=str(page.relative_to(ROOT)))


def steps(block):
    """The commands of a block, each with the output that is shown under it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def run(command, folder):
    if command.startswith("cat "):
        return None
    words = shlex.split(command)
    assert words[0] == "tiebreak", f"a page shows a command that no test runs: {command}"
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, cwd=folder, timeout=300)
    return done.stdout + done.stderr


def matches(shown, found):
    """A line `...` stands for any lines."""
    pattern = r"(?:.*\n)*?".join(re.escape(part) for part in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE))
    return re.fullmatch(pattern, found) is not None


@pytest.mark.parametrize("blocks", list(consoles()))
def test_consoles_show_what_the_commands_print(blocks, tmp_path):
    """Files that a page shows with `cat` are written as they are shown."""
    for block in blocks:
        for command, shown in steps(block):
            found = run(command, tmp_path)
            if found is None:
                (tmp_path / shlex.split(command)[1]).write_text(shown)
            else:
                assert matches(shown, found), f"$ {command}\n{found}"


def test_the_readme_names_exactly_two_set_up_commands():
    readme = (ROOT / "README.md").read_text()
    assert re.findall(r"^    (make \w+)", readme, flags=re.MULTILINE) == ["make demo", "make test"]


def test_no_page_and_no_source_holds_a_path_of_the_machine_it_was_written_on():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    for name in filter(None, tracked):
        text = (ROOT / name).read_bytes()
        assert b"/root/" not in text or name.endswith("test_documents.py"), name
        assert b"/home/" not in text or name.endswith("test_documents.py"), name
