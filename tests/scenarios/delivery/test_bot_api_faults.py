"""Whatever the Bot API does, once or for long, who asked gets the answer: in a group and in private, over HTTP.

Time is the test's own but for what a connection itself takes: a timeout here is half a second.
"""

import json
from datetime import timedelta
from typing import NamedTuple

import pytest

from shared.application.delivery.ledger_codec import read_entry, update_path
from shared.application.documents import usage_path
from shared.application.ports.store import Document
from shared.application.spending.usage_codec import read_usage
from shared.domain.delivery.repeating import MOST_SENDS
from tests.support import updates
from tests.support.faults import dead_letters
from tests.support.group import CHAT, QUEUE, running_group

TIMEOUT, LATE = 0.5, 0.7
SEVERAL = 6
"""Attempts that an outage lasts: more than a piece is ever sent."""
MINUTES = timedelta(minutes=9)
"""For which sends alone fail: all else of the Bot API works, so that each one may have arrived."""
ASKER = 101
QUESTION = "гряг, ти тут?"


class Fault(NamedTuple):
    """What the Bot API does.

    Attributes:
        spoils: As `FakeBotApi.fail_next` takes it; None: nobody listens on its port.
        arrives: Whether the message is in the chat all the same.
        is_known: Whether the bot knows that it did not arrive.
    """

    spoils: dict[str, object] | None
    arrives: bool = False
    is_known: bool = True


FAULTS = {
    "refused connection": Fault(None),
    "429 for a moment": Fault({"status": 429, "retry_after": 2}),
    "429 for a minute": Fault({"status": 429, "retry_after": 60}),
    "503": Fault({"status": 503}),
    "500": Fault({"status": 500}, is_known=False),
    "502 with a page": Fault({"status": 502, "body": b"<html>Bad Gateway</html>"}, is_known=False),
    "502 after its effect": Fault({"status": 502, "late": True}, arrives=True, is_known=False),
    "504 after its effect": Fault({"status": 504, "late": True}, arrives=True, is_known=False),
    "cut before": Fault({"cut": "before"}, is_known=False),
    "cut after": Fault({"cut": "after"}, arrives=True, is_known=False),
    "timeout before": Fault({"cut": "before", "delay": LATE}, is_known=False),
    "timeout after": Fault({"delay": LATE}, arrives=True, is_known=False),
    "garbage": Fault({"body": b"<html>"}, arrives=True, is_known=False),
    "half an answer": Fault({"body": b'{"ok": true, "result": {"message_id"'}, arrives=True, is_known=False),
}
OF_ONE_METHOD = {name: fault for name, fault in FAULTS.items() if fault.spoils is not None}
CHATS = {"group": CHAT, "private": ASKER}


@pytest.fixture
async def group(sqlite_store, request):
    is_late = "timeout" in request.node.callspec.id  # elsewhere nobody is to run out of time on a busy machine
    async with running_group(sqlite_store, telegram_timeout=TIMEOUT if is_late else None) as running:
        running.api.add_chat(ASKER, "private")
        yield running


async def ask(group, chat_id):
    """A question that was taken in, and nobody is at yet; its update's id."""
    update = group.says(QUESTION, ASKER, chat=updates.chat(chat_id))
    assert await group.post(update) == 200
    return update["update_id"]


async def try_to_answer(group):
    """One attempt, at the instant at which the queue makes it."""
    dues = [stored.due for stored in group.tasks.tasks.values() if stored.queue == QUEUE["answers"]]
    group.clock.advance(max(timedelta(0), min(dues) - group.clock.now()))
    await group.answer()


async def answer_later(group, until=None):
    """Let time pass, from one attempt to the next, until every answer was made or an instant is over."""
    while group.unanswered and (until is None or group.clock.now() < until):
        await try_to_answer(group)


async def repeats(group, chat_id, update_id):
    """How often it was sent again because nobody knew: by the record, and by the count of the chat's day."""
    path = usage_path(chat_id, group.clock.now().date())
    day = read_usage(await group.store.get(path) or Document(path, {}))
    return read_entry(await group.store.get(update_path(update_id))).repeats, day.answers_repeated


async def check_answered(group, chat_id, update_id, fault, *, most_doubles):
    """The answer is there, as often as it must be and no more than it may be, and what is counted is true."""
    await answer_later(group)
    assert group.unanswered == 0
    texts = [sent.text for sent in group.api.sent if sent.chat_id == chat_id]
    assert texts, "the answer is lost"
    assert len(set(texts)) == 1
    doubles = len(texts) - 1
    in_record, in_day = await repeats(group, chat_id, update_id)
    assert doubles <= (most_doubles if fault.arrives else 0)
    assert in_record == in_day
    assert in_day >= doubles, "every double is counted"
    assert in_day == 0 or not fault.is_known, "and nothing else is"
    assert await dead_letters(group) == []


@pytest.mark.parametrize("chat_id", CHATS.values(), ids=CHATS)
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_a_fault_of_one_send_costs_nobody_the_answer(group, fault, chat_id):
    update_id = await ask(group, chat_id)
    if fault.spoils is None:
        await group.api.refuse_connections()
        await try_to_answer(group)
        await group.api.take_connections()
    else:
        group.api.fail_next("sendMessage", **fault.spoils)
    await check_answered(group, chat_id, update_id, fault, most_doubles=1)


@pytest.mark.parametrize("chat_id", CHATS.values(), ids=CHATS)
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_an_outage_of_the_whole_bot_api_costs_nobody_the_answer_and_doubles_it_once_at_most(
    group, fault, chat_id
):
    update_id = await ask(group, chat_id)
    if fault.spoils is None:
        await group.api.refuse_connections()
    else:
        group.api.fail(**fault.spoils)
    for _ in range(SEVERAL):
        await try_to_answer(group)
        assert group.unanswered
    group.api.recover()
    if fault.spoils is None:
        await group.api.take_connections()
    await check_answered(group, chat_id, update_id, fault, most_doubles=1)


@pytest.mark.parametrize("chat_id", CHATS.values(), ids=CHATS)
@pytest.mark.parametrize("fault", OF_ONE_METHOD.values(), ids=OF_ONE_METHOD)
async def test_sends_alone_that_fail_for_minutes_cost_nobody_the_answer(group, fault, chat_id):
    """What is known not to have arrived is sent until it does, what nobody knows of up to `MOST_SENDS` times."""
    update_id = await ask(group, chat_id)
    group.api.fail_next("sendMessage", **fault.spoils, times=1_000)
    await answer_later(group, until=group.clock.now() + MINUTES)
    assert group.unanswered
    group.api.recover()
    await check_answered(group, chat_id, update_id, fault, most_doubles=MOST_SENDS - 1)


@pytest.mark.parametrize("command", ["/gryadremember Я живу у Львові", "/gryadprofile", "/gryadexport"])
async def test_what_a_worker_answers_is_said_when_telegram_is_back_after_a_day(laptop, command):
    laptop.api.add_chat(ASKER, "private")
    laptop.api.fail(status=503)
    assert await laptop.post(laptop.says(command, ASKER)) == 200
    for _ in range(6 * 24):
        await laptop.tasks.dispatch_due(laptop.clock.now())
        laptop.clock.advance(timedelta(minutes=10))
    assert laptop.api.sent == []
    laptop.api.recover()
    await laptop.tasks.dispatch_due(laptop.clock.now() + timedelta(minutes=5))
    assert len(laptop.api.sent) == 1
    letters = [json.loads(letter["body"]) for letter in await dead_letters(laptop)]
    assert not any("target" in letter for letter in letters), "readings alone have to be asked for anew"
