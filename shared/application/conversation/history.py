"""The talk before and after a message: stretches of a chat's messages in order."""

from typing import NamedTuple

from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import NEWEST_FIRST, in_topic
from shared.application.conversation.message_queries import after as id_above
from shared.application.conversation.message_queries import before as id_below
from shared.application.documents import messages_path
from shared.application.ports.store import DocumentStore
from shared.domain.conversation.messages import Message


class Topic(NamedTuple):
    """A topic of a forum; `thread_id` None is the general one."""

    thread_id: int | None


async def newest_messages(
    store: DocumentStore,
    chat_id: int,
    *,
    before: int | None = None,
    after: int | None = None,
    limit: int,
    topic: Topic | None = None,
) -> list[Message]:
    """The last `limit` messages before one, or after one (of a topic, when one is given), oldest first."""
    where = [*([id_below(before)] if before is not None else []), *([id_above(after)] if after is not None else [])]
    if topic is not None:
        where.append(in_topic(topic.thread_id))
    found = await store.query(messages_path(chat_id), where=where, order_by=[NEWEST_FIRST], limit=limit)
    return [read_message(document).message for document in reversed(found)]
