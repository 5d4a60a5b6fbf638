"""The documents of notes: what chunks, meta summaries and episodes have in common, and what the index takes of one.

What each kind has of its own is read and written in `reading.notes.codec`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple, get_args

from shared.application.derived_codec import DerivedCodec, picked_fields
from shared.application.documents import chat_path
from shared.application.ports.store import Document, Increment
from shared.application.spending.asking import Embedded
from shared.domain.conversation.messages import SCHEMA
from shared.domain.recall.index.note import Note, NoteKind
from shared.domain.recall.index.vectors import TextVector

NOTE_KINDS: tuple[NoteKind, ...] = get_args(NoteKind)

MOST_TEXT = 16_000
"""Characters of a note, or of what is in a message's media, that the index keeps: a bound for a segment's size."""


EMBEDDING_MODEL = "embedding_model"
"""The field that names the embedder; None: a vector is still due."""

_NO_VECTOR: Final = Embedded()

_OWN_TEXTS: Final[Mapping[NoteKind, tuple[str, ...]]] = {
    "chunk": ("summary", "episodic"),
    "meta": ("summary",),
    "episode": ("summary", "themes", "tone", "key_topics"),
}


class NoteTexts(NamedTuple):
    """The texts of a note; only those of its kind are stored, the others are empty.

    Attributes:
        summary: Of every kind: what was talked about.
        episodic: Of a chunk: facts, a line each.
        themes, tone, key_topics: Of an episode.
    """

    summary: str = ""
    episodic: str = ""
    themes: tuple[str, ...] = ()
    tone: str = ""
    key_topics: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """Return what the note tells, a field a line: the text that is searched and embedded."""
        return "\n".join(filter(None, (text if isinstance(text, str) else ", ".join(text) for text in self)))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredNote:
    """The fields that the documents of chunks, meta summaries and episodes have in common.

    Attributes:
        path: Of the document.
        first, last: Ids of the first and the last message that it is about.
        first_at, last_at: When these were sent (aware, UTC).
        texts: What it tells.
        message_ids: Of a chunk and of an episode the messages that it was made of; a meta summary has none.
        speakers: The members whose words it was made from, ascending; absent in old documents: nobody is known.
        made_with: Of a chunk and of an episode the messages whose words were before who wrote the texts, ascending:
            all of the call of the model, those that what is known was learnt from among them. None: not said.
        made_by: Model and version of the prompt, or `OFFLINE`.
        model_pending: It was made without the model, which is still to be asked.
        stale: What it was made from has changed since.
        outdated: How often that has changed; absent: never.
        edited_by: The member whose edit that was, until it is made again (see `outdated_fields`); absent: nobody.
        embedded: Its vector; without a model's name one is still due.
        awaits_index: The index is to take it up. Absent in documents from before there was an index, which are not
            waiting until they are listed anew.
        made_at, expire_at: When it was first made, and when it goes; None: not said.
    """

    path: str
    first: int
    last: int
    first_at: datetime
    last_at: datetime
    texts: NoteTexts
    message_ids: tuple[int, ...] = ()
    speakers: tuple[int, ...] = ()
    made_with: tuple[int, ...] | None = None
    made_by: str = ""
    model_pending: bool = False
    stale: bool = False
    outdated: int = 0
    edited_by: int | None = None
    embedded: Embedded = _NO_VECTOR
    awaits_index: bool = False
    made_at: datetime | None = None
    expire_at: datetime | None = None

    @property
    def id(self) -> str:
        """The last part of the path."""
        return self.path.rsplit("/", 1)[-1]

    @property
    def kind(self) -> NoteKind:
        """Return which kind of note it is, by its path."""
        return kind_of(self.path)

    def notice_fields(self) -> dict[str, Any]:
        """Return what it tells and whose words that is made from, as stored."""
        return {**_own_texts(self.kind, self.texts), "speakers": list(self.speakers)}

    def is_as_read(self, read: StoredNote) -> bool:
        """Return whether nothing that it is made from has changed since it was read."""
        return self.outdated == read.outdated


NOT_DERIVED: Final = ("path", "texts", "embedded", "awaits_index")
"""Attributes of a note that are not a field of its document each."""

_NOTE = DerivedCodec(StoredNote, apart=NOT_DERIVED)


def read_note_fields(document: Document) -> dict[str, Any]:
    """Read what is no field by itself (`NOT_DERIVED`) of a note of any kind."""
    data = document.data
    messages = tuple(data.get("message_vectors") or ())
    embedded = Embedded(data.get("embedding") or None, data.get(EMBEDDING_MODEL), messages)
    awaits_index = data.get("indexed") is False
    return {"path": document.path, "texts": read_texts(data), "embedded": embedded, "awaits_index": awaits_index}


_TEXTS = DerivedCodec(NoteTexts)

read_texts = _TEXTS.read
"""Read the texts of a note of any kind; those that its document does not have are empty."""


def new_note_fields(note: StoredNote) -> dict[str, Any]:
    """The fields that a note of every kind is first stored with."""
    plain = ("first", "last", "first_at", "last_at", "model_pending", "stale", "made_at", "expire_at")
    own = {name: getattr(note, name) for name in plain}
    return {"schema": SCHEMA, **own, **text_fields(note), **vector_fields(note.kind, note.embedded)}


def text_fields(note: StoredNote) -> dict[str, Any]:
    """The changes by which a note tells what it tells now, whose words that is made from, and who made it."""
    known = {} if note.made_with is None else {"made_with": list(note.made_with)}
    return {**note.notice_fields(), **known, "made_by": note.made_by, "indexed": False}


def remade_fields(note: StoredNote) -> dict[str, Any]:
    """The changes of a note that was made again.

    Who edited what it was made from is forgotten once nobody is to pay for it any more.
    """
    paid = {} if note.model_pending else {"edited_by": None}
    return {**text_fields(note), "model_pending": note.model_pending, "stale": False, **paid}


def _own_texts(kind: NoteKind, texts: NoteTexts) -> dict[str, str | list[str]]:
    return picked_fields(_TEXTS.fields(texts), _OWN_TEXTS[kind])


def vector_fields(kind: NoteKind, embedded: Embedded) -> dict[str, Any]:
    """The changes that give a note its vector, and a chunk those of its messages, for the index to take up."""
    of_messages = {"message_vectors": list(embedded.messages) or None} if kind == "chunk" else {}
    return {**embedded.fields(), **of_messages, "indexed": False}


def left_alone_fields() -> dict[str, Any]:
    """The changes by which a note is made again no more."""
    return {"model_pending": False, "stale": False, "indexed": False}


def emptied_fields(kind: NoteKind) -> dict[str, Any]:
    """The changes by which a note tells nothing, and holds nobody's words; an old episode named who took part."""
    nothing = {**_own_texts(kind, NoteTexts()), **vector_fields(kind, Embedded()), "speakers": []}
    return nothing | ({"participants": []} if kind == "episode" else {})


def pending_field() -> dict[str, Any]:
    """The change by which a note is to be read again by the model; what it tells stays where that gives nothing."""
    return {"model_pending": True}


def outdated_fields(*, by: int | None = None) -> dict[str, Any]:
    """The changes by which a note is made again: what it was made from has changed.

    `outdated` counts that, so that who began to make it before does not take the newest change for done.

    Args:
        by: The member whose edit it was, in `edited_by` until it is made again: what the model costs for that is booked
            to them, too, and waits while they have nothing left of today's budget. None: it is the chat's own matter.
    """
    return {"stale": True, "model_pending": True, "outdated": Increment(1), "edited_by": by}


def notes_path(chat_id: int, kind: NoteKind) -> str:
    """The collection of the documents of one kind."""
    return f"{chat_path(chat_id)}/{kind}s"


def kind_of(path: str) -> NoteKind:
    """Return which kind of note a document holds, by its path."""
    collection = path.split("/")[-2]
    return next(kind for kind in NOTE_KINDS if f"{kind}s" == collection)


def read_stored_note(document: Document) -> StoredNote:
    """Read what a note of any kind has in common with the others."""
    return _NOTE.read(document.data, **read_note_fields(document))


def index_note(note: StoredNote) -> Note:
    """The note as the index holds it; its text may be empty."""
    return Note(
        kind=note.kind,
        id=note.id,
        first=note.first,
        last=note.last,
        first_at=note.first_at,
        last_at=note.last_at,
        text=note.texts.told[:MOST_TEXT],
        vector=TextVector.of(note.embedded.embedding_model, note.embedded.embedding),
    )


def indexed_fields(*, done: bool) -> dict[str, bool]:
    """The change that says whether the index holds a note as it is now."""
    return {"indexed": done}
