"""An ASGI application on a free port of loopback, without uvicorn's waits.

uvicorn looks every tenth of a second whether it should end, and sleeps another tenth while it does: with a server per
test that was most of the time the tests took.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[str]:
    """Serve `app`; yields its URL. At the end, requests under way are finished first."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off")
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    await server.on_tick(0)  # sets the headers of all responses
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        await _end(server)


async def _end(server: uvicorn.Server) -> None:
    for listener in server.servers:
        listener.close()
    for connection in list(server.server_state.connections):
        connection.shutdown()
    while server.server_state.connections or server.server_state.tasks:
        await asyncio.sleep(0.001)
