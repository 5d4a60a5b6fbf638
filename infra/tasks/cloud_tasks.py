"""Tasks through Google Cloud Tasks: named HTTP tasks with an OIDC token.

The task's id is a hash of its name, so Cloud Tasks refuses a second task of one name (up to 24 hours after the first
one ran) and the ids have no common prefix, which would slow the service down. Repeating a create is therefore safe,
and short faults are retried here. On the webhook's cold-start path: tasks are made over the REST API, without the SDK.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from typing import Any

from infra.rest.access import Access
from infra.rest.http import HttpPool
from infra.rest.refusals import error_of
from shared.application.ports.tasks import Backlog, Task
from shared.domain.errors import QueueUnavailable, SettingsError

MAX_NAME = 400
"""Most characters in a task's name."""
MAX_PAYLOAD_BYTES = 100_000
"""Most bytes of a payload, encoded as JSON in UTF-8."""

_SHORTEST_DEADLINE, _LONGEST_DEADLINE = timedelta(seconds=15), timedelta(minutes=30)
_ID_LENGTH = 40
_SERVICE = "https://cloudtasks.googleapis.com"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 1.0

_BRIEF_FAULTS = frozenset({"UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "UNKNOWN", "ABORTED"})
_REMEDIES = {
    "NOT_FOUND": "create the queue, or correct its project, location and name",
    "PERMISSION_DENIED": "grant this function's service account roles/cloudtasks.enqueuer on the queue and "
    "roles/iam.serviceAccountUser on the account that the tasks run as",
    "UNAUTHENTICATED": "give this function credentials (a service account, or application default credentials)",
    "FAILED_PRECONDITION": "bring the queue into a state that takes tasks (it may have been deleted recently)",
    "INVALID_ARGUMENT": "correct the queue's name, the functions' URLs or the service account's e-mail",
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
        self._retry_for = retry_for.total_seconds()
        self._pool = HttpPool(f"http://{emulator_host}" if emulator_host else _SERVICE, timeout=self._timeout)
        self._access = Access(emulated=emulator_host is not None)

    async def enqueue(self, task: Task) -> bool:
        """Create the task; False when Cloud Tasks knows its name.

        False is also the answer when a repeated call finds what its lost predecessor made: the task is scheduled,
        but it cannot be told by whom.

        Raises:
            QueueUnavailable: Cloud Tasks did not answer in time, or is over its quota.
            SettingsError: The queue refuses tasks as configured, or no URL is configured for the target.
            ValueError: The payload is too large or not JSON, the name too long, or `run_at` naive.
        """
        queue = self._answers if _function_of(task) == "answer" else self._queue
        said = json.dumps({"task": self._build(task, queue)}).encode()
        loop, pause = asyncio.get_running_loop(), _FIRST_PAUSE
        give_up_at = loop.time() + self._retry_for
        while (fault := await self._create(queue, said)) is not None:
            if fault == "ALREADY_EXISTS":
                return False
            if fault not in _BRIEF_FAULTS or loop.time() + pause > give_up_at:
                raise QueueUnavailable(f"{queue} did not take the task: {fault}")
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        return True

    async def _create(self, queue: str, said: bytes) -> str | None:
        """Make a task once; what went wrong, or None.

        Raises:
            SettingsError: The queue refuses tasks as configured.
        """
        try:
            async with asyncio.timeout(self._timeout):
                headers = {**await self._access.headers(), "content-type": "application/json"}
                reply = await self._pool.request("POST", f"/v2/{queue}/tasks", headers=headers, body=said)
        except TimeoutError:
            return "DEADLINE_EXCEEDED"
        except (OSError, HTTPException):
            return "UNAVAILABLE"
        if reply.status == 200:
            return None
        fault, message = error_of(reply)
        if reply.status == 401:
            self._access.forget()
        if fault in _REMEDIES:
            raise SettingsError(f"{queue} refuses tasks ({message}): {_REMEDIES[fault]}")
        return fault or ("UNAVAILABLE" if reply.status >= 500 else f"HTTP {reply.status}")

    async def backlog(self, now: datetime, *, limit: int = 1_000) -> Backlog:
        """Return what the queue of all but answers holds, in pages of up to 1,000.

        Raises:
            QueueUnavailable: Cloud Tasks did not answer in time, or is over its quota.
            SettingsError: The queue is not there, or may not be looked at.
        """
        from infra.tasks.cloud_backlog import backlog_of

        where = self._emulator_host
        return await backlog_of(self._queue, now, limit=limit, emulator_host=where, within=self._timeout)

    async def aclose(self) -> None:
        """Close the connections; the next `enqueue` would open others."""
        await self._pool.aclose()

    def _build(self, task: Task, queue: str) -> dict[str, Any]:
        built: dict[str, Any] = {
            "name": f"{queue}/tasks/{_task_id(task.name)}",
            "httpRequest": self._http_request(task),
            "dispatchDeadline": f"{self._deadline.total_seconds():.0f}s",
        }
        if task.run_at is not None:
            if task.run_at.tzinfo is None:
                raise ValueError(f"run_at of task {task.name!r} has no time zone")
            built["scheduleTime"] = task.run_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
        return built

    def _http_request(self, task: Task) -> dict[str, Any]:
        function, rest = _function_of(task), task.target.removeprefix("/").partition("/")[2]
        base = self._urls.get(function)
        if base is None:
            raise SettingsError(f"No URL is configured for the function {function!r} (target {task.target!r})")
        request: dict[str, Any] = {
            "url": f"{base.rstrip('/')}/{rest}" if rest else base,
            "httpMethod": "POST",
            "headers": {"Content-Type": "application/json"},
            "body": base64.b64encode(_encode(task)).decode(),
        }
        if self._email:
            request["oidcToken"] = {"serviceAccountEmail": self._email, "audience": self._audience or base}
        return request


def _function_of(task: Task) -> str:
    """Return the name of the function that runs a task."""
    return task.target.removeprefix("/").partition("/")[0]


def _check_settings(urls: Mapping[str, str], dispatch_deadline: timedelta) -> None:
    for function, url in urls.items():
        if not url.startswith(("https://", "http://")):
            raise SettingsError(f"The URL of the function {function!r} must be http(s), not {url!r}")
    if not _SHORTEST_DEADLINE <= dispatch_deadline <= _LONGEST_DEADLINE:
        raise SettingsError(f"A task's deadline must be 15 seconds to 30 minutes, not {dispatch_deadline}")


def _task_id(name: str) -> str:
    if len(name) > MAX_NAME:
        raise ValueError(f"A task's name has at most {MAX_NAME} characters, not {len(name)}: {name[:40]!r}…")
    return hashlib.sha256(name.encode()).hexdigest()[:_ID_LENGTH]


def _encode(task: Task) -> bytes:
    body = json.dumps(dict(task.payload), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    if len(body) > MAX_PAYLOAD_BYTES:
        raise ValueError(f"The payload of {task.name!r} has {len(body)} bytes, {MAX_PAYLOAD_BYTES} at most: pass ids")
    return body
