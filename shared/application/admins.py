"""Who administrates a chat, as Telegram says; asked at most once an hour per chat by the worker, more often by what
needs a fresher word."""

from __future__ import annotations

import logging
from datetime import timedelta

from shared.application.app import App
from shared.application.chats import ChatState
from shared.domain.errors import ChatMigrated, ChatUnavailable, PermanentError

log = logging.getLogger(__name__)

_FRESH = timedelta(hours=1)


async def chat_admins(app: App, state: ChatState, *, within: timedelta = _FRESH) -> frozenset[int]:
    """User ids of the chat's administrators, and the chat's own id (anonymous admins speak as the chat).

    When Telegram does not answer, what was known last is used, but not where it has to be asked now; when nothing was
    ever known, the error passes through.

    Args:
        within: How old Telegram's word may be; zero to ask now.

    Raises:
        ChatUnavailable: Telegram is out of reach, and nothing is known that would do; or the chat goes on under another
            id, for which to ask again.
    """
    if state.chat_id > 0:
        return frozenset({state.chat_id})
    now, asked = app.clock.now(), state.admins_checked_at
    if asked is not None and timedelta(0) <= now - asked < within:  # another instance's clock may be ahead
        return state.admins | {state.chat_id}
    try:
        admins = await app.gateway.administrators(state.chat_id)
    except ChatUnavailable:
        if not within or (asked is None and not state.admins):
            raise
        return state.admins | {state.chat_id}
    except ChatMigrated as error:
        raise await gone_on(app, state.chat_id, error) from error
    except PermanentError as error:
        log.warning("nobody knows the administrators: %s", error)
        admins = frozenset()
    await app.chats.change(state.chat_id, {"admins": sorted(admins), "admins_checked_at": now})
    return admins | {state.chat_id}


async def gone_on(app: App, chat_id: int, error: ChatMigrated) -> ChatUnavailable:
    """Have a chat go on under the id that Telegram names; what to raise: asked again, its members are those there."""
    from shared.application.migration import begin_migration

    await begin_migration(app, chat_id, error.new_chat_id)
    return ChatUnavailable(f"chat {chat_id} goes on as {error.new_chat_id}")
