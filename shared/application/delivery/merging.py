"""One answer for questions that a member asks in a row: who answers the newest holds the leases of the older ones while
it makes the answer, and closes them in the transaction that records it.

So nothing is lost: whoever was answering an older one stops, waits, and goes on by itself when the newer one ends
otherwise: its maker died, was stopped or may not answer. Of two that want the same one the newer has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shared.application.delivery.answer import EarlierQuestion
from shared.application.delivery.ledger_codec import (
    LedgerEntry,
    UpdateId,
    done_with_update,
    leased_fields,
    read_entry,
    uncounted_fields,
    update_path,
    yielding_field,
)
from shared.application.ports.store import DocumentStore, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.domain.delivery.outcomes import AnswerOutcome

_MOST_WAITS = 30
"""Seconds for which an older question's task waits itself; then the queue runs it again."""


async def claim_question(store: DocumentStore, clock: Clock, update_id: int, token: str, *, by: int) -> bool:
    """Take the lease of an older question, also from who is answering it; False when its answer is made already, or a
    newer one than `by` has it.

    Args:
        by: The update that will answer it, too.
    """
    now, path = clock.now(), update_path(update_id)

    async def claim(tx: Transaction) -> bool:
        document = await tx.get(path)
        entry = None if document is None else read_entry(document)
        if entry is None or not entry.is_unmade or (_is_yielding(entry, now) and _rank(entry.yields_to) > by):
            return False
        tx.write(Upsert(path, {**leased_fields(token, now=now), **yielding_field(by)}))
        return True

    return await store.transaction(claim)


async def give_back(store: DocumentStore, clock: Clock, claimed: Sequence[EarlierQuestion]) -> None:
    """Have older questions answered by themselves after all."""

    async def give(tx: Transaction) -> None:
        for path in await _ours(tx, claimed):
            tx.write(Upsert(path, {"lease_until": clock.now()}))

    if claimed:
        await store.transaction(give)


async def close_merged(tx: Transaction, claimed: Sequence[EarlierQuestion]) -> list[Upsert]:
    """Return the writes by which older questions are answered by the answer that is recorded in this transaction."""
    merged = {**done_with_update(AnswerOutcome.MERGED), **uncounted_fields()}
    return [Upsert(path, merged) for path in await _ours(tx, claimed)]


async def is_left_open(store: DocumentStore, clock: Clock, update_id: UpdateId) -> bool:
    """Wait while a newer question of its author is answered for both; return whether this one is to be answered by
    itself after all."""
    for _ in range(_MOST_WAITS):
        document = await store.get(update_path(update_id))
        entry = None if document is None else read_entry(document)
        if entry is None or not entry.is_open or entry.yields_to is None:
            return False
        if not _is_yielding(entry, clock.now()):
            return True
        await clock.sleep(1)
    return True


def _is_yielding(entry: LedgerEntry, now: datetime) -> bool:
    return entry.yields_to is not None and entry.lease_until is not None and entry.lease_until > now


def _rank(update_id: UpdateId | None) -> int:
    return update_id if isinstance(update_id, int) else 0


async def _ours(tx: Transaction, claimed: Sequence[EarlierQuestion]) -> list[str]:
    documents = await tx.get_many([update_path(each.update_id) for each in claimed]) if claimed else []
    return [
        document.path
        for document, each in zip(documents, claimed, strict=True)
        if document is not None and read_entry(document).is_leased_by(each.token)
    ]
