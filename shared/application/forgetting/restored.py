"""Forgets once more what came back: by a race or an import (`forget_again`), or by a backup (`forget_restored`).

After a backup the tombstones in the store tell what it is. A tombstone is found by a hash, so everybody and every
message that a chat names is looked up: of whoever has one, all that is as old as the tombstone goes, with everything
that was made of it, as when it was forgotten first. That costs a read a document, and one for each member and message
that is named; memory grows with these. Idempotent: what is gone is not named any more.
"""

import logging
from collections import Counter
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from shared.application.answering.answer_codec import made_between
from shared.application.app import App
from shared.application.bulk import delete_all, each_document
from shared.application.chats.chat_codec import read_chat
from shared.application.conversation.message_codec import StoredMessage, read_message
from shared.application.conversation.message_queries import BY_RECEIVED_AT, filter_sent_for, received_since, sent_until
from shared.application.conversation.tombstones import (
    chat_tombstone,
    find_forgotten,
    member_tombstone,
    message_tombstone,
    read_ends,
)
from shared.application.delivery.lease import memory_of
from shared.application.delivery.ledger_codec import LONGEST
from shared.application.documents import chat_path, messages_path
from shared.application.forgetting.forget import forget_chat, forget_member, forget_messages
from shared.application.forgetting.traces.scope import (
    collection_of,
    instant_of,
    messages_listed,
    people_listed,
    references,
    segment_in,
)
from shared.application.ports.store import Document, DocumentStore

log = logging.getLogger(__name__)

_NOTES = ("chunks", "episodes")

_LONG_AGO = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
"""The instant of what is named without one."""


class Forgotten(NamedTuple):
    """The amount of a chat that was forgotten once more.

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
    """Do what `forget_restored` does in one chat, and return what went, by kind."""
    named = await _find_named(app.store, chat_id)
    whole = (await read_ends(app.store, [chat_tombstone(chat_id)])).get(chat_tombstone(chat_id))
    if whole is not None and named.latest <= whole:
        return await forget_chat(app, chat_id) if named.is_any_there else {}
    counts = Counter[str]()
    # The messages that were forgotten singly, and all that are older than a forgetting of the whole chat.
    paths = {message_tombstone(chat_id, each): each for each in sorted(named.messages)}
    gone = {paths[path] for path in await read_ends(app.store, paths)}
    gone |= {each for each, at in named.said.items() if whole is not None and at <= whole}
    if gone:
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
        segment = segment_in(document)
        for message in () if segment is None else segment.messages():
            self._add(message.user_id, message.message_id, message.sent_at)

    def _add(self, user_id: int | None, message_id: int | None, at: datetime | None) -> None:
        if isinstance(user_id, int):
            oldest = _LONG_AGO if at is None else at
            self.people[user_id] = min(oldest, self.people.get(user_id, oldest))
        if isinstance(message_id, int):
            self.messages.add(message_id)


async def _find_named(store: DocumentStore, chat_id: int) -> _NamedMembers:
    named = _NamedMembers()
    chat = read_chat(chat_id, await store.get(chat_path(chat_id)))
    if chat.known:
        named.is_any_there = True
        named.latest = chat.first_seen_at or named.latest
    async for document in store.subtree(chat_path(chat_id)):
        named.add(document)
    return named


async def _members(
    store: DocumentStore, chat_id: int, named: _NamedMembers, whole: datetime | None
) -> dict[int, datetime]:
    """Return who was forgotten, and until when, of whom something as old as that is there."""
    paths = {member_tombstone(chat_id, each): each for each in sorted(named.people)}
    found = {paths[path]: until for path, until in (await read_ends(store, paths)).items()}
    if whole is not None:
        found = {each: max(whole, found.get(each, whole)) for each in named.people}
    return {each: until for each, until in sorted(found.items()) if named.people[each] <= until}


_BEFORE = timedelta(minutes=5)
"""Clocks of instances differ by less."""

_AT_ONCE = 300


async def forget_again(app: App, chat_id: int, at: datetime) -> int:
    """Forget what was stored since something was forgotten and should not be; return how many messages that were.

    Those are messages with a tombstone, and what the bot said while something was being forgotten.

    Args:
        at: When something was forgotten last; what was stored some minutes before is looked at, too, as clocks differ.
    """
    erased_at = (await memory_of(app.store, chat_id)).erased_at  # the task may come late, or again
    ended = max(at, erased_at or at)
    await _forget_what_was_given(app.store, chat_id, at, ended)
    gone: dict[int, int] = {}
    page: list[StoredMessage] = []
    where = [received_since(at - _BEFORE)]
    async for document in each_document(app.store, messages_path(chat_id), where=where, order_by=[BY_RECEIVED_AT]):
        page.append(read_message(document))
        if len(page) == _AT_ONCE:
            gone |= await _find_forgotten(app.store, page, at, ended)
            page = []
    gone |= await _find_forgotten(app.store, page, at, ended)
    if gone:
        await forget_messages(app, chat_id, gone)
        await _forget_members(app, chat_id, {*gone.values()} - {app.policy.bot_id})
    return len(gone)


async def _forget_what_was_given(store: DocumentStore, chat_id: int, at: datetime, ended: datetime) -> None:
    """Delete what those answers were made from that were under way while something was forgotten, sent or not.

    Of answers that were sent before, the forgetting itself judged what they were made from.
    """
    found = await store.query(f"{chat_path(chat_id)}/answers", where=made_between(at - LONGEST, ended + LONGEST))
    gone = []
    for sources in found:
        said = [await store.query(messages_path(chat_id), where=[each]) for each in filter_sent_for(sources.id)]
        if not any(read_message(document).received_at <= at for found in said for document in found):
            gone.append(sources.path)
    await delete_all(store, gone)


async def forget_leftovers(store: DocumentStore, chat_id: int) -> int:
    """Delete what came into a chat that was forgotten as a whole and is not known anew; return how many documents.

    What was said since the forgetting is the beginning of a new memory and stays.
    """
    held = await read_ends(store, [chat_tombstone(chat_id)])
    if not held or read_chat(chat_id, await store.get(chat_path(chat_id))).known:
        return 0
    late = [sent_until(*held.values())]
    gone = await delete_all(store, [d.path for d in await store.query(messages_path(chat_id), where=late)])
    if await store.query(messages_path(chat_id), limit=1):
        return gone
    made = [d.path async for d in store.subtree(chat_path(chat_id)) if collection_of(d) != "messages"]
    return gone + await delete_all(store, made)


async def _find_forgotten(
    store: DocumentStore, page: Collection[StoredMessage], at: datetime, ended: datetime
) -> dict[int, int]:
    """Return the ids of messages that must go, with those of their authors."""
    old = [stored.message for stored in page if stored.message.sent_at <= at]
    # What the bot said in answer to what it still knew.
    meanwhile = {s.message.message_id for s in page if s.message.is_bot and at < s.received_at <= ended + LONGEST}
    gone = meanwhile | (await find_forgotten(store, old) if old else set())
    return {s.message.message_id: s.message.user_id for s in page if s.message.message_id in gone}


async def _forget_members(app: App, chat_id: int, user_ids: Collection[int]) -> None:
    """Forget again what tasks may have noted of those whose messages came back, alone or with the whole chat."""
    members, whole = {each: member_tombstone(chat_id, each) for each in user_ids}, chat_tombstone(chat_id)
    held = await read_ends(app.store, [*members.values(), whole])
    for user_id, path in members.items():
        if until := max((held[each] for each in (path, whole) if each in held), default=None):
            await forget_member(app, chat_id, user_id, until=until)
