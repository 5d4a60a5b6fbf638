"""The extract function: a task names a chat, and what is new in it becomes memory."""

from __future__ import annotations

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from infra.bootstrap import WORKER_NEEDS, Runtime, function_runtime, stop_unless_configured
from infra.http import BadRequest, answer, drop, failed_task, refuse, task_payload, try_later
from shared.application.extraction import extract_chat
from shared.domain.errors import PermanentError, TransientError

if __name__ == "main":  # deployed: functions-framework loads the file under this name, before it serves
    stop_unless_configured(WORKER_NEEDS)


@functions_framework.aio.http
async def extract(request: Request) -> Response:
    """Entry point of the deployed function."""
    return await handle_extract(request, function_runtime(WORKER_NEEDS))


async def handle_extract(request: Request, runtime: Runtime) -> Response:
    """Run one extraction task `{"chat_id": …, "window": …}`.

    401 and 4xx for what is not a task of ours, 503 when it should be tried again, 200 when it is done or recorded as a
    dead letter.
    """
    try:
        body, payload = await task_payload(runtime, request, audience=runtime.settings.extract_url)
    except BadRequest as error:
        return refuse(error)
    except TransientError as error:
        return try_later(error)
    chat_id = payload.get("chat_id")
    if not isinstance(chat_id, int) or isinstance(chat_id, bool):
        await drop(runtime, body, "an extraction task without a chat_id")
        return answer(200, "recorded as a dead letter")
    try:
        done = await extract_chat(runtime.app, chat_id)
    except TransientError as error:
        return await failed_task(runtime, request, body, error)
    except PermanentError as error:
        await drop(runtime, body, str(error))
        return answer(200, "recorded as a dead letter")
    return JSONResponse({"chunks": done.chunks, "changes": len(done.changes)})
