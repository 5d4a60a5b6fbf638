"""Writes down what an update asks, for the task that answers it, and refuses at once what can be refused at sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.consent_gate import may_speak
from shared.application.conversation.reply_codec import reply_context_of
from shared.application.documents import UPDATES_KEPT, message_path, update_path
from shared.application.intake.question_codec import (
    Gesture,
    MessageAsk,
    gesture_asked,
    message_asked,
    new_question,
    read_question,
)
from shared.application.policy import Policy
from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.domain.conversation.messages import Message
from shared.domain.intake.addressing import STOP, asks_to_stop, is_addressed, is_our_command
from shared.domain.intake.buttons import refuse_at_sight
from shared.domain.intake.updates import (
    Acknowledgement,
    ButtonPressed,
    GenerationStopped,
    MessageReceived,
    ReactionChanged,
    Update,
    UpdateOutcome,
    UpdateResult,
)
from shared.domain.text.language import interface_language

if TYPE_CHECKING:
    from shared.application.app import Intake

ASKED = UpdateOutcome(UpdateResult.ASKED)
"""The outcome when what an update asks is written down, and a task was asked for."""


def question_of(
    policy: Policy, update: MessageReceived, state: ChatState, message: Message, kept: Message | None
) -> dict[str, Any] | None:
    """Return the question that a message is, or None: it is talk of others, in which the bot does not join."""
    if update.command is None and not may_speak(state, message.user_id):
        return None
    if calls_for_an_answer(update, policy):
        return message_asked(update, message if kept is None else kept, is_kept=kept is not None)
    may_join_in = policy.unprompted if state.unprompted is None else state.unprompted
    if kept is None or not may_join_in:
        return None
    from shared.domain.intake.addressing import asks_everybody

    return message_asked(update, kept, is_kept=True, is_unasked=True) if asks_everybody(update) else None


async def ask_for_answer(app: Intake, update: Gesture, chat_id: int) -> UpdateOutcome:
    """Write down what an update asks, and ask for the task that answers it."""
    await note_question(app.store, app.clock, update.update_id, gesture_asked(update, chat_id))
    await app.schedule.answer(update.update_id, chat_id)
    return ASKED


def is_stop(policy: Policy, update: MessageReceived) -> bool:
    """Return whether a message that calls for an answer asks to stop others."""
    told = None if update.command is None else update.command.name
    return told == STOP or (told is None and says_stop(policy, update.message.text))


def says_stop(policy: Policy, text: str) -> bool:
    """Return whether a message to the bot says "stop" and nothing else."""
    return asks_to_stop(text, bot_username=policy.bot_username, bot_names=policy.bot_names)


async def note_question(store: DocumentStore, clock: Clock, update_id: int, asked: dict[str, Any]) -> None:
    """Write down what an update asks, unless it was before."""
    await store.create(update_path(update_id), new_question(asked, now=clock.now(), kept=UPDATES_KEPT))


def calls_for_an_answer(update: Update, policy: Policy) -> bool:
    """Return whether a member asks the bot something: by command, mention, reply, name, or in private."""
    if not isinstance(update, MessageReceived) or update.message.forwarded or update.message.is_bot:
        return False
    command, private = update.command, update.chat.type == "private"
    if command is not None:
        return is_our_command(command.name, command.target, bot_username=policy.bot_username, private=private)
    said = update.message.text or update.message.media
    return bool(said or not private) and is_addressed(
        text=update.message.text,
        chat_type=update.chat.type,
        mentions=update.mentions,
        mentioned_ids=update.mentioned_ids,
        reply_to_user_id=update.reply_to_user_id,
        bot_id=policy.bot_id,
        bot_username=policy.bot_username,
        bot_names=policy.bot_names,
    )


async def receive_gesture(app: Intake, update: ButtonPressed | ReactionChanged | GenerationStopped) -> UpdateOutcome:
    """Have dealt with what somebody says without words."""
    match update:
        case ButtonPressed():
            return await _receive_press(app, update)
        case ReactionChanged():
            return await _receive_reaction(app, update)
        case GenerationStopped():
            return await _receive_stop(app, update)


async def _receive_stop(app: Intake, update: GenerationStopped) -> UpdateOutcome:
    """End the answer under whose draft somebody pressed "stop", and those that it serves; a task says so."""
    from shared.application.delivery.closing import stop_answers

    here, draft, by = update.chat.chat_id, update.draft_id, update.update_id
    document = await app.store.get(update_path(draft))
    ask = None if document is None else read_question(document).ask
    tag = ask.language_code if isinstance(ask, MessageAsk) else None
    mine = (ChatState(here), here)
    await stop_answers(app.store, *mine, lambda each: draft in (each.update_id, each.entry.yields_to), by=by)
    return await ask_for_answer(app, update._replace(language_code=tag), here)


async def _receive_press(app: Intake, update: ButtonPressed) -> UpdateOutcome:
    """Have a press dealt with; one that can be refused at sight is, and nobody waits for either."""
    chat = update.chat
    if chat is None or update.message_id is None:
        return UpdateOutcome(UpdateResult.IGNORED, "unknown button", Acknowledgement(update.callback_id))
    state = await app.chats.current(chat.chat_id)
    refused = refuse_at_sight(app.policy.button_key, chat.chat_id, update)
    if refused is not None:
        from shared.locales import say_plainly

        told = say_plainly(interface_language(state.language, update.language_code), refused)
        return UpdateOutcome(UpdateResult.REFUSED, refused, Acknowledgement(update.callback_id, told))
    return (await ask_for_answer(app, update, state.chat_id))._replace(acknowledges=Acknowledgement(update.callback_id))


async def _receive_reaction(app: Intake, update: ReactionChanged) -> UpdateOutcome:
    """Have a reaction counted that may be a vote: one to what the bot said about a fact."""
    state = await app.chats.state(update.chat.chat_id)
    if state.migrated_to is None and update.user_id > 0 and may_speak(state, update.user_id):
        asks = reply_context_of(await app.store.get(message_path(state.chat_id, update.message_id)))
        if asks is not None and asks.takes_votes:
            return await ask_for_answer(app, update, state.chat_id)
    return UpdateOutcome(UpdateResult.IGNORED, "a reaction that is no vote")
