"""How a note that was made again is written: only over what it was made from, and with what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.hearing import consent_changed, consent_holds
from shared.application.documents import metas_path
from shared.application.ports.store import Transaction, Upsert
from shared.application.reading.notes.chunk_codec import Chunk, InMeta, in_meta_fields, in_meta_for
from shared.application.reading.notes.embeddings import embeddable
from shared.application.reading.notes.episode_codec import Episode
from shared.application.reading.notes.meta_codec import MetaSummary
from shared.application.reading.notes.note_codec import read_note
from shared.application.reading.notes.upkeep_codec import left_to_do
from shared.application.recall.note_codec import StoredNote, outdated_fields, remade_fields, vector_fields
from shared.application.spending.asking import Embedded, embed_text
from shared.domain.errors import Contention

if TYPE_CHECKING:
    from shared.application.ports.model import Embedder, LanguageModel

NodeT = TypeVar("NodeT", Chunk, MetaSummary)


def waits(model: LanguageModel | None, embedder: Embedder | None, note: StoredNote) -> bool:
    """Return whether a note's text waits for the model, or its vector for the embedder, that there is but was away.

    What waits for one that is not configured is looked at when one is (`backends` in `upkeep_codec`).
    """
    for_model = model is not None and note.model_pending
    return for_model or (embedder is not None and note.embedded.embedding_model is None)


async def read_current(tx: Transaction, path: str) -> Chunk | MetaSummary | Episode | None:
    """Read a note as it is now, or None when it is gone."""
    document = await tx.get(path)
    return None if document is None else read_note(document)


async def stale_parent(
    tx: Transaction, chat_id: int, node: Chunk | MetaSummary | Episode, *, changed: bool
) -> list[Upsert]:
    """The writes by which the meta summary that holds a node is made again; to be asked for before any write."""
    held_by = None if isinstance(node, Episode) else node.meta_id
    if not changed or held_by is None:
        return []
    parent = await tx.get(f"{metas_path(chat_id)}/{held_by}")
    if parent is None:
        return []
    return [Upsert(parent.path, outdated_fields(by=node.edited_by)), left_to_do(chat_id, "stale")]


async def replace_note(app: App, state: ChatState, read: MetaSummary | Episode, again: MetaSummary | Episode) -> bool:
    """Give a note other texts and another vector, unless another run was faster; what holds it becomes stale.

    False when somebody opted out or in meanwhile.

    Args:
        read: The note as it was when it began to be made again.
        again: As it was made.
    """

    async def commit(tx: Transaction) -> bool:
        if not await consent_holds(tx, state):
            return False
        known = await read_current(tx, read.path)
        if known is None or known.texts.told != read.texts.told or not known.is_as_read(read):
            return True
        parent = await stale_parent(tx, state.chat_id, known, changed=again.texts.told != known.texts.told)
        owed = [left_to_do(state.chat_id, "waits")] if waits(app.model, app.embedder, again) else []
        changes = {**remade_fields(again), **vector_fields(again.embedded)}
        for write in [Upsert(read.path, changes), *parent, *owed]:
            tx.write(write)
        return True

    return await app.store.transaction(commit)


async def replace_or_raise(
    app: App,
    state: ChatState,
    read: NodeT,
    again: NodeT,
    fields: Callable[[StoredNote], dict[str, Any]],
    *,
    above: bool = False,
) -> None:
    """Give a note other texts with their vector; without one when the embedder is away (it is made later).

    Args:
        read: The note as it was when it began to be made anew.
        again: As it was made, but for its vector.
        fields: Which of its fields are written beside the vector.
        above: Whether what is made of it is to be made again, too, by the chat's next task.

    Raises:
        Contention: The chat's choices or the note changed meanwhile; nothing is written.
    """
    if await consent_changed(app.chats, state):
        raise Contention("the chat's choices changed meanwhile; run it again")
    embedded = await embed_text(app.embedder, embeddable(state, again)) if app.embedder is not None else Embedded()
    owed = app.embedder is not None and embedded.embedding_model is None

    async def commit(tx: Transaction) -> None:
        if not await consent_holds(tx, state):
            raise Contention("the chat's choices changed meanwhile; run it again")
        known = await read_current(tx, read.path)
        if known is None or known.texts.told != read.texts.told or not known.is_as_read(read):
            raise Contention(f"{read.path} changed meanwhile; run it again")
        passed_on = await _pass_on(tx, state.chat_id, known, again) if above else []
        tx.write(Upsert(read.path, {**fields(again), **vector_fields(embedded)}))
        for write in passed_on + ([left_to_do(state.chat_id, "waits")] if owed else []):
            tx.write(write)

    await app.store.transaction(commit)


async def _pass_on(
    tx: Transaction, chat_id: int, known: Chunk | MetaSummary | Episode, again: Chunk | MetaSummary
) -> list[Upsert]:
    """The writes that have the meta summary above a chunk made again, or a chunk that told nothing held by one.

    To be asked for before any write.
    """
    if isinstance(known, Chunk) and known.in_meta is InMeta.LEFT_OUT:
        held = replace(known, in_meta=in_meta_for(again.texts))
        return [Upsert(known.path, in_meta_fields(held)), left_to_do(chat_id, "made")]
    return await stale_parent(tx, chat_id, known, changed=again.texts.summary != known.texts.summary)
