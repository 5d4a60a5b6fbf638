"""Keeping the index: whatever was written about a chat since, is put where it belongs.

Every write of a chunk, meta or episode marks its document `indexed: False`. Here those documents are taken in the order
of talk, a few at a time; their messages and their own text go into the segments, and in the same transaction they are
marked as done. So what dies half-way is repeated, and what is edited, made again or forgotten reaches the index by the
same rule. The messages are read in that transaction, too: an erasure meanwhile makes it start over.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.documents import chat_path, index_head_path, index_segment_path, message_path
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore, Transaction, Upsert
from shared.application.recall.head_codec import Head, digest_of, head_of, head_write, segment_of
from shared.application.recall.indexable import change_from
from shared.application.recall.mending import analyse_again, mend
from shared.application.recall.note_codec import (
    NOTE_KINDS,
    StoredNote,
    indexed_fields,
    is_listed,
    notes_path,
    read_stored_note,
)
from shared.application.recall.note_queries import AWAITS_INDEX, BY_FIRST
from shared.application.recall.placing import UNWRITTEN, ensure_segment, place
from shared.domain.recall.index.segment import Segment, SegmentUnreadable
from shared.domain.text.terms import TERMS_VERSION

if TYPE_CHECKING:
    from shared.application.recall.cache import IndexCache


log = logging.getLogger(__name__)

STEP = 20
"""Documents a transaction: two hundred messages of chunks, read and written well within its time."""

MOST_STEPS = 20
"""Transactions a call; then another task goes on."""

_MOST_SEGMENTS = 6
"""Segments that one transaction rewrites: 700 kB each, of the 10 MiB that Firestore takes."""

_MOST_REPAIRS = 5
_AT_ONCE = 20


async def index_chat(app: App, state: ChatState) -> int:
    """Put what is new or changed into the chat's index, and repair it; how many documents were taken.

    Repeats harmlessly. After `MOST_STEPS` transactions it asks for another task. A private chat is left alone.

    Raises:
        TransientError: Run it again; what was done is not done twice.
    """
    if state.is_private(by_default=app.policy.private_mode):
        return 0
    document = await app.store.get(index_head_path(state.chat_id))
    if document is None:
        await _list_everything(app.store, state.chat_id)
    more = await _repair(app.store, state.chat_id, head_of(document))
    taken, left = await _take_all(app.store, app.policy, state.chat_id)
    if more or left:
        head = head_of(await app.store.get(index_head_path(state.chat_id)))
        await app.schedule.extraction_later(state.chat_id, mark=f"index-{digest_of(head)}", run_at=None)
    return taken


async def rebuild_index(store: DocumentStore, indexes: IndexCache, chat_id: int) -> None:
    """Have the whole index made anew by the next `index_chat`, from the messages and notes that there are."""
    head = head_of(await store.get(index_head_path(chat_id)))
    for entry in head.entries:
        await store.delete(index_segment_path(chat_id, entry.number))
    await store.delete(index_head_path(chat_id))
    indexes.forget(chat_id)


async def _repair(store: DocumentStore, chat_id: int, head: Head) -> bool:
    """Make segments again that are broken or of an older analysis; whether some are left."""
    stale = [entry.number for entry in head.entries if entry.terms != TERMS_VERSION]
    for number in sorted(head.broken)[:_MOST_REPAIRS]:
        await mend(store, chat_id, number)
    for number in stale[:_MOST_REPAIRS]:
        await analyse_again(store, chat_id, number)
    return max(len(head.broken), len(stale)) > _MOST_REPAIRS


async def _take_all(store: DocumentStore, policy: Policy, chat_id: int) -> tuple[int, bool]:
    """Return how many documents were taken, and whether some are left."""
    taken = 0
    for _ in range(MOST_STEPS):
        waiting = await _waiting(store, chat_id)
        if not waiting:
            return taken, False
        step = await _step(store, policy, chat_id, waiting)
        if step.broken is not None:
            await mend(store, chat_id, step.broken)
        taken += step.taken
        if step.taken == len(waiting) < STEP:
            return taken, False
    return taken, True


async def _waiting(store: DocumentStore, chat_id: int) -> list[StoredNote]:
    """The first documents that the index does not know yet, as they are about earlier or later talk."""
    found = await asyncio.gather(*(_unknown(store, notes_path(chat_id, kind)) for kind in NOTE_KINDS))
    waiting = [read_stored_note(document) for documents in found for document in documents]
    return sorted(waiting, key=lambda note: (note.first, note.path))[:STEP]


async def _unknown(store: DocumentStore, collection: str) -> list[Document]:
    """The first documents of a collection that are not indexed."""
    return await store.query(collection, where=[AWAITS_INDEX], order_by=[BY_FIRST], limit=STEP)


class _Step(NamedTuple):
    """How many documents were taken; a segment that must be made again first."""

    taken: int
    broken: int | None = None


async def _step(store: DocumentStore, policy: Policy, chat_id: int, waiting: Sequence[StoredNote]) -> _Step:
    head_path = index_head_path(chat_id)

    async def body(tx: Transaction) -> _Step:
        chat, head_document, *found = await tx.get_many(
            [chat_path(chat_id), head_path, *(note.path for note in waiting)]
        )
        state = read_chat(chat_id, chat)
        notes = [read_stored_note(document) for document in found if document is not None]
        fresh = [note for note in notes if note.awaits_index]
        if not fresh or state.is_private(by_default=policy.private_mode):
            return _Step(len(waiting))
        head = ensure_segment(head_of(head_document))
        taken = _affordable(head, fresh)
        ids = sorted({message_id for note in taken for message_id in _message_ids(note)})
        said = await tx.get_many([message_path(chat_id, message_id) for message_id in ids]) if ids else []
        change = change_from(state, taken, said, ids)
        segments, broken = await _segments(tx, chat_id, head, change.ids)
        if broken is not None:
            return _Step(0, broken)
        written, writes = place(chat_id, head, segments, change)
        marks = (Upsert(note.path, indexed_fields(done=True)) for note in taken)
        for write in (*writes, head_write(chat_id, written), *marks):
            tx.write(write)
        return _Step(len(waiting) - len(fresh) + len(taken))

    return await store.transaction(body)


def _message_ids(note: StoredNote) -> tuple[int, ...]:
    """The messages that a chunk was made of; the other notes have none of their own."""
    return note.message_ids if note.kind == "chunk" else ()


def _affordable(head: Head, notes: Sequence[StoredNote]) -> list[StoredNote]:
    """Return as many of the notes as touch few enough segments, at least one."""
    homes: set[int] = set()
    for count, note in enumerate(notes):
        homes |= {head.home(message_id).number for message_id in (note.first, *_message_ids(note))}
        if count and len(homes) > _MOST_SEGMENTS:
            return list(notes[:count])
    return list(notes)


async def _segments(tx: Transaction, chat_id: int, head: Head, ids: set[int]) -> tuple[dict[int, Segment], int | None]:
    """The segments that these messages belong in, by number; the number of one that cannot be read."""
    homes = sorted({head.home(message_id).number for message_id in ids})
    new = {entry.number for entry in head.entries if entry.revision == UNWRITTEN}
    stored = [number for number in homes if number not in new]
    found = await tx.get_many([index_segment_path(chat_id, number) for number in stored]) if stored else []
    segments = {number: Segment.build() for number in new}
    for number, document in zip(stored, found, strict=True):
        try:
            segments[number], _ = segment_of(document)
        except SegmentUnreadable:
            return {}, number
    return segments, None


async def _list_everything(store: DocumentStore, chat_id: int) -> None:
    """There is no index: have all notes taken that were marked for one that is lost, or made before there was one."""
    for kind in NOTE_KINDS:
        last = None
        while page := await store.query(notes_path(chat_id, kind), limit=500, after=last):
            last = page[-1]
            marked = [document.path for document in page if not is_listed(document)]
            for start in range(0, len(marked), _AT_ONCE):
                paths = marked[start : start + _AT_ONCE]
                await asyncio.gather(*(store.update(path, indexed_fields(done=False)) for path in paths))
