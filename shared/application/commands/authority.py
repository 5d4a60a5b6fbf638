"""Who may use a command or a button: decided by what Telegram says, never by what a message or a button claims."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.people.admins import chat_admins, go_on_elsewhere
from shared.domain.errors import ChatForbidden, ChatMigrated, MessageRejected

Who = Literal["everybody", "people", "members", "admins"]
"""`everybody`: also who speaks as a channel or anonymously; `people`: who shows who they are, for what is theirs alone;
`members`: people who are in the chat now, as Telegram says; `admins`: who administrates the chat now, as Telegram says,
anonymously or not, and everybody in their own private chat."""

FRESH = timedelta(minutes=5)
"""For this long Telegram's word on who administrates is believed, but for what is destructive."""


async def is_admin(app: App, state: ChatState, user_id: int, *, proven: bool = False, fresh: bool = False) -> bool:
    """Return whether somebody administrates this very chat; in their private chat with the bot everybody does.

    Args:
        proven: The update itself proves it (an anonymous admin speaks as the chat).
        fresh: Telegram is asked now, and what it said minutes ago does not count.

    Raises:
        ChatUnavailable: Telegram is out of reach and nothing is known that would do.
    """
    if proven or user_id == state.chat_id:
        return True
    if state.chat_id > 0:
        return False
    return user_id in await chat_admins(app, state, within=timedelta(0) if fresh else FRESH)


async def is_member(app: App, state: ChatState, user_id: int) -> bool:
    """Return whether somebody is in the chat now.

    Raises:
        ChatUnavailable: Telegram is out of reach.
    """
    if state.chat_id > 0:
        return user_id == state.chat_id
    try:
        return await app.gateway.is_member(state.chat_id, user_id)
    except ChatMigrated as error:
        await go_on_elsewhere(app, state.chat_id, error)
    except (ChatForbidden, MessageRejected):
        return False


async def refusal(
    app: App, state: ChatState, user_id: int, who: Who, *, proven: bool = False, fresh: bool = False
) -> str | None:
    """Return why somebody may not, as the name of a text of the locales; None when they may.

    Raises:
        ChatUnavailable: Telegram is out of reach and nothing is known that would do.
    """
    if who == "admins":
        return None if await is_admin(app, state, user_id, proven=proven, fresh=fresh) else "admins_only"
    if who != "everybody" and user_id < 0:
        return "people_only"
    if who == "members" and not await is_member(app, state, user_id):
        return "members_only"
    return None
