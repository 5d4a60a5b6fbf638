"""The backlog of a queue of Cloud Tasks, as its SDK lists it; only the health job asks."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import grpc
from google.api_core import exceptions as errors
from google.api_core.retry import AsyncRetry, if_exception_type
from google.auth.exceptions import DefaultCredentialsError
from google.cloud import tasks_v2
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport

from shared.application.ports.tasks import Backlog
from shared.domain.errors import QueueUnavailable, SettingsError

_PAGE = 1_000  # tasks that Cloud Tasks lists at once, at most
_LOOKING = "check that it is there, and grant this account roles/cloudtasks.viewer on it"
_BRIEF_FAULTS = (
    *(errors.ServiceUnavailable, errors.DeadlineExceeded, errors.InternalServerError),
    *(errors.Unknown, errors.Aborted),
)
_REFUSALS = (
    *(errors.NotFound, errors.PermissionDenied, errors.Unauthenticated),
    *(errors.FailedPrecondition, errors.InvalidArgument),
)

_RETRY = AsyncRetry(predicate=if_exception_type(*_BRIEF_FAULTS), initial=0.1, maximum=1.0, timeout=3.0)


async def backlog_of(queue: str, now: datetime, *, limit: int, emulator_host: str | None, within: float) -> Backlog:
    """Return what a queue holds, in pages of up to 1,000.

    Args:
        within: Seconds that one call may take.

    Raises:
        QueueUnavailable: Cloud Tasks did not answer in time, or is over its quota.
        SettingsError: The queue is not there, or may not be looked at.
    """
    client = _client(queue, emulator_host)
    request = tasks_v2.ListTasksRequest(parent=queue, page_size=min(limit + 1, _PAGE))
    try:
        tasks = await _take_first(await client.list_tasks(request, retry=_RETRY, timeout=within), limit + 1)
    except _REFUSALS as error:
        raise SettingsError(f"{queue} cannot be looked at ({error}): {_LOOKING}") from error
    except errors.GoogleAPIError as error:
        raise QueueUnavailable(f"{queue} did not tell its tasks: {error}") from error
    finally:
        transport: Any = client.transport
        await transport.close()
    return _backlog(tasks[:limit], now, complete=len(tasks) <= limit)


def _client(queue: str, emulator_host: str | None) -> tasks_v2.CloudTasksAsyncClient:
    if emulator_host is not None:
        # `client_options.api_endpoint` alone would still speak TLS.
        transport = CloudTasksGrpcAsyncIOTransport(channel=grpc.aio.insecure_channel(emulator_host))
        return tasks_v2.CloudTasksAsyncClient(transport=transport)
    try:
        return tasks_v2.CloudTasksAsyncClient()
    except DefaultCredentialsError as error:
        message = f"No Google credentials for {queue}: run `gcloud auth application-default login`"
        raise SettingsError(message) from error


async def _take_first(pages: Any, most: int) -> list[tasks_v2.Task]:
    """The first tasks of a listing; no more pages are asked for than they take."""
    found: list[tasks_v2.Task] = []
    async for task in pages:
        found.append(task)
        if len(found) == most:
            break
    return found


def _backlog(tasks: list[tasks_v2.Task], now: datetime, *, complete: bool) -> Backlog:
    late = [since for task in tasks if (since := _late_since(task, now)) is not None]
    return Backlog(len(late), len(tasks) - len(late), min(late, default=None), complete=complete)


def _late_since(task: tasks_v2.Task, now: datetime) -> datetime | None:
    """Since when a task waits whose time has come: one that failed, since it was tried first."""
    first = task.first_attempt.dispatch_time if task.dispatch_count else None
    since = first or task.schedule_time
    # The client library's datetimes count nanoseconds.
    plain = datetime.fromtimestamp(since.timestamp(), UTC) if since is not None else now
    return plain if task.dispatch_count or plain <= now else None
