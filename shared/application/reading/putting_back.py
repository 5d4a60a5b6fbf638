"""Puts back what was set aside and reads it once more, because an operator says that its cause is mended."""

from collections.abc import Sequence
from functools import partial

from shared.application.app import App
from shared.application.conversation.message_codec import (
    ChunkState,
    chunk_field,
    chunk_state_of,
    edited_field,
    read_message,
    retell_field,
)
from shared.application.delivery.closing import leave_one_attempt
from shared.application.documents import chunks_path, episodes_path, message_path
from shared.application.ports.store import DocumentStore, Filter, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.reading.extraction import Extract, extract_chat
from shared.application.reading.notes.codec import at_level, episode_mark_fields, mark_work_due, read_chunk
from shared.application.reading.setting_aside import ExtractionPiece
from shared.application.recall.note_codec import notes_path, outdated_fields, read_stored_note
from shared.application.recall.note_queries import holding_message, starting_with
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.errors import PermanentError


class StillFails(PermanentError):
    """The piece that was put back failed again, and is set aside again."""


async def read_again(app: App, piece: ExtractionPiece, *, extract: Extract = extract_chat) -> str:
    """Put a piece back and extract what is to be extracted in its chat; what became of it.

    Its next failure is its last: then it is set aside again at once. What is not there any more, or was read meanwhile,
    stays as it is.

    Raises:
        StillFails: It failed again.
        SpomynError: As `extract_chat` does.
    """
    state = await app.chats.state(piece.chat_id, fresh=True)
    if state.migrated_to is not None:  # its group goes on as a supergroup
        moved = tuple(migrated_message_id(message_id) for message_id in piece.message_ids)
        piece = piece._replace(chat_id=state.migrated_to, message_ids=moved)
    back = await _put_back(app.store, app.clock, piece)
    done = await extract(app, piece.chat_id)
    if done.set_aside:
        raise StillFails("; ".join(done.set_aside))
    return f"put back: {back}; extracted: {done.chunks} chunks, {len(done.changes)} changes of facts"


async def _put_back(store: DocumentStore, clock: Clock, piece: ExtractionPiece) -> int:
    """Put a piece back; how many messages are to be read or told again, or documents made again.

    None are when they are gone, or what became of them holds by now.
    """
    chat_id, first = piece.chat_id, piece.message_ids[0]
    match piece.kind:
        case "chunk" | "episode" | "meta" as kind:
            where = [at_level(piece.level), starting_with(first)] if kind == "meta" else [holding_message(first)]
            return await _make_again(store, clock, piece, notes_path(chat_id, kind), where)
        case "conversation" if await store.query(episodes_path(chat_id), where=[holding_message(first)], limit=1):
            return 0
    await leave_one_attempt(store, clock, piece.name)
    match piece.kind:
        case "conversation":
            return await store.transaction(partial(_tell_again, piece))
        case "stretch":
            return await store.transaction(partial(_read_again, piece))
        case "edit":
            return int(await store.update(message_path(chat_id, first), edited_field()))
    return int(await store.update(message_path(chat_id, first), retell_field(clock.now())))


async def _make_again(
    store: DocumentStore, clock: Clock, piece: ExtractionPiece, collection: str, where: Sequence[Filter]
) -> int:
    found = await store.query(collection, where=where, limit=1)
    for document in found:
        note = read_stored_note(document)
        await leave_one_attempt(store, clock, piece._replace(version=note.outdated + 1).name)
        await store.update(note.path, outdated_fields())
        await store.update(*mark_work_due(piece.chat_id, "stale"))
    return len(found)


async def _read_again(piece: ExtractionPiece, tx: Transaction) -> int:
    found = await tx.get_many([message_path(piece.chat_id, message_id) for message_id in piece.message_ids])
    aside = [d for d in found if d is not None and chunk_state_of(d) is ChunkState.SET_ASIDE]
    for document in aside:
        tx.write(Upsert(document.path, chunk_field(ChunkState.UNREAD)))
    return len(aside)


async def _tell_again(piece: ExtractionPiece, tx: Transaction) -> int:
    said = await tx.get_many([message_path(piece.chat_id, message_id) for message_id in piece.message_ids])
    ids = {chunk_id for d in said if d is not None and (chunk_id := read_message(d).chunk_id)}
    found = await tx.get_many([f"{chunks_path(piece.chat_id)}/{chunk_id}" for chunk_id in sorted(ids)]) if ids else []
    told = 0
    for chunk in (read_chunk(document) for document in found if document is not None):
        at = {n for n, message_id in enumerate(chunk.message_ids) if message_id in piece.message_ids}
        tx.write(Upsert(chunk.path, episode_mark_fields(sorted(at | set(chunk.awaiting_episode)))))
        told += len(at)
    tx.write(mark_work_due(piece.chat_id, "made"))
    return told
