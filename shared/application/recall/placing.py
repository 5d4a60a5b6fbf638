"""Chooses what the index may hold of a chat's documents, and places it there: from what was read to what is written."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.consent_gate import may_retell, readable_messages
from shared.application.documents import index_head_path, index_segment_path
from shared.application.ports.store import Delete, Document, DocumentStore, Transaction, Write
from shared.application.recall.head_codec import (
    Head,
    SegmentEntry,
    entry_of,
    head_of,
    head_write,
    segment_of,
    segment_write,
)
from shared.application.recall.note_codec import MOST_TEXT, StoredNote, index_note
from shared.domain.conversation.messages import Message
from shared.domain.recall.index.note import Note
from shared.domain.recall.index.segment import Segment, SegmentUnreadable, divide_segment
from shared.domain.recall.index.talk import microseconds
from shared.domain.recall.index.vectors import TextVector, embedded_text, find_vectors

if TYPE_CHECKING:
    from shared.application.recall.cache import IndexCache


UNWRITTEN = ""
"""Revision of a segment that is about to be made."""

_LOWEST = -(1 << 62)


class IndexChange(NamedTuple):
    """A change of the index: what goes in and what goes out; `without` are ids, `vectors` those of messages by id."""

    messages: tuple[Message, ...] = ()
    notes: tuple[Note, ...] = ()
    without: frozenset[int] = frozenset()
    without_notes: tuple[Note, ...] = ()
    vectors: Mapping[int, TextVector] = MappingProxyType({})

    @property
    def ids(self) -> set[int]:
        """The message ids by which the segments concerned are found."""
        return {
            *(message.message_id for message in self.messages),
            *self.without,
            *(note.first for note in (*self.notes, *self.without_notes)),
        }


def indexable(state: ChatState, documents: Iterable[Document | None]) -> list[Message]:
    """The messages that may be found: no commands, nothing said in private or by members who opted out."""
    return [
        replace(message, media_text=message.media_text[:MOST_TEXT]) if len(message.media_text) > MOST_TEXT else message
        for message in readable_messages(state, documents)
        if message.kind != "command"
    ]


def change_from(
    state: ChatState, notes: Iterable[StoredNote], messages: Iterable[Document | None], ids: Iterable[int]
) -> IndexChange:
    """Return what the index takes up of these notes and messages, and what of `ids` it must not hold (any more).

    A note in which somebody speaks who has opted out since goes: the index may have lost their messages, by which it
    would be recognised.
    """
    kept = indexable(state, messages)
    texts = {message.message_id: embedded_text(message) for message in kept}
    told, gone, vectors = list[Note](), list[Note](), dict[int, TextVector]()
    for stored in notes:
        own = {number: texts[number] for number in stored.message_ids if number in texts}
        vectors |= find_vectors(stored.embedded.messages, own, stored.embedded.embedding_model or "")
        note = index_note(stored)
        (told if note.text and may_retell(state, stored.speakers) else gone).append(note)
    without = frozenset(ids) - {message.message_id for message in kept}
    return IndexChange(tuple(kept), tuple(told), without, tuple(gone), vectors)


def ensure_segment(head: Head) -> Head:
    """The head with a segment to begin with, if it has none."""
    return head if head.entries else Head((SegmentEntry(1, _LOWEST, 0, 0, 0, UNWRITTEN, 0),))


def mark_unwritten(head: Head, number: int) -> Head:
    """The head as if a segment had not been written yet: `place` will write it, whatever the head says of it."""
    entry = next(entry for entry in head.entries if entry.number == number)
    return head.with_entries(number, [entry._replace(revision=UNWRITTEN)])


def place(chat_id: int, head: Head, segments: Mapping[int, Segment], change: IndexChange) -> list[Write]:
    """The writes of the segments that a change alters, and at last that of the head after it.

    Args:
        segments: By number, at least those that the change's ids belong in; each of them is written anew.
    """
    writes, written = list[Write](), head
    last = head.entries[-1]
    for number, segment in segments.items():
        entry = next(entry for entry in head.entries if entry.number == number)
        altered = segment.change(
            [message for message in change.messages if head.home(message.message_id) == entry],
            [note for note in change.notes if head.home(note.first) == entry],
            vectors=change.vectors,
            without=change.without,  # what is not in this segment is not missed
            without_notes={note.key for note in change.without_notes},
        )
        pieces = divide_segment(altered, growing=entry == last) if altered.talk.size or altered.memory.size else []
        entries: list[SegmentEntry] = []
        for piece, payload in pieces:
            new_number = number if not entries else max(entry.number for entry in written.entries) + 1
            lowest = min(
                int(ids[0]) for ids in (piece.talk.columns.message_ids, piece.memory.columns.firsts) if len(ids)
            )
            new = entry_of(new_number, entry.start if not entries else lowest, piece, payload)
            entries.append(new)
            written = written.with_entries(number, entries)
            if new.revision != entry.revision:
                writes.append(segment_write(chat_id, new.number, payload))
        if not entries:
            written = written.with_entries(number, ())
            writes.append(Delete(index_segment_path(chat_id, number)))
    return [*writes, head_write(chat_id, written)]


class _Removal(NamedTuple):
    """The entries to take out: messages (ascending), a member's until a time, what is too old; notes by kind and id."""

    message_ids: Sequence[int]
    user_id: int | None
    until: datetime | None
    expired: datetime | None
    notes: frozenset[tuple[str, str]]

    def ids_in(self, segment: Segment) -> set[int]:
        """Return the ids of the messages of the member until a time."""
        if self.user_id is None:
            return set()
        columns = segment.talk.columns
        theirs = columns.speakers == self.user_id
        meant = theirs if self.until is None else theirs & (columns.sent_us <= microseconds(self.until))
        return set(columns.message_ids[meant].tolist())

    def find_expired(self, segment: Segment) -> set[int]:
        """Return the ids of the messages that are too old."""
        columns = segment.talk.columns
        if self.expired is None:
            return set()
        return set(columns.message_ids[columns.sent_us < microseconds(self.expired)].tolist())

    def is_over(self, note: Note) -> bool:
        """Return whether all that a note is about is too old."""
        return self.expired is not None and note.last_at < self.expired

    def takes(self, note: Note, message_ids: Sequence[int]) -> bool:
        """Return whether a note goes: it is meant, too old, or one of these, ascending, is in what it is about."""
        at = bisect_left(message_ids, note.first)
        return note.key in self.notes or (at < len(message_ids) and message_ids[at] <= note.last) or self.is_over(note)


async def forget_in_index(
    store: DocumentStore,
    indexes: IndexCache,
    chat_id: int,
    *,
    message_ids: Collection[int] = (),
    user_id: int | None = None,
    until: datetime | None = None,
    expired: datetime | None = None,
    notes: Collection[tuple[str, str]] = (),
) -> None:
    """Take out of the index what was said in these messages or by this member, and what is too old.

    Notes about a stretch of talk in which some of it was said go too: they may hold the words. The documents of
    messages and notes are the caller's business, and gone or rewritten first: a segment that cannot be read is emptied
    here and made again from them. Idempotent; other instances read what changed with their next question.

    Args:
        until: Of the member's words those that were said later stay.
        expired: What was said before this time goes because it is old: only notes whose whole stretch is go with it.
            Alone, segments are read from the oldest one up to the first that holds nothing so old.
        notes: Kind and id of further notes that go.

    Raises:
        TransientError: Some segments may still hold the words; call it again.
    """
    head = head_of(await store.get(index_head_path(chat_id)))
    meant = _Removal(sorted(message_ids), user_id, until, expired, frozenset(notes))
    only_old = not (message_ids or notes) and user_id is None
    numbers: list[int] = []
    gone = set(message_ids)
    for entry in head.entries:
        try:
            segment, _ = segment_of(await store.get(index_segment_path(chat_id, entry.number)))
        except SegmentUnreadable:
            numbers.append(entry.number)
            continue
        if only_old and not (meant.find_expired(segment) or any(map(meant.is_over, segment.notes()))):
            break
        numbers.append(entry.number)
        gone |= meant.ids_in(segment)
    for number in numbers:
        await _rewrite(store, chat_id, number, meant._replace(message_ids=sorted(gone)))
    indexes.forget(chat_id)


async def _rewrite(store: DocumentStore, chat_id: int, number: int, meant: _Removal) -> None:
    async def body(tx: Transaction) -> None:
        documents = await tx.get_many([index_head_path(chat_id), index_segment_path(chat_id, number)])
        head = head_of(documents[0])
        entry = head.entry(number)
        if entry is None:
            return
        writes: list[Write] = []
        try:
            segment, _ = segment_of(documents[1])
            words = sorted({*meant.message_ids, *meant.ids_in(segment)})
            notes = tuple(note for note in segment.notes() if meant.takes(note, words))
            held = {*words, *meant.find_expired(segment)}.intersection(segment.talk.columns.message_ids.tolist())
            if held or notes:
                change = IndexChange(without=frozenset(held), without_notes=notes)
                writes = place(chat_id, head, {number: segment}, change)
        except SegmentUnreadable:  # nobody can tell what is in it: it is emptied, and the worker will make it again
            blank = Segment.build()
            payload = blank.encode()
            emptied = head.with_entries(number, [entry_of(number, entry.start, blank, payload)])
            marked = emptied._replace(broken=emptied.broken | {number})
            writes = [segment_write(chat_id, number, payload), head_write(chat_id, marked)]
        for write in writes:
            tx.write(write)

    await store.transaction(body)
