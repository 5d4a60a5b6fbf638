"""Forgets once more what a backup brought back, by the tombstones in the store, chat by chat.

A tombstone is found by a hash, so everybody and every message that a chat names is looked up: of whoever has one, all
that is as old as the tombstone goes, with everything that was made of it, as when it was forgotten first. That costs a
read a document, and one for each member and message that is named; memory grows with these. Idempotent: what is gone is
not named any more.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import read_chat
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.tombstone_codec import read_tombstone
from shared.application.conversation.tombstones import chat_tombstone, member_tombstone, message_tombstone
from shared.application.documents import chat_path
from shared.application.forgetting.bulk import each_document
from shared.application.forgetting.forget import forget_member, forget_messages
from shared.application.forgetting.traces.walk import (
    collection_of,
    instant_of,
    messages_listed,
    people_listed,
    references,
)
from shared.application.forgetting.whole_chat import forget_chat
from shared.application.ports.store import Document, DocumentStore
from shared.application.recall.head_codec import segment_of
from shared.domain.conversation.messages import Message
from shared.domain.recall.index.segment import SegmentUnreadable

log = logging.getLogger(__name__)

_AT_ONCE = 300
_NOTES = ("chunks", "episodes")

_LONG_AGO = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
"""The instant of what is named without one."""


class Forgotten(NamedTuple):
    """How much of a chat was forgotten once more.

    Attributes:
        counts: What went, by kind; empty when nothing had come back.
    """

    chat_id: int
    counts: Mapping[str, int]


async def forget_restored(app: App, *, after: int | None = None) -> AsyncIterator[Forgotten]:
    """Forget in every chat what the tombstones say, and yield what went, a chat at a time.

    Args:
        after: The last chat with which an interrupted run was through: this run goes on after it.

    Raises:
        ObjectLocked: The archive keeps objects of a chat; everything else of it is done.
        TransientError: Run it again, after the last chat with which it was through.
    """
    last = None if after is None else Document(chat_path(after), {})
    async for document in each_document(app.store, "chats", after=last):
        yield Forgotten(int(document.id), await forget_restored_in(app, int(document.id)))


async def forget_restored_in(app: App, chat_id: int) -> Mapping[str, int]:
    """Forget in one chat what the tombstones say, and return what went, by kind.

    Raises:
        ObjectLocked, TransientError: As `forget_restored`.
    """
    named = await _named_in(app.store, chat_id)
    marks = await _marks(app.store, [chat_tombstone(chat_id)])
    whole = marks.get(chat_tombstone(chat_id))
    if whole is not None and named.latest <= whole:
        return await forget_chat(app, chat_id) if named.is_any_there else {}
    counts = Counter[str]()
    if gone := await _messages(app.store, chat_id, named, whole):
        counts.update(await forget_messages(app, chat_id, gone))
    for user_id, until in (await _members(app.store, chat_id, named, whole)).items():
        counts.update(await forget_member(app, chat_id, user_id, until=until))
    log.info("forgot once more messages=%d", len(gone))
    return {name: count for name, count in counts.items() if count}


@dataclass(slots=True)
class _NamedMembers:
    """The members and messages that a chat's documents name.

    Attributes:
        people: Ids of members, each with the oldest instant beside which they are named.
        messages: Ids of messages, but for those that only summaries name: a summary that was made again keeps the ids
            of what is gone.
        said: Ids of stored messages, with when they were sent.
        is_any_there: Whether there is a document at all, the chat's own among them.
        latest: The latest instant that any of them tells.
    """

    people: dict[int, datetime] = field(default_factory=dict)
    messages: set[int] = field(default_factory=set)
    said: dict[int, datetime] = field(default_factory=dict)
    is_any_there: bool = False
    latest: datetime = _LONG_AGO

    def add(self, document: Document) -> None:
        """Take note of a document."""
        data = document.data
        self.is_any_there = True
        own = instant_of(data)
        self.latest = max(self.latest, own or _LONG_AGO)
        for each in references(data):
            self._add(each.user_id, each.message_id, instant_of(each.fields) or own)
        for user_id in people_listed(data):
            self._add(user_id, None, own)
        if (kind := collection_of(document)) not in _NOTES:
            self.messages.update(messages_listed(data))
        if kind == "messages":
            said = read_message(document).message
            self.said[said.message_id] = said.sent_at
        for message in _messages_in_segment(document):
            self._add(message.user_id, message.message_id, message.sent_at)

    def _add(self, user_id: int | None, message_id: int | None, at: datetime | None) -> None:
        if isinstance(user_id, int):
            oldest = _LONG_AGO if at is None else at
            self.people[user_id] = min(oldest, self.people.get(user_id, oldest))
        if isinstance(message_id, int):
            self.messages.add(message_id)


def _messages_in_segment(document: Document) -> Sequence[Message]:
    """Return the messages in a segment of the index; of any other document none."""
    if "payload" not in document.data:
        return ()
    try:
        return segment_of(document)[0].messages()
    except SegmentUnreadable:
        return ()


async def _named_in(store: DocumentStore, chat_id: int) -> _NamedMembers:
    named = _NamedMembers()
    chat = read_chat(chat_id, await store.get(chat_path(chat_id)))
    if chat.known:
        named.is_any_there = True
        named.latest = chat.first_seen_at or named.latest
    async for document in store.subtree(chat_path(chat_id)):
        named.add(document)
    return named


async def _messages(store: DocumentStore, chat_id: int, named: _NamedMembers, whole: datetime | None) -> set[int]:
    """Return the messages that were forgotten singly, and all that are older than a forgetting of the whole chat."""
    paths = {message_tombstone(chat_id, each): each for each in sorted(named.messages)}
    gone = {paths[path] for path in await _marks(store, paths)}
    return gone | {each for each, at in named.said.items() if whole is not None and at <= whole}


async def _members(
    store: DocumentStore, chat_id: int, named: _NamedMembers, whole: datetime | None
) -> dict[int, datetime]:
    """Return who was forgotten, and until when, of whom something as old as that is there."""
    paths = {member_tombstone(chat_id, each): each for each in sorted(named.people)}
    found = {paths[path]: until for path, until in (await _marks(store, paths)).items()}
    if whole is not None:
        found = {each: max(whole, found.get(each, whole)) for each in named.people}
    return {each: until for each, until in sorted(found.items()) if named.people[each] <= until}


async def _marks(store: DocumentStore, paths: Iterable[str]) -> dict[str, datetime]:
    """Return those of the tombstones that are there, with until when they hold."""
    wanted, found = list(paths), dict[str, datetime]()
    for start in range(0, len(wanted), _AT_ONCE):
        for document in await store.get_many(wanted[start : start + _AT_ONCE]):
            if document is not None:
                found[document.path] = read_tombstone(document).until
    return found
