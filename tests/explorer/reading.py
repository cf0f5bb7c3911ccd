"""What a page says, read back out of its HTML with a parser."""

from html.parser import HTMLParser


class Read(HTMLParser):
    """The elements of a page, and what is in them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.rows, self.scripts, self.title, self._in = [], [], [], [], "", []
        self.text = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append((tag, given))
        self._in.append(tag)
        if tag == "a":
            self.links.append(given)
        if tag == "tr" and "data-row" in given:
            self.rows.append(int(given["data-row"]))
        if tag in {"meta", "link", "input", "br", "rect"}:
            self._in.pop()

    def handle_endtag(self, tag):
        while self._in and self._in.pop() != tag:
            pass

    def handle_data(self, data):
        if "script" in self._in or "style" in self._in:
            self.scripts.append(data)
        self.text.append(data)

    @property
    def words(self):
        return " ".join(" ".join(self.text).split())

    def link(self, **wanted):
        return next((a for a in self.links if all(a.get(name) == value for name, value in wanted.items())), None)


def numbers(response):
    assert response.status_code == 200, Read(response.text).words
    return Read(response.text).rows


def every_page(client, where="", follow="next", **parameters):
    """All rows of a view, page after page."""
    found, response = [], client.page(where, **parameters)
    while True:
        read = Read(response.text)
        assert response.status_code == 200, read.words
        found = found + read.rows if follow == "next" else read.rows + found
        link = read.link(rel=follow)
        if link is None:
            return found
        response = client.get(link["href"])


def total(response):
    read = Read(response.text)
    place = read.words.index(" row")
    return int(response.text.split('id="total">')[1].split(" row")[0].replace(",", "")) if place else None
