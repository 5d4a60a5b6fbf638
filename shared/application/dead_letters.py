"""What could not be dealt with is written down before it is acknowledged: nothing is lost silently."""

from __future__ import annotations

import hashlib
from typing import Literal

from shared.application.ports import Clock, DocumentStore
from shared.domain.messages import SCHEMA

_MOST_BYTES = 64 * 1024


async def record_dead_letter(
    store: DocumentStore, clock: Clock, *, kind: Literal["update", "task"], body: bytes, reason: str
) -> str:
    """Keep a body that cannot be handled, once however often it comes; its id.

    The first 64 KB are kept, as text where they are UTF-8, else as hexadecimal; the id is the hash of all of it.
    """
    digest = hashlib.sha256(body).hexdigest()[:32]
    head = body[:_MOST_BYTES]
    fields = {
        "schema": SCHEMA,
        "kind": kind,
        "reason": reason[:500],
        "at": clock.now(),
        "bytes": len(body),
        **_readable(head),
    }
    await store.create(f"dead_letters/{kind}-{digest}", fields)
    return f"{kind}-{digest}"


def _readable(head: bytes) -> dict[str, str]:
    try:
        return {"body": head.decode(), "encoding": "utf-8"}
    except UnicodeDecodeError:
        return {"body": head.hex(), "encoding": "hex"}
