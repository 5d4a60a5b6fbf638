"""Taking words out of the index: the segments that hold them are written anew, and so are those whose notes may."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from shared.application.documents import index_head_path, index_segment_path
from shared.application.ports.store import DocumentStore, Transaction, Write
from shared.application.recall.head_codec import entry_of, head_of, head_write, segment_of, segment_write
from shared.application.recall.placing import IndexChange, place
from shared.domain.recall.index.note import Note
from shared.domain.recall.index.segment import Segment, SegmentUnreadable
from shared.domain.recall.index.talk import microseconds

if TYPE_CHECKING:
    from shared.application.recall.cache import IndexCache


class _Meant(NamedTuple):
    """What goes: messages (ascending), a member's until a time, all before one, what expired; notes by kind and id."""

    message_ids: Sequence[int]
    user_id: int | None
    until: datetime | None
    before: datetime | None
    expired: datetime | None
    notes: frozenset[tuple[str, str]]

    def ids_in(self, segment: Segment) -> set[int]:
        """Return the ids of the messages of the member until a time, and of those before one."""
        columns = segment.talk.columns
        meant = np.zeros(segment.talk.size, np.bool_)
        if self.user_id is not None:
            theirs = columns.speakers == self.user_id
            meant |= theirs if self.until is None else theirs & (columns.sent_us <= microseconds(self.until))
        if self.before is not None:
            meant |= columns.sent_us < microseconds(self.before)
        return set(columns.message_ids[meant].tolist())

    def expired_in(self, segment: Segment) -> set[int]:
        """Return the ids of the messages that are too old."""
        return _Meant((), None, None, self.expired, None, frozenset()).ids_in(segment)

    def is_over(self, note: Note) -> bool:
        """Return whether all that a note is about is too old."""
        return self.expired is not None and note.last_at < self.expired

    def takes(self, note: Note, message_ids: Sequence[int]) -> bool:
        """Return whether a note goes: it is meant, too old, or one of these, ascending, is in what it is about."""
        at = bisect_left(message_ids, note.first)
        is_about = at < len(message_ids) and message_ids[at] <= note.last
        return note.key in self.notes or is_about or self.is_over(note)


async def forget_in_index(
    store: DocumentStore,
    indexes: IndexCache,
    chat_id: int,
    *,
    message_ids: Collection[int] = (),
    user_id: int | None = None,
    until: datetime | None = None,
    before: datetime | None = None,
    expired: datetime | None = None,
    notes: Collection[tuple[str, str]] = (),
) -> None:
    """Take out of the index what was said in these messages, by this member, or before this time.

    Notes about a stretch of talk in which some of it was said go too: they may hold the words. The documents of
    messages and notes are the caller's business, and gone or rewritten first: a segment that cannot be read is emptied
    here and made again from them. Repeats harmlessly; other instances read what changed with their next question.

    Args:
        until: Of the member's words those that were said later stay.
        expired: What was said before this time goes because it is old: only notes whose whole stretch is go with it.
            Alone, segments are read from the oldest one up to the first that holds nothing so old.
        notes: Kind and id of further notes that go.

    Raises:
        TransientError: Some segments may still hold the words; call it again.
    """
    head = head_of(await store.get(index_head_path(chat_id)))
    meant = _Meant(sorted(message_ids), user_id, until, before, expired, frozenset(notes))
    only_old = not (message_ids or notes) and user_id is None and before is None
    numbers: list[int] = []
    gone = set(message_ids)
    for entry in head.entries:
        try:
            segment, _ = segment_of(await store.get(index_segment_path(chat_id, entry.number)))
        except SegmentUnreadable:
            numbers.append(entry.number)
            continue
        if only_old and not (meant.expired_in(segment) or any(map(meant.is_over, segment.notes()))):
            break
        numbers.append(entry.number)
        gone |= meant.ids_in(segment)
    for number in numbers:
        await _rewrite(store, chat_id, number, meant._replace(message_ids=sorted(gone)))
    indexes.forget(chat_id)


async def _rewrite(store: DocumentStore, chat_id: int, number: int, meant: _Meant) -> None:
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
            held = {*words, *meant.expired_in(segment)}.intersection(segment.talk.columns.message_ids.tolist())
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
