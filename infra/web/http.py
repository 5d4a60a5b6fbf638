"""HTTP manners that the functions share: bounded JSON bodies, plain answers, who may call."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from infra.bootstrap import Runtime
from infra.observability.line import RequestLine, one_line
from infra.tasks.retries import RetryPolicy
from shared.application.dead_letters import give_up
from shared.application.telemetry import note_chat
from shared.domain.errors import PermanentError, TransientError, Unauthenticated

MAX_BODY = 1 << 19
"""Bytes: an update of the Bot API has a few kilobytes, a task a few hundred; a document has room for 1 MiB."""

LAST_ATTEMPT = RetryPolicy().max_attempts - 1
"""Retry count of a task's last attempt, after which the queue would let it vanish."""


class BadRequest(PermanentError):
    """The request is not one for us; `status` is what to answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def answer(status: int, text: str, **headers: str) -> Response:
    """A short plain-text answer."""
    return PlainTextResponse(
        text + "\n", status_code=status, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )


def refuse(error: BadRequest) -> Response:
    """The answer to a request that is not for us."""
    return answer(error.status, str(error), **({"Allow": "POST"} if error.status == 405 else {}))


def try_later(error: TransientError) -> Response:
    """503 with Retry-After: the caller's redelivery finishes what is missing."""
    return answer(503, "try again later", Retry_After=str(max(1, round(error.retry_after or 5))))


def check_is_json_post(request: Request) -> None:
    """Only POST (405) and only JSON (400).

    Raises:
        BadRequest: It is neither.
    """
    if request.method != "POST":
        raise BadRequest(405, "only POST is served here")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise BadRequest(400, "the content type must be application/json")


class TooLarge(BadRequest):
    """The body is over `MAX_BODY`; `head` is what was read of it."""

    def __init__(self, head: bytes) -> None:
        super().__init__(413, f"the body is over {MAX_BODY} bytes")
        self.head = head


async def read_body(request: Request) -> bytes:
    """The body, of at most `MAX_BODY` bytes.

    Raises:
        TooLarge: It is longer; no more than that was read.
        BadRequest: The caller hung up.
    """
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > MAX_BODY:
                raise TooLarge(bytes(body[:MAX_BODY]))
    except ClientDisconnect as error:
        raise BadRequest(400, "the body was cut off") from error
    return bytes(body)


def parse_json(body: bytes) -> Any:
    """The JSON value of a body.

    Raises:
        ValueError: It is none, or nested deeper than Python reads.
    """
    try:
        return json.loads(body)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


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


def respond_recorded(error: BaseException, line: RequestLine) -> Response:
    """The answer to what became a dead letter: it need not come again."""
    line.failed("dead_letter", error, level=logging.ERROR, status=200)
    return answer(200, "recorded as a dead letter")
