"""The update ledger: each update that calls for an answer is answered, and its answer is sent at least once.

An update's document is made by whoever takes it in, or takes it first, and whoever answers it has a lease on it. While
the lease runs, a second run is refused (the queue tries again later); when it ran out, that run takes over and resumes
from the outbox, so a crash loses nothing, and whoever held it before can change nothing more. What is being sent is
marked before it is sent, and taken as sent only when Telegram said so: after a crash in the middle of a send, or a send
of which nobody knows what became of it, the piece is sent again, `MOST_SENDS` times in all, and each repetition is
counted: a lost answer is worse than a rare double.

Nothing is written here but documents of the one update (and counts that are added to), so those who ask in a chat at
once do not meet. What has to wait for its chat is "waiting": its lease is given up, and `waiting` sends it.
"""

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from shared.application.conversation.tombstones import erasure_mark
from shared.application.delivery.answer import Answer
from shared.application.delivery.lease import Closed, Lease, LeaseLost, Memory, close_merged
from shared.application.delivery.ledger_codec import (
    KEPT,
    LEASE,
    UpdateId,
    done_with_update,
    given_up_fields,
    is_forgotten,
    leased_fields,
    new_entry,
    read_entry,
    resting_fields,
    sending_fields,
    sent_fields,
    uncounted_fields,
    unsent_fields,
    update_path,
    waiting_fields,
    yielding_field,
)
from shared.application.delivery.limits import Ask, may_tell, reached_limit
from shared.application.delivery.outbox_codec import outbox_to_fields
from shared.application.delivery.parcels import Destination
from shared.application.documents import answer_path, usage_path
from shared.application.ports.store import Document, DocumentStore, Increment, Set, Transaction, Upsert, Write
from shared.application.ports.system import Clock, Ids
from shared.application.spending.usage_codec import repeated_fields
from shared.domain.conversation.messages import SCHEMA
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.repeating import pause_after
from shared.domain.errors import Contention, LeaseHeld, SendUncertain, TransientError


class Ledger:
    """Leases on updates."""

    def __init__(self, store: DocumentStore, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def take(self, update_id: UpdateId, ask: Ask | None = None, *, chat_id: int = 0) -> Lease | Closed:
        """The lease on an update, unless it is dealt with already; a question is then to be admitted.

        Whoever took it in may have left its document, in the state "asked"; else it is made now.

        Args:
            ask: The question that it is, which counts from now on; None for what is not limited.
            chat_id: Where the answer will go.

        Raises:
            LeaseHeld: Another instance is answering it.
        """
        now, token, path = self._clock.now(), self._ids.token(), update_path(update_id)
        fresh = new_entry(token, now=now, chat_id=chat_id, user_id=None if ask is None else ask.user_id)
        if ask is None and await self._store.create(path, fresh):
            return Lease(update_id, token, now, chat_id)

        async def apply(tx: Transaction) -> Lease | Closed:
            document, *marks = await tx.get_many([path, *([erasure_mark(chat_id)] if chat_id else [])])
            lease = Lease(update_id, token, now, chat_id, memory=Memory.of(marks[0]) if marks else None)
            if document is not None:
                return _take_over(tx, document, lease, now, counts=ask is not None)
            tx.write(Set(path, fresh))
            return lease

        return await self._store.transaction(apply)

    @contextlib.contextmanager
    def renew(self, lease: Lease) -> Iterator[None]:
        """Renew a lease every few seconds while the block runs: so it runs out soon after its holder died."""
        renewing = asyncio.ensure_future(self._renew_for_ever(lease))
        try:
            yield
        finally:
            renewing.cancel()

    async def _renew_for_ever(self, lease: Lease) -> None:
        while await asyncio.sleep(LEASE.total_seconds() / 4, result=True):
            with contextlib.suppress(TransientError, LeaseLost):  # who lost it finds out before the next piece
                await self._begin(lease, {"lease_until": self._clock.now() + LEASE})

    async def admit(self, lease: Lease, ask: Ask) -> Lease | Closed:
        """Let a question be answered; over a limit by a notice once an hour, and by nothing else.

        Raises:
            LeaseLost: It was ended meanwhile.
        """
        if lease.outbox is not None or lease.limit is not None:  # as it was judged before
            return lease
        limit = await reached_limit(self._store, ask, lease.update_id, lease.asked_at)
        if limit is None:
            return lease
        if ask.tells and await may_tell(self._store, ask, limit, lease.update_id, now=self._clock.now()):
            await self._begin(lease, {"limit": limit._asdict(), **uncounted_fields()})
            return replace(lease, limit=limit)
        await self._begin(lease, {**done_with_update(AnswerOutcome.LIMITED), **uncounted_fields()})
        return Closed(AnswerOutcome.LIMITED, limit=limit)

    async def release(self, lease: Lease, *, retry_after: float | None = None, is_open: bool = False) -> None:
        """Give the lease back after a failure, so that another run may try (not before `retry_after` seconds); nothing
        when it is not ours any more.

        Args:
            is_open: Whether what was being sent may have arrived: the mark stays.
        """
        until = self._clock.now() + timedelta(seconds=retry_after or 0)
        unsent = {} if is_open else unsent_fields()
        with contextlib.suppress(LeaseLost):
            await self._begin(lease, {"token": "", "lease_until": until, **unsent})

    async def fill(
        self, lease: Lease, answer: Answer, to: Destination, *, retention: timedelta = KEPT, waits: bool = False
    ) -> Lease:
        """Record what is to be sent and where, before any of it is, and mark the first piece as being sent; keep what
        the model was given for it for the retention time. With nothing to say the update is dealt with.

        Whoever forgets something in that chat takes the pieces back: they may quote it.

        Args:
            waits: Others wait in the chat: the answer waits as well, and the lease is over. One that is too large to be
                recorded (its `outbox` is not stored) waits for nobody.

        Raises:
            Contention: Something was forgotten in the chat while the answer was made: make it again.
        """
        stored, is_given = outbox_to_fields(answer.pieces), answer.given is not None
        lease = replace(lease, chat_id=to.chat_id, outbox=answer.pieces, is_given=is_given, serves=answer.serves)
        lease = replace(lease, may_wait=stored is not None)
        marks = {**asdict(to), "outbox": stored, "is_composed_again": stored is None, "is_given": is_given}
        writes: list[Write] = []
        if answer.given is not None:
            kept = {"schema": SCHEMA, **answer.given, "expire_at": self._clock.now() + retention}
            writes.append(Set(answer_path(to.chat_id, lease.update_id), kept))
        if waits and lease.may_wait and lease.left:
            return await self._begin(lease, {**marks, **waiting_fields()}, *writes, is_new=True)
        return await self._go_on(lease, marks, *writes, is_new=True)

    async def resume(self, lease: Lease) -> Lease:
        """Go on with an outbox that an earlier lease filled: mark the piece that comes next as being sent, again when
        it may have arrived. One that may have arrived `MOST_SENDS` times is taken as sent: `Lease.is_uncertain`."""
        return await self._go_on(lease, {})

    async def _go_on(self, lease: Lease, changes: dict[str, Any], *also: Write, is_new: bool = False) -> Lease:
        """Mark the piece that comes next as being sent, also when an earlier lease did."""
        if lease.gives_up:
            lease = replace(lease, sent=lease.sent + 1, sending=None, doubts=0, is_uncertain=True)
            changes = {**changes, **given_up_fields(lease.sent)}
        elif lease.sending is not None:
            lease = replace(lease, sending=None, doubts=lease.doubts + 1)
            also = (*also, repeated_write(lease.chat_id, self._clock.now()))
        return await self._begin(lease, {**changes, **self._sending_fields(lease)}, *also, is_new=is_new)

    async def _begin(self, lease: Lease, changes: dict[str, Any], *also: Write, is_new: bool = False) -> Lease:
        async def begin(tx: Transaction) -> None:
            await _require_lease(tx, lease, is_new=is_new)
            merged = await close_merged(tx, lease.serves) if is_new else []
            for write in (Upsert(update_path(lease.update_id), changes), *also, *merged):
                tx.write(write)

        await self._store.transaction(begin)
        return lease

    async def mark_sent(self, lease: Lease, also: Sequence[Write] = ()) -> Lease:
        """Mark the piece as sent and the next one as being sent, or the update as dealt with after the last one,
        together with other writes.

        Raises:
            LeaseLost: Another instance goes on; the other writes are made all the same, but not when the answer was
                taken back because something was forgotten: it may have told of it.
        """
        after = replace(lease, sent=lease.sent + 1, doubts=0)
        path = update_path(lease.update_id)

        async def apply(tx: Transaction) -> bool:
            document = await tx.get(path)
            if document is not None and read_entry(document).is_leased_by(lease.token):
                tx.write(Upsert(path, self._sending_fields(after)))
            elif is_forgotten(document):
                return False
            for write in also:  # what was sent is in the chat, whoever goes on
                tx.write(write)
            return document is not None and read_entry(document).is_leased_by(lease.token)

        if not await self._store.transaction(apply):
            raise LeaseLost(f"update {lease.update_id} was taken over")
        return after

    async def wait(self, lease: Lease, error: TransientError | None = None) -> datetime:
        """Let the rest of an answer wait, for room in its chat, for Telegram or (None) for who has time for it, and
        return until when; the lease is over. What may have arrived keeps its mark."""
        until = self._clock.now() + timedelta(seconds=(error and error.retry_after) or 0)
        if isinstance(error, SendUncertain) and lease.sending is None:  # else it was not even sent again
            until += pause_after(lease.doubts)
        await self._begin(lease, resting_fields(until) if isinstance(error, SendUncertain) else waiting_fields())
        return until

    async def finish(self, lease: Lease, outcome: AnswerOutcome) -> None:
        """Mark the update as dealt with for good, although pieces are left."""
        await self._begin(lease, done_with_update(outcome))

    def _sending_fields(self, lease: Lease) -> dict[str, Any]:
        if not lease.left:
            outcome = lease.outcome if lease.outbox else AnswerOutcome.SILENT
            return {**sent_fields(lease.sent), **done_with_update(outcome)}
        marks = sending_fields(lease.sent, lease.sent, doubts=lease.doubts)
        return {**marks, "lease_until": self._clock.now() + LEASE}


async def _require_lease(tx: Transaction, lease: Lease, *, is_new: bool = False) -> None:
    """Do nothing when the lease is ours.

    Args:
        is_new: The answer has just been made.

    Raises:
        LeaseLost: Somebody else has the lease, or it was given up.
        Contention: The answer was made from what was forgotten meanwhile.
    """
    is_fenced = is_new and lease.memory is not None
    paths = [update_path(lease.update_id), *([erasure_mark(lease.chat_id)] if is_fenced else [])]
    document, *marks = await tx.get_many(paths)
    if document is None or not read_entry(document).is_leased_by(lease.token):
        raise LeaseLost(f"update {lease.update_id} was taken over")
    if is_fenced and Memory.of(marks[0]) != lease.memory:
        raise Contention(f"something of chat {lease.chat_id} was forgotten while an answer was made")


def _take_over(tx: Transaction, document: Document, lease: Lease, now: datetime, *, counts: bool) -> Lease | Closed:
    """The lease on an update that is known.

    Args:
        lease: As of an update that is not.
        counts: Whether it is a question that counts against limits.
    """
    entry = read_entry(document)
    if entry.state == "done":
        return Closed(AnswerOutcome.ALREADY_ANSWERED)
    if entry.is_waiting:
        return Closed(AnswerOutcome.WAITS, entry.chat_id)
    if entry.lease_until is not None and entry.lease_until > now:
        wait = (entry.lease_until - now).total_seconds()
        raise LeaseHeld(f"update {lease.update_id} is being answered", retry_after=wait)
    leased = {**leased_fields(lease.token, until=now + LEASE), **yielding_field(None)}
    leased |= {"deaths": Increment(1)} if entry.is_orphaned else {}
    tx.write(Upsert(document.path, leased if counts else {**leased, **uncounted_fields()}))
    return replace(
        lease,
        asked_at=entry.asked_at or now,
        chat_id=entry.chat_id or lease.chat_id,
        outbox=entry.outbox,
        may_wait=entry.outbox is not None,
        sent=entry.sent,
        sending=entry.sending,
        doubts=entry.doubts,
        is_given=entry.is_given,
        is_uncertain=entry.outcome is AnswerOutcome.UNCERTAIN,
        limit=entry.limit,
    )


def repeated_write(chat_id: int, now: datetime) -> Upsert:
    """Return the write that counts, on its day, that what may have arrived is sent again."""
    return Upsert(usage_path(chat_id, now.date()), repeated_fields())
