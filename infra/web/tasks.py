"""One run of a task or a job over HTTP: who may call, and what is answered to what became of it."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from infra.bootstrap import Runtime
from infra.observability.line import RequestLine, one_line
from infra.tasks.retries import RETRIES, RetryPolicy
from infra.web.http import (
    BadRequest,
    check_is_json_post,
    parse_json,
    read_body,
    refuse,
    respond_recorded,
    try_later,
)
from shared.application.intake.tasks import Done, deal_with_task
from shared.application.payload_codec import chat_in
from shared.application.telemetry import note_chat
from shared.domain.errors import GivenUp, TransientError, Unauthenticated, UnforeseenFailure
from shared.domain.intake.updates import UpdateOutcome


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
    work: Callable[[dict[str, Any]], Awaitable[Done]],
    *,
    audience: str | None,
    event: Literal["task", "job"],
    job: str,
    policy: RetryPolicy = RETRIES,
    refusal: BadRequest | None = None,
    later: int = 503,
) -> Response:
    """Run one task: 4xx for what is none of ours, `later` when it should be tried again, else 200, also for what became
    a dead letter. `deal_with_task` decides which; here it is said in HTTP.

    Args:
        event: What the log calls it,
        job: and its name there.
        policy: Of its queue, which lets a task vanish after its last attempt.
        refusal: Why there is nothing to run; told only to callers who may have tasks run.
        later: 503, which has Cloud Tasks slow down the whole queue, or 500, which is about this task alone.
    """
    line = RequestLine(job=job, attempt=_number_of(request))
    with one_line(event, line, request.headers):
        try:
            body, payload = await task_payload(runtime, request, audience=audience)
            note_chat(chat_in(payload))
            if refusal is not None:
                raise refusal
            store, clock, is_last = runtime.app.store, runtime.app.clock, is_last_attempt(request, policy)
            done = await deal_with_task(store, clock, body, lambda: work(payload), job=job, is_last=is_last)
            if isinstance(done, UpdateOutcome):
                line.end(done)
                return JSONResponse({"outcome": str(done)})
            line.counts = done
            return JSONResponse(line.counts)
        except GivenUp as error:
            return respond_recorded(error, line)
        except BadRequest as error:
            line.fail("refused", error, level=logging.WARNING, status=error.status)
            line.detail = str(error) if error.status == 401 else None  # one of the sentences of infra/web/oidc.py
            return refuse(error)
        except UnforeseenFailure as error:
            line.fail("crashed", error.__cause__, level=logging.ERROR, status=later)
            return try_later(error, status=later)
        except TransientError as error:
            line.fail("retry", error, level=logging.WARNING, status=later)
            return try_later(error, status=later)


def is_last_attempt(request: Request, policy: RetryPolicy) -> bool:
    """Return whether the queue lets the task vanish after this attempt."""
    count = request.headers.get("x-cloudtasks-taskretrycount", "0")
    return re.fullmatch(r"[0-9]{1,9}", count) is not None and int(count) >= policy.max_attempts - 1


def _number_of(request: Request) -> int | None:
    """Return which attempt it is, from 1; None for what is no task of a queue."""
    count = request.headers.get("x-cloudtasks-taskretrycount", "")
    return int(count) + 1 if re.fullmatch(r"[0-9]{1,9}", count) else None
