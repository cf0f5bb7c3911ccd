"""Names and texts that would be markup, code or control somewhere, for every place that shows one."""

from html.parser import HTMLParser

NAMES = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert(1)>",
    "</style></title><b>",
    "{{ 7*7 }}{% raw %}",
    "$\\frac{1}{2}$ \\input{/etc/passwd} %",
    "_underscore",
    "__class__",
    "line\nbreak\r\ttab",
    "\x1b[31mred\x07\x00",
    "\u202ertl\u2066",
    "שלום مرحبا",
    "🎉👩‍👩‍👧",
    "日本語のモデル",
    "x" * 10_000,
    "|a|b|\n|---|",
    "javascript:alert(1)",
    "- item",
    "1. item",
    "]]>--><!--",
    "&lt;b&gt;&amp;#x3c;",
    "ﬁ\ufeff\u200b",
]

# What the page and the notebook consist of; anything else came out of somebody's label.
TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "script",
    "body",
    "a",
    "header",
    "h1",
    "h2",
    "p",
    "strong",
    "nav",
    "ul",
    "li",
    "main",
    "section",
    "div",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "data",
    "small",
    "sup",
    "figure",
    "figcaption",
    "details",
    "summary",
    "footer",
    "img",
    "svg",
    "g",
    "path",
    "rect",
    "use",
    "defs",
    "pattern",
    "clippath",
    "text",
}
ATTRIBUTES = {
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "href",
    "id",
    "aria-label",
    "aria-labelledby",
    "aria-live",
    "tabindex",
    "role",
    "scope",
    "value",
    "src",
    "alt",
    "loading",
    "dir",
    "viewbox",
    "width",
    "height",
    "d",
    "x",
    "y",
    "transform",
    "fill",
    "stroke",
    "clip-path",
    "fill-opacity",
    "stroke-opacity",
    "opacity",
    "stroke-width",
    "stroke-dasharray",
    "text-anchor",
    "font-weight",
    "font-size",
    "patternunits",
}
_VOID = {"meta", "img"}


class Strict(HTMLParser):
    """Walks a document and complains about what its templates never write."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.scripts, self.images = [], [], [], 0, []
        self.tags = []

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS, tag
        names = [name for name, _ in attrs]
        assert set(names) <= ATTRIBUTES, (tag, names)
        assert len(names) == len(set(names)), (tag, names)
        given = dict(attrs)
        self.tags.append((tag, given))
        self.ids += [given["id"]] if "id" in given else []
        if "href" in given:
            assert given["href"].startswith("#"), given["href"]
            self.links.append(given["href"][1:])
        if "src" in given:
            assert (tag, given["src"][:11]) == ("img", "data:image/")
            self.images.append(given["src"])
        self.scripts += tag == "script"
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open[-1:] == [tag], self.open[-3:]
        self.open.pop()

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    def unknown_decl(self, data):
        raise AssertionError(f"a declaration: {data}")


def strictly_parsed(document):
    """The document walked from its first to its last tag; every tag closed, every id unique, every link answered."""
    parser = Strict()
    parser.feed(document)
    parser.close()
    assert not parser.open, parser.open
    assert len(parser.ids) == len(set(parser.ids)), sorted(i for i in parser.ids if parser.ids.count(i) > 1)[:5]
    assert set(parser.links) <= set(parser.ids), set(parser.links) - set(parser.ids)
    for control in ("\x1b", "\x00", "\u202e", "\u2066", "\x07"):
        assert control not in document
    return parser
