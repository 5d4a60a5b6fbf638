"""ChatGateway over the Telegram Bot API.

python-telegram-bot speaks the protocol; this module decides what its errors mean to the caller. The line that matters
runs between a request that cannot have reached Telegram (`ChatUnavailable`: repeat it) and a message that may already
stand in the group (`SendUncertain`: never repeat it). The SDK is imported with the first call: 160 ms that
an update without an answer does not pay.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlencode

from infra.telegram_updates import bot_id
from infra.tls import tls_context
from shared.application.ports.system import Clock
from shared.domain.errors import (
    ChatForbidden,
    ChatMigrated,
    ChatUnavailable,
    FileGone,
    FileTooLarge,
    MarkupRejected,
    MessageRejected,
    SendUncertain,
    SettingsError,
    SpomynError,
)

if TYPE_CHECKING:
    from httpx import AsyncClient, Response
    from telegram import Bot, InlineKeyboardMarkup, Message
    from telegram.error import BadRequest, NetworkError, RetryAfter, TelegramError
    from telegram.request import HTTPXRequest

    from shared.application.ports.chat import OutgoingText, SentMessage, WebhookInfo

T = TypeVar("T")

ALLOWED_UPDATES = ("message", "edited_message", "callback_query", "my_chat_member")
"""The kinds of updates to ask Telegram for, when polling and when registering the webhook."""

_LONGEST_WAIT = 5.0  # seconds that a 429 may cost inside a call
_RECONNECT_PAUSE = 0.3  # seconds
_CALLBACK_TEXT = 200
_LONGEST_DOWNLOAD = 6  # times the timeout: a file that trickles in would hold up an answer for ever
_BLOCK = 1 << 16  # bytes
_SURROGATES = re.compile("[\ud800-\udfff]")

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

    async def send(
        self, chat_id: int, text: OutgoingText, *, reply_to: int | None = None, thread_id: int | None = None
    ) -> SentMessage:
        from telegram import LinkPreviewOptions, ReplyParameters

        reply = None
        if reply_to is not None and reply_to > 0:  # negative: from before the group became a supergroup
            reply = ReplyParameters(reply_to, allow_sending_without_reply=True)

        async def attempt(body: str, parse_mode: str | None) -> SentMessage:
            async def request(bot: Bot) -> SentMessage:
                message = await bot.send_message(
                    chat_id,
                    body,
                    parse_mode=parse_mode,
                    message_thread_id=thread_id,
                    reply_parameters=reply,
                    reply_markup=_keyboard(text),
                    # A preview makes Telegram fetch whatever address a member talked the model into writing.
                    link_preview_options=LinkPreviewOptions(is_disabled=True),
                )
                return self._sent(message)

            return await self._call(request, repeatable=False)

        return await _marked_up_or_plain(text, attempt)

    def _sent(self, message: Message) -> SentMessage:
        dated = message.date.timestamp() > 0  # Telegram dates a message that it cannot show with 0
        from shared.application.ports.chat import SentMessage

        return SentMessage(message.message_id, message.date if dated else self._clock.now())

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> None:
        from telegram import LinkPreviewOptions

        async def attempt(body: str, parse_mode: str | None) -> object:
            return await self._call(
                lambda bot: bot.edit_message_text(
                    body,
                    chat_id=chat_id,
                    message_id=message_id,
                    parse_mode=parse_mode,
                    reply_markup=_keyboard(text),
                    link_preview_options=LinkPreviewOptions(is_disabled=True),
                )
            )

        try:
            await _marked_up_or_plain(text, attempt)
        except MessageRejected as error:
            if "message is not modified" not in str(error).lower():
                raise

    async def answer_callback(self, callback_id: str, text: str) -> None:
        shown = _valid(text)[:_CALLBACK_TEXT] or None
        try:
            await self._call(lambda bot: bot.answer_callback_query(callback_id, shown))
        except MessageRejected as error:
            if "query is too old" not in str(error).lower():
                raise

    async def show_typing(self, chat_id: int, *, thread_id: int | None = None) -> None:
        await self._call(lambda bot: bot.send_chat_action(chat_id, "typing", message_thread_id=thread_id))

    async def administrators(self, chat_id: int) -> frozenset[int]:
        if chat_id > 0:  # a private chat: Telegram refuses the question
            return frozenset()
        members = await self._call(lambda bot: bot.get_chat_administrators(chat_id, return_bots=True))
        return frozenset(member.user.id for member in members)

    async def download(self, file_id: str, *, limit_bytes: int) -> bytes:
        try:
            path, size = await self._call(lambda bot: _get_file(bot, file_id))
        except (MessageRejected, ChatUnavailable) as error:
            raise _no_file(error) from error
        if size > limit_bytes:
            raise FileTooLarge(f"the file has {size} bytes")
        if path.startswith("/"):  # a Bot API server that runs with --local shares its folder with us
            return await asyncio.to_thread(_read, Path(path), limit_bytes)
        return await self._fetch(path, limit_bytes)

    async def _fetch(self, path: str, limit_bytes: int) -> bytes:
        """The file behind an address that holds the token: it appears in no error and no log."""
        import httpx

        url = f"{self._api_url}/file/bot{self._token}/{quote(path)}"

        if self._files is None:
            self._files = httpx.AsyncClient(verify=tls_context(), timeout=httpx.Timeout(self._timeout, connect=5.0))
        try:
            async with asyncio.timeout(_LONGEST_DOWNLOAD * self._timeout), self._files.stream("GET", url) as response:
                return await _body(response, limit_bytes)
        except TimeoutError as error:
            raise ChatUnavailable("the file did not come in time") from error
        except httpx.HTTPError as error:
            raise ChatUnavailable(f"the file did not come: {type(error).__name__}") from error

    async def webhook(self) -> WebhookInfo:
        from shared.application.ports.chat import WebhookInfo

        told = await self._call(lambda bot: bot.get_webhook_info())
        failed, kinds = told.last_error_message or "", tuple(told.allowed_updates or ())
        return WebhookInfo(told.url, told.pending_update_count, failed, told.last_error_date, kinds)

    async def me(self) -> tuple[int, str]:
        """The bot's user id and its username."""
        user = await self._call(lambda bot: bot.get_me())
        return user.id, user.username or ""

    async def delete_webhook(self) -> None:
        """Make polling possible; updates that wait are kept."""
        await self._call(lambda bot: bot.delete_webhook(drop_pending_updates=False))

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
            self._client = _connect(self._token, self._api_url, self._timeout)
        return self._client[0]

    async def _call(self, call: Callable[[Bot], Awaitable[T]], *, repeatable: bool = True) -> T:
        """Run one Bot API request, and once more after a short 429 or a connection that was never made."""
        bot = self._bot()
        from telegram.error import TelegramError

        for may_retry in (True, False):
            try:
                return await call(bot)
            except TelegramError as error:
                failure, pause = _translate(error, repeatable=repeatable)
                if pause is None or not may_retry:
                    raise failure from error
                await asyncio.sleep(pause)
            except _UNREADABLE as error:
                raise _unknown_outcome("Telegram's answer is unreadable", repeatable=repeatable) from error
        raise AssertionError("the second try returns or raises")


def _connect(token: str, api_url: str, timeout: float) -> tuple[Bot, HTTPXRequest]:
    # The SDK warns at every 429 until told that durations are timedeltas.
    os.environ.setdefault("PTB_TIMEDELTA", "true")
    from telegram import Bot
    from telegram.request import HTTPXRequest

    logging.getLogger("httpx").setLevel(logging.WARNING)  # its INFO line holds the address, and that the token
    logging.getLogger("telegram").setLevel(logging.CRITICAL)  # logs whole broken answers, with people's words in them
    request = HTTPXRequest(
        connection_pool_size=32,
        connect_timeout=5.0,
        pool_timeout=2.0,
        write_timeout=timeout,
        read_timeout=timeout,
        httpx_kwargs={"verify": tls_context()},
    )
    return Bot(token, base_url=f"{api_url}/bot", request=request, get_updates_request=request), request


def _keyboard(text: OutgoingText) -> InlineKeyboardMarkup | None:
    from telegram import InlineKeyboardButton, InlineKeyboardMarkup

    if not text.buttons:
        return None
    rows = [[InlineKeyboardButton(_valid(b.label), callback_data=b.data) for b in row] for row in text.buttons]
    return InlineKeyboardMarkup(rows)


def _valid(text: str) -> str:
    """Encodable as UTF-8: a model may cut an emoji in half."""
    return _SURROGATES.sub("\ufffd", text)


async def _marked_up_or_plain(text: OutgoingText, attempt: Callable[[str, str | None], Awaitable[T]]) -> T:
    try:
        return await attempt(_valid(text.html), "HTML")
    except MarkupRejected:
        return await attempt(_valid(text.plain), None)


# --- Files -------------------------------------------------------------------------------------


async def _get_file(bot: Bot, file_id: str) -> tuple[str, int]:
    """Path and size (0 when unknown).

    Bot.get_file takes a path for a local file's whenever one of this name happens to exist here.
    """
    body = await bot.request.retrieve(f"{bot.base_url}/getFile?{urlencode({'file_id': file_id})}")
    file = json.loads(body)["result"]
    path, size = file.get("file_path"), file.get("file_size", 0)
    if type(size) is not int or type(path) not in (str, type(None)):
        raise TypeError("getFile: no File")
    if not path:
        raise FileGone("Telegram gave no path of the file")
    return path, size


async def _body(response: Response, limit_bytes: int) -> bytes:
    if response.status_code == 413:
        raise FileTooLarge("Telegram does not hand out files of this size")
    if response.status_code in (400, 403, 404, 410):
        raise FileGone(f"Telegram does not have the file any more ({response.status_code})")
    if response.status_code != 200:
        raise ChatUnavailable(f"Telegram did not hand out the file ({response.status_code})")
    body = bytearray()
    async for block in response.aiter_bytes(_BLOCK):
        body += block
        if len(body) > limit_bytes:
            raise FileTooLarge(f"the file has more than {limit_bytes} bytes")
    return bytes(body)


def _read(path: Path, limit_bytes: int) -> bytes:
    try:
        with path.open("rb") as file:
            body = file.read(limit_bytes + 1)
    except OSError as error:
        raise FileGone("the Bot API server keeps its files where they cannot be read from here") from error
    if len(body) > limit_bytes:
        raise FileTooLarge(f"the file has more than {limit_bytes} bytes")
    return body


def _no_file(error: SpomynError) -> SpomynError:
    """What a refused getFile means; an unavailability stays one."""
    said = str(error).lower()
    if "file is too big" in said or "too large" in said:  # the Bot API's 400, a proxy's 413
        return FileTooLarge("Telegram does not hand out files of this size")
    return FileGone(str(error)) if isinstance(error, MessageRejected) else error


# --- What an error means -----------------------------------------------------------------------


def _translate(error: TelegramError, *, repeatable: bool) -> tuple[SpomynError, float | None]:
    """Our error, and the seconds after which one more try is worth it, or None."""
    from telegram import error as sdk

    match error:
        case sdk.RetryAfter():
            return _too_many(error)
        case sdk.ChatMigrated():
            return ChatMigrated(str(error), new_chat_id=error.new_chat_id), None
        case sdk.Forbidden():
            return ChatForbidden(str(error)), None
        case sdk.InvalidToken():
            return SettingsError("Telegram does not know the token in TELEGRAM_BOT_TOKEN; ask @BotFather"), None
        case sdk.Conflict():
            return ChatUnavailable(str(error)), None
        case sdk.BadRequest():  # before NetworkError, whose subclass it is
            return _refused(error), None
        case sdk.NetworkError():
            return _broken(error, repeatable=repeatable)
        case _:
            return _unknown_outcome(str(error), repeatable=repeatable), None


def _too_many(error: RetryAfter) -> tuple[SpomynError, float | None]:
    wait = error.retry_after
    seconds = wait.total_seconds() if isinstance(wait, timedelta) else float(wait)
    return ChatUnavailable(str(error), retry_after=seconds), seconds if seconds <= _LONGEST_WAIT else None


def _refused(error: BadRequest) -> SpomynError:
    description = str(error).lower()
    if "can't parse entities" in description:
        return MarkupRejected(str(error))
    if "chat not found" in description:
        return ChatForbidden(str(error))
    return MessageRejected(str(error))


def _broken(error: NetworkError, *, repeatable: bool) -> tuple[SpomynError, float | None]:
    import httpx
    from telegram.error import TelegramError

    cause = error.__cause__
    if isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return ChatUnavailable(f"not sent: {error}"), _RECONNECT_PAUSE
    if cause is None or isinstance(cause, TelegramError):  # an HTTP status of Telegram's: it took nothing
        return ChatUnavailable(str(error)), None
    return _unknown_outcome(str(error), repeatable=repeatable), None


def _unknown_outcome(message: str, *, repeatable: bool) -> SpomynError:
    return ChatUnavailable(message) if repeatable else SendUncertain(message)
