"""One Telegram update: store, schedule, answer. The hot path of the product.

An ordinary message costs one create, at most one more small write, at most one read, and one task call per chat and
window. Only what calls for an answer takes a lease in the ledger.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime

from shared.application.answering import compose_answer
from shared.application.app import App
from shared.application.callbacks import press_button
from shared.application.chats import ChatState
from shared.application.commands import compose_command, compose_greeting, is_ours
from shared.application.delivery import Destination, answer_once, new_message_fields
from shared.application.documents import message_path
from shared.application.ports import Set, Transaction
from shared.domain.addressing import is_addressed
from shared.domain.messages import Message, migrated_message_id
from shared.domain.updates import (
    ButtonPressed,
    ChatMigratedTo,
    Ignored,
    MembershipChanged,
    MessageEdited,
    MessageReceived,
    Update,
)

log = logging.getLogger(__name__)


async def receive_update(app: App, update: Update) -> str:
    """Deal with one update; may be called again with the same one.

    Returns:
        What became of it, for the log.

    Raises:
        TransientError: Something is down; a redelivery finishes what is missing.
    """
    match update:
        case MessageEdited():
            return await _edited(app, update)
        case MessageReceived():
            return await _received(app, update)
        case ButtonPressed():
            return await press_button(app, update)
        case MembershipChanged():
            return await _membership(app, update)
        case ChatMigratedTo():
            return await _migrated(app, update)
        case Ignored():
            return f"ignored: {update.reason}"


async def _received(app: App, update: MessageReceived) -> str:
    state, message = await _placed(app, update)
    if message.user_id not in state.opted_out:
        await app.store.create(message_path(message.chat_id, message.message_id), new_message_fields(app, message))
        await app.schedule.extraction(message.chat_id)
    if message.forwarded or message.is_bot:
        return "stored"
    to = Destination(message.chat_id, message.message_id, message.thread_id)
    if update.command is not None:
        if not is_ours(update.command, app.policy.bot_username, private=update.chat.type == "private"):
            return "stored"
        return await answer_once(app, update.update_id, to, lambda: compose_command(app, update, state, message))
    if message.user_id in state.opted_out or not _addressed(app, update):
        return "stored"
    return await answer_once(app, update.update_id, to, lambda: compose_answer(app, update, state, message))


async def _placed(app: App, update: MessageReceived | MessageEdited) -> tuple[ChatState, Message]:
    """The chat as it is now and the message under it: a group that migrated goes on under its new id."""
    state = await app.chats.meet(update.chat)
    message = update.message if update.command is None else replace(update.message, kind="command")
    if state.migrated_to is None:
        return state, message
    reply_to = None if message.reply_to is None else migrated_message_id(message.reply_to)
    moved = replace(
        message,
        chat_id=state.migrated_to,
        message_id=migrated_message_id(message.message_id),
        reply_to=reply_to,
    )
    return await app.chats.state(state.migrated_to), moved


def _addressed(app: App, update: MessageReceived) -> bool:
    if not update.message.text and update.chat.type == "private":
        return False
    return is_addressed(
        text=update.message.text,
        chat_type=update.chat.type,
        mentions=update.mentions,
        mentioned_ids=update.mentioned_ids,
        reply_to_user_id=update.reply_to_user_id,
        bot_id=app.policy.bot_id,
        bot_username=app.policy.bot_username,
        bot_names=app.policy.bot_names,
    )


async def _edited(app: App, update: MessageEdited) -> str:
    state, message = await _placed(app, update)
    if message.user_id in state.opted_out:
        return "ignored: opted out"
    fields = new_message_fields(app, message)
    path = message_path(message.chat_id, message.message_id)

    async def store(tx: Transaction) -> bool:
        known = await tx.get(path)
        if known is None:  # the edit overtook the message, or the message is older than the bot
            tx.write(Set(path, fields))
            return True
        if _is_older(message, known.data["edited_at"]):
            return False
        kept = {name: known.data[name] for name in ("received_at", "expire_at", "chunk")}
        changed = known.data["text"] != message.text
        tx.write(Set(path, fields | kept | {"rederive": changed or known.data["rederive"]}))
        return True

    stored = await app.store.transaction(store)
    mark = (
        f"edit-{message.message_id}-{message.edited_at:%Y%m%d%H%M%S}"
        if message.edited_at
        else f"edit-{update.update_id}"
    )
    await app.schedule.extraction_later(message.chat_id, mark=mark, run_at=None)
    return "edited" if stored else "ignored: an older edit"


def _is_older(message: Message, stored_edit: datetime | None) -> bool:
    return stored_edit is not None and (message.edited_at is None or message.edited_at <= stored_edit)


async def _membership(app: App, update: MembershipChanged) -> str:
    if update.status == "left":
        await app.chats.change(update.chat.chat_id, {"active": False, "inactive_reason": "the bot left"})
        return "membership: left"
    state = await app.chats.meet(update.chat)
    if update.status == "joined" and update.chat.type in ("group", "supergroup"):
        to = Destination(update.chat.chat_id)
        return await answer_once(app, update.update_id, to, lambda: compose_greeting(app, update, state))
    await app.chats.change(update.chat.chat_id, {"admins_checked_at": None})
    return f"membership: {update.status}"


async def _migrated(app: App, update: ChatMigratedTo) -> str:
    """Point the old id at the new one and let a task move what lies under it."""
    await app.chats.change(update.old_chat_id, {"migrated_to": update.new_chat_id, "active": False})
    await app.chats.change(update.new_chat_id, {"migrated_from": update.old_chat_id, "active": True})
    payload = {"chat_id": update.old_chat_id, "new_chat_id": update.new_chat_id}
    await app.schedule.job("migrate", mark=f"{update.old_chat_id}-{update.new_chat_id}", payload=payload)
    return "migrated"
