"""A chat is read and its group asked; who extracts by other ways asks nobody."""

import pytest

from shared.application.intake.extracting import extract_and_ask, run_extraction, summarize_and_ask
from shared.application.intake.jobs import NIGHT
from shared.application.night.summaries import summarize_chat
from shared.application.reading.extraction import extract_chat
from shared.domain.errors import BadPayload
from tests.support.group import CHAT

OLYA = (101, "Оля")
QUESTION = "Схоже, у середу ви граєте в ігри. Так?"


@pytest.fixture
async def talk(laptop):
    """A group in which a pattern was said and not read yet."""
    for text in ("Щосереди граємо в настолки", "Ще раз: щосереди граємо в настолки"):
        await laptop.say(text, *OLYA)
    laptop.clock.advance(laptop.runtime.app.policy.idle)
    return laptop


async def state_of(group):
    return await group.runtime.app.chats.state(CHAT, fresh=True)


async def test_the_extraction_task_asks_the_group_about_what_it_learns(talk):
    done = await run_extraction(talk.runtime.app, {"chat_id": CHAT, "window": 1})
    assert (done.chunks, talk.answers) == (1, [QUESTION])


async def test_a_task_that_finds_nothing_new_asks_nobody_about_what_was_learnt_before(talk):
    await extract_chat(talk.runtime.app, CHAT)
    done = await run_extraction(talk.runtime.app, {"chat_id": CHAT, "only_when_due": True})
    assert (done.chunks, talk.answers, (await state_of(talk)).question) == (0, [], None)


async def test_extraction_for_an_operator_asks_the_group_too(talk):
    await extract_and_ask(talk.runtime.app, CHAT)
    assert talk.answers == [QUESTION]


async def test_the_nights_summaries_ask_and_learning_alone_asks_nobody(talk):
    app = talk.runtime.app
    assert NIGHT["summaries"]() is summarize_and_ask
    assert (await summarize_chat(app, await state_of(talk))).counts["chunks"] == 1
    assert talk.answers == []
    await talk.say("Щопонеділка дивимося разом кіно", *OLYA)
    await talk.say("Ще раз: щопонеділка дивимося разом кіно", *OLYA)
    talk.clock.advance(app.policy.idle)
    assert (await summarize_and_ask(app, await state_of(talk))).counts["chunks"] == 1
    assert len(talk.answers) == 1


@pytest.mark.parametrize("wrong", [None, "7", 7.5, True, [7]])
async def test_an_extraction_task_that_names_no_chat_is_refused(laptop, wrong):
    with pytest.raises(BadPayload, match="chat_id"):
        await run_extraction(laptop.runtime.app, {"chat_id": wrong})
