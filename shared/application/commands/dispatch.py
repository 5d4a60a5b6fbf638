"""Dispatches commands by name and replies by the question that they answer; lists the commands in help and menus."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import LINKED, CommandCall, answer, refusal
from shared.application.commands.table import ALIASES, COMMANDS, REPLIES
from shared.application.conversation.reply_codec import reply_context_of
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import text, word
from shared.application.documents import message_path
from shared.application.ports.chat import MenuEntry, MenuScope
from shared.domain.conversation.messages import Message
from shared.domain.intake.updates import MessageReceived
from shared.domain.text.language import Language, interface_language
from shared.domain.text.plain import one_line
from shared.locales import say

if TYPE_CHECKING:
    from shared.application.ports.chat import ChatGateway


_ALIKE = 0.6
"""Likeness by `difflib`: from here on a name is taken for a misspelt one (its own default)."""


async def show_help(app: App, call: CommandCall) -> Answer:
    """All commands with a line each, or how the named one is used; what a link into the private chat asks for."""
    if call.args.startswith(LINKED) and call.state.chat_id == call.user_id:
        from shared.application.commands.privacy.export import export_linked

        return await export_linked(app.gateway, app.schedule, call)
    wanted = call.args.split()[0].lstrip("/").lower() if call.args and call.message.kind == "command" else ""
    command = COMMANDS.get(wanted) or COMMANDS.get(f"gryad{wanted}")
    if wanted and command is not None:
        return answer(call, f"usage_{command.name}")
    lines = [say(call.language, "help", name=app.policy.bot_names[0], username=app.policy.bot_username)]
    for key, for_admins in (("help_everybody", False), ("help_admins", True)):
        shown = [command.name for command in COMMANDS.values() if (command.who == "admins") is for_admins]
        lines += ["", say(call.language, key), *(f"/{name} - {say(call.language, f'about_{name}')}" for name in shown)]
    return Answer.of(text("\n".join(lines)))


async def answer_unknown(call: CommandCall) -> Answer:
    """Answer a name that is no command's with the one that was probably meant, and the help."""
    name = call.update.command.name if call.update.command else ""
    own = {each.removeprefix("gryad"): each for each in COMMANDS}  # what all of them share makes none alike
    close = difflib.get_close_matches(name.removeprefix("gryad"), own, n=1, cutoff=_ALIKE)
    meant, key = own[close[0]] if close else "", "unknown_command_like" if close else "unknown_command"
    return answer(call, key, command=one_line(name, 40), meant=meant)


_LONGEST = 256
"""Characters of a description (Bot API, BotCommand)."""

_FOR_ADMINS: dict[MenuScope, bool] = {
    "default": False,
    "all_group_chats": False,
    "all_chat_administrators": True,
    "all_private_chats": True,  # everybody administrates their own private chat
}
"""Each scope of menus, and whether it shows the admins' commands."""


async def publish_menu(gateway: ChatGateway) -> int:
    """Set the menus of all scopes, in each language and in English for apps in any other; repeating it changes nothing.

    Returns:
        How many menus were set.

    Raises:
        ChatUnavailable: Telegram is out of reach; some of them may be set.
    """
    languages: list[tuple[Language | None, Language]] = [(None, "en"), ("uk", "uk"), ("en", "en")]
    menus = [(scope, *each) for scope in _FOR_ADMINS for each in languages]
    for scope, shown_to, language in menus:
        await gateway.set_menu(scope, shown_to, menu(scope, language))
    return len(menus)


def menu(scope: MenuScope, language: Language) -> tuple[MenuEntry, ...]:
    """Return what a scope shows in a language, in the order of the table."""
    shown = (command for command in COMMANDS.values() if command.who != "admins" or _FOR_ADMINS[scope])
    return tuple(MenuEntry(each.name, word(language, f"about_{each.name}")[:_LONGEST]) for each in shown)


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
        return await answer_unknown(call)
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
