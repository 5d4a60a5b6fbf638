"""Telegram's sending side: what the bot says, its limits and its failures, and the gateway of an instance to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from infra.local.chat.numbering import Numbering
from shared.application.ports.chat import Outgoing, OutgoingText, SentMessage, WebhookInfo
from shared.domain.errors import (
    ChatForbidden,
    ChatMigrated,
    ChatUnavailable,
    FileGone,
    FileTooLarge,
    MessageRejected,
    SendUncertain,
)
from tests.simulation.ports import Life

_GROUP_A_MINUTE, _ALL_A_SECOND = 20, 30
_USUAL = 0.12

_JPEG = bytes.fromhex("ffd8ffe000104a464946") + bytes(90)

_NOTICED_WITHIN = 300.0
"""Seconds around a send in which trouble of its sender may have kept it from noting that it sent, or made it send when
another one had taken over."""


@dataclass(slots=True)
class Shown:
    """A message of the bot.

    Attributes:
        at: Virtual seconds.
        sender: The instance that sent it.
        confirmed: Whether the sender was told so.
        first_text: Before it was edited.
    """

    chat_id: int
    message_id: int
    text: str
    buttons: tuple[tuple[tuple[str, str], ...], ...]
    reply_to: int | None
    at: float
    sender: Life
    confirmed: bool = False
    is_gone: bool = False
    first_text: str = ""

    def __post_init__(self) -> None:
        self.first_text = self.text

    @property
    def is_surely_noted(self) -> bool:
        """Return whether nothing kept its sender from noting that it was sent."""
        around = any(abs(at - self.at) <= _NOTICED_WITHIN for at in self.sender.troubles)
        return self.confirmed and not around


@dataclass(slots=True)
class TelegramChat:
    """A chat as Telegram knows it.

    Attributes:
        kind: "private", "group" or "supergroup".
        migrated_to: The supergroup that it became.
        is_closed: The bot may not write here.
    """

    chat_id: int
    kind: str
    admins: frozenset[int] = frozenset()
    migrated_to: int | None = None
    is_closed: bool = False
    said: dict[int, Shown] = field(default_factory=dict)


class TooMany(Exception):
    """HTTP 429."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(retry_after)
        self.retry_after = retry_after


class BotApi:
    """The server.

    Attributes:
        sent: All that took effect, oldest first.
        refused: How often it said 429.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self.chats: dict[int, TelegramChat] = {}
        self.numbering = Numbering()
        self.sent: list[Shown] = []
        self.refused = 0
        self.acknowledged: dict[str, int] = {}

    def add(self, chat: TelegramChat) -> TelegramChat:
        """Have a chat from now on."""
        self.chats[chat.chat_id] = chat
        if chat.kind != "supergroup":
            self.numbering.share(chat.chat_id)
        return chat

    def send(self, chat_id: int, text: str, buttons: Any, reply_to: int | None, sender: Life) -> Shown:
        """Take a message.

        Raises:
            TooMany, ChatMigrated, ChatForbidden, MessageRejected: It is not taken.
        """
        chat = self._open(chat_id)
        at = asyncio.get_running_loop().time()
        self._limit(chat, at)
        if not text.strip() or len(text.encode("utf-16-le")) // 2 > 4096:
            raise MessageRejected("Bad Request: message text is empty or too long")
        shown = Shown(chat_id, self.numbering.take(chat_id), text, buttons, reply_to, at, sender)
        chat.said[shown.message_id] = shown
        self.sent.append(shown)
        return shown

    def _open(self, chat_id: int) -> TelegramChat:
        chat = self.chats.get(chat_id)
        if chat is None or chat.is_closed:
            raise ChatForbidden("Forbidden: bot is not a member of the chat")
        if chat.migrated_to is not None:
            raise ChatMigrated("Bad Request: group chat was upgraded", new_chat_id=chat.migrated_to)
        return chat

    def _limit(self, chat: TelegramChat, at: float) -> None:
        recent = [each for each in self.sent[-200:] if each.at > at - 60]
        here = [each.at for each in recent if each.chat_id == chat.chat_id]
        waits = [0.0]
        if here and here[-1] > at - 1:
            waits.append(here[-1] + 1 - at)
        if chat.kind != "private" and len(here) >= _GROUP_A_MINUTE:
            waits.append(here[-_GROUP_A_MINUTE] + 60 - at)
        if len(lately := [each.at for each in recent if each.at > at - 1]) >= _ALL_A_SECOND:
            waits.append(lately[-_ALL_A_SECOND] + 1 - at)
        if (wait := max(waits)) > 0:
            self.refused += 1
            raise TooMany(float(int(wait) + 1))

    def acknowledge(self, callback_id: str) -> None:
        """Stop the spinner of a pressed button."""
        self.acknowledged[callback_id] = self.acknowledged.get(callback_id, 0) + 1

    def shown(self, chat_id: int, message_id: int) -> Shown:
        """Return a message of the bot that stands there.

        Raises:
            MessageRejected: There is none.
        """
        found = self._open(chat_id).said.get(message_id)
        if found is None or found.is_gone:
            raise MessageRejected("Bad Request: message to edit not found")
        return found


class SimulatedGateway:
    """`ChatGateway` of one instance: what the adapter makes of the server's answers, and of none."""

    def __init__(self, api: BotApi, life: Life) -> None:
        self._api, self._life = api, life

    async def send(
        self, chat_id: int, content: Outgoing, *, reply_to: int | None = None, thread_id: int | None = None
    ) -> SentMessage:
        text = content if isinstance(content, OutgoingText) else content.caption
        plain = text.plain or ("[file]" if content is not text else "")
        buttons = _buttons(text)
        for is_last in (False, True):
            await self._life.before(_USUAL)
            trouble = self._trouble()
            if trouble in ("unreachable", "500"):
                if trouble == "unreachable" and not is_last:
                    continue
                raise ChatUnavailable(f"simulated: {trouble}")
            if trouble == "cut before":
                self._life.trouble()
                raise SendUncertain("simulated: no answer, and no effect")
            try:
                shown = self._api.send(chat_id, plain, buttons, reply_to, self._life)
            except TooMany as error:
                raise ChatUnavailable("simulated: 429", retry_after=error.retry_after) from error
            if trouble is not None:
                self._life.trouble()
                raise SendUncertain(f"simulated: {trouble}")
            await self._life.after(_USUAL, peril=10)
            shown.confirmed = True
            return SentMessage(shown.message_id, datetime.fromtimestamp(int(self._api._now().timestamp()), UTC))
        raise AssertionError("unreachable")

    def _trouble(self) -> str | None:
        weather = self._life.weather
        if not weather.strikes("chat"):
            return None
        return weather.chance.choice(("unreachable", "500", "cut before", "timeout after", "garbage after"))

    async def _call(self, effect: Callable[[], None]) -> None:
        await self._life.before(_USUAL)
        if self._life.weather.strikes("chat"):
            raise ChatUnavailable("simulated")
        effect()
        await self._life.after(_USUAL)

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> bool:
        changed = False

        def effect() -> None:
            nonlocal changed
            shown = self._api.shown(chat_id, message_id)
            changed = (shown.text, shown.buttons) != (text.plain, _buttons(text))
            shown.text, shown.buttons = text.plain, _buttons(text)

        await self._call(effect)
        return changed

    async def delete(self, chat_id: int, message_ids: Sequence[int]) -> None:
        def effect() -> None:
            for message_id in message_ids:
                if found := self._api._open(chat_id).said.get(message_id):
                    found.is_gone = True

        await self._call(effect)

    async def answer_callback(self, callback_id: str, text: str) -> None:
        def effect() -> None:
            self._api.acknowledge(callback_id)

        await self._call(effect)

    async def whisper(
        self, chat_id: int, user_id: int, text: str, *, callback_id: str, thread_id: int | None = None
    ) -> None:
        await self._call(lambda: self._api.acknowledge(callback_id))

    async def show_draft(self, chat_id: int, draft_id: int, text: str, *, thread_id: int | None = None) -> None:
        await self._call(lambda: None)

    async def show_typing(self, chat_id: int, *, thread_id: int | None = None) -> None:
        await self._call(lambda: None)

    async def administrators(self, chat_id: int) -> frozenset[int]:
        await self._call(lambda: None)
        chat = self._api._open(chat_id)
        return chat.admins if chat.kind != "private" else frozenset()

    async def is_member(self, chat_id: int, user_id: int) -> bool:
        await self._call(lambda: None)
        return True

    async def set_menu(self, scope: Any, language: Any, entries: Any) -> None:
        await self._call(lambda: None)

    async def download(self, file_id: str, *, limit_bytes: int) -> bytes:
        await self._call(lambda: None)
        chance = self._life.weather.chance
        if chance.random() < 0.2:
            raise chance.choice((FileGone, FileTooLarge))("simulated")
        return _JPEG

    async def webhook(self) -> WebhookInfo | None:
        return None

    async def aclose(self) -> None:
        """There is nothing to release."""


def _buttons(text: OutgoingText) -> tuple[tuple[tuple[str, str], ...], ...]:
    return tuple(tuple((each.label, each.data) for each in row) for row in text.buttons)
