"""`python -m tests.load.local_target COUNTS`: a local run whose store counts documents, into a file at the end.

It creates a document for who posts one to `BARE`: so a bare `create` is measured in the same process, over HTTP too.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

import infra.bootstrap
import infra.local.server
from infra.bootstrap import Runtime
from infra.local.cli import main
from shared.application.ports.store import DocumentStore
from shared.settings import Settings
from tests.cost.store import CountingStore

BARE = "/bare"

_counted: list[CountingStore] = []
_site = infra.local.server.local_site


def counting_store(settings: Settings) -> DocumentStore:
    """The run's SQLite file, counted; who only looks at it (`open_observer`) has a store of its own."""
    path = Path(settings.sqlite_path or "")
    path.parent.mkdir(parents=True, exist_ok=True)
    _counted.append(CountingStore(str(path)))
    return _counted[-1]


def site_with_bare_creates(runtime: Runtime, *, secret: str) -> ASGIApp:
    """Return the site of a local run with one path more."""
    site = _site(runtime, secret=secret)

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != BARE:
            return await site(scope, receive, send)
        document = await Request(scope, receive).json()
        await runtime.app.store.create(f"bare/{document['message_id']}", document)
        return await Response()(scope, receive, send)

    return serve


if __name__ == "__main__":
    infra.bootstrap.document_store = counting_store
    infra.local.server.local_site = site_with_bare_creates
    status = main([])
    reads = sum(store.done.reads.total() for store in _counted)
    writes = sum(store.done.writes.total() for store in _counted)
    Path(sys.argv[1]).write_text(json.dumps({"reads": reads, "writes": writes}))
    sys.exit(status)
