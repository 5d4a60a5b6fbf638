"""How episodes are made again: when their messages have changed, or the model is back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.hearing import consent_holds
from shared.application.documents import chunks_path, episodes_path, message_path
from shared.application.ports.store import Document, DocumentStore, Filter, Transaction, Upsert
from shared.application.reading.notes.chunks import Redone, embeddable, is_as_read, payer_of, told_by, waits
from shared.application.reading.notes.episodes import episode_request, fields_of_portrait, read_episode, readable_by_ids
from shared.application.reading.notes.redoing import redo_due
from shared.application.reading.notes.upkeep_codec import left_to_do
from shared.application.reading.setting_aside import ExtractionPiece, Pieces
from shared.application.recall.note_codec import outdated_fields
from shared.application.spending.asking import OFFLINE, Embedded, ModelAnswer, ask, can_ask, embed_text
from shared.domain.reading.episodes import excerpt_portrait

_MOST_HELD = 5  # episodes that hold one message: more than there are


async def redo_episodes(app: App, state: ChatState, pieces: Pieces, *, which: Filter, limit: int) -> Redone:
    """Make episodes again from their messages.

    Args:
        which: `stale`: messages of theirs have changed; `model_pending`: they were made without the model.
    """
    episodes = episodes_path(state.chat_id)
    return await redo_due(app, state, episodes, which, pieces, most=limit, piece_of=_piece_of, redo=_redo)


def _piece_of(chat_id: int, episode: Document) -> ExtractionPiece:
    return ExtractionPiece(chat_id, "episode", tuple(episode.data["message_ids"]), episode.data.get("outdated", 0))


async def _redo(app: App, state: ChatState, document: Document) -> bool:
    """Return whether the model is still to be asked about it."""
    messages = await readable_by_ids(app.store, state, document.data["message_ids"])
    payer = payer_of(document)
    can = bool(messages) and await can_ask(app, state, payer=payer)
    request = episode_request(app.policy, state, messages)
    asked = await ask(app, state.chat_id, request, payer=payer) if can else ModelAnswer(later=bool(messages))
    if asked.later and not document.data["stale"]:
        return True  # what it says holds until the model is back
    portrait = read_episode(asked.text, messages)
    changes: dict[str, Any] = {"model_pending": asked.later, "stale": False}
    changes |= {} if asked.later else {"edited_by": None}
    if portrait is not None or (document.data["stale"] and messages):
        changes |= fields_of_portrait(portrait or excerpt_portrait(messages), messages)
        changes["made_by"] = asked.made_by("episode") if portrait else OFFLINE
    text = embeddable(state, {**document.data, **changes})
    embedded = await embed_text(app.embedder, text) if app.embedder is not None and not asked.later else Embedded()
    return not await replace_episode(app, state, document, {**changes, **embedded.fields()}) or asked.later


async def replace_episode(app: App, state: ChatState, document: Document, changes: Mapping[str, Any]) -> bool:
    """Give an episode another text, unless another run was faster; False when somebody opted out or in meanwhile."""

    async def commit(tx: Transaction) -> bool:
        if not await consent_holds(tx, state):
            return False
        known = await tx.get(document.path)
        if known is None or told_by(known.data) != told_by(document.data) or not is_as_read(known, document):
            return True
        tx.write(Upsert(document.path, {**changes, "indexed": False}))
        if waits(app.model, app.embedder, {**known.data, **changes}):
            tx.write(left_to_do(state.chat_id, "waits"))
        return True

    return await app.store.transaction(commit)


async def stale_episodes(store: DocumentStore, state: ChatState, message_id: int, *, by: int) -> None:
    """Have the episodes that hold a message made again: its author edited it."""
    holding = [Filter("message_ids", "array_contains", message_id)]
    found = await store.query(episodes_path(state.chat_id), where=holding, limit=_MOST_HELD)
    for document in found:
        if await store.update(document.path, outdated_fields(by=by)):
            await store.update(*left_to_do(state.chat_id, "stale"))


async def tell_again(store: DocumentStore, chat_id: int, message_ids: Sequence[int]) -> int:
    """Have messages that are in chunks told by an episode once more; how many there are."""

    async def untell(tx: Transaction) -> int:
        said = [d for d in await tx.get_many([message_path(chat_id, each) for each in message_ids]) if d is not None]
        paths = sorted({f"{chunks_path(chat_id)}/{d.data['chunk']}" for d in said if d.data["chunk"] is not None})
        awaiting_episode = 0
        for chunk in await tx.get_many(paths) if paths else []:
            if chunk is not None:
                at = {n for n, each in enumerate(chunk.data["message_ids"]) if each in message_ids}
                tx.write(Upsert(chunk.path, {"untold": sorted(at | set(chunk.data["untold"])), "told": False}))
                awaiting_episode += len(at)
        tx.write(left_to_do(chat_id, "made"))
        return awaiting_episode

    return await store.transaction(untell)
