"""The task queue of one machine: a table in a SQLite file, and the loop that runs it.

The same rules as Cloud Tasks: a name stays taken for a day after its task ran, delivery is at least once, failures back
off exponentially. Beyond Cloud Tasks, a task that is given up stays in the table as a dead letter, with its error.

A running task holds a lease that its process renews; when the process dies the lease lapses and the task runs again.
The claim itself counts the attempt, which ends a task that kills its process and fences off a runner without lease.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from infra.tasks.retries import RetryPolicy, policy_of
from infra.tasks.runs import POLL_SECONDS, Handler, Lane, TaskRun, seconds_to_wait
from infra.tasks.statements import (
    BACKLOG,
    CLAIM,
    DEAD,
    DONE,
    HAND_BACK,
    IS_OPEN,
    NEXT,
    RENEW,
    RETRY,
    TAKE_OVER,
)
from infra.tasks.task_file import TaskFile, insert, instant, micros, payload_of, task_from
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Backlog, Task
from shared.domain.errors import QueueUnavailable, TransientError, UnforeseenFailure

DeadLetterSink = Callable[[Task, str], Awaitable[None]]
_log = logging.getLogger(__name__)
_KEEP_DEAD = timedelta(days=30)


class LocalQueue:
    """`TaskQueue` in a SQLite file that several processes may share, and its runner.

    Args:
        path: The file; made when absent, its folder must exist. The document store may use the same file.
        policy: When failed tasks run again and when they are given up; None: as their targets say.
        on_dead_letter: Told about every task that is given up, after its record is in the table. If the process dies
            in between it is not told again: the table keeps the record for 30 days.
        deadline: Longest time one run may take (then it is cancelled and counts as failed).
        concurrency: Tasks that run at once, beside answers: one of each chat.
        answers: Answers (targets under `/answer`) that are made at once; they wait behind nothing else.
        lease: How long after its process died a task waits to run again.
        keep_names: How long a name stays taken after its task ran or died.
        busy_timeout: How long another process's write to the file is waited for.

    Every method raises `QueueUnavailable` when the file is locked or not writable now, and `SettingsError` when it
    cannot be opened at all.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        clock: Clock,
        policy: RetryPolicy | None = None,
        on_dead_letter: DeadLetterSink | None = None,
        concurrency: int = 1,
        answers: int = 8,
        deadline: timedelta = timedelta(minutes=10),
        lease: timedelta = timedelta(seconds=30),
        keep_names: timedelta = timedelta(hours=24),
        busy_timeout: timedelta = timedelta(seconds=5),
    ) -> None:
        self._clock = clock
        self._policy = policy
        self._on_dead_letter = on_dead_letter
        self._lanes = tuple(Lane(*each) for each in enumerate((concurrency, answers)))
        self._deadline = deadline
        self._lease = lease
        self._keep_names = keep_names
        self._file = TaskFile(Path(path), busy_timeout)
        self._ended = asyncio.Condition()

    async def enqueue(self, task: Task) -> bool:
        """Write the task down; False when its name is taken.

        Raises:
            ValueError: The payload is too large or not JSON, the name too long, or `run_at` naive.
        """
        payload, now = payload_of(task), self._clock.now()
        run_at = None if task.run_at is None else micros(task.run_at)
        due = micros(now) if run_at is None else run_at
        row = (task.name, task.name, task.target, payload, run_at, due)
        free, forget = micros(now - self._keep_names), micros(now - _KEEP_DEAD)
        added = await self._file.call(lambda db: insert(db, row, free, forget))
        if added:
            self._wake()
        return added

    async def run_due(self, handler: Handler) -> int:
        """Run everything that is due, also what becomes due meanwhile; how many runs that took."""
        return await self._run_until_idle(handler, ignore_due=False)

    async def drain(self, handler: Handler) -> int:
        """Run everything, one task after the other (but answers) in order of `run_at` and without waiting for it or for
        backoff, also what is enqueued meanwhile, until nothing is left; how many runs that took.

        For scripts that have the queue for themselves: tasks that somebody is running are taken over.
        """
        await self._file.call(lambda db: db.execute(TAKE_OVER))
        return await self._run_until_idle(handler, ignore_due=True)

    async def serve(self, handler: Handler, stop: asyncio.Event) -> None:
        """Run tasks as they become due until `stop` is set; running tasks are finished first.

        Tasks that other processes enqueue are noticed within half a second. Cancelling instead of setting `stop`
        cancels the running tasks and hands them back to the queue.
        """
        async with asyncio.TaskGroup() as group:
            waker = group.create_task(self._wake_when(stop))
            serving = [group.create_task(self._serve(handler, stop, lane)) for lane in self._lanes]
            await asyncio.wait(serving)
            waker.cancel()

    async def finish(self, name: str, handler: Handler) -> None:
        """Run one answer's task now, without waiting for backoff, until it is done or given up; where somebody runs it
        already, wait for them."""
        while (await self._file.call(lambda db: db.execute(IS_OPEN, (name,)).fetchone()[0])) > 0:
            run = await self._claim(self._lanes[1], ignore_due=True, name=name)
            if run is not None:
                await self._attempt(handler, run)
                continue
            async with self._ended:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), POLL_SECONDS)

    def depth(self) -> int:
        """Return how many tasks wait or run."""
        return int(self._file.read("SELECT count(*) FROM tasks WHERE state IN ('waiting', 'running')")[0][0])

    async def backlog(self, now: datetime, *, limit: int = 1_000) -> Backlog:
        """Return what waits or runs but answers, the tasks that are due first before the others. Of a task without a
        time of its own that failed only the time of its next attempt is known."""
        rows = await self._file.call(lambda db: db.execute(BACKLOG, (limit + 1,)).fetchall())
        late = [since for since, attempts, due in rows[:limit] if attempts or due <= micros(now)]
        since = instant(min(late)) if late else None
        return Backlog(len(late), len(rows[:limit]) - len(late), since, complete=len(rows) <= limit)

    async def aclose(self) -> None:
        """Close the file; the queue is not usable afterwards."""
        await self._file.aclose()

    async def _run_until_idle(self, handler: Handler, *, ignore_due: bool) -> int:
        async def work(lane: Lane) -> int:
            runs = 0
            while run := await self._claim(lane, ignore_due=ignore_due):
                await self._attempt(handler, run)
                runs += 1
            return runs

        try:
            async with asyncio.TaskGroup() as group:
                first, answers = self._lanes
                at_once = [first] * (1 if ignore_due else first.slots) + [answers] * answers.slots
                workers = [group.create_task(work(lane)) for lane in at_once]
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from failures
        return sum(worker.result() for worker in workers)

    async def _serve(self, handler: Handler, stop: asyncio.Event, lane: Lane) -> None:
        free = asyncio.Semaphore(lane.slots)

        async def attempt(run: TaskRun) -> None:
            with _despite_an_absent_file():
                await self._attempt(handler, run)
            free.release()
            lane.wake.set()  # the chat's next task may run now

        async with asyncio.TaskGroup() as running:
            while await free.acquire() and not stop.is_set():
                lane.wake.clear()
                run = None
                with _despite_an_absent_file():
                    run = await self._claim(lane, ignore_due=False)
                if run is not None:
                    running.create_task(attempt(run))
                else:
                    free.release()
                    await self._idle(lane)

    async def _claim(self, lane: Lane, *, ignore_due: bool, name: str | None = None) -> TaskRun | None:
        now = self._clock.now()
        times = {"now": micros(now), "lease": micros(now + self._lease)}
        values = {**times, "all": ignore_due, "lane": lane.number, "name": name}
        row = await self._file.call(lambda db: db.execute(CLAIM, values).fetchone())
        return None if row is None else TaskRun(row[0], row[5], task_from(*row[1:5]))

    async def _attempt(self, handler: Handler, run: TaskRun) -> None:
        if run.attempt > self._policy_of(run).max_attempts:
            await self._give_up(run, "the process died in its last attempt")
            return
        renewal = asyncio.create_task(self._renew(run))
        try:
            work = handler(run.task, is_last=self._is_last(run))
            await asyncio.wait_for(work, self._deadline.total_seconds())
        except asyncio.CancelledError:
            await self._change(HAND_BACK, run)
            raise
        except Exception as error:  # noqa: BLE001 - a bug in one handler must neither stop the queue nor lose the task
            await self._try_again(run, error)
        else:
            await self._change(DONE, run, at=self._clock.now())
        finally:
            renewal.cancel()
            async with self._ended:
                self._ended.notify_all()

    async def _try_again(self, run: TaskRun, error: Exception) -> None:
        """Have a task that failed run again after its backoff, unless it was its last attempt."""
        _report(run, error)
        if self._is_last(run):
            await self._give_up(run, repr(error))
        else:
            retry_after = error.retry_after if isinstance(error, TransientError) else None
            at = self._clock.now() + self._policy_of(run).backoff(run.attempt, retry_after)
            await self._change(RETRY, run, at=at, error=repr(error))

    def _policy_of(self, run: TaskRun) -> RetryPolicy:
        return self._policy or policy_of(run.task.target)

    def _is_last(self, run: TaskRun) -> bool:
        return run.attempt >= self._policy_of(run).max_attempts

    async def _give_up(self, run: TaskRun, reason: str) -> None:
        ours = await self._change(DEAD, run, at=self._clock.now(), error=reason)
        _log.error("Task %s is dead after %d attempts: %s", run.task.name, run.attempt, reason)
        if ours and self._on_dead_letter is not None:
            try:
                await self._on_dead_letter(run.task, reason)
            except Exception:  # noqa: BLE001 - the record in the table is not lost with it
                _log.exception("The dead letter of task %s was not passed on", run.task.name)

    async def _renew(self, run: TaskRun) -> None:
        while True:
            await asyncio.sleep(self._lease.total_seconds() / 3)
            with contextlib.suppress(QueueUnavailable):  # the next renewal still comes in time
                await self._change(RENEW, run, at=self._clock.now() + self._lease)

    async def _wake_when(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._wake()

    def _wake(self) -> None:
        for lane in self._lanes:
            lane.wake.set()

    async def _idle(self, lane: Lane) -> None:
        """Wait for the lane's next task, as long as nobody asks for one."""
        now, row = micros(self._clock.now()), None
        with _despite_an_absent_file():
            row = await self._file.call(lambda db: db.execute(NEXT, {"lane": lane.number, "now": now}).fetchone())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(lane.wake.wait(), seconds_to_wait(row and row[0], micros(self._clock.now())))

    async def _change(self, change: str, run: TaskRun, *, at: datetime | None = None, error: str | None = None) -> bool:
        values = {"seq": run.seq, "attempt": run.attempt, "at": at and micros(at), "error": error}
        # A lost lease is somebody else's run: the attempt's number must still be ours.
        sql = f"UPDATE tasks SET {change} WHERE seq = :seq AND state = 'running' AND attempts = :attempt"  # noqa: S608
        return await self._file.call(lambda db: db.execute(sql, values).rowcount > 0)


@contextlib.contextmanager
def _despite_an_absent_file() -> Iterator[None]:
    """Go on when the file is not available; the next look comes soon."""
    try:
        yield
    except QueueUnavailable as error:
        _log.warning("The task file is not available: %s", error)


def _report(run: TaskRun, error: Exception) -> None:
    foreseen = isinstance(error, TransientError | TimeoutError) and not isinstance(error, UnforeseenFailure)
    trace = None if foreseen else error
    _log.warning("Task %s failed in attempt %d: %r", run.task.name, run.attempt, error, exc_info=trace)
