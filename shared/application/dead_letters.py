"""What could not be dealt with is written down before it is acknowledged: nothing is lost silently."""

from __future__ import annotations

import codecs
import hashlib
from datetime import timedelta
from typing import Literal

from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.domain.messages import SCHEMA

_MOST = 64 * 1024

KEPT = timedelta(days=30)
"""Long enough for an operator to look at it (own choice)."""


async def record_dead_letter(
    store: DocumentStore, clock: Clock, *, kind: Literal["update", "task"], body: bytes, reason: str
) -> str:
    """Keep a body that cannot be handled, once however often it comes; its id.

    The first 65,536 characters are kept, or of what is no UTF-8 as many bytes in hexadecimal; the id is the hash of all
    of it.
    """
    digest = hashlib.sha256(body).hexdigest()[:32]
    fields = {
        "schema": SCHEMA,
        "kind": kind,
        "reason": reason[:500],
        "at": clock.now(),
        "bytes": len(body),
        "expire_at": clock.now() + KEPT,
        **_readable(body),
    }
    await store.create(f"dead_letters/{kind}-{digest}", fields)
    return f"{kind}-{digest}"


def _readable(body: bytes) -> dict[str, str]:
    try:  # a body that was cut may end inside a character
        text = codecs.getincrementaldecoder("utf-8")().decode(body)
        return {"body": text[:_MOST], "encoding": "utf-8"}
    except UnicodeDecodeError:
        return {"body": body[:_MOST].hex(), "encoding": "hex"}
