"""The update ledger: each update that calls for an answer is answered once.

An update's document is made by whoever takes it first and carries a lease. While the lease runs, a redelivery is
refused (Telegram tries again later); when it ran out, the redelivery takes over and resumes from the outbox, so a crash
loses nothing, and whoever held it before can change nothing more. What is being sent is marked before it is sent: after
a crash in the middle of a send, that piece is taken as sent, because a lost answer is better than a doubled one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from shared.application.answer import Answer, Piece
from shared.application.documents import answer_path
from shared.application.ports.chat import Button, Outgoing, OutgoingFile, OutgoingText
from shared.application.ports.store import DocumentStore, Set, Transaction, Upsert, Write
from shared.application.ports.system import Clock, Ids
from shared.domain.errors import LeaseHeld, PermanentError
from shared.domain.messages import SCHEMA

LEASE = timedelta(seconds=90)
"""Longer than the slowest answer (model 40 s, sending with waits 10 s a piece); then another instance may try."""

KEPT = timedelta(days=3)
"""Telegram redelivers for at most 24 hours (Bot API, getUpdates)."""


class LeaseLost(PermanentError):
    """The lease ran out and another instance goes on; this one must stop."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to answer one update.

    Attributes:
        outbox: The pieces to send, or None while they are not made.
        sent: How many of them were sent, or must be taken as sent.
        is_given: Whether what the model was given for it is kept, under the update's id (`documents.answer_path`).
    """

    update_id: int
    token: str
    outbox: tuple[Piece, ...] | None = None
    sent: int = 0
    is_given: bool = False


class Ledger:
    """Leases on updates."""

    def __init__(self, store: DocumentStore, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def take(self, update_id: int) -> Lease | None:
        """The lease on an update, or None when it was answered already.

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
        if await self._store.create(_path(update_id), fresh):
            return Lease(update_id, token)
        return await self._store.transaction(lambda tx: _take_over(tx, update_id, token, now, fresh))

    async def release(self, lease: Lease, *, retry_after: float | None = None) -> None:
        """Give the lease back after a failure that had no effect, so that a redelivery may try (not before
        `retry_after` seconds)."""
        until = self._clock.now() + timedelta(seconds=retry_after or 0)
        await self._change(lease, {"lease_until": until, "sending": None})

    async def fill(self, lease: Lease, answer: Answer, *, chat_id: int, retention: timedelta = KEPT) -> Lease:
        """Record what is to be sent and to which chat, before any of it is, and mark the first piece as being sent;
        keep what the model was given for it for the retention time.

        Whoever forgets something in that chat takes the pieces back: they may quote it.
        """
        outbox, is_given = [_piece_to_fields(piece) for piece in answer.pieces], answer.given is not None
        marks = {"chat_id": chat_id, "outbox": outbox, "is_given": is_given, "sent": 0}
        given: list[Write] = []
        if answer.given is not None:
            kept = {"schema": SCHEMA, **answer.given, "expire_at": self._clock.now() + retention}
            given.append(Set(answer_path(chat_id, lease.update_id), kept))
        await self._change(lease, marks | self._sending(0, len(outbox)), given)
        return replace(lease, outbox=answer.pieces, sent=0, is_given=is_given)

    async def resume(self, lease: Lease) -> None:
        """Mark the next piece of an outbox that an earlier lease filled as being sent."""
        await self._change(lease, self._sending(lease.sent, len(lease.outbox or ())))

    async def sent(self, lease: Lease, also: Sequence[Write] = ()) -> Lease:
        """Mark the piece as sent and the next one as being sent, together with other writes."""
        sent = lease.sent + 1
        await self._change(lease, {"sent": sent, **self._sending(sent, len(lease.outbox or ()))}, also)
        return replace(lease, sent=sent)

    async def finish(self, lease: Lease, outcome: str = "done") -> None:
        """Mark the update as dealt with for good."""
        await self._change(lease, {"state": "done", "outcome": outcome, "outbox": None, "sending": None})

    def _sending(self, piece: int, pieces: int) -> dict[str, Any]:
        return {"sending": piece if piece < pieces else None, "lease_until": self._clock.now() + LEASE}

    async def _change(self, lease: Lease, changes: dict[str, Any], also: Sequence[Write] = ()) -> None:
        path = _path(lease.update_id)

        async def apply(tx: Transaction) -> bool:
            document = await tx.get(path)
            ours = document is not None and document.data["token"] == lease.token and document.data["state"] != "done"
            if ours:
                tx.write(Upsert(path, changes))
            for write in also:  # what was sent is in the chat, whoever goes on
                tx.write(write)
            return ours

        if not await self._store.transaction(apply):
            raise LeaseLost(f"update {lease.update_id} was taken over")


def _path(update_id: int) -> str:
    return f"updates/{update_id}"


def _piece_to_fields(piece: Piece) -> dict[str, Any]:
    otherwise = None if piece.otherwise is None else _text_to_fields(piece.otherwise)
    asks = None if piece.asks is None else dict(piece.asks)
    more = {"asks": asks, "private_to": piece.private_to, "otherwise": otherwise}
    return {"content": _content_to_fields(piece.content), **more}


def _piece_from_fields(data: dict[str, Any]) -> Piece:
    otherwise = None if data["otherwise"] is None else _text_from_fields(data["otherwise"])
    return Piece(_content_from_fields(data["content"]), data["asks"], data["private_to"], otherwise)


def _content_to_fields(content: Outgoing) -> dict[str, Any]:
    if isinstance(content, OutgoingText):
        return _text_to_fields(content)
    file = {"name": content.name, "mime_type": content.mime_type, "content": content.content}
    return _text_to_fields(content.caption) | {"file": file}


def _content_from_fields(data: dict[str, Any]) -> Outgoing:
    text, file = _text_from_fields(data), data.get("file")
    return text if file is None else OutgoingFile(file["name"], file["mime_type"], file["content"], text)


def _text_to_fields(text: OutgoingText) -> dict[str, Any]:
    rows = [{"row": [{"label": b.label, "data": b.data} for b in row]} for row in text.buttons]
    return {"html": text.html, "plain": text.plain, "buttons": rows}


def _text_from_fields(data: dict[str, Any]) -> OutgoingText:
    rows = tuple(tuple(Button(b["label"], b["data"]) for b in row["row"]) for row in data["buttons"])
    return OutgoingText(data["html"], data["plain"], rows)


async def _take_over(tx: Transaction, update_id: int, token: str, now: datetime, fresh: dict[str, Any]) -> Lease | None:
    document = await tx.get(_path(update_id))
    data = document.data if document else fresh | {"lease_until": now}
    if data["state"] == "done":
        return None
    if data["lease_until"] > now:
        raise LeaseHeld(
            f"update {update_id} is being answered", retry_after=(data["lease_until"] - now).total_seconds()
        )
    sent = max(data["sent"], data["sending"] + 1) if data.get("sending") is not None else data["sent"]
    tx.write(Set(_path(update_id), data | {"token": token, "lease_until": now + LEASE, "sent": sent, "sending": None}))
    outbox = data.get("outbox")
    pieces = None if outbox is None else tuple(_piece_from_fields(piece) for piece in outbox)
    return Lease(update_id, token, pieces, sent, bool(data.get("is_given")))
