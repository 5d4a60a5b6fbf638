"""The fan-out over many chats: a task for each job that is due, done once, whatever dies, moves or is malformed."""

import asyncio
import inspect
import json
import random  # noqa: TID251  seeded: the same calls die in every run
from dataclasses import fields, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.sqlite import SqliteStore
from infra.system import SystemIds
from infra.tasks.local_queue import LocalQueue
from infra.tasks.retries import RetryPolicy
from infra.tasks.task_file import MAX_NAME
from shared.application.app import App
from shared.application.chats.job import JobResult
from shared.application.chats.migration import begin_migration
from shared.application.chats.state import Chats
from shared.application.documents import chat_path, fact_path, facts_path
from shared.application.facts.writes import change_writes
from shared.application.intake.jobs import NIGHT
from shared.application.intake.maintenance import MOST_PARTS, find_tended_chat, run_job
from shared.application.night import fan_out as fan_out_module
from shared.application.night.fan_out import AHEAD, MOST_CHATS, NIGHTLY, FanOut, fan_out, runs
from shared.application.night.health import find_given_up
from shared.application.policy import Policy
from shared.application.recall.cache import IndexCache
from shared.application.schedule import Schedule
from shared.domain.errors import BadPayload, QueueUnavailable, UnknownJob
from shared.domain.facts.lifecycle import learn
from tests.support.builders import candidate, evidence
from tests.support.faults import Crashed, DyingStore
from tests.support.queues import NOON, SteppedClock, dead_tasks

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LONG_AGO = NOON - 100 * DAY
DECAY = NIGHTLY["decay"]


class ListedQueue:
    """A queue that only takes, by the rules of names; the names, and the tasks by them."""

    def __init__(self):
        self.tasks, self.asked, self.at_once, self.most_at_once = {}, 0, 0, 0

    async def enqueue(self, task):
        self.asked += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        return self.tasks.setdefault(task.name, task) is task

    async def aclose(self):
        pass


class Mortal:
    """Forwards to a port; a call that `fate` is told of dies before or after it took effect."""

    def __init__(self, port, fate):
        self._port, self._fate = port, fate

    def __getattr__(self, name):
        method = getattr(self._port, name)
        if not inspect.iscoroutinefunction(method):
            return method

        async def call(*args, **kwargs):
            end = self._fate()
            if end == "before":
                raise Crashed(f"before {name}")
            result = await method(*args, **kwargs)
            if end == "after":
                raise Crashed(f"after {name}")
            return result

        return call


def some_die(seed, share):
    """A fate by which that share of all calls dies."""
    chance = random.Random(seed)
    return lambda: chance.choice(("before", "after")) if chance.random() < share else None


def one_dies(n, end):
    """A fate by which the n-th call dies."""
    calls = iter(range(1, n + 1))
    return lambda: end if next(calls, None) == n else None


def night_of(store, queue=None, **policy):
    """Spomyn as far as nights need it: no model, no chat service."""
    clock, queue = SteppedClock(), queue or ListedQueue()
    known = Policy(bot_id=1, bot_username="gryag_bot", bot_names=("гряг",), **policy)
    parts = {"store": store, "queue": queue, "clock": clock, "ids": SystemIds(), "policy": known}
    parts |= {"chats": Chats(store, clock), "schedule": Schedule(queue, clock, known), "indexes": IndexCache()}
    return App(**(dict.fromkeys(field.name for field in fields(App)) | parts))


def with_queue(app, queue):
    return replace(app, queue=queue, schedule=Schedule(queue, app.clock, app.policy))


@pytest.fixture
async def app():
    store = SqliteStore(":memory:")  # nothing here outlives a process, and a thousand chats are quick
    yield night_of(store)
    await store.aclose()


async def meet(app, *chat_ids, **data):
    for chat_id in chat_ids:
        await app.store.set(chat_path(chat_id), {"schema": 1, "chat_id": chat_id, "active": True, **data})


async def believe_long_ago(app, *chat_ids):
    """Each chat believes one fact that nobody has confirmed for long."""
    said = candidate("friday", replace(evidence(1), sent_at=LONG_AGO), key="weekly_recap", category="tradition")
    change = learn(None, said)
    for chat_id in chat_ids:
        await app.store.batch(change_writes(chat_id, change, now=LONG_AGO))


def fact_id():
    return learn(None, candidate("friday", evidence(1), key="weekly_recap", category="tradition")).after.id


async def expiries(app, chat_id):
    """How often the chat's fact was stopped to be believed."""
    versions = await app.store.query(f"{fact_path(chat_id, fact_id())}/versions")
    return [version.data["change"] for version in versions].count("expiry")


async def nightly(app, chat_id):
    return (await app.store.get(chat_path(chat_id))).data.get("nightly", {})


async def dead_letters(app):
    return [letter.data for letter in await app.store.query("dead_letters")]


# --- What is planned ---


async def test_each_chat_has_a_task_for_each_job_at_its_own_local_time(app):
    await meet(app, -1)
    await meet(app, -2, settings={"timezone": "America/New_York"})
    await meet(app, -3, active=False)
    done = await run_job(app, "night", {})
    tasks = {name: task for name, task in app.queue.tasks.items() if name.startswith(("decay", "consolidate"))}
    assert {name: f"{task.run_at:%m-%d %H:%M}" for name, task in tasks.items()} == {
        "decay--1-2026-11-03": "11-02 23:00",
        "consolidate--1-2026-11-03": "11-03 00:00",
        "decay--2-2026-11-03": "11-03 06:00",
        "consolidate--2-2026-11-03": "11-03 07:00",
    }
    assert tasks["decay--1-2026-11-03"].target == "/maintenance/decay"
    assert tasks["decay--1-2026-11-03"].payload == {"target": "/maintenance/decay", "chat_id": -1, "day": "2026-11-03"}
    left = {name.split("-")[0] for name in app.queue.tasks if "--3-" in name}
    assert left == {"retention"}  # what was said there grows too old all the same
    assert done == {"chats": 3, "enqueued": len(app.queue.tasks) - 1, "failed": 0}
    assert "sweep-2026-11-02" in app.queue.tasks


async def test_a_job_that_is_called_for_alone_is_fanned_out_alone(app):
    await meet(app, -1, -2)
    await run_job(app, "dedup", {})
    assert set(app.queue.tasks) == {"dedup--1-2026-11-03", "dedup--2-2026-11-03"}


async def test_what_is_asked_for_at_once_does_not_wait_for_the_night(app):
    await meet(app, -1)
    await run_job(app, "decay", {"now": True})
    (task,) = app.queue.tasks.values()
    assert (task.run_at, task.payload["from"]) == (None, NOON.isoformat())
    await run_job(app, "decay", task.payload)
    before = await nightly(app, -1)
    assert before["decay"]["day"] == "2026-11-02"
    app.clock.advance(HOUR)
    assert await run_job(app, "decay", task.payload) == {}  # delivered twice
    assert await nightly(app, -1) == before


async def test_a_thousand_chats_a_task_and_a_continuation_with_the_same_instant_and_bounded_calls(app):
    await meet(app, *range(1, MOST_CHATS + 6))
    assert (await run_job(app, "decay", {}))["chats"] == MOST_CHATS
    (rest,) = [task for task in app.queue.tasks.values() if "fan-out" in task.name]
    assert rest.payload["from"] == NOON.isoformat()
    app.clock.advance(DAY)
    assert await run_job(app, "decay", rest.payload) == {"chats": 5, "enqueued": 5, "failed": 0}
    assert len(app.queue.tasks) == MOST_CHATS + 5 + 1
    assert {task.payload.get("day") for task in app.queue.tasks.values()} == {"2026-11-03", None}
    assert app.queue.most_at_once == 20


async def test_a_pass_goes_on_behind_a_document_that_is_no_chats(app, monkeypatch):
    monkeypatch.setattr(fan_out_module, "PAGE", 1)
    monkeypatch.setattr(fan_out_module, "MOST_CHATS", 1)
    await app.store.set("chats/" + "ж" * 700, {"active": True})
    await meet(app, -1)
    await run_job(app, "decay", {})
    while waiting := [task for task in app.queue.tasks.values() if "fan-out" in task.name]:
        app.queue.tasks = {name: task for name, task in app.queue.tasks.items() if task not in waiting}
        assert all(len(task.name) <= MAX_NAME for task in waiting)
        for task in waiting:
            await run_job(app, "decay", task.payload)
    assert set(app.queue.tasks) == {"decay--1-2026-11-03"}


async def test_a_task_that_takes_long_hands_on_before_its_time_is_over(app):
    await meet(app, *range(1, 251))

    class Passing(SteppedClock):
        def now(self):
            self.advance(timedelta(seconds=2))
            return super().now()

    slow = replace(app, clock=Passing())
    assert (await fan_out(slow, FanOut("decay", NOON), [DECAY]))["chats"] == 200
    last = sorted(map(str, range(1, 251)))[199]
    assert [name for name in app.queue.tasks if "fan-out" in name] == [f"decay-fan-out-20261102T120000000000-{last}"]


async def test_a_chat_with_nothing_due_costs_one_read_and_no_write(app):
    await meet(app, *range(1, 51))
    for chat_id in range(1, 51):
        for job in ("decay", "summaries", "episodes"):
            await run_job(app, job, {"chat_id": chat_id})
    app.clock.advance(DAY)
    reads, writes = app.store.usage.reads, app.store.usage.writes
    for job in ("decay", "summaries", "episodes"):
        assert await run_job(app, job, {}) == {"chats": 50, "enqueued": 0, "failed": 0}
    assert (app.store.usage.reads - reads, app.store.usage.writes - writes) == (3 * 50, 0)


async def test_what_two_calls_plan_both_runs_once(app):
    await meet(app, -1, settings={"timezone": "Africa/Abidjan"})
    app.clock.advance(timedelta(hours=12))  # midnight: this night's and the next night's are both within reach
    await run_job(app, "decay", {})
    assert sorted(app.queue.tasks) == ["decay--1-2026-11-03", "decay--1-2026-11-04"]
    first, second = (app.queue.tasks[name] for name in sorted(app.queue.tasks))
    app.clock.advance(HOUR)
    await run_job(app, "decay", first.payload)
    mark = await nightly(app, -1)
    app.clock.advance(DAY)
    writes = app.store.usage.writes
    assert await run_job(app, "decay", second.payload) == {}  # it was planned before the first one ran
    assert (await nightly(app, -1), app.store.usage.writes) == (mark, writes)


@pytest.mark.parametrize(
    "payload",
    [{"from": "yesterday"}, {"from": "2026-11-02T12:00:00"}, {"from": 3}, {"after": "a/b"}, {"after": 5},
     {"chat_id": "5"}, {"chat_id": True}, {"chat_id": 5, "day": "tomorrow"}, {"chat_id": 5, "part": "x"}],
)  # fmt: skip
async def test_a_payload_that_is_not_of_its_shape_is_refused(app, payload):
    with pytest.raises(BadPayload):
        await run_job(app, "decay", payload)


async def test_there_is_no_other_job_and_no_night_of_one_chat(app):
    with pytest.raises(UnknownJob):
        await run_job(app, "fan-out", {})
    with pytest.raises(BadPayload):
        await run_job(app, "night", {"chat_id": -1})


# --- One run ---


async def test_a_run_is_noted_with_its_begin_its_day_and_when_there_is_something_to_do(app):
    await meet(app, -1)
    await believe_long_ago(app, -1)
    app.clock.advance(-20 * DAY)
    assert await run_job(app, "decay", {"chat_id": -1, "day": "2026-10-14"}) == {"expired": 0}
    mark = (await nightly(app, -1))["decay"]
    assert (mark["at"], mark["next_at"], mark["day"]) == (NOON - 20 * DAY, LONG_AGO + 90 * DAY, "2026-10-14")


async def test_a_task_that_comes_twice_or_after_a_later_one_does_nothing(app):
    await meet(app, -1, last_active_at=NOON + HOUR)
    await run_job(app, "decay", {"chat_id": -1, "day": "2026-11-03"})
    before = await nightly(app, -1)
    app.clock.advance(HOUR)
    for day in ("2026-11-03", "2026-11-02"):
        assert await run_job(app, "decay", {"chat_id": -1, "day": day}) == {}
    assert await nightly(app, -1) == before


async def test_an_operators_call_runs_whether_it_is_due_or_not(app):
    await meet(app, -1)
    for _ in range(2):
        app.clock.advance(HOUR)
        assert await run_job(app, "decay", {"chat_id": -1}) == {"expired": 0}
        assert (await nightly(app, -1))["decay"]["at"] == app.clock.now()


@pytest.mark.parametrize("change", [{"active": False}, {"migrated_to": -9, "active": False}])
async def test_of_a_chat_that_is_gone_nothing_is_done(app, change):
    await believe_long_ago(app, -1, -2)
    await meet(app, -2)
    await run_job(app, "decay", {})
    await app.store.upsert(chat_path(-2), change)
    for chat_id in (-1, -2):
        assert await run_job(app, "decay", {"chat_id": chat_id, "day": "2026-11-03"}) == {}
        assert await expiries(app, chat_id) == 0
    assert await nightly(app, -2) == {}
    assert await app.store.get(chat_path(-1)) is None


async def test_a_chat_that_is_deleted_while_its_job_runs_stays_deleted(app):
    await believe_long_ago(app, -1)
    for n in range(1, 30):
        await meet(app, -1)
        store = DyingStore(app.store)
        store.arm(n)
        try:
            await run_job(replace(app, store=store), "decay", {"chat_id": -1})
        except Crashed:
            await app.store.delete(chat_path(-1))
            await run_job(app, "decay", {"chat_id": -1, "day": "2026-11-03"})
            assert await app.store.get(chat_path(-1)) is None


async def test_a_chat_that_has_moved_is_looked_at_the_night_after(app):
    await believe_long_ago(app, -1)
    await meet(app, -1, -100)
    for job in NIGHTLY:  # a night came between the words that it moves and the move
        await app.store.upsert(chat_path(-100), {"nightly": {job: {"at": NOON, "next_at": None, "day": "", "by": ""}}})
    await run_job(app, "decay", {"chat_id": -100})
    await begin_migration(app, -1, -100)
    app.clock.advance(HOUR)
    await run_job(app, "migrate", {"chat_id": -1, "new_chat_id": -100})
    app.queue.tasks.clear()
    await run_job(app, "decay", {})
    assert list(app.queue.tasks) == ["decay--100-2026-11-03"]
    await run_job(app, "decay", app.queue.tasks["decay--100-2026-11-03"].payload)
    assert await expiries(app, -100) == 1


async def test_a_chat_that_moves_while_its_job_runs_gets_no_mark_where_it_was(app, monkeypatch):
    async def work(app, state):
        await begin_migration(app, state.chat_id, -100)
        return JobResult({"steps": 1})

    monkeypatch.setitem(NIGHT, "decay", lambda: work)
    await meet(app, -1)
    assert await run_job(app, "decay", {"chat_id": -1, "day": "2026-11-03"}) == {"steps": 1}
    assert await nightly(app, -1) == await nightly(app, -100) == {}
    assert await run_job(app, "decay", {"chat_id": -1, "day": "2026-11-03", "part": 1}) == {}


@pytest.fixture
def endless(monkeypatch):
    """A job that has always more to do, and what it was called with."""
    seen = []

    async def work(app, state):
        seen.append(state.chat_id)
        return JobResult({"steps": 1}, more=len(seen) % 3 > 0)

    monkeypatch.setitem(NIGHT, "decay", lambda: work)
    return seen


async def test_a_run_that_has_more_to_do_goes_on_in_parts_and_is_noted_at_the_end(app, endless):
    await meet(app, -1)
    await run_job(app, "decay", {"chat_id": -1, "day": "2026-11-03"})
    for part in (1, 2):
        assert await nightly(app, -1) == {}
        app.clock.advance(HOUR)
        task = app.queue.tasks[f"decay--1-2026-11-03-{part}"]
        await run_job(app, "decay", task.payload)
        await app.store.upsert(chat_path(-1), {"last_active_at": app.clock.now()})  # somebody speaks meanwhile
    mark = (await nightly(app, -1))["decay"]
    assert (len(endless), mark["at"], mark["day"]) == (3, NOON, "2026-11-03")
    app.clock.advance(DAY)
    app.queue.tasks.clear()
    await run_job(app, "decay", {})
    assert list(app.queue.tasks) == ["decay--1-2026-11-04"]


async def test_a_job_that_never_ends_is_left_to_the_next_night(app, endless, caplog):
    await meet(app, -1)
    await run_job(app, "decay", {"chat_id": -1, "day": "2026-11-03", "part": MOST_PARTS - 1})
    assert (app.queue.tasks, await nightly(app, -1)) == ({}, {})
    assert "decay" in caplog.text
    assert [record.chat_id for record in caplog.records if record.levelname == "ERROR"] == [-1]


# --- What is malformed, and what fails ---


@pytest.mark.parametrize("bad", [{"opted_out": 5}, {"last_active_at": "gestern"}, {"admins": 7, "learn_from": 3}])
async def test_a_malformed_chat_is_written_down_and_the_others_are_tended(app, caplog, bad):
    await meet(app, -1, -3)
    await meet(app, -2, **bad)
    await app.store.set("chats/nonsense", {"active": True})
    for _ in range(2):
        assert await run_job(app, "decay", {}) == {"chats": 4, "enqueued": 2, "failed": 2}
    assert set(app.queue.tasks) == {"decay--1-2026-11-03", "decay--3-2026-11-03"}
    named = [json.loads(letter["body"])["chat_id"] for letter in await dead_letters(app)]
    assert sorted(map(str, named)) == ["-2", "nonsense"]
    failed = [finding for finding in await find_given_up(app.store, app.clock) if finding.kind == "night_failed"]
    assert [finding.figures["ids"] for finding in failed] == ["-2"]
    app.clock.advance(DAY)
    await run_job(app, "decay", {})
    assert "night_failed" in [finding.kind for finding in await find_given_up(app.store, app.clock)]
    assert all("decay" in letter["body"] for letter in await dead_letters(app))
    assert "-2" in {getattr(record, "chat_id", None) for record in caplog.records}


@pytest.mark.parametrize("taken", [150, 950])
async def test_an_outage_of_the_queue_ends_the_fan_out_before_it_hands_on(app, taken):
    await meet(app, *range(1, MOST_CHATS + 2))

    class Refusing(ListedQueue):
        async def enqueue(self, task):
            if self.asked == taken:
                raise QueueUnavailable("over its quota")
            return await super().enqueue(task)

    with pytest.raises(QueueUnavailable):
        await run_job(with_queue(app, queue := Refusing()), "decay", {})
    assert not [name for name in queue.tasks if "fan-out" in name]


# --- Exactly once ---


class Nights:
    """An app with a durable queue, whose calls may die; what dies is run again."""

    def __init__(self, app, path, fate):
        policy = RetryPolicy(min_backoff=timedelta(0), max_attempts=1_000_000)
        self.queue = LocalQueue(path, clock=app.clock, policy=policy)
        mortal = Mortal(self.queue, fate)
        self.app = replace(with_queue(app, mortal), store=Mortal(app.store, fate))
        self.clock = app.clock

    async def call(self, job):
        """The scheduler calls until it is answered."""
        while True:
            try:
                return await run_job(self.app, job, {})
            except Crashed:
                self.clock.advance(timedelta(seconds=1))

    async def pass_by(self, hours=31):
        for _ in range(hours):
            await self.queue.run_due(self._handle)
            self.clock.advance(HOUR)

    async def _handle(self, task, is_last):
        if not task.target.startswith("/maintenance"):
            return
        try:
            await run_job(self.app, task.target.rsplit("/", 1)[-1], task.payload)
        except Crashed as death:  # the queue outlives the instance
            raise ConnectionResetError("the instance is gone") from death


async def each_was_done_once(app, chat_ids, day="2026-11-03"):
    for chat_id in chat_ids:
        record = await find_tended_chat(app.store, chat_id, "decay")
        assert record.marks["decay"].day >= day
        assert await expiries(app, chat_id) == 1
        (fact,) = await app.store.query(facts_path(chat_id))
        assert fact.data["status"] == "expired"


@pytest.mark.parametrize("end", ["before", "after"])
async def test_killed_at_any_call_and_run_again_each_chats_job_is_done_once(tmp_path, end):
    chats = (-1, -2)
    for n in range(1, 200):
        store = SqliteStore(":memory:")
        app = night_of(store)
        await meet(app, *chats)
        await believe_long_ago(app, *chats)
        calls = 0

        def fate(n=n):
            nonlocal calls
            calls += 1
            return end if calls == n else None

        nights = Nights(app, tmp_path / f"{n}.db", fate)
        await nights.call("decay")
        await nights.pass_by(14)
        await nights.queue.aclose()
        await each_was_done_once(app, chats)
        await store.aclose()
        if calls < n:
            return
    raise AssertionError("a night of two chats takes too many calls")


async def many_die(app, path, *, count, share):
    """A night of so many chats in which that share of all calls dies."""
    chats = range(1, count + 1)
    await asyncio.gather(*(meet(app, chat_id) for chat_id in chats))
    await asyncio.gather(*(believe_long_ago(app, chat_id) for chat_id in chats))
    nights = Nights(app, path, some_die(7, share))
    await nights.call("decay")
    await nights.pass_by(13)
    await nights.queue.aclose()
    await each_was_done_once(app, chats)


async def test_many_chats_and_many_deaths_end_as_an_undisturbed_night(app, tmp_path, monkeypatch):
    monkeypatch.setattr(fan_out_module, "MOST_CHATS", 100)  # so that it hands on
    await many_die(app, tmp_path / "queue.db", count=300, share=0.01)


async def test_on_firestore_many_chats_and_deaths_end_as_an_undisturbed_night_too(firestore_store, tmp_path):
    await many_die(night_of(firestore_store), tmp_path / "queue.db", count=40, share=0.01)


async def test_one_chat_that_always_fails_stops_no_other(app, tmp_path, monkeypatch):
    async def work(app, state):
        if state.chat_id == -2:
            raise RuntimeError("a bug")
        return JobResult()

    monkeypatch.setitem(NIGHT, "decay", lambda: work)
    await meet(app, -1, -2, -3)
    queue = LocalQueue(tmp_path / "queue.db", clock=app.clock, policy=RetryPolicy(timedelta(0), max_attempts=2))
    app = with_queue(app, queue)
    await run_job(app, "decay", {})
    await queue.drain(lambda task, **_: run_job(app, "decay", task.payload))
    assert [bool(await nightly(app, chat_id)) for chat_id in (-1, -2, -3)] == [True, False, True]
    (letter,) = dead_tasks(queue)
    assert (letter.task.name, letter.task.payload["target"]) == ("decay--2-2026-11-03", "/maintenance/decay")
    await queue.aclose()


async def test_a_mark_from_the_future_does_not_block_for_ever(app):
    future = {"at": NOON + 400 * DAY, "next_at": None, "day": "2027-12-01", "by": ""}
    await meet(app, -1, nightly={"decay": future})
    await believe_long_ago(app, -1)
    await run_job(app, "decay", {})
    (task,) = app.queue.tasks.values()
    app.clock.advance(DAY)
    assert await run_job(app, "decay", task.payload) == {"expired": 1}
    assert (await nightly(app, -1))["decay"]["day"] == "2026-11-03"


ZONES = (
    *("UTC", "Europe/Kyiv", "Europe/London", "America/New_York", "America/Havana", "America/Sao_Paulo", "Asia/Beirut"),
    *("Africa/Cairo", "Africa/Casablanca", "Asia/Kathmandu", "Asia/Tehran", "Australia/Lord_Howe", "Antarctica/Troll"),
    *("Pacific/Apia", "Pacific/Kiritimati", "Pacific/Chatham", "Pacific/Niue"),
)
TWO = time(2, 0)
TOMORROW, AUTUMN = ("2026-03-09", "2026-03-09T06:00"), ("2026-11-02", "2026-11-02T07:00")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def exists(day, zone):
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    return any((noon + HOUR * n).astimezone(zone).date() == day for n in range(-26, 27))


def days_between(first, last):
    return [first + DAY * n for n in range((last - first).days + 1)]


@settings(max_examples=150, deadline=None)
@given(
    zone=st.sampled_from(ZONES).map(ZoneInfo),
    at=st.sampled_from([job.at for job in NIGHTLY.values()]),
    first=st.datetimes(datetime(2005, 1, 1), datetime(2030, 1, 1)).map(lambda instant: instant.replace(tzinfo=UTC)),
    gaps=st.lists(st.timedeltas(timedelta(0), AHEAD), min_size=1, max_size=8),
)
def test_each_local_day_has_one_run_however_the_calls_jitter(zone, at, first, gaps):
    calls = [first]
    for gap in gaps:
        calls.append(calls[-1] + gap)
    planned = {run for call in calls for run in runs(at, zone, call)}
    by_day = dict(planned)
    assert len(by_day) == len(planned)  # the same day is always the same instant
    expected = [
        day for day in days_between(date.fromisoformat(min(by_day)), date.fromisoformat(max(by_day)))
        if exists(day, zone)
    ]  # fmt: skip
    assert sorted(by_day) == [day.isoformat() for day in expected]
    assert min(by_day.values()) - first < timedelta(hours=50)  # nothing is left out at the beginning, either
    for day, instant in planned:
        local = instant.astimezone(zone)
        assert local.date().isoformat() == day
        assert local.time() >= at
        assert local.time() < (datetime.combine(local.date(), at) + timedelta(hours=2, minutes=1)).time()


@pytest.mark.parametrize(
    ("zone", "start", "expected"),
    [
        ("Europe/Kyiv", "2026-11-22T18:00", [("2026-11-23", "2026-11-23T00:00")]),
        ("Europe/Kyiv", "2026-11-23T00:00", [("2026-11-23", "2026-11-23T00:00"), ("2026-11-24", "2026-11-24T00:00")]),
        ("America/New_York", "2026-03-08T05:00", [("2026-03-08", "2026-03-08T07:00"), TOMORROW]),
        ("America/New_York", "2026-11-01T05:30", [("2026-11-01", "2026-11-01T07:00"), AUTUMN]),
        ("Antarctica/Troll", "2026-10-24T12:00", [("2026-10-25", "2026-10-25T00:00")]),
        ("Pacific/Apia", "2011-12-29T13:00", [("2011-12-31", "2011-12-30T12:00")]),
    ],
    ids=["ahead", "now", "a gap", "after a fold", "a fold", "a day that was left out"],
)  # fmt: skip
def test_two_in_the_morning(zone, start, expected):
    found = runs(TWO, ZoneInfo(zone), datetime.fromisoformat(start).replace(tzinfo=UTC))
    assert [(run.day, f"{run.at:%Y-%m-%dT%H:%M}") for run in found] == expected


def test_the_jobs_of_a_night_follow_each_other():
    times = [job.at for job in NIGHTLY.values()]
    assert times == sorted(set(times))
    assert [job.name for job in NIGHTLY.values() if job.at == TWO] == ["consolidate"]
