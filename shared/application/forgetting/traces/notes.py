"""Finds and empties the notes that may hold forgotten words; the next task of the chat makes them anew."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from shared.application.forgetting.traces.scope import Scope
from shared.application.ports.store import Document, DocumentStore
from shared.application.reading.notes.codec import Episode, MetaSummary, left_to_do, read_note
from shared.application.recall.note_codec import emptied_fields, outdated_fields, vector_fields
from shared.application.spending.asking import Embedded
from shared.domain.recall.index.note import NoteKind

SEEN_BEFORE = 10
"""Messages before its own with which a chunk is made (`extraction`): what they say may be in its texts."""

_AT_ONCE = 20


class NoteSeen(NamedTuple):
    """The part of a note that tells whether it must be made again: its messages, or of a meta summary its nodes.

    Attributes:
        level: Of a meta summary, from 1 on; else 0.
        theirs: Whether the member speaks in it, or it repeats their words.
    """

    path: str
    kind: NoteKind
    id: str
    level: int
    first: int
    message_ids: tuple[int, ...]
    nodes: tuple[str, ...]
    theirs: bool


def note_seen(scope: Scope, document: Document) -> NoteSeen:
    """Reduce a chunk, a meta summary or an episode to what is needed to judge it."""
    note = read_note(document)
    speakers = {*note.speakers, *(each.user_id for each in (note.participants if isinstance(note, Episode) else ()))}
    level, nodes = (note.level, note.nodes) if isinstance(note, MetaSummary) else (0, ())
    return NoteSeen(
        note.path, note.kind, note.id, level, note.first, note.message_ids, nodes, scope.user_id in speakers
    )


def find_affected(notes: Iterable[NoteSeen], gone: frozenset[int]) -> list[NoteSeen]:
    """Return the notes that were made with any of these messages, or from a note that was."""
    seen = sorted(notes, key=lambda note: (note.level, note.first))
    touched, before = set[str](), list[int]()
    for note in (each for each in seen if each.kind == "chunk"):
        if note.theirs or not gone.isdisjoint((*before, *note.message_ids)):
            touched.add(note.id)
        before = [*before, *note.message_ids][-SEEN_BEFORE:]
    for note in seen:
        if note.kind == "meta" and (note.theirs or not touched.isdisjoint(note.nodes)):
            touched.add(note.id)
    episodes = [n for n in seen if n.kind == "episode" and (n.theirs or not gone.isdisjoint(n.message_ids))]
    return [*episodes, *(note for note in seen if note.kind != "episode" and note.id in touched)]


async def empty_notes(store: DocumentStore, chat_id: int, notes: Sequence[NoteSeen]) -> None:
    """Remove all texts from the notes and have them made again; one that is gone stays gone.

    That they are to be made again is written last: after a crash before, the next run finds the same notes.
    """
    again = {**outdated_fields(), **vector_fields(Embedded())}
    for start in range(0, len(notes), _AT_ONCE):
        page = notes[start : start + _AT_ONCE]
        await asyncio.gather(*(store.update(each.path, {**emptied_fields(each.kind), **again}) for each in page))
    if notes:
        await store.batch([left_to_do(chat_id, "stale")])
