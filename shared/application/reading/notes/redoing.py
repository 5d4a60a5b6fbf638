"""Makes texts again: which ones now, one after the other, how each replaces what was there, and what becomes of one
that always fails.

Texts whose editor's budget is used up are left for later: they would stand before all others that wait for the model,
every hour of the day.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple, TypeVar

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.consent_gate import consent_holds
from shared.application.documents import metas_path
from shared.application.ports.model import Embedder, LanguageModel, ModelRequest
from shared.application.ports.store import Document, DocumentStore, Filter, Transaction, Upsert
from shared.application.reading.notes.codec import Chunk, Episode, MetaSummary, mark_work_due, read_note
from shared.application.reading.setting_aside import ExtractionPiece, Pieces
from shared.application.recall.note_codec import (
    StoredNote,
    emptied_fields,
    left_alone_fields,
    outdated_fields,
    remade_fields,
    vector_fields,
)
from shared.application.spending.asking import ModelAnswer, ask, can_ask, not_embedded
from shared.application.spending.budgets import over_budget


def waits(model: LanguageModel | None, embedder: Embedder | None, note: StoredNote) -> bool:
    """Return whether a note's text waits for the model, or its vector for the embedder, that there is but was away.

    What waits for one that is not configured is looked at when one is (`UpkeepLedger.backends`).
    """
    for_model = model is not None and note.model_pending
    return for_model or (embedder is not None and note.embedded.embedding_model is None)


async def read_current(tx: Transaction, path: str) -> Chunk | MetaSummary | Episode | None:
    """Read a note as it is now, or None when it is gone."""
    document = await tx.get(path)
    return None if document is None else read_note(document)


async def stale_parent(
    tx: Transaction, chat_id: int, node: Chunk | MetaSummary | Episode, *, changed: bool
) -> list[Upsert]:
    """The writes by which the meta summary that holds a node is made again; to be asked for before any write."""
    held_by = None if isinstance(node, Episode) else node.meta_id
    if not changed or held_by is None:
        return []
    parent = await tx.get(f"{metas_path(chat_id)}/{held_by}")
    if parent is None:
        return []
    return [Upsert(parent.path, outdated_fields(by=node.edited_by)), mark_work_due(chat_id, "stale")]


async def replace_note(app: App, state: ChatState, read: MetaSummary | Episode, again: MetaSummary | Episode) -> bool:
    """Give a note other texts and another vector, unless another run was faster; what holds it becomes stale.

    False when somebody opted out or in meanwhile.

    Args:
        read: The note as it was when it began to be made again.
        again: As it was made.
    """

    async def commit(tx: Transaction) -> bool:
        if not await consent_holds(tx, state):
            return False
        known = await read_current(tx, read.path)
        if known is None or known.texts.told != read.texts.told or not known.is_as_read(read):
            return True
        parent = await stale_parent(tx, state.chat_id, known, changed=again.texts.told != known.texts.told)
        owed = [mark_work_due(state.chat_id, "waits")] if waits(app.model, app.embedder, again) else []
        changes = {**remade_fields(again), **vector_fields(read.kind, again.embedded)}
        for write in [Upsert(read.path, changes), *parent, *owed]:
            tx.write(write)
        return True

    return await app.store.transaction(commit)


NoteT = TypeVar("NoteT", Chunk, MetaSummary, Episode)

_MOST_PAGES = 10
"""Pages that are looked through for what can be made again."""


class Redone(NamedTuple):
    """The number of notes made again, and whether the model is still to be asked about some."""

    made: int = 0
    later: bool = False


def piece_of(chat_id: int, note: Chunk | MetaSummary | Episode) -> ExtractionPiece:
    """Return what a note is set aside as when it cannot be made."""
    if isinstance(note, MetaSummary):
        return ExtractionPiece(chat_id, "meta", (note.first, note.last), note.outdated, note.level)
    return ExtractionPiece(chat_id, note.kind, note.message_ids, note.outdated)


async def find_due(
    app: App, state: ChatState, collection: str, which: Filter, *, most: int, read: Callable[[Document], NoteT]
) -> tuple[list[NoteT], bool]:
    """Find up to `most` notes of a collection that are to be made again, by id; whether others wait for a budget.

    What is stale always is, without the model if need be: its text must not stay.
    """
    poor: dict[int, bool] = {}
    due: list[NoteT] = []
    passed_over, last = False, None
    for _ in range(_MOST_PAGES):
        page = await app.store.query(collection, where=[which], limit=most, after=last)
        for note in map(read, page):
            payer = None if note.stale else note.edited_by
            if payer is not None and payer not in poor:
                poor[payer] = app.policy.tokens_per_member > 0 and await over_budget(app, state, payer) == "member"
            if payer is None or not poor[payer]:
                due.append(note)
            else:
                passed_over = True
        if len(due) >= most or len(page) < most:
            break
        last = page[-1]
    return due[:most], passed_over


async def redo_due(
    app: App,
    state: ChatState,
    pieces: Pieces,
    *,
    which: Filter,
    limit: int,
    path: Callable[[int], str],
    read: Callable[[Document], NoteT],
    redo: Callable[[App, ChatState, NoteT], Awaitable[bool]],
) -> Redone:
    """Make up to `limit` notes of a collection again, lowest level first; one that always fails is left as it is.

    Args:
        which: `STALE`: what they were made from has changed; `MODEL_PENDING`: they were made without the model.
        path: The collection of a chat.
        read: Reads a document of the collection.
        redo: Makes one again; whether the model is still to be asked about it.
    """
    due, later = await find_due(app, state, path(state.chat_id), which, most=limit, read=read)
    made = 0
    for note in sorted(due, key=lambda each: (each.level if isinstance(each, MetaSummary) else 0, each.first)):
        piece = piece_of(state.chat_id, note)
        leave = partial(leave_note, app.store, app.embedder, state.chat_id, note)
        later |= bool(await pieces.do(piece, partial(redo, app, state, note), leave))
        made += not pieces.comes_again(piece)
    return Redone(made, later)


async def leave_note(
    store: DocumentStore, embedder: Embedder | None, chat_id: int, read: Chunk | MetaSummary | Episode
) -> None:
    """Make a note again no more, unless it has changed. No text of a stale one stays: it is of what is gone."""

    async def leave(tx: Transaction) -> None:
        known = await read_current(tx, read.path)
        if known is None or not known.is_as_read(read):
            return
        nothing = {**emptied_fields(known.kind), **not_embedded(embedder).fields()} if known.stale else {}
        above = await stale_parent(tx, chat_id, known, changed=bool(nothing))
        for write in (Upsert(read.path, {**nothing, **left_alone_fields()}), *above):
            tx.write(write)

    await store.transaction(leave)


async def ask_if_possible(
    app: App, state: ChatState, request: ModelRequest | None, *, about: object, payer: int | None = None
) -> ModelAnswer:
    """Ask the model if it can be asked now, and later if not.

    Args:
        request: None when there is nothing to ask about: then the answer is empty.
        about, payer: As for `ask`.
    """
    if request is None:
        return ModelAnswer()
    if not await can_ask(app, state, payer=payer):
        return ModelAnswer(later=True)
    return await ask(app, state, request, about=about, payer=payer)
