"""What is done about an update that calls for an answer. Imported when the first one comes."""

from __future__ import annotations

from shared.application.answering.composing import compose_answer
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.dispatch import compose_command, compose_reply
from shared.application.delivery.answer import Answer
from shared.application.delivery.limits import limit_notice
from shared.application.delivery.own_messages import Destination
from shared.application.delivery.sending import Asker, answer_once
from shared.application.delivery.wording import localized_text, text
from shared.application.policy import Policy
from shared.domain.conversation.audience import interface_language
from shared.domain.conversation.messages import Message
from shared.domain.delivery.limits import Limit
from shared.domain.intake.outcomes import UpdateOutcome
from shared.domain.intake.updates import MembershipChanged, MessageReceived


async def respond_to_message(app: App, update: MessageReceived, state: ChatState, message: Message) -> UpdateOutcome:
    """Answer a command or an addressed message, once."""
    to = Destination(message.chat_id, message.message_id, message.thread_id)
    compose = _compose_talk if update.command is None else compose_command
    language = interface_language(state.language, update.language_code)

    async def decline(limit: Limit) -> Answer:
        return Answer.of(text(limit_notice(app.policy, state, language, limit)))

    asker = Asker(message.user_id, decline)
    return UpdateOutcome(
        await answer_once(app, update.update_id, to, lambda: compose(app, update, state, message), asker=asker)
    )


async def _compose_talk(app: App, update: MessageReceived, state: ChatState, message: Message) -> Answer:
    replied = await compose_reply(app, update, state, message)
    return replied if replied is not None else await compose_answer(app, update, state, message)


async def greet(app: App, update: MembershipChanged, state: ChatState) -> UpdateOutcome:
    """Say hello to a group that the bot joined, once."""
    to = Destination(update.chat.chat_id)
    outcome = await answer_once(app, update.update_id, to, lambda: _compose_greeting(app.policy, update, state))
    return UpdateOutcome(outcome)


async def _compose_greeting(policy: Policy, update: MembershipChanged, state: ChatState) -> Answer:
    language = interface_language(state.language, update.language_code)
    return Answer.of(localized_text(language, "greeting", name=policy.bot_names[0]))
