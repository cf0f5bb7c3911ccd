"""Sphinx: pages in Markdown, the reference from the docstrings; every broken reference is an error."""

import re

import tiebreak

project = "tiebreak"
author = "the tiebreak authors"
version = release = tiebreak.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
default_role = "code"
html_theme = "furo"
html_title = "tiebreak"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
# Names of types in prose and of private rooms are words, not links.
nitpick_ignore_regex = [("py:class", ".*")]

_ENTRY = re.compile(r"^(\*?\w+(?:, \w+)*) : (.+)$")


def _prose_below_names(app, what, name, obj, options, lines):
    """Docstrings say what a parameter means on its own line; Napoleon would take that for its type."""
    below = []
    for line in lines:
        entry = _ENTRY.match(line)
        below += [entry[1], "    " + entry[2]] if entry else [line]
    lines[:] = below


def _mathematics_is_no_markup(app, what, name, obj, options, lines):
    """|x| and d* are signs of mathematics; outside of examples and code they mean themselves."""
    example = False
    for place, line in enumerate(lines):
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        if not example:
            words = line.split("`")
            words[::2] = [re.sub(r"([|*])", r"\\\1", word) for word in words[::2]]
            lines[place] = "`".join(words)


def setup(app):
    app.connect("autodoc-process-docstring", _mathematics_is_no_markup, priority=300)
    app.connect("autodoc-process-docstring", _prose_below_names, priority=400)
