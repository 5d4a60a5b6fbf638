"""The update ledger: each update that calls for an answer is answered once.

An update's document is made by whoever takes it first and carries a lease. While the lease runs, a redelivery is
refused (Telegram tries again later); when it ran out, the redelivery takes over and resumes from the outbox, so a crash
loses nothing, and whoever held it before can change nothing more. What is being sent is marked before it is sent: after
a crash in the middle of a send, that piece is taken as sent, because a lost answer is better than a doubled one.

The chat's pace is kept in the same transactions (`pace_codec`): who asks too much is not answered, and an answer for
which the group has no room within this minute is "waiting": its lease is given up, and `waiting` sends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from shared.application.delivery.answer import Answer
from shared.application.delivery.lease import Closed, Lease, LeaseLost, Memory, counts
from shared.application.delivery.ledger_codec import (
    KEPT,
    LEASE,
    UpdateId,
    done_with_update,
    is_forgotten,
    leased_fields,
    new_entry,
    read_entry,
    update_path,
    waiting_entry,
)
from shared.application.delivery.outbox_codec import outbox_to_fields
from shared.application.delivery.pace import Ask
from shared.application.delivery.pace_codec import pace_from, pace_path, pace_write
from shared.application.documents import answer_path
from shared.application.ports.store import Document, DocumentStore, Set, Transaction, Upsert, Write
from shared.application.ports.system import Clock, Ids
from shared.domain.conversation.messages import SCHEMA
from shared.domain.delivery import pace as pacing
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.pace import Pace
from shared.domain.errors import ChatUnavailable, Contention, LeaseHeld


class Ledger:
    """Leases on updates."""

    def __init__(self, store: DocumentStore, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def take(self, update_id: UpdateId, ask: Ask | None = None) -> Lease | Closed:
        """The lease on an update, unless it is dealt with already or its author asked too much.

        Whoever took it in may have left its document, in the state "asked"; else it is made now.

        Args:
            ask: The question that it is, counted when it comes first; None for what is not limited.

        Raises:
            LeaseHeld: Another instance is answering it.
        """
        now, token = self._clock.now(), self._ids.token()
        fresh = new_entry(token, now=now)
        path = update_path(update_id)
        if ask is None and await self._store.create(path, fresh):
            return Lease(update_id, token)

        async def apply(tx: Transaction) -> Lease | Closed:
            paths = [path] if ask is None else [path, pace_path(ask.chat_id)]
            document, *paced = await tx.get_many(paths)
            is_new = document is None or read_entry(document).state == "asked"
            if document is not None and not is_new:
                lease = _take_over(tx, document, update_id, token, now)
                return replace(lease, memory=Memory.of(paced[0])) if paced and isinstance(lease, Lease) else lease
            begun = fresh if document is None else {**document.data, **leased_fields(token, now=now), "sent": 0}
            if ask is not None:
                return _admit(tx, ask, pace_from(paced[0]), update_id, begun, now=now)
            tx.write(Set(path, begun))
            return Lease(update_id, token)

        return await self._store.transaction(apply)

    async def release(self, lease: Lease, *, retry_after: float | None = None) -> None:
        """Give the lease back after a failure that had no effect, so that a redelivery may try (not before
        `retry_after` seconds)."""
        until = self._clock.now() + timedelta(seconds=retry_after or 0)
        await self._change(lease, {"lease_until": until, "sending": None})

    async def let_go(self, lease: Lease) -> bool:
        """Give the lease back after an exception that nobody foresaw, if it is still ours.

        Returns:
            Whether a piece was marked as being sent. The mark goes: only an operator has such an update tried again.
        """
        path = update_path(lease.update_id)

        async def apply(tx: Transaction) -> bool:
            document = await tx.get(path)
            entry = None if document is None else read_entry(document)
            if entry is None or not entry.is_leased_by(lease.token):
                return False
            tx.write(Upsert(path, {"lease_until": self._clock.now(), "sending": None}))
            return entry.sending is not None

        return await self._store.transaction(apply)

    async def fill(
        self,
        lease: Lease,
        answer: Answer,
        *,
        chat_id: int,
        reply_to: int | None = None,
        thread_id: int | None = None,
        retention: timedelta = KEPT,
    ) -> Lease:
        """Record what is to be sent and where, before any of it is, and mark the first piece as being sent; keep what
        the model was given for it for the retention time. With nothing to say the update is dealt with.

        When there is no room for it, or others wait already, the answer waits: see `Lease.room_at`. Whoever forgets
        something in that chat takes the pieces back: they may quote it.

        Raises:
            ChatUnavailable: There is no room for an answer that is too large to wait.
            Contention: Something was forgotten in the chat while the answer was made: make it again.
        """
        stored, is_given = outbox_to_fields(answer.pieces), answer.given is not None
        lease = replace(lease, chat_id=chat_id, outbox=answer.pieces, is_given=is_given)
        marks: dict[str, Any] = {"chat_id": chat_id, "reply_to": reply_to, "thread_id": thread_id}
        marks |= {"outbox": stored, "is_composed_again": stored is None, "is_given": is_given}
        given: list[Write] = []
        if answer.given is not None:
            kept = {"schema": SCHEMA, **answer.given, "expire_at": self._clock.now() + retention}
            given.append(Set(answer_path(chat_id, lease.update_id), kept))
        return await self._begin(lease, marks, given, may_wait=stored is not None)

    async def resume(self, lease: Lease) -> Lease:
        """Go on with an outbox that an earlier lease filled; else as `fill`."""
        return await self._begin(lease, {}, (), may_wait=True)

    async def _begin(self, lease: Lease, marks: dict[str, Any], given: Sequence[Write], *, may_wait: bool) -> Lease:
        now, pieces = self._clock.now(), sum(counts(piece, lease.chat_id) for piece in lease.left)

        async def apply(tx: Transaction) -> Lease:
            pace = await _ours(tx, lease, is_new=bool(marks))
            changes, begun = {**marks, **self._sending(lease)}, lease
            if pace is not None and pieces:
                admitted = pacing.reserve(pace, str(lease.update_id), pieces, now=now, until=now + LEASE)
                if admitted is None or (pace.is_queued and not lease.sent):
                    begun = replace(lease, room_at=pacing.room_at(pace, now))
                    admitted = pacing.enqueue(pacing.release(pace, str(lease.update_id), pieces, now=now))
                    changes = {**marks, **waiting_entry(lease.sent, admitted.last)}
                tx.write(pace_write(lease.chat_id, admitted, now=now))
            if begun.room_at is not None and not may_wait:
                wait = max(1.0, (begun.room_at - now).total_seconds())
                raise ChatUnavailable(f"chat {lease.chat_id} has no room for a large answer now", retry_after=wait)
            for write in (Upsert(update_path(lease.update_id), changes), *given):
                tx.write(write)
            return begun

        return await self._store.transaction(apply)

    async def mark_sent(
        self,
        lease: Lease,
        also: Sequence[Write] = (),
        *,
        outcome: AnswerOutcome = AnswerOutcome.ANSWERED,
        here: bool = True,
    ) -> Lease:
        """Mark the piece as sent and the next one as being sent, or the update as dealt with after the last one,
        together with other writes.

        Args:
            outcome: Of the whole, when it was the last.
            here: Whether it went into the chat, not to somebody in private.

        Raises:
            LeaseLost: Another instance goes on; the other writes are made all the same, but not when the answer was
                taken back because something was forgotten: it may have told of it.
        """
        now, after = self._clock.now(), replace(lease, sent=lease.sent + 1)

        async def apply(tx: Transaction) -> bool:
            try:
                pace = await _ours(tx, lease)
            except LeaseLost:
                if not is_forgotten(await tx.get(update_path(lease.update_id))):
                    for write in also:  # what was sent is in the chat, whoever goes on
                        tx.write(write)
                return False
            if pace is not None and counts(lease.left[0], lease.chat_id):
                reported = pacing.report_sent(pace, str(lease.update_id), now=now, until=now + LEASE, said=here)
                tx.write(pace_write(lease.chat_id, reported, now=now))
            for write in (Upsert(update_path(lease.update_id), self._sending(after, outcome)), *also):
                tx.write(write)
            return True

        if not await self._store.transaction(apply):
            raise LeaseLost(f"update {lease.update_id} was taken over")
        return after

    async def finish(self, lease: Lease, outcome: AnswerOutcome) -> None:
        """Mark the update as dealt with for good, although pieces are left."""
        await self._change(lease, done_with_update(outcome))

    def _sending(self, lease: Lease, outcome: AnswerOutcome = AnswerOutcome.ANSWERED) -> dict[str, Any]:
        if not lease.left:
            return {"sent": lease.sent, **done_with_update(AnswerOutcome.SILENT if lease.outbox == () else outcome)}
        return {"sent": lease.sent, "sending": lease.sent, "lease_until": self._clock.now() + LEASE}

    async def _change(self, lease: Lease, changes: dict[str, Any]) -> None:
        async def apply(tx: Transaction) -> None:
            await _ours(tx, replace(lease, chat_id=0))
            tx.write(Upsert(update_path(lease.update_id), changes))

        await self._store.transaction(apply)


async def _ours(tx: Transaction, lease: Lease, *, is_new: bool = False) -> Pace | None:
    """The pace of the lease's chat where it matters.

    Args:
        is_new: The answer has just been made.

    Raises:
        LeaseLost: Somebody else has the lease, or it was given up.
        Contention: The answer was made from what was forgotten meanwhile.
    """
    is_fenced = is_new and lease.memory is not None
    paths = [update_path(lease.update_id), *([pace_path(lease.chat_id)] if lease.is_paced or is_fenced else [])]
    document, *paced = await tx.get_many(paths)
    if document is None or not read_entry(document).is_leased_by(lease.token):
        raise LeaseLost(f"update {lease.update_id} was taken over")
    if is_fenced and Memory.of(paced[0]) != lease.memory:
        raise Contention(f"something of chat {lease.chat_id} was forgotten while an answer was made")
    return pace_from(paced[0]) if lease.is_paced else None


def _admit(
    tx: Transaction, ask: Ask, pace: Pace, update_id: UpdateId, fresh: dict[str, Any], *, now: datetime
) -> Lease | Closed:
    """Count a new question; over a limit it is answered by a notice once an hour, and by nothing else."""
    user = str(ask.user_id)
    after, limit = pacing.ask(pace, user, now=now, per_user=ask.per_user, per_chat=ask.per_chat)
    if limit is not None:
        told = pacing.tell(pace, user, limit, now=now) if ask.tells else None
        if told is None:
            tx.write(Set(update_path(update_id), fresh | done_with_update(AnswerOutcome.LIMITED)))
            return Closed(AnswerOutcome.LIMITED, limit=limit)
        after, fresh = told, fresh | {"limit": limit._asdict()}
    tx.write(Set(update_path(update_id), fresh))
    tx.write(pace_write(ask.chat_id, after, now=now))
    return Lease(update_id, fresh["token"], limit=limit, memory=Memory(is_kept=True, erased_at=pace.erased_at))


def _take_over(tx: Transaction, document: Document, update_id: UpdateId, token: str, now: datetime) -> Lease | Closed:
    entry = read_entry(document)
    if entry.state == "done":
        return Closed(AnswerOutcome.ALREADY_ANSWERED)
    if entry.is_waiting:
        return Closed(AnswerOutcome.WAITS, entry.chat_id)
    if entry.lease_until is not None and entry.lease_until > now:
        wait = (entry.lease_until - now).total_seconds()
        raise LeaseHeld(f"update {update_id} is being answered", retry_after=wait)
    sent = entry.sent_so_far
    tx.write(Upsert(document.path, {"token": token, "lease_until": now + LEASE, "sent": sent, "sending": None}))
    return Lease(update_id, token, entry.chat_id, entry.outbox, sent, entry.is_given, entry.limit)
