"""Forgetting once more what a backup brought back: a store is walked against its tombstones, chat by chat.

A tombstone holds hashes, so everybody and every message that a chat names is asked about: whose mark is there, of them
goes all that is as old as the mark, with everything that was made of it, as when it was forgotten first. Costs a read
a document, and one for each member and message that is named; memory grows with these. Repeats harmlessly: what is gone
is not named any more.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.conversation.tombstones import chat_tombstone, member_tombstone, message_tombstone
from shared.application.documents import chat_path
from shared.application.forgetting.forget import forget_chat, forget_member, forget_messages
from shared.application.forgetting.traces.scope import references
from shared.application.ports.store import Document, DocumentStore
from shared.application.recall.head import segment_of
from shared.domain.conversation.messages import Message
from shared.domain.recall.index.segment import SegmentUnreadable

log = logging.getLogger(__name__)

_PAGE = 100
_AT_ONCE = 300
_LISTS = ("message_ids", "evidence_message_ids")
_NOTES = ("chunks", "episodes")
_PEOPLE = ("people", "speakers", "user_ids", "supporters", "reacted_by", "origin_ids")
_TIMES = ("sent_at", "at", "last_at", "made_at", "last_seen_at", "updated_at", "last_reinforced_at")


_LONG_AGO = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
"""Of what is named without a time."""


class Forgotten(NamedTuple):
    """What of a chat was forgotten once more.

    Attributes:
        counts: What went, by kind; empty when nothing had come back.
    """

    chat_id: int
    counts: Mapping[str, int]


async def forget_restored(app: App, *, after: int | None = None) -> AsyncIterator[Forgotten]:
    """Forget in every chat what its tombstones say, and yield what went, a chat at a time.

    Args:
        after: Of an interrupted run the last chat that it was through with: the next one goes on there.

    Raises:
        ObjectLocked: The archive keeps objects of a chat; everything else of it is done.
        TransientError: Run it again, after the last chat that it was through with.
    """
    last = None if after is None else Document(chat_path(after), {})
    while page := await app.store.query("chats", limit=_PAGE, after=last):
        last = page[-1]
        for document in page:
            yield Forgotten(int(document.id), await forget_restored_in(app, int(document.id)))


async def forget_restored_in(app: App, chat_id: int) -> Mapping[str, int]:
    """The same for one chat; what went, by kind.

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
    """Whom and which messages a chat's documents name.

    Attributes:
        people: Each with the oldest instant beside which they are named.
        messages: Ids, but for those that only summaries name: one that was made again keeps the ids of what is gone.
        said: Ids of stored messages with when they were sent.
        is_any_there: Whether there is a document at all, the chat's own among them.
        latest: The latest instant that one of them tells of.
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
        own = _instant(data, None)
        self.latest = max(self.latest, own or _LONG_AGO)
        for each in references(data):
            self._add_person(each.get("user_id"), _instant(each, own))
            self._add_messages([each.get("message_id")])
        for name in _PEOPLE:
            for user_id in data.get(name) or ():
                self._add_person(user_id, own)
        if (subject := str(data.get("subject"))).startswith("user:"):
            self._add_person(int(subject.removeprefix("user:")), own)
        for name in _LISTS if document.path.split("/")[2] not in _NOTES else ():
            self._add_messages(data.get(name) or ())
        if document.path.split("/")[2:-1] == ["messages"]:
            self.said[data["message_id"]] = data["sent_at"]
        for message in _messages_in_segment(document):
            self._add_person(message.user_id, message.sent_at)
            self._add_messages([message.message_id])

    def _add_person(self, user_id: Any, at: datetime | None) -> None:
        if isinstance(user_id, int):
            oldest = _LONG_AGO if at is None else at
            self.people[user_id] = min(oldest, self.people.get(user_id, oldest))

    def _add_messages(self, ids: Iterable[Any]) -> None:
        self.messages |= {each for each in ids if isinstance(each, int)}


def _messages_in_segment(document: Document) -> Sequence[Message]:
    """The messages in a segment of the index."""
    if "payload" not in document.data:
        return ()
    try:
        return segment_of(document)[0].messages()
    except SegmentUnreadable:
        return ()


def _instant(fields: Mapping[str, Any], otherwise: datetime | None) -> datetime | None:
    times = (fields.get(name) for name in _TIMES)
    return next((at for at in times if isinstance(at, datetime)), otherwise)


async def _named_in(store: DocumentStore, chat_id: int) -> _NamedMembers:
    named = _NamedMembers()
    chat = await store.get(chat_path(chat_id))
    if chat is not None and not chat.data.get("forgotten"):
        named.is_any_there = True
        named.latest = chat.data.get("first_seen_at") or named.latest
    async for document in store.subtree(chat_path(chat_id)):
        named.add(document)
    return named


async def _messages(store: DocumentStore, chat_id: int, named: _NamedMembers, whole: datetime | None) -> set[int]:
    """Messages that were forgotten by themselves, and all that are older than a forgetting of the whole chat."""
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
    """Those tombstones that are there, and until when they hold."""
    wanted, found = list(paths), dict[str, datetime]()
    for start in range(0, len(wanted), _AT_ONCE):
        for document in await store.get_many(wanted[start : start + _AT_ONCE]):
            if document is not None:
                found[document.path] = document.data["until"]
    return found
