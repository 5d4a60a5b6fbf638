"""The head of a chat's index: which segments there are, and which message belongs in which.

Every segment takes the ids from its `start` up to the next one's start, the first also all below. So a message has one
place, whenever it comes and however often; only the last segment, the open one, grows in the order of talk. What is in
a segment's document is told by its revision, a hash of the payload.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from shared.application.documents import index_head_path, index_segment_path
from shared.application.ports.store import ArrayUnion, Document, Set, Upsert, Write
from shared.domain.conversation.messages import SCHEMA
from shared.domain.recall.index.segment import Segment, SegmentUnreadable


class SegmentEntry(NamedTuple):
    """One segment.

    Attributes:
        number: Its document is `index/seg-<number>`.
        start: Lowest message id that belongs in it.
        messages, notes: How many it holds.
        size: Bytes of its payload.
        revision: Hash of its payload.
        terms: Version of the analysis of words.
    """

    number: int
    start: int
    messages: int
    notes: int
    size: int
    revision: str
    terms: int


class Head(NamedTuple):
    """All segments by their start, and the numbers of those that were found missing or altered."""

    entries: tuple[SegmentEntry, ...] = ()
    broken: frozenset[int] = frozenset()

    def home(self, message_id: int) -> SegmentEntry:
        """Return where a message belongs; there must be a segment."""
        return self.entries[max(0, bisect_right([entry.start for entry in self.entries], message_id) - 1)]

    def entry(self, number: int) -> SegmentEntry | None:
        """Return the segment of a number, or None when there is none."""
        return next((entry for entry in self.entries if entry.number == number), None)

    def with_entries(self, number: int, entries: Iterable[SegmentEntry]) -> Head:
        """Put these in place of the segment of this number, which is whole again."""
        kept = [entry for entry in self.entries if entry.number != number]
        return Head(tuple(sorted([*kept, *entries], key=lambda entry: entry.start)), self.broken - {number})


def head_of(document: Document | None) -> Head:
    """Read the head; a chat without one has no segments."""
    if document is None:
        return Head()
    entries = tuple(SegmentEntry(**fields) for fields in document.data.get("segments", ()))
    return Head(entries, frozenset(document.data.get("broken", ())) & {entry.number for entry in entries})


def head_write(chat_id: int, head: Head) -> Write:
    """The write that makes this the head."""
    fields = {"segments": [entry._asdict() for entry in head.entries], "broken": sorted(head.broken)}
    return Upsert(index_head_path(chat_id), {"schema": SCHEMA, **fields})


def broken_fields(numbers: Sequence[int]) -> dict[str, ArrayUnion]:
    """The change of the head that says which further segments were found missing or altered."""
    return {"broken": ArrayUnion(tuple(numbers))}


def entry_of(number: int, start: int, segment: Segment, payload: bytes) -> SegmentEntry:
    """Return what the head says of a segment."""
    talk, memory = segment.talk.size, segment.memory.size
    return SegmentEntry(number, start, talk, memory, len(payload), revision_of(payload), segment.terms_version)


def segment_write(chat_id: int, number: int, payload: bytes) -> Write:
    """The write of a segment's document."""
    fields = {"schema": SCHEMA, "number": number, "revision": revision_of(payload), "payload": payload}
    return Set(index_segment_path(chat_id, number), fields)


def segment_of(document: Document | None) -> tuple[Segment, str]:
    """The segment in a document, and its revision.

    Raises:
        SegmentUnreadable: There is no document, or it does not hold a whole segment.
    """
    payload = document.data.get("payload") if document is not None else None
    if not isinstance(payload, bytes):
        raise SegmentUnreadable("The document of a segment is missing, or holds no bytes")
    return Segment.decode(payload), revision_of(payload)


def revision_of(payload: bytes) -> str:
    """A hash that differs when the payload does."""
    return hashlib.sha256(payload).hexdigest()[:16]


def digest_of(head: Head) -> str:
    """A hash that differs when any segment does: names the task that goes on from here."""
    parts = sorted({entry.number: entry.revision for entry in head.entries}.items())
    return hashlib.sha256(repr((parts, sorted(head.broken))).encode()).hexdigest()[:16]
