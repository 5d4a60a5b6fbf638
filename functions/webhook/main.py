"""The webhook function: a Telegram update comes in, is stored, and is answered when it calls for an answer."""

from __future__ import annotations

import gc
import hmac
import logging

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import Response

from infra.bootstrap import WEBHOOK_NEEDS, Runtime, function_runtime, stop_unless_configured
from infra.http import (
    BadRequest,
    TooLarge,
    answer,
    bury,
    check_is_json_post,
    read_body,
    refuse,
    try_later,
)
from infra.observability.line import RequestLine, one_line
from infra.telegram_updates import decode_update, parse_update
from shared.application.receive import receive_update
from shared.application.telemetry import note_chat
from shared.domain.errors import PermanentError, SettingsError, TransientError
from shared.domain.updates import ChatMigratedTo, Ignored, Update

if __name__ == "main":  # deployed: functions-framework loads the file under this name, before it serves
    stop_unless_configured(WEBHOOK_NEEDS)
    gc.disable()  # the server's imports are still to come; `function_runtime` enables it again


@functions_framework.aio.http
async def webhook(request: Request) -> Response:
    """Entry point of the deployed function."""
    return await handle_webhook(request, function_runtime(WEBHOOK_NEEDS, runs_tasks=False))


async def handle_webhook(request: Request, runtime: Runtime) -> Response:
    """Check the caller, then deal with one update.

    401 without the secret, 405 and 400 for what is not JSON by POST, 413 over 512 KiB, 503 when a redelivery is needed
    (Telegram sends an update again after any answer but 2xx), else 200.
    """
    line = RequestLine()
    with one_line("update", line, request.headers):
        try:
            return await _answered(request, runtime, line)
        except BadRequest as error:
            line.failed("refused", error, level=logging.WARNING, status=error.status)
            return refuse(error)
        except TransientError as error:
            line.failed("retry", error, level=logging.WARNING, status=503)
            return try_later(error)
        except SettingsError as error:
            line.failed("retry", error, level=logging.ERROR, status=503)
            return try_later(TransientError(str(error)))


async def _answered(request: Request, runtime: Runtime, line: RequestLine) -> Response:
    _check_secret(request, runtime)
    check_is_json_post(request)
    try:
        body = await read_body(request)
    except TooLarge as error:
        await bury(runtime, "update", error.head, "over the size limit; only the beginning is kept", error, line)
        raise
    try:
        update = parse_update(decode_update(body))
        note_chat(_chat_of(update))
        line.ended(await receive_update(runtime.app, update))
    except (PermanentError, ValueError) as error:  # ValueError: a document that no store takes
        await bury(runtime, "update", body, str(error), error, line)
        return answer(200, "recorded as a dead letter")
    return answer(200, "ok")


def _chat_of(update: Update) -> int | None:
    if isinstance(update, ChatMigratedTo):
        return update.new_chat_id
    chat = None if isinstance(update, Ignored) else update.chat
    return None if chat is None else chat.chat_id


def _check_secret(request: Request, runtime: Runtime) -> None:
    secrets = runtime.settings.telegram_webhook_secret or ()
    if not secrets and runtime.settings.spomyn_queue == "local":
        return  # `make run`, on this machine alone; no deployed function has that queue
    given = request.headers.get("x-telegram-bot-api-secret-token", "").encode()
    # All are compared, so that the time tells nothing of which one was nearly right.
    right = [hmac.compare_digest(given, secret.encode()) for secret in secrets]
    if not any(right):
        raise BadRequest(401, "the secret token is missing or wrong")
