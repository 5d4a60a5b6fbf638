"""`/gryadstop`, or "stop" alone: what is being answered to its author is not answered any more."""

from __future__ import annotations

from shared.application.app import App
from shared.application.commands.call import CommandCall, answer
from shared.application.delivery.answer import Answer
from shared.application.delivery.closing import stop_answers
from shared.application.ports.store import DocumentStore
from shared.domain.conversation.messages import Message


async def stop_older(store: DocumentStore, message: Message, update_id: int) -> bool:
    """End what the author of a message asked before it in its chat, and return whether that was anything."""
    newest = message.message_id
    return await stop_answers(
        store, message.chat_id, message.user_id, lambda each: (each.entry.message_id or 0) < newest, by=update_id
    )


async def confirm_stop(app: App, call: CommandCall) -> Answer:
    """Say what was stopped by now, also when the limits of asking were not asked before that."""
    stopped = await stop_older(app.store, call.message, call.update.update_id)
    return answer(call, "stopped" if stopped else "nothing_to_stop")
