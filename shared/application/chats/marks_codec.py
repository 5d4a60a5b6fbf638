"""How a chat's document says of its nights which job was done when, and when its memory last changed.

The map `nightly` has a `Mark` for each job; whether anything is due is judged from the chat's document alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.ports.store import Document
from shared.domain.errors import PermanentError

MARKS_FIELD = "nightly"
"""The field that holds the marks."""

AFTER_LEAVING = frozenset({"retention"})
"""Jobs that are done, too, for chats that the bot has left: that what was said grows too old is a promise to people."""


class MalformedChat(PermanentError):
    """A chat's document is not of its shape."""


class Mark(NamedTuple):
    """One job's last run.

    Attributes:
        at: When it began.
        next_at: When it is due although nothing is said, or None.
        day: The chat's local day that it was for, as text (ISO).
        by: A fingerprint of what it was done by (`marks.fingerprint`).
    """

    at: datetime
    next_at: datetime | None
    day: str
    by: str


class ChatRecord(NamedTuple):
    """A chat's document as a night reads it.

    Attributes:
        changed_at: When its memory last changed, or None: never.
    """

    state: ChatState
    changed_at: datetime | None
    marks: Mapping[str, Mark]

    def wants(self, job: str) -> bool:
        """Return whether a job is done for the chat at all: under this id, and while the bot is there or after it."""
        is_here = self.state.known and self.state.migrated_to is None
        return is_here and (self.state.active or job in AFTER_LEAVING)


def read_record(document: Document) -> ChatRecord:
    """Read a chat's document. A mark that is none is left out: then the job is due.

    Raises:
        MalformedChat: It is not of its shape.
    """
    try:
        state = read_chat(chat_id_of(document), document)
        moments = (state.last_active_at, state.learn_from, state.forgotten_at)
        changed_at = max((at for at in moments if at is not None), default=None)
        if changed_at is not None:
            changed_at += timedelta(0)  # of another type it fails here
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise MalformedChat(f"the document of chat {document.id} is not of its shape: {error}") from error
    return ChatRecord(state, changed_at, read_marks(document))


def read_marks(document: Document) -> dict[str, Mark]:
    """Return each job's last run; a mark that is none is left out."""
    stored = document.data.get(MARKS_FIELD)
    found = stored.items() if isinstance(stored, Mapping) else ()
    return {job: mark for job, fields in found if (mark := _mark(fields)) is not None}


def marks_fields(marks: Mapping[str, Mark]) -> dict[str, Any]:
    """Return the map that `read_marks` reads."""
    return {MARKS_FIELD: {job: mark._asdict() for job, mark in marks.items()}}


def chat_id_of(document: Document) -> int:
    """Return the id of the chat that a document of `chats` is of.

    Raises:
        ValueError: It is no chat's.
    """
    if str(chat_id := int(document.id)) != document.id:
        raise ValueError(f"{document.id!r} is no chat's id as Telegram writes it")
    return chat_id


def _mark(fields: Any) -> Mark | None:
    if not isinstance(fields, Mapping):
        return None
    match [fields.get(name) for name in Mark._fields]:
        case [datetime() as at, datetime() | None as next_at, str() as day, str() as by]:
            return Mark(at, next_at, day, by)
    return None
