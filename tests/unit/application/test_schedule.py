"""However much is said, a window of time costs one task, and none is asked for before its window is over."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from shared.application.policy import Policy
from shared.application.schedule import ANSWER, GRACE, Schedule
from tests.support.queues import NOON, SteppedClock

CHAT = -1001
POLICY = Policy(1, "gryag_bot", ("гряг",), timezone="Europe/Kyiv")
SECONDS = st.integers(0, 4 * 3600)


class Queue:
    """Keeps what is asked for, each name once."""

    def __init__(self):
        self.tasks, self.asked = {}, 0

    async def enqueue(self, task):
        self.asked += 1
        return self.tasks.setdefault(task.name, task) is task


def scheduling(at=NOON):
    queue, clock = Queue(), SteppedClock(at)
    return queue, clock, Schedule(queue, clock, POLICY)


@given(st.lists(SECONDS, min_size=1, max_size=30).map(sorted))
async def test_each_message_is_followed_by_a_task_after_its_window_and_a_window_asks_for_one(moments):
    queue, clock, schedule = scheduling()
    begun = clock.now()
    for moment in moments:
        clock.advance(begun + timedelta(seconds=moment) - clock.now())
        await schedule.extraction(CHAT)
    ends = sorted(task.run_at - GRACE for task in queue.tasks.values())
    for moment in moments:
        at = begun + timedelta(seconds=moment)
        assert any(timedelta(0) < end - at <= POLICY.window for end in ends)
    assert all(later - earlier >= POLICY.window for earlier, later in pairwise(ends))
    assert queue.asked == len(queue.tasks), "a window that was asked for costs no call"


async def test_chats_have_windows_of_their_own_and_another_instance_asks_for_the_same_task():
    queue, clock, schedule = scheduling()
    await schedule.extraction(CHAT)
    await schedule.extraction(CHAT - 1)
    await Schedule(queue, clock, POLICY).extraction(CHAT)
    assert sorted({task.payload["chat_id"] for task in queue.tasks.values()}) == [CHAT - 1, CHAT]
    assert (len(queue.tasks), queue.asked) == (2, 3)


async def test_the_first_edit_of_a_window_is_learnt_from_at_once_and_all_others_at_its_end():
    queue, clock, schedule = scheduling()
    for _ in range(20):
        await schedule.extraction_after_edits(CHAT)
        clock.advance(timedelta(seconds=1))
    at_once, later = sorted(queue.tasks.values(), key=lambda task: task.run_at is not None)
    assert at_once.run_at is None
    assert later.run_at == schedule.edits_end() + GRACE
    assert later.payload["edits_until"] == schedule.edits_end().timestamp(), "its worker's clock may be behind"
    assert not any(task.payload.get("only_when_due") for task in queue.tasks.values())


@given(st.lists(st.integers(0, 3600), min_size=1, max_size=60))
async def test_a_slow_chat_is_looked_at_once_it_was_idle_and_costs_two_tasks_a_period(pauses):
    queue, _, schedule = scheduling()
    for seconds in pauses:
        since = NOON + timedelta(seconds=seconds)
        await schedule.extraction_when_idle(CHAT, since=since)
        assert any(
            POLICY.idle < task.run_at - since <= 1.5 * POLICY.idle + GRACE + timedelta(seconds=1)
            for task in queue.tasks.values()
        )
    for task in queue.tasks.values():
        assert task.payload["not_before"] == task.run_at.timestamp(), "its worker's clock may be behind"
    periods = timedelta(seconds=3600) / POLICY.idle + 1
    assert len(queue.tasks) <= 2 * periods + 1


async def test_while_the_model_is_away_a_chat_is_looked_at_at_the_next_full_hour_once():
    queue, clock, schedule = scheduling(datetime(2026, 11, 6, 18, 59, 59, tzinfo=UTC))
    await schedule.extraction_in_an_hour(CHAT)
    assert [task.run_at for task in queue.tasks.values()] == [datetime(2026, 11, 6, 19, tzinfo=UTC)]
    clock.advance(timedelta(minutes=30))
    await schedule.extraction_in_an_hour(CHAT)
    await schedule.extraction_in_an_hour(CHAT)
    assert len(queue.tasks) == 2


async def test_a_night_is_planned_once_a_day_of_the_deployments_time_zone():
    queue, clock, schedule = scheduling(datetime(2026, 11, 6, 21, 59, tzinfo=UTC))  # a minute before midnight in Kyiv
    await schedule.night()
    await schedule.night()
    clock.advance(timedelta(minutes=1))
    await schedule.night()
    assert [task.target for task in queue.tasks.values()] == ["/maintenance/night"] * 2


async def test_a_job_says_its_target_too_for_when_it_becomes_a_dead_letter():
    queue, _, schedule = scheduling()
    await schedule.job("decay", mark="7", payload={"chat_id": CHAT}, run_at=NOON)
    await schedule.job("decay", mark="7", payload={"chat_id": CHAT}, run_at=NOON)
    (task,) = queue.tasks.values()
    assert (task.target, task.run_at) == ("/maintenance/decay", NOON)
    assert task.payload == {"target": "/maintenance/decay", "chat_id": CHAT}


async def test_an_answer_is_asked_for_at_once_and_once_and_says_its_target_too():
    queue, _, schedule = scheduling()
    for _ in range(2):
        await schedule.answer(7, CHAT)
    (task,) = queue.tasks.values()
    assert (task.name, task.target, task.run_at) == ("answer-7", ANSWER, None)
    assert task.payload == {"target": ANSWER, "update_id": 7, "chat_id": CHAT}
