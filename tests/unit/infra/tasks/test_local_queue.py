"""What the local queue promises beyond the contract: order, backoff, dead letters, restarts, the loop."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import textwrap
from datetime import timedelta
from pathlib import Path

import pytest

from infra.tasks.local_queue import LocalQueue, seconds_to_wait
from infra.tasks.retries import RetryPolicy
from shared.application.ports.tasks import Task
from shared.domain.errors import ModelUnavailable
from tests.support.queues import NOON, SteppedClock, dead_tasks

ROOT = Path(__file__).parents[4]
MINUTE = timedelta(minutes=1)


@pytest.fixture
def clock():
    return SteppedClock()


@pytest.fixture
async def make(tmp_path, clock):
    """Build queues on one file; all are closed at the end."""
    async with contextlib.AsyncExitStack() as stack:

        def build(**settings) -> LocalQueue:
            queue = LocalQueue(tmp_path / "spomyn.db", clock=clock, **settings)
            stack.push_async_callback(queue.aclose)
            return queue

        yield build


class Handler:
    """Records the tasks it gets and raises the errors it was given, one a run."""

    def __init__(self, *errors: Exception) -> None:
        self.seen: list[Task] = []
        self._errors = list(errors)

    @property
    def names(self) -> list[str]:
        return [task.name for task in self.seen]

    async def __call__(self, task: Task, *, is_last: bool) -> None:
        self.seen.append(task)
        if self._errors:
            raise self._errors.pop(0)


def a_task(name: str = "t", run_at=None, *, chat_id: int = 7) -> Task:
    return Task(name, "/extract", {"chat_id": chat_id}, run_at)


# --- Failure ---


@pytest.mark.parametrize("error", [ModelUnavailable("busy"), KeyError("a bug")])
async def test_a_failed_task_waits_out_its_backoff(make, clock, error):
    queue, handler = make(), Handler(error, error)
    await queue.enqueue(a_task())
    assert await queue.run_due(handler) == 1
    clock.advance(timedelta(seconds=9.999))
    assert await queue.run_due(handler) == 0
    clock.advance(timedelta(seconds=0.001))
    assert await queue.run_due(handler) == 1
    clock.advance(timedelta(seconds=19.999))
    assert await queue.run_due(handler) == 0
    clock.advance(timedelta(seconds=0.001))
    assert await queue.run_due(handler) == 1
    assert (queue.depth(), dead_tasks(queue)) == (0, [])


async def test_retry_after_wins_over_a_shorter_backoff(make, clock):
    queue, handler = make(), Handler(ModelUnavailable("quota", retry_after=60))
    await queue.enqueue(a_task())
    await queue.run_due(handler)

    clock.advance(timedelta(seconds=59))
    assert await queue.run_due(handler) == 0
    clock.advance(timedelta(seconds=1))
    assert await queue.run_due(handler) == 1


async def test_a_bug_is_logged_with_its_traceback_and_an_outage_without(make, caplog):
    queue = make(policy=RetryPolicy(min_backoff=timedelta(0), max_attempts=3))
    await queue.enqueue(a_task())
    await queue.run_due(Handler(KeyError("a bug"), ModelUnavailable("busy")))

    assert [bool(record.exc_info) for record in caplog.records] == [True, False]


async def test_a_failure_in_the_last_attempt_is_a_dead_letter(make):
    told = []

    async def tell(task: Task, reason: str) -> None:
        told.append((task, reason))

    queue = make(on_dead_letter=tell, policy=RetryPolicy(max_attempts=1))
    await queue.enqueue(a_task())
    await queue.run_due(Handler(ModelUnavailable("busy")))

    (letter,) = dead_tasks(queue)
    assert (letter.task, letter.attempts, letter.died_at) == (a_task(), 1, NOON)
    assert "ModelUnavailable" in letter.error
    assert told == [(a_task(), letter.error)]
    assert queue.depth() == 0


async def test_who_runs_a_task_is_told_which_attempt_is_the_last(make):
    told = []

    async def handle(task: Task, *, is_last: bool) -> None:
        told.append(is_last)
        raise ModelUnavailable("busy")

    queue = make(policy=RetryPolicy(max_attempts=3))
    await queue.enqueue(a_task())
    await queue.drain(handle)
    assert told == [False, False, True]


async def test_a_task_is_dead_after_its_last_attempt_and_its_name_stays_taken(make):
    queue, handler = make(policy=RetryPolicy(max_attempts=3)), Handler(*[ModelUnavailable("busy")] * 9)
    await queue.enqueue(a_task())

    assert await queue.drain(handler) == 3
    assert [letter.attempts for letter in dead_tasks(queue)] == [3]
    assert await queue.enqueue(a_task()) is False


async def test_a_dead_letter_that_cannot_be_passed_on_stays_in_the_table(make, caplog):
    async def fail(task: Task, reason: str) -> None:
        raise RuntimeError("the sink is broken")

    queue = make(on_dead_letter=fail, policy=RetryPolicy(max_attempts=1))
    await queue.enqueue(a_task())
    await queue.run_due(Handler(ModelUnavailable("busy")))

    assert len(dead_tasks(queue)) == 1
    assert "not passed on" in caplog.text


async def test_a_run_beyond_the_deadline_is_cancelled_and_counts_as_failed(make):
    queue = make(deadline=timedelta(milliseconds=20), policy=RetryPolicy(max_attempts=1))
    await queue.enqueue(a_task())
    await queue.run_due(lambda _, **__: asyncio.sleep(5))

    assert "TimeoutError" in dead_tasks(queue)[0].error


# --- Names ---


async def test_a_name_is_free_a_day_after_its_task_ran(make, clock):
    queue = make()
    await queue.enqueue(a_task(run_at=NOON + timedelta(days=9)))
    clock.advance(timedelta(days=9))
    await queue.run_due(Handler())

    clock.advance(timedelta(hours=23, minutes=59))
    assert await queue.enqueue(a_task()) is False
    clock.advance(MINUTE)
    assert await queue.enqueue(a_task()) is True


async def test_a_dead_letter_outlives_its_name_and_goes_after_a_month(make, clock):
    queue = make(policy=RetryPolicy(max_attempts=1))
    await queue.enqueue(a_task())
    await queue.run_due(Handler(ModelUnavailable("busy")))

    clock.advance(timedelta(hours=24))
    assert await queue.enqueue(a_task()) is True
    assert len(dead_tasks(queue)) == 1
    clock.advance(timedelta(days=29))
    await queue.enqueue(a_task("other"))
    assert dead_tasks(queue) == []


# --- Running ---


async def test_drain_runs_everything_by_time_also_what_is_enqueued_meanwhile(make):
    queue = make()
    seen = []

    async def handle(task: Task, *, is_last: bool) -> None:
        seen.append(task.name)
        if task.name == "tomorrow":
            await queue.enqueue(a_task("next week", NOON + timedelta(days=7)))

    await queue.enqueue(a_task("in a month", NOON + timedelta(days=30)))
    await queue.enqueue(a_task("tomorrow", NOON + timedelta(days=1)))
    await queue.enqueue(a_task("now"))

    assert await queue.drain(handle) == 4
    assert seen == ["now", "tomorrow", "next week", "in a month"]
    assert queue.depth() == 0


@pytest.mark.parametrize("concurrency", [1, 3])
async def test_no_more_tasks_run_at_once_than_allowed(make, concurrency):
    queue, as_many = make(concurrency=concurrency), asyncio.Barrier(concurrency)
    running, most = 0, 0

    async def handle(task: Task, *, is_last: bool) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.wait_for(as_many.wait(), 30)
        running -= 1

    for number in range(6):
        await queue.enqueue(a_task(f"t{number}", chat_id=number))

    assert await queue.run_due(handle) == 6
    assert most == concurrency


async def test_what_reads_and_tends_runs_once_at_a_time_in_a_chat_and_goes_on_as_soon_as_it_may(make):
    queue, stop = make(concurrency=3), asyncio.Event()
    running: set[str] = set()
    seen: list[str] = []
    go_on = {name: asyncio.Event() for name in ("a1", "a2", "b1")}

    async def handle(task: Task, *, is_last: bool) -> None:
        running.add(task.name)
        seen.append(task.name)
        await go_on[task.name].wait()
        running.remove(task.name)

    async def until(names: set[str]) -> None:
        async with asyncio.timeout(30):
            while running != names:
                await asyncio.sleep(0.005)

    serving = asyncio.create_task(queue.serve(handle, stop))
    for name, chat_id in (("a1", 1), ("a2", 1), ("b1", 2)):
        await queue.enqueue(a_task(name, chat_id=chat_id))
    await until({"a1", "b1"})
    await asyncio.sleep(0.05)
    assert running == {"a1", "b1"}
    go_on["a1"].set()
    await until({"a2", "b1"})
    for event in go_on.values():
        event.set()
    stop.set()
    await asyncio.wait_for(serving, 30)
    assert seen == ["a1", "b1", "a2"]


async def test_a_task_whose_chat_is_busy_lets_others_pass_and_costs_no_busy_waiting(make):
    queue, stop, go_on = make(concurrency=2), asyncio.Event(), asyncio.Event()
    looked = 0
    claim = queue._claim

    async def count(*args, **kwargs):
        nonlocal looked
        looked += 1
        return await claim(*args, **kwargs)

    queue._claim = count

    async def handle(task: Task, *, is_last: bool) -> None:
        await go_on.wait()

    for name in ("a1", "a2", "a3"):
        await queue.enqueue(a_task(name))
    serving = asyncio.create_task(queue.serve(handle, stop))
    await asyncio.sleep(0.6)
    assert looked < 20
    go_on.set()
    stop.set()
    await asyncio.wait_for(serving, 30)


async def test_drain_runs_one_task_after_the_other_whatever_may_run_at_once(make):
    queue = make(concurrency=3)
    seen = []

    async def handle(task: Task, *, is_last: bool) -> None:
        seen.append(f"{task.name} begins")
        await asyncio.sleep(0.01)
        seen.append(f"{task.name} ends")

    for chat_id in (1, 2):
        await queue.enqueue(a_task(f"t{chat_id}", chat_id=chat_id))
    await queue.drain(handle)
    assert seen == ["t1 begins", "t1 ends", "t2 begins", "t2 ends"]


async def test_serve_runs_what_comes_at_once_and_stops_when_told(make):
    queue, stop, ran = make(), asyncio.Event(), asyncio.Event()

    async def handle(task: Task, *, is_last: bool) -> None:
        ran.set()

    serving = asyncio.create_task(queue.serve(handle, stop))
    await asyncio.sleep(0.02)
    await queue.enqueue(a_task())
    await asyncio.wait_for(ran.wait(), 30)
    stop.set()
    await asyncio.wait_for(serving, 30)
    assert queue.depth() == 0


def an_answer(number: int) -> Task:
    return Task(f"answer-{number}", "/answer", {"update_id": number})


async def test_answers_wait_neither_for_other_tasks_nor_for_each_other(make):
    queue, stop, all_there, go_on = make(answers=3), asyncio.Event(), asyncio.Event(), asyncio.Event()
    running: set[str] = set()

    async def handle(task: Task, *, is_last: bool) -> None:
        running.add(task.name)
        if len(running) == 4:
            all_there.set()
        await go_on.wait()

    serving = asyncio.create_task(queue.serve(handle, stop))
    for task in (a_task("extraction"), a_task("another"), an_answer(1), an_answer(2), an_answer(3), an_answer(4)):
        await queue.enqueue(task)
    await asyncio.wait_for(all_there.wait(), 30)
    await asyncio.sleep(0.05)
    assert running == {"extraction", "answer-1", "answer-2", "answer-3"}
    go_on.set()
    while queue.depth():
        await asyncio.sleep(0.01)
    stop.set()
    await asyncio.wait_for(serving, 30)


async def test_an_answer_that_is_to_be_finished_is_run_now_and_until_it_is_done(make):
    queue, handler = make(), Handler(ModelUnavailable("busy"), KeyError("a bug"))
    for task in (a_task(), an_answer(1), an_answer(2)):
        await queue.enqueue(task)
    await queue.finish("answer-2", handler)
    assert (handler.names, queue.depth()) == (["answer-2"] * 3, 2)
    await queue.finish("answer-2", handler)
    await queue.finish("answer-3", handler)
    assert len(handler.seen) == 3


async def test_an_answer_that_somebody_makes_is_waited_for(make):
    queue, stop, begun, go_on = make(), asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def handle(task: Task, *, is_last: bool) -> None:
        begun.set()
        await go_on.wait()

    serving = asyncio.create_task(queue.serve(handle, stop))
    await queue.enqueue(an_answer(1))
    await asyncio.wait_for(begun.wait(), 30)
    finishing = asyncio.create_task(queue.finish("answer-1", handle))
    await asyncio.sleep(0.02)
    assert not finishing.done()
    go_on.set()
    await asyncio.wait_for(finishing, 30)
    stop.set()
    await asyncio.wait_for(serving, 30)


async def test_answers_are_no_backlog(make, clock):
    queue = make()
    await queue.enqueue(an_answer(1))
    await queue.enqueue(a_task())
    assert (await queue.backlog(clock.now())).late == 1


@pytest.mark.parametrize(
    ("due_in", "seconds"),
    [(None, 0.5), (timedelta(seconds=-3), 0.0), (timedelta(0), 0.0), (timedelta(milliseconds=120), 0.12),
     (timedelta(milliseconds=500), 0.5), (timedelta(hours=1), 0.5)],
)  # fmt: skip
def test_an_idle_runner_sleeps_until_the_next_task_and_half_a_second_at_most(due_in, seconds):
    now = 1_000_000_000
    due = None if due_in is None else now + due_in // timedelta(microseconds=1)
    assert seconds_to_wait(due, now) == pytest.approx(seconds)


async def test_serve_notices_tasks_of_other_processes(make):
    queue, other, stop, ran = make(), make(), asyncio.Event(), asyncio.Event()

    async def handle(task: Task, *, is_last: bool) -> None:
        ran.set()
        stop.set()

    serving = asyncio.create_task(queue.serve(handle, stop))
    await asyncio.sleep(0.02)
    await other.enqueue(a_task())
    await asyncio.wait_for(ran.wait(), 30)
    await asyncio.wait_for(serving, 30)
    assert queue.depth() == 0


async def test_a_cancelled_run_goes_back_to_the_queue_without_costing_an_attempt(make):
    queue, started = make(policy=RetryPolicy(max_attempts=1)), asyncio.Event()

    async def hang(task: Task, *, is_last: bool) -> None:
        started.set()
        await asyncio.sleep(60)

    await queue.enqueue(a_task())
    serving = asyncio.create_task(queue.serve(hang, asyncio.Event()))
    await started.wait()
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving

    assert await queue.run_due(Handler()) == 1
    assert dead_tasks(queue) == []


# --- Restarts and other processes ---


async def test_tasks_survive_a_restart_whole(make):
    first = make()
    task = Task("назва", "/maintenance/decay", {"a": [{"b": "ї🙂"}]}, NOON + MINUTE)
    await first.enqueue(task)
    await first.aclose()

    second, handler = make(), Handler()
    assert await second.enqueue(task) is False
    await second.drain(handler)
    assert handler.seen == [task]


async def test_two_processes_never_take_one_task_twice(make):
    queues, handler = [make(concurrency=2), make(concurrency=2)], Handler()
    names = [f"t{number}" for number in range(30)]
    added = await asyncio.gather(*(queue.enqueue(a_task(name)) for queue in queues for name in names))
    assert sum(added) == 30

    runs = await asyncio.gather(*(queue.run_due(handler) for queue in queues))
    assert sum(runs) == 30
    assert sorted(handler.names) == sorted(names)


async def killed_in_mid_run(path: Path) -> None:
    """A process of its own that enqueues `t` at noon, starts to run it and is killed with SIGKILL."""
    program = """
        import asyncio, sys
        from infra.tasks.local_queue import LocalQueue
        from shared.application.ports.tasks import Task
        from tests.support.queues import SteppedClock

        async def handle(task, is_last):
            print("running", flush=True)
            await asyncio.sleep(60)

        async def main():
            queue = LocalQueue(sys.argv[1], clock=SteppedClock())
            await queue.enqueue(Task("t", "/extract", {"chat_id": 7}))
            await queue.run_due(handle)

        asyncio.run(main())
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", textwrap.dedent(program), str(path), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"running\n"
    process.kill()
    await process.wait()


async def test_a_task_whose_process_was_killed_runs_again_when_its_lease_lapses(make, clock, tmp_path):
    await killed_in_mid_run(tmp_path / "spomyn.db")
    queue, handler = make(), Handler()

    assert queue.depth() == 1
    assert await queue.run_due(handler) == 0
    clock.advance(timedelta(seconds=30))
    assert await queue.run_due(handler) == 1
    assert handler.seen == [a_task()]


async def test_drain_takes_over_what_a_killed_process_was_running(make, tmp_path):
    await killed_in_mid_run(tmp_path / "spomyn.db")

    assert await make().drain(Handler()) == 1


async def test_a_task_that_kills_its_process_is_given_up_in_the_end(make, clock, tmp_path):
    await killed_in_mid_run(tmp_path / "spomyn.db")
    queue = make(policy=RetryPolicy(max_attempts=1))
    clock.advance(MINUTE)
    await queue.run_due(Handler())

    assert "died" in dead_tasks(queue)[0].error


async def test_a_long_run_keeps_its_lease(make, clock):
    slow, other, renewed = make(lease=timedelta(seconds=0.09)), make(), asyncio.Event()
    taken, change = [], slow._change

    async def note(*args, **kwargs):
        changed = await change(*args, **kwargs)
        renewed.set()
        return changed

    slow._change = note

    async def long(task: Task, *, is_last: bool) -> None:
        for _ in range(4):
            renewed.clear()
            await asyncio.wait_for(renewed.wait(), 30)
            taken.append(await other.run_due(Handler()))
            clock.advance(timedelta(seconds=0.06))

    await slow.enqueue(a_task())
    await slow.run_due(long)

    assert taken == [0, 0, 0, 0]
    assert slow.depth() == 0


async def test_a_runner_that_lost_its_lease_does_not_settle_the_task(make, clock):
    slow, quick = make(), make()

    async def overtaken(task: Task, *, is_last: bool) -> None:
        clock.advance(MINUTE)
        await quick.run_due(Handler(ModelUnavailable("busy")))

    await slow.enqueue(a_task())
    await slow.run_due(overtaken)

    assert slow.depth() == 1
