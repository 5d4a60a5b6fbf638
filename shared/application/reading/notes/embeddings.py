"""Vectors of messages, chunks, metas and episodes: made later where the embedder was away, anew for another one."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, product
from typing import TypeVar

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.consent_gate import consent_changed, consent_holds, may_retell, readable_by_ids
from shared.application.ports.model import Embedder
from shared.application.ports.store import Document, DocumentStore, Filter, Order, Transaction, Upsert
from shared.application.recall.note_codec import (
    EMBEDDING_MODEL,
    NOTE_KINDS,
    StoredNote,
    notes_path,
    read_stored_note,
    vector_fields,
)
from shared.application.recall.note_queries import BY_FIRST, starting_from
from shared.application.spending.asking import Embedded, embed_texts
from shared.application.spending.budgets import over_budget
from shared.domain.conversation.messages import Message
from shared.domain.errors import Contention
from shared.domain.people.naming import plain_names
from shared.domain.recall.index.vectors import embedded_text, pack_vectors

NoteT = TypeVar("NoteT", bound=StoredNote)

AT_ONCE, _TOGETHER = 50, 9
"""Notes looked up at once, and embedded in one request: with ten messages each, 99 texts (Gemini takes 100)."""


def embeddable(state: ChatState, note: StoredNote) -> str:
    """Return what a note tells, for the embedder; "" when it holds words of somebody who has opted out since."""
    return plain_names(note.texts.told) if may_retell(state, note.speakers) else ""


async def embed_note(embedder: Embedder | None, state: ChatState, note: NoteT) -> NoteT:
    """Return a note with the vector of what it tells; without one when it is still to be made, as when it gets another
    text from the model."""
    if embedder is None or note.model_pending:
        return replace(note, embedded=Embedded())
    (embedded,) = await embed_texts(embedder, [embeddable(state, note)])
    return replace(note, embedded=embedded)


async def embed_chunks(
    embedder: Embedder | None, told: Sequence[str], said: Sequence[Iterable[Message]], *, now: bool = False
) -> list[Embedded]:
    """Embed what chunks tell together with the messages that each is of, equal messages once; as `embed_texts`."""
    texts = [list(filter(None, map(embedded_text, each))) for each in said]
    wanted = list(dict.fromkeys(chain(*texts)))
    made = await embed_texts(embedder, [*told, *wanted], now=now) if told else []
    vectors = {text: each.embedding or () for text, each in zip(wanted, made[len(told) :], strict=True)}
    packed = [pack_vectors({text: vectors[text] for text in each}) for each in texts]
    return [replace(own, messages=each) for own, each in zip(made, packed, strict=False)]


async def embed_missing(app: App, state: ChatState, *, all_models: bool) -> bool:
    """Give texts without a vector one; whether some are left.

    Args:
        all_models: Also those with a vector of another model or size.
    """
    if app.embedder is None:
        return False
    if await over_budget(app, state) is not None or await consent_changed(app.chats, state):
        return True
    name, left = app.embedder.name, False
    wanted = [Filter(EMBEDDING_MODEL, "==", None)]
    if all_models:
        wanted += [Filter(EMBEDDING_MODEL, "<", name), Filter(EMBEDDING_MODEL, ">", name)]
    for kind, which in product(NOTE_KINDS, wanted):
        order = [] if which.op == "==" else [Order(EMBEDDING_MODEL)]
        found = await app.store.query(notes_path(state.chat_id, kind), where=[which], order_by=order, limit=AT_ONCE)
        notes = map(read_stored_note, found)
        final = [note for note in notes if app.model is None or not note.model_pending]  # others get another text
        embedded = await _embed(app.store, app.embedder, state, final)
        left |= len(found) == AT_ONCE or any(e.embedding_model is None for e in embedded)
        if not await _store(app.store, state, final, embedded):
            return True
    return left


async def embed_range(
    store: DocumentStore, embedder: Embedder | None, state: ChatState, *, first: int | None, last: int | None
) -> int:
    """Make the vectors of every text about messages between two ids anew (None: no bound); how many.

    Raises:
        ModelUnavailable: There is no embedder, or it is away; what it was not asked for is as it was.
        Contention: The chat's choices changed meanwhile; run it again.
    """
    count = 0
    where = [] if first is None else [starting_from(first)]
    for collection in (notes_path(state.chat_id, kind) for kind in NOTE_KINDS):
        page: Document | None = None
        while found := await store.query(collection, where=where, order_by=[BY_FIRST], limit=AT_ONCE, after=page):
            notes = [read_stored_note(document) for document in found]
            meant = [note for note in notes if last is None or note.last <= last]
            embedded = await _embed(store, embedder, state, meant, now=True)
            if not await _store(store, state, meant, embedded):
                raise Contention("the chat's choices changed meanwhile; run it again")
            count, page = count + len(meant), found[-1]
            if len(found) < AT_ONCE or (last is not None and notes[-1].first > last):
                break
    return count


async def _embed(
    store: DocumentStore, embedder: Embedder | None, state: ChatState, notes: Sequence[StoredNote], *, now: bool = False
) -> list[Embedded]:
    """Embed what notes tell, and the messages of chunks that may be read."""
    made = list[Embedded]()
    for part in (notes[start : start + _TOGETHER] for start in range(0, len(notes), _TOGETHER)):
        said = [await readable_by_ids(store, state, n.message_ids if n.kind == "chunk" else ()) for n in part]
        made += await embed_chunks(embedder, [embeddable(state, note) for note in part], said, now=now)
    return made


async def _store(
    store: DocumentStore, state: ChatState, notes: Sequence[StoredNote], embedded: Sequence[Embedded]
) -> bool:
    """Write the vectors, except of what has changed since it was read; False when the chat's choices have."""
    fitting = {note.path: (note, made) for note, made in zip(notes, embedded, strict=True) if made.embedding_model}
    if not fitting:
        return True

    async def commit(tx: Transaction) -> bool:
        if not await consent_holds(tx, state):
            return False
        found = [read_stored_note(document) for document in await tx.get_many(list(fitting)) if document is not None]
        for note in found:
            read, vectors = fitting[note.path]
            if note.texts.told == read.texts.told and note.is_as_read(read):
                tx.write(Upsert(note.path, vector_fields(note.kind, vectors)))
        return True

    return await store.transaction(commit)
