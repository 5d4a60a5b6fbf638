"""Buttons: what pressing one does. The data is only a wish until its seal is checked, and who may do what is asked of
Telegram, as for commands."""

from __future__ import annotations

import logging

from shared.application.answer import SILENCE, Answer
from shared.application.app import App
from shared.application.chats import ChatState
from shared.application.commands.authority import refusal
from shared.application.commands.call import Press, Pressed
from shared.application.commands.replies import notice
from shared.application.commands.table import ACTIONS, Action
from shared.application.delivery import Asker, Destination, answer_once
from shared.application.pace import limit_notice
from shared.domain.audience import chat_tongue
from shared.domain.buttons import Sealed, unseal
from shared.domain.errors import ChatForbidden, ChatMigrated, MessageRejected
from shared.domain.language import Language
from shared.domain.markup import plain
from shared.domain.pace import Limit
from shared.domain.updates import ButtonPressed

log = logging.getLogger(__name__)


async def press_button(app: App, update: ButtonPressed) -> str:
    """Do what a button says, once.

    Returns:
        What became of it, for the log.

    Raises:
        TransientError: Try again; what was done repeats harmlessly.
    """
    if update.chat is None or update.message_id is None:
        await app.gateway.answer_callback(update.callback_id, "")
        return "ignored: unknown button"
    state = await app.chats.state(update.chat.chat_id)
    if state.migrated_to is not None:
        state = await app.chats.state(state.migrated_to)
    language = chat_tongue(state.language, update.language_code)
    sealed = unseal(app.policy.button_key, update.chat.chat_id, update.data)
    action = ACTIONS.get(sealed.action) if sealed is not None else None
    if sealed is None or action is None:
        await app.gateway.answer_callback(update.callback_id, notice(language, "old_button").notice)
        return "refused: not a button of ours"
    refused = await _refusal(app, state, update, sealed, action)
    if refused is not None:
        await app.gateway.answer_callback(update.callback_id, notice(language, refused).notice)
        return f"refused: {refused}"
    return await _once(app, state, update, sealed, action, language)


async def _refusal(app: App, state: ChatState, update: ButtonPressed, sealed: Sealed, action: Action) -> str | None:
    if sealed.owner is not None and sealed.owner != update.user_id:
        return "not_your_button"
    return await refusal(app, state, update.user_id, action.who, fresh=action.destructive)


async def _once(
    app: App, state: ChatState, update: ButtonPressed, sealed: Sealed, action: Action, language: Language
) -> str:
    message_id = update.message_id or 0
    press = Press(state, update, sealed.args, sealed.owner, message_id, language)
    to = Destination(state.chat_id, message_id, update.thread_id)

    async def compose() -> Answer:
        pressed = await action.load()(app, press)
        await app.gateway.answer_callback(update.callback_id, pressed.notice)
        await _show(app, update, pressed)
        return pressed.answer

    async def decline(limit: Limit) -> Answer:
        told = plain(limit_notice(app, state, language, limit))
        await app.gateway.answer_callback(update.callback_id, told[:200])
        return SILENCE

    asker = Asker(update.user_id, decline, is_press=True)
    return await answer_once(app, update.update_id, to, compose, asker=asker)


async def _show(app: App, update: ButtonPressed, pressed: Pressed) -> None:
    if pressed.shows is None or update.chat is None or update.message_id is None:
        return
    try:
        await app.gateway.edit(update.chat.chat_id, update.message_id, pressed.shows)
    except (ChatForbidden, ChatMigrated, MessageRejected) as error:
        log.warning("a message in chat %s could not be changed: %s", update.chat.chat_id, error)
