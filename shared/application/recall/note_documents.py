"""The notes in the documents of chunks, metas and episodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from shared.application.documents import chat_path
from shared.application.ports.store import Document
from shared.domain.recall.index.note import Note, NoteKind

NOTE_KINDS: tuple[NoteKind, ...] = get_args(NoteKind)

MOST_TEXT = 16_000
"""Characters of a note, or of what is in a message's media, that the index keeps: a bound for a segment's size."""

_TEXTS = ("summary", "episodic", "themes", "tone", "emotional_arc", "key_topics")


def notes_path(chat_id: int, kind: NoteKind) -> str:
    """The collection of the documents of one kind."""
    return f"{chat_path(chat_id)}/{kind}s"


def kind_of(document: Document) -> NoteKind:
    """Return which kind of note a document holds, by its path."""
    collection = document.path.split("/")[-2]
    return next(kind for kind in NOTE_KINDS if f"{kind}s" == collection)


def note_from(document: Document) -> Note:
    """The note in a document; its text may be empty."""
    data = document.data
    return Note(
        kind=kind_of(document),
        id=document.id,
        first=data["first"],
        last=data["last"],
        first_at=data["first_at"],
        last_at=data["last_at"],
        text=_text(data),
        embedding=data.get("embedding") or None,
        embedding_model=data.get("embedding_model"),
    )


def _text(data: Mapping[str, Any]) -> str:
    """Return what it says, a field a line; lists with commas."""
    said = (data.get(name) for name in _TEXTS)
    lines = (", ".join(map(str, each)) if isinstance(each, list) else str(each) for each in said if each)
    return "\n".join(lines)[:MOST_TEXT]
