"""Buttons: what pressing one does. The data is only a wish until its seal is checked and Telegram shows the button
under that very message, and who may do what is asked of Telegram, as for commands."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.authority import refusal
from shared.application.commands.buttons import ACTIONS, Action
from shared.application.commands.call import ButtonPress, Pressed, notice
from shared.application.delivery.answer import SILENCE, Answer
from shared.application.delivery.own_messages import Destination
from shared.application.delivery.pace import limit_notice
from shared.application.delivery.sending import Asker, answer_once
from shared.application.documents import message_path
from shared.application.ports.store import ArrayUnion, DocumentStore
from shared.domain.conversation.audience import interface_language
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.delivery.markup import plain
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.pace import Limit
from shared.domain.errors import ChatForbidden, ChatMigrated, MessageRejected, PermanentError
from shared.domain.intake.buttons import Sealed, unseal
from shared.domain.intake.outcomes import UpdateOutcome, UpdateResult
from shared.domain.intake.updates import ButtonPressed
from shared.domain.text.language import Language

if TYPE_CHECKING:
    from shared.application.ports.chat import ChatGateway


log = logging.getLogger(__name__)


async def press_button(app: App, update: ButtonPressed) -> UpdateOutcome:
    """Do what a button says, once.

    Raises:
        TransientError: Try again; what was done repeats harmlessly.
    """
    if update.chat is None or update.message_id is None:
        await _notify(app.gateway, update, "")
        return UpdateOutcome(UpdateResult.IGNORED, "unknown button")
    state = await app.chats.current(update.chat.chat_id)
    language = interface_language(state.language, update.language_code)
    sealed = unseal(app.policy.button_key, update.chat.chat_id, update.data)
    action = ACTIONS.get(sealed.action) if sealed is not None else None
    if sealed is None or action is None or not _stands_there(update):
        await _notify(app.gateway, update, notice(language, "old_button").notice)
        return UpdateOutcome(UpdateResult.REFUSED, "not a button of ours")
    refused = await _refusal(app, state, update, sealed, action)
    if refused is not None:
        await _notify(app.gateway, update, notice(language, refused).notice)
        return UpdateOutcome(UpdateResult.REFUSED, refused)
    return UpdateOutcome(await _once(app, state, update, sealed, action, language))


def _stands_there(update: ButtonPressed) -> bool:
    """Return whether the button stands under the message that it is said to be pressed under, where Telegram shows that
    one: a modified app may send what another message of ours offers, and the seal is good for the whole chat."""
    return update.offered is None or update.data in update.offered


async def _refusal(app: App, state: ChatState, update: ButtonPressed, sealed: Sealed, action: Action) -> str | None:
    if sealed.owner is not None and sealed.owner != update.user_id:
        return "not_your_button"
    return await refusal(app, state, update.user_id, action.who, fresh=action.destructive)


async def _once(
    app: App, state: ChatState, update: ButtonPressed, sealed: Sealed, action: Action, language: Language
) -> AnswerOutcome:
    message_id = update.message_id or 0
    if update.chat is not None and update.chat.chat_id != state.chat_id:  # another message has this id there now
        message_id = migrated_message_id(message_id)
    press = ButtonPress(state, update, sealed.args, sealed.owner, message_id, language)
    to = Destination(state.chat_id, message_id, update.thread_id)

    async def compose() -> Answer:
        try:
            pressed = await action.load()(app, press)
        except PermanentError:  # it is not delivered again, and the button would seem to be at work for ever
            await _notify(app.gateway, update, notice(language, "press_failed").notice)
            raise
        await _notify(app.gateway, update, pressed.notice)
        await _show(app.store, app.gateway, update, pressed)
        return pressed.answer

    async def decline(limit: Limit) -> Answer:
        told = plain(limit_notice(app.policy, state, language, limit))
        await _notify(app.gateway, update, told[:200])
        return SILENCE

    asker = Asker(update.user_id, decline, is_press=True)
    return await answer_once(app, update.update_id, to, compose, asker=asker)


async def _notify(gateway: ChatGateway, update: ButtonPressed, text: str) -> None:
    """Tell who pressed. What the press did does not depend on whether they can be told."""
    try:
        await gateway.answer_callback(update.callback_id, text)
    except (ChatForbidden, ChatMigrated, MessageRejected) as error:
        log.warning("a press could not be acknowledged: %s", error)


async def _show(store: DocumentStore, gateway: ChatGateway, update: ButtonPressed, pressed: Pressed) -> None:
    if pressed.shows is None or update.chat is None or update.message_id is None:
        return
    if pressed.shows.people:
        shown = {"people": ArrayUnion(tuple(sorted(pressed.shows.people)))}
        await store.update(message_path(update.chat.chat_id, update.message_id), shown)
    try:
        await gateway.edit(update.chat.chat_id, update.message_id, pressed.shows)
    except (ChatForbidden, ChatMigrated, MessageRejected) as error:
        log.warning("a message could not be changed: %s", error)
