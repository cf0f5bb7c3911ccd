"""The guard at the door: who may ask, and what every answer carries.

A request is answered if it only reads, is addressed to this machine by a loopback name, is not sent by another site,
and knows the token. Nothing is said to anybody else.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS = ("127.0.0.1", "localhost")

# Nothing but the explorer's own files is loaded, nothing is sent anywhere, and no other page may hold this one.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)


class Guard:
    """An application that lets through what may ask, with the token taken off the path.

    The token is the first part of every path, so that it is in the address a person was given and in no header that a
    browser would add to a request of somebody else's page.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        carrying = _carrying(send)
        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, carrying)
            return
        first = f"/{self._token.decode()}"
        inner = {**scope, "path": scope["path"].removeprefix(first) or "/", "root_path": ""}
        await self._app(inner, receive, carrying)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if scope["method"] not in {"GET", "HEAD"}:
            return _refused("The explorer only reads: use GET.", 405)
        if not _is_own_host(headers.get(b"host", ""), scope):
            return _refused("This address is not the explorer's: open the one it printed.", 400)
        if _is_foreign(headers, scope):
            return _refused("Another site asked for this page: open the printed address in the address bar.", 403)
        given = scope["path"].split("/")[1].encode("utf-8", "replace")
        if not hmac.compare_digest(given, self._token):
            return _refused("The token is missing or wrong: open the whole address that the explorer printed.", 403)
        return None


def _refused(text: str, status: int) -> Response:
    return PlainTextResponse(text + "\n", status_code=status)


def _is_own_host(host: str, scope: Scope) -> bool:
    """A name that was made to point at this machine is not its own: only the loopback names are, at the right port."""
    name, _, port = host.partition(":")
    server = scope.get("server")
    return name.lower() in HOSTS and (server is None or server[1] is None or (port or "80") == str(server[1]))


def _is_foreign(headers: dict[bytes, str], scope: Scope) -> bool:
    """Whether a browser says that another site sent the request."""
    if headers.get(b"sec-fetch-site", "none") not in {"none", "same-origin"}:
        return True
    origin = headers.get(b"origin")
    return origin is not None and origin != f"{scope['scheme']}://{headers.get(b'host', '')}"


def _carrying(send: Send) -> Send:
    """Add the headers that every answer carries."""

    async def carrying(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = _without(message.get("headers", ()), HEADERS)
        await send(message)

    return carrying


def _without(given: Iterable[tuple[bytes, bytes]], ours: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    names = {name for name, _ in ours}
    return [(name, value) for name, value in given if name.lower() not in names] + list(ours)
