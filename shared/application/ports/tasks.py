"""Work for later."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, Protocol


class Task(NamedTuple):
    """Work for later. `name` is the idempotency key: two tasks of one name run once.

    Attributes:
        name: Readable, any characters, at most 400; adapters hash it.
        target: The function that runs it: its URL path is `/answer`, `/extract` or `/maintenance/<job>`.
        payload: A small JSON object of ids (under 100 KB encoded).
        run_at: Not before this instant; None means now.
    """

    name: str
    target: str
    payload: Mapping[str, Any]
    run_at: datetime | None = None


class Backlog(NamedTuple):
    """The tasks that a queue has still to do.

    Attributes:
        late: Tasks whose time has come and that have not succeeded yet, those running and those to be tried again
            among them.
        planned: Tasks whose time has not come.
        late_since: Since when the task that is late longest waits, as far as the queue knows, or None.
        complete: False when there are more tasks than were counted; then each figure is a lower bound.
    """

    late: int = 0
    planned: int = 0
    late_since: datetime | None = None
    complete: bool = True


class TaskQueue(Protocol):
    """A queue that delivers tasks at least once, unordered, to HTTP-like targets."""

    async def enqueue(self, task: Task) -> bool:
        """Schedule durably; False when a task of this name is scheduled or was run recently (that is a success).

        Raises:
            QueueUnavailable: The task may not have been scheduled.
            ValueError: The payload is too large or the name too long.
        """
        ...

    async def backlog(self, now: datetime, *, limit: int = 1_000) -> Backlog:
        """Return what is scheduled and not done but answers, counted up to `limit` tasks in no promised order.

        Args:
            now: What is late is late by this clock.

        Raises:
            QueueUnavailable: It cannot be known now.
        """
        ...

    async def aclose(self) -> None:
        """Release connections."""
        ...
