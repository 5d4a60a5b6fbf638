"""Decides whether a job of the night is due for a chat, and notes in the chat's document that it was done.

The map `nightly` has a `Mark` for each job, which only this module writes; what is due is judged from that document
alone.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import MARKS_FIELD, ChatState, chat_fields, marks_in, read_chat
from shared.application.documents import chat_path
from shared.application.ports.store import Document, DocumentStore, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.domain.errors import PermanentError

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
        return self.state.known and self.state.migrated_to is None and (self.state.active or job in AFTER_LEAVING)


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
    return {job: mark for job, fields in marks_in(document).items() if (mark := _mark(fields)) is not None}


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


SKEW = timedelta(hours=1)
"""The most that the clocks of two instances differ by; a mark from further ahead is no mark."""

LEEWAY = timedelta(minutes=1)
"""The time before a run in which a change may have come too late for it: by another instance's clock, or in a
transaction that was not over yet."""

_PROMPTS = {"summaries": ("reading", "meta"), "episodes": ("reading",), "culture": ("culture",)}
"""The prompts that a job asks the model with, which are also the names of the chat's instructions for it."""

_INSTRUCTIONS = {"reading": ("facts", "summary", "episodes", "episode", "consolidate")}
"""The names of the instructions for a prompt that does several tasks."""


def why_due(record: ChatRecord, job: str, *, by: str, run_at: datetime, now: datetime) -> str | None:
    """Return why a job is due for a chat when it runs at `run_at`; None when it is not.

    Args:
        by: What it would be done by (`fingerprint`).
        now: By which a mark is from the future.
    """
    mark = record.marks.get(job)
    if mark is None:
        return "it never ran"
    if mark.at > now + SKEW:
        return "its last run is in the future"
    if record.changed_at is not None and record.changed_at > mark.at - LEEWAY:
        return "the chat was active since"
    if mark.next_at is not None and mark.next_at <= run_at:
        return f"there is something to do since {mark.next_at:%Y-%m-%d %H:%M} UTC"
    return "settings, model or prompts changed" if mark.by != by else None


def is_done(record: ChatRecord, job: str, *, day: str, now: datetime) -> bool:
    """Return whether a job was done for a chat's local day, or for a later one."""
    mark = record.marks.get(job)
    return mark is not None and mark.at <= now + SKEW and mark.day >= day


def fingerprint(app: App, job: str, state: ChatState) -> str:
    """Return what a job would be done by now, as 12 hexadecimal digits: settings, the chat's choices, model and
    prompts."""
    private = state.is_private(by_default=app.policy.private_mode)
    parts = [private, sorted(state.opted_out), *_done_by(app, job, state)]
    return hashlib.blake2s(repr(parts).encode(), digest_size=6).hexdigest()


def _done_by(app: App, job: str, state: ChatState) -> list[Any]:
    policy = app.policy
    if job == "decay":
        return [policy.fact_expiry, policy.consensus]
    if job == "retention":
        return [state.retention(policy.retention)]
    if job == "archive":
        return [app.archive is not None, policy.archive_every]
    if job not in _PROMPTS:
        return []
    from shared.prompts import prompt

    return [
        app.model is not None,
        app.embedder.name if app.embedder is not None else None,
        [prompt(task).version for task in _PROMPTS[job]],
        [state.prompts.get(task) for name in _PROMPTS[job] for task in _INSTRUCTIONS.get(name, (name,))],
        state.extraction_instructions,
        state.extraction_method or policy.extraction_method,
        state.memory_profile or policy.memory_profile,
    ]


async def write_mark(store: DocumentStore, clock: Clock, chat_id: int, job: str, mark: Mark) -> bool:
    """Note a run, beside the marks of other jobs; False when the chat is gone or moved, or left and the job not done
    there, or a later run is noted."""
    now = clock.now()

    async def merge(tx: Transaction) -> bool:
        document = await tx.get(chat_path(chat_id))
        if document is None or not (record := read_record(document)).wants(job):
            return False
        known = record.marks.get(job)
        if known is not None and mark.at < known.at <= now + SKEW:
            return False
        tx.write(Upsert(document.path, marks_fields({**record.marks, job: mark})))
        return True

    return await store.transaction(merge)


async def note_change(store: DocumentStore, clock: Clock, chat_id: int) -> None:
    """Have the coming night look at a chat: its memory changed without a new chunk. Of a chat that is gone, nothing."""
    await store.update(chat_path(chat_id), chat_fields(last_active_at=clock.now()))
