"""The bot speaks unasked only where it may, only what it knows, and seldom."""

from datetime import timedelta

import pytest

from shared.application.documents import chat_path
from tests.support import updates
from tests.support.commands.questions import HANNA, MARKO, OLYA, PETRO
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group

SIGN = "💭 Мене не питали, але я пригадую:"
ASKED = "а коли в нас підсумки?"


async def know(group, **settings):
    """The group has a tradition, and has chosen how the bot may speak."""
    await group.say("Як завжди, в п'ятницю о 18:00 підбиваємо підсумки", *OLYA)
    await group.say("Так, це вже традиція", *MARKO)
    await group.settle()
    await group.runtime.app.chats.change(CHAT, {"settings": {"unprompted": True, "questions": False, **settings}})


async def ledger_of(group, update):
    document = await group.store.get(f"updates/{update['update_id']}")
    return None if document is None else document.data


async def test_a_question_to_nobody_that_the_memory_answers_is_answered_with_a_sign(group):
    await know(group)
    update = await group.say(ASKED, *HANNA)
    (sent,) = group.api.sent
    assert sent.text.startswith(SIGN)
    assert "в п'ятницю о 18:00" in sent.text
    assert sent.reply_to == update["message"]["message_id"]
    assert await group.deliver(update) == 200
    assert len(group.answers) == 1


async def test_an_english_group_gets_an_english_sign(laptop):
    await laptop.say("We have trivia night every Thursday at 7pm, it is a tradition", *OLYA)
    await laptop.settle()
    await laptop.runtime.app.chats.change(CHAT, {"settings": {"unprompted": True, "questions": False}})
    await laptop.say("when is trivia night?", *HANNA)
    assert laptop.answers[-1].startswith("💭 Nobody asked me, but I remember:")
    assert "Thursday" in laptop.answers[-1]


async def test_it_is_off_unless_somebody_switched_it_on(laptop):
    await know(laptop, unprompted=None)
    update = await laptop.say(ASKED, *HANNA)
    assert laptop.answers == []
    assert await ledger_of(laptop, update) is None


async def test_an_ordinary_message_costs_no_more_where_it_is_on(laptop):
    await know(laptop)
    await laptop.say("просто слово, не питання", *OLYA)
    await laptop.runtime.app.chats.state(CHAT)
    usage = laptop.store.usage
    reads, writes = usage.reads, usage.writes
    await laptop.say("і ще одне слово без питання", *OLYA)
    assert (usage.reads - reads, usage.writes - writes) == (0, 1)


@pytest.mark.parametrize(
    "said",
    [
        {"text": "коли підсумки?"},
        {"text": "підсумки в п'ятницю о 18:00"},
        {"text": "@marko а коли в нас підсумки?"},
        {"text": ASKED, "forward_origin": {"type": "hidden_user", "sender_user_name": "Хтось", "date": 1_790_000_000}},
    ],
    ids=["short", "no question", "to somebody", "forwarded"],
)
async def test_what_is_no_question_to_everybody_takes_no_lease(laptop, said):
    await know(laptop)
    update = await laptop.say(said.pop("text"), *HANNA, **said)
    assert laptop.answers == []
    assert await ledger_of(laptop, update) is None


async def test_what_is_asked_of_one_member_takes_no_lease_either(laptop):
    await know(laptop)
    update = await laptop.say("а ти прийдеш на підсумки в п'ятницю?", *HANNA)
    assert laptop.answers == []
    assert "token" not in await ledger_of(laptop, update)


async def test_what_the_memory_does_not_know_is_met_by_silence_that_is_final(group):
    await know(group)
    update = await group.say("а де тут поруч можна купити велосипед?", *HANNA)
    assert group.answers == []
    ledger = await ledger_of(group, update)
    assert (ledger["state"], ledger["outcome"]) == ("done", "silent")
    assert "spoke_at" not in (await group.store.get(chat_path(CHAT))).data
    await group.say(ASKED, *HANNA)  # silence does not use up the turn
    assert len(group.answers) == 1


async def test_no_model_is_asked_before_the_memory_knows(sqlite_store):
    async with FakeGemini("test-key") as gemini, running_group(sqlite_store, **gemini.environment) as group:
        await know(group, extraction_method="pattern")
        calls = len(gemini.requests)
        await group.say("а де тут поруч можна купити велосипед?", *HANNA)
        assert len(gemini.requests) == calls
        await group.say(ASKED, *HANNA)
        assert len(gemini.requests) > calls
        assert group.answers[-1].startswith(SIGN)


async def test_it_does_not_speak_again_for_half_an_hour_after_it_spoke(laptop):
    await know(laptop)
    await laptop.say("гряг, що ти знаєш?", *OLYA)
    assert len(laptop.answers) == 1
    laptop.clock.advance(timedelta(minutes=20))
    await laptop.say(ASKED, *HANNA)
    assert len(laptop.answers) == 1
    laptop.clock.advance(timedelta(minutes=12))
    await laptop.say(ASKED, *HANNA)
    assert len(laptop.answers) == 2
    await laptop.say(ASKED, *PETRO)
    assert len(laptop.answers) == 2


@pytest.mark.parametrize("asked", ["/gryadhelp", "гряг, що ти знаєш?"])
async def test_answering_writes_nothing_of_the_chat_and_is_known_all_the_same(laptop, asked):
    await know(laptop)
    before = (await laptop.store.get(chat_path(CHAT))).data
    await laptop.say(asked, *OLYA)
    assert len(laptop.answers) == 1
    assert (await laptop.store.get(chat_path(CHAT))).data == before
    await laptop.say(ASKED, *HANNA)
    assert len(laptop.answers) == 1


async def test_what_was_asked_of_the_bot_elsewhere_keeps_nobody_silent(laptop):
    await know(laptop)
    elsewhere = updates.chat(-1_009_999_999_999, title="Інші")
    await laptop.deliver(laptop.says("гряг, що ти знаєш?", *OLYA, chat=elsewhere))
    await laptop.say(ASKED, *HANNA)
    assert laptop.answers[-1].startswith(SIGN)


async def test_two_questions_at_once_get_one_answer(laptop):
    """Both are decided by what the chat's document said before: the turn is taken in a transaction."""
    import asyncio

    await know(laptop)
    updates = [laptop.says(ASKED, *who) for who in (HANNA, PETRO)]
    assert await asyncio.gather(*map(laptop.deliver, updates)) == [200, 200]
    assert len(laptop.answers) == 1


async def test_it_is_silent_in_quiet_hours(laptop):
    await know(laptop, quiet_hours="20-22")
    await laptop.say(ASKED, *HANNA)
    assert laptop.answers == []


async def test_what_only_somebody_who_opted_out_said_is_not_told(laptop):
    await know(laptop)
    await laptop.runtime.app.chats.change(CHAT, {"opted_out": [OLYA[0], MARKO[0]]})
    await laptop.say(ASKED, *HANNA)
    assert laptop.answers == []


async def test_an_answer_that_dies_half_way_is_given_by_the_next_attempt(laptop):
    await know(laptop)
    laptop.api.fail_next("sendMessage", status=503, times=9)
    update = laptop.says(ASKED, *HANNA)
    assert not await laptop.deals_with(update)
    laptop.api._faults.clear()
    await laptop.answer_later()
    assert len(laptop.answers) == 1
