"""Work for later."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, Protocol


class Task(NamedTuple):
    """Work for later. `name` is the idempotency key: two tasks of one name run once.

    Attributes:
        name: Readable, any characters, at most 400; adapters hash it.
        target: The function that runs it: its URL path is `/extract` or `/maintenance/<job>`.
        payload: A small JSON object of ids (under 100 KB encoded).
        run_at: Not before this instant; None means now.
    """

    name: str
    target: str
    payload: Mapping[str, Any]
    run_at: datetime | None = None


class TaskQueue(Protocol):
    """At-least-once, unordered delivery by HTTP-like targets."""

    async def enqueue(self, task: Task) -> bool:
        """Schedule durably; False when a task of this name is scheduled or was run recently (that is a success).

        Raises:
            QueueUnavailable: The task may not have been scheduled.
            ValueError: The payload is too large or the name too long.
        """
        ...

    async def aclose(self) -> None:
        """Release connections."""
        ...
