"""The SDK's client, and its own types, made of ours; the SDK is imported with the first of them."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from infra.web.tls import tls_context
from shared.domain.errors import MarkupRejected

if TYPE_CHECKING:
    from telegram import Bot, InlineKeyboardMarkup, LinkPreviewOptions, Message
    from telegram.request import HTTPXRequest

    from shared.application.ports.chat import OutgoingFile, OutgoingText

T = TypeVar("T")

_SURROGATES = re.compile("[\ud800-\udfff]")


def connect(token: str, api_url: str, timeout: float) -> tuple[Bot, HTTPXRequest]:
    """Return a client of the Bot API with its pool of connections, which its owner shuts down."""
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


def keyboard_of(text: OutgoingText) -> InlineKeyboardMarkup | None:
    """Return the buttons under a text, None without any."""
    from telegram import InlineKeyboardButton, InlineKeyboardMarkup

    if not text.buttons:
        return None
    rows = [[InlineKeyboardButton(encodable(b.label), callback_data=b.data) for b in row] for row in text.buttons]
    return InlineKeyboardMarkup(rows)


def no_preview() -> LinkPreviewOptions:
    """Return the option that shows no preview of a link."""
    from telegram import LinkPreviewOptions

    return LinkPreviewOptions(is_disabled=True)


def encodable(text: str) -> str:
    """Return a text that UTF-8 can hold: a model may cut an emoji in half."""
    return _SURROGATES.sub("\ufffd", text)


async def send_with_fallback(text: OutgoingText, attempt: Callable[[str, str | None], Awaitable[T]]) -> T:
    """Send a text with its markup, or plainly when Telegram refuses the markup."""
    try:
        return await attempt(encodable(text.html), "HTML")
    except MarkupRejected:
        return await attempt(encodable(text.plain), None)


async def upload(
    bot: Bot, chat_id: int, file: OutgoingFile, caption: str, parse_mode: str | None, where: dict[str, Any]
) -> Message:
    """Send a picture as a photo and any other file as a document, with its caption if there is one."""
    from telegram import InputFile

    content = InputFile(file.content, filename=encodable(file.name))
    content.mimetype = file.mime_type  # the SDK guesses it from the name
    if caption:
        where = {**where, "caption": caption, "parse_mode": parse_mode}
    if file.is_picture:
        return await bot.send_photo(chat_id, content, **where)
    return await bot.send_document(chat_id, content, **where)


async def self_of(bot: Bot) -> tuple[int, str]:
    """Return the bot's own user id and username."""
    user = await bot.get_me()
    return user.id, user.username or ""
