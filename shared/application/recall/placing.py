"""Where in the index a change goes: pure, from the segments read to the writes to be made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from shared.application.documents import index_segment_path
from shared.application.ports.store import Delete, Write
from shared.application.recall.head_codec import Head, SegmentEntry, entry_of, segment_write
from shared.domain.conversation.messages import Message
from shared.domain.recall.index.note import Note
from shared.domain.recall.index.segment import Segment, divide_segment

UNWRITTEN = ""
"""Revision of a segment that is about to be made."""

_LOWEST = -(1 << 62)


class IndexChange(NamedTuple):
    """What goes into the index and what goes out of it; `without` are ids, `without_notes` notes."""

    messages: tuple[Message, ...] = ()
    notes: tuple[Note, ...] = ()
    without: frozenset[int] = frozenset()
    without_notes: tuple[Note, ...] = ()

    @property
    def ids(self) -> set[int]:
        """The message ids by which the segments concerned are found."""
        return {
            *(message.message_id for message in self.messages),
            *self.without,
            *(note.first for note in (*self.notes, *self.without_notes)),
        }


def ensure_segment(head: Head) -> Head:
    """The head with a segment to begin with, if it has none."""
    return head if head.entries else Head((SegmentEntry(1, _LOWEST, 0, 0, 0, UNWRITTEN, 0),))


def unwritten(head: Head, number: int) -> Head:
    """The head as if a segment had not been written yet: `place` will write it, whatever the head says of it."""
    entry = next(entry for entry in head.entries if entry.number == number)
    return head.with_entries(number, [entry._replace(revision=UNWRITTEN)])


def place(chat_id: int, head: Head, segments: Mapping[int, Segment], change: IndexChange) -> tuple[Head, list[Write]]:
    """The head after a change, and the writes of the segments that it altered.

    Args:
        segments: By number, at least those that the change's ids belong in; each of them is written anew.
    """
    parts, writes, written = _by_home(head, change), list[Write](), head
    last = head.entries[-1]
    for number, segment in segments.items():
        entry = next(entry for entry in head.entries if entry.number == number)
        part = parts.get(number, IndexChange())
        keys = {note.key for note in part.without_notes}
        altered = segment.change(part.messages, part.notes, without=part.without, without_notes=keys)
        entries: list[SegmentEntry] = []
        for piece, payload in _pieces(altered, growing=entry == last):
            first = not entries
            new = entry_of(
                entry.number if first else written.next_number,
                entry.start if first else lowest_id(piece),
                piece,
                payload,
            )
            entries.append(new)
            written = written.with_entries(number, entries)
            if new.revision != entry.revision:
                writes.append(segment_write(chat_id, new.number, payload))
        if not entries:
            written = written.with_entries(number, ())
            writes.append(Delete(index_segment_path(chat_id, number)))
    return written, writes


def lowest_id(segment: Segment) -> int:
    """The lowest message id that it holds or is about; it must not be empty."""
    ids = (segment.talk.columns.message_ids, segment.memory.columns.firsts)
    return min(int(column[0]) for column in ids if len(column))


def _pieces(segment: Segment, *, growing: bool) -> list[tuple[Segment, bytes]]:
    empty = not segment.talk.size and not segment.memory.size
    return [] if empty else divide_segment(segment, growing=growing)


def _by_home(head: Head, change: IndexChange) -> dict[int, IndexChange]:
    messages, notes = defaultdict[int, list[Message]](list), defaultdict[int, list[Note]](list)
    without, without_notes = defaultdict[int, set[int]](set), defaultdict[int, list[Note]](list)
    for message in change.messages:
        messages[head.home(message.message_id).number].append(message)
    for note in change.notes:
        notes[head.home(note.first).number].append(note)
    for message_id in change.without:
        without[head.home(message_id).number].add(message_id)
    for note in change.without_notes:
        without_notes[head.home(note.first).number].append(note)
    return {
        number: IndexChange(
            tuple(messages[number]), tuple(notes[number]), frozenset(without[number]), tuple(without_notes[number])
        )
        for number in {*messages, *notes, *without, *without_notes}
    }
