"""Finds out by a few queries whether only commands are stored of somebody: then forgetting need not read the chat.

Whoever said something that was extracted has a member's document, which only forgetting deletes. Everybody else can
occur only in what is queried here: messages, summaries for which a command of theirs was read, facts that lean on a
word or a vote of theirs, reactions, quotes of theirs by others, what the bot said with them in view, what they spent,
and bodies of updates that failed. An erasure that was interrupted may have left less than that, so an erasure under way
is noted until its end (`begin_forgetting`).
"""

import asyncio
import hashlib
from collections.abc import Mapping
from datetime import timedelta

from shared.application.conversation.message_codec import ChunkState, read_message
from shared.application.conversation.message_queries import by_author, replies_to
from shared.application.conversation.reply_codec import reacted_to_by
from shared.application.delivery.ledger_codec import done_with_update, update_path
from shared.application.documents import chat_path, facts_path, member_path, messages_path
from shared.application.facts.codec import with_a_word_of
from shared.application.forgetting.traces.scope import Scope
from shared.application.ports.store import DocumentStore, Filter
from shared.application.ports.system import Clock
from shared.application.recall.note_codec import NOTE_KINDS, notes_path
from shared.application.recall.note_queries import spoken_by
from shared.application.spending.usage_codec import spent_by
from shared.domain.conversation.messages import SCHEMA, Message

MOST_COMMANDS = 3
"""The most commands to be found by queries, in twenty reads; of somebody with more, everything is searched."""

_MOST_REPLIES = 3

_BEGUN = timedelta(days=30)
"""The time for which it is noted: far longer than any queue tries."""


async def begin_forgetting(store: DocumentStore, clock: Clock, chat_id: int, user_id: int) -> None:
    """Note that somebody is being erased: a run after a crash must not take the little that is left for nothing."""
    begun = {"schema": SCHEMA, **done_with_update("forgetting"), "expire_at": clock.now() + _BEGUN}
    await store.create(_begun_path(chat_id, user_id), begun)


async def end_forgetting(store: DocumentStore, chat_id: int, user_id: int) -> None:
    """Note that all of somebody is erased, in the archive as well."""
    await store.delete(_begun_path(chat_id, user_id))


def _begun_path(chat_id: int, user_id: int) -> str:
    return update_path("erasing-" + hashlib.sha256(f"{chat_id}|{user_id}".encode()).hexdigest()[:32])


async def only_commands(store: DocumentStore, scope: Scope) -> Mapping[str, Message] | None:
    """Return a member's commands and the bot's replies to them by path, or None when anything else is stored of them.

    Costs at most 18 reads.
    """
    user_id, messages = scope.user_id, messages_path(scope.chat_id)
    if user_id is None:
        return None
    said = await store.query(messages, where=[by_author(user_id)], limit=MOST_COMMANDS + 1)
    if await store.get(_begun_path(scope.chat_id, user_id)) is not None:
        return None
    commands = {document.path: read_message(document) for document in said}
    unread = (ChunkState.UNREAD, ChunkState.PRIVATE)
    are_new = all(each.message.kind == "command" and each.chunk_state in unread for each in commands.values())
    if len(said) > MOST_COMMANDS or not are_new:
        return None
    if await store.get(member_path(scope.chat_id, user_id)) is not None or await _is_anywhere(store, scope, user_id):
        return None
    asked = [[replies_to(each.message.message_id)] for each in commands.values()]
    pages = await asyncio.gather(*(store.query(messages, where=where, limit=_MOST_REPLIES) for where in asked))
    replies = {document.path: read_message(document) for page in pages for document in page}
    silent = all(len(page) < _MOST_REPLIES for page in pages) and all(each.message.is_bot for each in replies.values())
    found = commands | replies
    if not silent or any(each.answer_ids for each in found.values()):
        return None
    return {path: each.message for path, each in found.items()}


async def _is_anywhere(store: DocumentStore, scope: Scope, user_id: int) -> bool:
    chat, messages = chat_path(scope.chat_id), messages_path(scope.chat_id)
    places = [
        *((notes_path(scope.chat_id, kind), spoken_by(user_id)) for kind in NOTE_KINDS),
        (facts_path(scope.chat_id), with_a_word_of(user_id)),
        (messages, Filter("people", "array_contains", user_id)),
        (messages, reacted_to_by(user_id)),
        (messages, Filter("origin_ids", "array_contains", user_id)),
        (f"{chat}/answers", Filter("people", "array_contains", user_id)),
        (f"{chat}/spending", spent_by(user_id)),
        ("dead_letters", Filter("people", "array_contains", user_id)),
    ]
    return any(await asyncio.gather(*(store.query(path, where=[which], limit=1) for path, which in places)))
