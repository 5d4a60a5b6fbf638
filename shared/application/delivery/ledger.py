"""The update ledger: each update that calls for an answer is answered once.

An update's document is made by whoever takes it first and carries a lease. While the lease runs, a redelivery is
refused (Telegram tries again later); when it ran out, the redelivery takes over and resumes from the outbox, so a crash
loses nothing, and whoever held it before can change nothing more. What is being sent is marked before it is sent: after
a crash in the middle of a send, that piece is taken as sent, because a lost answer is better than a doubled one.

The chat's pace is kept in the same transactions (`application.pace`): who asks too much is not answered, and an answer
for which the group has no room within this minute is "waiting": its lease is given up, and `waiting` sends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.outbox import outbox_from_fields, outbox_to_fields
from shared.application.delivery.pace import Ask, pace_from, pace_path, pace_write
from shared.application.documents import answer_path
from shared.application.ports.store import Document, DocumentStore, Set, Transaction, Upsert, Write
from shared.application.ports.system import Clock, Ids
from shared.domain.conversation.messages import SCHEMA
from shared.domain.delivery import pace as pacing
from shared.domain.delivery.pace import Limit, Pace
from shared.domain.errors import ChatUnavailable, Contention, LeaseHeld, PermanentError

LEASE = timedelta(seconds=90)
"""Longer than the slowest answer (model 40 s, sending with waits 10 s a piece); then another instance may try."""

KEPT = timedelta(days=3)
"""Telegram redelivers for at most 24 hours (Bot API, getUpdates)."""

FORGOTTEN = "forgotten"
"""Outcome of an answer that was taken back (`forgetting.outside`)."""

UpdateId = int | str
"""Telegram's id of an update, or the name of a message that no update asks for."""


class LeaseLost(PermanentError):
    """The lease ran out and another instance goes on; this one must stop."""


class Memory(NamedTuple):
    """What tells whether something of a chat was forgotten since: whether its pace is kept, and when it was erased from
    last."""

    is_kept: bool
    erased_at: datetime | None

    @classmethod
    def of(cls, paced: Document | None) -> Memory:
        """By the document of its pace."""
        return cls(paced is not None, pace_from(paced).erased_at)


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to answer one update.

    Attributes:
        chat_id: Where the answer goes, or 0 while there is none.
        outbox: The pieces to send, or None while they are not made (or too large to be stored).
        sent: How many of them were sent, or must be taken as sent.
        is_given: Whether what the model was given for it is kept, under the update's id (`documents.answer_path`).
        limit: Why the answer is only a notice, or None.
        room_at: When there will be room for the answer, or None when it is to be sent now. Then the lease is given up.
        memory: As of when the answer is made, or None as long as that is not known: see `Memory`.
    """

    update_id: UpdateId
    token: str
    chat_id: int = 0
    outbox: tuple[AnswerPiece, ...] | None = None
    sent: int = 0
    is_given: bool = False
    limit: Limit | None = None
    room_at: datetime | None = None
    memory: Memory | None = None

    @property
    def left(self) -> tuple[AnswerPiece, ...]:
        """The pieces that are still to be sent."""
        return (self.outbox or ())[self.sent :]

    @property
    def is_paced(self) -> bool:
        """Whether something of it goes into a group, where only so much may be said in a minute."""
        return self.chat_id < 0 and any(counts(piece, self.chat_id) for piece in self.outbox or ())


async def memory_of(store: DocumentStore, chat_id: int) -> Memory:
    """A chat's memory as it is: to be read before what an answer is made of."""
    return Memory.of(await store.get(pace_path(chat_id)))


class Closed(NamedTuple):
    """An update that nobody is to answer now.

    Attributes:
        outcome: "limited" when its author asked too much.
        chat_id: Of an answer that waits for room in its chat.
    """

    outcome: Literal["already answered", "waits", "limited"]
    chat_id: int = 0
    limit: Limit | None = None


def counts(piece: AnswerPiece, chat_id: int) -> bool:
    """Return whether a piece may be said in the chat itself."""
    return piece.private_to in (None, chat_id) or piece.otherwise is not None


class Ledger:
    """Leases on updates."""

    def __init__(self, store: DocumentStore, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def take(self, update_id: UpdateId, ask: Ask | None = None) -> Lease | Closed:
        """The lease on an update, unless it is dealt with already or its author asked too much.

        Args:
            ask: The question that it is, counted when it comes first; None for what is not limited.

        Raises:
            LeaseHeld: Another instance is answering it.
        """
        now, token = self._clock.now(), self._ids.token()
        fresh = {
            "schema": SCHEMA,
            "state": "answering",
            "token": token,
            "lease_until": now + LEASE,
            "sent": 0,
            "received_at": now,
            "expire_at": now + KEPT,
        }
        path = update_path(update_id)
        if ask is None and await self._store.create(path, fresh):
            return Lease(update_id, token)

        async def apply(tx: Transaction) -> Lease | Closed:
            paths = [path] if ask is None else [path, pace_path(ask.chat_id)]
            document, *paced = await tx.get_many(paths)
            if document is not None:
                lease = _take_over(tx, document, update_id, token, now)
                return replace(lease, memory=Memory.of(paced[0])) if paced and isinstance(lease, Lease) else lease
            if ask is not None:
                return _admit(tx, ask, pace_from(paced[0]), update_id, fresh)
            tx.write(Set(path, fresh))
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
            if document is None or document.data["token"] != lease.token or document.data["state"] != "answering":
                return False
            tx.write(Upsert(path, {"lease_until": self._clock.now(), "sending": None}))
            return document.data.get("sending") is not None

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
        """As `fill`, for an outbox that an earlier lease filled."""
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
                    changes = {**marks, **_waiting(lease, admitted.last)}
                tx.write(pace_write(lease.chat_id, admitted, now=now))
            if begun.room_at is not None and not may_wait:
                wait = max(1.0, (begun.room_at - now).total_seconds())
                raise ChatUnavailable(f"chat {lease.chat_id} has no room for a large answer now", retry_after=wait)
            for write in (Upsert(update_path(lease.update_id), changes), *given):
                tx.write(write)
            return begun

        return await self._store.transaction(apply)

    async def sent(
        self, lease: Lease, also: Sequence[Write] = (), *, outcome: str = "answered", here: bool = True
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

    async def finish(self, lease: Lease, outcome: str = "done") -> None:
        """Mark the update as dealt with for good, although pieces are left."""
        await self._change(lease, done_with_update(outcome))

    def _sending(self, lease: Lease, outcome: str = "answered") -> dict[str, Any]:
        if not lease.left:
            return {"sent": lease.sent, **done_with_update("silent" if lease.outbox == () else outcome)}
        return {"sent": lease.sent, "sending": lease.sent, "lease_until": self._clock.now() + LEASE}

    async def _change(self, lease: Lease, changes: dict[str, Any]) -> None:
        async def apply(tx: Transaction) -> None:
            await _ours(tx, replace(lease, chat_id=0))
            tx.write(Upsert(update_path(lease.update_id), changes))

        await self._store.transaction(apply)


def update_path(update_id: UpdateId) -> str:
    """An update in the ledger.

    Fields: `state` ("answering", "waiting" for room, "done"), `token` and `lease_until` (whose it is), `outbox`, `sent`
    (pieces), `sending` (the piece being sent, or None), `chat_id`, `reply_to`, `thread_id` (where it goes), `place`
    (among what waits), `limit` (the author asked too much), `is_composed_again` (its outbox is too large to be
    stored), `is_given`, `outcome`, `received_at`, `expire_at`.
    """
    return f"updates/{update_id}"


def done_with_update(outcome: str) -> dict[str, Any]:
    """The fields of an update that is dealt with."""
    return {"state": "done", "outcome": outcome, "outbox": None, "sending": None, "is_composed_again": False}


def is_forgotten(document: Document | None) -> bool:
    """Return whether an answer was taken back because something was forgotten: then nothing of it is kept."""
    return document is not None and document.data.get("outcome") == FORGOTTEN


def sent_so_far(data: dict[str, Any]) -> int:
    """Return how many pieces were sent, or must be taken as sent: the one that was marked when its sender died is."""
    return max(data["sent"], data["sending"] + 1) if data.get("sending") is not None else int(data["sent"])


def _waiting(lease: Lease, place: int) -> dict[str, Any]:
    return {"state": "waiting", "place": place, "token": "", "sent": lease.sent, "sending": None}


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
    if document is None or document.data["token"] != lease.token or document.data["state"] != "answering":
        raise LeaseLost(f"update {lease.update_id} was taken over")
    if is_fenced and Memory.of(paced[0]) != lease.memory:
        raise Contention(f"something of chat {lease.chat_id} was forgotten while an answer was made")
    return pace_from(paced[0]) if lease.is_paced else None


def _admit(tx: Transaction, ask: Ask, pace: Pace, update_id: UpdateId, fresh: dict[str, Any]) -> Lease | Closed:
    """Count a new question; over a limit it is answered by a notice once an hour, and by nothing else."""
    now, user = fresh["received_at"], str(ask.user_id)
    after, limit = pacing.ask(pace, user, now=now, per_user=ask.per_user, per_chat=ask.per_chat)
    if limit is not None:
        told = pacing.tell(pace, user, limit, now=now) if ask.tells else None
        if told is None:
            tx.write(Set(update_path(update_id), fresh | done_with_update("limited")))
            return Closed("limited", limit=limit)
        after, fresh = told, fresh | {"limit": limit._asdict()}
    tx.write(Set(update_path(update_id), fresh))
    tx.write(pace_write(ask.chat_id, after, now=now))
    return Lease(update_id, fresh["token"], limit=limit, memory=Memory(is_kept=True, erased_at=pace.erased_at))


def _take_over(tx: Transaction, document: Document, update_id: UpdateId, token: str, now: datetime) -> Lease | Closed:
    data = document.data
    if data["state"] == "done":
        return Closed("already answered")
    if data["state"] == "waiting":
        return Closed("waits", data["chat_id"])
    if data["lease_until"] > now:
        wait = (data["lease_until"] - now).total_seconds()
        raise LeaseHeld(f"update {update_id} is being answered", retry_after=wait)
    sent, outbox, limit = sent_so_far(data), data.get("outbox"), data.get("limit")
    tx.write(Upsert(document.path, {"token": token, "lease_until": now + LEASE, "sent": sent, "sending": None}))
    return Lease(
        update_id,
        token,
        data.get("chat_id", 0),
        None if outbox is None else outbox_from_fields(outbox),
        sent,
        bool(data.get("is_given")),
        None if limit is None else Limit(**limit),
    )
