"""What is done about an update that calls for an answer. Imported when the first one comes."""

from __future__ import annotations

from shared.application.answering import compose_answer
from shared.application.app import App
from shared.application.chats import ChatState
from shared.application.commands import compose_command, compose_greeting
from shared.application.delivery import Destination, answer_once
from shared.domain.messages import Message
from shared.domain.updates import MembershipChanged, MessageReceived


async def respond_to_message(app: App, update: MessageReceived, state: ChatState, message: Message) -> str:
    """Answer a command or an addressed message, once."""
    to = Destination(message.chat_id, message.message_id, message.thread_id)
    compose = compose_answer if update.command is None else compose_command
    return await answer_once(app, update.update_id, to, lambda: compose(app, update, state, message))


async def greet(app: App, update: MembershipChanged, state: ChatState) -> str:
    """Say hello to a group that the bot joined, once."""
    to = Destination(update.chat.chat_id)
    return await answer_once(app, update.update_id, to, lambda: compose_greeting(app, update, state))
