"""The right to answer one update, and what its holder knows of the chat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.ledger_codec import (
    UpdateId,
)
from shared.application.delivery.pace_codec import pace_from, pace_path
from shared.application.ports.store import Document, DocumentStore
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.pace import Limit
from shared.domain.errors import PermanentError


class LeaseLost(PermanentError):
    """The lease ran out and another instance goes on; this one must stop."""


class Memory(NamedTuple):
    """What tells whether something of a chat was forgotten since: whether its pace is kept, and when it was erased from
    last."""

    is_kept: bool
    erased_at: datetime | None

    @classmethod
    def of(cls, paced: Document | None) -> Memory:
        """Read it from the document of the chat's pace."""
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
        """Return whether something of it goes into a group, where only so much may be said in a minute."""
        return self.chat_id < 0 and any(counts(piece, self.chat_id) for piece in self.outbox or ())


async def memory_of(store: DocumentStore, chat_id: int) -> Memory:
    """A chat's memory as it is: to be read before what an answer is made of."""
    return Memory.of(await store.get(pace_path(chat_id)))


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
