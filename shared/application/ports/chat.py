"""The way back into the chat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Button:
    """An inline button: its label and the data that comes back (1-64 bytes of UTF-8)."""

    label: str
    data: str


@dataclass(frozen=True, slots=True)
class OutgoingText:
    """A message to send: Telegram HTML and the same as plain text for when the markup is refused."""

    html: str
    plain: str
    buttons: tuple[tuple[Button, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SentMessage:
    """What the chat service made of it."""

    message_id: int
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class WebhookInfo:
    """How the chat service delivers what is said.

    Attributes:
        url: Where to, or "" when it delivers nowhere.
        pending: Updates that wait to be delivered.
        last_error, last_error_at: Why a delivery failed last, in the service's words, and when; "" and None when none
            did.
        allowed_updates: Kinds of updates that it delivers; none named means the service's own choice.
    """

    url: str
    pending: int = 0
    last_error: str = ""
    last_error_at: datetime | None = None
    allowed_updates: tuple[str, ...] = ()


class ChatGateway(Protocol):
    """The way back into the chat.

    Every method raises `ChatUnavailable` (with `retry_after` on 429) when the request definitely had no effect,
    `SendUncertain` when it may have had, `ChatForbidden` when the bot is not (any more) in the chat,
    `ChatMigrated` when the group goes on under another id, and `MessageRejected` for other refusals.
    """

    async def send(
        self, chat_id: int, text: OutgoingText, *, reply_to: int | None = None, thread_id: int | None = None
    ) -> SentMessage:
        """Send one message of at most 4,096 UTF-16 units; plain text is sent when the HTML is refused. A vanished
        `reply_to` is ignored."""
        ...

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> None:
        """Replace a message of the bot; "not modified" is a success."""
        ...

    async def answer_callback(self, callback_id: str, text: str) -> None:
        """Stop the spinner of a pressed button and show up to 200 characters; an expired one is ignored."""
        ...

    async def show_typing(self, chat_id: int, *, thread_id: int | None = None) -> None:
        """Show "typing…" for about five seconds."""
        ...

    async def administrators(self, chat_id: int) -> frozenset[int]:
        """User ids of the chat's current administrators and owner, bots included; empty in a private chat."""
        ...

    async def download(self, file_id: str, *, limit_bytes: int) -> bytes:
        """A file of a message, whole; no more than `limit_bytes` are ever kept in memory.

        Raises:
            FileTooLarge: It has more than `limit_bytes`, or more than the service hands out (the Bot API: 20 MB).
            FileGone: The service does not know it, or not any more.
            ChatUnavailable: It did not come, or not in time; later it may.
        """
        ...

    async def webhook(self) -> WebhookInfo | None:
        """How updates are delivered, or None where they do not come by a webhook (a terminal, a bot that polls)."""
        ...

    async def aclose(self) -> None:
        """Release connections."""
        ...
