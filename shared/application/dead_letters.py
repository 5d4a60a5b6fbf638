"""What could not be dealt with is written down before it is acknowledged: nothing is lost silently."""

from __future__ import annotations

import codecs
import hashlib
import logging
import re
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from shared.application.ports.store import Document, DocumentStore, Order
from shared.application.ports.system import Clock
from shared.application.telemetry import tell
from shared.domain.conversation.messages import SCHEMA
from shared.domain.errors import PermanentError

_MOST = 64 * 1024

_MOST_PEOPLE = 1_000

_ID = re.compile(rb'"(?:id|user_id)"\s*:\s*"?(-?\d{1,18})(?!\d)')

KEPT = timedelta(days=30)
"""Long enough for an operator to look at it."""


Kind = Literal["update", "task"]


async def give_up(
    store: DocumentStore,
    clock: Clock,
    *,
    kind: Kind,
    body: bytes,
    reason: str,
    error: BaseException | None,
    job: str | None = None,
    chat_id: int | str | None = None,
) -> str:
    """Record a dead letter and say so in the log, there without its words; its id.

    Args:
        error: Why.
        job: Name of the task or job, for the log.
        chat_id: The chat, when it is another than the one that was noted.

    Raises:
        TransientError: It cannot be recorded now.
    """
    letter_id = await record_dead_letter(store, clock, kind=kind, body=body, reason=reason)
    tell("dead_letter", kind, {"job": job}, level=logging.ERROR, error=error, words=reason, chat_id=chat_id)
    return letter_id


async def record_dead_letter(store: DocumentStore, clock: Clock, *, kind: Kind, body: bytes, reason: str) -> str:
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
        "people": _people(body),
        **_readable(body),
    }
    await store.create(f"dead_letters/{kind}-{digest}", fields)
    return f"{kind}-{digest}"


def _people(body: bytes) -> list[int]:
    """Ids that may be of members, as far as they are kept: by them it is found who is in it without reading it."""
    named = {int(each) for each in _ID.findall(body[: 4 * _MOST])}
    return sorted(each for each in named if each > 0)[:_MOST_PEOPLE]


def _readable(body: bytes) -> dict[str, str]:
    try:  # a body that was cut may end inside a character
        text = codecs.getincrementaldecoder("utf-8")().decode(body)
        return {"body": text[:_MOST], "encoding": "utf-8"}
    except UnicodeDecodeError:
        return {"body": body[:_MOST].hex(), "encoding": "hex"}


class NotReplayable(PermanentError):
    """A dead letter cannot be dealt with from its record; the record stays as it is."""


class DeadLetter(NamedTuple):
    """One record.

    Attributes:
        id: "<kind>-<hash>".
        kind: "update" or "task".
        reason: Why it could not be dealt with, the last time.
        at: When it was written down.
        size: Bytes that came.
        text: What was kept of them; in hexadecimal when they are no UTF-8.
        encoding: "utf-8" or "hex".
    """

    id: str
    kind: str
    reason: str
    at: datetime
    size: int
    text: str
    encoding: str

    @property
    def is_whole(self) -> bool:
        """Return whether everything that came was kept."""
        kept = len(self.text) // 2 if self.encoding == "hex" else len(self.text.encode())
        return kept == self.size

    def body(self) -> bytes:
        """Return what came.

        Raises:
            NotReplayable: Only its beginning was kept.
        """
        if not self.is_whole:
            raise NotReplayable(f"only the beginning of the {self.size} bytes was kept: it cannot be replayed")
        return bytes.fromhex(self.text) if self.encoding == "hex" else self.text.encode()


async def dead_letters(store: DocumentStore, *, limit: int | None = None) -> list[DeadLetter]:
    """The dead letters, the newest first."""
    found = await store.query("dead_letters", order_by=[Order("at", descending=True)], limit=limit)
    return [_dead_letter(document) for document in found]


async def find_dead_letter(store: DocumentStore, letter_id: str) -> DeadLetter | None:
    """One dead letter, or None when there is no such one."""
    document = None if not letter_id or "/" in letter_id else await store.get(f"dead_letters/{letter_id}")
    return None if document is None else _dead_letter(document)


def _dead_letter(document: Document) -> DeadLetter:
    data = document.data
    same = {name: data[name] for name in ("kind", "reason", "at", "encoding")}
    return DeadLetter(id=document.id, size=data["bytes"], text=data["body"], **same)


async def settle(store: DocumentStore, letter: DeadLetter, *, failed: str | None) -> None:
    """Remove a dead letter that was dealt with, or keep it with the new reason."""
    path = f"dead_letters/{letter.id}"
    if failed is None:
        await store.delete(path)
    else:
        await store.update(path, {"reason": failed[:500]})
