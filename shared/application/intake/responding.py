"""What is done about an update that calls for an answer. Imported when the first one comes."""

from __future__ import annotations

from dataclasses import replace

from shared.application.answering.composing import compose_answer
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.dispatch import compose_command, compose_reply
from shared.application.commands.stop import stop_older
from shared.application.delivery.answer import Answer
from shared.application.delivery.closing import close_as, stop_answers
from shared.application.delivery.limits import limit_notice
from shared.application.delivery.own_messages import Destination
from shared.application.delivery.sending import Asker, answer_once
from shared.application.delivery.wording import localized_text, text
from shared.application.documents import update_path
from shared.application.intake.merging import claiming_earlier
from shared.application.intake.question_codec import MessageAsk, read_question
from shared.application.policy import Policy
from shared.domain.conversation.messages import Message
from shared.domain.delivery.limits import Limit
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.intake.addressing import STOP
from shared.domain.intake.outcomes import UpdateOutcome
from shared.domain.intake.updates import GenerationStopped, MembershipChanged, MessageReceived
from shared.domain.text.language import interface_language


async def respond_to_message(app: App, update: MessageReceived, state: ChatState, message: Message) -> UpdateOutcome:
    """Answer a command or an addressed message, once."""
    to = Destination(message.chat_id, message.message_id, message.thread_id)
    compose = _compose_talk if update.command is None else compose_command
    if update.command is not None and update.command.name == STOP:
        await stop_older(app.store, message, update.update_id)  # whatever the limits say of its confirmation
    language = interface_language(state.language, update.language_code)

    async def decline(limit: Limit) -> Answer:
        return Answer.of(text(limit_notice(app.policy, state, language, limit)))

    asker = Asker(message.user_id, decline)
    return UpdateOutcome(
        await answer_once(app, update.update_id, to, lambda: compose(app, update, state, message), asker=asker)
    )


async def _compose_talk(app: App, update: MessageReceived, state: ChatState, message: Message) -> Answer:
    replied = await compose_reply(app, update, state, message)
    if replied is not None:
        return replied
    this = (update.update_id, message, app.ids.token())
    async with claiming_earlier(app.store, app.clock, app.policy, state, *this) as earlier:
        answer = await compose_answer(app, update, state, message, earlier=tuple(each.message for each in earlier))
    return replace(answer, serves=earlier)


async def stop_growing(app: App, update: GenerationStopped, state: ChatState) -> UpdateOutcome:
    """End the answer under whose draft somebody pressed "stop", and those that it serves; say so when there was one."""
    here, draft = state.chat_id, update.draft_id
    document = await app.store.get(update_path(draft))
    ask = None if document is None else read_question(document).ask
    tag = ask.language_code if isinstance(ask, MessageAsk) else None
    if not await stop_answers(
        app.store, here, here, lambda each: draft in (each.update_id, each.entry.yields_to), by=update.update_id
    ):
        await close_as(app.store, update.update_id, AnswerOutcome.SILENT)
        return UpdateOutcome(AnswerOutcome.SILENT)

    async def confirm() -> Answer:
        return Answer.of(localized_text(interface_language(state.language, tag), "stopped"))

    return UpdateOutcome(await answer_once(app, update.update_id, Destination(here), confirm))


async def greet(app: App, update: MembershipChanged, state: ChatState) -> UpdateOutcome:
    """Say hello to a group that the bot joined, once."""
    to = Destination(update.chat.chat_id)
    outcome = await answer_once(app, update.update_id, to, lambda: _compose_greeting(app.policy, update, state))
    return UpdateOutcome(outcome)


async def _compose_greeting(policy: Policy, update: MembershipChanged, state: ChatState) -> Answer:
    language = interface_language(state.language, update.language_code)
    return Answer.of(localized_text(language, "greeting", name=policy.bot_names[0]))
