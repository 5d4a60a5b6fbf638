"""An answer can be ended from outside, whoever is making it, and its question is kept by nobody."""

import asyncio
from datetime import timedelta

from shared.application.chats.chat_codec import ChatState
from shared.application.delivery.closing import (
    MOST_ATTEMPTS,
    close_as,
    count_failure,
    has_stopped,
    leave_one_attempt,
    open_updates,
    reopen,
    stop_answers,
    stop_older,
)
from shared.application.delivery.ledger_codec import KEPT, read_entry, update_path
from shared.application.delivery.parcels import Destination
from shared.application.delivery.sending import answer_once
from shared.domain.delivery.outcomes import AnswerOutcome
from tests.support.builders import message
from tests.support.delivery.answers import asked, saying
from tests.support.group import CHAT
from tests.support.queues import NOON, SteppedClock


class Tokens:
    def token(self):
        return "mine"


async def test_what_a_member_asked_is_found_oldest_first_until_it_is_ended(store):
    await asked(store, 9, at=NOON)
    await asked(store, 10, at=NOON)
    await asked(store, 8, at=NOON + timedelta(seconds=1))
    await asked(store, 7, user_id=102)
    await asked(store, 6, chat_id=-5)
    assert [each.update_id for each in await open_updates(store, CHAT, 101)] == [9, 10, 8]
    assert await close_as(store, 9, AnswerOutcome.MERGED, by=10)
    assert not await close_as(store, 9, AnswerOutcome.STOPPED)
    assert not await close_as(store, 99, AnswerOutcome.STOPPED)
    document = await store.get(update_path(9))
    assert (read_entry(document).outcome, document.data.get("yields_to"), document.data["ask"]) == ("merged", 10, None)
    assert [each.update_id for each in await open_updates(store, CHAT, 101)] == [10, 8]


async def test_who_makes_an_answer_sees_that_it_was_ended_and_says_nothing(laptop):
    app = laptop.runtime.app
    await asked(app.store, 7, at=laptop.clock.now())

    async def compose():
        assert await close_as(app.store, 7, AnswerOutcome.STOPPED)
        return await saying("пізно")()

    assert await answer_once(app, 7, Destination(CHAT), compose) == "taken over"
    assert laptop.answers == []
    assert await answer_once(app, 7, Destination(CHAT), saying("ще раз")) == "already answered"


async def test_what_a_member_wants_no_more_is_ended_but_not_what_does_something(store):
    for update_id, ask in (
        (5, {"kind": "message"}),
        (6, {"kind": "message", "is_command": True}),
        (7, {"kind": "press"}),
        (8, {"kind": "message", "is_unasked": True}),
        (9, {"kind": "message"}),
    ):
        await asked(store, update_id)
        await store.update(update_path(update_id), {"ask": ask})

    def are_older(each):
        return each.update_id < 9

    here = ChatState(CHAT)
    await stop_answers(store, here, 102, are_older, by=20)
    assert not await has_stopped(store, here, 20)
    await stop_answers(store, here, 101, are_older, by=20)
    assert [each.update_id for each in await open_updates(store, CHAT, 101)] == [6, 7, 9]
    ended = await store.get(update_path(5))
    assert (read_entry(ended).outcome, read_entry(ended).yields_to) == (AnswerOutcome.STOPPED, 20)
    assert ended.data["counted_at"] == NOON, "it was asked, and counts"
    await stop_answers(store, here, 101, are_older, by=20)
    assert await has_stopped(store, here, 20), "whoever asks again is told the same"
    await stop_answers(store, here, 101, are_older, by=21)
    assert not await has_stopped(store, here, 21), "another stop finds nothing"


async def test_only_what_its_author_asked_before_it_in_its_chat_is_stopped(store):
    for update_id, fields in ((5, {}), (6, {"user_id": 102}), (7, {"chat_id": -5}), (9, {})):
        await asked(store, update_id, **fields)
        await store.update(update_path(update_id), {"ask": {"kind": "message"}})
    stop = message("стоп", chat_id=CHAT, message_id=8, user_id=101)
    for _ in range(2):
        await stop_older(store, ChatState(CHAT), stop, 8)
        assert await has_stopped(store, ChatState(CHAT), 8)
    for chat_id, user_id, left in ((CHAT, 101, 9), (CHAT, 102, 6), (-5, 101, 7)):
        assert [each.update_id for each in await open_updates(store, chat_id, user_id)] == [left]


async def test_what_is_replayed_is_answered_as_if_nobody_had_died_of_it(store):
    await asked(store, 7)
    await store.update(update_path(7), {"state": "done", "outcome": AnswerOutcome.REJECTED, "deaths": 2})
    await reopen(store, 7)
    entry = read_entry(await store.get(update_path(7)))
    assert (entry.state, entry.deaths) == ("asked", 0)


async def test_what_was_asked_in_the_group_before_it_became_a_supergroup_is_stopped_too(store):
    await asked(store, 700, chat_id=-5, message_id=700)
    await store.update(update_path(700), {"ask": {"kind": "message"}})
    stop, here = message("стоп", chat_id=CHAT, message_id=8, user_id=101), ChatState(CHAT, migrated_from=-5)
    for _ in range(2):
        await stop_older(store, here, stop, 8)
        assert await has_stopped(store, here, 8)
    assert await open_updates(store, -5, 101) == []


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
