"""How episodes are made again: when their messages have changed, or the model is back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.message_codec import read_message
from shared.application.documents import chunks_path, episodes_path, message_path
from shared.application.ports.store import DocumentStore, Filter, Transaction, Upsert
from shared.application.reading.notes.chunk_codec import episode_mark_fields, read_chunk
from shared.application.reading.notes.embeddings import embed_note
from shared.application.reading.notes.episode_codec import Episode, read_episode
from shared.application.reading.notes.episodes import episode_request, readable_by_ids, with_portrait
from shared.application.reading.notes.redoing import Redone, ask_if_possible, redo_due
from shared.application.reading.notes.replacing import replace_note
from shared.application.reading.notes.upkeep_codec import left_to_do
from shared.application.reading.setting_aside import Pieces
from shared.application.recall.note_codec import outdated_fields
from shared.application.recall.note_queries import holding_message

_MOST_HELD = 5  # episodes that hold one message: more than there are


async def redo_episodes(app: App, state: ChatState, pieces: Pieces, *, which: Filter, limit: int) -> Redone:
    """Make episodes again from their messages.

    Args:
        which: `STALE`: messages of theirs have changed; `MODEL_PENDING`: they were made without the model.
    """
    episodes = episodes_path(state.chat_id)
    return await redo_due(app, state, episodes, which, pieces, most=limit, read=read_episode, redo=_redo)


async def _redo(app: App, state: ChatState, episode: Episode) -> bool:
    """Return whether the model is still to be asked about it."""
    messages = await readable_by_ids(app.store, state, episode.message_ids)
    request = episode_request(app.policy, state, messages) if messages else None
    asked = await ask_if_possible(app, state, request, payer=episode.edited_by)
    if asked.later and not episode.stale:
        return True  # what it says holds until the model is back
    again = replace(episode, model_pending=asked.later, stale=False)
    again = with_portrait(again, asked, messages, excerpts=episode.stale and bool(messages))
    again = await embed_note(app.embedder, state, again)
    return not await replace_note(app, state, episode, again) or asked.later


async def stale_episodes(store: DocumentStore, state: ChatState, message_id: int, *, by: int) -> None:
    """Have the episodes that hold a message made again: its author edited it."""
    where = [holding_message(message_id)]
    found = await store.query(episodes_path(state.chat_id), where=where, limit=_MOST_HELD)
    for document in found:
        if await store.update(document.path, outdated_fields(by=by)):
            await store.update(*left_to_do(state.chat_id, "stale"))


async def tell_again(store: DocumentStore, chat_id: int, message_ids: Sequence[int]) -> int:
    """Have messages that are in chunks told by an episode once more; how many there are."""

    async def untell(tx: Transaction) -> int:
        said = [d for d in await tx.get_many([message_path(chat_id, each) for each in message_ids]) if d is not None]
        ids = {chunk_id for document in said if (chunk_id := read_message(document).chunk_id)}
        paths = [f"{chunks_path(chat_id)}/{chunk_id}" for chunk_id in sorted(ids)]
        awaiting_episode = 0
        found = await tx.get_many(paths) if paths else []
        for chunk in (read_chunk(document) for document in found if document is not None):
            at = {n for n, each in enumerate(chunk.message_ids) if each in message_ids}
            awaiting = sorted(at | set(chunk.awaiting_episode))
            tx.write(Upsert(chunk.path, episode_mark_fields(awaiting)))
            awaiting_episode += len(at)
        tx.write(left_to_do(chat_id, "made"))
        return awaiting_episode

    return await store.transaction(untell)
