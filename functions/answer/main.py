"""The answer function: a task names an update that was taken in, and what it asks is answered."""

from __future__ import annotations

from typing import Any

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import Response

from infra.bootstrap import Runtime, worker_runtime
from infra.foundation import WORKER_NEEDS, stop_unless_configured
from infra.tasks.retries import ANSWERS
from infra.web.tasks import handle_task, is_last_attempt
from shared.application.intake.answering import run_answer
from shared.domain.intake.updates import UpdateOutcome

if __name__ == "main":  # deployed: functions-framework loads the file under this name, before it serves
    stop_unless_configured(WORKER_NEEDS)


@functions_framework.aio.http
async def answer(request: Request) -> Response:
    """Entry point of the deployed function."""
    return await handle_answer(request, worker_runtime())


async def handle_answer(request: Request, runtime: Runtime) -> Response:
    """Run one answer's task (`run_answer`); see `infra.web.tasks.handle_task` for the answers."""

    async def work(payload: dict[str, Any]) -> UpdateOutcome | dict[str, int]:
        return await run_answer(runtime.app, payload, is_last=is_last_attempt(request, ANSWERS))

    audience, of_this_one = runtime.settings.answer_url, 500  # one question holds up no other
    return await handle_task(
        runtime, request, work, audience=audience, event="task", job="answer", policy=ANSWERS, later=of_this_one
    )
