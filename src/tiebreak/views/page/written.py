"""The page written out: templates with automatic escaping, a style sheet, a script that the page can do without."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from tiebreak._files import refuse_existing, write_whole
from tiebreak.comparison import Agreements, Comparison
from tiebreak.errors import NotDefined
from tiebreak.views.page.sections import page_of


def report(result: Any, path: str | PathLike[str], *, force: bool = False) -> Path:
    """Write the page of a comparison, or of clusterings' agreements, whole or not at all, and return where it is.

    Examples
    --------
    >>> import tiebreak as tb
    >>> comparison = tb.compare(list("aabbc"), {"p": list("abbba"), "q": list("aacbc")})
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     report(comparison, Path(folder) / "page.html").read_text(encoding="utf-8")[:15]
    '<!DOCTYPE html>'
    """
    if not isinstance(result, Comparison | Agreements):
        raise NotDefined(f"a page is of a comparison, and this is a {type(result).__name__}: call comparison.report")
    target = fspath(path)
    refuse_existing(target, force=force, argument="report")
    write_whole(page(result), target, force=force, argument="report")
    return Path(target)


def page(result: Comparison | Agreements) -> str:
    """Return the page of a result as one HTML document.

    Examples
    --------
    >>> import tiebreak as tb
    >>> "<script>alert" in page(tb.compare([1, 0], {"<script>alert(1)</script>": [1, 1], "b": [0, 0]}))
    False
    """
    style, script = _file("page.css"), _file("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    written: str = _template().render(page=page_of(result), style=style, script=script, digest=digest)
    return written


def _file(name: str) -> str:
    return (resources.files("tiebreak.views.page") / "templates" / name).read_text(encoding="utf-8")


@cache
def _template() -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_file), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("page.html")
