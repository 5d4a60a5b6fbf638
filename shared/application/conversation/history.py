"""What was said before and after: stretches of a chat's messages in order."""

from __future__ import annotations

from typing import NamedTuple

from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import NEWEST_FIRST, after, before, in_topic
from shared.application.documents import messages_path
from shared.application.ports.store import DocumentStore, Filter
from shared.domain.conversation.messages import Message


class Topic(NamedTuple):
    """A topic of a forum; `thread_id` None is the general one."""

    thread_id: int | None


async def messages_before(
    store: DocumentStore, chat_id: int, message_id: int, *, limit: int, topic: Topic | None = None
) -> list[Message]:
    """The last `limit` messages before one (of a topic, when one is given), oldest first."""
    return await _newest(store, chat_id, before(message_id), limit, topic)


async def messages_after(
    store: DocumentStore, chat_id: int, message_id: int, *, limit: int, topic: Topic | None = None
) -> list[Message]:
    """The last `limit` messages of those after one (of a topic, when one is given), oldest first."""
    return await _newest(store, chat_id, after(message_id), limit, topic)


async def _newest(
    store: DocumentStore, chat_id: int, condition: Filter, limit: int, topic: Topic | None
) -> list[Message]:
    where = [condition]
    if topic is not None:
        where.append(in_topic(topic.thread_id))
    found = await store.query(messages_path(chat_id), where=where, order_by=[NEWEST_FIRST], limit=limit)
    return [read_message(document).message for document in reversed(found)]
