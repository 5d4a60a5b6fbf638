"""Records dead letters, which could not be dealt with, before they are acknowledged: nothing is lost silently."""

import hashlib
import logging

from shared.application.dead_letter_codec import (
    LETTERS,
    NEWEST_FIRST,
    DeadLetter,
    Kind,
    letter_fields,
    letter_path,
    read_letter,
    reason_field,
)
from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.application.telemetry import tell


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
    """Keep a body that cannot be handled, once however often it comes; its id, by the hash of all of it."""
    letter_id = f"{kind}-{hashlib.sha256(body).hexdigest()[:32]}"
    await store.create(letter_path(letter_id), letter_fields(kind, body, reason, at=clock.now()))
    return letter_id


async def dead_letters(store: DocumentStore, *, limit: int | None = None) -> list[DeadLetter]:
    """The dead letters, the newest first."""
    return [read_letter(document) for document in await store.query(LETTERS, order_by=[NEWEST_FIRST], limit=limit)]


async def find_dead_letter(store: DocumentStore, letter_id: str) -> DeadLetter | None:
    """One dead letter, or None when there is no such one."""
    document = None if not letter_id or "/" in letter_id else await store.get(letter_path(letter_id))
    return None if document is None else read_letter(document)


async def settle(store: DocumentStore, letter: DeadLetter, *, failed: str | None) -> None:
    """Remove a dead letter that was dealt with, or keep it with the new reason."""
    path = letter_path(letter.id)
    if failed is None:
        await store.delete(path)
    else:
        await store.update(path, reason_field(failed))
