"""The document of an update that calls for an answer: whose lease it is, and what of the answer is still to be sent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.outbox_codec import outbox_from_fields
from shared.application.documents import UPDATES_KEPT
from shared.application.documents import update_path as update_path  # noqa: PLC0414 - its documents are these
from shared.application.ports.store import Document, Filter
from shared.domain.conversation.messages import SCHEMA
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.pace import Limit

LEASE = timedelta(seconds=90)
"""Longer than the slowest answer (model 40 s, sending with waits 10 s a piece); then another instance may try."""

KEPT = UPDATES_KEPT

OPEN = ("asked", "answering", "waiting")
"""States in which something is still to be done."""

UpdateId = int | str
"""Telegram's id of an update, or the name of a message that no update asks for."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """An update in the ledger, as stored.

    Attributes:
        state: "asked" (taken in, and nobody is at it yet), "answering", "waiting" for room in its chat, or "done".
        token: Whose lease it is, and `lease_until` how long; "" while nobody answers it.
        user_id, message_id: Who asked, and with which message; None when nobody did, or they were forgotten.
        received_at: When it was taken in.
        outbox: The pieces to send; None while they are not made, when they are too large to be stored
            (`is_composed_again`), and when nothing is left to do.
        sent: How many of them were sent, as noted.
        sending: Number of the piece that was being sent, or None.
        chat_id, reply_to, thread_id: Where the answer goes; 0 and None as long as nobody knows.
        place: Its number among those that wait in the chat.
        limit: What its author asked too much of, or None.
        is_given: Whether what the model was given for it is kept.
        outcome: Of what is done: of an answer an `AnswerOutcome`; "" before.
        attempts: How often dealing with it failed.
    """

    state: str
    token: str
    lease_until: datetime | None
    user_id: int | None
    message_id: int | None
    received_at: datetime | None
    outbox: tuple[AnswerPiece, ...] | None
    sent: int
    sending: int | None
    chat_id: int
    reply_to: int | None
    thread_id: int | None
    place: int
    limit: Limit | None
    is_given: bool
    is_composed_again: bool
    outcome: str
    attempts: int

    @property
    def is_waiting(self) -> bool:
        """Return whether it waits for room in its chat."""
        return self.state == "waiting"

    @property
    def is_open(self) -> bool:
        """Return whether it is still to be answered, or to be answered to the end."""
        return self.state in OPEN

    @property
    def sent_so_far(self) -> int:
        """Return how many pieces were sent or must be taken as sent: the one marked when its sender died is."""
        return self.sent if self.sending is None else max(self.sent, self.sending + 1)

    def is_leased_by(self, token: str) -> bool:
        """Return whether somebody with this token is answering it."""
        return self.state == "answering" and self.token == token


def read_entry(document: Document) -> LedgerEntry:
    """Read an update's document; fields that it does not have yet are empty."""
    data = document.data
    outbox, limit = data.get("outbox"), data.get("limit")
    return LedgerEntry(
        state=data.get("state", ""),
        token=data.get("token", ""),
        lease_until=data.get("lease_until"),
        user_id=data.get("user_id"),
        message_id=data.get("message_id"),
        received_at=data.get("received_at"),
        outbox=None if outbox is None else outbox_from_fields(outbox),
        sent=data.get("sent", 0),
        sending=data.get("sending"),
        chat_id=data.get("chat_id") or 0,
        reply_to=data.get("reply_to"),
        thread_id=data.get("thread_id"),
        place=data.get("place", 0),
        limit=None if limit is None else Limit(**limit),
        is_given=bool(data.get("is_given")),
        is_composed_again=bool(data.get("is_composed_again")),
        outcome=data.get("outcome", ""),
        attempts=int(data.get("attempts", 0)),
    )


class UnsentAnswer(NamedTuple):
    """An answer of which something is still to be sent.

    Attributes:
        reply_to: The message that it answers, or None.
        stored_pieces: Its pieces as stored; None when it is too large to be stored, and composed again.
        is_given: Whether what the model was given for it is kept.
    """

    reply_to: int | None
    stored_pieces: Any
    is_given: bool


def read_unsent(document: Document) -> UnsentAnswer | None:
    """Read what is still to be sent for an update, whatever its pieces look like; None when nothing is."""
    data = document.data
    pieces = data.get("outbox")
    if pieces is None and not data.get("is_composed_again"):
        return None
    return UnsentAnswer(data.get("reply_to"), pieces, bool(data.get("is_given")))


def new_entry(token: str, *, now: datetime) -> dict[str, Any]:
    """Return the fields of an update that is leased by who first heard of it."""
    return {
        "schema": SCHEMA,
        **leased_fields(token, now=now),
        "sent": 0,
        "received_at": now,
        "expire_at": now + KEPT,
    }


def leased_fields(token: str, *, now: datetime) -> dict[str, Any]:
    """Return the fields by which somebody answers an update, asked or given up by who answered it before."""
    return {"state": "answering", "token": token, "lease_until": now + LEASE}


def waiting_entry(sent: int, place: int) -> dict[str, Any]:
    """Return the fields by which an answer waits: nobody has its lease."""
    return {"state": "waiting", "place": place, "token": "", "sent": sent, "sending": None}


def done_with_update(outcome: str) -> dict[str, Any]:
    """Return the fields of an update that is dealt with: of what was asked nothing is kept."""
    nothing = {"outbox": None, "sending": None, "is_composed_again": False, "ask": None}
    return {"state": "done", "outcome": str(outcome), **nothing}


def open_in(chat_id: int) -> list[Filter]:
    """Return the conditions that an update of a chat is still to be answered."""
    return [Filter("chat_id", "==", chat_id), Filter("state", "in", OPEN)]


def asked_by(user_id: int) -> Filter:
    """Return the condition that a member asked."""
    return Filter("user_id", "==", user_id)


def is_forgotten(document: Document | None) -> bool:
    """Return whether an answer was taken back because something was forgotten: then nothing of it is kept."""
    return document is not None and read_entry(document).outcome == AnswerOutcome.FORGOTTEN


def update_id_of(document: Document) -> UpdateId:
    """Inverse of `update_path`."""
    return int(document.id) if document.id.isdecimal() else document.id
