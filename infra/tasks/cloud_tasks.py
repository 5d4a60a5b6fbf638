"""Tasks through Google Cloud Tasks: named HTTP tasks with an OIDC token.

The task's id is a hash of its name, so Cloud Tasks refuses a second task of one name (up to 24 hours after the first
one ran) and the ids have no common prefix, which would slow the service down. Repeating a create is therefore safe,
and short faults are retried here. On the webhook's cold-start path: the SDK is loaded and the client
built by the first `enqueue`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from google.api_core import exceptions as errors
from google.api_core.retry import AsyncRetry, if_exception_type
from google.auth.exceptions import DefaultCredentialsError

from shared.application.ports.tasks import Backlog, Task
from shared.domain.errors import QueueUnavailable, SettingsError

if TYPE_CHECKING:
    from google.cloud import tasks_v2

MAX_NAME = 400
"""Most characters in a task's name."""
MAX_PAYLOAD_BYTES = 100_000
"""Most bytes of a payload, encoded as JSON in UTF-8."""

_SHORTEST_DEADLINE, _LONGEST_DEADLINE = timedelta(seconds=15), timedelta(minutes=30)
_ID_LENGTH = 40
_PAGE = 1_000  # tasks that Cloud Tasks lists at once, at most
_LOOKING = "check that it is there, and grant this account roles/cloudtasks.viewer on it"

_BRIEF_FAULTS = (
    errors.ServiceUnavailable,
    errors.DeadlineExceeded,
    errors.InternalServerError,
    errors.Unknown,
    errors.Aborted,
)
_REMEDIES: dict[type[errors.GoogleAPICallError], str] = {
    errors.NotFound: "create the queue, or correct its project, location and name",
    errors.PermissionDenied: "grant this function's service account roles/cloudtasks.enqueuer on the queue and "
    "roles/iam.serviceAccountUser on the account that the tasks run as",
    errors.Unauthenticated: "give this function credentials (a service account, or application default credentials)",
    errors.FailedPrecondition: "bring the queue into a state that takes tasks (it may have been deleted recently)",
    errors.InvalidArgument: "correct the queue's name, the functions' URLs or the service account's e-mail",
}


class CloudTasksQueue:
    """`TaskQueue` on Cloud Tasks: a queue of answers, which wait behind nothing else, and one of all else.

    Args:
        answers: Name of the queue of what the function `answer` runs.
        urls: Base URL of each function by the first part of a target: {"extract": "https://…", "maintenance": …}.
            `/maintenance/decay` is posted to the maintenance URL + `/decay`.
        service_account_email: Account whose OIDC token the request carries; None sends no token, for emulated
            deployments.
        audience: What that token is made for; None: the function's base URL.
        dispatch_deadline: Longest time one run may take, 15 seconds to 30 minutes.
        emulator_host: `host:port` of an emulator spoken to without TLS and credentials.
        call_timeout: Longest time of one call.
        retry_for: How long brief faults are retried; `enqueue` takes at most this and one `call_timeout`.

    Raises:
        SettingsError: A URL or the deadline is not usable.
    """

    def __init__(
        self,
        *,
        project: str,
        location: str,
        queue: str,
        answers: str,
        urls: Mapping[str, str],
        service_account_email: str | None,
        audience: str | None = None,
        dispatch_deadline: timedelta = timedelta(minutes=10),
        emulator_host: str | None = None,
        call_timeout: timedelta = timedelta(seconds=5),
        retry_for: timedelta = timedelta(seconds=3),
    ) -> None:
        _check_settings(urls, dispatch_deadline)
        queues = f"projects/{project}/locations/{location}/queues"
        self._queue, self._answers = f"{queues}/{queue}", f"{queues}/{answers}"
        self._urls = dict(urls)
        self._email, self._audience = service_account_email, audience
        self._deadline = dispatch_deadline
        self._emulator_host = emulator_host
        self._timeout = call_timeout.total_seconds()
        self._retry = AsyncRetry(
            predicate=if_exception_type(*_BRIEF_FAULTS), initial=0.1, maximum=1.0, timeout=retry_for.total_seconds()
        )
        self._client: tasks_v2.CloudTasksAsyncClient | None = None

    async def enqueue(self, task: Task) -> bool:
        """Create the task; False when Cloud Tasks knows its name.

        False is also the answer when a repeated call finds what its lost predecessor made: the task is scheduled,
        but it cannot be told by whom.

        Raises:
            QueueUnavailable: Cloud Tasks did not answer in time, or is over its quota.
            SettingsError: The queue refuses tasks as configured, or no URL is configured for the target.
            ValueError: The payload is too large or not JSON, the name too long, or `run_at` naive.
        """
        from google.cloud import tasks_v2  # while the store's first answer is on its way

        queue = self._answers if _function_of(task) == "answer" else self._queue
        request = tasks_v2.CreateTaskRequest(parent=queue, task=self._build(task, queue))
        try:
            await self._connect().create_task(request, retry=self._retry, timeout=self._timeout)
        except tuple(_REMEDIES) as error:
            raise _configuration_error(queue, error) from error
        except errors.Aborted as error:  # a Conflict by class, but not of names
            raise _unavailable(queue, error) from error
        except errors.Conflict:
            return False
        except errors.GoogleAPIError as error:
            raise _unavailable(queue, error) from error
        return True

    async def backlog(self, now: datetime, *, limit: int = 1_000) -> Backlog:
        """Return what the queue of all but answers holds, in pages of up to 1,000.

        Raises:
            QueueUnavailable: Cloud Tasks did not answer in time, or is over its quota.
            SettingsError: The queue is not there, or may not be looked at.
        """
        from google.cloud import tasks_v2

        request = tasks_v2.ListTasksRequest(parent=self._queue, page_size=min(limit + 1, _PAGE))
        try:
            pages = await self._connect().list_tasks(request, retry=self._retry, timeout=self._timeout)
            tasks = await _first(pages, limit + 1)
        except tuple(_REMEDIES) as error:
            raise SettingsError(f"{self._queue} cannot be looked at ({error}): {_LOOKING}") from error
        except errors.GoogleAPIError as error:
            raise QueueUnavailable(f"{self._queue} did not tell its tasks: {error}") from error
        return _backlog(tasks[:limit], now, complete=len(tasks) <= limit)

    async def aclose(self) -> None:
        """Close the connection; the next `enqueue` would open another."""
        client, self._client = self._client, None
        if client is not None:
            transport: Any = client.transport
            await transport.close()

    def _connect(self) -> tasks_v2.CloudTasksAsyncClient:
        if self._client is None:
            self._client = self._new_client()
        return self._client

    def _new_client(self) -> tasks_v2.CloudTasksAsyncClient:
        from google.cloud import tasks_v2

        if self._emulator_host is not None:
            return _emulated_client(self._emulator_host)
        try:
            return tasks_v2.CloudTasksAsyncClient()
        except DefaultCredentialsError as error:
            message = f"No Google credentials for {self._queue}: run `gcloud auth application-default login`"
            raise SettingsError(message) from error

    def _build(self, task: Task, queue: str) -> tasks_v2.Task:
        from google.cloud import tasks_v2

        built = tasks_v2.Task(
            name=f"{queue}/tasks/{_task_id(task.name)}",
            http_request=self._http_request(task),
            dispatch_deadline=self._deadline,
        )
        if task.run_at is not None:
            if task.run_at.tzinfo is None:
                raise ValueError(f"run_at of task {task.name!r} has no time zone")
            built.schedule_time = task.run_at
        return built

    def _http_request(self, task: Task) -> tasks_v2.HttpRequest:
        function, rest = _function_of(task), task.target.removeprefix("/").partition("/")[2]
        base = self._urls.get(function)
        if base is None:
            raise SettingsError(f"No URL is configured for the function {function!r} (target {task.target!r})")
        from google.cloud import tasks_v2

        token = None
        if self._email:
            token = tasks_v2.OidcToken(service_account_email=self._email, audience=self._audience or base)
        return tasks_v2.HttpRequest(
            url=f"{base.rstrip('/')}/{rest}" if rest else base,
            http_method=tasks_v2.HttpMethod.POST,
            headers={"Content-Type": "application/json"},
            body=_encode(task),
            oidc_token=token,
        )


def _function_of(task: Task) -> str:
    """Return the name of the function that runs a task."""
    return task.target.removeprefix("/").partition("/")[0]


def _unavailable(queue: str, error: errors.GoogleAPIError) -> QueueUnavailable:
    return QueueUnavailable(f"{queue} did not take the task: {error}")


def _configuration_error(queue: str, error: errors.GoogleAPICallError) -> SettingsError:
    remedy = next(text for kind, text in _REMEDIES.items() if isinstance(error, kind))
    return SettingsError(f"{queue} refuses tasks ({error}): {remedy}")


async def _first(pages: Any, most: int) -> list[tasks_v2.Task]:
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


def _check_settings(urls: Mapping[str, str], dispatch_deadline: timedelta) -> None:
    for function, url in urls.items():
        if not url.startswith(("https://", "http://")):
            raise SettingsError(f"The URL of the function {function!r} must be http(s), not {url!r}")
    if not _SHORTEST_DEADLINE <= dispatch_deadline <= _LONGEST_DEADLINE:
        raise SettingsError(f"A task's deadline must be 15 seconds to 30 minutes, not {dispatch_deadline}")


def _emulated_client(host: str) -> tasks_v2.CloudTasksAsyncClient:
    # `client_options.api_endpoint` alone would still speak TLS.
    import grpc
    from google.cloud import tasks_v2
    from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport

    transport = CloudTasksGrpcAsyncIOTransport(channel=grpc.aio.insecure_channel(host))
    return tasks_v2.CloudTasksAsyncClient(transport=transport)


def _task_id(name: str) -> str:
    if len(name) > MAX_NAME:
        raise ValueError(f"A task's name has at most {MAX_NAME} characters, not {len(name)}: {name[:40]!r}…")
    return hashlib.sha256(name.encode()).hexdigest()[:_ID_LENGTH]


def _encode(task: Task) -> bytes:
    body = json.dumps(dict(task.payload), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    if len(body) > MAX_PAYLOAD_BYTES:
        raise ValueError(f"The payload of {task.name!r} has {len(body)} bytes, {MAX_PAYLOAD_BYTES} at most: pass ids")
    return body
