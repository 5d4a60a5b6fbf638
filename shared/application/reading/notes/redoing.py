"""How texts are made again: which ones now, one after the other, and what becomes of one that always fails.

Not now are those that wait for the budget of whose edit they are about: they would stand before all others that wait
for the model, every hour of the day.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.ports.model import ModelRequest
from shared.application.ports.store import Document, DocumentStore, Filter, Transaction, Upsert
from shared.application.reading.notes.chunk_codec import Chunk
from shared.application.reading.notes.episode_codec import Episode
from shared.application.reading.notes.meta_codec import MetaSummary
from shared.application.reading.notes.replacing import read_current, stale_parent
from shared.application.reading.setting_aside import ExtractionPiece, Pieces
from shared.application.recall.note_codec import (
    emptied_fields,
    left_alone_fields,
)
from shared.application.spending.asking import ModelAnswer, ask, can_ask, not_embedded
from shared.application.spending.budgets import over_budget

if TYPE_CHECKING:
    from shared.application.ports.model import Embedder

NoteT = TypeVar("NoteT", Chunk, MetaSummary, Episode)

_MOST_PAGES = 10
"""That are looked through for what can be made again."""


class Redone(NamedTuple):
    """How many notes were made again, and whether the model is still to be asked about some."""

    made: int = 0
    later: bool = False


class DueNotes(NamedTuple, Generic[NoteT]):
    """Notes to make again, and whether others wait for somebody's budget."""

    notes: Sequence[NoteT]
    passed_over: bool


def piece_of(chat_id: int, note: Chunk | MetaSummary | Episode) -> ExtractionPiece:
    """Return what a note is set aside as when it cannot be made."""
    if isinstance(note, MetaSummary):
        return ExtractionPiece(chat_id, "meta", (note.first, note.last), note.outdated, note.level)
    return ExtractionPiece(chat_id, note.kind, note.message_ids, note.outdated)


async def find_due(
    app: App, state: ChatState, collection: str, which: Filter, *, most: int, read: Callable[[Document], NoteT]
) -> DueNotes[NoteT]:
    """Find up to `most` notes of a collection that are to be made again, by id.

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
    return DueNotes(due[:most], passed_over)


async def redo_due(
    app: App,
    state: ChatState,
    collection: str,
    which: Filter,
    pieces: Pieces,
    *,
    most: int,
    read: Callable[[Document], NoteT],
    redo: Callable[[App, ChatState, NoteT], Awaitable[bool]],
) -> Redone:
    """Make up to `most` notes of a collection again, lowest level first; one that always fails is left as it is.

    Args:
        which: As for `find_due`.
        read: Reads a document of the collection.
        redo: Makes one again; whether the model is still to be asked about it.
    """
    due, later = await find_due(app, state, collection, which, most=most, read=read)
    made = 0
    for note in sorted(due, key=_level_and_first):
        piece = piece_of(state.chat_id, note)
        leave = partial(_leave, app.store, app.embedder, state.chat_id, note)
        later |= bool(await pieces.do(piece, partial(redo, app, state, note), leave))
        made += not pieces.comes_again(piece)
    return Redone(made, later)


def _level_and_first(note: Chunk | MetaSummary | Episode) -> tuple[int, int]:
    return note.level if isinstance(note, MetaSummary) else 0, note.first


async def _leave(
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
    app: App, state: ChatState, request: ModelRequest | None, *, payer: int | None = None
) -> ModelAnswer:
    """Ask the model if it can be asked now, and later if not.

    Args:
        request: None when there is nothing to ask about: then the answer is empty.
        payer: As for `can_ask`.
    """
    if request is None:
        return ModelAnswer()
    if not await can_ask(app, state, payer=payer):
        return ModelAnswer(later=True)
    return await ask(app, state.chat_id, request, payer=payer)
