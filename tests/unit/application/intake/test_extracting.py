"""A chat is read and its group asked; who extracts by other ways asks nobody."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.application.conversation.message_codec import read_message, retell_field
from shared.application.documents import episodes_path, messages_path
from shared.application.intake.extracting import extract_and_ask, run_extraction, summarize_and_ask
from shared.application.intake.jobs import NIGHT
from shared.application.night.summaries import summarize_chat
from shared.application.ports.store import Order
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


async def test_the_task_at_the_end_of_a_window_of_edits_has_them_retold_by_a_clock_that_is_behind(talk):
    app = talk.runtime.app
    await run_extraction(app, {"chat_id": CHAT})
    (message, *_) = await app.store.query(messages_path(CHAT), order_by=[Order("message_id")])
    end = app.schedule.edits_end()
    earlier = end - timedelta(seconds=1)
    for until, behind, left in ((None, 1, True), (earlier, 1, True), (end, 40, False), (None, 0, False)):
        await app.store.update(message.path, retell_field(end))
        talk.clock.advance(end - timedelta(seconds=behind) - talk.clock.now())
        payload = {"chat_id": CHAT} | ({} if until is None else {"edits_until": int(until.timestamp())})
        await run_extraction(app, payload)
        stored = read_message(await app.store.get(message.path))
        assert (stored.retell_at is not None) is left, (until, behind)


async def spend(group, minutes, *, behind):
    """Let time pass, while tasks come by the queue's clock to an instance whose clock is so many seconds behind."""
    for _ in range(12 * minutes):
        group.clock.advance(timedelta(seconds=5))
        await group.tasks.dispatch_due(group.clock.now() + timedelta(seconds=behind))


@pytest.fixture
async def chat(laptop):
    """A group in which a conversation ended ten seconds before a half hour: little more than the grace of a task."""
    half_hour = timedelta(minutes=30)
    now = laptop.clock.now() - datetime.fromtimestamp(0, UTC)
    laptop.clock.advance(half_hour - now % half_hour - timedelta(seconds=90))
    for text in ("Щосереди граємо в настолки", "Хто буде?", "Я", "І я", "Тоді о сьомій"):  # 20 seconds apart
        await laptop.say(text, *OLYA)
    assert (await laptop.messages())[-1]["received_at"].strftime("%M:%S") in ("29:50", "59:50")
    return laptop


@pytest.mark.parametrize("behind", [0, 20])
async def test_what_was_said_is_read_when_the_chat_was_idle_also_by_a_clock_that_is_behind(chat, behind):
    await spend(chat, 15, behind=behind)
    assert {message["chunk"] for message in await chat.messages()} == {"1-5"}


@pytest.mark.parametrize("behind", [0, 20])
async def test_a_conversation_that_is_over_becomes_an_episode_also_by_a_clock_that_is_behind(chat, behind):
    await spend(chat, 15, behind=0)
    assert await chat.store.query(episodes_path(CHAT)) == []
    await spend(chat, 50, behind=behind)
    assert len(await chat.store.query(episodes_path(CHAT))) == 1


async def test_a_task_that_is_run_long_before_its_time_reads_nothing_early(laptop):
    await laptop.say("Щосереди граємо в настолки", *OLYA)
    ripe = laptop.clock.now() + laptop.runtime.app.policy.idle + timedelta(seconds=5)
    for early, is_read in ((timedelta(minutes=5), False), (timedelta(seconds=30), True)):
        laptop.clock.advance(ripe - early - laptop.clock.now())
        await run_extraction(laptop.runtime.app, {"chat_id": CHAT, "not_before": int(ripe.timestamp())})
        assert bool((await laptop.messages())[-1]["chunk"]) is is_read


@pytest.mark.parametrize("wrong", ["7", 7.5, True, -1, 1 << 60])
@pytest.mark.parametrize("name", ["edits_until", "not_before"])
async def test_an_extraction_task_that_says_no_time_where_it_says_one_is_refused(laptop, name, wrong):
    with pytest.raises(BadPayload, match=name):
        await run_extraction(laptop.runtime.app, {"chat_id": CHAT, name: wrong})


@pytest.mark.parametrize("wrong", [None, "7", 7.5, True, [7]])
async def test_an_extraction_task_that_names_no_chat_is_refused(laptop, wrong):
    with pytest.raises(BadPayload, match="chat_id"):
        await run_extraction(laptop.runtime.app, {"chat_id": wrong})
