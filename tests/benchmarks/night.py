"""The night over a hundred thousand chats on one SQLite file, and what a night costs one chat in documents."""

from __future__ import annotations

import inspect
import random  # noqa: TID251  seeded: the same calls die in every run
import tracemalloc
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from infra.bootstrap import build_app
from infra.cli.no_chat import NoChat
from infra.sqlite import SqliteStore
from infra.tasks.local_queue import LocalQueue
from shared.application.app import App
from shared.application.documents import chat_path, message_path
from shared.application.intake.maintenance import jobs_of, run_job
from shared.application.ports.store import Set
from shared.application.ports.tasks import Task
from shared.application.reading.extraction import extract_chat
from shared.domain.conversation.messages import Message
from shared.settings import Settings
from tests.benchmarks.report import Figure
from tests.support.faults import Crashed
from tests.support.queues import NOON, SteppedClock
from tests.support.stores.messages import new_message_fields
from tests.support.weeks import read_weeks

CHATS, THOUSAND = 100_000, 1_000
DEATHS = 20
ENDS = 10
"""Thousands at each end whose median time is compared: a single one takes tens of milliseconds more or less."""

MOST_DRIFT = 1.2
MOST_READS, MOST_WRITES = 3, 0
TALK, TODAY = -1_001, 100
DAY = timedelta(days=1)

Times = list[tuple[float, float]]
"""Elapsed and CPU seconds of each task."""


class Quiet(NoChat):
    """A chat service that knows of no administrators."""

    async def administrators(self, chat_id: int) -> frozenset[int]:
        return frozenset()


class Kept:
    """A queue that remembers the tasks that it took: those of chats to run them, that of the fan-out to go on."""

    def __init__(self, queue: LocalQueue) -> None:
        self._queue = queue
        self.tasks: list[Task] = []
        self.rest: dict[str, Any] | None = None

    async def enqueue(self, task: Task) -> bool:
        taken = await self._queue.enqueue(task)
        if "fan-out" in task.name:
            self.rest = dict(task.payload)
        elif taken:
            self.tasks.append(task)
        return taken

    async def aclose(self) -> None:
        await self._queue.aclose()


class Mortal:
    """Forwards to a port and dies at the calls whose numbers `deadly` gives, before or after they took effect."""

    calls = 0

    def __init__(self, port: Any, deadly: dict[int, bool]) -> None:
        self._port, self._deadly = port, deadly

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._port, name)
        if not inspect.iscoroutinefunction(method):
            return method

        async def call(*args: Any, **kwargs: Any) -> Any:
            Mortal.calls += 1
            after = self._deadly.pop(Mortal.calls, None)
            if after is False:
                raise Crashed(name)
            result = await method(*args, **kwargs)
            if after:
                raise Crashed(name)
            return result

        return call


async def measure(folder: Path) -> list[Figure]:
    """All figures."""
    return [*await _many_chats(folder / "night.db"), *await _one_chat(folder / "chat.db")]


def _app(path: Path, clock: SteppedClock, store: Any, queue: Any) -> App:
    settings = Settings.from_env({"SPOMYN_STORE": f"sqlite:{path}"})
    return build_app(settings, clock=clock, queue=queue, gateway=Quiet(), store=store)


# --- Many chats ---


async def _many_chats(path: Path) -> list[Figure]:
    store, clock = SqliteStore(path), SteppedClock()
    chats = [f"chats/-{1_000_000_000_000 + n}" for n in range(CHATS)]
    for start in range(0, CHATS, 500):
        fields = {"schema": 1, "active": True, "type": "supergroup", "title": "Друзі", "last_active_at": NOON}
        await store.batch([Set(chat, fields | {"chat_id": int(chat[6:])}) for chat in chats[start : start + 500]])
    kept = Kept(LocalQueue(path, clock=clock))
    peaks = await _peaks(_app(path, clock, store, kept), clock)
    times, done = await _killed(path, store, kept, clock)
    await kept.aclose()
    await store.aclose()
    (first, first_cpu), (last, last_cpu) = _medians(times[:ENDS]), _medians(times[-ENDS:])
    figures = [
        _figure(f"fan-out of a thousand chats, median of the first {ENDS}", first * 1000, "ms"),
        _figure(f"fan-out of a thousand chats, median of the last {ENDS}", last * 1000, "ms"),
        _figure("fan-out of a thousand chats, median of all", _medians(times)[0] * 1000, "ms"),
        _figure("last / first thousands, elapsed", last / first),
        _figure("last / first thousands, CPU time", last_cpu / first_cpu, "", MOST_DRIFT),
        _figure("peak memory of the first thousand", peaks[0] / 1e3, "kB"),
        _figure("peak memory of the last thousand", peaks[1] / 1e3, "kB"),
        _figure("last / first thousand, memory", peaks[1] / peaks[0], "", MOST_DRIFT),
    ]
    return [*figures, *done]


def _medians(times: Times) -> tuple[float, float]:
    """Of elapsed time, and of CPU time, which what else the machine does disturbs less."""
    return median(elapsed for elapsed, _ in times), median(cpu for _, cpu in times)


async def _peaks(app: App, clock: SteppedClock) -> tuple[int, int]:
    """Most bytes that the first and the last thousand take."""
    peaks = []
    await run_job(app, "decay", {"chat_id": 0})  # what is loaded once belongs to neither
    for after in ({}, {"after": f"-{1_000_000_000_000 + CHATS - THOUSAND - 1}"}):
        tracemalloc.start()
        done = await run_job(app, "decay", {"from": clock.now().isoformat(), **after})
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        if done["chats"] != THOUSAND:
            raise RuntimeError(f"{done} instead of a thousand chats")
    return peaks[0], peaks[1]


async def _killed(path: Path, store: SqliteStore, kept: Kept, clock: SteppedClock) -> tuple[Times, list[Figure]]:
    """A whole night of one job, fan-out and runs, that dies at random calls and is run again each time.

    Also how long each task of the fan-out took that did not die.
    """
    clock.advance(DAY)
    kept.tasks.clear()
    chance, deadly = random.Random(2026), dict[int, bool]()
    app = _app(path, clock, Mortal(store, deadly), Mortal(kept, deadly))
    Mortal.calls, began = 0, perf_counter()
    deadly |= _deaths(chance, 1, CHATS)  # a call a chat, and one a page
    times, died = await _fan_out_again_and_again(app, kept)
    clock.advance(timedelta(hours=14))
    writes, tasks = store.usage.writes, list(kept.tasks)
    deadly |= _deaths(chance, Mortal.calls + 1, Mortal.calls + 4 * CHATS)
    died += await _run_again_and_again(app, tasks, chance)
    writes = store.usage.writes - writes
    day = tasks[0].payload["day"]
    return times, [
        _figure("killed", died, "times", least=DEATHS),
        _figure("tasks of all chats", len(tasks), "", CHATS, least=CHATS),
        _figure("chats whose run is noted after that", await _noted(store, day), "", CHATS, least=CHATS),
        _figure("documents written by these runs", writes, "", CHATS, least=CHATS),
        _figure("that night, with all runs", perf_counter() - began, "s"),
    ]


def _deaths(chance: random.Random, first: int, last: int) -> dict[int, bool]:
    return {number: chance.random() < 0.5 for number in chance.sample(range(first, last), DEATHS // 2)}


async def _fan_out_again_and_again(app: App, kept: Kept) -> tuple[Times, int]:
    """Every task of the fan-out, again when it dies; how long those took that did not, and how often one did."""
    died, times, again, payload = 0, Times(), False, dict[str, Any]()
    while True:
        kept.rest, began, began_cpu = None, perf_counter(), process_time()
        try:
            done = await run_job(app, "decay", payload)
        except Crashed:
            died, again = died + 1, True
            continue
        if not again and done["chats"] == THOUSAND:
            times.append((perf_counter() - began, process_time() - began_cpu))
        if kept.rest is None:
            return times, died
        payload, again = kept.rest, False


async def _run_again_and_again(app: App, tasks: list[Task], chance: random.Random) -> int:
    """Every task, again when it dies, and one of a hundred twice."""
    died = 0
    for task in tasks:
        for _ in range(1 + (chance.random() < 0.01)):
            try:
                await run_job(app, "decay", task.payload)
            except Crashed:
                died += 1
                await run_job(app, "decay", task.payload)
    return died


async def _noted(store: SqliteStore, day: str) -> int:
    count, last = 0, None
    while page := await store.query("chats", limit=THOUSAND, after=last):
        count += sum(chat.data.get("nightly", {}).get("decay", {}).get("day") == day for chat in page)
        last = page[-1]
    return count


# --- One chat ---


async def _one_chat(path: Path) -> list[Figure]:
    """Three nights: after two months of talk, after a talkative day, and after a day without a word."""
    weeks = iter(read_weeks().messages)
    store, clock = SqliteStore(path), SteppedClock(datetime.fromisoformat(next(weeks)["date"]))
    queue = LocalQueue(path, clock=clock)
    app = _app(path, clock, store, queue)
    await app.chats.change(TALK, {"active": True, "type": "supergroup"})
    said = list(weeks)
    await _say(app, clock, iter(said[:-TODAY]), at_their_time=True)
    figures = await _night(app, clock, "first night")
    await _say(app, clock, iter(said[-TODAY:]), at_their_time=False)
    figures += await _night(app, clock, f"{TODAY} messages that day")
    for _ in range(2):  # what a night changes is looked at once more
        await _night(app, clock, "")
    figures += await _quiet_night(app, clock)
    await queue.aclose()
    await store.aclose()
    return figures


async def _say(app: App, clock: SteppedClock, said: Iterator[dict[str, Any]], *, at_their_time: bool) -> None:
    while some := list(islice(said, 10)):
        for each in some:
            late = datetime.fromisoformat(each["date"]) - clock.now() if at_their_time else timedelta(minutes=5)
            clock.advance(max(late, timedelta()))
            user_id, name = each["user_id"], each["name"]
            message = Message(TALK, each["message_id"], clock.now(), user_id, name, text=each["text"])
            fields = new_message_fields(message, now=clock.now(), retention=app.policy.retention)
            await app.store.create(message_path(TALK, message.message_id), fields)
        await extract_chat(app, TALK)
    clock.advance(timedelta(hours=1))
    await extract_chat(app, TALK)


async def _night(app: App, clock: SteppedClock, what: str) -> list[Figure]:
    """Documents read and written by each job of a night."""
    clock.advance(timedelta(hours=8))
    figures, usage = [], app.store.usage
    for job in jobs_of(app.archive):
        reads, writes = usage.reads, usage.writes
        await run_job(app, job, {"chat_id": TALK})
        figures.append(_figure(f"{what}, {job}: reads", usage.reads - reads))
        figures.append(_figure(f"{what}, {job}: writes", usage.writes - writes))
    clock.advance(timedelta(hours=8))
    return figures


async def _quiet_night(app: App, clock: SteppedClock) -> list[Figure]:
    usage, at = app.store.usage, (await app.store.get(chat_path(TALK))).data["nightly"]  # type: ignore[union-attr]
    reads, writes = usage.reads, usage.writes
    done = await run_job(app, "night", {})
    if done["enqueued"]:
        raise RuntimeError(f"something is due in a chat where nothing was said: {at}, {clock.now()}")
    return [
        _figure("unchanged chat, all jobs: reads", usage.reads - reads, "", MOST_READS),
        _figure("unchanged chat, all jobs: writes", usage.writes - writes, "", MOST_WRITES),
    ]


def _figure(
    name: str, value: float, unit: str = "", most: float | None = None, *, least: float | None = None
) -> Figure:
    return Figure("night", name, value, unit, most, least)
