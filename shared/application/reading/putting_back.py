"""What was set aside is put back in its place and read once more, because an operator says that its cause is mended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from shared.application.app import App
from shared.application.chats.state import Chats
from shared.application.conversation.message_codec import (
    ChunkState,
    chunk_field,
    chunk_state_of,
    edited_field,
    retell_field,
)
from shared.application.documents import chunks_path, episodes_path, message_path, metas_path
from shared.application.ports.store import DocumentStore, Filter, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.reading.extraction import Extract, extract_chat
from shared.application.reading.notes.codec import at_level, left_to_do
from shared.application.reading.notes.episodes import tell_again
from shared.application.reading.setting_aside import ExtractionPiece, Kind, expect_again
from shared.application.recall.note_codec import outdated_fields, read_stored_note
from shared.application.recall.note_queries import holding_message, starting_with
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.errors import PermanentError


class StillFails(PermanentError):
    """What was put back failed again, and is set aside again."""


async def read_again(app: App, piece: ExtractionPiece, *, extract: Extract = extract_chat) -> str:
    """Put a piece back and extract what is to be extracted in its chat; what became of it.

    Its next failure is its last: then it is set aside again at once. What is not there any more, or was read meanwhile,
    stays as it is.

    Raises:
        StillFails: It failed again.
        SpomynError: As `extract_chat` does.
    """
    piece = await _under_its_new_id(app.chats, piece)
    back = await _PUT_BACK[piece.kind](app, piece)
    done = await extract(app, piece.chat_id)
    if done.set_aside:
        raise StillFails("; ".join(done.set_aside))
    return f"put back: {back}; extracted: {done.chunks} chunks, {len(done.changes)} changes of facts"


async def _under_its_new_id(chats: Chats, piece: ExtractionPiece) -> ExtractionPiece:
    """The piece as it is now, when its group goes on as a supergroup."""
    state = await chats.state(piece.chat_id, fresh=True)
    if state.migrated_to is None:
        return piece
    moved = tuple(migrated_message_id(message_id) for message_id in piece.message_ids)
    return piece._replace(chat_id=state.migrated_to, message_ids=moved)


async def _stretch(app: App, piece: ExtractionPiece) -> int:
    """Return how many messages wait to be read again."""
    await expect_again(app.store, app.clock, piece)

    async def put_back(tx: Transaction) -> int:
        found = await tx.get_many([message_path(piece.chat_id, message_id) for message_id in piece.message_ids])
        aside = [d for d in found if d is not None and chunk_state_of(d) is ChunkState.SET_ASIDE]
        for document in aside:
            tx.write(Upsert(document.path, chunk_field(ChunkState.UNREAD)))
        return len(aside)

    return await app.store.transaction(put_back)


async def _edit(app: App, piece: ExtractionPiece) -> int:
    await expect_again(app.store, app.clock, piece)
    return int(await app.store.update(message_path(piece.chat_id, piece.message_ids[0]), edited_field()))


async def _chunk(app: App, piece: ExtractionPiece) -> int:
    return await _make_again(app.store, app.clock, piece, chunks_path(piece.chat_id), _holding_first(piece))


async def _episode(app: App, piece: ExtractionPiece) -> int:
    return await _make_again(app.store, app.clock, piece, episodes_path(piece.chat_id), _holding_first(piece))


async def _meta(app: App, piece: ExtractionPiece) -> int:
    where = [at_level(piece.level), starting_with(piece.message_ids[0])]
    return await _make_again(app.store, app.clock, piece, metas_path(piece.chat_id), where)


def _holding_first(piece: ExtractionPiece) -> list[Filter]:
    return [holding_message(piece.message_ids[0])]


async def _make_again(
    store: DocumentStore, clock: Clock, piece: ExtractionPiece, collection: str, where: Sequence[Filter]
) -> int:
    """Return how many documents are made again: the one that the piece is, if it is still there."""
    found = await store.query(collection, where=where, limit=1)
    for document in found:
        note = read_stored_note(document)
        await expect_again(store, clock, piece._replace(version=note.outdated + 1))
        await store.update(note.path, outdated_fields())
        await store.update(*left_to_do(piece.chat_id, "stale"))
    return len(found)


async def _conversation(app: App, piece: ExtractionPiece) -> int:
    """Return how many messages are to be told again: none when an episode holds them by now."""
    if await app.store.query(episodes_path(piece.chat_id), where=_holding_first(piece), limit=1):
        return 0
    await expect_again(app.store, app.clock, piece)
    return await tell_again(app.store, piece.chat_id, piece.message_ids)


async def _retelling(app: App, piece: ExtractionPiece) -> int:
    await expect_again(app.store, app.clock, piece)
    path = message_path(piece.chat_id, piece.message_ids[0])
    return int(await app.store.update(path, retell_field(app.clock.now())))


_PUT_BACK: Mapping[Kind, Callable[[App, ExtractionPiece], Awaitable[int]]] = {
    "stretch": _stretch,
    "edit": _edit,
    "retelling": _retelling,
    "chunk": _chunk,
    "conversation": _conversation,
    "episode": _episode,
    "meta": _meta,
}
