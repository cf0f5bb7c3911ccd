"""The server: one socket on the loopback, an address with a token, and an end that leaves nothing behind."""

from __future__ import annotations

import errno
import os
import secrets
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn

from tiebreak.errors import TiebreakError
from tiebreak.explorer.application import application
from tiebreak.explorer.ground import Ground

HOST = "127.0.0.1"


def listening(port: int) -> socket.socket:
    """Return a socket that listens on the loopback; port 0 is any free one.

    Examples
    --------
    >>> with listening(0) as first:
    ...     try:
    ...         listening(first.getsockname()[1])
    ...     except TiebreakError as error:
    ...         print(str(error).split(": ")[1])
    choose another with --port, or leave it out for any free one
    """
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        # A port that was in use a minute ago is free; on Windows the same option would take one that is in use.
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((HOST, port))
        opened.listen(128)
    except OSError as error:
        opened.close()
        if error.errno == errno.EADDRINUSE:
            why = f"port {port} is in use"
        elif error.errno == errno.EACCES:
            why = f"port {port} may not be used by this account"
        else:
            why = f"port {port} cannot be used ({error.strerror})"
        raise TiebreakError(f"{why}: choose another with --port, or leave it out for any free one") from None
    return opened


def explore(
    ground: Ground, listener: socket.socket, *, announce: Callable[[str], None], open_browser: bool = False
) -> None:
    """Serve a ground until it is interrupted; `announce` is given the address once it answers.

    Ends with `KeyboardInterrupt`, after everything temporary has been removed.
    """
    token = secrets.token_urlsafe(24)
    address = f"http://{HOST}:{listener.getsockname()[1]}/{token}/"

    class Server(uvicorn.Server):
        """The server, which says when it answers, and stops what the engine is doing when it is told to end."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                self._end_with_the_terminal()
                announce(address)
                if open_browser:
                    threading.Thread(target=_open, args=(address,), daemon=True).start()

        def _end_with_the_terminal(self) -> None:
            """A closed terminal ends the server like an interrupt; raised inside the loop it could be lost there."""
            if hasattr(signal, "SIGHUP") and threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGHUP, self.handle_exit)

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            super().handle_exit(sig, frame)
            threading.Thread(target=ground.locked.close, daemon=True).start()

    config = uvicorn.Config(
        application(ground, token),
        http="h11",
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    try:
        with terminable():
            Server(config).run(sockets=[listener])
    finally:
        ground.close()
    raise KeyboardInterrupt


@contextmanager
def terminable() -> Iterator[None]:
    """Let a polite end and a closed terminal be interrupts, so that what is temporary is removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    ends = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {end: signal.signal(end, interrupt) for end in ends}
    try:
        yield
    finally:
        for end, handler in before.items():
            signal.signal(end, handler)


def _open(address: str) -> None:
    """Open a browser that has a window; one that would take over the terminal is left alone."""
    has_screen = sys.platform in {"win32", "darwin"} or any(os.environ.get(d) for d in ("DISPLAY", "WAYLAND_DISPLAY"))
    if has_screen:
        webbrowser.open(address)
