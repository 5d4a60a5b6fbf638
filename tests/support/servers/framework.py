"""A function behind the real functions-framework, in this process, and a client that sends exactly what it is given."""

from __future__ import annotations

import asyncio
import contextlib
import types
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import Response

from infra.bootstrap import Runtime
from tests.support.servers.serving import serving


@contextlib.asynccontextmanager
async def function(handle: Callable[[Request, Runtime], Awaitable[Response]], runtime: Runtime) -> AsyncIterator[str]:
    """Serve one handler as its function; yields the address."""
    module = types.ModuleType("main")

    async def entry(request: Request) -> Response:
        return await handle(request, runtime)

    module.entry = entry
    app = functions_framework.aio.create_asgi_app_from_module("entry", "main.py", "http", module, None)
    async with serving(app) as url:
        yield url


class Answer(NamedTuple):
    """What came back; `status` 0 when the server hung up without a word."""

    status: int
    text: str


async def send(url: str, method: str, target: str, *headers: tuple[str, str], body: bytes = b"") -> Answer:
    """One request, nothing normalised, added but Content-Length, or left out."""
    host, _, port = url.removeprefix("http://").partition(":")
    given = headers if any(name.lower() == "host" for name, _ in headers) else (("Host", host), *headers)
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in given), "Connection: close"]
    if not any(name.lower() in ("content-length", "transfer-encoding") for name, _ in headers):
        lines.append(f"Content-Length: {len(body)}")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        with contextlib.suppress(ConnectionError):  # it may refuse, and answer, before it has read everything
            writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
            await writer.drain()
        return _parsed(await _read(reader))
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def _read(reader: asyncio.StreamReader) -> bytes:
    received = b""
    with contextlib.suppress(ConnectionError):
        while piece := await reader.read(65_536):
            received += piece
    return received


def _parsed(raw: bytes) -> Answer:
    head, _, text = raw.partition(b"\r\n\r\n")
    parts: list[Any] = head.split(b" ", 2)
    return Answer(int(parts[1]), text.decode("utf-8", "replace")) if len(parts) > 1 else Answer(0, "")
