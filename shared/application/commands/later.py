"""Commands that take longer than an answer may: a worker answers them, the chat sees that the bot is at it; and the
command by which what is being answered is not answered any more."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from shared.application.app import App
from shared.application.commands.call import CommandCall, answer
from shared.application.delivery.answer import SILENCE, Answer
from shared.application.delivery.closing import has_stopped
from shared.application.payload_codec import payload_of
from shared.application.schedule import Schedule
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.errors import SpomynError
from shared.domain.text.language import Language

if TYPE_CHECKING:
    from shared.application.ports.chat import ChatGateway


async def leave_to_worker(
    gateway: ChatGateway, schedule: Schedule, call: CommandCall, job: str, payload: Mapping[str, Any]
) -> Answer:
    """Ask for a job that says what there is to say within seconds; it says nothing itself.

    Args:
        job: One of `intake.jobs.TASKS`.
        payload: What it needs. Texts of people do not belong into it: what is forgotten must not wait in a queue.

    Raises:
        QueueUnavailable: It cannot be asked for now.
    """
    chat_id, message = call.state.chat_id, call.message
    await schedule.job(job, mark=f"{chat_id}-{message.message_id}", payload=payload)
    with contextlib.suppress(SpomynError):  # a kindness, no more
        await gateway.show_typing(chat_id, thread_id=message.thread_id)
    return SILENCE


class CommandOrigin(NamedTuple):
    """The place where a command was given, by the chat's id of then, and the language of its answer."""

    chat_id: int
    message_id: int
    thread_id: int | None
    language: Language

    @property
    def mark(self) -> str:
        """Return what tells the command from every other one."""
        return f"{self.chat_id}-{self.message_id}"

    def message_in(self, chat_id: int) -> int:
        """The command's id in the chat as it is now."""
        return self.message_id if chat_id == self.chat_id else migrated_message_id(self.message_id)


def place_of(call: CommandCall) -> dict[str, Any]:
    """Return where a command was given, for a payload."""
    message = call.message
    return payload_of(CommandOrigin(call.state.chat_id, message.message_id, message.thread_id, call.language))


async def show_profile(app: App, call: CommandCall) -> Answer:
    """Have the chat's character drawn (`/gryadprofile`); the picture comes as a reply within seconds."""
    return await leave_to_worker(app.gateway, app.schedule, call, "portrait", place_of(call))


async def confirm_stop(app: App, call: CommandCall) -> Answer:
    """Say whether anything was stopped."""
    stopped = await has_stopped(app.store, call.state, call.update.update_id)
    return answer(call, "stopped" if stopped else "nothing_to_stop")
