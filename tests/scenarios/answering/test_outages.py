"""The store is away for a moment while a question is answered: it is answered from the memory all the same, later."""

import pytest

from infra.tasks.retries import ANSWERS
from shared.application.intake.answering import run_answer
from shared.domain.errors import StoreUnavailable
from tests.support.faults import dead_letters
from tests.support.group import CHAT, running_group

SAID = "Намет у мене, на чотирьох"


@pytest.fixture
async def chat(sqlite_store):
    async with running_group(sqlite_store, ASKS_PER_USER_PER_HOUR="500", ASKS_PER_CHAT_PER_HOUR="500") as running:
        await running.say(SAID, 102, "Тарас")
        yield running


async def ask(chat):
    """A question that is taken in and not answered yet."""
    update = chat.says("гряг, у кого намет?")
    assert await chat.post(update) == 200
    return update


async def test_whichever_call_of_the_store_fails_once_the_answer_comes_from_memory(chat):
    await ask(chat)
    chat.runtime.app.indexes.forget(CHAT)
    chat.store.arm(None)
    await chat.answer_later()
    calls = chat.store.calls
    assert calls > 10
    for number in range(1, calls + 1):
        chat.api.sent.clear()
        await ask(chat)
        chat.store.arm(number, error=StoreUnavailable)
        await chat.answer_later()
        assert any(SAID in text for text in chat.answers), f"call {number}: {chat.answers}"
        chat.store.arm(None)
    assert not await dead_letters(chat)


async def test_who_asks_while_the_memory_is_away_for_hours_is_told_so_and_not_what_is_made_up(chat, monkeypatch):
    await ask(chat)
    query = chat.store.query

    async def away(collection, **more):
        if "/facts" in collection:
            raise StoreUnavailable("out")
        return await query(collection, **more)

    monkeypatch.setattr(chat.store, "query", away, raising=False)
    while chat.unanswered:
        assert chat.answers == []
        chat.clock.advance(ANSWERS.max_backoff)
        await chat.answer()
    assert [text.split(",")[0] for text in chat.answers] == ["Зараз я не можу зазирнути у свою пам'ять"]
    assert not await dead_letters(chat)


async def test_what_an_operator_runs_again_tells_nobody_that_it_failed(chat, monkeypatch):
    update = await ask(chat)

    async def away(*_, **__):
        raise StoreUnavailable("out")

    monkeypatch.setattr("shared.application.answering.composing.gather", away)
    with pytest.raises(StoreUnavailable):
        await run_answer(chat.runtime.app, {"update_id": update["update_id"]})
    assert chat.answers == []
