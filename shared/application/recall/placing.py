"""What of a chat's documents the index may hold, and where in it that goes: from what was read to what is written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.hearing import may_retell, readable_messages
from shared.application.documents import index_segment_path
from shared.application.ports.store import Delete, Document, Write
from shared.application.recall.head_codec import Head, SegmentEntry, entry_of, head_write, segment_write
from shared.application.recall.note_codec import MOST_TEXT, StoredNote, index_note
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


def indexable(state: ChatState, documents: Iterable[Document | None]) -> list[Message]:
    """The messages that may be found: no commands, nothing said in private or by who opted out."""
    return [
        replace(message, media_text=message.media_text[:MOST_TEXT])
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
    told: list[Note] = []
    gone: list[Note] = []
    for stored in notes:
        note = index_note(stored)
        (told if note.text and may_retell(state, stored.speakers) else gone).append(note)
    without = frozenset(ids) - {message.message_id for message in kept}
    return IndexChange(tuple(kept), tuple(told), without, tuple(gone))


def ensure_segment(head: Head) -> Head:
    """The head with a segment to begin with, if it has none."""
    return head if head.entries else Head((SegmentEntry(1, _LOWEST, 0, 0, 0, UNWRITTEN, 0),))


def unwritten(head: Head, number: int) -> Head:
    """The head as if a segment had not been written yet: `place` will write it, whatever the head says of it."""
    entry = next(entry for entry in head.entries if entry.number == number)
    return head.with_entries(number, [entry._replace(revision=UNWRITTEN)])


def place(chat_id: int, head: Head, segments: Mapping[int, Segment], change: IndexChange) -> list[Write]:
    """The writes of the segments that a change alters, and at last that of the head after it.

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
        pieces = divide_segment(altered, growing=entry == last) if altered.talk.size or altered.memory.size else []
        entries: list[SegmentEntry] = []
        for piece, payload in pieces:
            new_number = number if not entries else max(entry.number for entry in written.entries) + 1
            new = entry_of(new_number, entry.start if not entries else _lowest_id(piece), piece, payload)
            entries.append(new)
            written = written.with_entries(number, entries)
            if new.revision != entry.revision:
                writes.append(segment_write(chat_id, new.number, payload))
        if not entries:
            written = written.with_entries(number, ())
            writes.append(Delete(index_segment_path(chat_id, number)))
    return [*writes, head_write(chat_id, written)]


def _lowest_id(segment: Segment) -> int:
    """The lowest message id that it holds or is about; it must not be empty."""
    ids = (segment.talk.columns.message_ids, segment.memory.columns.firsts)
    return min(int(column[0]) for column in ids if len(column))


def _by_home(head: Head, change: IndexChange) -> dict[int, IndexChange]:
    """Divide a change by the segments that its parts belong in."""
    parts = defaultdict[int, tuple[list[Message], list[Note], list[int], list[Note]]](lambda: ([], [], [], []))
    for message in change.messages:
        parts[head.home(message.message_id).number][0].append(message)
    for note in change.notes:
        parts[head.home(note.first).number][1].append(note)
    for message_id in change.without:
        parts[head.home(message_id).number][2].append(message_id)
    for note in change.without_notes:
        parts[head.home(note.first).number][3].append(note)
    return {
        number: IndexChange(tuple(messages), tuple(notes), frozenset(without), tuple(without_notes))
        for number, (messages, notes, without, without_notes) in parts.items()
    }
