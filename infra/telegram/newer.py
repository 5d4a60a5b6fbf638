"""Calls of the Bot API that are newer than the SDK, and the meaning of an answer that the SDK does not tell."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from infra.telegram.sdk import encodable
from shared.domain.errors import MessageRejected, MethodUnknown

if TYPE_CHECKING:
    from telegram import Bot, ChatMember

_NO_MEMBER = ("user not found", "member not found", "participant_id_invalid", "user_id_invalid", "invalid user_id")
_IN_THE_CHAT = frozenset(("creator", "administrator", "member"))


async def whisper(bot: Bot, chat_id: int, user_id: int, text: str, callback_id: str, thread_id: int | None) -> None:
    """Send what one member alone sees: newer than what the SDK knows (Bot API 10.3)."""
    only_for = {"receiver_user_id": user_id, "callback_query_id": callback_id}
    newer = {"ephemeral_message_parameters": only_for}
    await bot.send_message(chat_id, encodable(text), message_thread_id=thread_id, api_kwargs=newer)


async def draft(bot: Bot, chat_id: int, draft_id: int, text: str, thread_id: int | None) -> None:
    """Show what there is of a message; its stop button is newer than what the SDK knows (Bot API 10.3)."""
    more: dict[str, Any] = {"message_thread_id": thread_id, "api_kwargs": {"can_stop": True}}
    await bot.send_message_draft(chat_id, draft_id, encodable(text), **more)


class Drafts:
    """Shows drafts, and asks a server that is too old for them once."""

    def __init__(self) -> None:
        self._are_known = True

    async def show(self, show: Callable[[], Awaitable[None]]) -> None:
        if not self._are_known:
            raise MethodUnknown("the server knows no drafts")
        try:
            await show()
        except MethodUnknown:
            self._are_known = False
            raise


async def is_there(ask: Callable[[], Awaitable[ChatMember]]) -> bool:
    """Return whether somebody is in the chat now, from what Telegram says of them."""
    try:
        member = await ask()
    except MessageRejected as error:
        if any(reason in str(error).lower() for reason in _NO_MEMBER):
            return False
        raise
    return member.status in _IN_THE_CHAT or bool(getattr(member, "is_member", False))
