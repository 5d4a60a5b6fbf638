"""Runs a task of any target, where one process serves all of them: a laptop, the console, the simulation.

The deployed functions each run one kind, so that no bundle holds the code of the others.
"""

from collections.abc import Mapping
from typing import Any

from shared.application.app import App
from shared.application.intake.answering import run_answer
from shared.application.intake.extracting import run_extraction
from shared.application.intake.maintenance import run_job
from shared.application.reading.extraction import Extracted
from shared.domain.errors import UnknownJob
from shared.domain.intake.updates import UpdateOutcome


async def run_task(
    app: App, target: str, payload: Mapping[str, Any], *, is_last: bool = False
) -> UpdateOutcome | Extracted | dict[str, int]:
    """Run the task of a target (`/answer`, `/extract`, `/maintenance/<job>`) and return what it did.

    Args:
        is_last: The queue does not run it again.

    Raises:
        UnknownJob: Nothing runs such a target.
        SpomynError: As the task does.
    """
    match target.strip("/").split("/"):
        case ["answer"]:
            return await run_answer(app, payload, is_last=is_last)
        case ["extract"]:
            return await run_extraction(app, payload)
        case ["maintenance", job]:
            return await run_job(app, job, payload)
    raise UnknownJob(f"nothing runs {target}")
