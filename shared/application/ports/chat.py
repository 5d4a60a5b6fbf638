"""The way back into the chat."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from shared.domain.text.language import Language


@dataclass(frozen=True, slots=True)
class Button:
    """An inline button: its label and the data that comes back (1-64 bytes of UTF-8)."""

    label: str
    data: str


@dataclass(frozen=True, slots=True)
class OutgoingText:
    """A message to send: Telegram HTML and the same as plain text for when the markup is refused.

    Attributes:
        people: Whose words or facts it shows: when one of them is forgotten, it goes.
    """

    html: str
    plain: str
    buttons: tuple[tuple[Button, ...], ...] = ()
    people: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class OutgoingFile:
    """A file to send: a picture when its type is one ("image/…"), else a document.

    Attributes:
        name: As people see and save it.
        caption: Shown under it, at most 1,024 UTF-16 units, with its buttons; "" for none.
    """

    name: str
    mime_type: str
    content: bytes
    caption: OutgoingText = OutgoingText("", "")

    @property
    def is_picture(self) -> bool:
        """Return whether it is a picture, which people see at once."""
        return self.mime_type.startswith("image/")

    @property
    def plain(self) -> str:
        """Return the words that the bot said with it."""
        return self.caption.plain

    @property
    def people(self) -> frozenset[int]:
        """Return the members whose words or facts it shows."""
        return self.caption.people


Outgoing = OutgoingText | OutgoingFile
"""Anything that can be sent."""


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A command in the menu: its name without the slash, and 1-256 characters on what it does."""

    name: str
    about: str


MenuScope = Literal["default", "all_private_chats", "all_group_chats", "all_chat_administrators"]
"""The people who see a menu, as the Bot API names it (BotCommandScope)."""


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message as the chat service sent it."""

    message_id: int
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class WebhookInfo:
    """The state of the webhook by which the chat service delivers updates.

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
        self, chat_id: int, content: Outgoing, *, reply_to: int | None = None, thread_id: int | None = None
    ) -> SentMessage:
        """Send one message, a text of at most 4,096 UTF-16 units or a file of at most 50 MB (a picture: 10 MB); plain
        text is sent when the HTML is refused. A vanished `reply_to` is ignored."""
        ...

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> bool:
        """Replace a message of the bot; False when it read so before."""
        ...

    async def delete(self, chat_id: int, message_ids: Sequence[int]) -> None:
        """Delete messages of the bot, at most 100; one that is gone, or that may not be deleted any more (after 48
        hours), is left."""
        ...

    async def answer_callback(self, callback_id: str, text: str) -> None:
        """Stop the spinner of a pressed button and show up to 200 characters; an expired one is ignored."""
        ...

    async def whisper(
        self, chat_id: int, user_id: int, text: str, *, callback_id: str, thread_id: int | None = None
    ) -> None:
        """Say something in a group that only one member sees, as an answer to their press of a button.

        Raises:
            MessageRejected: The service does not let us: the press is too long ago, or it knows no such messages.
        """
        ...

    async def show_draft(self, chat_id: int, draft_id: int, text: str, *, thread_id: int | None = None) -> None:
        """Show in a private chat what there is of a message that is being written, plain text of at most 4,096 UTF-16
        units ("" shows that it is thought about), for about thirty seconds, with a button that stops it.

        Args:
            draft_id: Not 0; another text of the same draft grows out of the one before. A press of the button brings an
                update with it.

        Raises:
            MethodUnknown: The service is too old for it.
        """
        ...

    async def show_typing(self, chat_id: int, *, thread_id: int | None = None) -> None:
        """Show "typing…" for about five seconds."""
        ...

    async def administrators(self, chat_id: int) -> frozenset[int]:
        """User ids of the chat's current administrators and owner, bots included; empty in a private chat."""
        ...

    async def is_member(self, chat_id: int, user_id: int) -> bool:
        """Return whether somebody is in the chat now; False also for people never seen there."""
        ...

    async def set_menu(self, scope: MenuScope, language: Language | None, entries: Sequence[MenuEntry]) -> None:
        """Replace the menu of commands in a scope, for apps in one language or (None) in all that have no menu of
        their own."""
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
        """Return how updates are delivered, or None where they do not come by a webhook (a terminal, a bot that
        polls)."""
        ...

    async def aclose(self) -> None:
        """Release connections."""
        ...
