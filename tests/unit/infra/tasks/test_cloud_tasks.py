"""What only Cloud Tasks does: signed requests, hashed ids, faults of the network, settings that name the remedy."""

from __future__ import annotations

import contextlib
from datetime import timedelta

import grpc
import pytest
from google.cloud import tasks_v2

from infra.tasks.cloud_tasks import CloudTasksQueue
from shared.application.ports.tasks import Backlog
from shared.domain.errors import QueueUnavailable, SettingsError
from tests.support.google.cloud_tasks import FakeCloudTasks, Stored
from tests.support.queues import INVOKER, NOON, URLS, CloudUnderTest, a_task, cloud_queue


async def test_cloud_request_is_a_json_post_with_an_oidc_token_of_the_function(cloud):
    await cloud.queue.enqueue(a_task(target="/maintenance/decay"))
    (stored,) = cloud.fake.tasks.values()
    request = stored.task.http_request

    assert request.url == f"{URLS['maintenance']}/decay"
    assert request.http_method == tasks_v2.HttpMethod.POST
    assert dict(request.headers) == {"Content-Type": "application/json"}
    assert request.oidc_token.service_account_email == INVOKER
    assert request.oidc_token.audience == URLS["maintenance"]
    assert stored.task.dispatch_deadline == timedelta(minutes=10)


async def test_cloud_task_ids_are_hashes_without_a_common_prefix(cloud):
    for window in range(3):
        await cloud.queue.enqueue(a_task(f"extract-7-{window}"))
    ids = [stored.id for stored in cloud.fake.tasks.values()]

    assert [len(task_id) for task_id in ids] == [40] * 3
    assert len({task_id[:4] for task_id in ids}) == 3


async def test_cloud_token_can_be_left_out():
    async with (
        FakeCloudTasks(CloudUnderTest().clock) as fake,
        closing(cloud_queue(fake, service_account_email=None)) as q,
    ):
        await q.enqueue(a_task())
        (stored,) = fake.tasks.values()
    assert "oidc_token" not in stored.task.http_request


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.ABORTED,
    ],
)
async def test_cloud_brief_fault_is_retried_within_the_call(cloud, code):
    cloud.fake.fail_next(1, code)
    assert await cloud.queue.enqueue(a_task()) is True
    assert cloud.fake.calls == ["create_task"] * 2


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.ABORTED])
async def test_cloud_lasting_fault_ends_as_unavailable(cloud, code):
    cloud.fake.fail_next(100, code)
    with pytest.raises(QueueUnavailable):
        await cloud.queue.enqueue(a_task())
    assert not cloud.fake.tasks


async def test_cloud_quota_is_not_hammered(cloud):
    cloud.fake.fail_next(1, grpc.StatusCode.RESOURCE_EXHAUSTED)
    with pytest.raises(QueueUnavailable):
        await cloud.queue.enqueue(a_task())
    assert cloud.fake.calls == ["create_task"]


async def test_cloud_silence_ends_at_the_time_limit(cloud):
    hasty = cloud_queue(cloud.fake, call_timeout=timedelta(seconds=0.1), retry_for=timedelta(0))
    cloud.fake.delay_next(1, 0.3)
    async with closing(hasty):
        with pytest.raises(QueueUnavailable):
            await hasty.enqueue(a_task())


async def test_cloud_cut_connection_is_opened_again(cloud):
    cloud.fake.drop_next(1)
    assert await cloud.queue.enqueue(a_task()) is True
    assert len(cloud.fake.tasks) == 1


@pytest.mark.parametrize("how", ["refused", "cut"])
async def test_cloud_repeated_call_that_finds_its_own_success_reports_a_taken_name(cloud, how):
    if how == "cut":
        cloud.fake.drop_next(1, after_effect=True)
    else:
        cloud.fake.fail_next(1, grpc.StatusCode.UNAVAILABLE, after_effect=True)

    assert await cloud.queue.enqueue(a_task()) is False
    await cloud.run_due()
    assert len(cloud.deliveries) == 1


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        (grpc.StatusCode.PERMISSION_DENIED, "cloudtasks.enqueuer"),
        (grpc.StatusCode.UNAUTHENTICATED, "credentials"),
        (grpc.StatusCode.FAILED_PRECONDITION, "state"),
        (grpc.StatusCode.INVALID_ARGUMENT, "URLs"),
    ],
)
async def test_cloud_wrong_set_up_names_the_queue_and_the_remedy(cloud, code, remedy):
    cloud.fake.fail_next(1, code)
    with pytest.raises(SettingsError, match=remedy) as raised:
        await cloud.queue.enqueue(a_task())
    assert cloud.fake.queue_path in str(raised.value)


async def test_cloud_missing_queue_is_a_settings_error(cloud):
    async with closing(cloud_queue(cloud.fake, queue="other")) as queue:
        with pytest.raises(SettingsError, match="create the queue"):
            await queue.enqueue(a_task())


async def test_cloud_missing_queue_has_no_backlog_but_a_remedy(cloud):
    async with closing(cloud_queue(cloud.fake, queue="other")) as queue:
        with pytest.raises(SettingsError, match=r"cloudtasks\.viewer"):
            await queue.backlog(NOON)


async def test_cloud_backlog_of_an_unreachable_queue_is_not_empty(cloud):
    await cloud.break_down()
    with pytest.raises(QueueUnavailable):
        await cloud.queue.backlog(NOON)


async def test_cloud_backlog_of_several_pages_is_counted_whole(cloud):
    for number in range(1_005):
        name, due = f"{cloud.fake.queue_path}/tasks/{number:05d}", NOON + timedelta(minutes=number)
        cloud.fake.tasks[name] = Stored(tasks_v2.Task(name=name, schedule_time=due), due)
    assert await cloud.queue.backlog(NOON, limit=2_000) == Backlog(late=1, planned=1_004, late_since=NOON)


async def test_cloud_target_without_url_is_a_settings_error(cloud):
    with pytest.raises(SettingsError, match="nowhere"):
        await cloud.queue.enqueue(a_task(target="/nowhere"))


async def test_cloud_missing_credentials_are_a_settings_error(monkeypatch, tmp_path):
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "absent.json"))
    queue = CloudTasksQueue(project="p", location="l", queue="q", answers="a", urls=URLS, service_account_email=INVOKER)
    with pytest.raises(SettingsError, match="gcloud auth"):
        await queue.enqueue(a_task())


@pytest.mark.parametrize(
    "wrong", [{"urls": {"extract": "extract.a.run.app"}}, {"dispatch_deadline": timedelta(hours=1)}]
)
def test_cloud_unusable_settings_are_refused_at_once(wrong):
    regular = {"urls": URLS, "service_account_email": INVOKER}
    with pytest.raises(SettingsError):
        CloudTasksQueue(project="p", location="l", queue="q", answers="a", **{**regular, **wrong})


@contextlib.asynccontextmanager
async def closing(queue):
    try:
        yield queue
    finally:
        await queue.aclose()
