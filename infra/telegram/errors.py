"""Translates errors of the Bot API into those that callers handle.

The line that matters runs between a request that Telegram cannot have taken (`ChatUnavailable`: repeat it) and a
message that may already stand in the group (`SendUncertain`: a repetition counts as a possible double). On the safe
side stand a connection that was never made, 429 and 503. 500 is not: Telegram's server (tdlib/telegram-bot-api) says
"Internal Server Error: restart" of whatever is under way when it stops, and "sent message was immediately deleted" of
what was sent. 502 and 504 come from the proxy before it, which lost or did not await the server's answer.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from shared.domain.errors import (
    ChatForbidden,
    ChatMigrated,
    ChatUnavailable,
    MarkupRejected,
    MessageRejected,
    MethodUnknown,
    SendUncertain,
    SettingsError,
    SpomynError,
)

if TYPE_CHECKING:
    from telegram.error import BadRequest, NetworkError, RetryAfter, TelegramError

_LONGEST_WAIT = 5.0  # seconds that a 429 may cost inside a call
_RECONNECT_PAUSE = 0.3  # seconds

_TOOK_NOTHING = ("service unavailable", "too many requests")
"""The beginnings of descriptions of 503, and of a 429 that does not say for how long."""


def translate(error: TelegramError, *, repeatable: bool) -> tuple[SpomynError, float | None]:
    """Our error, and the seconds after which one more try is worth it, or None.

    Args:
        repeatable: Whether the request may be made again when nobody knows what became of it.
    """
    from telegram import error as sdk

    match error:
        case sdk.RetryAfter():
            return _too_many(error, waits=repeatable)
        case sdk.ChatMigrated():
            return ChatMigrated(str(error), new_chat_id=error.new_chat_id), None
        case sdk.Forbidden():
            return ChatForbidden(str(error)), None
        case sdk.InvalidToken() if "method not found" in str(error).lower():  # both are a 404
            return MethodUnknown(str(error)), None
        case sdk.InvalidToken():
            return SettingsError("Telegram does not know the token in TELEGRAM_BOT_TOKEN; ask @BotFather"), None
        case sdk.Conflict():
            return ChatUnavailable(str(error)), None
        case sdk.BadRequest():  # before NetworkError, whose subclass it is
            return _refusal_error(error), None
        case sdk.NetworkError():
            return _transport_error(error, repeatable=repeatable)
        case _:
            return unknown_outcome(str(error), repeatable=repeatable), None


def _too_many(error: RetryAfter, *, waits: bool) -> tuple[SpomynError, float | None]:
    """Return it, and how long to wait here: never for a message; whoever sends knows what else waits in its chat."""
    wait = error.retry_after
    seconds = wait.total_seconds() if isinstance(wait, timedelta) else float(wait)
    return ChatUnavailable(str(error), retry_after=seconds), seconds if waits and seconds <= _LONGEST_WAIT else None


def _refusal_error(error: BadRequest) -> SpomynError:
    description = str(error).lower()
    if "can't parse entities" in description:
        return MarkupRejected(str(error))
    if "chat not found" in description:
        return ChatForbidden(str(error))
    return MessageRejected(str(error))


def _transport_error(error: NetworkError, *, repeatable: bool) -> tuple[SpomynError, float | None]:
    import httpx
    from telegram.error import TelegramError

    cause = error.__cause__
    if isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return ChatUnavailable(f"not sent: {error}"), _RECONNECT_PAUSE
    if "too large" in str(error).lower():  # 413: it will be as large the next time
        return MessageRejected(str(error)), None
    is_status = cause is None or isinstance(cause, TelegramError)
    if is_status and str(error).lower().startswith(_TOOK_NOTHING):
        return ChatUnavailable(str(error)), None
    return unknown_outcome(str(error), repeatable=repeatable), None


def unknown_outcome(message: str, *, repeatable: bool) -> SpomynError:
    """Return what it means that nobody knows whether Telegram took the request."""
    return ChatUnavailable(message) if repeatable else SendUncertain(message)
