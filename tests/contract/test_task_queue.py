"""What every task queue promises, and how strict the fake service is."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import datetime, timedelta

import grpc
import pytest
from google.auth import jwt
from google.cloud import tasks_v2
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport

from shared.application.ports.tasks import Backlog
from shared.domain.errors import QueueUnavailable
from tests.support.google.cloud_tasks import ISSUER, FakeCloudTasks
from tests.support.queues import (
    INVOKER,
    NOON,
    URLS,
    Delivery,
    LocalUnderTest,
    QueueUnderTest,
    SimulatedUnderTest,
    a_task,
)


@pytest.fixture
async def local(tmp_path):
    async with contextlib.AsyncExitStack() as stack:
        under_test = LocalUnderTest(tmp_path, stack)
        yield under_test
        await under_test.queue.aclose()


@pytest.fixture
def simulated():
    return SimulatedUnderTest()


@pytest.fixture(params=["local", "cloud", "simulated"])
def under_test(request) -> QueueUnderTest:
    return request.getfixturevalue(request.param)


# --- Every queue ---


async def test_the_second_task_of_a_name_is_not_scheduled(under_test):
    assert await under_test.queue.enqueue(a_task()) is True
    assert await under_test.queue.enqueue(a_task(payload={"chat_id": 8})) is False

    await under_test.run_due()

    assert under_test.deliveries == [Delivery("/extract", {"chat_id": 7})]


async def test_of_many_at_once_exactly_one_gets_the_name(under_test):
    results = await asyncio.gather(*(under_test.queue.enqueue(a_task()) for _ in range(20)))

    assert sorted(results) == [False] * 19 + [True]
    await under_test.run_due()
    assert len(under_test.deliveries) == 1


async def test_a_name_stays_taken_after_its_task_ran(under_test):
    await under_test.queue.enqueue(a_task())
    await under_test.run_due()

    assert await under_test.queue.enqueue(a_task()) is False
    await under_test.run_due()
    assert len(under_test.deliveries) == 1


async def test_names_of_any_characters_are_told_apart(under_test):
    names = ["a/b", "a b", "A b", "чат 1", "чат 2", "🙂", "x" * 400, "x" * 399]

    assert [await under_test.queue.enqueue(a_task(name)) for name in names] == [True] * len(names)


async def test_the_payload_arrives_as_it_was_at_the_target(under_test):
    payload = {"текст": 'Привіт 🙂 \n"', "nested": {"list": [1, 2.5, None, True, {"k": []}]}, "big": 2**52}

    await under_test.queue.enqueue(a_task(target="/maintenance/decay", payload=payload))
    await under_test.run_due()

    assert under_test.deliveries == [Delivery("/maintenance/decay", payload)]


async def test_a_task_does_not_run_before_its_time(under_test):
    await under_test.queue.enqueue(a_task(run_at=NOON + timedelta(minutes=5)))

    await under_test.run_due()
    assert under_test.deliveries == []

    under_test.clock.advance(timedelta(minutes=5))
    await under_test.run_due()
    assert len(under_test.deliveries) == 1


async def test_a_time_in_the_past_means_now(under_test):
    await under_test.queue.enqueue(a_task(run_at=NOON - timedelta(days=2)))
    await under_test.run_due()
    assert len(under_test.deliveries) == 1


async def test_a_failed_task_runs_again_after_a_while_and_then_never_more(under_test):
    under_test.failures = 1
    await under_test.queue.enqueue(a_task())

    await under_test.run_due()
    await under_test.run_due()
    assert len(under_test.deliveries) == 1

    for _ in range(3):
        under_test.clock.advance(timedelta(minutes=1))
        await under_test.run_due()
    assert len(under_test.deliveries) == 2


async def test_a_name_over_400_characters_is_refused(under_test):
    with pytest.raises(ValueError, match="400"):
        await under_test.queue.enqueue(a_task("ї" * 401))


async def test_a_payload_of_100_kb_passes_and_one_byte_more_is_refused(under_test):
    frame = len('{"x":""}')

    assert await under_test.queue.enqueue(a_task(payload={"x": "a" * (100_000 - frame)})) is True
    with pytest.raises(ValueError, match="100001"):
        await under_test.queue.enqueue(a_task("other", payload={"x": "a" * (100_001 - frame)}))


async def test_the_payload_is_measured_in_bytes(under_test):
    with pytest.raises(ValueError, match="bytes"):
        await under_test.queue.enqueue(a_task(payload={"x": "ї" * 60_000}))


async def test_a_time_without_zone_is_refused(under_test):
    with pytest.raises(ValueError, match="time zone"):
        await under_test.queue.enqueue(a_task(run_at=datetime(2026, 11, 2, 12)))


async def test_an_unreachable_queue_is_an_error_and_not_a_duplicate(under_test):
    await under_test.break_down()
    with pytest.raises(QueueUnavailable):
        await under_test.queue.enqueue(a_task())


async def test_an_empty_queue_has_no_backlog(under_test):
    assert await under_test.queue.backlog(NOON) == Backlog()


async def test_the_backlog_tells_what_is_late_and_what_is_planned(under_test):
    under_test.failures = 1
    await under_test.queue.enqueue(a_task("failing", run_at=NOON))
    await under_test.run_due()
    under_test.clock.advance(timedelta(minutes=5))
    await under_test.queue.enqueue(a_task("late", run_at=NOON + timedelta(minutes=2)))
    await under_test.queue.enqueue(a_task("planned", run_at=NOON + timedelta(days=1)))

    assert await under_test.queue.backlog(under_test.clock.now()) == Backlog(late=2, planned=1, late_since=NOON)


async def test_what_ran_is_no_backlog(under_test):
    await under_test.queue.enqueue(a_task())
    await under_test.run_due()
    assert await under_test.queue.backlog(NOON) == Backlog()


@pytest.mark.parametrize(("limit", "late"), [(3, 3), (4, 4), (5, 4)])
async def test_a_long_backlog_is_counted_up_to_a_limit(under_test, limit, late):
    for number in range(4):
        await under_test.queue.enqueue(a_task(f"{number}"))
    found = await under_test.queue.backlog(NOON, limit=limit)
    assert (found.late, found.complete) == (late, limit >= 4)


async def test_closing_twice_is_fine(under_test):
    await under_test.queue.enqueue(a_task())
    await under_test.queue.aclose()
    assert await under_test.queue.aclose() is None


# --- The fake service is strict ---


async def test_fake_delivers_with_the_headers_of_cloud_tasks_and_a_verifiable_token(cloud):
    cloud.failures = 1
    await cloud.queue.enqueue(a_task())
    await cloud.fake.dispatch_all()
    first, second = (request.headers for request in cloud.requests)

    assert first["x-cloudtasks-queuename"] == "tasks"
    assert len(first["x-cloudtasks-taskname"]) == 40
    assert first["x-cloudtasks-tasketa"] == f"{NOON.timestamp():.6f}"
    assert [one["x-cloudtasks-taskretrycount"] for one in (first, second)] == ["0", "1"]
    assert [one["x-cloudtasks-taskexecutioncount"] for one in (first, second)] == ["0", "1"]
    assert second["x-cloudtasks-taskpreviousresponse"] == "500"
    token = first["authorization"].removeprefix("Bearer ")
    century = 100 * 365 * 24 * 3600
    claims = jwt.decode(token, cloud.fake.certs, audience=URLS["extract"], clock_skew_in_seconds=century)
    assert (claims["iss"], claims["email"], claims["iat"]) == (ISSUER, INVOKER, NOON.timestamp())


async def test_fake_drops_a_task_after_its_attempts(cloud):
    cloud.failures = 10
    await cloud.queue.enqueue(a_task())
    await cloud.fake.dispatch_all()

    assert [stored.statuses for stored in cloud.fake.exhausted] == [[500, 500, 500]]
    assert await cloud.queue.enqueue(a_task()) is False


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "{queue}/tasks/a.b"},
        {"name": "{queue}-other/tasks/ab"},
        {"url": "ftp://host/"},
        {"url": "https:///path"},
        {"http_method": tasks_v2.HttpMethod.GET},
        {"body": b"x" * 200_000},
        {"headers": {"X-CloudTasks-TaskName": "x"}},
        {"oidc_token": tasks_v2.OidcToken(service_account_email="nobody")},
        {"oidc_token": None},
        {"schedule_time": NOON + timedelta(days=31)},
        {"dispatch_deadline": timedelta(hours=1)},
    ],
)
async def test_fake_refuses_what_the_service_refuses(cloud, wrong):
    fields = {key: wrong[key] for key in ("schedule_time", "dispatch_deadline") if key in wrong}
    if "name" in wrong:
        fields["name"] = wrong["name"].format(queue=cloud.fake.queue_path)
    regular = {"url": URLS["extract"], "body": b"{}", "oidc_token": tasks_v2.OidcToken(service_account_email=INVOKER)}
    changed = {key: value for key, value in wrong.items() if key not in ("name", "schedule_time", "dispatch_deadline")}
    task = tasks_v2.Task(http_request=tasks_v2.HttpRequest(**{**regular, **changed}), **fields)

    async with sdk_client(cloud.fake) as client:
        with pytest.raises(Exception, match="400"):
            await client.create_task(parent=cloud.fake.queue_path, task=task)
    assert not cloud.fake.tasks


async def test_fake_lists_and_deletes_tasks_and_keeps_the_name_taken(cloud):
    await cloud.queue.enqueue(a_task())
    async with sdk_client(cloud.fake) as client:
        assert (await client.get_queue(name=cloud.fake.queue_path)).state == tasks_v2.Queue.State.RUNNING
        (task,) = [task async for task in await client.list_tasks(parent=cloud.fake.queue_path)]
        assert task.http_request.body == b""
        await client.delete_task(name=task.name)

    assert not cloud.fake.tasks
    assert await cloud.queue.enqueue(a_task()) is False


@contextlib.asynccontextmanager
async def sdk_client(fake: FakeCloudTasks):
    channel = grpc.aio.insecure_channel(fake.host)
    async with tasks_v2.CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=channel)) as client:
        yield client
