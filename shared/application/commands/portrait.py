"""`/gryadprofile`: the chat's character as a picture, drawn by a worker."""

from __future__ import annotations

import contextlib

from shared.application.answer import SILENCE, Answer
from shared.application.app import App
from shared.application.commands.call import Call
from shared.domain.errors import SpomynError


async def show_profile(app: App, call: Call) -> Answer:
    """Have the picture drawn; it comes as a reply within seconds."""
    message = call.message
    wanted = {"chat_id": call.state.chat_id, "message_id": message.message_id, "thread_id": message.thread_id}
    mark = f"{call.state.chat_id}-{message.message_id}"
    await app.schedule.job("portrait", mark=mark, payload={**wanted, "language": call.language})
    with contextlib.suppress(SpomynError):  # a kindness, no more
        await app.gateway.show_typing(call.state.chat_id, thread_id=message.thread_id)
    return SILENCE
