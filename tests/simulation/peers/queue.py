"""A queue in memory, as Cloud Tasks is: at least once, in no order, with names, delays, retries and a last attempt."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from infra.tasks.retries import RetryPolicy, policy_of
from infra.tasks.task_file import payload_of
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Backlog, Task
from shared.domain.errors import QueueUnavailable

_NAME_KEPT = timedelta(hours=24)


@dataclass(slots=True)
class Scheduled:
    """A task, and how often it was tried.

    Attributes:
        planned: When it was to run first.
        due: When it is to run next.
        running: How many runs of it go on.
        statuses: Of its runs that are over: whether each succeeded.
    """

    name: str
    target: str
    body: bytes
    planned: datetime
    due: datetime
    attempt: int = 0
    running: int = 0
    statuses: list[bool] = field(default_factory=list)

    @property
    def payload(self) -> Mapping[str, Any]:
        """What it says."""
        return json.loads(self.body)


class MemoryQueue:
    """`TaskQueue` in a dictionary; `due` and `end` are for who runs the tasks.

    Args:
        policy: When failed tasks run again; None for that of the queue that each would be in.
    """

    def __init__(self, clock: Clock, *, policy: RetryPolicy | None = None) -> None:
        self._clock = clock
        self._policy = policy
        self._taken: dict[str, datetime | None] = {}
        self.tasks: dict[str, Scheduled] = {}
        self.history: list[Scheduled] = []
        self.exhausted: list[Scheduled] = []
        self.is_away = False
        self.on_change: Callable[[], None] = lambda: None

    async def enqueue(self, task: Task) -> bool:
        return self.add(task)

    def add(self, task: Task) -> bool:
        """Schedule a task; False when its name is taken."""
        body, now = payload_of(task).encode(), self._clock.now()
        if self.is_away:
            raise QueueUnavailable("the queue is away")
        if task.name in self._taken and ((free := self._taken[task.name]) is None or free > now):
            return False
        self._taken[task.name] = None
        planned = task.run_at or now
        self.tasks[task.name] = Scheduled(task.name, task.target, body, planned, planned)
        self.history.append(self.tasks[task.name])
        self.on_change()
        return True

    async def backlog(self, now: datetime, *, limit: int = 1_000) -> Backlog:
        counted = [*self.tasks.values()][:limit]
        late = [each.planned for each in counted if each.planned <= now]
        complete = len(self.tasks) <= limit
        return Backlog(len(late), len(counted) - len(late), min(late, default=None), complete)

    async def aclose(self) -> None:
        """There is nothing to release."""

    def due(self, now: datetime) -> list[Scheduled]:
        """What may run now and does not."""
        return [each for each in self.tasks.values() if each.due <= now and not each.running]

    def next_at(self) -> datetime | None:
        """When the next task is due, of those that do not run now."""
        return min((each.due for each in self.tasks.values() if not each.running), default=None)

    def is_last(self, task: Scheduled) -> bool:
        """Return whether the attempt that begins now is the one after which the task would vanish."""
        return task.attempt + 1 >= self._policy_of(task).max_attempts

    def _policy_of(self, task: Scheduled) -> RetryPolicy:
        return self._policy or policy_of(task.target)

    def end(self, task: Scheduled, *, succeeded: bool, number: int | None = None) -> None:
        """Note how a run ended: a task that failed comes again, as often as the policy says.

        Args:
            number: Its attempts before the run began: of two runs at once, which are one attempt, one counts.
        """
        task.statuses.append(succeeded)
        if self.tasks.get(task.name) is not task:
            return  # another run of it ended well
        if not succeeded and number not in (None, task.attempt):
            return
        task.attempt += 1
        now = self._clock.now()
        policy = self._policy_of(task)
        if not succeeded and task.attempt < policy.max_attempts:
            task.due = now + policy.backoff(task.attempt)
            return
        del self.tasks[task.name]
        self._taken[task.name] = now + _NAME_KEPT
        if not succeeded:
            self.exhausted.append(task)
