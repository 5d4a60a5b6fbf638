"""Showing people that their answer is being made: "typing…" in a group, in a private chat the answer as it grows.

That nothing can be shown never stops an answer, and what was shown is no message: the answer is sent by itself. What
fails once is shown the next time; where a chat or a server takes no draft, somebody types.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable
from typing import TYPE_CHECKING

from shared.domain.conversation.messages import Message
from shared.domain.delivery.markup import markdown_to_html, plain
from shared.domain.delivery.outgoing import restrain_plain
from shared.domain.errors import MessageRejected, SpomynError, TransientError
from shared.domain.text.plain import split_text

if TYPE_CHECKING:
    from shared.application.ports.chat import ChatGateway


TYPING_LASTS = 4.5
"""Seconds: Telegram shows a chat action for five (Bot API, sendChatAction)."""

DRAFT_PAUSE = 1.0
"""Seconds between two states of a draft: about one message a second goes into a chat (Bot FAQ)."""

DRAFT_LASTS = 20.0
"""Seconds after which an unchanged draft is shown again: Telegram shows one for thirty (Bot API, sendMessageDraft)."""


class Progress:
    """An answer as far as it is written.

    Attributes:
        text: What may be shown of it, as Markdown.
        ended: Set when there is nothing more to show.
    """

    def __init__(self) -> None:
        self.text = ""
        self.ended = asyncio.Event()


@contextlib.asynccontextmanager
async def show_progress(gateway: ChatGateway, message: Message, draft_id: int) -> AsyncIterator[Progress]:
    """Show the answer to a message growing while the block runs.

    Args:
        draft_id: Names the draft in a private chat, not 0: the id of the update that is answered.
    """
    progress = Progress()

    async def show() -> None:
        with contextlib.suppress(SpomynError):
            with contextlib.suppress(MessageRejected):
                if message.chat_id > 0:
                    await _show_draft(gateway, message, draft_id, progress)
            await _show_typing(gateway, message, progress)

    task = asyncio.create_task(show())
    try:
        yield progress
    finally:
        progress.ended.set()
        # A call under way ends first, or it would show after the answer; one that hangs is given up.
        await asyncio.wait({task}, timeout=2)
        task.cancel()


async def _show_typing(gateway: ChatGateway, message: Message, progress: Progress) -> None:
    while not progress.ended.is_set():
        away = await _try(gateway.show_typing(message.chat_id, thread_id=message.thread_id))
        await _pause(progress, max(TYPING_LASTS, away))


async def _show_draft(gateway: ChatGateway, message: Message, draft_id: int, progress: Progress) -> None:
    clock = asyncio.get_running_loop()
    shown: str | None = None
    at = 0.0
    while not progress.ended.is_set():
        text, away = _render_draft(progress), 0.0
        if text != shown or clock.time() - at >= DRAFT_LASTS:
            away = await _try(gateway.show_draft(message.chat_id, draft_id, text, thread_id=message.thread_id))
            if not away:
                shown, at = text, clock.time()
        await _pause(progress, max(DRAFT_PAUSE, away))


async def _try(showing: Awaitable[None]) -> float:
    """Show something, and return 0; when it cannot be shown now, for how many seconds it cannot."""
    try:
        await showing
    except TransientError as error:
        return error.retry_after or DRAFT_PAUSE
    return 0.0


def _render_draft(progress: Progress) -> str:
    text = restrain_plain(plain(markdown_to_html(progress.text))).text
    return split_text(text)[0] if text else ""


async def _pause(progress: Progress, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(progress.ended.wait(), seconds)
