"""Deletes in Telegram what the bot itself said there and is forgotten here, as far as Telegram still lets a bot.

It is enqueued before the messages' documents are deleted, which tell the ids; a task of its own does it, so that no
forgetting waits for Telegram. The task holds ids and no words, and is idempotent.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeGuard

from shared.application.app import App
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Task, TaskQueue
from shared.domain.errors import BadPayload, ChatForbidden, ChatMigrated, MessageRejected

log = logging.getLogger(__name__)

WITHIN = timedelta(hours=48)
"""How long after it was sent a message can be deleted (Bot API, deleteMessage)."""

AT_ONCE = 100
"""Most messages of one call (Bot API, deleteMessages)."""

_TARGET = "/maintenance/unsay"


async def unsay_later(queue: TaskQueue, clock: Clock, chat_id: int, said: Mapping[int, datetime]) -> int:
    """Have messages of the bot deleted in Telegram; return how many stay there because they are too old.

    Args:
        said: Ids, with when each was sent.
    """
    now = clock.now()
    # What was said under the chat's old id has a negative id here, and no message in Telegram.
    young = sorted(each for each, at in said.items() if now - at < WITHIN and each > 0)
    for start in range(0, len(young), AT_ONCE):
        page = young[start : start + AT_ONCE]
        name = hashlib.sha256(f"{chat_id}|{page}".encode()).hexdigest()[:32]
        payload = {"target": _TARGET, "chat_id": chat_id, "message_ids": page}
        await queue.enqueue(Task(f"unsay-{name}", _TARGET, payload, now))
    return len(said) - len(young)


async def unsay(app: App, payload: Mapping[str, Any]) -> dict[str, int]:
    """Delete the messages that the payload names (`chat_id`, `message_ids`), and return how many it names.

    Raises:
        BadPayload: The payload is not of its shape.
        TransientError: Run it again.
    """
    chat_id, message_ids = payload.get("chat_id"), payload.get("message_ids")
    if not isinstance(chat_id, int) or not _are_ids(message_ids):
        raise BadPayload("unsay needs chat_id and message_ids")
    try:
        await app.gateway.delete(chat_id, message_ids)
    except (ChatForbidden, ChatMigrated, MessageRejected) as error:
        log.warning("messages could not be deleted: %s", error)
        return {"deleted": 0}
    return {"deleted": len(message_ids)}


def _are_ids(value: Any) -> TypeGuard[Sequence[int]]:
    return isinstance(value, Sequence) and 0 < len(value) <= AT_ONCE and all(isinstance(each, int) for each in value)
