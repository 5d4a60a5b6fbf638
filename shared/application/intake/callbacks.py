"""Buttons: what pressing one does. The data is only a wish until its seal is checked, and who may do what is asked of
Telegram, as for commands.

A press is acknowledged when it comes in (`receive`), before anything is done. What there is to say then is seen in what
the press changed or answered; where that is nothing, who pressed is told alone.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.authority import refusal
from shared.application.commands.buttons import ACTIONS, Action
from shared.application.commands.call import ButtonPress, Pressed
from shared.application.delivery.answer import SILENCE, Answer
from shared.application.delivery.limits import limit_notice
from shared.application.delivery.own_messages import Destination
from shared.application.delivery.sending import Asker, answer_once
from shared.application.documents import message_path
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import ArrayUnion, DocumentStore
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.delivery.limits import Limit
from shared.domain.delivery.markup import escape, plain
from shared.domain.errors import ChatForbidden, ChatMigrated, MessageRejected, PermanentError, SendUncertain
from shared.domain.intake.buttons import Sealed, refused_at_sight, unseal
from shared.domain.intake.outcomes import UpdateOutcome, UpdateResult
from shared.domain.intake.updates import ButtonPressed
from shared.domain.text.language import interface_language
from shared.locales import say_plainly

if TYPE_CHECKING:
    from shared.application.ports.chat import ChatGateway


log = logging.getLogger(__name__)


async def press_button(app: App, update: ButtonPressed) -> UpdateOutcome:
    """Do what a button says, once.

    Raises:
        TransientError: Try again; what was done repeats harmlessly.
    """
    if update.chat is None or update.message_id is None:
        return UpdateOutcome(UpdateResult.IGNORED, "unknown button")
    state = await app.chats.current(update.chat.chat_id)
    language = interface_language(state.language, update.language_code)
    message_id = update.message_id
    if update.chat.chat_id != state.chat_id:  # another message has this id there now
        message_id = migrated_message_id(message_id)
    refused: list[str] = []

    async def compose() -> Answer:
        sealed = unseal(app.policy.button_key, update.chat.chat_id, update.data) if update.chat is not None else None
        action = ACTIONS.get(sealed.action) if sealed is not None else None
        why = await _refusal(app, state, update, sealed, action)
        if why is not None or sealed is None or action is None:
            refused.append(why or "old_button")
            return await _tell(app.gateway, update, say_plainly(language, refused[-1]))
        press = ButtonPress(state, update, sealed.args, sealed.owner, message_id, language)
        return await _carry_out(app, update, action, press)

    async def decline(limit: Limit) -> Answer:
        told = plain(limit_notice(app.policy, state, language, limit))
        await _tell(app.gateway, update, told)
        return SILENCE

    to = Destination(state.chat_id, message_id, update.thread_id)
    asker = Asker(update.user_id, decline, is_press=True)
    outcome = await answer_once(app, update.update_id, to, compose, asker=asker)
    return UpdateOutcome(UpdateResult.REFUSED, refused[-1]) if refused else UpdateOutcome(outcome)


async def _refusal(
    app: App, state: ChatState, update: ButtonPressed, sealed: Sealed | None, action: Action | None
) -> str | None:
    """Return why the press is not obeyed, as the name of a text of the locales; None when it is."""
    if sealed is None or action is None or update.chat is None:
        return "old_button"
    at_sight = refused_at_sight(app.policy.button_key, update.chat.chat_id, update)
    return at_sight or await refusal(app, state, update.user_id, action.who, fresh=action.destructive)


async def _carry_out(app: App, update: ButtonPressed, action: Action, press: ButtonPress) -> Answer:
    try:
        pressed = await action.load()(app, press)
    except PermanentError:  # it is not tried again, and nobody would know
        await _tell(app.gateway, update, say_plainly(press.language, "press_failed"))
        raise
    is_seen = await _show(app.store, app.gateway, update, pressed)
    if pressed.answer.pieces or (is_seen and pressed.is_done):
        return pressed.answer
    return await _tell(app.gateway, update, pressed.notice)


async def _tell(gateway: ChatGateway, update: ButtonPressed, text: str) -> Answer:
    """Tell who pressed, alone where Telegram lets us; else return what is to be said in the chat."""
    if not text or update.chat is None:
        return SILENCE
    if update.chat.type != "private":
        try:
            await gateway.whisper(
                update.chat.chat_id, update.user_id, text, callback_id=update.callback_id, thread_id=update.thread_id
            )
        except SendUncertain:  # told twice is worse here than perhaps not told
            return SILENCE
        except (ChatForbidden, ChatMigrated, MessageRejected) as error:
            log.info("who pressed could not be told alone: %s", error)
        else:
            return SILENCE
    return Answer.of(OutgoingText(escape(text), text))


async def _show(store: DocumentStore, gateway: ChatGateway, update: ButtonPressed, pressed: Pressed) -> bool:
    """Bring the message with the button up to date; return whether it reads otherwise than before."""
    if pressed.shows is None or update.chat is None or update.message_id is None:
        return False
    if pressed.shows.people:
        shown = {"people": ArrayUnion(tuple(sorted(pressed.shows.people)))}
        await store.update(message_path(update.chat.chat_id, update.message_id), shown)
    try:
        return await gateway.edit(update.chat.chat_id, update.message_id, pressed.shows)
    except (ChatForbidden, ChatMigrated, MessageRejected) as error:
        log.warning("a message could not be changed: %s", error)
        return False
