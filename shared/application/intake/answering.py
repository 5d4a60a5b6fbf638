"""Carries out what an update asks, once it was taken in: answers, presses, reactions, greetings.

A task runs it: twice, late, beside others of the chat, or only in part. That is harmless because `delivery` claims the
update's own record for all that is said, and everything else is idempotent.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.consent_gate import keepable
from shared.application.conversation.message_codec import read_message
from shared.application.delivery.closing import close_as, reopen
from shared.application.delivery.lease import is_left_open
from shared.application.delivery.ledger_codec import read_entry, update_path
from shared.application.delivery.waiting import deliver_waiting
from shared.application.documents import message_path
from shared.application.intake.question_codec import MessageAsk, Question, read_question
from shared.application.intake.questions import says_stop
from shared.application.payload_codec import field_in, number_in
from shared.application.ports.store import DocumentStore
from shared.application.spending.budgets import MOST_DEATHS
from shared.domain.conversation.messages import Message, migrated_message_id, move_message
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.intake.addressing import STOP
from shared.domain.intake.updates import (
    ButtonPressed,
    GenerationStopped,
    MembershipChanged,
    MessageReceived,
    ReactionChanged,
    TypedCommand,
    UpdateOutcome,
    UpdateResult,
)

_COMMAND = re.compile(r"/([A-Za-z0-9_]+)(?:@([A-Za-z0-9_]+))?(?!\w)")


async def run_answer(app: App, payload: Mapping[str, Any], *, is_last: bool = False) -> UpdateOutcome | dict[str, int]:
    """Run one task `{"update_id": …}` (`Schedule.answer`; with `unsent`, of an answer that was given up: anew) or
    `{"chat_id": …, "deliver": true}` (`Schedule.delivery`).

    Args:
        is_last: The queue does not run it again.

    Returns:
        What became of the update, or how many messages that waited were `sent`.

    Raises:
        BadPayload: It names no update, or no chat.
        TransientError: Run the task again; so it is of any other exception.
    """
    if field_in(payload, "deliver", bool):
        return await deliver_waiting(app, number_in(payload, "chat_id"))
    update_id = number_in(payload, "update_id")
    if field_in(payload, "unsent", str) is not None:  # a dead letter that is replayed
        await reopen(app.store, update_id)
    return await answer_update(app, update_id, is_last=is_last)


async def answer_update(app: App, update_id: int, *, is_last: bool = False) -> UpdateOutcome:
    """Deal with what an update asks, once however often it is run.

    Raises:
        TransientError: Run it again; it goes on from where it was.
    """
    document = await app.store.get(update_path(update_id))
    if document is None:
        return UpdateOutcome(UpdateResult.IGNORED, "no such question")
    question, entry = read_question(document), read_entry(document)
    if entry.deaths + (entry.is_orphaned and entry.yields_to is None) >= MOST_DEATHS:  # a newer one's maker may live
        app = replace(app, model=None)
    if entry.yields_to is not None and not await is_left_open(app.store, app.clock, update_id):
        return UpdateOutcome(AnswerOutcome.ALREADY_ANSWERED)
    match question.ask:
        case None:
            return UpdateOutcome(AnswerOutcome.ALREADY_ANSWERED)
        case MessageAsk() as ask:
            return await _answer_message(app, question, ask, is_last=is_last)
        case ButtonPressed() as press:
            from shared.application.intake.gestures import press_button

            return await press_button(app, press)
        case MembershipChanged() as joined:
            from shared.application.intake.responding import greet

            return await greet(app, joined, await app.chats.current(joined.chat.chat_id))
        case GenerationStopped() as stopped:
            from shared.application.intake.responding import confirm_press

            return await confirm_press(app, stopped, await app.chats.current(stopped.chat.chat_id))
        case ReactionChanged() as reaction:
            from shared.application.intake.gestures import react

            outcome = await react(app, reaction)
            await close_as(app.store, update_id, AnswerOutcome.SILENT)
            return outcome


async def _answer_message(app: App, question: Question, ask: MessageAsk, *, is_last: bool) -> UpdateOutcome:
    state = await app.chats.current(question.chat_id)
    message = ask.unkept or await _find_message(app.store, state, question)
    command = _typed_command(message.text) if message is not None and ask.is_command else None
    if message is None or (command is None and keepable(state, message) is None):
        await close_as(app.store, question.update_id, AnswerOutcome.FORGOTTEN)
        return UpdateOutcome(AnswerOutcome.FORGOTTEN)
    if command is None and says_stop(app.policy, message.text):
        command = TypedCommand(STOP)
    update = MessageReceived(
        update_id=question.update_id,
        message=message,
        chat=ask.chat,
        language_code=ask.language_code,
        mentioned_ids=ask.mentioned_ids,
        reply_to_user_id=ask.reply_to_user_id,
        command=command,
    )
    if ask.is_unasked:
        return await _join_in(app, update, state, message)
    from shared.application.intake.responding import respond_to_message

    return await respond_to_message(app, update, state, message, is_last=is_last)


async def _join_in(app: App, update: MessageReceived, state: ChatState, message: Message) -> UpdateOutcome:
    from shared.application.answering.unprompted import join_in

    joined = await join_in(app, update, state, message)
    if joined is None:
        joined = AnswerOutcome.SILENT
        await close_as(app.store, update.update_id, joined)
    return UpdateOutcome(joined)


async def _find_message(store: DocumentStore, state: ChatState, question: Question) -> Message | None:
    """Return the message as it reads now, under the chat's current id; None when it was forgotten.

    It was stored before anybody was asked to answer it. In a group that became a supergroup since, it may be here or
    there.
    """
    paths = [message_path(question.chat_id, question.message_id)]
    if state.chat_id != question.chat_id:
        paths.append(message_path(state.chat_id, migrated_message_id(question.message_id)))
    documents = [document for document in await store.get_many(paths) if document is not None]
    return move_message(read_message(documents[-1]).message, state.chat_id) if documents else None


def _typed_command(text: str) -> TypedCommand | None:
    """Return the command that a message begins with as it reads now; None when an edit took it away."""
    found = _COMMAND.match(text)
    if found is None:
        return None
    return TypedCommand(found[1].lower(), found[2].lower() if found[2] else None, text[found.end() :].strip())
