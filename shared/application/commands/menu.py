"""The menus of commands that Telegram shows to people while they type: the table, by who may and in their language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.application.commands.table import COMMANDS
from shared.application.ports.chat import MenuEntry, MenuScope
from shared.domain.delivery.markup import plain
from shared.domain.text.language import Language
from shared.locales import say

if TYPE_CHECKING:
    from shared.application.ports.chat import ChatGateway


_LANGUAGES: tuple[Language, ...] = ("uk", "en")
_OTHERWISE: Language = "en"
_LONGEST = 256
"""Characters of a description (Bot API, BotCommand)."""

_FOR_ADMINS: dict[MenuScope, bool] = {
    "default": False,
    "all_group_chats": False,
    "all_chat_administrators": True,
    "all_private_chats": True,  # everybody administrates their own private chat
}
"""Each scope, and whether it shows the admins' commands."""


async def publish_menu(gateway: ChatGateway) -> int:
    """Set the menus of all scopes, in each language and for apps in any other; repeating it changes nothing.

    Returns:
        How many menus were set.

    Raises:
        ChatUnavailable: Telegram is out of reach; some of them may be set.
    """
    languages = [(language, language) for language in _LANGUAGES]
    menus = [(scope, *each) for scope in _FOR_ADMINS for each in [(None, _OTHERWISE), *languages]]
    for scope, shown_to, language in menus:
        await gateway.set_menu(scope, shown_to, menu(scope, language))
    return len(menus)


def menu(scope: MenuScope, language: Language) -> tuple[MenuEntry, ...]:
    """Return what a scope shows in a language, in the order of the table."""
    shown = (command for command in COMMANDS.values() if command.who != "admins" or _FOR_ADMINS[scope])
    return tuple(MenuEntry(each.name, plain(say(language, f"about_{each.name}"))[:_LONGEST]) for each in shown)
