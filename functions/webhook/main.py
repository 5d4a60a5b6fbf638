"""The webhook function: a Telegram update comes in and is stored; what it asks is left to the answer function."""

from __future__ import annotations

import gc
import hmac
import logging

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from infra.foundation import WEBHOOK_NEEDS, stop_unless_configured
from infra.intake import TakingIn, webhook_runtime
from infra.observability.line import RequestLine, one_line
from infra.telegram.reply import call_for
from infra.telegram.updates import decode_update, parse_update
from infra.web.http import (
    BadRequest,
    TooLarge,
    answer,
    check_is_json_post,
    read_body,
    refuse,
    respond_recorded,
    try_later,
)
from shared.application.intake.dealing import deal_with_update, give_up_head
from shared.domain.errors import GivenUp, SettingsError, TransientError, UnforeseenFailure

if __name__ == "main":  # deployed: functions-framework loads the file under this name, before it serves
    stop_unless_configured(WEBHOOK_NEEDS)
    gc.disable()  # the server's imports are still to come; `webhook_runtime` enables it again


@functions_framework.aio.http
async def webhook(request: Request) -> Response:
    """Entry point of the deployed function."""
    return await handle_webhook(request, webhook_runtime())


async def handle_webhook(request: Request, runtime: TakingIn) -> Response:
    """Check the caller, then deal with one update.

    401 without the secret, 405 and 400 for what is not JSON by POST, 503 when a redelivery is needed (Telegram sends an
    update again after any answer but 2xx), else 200: also for what became a dead letter, such as a body over 512 KiB.
    """
    line = RequestLine()
    with one_line("update", line, request.headers):
        try:
            return await _answer_request(request, runtime, line)
        except GivenUp as error:
            return respond_recorded(error, line)
        except BadRequest as error:
            line.fail("refused", error, level=logging.WARNING, status=error.status)
            return refuse(error)
        except UnforeseenFailure as error:
            line.fail("crashed", error.__cause__, level=logging.ERROR, status=503)
            return try_later(error)
        except TransientError as error:
            line.fail("retry", error, level=logging.WARNING, status=503)
            return try_later(error)
        except SettingsError as error:
            line.fail("retry", error, level=logging.ERROR, status=503)
            return try_later(TransientError(str(error)))


async def _answer_request(request: Request, runtime: TakingIn, line: RequestLine) -> Response:
    _check_secret(request, runtime)
    check_is_json_post(request)
    try:
        body = await read_body(request)
    except TooLarge as error:
        await give_up_head(runtime.app.store, runtime.app.clock, error.head, error)
    outcome = await deal_with_update(runtime.app, body, lambda: parse_update(decode_update(body)))
    line.end(outcome)
    acknowledges = outcome.acknowledges
    return answer(200, "ok") if acknowledges is None else JSONResponse(call_for(acknowledges))


def _check_secret(request: Request, runtime: TakingIn) -> None:
    secrets = runtime.settings.telegram_webhook_secret or ()
    if not secrets and runtime.settings.spomyn_queue == "local":
        return  # `make run`, on this machine alone; no deployed function has that queue
    given = request.headers.get("x-telegram-bot-api-secret-token", "").encode()
    # All are compared, so that the time tells nothing of which one was nearly right.
    right = [hmac.compare_digest(given, secret.encode()) for secret in secrets]
    if not any(right):
        raise BadRequest(401, "the secret token is missing or wrong")
