"""The four functions under their paths, on 127.0.0.1, for programs of this machine."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Awaitable, Callable, Iterator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from functions.answer.main import handle_answer
from functions.extract.main import handle_extract
from functions.maintenance.main import handle_maintenance
from functions.webhook.main import handle_webhook
from infra.bootstrap import Runtime
from infra.local.doors import Doors
from shared.domain.errors import SettingsError

HOST = "127.0.0.1"
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")  # the functions refuse all but POST themselves
_HELLO = "Spomyn is listening: POST /webhook, /answer, /extract, /maintenance/<job>\n"

Handle = Callable[[Request, Runtime], Awaitable[Response]]


def local_site(runtime: Runtime, *, secret: str) -> ASGIApp:
    """The functions over one runtime, behind `infra.local.doors`.

    Args:
        secret: What callers of the workers show.
    """

    def serving(handle: Handle) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return await handle(request, runtime)

        return endpoint

    async def hello(_: Request) -> Response:
        return PlainTextResponse(_HELLO)

    site = Starlette(
        routes=[
            Route("/", hello),
            Route("/webhook", serving(handle_webhook), methods=_METHODS),
            Route("/answer", serving(handle_answer), methods=_METHODS),
            Route("/extract", serving(handle_extract), methods=_METHODS),
            Route("/maintenance/{job}", serving(handle_maintenance), methods=_METHODS),
        ]
    )
    return Doors(site, secret=secret, guarded=("/answer", "/extract", "/maintenance"))


def listening_socket(port: int) -> socket.socket:
    """A bound socket, 0 for any free port.

    Nagle's delay is off, and so it is for the connections that it accepts: head and body of a reply are two writes, and
    the second waited 40 ms for the first to be acknowledged. (asyncio does it only where it is told the protocol.)

    Raises:
        SettingsError: The port is taken.
    """
    try:
        listening = socket.create_server((HOST, port))
    except OSError as error:
        reason = os.strerror(error.errno or 0).lower()
        raise SettingsError(f"Port {port} on {HOST} cannot be used ({reason}): set SPOMYN_PORT to another.") from error
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


class LocalServer(uvicorn.Server):
    """Uvicorn that leaves signals to the run that it is part of."""

    def __init__(self, runtime: Runtime, *, secret: str) -> None:
        site = local_site(runtime, secret=secret)
        super().__init__(
            uvicorn.Config(site, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=3)
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield
