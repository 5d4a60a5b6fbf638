"""One run of a task or a job over HTTP: who may call, what is tried again, and what becomes a dead letter."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from infra.bootstrap import Runtime
from infra.observability.line import RequestLine, one_line
from infra.tasks.retries import RetryPolicy
from infra.web.http import (
    BadRequest,
    check_is_json_post,
    parse_json,
    read_body,
    refuse,
    respond_recorded,
    try_later,
)
from shared.application.dead_letters import give_up
from shared.application.telemetry import note_chat
from shared.domain.errors import PermanentError, TransientError, Unauthenticated

LAST_ATTEMPT = RetryPolicy().max_attempts - 1
"""Retry count of a task's last attempt, after which the queue would let it vanish."""


async def task_payload(runtime: Runtime, request: Request, *, audience: str | None) -> tuple[bytes, dict[str, Any]]:
    """The payload of an authenticated task.

    Raises:
        BadRequest: Not a JSON object by POST, too large, or (401) not by our account.
        TransientError: The caller could not be checked now.
    """
    if runtime.verifier is not None:
        try:
            await runtime.verifier.verify(request.headers.getlist("authorization"), address=audience)
        except Unauthenticated as error:
            raise BadRequest(401, str(error)) from error
    check_is_json_post(request)
    body = await read_body(request)
    try:
        payload = parse_json(body or b"{}")
    except ValueError as error:
        raise BadRequest(400, f"not JSON: {error}") from error
    if not isinstance(payload, dict):
        raise BadRequest(400, "the payload must be a JSON object")
    return body, payload


async def handle_task(
    runtime: Runtime,
    request: Request,
    work: Callable[[dict[str, Any]], Awaitable[dict[str, int]]],
    *,
    audience: str | None,
    event: Literal["task", "job"],
    job: str,
) -> Response:
    """Run one task: 4xx for what is none of ours, 503 when it should be tried again, else 200.

    What can never succeed, and the last attempt of what fails, is written down as a dead letter.

    Args:
        event: What the log calls it,
        job: and its name there.
    """
    line = RequestLine(job=job, attempt=_number_of(request))
    with one_line(event, line, request.headers):
        try:
            body, payload = await task_payload(runtime, request, audience=audience)
            note_chat(_chat_of(payload))
            return await _attempt(runtime, request, body, lambda: work(payload), line)
        except BadRequest as error:
            line.failed("refused", error, level=logging.WARNING, status=error.status)
            line.detail = str(error) if error.status == 401 else None  # one of the sentences of infra/web/oidc.py
            return refuse(error)
        except TransientError as error:
            line.failed("retry", error, level=logging.WARNING, status=503)
            return try_later(error)


def _chat_of(payload: dict[str, Any]) -> int | None:
    chat_id = payload.get("chat_id")
    return chat_id if isinstance(chat_id, int) else None


async def _attempt(
    runtime: Runtime,
    request: Request,
    body: bytes,
    work: Callable[[], Awaitable[dict[str, int]]],
    line: RequestLine,
) -> Response:
    try:
        line.counts = await work()
        return JSONResponse(line.counts)
    except BadRequest:
        raise
    except PermanentError as error:
        return await _drop(runtime, body, str(error), error, line)
    except TransientError as error:
        if _is_last(request):
            return await _drop(runtime, body, f"last attempt failed: {error}", error, line)
        raise
    except Exception as error:  # noqa: BLE001 - a bug must neither lose the task silently nor repeat for ever
        if _is_last(request):
            return await _drop(runtime, body, f"last attempt failed: {error!r}", error, line)
        line.failed("crashed", error, level=logging.ERROR, status=503)
        return try_later(TransientError(str(error)))


def _is_last(request: Request) -> bool:
    count = request.headers.get("x-cloudtasks-taskretrycount", "0")
    return re.fullmatch(r"[0-9]{1,9}", count) is not None and int(count) >= LAST_ATTEMPT


def _number_of(request: Request) -> int | None:
    """Return which attempt it is, from 1; None for what is no task of a queue."""
    count = request.headers.get("x-cloudtasks-taskretrycount", "")
    return int(count) + 1 if re.fullmatch(r"[0-9]{1,9}", count) else None


async def _drop(runtime: Runtime, body: bytes, reason: str, error: Exception, line: RequestLine) -> Response:
    app = runtime.app
    await give_up(app.store, app.clock, kind="task", body=body, reason=reason, error=error, job=line.job)
    return respond_recorded(error, line)
