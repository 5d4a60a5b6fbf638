"""The changes of CONTEXT.md besides the nightly ones: a person's edit, words that are forgotten, a chat that moves."""

import logging
from collections.abc import Collection, Mapping
from datetime import datetime, tzinfo
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.bulk import delete_all
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.chats.choices import choices_for
from shared.application.chats.context_codec import context_path, revisions_path
from shared.application.consolidation.committing import (
    ATTEMPTS,
    Plan,
    commit,
    keep_quotes,
    usual_language,
    without_starter,
)
from shared.application.consolidation.context_file_codec import (
    BY_HAND,
    ContextFile,
    ContextFileUnreadable,
    context_file_fields,
    read_context_file,
)
from shared.application.documents import chat_path
from shared.application.policy import Policy
from shared.application.ports.store import Delete, Document, Set, Transaction
from shared.application.ports.system import Clock
from shared.domain.consolidation.document import MOST_BYTES, choose_fitting, read_back, render
from shared.domain.consolidation.items import Item, Quote
from shared.domain.consolidation.merging import merge, settle
from shared.domain.errors import Contention, PermanentError

log = logging.getLogger(__name__)


class BadEdit(PermanentError):
    """The edited document cannot become CONTEXT.md; the message says why and what to do."""


async def edit_context_file(app: App, state: ChatState, text: str, *, revision: int | None = None) -> ContextFile:
    """Make a hand-edited document the chat's CONTEXT.md; what is there now.

    Lines that were added or changed are kept as they are from now on; lines that were deleted stay away until the same
    is said anew.

    Args:
        revision: The one that the person edited; None for whichever is there now.

    Raises:
        BadEdit: It is too large, or another revision is there by now, or there is no such chat.
        Contention: Something came between three times.
    """
    text = text.replace("\r\n", "\n")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise BadEdit(
            f"The document has {size} bytes of UTF-8, {size - MOST_BYTES} more than the {MOST_BYTES} allowed."
        )
    for _ in range(ATTEMPTS):
        if not state.known or state.migrated_to is not None:
            raise BadEdit(f"There is no chat {state.chat_id}.")
        before = read_context_file(await app.store.get(context_path(state.chat_id)))
        if revision is not None and revision != before.revision:
            raise BadEdit(f"Revision {before.revision} is there now, not {revision}: print it and edit that one.")
        committed = await commit(app, state, _plan(app.clock, app.policy, state, before, text))
        if committed is not None:
            return committed.file
        state = await app.chats.state(state.chat_id, fresh=True)
    raise Contention(f"the context of chat {state.chat_id} changed {ATTEMPTS} times while it was edited")


def _plan(clock: Clock, policy: Policy, state: ChatState, before: ContextFile, text: str) -> Plan:
    now = clock.now().astimezone(choices_for(policy, state).timezone)
    language = usual_language(state, before)
    edited = read_back(text, before.items, language=language, now=now)
    by_hand = {item.id for item in edited.items if item.by_hand}
    if by_hand - {item.id for item in choose_fitting(edited.items, language=language)}:
        raise BadEdit(f"With its headings the document takes more than {MOST_BYTES} bytes of UTF-8: shorten it.")
    tidied = settle(merge(edited.items, [], now=now), {}, closed=[*before.closed, *edited.dismissed], now=now)
    return Plan(before, tidied.items, tidied.closed, language, BY_HAND, before.until)


class _Withdrawal(NamedTuple):
    """The words to take out: a member's until an instant, those of some messages, or all said before an instant."""

    user_id: int | None
    until: datetime | None
    message_ids: frozenset[int]
    before: datetime | None

    def holds(self, quote: Quote) -> bool:
        """Return whether these words go."""
        early = self.before is not None and quote.sent_at < self.before
        theirs = quote.user_id == self.user_id and (self.until is None or quote.sent_at <= self.until)
        return early or theirs or quote.message_id in self.message_ids

    def names(self, item: Item) -> bool:
        """Return whether the name of who began an item goes, too: they said nothing in it that stays."""
        stays = any(quote.user_id == self.user_id and not self.holds(quote) for quote in item.quotes)
        return self.user_id is not None and item.started_by == self.user_id and not stays

    def without_words(self, item: Item) -> Item | None:
        """Return what is left of an item, or None when nothing is."""
        kept = [quote for quote in item.quotes if not self.holds(quote)]
        if item.by_hand and len(kept) < len(item.quotes):
            return None
        return keep_quotes(without_starter(item, {item.started_by} if self.names(item) else ()), kept)

    def may_be_in(self, document: Document) -> bool:
        """Return whether such words are in a document, or nobody can tell."""
        file = _readable(document)
        return file is None or any(
            self.names(item) or any(map(self.holds, item.quotes)) for item in (*file.items, *file.closed)
        )


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
    again. Idempotent.

    Args:
        until: What the member said later stays; None takes all of it.

    Raises:
        TransientError: Some of it may still be there; call it again.
    """
    gone = _Withdrawal(user_id, until, frozenset(message_ids), before)

    async def body(tx: Transaction) -> int:
        chat, current = await tx.get_many([chat_path(chat_id), context_path(chat_id)])
        if current is None or not gone.may_be_in(current):
            return 0
        there = _readable(current)
        if there is None:
            tx.write(Delete(current.path))
            return 1
        now, state = app.clock.now(), read_chat(chat_id, chat)
        edited = read_back(there.text, there.items, language=there.language, now=now)
        items = tuple(filter(None, map(gone.without_words, edited.items)))
        closed = tuple(filter(None, map(gone.without_words, (*there.closed, *edited.dismissed))))
        zone = choices_for(app.policy, state).timezone
        text = render(items, language=there.language, updated_at=now, zone=zone)
        after = there._replace(revision=there.revision + 1, text=text, items=items, closed=closed, updated_at=now)
        tx.write(Set(current.path, context_file_fields(after)))
        return sum(gone.without_words(item) is None for item in (*there.items, *there.closed))

    forgotten = await app.store.transaction(body)
    paths = [each.path for each in await app.store.query(revisions_path(chat_id)) if gone.may_be_in(each)]
    return forgotten + await delete_all(app.store, paths)


def join_contexts(known: Document | None, moved: Document, *, now: datetime, zone: tzinfo) -> Mapping[str, Any]:
    """The fields of a chat's CONTEXT.md when that of the chat that it was comes to it; of two, both in one.

    Of two, one that cannot be read is left out.

    Args:
        known: What the chat has already.
        moved: What comes, with its message ids as they are under the new id.
        zone: In which the time of the update is told.
    """
    there, brought = (_readable(each, is_told=True) for each in (known, moved))
    if known is None or there is None:
        return moved.data
    if brought is None:
        return known.data
    both = _join_files(there, brought, now)
    text = render(both.items, language=both.language, updated_at=now, zone=zone)
    return context_file_fields(both._replace(text=text))


def _join_files(there: ContextFile, moved: ContextFile, now: datetime) -> ContextFile:
    """Both files as one, with what was changed by hand; what was closed after its last mention stays closed."""
    here, brought = (read_back(b.text, b.items, language=b.language, now=now) for b in (there, moved))
    closed = {i.id: i for i in (*moved.closed, *brought.dismissed, *there.closed, *here.dismissed)}
    items = {
        item.id: item
        for item in (*brought.items, *here.items)
        if item.by_hand or item.id not in closed or closed[item.id].mentioned_at < item.mentioned_at
    }
    return there._replace(
        revision=max(there.revision, moved.revision) + 1,
        items=tuple(items.values()),
        closed=tuple(closed.values()),
        language=there.language if there.items else moved.language,
        updated_at=now,
        until=max(filter(None, (there.until, moved.until)), default=None),
    )


def _readable(document: Document | None, *, is_told: bool = False) -> ContextFile | None:
    try:
        return None if document is None else read_context_file(document)
    except ContextFileUnreadable as error:
        if is_told:
            log.warning("a chat moves: %s", error)
        return None
