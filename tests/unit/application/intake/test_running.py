"""Every target that a task may have is run by one function."""

import pytest

from shared.application.intake.running import run_task
from shared.domain.errors import BadPayload, UnknownJob


@pytest.mark.parametrize(
    ("target", "refused"),
    [
        ("/answer", BadPayload),
        ("/extract", BadPayload),
        ("/maintenance/migrate", BadPayload),
        ("/maintenance/brew", UnknownJob),
        ("/brew", UnknownJob),
        ("", UnknownJob),
    ],
)
async def test_a_target_has_its_task_refuse_a_payload_that_names_nothing(laptop, target, refused):
    with pytest.raises(refused):
        await run_task(laptop.runtime.app, target, {})


async def test_a_job_of_all_chats_returns_its_counts(laptop):
    assert await run_task(laptop.runtime.app, "/maintenance/sweep", {}) == {"updates": 0, "dead_letters": 0}
