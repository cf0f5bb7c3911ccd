"""Images that the data themselves hold, as addresses that need no network; a page reads no file that nobody named."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping

# Only kinds that hold no script, each with the bytes that it begins with.
_KINDS = {
    "png": (b"\x89PNG\r\n\x1a\n",),
    "jpeg": (b"\xff\xd8\xff",),
    "gif": (b"GIF87a", b"GIF89a"),
    "webp": (b"RIFF",),
}
_WRITTEN = re.compile(rf"data:image/(?:{'|'.join(_KINDS)});base64,[A-Za-z0-9+/]+={{0,2}}")
# Bytes of one image, and characters of all images of one page.
LARGEST, BUDGET = 300_000, 1_500_000


def image_address(value: object) -> str:
    r"""Return an image as a `data:` address, the empty text where a value is none.

    A value is an image if it is such an address already, or the bytes of a PNG, JPEG, GIF or WebP file, or a record
    that holds them under `bytes`, as data sets of images are stored in Parquet.

    Examples
    --------
    >>> png = b"\x89PNG\r\n\x1a\n..."
    >>> image_address(png) == image_address({"bytes": png, "path": "7.png"}) == image_address(image_address(png))
    True
    >>> image_address("7.png"), image_address(b"<svg>")
    ('', '')
    """
    if isinstance(value, str):
        return value if len(value) <= 2 * LARGEST and _WRITTEN.fullmatch(value) else ""
    content = bytes_of(value)
    if content is None or len(content) > LARGEST:
        return ""
    kind = next((kind for kind, starts in _KINDS.items() if content.startswith(starts)), None)
    if kind is None or (kind == "webp" and content[8:12] != b"WEBP"):
        return ""
    return f"data:image/{kind};base64,{base64.b64encode(content).decode('ascii')}"


def bytes_of(value: object) -> bytes | None:
    """Return the bytes of a file that a value holds, None where it holds none.

    Examples
    --------
    >>> bytes_of({"bytes": b"GIF89a", "path": None}), bytes_of({"size": 3}), bytes_of("a")
    (b'GIF89a', None, None)
    """
    if isinstance(value, Mapping) and set(value) <= {"bytes", "path"}:
        value = value.get("bytes")
    return bytes(value) if isinstance(value, bytes | bytearray | memoryview) else None


class Album:
    """The images of one page: those that come first, as many as a page can carry.

    Examples
    --------
    >>> album = Album(budget=100)
    >>> [bool(album.taken(b"GIF89a" + b"x" * 40)) for _ in range(3)]
    [True, False, False]
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self._left = budget

    def taken(self, value: object) -> str:
        """Return the address of an image that the page can still carry, else the empty text."""
        address = image_address(value)
        if len(address) > self._left:
            return ""
        self._left -= len(address)
        return address
