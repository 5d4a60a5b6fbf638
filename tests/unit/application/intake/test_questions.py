"""What is taken in with something asked: one record, one task, and nothing else of an answer."""

import asyncio
from datetime import timedelta

import grpc
import pytest

from shared.application.documents import update_path
from tests.support import updates
from tests.support.delivery.answers import fill_the_minute
from tests.support.group import CHAT, QUEUE

ASKED = "гряг, ти тут?"


async def record(group, update):
    found = await group.store.get(update_path(update["update_id"]))
    return None if found is None else found.data


async def test_a_question_is_written_down_beside_its_message_and_asked_for_by_one_task(group):
    await group.say("привіт")
    usage = group.store.usage
    before = usage.reads, usage.writes
    update = group.says(ASKED)
    assert await group.post(update) == 200
    assert (usage.reads - before[0], usage.writes - before[1]) == (0, 2)
    asked = await record(group, update)
    assert (asked["state"], asked["chat_id"], asked["message_id"]) == ("asked", CHAT, update["message"]["message_id"])
    assert "тут" not in repr(asked)
    assert (group.unanswered, group.answers) == (1, [])


async def test_delivered_three_times_at_once_it_is_answered_once(group):
    update = group.says(ASKED)
    assert await asyncio.gather(*(group.post(update) for _ in range(3))) == [200] * 3
    assert group.unanswered == 1
    await asyncio.gather(*(group.answer() for _ in range(3)))
    await group.answer_later()
    assert len(group.answers) == 1
    assert (await record(group, update))["ask"] is None


async def test_while_a_question_waits_all_else_is_taken_in(laptop):
    all_else = asyncio.Event()
    laptop.api.fail_next("sendMessage", until=all_else)
    assert await laptop.post(laptop.says(ASKED)) == 200
    answering = asyncio.create_task(laptop.answer())
    for number in range(20):
        assert await laptop.post(laptop.says(f"повідомлення {number}", 102, "Тарас")) == 200
    assert not answering.done()
    all_else.set()
    await answering
    assert len(laptop.answers) == 1


async def test_when_the_queue_is_away_the_update_comes_again_and_nothing_is_asked_twice(laptop):
    await laptop.say("привіт")
    update = laptop.says(ASKED)
    laptop.tasks.fail_next(9, grpc.StatusCode.RESOURCE_EXHAUSTED)
    assert await laptop.post(update) == 503
    laptop.tasks._faults.clear()
    assert await laptop.deliver(update) == 200
    assert len(laptop.answers) == 1


async def test_a_failed_attempt_at_an_answer_slows_the_queue_down_for_no_other(laptop):
    """Cloud Tasks gives a whole queue a rest after 503."""
    assert await laptop.post(laptop.says(ASKED)) == 200
    fill_the_minute(laptop)
    laptop.tasks.fail_next(1, grpc.StatusCode.RESOURCE_EXHAUSTED)
    await laptop.answer()
    ((_, stored),) = [item for item in laptop.tasks.tasks.items() if item[1].queue == QUEUE["answers"]]
    assert stored.statuses == [500]


async def test_a_press_is_acknowledged_at_once_by_the_response(laptop):
    await laptop.say("/gryadsettings", 102, "Тарас")
    press = laptop.pressing("Пам'ять", 102, "Тарас")
    calls = len(laptop.api.calls)
    assert await laptop.post(press) == 200
    (call,) = laptop.api.calls[calls:]
    assert (call.method, call.params) == ("answerCallbackQuery", {"callback_query_id": press["callback_query"]["id"]})
    assert laptop.unanswered == 1


async def test_what_can_be_refused_at_sight_is_told_in_the_response_and_asks_for_nothing(laptop):
    await laptop.say("/gryadsettings", 102, "Тарас")
    assert await laptop.post(laptop.pressing("Пам'ять", 102, "Тарас", data="set|m||forged")) == 200
    assert ["не діє" in notice for notice in laptop.notices] == [True]
    assert laptop.unanswered == 0


async def test_a_reaction_that_is_no_vote_asks_for_nothing(laptop):
    said = await laptop.say("привіт")
    reaction = updates.reaction_update("👍", message_id=said["message"]["message_id"], update_id=900)
    assert await laptop.post(reaction) == 200
    assert (laptop.unanswered, await record(laptop, {"update_id": 900})) == (0, None)


@pytest.mark.parametrize("text", ["привіт усім", "/nosuch", "ходімо в кіно?"])
async def test_talk_asks_for_nothing(laptop, text):
    update = await laptop.say(text)
    assert (laptop.unanswered, await record(laptop, update)) == (0, None)
    laptop.clock.advance(timedelta(minutes=1))
