"""Failures are counted by the name of what failed, whoever counts them, and end with the ledger."""

import asyncio
from datetime import timedelta

from shared.application.delivery.attempts import MOST_ATTEMPTS, count_failure, leave_one_attempt
from shared.application.delivery.ledger_codec import KEPT, update_path
from tests.support.queues import NOON, SteppedClock

CLOCK = SteppedClock(NOON)


async def test_each_name_has_a_count_of_its_own(in_memory):
    assert [await count_failure(in_memory, CLOCK, "update-7") for _ in range(3)] == [1, 2, 3]
    assert await count_failure(in_memory, CLOCK, "update-8") == 1


async def test_instances_that_count_at_once_lose_none(sqlite_store):
    counted = await asyncio.gather(*(count_failure(sqlite_store, CLOCK, "update-7") for _ in range(5)))
    assert sorted(counted) == [1, 2, 3, 4, 5]


async def test_what_is_given_one_attempt_more_fails_for_the_last_time(in_memory):
    await count_failure(in_memory, CLOCK, "update-7")
    await leave_one_attempt(in_memory, CLOCK, "update-7")
    assert await count_failure(in_memory, CLOCK, "update-7") == MOST_ATTEMPTS


async def test_counts_go_with_the_ledger_counted_from_the_last_failure(in_memory):
    clock = SteppedClock(NOON)
    await count_failure(in_memory, clock, "update-7")
    clock.advance(timedelta(hours=5))
    await count_failure(in_memory, clock, "update-7")
    (document,) = await in_memory.query("updates")
    assert document.path == update_path("failed-update-7")
    assert document.data["expire_at"] == NOON + timedelta(hours=5) + KEPT
