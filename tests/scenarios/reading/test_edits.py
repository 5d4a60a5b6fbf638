"""Edits cost their author, not the chat: gathered for a while, booked, and learnt from in the end (attacks e5, e11)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.application.documents import chunks_path, message_path, usage_path
from shared.application.ports.store import Order
from shared.application.recall.note_codec import read_texts
from shared.application.spending.budgets import spending_path
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group
from tests.support.reading.replies import asks_to_read, reading

ADMIN, EDITOR, OTHER = (102, "Тарас"), (205, "Спамер"), (203, "Марко")
EVERY = timedelta(seconds=3)
RULE = "Нагадую: ніякої політики в чаті!"


PLANS = "Розмова про погоду, дачу і плани."


@pytest.fixture
async def gemini():
    async with FakeGemini("test-key") as server:
        server.reply_with(lambda r: reading(r, PLANS) if asks_to_read(r) else PLANS)
        yield server


async def with_a_chunk(group, by=EDITOR, said="Сьогодні гарна погода, їду на дачу"):
    """A chat whose ten messages are a chunk and an episode; the message that will be edited."""
    first = await group.say(said, *by)
    for number in range(9):
        await group.say(f"слово номер {number} про погоду і дачу, довге повідомлення звичайної групи", *OTHER)
    await group.settle()
    return first["message"]


async def edit(group, message, text):
    update = {**message, "text": text, "edit_date": int(group.clock.now().timestamp())}
    assert await group.deliver({"update_id": next(group._ids), "edited_message": update}) == 200


async def spent_by(group, user_id):
    document = await group.store.get(spending_path(CHAT, user_id, group.clock.now().date()))
    return {} if document is None else document.data


async def test_five_and_thirty_edits_in_two_minutes_cost_a_dozen_calls_and_are_booked_to_their_author(store, gemini):
    async with running_group(store, **gemini.environment) as group:
        message = await with_a_chunk(group)
        before, calls = (await group.store.get(usage_path(CHAT, group.clock.now().date()))).data, len(gemini.requests)
        for number in range(35):
            await edit(group, message, f"Сьогодні гарна погода, їду на дачу {number}")
            group.clock.advance(EVERY)
            await group.work()
        await group.settle()
        assert 0 < len(gemini.requests) - calls <= 12
        after = (await group.store.get(usage_path(CHAT, group.clock.now().date()))).data
        own = await spent_by(group, EDITOR[0])
        assert 0 < own["tokens"] == after["tokens"] - before["tokens"]
        assert own["calls"] == after["calls"] - before["calls"]
        told = [request.prompt for request in gemini.requests[calls:] if request.method == "generateContent"]
        assert "їду на дачу 34" in told[-1]
        assert not await spent_by(group, OTHER[0])


async def later(group, after=timedelta(minutes=2)):
    """Let the workers run some times; what waits for tomorrow is asked for every hour."""
    for _ in range(4):
        group.clock.advance(after)
        await group.work()


async def test_who_has_nothing_left_is_learnt_from_without_the_model_and_by_it_when_there_is_more(store, gemini):
    async with running_group(store, **gemini.environment, MODEL_TOKENS_PER_MEMBER_PER_DAY="1") as group:
        message = await with_a_chunk(group, by=ADMIN, said=RULE)
        await edit(group, message, "Нагадую: без спойлерів у чаті!")
        await later(group)
        paid = len(gemini.requests)
        await edit(group, message, "Нагадую: ніякої реклами в чаті!")
        await later(group)
        assert [fact["value"] for fact in await group.facts() if fact["status"] == "active"] == ["advertising"]
        assert len(gemini.requests) == paid
        (chunk,) = await group.store.query(chunks_path(CHAT))
        assert (chunk.data["made_by"], chunk.data["model_pending"]) == ("offline", True)
        assert "реклам" in read_texts(chunk.data).told
        assert "спойлер" not in read_texts(chunk.data).told
        await later(group, after=timedelta(hours=6))
        (chunk,) = await group.store.query(chunks_path(CHAT))
        assert (chunk.data["model_pending"], chunk.data["edited_by"]) == (False, None)
        assert any("ніякої реклами" in request.prompt for request in gemini.requests[paid:] if request.schema)


async def test_what_waits_for_somebodys_budget_keeps_nobody_elses_from_being_made_again(sqlite_store, gemini):
    async with running_group(sqlite_store, **gemini.environment, MODEL_TOKENS_PER_MEMBER_PER_DAY="1") as group:
        said = [await with_a_chunk(group) for _ in range(7)]
        for those in (said[:1], said[1:]):
            for message in those:
                await edit(group, message, f"Сьогодні гарна погода {message['message_id']}, їду в гори")
            await later(group)
        chunks = await group.store.query(chunks_path(CHAT), order_by=[Order("first")])
        waiting = [chunk.path for chunk in chunks if chunk.data["model_pending"]]
        assert len(waiting) == len(said) - 1, "the first was within the budget"
        made_while_away = {"model_pending": True, "made_by": "offline", "summary": "", "edited_by": None}
        await group.store.update(chunks[0].path, made_while_away)
        await group.store.set(f"{chunks_path(CHAT)}/9-9", {**chunks[0].data, **made_while_away})  # the last by its id
        await later(group, after=timedelta(hours=1))
        for path in (chunks[0].path, f"{chunks_path(CHAT)}/9-9"):
            assert (await group.store.get(path)).data["model_pending"] is False
        assert all(chunk.data["model_pending"] for chunk in await group.store.get_many(waiting))


async def test_where_members_have_no_budget_edits_are_the_chats_own_matter(sqlite_store, gemini):
    async with running_group(sqlite_store, **gemini.environment, MODEL_TOKENS_PER_MEMBER_PER_DAY="0") as group:
        message = await with_a_chunk(group)
        await edit(group, message, "Сьогодні їду в гори")
        await group.settle()
        (chunk,) = await group.store.query(chunks_path(CHAT))
        assert chunk.data["model_pending"] is False
        assert any("їду в гори" in request.prompt for request in gemini.requests if request.schema)


async def test_the_chats_own_budget_is_still_there_for_who_asks(sqlite_store, gemini):
    environment = {**gemini.environment, "MODEL_TOKENS_PER_MEMBER_PER_DAY": "5000"}
    async with running_group(sqlite_store, **environment) as group:
        message = await with_a_chunk(group)
        for number in range(60):
            await edit(group, message, f"Сьогодні гарна погода, їду на дачу {number}")
            group.clock.advance(timedelta(minutes=1))
            await group.work()
        assert (await spent_by(group, EDITOR[0]))["tokens"] < 5_000 + 3_000
        calls = len(gemini.requests)
        await group.say("Гряг, допоможи будь ласка", *OTHER)
        assert len(gemini.requests) > calls
        assert group.answers[-1].startswith("Розмова про погоду")


async def test_the_first_edit_is_learnt_from_at_once_and_the_last_of_many_soon(sqlite_store):
    async with running_group(sqlite_store) as group:
        message = await with_a_chunk(group, by=ADMIN, said=RULE)

        async def believed():
            return [fact["value"] for fact in await group.facts() if fact["status"] == "active"]

        assert await believed() == ["politics"]
        await edit(group, message, "Нагадую: без спойлерів у чаті!")
        await group.work()
        assert await believed() == ["spoilers"]
        group.clock.advance(EVERY)
        await edit(group, message, "Нагадую: ніякої реклами в чаті!")
        await group.work()
        assert await believed() == ["spoilers"]
        group.clock.advance(timedelta(minutes=2, seconds=5))
        await group.work()
        assert await believed() == ["advertising"]
        await group.settle()
        (chunk,) = await group.store.query(chunks_path(CHAT))
        assert "реклам" in read_texts(chunk.data).told
        assert "політик" not in read_texts(chunk.data).told
        stored = await group.store.get(message_path(CHAT, message["message_id"]))
        assert "retell_at" not in stored.data
        assert stored.data["rederive"] is False


async def test_an_edit_that_changes_nothing_has_nothing_made_again(sqlite_store, gemini):
    async with running_group(sqlite_store, **gemini.environment) as group:
        message = await with_a_chunk(group)
        calls = len(gemini.requests)
        await edit(group, message, message["text"])
        await group.settle()
        assert len(gemini.requests) == calls


async def test_many_edits_ask_for_two_tasks(sqlite_store):
    async with running_group(sqlite_store) as group:
        message = await with_a_chunk(group)
        await group.settle()
        before = set(group.tasks.tasks)
        start = group.clock.now().timestamp() // 120 * 120 + 120
        group.clock.advance(timedelta(seconds=start - group.clock.now().timestamp()))
        for number in range(20):
            await edit(group, message, f"Сьогодні гарна погода {number}")
            group.clock.advance(EVERY)
        assert len(set(group.tasks.tasks) - before) == 2
