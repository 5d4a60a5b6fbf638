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
    check_is_json_post,
    read_body,
    refuse,
    try_later,
)
from infra.telegram_updates import decode_update, parse_update
from shared.application.dead_letters import record_dead_letter
from shared.application.receive import receive_update
from shared.domain.errors import PermanentError, SettingsError, TransientError

log = logging.getLogger(__name__)

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
    try:
        return await _answered(request, runtime)
    except TransientError as error:
        log.warning("an update must come again: %s", error)
        return try_later(error)
    except SettingsError as error:
        log.error("an update must come again: %s", error)  # noqa: TRY400 - the sentence says it all
        return try_later(TransientError(str(error)))


async def _answered(request: Request, runtime: Runtime) -> Response:
    try:
        _check_secret(request, runtime)
        check_is_json_post(request)
        body = await read_body(request)
    except TooLarge as error:
        await _record(runtime, error.head, "over the size limit; only the beginning is kept")
        return refuse(error)
    except BadRequest as error:
        return refuse(error)
    try:
        outcome = await receive_update(runtime.app, parse_update(decode_update(body)))
    except (PermanentError, ValueError) as error:  # ValueError: a document that no store takes
        await _record(runtime, body, str(error))
        return answer(200, "recorded as a dead letter")
    log.debug("update: %s", outcome)
    return answer(200, "ok")


def _check_secret(request: Request, runtime: Runtime) -> None:
    secret = runtime.settings.telegram_webhook_secret
    given = request.headers.get("x-telegram-bot-api-secret-token", "")
    if secret is not None and not hmac.compare_digest(given.encode(), secret.encode()):
        raise BadRequest(401, "the secret token is missing or wrong")


async def _record(runtime: Runtime, body: bytes, reason: str) -> None:
    log.warning("an update was recorded as a dead letter: %s", reason)
    await record_dead_letter(runtime.app.store, runtime.app.clock, kind="update", body=body, reason=reason)
