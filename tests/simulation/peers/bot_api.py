"""Telegram's sending side: what the bot says, its limits and its failures, and the gateway of an instance to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import inf
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
    PermanentError,
    SendUncertain,
)
from tests.simulation.peers.errands import Errand, at_work
from tests.simulation.ports import Life

_GROUP_A_MINUTE, _ALL_A_SECOND = 20, 30
_USUAL = 0.12

_JPEG = bytes.fromhex("ffd8ffe000104a464946") + bytes(90)

UNSAYABLE = "⛔"
"""A text of the bot with it is refused, as is one whose markup Telegram cannot read."""

_CLOCKS_DIFFER = 10.0
"""Seconds by which a clock is ahead of another that sees a lease over while its holder is at work, or nearly so."""

Part = tuple[str, int]
"""A piece of an answer: the name of its update, and its number."""


@dataclass(eq=False, slots=True)
class Attempt:
    """One call by which an instance has a message sent.

    Attributes:
        began: Virtual seconds.
        skew: By how many seconds its sender's clock is ahead.
        parts: The pieces that it says.
        told: What its sender was told: "sent", "unsent", "refused", "unknown"; "" when it was told nothing.
        shown: What stands in the chat.
        next_at: When the same errand had something sent next; None: never.
    """

    began: float
    chat_id: int
    text: str
    sender: Life
    errand: Errand
    skew: float
    parts: tuple[Part, ...] = ()
    told: str = ""
    shown: Shown | None = None
    next_at: float | None = None

    @property
    def may_have_arrived(self) -> bool:
        """Return whether it is none that its sender knows not to stand in the chat."""
        return self.told in ("", "unknown", "sent")

    @property
    def is_noted(self) -> bool:
        """Return whether its sender was told that it arrived, and nothing kept it from writing that down."""
        until = self._done_at
        died = self.sender.died_at is not None and self.sender.died_at <= until
        jumped = any(self.began <= at <= until for at in self.sender.jumps)
        return self.told == "sent" and not died and not jumped and not self.errand.had_trouble(self.began, until)

    @property
    def _done_at(self) -> float:
        """When its sender went on to something else."""
        over = [at for at in (self.next_at, self.errand.over_at) if at is not None]
        return min(over, default=inf)

    def looks_open_to(self, other: Attempt) -> bool:
        """Return whether who sends next cannot know that it arrived: nobody noted it, or not before, and by their clock
        its time was over."""
        overtaken = other.errand is not self.errand and other.began < self._done_at
        return not self.is_noted or (overtaken and other.skew - self.skew >= _CLOCKS_DIFFER)


@dataclass(slots=True)
class Shown:
    """A message of the bot.

    Attributes:
        at: Virtual seconds.
        attempt: The call by which it came.
        first_text: Before it was edited.
    """

    chat_id: int
    message_id: int
    text: str
    buttons: tuple[tuple[tuple[str, str], ...], ...]
    reply_to: int | None
    at: float
    attempt: Attempt
    is_gone: bool = False
    first_text: str = ""

    def __post_init__(self) -> None:
        self.first_text = self.text

    @property
    def is_surely_noted(self) -> bool:
        """Return whether nothing kept its sender from noting that it was sent."""
        return self.attempt.is_noted


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
        attempts: All calls that send, also those that had no effect.
        parts_of: Returns which pieces of answers a text says that the errand of now has marked.
        refused: How often it said 429.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self.chats: dict[int, TelegramChat] = {}
        self.numbering = Numbering()
        self.sent: list[Shown] = []
        self.attempts: list[Attempt] = []
        self.parts_of: Callable[[str], tuple[Part, ...]] = lambda _: ()
        self.refused = 0
        self.acknowledged: dict[str, int] = {}

    def add(self, chat: TelegramChat) -> TelegramChat:
        """Have a chat from now on."""
        self.chats[chat.chat_id] = chat
        if chat.kind != "supergroup":
            self.numbering.share(chat.chat_id)
        return chat

    def begin(self, chat_id: int, text: str, sender: Life) -> Attempt:
        """Note that an instance sets out to have something sent."""
        errand, at = at_work.get(), asyncio.get_running_loop().time()
        for before in reversed(self.attempts):
            if before.errand is errand:
                before.next_at = at
                break
        skew = sender.skew.total_seconds()
        self.attempts.append(Attempt(at, chat_id, text, sender, errand, skew, self.parts_of(text)))
        return self.attempts[-1]

    def send(self, attempt: Attempt, buttons: Any, reply_to: int | None) -> Shown:
        """Take a message.

        Raises:
            TooMany, ChatMigrated, ChatForbidden, MessageRejected: It is not taken.
        """
        chat_id, text = attempt.chat_id, attempt.text
        chat = self._open(chat_id)
        at = asyncio.get_running_loop().time()
        self._limit(chat, at)
        if UNSAYABLE in text:
            raise MessageRejected("Bad Request: can't parse entities")
        if not text.strip() or len(text.encode("utf-16-le")) // 2 > 4096:
            raise MessageRejected("Bad Request: message text is empty or too long")
        attempt.shown = shown = Shown(chat_id, self.numbering.take(chat_id), text, buttons, reply_to, at, attempt)
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
        attempt, buttons = self._api.begin(chat_id, plain, self._life), _buttons(text)
        for is_last in (False, True):
            await self._life.before(_USUAL)
            trouble = self._trouble()
            if trouble in ("unreachable", "503"):
                if trouble == "unreachable" and not is_last:
                    continue
                attempt.told = "unsent"
                raise ChatUnavailable(f"simulated: {trouble}")
            if trouble in ("cut before", "500 before"):
                attempt.told = "unknown"
                raise SendUncertain("simulated: no answer, and no effect")
            try:
                shown = self._api.send(attempt, buttons, reply_to)
            except TooMany as error:
                attempt.told = "unsent"
                raise ChatUnavailable("simulated: 429", retry_after=error.retry_after) from error
            except PermanentError:
                attempt.told = "refused"
                raise
            if trouble is not None:
                attempt.told = "unknown"
                raise SendUncertain(f"simulated: {trouble}")
            await self._life.after(_USUAL, peril=10)
            attempt.told = "sent"
            return SentMessage(shown.message_id, datetime.fromtimestamp(int(self._api._now().timestamp()), UTC))
        raise AssertionError("unreachable")

    def _trouble(self) -> str | None:
        weather = self._life.weather
        if not weather.strikes("chat"):
            return None
        return weather.chance.choice(
            ("unreachable", "503", "500 before", "cut before", "timeout after", "garbage after", "502 after")
        )

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
