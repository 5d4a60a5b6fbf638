"""The talk before and after a message: stretches of a chat's messages in order."""

from collections.abc import Sequence
from typing import NamedTuple

from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.message_codec import moved_message
from shared.application.conversation.message_queries import NEWEST_FIRST
from shared.application.conversation.message_queries import after as id_above
from shared.application.conversation.message_queries import before as id_below
from shared.application.documents import messages_path
from shared.application.ports.store import Document, DocumentStore, Filter
from shared.application.ports.system import Clock
from shared.domain.conversation.messages import migrated_message_id


class Topic(NamedTuple):
    """A topic of a forum; `thread_id` None is the general one."""

    thread_id: int | None


async def newest_messages(
    store: DocumentStore,
    clock: Clock,
    state: ChatState,
    *,
    before: int | None = None,
    after: int | None = None,
    limit: int,
    where: Sequence[Filter] = (),
) -> list[Document]:
    """The last `limit` messages before one, or after one, newest first. Those that still lie under the old id of a
    group that moves are among them, as they will be here: read first, so that none moves past the reader."""
    found, before_it = dict[str, Document](), state.moves_from(clock.now())
    for chat_id in (state.chat_id,) if before_it is None else (before_it, state.chat_id):
        is_here = chat_id == state.chat_id
        shift = 0 if is_here else migrated_message_id(0)
        bounds = [] if before is None else [id_below(before - shift)]
        bounds += [] if after is None else [id_above(after - shift)]
        said = await store.query(messages_path(chat_id), where=[*where, *bounds], order_by=[NEWEST_FIRST], limit=limit)
        found |= {each.path: each for each in (d if is_here else moved_message(d, state.chat_id) for d in said)}
    return sorted(found.values(), key=lambda each: -int(each.id))[:limit]
