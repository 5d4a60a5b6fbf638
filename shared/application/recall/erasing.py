"""Taking words out of the index: the segments that hold them are written anew, and so are those whose notes may."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from shared.application.documents import index_head_path, index_segment_path
from shared.application.ports.store import DocumentStore, Transaction, Write
from shared.application.recall.head_codec import Head, entry_of, head_of, head_write, segment_of, segment_write
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
        segment = await _segment(store, chat_id, entry.number)
        if only_old and segment is not None and not _holds_expired(segment, expired):
            break
        numbers.append(entry.number)
        gone |= _ids_said_by(segment, user_id=user_id, until=until, before=before) if segment is not None else set()
    for number in numbers:
        await _rewrite(store, chat_id, number, meant._replace(message_ids=sorted(gone)))
    indexes.forget(chat_id)


async def _segment(store: DocumentStore, chat_id: int, number: int) -> Segment | None:
    try:
        return segment_of(await store.get(index_segment_path(chat_id, number)))[0]
    except SegmentUnreadable:
        return None


def _holds_expired(segment: Segment, line: datetime | None) -> bool:
    return bool(_ids_said_by(segment, user_id=None, before=line)) or any(
        _is_over(note, line) for note in segment.notes()
    )


def _ids_said_by(
    segment: Segment, *, user_id: int | None, before: datetime | None, until: datetime | None = None
) -> set[int]:
    """Ids of the messages of a member until a time, and of those before one."""
    columns = segment.talk.columns
    meant = np.zeros(segment.talk.size, np.bool_)
    if user_id is not None:
        theirs = columns.speakers == user_id
        meant |= theirs if until is None else theirs & (columns.sent_us <= microseconds(until))
    if before is not None:
        meant |= columns.sent_us < microseconds(before)
    return {int(message_id) for message_id in columns.message_ids[meant]}


async def _rewrite(store: DocumentStore, chat_id: int, number: int, meant: _Meant) -> None:
    async def body(tx: Transaction) -> None:
        documents = await tx.get_many([index_head_path(chat_id), index_segment_path(chat_id, number)])
        head = head_of(documents[0])
        if number not in {entry.number for entry in head.entries}:
            return
        try:
            segment, _ = segment_of(documents[1])
        except SegmentUnreadable:  # nobody can tell what is in it
            for write in _empty_segment(chat_id, head, number):
                tx.write(write)
            return
        said = _ids_said_by(segment, user_id=meant.user_id, until=meant.until, before=meant.before)
        words = sorted({*meant.message_ids, *said})
        without = {*words, *_ids_said_by(segment, user_id=None, before=meant.expired)}
        notes = tuple(note for note in segment.notes() if _goes(note, meant, words))
        held = without.intersection(map(int, segment.talk.columns.message_ids))
        if held or notes:
            written, writes = place(
                chat_id, head, {number: segment}, IndexChange(without=frozenset(held), without_notes=notes)
            )
            for write in (*writes, head_write(chat_id, written)):
                tx.write(write)

    await store.transaction(body)


def _goes(note: Note, meant: _Meant, message_ids: Sequence[int]) -> bool:
    return note.key in meant.notes or _is_about(note, message_ids) or _is_over(note, meant.expired)


def _is_about(note: Note, message_ids: Sequence[int]) -> bool:
    """Return whether one of these, ascending, is in the stretch that the note is about."""
    at = bisect_left(message_ids, note.first)
    return at < len(message_ids) and message_ids[at] <= note.last


def _is_over(note: Note, line: datetime | None) -> bool:
    return line is not None and note.last_at < line


def _empty_segment(chat_id: int, head: Head, number: int) -> list[Write]:
    """A segment with nothing in it, which the worker will make again."""
    blank = Segment.build()
    start = next(entry.start for entry in head.entries if entry.number == number)
    payload = blank.encode()
    written = head.with_entries(number, [entry_of(number, start, blank, payload)])
    marked = written._replace(broken=written.broken | {number})
    return [segment_write(chat_id, number, payload), head_write(chat_id, marked)]
