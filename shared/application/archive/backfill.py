"""Talk from before the bot came: stored as the webhook stores it, and learnt from here and now.

A message is created under Telegram's own id unless it is there, so what the webhook stored wins, and a run that dies
anywhere is simply run again. Nothing is answered, and the queue gets no task that this run can do itself.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, chat_fields
from shared.application.chats.state import Chats
from shared.application.conversation.consent_gate import consent_holds, keepable
from shared.application.conversation.message_codec import StoredMessage, message_fields, new_message
from shared.application.conversation.message_queries import UNREAD
from shared.application.conversation.tombstones import find_forgotten
from shared.application.documents import chunks_path, message_path, messages_path
from shared.application.ports.store import DocumentStore, Set, Transaction
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Backlog, Task, TaskQueue
from shared.application.reading.extraction import Extract, extract_chat
from shared.application.recall.note_queries import MODEL_PENDING
from shared.application.schedule import Schedule
from shared.domain.conversation.messages import Message, move_message
from shared.domain.errors import Contention, UnstorableDocument
from shared.domain.intake.updates import ChatInfo

PAGE = 100
"""Messages stored at once: far under the batch's limit, and under a megabyte of long texts."""

_PATIENCE = 50
"""Rounds without anything getting less, after which the rest is left to the queue."""

_AHEAD = timedelta(days=1)
"""The most that a time is ahead of our clock: an old export's times are local ones, and no zone is further ahead."""

TOO_OLD = "older than messages are kept"
"""The reason to skip a message that no retention would keep."""


class Sifted(NamedTuple):
    """Messages of a file, sorted into those to store, those known and those skipped.

    Attributes:
        state: The chat under which they belong now.
        new: To be stored, under the ids that they have now.
        known: How many are stored already.
        skipped: How many are not to be stored, by reason.
    """

    state: ChatState
    new: list[Message]
    known: int
    skipped: Counter[str]


class Stored(NamedTuple):
    """The numbers of messages created and of those that somebody else created meanwhile; ids and reasons of what no
    store takes."""

    created: int
    known: int
    failed: list[tuple[int, str]]


class Left(NamedTuple):
    """The work still to do: messages without a chunk, and chunks that wait for the model."""

    messages: int
    chunks: int


class BackfillResult(NamedTuple):
    """The result of a backfill: chunks made, changes of facts by kind, and what is left."""

    chunks: int
    changes: Counter[str]
    left: Left


async def open_chat(clock: Clock, chats: Chats, info: ChatInfo, *, admins: frozenset[int] | None) -> ChatState:
    """The chat under which messages are stored; made when it is not known, else left as it is.

    Args:
        admins: Who may lay down rules, besides those known; None leaves it to Telegram's word.
    """
    state = await chats.current(info.chat_id, fresh=True)
    if not state.known:
        await chats.introduce(state, info._replace(chat_id=state.chat_id), at=clock.now())
    if admins is not None and (state.admins_checked_at is None or not admins <= state.admins):
        known = chat_fields(admins=state.admins | admins, admins_checked_at=clock.now())
        await chats.change(state.chat_id, known)
    return await chats.state(state.chat_id, fresh=True)


async def sift_messages(app: App, chat_id: int, messages: Sequence[Message], *, since: datetime) -> Sifted:
    """Return what of a page of messages is to be stored; costs four reads a message at most.

    Args:
        chat_id: Of the chat as the messages name it; it may have gone on under another id.
        since: What is older is skipped.
    """
    state = await app.chats.current(chat_id)
    skipped, latest = Counter[str](), app.clock.now() + _AHEAD
    kept: dict[int, Message] = {}
    for message in messages:
        reason = _reason_unwanted(state, message, since, latest)
        if reason is not None:
            skipped[reason] += 1
        else:
            kept.setdefault(message.message_id, message)
    placed = {move_message(message, state.chat_id).message_id: message for message in kept.values()}
    there = await app.store.get_many([message_path(state.chat_id, message_id) for message_id in placed])
    absent = [m for m, document in zip(placed.values(), there, strict=True) if document is None]
    gone = await _find_forgotten(app.store, state, absent)
    new = [move_message(message, state.chat_id) for message in absent if message.message_id not in gone]
    skipped["forgotten for good"] += len(absent) - len(new)
    return Sifted(state, new, len(messages) - skipped.total() - len(new), +skipped)


def _reason_unwanted(state: ChatState, message: Message, since: datetime, latest: datetime) -> str | None:
    if keepable(state, message) is None:
        return "of a member who opted out"
    if message.sent_at > latest:  # forgetting its author would bar them until then
        return "dated in the future"
    return TOO_OLD if message.sent_at < since else None


async def _find_forgotten(store: DocumentStore, state: ChatState, messages: Sequence[Message]) -> set[int]:
    """Those that were forgotten under the id that they had or the one they have now; ids as in `messages`."""
    gone = await find_forgotten(store, messages)
    moved = {move_message(m, state.chat_id).message_id: m.message_id for m in messages if m.chat_id != state.chat_id}
    if moved:
        now = await find_forgotten(store, [move_message(m, state.chat_id) for m in messages])
        gone |= {moved[message_id] for message_id in now}
    return gone


async def store_messages(app: App, state: ChatState, new: Sequence[Message]) -> Stored:
    """Create the messages' documents, all at once; one by one when there is one among them that no store takes.

    Raises:
        Contention: Something was forgotten, or somebody opted out, since the messages were sifted: sift them again.
    """
    now, is_private = app.clock.now(), state.is_private(by_default=app.policy.private_mode)
    kept_for = state.retention(app.policy.retention)
    # What the webhook would have written on the day: received when it was sent, so that a chat whose talk is old counts
    # as idle, and the message goes when the same one that came by the webhook would.
    stored = {
        message_path(state.chat_id, each.message_id): new_message(
            each, now=min(each.sent_at, now), retention=kept_for, is_private=is_private
        )
        for each in new
    }
    try:
        created = await _create(app.store, state, stored)
    except UnstorableDocument:
        return await _store_one_by_one(app.store, state, stored)
    return Stored(created, len(stored) - created, [])


async def _create(store: DocumentStore, state: ChatState, stored: Mapping[str, StoredMessage]) -> int:
    """Create what is not there, in one transaction with the look at what the chat allows; how many."""

    async def create(tx: Transaction) -> int | None:
        if not await consent_holds(tx, state):
            return None
        there = await tx.get_many(list(stored))
        absent = [path for path, document in zip(stored, there, strict=True) if document is None]
        for path in absent:
            tx.write(Set(path, message_fields(stored[path])))
        return len(absent)

    created = await store.transaction(create)
    if created is None:
        raise Contention(f"what chat {state.chat_id} allows has changed meanwhile; run it again")
    return created


async def _store_one_by_one(store: DocumentStore, state: ChatState, stored: Mapping[str, StoredMessage]) -> Stored:
    created, failed = 0, list[tuple[int, str]]()
    for path, each in stored.items():
        try:
            created += await _create(store, state, {path: each})
        except UnstorableDocument as error:
            failed.append((each.message.message_id, str(error)))
    return Stored(created, len(stored) - created - len(failed), failed)


class _ExtractionHold:
    """A queue that keeps extraction tasks back, for they are run here; others pass."""

    def __init__(self, queue: TaskQueue) -> None:
        self._queue = queue
        self.tasks: list[Task] = []

    async def enqueue(self, task: Task) -> bool:
        if task.target != "/extract":
            return await self._queue.enqueue(task)
        self.tasks.append(task)
        return True

    async def backlog(self, now: datetime, *, limit: int = 1_000) -> Backlog:
        return await self._queue.backlog(now, limit=limit)

    async def aclose(self) -> None:
        await self._queue.aclose()


async def learn_all(
    app: App, chat_id: int, tell: Callable[[Left], None], *, extract: Extract = extract_chat
) -> BackfillResult:
    """Extract everything that waits in a chat, and have chunks that wait for the model made again, as far as the
    day's budget goes. What is due later is left to the queue.

    Args:
        tell: Called with what is left, again and again.

    Raises:
        TransientError: Run it again; what was done is not done twice.
    """
    held = _ExtractionHold(app.queue)
    at_once = app.policy._replace(reading_wait=timedelta())
    here = replace(app, queue=held, schedule=Schedule(held, app.clock, at_once), policy=at_once)
    chunks, changes, patience = 0, Counter[str](), _PATIENCE
    before = left = await what_is_left(app, chat_id)
    while True:
        tell(left)
        held.tasks.clear()
        done = await extract(here, chat_id)
        chunks += done.chunks
        changes.update(change.kind for change in done.changes)
        before, left = left, await what_is_left(app, chat_id)
        less = sum(left) < sum(before)
        patience = _PATIENCE if less else patience - 1
        if not (less or done.more) or patience == 0:
            break
    for task in held.tasks:
        await app.queue.enqueue(task)
    return BackfillResult(chunks, changes, left)


async def what_is_left(app: App, chat_id: int) -> Left:
    """Return what is still to do in a chat; without a model, nothing waits for one."""
    state = await app.chats.state(chat_id)
    chat_id = state.migrated_to or chat_id
    messages = await app.store.count(messages_path(chat_id), where=[UNREAD])
    if app.model is None:
        return Left(messages, 0)
    return Left(messages, await app.store.count(chunks_path(chat_id), where=[MODEL_PENDING]))
