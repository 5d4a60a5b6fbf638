"""Every task queue behind one face, for the contract suite."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from aiohttp import web

from infra.tasks.cloud_tasks import CloudTasksQueue
from infra.tasks.local_queue import LocalQueue
from infra.tasks.retries import RetryPolicy
from infra.tasks.task_file import instant, task_from
from shared.application.ports.tasks import Task, TaskQueue
from tests.simulation.peers.queue import MemoryQueue
from tests.support.google.cloud_tasks import FakeCloudTasks

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
INVOKER = "invoker@spomyn-test.iam.gserviceaccount.com"
URLS = {"extract": "https://extract-abc123-ew.a.run.app", "maintenance": "https://maintenance-abc123-ew.a.run.app"}


class SteppedClock:
    """Stands still until it is moved."""

    def __init__(self, now: datetime = NOON) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Time passes at once."""
        self._now += timedelta(seconds=seconds)

    def advance(self, by: timedelta) -> None:
        self._now += by


class DeadTask(NamedTuple):
    """A task that a local queue gave up: why, after how many attempts, and when."""

    task: Task
    error: str
    attempts: int
    died_at: datetime


def dead_tasks(queue: LocalQueue) -> list[DeadTask]:
    """The tasks that a local queue gave up, oldest first."""
    rows = queue._file.read(
        "SELECT name, target, payload, run_at, error, attempts, finished_at FROM tasks"
        " WHERE state = 'dead' ORDER BY finished_at, seq"
    )
    return [DeadTask(task_from(*task), error, attempts, instant(died_at)) for *task, error, attempts, died_at in rows]


class Delivery(NamedTuple):
    """What arrived at a function."""

    target: str
    payload: dict[str, Any]


@dataclass(frozen=True)
class Request:
    """One HTTP request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Receiver = Callable[[Request], Awaitable[int]]


@contextlib.asynccontextmanager
async def http_server(receive: Receiver) -> AsyncIterator[str]:
    """Answer requests on 127.0.0.1 with the status that `receive` returns; yields the base URL."""

    async def answer(request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        status = await receive(Request(request.method, request.path, headers, await request.read()))
        return web.Response(status=status)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


class QueueUnderTest(Protocol):
    """An adapter with a function behind it that records `deliveries` and fails the next `failures` of them."""

    queue: TaskQueue
    clock: SteppedClock
    deliveries: list[Delivery]
    failures: int

    async def run_due(self) -> None:
        """Run what is due now, each task once."""

    async def break_down(self) -> None:
        """Make the queue unavailable for good."""


class LocalUnderTest:
    """`LocalQueue` in a file of its own."""

    def __init__(self, folder: Path, stack: contextlib.AsyncExitStack) -> None:
        self._stack = stack
        self.path = folder / "spomyn.db"
        self.clock = SteppedClock()
        self.queue = LocalQueue(
            self.path,
            clock=self.clock,
            policy=RetryPolicy(min_backoff=timedelta(seconds=1)),
            busy_timeout=timedelta(milliseconds=50),
        )
        self.deliveries: list[Delivery] = []
        self.failures = 0

    async def _handle(self, task: Task, *, is_last: bool) -> None:
        self.deliveries.append(Delivery(task.target, dict(task.payload)))
        if self.failures:
            self.failures -= 1
            raise RuntimeError("the function failed")

    async def run_due(self) -> None:
        await self.queue.run_due(self._handle)

    async def break_down(self) -> None:
        await self.queue.enqueue(Task("first", "/extract", {}))  # makes the file
        self._stack.enter_context(contextlib.closing(locker := sqlite3.connect(self.path, isolation_level=None)))
        locker.execute("BEGIN IMMEDIATE")


class SimulatedUnderTest:
    """The queue of the simulation, which must not be kinder than the others."""

    def __init__(self) -> None:
        self.clock = SteppedClock()
        self.queue = MemoryQueue(self.clock, policy=RetryPolicy(min_backoff=timedelta(seconds=1)))
        self.deliveries: list[Delivery] = []
        self.failures = 0

    async def run_due(self) -> None:
        for task in self.queue.due(self.clock.now()):
            self.deliveries.append(Delivery(task.target, dict(task.payload)))
            self.queue.end(task, succeeded=not self.failures)
            self.failures = max(0, self.failures - 1)

    async def break_down(self) -> None:
        self.queue.is_away = True


class CloudUnderTest:
    """`CloudTasksQueue` against the fake service, which delivers to a local HTTP server."""

    def __init__(self) -> None:
        self.clock = SteppedClock()
        self.deliveries: list[Delivery] = []
        self.requests: list[Request] = []
        self.failures = 0

    async def start(self, stack: contextlib.AsyncExitStack) -> None:
        base = await stack.enter_async_context(http_server(self._receive))
        rewrite = {url: f"{base}/{function}" for function, url in URLS.items()}
        self.fake = await stack.enter_async_context(FakeCloudTasks(self.clock, rewrite=rewrite, require_oidc=True))
        self.queue = cloud_queue(self.fake)

    async def _receive(self, request: Request) -> int:
        self.requests.append(request)
        self.deliveries.append(Delivery(request.path, json.loads(request.body)))
        if self.failures:
            self.failures -= 1
            return 500
        return 204

    async def run_due(self) -> None:
        await self.fake.dispatch_due()

    async def break_down(self) -> None:
        await self.fake.stop()


def cloud_queue(fake: FakeCloudTasks, **settings: Any) -> CloudTasksQueue:
    """The adapter pointed at the fake, with short time limits."""
    where = {"project": fake.project, "location": fake.location, "queue": fake.queue, "answers": fake.answers}
    where |= {"emulator_host": fake.host}
    limits = {"call_timeout": timedelta(seconds=2), "retry_for": timedelta(seconds=0.4)}
    return CloudTasksQueue(**{**where, **limits, "urls": URLS, "service_account_email": INVOKER, **settings})


def a_task(name: str = "extract-7-1", target: str = "/extract", payload=None, run_at: datetime | None = None) -> Task:
    return Task(name, target, payload or {"chat_id": 7}, run_at)
