"""The runs of tasks in the local queue: what a runner is given, holds and waits for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol

from shared.application.ports.tasks import Task

POLL_SECONDS = 0.5
"""The pause after which a runner looks for tasks that other processes asked for."""


class Handler(Protocol):
    """Runs one attempt at a task; whatever it raises has the task tried again, unless it was the last one.

    Args:
        is_last: A task that fails now is given up.
    """

    async def __call__(self, task: Task, *, is_last: bool) -> None: ...


@dataclass(frozen=True, slots=True)
class TaskRun:
    """One claimed attempt (1 is the first)."""

    seq: int
    attempt: int
    task: Task


class Lane:
    """Tasks that wait behind each other only: all else (0), or answers (1); so many of them run at once."""

    def __init__(self, number: int, slots: int) -> None:
        self.number, self.slots = number, slots
        self.wake = asyncio.Event()


def seconds_to_wait(due: int | None, now: int) -> float:
    """Return how long an idle runner sleeps: until the next task is due, and at most until it looks for tasks of other
    processes again.

    Args:
        due: When the next task is due, or None when there is none; in microseconds since 1970, as `now`.
    """
    return POLL_SECONDS if due is None else min(max((due - now) / 1e6, 0.0), POLL_SECONDS)
