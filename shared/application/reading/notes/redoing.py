"""How texts are made again: which ones now, one after the other, and what becomes of one that always fails.

Not now are those that wait for the budget of whose edit they are about: they would stand before all others that wait
for the model, every hour of the day.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.documents import metas_path
from shared.application.ports.store import Document, DocumentStore, Filter, Transaction, Upsert
from shared.application.reading.notes.chunks import Redone, emptied_fields, is_as_read, payer_of
from shared.application.reading.notes.upkeep_codec import left_to_do
from shared.application.reading.setting_aside import ExtractionPiece, Pieces
from shared.application.recall.note_codec import outdated_fields
from shared.application.spending.asking import not_embedded
from shared.application.spending.budgets import over_budget

if TYPE_CHECKING:
    from shared.application.ports.model import Embedder


_MOST_PAGES = 10
"""That are looked through for what can be made again."""


class DueDocuments(NamedTuple):
    """Documents to make again, and whether others wait for somebody's budget."""

    documents: Sequence[Document]
    passed_over: bool


async def due_again(app: App, state: ChatState, collection: str, which: Filter, *, most: int) -> DueDocuments:
    """Up to `most` documents of a collection that are to be made again, by id.

    What is stale always is, without the model if need be: its text must not stay.
    """
    poor: dict[int, bool] = {}
    due: list[Document] = []
    passed_over, last = False, None
    for _ in range(_MOST_PAGES):
        page = await app.store.query(collection, where=[which], limit=most, after=last)
        for document in page:
            payer = None if document.data["stale"] else payer_of(document)
            if payer is not None and payer not in poor:
                poor[payer] = app.policy.tokens_per_member > 0 and await over_budget(app, state, payer) == "member"
            if payer is None or not poor[payer]:
                due.append(document)
            else:
                passed_over = True
        if len(due) >= most or len(page) < most:
            break
        last = page[-1]
    return DueDocuments(due[:most], passed_over)


async def redo_due(
    app: App,
    state: ChatState,
    collection: str,
    which: Filter,
    pieces: Pieces,
    *,
    most: int,
    piece_of: Callable[[int, Document], ExtractionPiece],
    redo: Callable[[App, ChatState, Document], Awaitable[bool]],
) -> Redone:
    """Make up to `most` documents of a collection again, lowest level first; one that always fails is left as it is.

    Args:
        which: As for `due_again`.
        piece_of: What a document of the chat is to be set aside as.
        redo: Makes one again; whether the model is still to be asked about it.
    """
    due, later = await due_again(app, state, collection, which, most=most)
    made = 0
    for document in sorted(due, key=lambda d: (d.data.get("level", 0), d.data["first"])):
        piece = piece_of(state.chat_id, document)
        leave = partial(_leave, app.store, app.embedder, state.chat_id, document)
        later |= bool(await pieces.do(piece, partial(redo, app, state, document), leave))
        made += not pieces.comes_again(piece)
    return Redone(made, later)


async def _leave(store: DocumentStore, embedder: Embedder | None, chat_id: int, document: Document) -> None:
    """Make a document again no more, unless it has changed. No text of a stale one stays: it is of what is gone."""
    done: dict[str, Any] = {"model_pending": False, "stale": False, "indexed": False}

    async def leave(tx: Transaction) -> None:
        known = await tx.get(document.path)
        if known is None or not is_as_read(known, document):
            return
        nothing = {**emptied_fields(known.data), **not_embedded(embedder).fields()} if known.data["stale"] else {}
        above = await stale_parent(tx, chat_id, known, changed=bool(nothing))
        for write in (Upsert(document.path, {**nothing, **done}), *above):
            tx.write(write)

    await store.transaction(leave)


async def stale_parent(tx: Transaction, chat_id: int, node: Document, *, changed: bool) -> list[Upsert]:
    """The writes by which the meta summary that holds a node is made again; to be asked for before any write."""
    held_by = node.data.get("meta")
    if not changed or not held_by or "-" not in held_by:
        return []
    parent = await tx.get(f"{metas_path(chat_id)}/{held_by}")
    if parent is None:
        return []
    return [Upsert(parent.path, outdated_fields(by=payer_of(node))), left_to_do(chat_id, "stale")]
