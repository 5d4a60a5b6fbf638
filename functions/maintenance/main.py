"""The maintenance function: `POST /maintenance/<job>` fans a job out over the chats, or runs it for one."""

from __future__ import annotations

import re
from typing import Any

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import Response

from infra.bootstrap import Runtime, worker_runtime
from infra.foundation import WORKER_NEEDS, stop_unless_configured
from infra.web.http import BadRequest
from infra.web.tasks import handle_task
from shared.application.intake.maintenance import check_job, run_job
from shared.domain.errors import UnknownJob

if __name__ == "main":  # deployed: functions-framework loads the file under this name, before it serves
    stop_unless_configured(WORKER_NEEDS)


_PATH = re.compile(r"(?:/maintenance)?/([a-z_-]+)")


@functions_framework.aio.http
async def maintenance(request: Request) -> Response:
    """Entry point of the deployed function."""
    return await handle_maintenance(request, worker_runtime())


async def handle_maintenance(request: Request, runtime: Runtime) -> Response:
    """Run the job of `/maintenance/<job>` or `/<job>`, 404 when there is none; see `infra.web.tasks.handle_task`."""
    path = _PATH.fullmatch(request.scope["path"])  # `request.url` would read the Host header and the query, too
    job = path[1] if path else ""

    async def work(payload: dict[str, Any]) -> dict[str, int]:
        return await run_job(runtime.app, job, payload)

    address, known, refusal = runtime.settings.maintenance_url, job, None
    try:
        check_job(job)
    except UnknownJob as error:  # anybody can ask for any name: the log does not repeat it
        known, refusal = "unknown", BadRequest(404, str(error))
    return await handle_task(runtime, request, work, audience=address, event="job", job=known, refusal=refusal)
