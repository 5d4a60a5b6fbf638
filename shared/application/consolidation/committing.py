"""The third pass: what was found becomes CONTEXT.md, in one transaction and only over what was read.

Every quote is looked up in the stored messages once more in that transaction: an edit, an erasure, a reset or an
opt-out may have come at any time since the item was found, be it weeks ago.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.chats.choices import choices_for
from shared.application.chats.context_codec import (
    context_fields,
    context_path,
    read_context_text,
    revision_fields,
    revision_path,
)
from shared.application.consolidation.context_file_codec import ContextFile, context_file_fields, read_context_file
from shared.application.conversation.consent_gate import readable_messages, same_consent, silent_members
from shared.application.documents import chat_path, message_path
from shared.application.policy import Policy
from shared.application.ports.store import Delete, Document, Set, Transaction, Upsert, Write
from shared.application.ports.system import Clock
from shared.domain.consolidation.document import render
from shared.domain.consolidation.items import Item, Quote
from shared.domain.conversation.messages import Message
from shared.domain.text.language import Language
from shared.domain.text.plain import verify_quote
from shared.domain.text.terms import words_of

ATTEMPTS = 3
"""Times a run begins again when something came between."""

REVISIONS = 30
"""Earlier documents that are kept: a month of nights."""

MOST_CLOSED = 100
"""Closed items kept: with all that are open they take a fifth of what a document may hold."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The context file that a run wants to store.

    Attributes:
        before: What it read; when something else is there now, it does not hold any more.
        items, closed: Instead of those of `before`.
        until: Talk was read up to there.
    """

    before: ContextFile
    items: Sequence[Item]
    closed: Sequence[Item]
    language: Language
    made_by: str
    until: datetime | None


class Committed(NamedTuple):
    """The context file that is stored now.

    Attributes:
        changed: Whether this run changed its words.
    """

    file: ContextFile
    changed: bool


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
        there = read_context_file(current)
        is_as_read = (there.revision, there.text) == (plan.before.revision, plan.before.text)
        now = read_chat(state.chat_id, chat)
        is_same_chat = now.known and now.migrated_to is None and now.learn_from == state.learn_from
        if not is_as_read or not is_same_chat or not same_consent(now, state):
            return None
        said = {message.message_id: message for message in readable_messages(state, stored)}
        items = []
        for item in plan.items:
            kept = [quote for quote in item.quotes if _is_said(quote, said.get(quote.message_id), state)]
            if standing := keep_quotes(without_starter(item, silent_members(state)), kept):
                items.append(standing)
        file = _revise(app.clock, app.policy, state, plan, items)
        changed = _words(file) != _words(there)
        for write in () if dry_run else _writes(app.clock, app.policy, state, current, file, changed=changed):
            tx.write(write)
        return Committed(file if changed else there, changed)

    return await app.store.transaction(body)


def usual_language(state: ChatState, before: ContextFile) -> Language:
    """Return the language of the headings where nothing else decides it: the file's, of an empty one the chat's."""
    return before.language if before.items else "en" if state.language == "en" else "uk"


def without_starter(item: Item, gone: Collection[int | None]) -> Item:
    """An item without the name of whoever began it, when they are one of these."""
    return replace(item, started_by=None, starter="") if item.started_by in gone else item


def keep_quotes(item: Item, quotes: Sequence[Quote]) -> Item | None:
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


def _revise(clock: Clock, policy: Policy, state: ChatState, plan: Plan, items: Sequence[Item]) -> ContextFile:
    now, zone = clock.now(), choices_for(policy, state).timezone
    last_first = sorted(plan.closed, key=lambda item: (item.mentioned_at, item.id), reverse=True)
    left_out = {item.id for item in last_first[MOST_CLOSED:]}
    return ContextFile(
        revision=plan.before.revision + 1,
        text=render(items, language=plan.language, updated_at=now, zone=zone),
        items=tuple(items),
        closed=tuple(item for item in plan.closed if item.id not in left_out),
        language=plan.language,
        updated_at=now,
        until=plan.until,
        made_by=plan.made_by,
    )


def _words(file: ContextFile) -> tuple[Any, ...]:
    """Return what makes two files the same, whenever they were made and by whom."""
    return file.items, file.closed, file.items and file.language


def _writes(
    clock: Clock, policy: Policy, state: ChatState, current: Document | None, file: ContextFile, *, changed: bool
) -> list[Write]:
    chat_id = state.chat_id
    if current is None:
        first = file if changed else file._replace(revision=0, made_by="")
        return [Set(context_path(chat_id), context_file_fields(first))] if changed or file.until else []
    there = read_context_text(current)
    if not changed:
        moved_on = file.until is not None and file.until != there.until
        return [Upsert(current.path, context_fields(until=file.until))] if moved_on else []
    writes: list[Write] = [Set(current.path, context_file_fields(file))]
    if there.text:  # what was there is kept, and the oldest revision goes
        expire_at = clock.now() + state.retention(policy.retention)
        writes.append(Set(revision_path(chat_id, there.revision), revision_fields(current, expire_at=expire_at)))
        if there.revision > REVISIONS:
            writes.append(Delete(revision_path(chat_id, there.revision - REVISIONS)))
    return writes
