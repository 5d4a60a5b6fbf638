"""The maintenance function: `POST /maintenance/<job>` fans a job out over the chats, or runs it for one."""

from __future__ import annotations

from typing import Any

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import Response

from infra.bootstrap import WORKER_NEEDS, Runtime, function_runtime, stop_unless_configured
from infra.http import BadRequest, handle_task
from shared.application.maintenance import run_job
from shared.domain.errors import UnknownJob

if __name__ == "main":  # deployed: functions-framework loads the file under this name, before it serves
    stop_unless_configured(WORKER_NEEDS)


@functions_framework.aio.http
async def maintenance(request: Request) -> Response:
    """Entry point of the deployed function."""
    return await handle_maintenance(request, function_runtime(WORKER_NEEDS, runs_tasks=True))


async def handle_maintenance(request: Request, runtime: Runtime) -> Response:
    """Run the job that the last part of the path names, 404 when there is none; else as `infra.http.handle_task`."""
    job = request.url.path.rstrip("/").rsplit("/", 1)[-1]

    async def work(payload: dict[str, Any]) -> dict[str, int]:
        try:
            return await run_job(runtime.app, job, payload)
        except UnknownJob as error:
            raise BadRequest(404, str(error)) from error

    return await handle_task(runtime, request, work, audience=runtime.settings.maintenance_url)
