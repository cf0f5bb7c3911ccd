"""Defaults of the options from `[tool.tiebreak]` of the nearest pyproject.toml: what a project says once.

The file is looked for only when a command runs. The command line always wins; a key that is no option is refused,
because a default that is never used is a wrong one.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, MutableMapping
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from tiebreak._format import listed, quoted, visible

SECTION = "tool.tiebreak"
# What a project does not decide: where an answer goes, and whether it replaces another.
_NEVER = frozenset({"files", "output", "force", "form", "help", "version", "traceback", "report"})


class Defaults(MutableMapping[str, Any]):
    """The defaults of every command, found in a file when first asked for; click keeps it as its `default_map`.

    Examples
    --------
    >>> import click
    >>> group = click.Group("tiebreak", commands=[click.Command("compare", params=[click.Option(["--truth"])])])
    >>> Defaults(group, Path("/"))["compare"].get("truth") is None
    True
    """

    def __init__(self, group: click.Group, folder: Path | None = None) -> None:
        self._group, self._folder = group, folder

    def __getitem__(self, command: str) -> Lazy:
        if command not in self._group.commands:
            raise KeyError(command)
        return Lazy(self, command)

    def __iter__(self) -> Iterator[str]:
        return iter(self._group.commands)

    def __len__(self) -> int:
        return len(self._group.commands)

    def __setitem__(self, command: str, value: Any) -> None:
        raise NotImplementedError

    def __delitem__(self, command: str) -> None:
        raise NotImplementedError

    def of(self, command: str) -> Mapping[str, Any]:
        """Return a command's defaults by the names of its parameters."""
        return self._found.get(command, {})

    @cached_property
    def _found(self) -> dict[str, dict[str, Any]]:
        path, section = _section(self._folder or Path.cwd())
        if path is None:
            return {}
        own = {key: value for key, value in section.items() if isinstance(value, dict)}
        shared = {key: value for key, value in section.items() if not isinstance(value, dict)}
        known = {name: _options(command) for name, command in self._group.commands.items()}
        every = {option for options in known.values() for option in options}
        _refuse_unknown(shared, every, path, SECTION)
        found: dict[str, dict[str, Any]] = {}
        for name, options in known.items():
            _refuse_unknown(own.get(name, {}), set(options), path, f"{SECTION}.{name}")
            given = {**shared, **own.get(name, {})}
            found[name] = {
                options[_dashed(key)]: _plain(value, key, path)
                for key, value in given.items()
                if _dashed(key) in options
            }
        _refuse_unknown({key: None for key in own if key not in known}, every, path, SECTION)
        return found


class Lazy(MutableMapping[str, Any]):
    """The defaults of one command, read when click asks for the first of them."""

    def __init__(self, defaults: Defaults, command: str) -> None:
        self._defaults, self._command = defaults, command

    def __getitem__(self, name: str) -> Any:
        if name in _NEVER:
            raise KeyError(name)
        return self._defaults.of(self._command)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._defaults.of(self._command))

    def __len__(self) -> int:
        return len(self._defaults.of(self._command))

    def __bool__(self) -> bool:
        return True

    def __setitem__(self, name: str, value: Any) -> None:
        raise NotImplementedError

    def __delitem__(self, name: str) -> None:
        raise NotImplementedError


def _section(folder: Path) -> tuple[Path | None, dict[str, Any]]:
    """The section of the nearest file, upwards, that has one."""
    for parent in (folder, *folder.parents):
        path = parent / "pyproject.toml"
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if SECTION not in text:
            continue
        import tomllib

        try:
            section = tomllib.loads(text).get("tool", {}).get("tiebreak")
        except tomllib.TOMLDecodeError as error:
            raise click.ClickException(f"{path} is no valid TOML: {visible(error, 200)}") from None
        if isinstance(section, dict):
            return path, section
    return None, {}


def _options(command: click.Command) -> dict[str, str]:
    """The parameters of a command by the long names of their options, without dashes in front."""
    return {
        option.removeprefix("--"): str(parameter.name)
        for parameter in command.params
        if isinstance(parameter, click.Option) and parameter.name not in _NEVER
        for option in parameter.opts
        if option.startswith("--")
    }


def _dashed(key: str) -> str:
    return key.replace("_", "-")


def _refuse_unknown(given: Mapping[str, Any], known: set[str], path: Path, section: str) -> None:
    unknown = [key for key in given if _dashed(key) not in known]
    if unknown:
        raise click.ClickException(
            f"{visible(path, 200)}: [{section}] names {quoted(unknown[0])}, which is no option that a project can set: "
            f"they are {listed(sorted(known), 40)}"
        )


def _plain(value: Any, key: str, path: Path) -> Any:
    """A list of names is what the command line writes with commas."""
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow(value)
        return line.getvalue()
    if isinstance(value, str | bool | int | float):
        return value
    raise click.ClickException(
        f"{visible(path, 200)}: [{SECTION}] gives {quoted(key)} a {type(value).__name__}: it must be text, a number, "
        "true or false, or a list of names"
    )
