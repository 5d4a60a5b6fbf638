"""Finds what a forgetting is about: whose words, which messages, under which ids of the chat."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from shared.application.chats.chat_codec import read_chat
from shared.application.conversation.message_codec import StoredMessage, read_message
from shared.application.conversation.message_queries import by_author
from shared.application.documents import chat_path, member_path, message_path, messages_path
from shared.application.forgetting.traces.retelling import names_of
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.application.forgetting.traces.survey import is_echo
from shared.application.people.member_codec import read_member
from shared.application.ports.store import Document, DocumentStore
from shared.application.ports.system import Clock
from shared.domain.conversation.messages import migrated_message_id, name_mark


class Meant(NamedTuple):
    """What a forgetting is about.

    Attributes:
        said: The messages that are stored of it, by path.
        names: What the member is called.
    """

    scope: Scope
    said: Mapping[str, StoredMessage]
    names: ForgottenWords

    def words(self) -> ForgottenWords:
        """Return what was said in the messages; words that others say as well are still among it."""
        own = (stored.message for stored in self.said.values() if not is_echo(stored.message))
        return ForgottenWords(text for message in own for text in (message.text, message.media_text or ""))


async def member_meant(
    store: DocumentStore, clock: Clock, chat_id: int, user_id: int, *, until: datetime | None = None
) -> Meant:
    """Find a member's words until an instant, by default now.

    What a chat said under its old id is found as far as it has moved.
    """
    *_, chat_id = await chat_ids(store, chat_id)
    stored = _read(await store.query(messages_path(chat_id), where=[by_author(user_id)]))
    until = until or latest(clock, stored.values())
    said = {path: each for path, each in stored.items() if each.message.sent_at <= until}
    member = await store.get(member_path(chat_id, user_id))
    known = None if member is None else read_member(member)
    names = frozenset().union(*names_of((each.message for each in said.values()), known))
    said_ids = frozenset(each.message.message_id for each in said.values())
    scope = Scope(chat_id, user_id, said_ids, until, frozenset({user_id}), frozenset(map(name_mark, names)))
    return Meant(scope, said, ForgottenWords(names, shortest=2))


async def messages_meant(store: DocumentStore, clock: Clock, chat_id: int, message_ids: Collection[int]) -> Meant:
    """Find single messages, stored or not.

    Args:
        chat_id: When it is the id that the chat had before it became a supergroup, the messages' ids are those of then.
    """
    *_, current = await chat_ids(store, chat_id)
    if current != chat_id:
        message_ids, chat_id = [migrated_message_id(each) for each in message_ids], current
    paths = [message_path(chat_id, message_id) for message_id in sorted(set(message_ids))]
    said = _read(document for document in await store.get_many(paths) if document is not None)
    scope = Scope(chat_id, None, frozenset(message_ids), latest(clock, said.values()))
    return Meant(scope, said, ForgottenWords())


def latest(clock: Clock, said: Iterable[StoredMessage]) -> datetime:
    """Return now, or when the latest of the messages was sent: Telegram's clock may be ahead of ours."""
    return max([clock.now(), *(each.message.sent_at for each in said)])


def _read(documents: Iterable[Document]) -> dict[str, StoredMessage]:
    return {document.path: read_message(document) for document in documents}


async def chat_ids(store: DocumentStore, chat_id: int) -> list[int]:
    """Return the ids of a chat by one of them: the one from before it became a supergroup, if any, then the present."""
    document = await store.get(chat_path(chat_id))
    current = read_chat(chat_id, document).migrated_to or chat_id
    document = document if current == chat_id else await store.get(chat_path(current))
    before = read_chat(current, document).migrated_from
    # One that does not point here (yet) is a chat of its own.
    points = before is not None and read_chat(before, await store.get(chat_path(before))).migrated_to == current
    old = before if points else chat_id if current != chat_id else None
    return [current] if old is None else [old, current]
