"""The right to answer one update, and of which memory of the chat the answer is made.

Questions that a member asks in a row have one answer: who answers the newest holds the leases of the older ones, and
closes them in the transaction that records it. Whoever was answering an older one stops, waits, and goes on by itself
when the newer one ends otherwise. Of two that want the same one the newer has it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from shared.application.conversation.tombstones import Tombstone, erasure_mark, read_tombstone, tombstone_fields
from shared.application.delivery.answer import Answer, AnswerPiece, EarlierQuestion
from shared.application.delivery.ledger_codec import (
    LONGEST,
    LedgerEntry,
    UpdateId,
    done_with_update,
    leased_fields,
    read_entry,
    uncounted_fields,
    update_path,
    yielding_field,
)
from shared.application.ports.store import Document, DocumentStore, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.domain.delivery.limits import Limit
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.repeating import MOST_SENDS
from shared.domain.errors import PermanentError, TransientError

LOOKED_AFTER = 1.0
"""Seconds after which who makes an answer looks again whether it is still theirs to make."""


class LeaseLost(PermanentError):
    """The lease ran out and another instance goes on, or the update was ended: this one must stop."""


class Memory(NamedTuple):
    """A mark that tells whether something of a chat was forgotten since: when it was erased from last, or None."""

    erased_at: datetime | None

    @classmethod
    def of(cls, mark: Document | None) -> Memory:
        """Read it from the mark of the last erasure."""
        return cls(None if mark is None else read_tombstone(mark).until)


async def memory_of(store: DocumentStore, chat_id: int) -> Memory:
    """A chat's memory as it is: to be read before what an answer is made of."""
    return Memory.of(await store.get(erasure_mark(chat_id)))


async def note_erasure(store: DocumentStore, clock: Clock, chat_id: int) -> None:
    """Let no answer be said that is being made right now: it may have been made from what is gone by now."""
    await store.set(erasure_mark(chat_id), tombstone_fields(Tombstone(clock.now())))


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to answer one update.

    Attributes:
        asked_at: When it was asked, by which what waits is ordered.
        chat_id: Where the answer goes, or 0 while there is none.
        outbox: The pieces to send, or None while they are not made (or too large to be stored).
        sent: How many of them were sent.
        sending: The piece that was being sent when the one before gave up or died, or None: it may have arrived.
        doubts: How often that was so of the piece that comes next.
        may_wait: Whether the pieces are recorded, so that they can wait for room without a lease.
        is_given: Whether what the model was given for it is kept, under the update's id (`documents.answer_path`).
        is_uncertain: Whether a piece was given up of which nobody knows whether it arrived.
        limit: Why the answer is only a notice, or None.
        serves: Older questions that the answer closes when it is recorded.
        memory: As of when the answer is made, or None as long as that is not known: see `Memory`.
    """

    update_id: UpdateId
    token: str
    asked_at: datetime
    chat_id: int = 0
    outbox: tuple[AnswerPiece, ...] | None = None
    sent: int = 0
    sending: int | None = None
    doubts: int = 0
    may_wait: bool = False
    is_given: bool = False
    is_uncertain: bool = False
    limit: Limit | None = None
    serves: tuple[EarlierQuestion, ...] = ()
    memory: Memory | None = None

    @property
    def left(self) -> tuple[AnswerPiece, ...]:
        """The pieces that are still to be sent."""
        return (self.outbox or ())[self.sent :]

    @property
    def gives_up(self) -> bool:
        """Return whether the piece that comes next may have arrived so often that it is not sent again."""
        return self.sending is not None and self.doubts + 1 >= MOST_SENDS

    @property
    def outcome(self) -> AnswerOutcome:
        """Return what became of it when all is sent."""
        if self.is_uncertain:
            return AnswerOutcome.UNCERTAIN
        return AnswerOutcome.ANSWERED if self.limit is None else AnswerOutcome.LIMITED


class Closed(NamedTuple):
    """An update that nobody is to answer now.

    Attributes:
        outcome: ALREADY_ANSWERED, WAITS, or LIMITED when its author asked too much.
        chat_id: Of an answer that waits for room in its chat.
    """

    outcome: AnswerOutcome
    chat_id: int = 0
    limit: Limit | None = None


def counts(piece: AnswerPiece, chat_id: int) -> bool:
    """Return whether a piece may be said in the chat itself."""
    return piece.private_to in (None, chat_id) or piece.otherwise is not None


async def is_ours(store: DocumentStore, update_id: UpdateId, token: str) -> bool:
    """Return whether who answers an update by this token still may: nobody ended it or took it over."""
    document = await store.get(update_path(update_id))
    return document is not None and read_entry(document).is_leased_by(token)


async def compose_while_ours(store: DocumentStore, lease: Lease, compose: Callable[[], Awaitable[Answer]]) -> Answer:
    """Make an answer as long as nobody ends it or takes it over: that is looked for every second.

    Raises:
        LeaseLost: Somebody did, and making it was broken off.
    """
    making = asyncio.ensure_future(compose())
    try:
        while not (await asyncio.wait({making}, timeout=LOOKED_AFTER))[0]:
            with contextlib.suppress(TransientError):  # it is looked again, and before anything is sent
                if not await is_ours(store, lease.update_id, lease.token):
                    raise LeaseLost(f"update {lease.update_id} was ended while it was answered")
        return making.result()
    finally:
        making.cancel()
        await asyncio.gather(making, return_exceptions=True)


_MOST_WAITS = 30
"""Seconds for which an older question's task waits itself; then the queue runs it again."""


async def claim_question(store: DocumentStore, clock: Clock, update_id: int, token: str, *, by: int) -> bool:
    """Take the lease of an older question, also from a run that answers it; False when its answer is made already, or a
    newer one than `by` has it.

    Args:
        by: The update that will answer it, too.
    """
    now, path = clock.now(), update_path(update_id)

    async def claim(tx: Transaction) -> bool:
        document = await tx.get(path)
        entry = None if document is None else read_entry(document)
        if entry is None or not entry.is_unmade:
            return False
        if _is_yielding(entry, now) and isinstance(entry.yields_to, int) and entry.yields_to > by:
            return False
        tx.write(Upsert(path, {**leased_fields(token, until=now + LONGEST), **yielding_field(by)}))
        return True

    return await store.transaction(claim)


async def give_back(store: DocumentStore, clock: Clock, claimed: Sequence[EarlierQuestion]) -> None:
    """Have older questions answered by themselves after all."""

    async def give_back(tx: Transaction) -> None:
        for path in await _paths_still_ours(tx, claimed):
            tx.write(Upsert(path, {"token": "", "lease_until": clock.now()}))

    if claimed:
        await store.transaction(give_back)


async def close_merged(tx: Transaction, claimed: Sequence[EarlierQuestion]) -> list[Upsert]:
    """Return the writes by which older questions are answered by the answer that is recorded in this transaction."""
    merged = {**done_with_update(AnswerOutcome.MERGED), **uncounted_fields()}
    return [Upsert(path, merged) for path in await _paths_still_ours(tx, claimed)]


async def is_left_open(store: DocumentStore, clock: Clock, update_id: UpdateId) -> bool:
    """Wait while a newer question of its author is answered for both; return whether this one is still to be answered:
    by itself after all, once more, for it was edited meanwhile, or by another run of its task, which may fail when this
    one has told the queue that it is done."""
    for _ in range(_MOST_WAITS):
        document = await store.get(update_path(update_id))
        entry = None if document is None else read_entry(document)
        if entry is None or not entry.is_open:
            return False
        if not _is_yielding(entry, clock.now()):
            return True
        await clock.sleep(1)
    return True


def _is_yielding(entry: LedgerEntry, now: datetime) -> bool:
    return entry.yields_to is not None and entry.lease_until is not None and entry.lease_until > now


async def _paths_still_ours(tx: Transaction, claimed: Sequence[EarlierQuestion]) -> list[str]:
    documents = await tx.get_many([update_path(each.update_id) for each in claimed]) if claimed else []
    return [
        document.path
        for document, each in zip(documents, claimed, strict=True)
        if document is not None and read_entry(document).is_leased_by(each.token)
    ]
