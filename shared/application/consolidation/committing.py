"""The third pass: what was found becomes CONTEXT.md, in one transaction and only over what was read.

Every quote is looked up in the stored messages once more in that transaction: an edit, an erasure, a reset or an
opt-out may have come at any time since the item was found, be it weeks ago.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.chats.choices import choices_for
from shared.application.chats.context_codec import (
    context_path,
    read_context_text,
    read_until_field,
    revision_fields,
    revision_path,
)
from shared.application.consolidation.board_codec import StoredBoard, board_fields, read_stored_board
from shared.application.conversation.hearing import consent_holds, readable_messages
from shared.application.documents import chat_path, message_path
from shared.application.policy import Policy
from shared.application.ports.store import Delete, Document, Set, Transaction, Upsert, Write
from shared.application.ports.system import Clock
from shared.domain.consolidation import Item, Quote, render
from shared.domain.conversation.messages import Message
from shared.domain.text.language import Language
from shared.domain.text.quotes import verify_quote
from shared.domain.text.terms import words_of

REVISIONS = 30
"""Earlier documents that are kept: a month of nights."""

MOST_CLOSED = 100
"""Closed items kept: with all that are open they take a fifth of what a document may hold."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run wants to be there.

    Attributes:
        before: What it read; when something else is there now, it does not hold any more.
        items, closed: Instead of those of `before`.
        until: Talk was read up to there.
    """

    before: StoredBoard
    items: Sequence[Item]
    closed: Sequence[Item]
    language: Language
    made_by: str
    until: datetime | None


class Committed(NamedTuple):
    """What is there now.

    Attributes:
        changed: Whether this run changed its words.
        dropped: Items whose words are no longer said in any message.
    """

    board: StoredBoard
    changed: bool
    dropped: int = 0


async def commit(app: App, state: ChatState, plan: Plan, *, dry_run: bool = False) -> Committed | None:
    """Write a plan, and what was there before as a revision; None when it does not hold any more: plan again.

    That is so when another run or a person has changed the document since, the chat is gone or has moved, or who may
    be heard in it changed. Nothing is written when nothing is new.

    Args:
        dry_run: Judge as always, and write nothing.
    """

    async def body(tx: Transaction) -> Committed | None:
        quoted = sorted({quote.message_id for item in plan.items for quote in item.quotes})
        paths = [message_path(state.chat_id, message_id) for message_id in quoted]
        chat, current, *stored = await tx.get_many([chat_path(state.chat_id), context_path(state.chat_id), *paths])
        there = read_stored_board(current)
        is_as_read = (there.revision, there.text) == (plan.before.revision, plan.before.text)
        if not is_as_read or not _is_same_chat(state, chat) or not await consent_holds(tx, state):
            return None
        said = {message.message_id: message for message in readable_messages(state, filter(None, stored))}
        items = [item for item in (_standing(item, said, state) for item in plan.items) if item is not None]
        board = _next(app.clock, app.policy, state, plan, items)
        changed = _words(board) != _words(there)
        for write in () if dry_run else _writes(app.clock, app.policy, state, current, board, changed=changed):
            tx.write(write)
        return Committed(board if changed else there, changed, len(plan.items) - len(items))

    return await app.store.transaction(body)


def _is_same_chat(state: ChatState, chat: Document | None) -> bool:
    """Return whether a chat is still there, and nothing was reset since `state` was read."""
    now = read_chat(state.chat_id, chat)
    return now.known and now.migrated_to is None and now.learn_from == state.learn_from


def _standing(item: Item, said: Mapping[int, Message], state: ChatState) -> Item | None:
    """An item with those of its quotes that are still said; None when there are none left, or its line says more.

    Lines that people wrote by hand stay.
    """
    item = without_starter(item, state.opted_out)
    return resting_on(item, [quote for quote in item.quotes if _is_said(quote, said.get(quote.message_id), state)])


def without_starter(item: Item, gone: Collection[int]) -> Item:
    """An item without the name of whoever began it, when they are one of these."""
    return replace(item, started_by=None, starter="") if item.started_by in gone else item


def resting_on(item: Item, quotes: Sequence[Quote]) -> Item | None:
    """An item with these of its quotes alone; None when they do not say all that its line does."""
    if len(quotes) == len(item.quotes):
        return item
    told = {word for quote in quotes for word in words_of(quote.text)}
    if item.by_hand or (quotes and told.issuperset(words_of(f"{item.text} {item.name}"))):
        return replace(item, quotes=tuple(quotes))
    return None


def _is_said(quote: Quote, message: Message | None, state: ChatState) -> bool:
    return (
        message is not None
        and message.user_id == quote.user_id
        and message.may_teach
        and (state.learn_from is None or message.sent_at >= state.learn_from)
        and verify_quote(quote.text, message.text)
    )


def _next(clock: Clock, policy: Policy, state: ChatState, plan: Plan, items: Sequence[Item]) -> StoredBoard:
    now, zone = clock.now(), choices_for(policy, state).timezone
    return StoredBoard(
        revision=plan.before.revision + 1,
        text=render(items, language=plan.language, updated_at=now, zone=zone),
        items=tuple(items),
        closed=_latest(plan.closed),
        language=plan.language,
        updated_at=now,
        until=plan.until,
        made_by=plan.made_by,
    )


def _latest(closed: Sequence[Item]) -> tuple[Item, ...]:
    """The items closed last, in the given order."""
    left_out = {i.id for i in sorted(closed, key=lambda i: (i.mentioned_at, i.id), reverse=True)[MOST_CLOSED:]}
    return tuple(item for item in closed if item.id not in left_out)


def _words(board: StoredBoard) -> tuple[Any, ...]:
    """Return what makes two boards the same, whenever they were made and by whom."""
    return board.items, board.closed, board.items and board.language


def _writes(
    clock: Clock, policy: Policy, state: ChatState, current: Document | None, board: StoredBoard, *, changed: bool
) -> list[Write]:
    chat_id = state.chat_id
    if current is None and not changed:
        empty = board._replace(revision=0, made_by="")
        return [Set(context_path(chat_id), board_fields(empty))] if board.until else []
    if current is None:
        return [Set(context_path(chat_id), board_fields(board))]
    if not changed:
        moved_on = board.until is not None and board.until != read_context_text(current).until
        return [Upsert(current.path, read_until_field(board.until))] if moved_on else []
    return [Set(current.path, board_fields(board)), *_revisions(clock, policy, state, current)]


def _revisions(clock: Clock, policy: Policy, state: ChatState, current: Document) -> list[Write]:
    """Return what was there is kept, and the oldest revision goes."""
    chat_id, there = state.chat_id, read_context_text(current)
    if not there.text:
        return []
    expire_at = clock.now() + state.retention(policy.retention)
    kept = Set(revision_path(chat_id, there.revision), revision_fields(current, expire_at=expire_at))
    outdated = there.revision - REVISIONS
    return [kept, Delete(revision_path(chat_id, outdated))] if outdated > 0 else [kept]
