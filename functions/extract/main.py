"""The extract function: a task names a chat, and what is new in it becomes memory."""

from __future__ import annotations

from typing import Any

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import Response

from infra.bootstrap import Runtime, worker_runtime
from infra.foundation import WORKER_NEEDS, stop_unless_configured
from infra.web.tasks import handle_task
from shared.application.intake.extracting import run_extraction

if __name__ == "main":  # deployed: functions-framework loads the file under this name, before it serves
    stop_unless_configured(WORKER_NEEDS)


@functions_framework.aio.http
async def extract(request: Request) -> Response:
    """Entry point of the deployed function."""
    return await handle_extract(request, worker_runtime())


async def handle_extract(request: Request, runtime: Runtime) -> Response:
    """Run one extraction task (`run_extraction`); see `infra.web.tasks.handle_task` for the answers."""

    async def work(payload: dict[str, Any]) -> dict[str, int]:
        done = await run_extraction(runtime.app, payload)
        return {"chunks": done.chunks, "changes": len(done.changes)}

    return await handle_task(runtime, request, work, audience=runtime.settings.extract_url, event="task", job="extract")
