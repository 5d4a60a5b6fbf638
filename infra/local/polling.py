"""Long polling: real groups feed the same use case as the webhook."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from infra.local.assembly import Local, receive
from infra.local.events import Line, Listener
from infra.telegram import TelegramGateway
from infra.telegram_updates import parse_update
from shared.domain.errors import TransientError, UnparseableUpdate
from shared.domain.updates import MessageReceived

log = logging.getLogger(__name__)

_PAUSE = 1.0  # seconds after a failure that names no time


async def poll_for_ever(local: Local, telegram: TelegramGateway, listener: Listener) -> None:
    """Fetch updates and deal with them, each until it is done or recorded.

    Raises:
        SettingsError: Telegram does not know the token.
    """
    offset: int | None = None
    while True:
        try:
            for raw in await telegram.poll(offset=offset):
                await _deal_with(local, raw, listener)
                offset = raw["update_id"] + 1
        except TransientError as error:  # the same offset again: what was not confirmed comes once more
            log.warning("polling pauses: %s", error)
            await asyncio.sleep(error.retry_after or _PAUSE)


async def _deal_with(local: Local, raw: dict[str, Any], listener: Listener) -> None:
    _show(raw, listener)
    await receive(local.app, raw)


def _show(raw: object, listener: Listener) -> None:
    try:
        update = parse_update(raw)
    except UnparseableUpdate:
        return  # `receive` records it
    if isinstance(update, MessageReceived):
        said = update.message
        text = said.text or f"[{said.kind}]"
        listener(Line(said.chat_id, said.message_id, said.name, text, said.reply_to, is_bot=said.is_bot))
