"""One Telegram update: store it, and have done what it asks. The hot path of the product.

An ordinary message costs one create, at most one more small write, at most one read, and one task call per chat and
window. What calls for an answer costs one more create and one more task: `answering` answers it, in a function of its
own, so that nobody waits for an answer but the asker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from shared.application.chats.chat_codec import ChatState, chat_fields
from shared.application.chats.settings_codec import seen_names_fields
from shared.application.chats.state import Chats
from shared.application.conversation.consent_gate import keepable, may_speak
from shared.application.conversation.editions import edited_message, editions_of, note_original, with_editions
from shared.application.conversation.message_codec import (
    StoredMessage,
    edited_field,
    editions_field,
    message_fields,
    new_message,
    read_message,
)
from shared.application.documents import message_path, update_path
from shared.application.intake.question_codec import ask_again_fields
from shared.application.intake.questions import ask_for_answer, is_stop, note_question, question_of, receive_gesture
from shared.application.policy import Policy
from shared.application.ports.store import DocumentStore, Set, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.schedule import Schedule
from shared.domain.conversation.messages import Message, move_message, name_mark
from shared.domain.intake.updates import (
    AdminChanged,
    ButtonPressed,
    ChatMigratedTo,
    GenerationStopped,
    Ignored,
    MemberLeft,
    MembershipChanged,
    MessageEdited,
    MessageReceived,
    MessageUpdate,
    ReactionChanged,
    Update,
    UpdateOutcome,
    UpdateResult,
)

if TYPE_CHECKING:
    from shared.application.app import Intake

_STORED = UpdateOutcome(UpdateResult.STORED)

_NEWS = timedelta(minutes=1)
"""Telegram delivers a message within seconds; what is older comes late, or again."""


async def receive_update(app: Intake, update: Update) -> UpdateOutcome:
    """Deal with one update; may be called again with the same one.

    Raises:
        TransientError: Something is down; a redelivery finishes what is missing.
    """
    match update:
        case MessageEdited():
            return await _store_edit(app, update)
        case MessageReceived():
            return await _receive_message(app, update)
        case ButtonPressed() | ReactionChanged() | GenerationStopped():
            return await receive_gesture(app, update)
        case MembershipChanged():
            return await _membership(app, update)
        case MemberLeft():
            from shared.application.forgetting.request import member_left

            return await member_left(app, update)
        case AdminChanged():
            from shared.application.people.admins import admin_changed

            return await admin_changed(app.chats, update)
        case ChatMigratedTo():
            return await _begin_migration_of(app, update)
        case Ignored():
            return UpdateOutcome(UpdateResult.IGNORED, update.reason)


async def _receive_message(app: Intake, update: MessageReceived) -> UpdateOutcome:
    # The task is asked for while the store is at work. Asking again costs nothing, unless storing took so long that the
    # window is over, or the group goes on under another id.
    stored, _ = await _do_all(_store_message(app, update), app.schedule.extraction(update.chat.chat_id))
    if stored is None:
        return UpdateOutcome(UpdateResult.IGNORED, "forgotten")
    await app.schedule.extraction(stored.chat_id)
    if not stored.is_asked:
        return _STORED
    # Only now: whoever answers finds the message, and what it stopped.
    await app.schedule.answer(update.update_id, stored.chat_id)
    return UpdateOutcome(UpdateResult.ASKED)


class _StoredUpdate(NamedTuple):
    """The chat that a message is stored in, and whether it asks something."""

    chat_id: int
    is_asked: bool


async def _store_message(app: Intake, update: MessageReceived) -> _StoredUpdate | None:
    """Create the message's document and, when it asks something, the question's, and make or correct the chat's; stop
    what it stops. None, and nothing done, when it was forgotten."""
    at = update.message.sent_at
    known = await app.chats.state(update.chat.chat_id)
    state, message = await _place_update(app.chats, update, known)
    if _may_be_forgotten(app.clock, state, message, update.message) and await _is_forgotten(
        app.store, [message, update.message]
    ):
        return None
    writes: list[Awaitable[object]] = []
    kept = keepable(state, message)
    asked = question_of(app.policy, update, state, message, kept)
    if kept is not None:
        stored = _newly_stored(app.clock, app.policy, state, kept)
        if asked is not None:  # by it an edit finds the question
            stored = stored._replace(edit_update_id=update.update_id)
        writes.append(_create(app.store, app.schedule, message, stored))
    if asked is not None:
        writes.append(note_question(app.store, app.clock, update.update_id, asked))
    if not may_speak(state, message.user_id) and name_mark(message.name) not in state.opted_out_names:
        seen = seen_names_fields(message.user_id, message.name)
        writes.append(app.chats.amend(message.chat_id, lambda _: seen))
    if app.chats.is_news(known, update.chat, at=at):
        writes.append(app.chats.introduce(known, update.chat, at=at))
    await _do_all(*writes)
    if asked is not None and is_stop(app.policy, update):
        from shared.application.delivery.closing import stop_older

        await stop_older(app.store, state, message, update.update_id)
    return _StoredUpdate(message.chat_id, asked is not None)


async def _create(store: DocumentStore, schedule: Schedule, message: Message, stored: StoredMessage) -> None:
    path = message_path(message.chat_id, message.message_id)
    if not await store.create(path, message_fields(stored)):  # a redelivery, or an edit was faster
        await note_original(store, schedule, message.chat_id, path, stored)


def _may_be_forgotten(clock: Clock, state: ChatState, message: Message, delivered: Message) -> bool:
    """Return whether tombstones are to be looked up: only what is no news can have one.

    That is what was sent before the chat's last forgetting, or before there was this memory of it.
    """
    if message.chat_id != delivered.chat_id:
        return True
    known = [at for at in (state.forgotten_at, state.first_seen_at) if at is not None]
    since = max(known, default=None) if state.known else clock.now() - _NEWS
    return since is not None and message.sent_at <= since


def _newly_stored(clock: Clock, policy: Policy, state: ChatState, message: Message) -> StoredMessage:
    """Return a message's fields as first stored; what is said in a private chat is marked at once."""
    is_private = state.is_private(by_default=policy.private_mode)
    return new_message(message, now=clock.now(), retention=state.retention(policy.retention), is_private=is_private)


async def _do_all(*work: Awaitable[Any]) -> list[Any]:
    """Do it all at once; nothing is left running when some of it fails, and a redelivery repeats what failed."""
    outcomes = await asyncio.gather(*work, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return outcomes


async def _place_update(chats: Chats, update: MessageUpdate, state: ChatState) -> tuple[ChatState, Message]:
    """The chat as it is now and the message under it: a group that migrated goes on under its new id."""
    message = update.message if update.command is None else replace(update.message, kind="command")
    if state.migrated_to is None:
        return state, message
    return await chats.state(state.migrated_to), move_message(message, state.migrated_to)


async def _store_edit(app: Intake, update: MessageEdited) -> UpdateOutcome:
    known = await app.chats.meet(update.chat, at=update.message.sent_at)
    state, delivered = await _place_update(app.chats, update, known)
    message = keepable(state, delivered)
    if message is None:
        return UpdateOutcome(UpdateResult.IGNORED, "opted out")
    edit = _newly_stored(app.clock, app.policy, state, message)._replace(edit_update_id=update.update_id)
    path = message_path(message.chat_id, message.message_id)

    async def store(tx: Transaction) -> bool:
        found = await tx.get(path)
        if found is None:  # the edit overtook the message, or the message is older than the bot, or was forgotten
            if await _is_forgotten(tx, [message, update.message]):
                return False
            tx.write(Set(path, message_fields(with_editions(edit, editions_of(None, edit)))))
            return True
        known = read_message(found)
        editions = editions_of(known, edit)
        if known.edition_order > edit.edition_order:
            if editions != known.message.editions:  # who agreed meanwhile agreed to these words
                tx.write(Upsert(path, editions_field(editions) | edited_field()))
            return False
        if known.message.edited_at is None and known.edit_update_id:  # its first edit: an answer is made again once
            question = update_path(known.edit_update_id)
            if (change := ask_again_fields(await tx.get(question))) is not None:
                tx.write(Upsert(question, change))
        tx.write(Set(path, message_fields(with_editions(edited_message(app.schedule, known, edit), editions))))
        return True

    stored = await app.store.transaction(store)
    await app.schedule.extraction_after_edits(message.chat_id)
    if stored:
        return UpdateOutcome(UpdateResult.EDITED)
    return UpdateOutcome(UpdateResult.IGNORED, "an older edit, or forgotten")


async def _is_forgotten(reader: DocumentStore | Transaction, messages: Sequence[Message]) -> bool:
    from shared.application.conversation.tombstones import is_forgotten

    return await is_forgotten(reader, messages)


async def _membership(app: Intake, update: MembershipChanged) -> UpdateOutcome:
    if update.status == "left":
        await app.chats.retire(update.chat.chat_id, "the bot left")
        return UpdateOutcome(UpdateResult.MEMBERSHIP, "left")
    await app.chats.meet(update.chat, at=app.clock.now())
    if update.status == "joined" and update.chat.type in ("group", "supergroup"):
        return await ask_for_answer(app, update, update.chat.chat_id)
    await app.chats.change(update.chat.chat_id, chat_fields(admins_checked_at=None))
    return UpdateOutcome(UpdateResult.MEMBERSHIP, update.status)


async def _begin_migration_of(app: Intake, update: ChatMigratedTo) -> UpdateOutcome:
    from shared.application.chats.migration import begin_migration

    if await begin_migration(app, update.old_chat_id, update.new_chat_id):
        return UpdateOutcome(UpdateResult.MIGRATED)
    return UpdateOutcome(UpdateResult.IGNORED, "a migration that leads nowhere")
