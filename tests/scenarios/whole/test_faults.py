"""When a part fails: the store around a send, the Bot API, the model, a bug; what comes of it and what never does."""

import asyncio
import contextlib
import itertools
import json
from datetime import timedelta

import pytest
from google.cloud import tasks_v2

from infra.tasks.retries import RetryPolicy
from infra.web.http import MAX_BODY
from shared.application.delivery.answer import Answer
from shared.application.delivery.ledger_codec import LEASE
from shared.application.delivery.parcels import Destination
from shared.application.delivery.sending import answer_once
from shared.application.documents import chunks_path
from shared.application.intake.answering import answer_update
from shared.application.ports.chat import OutgoingText
from shared.application.reading.extraction import extract_chat
from shared.domain.errors import StoreUnavailable, TransientError
from tests.support.faults import FailingStore, dead_letters
from tests.support.gemini.server import CHAT_MODEL, EMBEDDING_MODEL, EXTRACTION_MODEL, FakeGemini
from tests.support.google.cloud_tasks import sign
from tests.support.group import ACCOUNT, CHAT, EXTRACT_URL, MAINTENANCE_URL, TOKEN, running_group
from tests.support.reading.replies import asks_to_read, reading

LAST_ATTEMPT = RetryPolicy().max_attempts - 1

QUESTION = "гряг, ти тут?"
PURR = "Мурчик знову спить на клавіатурі"


def told(request):
    """Answer as a model would: one fact, one summary, one episode."""
    if not asks_to_read(request):
        return "- Кота Ганни звати Мурчик"
    fact = {"subject": "user:104", "category": "relationship", "key": "pet", "value": "кіт Мурчик", "confidence": 0.95}
    fact |= {"description": "Ганна має кота Мурчика", "message_id": 1, "user_id": 104, "quote": "Мурчик знову спить"}
    return reading(request, "- Кота Ганни звати Мурчик", ["Кота Ганни звати Мурчик"], [fact])


def model_settings(gemini, embedding=EMBEDDING_MODEL):
    where = {"GEMINI_API_KEY": "test-key", "GOOGLE_GEMINI_BASE_URL": gemini.url, "GEMINI_EMBEDDING_MODEL": embedding}
    return {**where, "GEMINI_CHAT_MODEL": CHAT_MODEL, "GEMINI_EXTRACTION_MODEL": EXTRACTION_MODEL}


@pytest.fixture
async def gemini():
    async with FakeGemini("test-key") as server:
        server.reply_with(told)
        yield server


@pytest.fixture
async def minded(sqlite_store, gemini):
    """A laptop with a model."""
    async with running_group(sqlite_store, **model_settings(gemini)) as running:
        yield running


def pieces(*texts):
    async def compose():
        return Answer.of(*(OutgoingText(text, text) for text in texts))

    return compose


async def post_tasks(group, url, path, *payloads, retries=0):
    """Deliver tasks as the queue does at the attempt after `retries` failed ones; the statuses that came."""
    token = tasks_v2.OidcToken(service_account_email=ACCOUNT, audience=url)
    authorization = "Bearer " + sign(token, url, group.clock.now())
    headers = {"authorization": authorization, "x-cloudtasks-taskretrycount": str(retries)}
    return {(await group.http.post(path, json=payload, headers=headers)).status_code for payload in payloads}


async def only_chunk(group):
    (chunk,) = await group.store.query(chunks_path(CHAT))
    return chunk.data


async def extracted_chunk(group):
    """The chunk of what Ganna says, when the chat fell silent."""
    await group.say(PURR, 104, "Ганна")
    group.clock.advance(timedelta(minutes=20))
    await extract_chat(group.runtime.app, CHAT)
    return await only_chunk(group)


# --- Sending -----------------------------------------------------------------------------------


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_store_fault_anywhere_loses_and_doubles_no_piece(sqlite_store, after):
    store, to = FailingStore(sqlite_store), Destination(CHAT)
    async with running_group(store) as group:
        for call in itertools.count(1):
            compose = pieces(*(expected := [f"{call} {part}" for part in "абв"]))
            store.arm(call, after=after)
            with contextlib.suppress(TransientError):
                await answer_once(group.runtime.app, call, to, compose)
            unharmed = store.calls < call
            store.arm(None)
            group.clock.advance(LEASE)
            await answer_once(group.runtime.app, call, to, compose)
            assert [text for text in group.answers if text in expected] == expected
            if unharmed:
                break


async def test_an_instance_whose_lease_ran_out_sends_nothing_more(group):
    app, to = group.runtime.app, Destination(CHAT)

    async def slowly():
        group.clock.advance(LEASE)
        assert await answer_once(app, 7, to, pieces("швидка")) == "answered"
        return Answer.of(OutgoingText("повільна", "повільна"))

    assert await answer_once(app, 7, to, slowly) == "taken over"
    assert await answer_once(app, 7, to, pieces("третя")) == "already answered"
    assert group.answers == ["швидка"]


async def test_an_answer_whose_sending_outlives_the_lease_comes_again_and_both_are_remembered(laptop):
    update = laptop.says(QUESTION)
    laptop.api.fail_next("sendMessage", delay=0.3)
    first = asyncio.create_task(laptop.deliver(update))
    while not laptop.answers:
        await asyncio.sleep(0.01)
    laptop.clock.advance(LEASE)
    assert (await answer_update(laptop.runtime.app, update["update_id"])).result == "answered"
    assert not first.done()
    assert await first == 200
    assert len(laptop.answers) == 2
    assert [message["is_bot"] for message in await laptop.messages()] == [False, True, True]


async def test_told_to_wait_for_a_minute_the_bot_does_not_even_ask_before(laptop):
    update = laptop.says(QUESTION)
    laptop.api.fail_next("sendMessage", status=429, retry_after=60)
    assert await laptop.deliver(update) == 200
    await laptop.answer()
    tried = len(laptop.api.calls)
    await laptop.tasks.dispatch_due(laptop.clock.now() + timedelta(seconds=59))
    assert len(laptop.api.calls) == tried
    laptop.clock.advance(timedelta(seconds=61))
    await laptop.work()
    assert len(laptop.answers) == 1


async def test_a_token_that_telegram_does_not_know_costs_no_answer(laptop):
    update, laptop.api.token = laptop.says(QUESTION), "654321:another"
    assert not await laptop.deals_with(update)
    assert len(await laptop.messages()) == 1
    laptop.api.token = TOKEN
    await laptop.answer_later()
    assert len(laptop.answers) == 1


# --- Bodies and tasks --------------------------------------------------------------------------


async def test_the_largest_body_is_stored_whole_and_a_larger_one_is_written_down_once(group):
    text = "a" * (MAX_BODY - 1_000)
    largest = json.dumps(group.says(text)).encode().ljust(MAX_BODY)
    assert await group.deliver(largest) == 200
    for _ in range(2):
        assert await group.deliver(largest + b" ") == 200
    assert [message["text"] for message in await group.messages()] == [text]
    assert len(await dead_letters(group)) == 1


@pytest.mark.parametrize("size", [70_000, MAX_BODY], ids=["unreadable", "too large"])
async def test_a_dead_letter_stays_readable_wherever_it_is_cut(laptop, size):
    bodies = ["я" * size, "x" + "я" * size]
    for body in bodies:
        assert await laptop.deliver(body.encode()) == 200
    records = await dead_letters(laptop)
    assert {record["body"] for record in records} == {body[: 64 * 1024] for body in bodies}
    assert all(record["expire_at"] > laptop.clock.now() for record in records)


@pytest.mark.parametrize("fault", [KeyError, StoreUnavailable], ids=["a bug", "an outage"])
async def test_a_task_that_fails_for_ever_is_written_down_at_its_last_attempt(laptop, fault):
    group, task = laptop, {"chat_id": CHAT}
    for retries, status in ((0, 503), (LAST_ATTEMPT - 1, 503), (LAST_ATTEMPT, 200)):
        assert await dead_letters(group) == []
        group.store.arm(1, error=fault)
        assert await post_tasks(group, EXTRACT_URL, "/extract", task, retries=retries) == {status}
    (record,) = await dead_letters(group)
    assert (record["kind"], json.loads(record["body"])) == ("task", task)
    assert record["reason"].startswith("last attempt failed")


async def test_tasks_of_a_wrong_shape_are_dropped_at_once_and_written_down(laptop):
    decays = [{"chat_id": wrong} for wrong in ("-5", 1.5, None, True, [1])]
    decays += [{"chat_id": CHAT, "day": wrong} for wrong in (5, "", "x" * 500, "2026-11-06/x")]
    decays += [{"from": wrong} for wrong in (5, "", "yesterday", "2026-11-06T02:00:00")]
    decays += [{"after": wrong} for wrong in (["a"], "a/b", "", -5)]
    moves = [{}, {"chat_id": CHAT}, {"chat_id": CHAT, "new_chat_id": "-6"}]
    assert await post_tasks(laptop, MAINTENANCE_URL, "/maintenance/decay", *decays) == {200}
    assert await post_tasks(laptop, MAINTENANCE_URL, "/maintenance/migrate", *moves) == {200}
    written = [json.loads(record["body"]) for record in await dead_letters(laptop)]
    assert sorted(map(str, written)) == sorted(map(str, [*decays, *moves]))
    assert laptop.tasks.tasks == {}


# --- The model ---------------------------------------------------------------------------------


async def test_half_an_emoji_from_the_model_becomes_a_replacement_character_and_stops_nothing(minded, gemini):
    def halved(request):
        if request.schema is None:
            return "так \ud83d"
        (fact,) = told(request)["facts"]
        halves = [fact | {name: f"{fact[name]}\ud83d"} for name in ("value", "quote")]
        return json.dumps(reading(request, "так \ud83d", [], [fact, *halves]))

    gemini.reply_with(halved)
    assert (await extracted_chunk(minded))["summary"] == "так"
    assert "кіт мурчик" in {fact["value"] for fact in await minded.facts()}
    await minded.say(QUESTION)
    assert minded.answers == [(await minded.messages())[-1]["text"]] == ["так \ufffd"]


@pytest.mark.parametrize("lacking", ["parts", "facts"])
async def test_what_a_reply_lacks_does_not_cost_the_rest(minded, gemini, lacking):
    gemini.reply_with(lambda request: {name: found for name, found in told(request).items() if name != lacking})
    chunk = await extracted_chunk(minded)
    assert not chunk["model_pending"]
    assert "Мурчик" in chunk["summary"]
    assert bool(await minded.facts()) == (lacking != "facts")
    assert (chunk["episodic"] == "- Кота {{104|Ганни}} звати Мурчик") == (lacking != "parts")


async def test_of_what_the_model_refuses_excerpts_are_kept_and_it_is_not_asked_again(minded, gemini):
    gemini.reply_with(lambda _: "")
    chunk = await extracted_chunk(minded)
    assert (chunk["model_pending"], chunk["made_by"]) == (False, "offline")
    assert "Мурчик" in chunk["summary"]


async def test_a_refusal_when_the_chunk_is_done_again_keeps_what_it_had(minded, gemini):
    gemini.fail_next(403)
    before = await extracted_chunk(minded)
    assert before["model_pending"]
    gemini.reply_with(lambda _: "")
    await extract_chat(minded.runtime.app, CHAT)
    chunk = await only_chunk(minded)
    assert not chunk["model_pending"]
    assert chunk["summary"] == before["summary"] != ""


async def test_without_an_embedding_everything_else_is_kept(sqlite_store, gemini):
    async with running_group(sqlite_store, **model_settings(gemini, embedding="no-such-model")) as group:
        chunk = await extracted_chunk(group)
        assert (chunk["embedding"], chunk["embedding_model"]) == (None, None)
        assert (chunk["summary"], chunk["model_pending"]) == ("- Кота {{104|Ганни}} звати Мурчик", False)
        assert [fact["value"] for fact in await group.facts()] == ["кіт мурчик"]


async def test_in_a_chat_that_fell_silent_the_model_is_asked_every_hour_until_it_is_back(minded, gemini):
    gemini.fail_next(403, times=1_000)
    await minded.say(PURR, 104, "Ганна")
    for _ in range(10):
        minded.clock.advance(timedelta(minutes=30))
        await minded.tasks.dispatch_due(minded.clock.now())
    assert 4 <= len(gemini.requests) <= 6
    gemini.recover()
    await minded.settle()
    assert not (await only_chunk(minded))["model_pending"]
    assert [fact["value"] for fact in await minded.facts()] == ["кіт мурчик"]
