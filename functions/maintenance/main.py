"""The maintenance function: `POST /maintenance/<job>` fans a job out over the chats, or runs it for one."""

from __future__ import annotations

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from infra.bootstrap import WORKER_NEEDS, Runtime, function_runtime, stop_unless_configured
from infra.http import BadRequest, answer, drop, failed_task, refuse, task_payload, try_later
from shared.application.maintenance import run_job
from shared.domain.errors import PermanentError, TransientError, UnknownJob

if __name__ == "main":  # deployed: functions-framework loads the file under this name, before it serves
    stop_unless_configured(WORKER_NEEDS)


@functions_framework.aio.http
async def maintenance(request: Request) -> Response:
    """Entry point of the deployed function."""
    return await handle_maintenance(request, function_runtime(WORKER_NEEDS))


async def handle_maintenance(request: Request, runtime: Runtime) -> Response:
    """Run the job that the last part of the path names.

    404 for an unknown job, 401 and 4xx for what is not a task of ours, 503 when it should be tried again, 200 when it
    is done or recorded as a dead letter.
    """
    job = request.url.path.rstrip("/").rsplit("/", 1)[-1]
    try:
        body, payload = await task_payload(runtime, request, audience=runtime.settings.maintenance_url)
    except BadRequest as error:
        return refuse(error)
    except TransientError as error:
        return try_later(error)
    try:
        return JSONResponse(await run_job(runtime.app, job, payload))
    except UnknownJob as error:
        return answer(404, str(error))
    except TransientError as error:
        return await failed_task(runtime, request, body, error)
    except PermanentError as error:
        await drop(runtime, body, str(error))
        return answer(200, "recorded as a dead letter")
