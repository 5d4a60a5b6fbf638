"""The machine room: instances of the functions, who calls them, and who kills them."""

from __future__ import annotations

import asyncio
import contextvars
import random  # noqa: TID251  seeded: the same seed gives the same run
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar, cast

from infra.offline.model import OfflineModel
from infra.telegram.updates import decode_update, parse_update
from shared.application.app import App
from shared.application.chats.state import Chats
from shared.application.intake.dealing import deal_with_update
from shared.application.intake.running import run_task
from shared.application.intake.tasks import deal_with_task
from shared.application.policy import Policy
from shared.application.ports.tasks import Task
from shared.application.recall.cache import IndexCache
from shared.application.schedule import Schedule
from shared.domain.errors import ChatUnavailable, GivenUp, TransientError, UnforeseenFailure
from tests.simulation.loop import SimulatedLoop
from tests.simulation.peers.bot_api import BotApi, SimulatedGateway
from tests.simulation.peers.errands import Errand, at_work
from tests.simulation.peers.model import ModelCall, SimulatedModel
from tests.simulation.peers.queue import MemoryQueue, Scheduled
from tests.simulation.peers.store import MemoryStore
from tests.simulation.peers.weather import Weather
from tests.simulation.ports import (
    DrawnIds,
    Life,
    QueuePort,
    SimulatedEmbedder,
    SkewedClock,
    StorePort,
)

T = TypeVar("T")

_WEBHOOK_LIMIT, _TASK_LIMIT = 60.0, 600.0
"""Seconds for which Telegram and Cloud Tasks wait for an answer."""

_TRIED = 1_800.0
"""Seconds for which everything is tried at least: what Telegram's being away for longer ends is a dead letter."""

_AT_ONCE = 6
"""Tasks that run at the same time."""

_running: contextvars.ContextVar[Instance | None] = contextvars.ContextVar("instance", default=None)


class Gone(Exception):
    """The connection broke: the instance that was to answer died."""


class Instance:
    """One process of a function: its app, and the tasks that run in it."""

    def __init__(self, world: World, kind: str, number: int) -> None:
        self.kind = kind
        self.life = Life(f"{kind}-{number}", world.weather, world.loop, self.crash)
        self.app = world.new_app(self.life, answers=kind != "webhook")
        self.tasks: dict[asyncio.Task[Any], None] = {}

    def crash(self) -> None:
        """Die: whatever runs is cancelled, and no call has an effect any more."""
        if self.life.alive:
            self.life.die()
            for task in list(self.tasks):
                task.cancel()

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run something in this process."""
        context = contextvars.copy_context()
        context.run(_running.set, self)
        return context.run(asyncio.get_running_loop().create_task, work)


def task_factory(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T], context: contextvars.Context | None = None
) -> asyncio.Task[T]:
    """Make a task that belongs to the instance that it is made in."""
    task = asyncio.Task(work, loop=loop) if context is None else asyncio.Task(work, loop=loop, context=context)
    instance = _running.get()
    if instance is not None:
        instance.tasks[task] = None
        task.add_done_callback(partial(_leave, instance))
    return task


def _leave(instance: Instance, task: asyncio.Task[Any]) -> None:
    instance.tasks.pop(task, None)
    if not instance.life.alive and not task.cancelled():
        task.exception()  # it is nobody's any more


@dataclass
class World:
    """Everything that one run is made of.

    Attributes:
        problems: Sentences on what must not be.
        away_since: Since when all of Telegram was away last, in virtual seconds; None: it never was.
        outlasted: Bodies of tasks, of others than answers, that were given up because it was away longer than they are
            tried (`RETRIES`: about 40 minutes).
        trace: What happened, for people and for comparing two runs of a seed.
        ledger: The last state of each update's document that was written.
    """

    seed: int
    chance: random.Random
    loop: SimulatedLoop
    begin: datetime
    policy: Policy
    with_model: bool
    with_embedder: bool
    problems: list[str] = field(default_factory=list)
    trace: list[str] = field(default_factory=list)
    away_since: float | None = None
    outlasted: set[str] = field(default_factory=set)
    busy: int = 0
    dispatches: int = 0

    def __post_init__(self) -> None:
        self.weather = Weather(self.chance, {})
        self.clock = TrueClock(self.loop, self.begin)
        self.store = MemoryStore(on_commit=self._note_commit)
        self.queue = MemoryQueue(self.clock)
        self.api = BotApi(self.clock.now)
        self.model_calls: list[ModelCall] = []
        self.commits: Callable[[str, Mapping[str, Any] | None], None] = lambda *_: None
        self._instances: dict[str, list[Instance]] = {}
        self.lives: list[Life] = []
        self._in_flight: dict[asyncio.Task[Any], None] = {}
        self._wake: asyncio.Future[None] | None = None
        self.queue.on_change = self._wake_up
        self.loop.set_task_factory(task_factory)

    def _note_commit(self, path: str, data: Mapping[str, Any] | None) -> None:
        self.commits(path, data)

    def log(self, line: str) -> None:
        """Write a line of the trace."""
        self.trace.append(f"{self.loop.time():10.2f}  {line}")

    def new_app(self, life: Life, *, answers: bool) -> App:
        """Put the product together, as `infra.bootstrap` does, around simulated ports.

        Args:
            answers: Whether it may speak: who takes updates in has neither a way into the chats nor a model.
        """
        clock, store, queue = (
            SkewedClock(self.clock.now, life),
            StorePort(self.store, life),
            QueuePort(self.queue, life),
        )
        return App(
            store=store,
            queue=queue,
            gateway=SimulatedGateway(self.api, life) if answers else cast("SimulatedGateway", None),
            model=SimulatedModel(life, self.model_calls) if answers and self.with_model else None,
            offline=OfflineModel(),
            embedder=SimulatedEmbedder(life) if answers and self.with_embedder else None,
            clock=clock,
            ids=DrawnIds(self.weather),
            policy=self.policy,
            chats=Chats(store, clock),
            schedule=Schedule(queue, clock, self.policy),
            indexes=IndexCache(),
        )

    def instances(self) -> list[Instance]:
        """All that live."""
        return [each for of in self._instances.values() for each in of if each.life.alive]

    def pick(self, kind: str) -> Instance:
        """Return an instance of a function, sometimes a new one."""
        of = self._instances.setdefault(kind, [])
        of[:] = [each for each in of if each.life.alive]
        if not of or (len(of) < 3 and self.chance.random() < 0.1):
            instance = Instance(self, kind, len(self.lives) + 1)
            self.lives.append(instance.life)
            instance.life.skew = timedelta(seconds=self.chance.choice((0.0, 0.0, 0.0, -2.0, 1.5, -15.0, 15.0)))
            of.append(instance)
        return self.chance.choice(of)

    async def call(self, kind: str, work: Callable[[Instance], Coroutine[Any, Any, T]], limit: float) -> T | None:
        """Have one instance of a function do something, and wait for it; None when it takes too long (it goes on).

        Raises:
            Gone: The instance died.
        """
        instance = self.pick(kind)
        task = instance.spawn(work(instance))
        self._in_flight[task] = None
        task.add_done_callback(lambda done: self._in_flight.pop(done, None))
        await asyncio.wait([task], timeout=limit)
        if not task.done():
            return None
        if not instance.life.alive or task.cancelled():
            raise Gone(instance.life.name)
        return task.result()

    # --- The functions ---

    async def deliver(self, body: bytes) -> bool:
        """Post an update to the webhook as Telegram does; whether it was acknowledged."""

        async def work(instance: Instance) -> bool:
            return await self._webhook(instance, body)

        try:
            return bool(await self.call("webhook", work, _WEBHOOK_LIMIT))
        except Gone:
            return False

    async def _webhook(self, instance: Instance, body: bytes) -> bool:
        try:
            outcome = await deal_with_update(instance.app, body, lambda: parse_update(decode_update(body)))
        except GivenUp as error:
            self.blame(f"an update became a dead letter: {error.__cause__!r}", error)
            return True
        except UnforeseenFailure as error:
            self.blame(f"the webhook failed in a way that nobody foresaw: {error}", error)
            return False
        except TransientError:
            return False
        if outcome.acknowledges is not None:
            self.api.acknowledge(outcome.acknowledges.callback_id)
        return True

    async def run_task(self, task: Scheduled) -> bool:
        """Run one attempt at a task, as Cloud Tasks has it done; whether it succeeded."""
        kind, is_last = task.target.split("/")[1], self.queue.is_last(task)

        async def work(instance: Instance) -> bool:
            return await self._work(instance, task, is_last=is_last)

        try:
            return bool(await self.call(kind, work, _TASK_LIMIT))
        except Gone:
            return False

    async def _work(self, instance: Instance, task: Scheduled, *, is_last: bool) -> bool:
        job, payload = task.target.rsplit("/", 1)[-1], task.payload
        errand = Errand(payload)
        at_work.set(errand)

        app, work = instance.app, partial(run_task, instance.app, task.target, payload, is_last=is_last)
        try:
            await deal_with_task(app.store, app.clock, task.body, work, job=job, is_last=is_last)
        except GivenUp as error:
            away = 0.0 if self.away_since is None else self.loop.time() - self.away_since
            if isinstance(error.__cause__, ChatUnavailable) and job != "answer" and away >= _TRIED:
                self.outlasted.add(task.body.decode())
            else:
                self.blame(f"task {task.name} became a dead letter: {error.__cause__!r}", error)
        except UnforeseenFailure as error:
            self.blame(f"task {task.name} failed in a way that nobody foresaw: {error}", error)
            return False
        except TransientError:
            return False
        finally:
            errand.over_at = self.loop.time() if instance.life.alive else None
        return True

    def forgettings(self) -> list[tuple[int, int, datetime]]:
        """Return what was asked to be forgotten: of which chat and member, said until when."""
        asked = [each.payload for each in self.queue.history if each.target == "/maintenance/forget"]
        return [(each["chat_id"], each["user_id"], datetime.fromisoformat(each["until"])) for each in asked]

    def blame(self, problem: str, error: BaseException) -> None:
        """Note an error that must not be, with where it came from."""
        import traceback

        cause = error.__cause__ or error
        where = traceback.extract_tb(cause.__traceback__)[-3:]
        self.problems.append(f"{problem} [{' < '.join(f'{f.filename}:{f.lineno}' for f in reversed(where))}]")

    def plan_night(self, number: int) -> None:
        """Have the scheduler begin a night."""
        self.queue.add(Task(f"scheduler-{number}", "/maintenance/night", {}))

    # --- Who drives them ---

    async def run_queue(self) -> None:
        """Run what is due, for ever; now and then a task twice at once."""
        while True:
            due = self.queue.due(self.clock.now())
            while due and self.busy < _AT_ONCE:
                task = due.pop(int(self.chance.random() * len(due)))
                self._start(task)
                if self.weather.odds and self.chance.random() < 0.1:
                    self._start(task)
            at = None if due else self.queue.next_at()
            await self._change(None if at is None else max(0.001, (at - self.clock.now()).total_seconds()))

    async def _change(self, within: float | None) -> None:
        """Wait until a task comes in, a run ends, or so many seconds have passed."""
        self._wake = self.loop.create_future()
        timer = None if within is None else self.loop.call_later(within, self._wake_up)
        try:
            await self._wake
        finally:
            if timer is not None:
                timer.cancel()

    def _wake_up(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def _start(self, task: Scheduled) -> None:
        task.running += 1
        self.busy += 1
        self.dispatches += 1
        runner = asyncio.get_running_loop().create_task(self._attempt(task))
        self._in_flight[runner] = None
        runner.add_done_callback(lambda done: self._in_flight.pop(done, None))

    async def _attempt(self, task: Scheduled) -> None:
        number = task.attempt
        try:
            succeeded = await self.run_task(task)
            self.log(f"task {task.name} {'done' if succeeded else 'failed'}")
        finally:
            task.running -= 1
            self.busy -= 1
        self.queue.end(task, succeeded=succeeded, number=number)
        self._wake_up()

    @property
    def had_trouble(self) -> bool:
        """Whether any instance ever met with trouble."""
        return any(life.troubles for life in self.lives)

    @property
    def is_idle(self) -> bool:
        """Whether no request is under way."""
        return not self._in_flight


class TrueClock:
    """The clock that is right."""

    def __init__(self, loop: SimulatedLoop, begin: datetime) -> None:
        self._loop, self._begin = loop, begin
        self._seconds, self._now = 0.0, begin

    def now(self) -> datetime:
        seconds = self._loop.time()
        if seconds != self._seconds:  # asked many times at one instant
            self._seconds, self._now = seconds, self.at(seconds)
        return self._now

    def at(self, seconds: float) -> datetime:
        """Return the instant at which the loop's time was so."""
        return self._begin + timedelta(seconds=seconds)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


Work = Callable[[], Awaitable[None]]
