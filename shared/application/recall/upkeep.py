"""Keeping the index: whatever was written about a chat since, is put where it belongs.

Every write of a chunk, meta or episode marks its document `indexed: False`. Here those documents are taken in the order
of talk, a few at a time; their messages and their own text go into the segments, and in the same transaction they are
marked as done. So what dies half-way is repeated, and what is edited, made again or forgotten reaches the index by the
same rule. The messages are read in that transaction, too: an erasure meanwhile makes it start over.

A segment that is missing or altered is made again from the documents, one whose words were analysed in another way from
itself.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.conversation.message_codec import ChunkState, chunk_state_of
from shared.application.documents import chat_path, index_head_path, index_segment_path, message_path, messages_path
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore, Filter, Order, Transaction, Upsert, Write
from shared.application.recall.head_codec import Head, digest_of, head_of, head_write, segment_of
from shared.application.recall.note_codec import NOTE_KINDS, StoredNote, indexed_fields, notes_path, read_stored_note
from shared.application.recall.note_queries import AWAITS_INDEX, BY_FIRST
from shared.application.recall.placing import UNWRITTEN, IndexChange, change_from, ensure_segment, mark_unwritten, place
from shared.domain.recall.index.segment import Segment, SegmentUnreadable
from shared.domain.text.terms import TERMS_VERSION

log = logging.getLogger(__name__)

STEP = 20
"""Documents a transaction: two hundred messages of chunks, read and written well within its time."""

MOST_STEPS = 20
"""Transactions a call; then another task goes on."""

_MOST_SEGMENTS = 6
"""Segments that one transaction rewrites: 700 kB each, of the 10 MiB that Firestore takes."""

_MOST_REPAIRS = 5
_AT_ONCE, _PAGE = 20, 500


async def index_chat(app: App, state: ChatState) -> int:
    """Put what is new or changed into the chat's index, and repair it; how many documents were taken.

    Idempotent. After `MOST_STEPS` transactions it asks for another task. A private chat is left alone.

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


async def _repair(store: DocumentStore, chat_id: int, head: Head) -> bool:
    """Make segments again that are broken or of an older analysis; whether some are left."""
    stale = [entry.number for entry in head.entries if entry.terms != TERMS_VERSION]
    for number in sorted(head.broken)[:_MOST_REPAIRS]:
        await _mend(store, chat_id, number)
    for number in stale[:_MOST_REPAIRS]:
        await _analyse_again(store, chat_id, number)
    return max(len(head.broken), len(stale)) > _MOST_REPAIRS


async def _mend(store: DocumentStore, chat_id: int, number: int) -> None:
    """Make a segment that cannot be read again from the messages and notes that belong in it.

    What is in none of these any more (older than the retention time) is not in the index any more either.
    """
    head = head_of(await store.get(index_head_path(chat_id)))
    if head.entry(number) is None:
        return
    talk = await _read_belonging(store, messages_path(chat_id), "message_id", head, number)
    told = [await _read_belonging(store, notes_path(chat_id, kind), "first", head, number) for kind in NOTE_KINDS]
    said = [document.path for document in talk if chunk_state_of(document) is not ChunkState.UNREAD]

    async def commit(tx: Transaction) -> bool:
        chat, current = await tx.get_many([chat_path(chat_id), index_head_path(chat_id)])
        if head_of(current).entries != head.entries:
            return False  # changed meanwhile: whoever did will have met the same segment
        messages = await _read(tx, said)
        found = await _read(tx, [document.path for each in told for document in each])
        notes = [read_stored_note(document) for document in found if document is not None]
        change = change_from(read_chat(chat_id, chat), notes, messages, ())
        for write in place(chat_id, mark_unwritten(head_of(current), number), {number: Segment.build()}, change):
            tx.write(write)
        return True

    if await store.transaction(commit):
        log.warning("segment %d of the index was made again from %d messages", number, len(said))


async def _read_belonging(store: DocumentStore, collection: str, field: str, head: Head, number: int) -> list[Document]:
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


async def _analyse_again(store: DocumentStore, chat_id: int, number: int) -> None:
    """Bring a segment's terms to the current version, from its own messages; one that cannot be read is left."""

    async def commit(tx: Transaction) -> None:
        documents = await tx.get_many([index_head_path(chat_id), index_segment_path(chat_id, number)])
        head = head_of(documents[0])
        if head.entry(number) is None:
            return
        try:
            segment, _ = segment_of(documents[1])
        except SegmentUnreadable:
            tx.write(head_write(chat_id, head._replace(broken=head.broken | {number})))
            return
        for write in place(chat_id, mark_unwritten(head, number), {number: segment}, IndexChange()):
            tx.write(write)

    await store.transaction(commit)


async def _take_all(store: DocumentStore, policy: Policy, chat_id: int) -> tuple[int, bool]:
    """Return how many documents were taken, and whether some are left."""
    taken = 0
    for _ in range(MOST_STEPS):
        waiting = await _read_waiting(store, chat_id)
        if not waiting:
            return taken, False
        step = await _step(store, policy, chat_id, waiting)
        if step.broken is not None:
            await _mend(store, chat_id, step.broken)
        taken += step.taken
        if step.taken == len(waiting) < STEP:
            return taken, False
    return taken, True


async def _read_waiting(store: DocumentStore, chat_id: int) -> list[StoredNote]:
    """The first documents that the index does not know yet, as they are about earlier or later talk."""
    paths = [notes_path(chat_id, kind) for kind in NOTE_KINDS]
    found = await asyncio.gather(
        *(store.query(path, where=[AWAITS_INDEX], order_by=[BY_FIRST], limit=STEP) for path in paths)
    )
    waiting = [read_stored_note(document) for documents in found for document in documents]
    return sorted(waiting, key=lambda note: (note.first, note.path))[:STEP]


class _Step(NamedTuple):
    """The number of documents taken; a segment that must be made again first."""

    taken: int
    broken: int | None = None


async def _step(store: DocumentStore, policy: Policy, chat_id: int, waiting: Sequence[StoredNote]) -> _Step:
    async def body(tx: Transaction) -> _Step:
        chat, head, *found = await tx.get_many(
            [chat_path(chat_id), index_head_path(chat_id), *(note.path for note in waiting)]
        )
        state = read_chat(chat_id, chat)
        notes = [read_stored_note(document) for document in found if document is not None]
        fresh = [note for note in notes if note.awaits_index]
        if not fresh or state.is_private(by_default=policy.private_mode):
            return _Step(len(waiting))
        placed = await place_notes(tx, state, head_of(head), fresh, {})
        marks = (Upsert(note.path, indexed_fields(done=True)) for note in placed.notes)
        for write in (*placed.writes, *marks):
            tx.write(write)
        return _Step(len(waiting) - len(fresh) + len(placed.notes) if placed.broken is None else 0, placed.broken)

    return await store.transaction(body)


class Placed(NamedTuple):
    """Notes that go into the index, and what puts them there; else the segment that must be made again first."""

    notes: Sequence[StoredNote] = ()
    writes: Sequence[Write] = ()
    broken: int | None = None


async def place_notes(
    tx: Transaction, state: ChatState, head: Head, notes: Sequence[StoredNote], said: Mapping[str, Document]
) -> Placed:
    """Return what puts the first of some notes, and the messages of chunks among them, where they belong.

    Args:
        said: By path, their messages; where it is empty they are read.
    """
    head = ensure_segment(head)
    taken = _affordable(head, notes)
    ids = sorted({message_id for note in taken for message_id in _message_ids(note)})
    paths = [message_path(state.chat_id, message_id) for message_id in ids]
    change = change_from(state, taken, [said[path] for path in paths] if said else await _read(tx, paths), ids)
    segments, broken = await _segments(tx, state.chat_id, head, change.ids)
    return Placed(taken, place(state.chat_id, head, segments, change)) if broken is None else Placed(broken=broken)


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
    found = await _read(tx, [index_segment_path(chat_id, number) for number in stored])
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
        while page := await store.query(notes_path(chat_id, kind), limit=_PAGE, after=last):
            last = page[-1]
            marked = [note.path for note in map(read_stored_note, page) if not note.awaits_index]
            for start in range(0, len(marked), _AT_ONCE):
                paths = marked[start : start + _AT_ONCE]
                await asyncio.gather(*(store.update(path, indexed_fields(done=False)) for path in paths))
