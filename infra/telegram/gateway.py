"""`ChatGateway` over the Telegram Bot API: python-telegram-bot speaks the protocol, `errors` says what its errors mean.

The SDK is imported with the first call: 160 ms that an update without an answer does not pay.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlencode

from infra.telegram.errors import translate, unknown_outcome
from infra.telegram.files import fetch, get_file, no_file, read_local
from infra.telegram.newer import Drafts, draft, is_there, whisper
from infra.telegram.sdk import connect, encodable, keyboard_of, no_preview, self_of, send_with_fallback, upload
from infra.telegram.updates import bot_id
from infra.web.tls import tls_context
from shared.application.ports.system import Clock
from shared.domain.errors import ChatUnavailable, FileTooLarge, MessageRejected

if TYPE_CHECKING:
    from httpx import AsyncClient
    from telegram import Bot, Message
    from telegram.request import HTTPXRequest

    from shared.application.ports.chat import (
        MenuEntry,
        MenuScope,
        Outgoing,
        OutgoingText,
        SentMessage,
        WebhookInfo,
    )
    from shared.domain.text.language import Language

T = TypeVar("T")

ALLOWED_UPDATES = (
    *("message", "edited_message", "callback_query", "my_chat_member"),
    *("message_reaction", "chat_member", "stopped_message_generation"),
)
"""The kinds of updates to ask Telegram for, when polling and when registering the webhook. Reactions and members it
leaves out unless they are named, and sends only where the bot is an administrator (Bot API, Update)."""

_LONGEST_DOWNLOAD = 6  # times the timeout: a file that trickles in would hold up an answer for ever
_LONGEST_UPLOAD = 3  # times the timeout: Telegram answers when it has dealt with the whole file

# What an answer that is no Bot API answer makes the SDK's parser raise.
_UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, OverflowError)


class TelegramGateway:
    """The bot's way back into its chats.

    Args:
        token: From @BotFather.
        api_url: Without a trailing path; another one for a local Bot API server.
        clock: Dates a sent message that Telegram left undated.
        timeout: Seconds to wait for an answer before the outcome counts as unknown.

    Raises:
        SettingsError: The token is malformed. Every method raises it when Telegram does not know the token.
    """

    def __init__(
        self, token: str, *, api_url: str = "https://api.telegram.org", clock: Clock, timeout: float = 10.0
    ) -> None:
        bot_id(token)
        self._token = token
        self._api_url = api_url.rstrip("/")
        self._clock = clock
        self._timeout = timeout
        self._client: tuple[Bot, HTTPXRequest] | None = None
        self._files: AsyncClient | None = None
        self._drafts = Drafts()

    async def send(
        self, chat_id: int, content: Outgoing, *, reply_to: int | None = None, thread_id: int | None = None
    ) -> SentMessage:
        from telegram import ReplyParameters

        from shared.application.ports.chat import OutgoingText

        text = content if isinstance(content, OutgoingText) else content.caption
        where: dict[str, Any] = {"message_thread_id": thread_id, "reply_markup": keyboard_of(text)}
        if reply_to is not None and reply_to > 0:  # negative: from before the group became a supergroup
            where["reply_parameters"] = ReplyParameters(reply_to, allow_sending_without_reply=True)

        async def attempt(body: str, parse_mode: str | None) -> SentMessage:
            async def request(bot: Bot) -> SentMessage:
                if isinstance(content, OutgoingText):
                    # A preview makes Telegram fetch whatever address a member talked the model into writing.
                    fields = {**where, "parse_mode": parse_mode, "link_preview_options": no_preview()}
                    return self._sent_message(await bot.send_message(chat_id, body, **fields))
                patient = {**where, "read_timeout": _LONGEST_UPLOAD * self._timeout}
                return self._sent_message(await upload(bot, chat_id, content, body, parse_mode, patient))

            return await self._call(request, repeatable=False)

        return await send_with_fallback(text, attempt)

    def _sent_message(self, message: Message) -> SentMessage:
        dated = message.date.timestamp() > 0  # Telegram dates a message that it cannot show with 0
        from shared.application.ports.chat import SentMessage

        return SentMessage(message.message_id, message.date if dated else self._clock.now())

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> bool:
        try:
            await self._edit(chat_id, message_id, text)
        except MessageRejected as error:
            if "message is not modified" in str(error).lower():
                return False
            raise
        return True

    async def _edit(self, chat_id: int, message_id: int, text: OutgoingText) -> None:
        """Only Telegram knows whether a message is a file, so its caption is tried when it says that it has no text."""
        where: dict[str, Any] = {"chat_id": chat_id, "message_id": message_id, "reply_markup": keyboard_of(text)}

        async def attempt(body: str, parse_mode: str | None) -> object:
            fields = {**where, "parse_mode": parse_mode, "link_preview_options": no_preview()}
            return await self._call(lambda bot: bot.edit_message_text(body, **fields))

        async def attempt_caption(body: str, parse_mode: str | None) -> object:
            return await self._call(lambda bot: bot.edit_message_caption(caption=body, parse_mode=parse_mode, **where))

        try:
            await send_with_fallback(text, attempt)
        except MessageRejected as error:
            if "there is no text in the message to edit" not in str(error).lower():
                raise
            await send_with_fallback(text, attempt_caption)

    async def delete(self, chat_id: int, message_ids: Sequence[int]) -> None:
        try:
            await self._call(lambda bot: bot.delete_messages(chat_id, message_ids))
        except MessageRejected:  # one of them may not be deleted any more: it keeps no other
            for message_id in message_ids:
                with contextlib.suppress(MessageRejected):
                    await self._delete_one(chat_id, message_id)

    async def _delete_one(self, chat_id: int, message_id: int) -> None:
        await self._call(lambda bot: bot.delete_message(chat_id, message_id))

    async def answer_callback(self, callback_id: str, text: str) -> None:
        shown = encodable(text)[:200] or None
        try:
            await self._call(lambda bot: bot.answer_callback_query(callback_id, shown))
        except MessageRejected as error:
            if "query is too old" not in str(error).lower():
                raise

    async def whisper(
        self, chat_id: int, user_id: int, text: str, *, callback_id: str, thread_id: int | None = None
    ) -> None:
        await self._call(lambda bot: whisper(bot, chat_id, user_id, text, callback_id, thread_id), repeatable=False)

    async def show_draft(self, chat_id: int, draft_id: int, text: str, *, thread_id: int | None = None) -> None:
        await self._drafts.show(lambda: self._call(lambda bot: draft(bot, chat_id, draft_id, text, thread_id)))

    async def show_typing(self, chat_id: int, *, thread_id: int | None = None) -> None:
        await self._call(lambda bot: bot.send_chat_action(chat_id, "typing", message_thread_id=thread_id))

    async def administrators(self, chat_id: int) -> frozenset[int]:
        if chat_id > 0:  # a private chat: Telegram refuses the question
            return frozenset()
        members = await self._call(lambda bot: bot.get_chat_administrators(chat_id, return_bots=True))
        return frozenset(member.user.id for member in members)

    async def is_member(self, chat_id: int, user_id: int) -> bool:
        if chat_id > 0:
            return user_id == chat_id
        return await is_there(lambda: self._call(lambda bot: bot.get_chat_member(chat_id, user_id)))

    async def set_menu(self, scope: MenuScope, language: Language | None, entries: Sequence[MenuEntry]) -> None:
        from telegram import BotCommand, BotCommandScope

        commands = [BotCommand(entry.name, entry.about) for entry in entries]
        await self._call(lambda bot: bot.set_my_commands(commands, BotCommandScope(scope), language))

    async def download(self, file_id: str, *, limit_bytes: int) -> bytes:
        try:
            path, size = await self._call(lambda bot: get_file(bot, file_id))
        except (MessageRejected, ChatUnavailable) as error:
            raise no_file(error) from error
        if size > limit_bytes:
            raise FileTooLarge(f"the file has {size} bytes")
        if path.startswith("/"):  # a Bot API server that runs with --local shares its folder with us
            return await asyncio.to_thread(read_local, Path(path), limit_bytes)
        return await self._fetch(path, limit_bytes)

    async def _fetch(self, path: str, limit_bytes: int) -> bytes:
        """The file behind an address that holds the token: it appears in no error and no log."""
        import httpx

        url = f"{self._api_url}/file/bot{self._token}/{quote(path)}"
        if self._files is None:
            self._files = httpx.AsyncClient(verify=tls_context(), timeout=httpx.Timeout(self._timeout, connect=5.0))
        return await fetch(self._files, url, limit_bytes, within=_LONGEST_DOWNLOAD * self._timeout)

    async def webhook(self) -> WebhookInfo:
        from shared.application.ports.chat import WebhookInfo

        told = await self._call(lambda bot: bot.get_webhook_info())
        failed, kinds = told.last_error_message or "", tuple(told.allowed_updates or ())
        return WebhookInfo(told.url, told.pending_update_count, failed, told.last_error_date, kinds)

    async def me(self) -> tuple[int, str]:
        """The bot's user id and its username."""
        return await self._call(self_of)

    async def set_webhook(
        self, url: str, *, secret: str, max_connections: int = 40, drop_pending: bool = False
    ) -> None:
        """Have updates of the kinds in `ALLOWED_UPDATES` delivered to an address; doing it again changes nothing.

        Args:
            url: HTTPS, on port 443, 80, 88 or 8443.
            secret: Comes with every update, in a header.
            max_connections: Updates delivered at once, 1 to 100 (40 is Telegram's own choice).
            drop_pending: Forget what waits to be delivered.

        Raises:
            MessageRejected: Telegram refuses the address or the secret, in its words.
        """
        await self._call(
            lambda bot: bot.set_webhook(
                url,
                secret_token=secret,
                allowed_updates=ALLOWED_UPDATES,
                max_connections=max_connections,
                drop_pending_updates=drop_pending,
            )
        )

    async def delete_webhook(self, *, drop_pending: bool = False) -> None:
        """Make polling possible; updates that wait are kept unless they are to be dropped."""
        await self._call(lambda bot: bot.delete_webhook(drop_pending_updates=drop_pending))

    async def poll(self, *, offset: int | None = None, wait_seconds: int = 25) -> list[dict[str, Any]]:
        """Updates from `offset` on, as raw JSON; [] when none came in `wait_seconds`.

        Asking with an offset confirms every update before it: Telegram never delivers those again.

        Raises:
            ChatUnavailable: Telegram did not answer, or a webhook or another poller is in the way.
        """
        arguments = {"timeout": wait_seconds, "allowed_updates": json.dumps(ALLOWED_UPDATES)}
        if offset is not None:
            arguments["offset"] = offset
        return await self._call(lambda bot: self._get_updates(bot, urlencode(arguments), wait_seconds))

    async def _get_updates(self, bot: Bot, query: str, wait_seconds: int) -> list[dict[str, Any]]:
        # Bot.get_updates fails as a whole, and for ever, when the SDK cannot parse one of the updates.
        body = await bot.request.retrieve(
            f"{bot.base_url}/getUpdates?{query}", read_timeout=wait_seconds + self._timeout
        )
        updates = json.loads(body)["result"]
        if type(updates) is not list:
            raise TypeError("getUpdates: result is not a list")
        return updates

    async def aclose(self) -> None:
        if self._client is not None:
            _, request = self._client
            self._client = None
            await request.shutdown()
        if self._files is not None:
            files, self._files = self._files, None
            await files.aclose()

    def _bot(self) -> Bot:
        if self._client is None:
            self._client = connect(self._token, self._api_url, self._timeout)
        return self._client[0]

    async def _call(self, call: Callable[[Bot], Awaitable[T]], *, repeatable: bool = True) -> T:
        """Run one Bot API request, and once more after a short 429 or a connection that was never made."""
        bot = self._bot()
        from telegram.error import TelegramError

        for may_retry in (True, False):
            try:
                return await call(bot)
            except TelegramError as error:
                failure, pause = translate(error, repeatable=repeatable)
                if pause is None or not may_retry:
                    raise failure from error
                await asyncio.sleep(pause)
            except _UNREADABLE as error:
                raise unknown_outcome("Telegram's answer is unreadable", repeatable=repeatable) from error
        raise AssertionError("the second try returns or raises")
