"""Asks for the work that follows a forgetting: what is left is read anew, and late arrivals are looked for."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from shared.application.ports.system import Clock
from shared.application.ports.tasks import Task, TaskQueue
from shared.application.schedule import Schedule

SECOND_LOOK = timedelta(minutes=3)
"""After it the retention job looks for what came in meanwhile: instances know of a forgetting a minute later, and an
answer under way is sent within its lease of 90 seconds."""


async def have_read_anew(schedule: Schedule, clock: Clock, chat_id: int) -> None:
    """Have what is left of a chat extracted and summarised anew."""
    await schedule.extraction_later(chat_id, mark=_mark(clock), run_at=None)


async def have_looked_at_again(queue: TaskQueue, clock: Clock, chat_ids: Iterable[int]) -> None:
    """Have the retention job look, after `SECOND_LOOK`, for what came in before every instance knew."""
    later = clock.now() + SECOND_LOOK
    for chat_id in chat_ids:
        name = f"retention-{chat_id}-{_mark(clock)}"
        await queue.enqueue(Task(name, "/maintenance/retention", {"chat_id": chat_id}, later))


def _mark(clock: Clock) -> str:
    return f"forgotten-{clock.now():%Y%m%d%H%M%S}"
