"""A server that answers what it is told, and writes down what it was asked."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from aiohttp import web


@dataclass
class Peer:
    """A server on 127.0.0.1.

    Attributes:
        answers: Status and JSON of each answer, in turn; the last one for ever.
        asked: Path, headers and body of each request.
        connections: Through which each came.
    """

    answers: list[tuple[int, object]]
    host: str = ""
    asked: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    connections: list[object] = field(default_factory=list)
    closes: bool = False

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append(
            (request.path, {name.lower(): value for name, value in request.headers.items()}, await request.read())
        )
        self.connections.append(request.transport)
        status, body = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        response = web.json_response(body, status=status)
        if self.closes:
            request.transport.abort()
        return response


@contextlib.asynccontextmanager
async def peer(*answers: tuple[int, object], **fields: object) -> AsyncIterator[Peer]:
    """Serve these answers."""
    served = Peer(list(answers), **fields)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", served.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    served.host = f"127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield served
    finally:
        await runner.cleanup()


def refusal(code: int, status: str) -> tuple[int, object]:
    """An answer of Google's that refuses."""
    return code, {"error": {"code": code, "message": "because", "status": status}}
