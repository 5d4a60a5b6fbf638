"""Commands that take longer than a webhook may: a worker answers them, the chat sees that the bot is at it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from shared.application.answer import SILENCE, Answer
from shared.application.app import App
from shared.application.commands.call import Call
from shared.domain.errors import SpomynError


async def leave_to_worker(app: App, call: Call, job: str, payload: Mapping[str, Any]) -> Answer:
    """Ask for a job that says what there is to say within seconds; it says nothing itself.

    Args:
        job: One of `maintenance.TASKS`.
        payload: What it needs. Texts of people do not belong into it: what is forgotten must not wait in a queue.

    Raises:
        QueueUnavailable: It cannot be asked for now.
    """
    chat_id, message = call.state.chat_id, call.message
    await app.schedule.job(job, mark=f"{chat_id}-{message.message_id}", payload=payload)
    with contextlib.suppress(SpomynError):  # a kindness, no more
        await app.gateway.show_typing(chat_id, thread_id=message.thread_id)
    return SILENCE


def place_of(call: Call) -> dict[str, Any]:
    """Where a command was given and in which language to answer: `chat_id`, `message_id`, `thread_id` (or None),
    `language`, for a payload."""
    message = call.message
    place = {"chat_id": call.state.chat_id, "message_id": message.message_id, "thread_id": message.thread_id}
    return {**place, "language": call.language}
