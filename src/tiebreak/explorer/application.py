"""The application: which address is answered by what, and every mistake by one clear page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from tiebreak.errors import TiebreakError
from tiebreak.explorer.address import BadAddress
from tiebreak.explorer.asking import Asking
from tiebreak.explorer.columns import BadFilter
from tiebreak.explorer.exporting import FORMS, disposition, exported
from tiebreak.explorer.ground import Ground
from tiebreak.explorer.guard import HOSTS, Guard
from tiebreak.explorer.locked import FileChanged, Stopped, TooLong
from tiebreak.explorer.pages import NoSuchRow, Pages

Answer = Callable[[Request], Response]

_STATIC = {
    "explorer.css": "text/css; charset=utf-8",
    "explorer.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


def application(ground: Ground, token: str) -> Guard:
    r"""Return the ASGI application that explores a ground; it closes the ground when it is shut down.

    Examples
    --------
    >>> import tiebreak as tb
    >>> from pathlib import Path
    >>> from starlette.testclient import TestClient
    >>> from tiebreak.explorer.ground import ground_of
    >>> _ = Path("preds.csv").write_text("y_true,knn,tree\n1,1,0\n0,0,0\n")
    >>> ground = ground_of(tb.compare("preds.csv"), ["preds.csv"])
    >>> with TestClient(application(ground, "secret"), base_url="http://127.0.0.1") as client:
    ...     client.get("/secret/").status_code, client.get("/guess/").status_code
    (200, 403)
    """
    asking = Asking(ground)
    pages = Pages(asking, f"/{token}")

    @asynccontextmanager
    async def closing(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            ground.close()

    routes = [
        Route("/", _answering(pages, lambda request: _list(pages, request))),
        Route("/row/{number}", _answering(pages, lambda request: _instance(pages, request))),
        Route("/export.{form}", _answering(pages, lambda request: _export(asking, pages, request))),
        Route("/static/{name}", _static),
        Route("/{rest:path}", _answering(pages, _nowhere)),
    ]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=list(HOSTS), www_redirect=False)
    return Guard(Starlette(routes=routes, middleware=[hosts], lifespan=closing), token)


def _answering(pages: Pages, answer: Answer) -> Answer:
    """Turn mistakes into one page with one line, and bugs into one that gives nothing away."""

    def answering(request: Request) -> Response:
        try:
            return answer(request)
        except NoSuchRow as error:
            return _message(pages, "There is no such row", str(error), 404)
        except (BadAddress, BadFilter) as error:
            return _message(pages, "This address cannot be shown", str(error), 400)
        except FileChanged as error:
            return _message(pages, "The file is not the same any more", str(error), 409)
        except (TooLong, Stopped) as error:
            return _message(pages, "There is no answer", str(error), 503)
        except TiebreakError as error:
            return _message(pages, "This cannot be shown", str(error), 422)
        except Exception as error:  # noqa: BLE001 a bug is one page as well
            what = f"{type(error).__name__}: please report it, with the address without its token"
            return _message(pages, "A bug in tiebreak", what, 500)

    return answering


def _message(pages: Pages, title: str, text: str, status: int) -> Response:
    return HTMLResponse(pages.message(title, text), status_code=status)


def _parameters(request: Request) -> list[tuple[str, str]]:
    return list(request.query_params.multi_items())


def _list(pages: Pages, request: Request) -> Response:
    return HTMLResponse(pages.listing(pages.addresses.read(_parameters(request))))


def _instance(pages: Pages, request: Request) -> Response:
    number: Any = request.path_params["number"]
    if not (number.isascii() and number.isdigit()) or len(number) > 15:
        raise BadAddress(f"'{number[:60]}' is no row: rows are whole numbers from 0")
    return HTMLResponse(pages.instance(int(number), pages.addresses.read(_parameters(request))))


def _export(asking: Asking, pages: Pages, request: Request) -> Response:
    form = FORMS.get(request.path_params["form"])
    if form is None:
        return _nowhere(request)
    selection = pages.addresses.read(_parameters(request)).selection
    headers = {"content-disposition": disposition(asking.ground.title, form)}
    if request.method == "HEAD":
        return Response(headers=headers, media_type=form.media)
    file = exported(asking, selection, form)
    headers["content-length"] = str(file.size)
    return StreamingResponse(file.pieces(), headers=headers, media_type=form.media)


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _STATIC:
        return _nowhere(request)
    content = (files("tiebreak.explorer") / "static" / name).read_bytes()
    return Response(content, media_type=_STATIC[name])


def _nowhere(_: Request) -> Response:
    raise BadAddress("there is no such page: go back to the list")
