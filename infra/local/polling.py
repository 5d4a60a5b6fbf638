"""Long polling: real groups feed the same use case as the webhook."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from infra.local.assembly import Local
from infra.local.chat.delivering import deal_with
from infra.local.events import Line, Listener
from infra.telegram.gateway import TelegramGateway
from infra.telegram.updates import parse_update
from shared.domain.errors import TransientError, UnforeseenFailure
from shared.domain.intake.updates import MessageReceived, Update

log = logging.getLogger(__name__)

_PAUSE = 1.0  # seconds after a failure that names no time


async def poll_for_ever(local: Local, telegram: TelegramGateway, listener: Listener, *, pause: float = _PAUSE) -> None:
    """Fetch updates and deal with them, each until it is done or recorded as a dead letter; only then it is confirmed.

    Args:
        pause: Seconds after a failure that names no time.

    Raises:
        SettingsError: Telegram does not know the token, or another setting is wrong.
    """
    offset: int | None = None
    shown: int | None = None
    while True:
        try:
            for raw in await telegram.poll(offset=offset):
                is_new, shown = shown != raw["update_id"], raw["update_id"]
                await _deal_with(local, raw, listener, is_new=is_new)
                offset = raw["update_id"] + 1
        except UnforeseenFailure as error:
            log.exception("an update failed and is tried again", exc_info=error.__cause__)
            await asyncio.sleep(pause)
        except TransientError as error:  # the same offset again: what was not confirmed comes once more
            log.warning("polling pauses: %s", error)
            await asyncio.sleep(error.retry_after or pause)


async def _deal_with(local: Local, raw: dict[str, Any], listener: Listener, *, is_new: bool) -> None:
    def read() -> Update:
        update = parse_update(raw)
        if is_new and isinstance(update, MessageReceived):
            _show(update, listener)
        return update

    await deal_with(local.app, raw, listener, read=read)


def _show(update: MessageReceived, listener: Listener) -> None:
    said = update.message
    text = said.text or f"[{said.kind}]"
    listener(Line(said.chat_id, said.message_id, said.name, text, said.reply_to, is_bot=said.is_bot))
