"""Segments that are made again: from the documents when they are missing or altered, from themselves when words are
analysed in another way now."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from shared.application.chats.chat_codec import read_chat
from shared.application.conversation.message_codec import ChunkState, chunk_state_of
from shared.application.documents import chat_path, index_head_path, index_segment_path, messages_path
from shared.application.ports.store import Document, DocumentStore, Filter, Order, Transaction
from shared.application.recall.head_codec import Head, head_of, head_write, segment_of
from shared.application.recall.indexable import change_from
from shared.application.recall.note_codec import NOTE_KINDS, notes_path, read_stored_note
from shared.application.recall.placing import IndexChange, place, unwritten
from shared.domain.recall.index.segment import Segment, SegmentUnreadable

log = logging.getLogger(__name__)

_PAGE = 500


async def mend(store: DocumentStore, chat_id: int, number: int) -> None:
    """Make a segment that cannot be read again from the messages and notes that belong in it.

    What is in none of these any more (older than the retention time) is not in the index any more either.
    """
    head = head_of(await store.get(index_head_path(chat_id)))
    if number not in {entry.number for entry in head.entries}:
        return
    talk = await _belonging(store, messages_path(chat_id), "message_id", head, number)
    told = [
        document
        for kind in NOTE_KINDS
        for document in await _belonging(store, notes_path(chat_id, kind), "first", head, number)
    ]
    said = [document.path for document in talk if chunk_state_of(document) is not ChunkState.UNREAD]

    async def commit(tx: Transaction) -> bool:
        chat, current = await tx.get_many([chat_path(chat_id), index_head_path(chat_id)])
        if head_of(current).entries != head.entries:
            return False  # changed meanwhile: whoever did will have met the same segment
        messages = await _read(tx, said)
        notes = [read_stored_note(d) for d in await _read(tx, [d.path for d in told]) if d is not None]
        change = change_from(read_chat(chat_id, chat), notes, messages, ())
        blank = unwritten(head_of(current), number)
        mended, writes = place(chat_id, blank, {number: Segment.build()}, change)
        for write in (*writes, head_write(chat_id, mended)):
            tx.write(write)
        return True

    if await store.transaction(commit):
        log.warning("segment %d of the index was made again from %d messages", number, len(said))


async def _belonging(store: DocumentStore, collection: str, field: str, head: Head, number: int) -> list[Document]:
    """The documents whose message id in `field` belongs in a segment."""
    at = next(index for index, entry in enumerate(head.entries) if entry.number == number)
    where = [Filter(field, ">=", head.entries[at].start)] if at else []
    where += [Filter(field, "<", entry.start) for entry in head.entries[at + 1 : at + 2]]
    found: list[Document] = []
    while page := await store.query(
        collection, where=where, order_by=[Order(field)], limit=_PAGE, after=found[-1] if found else None
    ):
        found += page
    return found


async def _read(tx: Transaction, paths: Sequence[str]) -> list[Document | None]:
    return await tx.get_many(paths) if paths else []


async def analyse_again(store: DocumentStore, chat_id: int, number: int) -> None:
    """Bring a segment's terms to the current version, from its own messages; one that cannot be read is left."""

    async def commit(tx: Transaction) -> None:
        documents = await tx.get_many([index_head_path(chat_id), index_segment_path(chat_id, number)])
        head = head_of(documents[0])
        if number not in {entry.number for entry in head.entries}:
            return
        try:
            segment, _ = segment_of(documents[1])
        except SegmentUnreadable:
            tx.write(head_write(chat_id, head._replace(broken=head.broken | {number})))
            return
        renewed, writes = place(chat_id, unwritten(head, number), {number: segment}, IndexChange())
        for write in (*writes, head_write(chat_id, renewed)):
            tx.write(write)

    await store.transaction(commit)
