"""Taking words out of CONTEXT.md and of everything that it was before."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import read_chat
from shared.application.chats.choices import choices_for
from shared.application.chats.context_codec import context_path, revisions_path
from shared.application.consolidation.board_codec import BoardUnreadable, StoredBoard, board_fields, read_stored_board
from shared.application.consolidation.committing import resting_on, without_starter
from shared.application.documents import chat_path
from shared.application.ports.store import Delete, Document, DocumentStore, Set, Transaction
from shared.domain.consolidation import Item, Quote, read_back, render

_BATCH = 400


class _Gone(NamedTuple):
    """What goes: the words of a member until an instant, of some messages, or all that was said before an instant."""

    user_id: int | None
    until: datetime | None
    message_ids: frozenset[int]
    before: datetime | None

    def holds(self, quote: Quote) -> bool:
        """Return whether these words go."""
        late = self.before is None or quote.sent_at >= self.before
        return not late or self._is_theirs(quote) or quote.message_id in self.message_ids

    def _is_theirs(self, quote: Quote) -> bool:
        return quote.user_id == self.user_id and (self.until is None or quote.sent_at <= self.until)

    def named_in(self, item: Item) -> frozenset[int]:
        """Return whose name goes from an item, too: who began it, unless by words that stay."""
        began = item.started_by is not None and item.started_by == self.user_id
        stays = any(quote.user_id == self.user_id and not self.holds(quote) for quote in item.quotes)
        return frozenset((self.user_id,) if began and self.user_id is not None and not stays else ())


async def forget_in_context(
    app: App,
    chat_id: int,
    *,
    user_id: int | None = None,
    until: datetime | None = None,
    message_ids: Collection[int] = (),
    before: datetime | None = None,
) -> int:
    """Take out what a member said, what was said in these messages, and what was said before an instant; how many items
    and revisions went.

    An item stays when what is left of its quotes says all that its line does. Earlier revisions that quote such words
    are deleted whole. A line that was changed by hand goes when one of its quotes does; one that was written by hand
    quotes nobody and stays. A document that cannot be read is deleted. A consolidation that runs meanwhile begins
    again. Repeats harmlessly.

    Args:
        until: What the member said later stays; None takes all of it.

    Raises:
        TransientError: Some of it may still be there; call it again.
    """
    gone = _Gone(user_id, until, frozenset(message_ids), before)

    async def body(tx: Transaction) -> int:
        chat, current = await tx.get_many([chat_path(chat_id), context_path(chat_id)])
        if current is None or not _may_hold(current, gone):
            return 0
        there = _readable(current)
        if there is None:
            tx.write(Delete(current.path))
            return 1
        now, state = app.clock.now(), read_chat(chat_id, chat)
        edited = read_back(there.text, there.items, language=there.language, now=now)
        items = _without(edited.items, gone)
        closed = _without([*there.closed, *edited.dismissed], gone)
        zone = choices_for(app.policy, state).timezone
        text = render(items, language=there.language, updated_at=now, zone=zone)
        after = there._replace(revision=there.revision + 1, text=text, items=items, closed=closed, updated_at=now)
        tx.write(Set(current.path, board_fields(after)))
        return sum(_keep_rest(item, gone) is None for item in (*there.items, *there.closed))

    forgotten = await app.store.transaction(body)
    return forgotten + await _forget_revisions(app.store, chat_id, gone)


async def _forget_revisions(store: DocumentStore, chat_id: int, gone: _Gone) -> int:
    found = await store.query(revisions_path(chat_id))
    paths = [document.path for document in found if _may_hold(document, gone)]
    for start in range(0, len(paths), _BATCH):
        await store.batch([Delete(path) for path in paths[start : start + _BATCH]])
    return len(paths)


def _may_hold(document: Document, gone: _Gone) -> bool:
    """Return whether such words are in a document, or nobody can tell."""
    board = _readable(document)
    if board is None:
        return True
    items = (*board.items, *board.closed)
    return any(gone.named_in(item) or any(map(gone.holds, item.quotes)) for item in items)


def _readable(document: Document) -> StoredBoard | None:
    try:
        return read_stored_board(document)
    except BoardUnreadable:
        return None


def _without(items: Iterable[Item], gone: _Gone) -> tuple[Item, ...]:
    left = (_keep_rest(item, gone) for item in items)
    return tuple(item for item in left if item is not None)


def _keep_rest(item: Item, gone: _Gone) -> Item | None:
    kept = [quote for quote in item.quotes if not gone.holds(quote)]
    if item.by_hand and len(kept) < len(item.quotes):
        return None
    return resting_on(without_starter(item, gone.named_in(item)), kept)
