"""From a command's name to what it says, and from a reply to what it means."""

from __future__ import annotations

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.authority import refusal
from shared.application.commands.call import CommandCall, answer
from shared.application.commands.help import unknown
from shared.application.commands.table import ALIASES, COMMANDS, REPLIES
from shared.application.conversation.reply_codec import reply_context_of
from shared.application.delivery.answer import Answer
from shared.application.documents import message_path
from shared.domain.conversation.messages import Message
from shared.domain.intake.updates import MessageReceived
from shared.domain.text.language import interface_language


async def compose_command(app: App, update: MessageReceived, state: ChatState, message: Message) -> Answer:
    """Return what one of our commands answers; an unknown one points to the help.

    Raises:
        ChatUnavailable: Who may use it cannot be asked now.
    """
    given = update.command
    name = ALIASES.get(given.name, given.name) if given else ""
    command = COMMANDS.get(name)
    language = interface_language(state.language, update.language_code)
    call = CommandCall(command or COMMANDS["gryadhelp"], state, update, message, given.args if given else "", language)
    if command is None:
        return await unknown(call)
    proven, fresh = message.is_admin is True, command.destructive
    refused = await refusal(app, state, message.user_id, command.who, proven=proven, fresh=fresh)
    return answer(call, refused) if refused else await command.load()(app, call)


async def compose_reply(app: App, update: MessageReceived, state: ChatState, message: Message) -> Answer | None:
    """Return what a reply to a question of the bot does; None when it replies to no question, or is talk like any
    other."""
    if message.reply_to is None or update.reply_to_user_id != app.policy.bot_id:
        return None
    asked = await app.store.get(message_path(message.chat_id, message.reply_to))
    asks = reply_context_of(asked)
    if asks is None:
        return None
    # A question may be older than this version, which asks it no more.
    load, command = REPLIES.get(asks.action), COMMANDS.get(asks.command)
    if load is None or command is None:
        return None
    language = interface_language(state.language, update.language_code)
    call = CommandCall(command, state, update, message, message.text.strip(), language)
    return await load()(app, call, asks)
