"""What was asked and is still open is found by its record, and asked for again when no task makes it any more."""

from datetime import timedelta

import pytest

from shared.application.delivery.ledger_codec import update_path
from shared.application.night.health import check_health
from shared.application.night.overdue import (
    ABANDONED,
    LONG_OVERDUE,
    OVERDUE,
    OverdueAnswer,
    ask_again,
    judge_overdue,
    overdue_answers,
)
from shared.application.policy import Policy
from shared.application.ports.store import Upsert
from shared.application.schedule import Schedule
from tests.support.group import CHAT, FRIDAY
from tests.support.queues import SteppedClock

NOW = FRIDAY
SECOND = timedelta(seconds=1)


class Taken:
    """A queue that keeps names as Cloud Tasks does."""

    def __init__(self):
        self.tasks = {}

    async def enqueue(self, task):
        return self.tasks.setdefault(task.name, task) is task


def an_entry(update_id, *, age, state="asked", **more):
    return Upsert(update_path(update_id), {"state": state, "chat_id": CHAT, "received_at": NOW - age, **more})


@pytest.fixture
def queue():
    return Taken()


@pytest.fixture
def schedule(queue):
    return Schedule(queue, SteppedClock(), Policy(bot_id=1, bot_username="spomyn_bot", bot_names=("гряг",)))


async def test_open_questions_are_overdue_after_a_quarter_of_an_hour_whatever_state_they_are_in(store):
    await store.batch(
        [
            an_entry(1, age=OVERDUE + SECOND),
            an_entry(2, age=OVERDUE + 2 * SECOND, state="answering"),
            an_entry(3, age=OVERDUE + 3 * SECOND, state="waiting"),
            an_entry(4, age=OVERDUE - SECOND),
            an_entry(5, age=LONG_OVERDUE, state="done", outcome="answered"),
        ]
    )
    found = await overdue_answers(store, NOW)
    assert [(each.update_id, each.is_waiting) for each in found] == [(3, True), (2, False), (1, False)]


@pytest.mark.parametrize(("age", "severity"), [(OVERDUE + SECOND, "warning"), (LONG_OVERDUE + SECOND, "error")])
def test_how_long_people_wait_is_judged_by_the_oldest(age, severity):
    overdue = [OverdueAnswer(1, CHAT, NOW - age, is_waiting=False)]
    [finding] = judge_overdue(overdue, NOW)
    assert (finding.kind, finding.severity, finding.figures["late"]) == ("answers_late", severity, 1)
    assert judge_overdue([], NOW) == []


async def test_only_what_no_task_makes_any_more_is_asked_for_again_and_once_a_day(queue, schedule):
    abandoned, going_on = ABANDONED + SECOND, ABANDONED - 60 * SECOND
    overdue = [
        OverdueAnswer(1, CHAT, NOW - abandoned, is_waiting=False),
        OverdueAnswer(2, CHAT, NOW - abandoned, is_waiting=True),
        OverdueAnswer(3, CHAT, NOW - going_on, is_waiting=False),
        OverdueAnswer("asked-7", CHAT, NOW - abandoned, is_waiting=False),
    ]
    for later in (timedelta(), SECOND):
        await ask_again(schedule, overdue, NOW + later)
    assert [task.payload.get("update_id") for task in queue.tasks.values()] == [1, None]
    assert [task.payload.get("deliver") for task in queue.tasks.values()] == [None, True]
    await ask_again(schedule, overdue[:2], NOW + timedelta(days=1))
    assert len(queue.tasks) == 4


async def test_a_question_whose_task_vanished_is_answered_all_the_same(group):
    await group.post(group.says("гряг, хто тут?"))
    group.tasks.tasks.clear()
    await group.answer()
    assert group.api.sent == []
    group.clock.advance(ABANDONED + SECOND)
    counts = (await check_health(group.runtime.app)).counts
    assert counts["errors"] >= 1
    await group.answer()
    assert len(group.api.sent) == 1
    assert await overdue_answers(group.store, group.clock.now()) == []
