"""Buttons: what pressing one does. The data is only a wish; who may do what is asked of Telegram again."""

from __future__ import annotations

from shared.application.app import App
from shared.application.commands import RESET_CANCEL, RESET_CONFIRM, is_chat_admin
from shared.application.ledger import Ledger
from shared.application.memory import reset_chat_facts
from shared.application.ports.chat import OutgoingText
from shared.domain.audience import chat_tongue
from shared.domain.errors import (
    ChatForbidden,
    ChatMigrated,
    MessageRejected,
    PermanentError,
    SettingsError,
    TransientError,
)
from shared.domain.language import Language
from shared.domain.markup import plain
from shared.domain.updates import ButtonPressed
from shared.locales import say


async def press_button(app: App, update: ButtonPressed) -> str:
    """Do what a button says, once.

    Raises:
        TransientError: Try again; what was done repeats harmlessly.
    """
    ledger = Ledger(app.store, app.clock, app.ids)
    lease = await ledger.take(update.update_id)
    if lease is None:
        return "already done"
    try:
        outcome = await _press(app, update)
    except TransientError as error:
        await ledger.release(lease, retry_after=error.retry_after)
        raise
    except SettingsError:
        await ledger.release(lease)
        raise
    except PermanentError as error:
        outcome = f"rejected: {error}"[:200]
    await ledger.finish(lease, outcome)
    return outcome


async def _press(app: App, update: ButtonPressed) -> str:
    if update.chat is None or update.message_id is None or update.data not in (RESET_CONFIRM, RESET_CANCEL):
        await app.gateway.answer_callback(update.callback_id, "")
        return "ignored: unknown button"
    state = await app.chats.state(update.chat.chat_id)
    if state.migrated_to is not None:
        state = await app.chats.state(state.migrated_to)
    chat_id = state.chat_id
    language = chat_tongue(state.language, update.language_code)
    if chat_id < 0 and not await is_chat_admin(app, chat_id, update.user_id):
        await app.gateway.answer_callback(update.callback_id, plain(say(language, "admins_only")))
        return "refused: not an admin"
    return await _reset(app, update, chat_id, language)


async def _reset(app: App, update: ButtonPressed, chat_id: int, language: Language) -> str:
    if update.data == RESET_CANCEL:
        text = say(language, "reset_cancelled")
    else:
        text = say(language, "reset_done", count=str(await reset_chat_facts(app, chat_id)))
    await app.gateway.answer_callback(update.callback_id, "")
    try:
        await app.gateway.edit(update.chat.chat_id if update.chat else chat_id, update.message_id or 0, _said(text))
    except (ChatForbidden, ChatMigrated, MessageRejected):
        return "done, but the question could not be changed"
    return "reset" if update.data == RESET_CONFIRM else "cancelled"


def _said(text: str) -> OutgoingText:
    return OutgoingText(text, plain(text))
