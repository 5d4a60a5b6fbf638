"""HTTP manners that the functions share: bounded JSON bodies and plain answers."""

from __future__ import annotations

import json
import logging
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from infra.observability.line import RequestLine
from shared.domain.errors import GivenUp, PermanentError, TransientError

MAX_BODY = 1 << 19
"""Bytes: an update of the Bot API has a few kilobytes, a task a few hundred; a document has room for 1 MiB."""


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


def try_later(error: TransientError, *, status: int = 503) -> Response:
    """503, or another status, with Retry-After: the caller's redelivery finishes what is missing."""
    return answer(status, "try again later", Retry_After=str(max(1, round(error.retry_after or 5))))


def check_is_json_post(request: Request) -> None:
    """Refuse everything but POST (405) and JSON (400).

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


def respond_recorded(error: GivenUp, line: RequestLine) -> Response:
    """The answer to what became a dead letter: it need not come again."""
    line.fail("dead_letter", error.__cause__, level=logging.ERROR, status=200)
    return answer(200, "recorded as a dead letter")
