"""Keeps forgotten words from being stored or read once more; the first step of every forgetting."""

from __future__ import annotations

from collections.abc import Iterable

from shared.application.chats.chat_codec import read_chat
from shared.application.chats.lifecycle_codec import forgotten_field
from shared.application.chats.state import Chats
from shared.application.conversation.message_codec import ChunkState, chunk_field, edited_field
from shared.application.conversation.tombstones import lay, member_tombstone, message_tombstone
from shared.application.documents import chat_path
from shared.application.forgetting.bulk import update_all
from shared.application.forgetting.traces.scope import Scope
from shared.application.ports.store import Document, DocumentStore


async def bar(store: DocumentStore, chats: Chats, scope: Scope, message_ids: Iterable[int]) -> Document | None:
    """Lay tombstones, and note in the chat that something is forgotten: work under way on the words is thrown away.

    Args:
        message_ids: Messages that go. A member's are kept out by the member's tombstone and need none of their own.

    Returns:
        The chat's document as it was.
    """
    own = [] if scope.user_id is None else [member_tombstone(scope.chat_id, scope.user_id)]
    single = message_ids if scope.user_id is None else set(message_ids) - scope.message_ids
    await lay(store, [*own, *(message_tombstone(scope.chat_id, each) for each in single)], until=scope.until)
    chat = await store.get(chat_path(scope.chat_id))
    state = read_chat(scope.chat_id, chat)
    if state.known and (state.forgotten_at is None or state.forgotten_at < scope.until):
        await store.update(chat_path(scope.chat_id), forgotten_field(scope.until))
    chats.forget(scope.chat_id)
    return chat


async def bar_everywhere(store: DocumentStore, chats: Chats, scope: Scope, before: Iterable[int]) -> Document | None:
    """Do the same under every id of the chat, and return its document under the present one.

    Args:
        before: The ids that the chat had before.
    """
    for old_id in before:
        old = scope.before_moving(old_id)
        await bar(store, chats, old, old.message_ids)
    return await bar(store, chats, scope, scope.message_ids)


async def put_out_of_reach(store: DocumentStore, paths: Iterable[str]) -> None:
    """Make every task leave messages unread, as those of a private chat; the messages themselves are deleted last."""
    await update_all(store, paths, {**chunk_field(ChunkState.PRIVATE), **edited_field(False)})
